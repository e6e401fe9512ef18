/* Passes every token of GL to the calls that take a token, both in a script of GL calls and on the OpenGL of
 * this machine; tests/state/tokens_check.py compares.
 *
 * Standard input: lines "GL_NAME VALUE". Output: for each token a line "value NAME NUMBER", with what
 * texenv_token() returns; then for each call and token a line "CALL NAME OURS GL". OURS is the answer of
 * texenvc's reader of scripts: ok, error (GL generates an error), open (the call is not tracked) or unknown
 * (it does not know the name). GL is ok or error. For internal formats (CALL is "format") both are base
 * formats, or none. Exit status 77: this machine has no OpenGL; only the lines "value" were written. */
#include "texenv/texenv.h"
#include "tools/gldiff/gl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOKENS = 8192 };

static struct {
    char name[96];
    uint32_t value;
} token[TOKENS];
static unsigned tokens;
static const char *ours[TOKENS + 2]; /* [line of the script]: the reader's answer */

static void *resize(void *user, void *p, size_t size)
{
    (void)user;
    if (size)
        return realloc(p, size);
    free(p);
    return NULL;
}

static void report(void *user, const struct texenv_diag *d)
{
    (void)user;
    /* "empty" is reported for a script without texture environment calls */
    if (d->place.line > TOKENS || d->severity == TEXENV_NOTE || strcmp(d->code, "empty") == 0)
        return;
    ours[d->place.line] = strcmp(d->code, "gl-error") == 0 ? "error"
        : strcmp(d->code, "unknown-name") == 0             ? "unknown"
        : strcmp(d->code, "not-followed") == 0             ? "open"
                                                           : d->code;
}

static bool draw(void *user, const struct texenv_draw *d)
{
    (void)user;
    (void)d;
    return true;
}

/* Reads a script that has the line `call` for each token, with the token's name for %s; sets `ours`. */
static void read_lines(const char *call)
{
    static char text[TOKENS * 200];
    size_t n = 0;
    for (unsigned i = 0; i < tokens; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, call, token[i].name);
        text[n++] = '\n';
        ours[i + 1] = "ok";
    }
    struct texenv_reader reader = {
        .memory = {resize, NULL}, .sink = {report, NULL}, .on_draw = draw, .lenient = true};
    texenv_read_gl(&reader, text, n);
}

static bool succeeds(const char *call, uint32_t v)
{
    const GLint i = (GLint)v;
    while (gl.glGetError()) {
    }
    switch (call[0]) {
    case 'e': gl.glEnable(v), gl.glDisable(v); break;
    case 'm': gl.glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, i); break;
    case 'r': gl.glTexEnvi(GL_TEXTURE_ENV, GL_COMBINE_RGB, i); break;
    case 'a': gl.glTexEnvi(GL_TEXTURE_ENV, GL_COMBINE_ALPHA, i); break;
    case 's': gl.glTexEnvi(GL_TEXTURE_ENV, GL_SOURCE0_RGB, i); break;
    case 'o': gl.glTexEnvi(GL_TEXTURE_ENV, GL_OPERAND0_RGB, i); break;
    case 'q': gl.glTexEnvi(GL_TEXTURE_ENV, GL_OPERAND0_ALPHA, i); break;
    case 't': gl.glTexEnvi(v, GL_TEXTURE_ENV_MODE, GL_MODULATE); break;
    case 'd': gl.glTexParameteri(GL_TEXTURE_2D, GL_DEPTH_TEXTURE_MODE, i); break;
    case 'c': gl.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, i); break;
    case 'f': gl.glFogi(GL_FOG_MODE, i); break;
    case 'l': gl.glLightModeli(GL_LIGHT_MODEL_COLOR_CONTROL, i); break;
    case 'u': gl.glAlphaFunc(v, 0); break;
    case 'b': gl.glBindTexture(v, 0); break;
    default: gl.glTexGeni(GL_S, GL_TEXTURE_GEN_MODE, i); break;
    }
    return gl.glGetError() == GL_NO_ERROR;
}

static const char *base_here(uint32_t format)
{
    static const char *const names[] = {"rgba",      "rgb", "alpha", "luminance", "luminance_alpha",
                                        "intensity", "red", "rg",    "depth"};
    int base = texenv_base_of(format);
    return base < 0 ? "none" : names[base];
}

