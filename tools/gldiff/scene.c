#include "scene.h"
#include "gl.h"

#include <stdint.h>
#include <string.h>

float scene_primary[BANKS][POINTS][4], scene_secondary[BANKS][POINTS][3],
    scene_texel[TEXENV_UNITS][BANKS][POINTS][4];
const struct scene_binding scene_as_is = {{0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7}};

/* a bank of texels is one row of a 2D texture, or one face of a cube map */
enum { CUBE = 4, TEXELS = BANKS * POINTS };

static float position[POINTS][2];
static float coord[TEXENV_TARGETS][BANKS][POINTS][4];
static unsigned char byte_texel[TEXENV_UNITS][BANKS][POINTS][4];
static bool eight;
/* indexed by unit, target, base format, and depth as in texenv_stage */
static GLuint texture[TEXENV_UNITS][TEXENV_TARGETS][TEXENV_BASES][3];

static const GLenum targets[TEXENV_TARGETS] = {GL_TEXTURE_1D, GL_TEXTURE_2D, GL_TEXTURE_RECTANGLE,
                                               GL_TEXTURE_3D, GL_TEXTURE_CUBE_MAP};

/* ---- inputs ---- */

static uint64_t random_state = 88172645463325252u;

/* Returns a multiple of 1/255, which textures of 8 bits hold exactly; often 0, 1 or a middle value. */
static float component(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    unsigned r = (unsigned)(random_state >> 33);
    switch (r % 8) {
    case 0: return 0.0f;
    case 1: return 1.0f;
    case 2: return (r >> 8 & 1 ? 128.0f : 127.0f) / 255.0f;
    default: return (float)(r / 8 % 256) / 255.0f;
    }
}

/* Sets the direction that looks up the centre of texel i of a face (GL 2.1, table 3.18; for +X: sc = -rz, tc
 * = -ry). */
static void cube_direction(float c[4], unsigned bank, unsigned i)
{
    static const float sign[BANKS] = {1, -1, 1, -1};
    float s = ((float)(i % CUBE) + 0.5f) / CUBE * 2 - 1, t = ((float)(i / CUBE) + 0.5f) / CUBE * 2 - 1;
    float *major = &c[bank / 2];
    c[0] = c[1] = c[2] = 0;
    c[3] = 1;
    *major = sign[bank];
    switch (bank) {
    case 0: c[2] = -s, c[1] = -t; break; /* face +X */
    case 1: c[2] = s, c[1] = -t; break;  /* face -X */
    case 2: c[0] = s, c[2] = t; break;   /* face +Y */
    default: c[0] = s, c[2] = -t; break; /* face -Y */
    }
}

static void make_inputs(void)
{
    static const float q[4] = {1, 2, 0.5f, 4}; /* powers of 2, by which projective lookups divide exactly */
    for (unsigned i = 0; i < POINTS; i++) {
        position[i][0] = (float)i + 0.5f;
        position[i][1] = 0.5f;
        for (unsigned b = 0; b < BANKS; b++) {
            float s = ((float)i + 0.5f) / POINTS, t = ((float)b + 0.5f) / BANKS, w = q[(i + b) % 4];
            for (unsigned c = 0; c < 4; c++) {
                scene_primary[b][i][c] = component();
                if (c < 3)
                    scene_secondary[b][i][c] = component();
                for (unsigned u = 0; u < TEXENV_UNITS; u++) {
                    scene_texel[u][b][i][c] = component();
                    byte_texel[u][b][i][c] = (unsigned char)(scene_texel[u][b][i][c] * 255.0f + 0.5f);
                }
            }
            float one[4] = {((float)(b * POINTS + i) + 0.5f) / TEXELS * w, 0, 0, w};
            float two[4] = {s * w, t * w, 0, w},
                  rect[4] = {((float)i + 0.5f) * w, ((float)b + 0.5f) * w, 0, w}, three[4] = {s, t, 0.5f, 1};
            memcpy(coord[TEXENV_1D][b][i], one, sizeof one);
            memcpy(coord[TEXENV_2D][b][i], two, sizeof two);
            memcpy(coord[TEXENV_RECT][b][i], rect, sizeof rect);
            memcpy(coord[TEXENV_3D][b][i], three, sizeof three);
            cube_direction(coord[TEXENV_CUBE][b][i], b, i);
        }
    }
}

/* ---- textures ---- */

