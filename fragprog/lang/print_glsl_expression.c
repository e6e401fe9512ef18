/* Prints the computation of an instruction as a GLSL expression, with as few parentheses as possible. A value
 * is a float or a vecn of the channels in its mask; where values are folded (fragprog_glsl_simplify), a value
 * with equal channels is a float. */
#include "fragprog/lang/glsl.h"

#include "fragprog/alloc/bits.h"

const char *const fragprog_glsl_targets[TEXENV_TARGETS] = {"1D", "2D", "2DRect", "3D", "Cube"};

const char *fragprog_glsl_type(unsigned n)
{
    static const char *const names[] = {"", "float", "vec2", "vec3", "vec4"};
    return names[n];
}

/* A fast texenv_printf without a format, because most of the text consists of short words. */
void fragprog_glsl_say(const struct fragprog_glsl *g, const char *words)
{
    struct texenv_text *text = g->text;
    for (; *words; words++) {
        if (text->length + 1 < text->size) {
            text->data[text->length] = *words;
            text->data[text->length + 1] = '\0';
        }
        text->length++;
    }
}

/* Prints a floating-point literal, which has a point or an exponent. */
void fragprog_glsl_number(struct texenv_text *text, double value)
{
    char digits[32];
    struct texenv_text number;
    texenv_text_init(&number, digits, sizeof digits);
    texenv_printf(&number, "%f", value + 0.0);
    bool is_float = false;
    for (size_t i = 0; i < number.length; i++)
        is_float |= digits[i] == '.' || digits[i] == 'e';
    texenv_printf(text, "%s%s", digits, is_float ? "" : ".0");
}

unsigned fragprog_glsl_size(const struct fragprog_glsl *g, unsigned value)
{
    return g->value ? g->value[value].size : fragprog_count(g->p->inst[value].mask);
}

/* Opens a parenthesis if an operator of level `own` occurs where `level` is required. */
static bool open(const struct fragprog_glsl *g, unsigned own, unsigned level)
{
    fragprog_glsl_say(g, own < level ? "(" : "");
    return own < level;
}

static void close(const struct fragprog_glsl *g, bool opened) { fragprog_glsl_say(g, opened ? ")" : ""); }

/* Prints n equal components. */
static void print_number(const struct fragprog_glsl *g, double x, unsigned n, unsigned level)
{
    texenv_printf(g->text, n > 1 ? "%s(" : "", fragprog_glsl_type(n));
    const bool opened = n == 1 && x < 0 && open(g, FRAGPROG_GLSL_SIGN, level);
    fragprog_glsl_number(g->text, x);
    close(g, opened || n > 1);
}

/* ---- sources ---- */

/* Returns true if lane c of a source is a known number. */
static bool is_number(const struct fragprog_glsl *g, const struct fragprog_src *src, unsigned c, double *x)
{
    static const double literal[] = {0, 1, 0.5};
    if (c >= FRAGPROG_ZERO) {
        *x = literal[c - FRAGPROG_ZERO];
        return true;
    }
    if (src->file != FRAGPROG_CONST)
        return false;
    const struct fragprog_channel k = fragprog_const_channel(g->p, src->index, c, g->options);
    *x = k.value;
    return k.origin < 0;
}

/* Returns the number of components of a source; 1: it is a float. */
static unsigned size_of(const struct fragprog_glsl *g, const struct fragprog_src *src)
{
    switch (src->file) {
    case FRAGPROG_VALUE: return fragprog_glsl_size(g, src->index);
    case FRAGPROG_SECONDARY: return g->secondary_size;
    case FRAGPROG_COORD: return g->coord_size[src->index];
    case FRAGPROG_FOGCOORD: return 1;
    case FRAGPROG_ATTRIB: return src->index == FRAGPROG_ATTRIB_FOGCOORD ? 1 : 4;
    default: return 4;
    }
}

