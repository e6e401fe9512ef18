/* The program for the current state: finds it in the core's cache of programs, makes ES use it, and sets the
 * uniforms whose values changed. */
#include "draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CACHE = 640 << 10 /* bytes */, LOCATIONS = 16, KNOWN = 32 };

/* A program: a pair of shaders. Uniforms that depend on matrices come first, as these change from draw to
 * draw. */
struct program {
    struct es_program es;
    uint32_t values, matrices; /* the counts below at the time when the uniforms were last set */
    uint16_t nmatrices;
    uint8_t textures; /* units whose textures are read, as bits */
    GLint at[FRAGPROG_PAIR_UNIFORMS];
    uint8_t type[FRAGPROG_PAIR_UNIFORMS]; /* number of components; 9 and 16: matrices */
    struct fragprog_pair pair;
    float set[]; /* the uniforms' values in ES */
};

/* All state that the choice of a program depends on, as it is in the context. Keys are compared as bytes.
 * Different keys may have the same program. */
struct key {
    uint64_t code[TEXENV_UNITS][2]; /* the environment of each unit, by texenv_pack */
    float w_row[4];                 /* the fourth row of the modelview matrix */
    uint8_t texture_matrix;         /* units whose texture matrix is not the identity, as bits */
    uint8_t points, affine;
    uint8_t after[offsetof(struct texenv, alpha_ref) - offsetof(struct texenv, color_sum)];
    uint8_t vertex[offsetof(struct texenv_vertex_gl, matrix_mode)];
};
/* A program that was found for a key. */
struct known {
    struct key key;
    struct program *program;       /* NULL: there is none */
    uint8_t rectangles;            /* units with a rectangle texture, as bits */
    uint8_t targets[TEXENV_UNITS]; /* the application's texture target of each unit */
};

static struct fragprog_pair_cache *cache;
static struct fragprog_pair_cache_options options;
static struct fragprog_pair_source source; /* where the state is read */
static struct known current;               /* the program that was used last */
static struct known known[KNOWN];          /* programs by a hash of their keys */
static GLuint in_use;                      /* the program that ES uses */
static uint32_t values = 1, matrices = 1;  /* how often values and matrices have changed */
static struct program failed;              /* stands for programs that ES cannot build */

static void gone(void *user, const struct fragprog_cached_pair *found)
{
    (void)user;
    struct program *p = (struct program *)(uintptr_t)found->user;
    if (!p || p == &failed)
        return;
    ES(DeleteProgram)(p->es.name);
    if (in_use == p->es.name)
        in_use = 0;
    memset(known, 0, sizeof known);
    current.program = NULL;
    free(p);
}

static bool open_cache(void)
{
    void *memory = cache ? NULL : malloc(CACHE);
    if (!memory)
        return cache != NULL;
    options = (struct fragprog_pair_cache_options){
        .options = {.language = es.limits.es3 ? FRAGPROG_GLSL_ES_300 : FRAGPROG_GLSL_ES_100,
                    .level = 2,
                    .packed = es.limits.attributes < LOCATIONS},
        .gone = gone};
    cache = fragprog_pair_cache_open(memory, CACHE, &options);
    return cache != NULL;
}

/* ---- building ---- */

static bool compile(GLuint program, GLenum type, const char *text)
{
    char log[1024] = "";
    GLint fine = 0;
    const GLuint shader = ES(CreateShader)(type);
    ES(ShaderSource)(shader, 1, &text, NULL);
    ES(CompileShader)(shader);
    ES(AttachShader)(program, shader);
    ES(GetShaderiv)(shader, GL_COMPILE_STATUS, &fine);
    if (!fine) {
        ES(GetShaderInfoLog)(shader, sizeof log, NULL, log);
        fprintf(stderr, "texenv-es: ES does not compile a shader: %s\n%s\n", log, text);
    }
    ES(DeleteShader)(shader); /* takes effect when the program is deleted */
    return fine;
}

/* Links a program. If ES has enough locations, an attribute has the same one in all programs, so that its
 * array stays as it is when the program changes. */
static bool link_program(struct es_program *p, const struct fragprog_pair *pair)
{
    const GLuint name = p->name;
    char text[64], log[1024] = "";
    struct texenv_text t;
    GLint fine = 0;
    if (!compile(name, GL_VERTEX_SHADER, pair->vertex) || !compile(name, GL_FRAGMENT_SHADER, pair->fragment))
        return false;
    for (unsigned a = 0; a < 16; a++)
        if (pair->attributes >> a & 1) {
            p->location[a] = options.options.packed ? pair->location[a] : (uint8_t)a;
            texenv_text_init(&t, text, sizeof text);
            fragprog_print_pair_attribute(&t, a, &options.options);
            ES(BindAttribLocation)(name, p->location[a], text);
        }
    ES(LinkProgram)(name);
    ES(GetProgramiv)(name, GL_LINK_STATUS, &fine);
    if (!fine) {
        ES(GetProgramInfoLog)(name, sizeof log, NULL, log);
        es_missing("draw", log);
    }
    return fine;
}

