/* Checks that the result of a compilation does not depend on the previous contents of the memory that the
 * caller lends. Every program is compiled for every chip, language and ATI_fragment_shader, and every state
 * to the shader pair of each language, at levels 0 to 2: over memory of zeros, over the contents left by
 * earlier compilations, and over bytes of 0xA5. The three results must be equal in everything.
 *
 * batches [-r COUNT SEED] FILE...    files of states (.stages), programs of ATI_fragment_shader (.atifs) and
 * ARB programs (.arbfp, .arbvp); -r: so many files in random order, repeated
 */
#include "fragprog/pair.h"
#include "hwemit/hwemit.h"
#include "fragprog/arb_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WAYS = 3, ROOM = 8 << 20, INSTS = 4096, CONSTS = 8192, TEXT = 1 << 20 };
static const char *const way_names[WAYS] = {"zeros", "what was left", "0xA5"};

/* The memory that is lent to the library. */
static struct memory {
    _Alignas(64) unsigned char scratch[ROOM], reading[ROOM];
    struct fragprog_inst inst[INSTS];
    struct fragprog_const konst[CONSTS];
    struct fragprog_storage storage;
    struct hwemit_word word[HWEMIT_MAX_WORDS];
    struct hwemit_code code;
    struct fragprog_atifs atifs;
    char text[TEXT];
    struct fragprog_pair pair;
} memory;
/* The results of each of the three runs, as text. */
static struct said {
    char data[TEXT];
    struct texenv_text text;
} said[WAYS];

static unsigned long comparisons, differences;
static const char *path;

static void hear(void *user, const struct texenv_diag *diag) { (void)user, (void)diag; }
static const struct texenv_sink silent = {hear, NULL};

/* Prepares lent memory before every call; 0: zeros, 1: unchanged, 2: bytes of 0xA5. */
static void lend(unsigned way, void *p, size_t size)
{
    if (way != 1)
        memset(p, way ? 0xA5 : 0, size);
}

/* ---- what is compiled ---- */

struct job {
    const char *text; /* text of an ARB program; NULL for a state or a program of ATI_fragment_shader */
    size_t length;
    const struct texenv_state *state;
    const struct fragprog_atifs *atifs;
    const struct texenv_vertex *vertex; /* set with `state`: a shader pair is compiled */
    unsigned level;
};

/* Reads the job into lent memory and describes it as a source. Returns false if it is too long or invalid. */
static bool source_of(struct fragprog_source *source, struct fragprog *p, const struct job *job, unsigned way)
{
    *source = (struct fragprog_source){.state = job->state, .atifs = job->atifs};
    if (job->state)
        return true;
    if (job->atifs) {
        lend(way, &memory.storage, sizeof memory.storage);
        lend(way, memory.reading, FRAGPROG_PASSES_SCRATCH);
        fragprog_init(p, &memory.storage);
        fragprog_import_atifs(p, job->atifs, NULL, memory.reading);
    } else {
        const struct fragprog_bound bound = fragprog_bound_arbfp(job->text, job->length);
        if (bound.insts > INSTS || bound.consts > CONSTS || bound.scratch > ROOM)
            return false;
        lend(way, memory.inst, sizeof memory.inst);
        lend(way, memory.konst, sizeof memory.konst);
        lend(way, memory.reading, bound.scratch);
        *p = (struct fragprog){
            .inst = memory.inst, .konst = memory.konst, .maxinst = bound.insts, .maxkonst = bound.consts};
        if (!fragprog_read_arbfp(p, job->text, job->length, 1, &silent, memory.reading))
            return false;
    }
    source->ir = p;
    return true;
}

static void say_reason(struct texenv_text *out, const struct fragprog_reason *why)
{
    texenv_printf(out, "refused: %s, %d: %s; %s\n", why->code, why->unit, why->text, why->fit);
}

