/* Generates manual pages and shell completion from the tables of commands and options, so that they always
 * agree with the program. */
#include "manual.h"

#include <ctype.h>
#include <string.h>

/* ---- manual pages ---- */

/* Appends text as roff source: escapes backslashes and hyphens, and prevents a line from being read as a
 * request. */
static void add_roff(struct buffer *b, const char *text)
{
    bool begins = b->length == 0 || b->data[b->length - 1] == '\n';
    for (; *text; text++) {
        if (begins && (*text == '.' || *text == '\''))
            buffer_puts(b, "\\&");
        if (*text == '\\')
            buffer_puts(b, "\\e");
        else if (*text == '-')
            buffer_puts(b, "\\-");
        else if (*text == '\'')
            buffer_puts(b, "\\(aq");
        else
            buffer_add(b, text, 1);
        begins = *text == '\n';
    }
}

static void add_paragraph(struct buffer *b, const char *term, const char *text)
{
    buffer_puts(b, ".TP\n.B ");
    add_roff(b, term);
    buffer_puts(b, "\n");
    add_roff(b, text);
    buffer_puts(b, "\n");
}

static bool is_program(const struct command *commands) { return !commands[0].name || !commands[1].name; }

static void add_synopsis(struct buffer *b, const char *program, const struct command *commands)
{
    buffer_puts(b, ".SH SYNOPSIS\n");
    for (const struct command *c = commands; c->name; c++) {
        buffer_puts(b, c == commands ? ".B " : ".br\n.B ");
        add_roff(b, program);
        if (!is_program(commands))
            buffer_printf(b, " %s", c->name);
        buffer_puts(b, "\n");
        add_roff(b, c->usage);
        buffer_puts(b, "\n");
    }
}

static void add_option(struct buffer *b, const struct option_row *row, const struct command *commands)
{
    buffer_puts(b, ".TP\n");
    if (row->letter)
        buffer_printf(b, "\\fB\\-%c\\fR", row->letter);
    if (row->name) {
        buffer_puts(b, row->letter ? ", \\fB" : "\\fB");
        add_roff(b, row->name);
        buffer_puts(b, "\\fR");
    }
    if (row->value) {
        buffer_puts(b, " \\fI");
        add_roff(b, row->value);
        buffer_puts(b, "\\fR");
    }
    buffer_puts(b, "\n");
    if (!is_program(commands)) {
        const char *between = "(";
        for (const struct command *c = commands; c->name; c++)
            if (row->commands & c->bit) {
                buffer_printf(b, "%s%s", between, c->name);
                between = ", ";
            }
        buffer_puts(b, ")\n");
    }
    add_roff(b, row->help);
    buffer_puts(b, ".\n");
}

static void add_options(struct buffer *b, const struct command *commands)
{
    unsigned all = 0;
    for (const struct command *c = commands; c->name; c++)
        all |= c->bit;
    buffer_puts(b, ".SH OPTIONS\n");
    for (const struct option_row *row = option_rows; row->set; row++)
        if (row->commands & all)
            add_option(b, row, commands);
}

static void add_names(struct buffer *b)
{
    buffer_puts(b, ".SH LANGUAGES\n");
    for (int i = 0; i < FRAGPROG_LANGUAGES; i++)
        add_paragraph(b, fragprog_language_name((enum fragprog_language)i),
                      fragprog_language_help((enum fragprog_language)i));
    buffer_puts(b, ".SH CHIPS\n");
    for (int i = 0; hwemit_targets[i]; i++) {
        add_paragraph(b, hwemit_targets[i]->name, hwemit_targets[i]->help);
        buffer_puts(b, ".RS\n");
        for (const struct hwemit_assumption *a = hwemit_targets[i]->assumptions; a && a->name; a++)
            add_paragraph(b, a->name, a->help);
        for (const struct hwemit_option *a = hwemit_targets[i]->options; a && a->name; a++)
            add_paragraph(b, a->name, a->help);
        buffer_puts(b, ".RE\n");
    }
    buffer_puts(b, ".SH PASSES\n");
    for (int i = 0; fragprog_passes[i].name; i++)
        add_paragraph(b, fragprog_passes[i].name, fragprog_passes[i].help);
}