/* Returns the index of channel c among the components of a source. */
static unsigned component_of(const struct fragprog_glsl *g, const struct fragprog_src *src, unsigned c)
{
    if (src->file == FRAGPROG_VALUE)
        return fragprog_count(g->p->inst[src->index].mask & ((1u << c) - 1));
    return src->file == FRAGPROG_CONST ? fragprog_const_channel(g->p, src->index, c, g->options).component
                                       : c;
}

static void print_constant(struct fragprog_glsl *g, int32_t origin)
{
    if (origin >= FRAGPROG_ORIGINS) {
        fragprog_print_parameter(g->text, origin, g->options);
        return;
    }
    fragprog_glsl_name(g,
                       origin < FRAGPROG_ORIGIN_GLOBAL      ? g->d->env
                           : origin < FRAGPROG_ORIGIN_LOCAL ? "program_env"
                                                            : "program_local");
    texenv_printf(g->text, "[%d]", (int)origin % TEXENV_UNITS);
}

/* Prints the variable of which lane c is a component (lane c must not be a number). For a folded value,
 * prints its expression. */
static void print_base(struct fragprog_glsl *g, const struct fragprog_src *src, unsigned c, unsigned level)
{
    switch (src->file) {
    case FRAGPROG_VALUE:
        if (g->value && g->value[src->index].folded)
            fragprog_glsl_expression(g, src->index, level);
        else
            fragprog_glsl_value_name(g, src->index);
        break;
    case FRAGPROG_PRIMARY: fragprog_glsl_color(g, "primary"); break;
    case FRAGPROG_SECONDARY: fragprog_glsl_color(g, "secondary"); break;
    case FRAGPROG_COORD:
        if (fragprog_glsl_is_sprite(g, src->index)) {
            fragprog_glsl_say(g, g->options->lower_left ? "point_coord" : "gl_PointCoord");
            break;
        }
        fragprog_glsl_name(g, g->d->coord);
        texenv_printf(g->text, "%u%s", (unsigned)src->index, g->d->coord_end);
        break;
    case FRAGPROG_FOGCOORD: fragprog_glsl_name(g, g->d->fog_coord); break;
    case FRAGPROG_POSITION: fragprog_glsl_say(g, "gl_FragCoord"); break;
    case FRAGPROG_ATTRIB: fragprog_glsl_attribute(g, src->index); break;
    default: print_constant(g, fragprog_const_channel(g->p, src->index, c, g->options).origin);
    }
}

/* Returns the number of these lanes, from the first on, that are components of one variable with one sign. */
static unsigned run_of(const struct fragprog_glsl *g, const struct fragprog_src *src, const uint8_t *lane,
                       unsigned n)
{
    double x;
    unsigned i = 1;
    if (is_number(g, src, src->lane[lane[0]], &x))
        return 1;
    for (; i < n; i++) {
        const unsigned a = src->lane[lane[0]], b = src->lane[lane[i]];
        if ((src->negate >> lane[i] & 1) != (src->negate >> lane[0] & 1) || is_number(g, src, b, &x) ||
            (src->file == FRAGPROG_CONST &&
             fragprog_const_channel(g->p, src->index, a, g->options).origin !=
                 fragprog_const_channel(g->p, src->index, b, g->options).origin))
            break;
    }
    return i;
}

/* Returns true if all of these lanes are the same number. */
static bool is_one_number(const struct fragprog_glsl *g, const struct fragprog_src *src, const uint8_t *lane,
                          unsigned n, double *x)
{
    double y;
    for (unsigned i = 0; i < n; i++) {
        if (!is_number(g, src, src->lane[lane[i]], &y))
            return false;
        y = src->negate >> lane[i] & 1 ? -y : y;
        if (i && y != *x)
            return false;
        *x = y;
    }
    return true;
}

