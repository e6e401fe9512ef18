/* Measures how much stack each public call of the library takes: at most 32 KB (fragprog.h, hwemit.h). The
 * calls run in a thread of 64 KB whose stack is filled with a pattern before each call, over the states of
 * tests/corpus and random full chains of 8 units.
 *
 * stack FILE...      .stages, .gl and .trace
 */
#define _GNU_SOURCE
#include "hwemit/hwemit.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { STACK = 64 << 10, LIMIT = 32 << 10, PAGE = 4096, CHAINS = 200, PAINT = 0x5A };
#define PAINT_WORD (UINT64_MAX / 0xFF * PAINT)

static uint64_t *bottom; /* lowest address of the thread's stack; the page below is inaccessible */

/* The deepest stack use of each function. */
static struct depth {
    const char *name, *more;
    size_t most;
    unsigned long calls;
} depths[64];
static const char *running = "nothing";

/* ---- measuring ---- */

static struct depth *depth_of(const char *name, const char *more)
{
    struct depth *d = depths;
    while (d->name && (strcmp(d->name, name) != 0 || strcmp(d->more, more) != 0))
        d++;
    if (d == &depths[sizeof depths / sizeof *depths - 1])
        abort();
    d->name = name;
    d->more = more;
    return d;
}

/* Calls f(user) on a stack filled with the pattern. The pattern ends below this frame and the needs of the
 * loop. */
__attribute__((noinline)) static void measure(const char *name, const char *more, void (*f)(void *user),
                                              void *user)
{
    struct depth *d = depth_of(name, more);
    volatile uint64_t *const end = (uint64_t *)(((uintptr_t)__builtin_frame_address(0) - 512) &
                                                ~(uintptr_t)7);
    for (volatile uint64_t *p = bottom; p < end; p++)
        *p = PAINT_WORD;
    running = more[0] ? more : name;
    f(user);
    running = "nothing";
    volatile uint64_t *p = bottom;
    while (p < end && *p == PAINT_WORD)
        p++;
    const size_t used = (size_t)(end - p) * sizeof *p + 512;
    d->calls++;
    if (used > d->most)
        d->most = used;
}

static void overflow(int number)
{
    static const char text[] = "stack: the thread's 64 KB are not enough: ";
    (void)number;
    if (write(2, text, sizeof text - 1) < 0 || write(2, running, strlen(running)) < 0 ||
        write(2, "\n", 1) < 0)
        _exit(4);
    _exit(1);
}

/* ---- the measured calls; large objects are static, so that they do not count ---- */

static struct {
    struct texenv te;
    struct texenv_state state;
    struct fragprog_storage storage;
    struct fragprog ir;
    struct fragprog_atifs atifs;
    struct fragprog_source source;
    struct fragprog_options options;
    struct fragprog_language_options language;
    const struct hwemit_target *target;
    const struct hwemit_registers *registers;
    struct hwemit_options target_options;
    struct hwemit_code code;
    struct hwemit_word word[HWEMIT_MAX_WORDS], read[HWEMIT_MAX_WORDS];
    uint32_t dword[2 * HWEMIT_MAX_WORDS];
    uint64_t scratch[HWEMIT_SCRATCH / sizeof(uint64_t)];
    uint8_t key[FRAGPROG_KEY_MAX];
    struct texenv_text text;
    char said[1 << 18];
    struct fragprog_reason why;
    bool ok;
} my;

static void say_nothing(void *user, const struct texenv_diag *diag) { (void)user, (void)diag; }
static const struct texenv_sink sink = {.report = say_nothing};

static struct texenv_text *text(void)
{
    texenv_text_init(&my.text, my.said, sizeof my.said);
    return &my.text;
}

#define CALL(name, ...) \
    static void name(void *user) \
    { \
        (void)user; \
        __VA_ARGS__; \
    }
CALL(canonicalise, my.ok = texenv_canonicalise(&my.state, &my.te, NULL, true, NULL, &sink))
CALL(print_gl, texenv_print_gl(text(), &my.state))
CALL(print_stages, texenv_print_stages(text(), &my.state))
CALL(key, fragprog_key(my.key, sizeof my.key, &my.state, false))
CALL(compile_atifs, my.ok = fragprog_compile_atifs(&my.atifs, &my.source, &my.options, my.scratch, &my.why))
CALL(compile_language,
     my.ok = fragprog_compile_language(text(), &my.source, &my.options, &my.language, my.scratch, &my.why))
CALL(compile_target,
     my.ok = hwemit_compile(&my.code, my.target, &my.source, &my.target_options, my.scratch, &my.why))