static bool is_matrix(unsigned id)
{
    return id == FRAGPROG_PAIR_MODELVIEW || id == FRAGPROG_PAIR_PROJECTION ||
        id == FRAGPROG_PAIR_TEXTURE_MATRIX || id == FRAGPROG_PAIR_NORMAL_MATRIX ||
        id == FRAGPROG_PAIR_NORMAL_MATRIX_RESCALED;
}

static uint8_t components(unsigned id)
{
    const char *type = fragprog_pair_uniform_type(id); /* float, vec3, vec4, mat3, mat4 */
    return type[0] == 'f' ? 1 : type[0] == 'v' ? (uint8_t)(type[3] - '0') : type[3] == '4' ? 16 : 9;
}

static void find_uniforms(struct program *p)
{
    struct fragprog_pair_uniform *u = p->pair.uniform;
    char text[64];
    struct texenv_text t;
    for (unsigned i = 0; i < p->pair.nuniforms; i++)
        if (is_matrix(u[i].id)) {
            const struct fragprog_pair_uniform moved = u[p->nmatrices];
            u[p->nmatrices++] = u[i];
            u[i] = moved;
        }
    for (unsigned i = 0; i < p->pair.nuniforms; i++) {
        texenv_text_init(&t, text, sizeof text);
        fragprog_print_pair_uniform(&t, &u[i], &options.options);
        p->at[i] = ES(GetUniformLocation)(p->es.name, text);
        p->type[i] = components(u[i].id);
    }
    for (int unit = 0; unit < TEXENV_UNITS; unit++)
        if (p->textures >> unit & 1) {
            snprintf(text, sizeof text, "texture%d", unit);
            ES(Uniform1i)(ES(GetUniformLocation)(p->es.name, text), unit);
        }
}

static struct program *build(const struct fragprog_pair *pair)
{
    struct program *p = calloc(1, sizeof *p + pair->floats * sizeof(float));
    if (!p)
        return &failed;
    p->es.name = ES(CreateProgram)();
    if (!link_program(&p->es, pair)) {
        ES(DeleteProgram)(p->es.name);
        free(p);
        return &failed;
    }
    p->es.attributes = pair->attributes;
    p->textures = pair->textures;
    p->pair = *pair;
    memset(p->set, 0xFF, pair->floats * sizeof(float)); /* NaN, which is different from every value */
    ES(UseProgram)(p->es.name);
    in_use = p->es.name;
    find_uniforms(p);
    return p;
}

/* ---- the state ---- */

/* Reads the state of vertices, without clip planes (see read_state). Some fourth rows of the
 * modelview matrix are not supported; then a message is printed, and the row is taken to be 0, 0, 0, 1. */
static void read_vertex(void)
{
    const char *why;
    struct texenv_vertex_gl v = es.values.vertex;
    v.clip_planes = v.fog_distance = 0;
    if (texenv_vertex_of(&source.vertex, &v, &es.te, &why))
        return;
    es_missing("modelview matrix", why);
    memcpy(v.w_row[v.modelview], (const float[4]){0, 0, 0, 1}, sizeof v.w_row[0]);
    if (!texenv_vertex_of(&source.vertex, &v, &es.te, &why))
        es_missing("vertices", why);
}

/* Replaces the targets 1D and RECT, which ES does not have, by 2D. */
static void use_2d(void)
{
    current.rectangles = 0;
    for (unsigned u = 0; u < source.state.nstages; u++) {
        struct texenv_stage *s = &source.state.stage[u];
        current.targets[u] = s->target;
        if (s->mode == TEXENV_OFF || (s->target != TEXENV_RECT && s->target != TEXENV_1D))
            continue;
        if (s->target == TEXENV_RECT) {
            current.rectangles |= (uint8_t)(1u << u);
            source.vertex.texture_matrix[u] = 1;
        }
        s->target = TEXENV_2D;
    }
}

static void read_state(void)
{
    struct texenv_raster raster;
    memset(&source, 0, sizeof source);
    if (!texenv_canonicalise(&source.state, &es.te, NULL, false, NULL, NULL))
        es_missing("texture environment", "is refused");
    read_vertex();
    use_2d();
    texenv_raster_of(&raster, &es.values.vertex, &es.te, false);
    source.flat = raster.flat;
    source.clip_planes = raster.clip_planes;
    source.radial_fog = raster.radial_fog;
    if (source.flat && !es.limits.es3) {
        es_missing("ShadeModel(GL_FLAT)", "WebGL 1 and OpenGL ES 2 have none; colours are smooth");
        source.flat = 0;
    }
}

/* Makes the program for the state that was read, or finds it in the core's cache. */
static struct program *find(bool points, uint8_t affine)
{
    struct fragprog_reason why;
    struct texenv_raster raster;
    if (points) {
        texenv_raster_of(&raster, &es.values.vertex, &es.te, true);
        source.points = 1;
        source.flat = 0;
        source.vertex.two_side = 0; /* points always have the front colour */
        source.sprites = raster.sprites;
        source.lower_left = raster.lower_left;
        if (source.sprites & current.rectangles)
            es_missing("point sprite", "rectangle textures are drawn whole, as 2D textures");
    }
    source.affine = affine;
    struct fragprog_cached_pair *found = fragprog_pair_cache_get(cache, &source, &why);
    if (!found) {
        es_missing("draw", why.text);
        return NULL;
    }
    if (!found->user)
        found->user = (uint64_t)(uintptr_t)build(&found->pair);
    struct program *p = (struct program *)(uintptr_t)found->user;
    return p == &failed ? NULL : p;
}

