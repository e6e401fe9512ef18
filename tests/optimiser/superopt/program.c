/* Programs of ATI_fragment_shader: evaluates and prints them, and applies symmetries to their sources. */
#include "program.h"

#include <math.h>
#include <stdio.h>

/* All functions of x that the modifiers COMP, BIAS, 2X and NEG, applied in this order, can express. The set
 * is closed under negation, so that a - b is an ADD, and under replacing x by 1 - x. */
const struct map maps[MAPS] = {{1, 0, ""},
                               {-1, 1, ".comp"},
                               {-1, 0, ".neg"},
                               {1, -0.5, ".bias"},
                               {2, 0, ".2x"},
                               {1, -1, ".comp.neg"},
                               {-1, 0.5, ".comp.bias"},
                               {2, -1, ".bias.2x"},
                               {-2, 1, ".comp.bias.2x"},
                               {-2, 0, ".2x.neg"},
                               {-2, 2, ".comp.2x"},
                               {2, -2, ".comp.2x.neg"}};
const double literals[LITERALS] = {0, 1, 0.5, -1, -0.5, 2, -2};
const double powers[SCALES] = {1, 2, 4, 8, 0.5, 0.25, 0.125};
const int exponents[SCALES] = {0, 1, 2, 3, -1, -2, -3};

double program_argument(unsigned arg, const double *source, double earlier)
{
    if (arg >= EARLIER)
        return maps[arg - EARLIER].m * earlier + maps[arg - EARLIER].t;
    if (arg >= ARG_LITERAL)
        return literals[arg - ARG_LITERAL];
    return maps[arg % MAPS].m * source[arg / MAPS] + maps[arg % MAPS].t;
}

double program_value(const struct program *program, const double *source, bool *in_range)
{
    double v = 0;
    for (unsigned i = 0; i < program->n; i++) {
        const struct inst *inst = &program->inst[i];
        double a[3] = {0, 0, 0};
        for (unsigned k = 0; k < args_of(inst->op); k++)
            a[k] = program_argument(inst->arg[k], source, v);
        v = operate(inst->op, a[0], a[1], a[2]);
        if (fabs(v) > 8 || (inst->op == OP_LERP && (a[0] < 0 || a[0] > 1)))
            *in_range = false;
        v = ldexp(v, inst->scale);
        if (inst->sat)
            v = unit(v);
        if (fabs(v) > 8)
            *in_range = false;
    }
    return v;
}

const char *program_text(char *buffer, size_t size, const struct program *program)
{
    static const char *const name[] = {"mov", "add", "mul", "mad", "lerp"},
                             *const scale[] = {".eighth", ".quarter", ".half", "", ".2x", ".4x", ".8x"};
    static const char *const source[] = {"T0", "T1", "T2", "F"}, *const literal[] = {"0",    "1", "0.5", "-1",
                                                                                     "-0.5", "2", "-2"};
    size_t n = 0;
    buffer[0] = 0;
    for (unsigned i = 0; i < program->n; i++) {
        const struct inst *inst = &program->inst[i];
        n += (size_t)snprintf(buffer + n, size - n, "%s%s%s%s", i ? "; " : "", name[inst->op],
                              scale[inst->scale + 3], inst->sat ? ".sat" : "");
        for (unsigned k = 0; k < args_of(inst->op); k++) {
            unsigned arg = inst->arg[k];
            const char *base = arg >= EARLIER ? "%0"
                : arg >= ARG_LITERAL          ? literal[arg - ARG_LITERAL]
                                              : source[arg / MAPS];
            const char *mods = arg >= EARLIER ? maps[arg - EARLIER].text
                : arg >= ARG_LITERAL          ? ""
                                              : maps[arg % MAPS].text;
            n += (size_t)snprintf(buffer + n, size - n, "%s%s%s", k ? ", " : " ", base, mods);
        }
    }
    return buffer;
}

/* Returns the program whose value at x is that of `program` at the image of x under symmetry g. */
static struct program transformed(const struct program *program, unsigned sources, unsigned g)
{
    struct program out = *program;
    double zero[SOURCES] = {0}, at[SOURCES], base[SOURCES];
    points_transform(base, zero, sources, g);
    for (unsigned s = 0; s < sources; s++) {
        zero[s] = 0.25;
        points_transform(at, zero, sources, g);
        zero[s] = 0;
        for (unsigned i = 0; i < out.n; i++)
            for (unsigned k = 0; k < args_of(out.inst[i].op); k++) {
                unsigned arg = program->inst[i].arg[k];
                if (arg >= ARG_LITERAL || at[arg / MAPS] == base[arg / MAPS])
                    continue; /* this symmetry does not move source s to the argument's source */
                struct map m = maps[arg % MAPS];
                if (base[arg / MAPS] == 1)
                    m.t += m.m, m.m = -m.m;
                for (unsigned n = 0; n < MAPS; n++)
                    if (maps[n].m == m.m && maps[n].t == m.t)
                        out.inst[i].arg[k] = (uint8_t)(s * MAPS + n);
            }
    }
    return out;
}

bool program_fit(struct program *program, const struct points *p, const double *value)
{
    for (unsigned g = 0; g < p->nsymmetries; g++) {
        struct program out = transformed(program, p->sources, g);
        bool same = true, in = true;
        for (unsigned i = 0; i < p->n && same; i++) {
            double x[SOURCES] = {p->at[0][i], p->at[1][i], p->at[2][i], p->at[3][i]};
            same = program_value(&out, x, &in) == value[i];
        }
        if (same) {
            *program = out;
            return true;
        }
    }
    return false;
}