/* Prints lanes that are components of one variable with one sign. */
static void print_run(struct fragprog_glsl *g, const struct fragprog_src *src, const uint8_t *lane,
                      unsigned n, unsigned level)
{
    const unsigned size = size_of(g, src);
    const bool negated = src->negate >> lane[0] & 1, wide = size == 1 && n > 1;
    const char *const names = g->p->unbounded || src->file == FRAGPROG_COORD ? "xyzw" : "rgba";
    bool whole = size == 1 || n == size;
    for (unsigned i = 0; i < n && size > 1; i++)
        whole &= component_of(g, src, src->lane[lane[i]]) == i;
    if (wide)
        texenv_printf(g->text, "%s(", fragprog_glsl_type(n));
    const bool opened = negated && open(g, FRAGPROG_GLSL_SIGN, wide ? FRAGPROG_GLSL_ANY : level);
    fragprog_glsl_say(g, negated ? "-" : "");
    print_base(g, src, src->lane[lane[0]],
               negated || !whole ? FRAGPROG_GLSL_NAME
                   : wide        ? FRAGPROG_GLSL_ANY
                                 : level);
    fragprog_glsl_say(g, whole ? "" : ".");
    for (unsigned i = 0; i < n && !whole; i++)
        texenv_printf(g->text, "%c", names[component_of(g, src, src->lane[lane[i]])]);
    close(g, opened);
    close(g, wide);
}

void fragprog_glsl_lanes(struct fragprog_glsl *g, const struct fragprog_src *src, const uint8_t *lane,
                         unsigned n, unsigned level)
{
    double x;
    if (is_one_number(g, src, lane, n, &x)) {
        print_number(g, x, n, level);
        return;
    }
    unsigned run = run_of(g, src, lane, n);
    if (run == n) {
        print_run(g, src, lane, n, level);
        return;
    }
    texenv_printf(g->text, "%s(", fragprog_glsl_type(n));
    for (unsigned i = 0; i < n; i += run) {
        run = run_of(g, src, lane + i, n - i);
        fragprog_glsl_say(g, i ? ", " : "");
        fragprog_glsl_lanes(g, src, lane + i, run, FRAGPROG_GLSL_ANY);
    }
    fragprog_glsl_say(g, ")");
}

/* Returns true if the source is the same literal in all of these lanes; *x has its value with modifiers. */
static bool is_literal(const struct fragprog_src *src, const uint8_t *lane, unsigned n, double *x)
{
    unsigned lanes = 0;
    for (unsigned i = 0; i < n; i++)
        lanes |= 1u << lane[i];
    return fragprog_literal_value(src, lanes, x);
}

bool fragprog_glsl_is_float(const struct fragprog_glsl *g, const struct fragprog_src *src,
                            const uint8_t *lane, unsigned n)
{
    double x;
    if (n == 1 || is_literal(src, lane, n, &x) || is_one_number(g, src, lane, n, &x))
        return true;
    if (run_of(g, src, lane, n) < n)
        return false;
    bool same = true;
    for (unsigned i = 1; i < n; i++)
        same &= src->lane[lane[i]] == src->lane[lane[0]];
    return same || size_of(g, src) == 1;
}

