/* Tests the pica200 target: packets (notes/facts/pica200.md 2, 6), packed and unpacked; invalid streams; the
 * number of stages of states; storage of constants; refusals with their reasons. The oracle's tests check
 * colours, tests/chips/words whole programs. */
#include "check.h"
#include "hwemit/targets.h"
#include "hwemit/stages/stages_cover.h"

#include <string.h>

static const struct hwemit_target *pica200;
static struct hwemit_word storage[HWEMIT_TEXENV_WORDS];
static struct hwemit_code code;
static struct fragprog_reason why;
static uint64_t scratch[HWEMIT_SCRATCH / sizeof(uint64_t)];

enum { CLAMPS = 1 }; /* bit of hwemit_options.assume */

/* ---- compiling one line of stages ---- */

struct job {
    uint32_t assume;
    bool ran, ok;
};

static bool on_draw(void *user, const struct texenv_draw *draw)
{
    struct job *job = user;
    struct texenv_state state;
    const struct hwemit_options options = {.passes = {.level = 2}, .assume = job->assume};
    const struct fragprog_source source = {.state = &state};
    CHECK(texenv_canonicalise(&state, draw->te, NULL, false, NULL, NULL));
    hwemit_code_init(&code, storage, HWEMIT_TEXENV_WORDS);
    memset(&why, 0, sizeof why);
    job->ran = true;
    job->ok = hwemit_compile(&code, pica200, &source, &options, scratch, &why);
    return true;
}

static bool compile(const char *stages, uint32_t assume)
{
    struct job job = {.assume = assume};
    struct texenv_reader reader = {.on_draw = on_draw, .user = &job};
    texenv_read_stages(&reader, stages, strlen(stages));
    CHECK_SAY(job.ran, "'%s' does not parse", stages);
    return job.ok;
}

/* Returns the value written to the register; 0 if none. */
static uint32_t word_at(uint32_t address)
{
    for (uint32_t i = 0; i < code.nwords; i++)
        if (storage[i].address == address)
            return storage[i].value;
    return 0;
}

/* ---- covers ---- */

static void fits(const char *stages, uint32_t assume, unsigned n, uint32_t assumed)
{
    bool ok = compile(stages, assume);
    CHECK_SAY(ok, "%s: %s", stages, why.text);
    if (ok)
        CHECK_SAY(strcmp(code.stat[0].name, "stages") == 0 && code.stat[0].value == n &&
                      code.assumed == assumed && strcmp(code.stat[1].name, "words") == 0 &&
                      code.stat[1].value == code.nwords,
                  "%s: %u stages, assumed %x", stages, code.stat[0].value, code.assumed);
}

static void does_not_fit(const char *stages, const char *reason, int unit, const char *text)
{
    bool ok = compile(stages, 0);
    CHECK_SAY(!ok, "%s fits", stages);
    if (!ok)
        CHECK_SAY(strcmp(why.code, reason) == 0 && why.unit == unit && strstr(why.text, text) && why.fit[0],
                  "%s: %s, unit %d: %s", stages, why.code, why.unit, why.text);
}

/* Tests the numbers of stages in notes/facts/pica200.md 4, and states that take one stage less. */
static void covers(void)
{
    fits("{}", 0, 1, 0);
    fits("{T0*P} {P+T1}", 0, 1, 0); /* MULTIPLY_ADD */
    fits("{T0*P+T1}", 0, 1, 0);
    fits("{T0*P+T1-0.5}", 0, 2, 0);
    fits("{T0*P-T1}", 0, 2, 0);
    fits("{T0*F+T1*P}", 0, 2, 0);
    fits("{T0*F+T1*~F}", 0, 1, 0);
    fits("{T0*F+T1*P-0.5}", 0, 3, 0);
    /* ADD_MULTIPLY with sums above 1 is used only with an assumption. */
    fits("{T0+T1} {P*T2}", 0, 2, 0);
    fits("{T0+T1} {P*T2}", CLAMPS, 1, CLAMPS);
    fits("{T0*T1+~T0*T2} {P*F}", CLAMPS, 2, 0);
    /* Each half of DOT3_RGBA has its own scale; with DOT3_RGB the alpha pipe can do another operation. */
    fits("{dot3a(T0,P)}*1;4", 0, 1, 0);
    fits("{dot3(T0,P); T0*P}*4", 0, 1, 0);
    /* The numbers 0 and 1 share one constant: 0 is the complement of 1. */
    fits("{0; 1}", 0, 1, 0);
    CHECK(code.nconstants == 1 && code.constant[0].slot == 0 && code.constant[0].unit == -1 &&
          word_at(0x0C3) == 0xFFFFFFFF);
    /* Two colours in one stage: the constant of the stage, and BUFFER_COLOR, which stage 0 cannot read. */
    fits("{C} {lerp(P,T1,C)} C0=(.2,.4,.6,.8) C1=(.4,.2,.6,1)", 0, 2, 0);
    CHECK(code.nconstants == 2 && code.constant[1].slot == 6 && word_at(0x0FD) == 0xFF993366);
    /* The rgb of one colour and the alpha of another share one constant. */
    fits("{P; C} {C; P} C0=(.2,.4,.6,.8) C1=(.4,.2,.6,1)", 0, 1, 0);
    CHECK(code.nconstants == 2 && code.constant[0].word == code.constant[1].word &&
          word_at(0x0C3) == 0xCC993366);
    /* The alpha of an intensity texture is read from its red: operand codes 2 (alpha), 0 (rgb). */
    fits("{T0 @intensity}", 0, 1, 0);
    CHECK(word_at(0x0C1) == 0x00002000);
    fits("{P; T0 @intensity}", 0, 1, 0);
    CHECK(word_at(0x0C1) == 0x00002000);
    fits("{T0*P @cube}", 0, 1, 0);
}

