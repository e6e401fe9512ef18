/* Reads ARB programs: memory layout, options and the sequence of statements. */
#include "fragprog/alloc/bits.h"
#include "fragprog/arb_program.h"
#include "fragprog/lang/arbfp_read.h"

#include <string.h>

static const char headers[2][12] = {"!!ARBfp1.0", "!!ARBvp1.0"};

/* ---- memory ---- */

/* Returns an upper bound on the number of names, items and operands: each is terminated by one of these
 * characters. */
static uint32_t parts_of(const char *text, size_t length)
{
    uint32_t n = 1;
    for (size_t i = 0; i < length; i++)
        n += text[i] == ',' || text[i] == ';' || text[i] == '=';
    return n;
}

/* Returns an upper bound on the number of constants in arrays. A vertex program that addresses an array
 * relatively needs the whole array. An item is one constant, the four rows of a matrix, or a range, whose
 * size is at most its last number. */
static uint32_t elements_of(const char *text, size_t length)
{
    uint32_t n = 4 * parts_of(text, length);
    for (size_t i = 0; i + 1 < length; i++) {
        uint32_t last = 0;
        if (text[i] != '.' || text[i + 1] != '.')
            continue;
        for (i += 2; i < length && text[i] != ']' && (text[i] < '0' || text[i] > '9');)
            i++;
        for (; i < length && text[i] >= '0' && text[i] <= '9' && last < FRAGPROG_MOST_PARAMETERS; i++)
            last = last * 10 + (uint32_t)(text[i] - '0');
        n += last;
    }
    return n;
}

static uint32_t power_above(uint32_t n)
{
    uint32_t power = 16;
    while (power < n)
        power *= 2;
    return power;
}

/* Lays out the tables of the reader in the scratch memory. */
static void carve(struct arbfp_reader *r, struct fragprog_arena *a, uint32_t parts, uint32_t consts)
{
    r->symbol = fragprog_take(a, parts, sizeof *r->symbol);
    r->param = fragprog_take(a, parts, sizeof *r->param);
    r->item = fragprog_take(a, parts, sizeof *r->item);
    r->temp = fragprog_take(a, parts, sizeof *r->temp);
    r->address = fragprog_take(a, parts, sizeof *r->address);
    r->symbol_mask = power_above(2 * parts) - 1;
    r->const_mask = power_above(2 * consts) - 1;
    r->symbol_table = fragprog_take(a, r->symbol_mask + 1, sizeof *r->symbol_table);
    r->const_table = fragprog_take(a, r->const_mask + 1, sizeof *r->const_table);
}

struct fragprog_bound fragprog_bound_arbfp(const char *text, size_t length)
{
    const uint32_t parts = parts_of(text, length);
    uint32_t statements = 1;
    for (size_t i = 0; i < length; i++)
        statements += text[i] == ';';
    /* Up to 16 for each statement: the instruction, a separate clamp or coordinate, at most three to gather
     * the channels of each operand, and the channels and clamp of an output. Fog takes six. */
    const uint64_t insts = UINT64_C(16) * statements + 16;
    const bool vertex = length >= strlen(headers[1]) && memcmp(text, headers[1], strlen(headers[1])) == 0;
    const uint32_t consts = parts + 8 + (vertex ? elements_of(text, length) : 0);
    struct fragprog_bound bound = {.insts = (uint16_t)(insts < UINT16_MAX ? insts : UINT16_MAX),
                                   .consts = (uint16_t)(consts < UINT16_MAX ? consts : UINT16_MAX)};
    struct fragprog_arena arena = {0};
    struct arbfp_reader reader;
    carve(&reader, &arena, parts, bound.consts);
    bound.scratch = arena.used;
    return bound;
}

/* ---- options ---- */

static const struct {
    char name[40];
    unsigned option; /* ARBFP_*, or 0 if it is not supported */
    uint8_t fog;
} options[] = {{"ARB_fog_exp", ARBFP_FOG_SET, TEXENV_FOG_EXP},
               {"ARB_fog_exp2", ARBFP_FOG_SET, TEXENV_FOG_EXP2},
               {"ARB_fog_linear", ARBFP_FOG_SET, TEXENV_FOG_LINEAR},
               {"ARB_precision_hint_fastest", ARBFP_FASTEST, 0},
               {"ARB_precision_hint_nicest", ARBFP_NICEST, 0},
               {"ARB_fragment_program_shadow", ARBFP_SHADOW, 0},
               {"ARB_draw_buffers", ARBFP_DRAW_BUFFERS, 0},
               {"ATI_draw_buffers", ARBFP_DRAW_BUFFERS, 0},
               {"ARB_position_invariant", ARBFP_INVARIANT, 0},
               {"NV_vertex_program2", 0, 0},
               {"NV_vertex_program3", 0, 0},
               {"NV_fragment_program", 0, 0},
               {"NV_fragment_program2", 0, 0},
               {"NV_fragment_program3", 0, 0},
               {"ARB_fragment_coord_origin_upper_left", 0, 0},
               {"ARB_fragment_coord_pixel_center_integer", 0, 0}};

