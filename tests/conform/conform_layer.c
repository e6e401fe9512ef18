/* A texture environment layer with selectable faults, each one like a fault of a real implementation. It
 * implements the callback of examples/conform.h by a small evaluator in floats, written for this test from
 * the specifications; it shares no code with the library and the oracle.
 *
 *   conform_layer [NAME of a fault | --list | --exact]      --exact: without a fault, to the last step
 */
#include "conform.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The name of the fault, and the function that the runner must report as failing. */
#define FAULTS(F) \
    F(operand_complement, "GL_ONE_MINUS_SRC") \
    F(operand_alpha, "GL_INTERPOLATE") \
    F(scale_dropped, "GL_RGB_SCALE") \
    F(alpha_scale_dropped, "GL_ALPHA_SCALE") \
    F(constants_shared, "2 units") \
    F(decal_is_modulate, "GL_DECAL") \
    F(alpha_passed_through, "GL_COMBINE") \
    F(dot3_four_times, "GL_DOT3_RGB") \
    F(dot3_rgba_is_modulate, "GL_DOT3_RGBA") \
    F(blend_with_primary, "GL_BLEND") \
    F(blend_twice, "GL_BLEND") \
    F(unknown_source_is_previous, "GL_TEXTURE1") \
    F(no_clamp_after_add, "2 units: add") \
    F(no_clamp_after_scale, "2 units: signed") \
    F(signed_without_bias, "GL_ADD_SIGNED") \
    F(formats_ignored, "of GL_") \
    F(combine_scale_in_classic, "GL_RGB_SCALE while") \
    F(interpolate_reversed, "GL_INTERPOLATE") \
    F(subtract_reversed, "GL_SUBTRACT") \
    F(add_alpha_added, "GL_ADD of") \
    F(fog_not_clamped, "GL_FOG_MODE") \
    F(fog_takes_alpha, "fog") \
    F(alpha_test_off_by_equal, "GL_ALPHA_TEST") \
    F(color_sum_missing, "GL_COLOR_SUM") \
    F(primary_is_previous, "GL_PRIMARY_COLOR after") \
    F(disabled_unit_ends, "unit 0 without")

#define ENUM(name, text) name,
enum fault { NONE, FAULTS(ENUM) LAST };
#define ROW(name, text) {#name, text},
static const struct {
    const char *name, *fails;
} rows[] = {{"none", ""}, FAULTS(ROW)};

static enum fault fault;

struct half {
    unsigned function, source[4], operand[4], scale;
};
struct unit {
    unsigned mode, format;
    struct half half[2]; /* rgb, alpha */
    float texel[4], color[4];
};
struct draw {
    struct unit unit[8];
    unsigned units;
    float primary[4], previous[4];
};

enum { COMBINE = 0x8570, COMBINE4 = 0x8503, DOT3_RGB = 0x86AE, DOT3_RGBA = 0x86AF };

