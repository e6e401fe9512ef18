/* Optimises a chain with the library (canonical state, lowering, passes), counts the instructions of the
 * alpha half after that, and checks their values. */
#include "superopt.h"
#include "fragprog/ir.h"

#include <stdio.h>
#include <string.h>

static void make_state(struct texenv_state *state, const struct chain *chain)
{
    static const uint8_t func[FUNCS] = {TEXENV_F_REPLACE,
                                        TEXENV_F_MODULATE,
                                        TEXENV_F_ADD,
                                        TEXENV_F_ADD_SIGNED,
                                        TEXENV_F_SUBTRACT,
                                        TEXENV_F_INTERPOLATE,
                                        TEXENV_F_MODULATE_ADD,
                                        TEXENV_F_MODULATE_SIGNED_ADD,
                                        TEXENV_F_MODULATE_SUBTRACT,
                                        TEXENV_F_COMBINE4_ADD,
                                        TEXENV_F_COMBINE4_ADD_SIGNED};
    memset(state, 0, sizeof *state);
    state->nstages = STAGES; /* units after the chain pass P through; the chain may read their textures */
    for (unsigned u = 0; u < STAGES; u++) {
        struct texenv_stage *stage = &state->stage[u];
        stage->mode = TEXENV_COMBINE;
        stage->target = TEXENV_2D;
        stage->half[TEXENV_RGB].scale = stage->half[TEXENV_ALPHA].scale = 1;
        stage->half[TEXENV_RGB].arg[0].source = stage->half[TEXENV_ALPHA].arg[0].source = TEXENV_S_PREVIOUS;
        stage->half[TEXENV_ALPHA].arg[0].alpha = 1;
        if (u >= chain->n)
            continue;
        const struct stage *from = &chain->stage[u];
        struct texenv_half *half = &stage->half[TEXENV_ALPHA];
        if (from->func >= COMBINE4_ADD) { /* the colour half passes P through, as P*1 + 0*0 */
            stage->mode = TEXENV_COMBINE4;
            stage->half[TEXENV_RGB].func = TEXENV_F_COMBINE4_ADD;
            stage->half[TEXENV_RGB].arg[1].source = TEXENV_S_ONE;
        }
        half->func = func[from->func];
        half->scale = (uint8_t)(1 << from->scale);
        for (unsigned a = 0; a < texenv_func_args(half->func); a++) {
            struct texenv_arg *arg = &half->arg[a];
            unsigned code = from->arg[a], source = code / 2;
            memset(arg, 0, sizeof *arg);
            if (code >= ARG_ZERO) {
                arg->source = code == ARG_ONE ? TEXENV_S_ONE : TEXENV_S_ZERO;
                continue;
            }
            arg->source = source == SOURCES ? TEXENV_S_PREVIOUS
                : source == 3               ? TEXENV_S_PRIMARY
                                            : TEXENV_S_TEXTURE;
            arg->unit = source < 3 ? (uint8_t)source : 0;
            arg->complement = code & 1;
            arg->alpha = 1;
        }
    }
}

/* Evaluates the alpha lane of src at all points; returns false if src is nothing that an alpha half can read.
 */
static bool source_values(double *out, const struct fragprog_src *src, const struct fragprog *p,
                          const struct points *points, double (*values)[MOST_POINTS])
{
    unsigned lane = src->lane[FRAGPROG_W];
    const double *at = NULL;
    double literal = lane == FRAGPROG_ONE ? 1 : lane == FRAGPROG_HALF ? 0.5 : 0;
    if (lane <= FRAGPROG_W) {
        if (lane != FRAGPROG_W)
            return false;
        if (src->file == FRAGPROG_PRIMARY)
            at = points->at[3];
        else if (src->file == FRAGPROG_VALUE)
            at = p->inst[src->index].op == FRAGPROG_TEX ? points->at[p->inst[src->index].texture]
                                                        : values[src->index];
        else
            return false;
    }
    for (unsigned i = 0; i < points->n; i++) {
        double v = at ? at[i] : literal;
        if (src->negate >> FRAGPROG_W & 1)
            v = -v;
        if (src->mods & FRAGPROG_ABS)
            v = v < 0 ? -v : v;
        if (src->mods & FRAGPROG_COMP)
            v = 1 - v;
        if (src->mods & FRAGPROG_BIAS)
            v -= 0.5;
        if (src->mods & FRAGPROG_2X)
            v *= 2;
        if (src->mods & FRAGPROG_NEG)
            v = -v;
        out[i] = v;
    }
    return true;
}

static unsigned args_of(unsigned op)
{
    return op == FRAGPROG_MOV ? 1 : op == FRAGPROG_MAD || op == FRAGPROG_LERP ? 3 : 2;
}

