/* The pipeline on one screen. */
#include "fragprog/fragprog.h"

const struct fragprog_pass fragprog_passes[] = {
    {"dead", "pass 1: remove stages and texture reads that do not reach the result, colour and alpha apart", fragprog_opt_dead},
    {NULL, NULL, NULL}};

bool fragprog_compile_atifs(struct fragprog_atifs *out, const struct texenv_state *state, const struct fragprog_options *options, struct fragprog_reason *why)
{
    struct fragprog_storage storage;
    struct fragprog p;
    struct fragprog_assignment a;
    struct fragprog_options o = *options;
    o.color_sum = state->color_sum;
    fragprog_init(&p, &storage);
    fragprog_lower(&p, state);
    for (const struct fragprog_pass *pass = fragprog_passes; pass->name; pass++)
        pass->run(&p);
    if (!fragprog_assign(&p, &o, &a, why))
        return false;
    fragprog_emit_atifs(out, &p, &a, &o);
    return true;
}
