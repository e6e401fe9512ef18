/* Generates the GL program of a state. It is compiled once for all contexts that share objects, cached by the
 * canonical state, and made current for a draw. */
#include "shim.h"
#include "fragprog/arb_program.h"
#include "fragprog/atifs.h"

#include "fragprog/fixed_vertex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct program {
    unsigned group; /* group of the contexts that share it */
    struct texenv_state state;
    bool with_vertex; /* a vertex half was requested, too */
    struct texenv_vertex vertex;
    /* 0: the program could not be made (see why), or it was deleted because the application uses its name
     * (name_yield) */
    GLuint name;
    /* name of the ARB vertex program; with GLSL, `name` contains the vertex shader */
    GLuint vertex_name;
    char *why, *vertex_why;
    uint8_t color_sum_inside;
    /* for each constant of an ATI shader: the unit whose environment colour it holds, or -1 */
    int8_t color_unit[8];
    unsigned long used; /* time of the last use, for eviction */
    struct program *next;
};

enum { BUCKETS = 1024, MOST = 256 /* limit of the cache; the least recently used program is evicted */ };
static struct program *buckets[BUCKETS];
static unsigned kept;
static unsigned long uses;

static char text_data[1 << 17], vertex_data[1 << 17];
uint64_t program_scratch[FRAGPROG_SCRATCH / sizeof(uint64_t)];

/* ---- compilation ---- */

/* Corrupts every part of a state that a test may check: functions, modes, crossbar, colour sum, fog. */
static void sabotage(struct texenv_state *state)
{
    state->color_sum = 0;
    state->fog = 0;
    for (unsigned u = 0; u < state->nstages; u++) {
        uint8_t *mode = &state->stage[u].mode;
        *mode = *mode == TEXENV_REPLACE ? TEXENV_MODULATE : *mode == TEXENV_MODULATE ? TEXENV_REPLACE : *mode;
        for (unsigned h = 0; h < 2; h++) {
            struct texenv_half *half = &state->stage[u].half[h];
            half->func = half->func == TEXENV_F_ADD_SIGNED   ? TEXENV_F_ADD
                : half->func == TEXENV_F_COMBINE4_ADD_SIGNED ? TEXENV_F_COMBINE4_ADD
                                                             : half->func;
            for (unsigned i = 0; i < TEXENV_ARGS; i++)
                if (half->arg[i].source == TEXENV_S_TEXTURE && half->arg[i].unit != u)
                    half->arg[i].complement ^= 1;
        }
    }
}

/* Stores the reason. Removes the hint at an option of the compiler at its end, as the shim has no such
 * options. */
static void fail(struct program *p, const char *why)
{
    const char *option = strstr(why, "; --");
    p->why = strndup(why, option ? (size_t)(option - why) : strlen(why));
}

static void atifs_op(const struct fragprog_atifs_op *op, bool alpha)
{
    const struct fragprog_atifs_arg *a = op->arg;
#define ARG(i) a[i].source, a[i].rep, a[i].mods
    if (!op->op)
        return;
    switch (op->nargs + (alpha ? 3 : 0)) {
    case 1: CALL(glColorFragmentOp1ATI, op->op, GL_REG_0_ATI + op->dst, op->mask, op->mod, ARG(0)); break;
    case 2:
        CALL(glColorFragmentOp2ATI, op->op, GL_REG_0_ATI + op->dst, op->mask, op->mod, ARG(0), ARG(1));
        break;
    case 3:
        CALL(glColorFragmentOp3ATI, op->op, GL_REG_0_ATI + op->dst, op->mask, op->mod, ARG(0), ARG(1),
             ARG(2));
        break;
    case 4: CALL(glAlphaFragmentOp1ATI, op->op, GL_REG_0_ATI + op->dst, op->mod, ARG(0)); break;
    case 5: CALL(glAlphaFragmentOp2ATI, op->op, GL_REG_0_ATI + op->dst, op->mod, ARG(0), ARG(1)); break;
    default:
        CALL(glAlphaFragmentOp3ATI, op->op, GL_REG_0_ATI + op->dst, op->mod, ARG(0), ARG(1), ARG(2));
        break;
    }
#undef ARG
}

