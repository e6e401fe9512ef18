/* Compiles shader pairs: brings the source into canonical form, and prints the vertex and the fragment
 * shader. */
#include "fragprog/backend.h"
#include "fragprog/fixed_vertex.h"
#include "fragprog/lang/glsl.h"
#include "fragprog/lang/glsl_fixed_vertex.h"
#include "fragprog/reason.h"

static uint8_t truth(uint8_t value) { return value != 0; }

/* ---- the canonical form ---- */

/* Returns whether the members have valid values. They are checked because the caller may have read the
 * structure from a file. */
static bool half_is_known(const struct texenv_half *half)
{
    bool known = half->func < TEXENV_FUNCS && half->scale <= 4 && half->scale != 3;
    for (unsigned a = 0; a < TEXENV_ARGS; a++)
        known &= half->arg[a].source < TEXENV_SOURCES && half->arg[a].unit < TEXENV_UNITS;
    return known;
}

static bool stage_is_known(const struct texenv_stage *stage)
{
    return stage->mode <= TEXENV_COMBINE4 && stage->base < TEXENV_DEPTH && stage->target < TEXENV_TARGETS &&
        stage->depth <= 2 && half_is_known(&stage->half[0]) && half_is_known(&stage->half[1]);
}

static void copy_half(struct texenv_half *to, const struct texenv_half *from)
{
    const unsigned args = texenv_func_args((enum texenv_func)from->func);
    to->func = from->func;
    to->scale = from->scale ? from->scale : 1;
    for (unsigned a = 0; a < args; a++)
        to->arg[a] = (struct texenv_arg){from->arg[a].source, from->arg[a].unit,
                                         truth(from->arg[a].complement), truth(from->arg[a].alpha)};
}

/* Copies a state without its values, which do not affect the text. */
static bool copy_state(struct texenv_state *to, const struct texenv_state *from, struct fragprog_reason *why)
{
    if (from->nstages > TEXENV_UNITS || from->fog > TEXENV_FOG_EXP2 || from->alpha_test >= TEXENV_COMPARES)
        return fragprog_refuse(why, -1, "state",
                               "more units than there are, or an unknown fog mode or alpha test");
    to->nstages = from->nstages;
    to->color_sum = truth(from->color_sum);
    to->fog = from->fog;
    to->fog_coord = from->fog && from->fog_coord;
    to->alpha_test = from->alpha_test == TEXENV_ALWAYS ? TEXENV_COMPARE_NONE : from->alpha_test;
    for (unsigned u = 0; u < from->nstages; u++) {
        const struct texenv_stage *stage = &from->stage[u];
        if (!stage_is_known(stage))
            return fragprog_refuse(why, (int)u, "state", "unit %u: numbers that no environment has", u);
        if (stage->mode == TEXENV_OFF)
            continue;
        to->stage[u] = (struct texenv_stage){
            .mode = stage->mode, .base = stage->base, .target = stage->target, .depth = stage->depth};
        for (unsigned h = 0; h < 2 && stage->mode >= TEXENV_COMBINE; h++)
            copy_half(&to->stage[u].half[h], &stage->half[h]);
    }
    return true;
}

static bool copy_source(struct fragprog_pair_source *to, const struct fragprog_pair_source *from,
                        struct fragprog_reason *why)
{
    memset(to, 0, sizeof *to);
    if (!copy_state(&to->state, &from->state, why))
        return false;
    to->vertex = from->vertex;
    to->vertex.fog_coord |= to->state.fog_coord;
    to->flat = truth(from->flat);
    to->clip_planes = from->clip_planes;
    to->points = truth(from->points);
    to->sprites = to->points ? from->sprites : 0;
    to->lower_left = truth(from->lower_left);
    to->radial_fog = truth(from->radial_fog);
    to->affine = from->affine;
    return true;
}

/* Removes from the source all state that the fragment shader does not read. */
static void restrict_source(struct fragprog_pair_source *s, struct texenv_vertex_reads *reads)
{
    unsigned coords = 0, divided = 0;
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        coords |= (reads->coord[u] != 0) << u;
    s->sprites &= (uint8_t)coords;
    s->lower_left &= s->sprites != 0;
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        if (s->sprites >> u & 1)
            reads->coord[u] = 0;
    s->vertex.point_attenuation &= s->points;
    texenv_vertex_restrict(&s->vertex, reads);
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        divided |= (s->vertex.texture_matrix[u] || s->vertex.texgen[u][3]) << u;
    s->affine = (uint8_t)(((s->affine & ~divided) | s->sprites) & coords);
    s->flat &= reads->primary || reads->secondary;
    s->radial_fog &= reads->fog && !s->vertex.fog_coord;
    s->state.fog_coord = s->vertex.fog_coord;
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        if (s->affine >> u & 1)
            reads->coord[u] &= 7;
}

