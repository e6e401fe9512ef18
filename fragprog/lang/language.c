/* Functions that all shading languages share, and the calls that print a program. */
#include "fragprog/backend.h"
#include "fragprog/lang/arbfp.h"
#include "fragprog/lang/glsl.h"
#include "fragprog/reason.h"

#include <string.h>

/* Scratch memory for printing a texturing program. */
struct small {
    struct fragprog p;
    struct fragprog_storage storage;
    union {
        struct fragprog_arbfp_value arbfp[FRAGPROG_TEXENV_INSTS +
                                          FRAGPROG_TEXENV_INSTS * sizeof(struct fragprog_arbfp_temp) /
                                              sizeof(struct fragprog_arbfp_value) +
                                          1];
        uint64_t glsl[FRAGPROG_GLSL_SCRATCH / sizeof(uint64_t)];
    } printer;
};
_Static_assert(offsetof(struct small, printer) + FRAGPROG_GLSL_SCRATCH <= FRAGPROG_GLSL_PRINTS_IN,
               "as language.h says");

static const struct {
    char name[16], help[64];
} languages[FRAGPROG_LANGUAGES] = {
#define FRAGPROG_LANGUAGE(id, name, help) [FRAGPROG_##id] = {name, help},
#include "fragprog/languages.def"
};

const char *fragprog_language_name(enum fragprog_language language)
{
    return (unsigned)language < FRAGPROG_LANGUAGES ? languages[language].name : NULL;
}

const char *fragprog_language_help(enum fragprog_language language)
{
    return (unsigned)language < FRAGPROG_LANGUAGES ? languages[language].help : NULL;
}

struct fragprog_channel fragprog_const_channel(const struct fragprog *p, unsigned konst, unsigned channel,
                                               const struct fragprog_language_options *options)
{
    const struct fragprog_const *k = &p->konst[konst];
    int origin = k->origin[channel].unit;
    if (options->fold_constants && origin < FRAGPROG_ORIGIN_GLOBAL)
        origin = FRAGPROG_ORIGIN_IMMEDIATE;
    return (struct fragprog_channel){origin, k->origin[channel].component, k->value[channel]};
}

bool fragprog_is_affine(const struct fragprog_language_options *options, unsigned set)
{
    return set < TEXENV_UNITS && (options->affine | options->sprites) >> set & 1;
}

/* Adds a read of a coordinate set. Coordinates of point sprites are no inputs, and a q that is 1 is not read.
 */
static void read_coordinates(struct fragprog_reading *r, unsigned channels, unsigned set,
                             const struct fragprog_language_options *options)
{
    if (fragprog_is_affine(options, set))
        channels &= FRAGPROG_MASK_XYZ;
    if (!channels || (fragprog_is_core(options) && set < TEXENV_UNITS && options->sprites >> set & 1))
        return;
    r->coords |= 1u << set;
    for (unsigned c = 0; c < 4 && set < TEXENV_UNITS; c++)
        if (channels >> c & 1 && r->coord_size[set] < c + 1)
            r->coord_size[set] = (uint8_t)(c + 1);
}

void fragprog_find_reading(struct fragprog_reading *r, const struct fragprog *p,
                           const struct fragprog_language_options *options)
{
    memset(r, 0, sizeof *r);
    for (unsigned i = 0; i < p->ninst; i++) {
        const struct fragprog_inst *inst = &p->inst[i];
        r->kills |= inst->op == FRAGPROG_KIL;
        if (inst->op == FRAGPROG_OUT)
            r->outputs |= UINT32_C(1) << inst->texture;
        if (fragprog_op_is_lookup(inst->op)) {
            r->textures |= 1u << inst->texture;
            r->lookup[inst->texture] = inst;
            r->shadow |= inst->shadow;
            r->rect |= inst->target == TEXENV_RECT;
            r->volume |= inst->target == TEXENV_3D;
        }
        for (unsigned s = 0; s < fragprog_op_args(inst->op); s++) {
            unsigned channels = fragprog_channels_read(inst, s), index = inst->src[s].index;
            if (!channels)
                continue;
            switch (inst->src[s].file) {
            case FRAGPROG_PRIMARY: r->primary = true; break;
            case FRAGPROG_SECONDARY:
                r->secondary = true;
                if (channels & FRAGPROG_MASK_W)
                    r->secondary_size = 4;
                break;
            case FRAGPROG_FOGCOORD: r->fog_coord = true; break;
            case FRAGPROG_POSITION: r->position = true; break;
            case FRAGPROG_COORD: read_coordinates(r, channels, index, options); break;
            case FRAGPROG_CONST:
                for (unsigned c = 0; c < 4; c++) {
                    struct fragprog_channel k = fragprog_const_channel(p, index, c, options);
                    if (channels >> c & 1 && k.origin >= 0 && k.origin < FRAGPROG_ORIGINS)
                        r->origins |= 1u << k.origin;
                }
                break;
            default: break;
            }
        }
    }
    r->secondary |= options->color_sum;
    for (unsigned n = 0; n < TEXENV_UNITS && !options->pair; n++)
        r->coord_size[n] = 4;
    if (!r->secondary_size)
        r->secondary_size = options->pair ? 3 : 4;
}