void manual_page(struct buffer *b, const char *program, const struct command *commands, const char *summary,
                 const char *statuses)
{
    char title[32] = "";
    for (size_t i = 0; program[i] && i + 1 < sizeof title; i++)
        title[i] = (char)toupper((unsigned char)program[i]);
    buffer_printf(b, ".TH %s 1 \"\" \"texenvc %s\" \"User Commands\"\n.SH NAME\n%s \\- ", title,
                  TEXENV_VERSION, program);
    add_roff(b, summary);
    buffer_puts(b, "\n");
    add_synopsis(b, program, commands);
    buffer_puts(b, ".SH DESCRIPTION\n");
    for (const struct command *c = commands; c->name; c++) {
        if (!is_program(commands))
            buffer_printf(b, ".SS %s\n", c->name);
        add_roff(b, c->summary);
        buffer_puts(b, ".\n");
        if (c->help) {
            buffer_puts(b, ".PP\n.nf\n");
            add_roff(b, c->help);
            buffer_puts(b, ".fi\n");
        }
    }
    add_options(b, commands);
    if (!is_program(commands))
        add_names(b);
    if (statuses) {
        buffer_puts(b, ".SH EXIT STATUS\n");
        add_roff(b, statuses);
        buffer_puts(b, ".\n");
    }
    buffer_puts(b, ".SH SEE ALSO\n.BR texenvc (1),\n.BR texenv\\-gldiff (1),\n.BR texenv\\-formats (5)\n");
}

/* ---- completion ---- */

/* Appends the words of a value such as "text|hex|json|c"; placeholders (FORM, N) are replaced by the words
 * that they represent. */
static void add_values(struct buffer *b, const char *value)
{
    while (*value) {
        size_t n = strcspn(value, "|");
        if (n == 4 && strncmp(value, "CHIP", n) == 0) {
            for (int i = 0; hwemit_targets[i]; i++)
                buffer_printf(b, " %s", hwemit_targets[i]->name);
        } else if (n == 8 && strncmp(value, "LANGUAGE", n) == 0) {
            for (int i = 0; i < FRAGPROG_LANGUAGES; i++)
                buffer_printf(b, " %s", fragprog_language_name((enum fragprog_language)i));
            buffer_puts(b, " webgl webgl2"); /* aliases that --embed and --page need */
        } else if (n == 4 && strncmp(value, "FORM", n) == 0) {
            for (int i = FORM_GL; i < FORM_CHIP; i++)
                buffer_printf(b, " %s", form_names[i]);
        } else if (n == 4 && strncmp(value, "PASS", n) == 0) {
            for (int i = 0; fragprog_passes[i].name; i++)
                buffer_printf(b, " %s", fragprog_passes[i].name);
        } else if (islower((unsigned char)*value) || (n == 1 && isdigit((unsigned char)*value))) {
            buffer_puts(b, " ");
            buffer_add(b, value, n);
        }
        value += n + (value[n] == '|');
    }
}

static bool is_file(const char *value)
{
    return strncmp(value, "FILE", 4) == 0 || strncmp(value, "OUT", 3) == 0 || strcmp(value, "DIR") == 0;
}

static void add_spelling(struct buffer *b, const struct option_row *row, const char *between)
{
    if (row->letter)
        buffer_printf(b, "-%c", row->letter);
    if (row->name)
        buffer_printf(b, "%s%s", row->letter ? between : "", row->name);
}

/* Appends the completions of one command as branches of a `case`: its options, and the values of
 * each option. */
