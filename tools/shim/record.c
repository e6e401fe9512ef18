/* Records each environment that the application draws with, once, as a script (tools/record/environments.h);
 * on request with a picture of its first draw. */
#define _GNU_SOURCE
#include "shim.h"

#include "tools/record/environments.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_PNG
#include <png.h>
#endif

/* frames between writes of the figures, so that they are nearly right if the application is killed */
enum { FLUSH_EVERY = 256 };
static unsigned frame;
static struct environment *pictured; /* the environment whose picture is taken after the current draw */

static bool query_draw(struct texenv_values *values, struct texenv_texture_info *textures,
                       const struct texenv_state *state)
{
    query_textures(textures, state);
    return query_values(values);
}

void record_open(void)
{
    const struct settings *s = settings();
    if (!environments_open(s->folder, program_invocation_short_name, query_draw)) {
        complain("TEXENV_RECORD_DIR=%s: %s", s->folder, strerror(errno));
        exit(2);
    }
}

void record_draw(const struct texenv_state *state)
{
    bool fresh;
    struct texenv_vertex vertex;
    const char *why = query_vertex(&vertex, state);
    struct texenv_raster raster;
    query_raster(&raster, state);
    struct environment *e = environments_draw(state, why ? NULL : &vertex, &raster, why, frame, &fresh);
    pictured = fresh && settings()->pictures && e->path ? e : NULL;
}

/* ---- pictures ---- */

#ifdef HAVE_PNG
/* Reads the pixels of the viewport, regardless of the application's pixel store and transfer modes. */
static void read_viewport(unsigned char *pixels, const GLint *viewport)
{
    static const GLenum store[] = {GL_PACK_ROW_LENGTH, GL_PACK_SKIP_ROWS, GL_PACK_SKIP_PIXELS,
                                   GL_PACK_SWAP_BYTES, GL_PACK_LSB_FIRST};
    CALL(glPushClientAttrib, GL_CLIENT_PIXEL_STORE_BIT);
    CALL(glPushAttrib, GL_PIXEL_MODE_BIT);
    for (size_t i = 0; i < sizeof store / sizeof *store; i++)
        CALL(glPixelStorei, store[i], 0);
    CALL(glPixelStorei, GL_PACK_ALIGNMENT, 1);
    if (real_function("glBindBuffer"))
        CALL(glBindBuffer, GL_PIXEL_PACK_BUFFER, 0);
    CALL(glReadPixels, viewport[0], viewport[1], viewport[2], viewport[3], GL_RGB, GL_UNSIGNED_BYTE, pixels);
    void (*pop_attrib)(void) = (void (*)(void))(GLintptr)real_function("glPopAttrib");
    void (*pop_client)(void) = (void (*)(void))(GLintptr)real_function("glPopClientAttrib");
    pop_attrib();
    pop_client();
}

void record_drawn(void)
{
    GLint viewport[4] = {0, 0, 0, 0};
    if (!pictured)
        return;
    CALL(glGetIntegerv, GL_VIEWPORT, viewport);
    const size_t width = viewport[2] > 0 ? (size_t)viewport[2] : 0,
                 height = viewport[3] > 0 ? (size_t)viewport[3] : 0;
    unsigned char *pixels = calloc(3, width * height + 1);
    char *path = NULL;
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)width,
                       .height = (png_uint_32)height,
                       .format = PNG_FORMAT_RGB};
    if (pixels && width && height &&
        asprintf(&path, "%.*s.png", (int)strlen(pictured->path) - 3, pictured->path) > 0) {
        read_viewport(pixels, viewport);
        /* GL's rows go bottom up, those of a file top down: a negative stride starts with the last row */
        if (!png_image_write_to_file(&image, path, 0, pixels, -(png_int_32)(3 * width), NULL))
            complain("%s: %s", path, image.message);
        free(path);
    }
    free(pixels);
    pictured = NULL;
}
#else
void record_drawn(void) { pictured = NULL; }
#endif

bool record_has_pictures(void)
{
#ifdef HAVE_PNG
    return true;
#else
    return false;
#endif
}

/* ---- frames ---- */

static void end_frame(void)
{
    const struct settings *s = settings();
    if (!s->record)
        return;
    frame++;
    if (frame % FLUSH_EVERY == 0)
        environments_flush();
    if (s->frames && frame == s->frames)
        raise(SIGTERM); /* a signal that lets the application save its data */
}

unsigned record_frames(void) { return frame; }

/* Declared without the headers of X and EGL, whose types are replaced by plain ones. */
EXPORT void glXSwapBuffers(void *display, unsigned long drawable)
{
    CALL(glXSwapBuffers, display, drawable);
    end_frame();
}

EXPORT unsigned eglSwapBuffers(void *display, void *surface)
{
    const unsigned done = CALL(eglSwapBuffers, display, surface);
    end_frame();
    return done;
}