/* Returns the base format that this machine's GL uses for an image of this internal format. */
static const char *base_of_gl(uint32_t format)
{
    static const GLenum formats[][2] = {{GL_RGBA, GL_UNSIGNED_BYTE},
                                        {GL_DEPTH_COMPONENT, GL_UNSIGNED_INT},
                                        {GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8}};
    static const GLenum sizes[] = {
        GL_TEXTURE_RED_SIZE,       GL_TEXTURE_GREEN_SIZE,     GL_TEXTURE_BLUE_SIZE, GL_TEXTURE_ALPHA_SIZE,
        GL_TEXTURE_LUMINANCE_SIZE, GL_TEXTURE_INTENSITY_SIZE, GL_TEXTURE_DEPTH_SIZE};
    static const char *const by_bits[128] = {
        [15] = "rgba",      [7] = "rgb", [8] = "alpha", [16] = "luminance", [24] = "luminance_alpha",
        [32] = "intensity", [1] = "red", [3] = "rg",    [64] = "depth"};
    for (unsigned i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        unsigned bits = 0;
        while (gl.glGetError()) {
        }
        gl.glTexImage2D(GL_TEXTURE_2D, 0, (GLint)format, 16, 16, 0, formats[i][0], formats[i][1], NULL);
        if (gl.glGetError())
            continue;
        for (unsigned k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
            GLint size = 0;
            gl.glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, sizes[k], &size);
            bits |= (unsigned)(size > 0) << k;
        }
        return by_bits[bits] ? by_bits[bits] : "other";
    }
    return "none";
}

int main(void)
{
    static const char *const calls[][2] = {
        {"enable", "glEnable(%s);"},
        {"mode", "glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, %s);"},
        {"rgb", "glTexEnvi(GL_TEXTURE_ENV, GL_COMBINE_RGB, %s);"},
        {"alpha", "glTexEnvi(GL_TEXTURE_ENV, GL_COMBINE_ALPHA, %s);"},
        {"source", "glTexEnvi(GL_TEXTURE_ENV, GL_SOURCE0_RGB, %s);"},
        {"operand", "glTexEnvi(GL_TEXTURE_ENV, GL_OPERAND0_RGB, %s);"},
        {"quaternary", "glTexEnvi(GL_TEXTURE_ENV, GL_OPERAND0_ALPHA, %s);"},
        {"target", "glTexEnvi(%s, GL_TEXTURE_ENV_MODE, GL_MODULATE);"},
        {"depth", "glTexParameteri(GL_TEXTURE_2D, GL_DEPTH_TEXTURE_MODE, %s);"},
        {"compare", "glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, %s);"},
        {"fog", "glFogi(GL_FOG_MODE, %s);"},
        {"light", "glLightModeli(GL_LIGHT_MODEL_COLOR_CONTROL, %s);"},
        {"under", "glAlphaFunc(%s, 0);"},
        {"bind", "glBindTexture(%s, 0);"},
        {"generate", "glTexGeni(GL_S, GL_TEXTURE_GEN_MODE, %s);"}};
    enum platform got;
    while (tokens < TOKENS && scanf("%95s %u", token[tokens].name, &token[tokens].value) == 2)
        tokens++;
    for (unsigned i = 0; i < tokens; i++)
        printf("value %s %lld\n", token[i].name,
               (long long)texenv_token(token[i].name, strlen(token[i].name)));
    const char *why = gl_open(PLATFORM_AUTO, &got);
    if (why) {
        printf("skipped: %s\n", why);
        return 77;
    }
    for (unsigned c = 0; c < sizeof calls / sizeof calls[0]; c++) {
        read_lines(calls[c][1]);
        for (unsigned i = 0; i < tokens; i++)
            printf("%s %s %s %s\n", calls[c][0], token[i].name, ours[i + 1],
                   succeeds(calls[c][0], token[i].value) ? "ok" : "error");
    }
    for (unsigned i = 0; i < tokens; i++)
        printf("format %s %s %s\n", token[i].name, base_here(token[i].value), base_of_gl(token[i].value));
    return 0;
}