void fragprog_glsl_argument(struct fragprog_glsl *g, const struct fragprog_inst *inst, unsigned s,
                            const uint8_t *lane, unsigned n, unsigned level)
{
    struct fragprog_src src = inst->src[s];
    double x;
    if (is_literal(&src, lane, n, &x)) {
        print_number(g, x, n, level);
        return;
    }
    if (src.mods == FRAGPROG_NEG) {
        src.negate ^= FRAGPROG_MASK_XYZW;
        src.mods = 0;
    }
    const struct fragprog_affine a = fragprog_affine_of(src.mods & ~(unsigned)FRAGPROG_ABS);
    const bool twice = a.m == 2 || a.m == -2, from = a.m < 0 && a.t > 0;
    const bool opened = open(g,
                             a.t != 0      ? FRAGPROG_GLSL_SUM
                                 : twice   ? FRAGPROG_GLSL_PRODUCT
                                 : a.m < 0 ? FRAGPROG_GLSL_SIGN
                                           : FRAGPROG_GLSL_NAME,
                             level);
    if (from) {
        fragprog_glsl_number(g->text, a.t);
        fragprog_glsl_say(g, " - ");
    } else if (a.m < 0) {
        fragprog_glsl_say(g, "-");
    }
    fragprog_glsl_say(g, twice ? "2.0 * " : "");
    if (src.mods & FRAGPROG_ABS) {
        fragprog_glsl_say(g, "abs(");
        fragprog_glsl_lanes(g, &src, lane, n, FRAGPROG_GLSL_ANY);
        fragprog_glsl_say(g, ")");
    } else {
        fragprog_glsl_lanes(g, &src, lane, n,
                            twice          ? FRAGPROG_GLSL_SIGN
                                : from     ? FRAGPROG_GLSL_PRODUCT
                                : a.m < 0  ? FRAGPROG_GLSL_NAME
                                : a.t != 0 ? FRAGPROG_GLSL_SUM
                                           : level);
    }
    if (a.t != 0 && !from) {
        fragprog_glsl_say(g, a.t < 0 ? " - " : " + ");
        fragprog_glsl_number(g->text, a.t < 0 ? -a.t : a.t);
    }
    close(g, opened);
}

/* ---- lookups ---- */

/* Prints the lookup call. It returns a vec4, or a float for comparisons in versions that return one. */
static void print_call(struct fragprog_glsl *g, const struct fragprog_inst *inst)
{
    static const unsigned coordinates[TEXENV_TARGETS] = {1, 2, 2, 3, 3};
    const bool biased = inst->op == FRAGPROG_TXB, divided = !biased && fragprog_lanes_read(inst, 0) & 8,
               old = g->d->version < 130;
    texenv_printf(g->text, "%s%s%s%s(%stexture%u, ", old && inst->shadow ? "shadow" : "texture",
                  old ? fragprog_glsl_targets[inst->target] : "", divided ? "Proj" : "",
                  g->d->version == 100 && inst->shadow ? "EXT" : "", fragprog_prefix(g->options),
                  (unsigned)inst->texture);
    struct fragprog_src src = inst->src[0];
    for (unsigned i = 0; i < 4; i++)
        if (!(fragprog_lanes_read(inst, 0) >> i & 1) && src.file != FRAGPROG_COORD)
            src.lane[i] = src.lane[0]; /* lanes that are not read must exist, too */
    fragprog_glsl_lanes(g, &src, fragprog_in_place,
                        divided            ? 4
                            : inst->shadow ? 3
                                           : coordinates[inst->target],
                        FRAGPROG_GLSL_ANY);
    if (biased) {
        fragprog_glsl_say(g, ", ");
        fragprog_glsl_lanes(g, &src, &fragprog_in_place[3], 1, FRAGPROG_GLSL_ANY);
    }
    fragprog_glsl_say(g, ")");
}

/* Returns whether channel c of a lookup with comparison holds the result of the comparison, rather than 0 or
 * 1. */
static bool has_depth(const struct fragprog_glsl *g, const struct fragprog_inst *inst, unsigned c)
{
    const bool alpha = c == 3;
    return g->p->unbounded                ? !alpha /* luminance, GL's initial depth mode */
        : inst->base == TEXENV_BASE_ALPHA ? alpha
        : inst->base == TEXENV_RED        ? c == 0
        : inst->base == TEXENV_LUMINANCE  ? !alpha
                                          : true;
}

/* From GLSL 1.30 on, and in ES, a comparison returns a float. In earlier versions it returns a vec4, in which
 * GL has applied the depth mode. */
bool fragprog_glsl_gives_one(const struct fragprog_glsl *g, const struct fragprog_inst *inst)
{
    return inst->shadow && (g->d->version >= 130 || g->d->es);
}

bool fragprog_glsl_is_all_depth(const struct fragprog_glsl *g, const struct fragprog_inst *inst)
{
    bool all = fragprog_glsl_gives_one(g, inst);
    for (unsigned c = 0; c < 4; c++)
        all &= !(inst->mask >> c & 1) || has_depth(g, inst, c);
    return all;
}