static void refusals(void)
{
    does_not_fit("{T0*P @3d}", "3d", 0, "3D");
    does_not_fit("{T0*P @rect}", "rect", 0, "kind");
    does_not_fit("{P+T1} {T1*P @cube}", "cube", 1, "kind"); /* only unit 0 can sample cube maps */
    does_not_fit("{} {} {} {T3*P}", "unit", 3, "no such texture unit");
    does_not_fit("{T0*P} {P+T1 @shadow}", "shadow", 1, "shadow");
}

/* ---- packets ---- */

static void packets(void)
{
    static const uint32_t expected[] = {0x00030003, 0x804F00C0, 0, 0x00010001, 0xFFFFFFFF, 0};
    static struct hwemit_word read[64];
    uint32_t dword[64];
    CHECK(compile("{T0*T1+T2*F-0.5}", 0));
    uint32_t n = hwemit_packets(dword, 64, pica200, storage, code.nwords);
    /* Golden stage G16: the result of stage 0 goes to the buffer; the byte mask leaves out the bytes that
     * belong to fog. */
    CHECK_SAY(n == 38 && dword[36] == 0x00001100 && dword[37] == 0x000200E0, "%u dwords, %08x", n, dword[36]);
    CHECK(compile("{T0*P}", 0));
    n = hwemit_packets(dword, 64, pica200, storage, code.nwords);
    CHECK(n == 38 && memcmp(dword, expected, sizeof expected) == 0);
    for (uint32_t i = 0; i < n; i++)
        read[i] = (struct hwemit_word){HWEMIT_STREAM, dword[i]};
    uint32_t made, words = 0;
    struct hwemit_word word[HWEMIT_PACKET];
    for (uint32_t i = 0, length; i < n; i += length) {
        length = hwemit_pica200_registers.unpack(&read[i], n - i, word, &made);
        CHECK(length > 0 && made > 0);
        if (!length)
            return;
        CHECK(memcmp(word, &storage[words], made * sizeof word[0]) == 0);
        words += made;
    }
    CHECK(words == code.nwords);
    /* A packet with one further value needs a word of padding; nothing is written beyond the given room. */
    static const struct hwemit_word two[] = {{0x0C0, 1}, {0x0C1, 2}, {0x0C2, 3}, {0x0FD, 4}};
    static const uint32_t padded[] = {1, 0x802F00C0, 2, 3, 4, 0x000F00FD}, odd[] = {1, 0x801F00C0, 2, 0};
    CHECK(hwemit_packets(dword, 64, pica200, two, 4) == 6 && memcmp(dword, padded, sizeof padded) == 0);
    CHECK(hwemit_packets(dword, 64, pica200, two, 2) == 4 && memcmp(dword, odd, sizeof odd) == 0);
    dword[3] = 77;
    CHECK(hwemit_packets(dword, 3, pica200, two, 2) == 4 && dword[3] == 77);
}

static void no_packet(unsigned n, const uint32_t *value)
{
    struct hwemit_word stream[8], word[HWEMIT_PACKET];
    uint32_t made;
    for (unsigned i = 0; i < n; i++)
        stream[i] = (struct hwemit_word){HWEMIT_STREAM, value[i]};
    CHECK_SAY(hwemit_pica200_registers.unpack(stream, n, word, &made) == 0, "%08x %08x is taken", value[0],
              n > 1 ? value[1] : 0);
}

static void streams_that_are_none(void)
{
    no_packet(1, (const uint32_t[]){0});
    no_packet(2, (const uint32_t[]){0, 0x000700E0});       /* a byte mask that includes the bytes of fog */
    no_packet(2, (const uint32_t[]){0, 0x000700C0});       /* a byte mask of three bytes of SOURCE */
    no_packet(3, (const uint32_t[]){0, 0x802F00C0, 0});    /* the packet is cut off */
    no_packet(4, (const uint32_t[]){0, 0x801F00C0, 0, 1}); /* padding that is not 0 */
    no_packet(4, (const uint32_t[]){0, 0x001F00C0, 0, 0}); /* one register twice in a packet */
    no_packet(2, (const uint32_t[]){0, 0x100F00C0});       /* bits that no header has */
}

/* Tests which values the combiner buffer can hold before the first stage, from its constant: the rgb of a
 * constant colour in its rgb; an alpha only in its alpha, since the words hold red, green and blue of a
 * unit's colour in rgb. */
static void buffer(void)
{
    static struct stages_cover c;
    static const struct stages_chip chip = {.shared = STAGES_RGB_S};
    enum { ATOM = 1, COLOUR = 40, ALPHA };
    c.chip = &chip;
    c.one = STAGES_NONE;
    c.atom[ATOM].kind = STAGES_KONST;
    c.value[COLOUR].leaf = c.value[ALPHA].leaf = ATOM;
    c.value[ALPHA].scalar = true;
    CHECK(hwemit_stages_is_initial(&c, COLOUR, STAGES_RGB_S));
    CHECK(!hwemit_stages_is_initial(&c, ALPHA, STAGES_RGB_S));
    CHECK(hwemit_stages_is_initial(&c, ALPHA, STAGES_A_S));
    CHECK(!hwemit_stages_is_initial(&c, COLOUR, STAGES_A_S));
}

int main(void)
{
    pica200 = hwemit_find_target("pica200");
    CHECK(pica200 != NULL);
    if (!pica200)
        return check_report("pica200");
    covers();
    refusals();
    packets();
    streams_that_are_none();
    buffer();
    return check_report("pica200");
}
