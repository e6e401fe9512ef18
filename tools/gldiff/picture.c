#include "picture.h"
#include "scene.h"
#include "compare.h"
#include "tools/texenvc/diag.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef HAVE_PNG
#include <png.h>
#include <string.h>

enum { CELL = 12, GAP = 4, WIDTH = 3 * POINTS * CELL + 2 * GAP, HEIGHT = BANKS * 2 * CELL };

static unsigned char pixel[HEIGHT][WIDTH][3];

static unsigned char byte(float v) { return (unsigned char)(v <= 0 ? 0 : v >= 1 ? 255 : v * 255 + 0.5f); }

/* Draws the square of one value: its colour in the upper half of the bank's row, its alpha as grey in the
 * lower half. */
static void cell(unsigned panel, unsigned bank, unsigned point, const float v[4])
{
    for (unsigned y = 0; y < 2 * CELL; y++)
        for (unsigned x = 0; x < CELL; x++) {
            unsigned char *p = pixel[bank * 2 * CELL + y][panel * (POINTS * CELL + GAP) + point * CELL + x];
            for (unsigned c = 0; c < 3; c++)
                p[c] = byte(y < CELL ? v[c] : v[3]);
        }
}

bool picture_available(void) { return true; }

void picture_write(const char *folder, uint64_t number, const struct texenv_state *state, enum via via,
                   const struct draw_options *options)
{
    static float direct[POINTS][4], converted[POINTS][4];
    memset(pixel, 0x60, sizeof pixel);
    for (unsigned bank = 0; bank < BANKS; bank++) {
        if (!draw_alone(state, via, options, bank, direct, converted))
            return;
        for (unsigned i = 0; i < POINTS; i++) {
            float d[4];
            for (unsigned c = 0; c < 4; c++)
                d[c] = 0.5f + 64 * (converted[i][c] - direct[i][c]);
            cell(0, bank, i, direct[i]);
            cell(1, bank, i, converted[i]);
            cell(2, bank, i, d);
        }
    }
    png_image image = {
        .version = PNG_IMAGE_VERSION, .width = WIDTH, .height = HEIGHT, .format = PNG_FORMAT_RGB};
    char *path = xprintf("%s/state-%llu-%s.png", folder, (unsigned long long)number, via_names[via]);
    if (!png_image_write_to_file(&image, path, 0, pixel, 0, NULL))
        die_file("cannot write '%s': %s", path, image.message);
    free(path);
}

#else
bool picture_available(void) { return false; }
void picture_write(const char *folder, uint64_t number, const struct texenv_state *state, enum via via,
                   const struct draw_options *options)
{
    (void)folder, (void)number, (void)state, (void)via, (void)options;
}
#endif
