/* Implements GL_ATI_fragment_shader on a GL that lacks it. Tracks the calls of the extension; a draw under
 * such a shader uses a program of another language instead. */
#include "shim.h"
#include "fragprog/atifs.h"
#include "fragprog/fragprog.h"
#include "fragprog/ir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct shader {
    GLuint name;
    bool defined;
    struct fragprog_atifs program;
    /* The program compiled last, and the state for which it was compiled. */
    GLuint built;
    uint8_t built_targets[TEXENV_UNITS], built_fog, built_level;
    GLfloat constants[8][4]; /* set within the definition, not clamped */
    uint8_t global;          /* bit n: constant n is the global one */
    struct shader *next;
};

static struct {
    struct fragprog_atifs_calls calls;
    bool ready, enabled, inside;
    struct shader *shaders; /* linked list; includes the default shader 0 */
    GLuint next_name, bound;
    GLfloat constants[8][4];        /* constants set outside of shader definitions */
    GLfloat inside_constants[8][4]; /* constants of the shader being defined, not clamped */
    GLenum error;
    bool saved[64]; /* saved[i] is `enabled` at depth i of the attribute stack */
    bool saves[64];
    unsigned depth;
} p = {.next_name = 1};

static struct shader *find(GLuint name, bool make)
{
    struct shader *s = p.shaders;
    while (s && s->name != name)
        s = s->next;
    if (!s && make && (s = calloc(1, sizeof *s))) {
        s->name = name;
        s->next = p.shaders;
        p.shaders = s;
    }
    return s;
}

/* ---- errors ---- */

static void error(GLenum code)
{
    if (!p.error)
        p.error = code;
}

/* Converts an error message of fragprog, which begins with the name of a GL error, to that error. */
static void on_diag(void *user, const struct texenv_diag *diag)
{
    static const struct {
        const char *name;
        GLenum code;
    } errors[] = {{"GL_INVALID_ENUM", GL_INVALID_ENUM},
                  {"GL_INVALID_VALUE", GL_INVALID_VALUE},
                  {"GL_INVALID_OPERATION", GL_INVALID_OPERATION}};
    (void)user;
    if (settings()->show)
        complain("%s", diag->text);
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (strncmp(diag->text, errors[i].name, strlen(errors[i].name)) == 0)
            error(errors[i].code);
}

/* ---- the calls ---- */

static bool on_program(void *user, const struct fragprog_atifs *program,
                       const struct fragprog_atifs_places *places)
{
    struct shader *s = find(p.bound, true);
    (void)user, (void)places;
    if (s) {
        s->program = *program;
        memcpy(s->constants, p.inside_constants, sizeof s->constants);
        s->global = 0;
        for (unsigned k = 0; k < 8; k++) { /* all become parameters, so that new values need no compilation */
            s->global |= (uint8_t)((program->konst[k].kind == FRAGPROG_CONST_ENV) << k);
            s->program.konst[k].kind = FRAGPROG_CONST_LOCAL;
            s->program.konst[k].index = (uint8_t)k;
        }
        s->defined = true;
        if (s->built)
            s->built_fog = 0xff; /* force a new compilation */
    }
    return true;
}

static void start(void)
{
    const struct texenv_sink sink = {on_diag, NULL};
    if (!p.ready)
        fragprog_atifs_calls_init(&p.calls, &sink, true, on_program, NULL);
    p.ready = true;
}

static void follow(const char *name, const GLuint *values, unsigned n)
{
    struct texenv_argument args[16];
    memset(args, 0, sizeof args);
    for (unsigned i = 0; i < n; i++)
        args[i] = (struct texenv_argument){
            .kind = TEXENV_ARGUMENT_INTEGER, .name = "argument", .integer = values[i]};
    start();
    fragprog_atifs_call(&p.calls, &(struct texenv_call){.name = name, .arg = args, .args = n});
    p.inside = p.calls.open;
}

static GLuint provided_glGenFragmentShadersATI(GLuint range)
{
    if (p.inside || range == 0) {
        error(p.inside ? GL_INVALID_OPERATION : GL_INVALID_VALUE);
        return 0;
    }
    GLuint first = p.next_name;
    p.next_name += range;
    return first;
}

