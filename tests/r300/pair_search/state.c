/* One-unit states: parsing, values, and the comparison of a program with a state. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "state.h"

enum {
    REPLACE,
    MODULATE,
    ADD,
    ADD_SIGNED,
    SUBTRACT,
    INTERPOLATE,
    MODULATE_ADD,
    MODULATE_SIGNED_ADD,
    MODULATE_SUBTRACT,
    COMBINE4_ADD,
    COMBINE4_ADD_SIGNED,
    DOT3,
    DOT3_EXT,
    FUNCS
};
static const struct {
    const char *name;
    int args;
} funcs[FUNCS] = {{"replace", 1},
                  {"modulate", 2},
                  {"add", 2},
                  {"add_signed", 2},
                  {"subtract", 2},
                  {"interpolate", 3},
                  {"modulate_add", 3},
                  {"modulate_signed_add", 3},
                  {"modulate_subtract", 3},
                  {"combine4_add", 4},
                  {"combine4_add_signed", 4},
                  {"dot3_rgb", 2},
                  {"dot3_rgb_ext", 2}};
static const char *const source_name[] = {"T0", "C", "F", "0", "1"},
                         *const operand_name[] = {"c", "~c", "a", "~a"};

struct half state[2];
static inputs random_inputs[RANDOM];

/* Returns 4 * source + operand. */
static int parse_argument(const char *word)
{
    const char *colon = strchr(word, ':');
    for (int arg = 0; colon && arg < 20; arg++) {
        const char *source = source_name[arg / 4];
        if (strlen(source) == (size_t)(colon - word) && !strncmp(word, source, strlen(source)) &&
            !strcmp(colon + 1, operand_name[arg % 4]))
            return arg;
    }
    return -1;
}

bool state_parse(char *line)
{
    char *word = strtok(line, " \n");
    for (int half = RGB; half <= ALPHA; half++) {
        struct half *h = &state[half];
        for (h->func = 0; word && h->func < FUNCS && strcmp(word, funcs[h->func].name); h->func++)
            ;
        if (!word || h->func == FUNCS)
            return false;
        for (int k = 0; k < funcs[h->func].args; k++) {
            int arg = (word = strtok(NULL, " \n")) ? parse_argument(word) : -1;
            if (arg < 0)
                return false;
            h->arg[k] = (uint8_t)arg;
        }
        if (!(word = strtok(NULL, " \n")) || (h->scale = atoi(word)) < 1)
            return false;
        word = strtok(NULL, " \n");
        if (half == RGB && (!word || strcmp(word, ";") || !(word = strtok(NULL, " \n"))))
            return false;
    }
    return !word;
}

void state_begin(void)
{
    static uint32_t seed = 4711;
    for (int i = 0; i < RANDOM; i++)
        for (int s = 0; s < SOURCES; s++)
            for (int c = 0; c < CHANNELS; c++) {
                seed = seed * 1664525u + 1013904223u;
                /* for half of the inputs, the three channels of each colour are equal */
                random_inputs[i][s][c] = i % 2 == 0 && (c == 1 || c == 2) ? random_inputs[i][s][0]
                                                                          : (seed >> 8) % 65 / 64.0;
            }
}

bool is_dot(const struct half *h) { return h->func >= DOT3; }

static double argument(int arg, const inputs x, int channel)
{
    int source = arg / 4, op = arg % 4;
    double value = source == 3 ? 0 : source == 4 ? 1 : x[source][op >= 2 ? 3 : channel];
    return op & 1 ? 1 - value : value;
}

double wanted(const struct half *h, const inputs x, int channel)
{
    double a[4], sum = 0;
    for (int c = 0; c < 3 && is_dot(h); c++)
        sum += 4 * (argument(h->arg[0], x, c) - 0.5) * (argument(h->arg[1], x, c) - 0.5);
    for (int k = 0; k < funcs[h->func].args; k++)
        a[k] = argument(h->arg[k], x, channel);
    switch (h->func) {
    case REPLACE: sum = a[0]; break;
    case MODULATE: sum = a[0] * a[1]; break;
    case ADD: sum = a[0] + a[1]; break;
    case ADD_SIGNED: sum = a[0] + a[1] - 0.5; break;
    case SUBTRACT: sum = a[0] - a[1]; break;
    case INTERPOLATE: sum = a[0] * a[2] + a[1] * (1 - a[2]); break;
    case MODULATE_ADD: sum = a[0] * a[2] + a[1]; break;
    case MODULATE_SIGNED_ADD: sum = a[0] * a[2] + a[1] - 0.5; break;
    case MODULATE_SUBTRACT: sum = a[0] * a[2] - a[1]; break;
    case COMBINE4_ADD: sum = a[0] * a[1] + a[2] * a[3]; break;
    case COMBINE4_ADD_SIGNED: sum = a[0] * a[1] + a[2] * a[3] - 0.5; break;
    default: break;
    }
    return h->scale * sum;
}

