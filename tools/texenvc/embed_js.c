#include "embed_js.h"
#include "embed_values.h"
#include "recorded.h"
#include "web/web.h"

#include <stdlib.h>
#include <string.h>

/* ---- texts ---- */

/* Appends a string literal. "<" is escaped, because "</script>" would end the HTML script that contains it
 * (HTML, 13.1.2.6). */
static void add_string(struct buffer *b, const char *s)
{
    struct buffer json = {0};
    buffer_json_string(&json, s, strlen(s));
    for (const char *c = json.data; *c; c++)
        if (*c == '<')
            buffer_puts(b, "\\u003c");
        else
            buffer_add(b, c, 1);
    buffer_free(&json);
}

static void add_field(struct buffer *b, const char *name, const char *text)
{
    buffer_printf(b, "        %s: ", name);
    add_string(b, text ? text : "");
    buffer_puts(b, ",\n");
}

/* Appends a shader source as a template literal. GLSL does not contain the special characters of such
 * literals (`, \, ${). */
static void add_source(struct buffer *b, const char *stage, const struct buffer *source)
{
    buffer_printf(b, "        %s: `%s`,\n", stage, source->data);
}

/* ---- a pair ---- */

static void add_attributes(struct buffer *b, const struct reflection *r)
{
    const char *separator = "";
    buffer_puts(b, "        attributes: {");
    for (unsigned i = 0; i < r->n; i++)
        if (r->v[i].kind == KIND_ATTRIBUTE) {
            buffer_printf(b, "%s%s: %d", separator, r->v[i].name, r->v[i].location);
            separator = ", ";
        }
    buffer_puts(b, "},\n");
}

/* Appends filters and wrap modes of the texture, as far as the input specifies them. */
static void add_filters(struct buffer *b, const struct texenv_texture_info *t)
{
    static const char *const keys[] = {"min_filter", "mag_filter", "wrap_s", "wrap_t"};
    for (unsigned i = 0; t && i < sizeof keys / sizeof *keys; i++)
        if (texenv_filter_name(t->parameter[i]))
            buffer_printf(b, ", %s: \"%s\"", keys[i], texenv_filter_name(t->parameter[i]));
}

static void add_samplers(struct buffer *b, const struct reflection *r)
{
    buffer_puts(b, "        samplers: {");
    unsigned n = 0;
    for (unsigned i = 0; i < r->n; i++) {
        const struct variable *v = &r->v[i];
        if (v->kind != KIND_SAMPLER)
            continue;
        buffer_printf(b, "%s\n            %s: {unit: %d, type: \"%s\", target: \"%s\", format: \"%s\"",
                      n++ ? "," : "", v->name, v->unit, v->type, v->target_name, v->format);
        if (v->swizzle)
            buffer_printf(b, ", swizzle: \"%s\"", v->swizzle);
        add_filters(b, v->texture);
        buffer_puts(b, "}");
    }
    buffer_puts(b, n ? "\n        },\n" : "},\n");
}

static void add_uniforms(struct buffer *b, const struct reflection *r)
{
    buffer_puts(b, "        uniforms: v => ({\n");
    for (unsigned i = 0; i < r->n; i++)
        if (r->v[i].kind == KIND_UNIFORM) {
            buffer_puts(b, "            ");
            add_string(b, r->v[i].name);
            buffer_puts(b, ": ");
            add_value_expression(b, &r->v[i], EMBED_JAVASCRIPT);
            buffer_puts(b, ",\n");
        }
    buffer_puts(b, "        }),\n");
}

static void add_numbers(struct buffer *b, const struct variable *v)
{
    if (v->unknown) {
        buffer_puts(b, "null");
        return;
    }
    for (unsigned i = 0; i < v->values; i++) {
        buffer_puts(b, i ? ", " : v->values > 1 ? "[" : "");
        buffer_float(b, v->value[i]);
    }
    buffer_puts(b, v->values > 1 ? "]" : "");
}

