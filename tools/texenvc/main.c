/* texenvc converts texture environments to programs and words of chips. This file has the table of commands
 * and the main function. */
#include "diag.h"
#include "manual.h"
#include "options.h"
#include "output.h"

#include <stdio.h>
#include <string.h>

static const struct command commands[] = {
    {"convert", CMD_CONVERT, "FILE... [options]",
     "Converts texture environments into programs, or into another text of the same",
     "FILE '-' is standard input. Several states go to one output, each after a line '# state N ...'; a\n"
     "state that the target cannot do is left out with the reason, and the exit status is 3. An input\n"
     "with errors gives no output.\n"
     "\n"
     "Examples:\n"
     "  texenvc convert -e '{T0*P} {T1+P}*2'\n"
     "  texenvc convert game.gl --to atifs-c -o game_shader.c\n"
     "  texenvc convert --to webgl --page game.html game-*.gl\n"
     "  apitrace dump game.trace | texenvc convert - --to stages\n",
     cmd_convert},
    {"report", CMD_REPORT, "--target CHIP FILE|DIR... [options]",
     "Tells for each state whether a chip can do it, with which resources, or why not",
     "A line for each state, then totals. Folders are searched for inputs. Exit status: 0 every state\n"
     "fits, 3 some do not.\n"
     "\n"
     "Example:\n"
     "  texenvc report --target r200 -e '{T0*P} {T1+P}*2'\n",
     cmd_report},
    {"key", CMD_KEY, "FILE... [options]",
     "Prints a key for each texture environment: states with equal keys give the same words",
     "A line for each state: the key as 16 hexadecimal digits, then the state's place. The key does not\n"
     "depend on unused arguments, the order of operands, dead stages or environment colours (but on\n"
     "colours with --fold-constants).\n"
     "\n"
     "Example:\n"
     "  texenvc key -e '{T0*P}' -e '{P*T0}'\n",
     cmd_key},
    {"constants", CMD_CONSTANTS, "[--limit N] [--mix] FILE... [options]",
     "Places the constants of programs in as few slots as possible",
     "A row for each slot: for each lane the slot and lane of the program that it is filled from, or its\n"
     "value. The program's slots are numbered in the order of declaration, uniforms before immediates.\n"
     "Operands are taken to select lanes as those of R300 to R420. Exit status: 3 the limit does not\n"
     "suffice.\n"
     "\n"
     "Example:\n"
     "  texenvc constants --limit 32 program.arbfp\n",
     cmd_constants},
    {"alias", CMD_ALIAS, "[--alias none|plain|best] FILE... [options]",
     "Renames the operands of lookups by alias tables, as ir3's alias.tex does",
     "A line for each lookup: up to three groups of sources that have to lie in consecutive registers.\n"
     "Sources are registers (r0.x to r47.w), constants (c0.x to c511.w) and numbers. Prints the entries\n"
     "of the table, moves where the table is full, and the first register of each group.\n"
     "\n"
     "Example:\n"
     "  texenvc alias --alias plain -e '{r3.z, c0.x, 0}'\n",
     cmd_alias},
    {"disasm", CMD_DISASM, "--target CHIP FILE [options]",
     "Prints a chip's words, given as hexadecimal numbers, as assembly or by name and field",
     "A line is ADDRESS VALUE, or one word of a packet stream; '#' begins a comment. Instructions are\n"
     "printed as public tools write them: of etnaviv and ir3 as Mesa's assemblers, vertex programs of\n"
     "r300 to r500 as Mesa's compiler, those of i915 as libdrm's decoder; fragment programs of r300 to\n"
     "r500 as 'RGB [sources]: operation; A [sources]: operation' (hwemit/r300/r500_assembly.c); stages of\n"
     "r200, i830 and pica200 as formulas; nv2a's words as a program of register combiners; other words,\n"
     "and bits that such a text cannot express, as registers and bit fields. 'asm' reads the output back.\n"
     "\n"
     "Example:\n"
     "  texenvc convert -e '{T0*P}' --to r200 --format hex | texenvc disasm --target r200 -\n",
     cmd_disasm},
    {"asm", CMD_ASM, "--target CHIP FILE [options]",
     "Assembles a chip's words from what disasm and convert print",
     "Prints for each word a line ADDRESS VALUE; for a packet stream the value alone.\n"
     "\n"
     "Example:\n"
     "  texenvc convert -e '{T0*P}' --to r200 | texenvc asm --target r200 -\n",
     cmd_asm},
    {"registers", CMD_REGISTERS, "FILE... [options]",
     "Prints removal of dead stages and register assignment as tables",
     "Reads every form of states, and stages without operations: '{T0, T2}, {P , T0}, {T1, P }'.\n"
     "\n"
     "Example:\n"
     "  texenvc registers -e '{T0+T1} {T3-T2}'\n",
     cmd_registers},
    {"explain", CMD_EXPLAIN, "FILE... [options]",
     "Explains unit by unit what a texture environment computes and what became of it",
     "If the state has a vertex half (lighting, texgen, matrices), that is explained too, with what of\n"
     "it is not read. Exit status 3: GL_ATI_fragment_shader cannot do a state; with --html: a policy\n"
     "refuses one.\n"
     "\n"
     "Examples:\n"
     "  texenvc explain -e '{T0*P} {lerp(T0,T1,P.a)} {P*C ; P} C2=(.5,.5,.25,0)'\n"
     "  texenvc explain --html game.gl -o game.html\n",
     cmd_explain},
    {"lint", CMD_LINT, "FILE... [options]",
     "Shows every problem of texture environments, each with its place",
     "Exit status: 0 nothing found or warnings only, 1 errors (with --werror also warnings), 3 the target\n"
     "cannot do a state.\n",
     cmd_lint},
    {"equiv", CMD_EQUIV, "A B [options]", "Compares two inputs, as the Python oracle evaluates them",
     "A and B are any of: states (GL calls, C, traces, stages), programs of GL_ATI_fragment_shader\n"
     "(calls: atifs-calls), intermediate programs, ARB programs and GLSL as 'convert' prints them for\n"
     "states; or two ARB programs of any kind, both of fragments or both of vertices. Only channels that\n"
     "a program writes are compared. Exit status: 0 equal, 1 they differ or one has errors, 4 no python3\n"
     "or no oracle. The folder oracle/ is looked for in $TEXENVC_ORACLE_DIR, ../share/texenvc and ..\n"
     "from this program's folder, and $PYTHONPATH.\n"
     "\n"
     "Example:\n"
     "  texenvc equiv -e '{T0*P}' -e '{modulate}'\n",
     cmd_equiv},
    {"evaluate", CMD_EVALUATE, "--input NAME=R,G,B,A... FILE... [options]",
     "Computes the colour that a texture environment gives for texels and colours",
     "Prints the colour after each unit, and at the end (with the colour sum, before fog and the alpha\n"
     "test), limited to [0,1], in double precision, and as bytes. What the state reads must be given.\n"
     "\n"
     "Example:\n"
     "  texenvc evaluate -e '{T0*P}' --input T0=1,.5,.25,1 --input primary=1,1,128/255,1\n",
     cmd_evaluate},
    {"vectors", CMD_VECTORS, "[-o DIR] [options]",
     "Writes conformance vectors for implementations of texture environments",
     "Writes texenv-vectors.json and texenv-vectors.h (C89, needs no GL header): states, inputs as\n"
     "bytes, and the colour that GL gives, from the exact evaluation of the Python oracle; the data is\n"
     "under 0BSD. Where implementations may differ, every right colour is listed. examples/conform.c and\n"
     "conform.mjs run them. Tags: what a GL needs for a vector (ES1.1, GL1.3, crossbar, ATI3, NV4,\n"
     "colorsum, fog-coord), and what it is about (formats, classic, dot3, scale, units, fog, alpha-test;\n"
     "known: what existing layers draw wrongly; lighting, texgen, matrix: vertices).\n"
     "\n"
     "Example:\n"
     "  texenvc vectors --tags ES1.1,-fog -o vectors\n",
     cmd_vectors},
    {0},
};