/* Prints the result of a comparison in its channels: "vec4(vec3(texture(...)), 1.0)". */
static void print_comparison(struct fragprog_glsl *g, const struct fragprog_inst *inst, const uint8_t *lane,
                             unsigned n)
{
    unsigned run;
    texenv_printf(g->text, n > 1 ? "%s(" : "", fragprog_glsl_type(n));
    for (unsigned i = 0; i < n; i += run) {
        const bool depth = has_depth(g, inst, lane[i]);
        for (run = 1; i + run < n && has_depth(g, inst, lane[i + run]) == depth &&
             (depth || (lane[i + run] == 3) == (lane[i] == 3));)
            run++;
        const bool wide = run > 1 && run < n;
        texenv_printf(g->text, wide ? "%s%s(" : "%s", i ? ", " : "", fragprog_glsl_type(run));
        if (depth)
            print_call(g, inst);
        else
            fragprog_glsl_say(g, lane[i] == 3 ? "1.0" : "0.0");
        close(g, wide);
    }
    close(g, n > 1);
}

static void print_lookup(struct fragprog_glsl *g, const struct fragprog_inst *inst, const uint8_t *lane,
                         unsigned n)
{
    if (fragprog_glsl_gives_one(g, inst)) {
        print_comparison(g, inst, lane, n);
        return;
    }
    print_call(g, inst);
    fragprog_glsl_say(g, n < 4 ? "." : "");
    for (unsigned i = 0; i < n && n < 4; i++)
        texenv_printf(g->text, "%c", (g->p->unbounded ? "xyzw" : "rgba")[lane[i]]);
}

/* ---- arithmetic ---- */

static void print_dot(struct fragprog_glsl *g, const struct fragprog_inst *inst)
{
    unsigned n = inst->op == FRAGPROG_DOT4 ? 4 : inst->op == FRAGPROG_DOT3 ? 3 : 2;
    fragprog_glsl_say(g, "dot(");
    fragprog_glsl_argument(g, inst, 0, fragprog_in_place, n, FRAGPROG_GLSL_ANY);
    fragprog_glsl_say(g, ", ");
    fragprog_glsl_argument(g, inst, 1, fragprog_in_place, n, FRAGPROG_GLSL_ANY);
    fragprog_glsl_say(g, ")");
    if (inst->op == FRAGPROG_DOT2ADD) {
        fragprog_glsl_say(g, " + ");
        fragprog_glsl_argument(g, inst, 2, &fragprog_in_place[2], 1, FRAGPROG_GLSL_SUM);
    }
}

/* Prints VEC as a constructor of a vector, whose channels come from different arguments. */
static void print_vec(struct fragprog_glsl *g, const struct fragprog_inst *inst, const uint8_t *lane,
                      unsigned n)
{
    unsigned run;
    texenv_printf(g->text, n > 1 ? "%s(" : "", fragprog_glsl_type(n));
    for (unsigned i = 0; i < n; i += run) {
        const bool second = inst->src[0].lane[lane[i]] == FRAGPROG_ZERO;
        for (run = 1; i + run < n && (inst->src[0].lane[lane[i + run]] == FRAGPROG_ZERO) == second;)
            run++;
        fragprog_glsl_say(g, i ? ", " : "");
        fragprog_glsl_lanes(g, &inst->src[second], &lane[i], run, FRAGPROG_GLSL_ANY);
    }
    close(g, n > 1);
}

/* Returns the level that an argument at this position of a template must have. In bounded programs, which
 * have no infinities, sums and products may be reassociated, so that fewer parentheses are needed. */