static void provided_glBindFragmentShaderATI(GLuint name)
{
    if (p.inside) {
        error(GL_INVALID_OPERATION);
        return;
    }
    p.bound = name;
    find(name, true);
    if (name >= p.next_name)
        p.next_name = name + 1;
}

static void provided_glDeleteFragmentShaderATI(GLuint name)
{
    if (p.inside) {
        error(GL_INVALID_OPERATION);
        return;
    }
    for (struct shader **at = &p.shaders; *at && name; at = &(*at)->next)
        if ((*at)->name == name) {
            struct shader *s = *at;
            name_drop(&s->built);
            *at = s->next;
            free(s);
            break;
        }
    if (name && p.bound == name)
        p.bound = 0;
}

static void provided_glBeginFragmentShaderATI(void) { follow("BeginFragmentShader", NULL, 0); }
static void provided_glEndFragmentShaderATI(void) { follow("EndFragmentShader", NULL, 0); }

#define FOLLOW(name, parameters, ...) \
    static void provided_gl##name##ATI parameters \
    { \
        const GLuint values[] = {__VA_ARGS__}; \
        follow(#name, values, sizeof values / sizeof *values); \
    }
#define ARG(n) GLuint arg##n, GLuint arg##n##Rep, GLuint arg##n##Mod
#define VALUES(n) arg##n, arg##n##Rep, arg##n##Mod
FOLLOW(PassTexCoord, (GLuint dst, GLuint coord, GLenum swizzle), dst, coord, swizzle)
FOLLOW(SampleMap, (GLuint dst, GLuint interp, GLenum swizzle), dst, interp, swizzle)
FOLLOW(ColorFragmentOp1, (GLenum op, GLuint dst, GLuint mask, GLuint mod, ARG(1)), op, dst, mask, mod,
       VALUES(1))
FOLLOW(ColorFragmentOp2, (GLenum op, GLuint dst, GLuint mask, GLuint mod, ARG(1), ARG(2)), op, dst, mask, mod,
       VALUES(1), VALUES(2))
FOLLOW(ColorFragmentOp3, (GLenum op, GLuint dst, GLuint mask, GLuint mod, ARG(1), ARG(2), ARG(3)), op, dst,
       mask, mod, VALUES(1), VALUES(2), VALUES(3))
FOLLOW(AlphaFragmentOp1, (GLenum op, GLuint dst, GLuint mod, ARG(1)), op, dst, mod, VALUES(1))
FOLLOW(AlphaFragmentOp2, (GLenum op, GLuint dst, GLuint mod, ARG(1), ARG(2)), op, dst, mod, VALUES(1),
       VALUES(2))
FOLLOW(AlphaFragmentOp3, (GLenum op, GLuint dst, GLuint mod, ARG(1), ARG(2), ARG(3)), op, dst, mod, VALUES(1),
       VALUES(2), VALUES(3))

static void provided_glSetFragmentShaderConstantATI(GLuint dst, const GLfloat *value)
{
    struct texenv_argument args[2] = {{.kind = TEXENV_ARGUMENT_INTEGER, .name = "dst", .integer = dst},
                                      {.kind = TEXENV_ARGUMENT_ARRAY, .name = "value", .count = 4}};
    for (unsigned c = 0; c < 4; c++)
        args[1].item[c] = (double)value[c];
    start();
    fragprog_atifs_call(&p.calls,
                        &(struct texenv_call){.name = "SetFragmentShaderConstant", .arg = args, .args = 2});
    if (dst >= GL_CON_0_ATI && dst <= GL_CON_7_ATI)
        memcpy((p.inside ? p.inside_constants : p.constants)[dst - GL_CON_0_ATI], value,
               sizeof p.constants[0]);
}

/* ---- state that a GL with the extension would have ---- */

static void provided_glEnable(GLenum cap)
{
    if (cap == GL_FRAGMENT_SHADER_ATI && query_fixed_function())
        p.enabled = true;
    else
        CALL(glEnable, cap);
}

static void provided_glDisable(GLenum cap)
{
    if (cap == GL_FRAGMENT_SHADER_ATI && query_fixed_function())
        p.enabled = false;
    else
        CALL(glDisable, cap);
}

static GLboolean provided_glIsEnabled(GLenum cap)
{
    return cap == GL_FRAGMENT_SHADER_ATI && query_fixed_function() ? p.enabled : CALL(glIsEnabled, cap);
}

static void provided_glPushAttrib(GLbitfield mask)
{
    if (p.depth < sizeof p.saved) {
        p.saved[p.depth] = p.enabled;
        p.saves[p.depth] = mask & GL_ENABLE_BIT;
    }
    p.depth++;
    CALL(glPushAttrib, mask);
}

static void provided_glPopAttrib(void)
{
    void (*real)(void) = (void (*)(void))(GLintptr)real_function("glPopAttrib");
    if (p.depth && --p.depth < sizeof p.saved && p.saves[p.depth])
        p.enabled = p.saved[p.depth];
    real();
}

static GLenum provided_glGetError(void)
{
    GLenum (*real)(void) = (GLenum(*)(void))(GLintptr)real_function("glGetError");
    GLenum code = errors_take();
    if (code)
        return code;
    code = p.error;
    p.error = GL_NO_ERROR;
    return code ? code : real();
}

static const GLubyte *provided_glGetString(GLenum name)
{
    static char *with;
    static const char *of;
    const char *real = (const char *)CALL(glGetString, name);
    if (name != GL_EXTENSIONS || !real || strstr(real, "GL_ATI_fragment_shader") || !query_fixed_function())
        return (const GLubyte *)real;
    if (!with || of != real) {
        static const char ours[] = " GL_ATI_fragment_shader";
        size_t n = strlen(real);
        char *bigger = realloc(with, n + sizeof ours);
        if (!bigger)
            return (const GLubyte *)real;
        with = bigger;
        of = real;
        memcpy(with, real, n);
        memcpy(with + n - (n && real[n - 1] == ' '), ours, sizeof ours);
    }
    return (const GLubyte *)with;
}

static void provided_glGetIntegerv(GLenum pname, GLint *value)
{
    static const struct {
        GLenum pname;
        GLint value;
    } limits[] = {{GL_NUM_FRAGMENT_REGISTERS_ATI, 6},
                  {GL_NUM_FRAGMENT_CONSTANTS_ATI, 8},
                  {GL_NUM_PASSES_ATI, 2},
                  {GL_NUM_INSTRUCTIONS_PER_PASS_ATI, 8},
                  {GL_NUM_INSTRUCTIONS_TOTAL_ATI, 16},
                  {GL_NUM_INPUT_INTERPOLATOR_COMPONENTS_ATI, 3},
                  {GL_NUM_LOOPBACK_COMPONENTS_ATI, 3},
                  {GL_COLOR_ALPHA_PAIRING_ATI, 1}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (limits[i].pname == pname && query_fixed_function()) {
            *value = limits[i].value;
            return;
        }
    CALL(glGetIntegerv, pname, value);
    if (pname == GL_NUM_EXTENSIONS && query_fixed_function())
        ++*value;
}

static const GLubyte *provided_glGetStringi(GLenum name, GLuint i)
{
    GLint n = 0;
    if (!query_fixed_function())
        return CALL(glGetStringi, name, i);
    CALL(glGetIntegerv, GL_NUM_EXTENSIONS, &n);
    return name == GL_EXTENSIONS && i == (GLuint)n ? (const GLubyte *)"GL_ATI_fragment_shader"
                                                   : CALL(glGetStringi, name, i);
}

/* Wraps GL functions that the extension affects. They are exported, because a linked application reaches them
 * by name. */
#define EXPORTED(type, name, parameters, ...) \
    EXPORT type name parameters \
    { \
        return settings()->provide ? provided_##name(__VA_ARGS__) : CALL(name, __VA_ARGS__); \
    }
EXPORT void glEnable(GLenum cap) { settings()->provide ? provided_glEnable(cap) : CALL(glEnable, cap); }
EXPORT void glDisable(GLenum cap) { settings()->provide ? provided_glDisable(cap) : CALL(glDisable, cap); }
EXPORT void glPushAttrib(GLbitfield mask)
{
    settings()->provide ? provided_glPushAttrib(mask) : CALL(glPushAttrib, mask);
}
EXPORT void glGetIntegerv(GLenum pname, GLint *value)
{
    if (list_answers(pname, value))
        return;
    settings()->provide ? provided_glGetIntegerv(pname, value) : CALL(glGetIntegerv, pname, value);
}
EXPORTED(GLboolean, glIsEnabled, (GLenum cap), cap)
EXPORTED(const GLubyte *, glGetString, (GLenum name), name)
EXPORT void glPopAttrib(void)
{
    if (settings()->provide)
        provided_glPopAttrib();
    else
        ((void (*)(void))(GLintptr)real_function("glPopAttrib"))();
}
/* p.error stays GL_NO_ERROR while nothing is provided */
EXPORT GLenum glGetError(void) { return provided_glGetError(); }

void (*provide_wrapper(const char *name))(void)
{
#define PROVIDED(name) \
    { \
#name, (void (*)(void))provided_##name \
    }
    static const struct {
        const char *name;
        void (*function)(void);
    } table[] = {PROVIDED(glGenFragmentShadersATI),
                 PROVIDED(glBindFragmentShaderATI),
                 PROVIDED(glDeleteFragmentShaderATI),
                 PROVIDED(glBeginFragmentShaderATI),
                 PROVIDED(glEndFragmentShaderATI),
                 PROVIDED(glPassTexCoordATI),
                 PROVIDED(glSampleMapATI),
                 PROVIDED(glSetFragmentShaderConstantATI),
                 PROVIDED(glColorFragmentOp1ATI),
                 PROVIDED(glColorFragmentOp2ATI),
                 PROVIDED(glColorFragmentOp3ATI),
                 PROVIDED(glAlphaFragmentOp1ATI),
                 PROVIDED(glAlphaFragmentOp2ATI),
                 PROVIDED(glAlphaFragmentOp3ATI),
                 PROVIDED(glEnable),
                 PROVIDED(glDisable),
                 PROVIDED(glIsEnabled),
                 PROVIDED(glPushAttrib),
                 PROVIDED(glPopAttrib),
                 PROVIDED(glGetError),
                 PROVIDED(glGetString),
                 PROVIDED(glGetStringi),
                 PROVIDED(glGetIntegerv)};
    if (!settings()->provide)
        return NULL;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return table[i].function;
    return NULL;
}

/* ---- drawing ---- */

enum { NO_TARGET = TEXENV_TARGETS };

/* Replaces a lookup of a unit that has no enabled target. The result is that of an incomplete texture,
 * (0,0,0,1) (GL 2.1, 3.11.2). */
static void without_texture(struct fragprog_inst *inst)
{
    *inst = (struct fragprog_inst){.op = FRAGPROG_MOV, .mask = inst->mask, .unit = inst->unit};
    inst->src[0] = (struct fragprog_src){.file = FRAGPROG_LITERAL,
                                         .lane = {FRAGPROG_ZERO, FRAGPROG_ZERO, FRAGPROG_ZERO, FRAGPROG_ONE}};
}

/* Returns the target that a unit samples: among the enabled ones, that of highest precedence (the extension,
 * "SampleMapATI"). */
static uint8_t target_of(unsigned unit)
{
    static const struct {
        GLenum cap;
        uint8_t target;
    } order[] = {{GL_TEXTURE_CUBE_MAP, TEXENV_CUBE},
                 {GL_TEXTURE_3D, TEXENV_3D},
                 {GL_TEXTURE_RECTANGLE, TEXENV_RECT},
                 {GL_TEXTURE_2D, TEXENV_2D},
                 {GL_TEXTURE_1D, TEXENV_1D}};
    CALL(glActiveTexture, GL_TEXTURE0 + unit);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (CALL(glIsEnabled, order[i].cap))
            return order[i].target;
    return NO_TARGET;
}

static uint8_t fog_now(void)
{
    GLint mode = GL_EXP;
    if (!CALL(glIsEnabled, GL_FOG))
        return TEXENV_FOG_OFF;
    CALL(glGetIntegerv, GL_FOG_MODE, &mode);
    return mode == GL_LINEAR ? TEXENV_FOG_LINEAR : mode == GL_EXP ? TEXENV_FOG_EXP : TEXENV_FOG_EXP2;
}

/* Returns the optimisation level. The extension leaves constants outside of [0,1] undefined, but applications
 * rely on their not being clamped (piglit does). With such constants the optimiser must not assume their
 * range. */
static uint8_t level_for(const struct shader *s)
{
    for (unsigned k = 0; k < 8; k++)
        for (unsigned c = 0; c < 4 && s->program.konst[k].used; c++) {
            GLfloat v = (s->global >> k & 1 ? p.constants : s->constants)[k][c];
            if (!(v >= 0 && v <= 1))
                return 0;
        }
    return 2;
}

static void set_constants(const struct shader *s)
{
    for (unsigned k = 0; k < 8; k++) {
        const GLfloat *value = (s->global >> k & 1 ? p.constants : s->constants)[k];
        if (!s->program.konst[k].used)
            continue;
        if (settings()->provide == LANGUAGE_ARBFP) {
            CALL(glProgramLocalParameter4fvARB, GL_FRAGMENT_PROGRAM_ARB, k, value);
        } else {
            char name[32];
            snprintf(name, sizeof name, "program_local[%u]", k);
            GLint at = CALL(glGetUniformLocation, s->built, name);
            if (at >= 0)
                CALL(glUniform4fv, at, 1, value);
        }
    }
}

static bool build(struct shader *s)
{
    static char data[1 << 17];
    struct fragprog_storage storage;
    struct fragprog ir;
    struct texenv_text text;
    struct fragprog_reason why;
    bool arbfp = settings()->provide == LANGUAGE_ARBFP;
    const struct fragprog_language_options how = {.language = arbfp ? FRAGPROG_ARBFP : FRAGPROG_GLSL_120,
                                                  .fog = s->built_fog};
    name_drop(&s->built);
    fragprog_init(&ir, &storage);
    fragprog_import_atifs(&ir, &s->program, NULL, program_scratch);
    for (unsigned i = 0; i < ir.ninst; i++)
        if (ir.inst[i].op == FRAGPROG_TEX) {
            ir.inst[i].target = s->built_targets[ir.inst[i].texture % TEXENV_UNITS];
            if (ir.inst[i].target == NO_TARGET)
                without_texture(&ir.inst[i]);
        } else if (settings()->sabotage) {
            ir.inst[i].src[0].mods ^= FRAGPROG_COMP;
        }
    texenv_text_init(&text, data, sizeof data);
    if (!fragprog_compile_language(&text, &(struct fragprog_source){.ir = &ir},
                                   &(struct fragprog_options){.level = (uint8_t)s->built_level}, &how,
                                   program_scratch, &why)) {
        complain("a fragment shader cannot be translated: %s", why.text);
        return false;
    }
    s->built = arbfp ? program_make_arb(GL_FRAGMENT_PROGRAM_ARB, data) : program_make_glsl(data, NULL);
    name_keep(arbfp ? NAME_ARB : NAME_GLSL, &s->built);
    if (s->built)
        count_program();
    return s->built != 0;
}

static GLint bound_before;

bool provide_use(void)
{
    struct shader *s = find(p.bound, false);
    GLint active = GL_TEXTURE0;
    uint8_t targets[TEXENV_UNITS];
    /* programs of later extensions take precedence (the extension's interactions) */
    if (!p.enabled || !s || !s->defined || query_own_program(false))
        return false;
    CALL(glGetIntegerv, GL_ACTIVE_TEXTURE, &active);
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        targets[u] = u < FRAGPROG_REGISTERS ? target_of(u) : TEXENV_2D;
    CALL(glActiveTexture, (GLenum)active);
    if (settings()->provide == LANGUAGE_ARBFP)
        CALL(glGetProgramivARB, GL_FRAGMENT_PROGRAM_ARB, GL_PROGRAM_BINDING_ARB, &bound_before);
    uint8_t fog = fog_now();
    uint8_t level = level_for(s);
    if (!s->built || s->built_fog != fog || s->built_level != level ||
        memcmp(targets, s->built_targets, sizeof targets) != 0) {
        memcpy(s->built_targets, targets, sizeof targets);
        s->built_fog = fog;
        s->built_level = level;
        if (!build(s))
            return false;
    }
    if (settings()->provide == LANGUAGE_ARBFP) {
        CALL(glBindProgramARB, GL_FRAGMENT_PROGRAM_ARB, s->built);
        CALL(glEnable, GL_FRAGMENT_PROGRAM_ARB);
    } else {
        CALL(glUseProgram, s->built);
    }
    set_constants(s);
    return true;
}

void provide_done(void)
{
    if (settings()->provide == LANGUAGE_ARBFP) {
        CALL(glDisable, GL_FRAGMENT_PROGRAM_ARB);
        CALL(glBindProgramARB, GL_FRAGMENT_PROGRAM_ARB, (GLuint)bound_before);
    } else {
        CALL(glUseProgram, 0);
    }
}