static void make_atifs(struct program *p, const struct texenv_state *state)
{
    struct fragprog_atifs a;
    struct fragprog_reason why;
    const char *version = (const char *)CALL(glGetString, GL_VERSION);
    const struct fragprog_options options = {.level = 2,
                                             .avoid_mesa = version && strstr(version, "Mesa") != NULL};
    if (!fragprog_compile_atifs(&a, &(struct fragprog_source){.state = state}, &options, program_scratch,
                                &why)) {
        fail(p, why.text);
        return;
    }
    p->color_sum_inside = a.color_sum;
    p->name = CALL(glGenFragmentShadersATI, 1);
    CALL(glBindFragmentShaderATI, p->name);
    CALL(glBeginFragmentShaderATI, );
    for (unsigned k = 0; k < 8; k++) {
        p->color_unit[k] = -1;
        if (a.konst[k].used && a.konst[k].unit >= 0)
            p->color_unit[k] = a.konst[k].unit; /* set before each draw */
        else if (a.konst[k].used)
            CALL(glSetFragmentShaderConstantATI, GL_CON_0_ATI + k, a.konst[k].value);
    }
    for (unsigned pass = 0; pass < a.npasses; pass++) {
        for (unsigned r = 0; r < FRAGPROG_REGISTERS; r++) {
            const struct fragprog_atifs_setup *s = &a.pass[pass].setup[r];
            GLuint from = s->from_reg ? GL_REG_0_ATI + s->source : GL_TEXTURE0 + s->source;
            if (s->op == FRAGPROG_SAMPLE)
                CALL(glSampleMapATI, GL_REG_0_ATI + r, from, GL_SWIZZLE_STR_ATI + s->swizzle);
            else if (s->op == FRAGPROG_PASS_COORD)
                CALL(glPassTexCoordATI, GL_REG_0_ATI + r, from, GL_SWIZZLE_STR_ATI + s->swizzle);
        }
        for (unsigned i = 0; i < a.pass[pass].npairs; i++) {
            atifs_op(&a.pass[pass].pair[i].half[TEXENV_RGB], false);
            atifs_op(&a.pass[pass].pair[i].half[TEXENV_ALPHA], true);
        }
    }
    CALL(glEndFragmentShaderATI, );
}

static bool print(struct program *p, const struct texenv_state *state, enum fragprog_language language)
{
    struct texenv_text text;
    struct fragprog_reason why;
    const struct fragprog_language_options how = {
        .language = (uint8_t)language, .color_sum = state->color_sum, .fog = state->fog};
    texenv_text_init(&text, text_data, sizeof text_data);
    if (fragprog_compile_language(&text, &(struct fragprog_source){.state = state},
                                  &(struct fragprog_options){.level = 2}, &how, program_scratch, &why))
        return true;
    fail(p, why.text);
    return false;
}

GLuint program_make_arb(GLenum target, const char *text)
{
    GLint position = -1;
    GLuint name = 0;
    if (settings()->show)
        complain("program:\n%s", text);
    CALL(glGenProgramsARB, 1, &name);
    CALL(glBindProgramARB, target, name);
    CALL(glProgramStringARB, target, GL_PROGRAM_FORMAT_ASCII_ARB, (GLsizei)strlen(text), text);
    CALL(glGetIntegerv, GL_PROGRAM_ERROR_POSITION_ARB, &position);
    if (position < 0)
        return name;
    complain("the GL refuses an ARB program: %s\n%s",
             (const char *)CALL(glGetString, GL_PROGRAM_ERROR_STRING_ARB), text);
    CALL(glDeleteProgramsARB, 1, &name);
    return 0;
}