static float clamp(float x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

static void to_floats(float out[4], const unsigned char in[4])
{
    for (int i = 0; i < 4; i++)
        out[i] = (float)in[i] / 255;
}

/* ---- a state ---- */

/* Base formats: OpenGL 2.1, table 3.21. */
static void expand(struct unit *u, const unsigned char texel[4])
{
    const float full[] = {texel[0] / 255.f, texel[1] / 255.f, texel[2] / 255.f, texel[3] / 255.f};
    const int has_rgb = u->format != 0x1906;
    const int grey = u->format == 0x1909 || u->format == 0x190A || u->format == 0x8049;
    if (fault == formats_ignored)
        u->format = 0x1908;
    for (int i = 0; i < 3; i++)
        u->texel[i] = u->format == 0x1908 ? full[i] : !has_rgb ? 0 : grey ? full[0] : full[i];
    u->texel[3] = u->format == 0x8049 ? full[0] : u->format == 0x1907 || u->format == 0x1909 ? 1 : full[3];
}

static void set_env(struct unit *u, unsigned name, unsigned value)
{
    const unsigned is_alpha = name >> 3 & 1;
    switch (name) {
    case 0x2200: u->mode = value; break;
    case 0x8571: u->half[0].function = value; break;
    case 0x8572: u->half[1].function = value; break;
    case 0x8573: u->half[0].scale = value; break;
    case 0x0D1C: u->half[1].scale = value; break;
    default:
        if (name < 0x8590)
            u->half[is_alpha].source[name & 3] = value;
        else
            u->half[is_alpha].operand[name & 3] = value;
    }
}

static void set_unit(struct unit *u, const struct texenv_vector_unit *v)
{
    static const struct half rgb = {0x2100, {0x1702, 0x8578, 0x8576, 0}, {0x300, 0x300, 0x302, 0x301}, 1};
    static const struct half alpha = {0x2100, {0x1702, 0x8578, 0x8576, 0}, {0x302, 0x302, 0x302, 0x303}, 1};
    u->mode = 0x2100;
    u->format = v->format;
    u->half[0] = rgb;
    u->half[1] = alpha;
    for (unsigned i = 0; i < v->envs; i++)
        set_env(u, texenv_vector_envs[v->env + i][0], texenv_vector_envs[v->env + i][1]);
    expand(u, v->texel);
    to_floats(u->color, v->color);
}

/* ---- OpenGL 2.1, 3.8.13 ---- */

static void classic(const struct draw *d, const struct unit *u, float out[4])
{
    const int rgb = u->format != 0x1906;
    const int intensity = u->format == 0x8049, no_alpha = u->format == 0x1907 || u->format == 0x1909;
    const float *p = d->previous, *t = u->texel, *c = fault == blend_with_primary ? d->primary : u->color;
    memcpy(out, p, 4 * sizeof *out);
    for (int i = 0; i < 3 && rgb; i++)
        switch (u->mode) {
        case 0x1E01: out[i] = t[i]; break;
        case 0x0104: out[i] = p[i] + t[i]; break;
        case 0x0BE2:
            out[i] = p[i] * (1 - t[i]) + c[i] * t[i];
            if (fault == blend_twice)
                out[i] = out[i] * (1 - t[i]) + c[i] * t[i];
            break;
        case 0x2101:
            out[i] = fault == decal_is_modulate ? p[i] * t[i] : p[i] * (1 - t[3]) + t[i] * t[3];
            break;
        default: out[i] = p[i] * t[i];
        }
    if (u->mode == 0x2101 || no_alpha)
        return;
    if (u->mode == 0x1E01)
        out[3] = t[3];
    else if (u->mode == 0x0BE2 && intensity)
        out[3] = p[3] * (1 - t[3]) + c[3] * t[3];
    else if (u->mode == 0x0104 && (intensity || fault == add_alpha_added))
        out[3] = p[3] + t[3];
    else
        out[3] = p[3] * t[3];
}

static const float *source(const struct draw *d, unsigned number, unsigned word, int *disabled)
{
    static const float zero[4], one[] = {1, 1, 1, 1};
    if (word == 0x8576)
        return fault == constants_shared ? d->unit[0].color : d->unit[number].color;
    if (word == 0x8577)
        return fault == primary_is_previous ? d->previous : d->primary;
    if (word == 0x8578)
        return d->previous;
    if (word < 2)
        return word ? one : zero;
    if (word != 0x1702 && fault == unknown_source_is_previous)
        return d->previous;
    word = word == 0x1702 ? number : word - 0x84C0;
    *disabled |= word >= d->units || !d->unit[word].format;
    return d->unit[word % 8].texel;
}

static float argument(const struct draw *d, unsigned number, int slot, int channel, int *disabled)
{
    const struct half *h = &d->unit[number].half[channel == 3];
    const float *s = source(d, number, h->source[slot], disabled);
    const unsigned operand = h->operand[slot];
    const float x = operand >= 0x302 && fault != operand_alpha ? s[3] : s[channel];
    return operand & 1 && fault != operand_complement ? 1 - x : x;
}

static float formula(const struct draw *d, unsigned number, int channel, int *disabled)
{
    const unsigned function = d->unit[number].half[channel == 3].function;
    float a[4] = {0};
    const int four = d->unit[number].mode == COMBINE4, ati = function >= 0x8744 && function <= 0x8746;
    const int count = four ? 4 : function == 0x1E01 ? 1 : function == 0x8575 || ati ? 3 : 2;
    for (int i = 0; i < count; i++)
        a[i] = argument(d, number, i, channel, disabled);
    if (four)
        return a[0] * a[1] + a[2] * a[3] - (function == 0x8574 ? .5f : 0);
    switch (function) {
    case 0x1E01: return a[0];
    case 0x0104: return a[0] + a[1];
    case 0x8574: return a[0] + a[1] - (fault == signed_without_bias ? 0 : .5f);
    case 0x84E7: return fault == subtract_reversed ? a[1] - a[0] : a[0] - a[1];
    case 0x8575:
        return fault == interpolate_reversed ? a[1] * a[2] + a[0] * (1 - a[2])
                                             : a[0] * a[2] + a[1] * (1 - a[2]);
    case 0x8744: return a[0] * a[2] + a[1];
    case 0x8745: return a[0] * a[2] + a[1] - .5f;
    case 0x8746: return a[0] * a[2] - a[1];
    default: return a[0] * a[1];
    }
}

static float dot(const struct draw *d, unsigned number, int *disabled)
{
    float sum = 0;
    for (int i = 0; i < 3; i++)
        sum += (argument(d, number, 0, i, disabled) - .5f) * (argument(d, number, 1, i, disabled) - .5f);
    return sum * (fault == dot3_four_times ? 16 : 4);
}

static void combine(const struct draw *d, unsigned number, float out[4])
{
    const struct unit *u = &d->unit[number];
    const unsigned rgb = u->half[0].function;
    const int dots = u->mode == COMBINE &&
        (rgb == DOT3_RGB || (rgb == DOT3_RGBA && fault != dot3_rgba_is_modulate));
    int disabled = 0;
    for (int i = 0; i < 4; i++) {
        const int alpha = i == 3 && !(dots && rgb == DOT3_RGBA);
        const int dropped = fault == (i == 3 ? alpha_scale_dropped : scale_dropped);
        out[i] = dots && !alpha ? dot(d, number, &disabled) : formula(d, number, i, &disabled);
        out[i] *= dropped ? 1 : (float)u->half[i == 3].scale;
    }
    if (fault == alpha_passed_through && !(dots && rgb == DOT3_RGBA))
        out[3] = d->previous[3];
    if (disabled) /* ARB_texture_env_crossbar: like a disabled unit */
        memcpy(out, d->previous, 4 * sizeof *out);
}

static void run_unit(struct draw *d, unsigned number)
{
    const struct unit *u = &d->unit[number];
    const int combines = u->mode == COMBINE || u->mode == COMBINE4;
    float out[4];
    combines ? combine(d, number, out) : classic(d, u, out);
    if (fault == combine_scale_in_classic && !combines)
        for (int i = 0; i < 3; i++)
            out[i] *= (float)u->half[0].scale;
    for (int i = 0; i < 4; i++) {
        const int open = (fault == no_clamp_after_add && combines && u->half[i == 3].function == 0x0104) ||
            (fault == no_clamp_after_scale && combines && u->half[i == 3].scale > 1);
        d->previous[i] = open ? out[i] : clamp(out[i]);
    }
}

/* ---- after texturing ---- */

static void fog(const struct texenv_vector_fog *f, float color[4])
{
    const float x = f->density * f->depth;
    float amount = f->mode == 0x2601 ? (f->end - f->depth) / (f->end - f->start)
        : f->mode == 0x0800          ? expf(-x)
                                     : expf(-x * x);
    if (fault != fog_not_clamped)
        amount = clamp(amount);
    for (int i = 0; i < (fault == fog_takes_alpha ? 4 : 3); i++)
        color[i] = amount * color[i] + (1 - amount) * f->color[i] / 255;
}

static int passes(unsigned function, float alpha, float reference)
{
    const int less = alpha < reference - .001f, equal = fabsf(alpha - reference) <= .001f;
    const unsigned bits = function - 0x200; /* GL_NEVER + bits: less 1, equal 2, greater 4 */
    if (fault == alpha_test_off_by_equal && equal)
        return !(bits >> 1 & 1);
    return (int)(less ? bits & 1 : equal ? bits >> 1 & 1 : bits >> 2 & 1);
}

static int draw(void *user, const struct texenv_vector *v, unsigned char rgba[4])
{
    static struct draw d;
    (void)user;
    memset(&d, 0, sizeof d);
    d.units = v->units;
    to_floats(d.primary, v->primary);
    memcpy(d.previous, d.primary, sizeof d.previous);
    for (unsigned u = 0; u < d.units; u++)
        if (texenv_vector_units[v->unit + u].format)
            set_unit(&d.unit[u], &texenv_vector_units[v->unit + u]);
    for (unsigned u = 0; u < d.units; u++)
        if (d.unit[u].format)
            run_unit(&d, u);
        else if (fault == disabled_unit_ends)
            break;
    for (int i = 0; i < 4; i++)
        d.previous[i] = clamp(d.previous[i]);
    for (int i = 0; v->color_sum && fault != color_sum_missing && i < 3; i++)
        d.previous[i] = clamp(d.previous[i] + v->secondary[i] / 255.f);
    if (v->fog >= 0)
        fog(&texenv_vector_fogs[v->fog], d.previous);
    for (int i = 0; i < 4; i++)
        rgba[i] = (unsigned char)(clamp(d.previous[i]) * 255 + .5f);
    if (v->alpha_test && !passes(v->alpha_test, d.previous[3], v->alpha_reference / 255.f))
        memcpy(rgba, texenv_vector_background, 4);
    return 1;
}

int main(int argc, char **argv)
{
    const int exact = argc > 1 && strcmp(argv[1], "--exact") == 0;
    const struct conform conform = {draw, NULL, NULL, 1, exact ? 0 : -1};
    for (unsigned i = 0; i < LAST; i++) {
        if (argc > 1 && strcmp(argv[1], "--list") == 0)
            printf("%s\t%s\n", rows[i].name, rows[i].fails);
        else if (argc > 1 && strcmp(argv[1], rows[i].name) == 0)
            fault = (enum fault)i;
    }
    return argc > 1 && strcmp(argv[1], "--list") == 0 ? 0 : conform_run(&conform);
}