static void say_code(struct texenv_text *out, const struct hwemit_code *code)
{
    for (uint32_t i = 0; i < code->nwords; i++)
        texenv_printf(out, "%x %x\n", code->word[i].address, code->word[i].value);
    for (unsigned i = 0; i < code->nconstants; i++) {
        const struct hwemit_constant *k = &code->constant[i];
        texenv_printf(out, "constant %d %d %d %d:", k->slot, k->unit, k->channels, (int)k->word);
        for (unsigned c = 0; c < 4; c++)
            texenv_printf(out, " %f %d.%d", (double)k->value[c], (int)k->origin[c], k->component[c]);
        texenv_printf(out, "\n");
    }
    for (unsigned i = 0; i < code->ntextures; i++)
        texenv_printf(out, "texture %d %d %d %d\n", code->texture[i].slot, code->texture[i].unit,
                      code->texture[i].coord, code->texture[i].target);
    for (unsigned i = 0; i < code->ninputs; i++)
        texenv_printf(out, "input %d %d %d\n", code->input[i].temp, code->input[i].what,
                      code->input[i].index);
    for (unsigned i = 0; i < code->noutputs; i++)
        texenv_printf(out, "output %d %d\n", code->outputs[i].slot, code->outputs[i].what);
    for (unsigned i = 0; i < code->nstats; i++)
        texenv_printf(out, "%s %u\n", code->stat[i].name, (unsigned)code->stat[i].value);
    texenv_printf(out, "assumed %x, colour in %d, constants of %u words\n", (unsigned)code->assumed,
                  code->output, (unsigned)code->constant_words);
}

/* Target: a chip, or a language number; FRAGPROG_LANGUAGES means ATI_fragment_shader. */
struct to {
    const struct hwemit_target *chip;
    unsigned language;
};

static void words(struct texenv_text *out, const struct fragprog_source *source, const struct to *to,
                  const struct fragprog_options *passes, unsigned way)
{
    const struct hwemit_options options = {.passes = *passes};
    const size_t size = hwemit_scratch_of(to->chip, source);
    struct fragprog_reason why;
    if (size > ROOM)
        return;
    lend(way, memory.scratch, size);
    lend(way, memory.word, sizeof memory.word);
    lend(way, &memory.code, sizeof memory.code);
    hwemit_code_init(&memory.code, memory.word, HWEMIT_MAX_WORDS);
    if (hwemit_compile(&memory.code, to->chip, source, &options, memory.scratch, &why))
        say_code(out, &memory.code);
    else
        say_reason(out, &why);
}

static void text(struct texenv_text *out, const struct fragprog_source *source, const struct to *to,
                 const struct fragprog_options *passes, unsigned way)
{
    const size_t size = fragprog_scratch(source);
    const struct fragprog_language_options language = {.language = (uint8_t)to->language};
    struct fragprog_reason why;
    struct texenv_text made;
    bool ok;
    if (size > ROOM)
        return;
    lend(way, memory.scratch, size);
    lend(way, memory.text, TEXT);
    texenv_text_init(&made, memory.text, TEXT);
    if (to->language < FRAGPROG_LANGUAGES) {
        ok = fragprog_compile_language(&made, source, passes, &language, memory.scratch, &why);
    } else {
        lend(way, &memory.atifs, sizeof memory.atifs);
        ok = fragprog_compile_atifs(&memory.atifs, source, passes, memory.scratch, &why);
        if (ok)
            fragprog_print_atifs(&made, &memory.atifs);
    }
    if (ok)
        texenv_printf(out, "%s", memory.text);
    else
        say_reason(out, &why);
}

/* Compiles a state with its vertex half to a shader pair. */
static void pair(struct texenv_text *out, const struct job *job, const struct to *to, unsigned way)
{
    const struct fragprog_pair_options options = {.language = (uint8_t)to->language,
                                                  .level = (uint8_t)job->level};
    const struct fragprog_pair_source source = {.state = *job->state, .vertex = *job->vertex};
    struct fragprog_pair *made = &memory.pair;
    struct fragprog_reason why;
    lend(way, made, sizeof *made);
    lend(way, memory.text, FRAGPROG_PAIR_TEXTS);
    lend(way, memory.scratch, FRAGPROG_PAIR_SCRATCH);
    if (!fragprog_compile_pair(made, &source, &options, memory.text, memory.scratch, &why)) {
        say_reason(out, &why);
        return;
    }
    texenv_printf(out, "%s%s%d %d %d %d %d %x %x %x %x, %d floats\n", made->vertex, made->fragment,
                  made->language, made->primary, made->secondary, made->fog, made->back,
                  (unsigned)made->coords, (unsigned)made->clip_distances, (unsigned)made->textures,
                  (unsigned)made->attributes, made->floats);
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        texenv_printf(out, "%d %d %d ", made->target[u], made->shadow[u], made->coord_size[u]);
    for (unsigned a = 0; a < 16; a++)
        texenv_printf(out, "%d ", made->location[a]);
    for (unsigned u = 0; u < made->nuniforms; u++)
        texenv_printf(out, "%d.%d %d\n", made->uniform[u].id, made->uniform[u].index,
                      made->uniform[u].offset);
    for (unsigned i = 0; i < FRAGPROG_PAIR_KEY; i++)
        texenv_printf(out, "%x", made->key[i]);
}

