/* usage: values_calls [gl|trace]
 *
 * Runs GL calls through the setters of texenv/values.h and prints the values afterwards; the oracle's command
 * `values` compares them with its own computation.
 *
 * Standard input: one call in each line: its name without gl, and its arguments, which are tokens without GL_
 * or numbers. A line "." ends a script: its values are printed, and GL's state is reset. Standard output: for
 * each script one line with the errors of its calls, then lines "NAME number ...": GL's values, and the
 * uniforms that fragprog_uniform_values computes from them, for every row of pair_uniforms.def and each index
 * that it can have. With an argument, standard input is a script of GL calls or an apitrace dump, which is
 * read by the library's reader; then the line of errors is empty. */
#include "fragprog/pair.h"

#include "texenv/gl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 32, DEPTH = 16, LINE = 1024 };

static struct texenv te;
static struct texenv_values_gl gl;
static struct {
    struct texenv te;
    struct texenv_values_gl gl;
    uint32_t mask;
} saved[DEPTH];
static unsigned depth;

struct call {
    const char *name;
    unsigned words;
    char *word[WORDS];
    float f[WORDS]; /* the words as numbers */
    double d[WORDS];
    uint32_t t[WORDS]; /* the words as tokens */
};

static uint32_t token_of(char *word)
{
    uint32_t bits = 0;
    for (char *part = strtok(word, "|"); part; part = strtok(NULL, "|"))
        bits |= (uint32_t)texenv_token(part, strlen(part));
    return bits;
}

static bool read_call(struct call *c, char *line)
{
    static char copy[WORDS][64];
    memset(c, 0, sizeof *c);
    c->name = strtok(line, " \n");
    for (char *w; (w = strtok(NULL, " \n")) && c->words < WORDS; c->words++)
        c->word[c->words] = w;
    for (unsigned i = 0; i < c->words; i++) {
        char *end;
        c->d[i] = strtod(c->word[i], &end);
        c->f[i] = (float)c->d[i];
        if (*end) {
            snprintf(copy[i], sizeof copy[i], "%s", c->word[i]);
            c->t[i] = token_of(copy[i]);
            c->f[i] = (float)c->t[i];
        }
    }
    return c->name;
}

static bool is(const struct call *c, const char *name) { return strcmp(c->name, name) == 0; }

static uint32_t push_attrib(uint32_t mask)
{
    if (te.inside_begin)
        return TEXENV_INVALID_OPERATION;
    if (depth == DEPTH)
        return TEXENV_STACK_OVERFLOW;
    saved[depth].te = te;
    saved[depth].gl = gl;
    saved[depth++].mask = mask;
    return 0;
}

static uint32_t pop_attrib(void)
{
    if (te.inside_begin)
        return TEXENV_INVALID_OPERATION;
    if (depth == 0)
        return TEXENV_STACK_UNDERFLOW;
    depth--;
    if (saved[depth].mask & GL_TEXTURE_BIT) {
        te.active = saved[depth].te.active;
        memcpy(te.unit, saved[depth].te.unit, sizeof te.unit);
    }
    if (saved[depth].mask & GL_COLOR_BUFFER_BIT)
        te.alpha_ref = saved[depth].te.alpha_ref;
    texenv_values_pop_attrib(&gl, &saved[depth].gl, saved[depth].mask);
    return 0;
}

/* Loads the matrix of a call, or multiplies by it. */
static uint32_t matrix(const struct call *c)
{
    float m[16];
    uint32_t error = 0;
    const bool load = strncmp(c->name, "Load", 4) == 0;
    if (is(c, "LoadIdentity"))
        texenv_matrix_identity(m);
    else if (is(c, "Translatef"))
        texenv_matrix_translate(m, c->f[0], c->f[1], c->f[2]);
    else if (is(c, "Scalef"))
        texenv_matrix_scale(m, c->f[0], c->f[1], c->f[2]);
    else if (is(c, "Rotatef"))
        texenv_matrix_rotate(m, c->f[0], c->f[1], c->f[2], c->f[3]);
    else if (is(c, "Frustum"))
        error = texenv_matrix_frustum(m, c->d);
    else if (is(c, "Ortho"))
        error = texenv_matrix_ortho(m, c->d);
    else if (strstr(c->name, "Transpose"))
        texenv_matrix_transpose(m, c->f);
    else
        memcpy(m, c->f, sizeof m);
    if (error)
        return te.inside_begin ? TEXENV_INVALID_OPERATION : error;
    return load ? texenv_values_load_matrix(&gl, &te, m) : texenv_values_mult_matrix(&gl, &te, m);
}

