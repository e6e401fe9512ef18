/* The functions of struct fragprog_unbounded. */
#include "fragprog/unbounded.h"
#include "fragprog/bindings.h"
#include "fragprog/reason.h"

/* If a source reads an input or parameter that only unbounded programs have, returns its name, else NULL. */
static const char *unbounded_source(const struct fragprog *p, const struct fragprog_src *src,
                                    struct texenv_text *name)
{
    switch (src->file) {
    case FRAGPROG_FOGCOORD: return "the fog coordinate";
    case FRAGPROG_POSITION: return "the fragment's position";
    case FRAGPROG_CONST:
        for (unsigned c = 0; c < 4; c++)
            if (p->konst[src->index].origin[c].unit >= FRAGPROG_ORIGINS) {
                fragprog_print_origin(name, p->konst[src->index].origin[c].unit);
                return name->data;
            }
        return NULL;
    default: return NULL;
    }
}

static bool refuse(struct fragprog_reason *why, const struct fragprog *p)
{
    char storage[80];
    if (p->vertex)
        return fragprog_refuse(why, -1, "stage",
                               "this is a vertex program; only fragment programs can be converted here");
    for (unsigned i = 0; i < p->ninst; i++) {
        const struct fragprog_inst *inst = &p->inst[i];
        if (inst->op > FRAGPROG_DOT2ADD)
            return fragprog_refuse(why, -1, "operation",
                                   "instruction %u is \"%s\", which texture combiners do not have", i,
                                   fragprog_op_text(inst->op));
        for (unsigned s = 0; s < fragprog_op_args(inst->op); s++) {
            struct texenv_text name;
            texenv_text_init(&name, storage, sizeof storage);
            const char *what = unbounded_source(p, &inst->src[s], &name);
            if (what)
                return fragprog_refuse(why, -1, "range",
                                       "instruction %u reads %s, which may be any number; texture combiners "
                                       "have inputs in [0,1]",
                                       i, what);
        }
    }
    return fragprog_refuse(why, -1, "range",
                           "values of an assembly program may be any numbers; the registers of texture "
                           "combiners are limited");
}

const struct fragprog_unbounded fragprog_unbounded_program = {.range = fragprog_unbounded_range,
                                                              .refuse = refuse};