static unsigned level_at(const struct fragprog_glsl *g, const char *form, const char *at)
{
    const char before = at - form > 1 ? at[-2] : '(', after = at[2] == ' ' ? at[3] : ')';
    if (before == '/' || (before == '*' && g->p->unbounded))
        return FRAGPROG_GLSL_SIGN;
    if (before == '*' || before == '-' || (before == '+' && g->p->unbounded) || after == '*' || after == '/')
        return FRAGPROG_GLSL_PRODUCT;
    return before == '+' || (after != ')' && after != ':' && after != '?') ? FRAGPROG_GLSL_SUM
                                                                           : FRAGPROG_GLSL_ANY;
}

/* If the argument can be printed with a minus in front, removes the negation from *src and returns true. */
static bool take_minus(const struct fragprog_glsl *g, struct fragprog_src *src, const uint8_t *lane,
                       unsigned n)
{
    const unsigned sign = src->mods == FRAGPROG_NEG ? FRAGPROG_MASK_XYZW : 0;
    double x;
    if (is_literal(src, lane, n, &x))
        return x < 0 && fragprog_literal_source(src, -x);
    if (src->mods & ~(unsigned)FRAGPROG_NEG || is_one_number(g, src, lane, n, &x))
        return false;
    for (unsigned i = 0; i < n; i++)
        if (!((src->negate ^ sign) >> lane[i] & 1))
            return false;
    src->negate = src->mods = 0;
    return true;
}

void fragprog_glsl_form(struct fragprog_glsl *g, const struct fragprog_inst *inst, const char *form,
                        const uint8_t *lane, unsigned n)
{
    struct fragprog_inst copy = *inst;
    const char *const start = form;
    bool vector = false; /* some argument is a vector, so that others may be floats */
    bool minus = false;  /* the argument is subtracted, where the form adds it */
    for (unsigned s = 0; s < fragprog_op_args(inst->op); s++)
        vector |= !fragprog_glsl_is_float(g, &inst->src[s], lane, n);
    for (; *form; form++) {
        if (*form == '$' || *form == '@') {
            const unsigned level = minus ? FRAGPROG_GLSL_PRODUCT : level_at(g, start, form);
            const unsigned s = (unsigned)(form[1] - '0');
            const bool one = *form++ == '$' && vector && fragprog_glsl_is_float(g, &copy.src[s], lane, n);
            fragprog_glsl_argument(g, &copy, s, lane, one ? 1 : n, level);
            minus = false;
        } else if (*form == 'N') { /* the type */
            fragprog_glsl_say(g, fragprog_glsl_type(n));
        } else {
            const bool plus = form[0] == '+' && form[2] == '$';
            minus = plus ? take_minus(g, &copy.src[form[3] - '0'], lane, n) : minus;
            const char c[] = {plus && minus ? '-' : *form, '\0'};
            fragprog_glsl_say(g, c);
        }
    }
}

/* Returns the level of the operator with which an operation is printed. */
static unsigned level_of(const struct fragprog_glsl *g, const struct fragprog_inst *inst, unsigned n)
{
    if (fragprog_glsl_is_assembly(g, inst))
        return FRAGPROG_GLSL_ANY;
    switch (inst->op) {
    case FRAGPROG_ADD:
    case FRAGPROG_SUB:
    case FRAGPROG_MAD:
    case FRAGPROG_DOT2ADD: return FRAGPROG_GLSL_SUM;
    case FRAGPROG_MUL:
    case FRAGPROG_PROJ: return FRAGPROG_GLSL_PRODUCT;
    case FRAGPROG_CND:
    case FRAGPROG_CND0: return n == 1 ? FRAGPROG_GLSL_ANY : FRAGPROG_GLSL_NAME;
    default: return FRAGPROG_GLSL_NAME;
    }
}

