/* Tests canonicalisation: each rule of texenv.h and notes/choices.md. States are the same if their bytes are
 * equal. */
#include "build_state.h"

#include <math.h>

/* What the last canonicalisation reported. */
struct said {
    unsigned notes, warnings, errors;
    char code[40]; /* code of the last diagnostic */
    struct texenv_place place;
    int unit;
};

static void hear(void *user, const struct texenv_diag *diag)
{
    struct said *s = user;
    *(diag->severity == TEXENV_NOTE          ? &s->notes
          : diag->severity == TEXENV_WARNING ? &s->warnings
                                             : &s->errors) += 1;
    snprintf(s->code, sizeof s->code, "%s", diag->code);
    s->place = diag->place;
    s->unit = diag->unit;
    CHECK(diag->text[0] && !strchr(diag->text, '\n'));
}

static struct said listen(const struct texenv *te, const struct texenv_policy *policy, bool *ok)
{
    struct said said = {0};
    struct texenv_sink sink = {hear, &said};
    struct texenv_state state;
    *ok = texenv_canonicalise(&state, te, policy, false, NULL, &sink);
    return said;
}

static struct texenv fresh(void)
{
    struct texenv te;
    texenv_init(&te);
    return te;
}

static bool arg_is(struct texenv_arg a, unsigned source, unsigned unit, bool complement, bool alpha)
{
    return a.source == source && a.unit == unit && a.complement == complement && a.alpha == alpha;
}

static void empty(void)
{
    struct texenv te = fresh();
    struct texenv_state zero;
    memset(&zero, 0, sizeof zero);
    struct texenv_state state = canonical(&te);
    CHECK(memcmp(&state, &zero, sizeof zero) == 0);

    /* Neither the active unit nor the settings of a disabled unit affect the canonical state. */
    CHECK(texenv_active_texture(&te, GL_TEXTURE5) == 0);
    set(&te, GL_TEXTURE_ENV_MODE, GL_COMBINE);
    color(&te, 1, 1, 1, 1);
    CHECK(texenv_client_active_texture(&te, GL_TEXTURE3) == 0);
    state = canonical(&te);
    CHECK(memcmp(&state, &zero, sizeof zero) == 0);
}

static void default_combine(void)
{
    struct texenv te = fresh();
    unit_rgba(&te, 0);
    set(&te, GL_TEXTURE_ENV_MODE, GL_COMBINE);
    struct texenv_state s = canonical(&te), want;
    memset(&want, 0, sizeof want);
    want.nstages = 1;
    want.stage[0].mode = TEXENV_COMBINE;
    want.stage[0].base = TEXENV_RGBA;
    want.stage[0].target = TEXENV_2D;
    for (unsigned h = 0; h < 2; h++) {
        want.stage[0].half[h].func = TEXENV_F_MODULATE;
        want.stage[0].half[h].scale = 1;
        want.stage[0].half[h].arg[0] = (struct texenv_arg){.source = TEXENV_S_TEXTURE, .unit = 0, .alpha = h};
        want.stage[0].half[h].arg[1] = (struct texenv_arg){.source = TEXENV_S_PREVIOUS, .alpha = h};
    }
    CHECK(memcmp(&s, &want, sizeof want) == 0);
}