static void add_branches(struct buffer *b, const char *name, unsigned bit)
{
    for (const struct option_row *row = option_rows; row->set; row++) {
        if (!(row->commands & bit) || !row->value)
            continue;
        buffer_printf(b, "    %s:", name);
        if (row->letter)
            buffer_printf(b, "-%c", row->letter);
        if (row->name)
            buffer_printf(b, "%s%s%s", row->letter ? "|" : "", row->letter ? name : "",
                          row->letter ? ":" : "");
        if (row->name)
            buffer_puts(b, row->name);
        buffer_printf(b, ") files=%s values='", is_file(row->value) ? "yes" : "");
        add_values(b, row->value);
        buffer_puts(b, "' ;;\n");
    }
    buffer_printf(b, "    %s:*) values='", name);
    for (const struct option_row *row = option_rows; row->set; row++)
        if (row->commands & bit) {
            buffer_puts(b, " ");
            add_spelling(b, row, " ");
        }
    buffer_puts(b, "' files=yes ;;\n");
}

static void add_command_names(struct buffer *b, const struct command *commands)
{
    for (const struct command *c = commands; c->name; c++)
        buffer_printf(b, "%s ", c->name);
}

static void add_lists(struct buffer *b, const struct command *commands)
{
    buffer_puts(b,
                "# After COMMAND and the word before: `values`, and whether files are meant, too.\n"
                "_texenvc_words() {\n    values= files=\n    case \"$1:$2\" in\n    :*) values='");
    add_command_names(b, commands);
    buffer_puts(b, "help --help --version' ;;\n    help:*) values='");
    add_command_names(b, commands);
    buffer_puts(b, "' ;;\n");
    for (const struct command *c = commands; c->name; c++)
        add_branches(b, c->name, c->bit);
    add_branches(b, "gldiff", CMD_GLDIFF);
    buffer_puts(b, "    esac\n}\n");
}

bool manual_completion(struct buffer *b, const char *shell, const struct command *commands)
{
    static const char bash[] =
        "_texenvc() {\n"
        "    local values files command current=$2 before=$3\n"
        "    case $current in\n"
        "    =) current= ;;\n" /* bash splits words at '=' */
        "    *) [ \"$before\" != = ] || before=${COMP_WORDS[COMP_CWORD-2]} ;;\n"
        "    esac\n"
        "    case ${1##*/} in\n"
        "    texenv-gldiff) command=gldiff ;;\n"
        "    *) command=; [ \"$COMP_CWORD\" -lt 2 ] || command=${COMP_WORDS[1]} ;;\n"
        "    esac\n"
        "    _texenvc_words \"$command\" \"$before\"\n"
        "    case $values in *' --'*) case $current in -*) files= ;; *) values= ;; esac ;; esac\n"
        "    [ -n \"$command\" ] || _texenvc_words '' ''\n"
        "    COMPREPLY=($(compgen -W \"$values\" -- \"$current\"))\n"
        "    [ -z \"$files\" ] || COMPREPLY+=($(compgen -f -- \"$current\"))\n"
        "}\n"
        "complete -o filenames -F _texenvc texenvc texenv-gldiff\n";
    static const char zsh[] = "_texenvc() {\n"
                              "    local values files command\n"
                              "    case ${words[1]:t} in\n"
                              "    texenv-gldiff) command=gldiff ;;\n"
                              "    *) command=; (( CURRENT < 3 )) || command=${words[2]} ;;\n"
                              "    esac\n"
                              "    _texenvc_words \"$command\" \"${words[CURRENT-1]}\"\n"
                              "    compadd -- ${=values}\n"
                              "    [[ -z $files ]] || _files\n"
                              "}\n"
                              "_texenvc \"$@\"\n";
    if (strcmp(shell, "bash") == 0) {
        buffer_puts(b, "# bash completion of texenvc and texenv-gldiff, by 'texenvc --completion bash'\n");
        add_lists(b, commands);
        buffer_puts(b, bash);
    } else if (strcmp(shell, "zsh") == 0) {
        buffer_puts(b, "#compdef texenvc texenv-gldiff\n# by 'texenvc --completion zsh'\n");
        add_lists(b, commands);
        buffer_puts(b, zsh);
    } else {
        return false;
    }
    return true;
}
