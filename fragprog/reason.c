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

bool fragprog_refuse_unbounded(struct fragprog_reason *why, const struct fragprog *p)
{
    return p->unbounded->refuse(why, p);
}
