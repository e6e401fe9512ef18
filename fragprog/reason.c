/* Filling in a struct fragprog_reason. */
#include "fragprog/backend.h"
#include "fragprog/reason.h"
#include "fragprog/unbounded.h"

#include <stdarg.h>

bool fragprog_refuse(struct fragprog_reason *why, int unit, const char *code, const char *format, ...)
{
    struct texenv_text text;
    va_list args;
    why->unit = unit;
    why->code = code;
    why->fit[0] = 0;
    texenv_text_init(&text, why->text, sizeof why->text);
    va_start(args, format);
    texenv_vprintf(&text, format, args);
    va_end(args);
    return false;
}

bool fragprog_would_fit(struct fragprog_reason *why, const char *format, ...)
{
    struct texenv_text text;
    va_list args;
    texenv_text_init(&text, why->fit, sizeof why->fit);
    va_start(args, format);
    texenv_vprintf(&text, format, args);
    va_end(args);
    return false;
}

bool fragprog_has_one_target(struct fragprog_reason *why, const struct fragprog *p)
{
    const struct fragprog_inst *lookup[FRAGPROG_MOST_TEXTURES] = {NULL};
    for (const struct fragprog_inst *inst = p->inst, *end = inst + p->ninst; inst < end; inst++) {
        if (!fragprog_op_is_lookup(inst->op))
            continue;
        const struct fragprog_inst *const last = lookup[inst->texture];
        if (last && (last->target != inst->target || last->shadow != inst->shadow))
            return fragprog_refuse(why, inst->texture, "targets",
                                   "unit %u is looked up with several texture targets; a program can use one",
                                   (unsigned)inst->texture);
        lookup[inst->texture] = inst;
    }
    return true;
}

bool fragprog_refuse_unbounded(struct fragprog_reason *why, const struct fragprog *p)
{
    return p->unbounded->refuse(why, p);
}
