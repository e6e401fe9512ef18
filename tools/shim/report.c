/* Settings from the environment; figures at exit. */
#include "shim.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    unsigned long seen, replaced, programs;
    struct { const char *reason; unsigned long count; } passed[32];
} figures;

void complain(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("texenv-shim: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}

static enum language language_of(const char *variable, bool with_atifs)
{
    static const char *const names[] = {"", "atifs", "arbfp", "glsl"};
    const char *value = getenv(variable);
    if (!value || !*value)
        return LANGUAGE_NONE;
    for (int i = LANGUAGE_ATIFS; i <= LANGUAGE_GLSL; i++)
        if (strcmp(value, names[i]) == 0 && (i != LANGUAGE_ATIFS || with_atifs))
            return (enum language)i;
    complain("%s=%s: it takes %sarbfp or glsl", variable, value, with_atifs ? "atifs, " : "");
    exit(2);
}

static void say_figures(void)
{
    const struct settings *s = settings();
    if (s->quiet)
        return;
    complain("draws seen %lu, replaced %lu, passed on %lu; programs built %lu", figures.seen, figures.replaced, figures.seen - figures.replaced, figures.programs);
    for (size_t i = 0; i < sizeof figures.passed / sizeof *figures.passed && figures.passed[i].reason; i++)
        complain("  passed on %lu: %s", figures.passed[i].count, figures.passed[i].reason);
    if (!figures.seen)
        complain("no draw was seen: the program draws by functions that are not wrapped, or gets them in another way");
    else if (!figures.replaced)
        complain("NOTHING WAS REPLACED");
}

static bool is_one(const char *variable)
{
    const char *value = getenv(variable);
    return value && strcmp(value, "1") == 0;
}

const struct settings *settings(void)
{
    static struct settings s;
    static bool read;
    if (!read) {
        read = true;
        s.replace = language_of("TEXENV_SHIM", true);
        s.provide = language_of("TEXENV_SHIM_PROVIDE", false);
        s.sabotage = is_one("TEXENV_SHIM_SABOTAGE");
        s.show = is_one("TEXENV_SHIM_SHOW");
        s.quiet = is_one("TEXENV_SHIM_QUIET");
        atexit(say_figures);
    }
    return &s;
}

void count_draw(const char *reason)
{
    figures.seen++;
    if (!reason) {
        figures.replaced++;
        return;
    }
    for (size_t i = 0; i < sizeof figures.passed / sizeof *figures.passed; i++) {
        if (!figures.passed[i].reason)
            figures.passed[i].reason = strdup(reason);
        if (figures.passed[i].reason && strcmp(figures.passed[i].reason, reason) == 0) {
            figures.passed[i].count++;
            return;
        }
    }
}

void count_program(void) { figures.programs++; }