static uint32_t of_values(const struct call *c)
{
    const uint32_t *t = c->t;
    const float *f = c->f;
    if (is(c, "Color4f"))
        return texenv_values_color(&gl, f);
    if (is(c, "ColorMaterial"))
        return texenv_values_color_material(&gl, &te, t[0], t[1]);
    if (is(c, "Materialf"))
        return texenv_values_material_f(&gl, t[0], t[1], f[2]);
    if (is(c, "Materialfv"))
        return texenv_values_material_fv(&gl, t[0], t[1], f + 2);
    if (is(c, "Lightf"))
        return texenv_values_light_f(&gl, &te, t[0], t[1], f[2]);
    if (is(c, "Lightfv"))
        return texenv_values_light_fv(&gl, &te, t[0], t[1], f + 2);
    if (is(c, "LightModelfv"))
        return texenv_values_light_model_fv(&gl, &te, t[0], f + 1);
    if (is(c, "TexGenf"))
        return texenv_values_tex_gen_f(&gl, &te, t[0], t[1], f[2]);
    if (is(c, "TexGenfv"))
        return texenv_values_tex_gen_fv(&gl, &te, t[0], t[1], f + 2);
    if (is(c, "ClipPlane"))
        return texenv_values_clip_plane(&gl, &te, t[0], f + 1);
    if (is(c, "Fogf"))
        return texenv_values_fog_f(&gl, &te, t[0], f[1]);
    if (is(c, "Fogfv"))
        return texenv_values_fog_fv(&gl, &te, t[0], f + 1);
    if (is(c, "PointSize"))
        return texenv_values_point_size(&gl, &te, f[0]);
    if (is(c, "PointParameterf"))
        return texenv_values_point_parameter_f(&gl, &te, t[0], f[1]);
    if (is(c, "PointParameterfv"))
        return texenv_values_point_parameter_fv(&gl, &te, t[0], f + 1);
    return matrix(c);
}

static uint32_t run(const struct call *c)
{
    if (is(c, "Enable") || is(c, "Disable"))
        return texenv_values_enable(&gl, &te, c->t[0], is(c, "Enable"));
    if (is(c, "Begin"))
        return texenv_begin(&te);
    if (is(c, "End"))
        return texenv_end(&te);
    if (is(c, "ActiveTexture"))
        return texenv_active_texture(&te, c->t[0]);
    if (is(c, "TexEnvfv"))
        return texenv_tex_env_fv(&te, c->t[0], c->t[1], c->f + 2);
    if (is(c, "AlphaFunc"))
        return texenv_alpha_func(&te, c->t[0], c->f[1]);
    if (is(c, "MatrixMode"))
        return texenv_values_matrix_mode(&gl, &te, c->t[0]);
    if (is(c, "PushMatrix"))
        return texenv_values_push_matrix(&gl, &te);
    if (is(c, "PopMatrix"))
        return texenv_values_pop_matrix(&gl, &te);
    if (is(c, "PushAttrib"))
        return push_attrib(c->t[0]);
    if (is(c, "PopAttrib"))
        return pop_attrib();
    return of_values(c);
}

/* ---- output ---- */

static void print(const char *name, int index, const float *v, unsigned count)
{
    printf(index < 0 ? "%s" : "%s[%d]", name, index);
    for (unsigned i = 0; i < count; i++)
        printf(" %a", (double)v[i]);
    printf("\n");
}

static void print_lighting(const struct texenv_values *v)
{
    for (int n = 0; n < TEXENV_LIGHTS; n++) {
        const struct texenv_light_values *light = &v->light[n];
        print("light.ambient", n, light->ambient, 4);
        print("light.diffuse", n, light->diffuse, 4);
        print("light.specular", n, light->specular, 4);
        print("light.position", n, light->position, 4);
        print("light.spot_direction", n, light->spot_direction, 3);
        print("light.spot_exponent", n, &light->spot_exponent, 1);
        print("light.spot_cutoff", n, &light->spot_cutoff, 1);
        print("light.attenuation", n, light->attenuation, 3);
    }
    for (int side = 0; side < 2; side++) {
        const struct texenv_material_values *material = &v->material[side];
        print("material.ambient", side, material->ambient, 4);
        print("material.diffuse", side, material->diffuse, 4);
        print("material.specular", side, material->specular, 4);
        print("material.emission", side, material->emission, 4);
        print("material.shininess", side, &material->shininess, 1);
    }
    print("light_model_ambient", -1, v->light_model_ambient, 4);
}

static void print_values(void)
{
    static struct texenv_values values;
    const struct texenv_values *v = &values;
    texenv_values_of(&values, &gl, &te);
    print("modelview", -1, v->modelview, 16);
    print("projection", -1, v->projection, 16);
    for (int u = 0; u < TEXENV_UNITS; u++) {
        print("texture_matrix", u, v->texture_matrix[u], 16);
        for (unsigned c = 0; c < 4; c++) {
            static const char *const eye[] = {"eye_plane_s", "eye_plane_t", "eye_plane_r", "eye_plane_q"};
            static const char *const object[] = {"object_plane_s", "object_plane_t", "object_plane_r",
                                                 "object_plane_q"};
            print(eye[c], u, v->eye_plane[u][c], 4);
            print(object[c], u, v->object_plane[u][c], 4);
        }
        print("texenv_color", u, v->texenv_color[u], 4);
    }
    print_lighting(v);
    print("fog.color", -1, v->fog.color, 4);
    print("fog", -1, (const float[]){v->fog.density, v->fog.start, v->fog.end}, 3);
    print("point", -1, (const float[]){v->point.size, v->point.min, v->point.max}, 3);
    print("point.attenuation", -1, v->point.attenuation, 3);
    for (int n = 0; n < TEXENV_CLIP_PLANES; n++)
        print("clip_plane", n, v->clip_plane[n], 4);
    print("alpha_reference", -1, &v->alpha_reference, 1);
}