/* Compiles a shader and attaches it. Returns 0, after a message, if the GL refuses it. */
static GLuint attach(GLuint program, GLenum kind, const char *text)
{
    GLint ok = 0;
    const GLuint shader = CALL(glCreateShader, kind);
    if (settings()->show)
        complain("program:\n%s", text);
    CALL(glShaderSource, shader, 1, &text, NULL);
    CALL(glCompileShader, shader);
    CALL(glGetShaderiv, shader, GL_COMPILE_STATUS, &ok);
    CALL(glAttachShader, program, shader);
    CALL(glDeleteShader, shader); /* takes effect when the shader is detached */
    if (!ok)
        complain("the GL refuses a shader:\n%s", text);
    return ok ? shader : 0;
}

GLuint program_make_glsl(const char *text, const char *vertex)
{
    GLint ok = 0;
    const GLuint name = CALL(glCreateProgram, );
    const GLuint fragment_shader = attach(name, GL_FRAGMENT_SHADER, text);
    const GLuint vertex_shader = vertex && fragment_shader ? attach(name, GL_VERTEX_SHADER, vertex) : 0;
    if (fragment_shader && (!vertex || vertex_shader)) {
        CALL(glLinkProgram, name);
        CALL(glGetProgramiv, name, GL_LINK_STATUS, &ok);
        if (!ok)
            complain("the GL refuses to link:\n%s%s", text, vertex ? vertex : "");
    }
    if (!ok) {
        CALL(glDeleteProgram, name);
        return 0;
    }
    CALL(glDetachShader, name, fragment_shader); /* afterwards the program is the only object left */
    if (vertex)
        CALL(glDetachShader, name, vertex_shader);
    CALL(glUseProgram, name);
    for (int u = 0; u < TEXENV_UNITS; u++) {
        char sampler[16];
        snprintf(sampler, sizeof sampler, "texture%d", u);
        GLint at = CALL(glGetUniformLocation, name, sampler);
        if (at >= 0)
            CALL(glUniform1i, at, u);
    }
    return name;
}

/* ---- the vertex half ---- */

/* Corrupts every part of a vertex half that a test may check. */
static void sabotage_vertex(struct texenv_vertex *v)
{
    v->two_side = v->separate_specular = v->local_viewer = 0;
    v->tracks[0] = v->tracks[0] ? 0 : TEXENV_TRACKS_EMISSION;
    v->fog_coord ^= 1;
    v->point_attenuation = 0;
    v->normals = TEXENV_NORMALS_PLAIN;
    for (unsigned n = 0; n < TEXENV_LIGHTS; n++)
        v->light[n].spot = v->light[n].attenuated = v->light[n].positional = 0;
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        v->texture_matrix[u] = 0;
        for (unsigned c = 0; c < 4; c++)
            v->texgen[u][c] = v->texgen[u][c] == TEXENV_TEXGEN_OBJECT ? TEXENV_TEXGEN_EYE
                : v->texgen[u][c]                                     ? TEXENV_TEXGEN_OBJECT
                                                                      : TEXENV_TEXGEN_OFF;
    }
    texenv_vertex_canonicalise(v);
}

/* Makes the IR of a vertex half, by reading the text that the generator prints. Returns false if memory is
 * exhausted. */
static bool read_vertex(struct fragprog *p, const struct texenv_vertex *vertex,
                        const struct texenv_vertex_reads *reads)
{
    static const struct texenv_sink silent;
    struct texenv_text text;
    texenv_text_init(&text, vertex_data, sizeof vertex_data);
    fragprog_print_fixed_vertex(&text, vertex, reads, true);
    const struct fragprog_bound bound = fragprog_bound_arbfp(vertex_data, text.length);
    void *scratch = malloc(bound.scratch);
    *p = (struct fragprog){.inst = calloc(bound.insts, sizeof *p->inst),
                           .konst = calloc(bound.consts, sizeof *p->konst),
                           .maxinst = bound.insts,
                           .maxkonst = bound.consts};
    const bool ok = scratch && p->inst && p->konst &&
        fragprog_read_arbfp(p, vertex_data, text.length, 1, &silent, scratch);
    free(scratch);
    return ok;
}

/* Prints the vertex program to vertex_data. Returns false if that is not possible, with the reason in
 * p->vertex_why. */