/* Makes the key of the state. Returns a hash of it. */
static uint32_t make_key(struct key *key, bool points, uint8_t affine)
{
    const struct texenv_vertex_gl *v = &es.values.vertex;
    uint64_t word, hash = 0;
    memset(key, 0, sizeof *key);
    texenv_pack(&es.te);
    memcpy(key->code, es.te.code, es.te.units * sizeof *key->code);
    memcpy(key->w_row, v->w_row[v->modelview], sizeof key->w_row);
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        key->texture_matrix |= (uint8_t)((v->not_identity[u] >> v->texture[u] & 1) << u);
    key->points = points;
    key->affine = affine;
    memcpy(key->after, &es.te.color_sum, sizeof key->after);
    memcpy(key->vertex, v, sizeof key->vertex);
    for (size_t at = 0; at + sizeof word <= sizeof *key; at += sizeof word) {
        memcpy(&word, (const char *)key + at, sizeof word);
        hash = (hash ^ hash >> 29 ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    }
    return (uint32_t)(hash >> 32);
}

/* Sets `current` for the state. */
static void find_current(bool points, uint8_t affine)
{
    struct key key;
    struct known *k = &known[make_key(&key, points, affine) % KNOWN];
    if (k->program && memcmp(&k->key, &key, sizeof key) == 0) {
        current = *k;
        return;
    }
    read_state();
    current.program = find(points, affine);
    current.key = key;
    *k = current;
}

/* ---- uniforms ---- */

static void set_uniform(GLint at, unsigned type, const float *v)
{
    switch (type) {
    case 1: ES(Uniform1f)(at, *v); break;
    case 3: ES(Uniform3fv)(at, 1, v); break;
    case 4: ES(Uniform4fv)(at, 1, v); break;
    case 9: ES(UniformMatrix3fv)(at, 1, GL_FALSE, v); break;
    default: ES(UniformMatrix4fv)(at, 1, GL_FALSE, v); break;
    }
}

/* Returns the values for the uniforms. Texture matrices are scaled for rectangle textures, whose coordinates
 * count texels. */
static const struct texenv_values *scaled_values(void)
{
    static struct texenv_values v;
    if (!current.rectangles)
        return &es.values.values;
    v = es.values.values;
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        if (current.rectangles >> u & 1) {
            float scale[2], m[16];
            es_texture_scale(u, scale);
            texenv_matrix_scale(m, scale[0], scale[1], 1);
            texenv_matrix_product(v.texture_matrix[u], m, v.texture_matrix[u]);
        }
    return &v;
}

static void set_uniforms(struct program *p)
{
    static float now[16 * FRAGPROG_PAIR_UNIFORMS];
    const uint16_t all = p->pair.nuniforms, n = p->values == values ? p->nmatrices : all;
    p->pair.nuniforms = n;
    fragprog_uniform_values(&p->pair, scaled_values(), now);
    p->pair.nuniforms = all;
    for (unsigned i = 0; i < n; i++) {
        const unsigned at = p->pair.uniform[i].offset;
        const size_t bytes = p->type[i] * sizeof(float);
        if (memcmp(p->set + at, now + at, bytes) == 0)
            continue;
        memcpy(p->set + at, now + at, bytes);
        set_uniform(p->at[i], p->type[i], now + at);
    }
    p->values = values;
    p->matrices = matrices;
}

/* ---- use ---- */

const struct es_program *es_program_use(bool points, uint8_t affine)
{
    const uint32_t dirty = es.dirty;
    if (!open_cache())
        return NULL;
    const bool finds = !current.program || dirty & ES_DIRTY_STATE || points != current.key.points ||
        affine != current.key.affine;
    if (finds) {
        const uint8_t rectangles = current.rectangles;
        find_current(points, affine);
        values += current.rectangles != rectangles;
    }
    values += dirty & ES_DIRTY_VALUES || (current.rectangles && dirty & ES_DIRTY_TEXTURES);
    matrices += (dirty & ES_DIRTY_MATRICES) != 0;
    es.dirty = 0;
    struct program *p = current.program;
    if (!p) {
        es.dirty = ES_DIRTY_STATE | ES_DIRTY_TEXTURES;
        return NULL;
    }
    if (in_use != p->es.name)
        ES(UseProgram)(in_use = p->es.name);
    if (p->values != values || p->matrices != matrices)
        set_uniforms(p);
    if (finds || dirty & ES_DIRTY_TEXTURES)
        for (unsigned u = 0; p->textures >> u; u++)
            if (p->textures >> u & 1)
                es_texture_use(u, current.targets[u]);
    return &p->es;
}
