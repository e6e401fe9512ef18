/* The scene of scene.h in a browser. `measure` draws a frame, and leaves milliseconds and pixels in `result`
 * on the page. */
#include <emscripten.h>
#include <emscripten/html5.h>

#include "scene.h"

/* Draws a frame, and reads its pixels to wait for its end. Returns how many milliseconds that took; *calls:
 * how many until the last call for drawing returned. */
static double frame(int time, GLubyte *pixels, double *calls)
{
    const double start = emscripten_get_now();
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    draw_scene(time);
    *calls = emscripten_get_now() - start;
    glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    return emscripten_get_now() - start;
}

/* Draws a frame, and stores its time, the time of its calls and its pixels in globalThis.result. */
EMSCRIPTEN_KEEPALIVE void measure(int sorted_states, int time)
{
    static GLubyte pixels[SIZE * SIZE * 4];
    char script[160];
    double calls;
    sorted = sorted_states;
    const double whole = frame(time, pixels, &calls);
    snprintf(script, sizeof script, "globalThis.result = [%.9g, %.9g, Array.from(HEAPU8.subarray(%lu, %lu))]",
             whole, calls, (unsigned long)pixels, (unsigned long)pixels + sizeof pixels);
    emscripten_run_script(script);
}

/* usage: VERSION, that of WebGL: 1 or 2 */
int main(int argc, char **argv)
{
    EmscriptenWebGLContextAttributes attributes;
    emscripten_webgl_init_context_attributes(&attributes);
    attributes.antialias = 0;
    attributes.majorVersion = argc > 1 && argv[1][0] == '2' ? 2 : 1;
    emscripten_set_canvas_element_size("#canvas", SIZE, SIZE);
    emscripten_webgl_make_context_current(emscripten_webgl_create_context("#canvas", &attributes));
    make_scene();
    return 0;
}