static bool option(struct arbfp_reader *r)
{
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const bool vertex = options[i].option == ARBFP_INVARIANT || memcmp(options[i].name, "NV_v", 4) == 0;
        if (!fragprog_arbfp_is(r, options[i].name) || vertex != r->vertex)
            continue;
        if (!options[i].option)
            return fragprog_arbfp_fail(r, "option",
                                       *options[i].name == 'N'
                                           ? "OPTION %.*s is not supported: its instructions are not read"
                                           : "OPTION %.*s is not supported: fragment.position counts from "
                                             "the lower left corner, with the centres of pixels at halves");
        if (options[i].fog && r->fog && r->fog != options[i].fog)
            return fragprog_arbfp_fail(r, "option", "OPTION %.*s after another option of fog");
        r->options |= options[i].option;
        if ((r->options & (ARBFP_FASTEST | ARBFP_NICEST)) == (ARBFP_FASTEST | ARBFP_NICEST))
            return fragprog_arbfp_fail(r, "option", "OPTION %.*s after the other hint of precision");
        r->fog = options[i].fog ? options[i].fog : r->fog;
        fragprog_arbfp_next(r);
        return fragprog_arbfp_expect(r, ';');
    }
    if (r->kind != ARBFP_WORD)
        return fragprog_arbfp_expected(r, "the name of an option");
    return fragprog_arbfp_fail(r, "option", "OPTION %.*s is not known");
}

/* ---- the program ---- */

static bool statements(struct arbfp_reader *r)
{
    while (fragprog_arbfp_accept_word(r, "OPTION"))
        if (!option(r))
            return false;
    while (!fragprog_arbfp_is(r, "END")) {
        bool is;
        if (!fragprog_arbfp_declaration(r, &is) || (!is && !fragprog_arbfp_instruction(r)))
            return false;
    }
    r->p->invariant = r->options & ARBFP_INVARIANT;
    const bool finished = r->vertex ? fragprog_arbvp_finish(r) : fragprog_arbfp_finish(r);
    fragprog_arbfp_next(r);
    if (finished && r->kind != ARBFP_END_OF_TEXT)
        return fragprog_arbfp_expected(r, "nothing after END");
    return finished;
}

static bool begin(struct arbfp_reader *r, const char *text, size_t length)
{
    const size_t n = strlen(headers[0]);
    text = length ? text : ""; /* NULL + 0 is undefined */
    r->vertex = length >= n && memcmp(text, headers[1], n) == 0;
    r->p->vertex = r->vertex;
    r->at = r->line_start = r->token = text;
    r->end = text + length;
    r->place = (struct texenv_place){.line = r->line, .column = 1};
    if (length < n || memcmp(text, headers[r->vertex], n) != 0) {
        fragprog_arbfp_next(r);
        r->place.column = 1;
        return fragprog_arbfp_expected(r, headers[0]);
    }
    r->at += n;
    fragprog_arbfp_next(r);
    return true;
}

bool fragprog_read_arbfp(struct fragprog *p, const char *text, size_t length, uint32_t first_line,
                         const struct texenv_sink *sink, void *scratch)
{
    struct arbfp_reader reader = {.p = p, .sink = sink, .line = first_line}, *r = &reader;
    struct fragprog_arena arena = {.at = scratch};
    carve(r, &arena, parts_of(text, length), fragprog_bound_arbfp(text, length).consts);
    memset(r->symbol_table, 0, (r->symbol_mask + 1) * sizeof *r->symbol_table);
    memset(r->const_table, 0, (r->const_mask + 1) * sizeof *r->const_table);
    p->ninst = p->nkonst = p->result[0] = p->result[1] = 0;
    p->unbounded = &fragprog_unbounded_program;
    p->vertex = p->invariant = false;
    for (unsigned n = 0; n < ARBFP_OUTPUTS; n++)
        fragprog_arbfp_clear(&r->output[n]);
    if (begin(r, text, length) && statements(r)) {
        fragprog_arbfp_order(r);
        return true;
    }
    p->ninst = p->nkonst = p->result[0] = p->result[1] = 0;
    p->unbounded = NULL;
    p->vertex = p->invariant = false;
    return false;
}
