/* Draws the scene of scene.h with an OpenGL ES that does nothing (cost_es.c).
 *
 * usage: es_cost FRAMES ORDER     prints how often each function of ES was called in all frames but the first
 *
 * ORDER: states: the draws of a state one after the other; turns: another state for each draw; still: the
 * same draw again and again, with nothing that changes. */
#include <stdlib.h>

#include "scene.h"
#include "cost_es.h"

#ifndef HAND
#include "tools/es/es.h"

static void open_es(void)
{
#define ES_FUNCTION(name) *(void **)(void *)&es_functions.name = cost_find(#name);
#include "tools/es/es_gl.def"
#undef ES_FUNCTION
    es.found = true;
}
#else
static void open_es(void) {}
#endif

static void draw_still(void)
{
    for (int i = 0; i < DRAWS; i++)
        glDrawElements(GL_TRIANGLES, VERTICES / 4 * 6, GL_UNSIGNED_SHORT, NULL);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    const int frames = atoi(argv[1]);
    sorted = strcmp(argv[2], "states") == 0;
    open_es();
    make_scene();
    for (int i = 0; i < frames; i++) {
        if (i == 1)
            cost_reset();
        if (strcmp(argv[2], "still") == 0)
            draw_still();
        else
            draw_scene(i);
    }
    cost_print();
    return 0;
}
