/* The command line, from two tables: commands and options. The same tables print the help. */
#ifndef TEXENVC_OPTIONS_H
#define TEXENVC_OPTIONS_H

#include "hwemit/hwemit.h"
#include "util.h"

/* Text forms; from FORM_ATIFS_C on they are only printed, FORM_ATIFS_CALLS, FORM_ARBFP and FORM_APITRACE are
 * only read. FORM_CHIP: words of options.chip; FORM_LANGUAGE: a program in options.language (ARB programs,
 * too).
 */
enum form {
    FORM_GUESS,
    FORM_GL,
    FORM_APITRACE,
    FORM_STAGES,
    FORM_IR,
    FORM_ATIFS,
    FORM_ATIFS_CALLS,
    FORM_ARBFP,
    FORM_ATIFS_C,
    FORM_JSON,
    FORM_CHIP,
    FORM_LANGUAGE,
    FORMS
};
/* How words are printed. */
enum format { FORMAT_TEXT, FORMAT_HEX, FORMAT_JSON, FORMAT_C };
extern const char *const form_names[FORMS];

struct input {
    const char *path; /* "-": standard input; NULL: text */
    const char *text; /* of -e */
};

/* --print-after: index of a pass, or one of these. */
enum { PRINT_NONE = -1, PRINT_ALL = -2, PRINT_LOWER = -3, PRINT_ASSIGN = -4 };

enum { SAYS_STATE = 0xff };
enum stage { STAGE_FRAGMENT = 1, STAGE_VERTEX = 2, STAGE_BOTH = 3 };
/* Of texenv-gldiff only. */
struct gldiff_options {
    unsigned via; /* bits of enum via; with --vertex of enum vertex_way from VIA_GLSL on */
    bool via_all; /* no --via was given */
    int platform; /* enum platform */
    uint64_t random, seed;
    double tolerance, vertex_tolerance;
    const char *png; /* folder */
    bool png_all, eight_bit, samples, sabotage, vertex, both;
};

struct options {
    const char *program; /* argv[0] */
    const struct command *command;
    struct input *input;
    size_t ninput;
    enum form from, to;
    const char *output;
    struct fragprog_options target;
    /* .fog, .color_sum, .alpha_test: SAYS_STATE or what --fog, --color-sum and --alpha-test say */
    struct fragprog_language_options language;
    unsigned stages;                 /* of a language: bits of enum stage */
    const char *reflect, *reflect_c; /* the files of --reflect and --reflect-c */
    bool source;                     /* --from c: FORM_GL by way of the preprocessor */
    bool words;                      /* --from vertex: FORM_ARBFP, generated from words */
    bool combiners;                  /* --from rc: programs of register combiners, to a chip that has them */
    const char *vertex_state;        /* words; NULL: what the state says */
    bool affine;                     /* texture coordinates of vertices are without q */
    const char *function;            /* of --function; NULL */
    const char **cpp, **let, **wrapper; /* as given: -I and -D joined; NAME=VALUE; NAME=glNAME */
    size_t ncpp, nlet, nwrapper;
    const char **draw, **ignore; /* names of calls; "*" at the end: of all that begin so */
    size_t ndraw, nignore;
    uint8_t enable[TEXENV_UNITS];     /* of --enable: enum texenv_target + 1; TEXENV_TARGETS + 1: none; 0: not
                                         given */
    const char *name;                 /* of --name; NULL */
    bool embed, places;               /* places: --binding or --location was given */
    const char *page;                 /* of --page: the output, too; NULL */
    bool webgl;                       /* the language was given as webgl or webgl2 */
    bool script;                      /* what --embed or --page makes is JavaScript */
    const struct hwemit_target *chip; /* of --to and --target */
    struct hwemit_options chip_options;
    const char *primary_texcoord; /* as given; NULL */
    const char **assume;          /* as given */
    size_t nassume;
    const char **chip_option; /* as given: NAME=N */
    size_t nchip_option;
    enum format format;
    bool packets, json;
    bool patient;                  /* no --most-work was given: it depends on the target */
    uint8_t texture[TEXENV_UNITS]; /* of --texture: enum texenv_target + 1, 0: not said */
    struct texenv_policy policy;
    const char **policy_text; /* as given */
    size_t npolicy;
    uint64_t state; /* only this one; 0: all */
    int print_after;
    bool html; /* of explain */
    bool diag_json, quiet, werror, lenient, help, version, manual, verify_each, rule_counts;
    unsigned registers;
    uint8_t constants_layout; /* enum fragprog_constants_layout */
    bool constants_layout_given;
    int atrm;                 /* row of --atrm + 1; 0: not given */
    uint8_t alias;            /* enum fragprog_alias_how */
    uint32_t constants_limit; /* 0: none */
    bool mix;
    const char *from_a, *from_b;
    const char **value; /* of --input, as given: NAME=r,g,b,a */
    size_t nvalue;
    const char *tags;          /* of --tags; NULL */
    unsigned long count, seed; /* of vectors; 0: not given */
    struct gldiff_options *gldiff;
};

struct command {
    const char *name;
    unsigned bit;      /* which options it takes */
    const char *usage; /* what stands after its name */
    const char *summary;
    const char *help; /* paragraphs after the options */
    int (*run)(const struct options *o);
};
struct option_row {
    char letter;       /* 0: none */
    const char *name;  /* with its dashes; NULL: only the letter */
    const char *value; /* what it takes; NULL: nothing */
    unsigned commands;
    const char *help;
    void (*set)(struct options *o, const char *value);
};
extern const struct option_row option_rows[]; /* ends with set NULL */

enum {
    CMD_CONVERT = 1,
    CMD_REGISTERS = 2,
    CMD_EXPLAIN = 4,
    CMD_LINT = 8,
    CMD_EQUIV = 16,
    CMD_REPORT = 32,
    CMD_DISASM = 64,
    CMD_ASM = 128,
    CMD_GLDIFF = 256, /* a program of its own */
    CMD_KEY = 512,
    CMD_CONSTANTS = 1024,
    CMD_ALIAS = 2048,
    CMD_VECTORS = 4096, /* reads nothing */
    CMD_EVALUATE = 8192,
    /* read states and programs of any form */
    CMD_STATES = CMD_CONVERT | CMD_REGISTERS | CMD_EXPLAIN | CMD_LINT | CMD_REPORT | CMD_GLDIFF | CMD_KEY |
        CMD_CONSTANTS | CMD_EVALUATE,
    CMD_WORDS = CMD_DISASM | CMD_ASM,
    CMD_ALL = 4095 | CMD_EVALUATE
};

int cmd_convert(const struct options *o);
int cmd_registers(const struct options *o);
int cmd_explain(const struct options *o);
int cmd_lint(const struct options *o);
int cmd_equiv(const struct options *o);
int cmd_report(const struct options *o);
int cmd_key(const struct options *o);
int cmd_constants(const struct options *o);
int cmd_alias(const struct options *o);
int cmd_vectors(const struct options *o);
int cmd_evaluate(const struct options *o);
int cmd_disasm(const struct options *o);
int cmd_asm(const struct options *o);

/* Reads the arguments after the command; ends the program on wrong usage. */
void options_parse(struct options *o, int argc, char **argv);
void options_free(struct options *o);
/* The file beside a module that declares what is in it, for TypeScript; NULL: none. To be freed. */
char *options_types(const struct options *o);
/* Is the output one JSON array? */
bool options_json(const struct options *o);
/* The most work of a search for this chip (NULL: a program) where none is given. */
uint32_t options_patience(const struct hwemit_target *chip);
void help_command(struct buffer *b, const struct command *command);

#endif
