/* The command line, from two tables: commands and options. The same tables print the help. */
#ifndef TEXENVC_OPTIONS_H
#define TEXENVC_OPTIONS_H

#include "fragprog/fragprog.h"
#include "util.h"

/* Text forms, and the two that are only printed. */
enum form { FORM_GUESS, FORM_GL, FORM_APITRACE, FORM_STAGES, FORM_IR, FORM_ATIFS, FORM_ATIFS_C, FORM_JSON, FORMS };
extern const char *const form_names[FORMS];

struct input {
    const char *path; /* "-": standard input; NULL: text */
    const char *text; /* of -e */
};

/* --print-after: index of a pass, or one of these. */
enum { PRINT_NONE = -1, PRINT_ALL = -2, PRINT_LOWER = -3, PRINT_ASSIGN = -4 };

struct options {
    const char *program; /* argv[0] */
    const struct command *command;
    struct input *input;
    size_t ninput;
    enum form from, to;
    const char *output;
    struct fragprog_options target;
    struct texenv_policy policy;
    const char **policy_text; /* as given */
    size_t npolicy;
    uint64_t state; /* only this one; 0: all */
    uint64_t skip;  /* bit per pass */
    int print_after;
    bool diag_json, quiet, werror, help, verify_each, rule_counts;
    unsigned registers;
    const char *from_a, *from_b;
};

struct command {
    const char *name;
    unsigned bit;      /* which options it takes */
    const char *usage; /* what stands after its name */
    const char *summary;
    const char *help;  /* paragraphs after the options */
    int (*run)(const struct options *o);
};
extern const struct command commands[]; /* ends with name NULL */

enum { CMD_CONVERT = 1, CMD_REGISTERS = 2, CMD_EXPLAIN = 4, CMD_LINT = 8, CMD_EQUIV = 16, CMD_ALL = 31 };

int cmd_convert(const struct options *o);
int cmd_registers(const struct options *o);
int cmd_explain(const struct options *o);
int cmd_lint(const struct options *o);
int cmd_equiv(const struct options *o);

/* Reads the arguments after the command; ends the program on wrong usage. */
void options_parse(struct options *o, int argc, char **argv);
void options_free(struct options *o);
void help_command(struct buffer *b, const struct command *command);

#endif
