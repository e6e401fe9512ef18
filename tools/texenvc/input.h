/* Reads inputs of every format and delivers them as a sequence of items, one for each state or program. */
#ifndef TEXENVC_INPUT_H
#define TEXENVC_INPUT_H

#include "diag.h"
#include "options.h"
#include "texenv/values.h"

#include <stdio.h>

/* One state, intermediate program or ATI program of the input. Valid during the call that receives it. */
struct item {
    uint64_t number; /* counted from 1 over all inputs */
    enum form form;
    struct source *source;
    /* position of the draw, of the state's line, or of the program's header; in traces with the
     * call's number */
    struct texenv_place place;
    uint64_t draws; /* number of draws with this state (traces, recorded scripts) */
    /* textures without images were assumed to be complete RGBA textures */
    bool assumed;
    const struct fragprog_reason *refused; /* a policy refuses the state; the following members are not set */
    const struct texenv_state *state;      /* NULL for programs */
    const struct texenv *te;               /* set together with state, but in traces only if reader.keep */
    const struct texenv_places *places;    /* set when te is set */
    /* The canonical vertex half of the state, without what the state does not read. NULL if there is none;
     * vertex_refused then says why (NULL for programs). In traces only if reader.vertex. */
    const struct texenv_vertex *vertex;
    const char *vertex_refused;
    struct texenv_raster raster; /* the members that the command uses (reader.raster) */
    /* The vertex half including what the state does not read; NULL in traces. */
    const struct texenv_vertex *vertex_drawn;
    /* GL's values at the first draw, NaN where not known; NULL if no value is known. */
    const struct texenv_values *values;
    /* What is known of each unit's texture; NULL if nothing is. */
    const struct texenv_texture_info *textures;
    const struct fragprog *ir;
    const char *text; /* the text of an ARB program */
    size_t length;
    const struct fragprog_atifs *atifs;
    const struct fragprog_reads *reads; /* set by claim() */
};

struct reading;

/* How a command processes the inputs. */
struct reader {
    const struct options *options;
    void *user;
    void (*item)(void *user, const struct item *item);
    /* Called after the last item of an input. failed: the input has errors, and its items must not be used.
     * May be NULL. */
    void (*end)(void *user, const struct input *input, uint64_t items, bool failed);
    /* Reads a format that only this command knows. Returns true if the text has that format. Called for stage
     * notation and unknown formats only. May be NULL. */
    bool (*claim)(struct reading *in, const char *text, size_t length);
    bool keep;   /* items of traces have te and places */
    bool vertex; /* items have the vertex half; states of traces that differ only in it are separate items */
    /* The raster state that the output expresses, as bits: other raster state is not passed on. A draw with
     * clip planes or radial fog has no vertex half unless their bits are set. */
    struct texenv_raster raster;
    bool all_diags; /* show all warnings, without a limit */
    /* Results of read_inputs. */
    uint64_t items, selected; /* number of items, and of those passed to item() */
    uint64_t errors, warnings, notes;
    uint64_t gl_errors; /* calls of scripts that cause a GL error */
    bool failed;        /* an input had errors */
};

/* Reads all inputs that the options name. */
void read_inputs(struct reader *r);
/* Returns the input's name for diagnostics and headers. */
const char *input_name(const struct input *input);
/* Ends with wrong usage if this output is one of the inputs, which is probably a mistake. */
void check_no_input(const struct options *o, const char *path);

/* Reads until b has at least `want` bytes, or to the end of the file. Returns false after a message if
 * reading fails. */
bool read_more(struct buffer *b, FILE *f, const char *name, size_t want);
/* Returns the whole text of an input, or NULL after a message if it cannot be read. */
char *input_text(const struct input *input, size_t *length);

/* ---- shared by input.c and the readers ---- */

/* For a script generated from C source: the code that begins at this position of the script, and its position
 * in the source. */
struct script_place {
    struct texenv_place script, source;
    const char *file; /* name of an included file; NULL for the input itself */
    uint32_t file_length;
    struct texenv_place main; /* position of the statement of the input itself that led there */
    /* the expression for which UNKNOWN_VALUE was written here; NULL if there is none */
    const char *expression;
    uint32_t expression_length;
    bool expression_cut; /* the expression is longer */
};
/* The name that a generated script contains for a value that is not known. */
#define UNKNOWN_VALUE "unknown_value"