static bool print_vertex(struct program *p)
{
    struct texenv_vertex made = p->vertex;
    struct texenv_vertex_reads reads;
    struct texenv_text text;
    struct fragprog program;
    struct fragprog_reason why = {.text = "no memory"};
    const struct fragprog_source source = {.ir = &program};
    const struct fragprog_language_options how = {
        .language = settings()->replace == LANGUAGE_GLSL ? FRAGPROG_GLSL_120 : FRAGPROG_ARBFP};
    if (settings()->sabotage_vertex)
        sabotage_vertex(&made);
    texenv_vertex_reads_of(&reads, &p->state);
    bool ok = read_vertex(&program, &made, &reads);
    void *scratch = ok ? malloc(fragprog_scratch(&source)) : NULL;
    texenv_text_init(&text, vertex_data, sizeof vertex_data);
    ok = scratch &&
        fragprog_compile_language(&text, &source, &(struct fragprog_options){.level = 2}, &how, scratch,
                                  &why);
    free(scratch);
    free(program.inst);
    free(program.konst);
    if (!ok)
        p->vertex_why = strdup(why.text);
    return ok;
}

/* ---- the cache ---- */

static uint32_t hash_bytes(uint32_t h, const void *data, size_t size)
{
    const unsigned char *b = data;
    for (size_t i = 0; i < size; i++)
        h = (h ^ b[i]) * 16777619u;
    return h;
}

static uint32_t hash(const struct texenv_state *state, const struct texenv_vertex *vertex)
{
    const uint32_t h = hash_bytes(2166136261u, state, sizeof *state);
    return vertex ? hash_bytes(h, vertex, sizeof *vertex) : h;
}

/* Frees the least recently used program. Prefers those of the current context's group, because only their GL
 * objects can be deleted. */
static void forget_one(void)
{
    struct program **oldest = NULL;
    const unsigned group = context_now()->group;
    for (unsigned i = 0; i < BUCKETS; i++)
        for (struct program **at = &buckets[i]; *at; at = &(*at)->next) {
            const bool here = (*at)->group == group, had = oldest && (*oldest)->group == group;
            if (!oldest || (here && !had) || (here == had && (*at)->used < (*oldest)->used))
                oldest = at;
        }
    struct program *p = *oldest;
    *oldest = p->next;
    name_drop(&p->name);
    name_drop(&p->vertex_name);
    free(p->why);
    free(p->vertex_why);
    free(p);
    kept--;
}

/* Returns the part of a state on which the generated program depends. The alpha test remains GL's.
 * Environment colours are not part of it: GLSL and ARB programs read them from GL's state, and for ATI
 * shaders they are constants, which are set before each draw. */
static struct texenv_state key_of(const struct texenv_state *state)
{
    struct texenv_state key = *state;
    key.alpha_test = TEXENV_COMPARE_NONE;
    key.alpha_ref = 0;
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        memset(key.stage[u].color, 0, sizeof key.stage[u].color);
    return key;
}

static bool is_for(const struct program *p, const struct texenv_state *key,
                   const struct texenv_vertex *vertex)
{
    return memcmp(&p->state, key, sizeof *key) == 0 && p->with_vertex == (vertex != NULL) &&
        (!vertex || memcmp(&p->vertex, vertex, sizeof *vertex) == 0);
}

static void make_fragment(struct program *p, bool has_vertex)
{
    struct texenv_state made = p->state;
    enum name_kind kind = NAME_GLSL;
    if (settings()->sabotage)
        sabotage(&made);
    switch (settings()->replace) {
    case LANGUAGE_ATIFS:
        kind = NAME_ATIFS;
        make_atifs(p, &made);
        break;
    case LANGUAGE_ARBFP:
        kind = NAME_ARB;
        if (print(p, &made, FRAGPROG_ARBFP) &&
            !(p->name = program_make_arb(GL_FRAGMENT_PROGRAM_ARB, text_data)))
            fail(p, "the GL refuses the ARB program");
        break;
    default:
        if (print(p, &made, FRAGPROG_GLSL_120) &&
            !(p->name = program_make_glsl(text_data, has_vertex ? vertex_data : NULL)))
            fail(p, "the GL refuses the shader");
        break;
    }
    name_keep(kind, &p->name);
    if (p->name)
        count_program();
}