static void unused_parts(void)
{
    struct texenv a = fresh();
    unit_rgba(&a, 0);
    set(&a, GL_TEXTURE_ENV_MODE, GL_COMBINE);
    struct texenv b = a;
    /* MODULATE reads two arguments. */
    set(&b, GL_SOURCE2_RGB, GL_TEXTURE7);
    set(&b, GL_OPERAND2_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    set(&b, GL_SOURCE3_RGB_NV, GL_PREVIOUS);
    set(&b, GL_OPERAND3_RGB_NV, GL_SRC_ALPHA);
    color(&b, 1, 1, 1, 1); /* nothing reads the colour */
    CHECK(same(&a, &b));
    /* Reading the unit's own texture by number is the same as GL_TEXTURE. */
    set(&b, GL_SOURCE0_RGB, GL_TEXTURE0);
    CHECK(same(&a, &b));
    /* Settings of disabled units have no effect. */
    CHECK(texenv_active_texture(&b, GL_TEXTURE1) == 0);
    set(&b, GL_TEXTURE_ENV_MODE, GL_DECAL);
    CHECK(same(&a, &b));
    /* Settings that are read have an effect. */
    CHECK(texenv_active_texture(&b, GL_TEXTURE0) == 0);
    set(&b, GL_OPERAND1_RGB, GL_SRC_ALPHA);
    CHECK(!same(&a, &b));
}

static void literals(void)
{
    struct texenv te = fresh();
    unit_rgba(&te, 0);
    set(&te, GL_TEXTURE_ENV_MODE, GL_COMBINE);
    static const struct {
        uint32_t source, operand;
        unsigned want;
    } rows[] = {{GL_ZERO, GL_SRC_COLOR, TEXENV_S_ZERO}, {GL_ZERO, GL_ONE_MINUS_SRC_COLOR, TEXENV_S_ONE},
                {GL_ZERO, GL_SRC_ALPHA, TEXENV_S_ZERO}, {GL_ZERO, GL_ONE_MINUS_SRC_ALPHA, TEXENV_S_ONE},
                {GL_ONE, GL_SRC_COLOR, TEXENV_S_ONE},   {GL_ONE, GL_ONE_MINUS_SRC_COLOR, TEXENV_S_ZERO},
                {GL_ONE, GL_SRC_ALPHA, TEXENV_S_ONE},   {GL_ONE, GL_ONE_MINUS_SRC_ALPHA, TEXENV_S_ZERO}};
    for (unsigned i = 0; i < 8; i++) {
        set(&te, GL_SOURCE0_RGB, rows[i].source);
        set(&te, GL_OPERAND0_RGB, rows[i].operand);
        CHECK(arg_is(canonical(&te).stage[0].half[0].arg[0], rows[i].want, 0, false, false));
    }
    /* In the alpha half, too, 1 - 1 becomes the number 0, without the flag for alpha operands. */
    set(&te, GL_SOURCE1_ALPHA, GL_ONE);
    set(&te, GL_OPERAND1_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    CHECK(arg_is(canonical(&te).stage[0].half[1].arg[1], TEXENV_S_ZERO, 0, false, false));
}

static void arguments(void)
{
    struct texenv te = fresh();
    for (unsigned u = 0; u < 8; u++)
        unit_rgba(&te, u);
    CHECK(texenv_active_texture(&te, GL_TEXTURE3) == 0);
    set(&te, GL_TEXTURE_ENV_MODE, GL_COMBINE);
    static const uint32_t operands[] = {GL_SRC_COLOR, GL_ONE_MINUS_SRC_COLOR, GL_SRC_ALPHA,
                                        GL_ONE_MINUS_SRC_ALPHA};
    static const struct {
        uint32_t gl;
        unsigned source, unit;
    } sources[] = {{GL_TEXTURE, TEXENV_S_TEXTURE, 3},       {GL_CONSTANT, TEXENV_S_CONSTANT, 0},
                   {GL_PRIMARY_COLOR, TEXENV_S_PRIMARY, 0}, {GL_PREVIOUS, TEXENV_S_PREVIOUS, 0},
                   {GL_TEXTURE0, TEXENV_S_TEXTURE, 0},      {GL_TEXTURE7, TEXENV_S_TEXTURE, 7},
                   {GL_TEXTURE3, TEXENV_S_TEXTURE, 3}};
    for (unsigned h = 0; h < 2; h++)
        for (unsigned a = 0; a < 3; a++)
            for (unsigned s = 0; s < 7; s++)
                for (unsigned o = h ? 2 : 0; o < 4; o++) {
                    struct texenv t = te;
                    set(&t, h ? GL_COMBINE_ALPHA : GL_COMBINE_RGB, GL_INTERPOLATE);
                    set(&t, (h ? GL_SOURCE0_ALPHA : GL_SOURCE0_RGB) + a, sources[s].gl);
                    set(&t, (h ? GL_OPERAND0_ALPHA : GL_OPERAND0_RGB) + a, operands[o]);
                    CHECK(arg_is(canonical(&t).stage[3].half[h].arg[a], sources[s].source, sources[s].unit,
                                 o & 1, o >= 2));
                }
}

static void functions(void)
{
    static const struct {
        uint32_t gl;
        unsigned func, args;
    } rows[] = {{GL_REPLACE, TEXENV_F_REPLACE, 1},
                {GL_MODULATE, TEXENV_F_MODULATE, 2},
                {GL_ADD, TEXENV_F_ADD, 2},
                {GL_ADD_SIGNED, TEXENV_F_ADD_SIGNED, 2},
                {GL_INTERPOLATE, TEXENV_F_INTERPOLATE, 3},
                {GL_SUBTRACT, TEXENV_F_SUBTRACT, 2},
                {GL_MODULATE_ADD_ATI, TEXENV_F_MODULATE_ADD, 3},
                {GL_MODULATE_SIGNED_ADD_ATI, TEXENV_F_MODULATE_SIGNED_ADD, 3},
                {GL_MODULATE_SUBTRACT_ATI, TEXENV_F_MODULATE_SUBTRACT, 3},
                {GL_DOT3_RGB, TEXENV_F_DOT3_RGB, 2},
                {GL_DOT3_RGBA, TEXENV_F_DOT3_RGBA, 2},
                {GL_DOT3_RGB_EXT, TEXENV_F_DOT3_RGB_EXT, 2},
                {GL_DOT3_RGBA_EXT, TEXENV_F_DOT3_RGBA_EXT, 2}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        CHECK(texenv_func_args((enum texenv_func)rows[i].func) == rows[i].args);
        CHECK(texenv_func_writes_alpha((enum texenv_func)rows[i].func) ==
              (rows[i].gl == GL_DOT3_RGBA || rows[i].gl == GL_DOT3_RGBA_EXT));
        struct texenv te = fresh();
        unit_rgba(&te, 0);
        set(&te, GL_TEXTURE_ENV_MODE, GL_COMBINE);
        for (unsigned h = 0; h < (i < 9 ? 2u : 1u); h++) {
            set(&te, h ? GL_COMBINE_ALPHA : GL_COMBINE_RGB, rows[i].gl);
            struct texenv_half half = canonical(&te).stage[0].half[h];
            CHECK(half.func == rows[i].func);
            static const struct texenv_arg none;
            for (unsigned a = rows[i].args; a < TEXENV_ARGS; a++)
                CHECK(memcmp(&half.arg[a], &none, sizeof none) == 0);
        }
    }
    CHECK(texenv_func_args(TEXENV_F_COMBINE4_ADD) == 4 &&
          texenv_func_args(TEXENV_F_COMBINE4_ADD_SIGNED) == 4);
}

/* ARB_texture_env_dot3: COMBINE_ALPHA is ignored with DOT3_RGBA; its alpha is scaled by ALPHA_SCALE or, by
 * policy, by RGB_SCALE. */
static void dot3_rgba(void)
{
    struct texenv te = fresh();
    unit_rgba(&te, 0);
    set(&te, GL_TEXTURE_ENV_MODE, GL_COMBINE);
    set(&te, GL_COMBINE_RGB, GL_DOT3_RGBA);
    struct texenv b = te;
    set(&b, GL_COMBINE_ALPHA, GL_INTERPOLATE);
    set(&b, GL_SOURCE0_ALPHA, GL_CONSTANT);
    color(&b, 0.5f, 0.5f, 0.5f, 0.5f);
    CHECK(same(&te, &b));
    struct texenv_half zero = {.scale = 1}, got = canonical(&te).stage[0].half[1];
    CHECK(memcmp(&got, &zero, sizeof zero) == 0);

    set(&te, GL_RGB_SCALE, 2);
    set(&te, GL_ALPHA_SCALE, 4);
    struct texenv_state s = canonical(&te);
    CHECK(s.stage[0].half[0].scale == 2 && s.stage[0].half[1].scale == 4);
    struct texenv_policy policy = {.dot3_alpha = TEXENV_DOT3_RGB_SCALE};
    s = canonical_by(&te, &policy);
    CHECK(s.stage[0].half[0].scale == 2 && s.stage[0].half[1].scale == 2);
    set(&te, GL_COMBINE_RGB, GL_DOT3_RGB); /* the policy does not apply to DOT3_RGB */
    s = canonical_by(&te, &policy);
    CHECK(s.stage[0].half[0].scale == 2 && s.stage[0].half[1].scale == 4);
}

/* EXT_texture_env_dot3: the result of the dot product is not scaled; the independent alpha of DOT3_RGB_EXT
 * is. */
static void dot3_ext(void)
{
    struct texenv te = fresh();
    unit_rgba(&te, 0);
    set(&te, GL_TEXTURE_ENV_MODE, GL_COMBINE);
    set(&te, GL_RGB_SCALE, 4);
    set(&te, GL_ALPHA_SCALE, 2);
    set(&te, GL_COMBINE_RGB, GL_DOT3_RGB_EXT);
    struct texenv_state s = canonical(&te);
    CHECK(s.stage[0].half[0].scale == 1 && s.stage[0].half[1].scale == 2);
    set(&te, GL_COMBINE_RGB, GL_DOT3_RGBA_EXT);
    for (unsigned rule = 0; rule < 2; rule++) {
        struct texenv_policy policy = {.dot3_alpha = (uint8_t)rule};
        s = canonical_by(&te, &policy);
        CHECK(s.stage[0].half[0].scale == 1 && s.stage[0].half[1].scale == 1);
    }
    bool ok;
    struct said said = listen(&te, NULL, &ok);
    CHECK(ok && said.notes == 1 && !strcmp(said.code, "scale-inert"));
}

static void colors(void)
{
    struct texenv te = fresh();
    unit_rgba(&te, 0);
    set(&te, GL_TEXTURE_ENV_MODE, GL_COMBINE);
    color(&te, 0.1f, 0.2f, 0.3f, 0.4f);
    static const float all[4] = {0.1f, 0.2f, 0.3f, 0.4f};
    /* Which argument reads the constant colour with which operand, and whether the canonical state keeps the
     * colour. It is kept as a whole, because it is uploaded as a whole. */
    static const struct {
        unsigned half;
        uint32_t operand;
        unsigned use;
    } rows[] = {{0, GL_SRC_COLOR, 1}, {0, GL_ONE_MINUS_SRC_COLOR, 1},
                {0, GL_SRC_ALPHA, 2}, {0, GL_ONE_MINUS_SRC_ALPHA, 2},
                {1, GL_SRC_ALPHA, 2}, {1, GL_ONE_MINUS_SRC_ALPHA, 2}};
    for (unsigned i = 0; i < 6; i++) {
        struct texenv t = te;
        set(&t, rows[i].half ? GL_SOURCE1_ALPHA : GL_SOURCE1_RGB, GL_CONSTANT);
        set(&t, rows[i].half ? GL_OPERAND1_ALPHA : GL_OPERAND1_RGB, rows[i].operand);
        struct texenv_state s = canonical(&t);
        CHECK(texenv_stage_color_use(&s.stage[0]) == rows[i].use);
        CHECK(memcmp(s.stage[0].color, all, sizeof all) == 0);
    }
    /* Table 3.23: BLEND reads the rgb of the constant colour, except with alpha textures; it reads the alpha
     * with intensity textures only. */
    static const struct {
        uint32_t format;
        unsigned use;
    } blend[] = {{GL_RGBA, 1},      {GL_RGB, 1},   {GL_LUMINANCE, 1}, {GL_LUMINANCE_ALPHA, 1},
                 {GL_INTENSITY, 3}, {GL_ALPHA, 0}, {GL_RED, 1},       {GL_RG, 1}};
    for (unsigned i = 0; i < 8; i++) {
        struct texenv t = fresh();
        unit_with(&t, 0, GL_TEXTURE_2D, blend[i].format);
        color(&t, 0.1f, 0.2f, 0.3f, 0.4f);
        set(&t, GL_TEXTURE_ENV_MODE, GL_BLEND);
        struct texenv_state s = canonical(&t);
        CHECK_SAY(texenv_stage_color_use(&s.stage[0]) == blend[i].use, "format 0x%x", blend[i].format);
        CHECK(s.stage[0].color[0] == (blend[i].use ? 0.1f : 0) &&
              s.stage[0].color[3] == (blend[i].use ? 0.4f : 0));
        set(&t, GL_TEXTURE_ENV_MODE, GL_MODULATE);
        s = canonical(&t);
        CHECK(s.stage[0].color[0] == 0 && s.stage[0].color[3] == 0);
    }
}

static void classic_modes(void)
{
    static const struct {
        uint32_t gl;
        unsigned mode;
    } modes[] = {{GL_REPLACE, TEXENV_REPLACE},   {GL_REPLACE_EXT, TEXENV_REPLACE},
                 {GL_MODULATE, TEXENV_MODULATE}, {GL_DECAL, TEXENV_DECAL},
                 {GL_BLEND, TEXENV_BLEND},       {GL_ADD, TEXENV_ADD}};
    for (unsigned i = 0; i < 6; i++) {
        struct texenv te = fresh();
        unit_rgba(&te, 1);
        set(&te, GL_TEXTURE_ENV_MODE, modes[i].gl);
        struct texenv_state plain = canonical(&te);
        CHECK(plain.nstages == 2 && plain.stage[0].mode == TEXENV_OFF &&
              plain.stage[1].mode == modes[i].mode);
        struct texenv_half zero[2];
        memset(zero, 0, sizeof zero);
        CHECK(memcmp(plain.stage[1].half, zero, sizeof zero) == 0);
        /* In a classic mode scales, functions and sources have no effect. */
        struct texenv other = te;
        set(&other, GL_RGB_SCALE, 4);
        set(&other, GL_ALPHA_SCALE, 2);
        set(&other, GL_COMBINE_RGB, GL_DOT3_RGBA);
        set(&other, GL_SOURCE0_RGB, GL_TEXTURE4);
        CHECK(same(&te, &other));
    }
}

/* Tests the table of classic modes, written by hand from notes/facts/texenv.md 3: rgb and alpha of each mode
 * for each base format, in terms of P (previous), T (texel) and C (colour); "L" is C*T + P*(1-T), "D" is T*Ta
 * + P*(1-Ta). */
static void classic_tables(void)
{
    static const uint32_t formats[] = {
        GL_ALPHA, GL_LUMINANCE, GL_LUMINANCE_ALPHA, GL_INTENSITY, GL_RGB, GL_RGBA, GL_RED, GL_RG};
    static const uint32_t modes[] = {GL_REPLACE, GL_MODULATE, GL_DECAL, GL_BLEND, GL_ADD};
    static const char *const table[8][5][2] = {
        {{"P", "T"}, {"P", "P*T"}, {"P", "P"}, {"P", "P*T"}, {"P", "P*T"}},     /* ALPHA */
        {{"T", "P"}, {"P*T", "P"}, {"P", "P"}, {"L", "P"}, {"P+T", "P"}},       /* LUMINANCE */
        {{"T", "T"}, {"P*T", "P*T"}, {"P", "P"}, {"L", "P*T"}, {"P+T", "P*T"}}, /* LUMINANCE_ALPHA */
        {{"T", "T"}, {"P*T", "P*T"}, {"P", "P"}, {"L", "L"}, {"P+T", "P+T"}},   /* INTENSITY */
        {{"T", "P"}, {"P*T", "P"}, {"T", "P"}, {"L", "P"}, {"P+T", "P"}},       /* RGB */
        {{"T", "T"}, {"P*T", "P*T"}, {"D", "P"}, {"L", "P*T"}, {"P+T", "P*T"}}, /* RGBA */
        {{"T", "P"}, {"P*T", "P"}, {"T", "P"}, {"L", "P"}, {"P+T", "P"}},       /* RED, as RGB */
        {{"T", "P"}, {"P*T", "P"}, {"T", "P"}, {"L", "P"}, {"P+T", "P"}}};      /* RG, as RGB */
    for (unsigned f = 0; f < 8; f++)
        for (unsigned m = 0; m < 5; m++) {
            struct texenv te = fresh();
            unit_with(&te, 2, GL_TEXTURE_2D, formats[f]);
            set(&te, GL_TEXTURE_ENV_MODE, modes[m]);
            struct texenv_state s = canonical(&te);
            struct texenv_half half[2];
            memset(half, 0xa5, sizeof half);
            texenv_stage_halves(half, &s, 2);
            for (unsigned h = 0; h < 2; h++) {
                const struct texenv_arg *a = half[h].arg;
                char got[8] = "?";
                char name[4] = "???";
                for (unsigned i = 0; i < texenv_func_args((enum texenv_func)half[h].func); i++) {
                    CHECK(!a[i].complement && a[i].unit == (a[i].source == TEXENV_S_TEXTURE ? 2 : 0));
                    name[i] = a[i].source == TEXENV_S_TEXTURE ? 'T'
                        : a[i].source == TEXENV_S_PREVIOUS    ? 'P'
                        : a[i].source == TEXENV_S_CONSTANT    ? 'C'
                                                              : '?';
                }
                bool commutes = name[0] == 'T';
                switch (half[h].func) {
                case TEXENV_F_REPLACE: snprintf(got, sizeof got, "%c", name[0]); break;
                case TEXENV_F_MODULATE:
                    snprintf(got, sizeof got, "%c*%c", name[commutes], name[!commutes]);
                    break;
                case TEXENV_F_ADD: snprintf(got, sizeof got, "%c+%c", name[commutes], name[!commutes]); break;
                case TEXENV_F_INTERPOLATE: /* a0*a2 + a1*(1-a2) */
                    if (name[0] == 'C' && name[1] == 'P' && name[2] == 'T' && a[2].alpha == h)
                        snprintf(got, sizeof got, "L");
                    if (name[0] == 'T' && name[1] == 'P' && name[2] == 'T' && a[2].alpha && !a[0].alpha)
                        snprintf(got, sizeof got, "D");
                    break;
                default: break;
                }
                CHECK(half[h].scale == 1);
                CHECK_SAY(!strcmp(got, table[f][m][h]), "format 0x%x mode 0x%x %s: %s, not %s", formats[f],
                          modes[m], h ? "alpha" : "rgb", got, table[f][m][h]);
            }
            bool ok;
            struct said said = listen(&te, NULL, &ok);
            bool undefined = modes[m] == GL_DECAL && f < 4;
            CHECK_SAY(said.warnings == undefined && (!undefined || !strcmp(said.code, "decal-undefined")),
                      "format 0x%x", formats[f]);
        }
}

static void targets(void)
{
    static const uint32_t gl[] = {GL_TEXTURE_1D, GL_TEXTURE_2D, GL_TEXTURE_RECTANGLE, GL_TEXTURE_3D,
                                  GL_TEXTURE_CUBE_MAP};
    static const uint32_t formats[] = {GL_ALPHA, GL_RGB, GL_LUMINANCE, GL_INTENSITY, GL_LUMINANCE_ALPHA};
    static const uint8_t bases[] = {TEXENV_BASE_ALPHA, TEXENV_BASE_RGB, TEXENV_LUMINANCE, TEXENV_INTENSITY,
                                    TEXENV_LUMINANCE_ALPHA};
    /* For each set of enabled targets, the highest one is used (CUBE > 3D > RECT > 2D > 1D). */
    for (unsigned set_of = 1; set_of < 32; set_of++) {
        struct texenv te = fresh();
        unsigned highest = 0;
        for (unsigned t = 0; t < 5; t++)
            if (set_of >> t & 1) {
                unit_with(&te, 0, gl[t], formats[t]);
                highest = t;
            }
        struct texenv_state s = canonical(&te);
        CHECK(s.stage[0].mode == TEXENV_MODULATE && s.stage[0].target == highest &&
              s.stage[0].base == bases[highest]);
        /* If its texture is incomplete, the unit is disabled, even if that of a lower target is complete. */
        te.unit[0].texture[highest].complete = 0;
        s = canonical(&te);
        CHECK(s.nstages == 0 && s.stage[0].mode == TEXENV_OFF);
        bool ok;
        struct said said = listen(&te, NULL, &ok);
        CHECK(ok && said.warnings == 1 && !strcmp(said.code, "incomplete"));
        /* With the option that treats all textures as complete RGBA textures, the unit is enabled. */
        CHECK(texenv_canonicalise(&s, &te, NULL, true, NULL, NULL));
        CHECK(s.nstages == 1 && s.stage[0].target == highest && s.stage[0].base == TEXENV_RGBA);
    }
    /* The texture does not matter if nothing reads it. */
    struct texenv a = fresh(), b = fresh();
    unit_rgba(&a, 0);
    unit_with(&b, 0, GL_TEXTURE_CUBE_MAP, GL_DEPTH_COMPONENT);
    for (unsigned i = 0; i < 2; i++) {
        struct texenv *te = i ? &b : &a;
        set(te, GL_TEXTURE_ENV_MODE, GL_COMBINE);
        combine(te, 0, GL_REPLACE, 1, (uint32_t[]){GL_PRIMARY_COLOR}, (uint32_t[]){GL_SRC_COLOR});
        combine(te, 1, GL_REPLACE, 1, (uint32_t[]){GL_PREVIOUS}, (uint32_t[]){GL_SRC_ALPHA});
    }
    CHECK(same(&a, &b));
    /* The texture matters if another unit reads it. */
    for (unsigned i = 0; i < 2; i++) {
        struct texenv *te = i ? &b : &a;
        unit_rgba(te, 1);
        set(te, GL_TEXTURE_ENV_MODE, GL_COMBINE);
        set(te, GL_SOURCE0_RGB, GL_TEXTURE0);
    }
    CHECK(!same(&a, &b));
    struct texenv_state s = canonical(&b);
    CHECK(s.stage[0].target == TEXENV_CUBE && s.stage[0].depth == 1);
    CHECK(texenv_stage_textures(&s, 0) == 0 && texenv_stage_textures(&s, 1) == 3);
}

static void depth(void)
{
    static const uint8_t modes[] = {TEXENV_LUMINANCE, TEXENV_INTENSITY, TEXENV_BASE_ALPHA, TEXENV_RED};
    for (unsigned m = 0; m < 4; m++)
        for (unsigned compare = 0; compare < 2; compare++) {
            struct texenv te = fresh();
            unit_with(&te, 0, GL_TEXTURE_2D, GL_DEPTH_COMPONENT24);
            te.unit[0].texture[TEXENV_2D].depth_mode = modes[m];
            te.unit[0].texture[TEXENV_2D].compare = (uint8_t)compare;
            struct texenv_state s = canonical(&te);
            CHECK(s.stage[0].base == modes[m] && s.stage[0].depth == 1 + compare);
        }
    /* Depth texture modes do not matter for other formats. */
    struct texenv a = fresh(), b;
    unit_rgba(&a, 0);
    b = a;
    b.unit[0].texture[TEXENV_2D].depth_mode = TEXENV_BASE_ALPHA;
    b.unit[0].texture[TEXENV_2D].compare = 1;
    CHECK(same(&a, &b));
}

/* Returns a GL state whose unit 1 reads the texture of unit 0, which is disabled. */
static struct texenv crossbar(uint32_t mode, uint32_t function, uint32_t operand)
{
    struct texenv te = fresh();
    unit_rgba(&te, 1);
    set(&te, GL_TEXTURE_ENV_MODE, mode);
    set(&te, GL_COMBINE_RGB, function);
    set(&te, GL_COMBINE_ALPHA, function);
    set(&te, GL_SOURCE1_RGB, GL_TEXTURE0);
    set(&te, GL_OPERAND1_RGB, operand);
    return te;
}

static void crossbar_off(void)
{
    enum { PASS, ONE, ZERO };
    static const struct {
        unsigned policy, combine, combine4;
    } rows[] = {{TEXENV_CROSSBAR_DEFAULT, PASS, ONE},
                {TEXENV_CROSSBAR_PASS, PASS, PASS},
                {TEXENV_CROSSBAR_ONE, ONE, ONE},
                {TEXENV_CROSSBAR_ZERO, ZERO, ZERO}};
    for (unsigned i = 0; i < 4; i++)
        for (unsigned c4 = 0; c4 < 2; c4++)
            for (unsigned complement = 0; complement < 2; complement++) {
                struct texenv te = crossbar(c4 ? GL_COMBINE4_NV : GL_COMBINE, GL_ADD,
                                            complement ? GL_ONE_MINUS_SRC_COLOR : GL_SRC_COLOR);
                struct texenv_policy policy = {.crossbar_off = (uint8_t)rows[i].policy};
                struct texenv_state s = canonical_by(&te, &policy);
                unsigned want = c4 ? rows[i].combine4 : rows[i].combine;
                /* both halves pass their input through, although alpha does not read the missing texture */
                if (want == PASS)
                    CHECK(s.nstages == 0 && s.stage[1].mode == TEXENV_OFF);
                else
                    CHECK(arg_is(s.stage[1].half[0].arg[1],
                                 (want == ONE) != complement ? TEXENV_S_ONE : TEXENV_S_ZERO, 0, false,
                                 false));
                bool ok;
                struct said said = listen(&te, &policy, &ok);
                CHECK(ok && said.warnings == 1 && said.unit == 1 && !strcmp(said.code, "crossbar-off"));
            }
    /* The policy `refuse` gives an error at the place where the source was set. */
    struct texenv te = crossbar(GL_COMBINE, GL_ADD, GL_SRC_COLOR);
    struct texenv_policy refuse = {.crossbar_off = TEXENV_CROSSBAR_REFUSE};
    struct texenv_places places;
    memset(&places, 0, sizeof places);
    places.slot[1][TEXENV_AT_SOURCE_RGB + 1] = (struct texenv_place){.line = 12, .column = 34};
    struct said said = {0};
    struct texenv_sink sink = {hear, &said};
    struct texenv_state s;
    CHECK(!texenv_canonicalise(&s, &te, &refuse, false, &places, &sink));
    CHECK(said.errors == 1 && !strcmp(said.code, "crossbar-off") && said.place.line == 12 &&
          said.place.column == 34 && said.unit == 1);

    /* An argument that the function does not read may name a disabled unit. */
    te = crossbar(GL_COMBINE, GL_REPLACE, GL_SRC_COLOR);
    CHECK(canonical_by(&te, &refuse).nstages == 2);
    /* An incomplete texture is treated like a disabled one; reading an enabled, complete one is allowed. */
    te = crossbar(GL_COMBINE, GL_ADD, GL_SRC_COLOR);
    CHECK(texenv_active_texture(&te, GL_TEXTURE0) == 0 && texenv_enable(&te, GL_TEXTURE_2D, true) == 0);
    CHECK(canonical(&te).nstages == 0);
    unit_rgba(&te, 0);
    CHECK(canonical_by(&te, &refuse).nstages == 2);

    /* A unit that passes its input through is still enabled, so other units can read its texture. */
    te = crossbar(GL_COMBINE, GL_ADD, GL_SRC_COLOR);
    unit_rgba(&te, 2);
    set(&te, GL_TEXTURE_ENV_MODE, GL_COMBINE);
    set(&te, GL_SOURCE0_RGB, GL_TEXTURE1);
    s = canonical(&te);
    CHECK(s.nstages == 3 && s.stage[1].mode == TEXENV_COMBINE &&
          s.stage[1].half[0].func == TEXENV_F_REPLACE &&
          s.stage[1].half[0].arg[0].source == TEXENV_S_PREVIOUS &&
          s.stage[1].half[1].arg[0].source == TEXENV_S_PREVIOUS);
    CHECK(arg_is(s.stage[2].half[0].arg[0], TEXENV_S_TEXTURE, 1, false, false));
}

static void combine4(void)
{
    struct texenv te = fresh();
    unit_rgba(&te, 0);
    set(&te, GL_TEXTURE_ENV_MODE, GL_COMBINE4_NV);
    set(&te, GL_COMBINE_RGB, GL_ADD);
    set(&te, GL_COMBINE_ALPHA, GL_ADD_SIGNED);
    struct texenv_state s = canonical(&te);
    CHECK(s.stage[0].mode == TEXENV_COMBINE4);
    CHECK(s.stage[0].half[0].func == TEXENV_F_COMBINE4_ADD &&
          s.stage[0].half[1].func == TEXENV_F_COMBINE4_ADD_SIGNED);
    for (unsigned h = 0; h < 2; h++) { /* initial arguments: TEXTURE, PREVIOUS, CONSTANT alpha, 1 - ZERO */
        CHECK(arg_is(s.stage[0].half[h].arg[0], TEXENV_S_TEXTURE, 0, false, h));
        CHECK(arg_is(s.stage[0].half[h].arg[1], TEXENV_S_PREVIOUS, 0, false, h));
        CHECK(arg_is(s.stage[0].half[h].arg[2], TEXENV_S_CONSTANT, 0, false, true));
        CHECK(arg_is(s.stage[0].half[h].arg[3], TEXENV_S_ONE, 0, false, false));
    }
    /* Functions that NV_texture_env_combine4 leaves undefined work as in COMBINE, with a warning for each
       half. */
    struct texenv a = fresh();
    unit_rgba(&a, 0);
    set(&a, GL_TEXTURE_ENV_MODE, GL_COMBINE);
    set(&a, GL_COMBINE_RGB, GL_SUBTRACT);
    struct texenv b = a;
    set(&b, GL_TEXTURE_ENV_MODE, GL_COMBINE4_NV);
    CHECK(same(&a, &b));
    bool ok;
    struct said said = listen(&b, NULL, &ok);
    CHECK(ok && said.warnings == 2 && !strcmp(said.code, "combine4-undefined"));
    /* In a unit with COMBINE4, a product has four arguments, too: a*b is a*b + 0*0. */
    set(&te, GL_COMBINE_ALPHA, GL_MODULATE);
    s = canonical(&te);
    CHECK(s.stage[0].mode == TEXENV_COMBINE4 && s.stage[0].half[1].func == TEXENV_F_COMBINE4_ADD);
    CHECK(arg_is(s.stage[0].half[1].arg[0], TEXENV_S_TEXTURE, 0, false, true) &&
          arg_is(s.stage[0].half[1].arg[1], TEXENV_S_PREVIOUS, 0, false, true));
    CHECK(arg_is(s.stage[0].half[1].arg[2], TEXENV_S_ZERO, 0, false, false) &&
          arg_is(s.stage[0].half[1].arg[3], TEXENV_S_ZERO, 0, false, false));
}

static void color_sum_and_fog(void)
{
    for (unsigned bits = 0; bits < 8; bits++) { /* when the colour sum is on (GL 2.1, 3.9) */
        struct texenv te = fresh();
        bool lighting = bits & 1, separate = bits & 2, sum = bits & 4;
        CHECK(texenv_enable(&te, GL_LIGHTING, lighting) == 0 && texenv_enable(&te, GL_COLOR_SUM, sum) == 0);
        CHECK(texenv_light_model_i(&te, GL_LIGHT_MODEL_COLOR_CONTROL,
                                   separate ? GL_SEPARATE_SPECULAR_COLOR : GL_SINGLE_COLOR) == 0);
        CHECK_SAY(canonical(&te).color_sum == (lighting ? separate : sum), "bits %u", bits);
    }
    static const struct {
        int32_t gl;
        uint8_t fog;
    } modes[] = {{GL_LINEAR, TEXENV_FOG_LINEAR}, {GL_EXP, TEXENV_FOG_EXP}, {GL_EXP2, TEXENV_FOG_EXP2}};
    for (unsigned i = 0; i < 3; i++)
        for (unsigned on = 0; on < 2; on++)
            for (unsigned coord = 0; coord < 2; coord++) {
                struct texenv te = fresh();
                CHECK(texenv_fog_i(&te, GL_FOG_MODE, modes[i].gl) == 0);
                CHECK(texenv_fog_i(&te, GL_FOG_COORDINATE_SOURCE,
                                   coord ? GL_FOG_COORDINATE : GL_FRAGMENT_DEPTH) == 0);
                CHECK(texenv_enable(&te, GL_FOG, on) == 0);
                struct texenv_state s = canonical(&te);
                CHECK(s.fog == (on ? modes[i].fog : TEXENV_FOG_OFF) && s.fog_coord == (on && coord));
            }
}

static void policies(void)
{
    struct texenv_policy p = {0};
    static const struct {
        const char *text;
        uint8_t crossbar, dot3;
    } good[] = {{"crossbar-off=pass", TEXENV_CROSSBAR_PASS, 0},
                {"crossbar-off=one", TEXENV_CROSSBAR_ONE, 0},
                {"crossbar-off=zero", TEXENV_CROSSBAR_ZERO, 0},
                {"crossbar-off=refuse", TEXENV_CROSSBAR_REFUSE, 0},
                {"dot3-alpha=rgb", TEXENV_CROSSBAR_REFUSE, TEXENV_DOT3_RGB_SCALE},
                {"dot3-alpha=alpha", TEXENV_CROSSBAR_REFUSE, TEXENV_DOT3_ALPHA_SCALE}};
    for (unsigned i = 0; i < 6; i++)
        CHECK_SAY(texenv_policy_set(&p, good[i].text) && p.crossbar_off == good[i].crossbar &&
                      p.dot3_alpha == good[i].dot3,
                  "%s", good[i].text);
    static const char *const bad[] = {"",
                                      "=",
                                      "crossbar-off",
                                      "crossbar-off=",
                                      "crossbar-off=two",
                                      "crossbar=one",
                                      "dot3-alpha=pass",
                                      "CROSSBAR-OFF=one",
                                      "crossbar-off=one ",
                                      " dot3-alpha=rgb"};
    struct texenv_policy before = p;
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_SAY(!texenv_policy_set(&p, bad[i]) && memcmp(&p, &before, sizeof p) == 0, "'%s'", bad[i]);
}

static void slots(void)
{
    CHECK(texenv_slot_of(GL_TEXTURE_ENV_MODE) == TEXENV_AT_MODE &&
          texenv_slot_of(GL_TEXTURE_ENV_COLOR) == TEXENV_AT_COLOR);
    CHECK(texenv_slot_of(GL_SOURCE2_ALPHA) == TEXENV_AT_SOURCE_ALPHA + 2 &&
          texenv_slot_of(GL_OPERAND3_RGB_NV) == TEXENV_AT_OPERAND_RGB + 3);
    CHECK(texenv_slot_of(GL_RGB_SCALE) == TEXENV_AT_SCALE_RGB &&
          texenv_slot_of(GL_ALPHA_SCALE) == TEXENV_AT_SCALE_ALPHA);
    CHECK(texenv_slot_of(GL_COMBINE_RGB) == TEXENV_AT_COMBINE_RGB &&
          texenv_slot_of(GL_COMBINE_ALPHA) == TEXENV_AT_COMBINE_ALPHA);
    CHECK(texenv_slot_of(0x8584) == -1 && texenv_slot_of(GL_TEXTURE_LOD_BIAS) == -1 &&
          texenv_slot_of(0) == -1);
}

int main(void)
{
    empty();
    default_combine();
    unused_parts();
    literals();
    arguments();
    functions();
    dot3_rgba();
    dot3_ext();
    colors();
    classic_modes();
    classic_tables();
    targets();
    depth();
    crossbar_off();
    combine4();
    color_sum_and_fog();
    policies();
    slots();
    return check_report("canon");
}
