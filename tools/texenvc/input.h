/* Inputs of every form, as a sequence of items: one for each state or program that they hold. */
#ifndef TEXENVC_INPUT_H
#define TEXENVC_INPUT_H

#include "diag.h"
#include "options.h"
#include "texenv/values.h"

#include <stdio.h>

/* One state (or intermediate program, or ATI program) of the input. Valid during the call that gets it. */
struct item {
    uint64_t number; /* from 1 over all inputs */
    enum form form;
    struct source *source;
    /* the draw, the line of the state, the header of the program; call for traces */
    struct texenv_place place;
    uint64_t draws;                        /* how many draws have this state: of traces, recorded scripts */
    bool assumed;                          /* textures were taken for complete RGBA */
    const struct fragprog_reason *refused; /* a policy refuses the state: the rest is not there */
    const struct texenv_state *state;      /* NULL for ir and atifs */
    const struct texenv *te;               /* with state; for traces only if reader.keep */
    const struct texenv_places *places;    /* as te */
    /* The vertex half of the state, canonical, without what the state does not read; NULL: there is none, and
     * vertex_refused says why (NULL of programs). Of traces only if reader.vertex. */
    const struct texenv_vertex *vertex;
    const char *vertex_refused;
    struct texenv_raster raster; /* of what the command makes of it (reader.raster) */
    /* The same with what the state does not read; NULL: of traces. */
    const struct texenv_vertex *vertex_drawn;
    /* GL's values at the (first) draw, NaN where they are not known; NULL: none is known. */
    const struct texenv_values *values;
    /* What is known of the texture of each unit; NULL: nothing. */
    const struct texenv_texture_info *textures;
    const struct fragprog *ir;
    const char *text; /* of an ARB program: as it was read */
    size_t length;
    const struct fragprog_atifs *atifs;
    const struct fragprog_reads *reads; /* of claim() */
};

struct reading;

/* What a command does with the inputs. */
struct reader {
    const struct options *options;
    void *user;
    void (*item)(void *user, const struct item *item);
    /* After the last item of an input. failed: it has errors; what it gave is not to be used. May be NULL. */
    void (*end)(void *user, const struct input *input, uint64_t items, bool failed);
    /* Reads a form of its own: true if the text has it (stage notation or unknown form only). May be NULL. */
    bool (*claim)(struct reading *in, const char *text, size_t length);
    bool keep;   /* items of traces have te and places */
    bool vertex; /* and the vertex half: states of traces that differ in it alone are two */
    /* Bits of what it makes of the rest of a draw. Without, a vertex half has no planes and no radial fog. */
    struct texenv_raster raster;
    bool all_diags; /* no limit on how many warnings are shown */
    /* Filled. */
    uint64_t items, selected; /* seen, and handed to item() */
    uint64_t errors, warnings, notes;
    uint64_t gl_errors; /* calls of scripts that GL would have refused */
    bool failed;        /* some input had errors */
};

/* Reads all inputs of the options. */
void read_inputs(struct reader *r);
/* The name that diagnostics and frames show. */
const char *input_name(const struct input *input);

/* Reads until at least `want` bytes are there, or to the end. False after a message if reading fails. */
bool read_more(struct buffer *b, FILE *f, const char *name, size_t want);
/* The text of an input whole. NULL after a message if it cannot be read. */
char *input_text(const struct input *input, size_t *length);

/* ---- between input.c and its parts ---- */

/* Of a script that was made of C source: what begins at this line and column of it, and where it stands in
 * the source. */
struct script_place {
    struct texenv_place script, source;
    const char *file; /* one that is included; NULL: the input itself */
    uint32_t file_length;
    struct texenv_place main; /* of the statement of the input itself that led there */
    const char *expression;   /* what UNKNOWN_VALUE stands for here; NULL: it stands for none */
    uint32_t expression_length;
    bool expression_cut; /* there is more of it */
};
/* In such a script: a value that is not known. */
#define UNKNOWN_VALUE "unknown_value"