static GLenum internal_format(unsigned base, bool depth)
{
    static const GLenum f[TEXENV_BASES] = {
        GL_RGBA32F_ARB,      GL_RGB32F_ARB, GL_ALPHA32F_ARB, GL_LUMINANCE32F_ARB,  GL_LUMINANCE_ALPHA32F_ARB,
        GL_INTENSITY32F_ARB, GL_R32F,       GL_RG32F,        GL_DEPTH_COMPONENT32F};
    static const GLenum b[TEXENV_BASES] = {
        GL_RGBA8,      GL_RGB8, GL_ALPHA8, GL_LUMINANCE8,       GL_LUMINANCE8_ALPHA8,
        GL_INTENSITY8, GL_R8,   GL_RG8,    GL_DEPTH_COMPONENT24};
    return (eight ? b : f)[depth ? TEXENV_DEPTH : base];
}

static void images(unsigned unit, GLenum target, GLenum internal, bool depth)
{
    /* GL takes the components that the format needs: luminance, intensity and red from the red component.
     * Depth values need an array of their own. */
    static float plane[TEXELS];
    GLenum format = depth ? GL_DEPTH_COMPONENT : GL_RGBA,
           type = eight && !depth ? GL_UNSIGNED_BYTE : GL_FLOAT;
    const void *data = eight ? (const void *)byte_texel[unit] : (const void *)scene_texel[unit];
    size_t bank = eight ? sizeof byte_texel[unit][0] : sizeof scene_texel[unit][0];
    if (depth) {
        for (unsigned i = 0; i < TEXELS; i++)
            plane[i] = scene_texel[unit][i / POINTS][i % POINTS][0];
        data = plane;
        bank = POINTS * sizeof *plane;
    }
    switch (target) {
    case GL_TEXTURE_1D: gl.glTexImage1D(target, 0, (GLint)internal, TEXELS, 0, format, type, data); break;
    case GL_TEXTURE_3D:
        gl.glTexImage3D(target, 0, (GLint)internal, POINTS, BANKS, 1, 0, format, type, data);
        break;
    case GL_TEXTURE_CUBE_MAP:
        for (unsigned face = 0; face < 6; face++) /* the banks are the faces +X, -X, +Y, -Y */
            gl.glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, (GLint)internal, CUBE, CUBE, 0, format,
                            type, (const char *)data + (face < BANKS ? face : 0) * bank);
        break;
    default: gl.glTexImage2D(target, 0, (GLint)internal, POINTS, BANKS, 0, format, type, data); break;
    }
}

/* Binds the texture of a stage to the active unit. Creates it when it is used for the first time. */
static void bind_texture(unsigned unit, const struct texenv_stage *stage)
{
    static const GLenum depth_modes[TEXENV_BASES] = {[TEXENV_LUMINANCE] = GL_LUMINANCE,
                                                     [TEXENV_INTENSITY] = GL_INTENSITY,
                                                     [TEXENV_BASE_ALPHA] = GL_ALPHA,
                                                     [TEXENV_RED] = GL_RED};
    GLuint *name = &texture[unit][stage->target][stage->base][stage->depth];
    GLenum target = targets[stage->target];
    if (*name) {
        gl.glBindTexture(target, *name);
        return;
    }
    gl.glGenTextures(1, name);
    gl.glBindTexture(target, *name);
    gl.glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl.glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    /* vertex halves compute coordinates outside of [0,1], too */
    const GLint wrap = target == GL_TEXTURE_RECTANGLE ? GL_CLAMP_TO_EDGE : GL_MIRRORED_REPEAT;
    gl.glTexParameteri(target, GL_TEXTURE_WRAP_S, wrap);
    gl.glTexParameteri(target, GL_TEXTURE_WRAP_T, wrap);
    gl.glTexParameteri(target, GL_TEXTURE_WRAP_R, wrap);
    if (stage->depth) {
        gl.glTexParameteri(target, GL_DEPTH_TEXTURE_MODE, (GLint)depth_modes[stage->base]);
        gl.glTexParameteri(target, GL_TEXTURE_COMPARE_MODE,
                           stage->depth == 2 ? GL_COMPARE_R_TO_TEXTURE : GL_NONE);
    }
    images(unit, target, internal_format(stage->base, stage->depth), stage->depth);
}

