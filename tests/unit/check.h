/* CHECK counts a failure and continues, so that one run shows all failures. A test program ends in `return
 * check_report("name");`. */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static unsigned long check_done, check_failed;

/* The number of failures that are printed; later ones are only counted. */
enum { CHECK_SHOWN = 20 };

__attribute__((format(printf, 4, 5))) static inline bool check_that(bool ok, const char *file, int line,
                                                                    const char *format, ...)
{
    check_done++;
    if (ok)
        return true;
    if (++check_failed <= CHECK_SHOWN) {
        va_list args;
        va_start(args, format);
        printf("%s:%d: failed: ", file, line);
        vprintf(format, args);
        printf("\n");
        va_end(args);
    }
    return false;
}

#define CHECK(condition) check_that(condition, __FILE__, __LINE__, "%s", #condition)
/* Like CHECK, but prints the given message: CHECK_SAY(a == b, "a is %d", a) */
#define CHECK_SAY(condition, ...) check_that(condition, __FILE__, __LINE__, __VA_ARGS__)

static inline int check_report(const char *name)
{
    printf("%s: %lu checks, %lu failed\n", name, check_done, check_failed);
    return check_failed || !check_done;
}

#endif