/* One input being read. */
struct reading {
    struct reader *r;
    struct source source;
    enum form form;
    uint64_t items;                   /* of this input */
    uint64_t draws;                   /* of a recorded script: of its state; else 0 */
    uint64_t skipped, program_draws;  /* of this input: calls, draws that gave no item */
    const struct script_place *place; /* of C source, in order: one for each line, column 1, at least */
    size_t nplaces;
    struct source included; /* diagnostics of files that are included */
    bool open_values;       /* values that are not known are told as such */
};
/* Numbers an item and hands it on if it is wanted. */
void deliver(struct reading *in, struct item *item);
/* texenv_canonicalise of a draw. False if a policy refuses: *why says so then. Other diagnostics go to sink.
 */
bool canonicalise(struct texenv_state *state, struct fragprog_reason *why, const struct texenv_draw *draw,
                  const struct texenv_policy *policy, bool complete, const struct texenv_sink *sink);
/* The vertex half of a draw whose state this is; NULL, or why it has none for this reader. */
const char *vertex_half(struct texenv_vertex *vertex, struct texenv_raster *raster, const struct reader *r,
                        const struct texenv_draw *draw, const struct texenv_state *state);
extern const struct texenv_memory tool_memory;
/* What a draw says of the textures of its units, TEXENV_UNITS of them: nothing of units without. */
void copy_textures(struct texenv_texture_info *out, const struct texenv_draw *draw);

/* An apitrace dump that comes in pieces (trace.c): `first` is what was read already. */
void read_trace(struct reading *in, FILE *f, const char *first, size_t length);
/* What is said of lighting, texgen and the rest beside texturing: whether the output has it, and whether
 * fixed function does not stay in force around it (core profiles, ES and Vulkan have none). */
void say_beside(struct texenv_reader *reader, const struct reading *in);
/* The dump through the reader; how many bytes it had. *window holds the text that diagnostics show: the
 * caller frees it after the last of them. */
uint64_t feed_trace(struct reading *in, struct texenv_reader *reader, FILE *f, const char *first,
                    size_t length, void **window);
/* C source through the preprocessor (source_ways.c): every way through the function as a script of its own.
 * False: no function is defined in it, and nothing was read. */
bool read_c_source(struct reading *in, const char *path);
/* The same, of a text behind the preprocessor, which is freed. At most `steps` statements are followed. */
bool read_c_text(struct reading *in, char *text, const char *path, uint64_t steps);
/* Whether an input is read so: by --from c, or by its name. */
bool is_c_source(const struct options *o, const struct input *input);
/* A place of such a script in the source; diagnostics with places of the script. user: struct reading */
struct script_place place_in_source(const struct reading *in, struct texenv_place place);
void emit_in_source(void *user, const struct texenv_diag *diag);
/* A diagnostic of C source. */
void report_in_source(struct reading *in, const struct script_place *at, const struct texenv_diag *diag);
/* In such a script: a call that may draw, with its name behind it. */
#define POSSIBLE_DRAW "/*?glRects(0, 0, 1, 1);*/"
/* Of such a script of so many lines: false after an error, where what may be drawn by calls that are not
 * followed is drawn with no state that is found, or a unit has an environment and no texture. *draws:
 * something draws. */
bool look_at_script(struct reading *in, const char *text, size_t length, uint32_t lines, bool *draws);
/* Whether a script has no call that is followed. */
bool is_empty_script(const char *text, size_t length);
/* Reads a script. Its places are those of in->place, or its own lines if that is NULL. */
void read_script(struct reading *in, const char *text, size_t length);
/* Calls of GL_ATI_fragment_shader (calls.c), in C source or (trace) as an apitrace dump. */
void read_calls(struct reading *in, bool trace, FILE *f, const char *first, size_t length);
/* What --texture says of the textures that a program looks up. */
void put_targets(const struct options *o, struct fragprog_atifs *program);
/* Texts of several programs (programs.c). */
void read_programs(struct reading *in, const char *text, size_t length);

#endif
