/* The environments that a program draws with, each once, as scripts of GL calls in a folder. Shared by the
 * shim (TEXENV_SHIM=record) and the recording stub; one thread at a time. */
#ifndef RECORD_ENVIRONMENTS_H
#define RECORD_ENVIRONMENTS_H

#include "texenv/values.h"

struct environment {
    struct texenv_state state;   /* environment colours and alpha reference 0: they may change */
    struct texenv_vertex vertex; /* without what the state does not read; all zero where there is none */
    bool half;                   /* there is one */
    struct texenv_raster raster; /* points: 0xff if what is drawn is not known */
    struct texenv_state drawn;   /* as last drawn with */
    unsigned draws, recolours;   /* recolours: draws with other environment colours than the draw before */
    unsigned written;            /* draws when the script's figures were last written */
    char *path;                  /* of the script; NULL: it could not be written */
    struct environment *next;    /* in the same bucket */
};

/* GL's values at the draw at hand, of this state, and what is known of the textures of its units
 * (TEXENV_UNITS of them, all zero before). False: the values are not known. */
typedef bool environments_query(struct texenv_values *values, struct texenv_texture_info *textures,
                                const struct texenv_state *state);

/* Where the scripts go, and what their names and first lines begin with. Both are kept. The first script
 * makes the folder, and those that it lies in: who draws nothing leaves none. False if it cannot be made, or
 * written to (errno). */
bool environments_open(const char *folder, const char *program, environments_query *query);

/* A draw. vertex: its vertex half; NULL: it has none that words can say,
 * and the script tells why, a sentence. *fresh: the environment was not known, and its script has been
 * written now, with the call stack. NULL: no memory. */
struct environment *environments_draw(const struct texenv_state *state, const struct texenv_vertex *vertex,
                                      const struct texenv_raster *raster, const char *why, unsigned frame,
                                      bool *fresh);

/* How many there are. */
unsigned environments_count(void);

/* Writes the figures into the scripts whose figures have changed. Async-signal-safe. */
void environments_flush(void);

/* Appends a comment line for each caller of this function outside of the library that it is part of, the
 * nearest first: file, line and function where debugging information tells them, else library and offset. */
void stack_print(struct texenv_text *text);

#endif