CALL(lower, fragprog_lower(&my.ir, &my.state))
CALL(import, fragprog_import_atifs(&my.ir, &my.atifs, NULL, my.scratch))
CALL(print_atifs, fragprog_print_atifs(text(), &my.atifs))
CALL(print_atifs_c, fragprog_print_atifs_c(text(), &my.atifs, "shader"))
CALL(read_atifs, my.ok = fragprog_read_atifs(&my.atifs, my.said, my.text.length, 1, &sink))
CALL(print_ir, fragprog_print_ir(text(), &my.ir))
CALL(read_ir, my.ok = fragprog_read_ir(&my.ir, my.said, my.text.length, 1, &sink))
CALL(set_constant, hwemit_set_constant(&my.code, *(unsigned *)user, (const float[4]){0.25f, 0.5f, 0.75f, 1}))
CALL(
    print_words, struct texenv_text *t = text(); for (uint32_t i = 0; i < my.code.nwords; i++) {
        hwemit_print_word(t, my.registers, my.word, i, my.code.nwords);
        texenv_printf(t, "\n");
    })
CALL(
    print_hex, struct texenv_text *t = text(); for (uint32_t i = 0; i < my.code.nwords; i++) {
        hwemit_print_hex(t, &my.word[i]);
        texenv_printf(t, "\n");
    })
CALL(read_asm, struct hwemit_words words = {.word = my.read, .max = HWEMIT_MAX_WORDS};
     my.ok = hwemit_read_asm(&words, my.registers, my.said, my.text.length, &sink))
CALL(read_hex, struct hwemit_words words = {.word = my.read, .max = HWEMIT_MAX_WORDS};
     my.ok = hwemit_read_hex(&words, my.registers, my.said, my.text.length, &sink))
CALL(packets, hwemit_packets(my.dword, 2 * HWEMIT_MAX_WORDS, my.target, my.word, my.code.nwords))

static bool beyond_scratch; /* a target uses more than hwemit_scratch returns */

static void targets(void)
{
    for (unsigned t = 0; hwemit_targets[t]; t++) {
        my.target = hwemit_targets[t];
        my.registers = hwemit_find_registers(my.target);
        my.target_options = (struct hwemit_options){.passes = {.level = my.options.level}};
        hwemit_code_init(&my.code, my.word, HWEMIT_MAX_WORDS);
        const size_t size = hwemit_scratch(my.target);
        unsigned char *beyond = (unsigned char *)my.scratch + size;
        memset(beyond, PAINT, sizeof my.scratch - size < 64 ? sizeof my.scratch - size : 64);
        measure("hwemit_compile", my.target->name, compile_target, NULL);
        for (size_t n = 0; n < 64 && size + n < sizeof my.scratch; n++)
            beyond_scratch |= beyond[n] != PAINT;
        if (!my.ok)
            continue;
        for (unsigned i = 0; i < my.code.nconstants; i++)
            if (my.code.constant[i].unit >= 0)
                measure("hwemit_set_constant", my.target->name, set_constant, &i);
        measure("hwemit_print_hex", "", print_hex, NULL);
        measure("hwemit_read_hex", "", read_hex, NULL);
        measure("hwemit_print_word", "", print_words, NULL);
        measure("hwemit_read_asm", "", read_asm, NULL);
        measure("hwemit_packets", "", packets, NULL);
    }
}

/* Compiles my.source to all targets and languages. */
static void compile(void)
{
    for (my.options.level = 0; my.options.level < 3; my.options.level += 2) {
        for (unsigned n = 0; n < FRAGPROG_LANGUAGES; n++) {
            my.language = (struct fragprog_language_options){
                .language = (uint8_t)n, .color_sum = 1, .fog = TEXENV_FOG_EXP2};
            measure("fragprog_compile_language", fragprog_language_name((enum fragprog_language)n),
                    compile_language, NULL);
        }
        targets();
    }
}

static void from_state(void)
{
    measure("texenv_print_gl", "", print_gl, NULL);
    measure("texenv_print_stages", "", print_stages, NULL);
    measure("fragprog_key", "", key, NULL);
    my.source = (struct fragprog_source){.state = &my.state};
    compile();
    measure("fragprog_lower", "", lower, NULL);
    measure("fragprog_print_ir", "", print_ir, NULL);
    measure("fragprog_read_ir", "", read_ir, NULL);
    my.options.level = 2;
    measure("fragprog_compile_atifs", "", compile_atifs, NULL);
    if (!my.ok)
        return;
    measure("fragprog_print_atifs_c", "", print_atifs_c, NULL);
    measure("fragprog_print_atifs", "", print_atifs, NULL);
    measure("fragprog_read_atifs", "", read_atifs, NULL);
    measure("fragprog_import_atifs", "", import, NULL);
    my.source = (struct fragprog_source){.ir = &my.ir, .atifs = &my.atifs};
    compile();
}

/* ---- states ---- */

static struct texenv *kept;
static size_t nkept, room;

static bool keep(void *user, const struct texenv_draw *draw)
{
    (void)user;
    if (nkept == room)
        kept = realloc(kept, (room = 2 * room + 64) * sizeof *kept);
    if (!kept)
        abort();
    kept[nkept++] = *draw->te;
    return true;
}

static void *resize(void *user, void *p, size_t size)
{
    (void)user;
    return size ? realloc(p, size) : (free(p), NULL);
}

static struct {
    struct texenv_reader reader;
    char data[1 << 22];
    size_t length;
} input;