/* Prints the uniforms of each row and index. The buffer has room for a matrix, with a number before and after
 * it that must not change. */
static void print_uniforms(void)
{
    enum { ROOM = 18, GUARD = 12345 };
    static const struct {
        const char *name, *type, *index;
    } rows[] = {
#define NONE "NONE"
#define LIGHT "LIGHT"
#define UNIT "UNIT"
#define PLANE "PLANE"
#define PAIR_UNIFORM(id, name, type, index, built_in) {#id, type, index},
#include "fragprog/pair_uniforms.def"
#undef PAIR_UNIFORM
    };
    static struct texenv_values values;
    static struct fragprog_pair pair;
    static float out[FRAGPROG_PAIR_UNIFORMS * ROOM];
    texenv_values_of(&values, &gl, &te);
    for (unsigned row = 0; row < FRAGPROG_PAIR_VALUES; row++) {
        const char *type = rows[row].type;
        const unsigned size = strcmp(type, "float") == 0 ? 1
            : type[0] == 'm' ? (unsigned)(type[3] - '0') * (unsigned)(type[3] - '0')
                             : (unsigned)(type[3] - '0');
        pair.language = FRAGPROG_GLSL_330;
        pair.nuniforms = strcmp(rows[row].index, NONE) == 0 ? 1 : 8;
        for (unsigned n = 0; n < pair.nuniforms; n++)
            pair.uniform[n] = (struct fragprog_pair_uniform){(uint8_t)row, (uint8_t)n,
                                                             (uint16_t)(n * ROOM + 1)};
        for (unsigned i = 0; i < sizeof out / sizeof *out; i++)
            out[i] = GUARD;
        fragprog_uniform_values(&pair, &values, out);
        for (unsigned n = 0; n < pair.nuniforms; n++) {
            const float *before = out + n * ROOM;
            print(rows[row].name, (int)n, before + 1,
                  before[0] == GUARD && before[size + 1] == GUARD ? size : 0);
        }
        if (size != 9)
            continue;
        pair.language = FRAGPROG_GLSL_450; /* columns of a matrix are four floats apart */
        float apart[12];
        pair.uniform[0].offset = 0;
        fragprog_uniform_values(&pair, &values, apart);
        for (unsigned i = 0; i < 9; i++)
            if (memcmp(&apart[i / 3 * 4 + i % 3], &out[1 + i], sizeof *out) != 0)
                printf("%s.450\n", rows[row].name);
    }
}

/* ---- values from the readers ---- */

static void *resize(void *user, void *p, size_t size)
{
    (void)user;
    if (size)
        return realloc(p, size);
    free(p);
    return NULL;
}

static bool on_draw(void *user, const struct texenv_draw *draw)
{
    (void)user;
    gl = *draw->values;
    te = *draw->te;
    print_values();
    print_uniforms();
    return true;
}

static int read_texts(bool trace)
{
    static char line[LINE], text[256 * LINE];
    struct texenv_reader reader = {.memory.resize = resize, .on_draw = on_draw, .lenient = true};
    size_t length = 0;
    while (fgets(line, sizeof line, stdin)) {
        if (line[0] != '.') {
            const size_t n = strlen(line);
            if (length + n > sizeof text)
                return 1;
            memcpy(text + length, line, n);
            length += n;
            continue;
        }
        printf("\n");
        if (trace) {
            struct texenv_trace *t = texenv_trace_open(&reader);
            texenv_trace_feed(t, text, length);
            texenv_trace_close(t);
        } else {
            texenv_read_gl(&reader, text, length);
        }
        length = 0;
    }
    return 0;
}

int main(int argc, char **argv)
{
    static char line[LINE];
    static struct call call;
    if (argc > 1)
        return read_texts(argv[1][0] == 't');
    texenv_init(&te);
    texenv_values_gl_init(&gl);
    while (fgets(line, sizeof line, stdin)) {
        if (line[0] != '.') {
            printf("%x ", read_call(&call, line) ? (unsigned)run(&call) : 0xffffu);
            continue;
        }
        printf("\n");
        print_values();
        print_uniforms();
        texenv_init(&te);
        texenv_values_gl_init(&gl);
        depth = 0;
    }
    return 0;
}