/* Compiles those programs of p that do not exist, or no longer exist. */
static void make(struct program *p)
{
    const bool apart = settings()->replace != LANGUAGE_GLSL;
    const bool lacks_vertex = p->with_vertex && !p->vertex_why && (apart ? !p->vertex_name : !p->name);
    const bool has_vertex = lacks_vertex && !p->why && print_vertex(p);
    if (!p->name && !p->why)
        make_fragment(p, has_vertex);
    if (!p->name || !has_vertex || !apart)
        return;
    p->vertex_name = program_make_arb(GL_VERTEX_PROGRAM_ARB, vertex_data);
    name_keep(NAME_ARB, &p->vertex_name);
    if (!p->vertex_name)
        p->vertex_why = strdup("the GL refuses the ARB program");
}

static struct program *find_or_make(const struct texenv_state *state, const struct texenv_vertex *vertex)
{
    const struct texenv_state key = key_of(state);
    const unsigned group = context_now()->group;
    struct program **bucket = &buckets[hash(&key, vertex) % BUCKETS], *p = *bucket;
    while (p && (p->group != group || !is_for(p, &key, vertex)))
        p = p->next;
    if (!p) {
        if (kept >= MOST)
            forget_one();
        p = calloc(1, sizeof *p);
        if (!p)
            return NULL;
        p->group = group;
        p->state = key;
        p->with_vertex = vertex != NULL;
        if (vertex)
            p->vertex = *vertex;
        p->next = *bucket;
        *bucket = p;
        kept++;
    }
    p->used = ++uses;
    make(p);
    return p;
}

/* ---- use for a draw ---- */

static struct {
    GLint program, vertex_program; /* bound by the application */
    /* what program_done must restore: color_sum must be enabled again; two_side and own_size were enabled */
    bool color_sum, two_side, own_size;
} before;
static const struct program *in_use;

/* Mesa 22.3.6 interpolates colours under ARB programs even with GL_FLAT (notes/errata.md). States that use no
 * colour would be correct, but this is not checked. */
static bool flat_is_lost(void)
{
    GLint model = GL_SMOOTH;
    const char *version = (const char *)CALL(glGetString, GL_VERSION);
    CALL(glGetIntegerv, GL_SHADE_MODEL, &model);
    return model == GL_FLAT && version && strstr(version, "Mesa");
}

static void able(GLenum what, bool on)
{
    if (on)
        CALL(glEnable, what);
    else
        CALL(glDisable, what);
}

/* Enables what vertex programs and shaders need for two-sided colours and for point sizes. */
static void use_vertex(const struct program *p)
{
    before.two_side = CALL(glIsEnabled, GL_VERTEX_PROGRAM_TWO_SIDE);
    before.own_size = CALL(glIsEnabled, GL_VERTEX_PROGRAM_POINT_SIZE);
    able(GL_VERTEX_PROGRAM_TWO_SIDE, p->vertex.two_side);
    able(GL_VERTEX_PROGRAM_POINT_SIZE, p->vertex.point_attenuation);
    if (!p->vertex_name)
        return;
    CALL(glBindProgramARB, GL_VERTEX_PROGRAM_ARB, p->vertex_name);
    CALL(glEnable, GL_VERTEX_PROGRAM_ARB);
}

static void done_vertex(const struct program *p)
{
    able(GL_VERTEX_PROGRAM_TWO_SIDE, before.two_side);
    able(GL_VERTEX_PROGRAM_POINT_SIZE, before.own_size);
    if (!p->vertex_name)
        return;
    CALL(glDisable, GL_VERTEX_PROGRAM_ARB);
    CALL(glBindProgramARB, GL_VERTEX_PROGRAM_ARB, (GLuint)before.vertex_program);
}

/* Sets the environment colours of a state; NULL: restores the constants that the application has set. */
static void set_constants(const struct program *p, const struct texenv_state *state)
{
    for (unsigned k = 0; k < 8; k++)
        if (p->color_unit[k] >= 0)
            CALL(glSetFragmentShaderConstantATI, GL_CON_0_ATI + k,
                 state ? state->stage[p->color_unit[k]].color : context_now()->atifs_constant[k]);
}