static bool evaluate(const struct fragprog *p, unsigned n, const struct points *points,
                     double (*values)[MOST_POINTS])
{
    const struct fragprog_inst *inst = &p->inst[n];
    double a[3][MOST_POINTS];
    for (unsigned s = 0; s < args_of(inst->op); s++)
        if (!source_values(a[s], &inst->src[s], p, points, values))
            return false;
    for (unsigned i = 0; i < points->n; i++) {
        double v;
        switch (inst->op) {
        case FRAGPROG_MOV: v = a[0][i]; break;
        case FRAGPROG_ADD: v = a[0][i] + a[1][i]; break;
        case FRAGPROG_SUB: v = a[0][i] - a[1][i]; break;
        case FRAGPROG_MUL: v = a[0][i] * a[1][i]; break;
        case FRAGPROG_MAD: v = a[0][i] * a[1][i] + a[2][i]; break;
        case FRAGPROG_LERP:
            if (a[0][i] < 0 || a[0][i] > 1)
                return false;
            v = a[0][i] * a[1][i] + (1 - a[0][i]) * a[2][i];
            break;
        default: return false;
        }
        static const double power[] = {0.125, 0.25, 0.5, 1, 2, 4, 8};
        v *= power[inst->scale + 3];
        if (inst->clamp == FRAGPROG_SAT)
            v = v < 0 ? 0 : v > 1 ? 1 : v;
        values[n][i] = v;
    }
    return true;
}

static void put_text(struct optimised *out, const struct fragprog *p)
{
    static const char *const name[] = {
        [FRAGPROG_MOV] = "mov", [FRAGPROG_ADD] = "add", [FRAGPROG_SUB] = "sub",
        [FRAGPROG_MUL] = "mul", [FRAGPROG_MAD] = "mad", [FRAGPROG_LERP] = "lerp"};
    static const char *const scale[] = {".eighth", ".quarter", ".half", "", ".2x", ".4x", ".8x"};
    unsigned number[FRAGPROG_TEXENV_INSTS], count = 0;
    size_t n = 0, m = 0;
    for (unsigned i = 0; i < p->ninst; i++) {
        const struct fragprog_inst *inst = &p->inst[i];
        if (!(inst->mask & FRAGPROG_MASK_W) || inst->op == FRAGPROG_TEX)
            continue;
        char head[40];
        snprintf(head, sizeof head, "%s%s%s%s", count ? "; " : "", name[inst->op], scale[inst->scale + 3],
                 inst->clamp == FRAGPROG_SAT ? ".sat" : "");
        n += (size_t)snprintf(out->text + n, sizeof out->text - n, "%s", head);
        m += (size_t)snprintf(out->pattern + m, sizeof out->pattern - m, "%s", head);
        for (unsigned s = 0; s < args_of(inst->op); s++) {
            const struct fragprog_src *src = &inst->src[s];
            unsigned lane = src->lane[FRAGPROG_W];
            char base[16];
            if (lane > FRAGPROG_W)
                snprintf(base, sizeof base, "%s",
                         lane == FRAGPROG_ONE        ? "1"
                             : lane == FRAGPROG_HALF ? "0.5"
                                                     : "0");
            else if (src->file == FRAGPROG_PRIMARY)
                snprintf(base, sizeof base, "F");
            else if (p->inst[src->index].op == FRAGPROG_TEX)
                snprintf(base, sizeof base, "T%u", p->inst[src->index].texture);
            else
                snprintf(base, sizeof base, "%%%u", number[src->index]);
            n += (size_t)snprintf(
                out->text + n, sizeof out->text - n, "%s%s%s%s%s%s%s%s", s ? ", " : " ",
                src->negate >> FRAGPROG_W & 1 ? "-" : "", base, src->mods & FRAGPROG_ABS ? ".abs" : "",
                src->mods & FRAGPROG_COMP ? ".comp" : "", src->mods & FRAGPROG_BIAS ? ".bias" : "",
                src->mods & FRAGPROG_2X ? ".2x" : "", src->mods & FRAGPROG_NEG ? ".neg" : "");
            m += (size_t)snprintf(out->pattern + m, sizeof out->pattern - m, " %s",
                                  base[0] == '%'          ? base
                                      : lane > FRAGPROG_W ? "k"
                                                          : "t");
        }
        number[i] = count++;
    }
}

void optimise(struct optimised *out, const struct chain *chain, const struct points *points,
              const double *value, bool texts)
{
    struct texenv_state state;
    struct fragprog_storage storage;
    struct fragprog p;
    static const struct fragprog_opt all = {.level = 2};
    static uint64_t scratch[FRAGPROG_PASSES_SCRATCH / sizeof(uint64_t)];
    make_state(&state, chain);
    fragprog_init(&p, &storage);
    fragprog_lower(&p, &state);
    fragprog_optimise(&p, &all, scratch);
    out->n = 0, out->wrong = false;
    double values[FRAGPROG_TEXENV_INSTS][MOST_POINTS];
    for (unsigned i = 0; i < p.ninst; i++)
        if (p.inst[i].mask & FRAGPROG_MASK_W && p.inst[i].op != FRAGPROG_TEX) {
            out->n++;
            out->wrong |= !evaluate(&p, i, points, values);
        }
    const double *result = p.inst[p.result[TEXENV_ALPHA]].op == FRAGPROG_TEX ? NULL
                                                                             : values[p.result[TEXENV_ALPHA]];
    for (unsigned i = 0; i < points->n && result; i++)
        out->wrong |= result[i] != value[i];
    out->wrong |= !result;
    if (texts)
        put_text(out, &p);
}