/* Appends the values known from the input, in the structure of initialValues(). */
static void add_recorded(struct buffer *b, const struct reflection *r)
{
    const char *outer = "", *inner = "";
    struct buffer colors = {0};
    buffer_puts(b, "        recorded: {");
    for (unsigned i = 0; i < r->n; i++) {
        const struct variable *v = &r->v[i];
        if (v->kind != KIND_UNIFORM || !v->values)
            continue;
        if (v->uniform == FRAGPROG_PAIR_TEXENV_COLOR) {
            buffer_printf(&colors, "%s%d: ", inner, v->unit);
            add_numbers(&colors, v);
            inner = ", ";
        } else if (v->uniform == FRAGPROG_PAIR_ALPHA_REFERENCE) {
            buffer_puts(b, "alpha_reference: ");
            add_numbers(b, v);
            outer = ", ";
        }
    }
    if (colors.length) {
        buffer_printf(b, "%stexenv_color: {%s}", outer, colors.data);
        outer = ", ";
    }
    if (r->values) {
        struct buffer rest = {0};
        add_recorded_members(&rest, r->values, false);
        if (rest.length)
            buffer_printf(b, "%s%s", outer, rest.data);
        buffer_free(&rest);
    }
    buffer_puts(b, "},\n");
    buffer_free(&colors);
}

void add_js_fields(struct buffer *b, const struct reflection *r, const struct item *item,
                   const struct buffer *vertex, const struct buffer *fragment)
{
    struct buffer notation = {0};
    add_item_stages(&notation, item);
    while (notation.length && notation.data[notation.length - 1] == '\n')
        notation.data[--notation.length] = '\0';
    add_field(b, "state", notation.data);
    buffer_printf(b, "        points: %s,\n", item->raster.points ? "true" : "false");
    add_source(b, "vertex", vertex);
    add_source(b, "fragment", fragment);
    add_attributes(b, r);
    add_samplers(b, r);
    add_uniforms(b, r);
    add_recorded(b, r);
    buffer_free(&notation);
}

void add_js_pair(struct buffer *b, const struct reflection *r, const struct item *item,
                 const struct buffer *fields)
{
    char *source = xprintf("%s:%u", item->source->name, (unsigned)item->place.line);
    buffer_printf(b, "    %s: new Pair({\n", r->name);
    add_field(b, "name", r->name);
    add_field(b, "source", source);
    buffer_add(b, fields->data, fields->length);
    buffer_puts(b, "    }),\n");
    free(source);
}

/* ---- the module ---- */

static void add_runtime(struct buffer *b)
{
    buffer_puts(b, web_values_js);
    buffer_puts(b, "\n");
    buffer_puts(b, web_glue_js);
    buffer_puts(b, "\n/** The pairs of shaders, by name. */\nexport const pairs = {\n");
}

void add_js_preamble(struct buffer *b, bool page)
{
    if (page) {
        const char *css = strstr(web_page_html, "/* page.css */"),
                   *js = strstr(web_page_html, "/* page.js */");
        buffer_add(b, web_page_html, (size_t)(css - web_page_html));
        buffer_puts(b, web_page_css);
        css += strlen("/* page.css */");
        buffer_add(b, css, (size_t)(js - css));
    } else {
        buffer_puts(b,
                    "// Shaders of OpenGL's fixed function for WebGL, by texenvc convert --embed.\n"
                    "//   const gl = canvas.getContext(\"webgl\", {alpha: false, antialias: false});\n"
                    "//   pairs.lit.draw(gl, sphere(1), [image]);      // with the recorded values\n"
                    "//   const v = pairs.lit.values();                // or with others\n"
                    "//   light(v, 0, {position: [0, 5, 5, 1]});\n"
                    "//   pairs.lit.draw(gl, sphere(1), [image], v);\n"
                    "// or create(gl), set(gl, program, v), and a draw of your own with its attributes.\n\n");
    }
    add_runtime(b);
}

void add_js_end(struct buffer *b, bool page)
{
    buffer_puts(b, "};\n");
    if (!page)
        return;
    buffer_puts(b, "\n");
    buffer_puts(b, web_page_js);
    buffer_puts(b, strstr(web_page_html, "/* page.js */") + strlen("/* page.js */"));
}

void add_js_types(struct buffer *b) { buffer_puts(b, web_types_d_ts); }

const char *js_refuses(const struct reflection *r)
{
    for (unsigned i = 0; i < r->n && r->how.language == FRAGPROG_GLSL_ES_100; i++) {
        if (r->v[i].kind == KIND_SAMPLER && strstr(r->v[i].type, "Shadow"))
            return "WebGL 1 has no textures with comparison; --to webgl2 has";
        if (r->v[i].kind == KIND_SAMPLER && strcmp(r->v[i].type, "sampler3D") == 0)
            return "WebGL 1 has no 3D textures; --to webgl2 has";
    }
    return NULL;
}
