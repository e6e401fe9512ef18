/* The command line, described by two tables of commands and options, which also generate the help. */
#ifndef TEXENVC_OPTIONS_H
#define TEXENVC_OPTIONS_H

#include "hwemit/hwemit.h"
#include "util.h"

/* Text formats. FORM_ATIFS_C and the following ones are only printed; FORM_ATIFS_CALLS, FORM_ARBFP and
 * FORM_APITRACE are only read. FORM_CHIP: words of options.chip; FORM_LANGUAGE: a program in
 * options.language, which includes ARB programs. */
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
/* Formats of a chip's words. */
enum format { FORMAT_TEXT, FORMAT_HEX, FORMAT_JSON, FORMAT_C };
extern const char *const form_names[FORMS];

struct input {
    const char *path; /* "-": standard input; NULL if text is set */
    const char *text; /* the text given by -e */
};

/* Value of --print-after: the index of a pass, or one of these. */
enum { PRINT_NONE = -1, PRINT_ALL = -2, PRINT_LOWER = -3, PRINT_STEP = -4 };

enum { SAYS_STATE = 0xff };
enum stage { STAGE_FRAGMENT = 1, STAGE_VERTEX = 2, STAGE_BOTH = 3 };
/* Options of texenv-gldiff only. */
struct gldiff_options {
    unsigned via; /* bits of enum via; with --vertex, bits of enum vertex_way starting at VIA_GLSL */
    bool via_all; /* no --via was given */
    int platform; /* enum platform */
    uint64_t random, seed;
    double tolerance, vertex_tolerance;
    const char *png; /* folder to write pictures to */
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
    /* .fog, .color_sum, .alpha_test: SAYS_STATE or the value of --fog, --color-sum, --alpha-test */
    struct fragprog_language_options language;
    unsigned stages;                 /* bits of enum stage */
    const char *reflect, *reflect_c; /* file names */
    bool source;                     /* --from c: FORM_GL after the preprocessor */
    bool words;                      /* --from vertex: FORM_ARBFP, generated from words */
    bool combiners;                  /* --from rc: programs of register combiners, for a chip that has them */
    const char *vertex_state;        /* words; NULL: use the vertex half of the state */
    bool affine;                     /* --affine: texture coordinates have no q */
    const char *function;            /* value of --function, or NULL */
    const char **cpp, **let, **wrapper; /* -I and -D with their values; NAME=VALUE; NAME=glNAME */
    size_t ncpp, nlet, nwrapper;
    const char **draw, **ignore; /* names of calls; a "*" at the end matches any continuation */
    size_t ndraw, nignore;
    /* value of --enable: 1 + enum texenv_target; TEXENV_TARGETS + 1: none; 0: not given */
    uint8_t enable[TEXENV_UNITS];
    const char *name;                 /* value of --name, or NULL */
    bool embed, places;               /* places: --binding or --location was given */
    const char *page;                 /* output file of --page, or NULL */
    bool webgl;                       /* the language was given as webgl or webgl2 */
    bool script;                      /* --embed or --page writes JavaScript */
    const struct hwemit_target *chip; /* chip given by --to or --target */
    struct hwemit_options chip_options;
    const char *primary_texcoord; /* text of the option, or NULL */
    const char **assume;          /* names, not yet resolved */
    size_t nassume;
    const char **chip_option; /* texts NAME=N, not yet resolved */
    size_t nchip_option;
    enum format format;
    bool packets, fields, json;
    bool patient;                  /* --most-work was not given: the limit depends on the target */
    uint8_t texture[TEXENV_UNITS]; /* value of --texture: 1 + enum texenv_target; 0: not given */
    struct texenv_policy policy;
    const char **policy_text; /* texts NAME=VALUE */
    size_t npolicy;
    uint64_t state;         /* number of the only state to process; 0: all */
    int print_after;        /* index of a pass, or PRINT_... */
    const char *print_step; /* with PRINT_STEP: "assign", or the name of a chip's step */
    bool html;              /* explain writes HTML */
    bool diag_json, quiet, werror, lenient, help, version, manual, verify_each, rule_counts;
    unsigned registers;
    uint8_t constants_layout; /* enum fragprog_constants_layout */
    bool constants_layout_given;
    int atrm;                 /* 1 + the index of --atrm's value; 0: not given */
    uint8_t alias;            /* enum fragprog_alias_how */
    uint32_t constants_limit; /* 0: no limit */
    bool mix;
    const char *from_a, *from_b;
    const char **value; /* values of --input: texts NAME=r,g,b,a */
    size_t nvalue;
    const char *tags;          /* value of --tags, or NULL */
    unsigned long count, seed; /* number and seed of test vectors; 0: not given */
    struct gldiff_options *gldiff;
};

struct command {
    const char *name;
    unsigned bit;      /* identifies the command in option_row.commands */
    const char *usage; /* the command's arguments */
    const char *summary;
    const char *help; /* paragraphs printed after the options */
    int (*run)(const struct options *o);
};
struct option_row {
    char letter;       /* 0: no letter */
    const char *name;  /* the long name with its dashes; NULL: the option has only a letter */
    const char *value; /* placeholder of its value; NULL: takes no value */
    unsigned commands;
    const char *help;
    void (*set)(struct options *o, const char *value);
};
extern const struct option_row option_rows[]; /* the last row has set NULL */

enum {
    CMD_CONVERT = 1,
    CMD_REGISTERS = 2,
    CMD_EXPLAIN = 4,
    CMD_LINT = 8,
    CMD_EQUIV = 16,
    CMD_REPORT = 32,
    CMD_DISASM = 64,
    CMD_ASM = 128,
    CMD_GLDIFF = 256, /* a separate program */
    CMD_KEY = 512,
    CMD_CONSTANTS = 1024,
    CMD_ALIAS = 2048,
    CMD_VECTORS = 4096, /* takes no input */
    CMD_EVALUATE = 8192,
    /* commands that read states and programs of any format */
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

/* Parses the arguments after the command. Ends the program on wrong usage. */
void options_parse(struct options *o, int argc, char **argv);
void options_free(struct options *o);
/* Returns the name of the TypeScript declaration file beside a module, or NULL. The caller frees it. */
char *options_types(const struct options *o);
/* Returns whether the output is one JSON array. */
bool options_json(const struct options *o);
/* Returns the default search limit for this chip (NULL: for a program). */
uint32_t options_patience(const struct hwemit_target *chip);
void help_command(struct buffer *b, const struct command *command);

#endif