void scene_bind(const struct texenv_state *state, const struct scene_binding *binding, unsigned bank,
                bool enable)
{
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        int t = binding->texture[u], c = binding->coord[u];
        const struct texenv_stage *stage = t >= 0 && t < state->nstages ? &state->stage[t] : NULL;
        const struct texenv_stage *from = c >= 0 && c < state->nstages ? &state->stage[c] : NULL;
        gl.glActiveTexture(GL_TEXTURE0 + u);
        for (unsigned k = 0; k < TEXENV_TARGETS; k++) {
            if (enable && stage && stage->mode != TEXENV_OFF && stage->target == k)
                gl.glEnable(targets[k]);
            else
                gl.glDisable(targets[k]);
        }
        if (stage && stage->mode != TEXENV_OFF)
            bind_texture((unsigned)t, stage);
        gl.glClientActiveTexture(GL_TEXTURE0 + u);
        gl.glTexCoordPointer(4, GL_FLOAT, 0, coord[from ? from->target : TEXENV_2D][bank]);
    }
    gl.glColorPointer(4, GL_FLOAT, 0, scene_primary[bank]);
    if (gl.glSecondaryColorPointer)
        gl.glSecondaryColorPointer(3, GL_FLOAT, 0, scene_secondary[bank]);
}

void scene_open_inputs(bool eight_bit)
{
    eight = eight_bit;
    make_inputs();
    gl.glEnableClientState(GL_VERTEX_ARRAY);
    gl.glVertexPointer(2, GL_FLOAT, 0, position);
    gl.glEnableClientState(GL_COLOR_ARRAY);
    if (gl.glSecondaryColorPointer)
        gl.glEnableClientState(GL_SECONDARY_COLOR_ARRAY);
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        gl.glClientActiveTexture(GL_TEXTURE0 + u);
        gl.glEnableClientState(GL_TEXTURE_COORD_ARRAY);
    }
}

/* ---- framebuffer ---- */

const char *scene_open(bool eight_bit)
{
    GLint units = 0;
    GLuint color = 0, framebuffer = 0;
    eight = eight_bit;
    gl.glGetIntegerv(GL_MAX_TEXTURE_UNITS, &units);
    if (units < TEXENV_UNITS)
        return "the GL has fewer than 8 fixed-function texture units";
    if (!gl.glGenFramebuffers || !gl.glBindFramebuffer || !gl.glFramebufferTexture2D ||
        !gl.glCheckFramebufferStatus)
        return "the GL has no framebuffer objects";
    gl.glGenTextures(1, &color);
    gl.glBindTexture(GL_TEXTURE_2D, color);
    gl.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl.glTexImage2D(GL_TEXTURE_2D, 0, eight ? GL_RGBA8 : GL_RGBA32F_ARB, SIZE, SIZE, 0, GL_RGBA, GL_FLOAT,
                    NULL);
    gl.glGenFramebuffers(1, &framebuffer);
    gl.glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl.glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color, 0);
    if (gl.glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        return "the GL cannot draw into float textures";
    gl.glMatrixMode(GL_PROJECTION);
    gl.glLoadIdentity();
    gl.glOrtho(0, POINTS, 0, 1, -1, 1);
    gl.glMatrixMode(GL_MODELVIEW);
    gl.glLoadIdentity();
    scene_open_inputs(eight_bit);
    return gl.glGetError() == GL_NO_ERROR ? NULL : "the GL refuses to set up the scene";
}

void scene_clear(void)
{
    gl.glClearColor(-1, -1, -1, -1); /* no result has this colour */
    gl.glClear(GL_COLOR_BUFFER_BIT);
}

void scene_draw(unsigned n)
{
    gl.glViewport((GLint)(n % (SIZE / POINTS) * POINTS), (GLint)(n / (SIZE / POINTS)), POINTS, 1);
    gl.glDrawArrays(GL_POINTS, 0, POINTS);
}

bool scene_read(float (*out)[POINTS][4], unsigned n)
{
    static float pixels[SIZE][SIZE / POINTS][POINTS][4];
    unsigned rows = (n + SIZE / POINTS - 1) / (SIZE / POINTS);
    gl.glReadPixels(0, 0, SIZE, (GLsizei)rows, GL_RGBA, GL_FLOAT, pixels);
    memcpy(out, pixels, n * sizeof *out);
    return gl.glGetError() == GL_NO_ERROR;
}

void scene_color_sum(bool on)
{
    if (on)
        gl.glEnable(GL_COLOR_SUM);
    else
        gl.glDisable(GL_COLOR_SUM);
}