static void differ(const struct job *job, const struct to *to, unsigned way)
{
    size_t at = 0;
    while (said[0].data[at] && said[0].data[at] == said[way].data[at])
        at++;
    while (at && said[0].data[at - 1] != '\n')
        at--;
    if (differences++ < 10)
        printf("%s -O%u to %s: over %s \"%.60s\", over %s \"%.60s\"\n", path, job->level,
               to->chip                                ? to->chip->name
                   : to->language < FRAGPROG_LANGUAGES ? fragprog_language_name(to->language)
                                                       : "atifs",
               way_names[0], said[0].data + at, way_names[way], said[way].data + at);
}

static void compile(const struct job *job, const struct to *to)
{
    for (unsigned way = 0; way < WAYS; way++) {
        struct texenv_text *out = &said[way].text;
        struct fragprog p;
        struct fragprog_source source;
        const struct fragprog_options passes = {.level = (uint8_t)job->level};
        texenv_text_init(out, said[way].data, TEXT);
        if (job->vertex)
            pair(out, job, to, way);
        else if (source_of(&source, &p, job, way))
            (to->chip ? words : text)(out, &source, to, &passes, way);
    }
    for (unsigned way = 1; way < WAYS; way++, comparisons++)
        if (strcmp(said[0].data, said[way].data) != 0)
            differ(job, to, way);
}

static void everywhere(const struct job *job)
{
    struct to to = {NULL, 0};
    for (to.language = 0; to.language <= FRAGPROG_LANGUAGES; to.language++)
        compile(job, &to);
    for (unsigned t = 0; hwemit_targets[t]; t++) {
        to.chip = hwemit_targets[t];
        compile(job, &to);
    }
}

/* ---- files ---- */

static unsigned level; /* each program is compiled at one level, which changes from program to program */

static bool on_draw(void *user, const struct texenv_draw *draw)
{
    struct texenv_state state;
    (void)user;
    if (!texenv_canonicalise(&state, draw->te, NULL, false, NULL, NULL))
        return true;
    everywhere(&(struct job){.state = &state, .level = level++ % 3});
    struct to to = {NULL, 0};
    for (to.language = 0; draw->vertex && to.language < FRAGPROG_LANGUAGES; to.language++)
        if (to.language != FRAGPROG_ARBFP)
            compile(&(struct job){.state = &state, .vertex = draw->vertex, .level = level % 3}, &to);
    return true;
}

static void read_file(void)
{
    static char data[1 << 20];
    const char *dot = strrchr(path, '.');
    FILE *f = fopen(path, "rb");
    size_t length = f ? fread(data, 1, sizeof data, f) : 0;
    if (!f || !dot || length == sizeof data) {
        fprintf(stderr, "batches: cannot read %s\n", path);
        exit(2);
    }
    fclose(f);
    if (strcmp(dot, ".stages") == 0) {
        struct texenv_reader reader = {.sink = {hear, NULL}, .on_draw = on_draw};
        texenv_read_stages(&reader, data, length);
    } else if (strcmp(dot, ".atifs") == 0) {
        struct fragprog_atifs atifs;
        if (fragprog_read_atifs(&atifs, data, length, 1, &silent))
            everywhere(&(struct job){.atifs = &atifs, .level = level++ % 3});
    } else {
        everywhere(&(struct job){.text = data, .length = length, .level = level++ % 3});
    }
}

int main(int argc, char **argv)
{
    int first = 1;
    unsigned long count = 0;
    uint64_t random = 0;
    if (argc > 4 && strcmp(argv[1], "-r") == 0) {
        count = strtoul(argv[2], NULL, 10);
        random = strtoul(argv[3], NULL, 10);
        first = 4;
    }
    for (int i = first; i < argc && !count; i++) {
        path = argv[i];
        read_file();
    }
    for (unsigned long n = 0; n < count; n++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        path = argv[first + (int)((random >> 33) % (uint64_t)(argc - first))];
        read_file();
    }
    printf("%lu comparisons, %lu differences\n", comparisons, differences);
    return differences || !comparisons;
}
