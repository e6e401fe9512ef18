/* Stores each environment that an application draws with, once, as a script of GL calls in a folder. Used by
 * the shim (TEXENV_SHIM=record) and by the recording stub. Only one thread at a time may call these
 * functions. */
#ifndef RECORD_ENVIRONMENTS_H
#define RECORD_ENVIRONMENTS_H

#include "texenv/values.h"

struct environment {
    /* the state; environment colours and alpha reference are 0, as they may differ between draws */
    struct texenv_state state;
    /* without the results that the state does not read; zero if there is no vertex half */
    struct texenv_vertex vertex;
    bool half;                   /* there is a vertex half */
    struct texenv_raster raster; /* points: 0xff if the primitives are not known */
    struct texenv_state drawn;   /* the state of the last draw, with colours */
    /* recolours: how many draws had other environment colours or another alpha reference than the
     * draw before */
    unsigned draws, recolours;
    unsigned written;         /* draws when the figures in the script were last written */
    char *path;               /* path of the script; NULL if it could not be written */
    struct environment *next; /* next in the same hash bucket */
};

/* Reads the values of the current draw, whose state is given, and what is known of the textures of its units
 * (TEXENV_UNITS elements, zero at first). Returns false if the values are not known. */
typedef bool environments_query(struct texenv_values *values, struct texenv_texture_info *textures,
                                const struct texenv_state *state);

/* Sets the folder of the scripts, and the application's name, which begins their names and appears in them.
 * Both strings must stay valid. The folder and its parents are created with the first script, so that an
 * application that draws nothing creates no folder. Returns false, with errno, if the folder cannot be
 * created or written. */
bool environments_open(const char *folder, const char *program, environments_query *query);

/* Records a draw. vertex: its vertex half; NULL if it cannot be described, then the script has the sentence
 * `why`. *fresh: the environment is new, and its script, with the call stack, has been written. Returns NULL
 * if memory or the room for environments is exhausted. */
struct environment *environments_draw(const struct texenv_state *state, const struct texenv_vertex *vertex,
                                      const struct texenv_raster *raster, const char *why, unsigned frame,
                                      bool *fresh);

/* Returns the number of environments. */
unsigned environments_count(void);

/* Updates the figures in the scripts where they have changed. Async-signal-safe. */
void environments_flush(void);

/* Appends a comment line for each caller of this function, innermost first, without those in the library that
 * contains this function: file, line and function where debugging information has them, otherwise library and
 * offset. */
void stack_print(struct texenv_text *text);

#endif