/* An input while it is read. */
struct reading {
    struct reader *r;
    struct source source;
    enum form form;
    uint64_t items;                  /* number of items of this input */
    uint64_t draws;                  /* number of draws of a recorded script; else 0 */
    uint64_t skipped, program_draws; /* calls and draws of this input that gave no item */
    /* for C source: positions in order, at least one for each line at column 1 */
    const struct script_place *place;
    size_t nplaces;
    struct source included; /* the included file in which a diagnostic is */
    bool open_values;       /* unknown values are accepted (texenv_reader.open_values) */
};
/* Numbers an item and passes it on if it is selected. */
void deliver(struct reading *in, struct item *item);
/* Calls texenv_canonicalise for a draw. Returns false, with the reason in *why, if a policy refuses the
 * state. Other diagnostics are sent to sink. */
bool canonicalise(struct texenv_state *state, struct fragprog_reason *why, const struct texenv_draw *draw,
                  const struct texenv_policy *policy, bool complete, const struct texenv_sink *sink);
/* Determines the vertex half of a draw with this state. Returns NULL, or why there is none for
 * this reader. */
const char *vertex_half(struct texenv_vertex *vertex, struct texenv_raster *raster, const struct reader *r,
                        const struct texenv_draw *draw, const struct texenv_state *state);
extern const struct texenv_memory tool_memory;
/* Copies what is known of the textures of the draw's units, TEXENV_UNITS elements. Units without a texture
 * get zeros. */
void copy_textures(struct texenv_texture_info *out, const struct texenv_draw *draw);

/* Reads an apitrace dump in pieces (trace.c). `first` has been read already. */
void read_trace(struct reading *in, FILE *f, const char *first, size_t length);
/* Tells the texenv_reader which fixed-function state outside of texturing the output expresses, and whether
 * fixed function stays available at run time (core profiles, ES and Vulkan have none). */
void say_beside(struct texenv_reader *reader, const struct reading *in);
/* Passes the dump to the reader and returns its size in bytes. *window is the text that diagnostics show; the
 * caller must free it after the last diagnostic. */
uint64_t feed_trace(struct reading *in, struct texenv_reader *reader, FILE *f, const char *first,
                    size_t length, void **window);
/* Reads C source with the preprocessor (source_ways.c). Every path through the function becomes a script.
 * Returns false, having read nothing, if the file defines no function. */
bool read_c_source(struct reading *in, const char *path);
/* Does the same as read_c_source for a text that is already preprocessed, and frees the text. Interprets at
 * most `steps` statements. */
bool read_c_text(struct reading *in, char *text, const char *path, uint64_t steps);
/* Returns whether an input is read as C source, because of --from c or of its name. */
bool is_c_source(const struct options *o, const struct input *input);
/* Map a position in the generated script to the source, and report diagnostics whose positions are in the
 * script. user: struct reading. */
struct script_place place_in_source(const struct reading *in, struct texenv_place place);
void emit_in_source(void *user, const struct texenv_diag *diag);
/* Reports a diagnostic about C source. */
void report_in_source(struct reading *in, const struct script_place *at, const struct texenv_diag *diag);
/* Marks a call in the generated script that may draw; the call's name follows. */
#define POSSIBLE_DRAW "/*?glRects(0, 0, 1, 1);*/"
/* Checks a generated script of so many lines. Returns false after reporting an error: a call that is not
 * followed may draw with a state that no other draw has, or a unit has an environment but no texture. *draws:
 * the script draws something. */
bool look_at_script(struct reading *in, const char *text, size_t length, uint32_t lines, bool *draws);
/* Returns whether a script contains no call that the reader executes. */
bool is_empty_script(const char *text, size_t length);
/* Reads a script. Positions are mapped through in->place, or are those of the script if that is NULL. */
void read_script(struct reading *in, const char *text, size_t length);
/* Reads calls of GL_ATI_fragment_shader (calls.c), from C source or, if trace is set, from an
 * apitrace dump. */
void read_calls(struct reading *in, bool trace, FILE *f, const char *first, size_t length);
/* Applies --texture to the textures that a program looks up. */
void put_targets(const struct options *o, struct fragprog_atifs *program);
/* Reads a text that contains several programs (programs.c). */
void read_programs(struct reading *in, const char *text, size_t length);

#endif