static void print_arithmetic(struct fragprog_glsl *g, const struct fragprog_inst *inst, const uint8_t *lane,
                             unsigned n)
{
    static const char *const forms[FRAGPROG_OPS] = {
        [FRAGPROG_ADD] = "$0 + $1",
        [FRAGPROG_MUL] = "$0 * $1",
        [FRAGPROG_SUB] = "$0 - $1",
        [FRAGPROG_MAD] = "$0 * $1 + $2",
        [FRAGPROG_LERP] = "mix(@2, @1, $0)",
        [FRAGPROG_CND] = "mix(@1, @0, N(greaterThan(@2, N(0.5))))",
        [FRAGPROG_CND0] = "mix(@1, @0, N(greaterThanEqual(@2, N(0.0))))"};
    static const uint8_t divisor = 3;
    if (fragprog_glsl_is_assembly(g, inst)) {
        fragprog_glsl_assembly(g, inst, lane, n);
    } else if (fragprog_op_is_dot(inst->op)) {
        texenv_printf(g->text, n > 1 ? "%s(" : "", fragprog_glsl_type(n));
        print_dot(g, inst);
        close(g, n > 1);
    } else if (inst->op == FRAGPROG_VEC) {
        print_vec(g, inst, lane, n);
    } else if (inst->op == FRAGPROG_PROJ) {
        fragprog_glsl_argument(g, inst, 0, lane, n, FRAGPROG_GLSL_PRODUCT);
        fragprog_glsl_say(g, " / ");
        fragprog_glsl_argument(g, inst, 0, &divisor, 1, FRAGPROG_GLSL_SIGN);
    } else if (n == 1 && inst->op == FRAGPROG_CND) {
        fragprog_glsl_form(g, inst, "$2 > 0.5 ? $0 : $1", lane, 1);
    } else if (n == 1 && inst->op == FRAGPROG_CND0) {
        fragprog_glsl_form(g, inst, "$2 >= 0.0 ? $0 : $1", lane, 1);
    } else {
        fragprog_glsl_form(g, inst, forms[inst->op], lane, n);
    }
}

static void print_scaled(struct fragprog_glsl *g, const struct fragprog_inst *inst, const uint8_t *lane,
                         unsigned n, unsigned level)
{
    static const char *const scales[] = {" * 0.125", " * 0.25", " * 0.5", "", " * 2.0", " * 4.0", " * 8.0"};
    const bool scaled = inst->scale && open(g, FRAGPROG_GLSL_PRODUCT, level);
    if (inst->scale)
        level = FRAGPROG_GLSL_PRODUCT;
    if (inst->op == FRAGPROG_MOV) {
        fragprog_glsl_argument(g, inst, 0, lane, n, level);
    } else {
        const bool opened = open(g, level_of(g, inst, n), level);
        print_arithmetic(g, inst, lane, n);
        close(g, opened);
    }
    fragprog_glsl_say(g, scales[inst->scale + 3]);
    close(g, scaled);
}

void fragprog_glsl_computation(struct fragprog_glsl *g, const struct fragprog_inst *inst, const uint8_t *lane,
                               unsigned n, unsigned level)
{
    static const char *const clamps[] = {
        [FRAGPROG_NO_CLAMP] = "", [FRAGPROG_SAT] = ", 0.0, 1.0)", [FRAGPROG_SAT8] = ", -8.0, 8.0)"};
    if (fragprog_op_is_lookup(inst->op)) {
        print_lookup(g, inst, lane, n);
        return;
    }
    fragprog_glsl_say(g, inst->clamp ? "clamp(" : "");
    print_scaled(g, inst, lane, n, inst->clamp ? FRAGPROG_GLSL_ANY : level);
    fragprog_glsl_say(g, clamps[inst->clamp]);
}

unsigned fragprog_glsl_channels(const struct fragprog_inst *inst, uint8_t *lane)
{
    unsigned n = 0;
    for (unsigned c = 0; c < 4; c++)
        if (inst->mask >> c & 1)
            lane[n++] = (uint8_t)c;
    return n;
}

void fragprog_glsl_expression(struct fragprog_glsl *g, unsigned value, unsigned level)
{
    uint8_t lane[4];
    const unsigned n = fragprog_glsl_channels(&g->p->inst[value], lane);
    fragprog_glsl_computation(g, &g->p->inst[value], lane, fragprog_glsl_size(g, value) == 1 ? 1 : n, level);
}
