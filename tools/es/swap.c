/* Wrappers of the functions that show a frame, which first draw the vertices that were collected. The linker
 * flags of texenv-es (--wrap) make programs call them. A browser shows frames by itself. */
#include "es.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#ifdef __EMSCRIPTEN__
unsigned __wrap_eglSwapBuffers(void *display, void *surface)
{
    (void)display, (void)surface;
    glFlush();
    return 1;
}
void __wrap_glutSwapBuffers(void) { glFlush(); }
void __wrap_SDL_GL_SwapBuffers(void) { glFlush(); }
#else
extern unsigned __real_eglSwapBuffers(void *display, void *surface) __attribute__((weak));
extern void __real_SDL_GL_SwapBuffers(void) __attribute__((weak));
extern void __real_SDL_GL_SwapWindow(void *window) __attribute__((weak));

unsigned __wrap_eglSwapBuffers(void *display, void *surface)
{
    glFlush();
    return __real_eglSwapBuffers(display, surface);
}
void __wrap_SDL_GL_SwapBuffers(void)
{
    glFlush();
    __real_SDL_GL_SwapBuffers();
}
void __wrap_SDL_GL_SwapWindow(void *window)
{
    glFlush();
    __real_SDL_GL_SwapWindow(window);
}
#endif