/* ---- the key ---- */

static uint8_t *add_key(uint8_t *at, const void *bytes, size_t n)
{
    memcpy(at, bytes, n);
    return at + n;
}

static void make_key(uint8_t key[FRAGPROG_PAIR_KEY], const struct fragprog_pair_source *s,
                     const struct fragprog_pair_options *o)
{
    const uint8_t first[] = {o->language,        o->level,     o->precision,
                             o->packed,          o->location,  (uint8_t)o->binding,
                             o->binding >> 8,    s->flat,      s->clip_planes,
                             s->points,          s->sprites,   s->lower_left,
                             s->radial_fog,      s->affine,    s->state.nstages,
                             s->state.color_sum, s->state.fog, s->state.fog_coord,
                             s->state.alpha_test};
    _Static_assert(sizeof first + sizeof s->vertex + FRAGPROG_PREFIX_MAX + 1 +
                           TEXENV_UNITS * (offsetof(struct texenv_stage, color)) <=
                       FRAGPROG_PAIR_KEY,
                   "the key has room for all");
    memset(key, 0, FRAGPROG_PAIR_KEY);
    key = add_key(key, first, sizeof first);
    key = add_key(key, &s->vertex, sizeof s->vertex);
    key = add_key(key, o->prefix, strlen(o->prefix) + 1);
    for (unsigned u = 0; u < s->state.nstages; u++)
        key = add_key(key, &s->state.stage[u], offsetof(struct texenv_stage, color));
}

/* ---- both texts ---- */

_Static_assert(FRAGPROG_FRONT_SCRATCH + FRAGPROG_GLSL_PRINTS_IN <= FRAGPROG_PAIR_SCRATCH, "both have room");

static bool is_told_well(const struct fragprog_pair_options *o, struct fragprog_reason *why)
{
    if (o->language >= FRAGPROG_LANGUAGES || !fragprog_glsl_version(o->language) || o->level > 3 ||
        o->precision > 2)
        return fragprog_refuse(why, -1, "options", "there is no such language, level or precision");
    if (o->prefix[0] && !fragprog_is_prefix(o->prefix))
        return fragprog_refuse(why, -1, "prefix", "names cannot begin with this prefix");
    return true;
}

static struct fragprog_language_options language_of(const struct fragprog_pair_source *s,
                                                    const struct fragprog_pair_options *o)
{
    return (struct fragprog_language_options){.language = o->language,
                                              .color_sum = s->state.color_sum,
                                              .fog = s->state.fog,
                                              .fog_coord = s->state.fog_coord,
                                              .alpha_test = s->state.alpha_test,
                                              .pair = 1,
                                              .affine = s->affine,
                                              .sprites = s->sprites,
                                              .lower_left = s->lower_left,
                                              .two_side = s->vertex.two_side,
                                              .flat = s->flat,
                                              .clip_planes = s->clip_planes,
                                              .precision = o->precision,
                                              .location = o->location,
                                              .binding = o->binding,
                                              .prefix = o->prefix[0] ? o->prefix : NULL};
}

/* Adds the inputs of the fragment shader to the pair. */
static void add_interface(struct fragprog_pair *pair, uint8_t used[FRAGPROG_PAIR_VALUES],
                          const struct fragprog_interface *i)
{
    for (unsigned id = FRAGPROG_PAIR_FOG_COLOR; id <= FRAGPROG_PAIR_ALPHA_REFERENCE; id++)
        used[id] = i->uniforms >> fragprog_pair_common_uniform(id) & 1;
    if (i->uniforms >> FRAGPROG_UNIFORM_TEXENV_COLOR & 1)
        used[FRAGPROG_PAIR_TEXENV_COLOR] = i->colors;
    pair->textures = i->textures;
    memcpy(pair->target, i->target, sizeof pair->target);
    memcpy(pair->shadow, i->shadow, sizeof pair->shadow);
}

/* Prints the vertex shader. body: buffer for main, which is printed first, because it determines the
 * declarations. */