void program_renew_values(void)
{
    static const GLenum targets[] = {GL_VERTEX_PROGRAM_ARB, GL_FRAGMENT_PROGRAM_ARB};
    GLfloat parameter[4] = {0, 0, 0, 0};
    for (size_t i = 0; i < 2 && real_function("glProgramEnvParameter4fvARB"); i++) {
        CALL(glGetProgramEnvParameterfvARB, targets[i], 0, parameter);
        CALL(glProgramEnvParameter4fvARB, targets[i], 0, parameter);
    }
}

const char *program_vertex_why(void) { return in_use->vertex_why; }

const char *program_use(const struct texenv_state *state, const struct texenv_vertex *vertex)
{
    enum language language = settings()->replace;
    if (language == LANGUAGE_ATIFS && !real_function("glBeginFragmentShaderATI"))
        return "the GL has no ATI_fragment_shader";
    if (language == LANGUAGE_ATIFS && context_now()->atifs_open)
        return "an ATI fragment shader is being defined";
    if (language == LANGUAGE_ARBFP && !real_function("glProgramStringARB"))
        return "the GL has no ARB_fragment_program";
    if (language == LANGUAGE_ARBFP && flat_is_lost())
        return "flat shading: Mesa's ARB programs ignore it";
    if (language == LANGUAGE_ARBFP)
        CALL(glGetProgramivARB, GL_FRAGMENT_PROGRAM_ARB, GL_PROGRAM_BINDING_ARB, &before.program);
    if (vertex && language != LANGUAGE_GLSL)
        CALL(glGetProgramivARB, GL_VERTEX_PROGRAM_ARB, GL_PROGRAM_BINDING_ARB, &before.vertex_program);
    const struct program *p = in_use = find_or_make(state, vertex);
    if (vertex && language != LANGUAGE_GLSL) /* making the program has changed the binding */
        CALL(glBindProgramARB, GL_VERTEX_PROGRAM_ARB, (GLuint)before.vertex_program);
    if (!p || !p->name) {
        if (language == LANGUAGE_ARBFP)
            CALL(glBindProgramARB, GL_FRAGMENT_PROGRAM_ARB, (GLuint)before.program);
        else if (language == LANGUAGE_GLSL)
            CALL(glUseProgram, 0);
        return p && p->why ? p->why : "no memory";
    }
    switch (language) {
    case LANGUAGE_ATIFS:
        CALL(glBindFragmentShaderATI, p->name);
        CALL(glEnable, GL_FRAGMENT_SHADER_ATI);
        set_constants(p, state);
        before.color_sum = p->color_sum_inside && CALL(glIsEnabled, GL_COLOR_SUM);
        if (before.color_sum)
            CALL(glDisable, GL_COLOR_SUM);
        break;
    case LANGUAGE_ARBFP:
        CALL(glBindProgramARB, GL_FRAGMENT_PROGRAM_ARB, p->name);
        CALL(glEnable, GL_FRAGMENT_PROGRAM_ARB);
        break;
    default: CALL(glUseProgram, p->name); break;
    }
    if (p->with_vertex && !p->vertex_why)
        use_vertex(p);
    return NULL;
}

void program_done(void)
{
    if (in_use->with_vertex && !in_use->vertex_why)
        done_vertex(in_use);
    switch (settings()->replace) {
    case LANGUAGE_ATIFS:
        CALL(glDisable, GL_FRAGMENT_SHADER_ATI);
        CALL(glBindFragmentShaderATI, context_now()->atifs_bound);
        set_constants(in_use, NULL);
        if (before.color_sum)
            CALL(glEnable, GL_COLOR_SUM);
        break;
    case LANGUAGE_ARBFP:
        CALL(glDisable, GL_FRAGMENT_PROGRAM_ARB);
        CALL(glBindProgramARB, GL_FRAGMENT_PROGRAM_ARB, (GLuint)before.program);
        break;
    default: CALL(glUseProgram, 0); break;
    }
}