static double unit(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }
static bool inside(double x) { return x > 1e-6 && x < 1 - 1e-6; }

/* Returns whether a random input was found, with equal channels in each colour, at which the halves in this
 * mask are strictly between 0 and 1. */
static bool found_inside(unsigned mask)
{
    uint64_t bits = 88172645463325252u;
    for (int i = 0; i < 200000; i++) {
        inputs x;
        for (int s = 0; s < SOURCES; s++)
            for (int c = 0; c < CHANNELS; c++) {
                bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
                x[s][c] = c == 1 || c == 2 ? x[s][0] : (double)(bits >> 40) / (1 << 24);
            }
        const double(*y)[CHANNELS] = (const double(*)[CHANNELS])x;
        if ((!(mask & 1) || inside(wanted(&state[RGB], y, 0))) &&
            (!(mask & 2) || inside(wanted(&state[ALPHA], y, 3))))
            return true;
    }
    return false;
}

int half_kind(int half, double *constant)
{
    bool same = true;
    int channel = half == ALPHA ? 3 : 0;
    *constant = unit(wanted(&state[half], (const double(*)[CHANNELS])random_inputs[0], channel));
    for (int i = 1; i < RANDOM; i++)
        same &= unit(wanted(&state[half], (const double(*)[CHANNELS])random_inputs[i], channel)) == *constant;
    return found_inside(1u << half) ? 1 : same ? 0 : -1;
}

bool both_inside(void)
{
    double constant;
    return found_inside((half_kind(RGB, &constant) == 1) + 2u * (half_kind(ALPHA, &constant) == 1));
}

/* ---- programs ---- */

static double place(const struct form *f, int part, int p, const inputs x, int channel, const double *helper)
{
    int c = part == ALPHA ? 3 : channel;
    return p == OWN ? number[f->own[part]] : p == HELPER ? helper[c] : x[p][c];
}

static double operand(const struct form *f, int code, const inputs x, int channel, const double *helper)
{
    if (code >= ZERO && code <= ONE)
        return (code - ZERO) / 2.0;
    int part = code < ZERO ? code / PLACES : code - PRESUB_RGB;
    if (code < ZERO)
        return place(f, part, code % PLACES, x, channel, helper);
    const struct presub *p = &presub[f->presub[part]];
    return presubtract(p->op, place(f, part, p->a, x, channel, helper),
                       place(f, part, p->b, x, channel, helper));
}

static double execute(const struct form *f, const inputs x, int product, int addend, const double *helper)
{
    double sum = 0;
    for (int c = 0; c < 3; c++)
        if (f->op == DP3 || c == 0)
            sum += operand(f, f->a, x, f->op == DP3 ? c : product, helper) *
                operand(f, f->b, x, f->op == DP3 ? c : product, helper);
    sum = f->signs & 1 ? -sum : sum;
    if (f->op == MAD)
        sum += (f->signs & 2 ? -1 : 1) * operand(f, f->c, x, addend, helper);
    return sum * modifier[f->modifier];
}

bool program_right(const struct program *p)
{
    int pairs = p->half[1][RGB] || p->half[1][ALPHA] ? 2 : 1;
    for (int i = 0; i < RANDOM; i++) {
        const double(*x)[CHANNELS] = (const double(*)[CHANNELS])random_inputs[i];
        double out[2][CHANNELS] = {{0}};
        for (int pair = 0; pair < pairs; pair++)
            for (int c = 0; c < CHANNELS; c++) {
                int half = c == 3, from = p->channels && pair ? 2 : half ? 0 : c;
                const struct form *f = p->half[pair][half];
                bool copied = half && p->copy != 0 && pair == pairs - 1;
                if (!f && !copied)
                    continue;
                out[pair][c] = copied ? p->copy * execute(p->half[pair][RGB], x, 0, 0, out[0])
                                      : execute(f, x, from, p->channels && half && !pair ? 1 : from, out[0]);
                if (pair == pairs - 1 || (!p->half[1][half] && !(half && p->copy != 0)))
                    if ((out[pair][c] = unit(out[pair][c])) != unit(wanted(&state[half], x, c)))
                        return false;
            }
    }
    return true;
}

void program_print(const struct program *p)
{
    static const char *const before[2][2] = {{"", "; "}, {" | ", "; "}};
    bool two = p->half[1][RGB] || p->half[1][ALPHA];
    for (int pair = 0; pair <= two; pair++)
        for (int half = RGB; half <= ALPHA; half++) {
            const struct form *f = p->half[pair][half];
            printf("%s%s", before[pair][half], two && !pair && f ? half == RGB ? "U = " : "V = " : "");
            if (f)
                print_form(f);
            else if (half && p->copy != 0 && pair == two)
                printf("dot*%g", p->copy);
            else
                putchar('-');
        }
}