static void print_vertex(struct texenv_text *text, struct fragprog_glsl_fixed *g, struct fragprog_pair *pair,
                         char *body, size_t size)
{
    struct texenv_text main;
    unsigned location = 0;
    texenv_text_init(&main, body, size);
    g->text = &main;
    fragprog_glsl_fixed_main(g);
    for (unsigned a = 0; a < 16; a++)
        if (g->attributes >> a & 1)
            pair->location[a] = (uint8_t)(g->options->packed ? location++ : a);
    g->text = text;
    fragprog_glsl_fixed_head(g, pair);
    texenv_text_add(text, body, strlen(body));
    text->length += main.length >= size ? main.length : 0; /* main did not fit */
    pair->attributes = g->attributes;
    pair->primary = g->outs >> FRAGPROG_PAIR_PRIMARY & 1;
    pair->secondary = g->outs >> FRAGPROG_PAIR_SECONDARY & 1;
    pair->fog = g->outs >> FRAGPROG_PAIR_FOG & 1;
    pair->back = (g->outs >> FRAGPROG_PAIR_BACK & 3) != 0;
    pair->coords = (uint8_t)(g->outs >> FRAGPROG_PAIR_COORD);
    pair->clip_distances = (uint8_t)(g->outs >> FRAGPROG_PAIR_CLIP);
    memcpy(pair->coord_size, g->coord_size, sizeof pair->coord_size);
}

/* Returns the fragment program: the one in the options, or else a program compiled from the state. Returns
 * NULL with *why if it is refused. */
static const struct fragprog *find_fragment(struct fragprog_compilation *c,
                                            const struct fragprog_pair_source *s,
                                            const struct fragprog_pair_options *o, void *scratch,
                                            struct fragprog_reason *why)
{
    const struct fragprog_source source = {.state = &s->state};
    const struct fragprog_options passes = {.level = o->level};
    if (!o->fragment)
        return fragprog_begin(c, &source, &passes, false, scratch, why) ? c->best : NULL;
    if (!o->fragment->unbounded)
        return o->fragment;
    fragprog_refuse(why, -1, "stage", "an ARB program contains no vertex half");
    return NULL;
}

bool fragprog_compile_pair(struct fragprog_pair *pair, const struct fragprog_pair_source *source,
                           const struct fragprog_pair_options *options, char *texts, void *scratch,
                           struct fragprog_reason *why)
{
    struct fragprog_pair_source s;
    struct fragprog_pair_options o = *options;
    struct fragprog_compilation c;
    const struct fragprog *p;
    struct fragprog_interface found;
    struct texenv_text text;
    void *const back = (char *)scratch +
        FRAGPROG_FRONT_SCRATCH; /* used first for main of the vertex shader, then by the printer */
    o.prefix = o.prefix ? o.prefix : "";
    o.packed = o.packed || o.language == FRAGPROG_GLSL_ES_100;
    if (!is_told_well(&o, why) || !copy_source(&s, source, why) ||
        !(p = find_fragment(&c, &s, &o, scratch, why)))
        return false;
    struct fragprog_language_options language = language_of(&s, &o);
    struct fragprog_glsl_fixed g = {.source = &s,
                                    .options = &o,
                                    .version = (uint16_t)fragprog_glsl_version(o.language),
                                    .built_in = !fragprog_is_core(&language),
                                    .es = o.language == FRAGPROG_GLSL_ES_100 ||
                                        o.language == FRAGPROG_GLSL_ES_300};
    fragprog_find_vertex_reads(&g.reads, p, &language);
    s.lower_left &= g.es || g.version == 450;
    restrict_source(&s, &g.reads);
    if (s.flat && o.language == FRAGPROG_GLSL_ES_100)
        return fragprog_refuse(why, -1, "flat", "GLSL ES 1.00 has no flat shading; smooth colours would fit");
    language = language_of(&s, &o);
    fragprog_find_interface(&found, p, &language);
    if (found.secondary_size > 3 && !g.built_in)
        return fragprog_refuse(why, -1, "stage", "the vertex half gives secondary colours no alpha");
    memcpy(g.coord_size, found.coord_size, sizeof g.coord_size);
    fragprog_find_vertex_needs(&g.needs, &s.vertex, &g.reads);
    memset(pair, 0, sizeof *pair);
    pair->language = o.language;
    make_key(pair->key, &s, &o);
    texenv_text_init(&text, texts, FRAGPROG_PAIR_TEXTS);
    print_vertex(&text, &g, pair, back, FRAGPROG_PAIR_SCRATCH - FRAGPROG_FRONT_SCRATCH);
    if (text.length >= FRAGPROG_PAIR_TEXTS)
        return fragprog_refuse(why, -1, "length", "the texts need more memory than a pair has");
    pair->vertex = texts;
    pair->fragment = texts + text.length + 1;
    texenv_text_init(&text, texts + text.length + 1, FRAGPROG_PAIR_TEXTS - text.length - 1);
    if (!fragprog_print_language(&text, p, &language, back, why))
        return false;
    if (text.length >= text.size)
        return fragprog_refuse(why, -1, "length", "the texts need more memory than a pair has");
    add_interface(pair, g.used, &found);
    if (!g.built_in)
        fragprog_pair_lay_out(pair, g.used);
    return true;
}