CALL(read_stages, texenv_read_stages(&input.reader, input.data, input.length))
CALL(read_gl, texenv_read_gl(&input.reader, input.data, input.length))
CALL(read_trace, struct texenv_trace *trace = texenv_trace_open(&input.reader);
     my.ok = trace && texenv_trace_feed(trace, input.data, input.length) && texenv_trace_close(trace))

static void read_file(const char *path)
{
    const char *dot = strrchr(path, '.');
    FILE *f = fopen(path, "rb");
    if (!f || !dot) {
        fprintf(stderr, "stack: cannot read %s\n", path);
        exit(2);
    }
    input.length = fread(input.data, 1, sizeof input.data, f);
    fclose(f);
    input.reader = (struct texenv_reader){.memory = {.resize = resize}, .sink = sink, .on_draw = keep};
    if (strcmp(dot, ".stages") == 0)
        measure("texenv_read_stages", "", read_stages, NULL);
    else if (strcmp(dot, ".gl") == 0)
        measure("texenv_read_gl", "", read_gl, NULL);
    else
        measure("texenv_trace_open, _feed, _close", "", read_trace, NULL);
}

/* Full chains: every unit is enabled, with any function and any arguments in both halves. */
static unsigned below(unsigned n)
{
    static uint32_t x = 23;
    x ^= x << 13, x ^= x >> 17, x ^= x << 5;
    return x % n;
}

static void random_argument(char *out, size_t size, bool color)
{
    static const char *const names[] = {"P", "P", "P", "F", "C"};
    static const char *const textures[] = {"T0", "T1", "T2", "T3", "T4", "T5", "T6", "T7"};
    const char *name = below(2) ? textures[below(8)] : names[below(5)];
    snprintf(out, size, "%s%s%s", below(3) ? "" : "~", name, color && !below(4) ? ".a" : "");
}

static void random_chain(void)
{
    /* Functions of COMBINE (with combine3), and those of COMBINE4, which both halves of a unit must share. */
    static const char *const forms[2][6] = {
        {"%s*%s", "%s+%s-0.5", "%s-%s", "lerp(%s,%s,%s)", "%s*%s+%s", "%s*%s-%s"},
        {"%s*%s", "%s+%s", "%s+%s-0.5", "%s*%s+%s", "%s*%s+%s*%s", "%s*%s+%s*%s-0.5"}};
    input.length = 0;
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        for (unsigned h = 0, combine4 = below(3) == 0; h < 2; h++) {
            char a[4][8], half[64];
            for (unsigned i = 0; i < 4; i++)
                random_argument(a[i], sizeof a[i], h == 0);
            snprintf(half, sizeof half, forms[combine4][below(6)], a[0], a[1], a[2], a[3]);
            input.length += (size_t)snprintf(input.data + input.length, 128, h ? "; %s} " : "{%s", half);
        }
    input.data[input.length++] = '\n';
    input.reader = (struct texenv_reader){.sink = sink, .on_draw = keep};
    texenv_read_stages(&input.reader, input.data, input.length);
    if (input.reader.errors) {
        fprintf(stderr, "stack: a chain does not read: %.*s", (int)input.length, input.data);
        exit(2);
    }
}

static void *thread(void *files)
{
    stack_t own = {.ss_sp = malloc(SIGSTKSZ), .ss_size = SIGSTKSZ};
    sigaltstack(&own, NULL);
    fragprog_init(&my.ir, &my.storage);
    for (char **path = files; *path; path++)
        read_file(*path);
    const size_t recorded = nkept;
    for (unsigned n = 0; n < CHAINS; n++)
        random_chain();
    printf("stack: %zu recorded states, %zu chains\n", recorded, nkept - recorded);
    for (size_t n = 0; n < nkept; n++) {
        my.te = kept[n];
        measure("texenv_canonicalise", "", canonicalise, NULL);
        if (my.ok)
            from_state();
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_attr_t attributes;
    pthread_t worker;
    const struct sigaction action = {.sa_handler = overflow, .sa_flags = SA_ONSTACK};
    unsigned failed = 0;
    if (argc < 2)
        return 2;
    bottom = mmap(NULL, PAGE + STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (bottom == MAP_FAILED || mprotect(bottom, PAGE, PROT_NONE) != 0)
        return 2;
    bottom += PAGE / sizeof *bottom;
    sigaction(SIGSEGV, &action, NULL);
    if (pthread_attr_init(&attributes) != 0 || pthread_attr_setstack(&attributes, bottom, STACK) != 0 ||
        pthread_create(&worker, &attributes, thread, argv + 1) != 0 || pthread_join(worker, NULL) != 0)
        return 2;
    for (unsigned n = 0; hwemit_targets[n]; n++)
        if (hwemit_scratch(hwemit_targets[n]) > HWEMIT_SCRATCH)
            beyond_scratch = true;
    if (beyond_scratch)
        failed++, printf("failed: a target needs more scratch than is stated\n");
    for (const struct depth *d = depths; d->name; d++) {
        printf("%6zu bytes  %s %s, %lu calls\n", d->most, d->name, d->more, d->calls);
        if (d->most > LIMIT)
            failed++, printf("failed: %s %s takes more than %d bytes\n", d->name, d->more, LIMIT);
    }
    return failed != 0;
}