void fragprog_find_interface(struct fragprog_interface *found, const struct fragprog *p,
                             const struct fragprog_language_options *options)
{
    struct fragprog_reading r;
    fragprog_find_reading(&r, p, options);
    *found = (struct fragprog_interface){.primary = r.primary,
                                         .secondary = r.secondary,
                                         .coords = (uint8_t)r.coords,
                                         .textures = (uint8_t)r.textures,
                                         .colors = (uint8_t)r.origins,
                                         .program_env = (uint8_t)(r.origins >> FRAGPROG_ORIGIN_GLOBAL),
                                         .program_local = (uint8_t)(r.origins >> FRAGPROG_ORIGIN_LOCAL)};
    found->secondary_size = r.secondary_size;
    memcpy(found->coord_size, r.coord_size, sizeof r.coord_size);
    uint16_t elements[FRAGPROG_UNIFORMS];
    fragprog_count_uniforms(elements, &r, options);
    for (unsigned u = 0; u < FRAGPROG_UNIFORMS; u++)
        found->uniforms |= (uint16_t)((elements[u] > 0) << u);
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        if (r.lookup[u]) {
            found->target[u] = r.lookup[u]->target;
            found->shadow[u] = r.lookup[u]->shadow;
        }
}

/* Checks that the language has the texture targets. Fixed function has no shadow comparisons of cube maps and
 * 3D textures. */
static bool has_targets(const struct fragprog *p, const struct fragprog_language_options *options,
                        struct fragprog_reason *why)
{
    static const char *const names[TEXENV_TARGETS] = {"1D", "2D", "rectangle", "3D", "cube map"};
    bool es = options->language == FRAGPROG_GLSL_ES_100 || options->language == FRAGPROG_GLSL_ES_300;
    for (unsigned i = 0; i < p->ninst; i++) {
        const struct fragprog_inst *inst = &p->inst[i];
        if (!fragprog_op_is_lookup(inst->op))
            continue;
        if (inst->shadow && (inst->target == TEXENV_3D || inst->target == TEXENV_CUBE))
            return fragprog_refuse(why, inst->texture, "shadow",
                                   "unit %u: shadow comparison of a %s texture is not in fixed function",
                                   (unsigned)inst->texture, names[inst->target]);
        if (es && (inst->target == TEXENV_1D || inst->target == TEXENV_RECT))
            return fragprog_refuse(why, inst->texture, "target",
                                   "unit %u: GLSL ES has no %s textures; a 2D texture%s would fit",
                                   (unsigned)inst->texture, names[inst->target],
                                   inst->target == TEXENV_1D ? " of height 1" : "");
        if (options->language == FRAGPROG_GLSL_450 && inst->target == TEXENV_RECT)
            return fragprog_refuse(why, inst->texture, "target",
                                   "unit %u: Vulkan has no rectangle textures; a 2D texture with coordinates "
                                   "divided by its size would fit",
                                   (unsigned)inst->texture);
    }
    return fragprog_has_one_target(why, p);
}

/* Checks lookups with a level-of-detail bias. GLSL has none for rectangle textures, which have a single
 * level, nor for comparisons in the extension of ES. */
