#include "arb_vertex.h"
#include "fragprog/fragprog.h"

#include "tools/texenvc/util.h"

#include <stdio.h>
#include <string.h>

/* ---- rewriting the text ---- */

struct tokens {
    const char *at, *end, *token;
    size_t length;
};

static bool in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

/* Reads the next token, a word or a single character. Skips comments and blanks. */
static bool next(struct tokens *t)
{
    while (t->at < t->end && (*t->at == '#' || *t->at == ' ' || (*t->at >= '\t' && *t->at <= '\r')))
        if (*t->at == '#')
            while (t->at < t->end && *t->at != '\n' && *t->at != '\r')
                t->at++;
        else
            t->at++;
    t->token = t->at;
    while (t->at < t->end && in_word(*t->at))
        t->at++;
    t->at += t->at < t->end && t->at == t->token;
    t->length = (size_t)(t->at - t->token);
    return t->length != 0;
}

static bool is(const struct tokens *t, const char *word)
{
    return t->length == strlen(word) && memcmp(t->token, word, t->length) == 0;
}

/* If the next tokens are these words, skips them and returns true. */
static bool follow(struct tokens *t, const char *const words[3])
{
    struct tokens ahead = *t;
    for (unsigned i = 0; i < 3; i++) {
        if (!is(&ahead, words[i]))
            return false;
        if (i < 2)
            next(&ahead);
    }
    *t = ahead;
    return true;
}

static void rewrite(struct buffer *b, const struct arb_vertex *v, unsigned coord, const char *text,
                    size_t length)
{
    static const char *const position[3] = {"result", ".", "position"},
                             *const invariant[3] = {"OPTION", "ARB_position_invariant", ";"};
    struct tokens t = {.at = text + 10, .end = text + length}; /* after "!!ARBvp1.0" */
    const char *copied = text;
    while (next(&t)) {
        const char *start = t.token;
        const bool end = is(&t, "END"), replaced = follow(&t, position), left_out = follow(&t, invariant);
        if (!end && !replaced && !left_out)
            continue;
        buffer_add(b, copied, (size_t)(start - copied));
        copied = end ? start : t.at;
        if (replaced)
            buffer_printf(b, "result.texcoord[%u]", coord);
        else if (end)
            buffer_printf(b, "MOV result.position, vertex.attrib[%u];\n", v->place);
        if (end)
            break;
    }
    buffer_add(b, copied, (size_t)(text + length - copied));
}

static uint32_t outputs_of(const struct fragprog *p)
{
    uint32_t outputs = 0;
    for (unsigned i = 0; i < p->ninst; i++)
        outputs |= p->inst[i].op == FRAGPROG_OUT ? UINT32_C(1) << p->inst[i].texture : 0;
    return outputs;
}

const char *arb_vertex_prepare(struct arb_vertex *v, const struct fragprog *p, const char *text,
                               size_t length)
{
    const uint32_t outputs = outputs_of(p);
    uint32_t attributes = 0;
    unsigned coord = 0;
    struct buffer b = {0};
    for (unsigned i = 0; i < p->ninst; i++)
        for (unsigned s = 0; s < fragprog_op_args(p->inst[i].op); s++)
            if (p->inst[i].src[s].file == FRAGPROG_ATTRIB)
                attributes |= UINT32_C(1) << p->inst[i].src[s].index;
    /* a generic attribute shares its number with a conventional one */
    attributes |= attributes >> FRAGPROG_ATTRIB_GENERIC;
    for (v->place = 15; v->place && attributes >> v->place & 1;)
        v->place--;
    while (coord < ARB_SETS && outputs >> (FRAGPROG_OUT_TEXCOORD + coord) & 1)
        coord++;
    if (!v->place || coord == ARB_SETS)
        return "a vertex program that leaves no attribute or no set of coordinates free";
    rewrite(&b, v, coord, text, length);
    v->text = b.data;
    v->length = b.length;
    return NULL;
}

void arb_vertex_find(struct arb_vertex *v, const struct fragprog *p)
{
    const uint32_t outputs = outputs_of(p);
    v->count = 0;
    for (unsigned n = FRAGPROG_VERTEX_OUTS; n-- > FRAGPROG_OUT_COLOR0;) {
        if (!(outputs >> n & 1) || v->count == ARB_OUTPUTS || n == FRAGPROG_OUT_BACK_COLOR0 ||
            n == FRAGPROG_OUT_BACK_COLOR1 || n == FRAGPROG_OUT_POINTSIZE)
            continue;
        v->shown[v->count] = (uint8_t)n;
        v->mask[v->count] = 0;
        for (unsigned i = 0; i < p->ninst; i++)
            if (p->inst[i].op == FRAGPROG_OUT && p->inst[i].texture == n)
                v->mask[v->count] |= p->inst[i].mask;
        v->count++;
    }
}

/* ---- drawing ---- */

void arb_vertex_fragment(char *text, size_t size, const struct arb_vertex *v, bool glsl)
{
    static const char *const names[2][FRAGPROG_OUT_TEXCOORD] = {
        {[FRAGPROG_OUT_COLOR0] = "fragment.color",
         [FRAGPROG_OUT_COLOR1] = "fragment.color.secondary",
         [FRAGPROG_OUT_FOGCOORD] = "fragment.fogcoord"},
        {[FRAGPROG_OUT_COLOR0] = "gl_Color",
         [FRAGPROG_OUT_COLOR1] = "gl_SecondaryColor",
         [FRAGPROG_OUT_FOGCOORD] = "vec4(gl_FogFragCoord)"}};
    size_t n = (size_t)snprintf(
        text, size, glsl ? "#version 120\nvoid main()\n{\n" : "!!ARBfp1.0\nOPTION ARB_draw_buffers;\n");
    for (unsigned k = 0; k < v->count; k++) {
        const unsigned output = v->shown[k];
        n += (size_t)snprintf(text + n, size - n, glsl ? "gl_FragData[%u] = " : "MOV result.color[%u], ", k);
        n += output < FRAGPROG_OUT_TEXCOORD
            ? (size_t)snprintf(text + n, size - n, "%s;\n", names[glsl][output])
            : (size_t)snprintf(text + n, size - n, glsl ? "gl_TexCoord[%u];\n" : "fragment.texcoord[%u];\n",
                               output - FRAGPROG_OUT_TEXCOORD);
    }
    snprintf(text + n, size - n, glsl ? "}\n" : "END\n");
}

const char *arb_vertex_draw(struct arb_shot *shot, const struct arb_vertex *v, GLuint program)
{
    char text[1024];
    const char *why;
    GLuint fragment = 0;
    GLint at[16];
    for (unsigned n = 0; n < 16; n++) {
        char name[24];
        snprintf(name, sizeof name, "vertex_attrib%u", n);
        at[n] = program ? gl.glGetAttribLocation(program, name) : (GLint)n;
    }
    if (!program) {
        arb_vertex_fragment(text, sizeof text, v, false);
        fragment = arb_program_new(GL_FRAGMENT_PROGRAM_ARB, text, strlen(text), &why);
        gl.glEnable(GL_FRAGMENT_PROGRAM_ARB);
    }
    arb_scene_vertices(at, v->place);
    const bool ok = arb_scene_draw(shot, v->count);
    arb_scene_points();
    if (!program) {
        gl.glDisable(GL_FRAGMENT_PROGRAM_ARB);
        arb_program_delete(GL_FRAGMENT_PROGRAM_ARB, fragment);
    }
    return ok ? NULL : "the GL reports an error while drawing by a vertex program";
}