static const struct command *find_command(const char *name)
{
    struct nearest n;
    nearest_init(&n, name);
    for (const struct command *c = commands; c->name; c++) {
        if (strcmp(c->name, name) == 0)
            return c;
        nearest_try(&n, c->name);
    }
    if (nearest_get(&n))
        die_usage("there is no command '%s'; did you mean '%s'?", name, nearest_get(&n));
    die_usage("there is no command '%s' ('texenvc --help' lists them)", name);
}

static const char summary[] =
    "Converts OpenGL texture environments into fragment programs and into words of real chips";
static const char statuses[] =
    "Exit status: 0 done, 1 the input has errors (or differs),\n"
    "or a file cannot be read or written, 2 wrong usage, 3 the target cannot do it, 4 internal";

static void help_all(struct buffer *b)
{
    buffer_printf(b, "Usage: texenvc COMMAND [options] FILE...\n%s.\n\n", summary);
    for (const struct command *c = commands; c->name; c++)
        buffer_printf(b, "  %-11s %s\n", c->name, c->summary);
    buffer_printf(b,
                  "\n'texenvc COMMAND --help' tells more of each. %s.\n"
                  "\nTry: texenvc explain -e '{T0*P} {T1+P}*2'\n"
                  "For a shell and man: texenvc --completion bash|zsh, texenvc --manual\n",
                  statuses);
}

static int print_and_close(struct buffer *b)
{
    output_stdout(b->data, b->length);
    buffer_free(b);
    output_close_stdout();
    return STATUS_OK;
}

int main(int argc, char **argv)
{
    struct buffer text = {0};
    if (argc < 2)
        die_usage("a command is missing ('texenvc --help' lists them)");
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        buffer_puts(&text, "texenvc " TEXENV_VERSION "\n");
        return print_and_close(&text);
    }
    if (strcmp(argv[1], "--manual") == 0) {
        manual_page(&text, "texenvc", commands, summary, statuses);
        return print_and_close(&text);
    }
    if (strcmp(argv[1], "--completion") == 0) {
        if (argc < 3 || !manual_completion(&text, argv[2], commands))
            die_usage("--completion needs bash or zsh");
        return print_and_close(&text);
    }
    bool help = strcmp(argv[1], "help") == 0;
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || (help && argc == 2)) {
        help_all(&text);
        return print_and_close(&text);
    }
    struct options o = {.program = argv[0], .command = find_command(argv[help ? 2 : 1])};
    if (!help)
        options_parse(&o, argc - 2, argv + 2);
    if (help || o.help) {
        help_command(&text, o.command);
        return print_and_close(&text);
    }
    if (!o.ninput && o.command->bit != CMD_VECTORS)
        die_usage("%s: no input; usage: texenvc %s %s", o.command->name, o.command->name, o.command->usage);
    int status = o.command->run(&o);
    options_free(&o);
    output_close_stdout();
    return status;
}
