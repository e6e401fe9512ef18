/* The program of a state: made once for each context, kept by the state's canonical bytes, made current for a
 * draw. */
#include "shim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct program {
    const void *context;
    struct texenv_state state;
    GLuint name; /* 0: there is none, see why */
    char *why;
    uint8_t color_sum_inside;
    struct program *next;
};

enum { BUCKETS = 4096, MOST = 20000 /* kept at once: animated colours make many */ };
static struct program *buckets[BUCKETS];
static unsigned kept;

static char text_data[1 << 17];
uint64_t program_scratch[FRAGPROG_SCRATCH / sizeof(uint64_t)];

/* ---- making ---- */

/* Wrong in every part that a test may look at: functions, modes, crossbar, colour sum, fog. */
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

static void fail(struct program *p, const char *why) { p->why = strdup(why); }

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

static void begin_end(const char *name)
{
    void (*real)(void) = (void (*)(void))(GLintptr)real_function(name);
    real();
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
    begin_end("glBeginFragmentShaderATI");
    for (unsigned k = 0; k < 8; k++)
        if (a.konst[k].used)
            CALL(glSetFragmentShaderConstantATI, GL_CON_0_ATI + k, a.konst[k].value);
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
    begin_end("glEndFragmentShaderATI");
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

GLuint program_make_arbfp(const char *text)
{
    GLint position = -1;
    GLuint name = 0;
    if (settings()->show)
        complain("program:\n%s", text);
    CALL(glGenProgramsARB, 1, &name);
    CALL(glBindProgramARB, GL_FRAGMENT_PROGRAM_ARB, name);
    CALL(glProgramStringARB, GL_FRAGMENT_PROGRAM_ARB, GL_PROGRAM_FORMAT_ASCII_ARB, (GLsizei)strlen(text),
         text);
    CALL(glGetIntegerv, GL_PROGRAM_ERROR_POSITION_ARB, &position);
    if (position < 0)
        return name;
    complain("the GL refuses an ARB program: %s\n%s",
             (const char *)CALL(glGetString, GL_PROGRAM_ERROR_STRING_ARB), text);
    CALL(glDeleteProgramsARB, 1, &name);
    return 0;
}

GLuint program_make_glsl(const char *text)
{
    GLint ok = 0;
    if (settings()->show)
        complain("program:\n%s", text);
    GLuint shader = CALL(glCreateShader, GL_FRAGMENT_SHADER), name = CALL(glCreateProgram, );
    CALL(glShaderSource, shader, 1, &text, NULL);
    CALL(glCompileShader, shader);
    CALL(glGetShaderiv, shader, GL_COMPILE_STATUS, &ok);
    CALL(glAttachShader, name, shader);
    CALL(glDeleteShader, shader);
    if (ok) {
        CALL(glLinkProgram, name);
        CALL(glGetProgramiv, name, GL_LINK_STATUS, &ok);
    }
    if (!ok) {
        complain("the GL refuses a shader:\n%s", text);
        CALL(glDeleteProgram, name);
        return 0;
    }
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

/* ---- keeping ---- */

static uint32_t hash(const struct texenv_state *state)
{
    const unsigned char *b = (const unsigned char *)state;
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < sizeof *state; i++)
        h = (h ^ b[i]) * 16777619u;
    return h;
}

static void forget_all(void)
{
    for (unsigned i = 0; i < BUCKETS; i++)
        while (buckets[i]) {
            struct program *p = buckets[i];
            buckets[i] = p->next;
            if (p->name && p->context == current_context()) {
                if (settings()->replace == LANGUAGE_ATIFS)
                    CALL(glDeleteFragmentShaderATI, p->name);
                else if (settings()->replace == LANGUAGE_ARBFP)
                    CALL(glDeleteProgramsARB, 1, &p->name);
                else
                    CALL(glDeleteProgram, p->name);
            }
            free(p->why);
            free(p);
        }
    kept = 0;
}

/* The state as far as the program depends on it: the alpha test stays GL's, colours are read from GL's state
 * by the languages, and written into ATI shaders. */
static struct texenv_state key_of(const struct texenv_state *state)
{
    struct texenv_state key = *state;
    key.alpha_test = TEXENV_COMPARE_NONE;
    key.alpha_ref = 0;
    if (settings()->replace != LANGUAGE_ATIFS)
        for (unsigned u = 0; u < TEXENV_UNITS; u++)
            memset(key.stage[u].color, 0, sizeof key.stage[u].color);
    return key;
}

static struct program *find_or_make(const struct texenv_state *state)
{
    const struct texenv_state key = key_of(state);
    struct program **bucket = &buckets[hash(&key) % BUCKETS];
    const void *context = current_context();
    for (struct program *p = *bucket; p; p = p->next)
        if (p->context == context && memcmp(&p->state, &key, sizeof key) == 0)
            return p;
    if (kept >= MOST)
        forget_all();
    struct program *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->context = context;
    p->state = key;
    p->next = *bucket;
    *bucket = p;
    kept++;
    struct texenv_state made = key;
    if (settings()->sabotage)
        sabotage(&made);
    switch (settings()->replace) {
    case LANGUAGE_ATIFS: make_atifs(p, &made); break;
    case LANGUAGE_ARBFP:
        if (print(p, &made, FRAGPROG_ARBFP) && !(p->name = program_make_arbfp(text_data)))
            fail(p, "the GL refuses the ARB program");
        break;
    default:
        if (print(p, &made, FRAGPROG_GLSL_120) && !(p->name = program_make_glsl(text_data)))
            fail(p, "the GL refuses the shader");
        break;
    }
    if (p->name)
        count_program();
    return p;
}

/* ---- using ---- */

static struct {
    GLint program;  /* bound by the application */
    bool color_sum; /* to be enabled again */
} before;

static GLuint bound_atifs; /* by the application: GL cannot be asked */

EXPORT void glBindFragmentShaderATI(GLuint name)
{
    bound_atifs = name;
    CALL(glBindFragmentShaderATI, name);
}

/* Mesa 22.3.6 interpolates colours under ARB programs even with GL_FLAT (notes/errata.md). Without colours it
 * does not matter, but that is not looked at. */
static bool flat_is_lost(void)
{
    GLint model = GL_SMOOTH;
    const char *version = (const char *)CALL(glGetString, GL_VERSION);
    CALL(glGetIntegerv, GL_SHADE_MODEL, &model);
    return model == GL_FLAT && version && strstr(version, "Mesa");
}

const char *program_use(const struct texenv_state *state)
{
    enum language language = settings()->replace;
    if (language == LANGUAGE_ATIFS && !real_function("glBeginFragmentShaderATI"))
        return "the GL has no ATI_fragment_shader";
    if (language == LANGUAGE_ARBFP && !real_function("glProgramStringARB"))
        return "the GL has no ARB_fragment_program";
    if (language == LANGUAGE_ARBFP && flat_is_lost())
        return "flat shading: Mesa's ARB programs ignore it";
    if (language == LANGUAGE_ARBFP)
        CALL(glGetProgramivARB, GL_FRAGMENT_PROGRAM_ARB, GL_PROGRAM_BINDING_ARB, &before.program);
    const struct program *p = find_or_make(state);
    if (!p || !p->name) {
        if (language == LANGUAGE_ARBFP)
            CALL(glBindProgramARB, GL_FRAGMENT_PROGRAM_ARB, (GLuint)before.program);
        else if (language == LANGUAGE_GLSL)
            CALL(glUseProgram, 0);
        return p ? p->why : "no memory";
    }
    switch (language) {
    case LANGUAGE_ATIFS:
        CALL(glBindFragmentShaderATI, p->name);
        CALL(glEnable, GL_FRAGMENT_SHADER_ATI);
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
    return NULL;
}

void program_done(void)
{
    switch (settings()->replace) {
    case LANGUAGE_ATIFS:
        CALL(glDisable, GL_FRAGMENT_SHADER_ATI);
        CALL(glBindFragmentShaderATI, bound_atifs);
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
