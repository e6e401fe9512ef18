/* Scans the machine-readable comments of !!ATIfs1.0 texts: "# bind", "# const", "# color-sum"
 * (notes/formats/atifs.md). */
#include "fragprog/atifs/lex_atifs.h"

#include <string.h>

static bool begins(const char *s, size_t n, const char *with, bool then_digit)
{
    size_t length = strlen(with);
    return n > length && memcmp(s, with, length) == 0 &&
        (!then_digit || (s[length] >= '0' && s[length] <= '9'));
}

/* Parses " target=NAME" at the end of a "# bind". Returns the value for fragprog_atifs_setup.target, and
 * removes the text from *n. */
static int take_target(const char *s, size_t *n)
{
    for (const struct fragprog_name *row = fragprog_ir_targets; row->text[0]; row++) {
        size_t name = strlen(row->text), all = strlen(" target=") + name;
        if (*n > all && memcmp(s + *n - name, row->text, name) == 0 &&
            memcmp(s + *n - all, " target=", all - name) == 0) {
            *n -= all;
            return row->value == TEXENV_2D ? 0 : row->value + 1;
        }
    }
    return 0;
}

void fragprog_atifs_comment(struct fragprog_lex *lex, const char *s, size_t n, struct texenv_place place)
{
    struct fragprog_atifs_lex *said = (struct fragprog_atifs_lex *)lex;
    int number[3] = {0, 0, -1}, target = begins(s, n, "bind r", true) ? take_target(s, &n) : 0;
    if (fragprog_lex_matches(s, n, "bind r# texture=# coord=#", number) ||
        (number[2] = -1, fragprog_lex_matches(s, n, "bind r# texture=#", number))) {
        if (number[0] < FRAGPROG_REGISTERS && number[1] < TEXENV_UNITS && number[2] < TEXENV_UNITS) {
            if (said->bind[number[0]].seen)
                lex->failed = !fragprog_lex_fail(lex, place, "metadata",
                                                 "a second \"# bind\" of one register");
            said->bind[number[0]].seen = true;
            said->bind[number[0]].texture = number[1];
            said->bind[number[0]].coord = number[2];
            said->bind[number[0]].target = target;
            said->bind[number[0]].place = place;
            return;
        }
    } else if (fragprog_lex_matches(s, n, "const c# unit=# env-color", number)) {
        if (number[0] < FRAGPROG_ATI_CONSTANTS && number[1] < TEXENV_UNITS) {
            if (said->konst[number[0]].seen)
                lex->failed = !fragprog_lex_fail(lex, place, "metadata",
                                                 "a second \"# const\" of one constant");
            said->konst[number[0]].seen = true;
            said->konst[number[0]].unit = number[1];
            said->konst[number[0]].place = place;
            return;
        }
    } else if (fragprog_lex_matches(s, n, "color-sum in-program", number)) {
        said->color_sum = true;
        return;
    } else if (!begins(s, n, "bind r", true) && !begins(s, n, "const c", true) &&
               !begins(s, n, "color-sum ", false)) {
        return; /* an ordinary comment */
    }
    texenv_emit(lex->sink, TEXENV_WARNING, -1, place, "metadata",
                "this comment looks like one for programs, but is none: it is ignored");
}