static bool has_bias(const struct fragprog *p, const struct fragprog_language_options *options,
                     struct fragprog_reason *why)
{
    for (unsigned i = 0; i < p->ninst && options->language != FRAGPROG_ARBFP; i++) {
        const struct fragprog_inst *inst = &p->inst[i];
        if (inst->op == FRAGPROG_TXB &&
            (inst->target == TEXENV_RECT || (inst->shadow && options->language == FRAGPROG_GLSL_ES_100)))
            return fragprog_refuse(
                why, inst->texture, "bias",
                "unit %u: this language has no bias of the level of detail for %s textures",
                (unsigned)inst->texture, inst->shadow ? "shadow" : "rectangle");
    }
    return true;
}

static bool is_told_well(const struct fragprog *p, const struct fragprog_language_options *options,
                         struct fragprog_reason *why)
{
    if (options->language >= FRAGPROG_LANGUAGES || options->fog > TEXENV_FOG_EXP2 ||
        options->alpha_test >= TEXENV_COMPARES)
        return fragprog_refuse(why, -1, "options", "there is no such language, fog or alpha test");
    if (options->prefix && !fragprog_is_prefix(options->prefix))
        return fragprog_refuse(why, -1, "prefix", "names cannot begin with this prefix");
    return has_targets(p, options, why);
}

size_t fragprog_language_scratch(unsigned insts)
{
    const size_t arbfp = fragprog_arbfp_scratch(insts);
    return arbfp > sizeof(struct small) ? arbfp : sizeof(struct small);
}

/* Prints p. scratch: memory for the printer; colours: the memory suffices for graph colouring of
 * temporaries. */
static void print(struct texenv_text *text, struct fragprog *p,
                  const struct fragprog_language_options *options, void *scratch, bool colours)
{
    struct fragprog_reading reading;
    fragprog_find_reading(&reading, p, options);
    if (options->language == FRAGPROG_ARBFP)
        fragprog_print_arbfp(text, p, &reading, options, scratch, colours);
    else
        fragprog_print_glsl(text, p, &reading, options, p->unbounded ? NULL : scratch);
}

static bool print_unbounded(struct texenv_text *text, const struct fragprog *p,
                            const struct fragprog_language_options *options, void *scratch,
                            struct fragprog_reason *why)
{
    struct fragprog same = *p;
    if (p->vertex && options->language != FRAGPROG_ARBFP && !fragprog_glsl_has_vertex(p, options, why))
        return false;
    if (!has_bias(p, options, why))
        return false;
    print(text, &same, options, scratch, true);
    return true;
}

bool fragprog_print_language(struct texenv_text *text, const struct fragprog *p,
                             const struct fragprog_language_options *options, void *scratch,
                             struct fragprog_reason *why)
{
    struct small *small = scratch;
    if (!is_told_well(p, options, why))
        return false;
    if (p->unbounded)
        return print_unbounded(text, p, options, scratch, why);
    fragprog_init(&small->p, &small->storage);
    if (!fragprog_copy(&small->p, p))
        return fragprog_refuse(
            why, -1, "length", "%u instructions and %u constants: printers are prepared for %d and %d",
            (unsigned)p->ninst, (unsigned)p->nkonst, FRAGPROG_TEXENV_INSTS, FRAGPROG_TEXENV_CONSTS);
    if (options->language == FRAGPROG_ARBFP)
        fragprog_join_halves(&small->p);
    print(text, &small->p, options, &small->printer, false);
    return true;
}

size_t fragprog_scratch(const struct fragprog_source *source)
{
    if (!source->ir || !source->ir->unbounded)
        return FRAGPROG_SCRATCH;
    const size_t n = fragprog_front_scratch(source) + fragprog_language_scratch(source->ir->ninst);
    return n > FRAGPROG_SCRATCH ? n : FRAGPROG_SCRATCH;
}

bool fragprog_compile_language(struct texenv_text *text, const struct fragprog_source *source,
                               const struct fragprog_options *options,
                               const struct fragprog_language_options *language, void *scratch,
                               struct fragprog_reason *why)
{
    struct fragprog_compilation c;
    return fragprog_begin(&c, source, options, false, scratch, why) &&
        fragprog_print_language(text, c.best, language, c.scratch, why);
}
