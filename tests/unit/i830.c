/* Tests the i830 target: golden packets (notes/facts/i830.md 4), compiled and disassembled; invalid words;
 * the number of stages of states; refusals with their reasons. The oracle's tests check colours. */
#include "check.h"
#include "hwemit/targets.h"

#include <string.h>

static const struct hwemit_target *i830;
static struct hwemit_word storage[HWEMIT_TEXENV_WORDS];
static struct hwemit_code code;
static struct fragprog_reason why;

enum { DOCUMENTED = 0, FULL = 1 }; /* bits of hwemit_options.assume */

/* ---- compiling one line of stages ---- */

static uint64_t scratch[HWEMIT_SCRATCH / sizeof(uint64_t)];

struct job {
    unsigned level, assume;
    uint32_t most_work;
    bool ran, ok;
};

static bool on_draw(void *user, const struct texenv_draw *draw)
{
    struct job *job = user;
    struct texenv_state state;
    const struct hwemit_options options = {
        .passes = {.level = (uint8_t)job->level, .most_work = job->most_work}, .assume = job->assume};
    const struct fragprog_source source = {.state = &state};
    CHECK(texenv_canonicalise(&state, draw->te, NULL, false, NULL, NULL));
    hwemit_code_init(&code, storage, HWEMIT_TEXENV_WORDS);
    memset(&why, 0, sizeof why);
    job->ran = true;
    job->ok = hwemit_compile(&code, i830, &source, &options, scratch, &why);
    return true;
}

static bool compile_in(const char *stages, unsigned level, unsigned assume, uint32_t most_work)
{
    struct job job = {.level = level, .assume = assume, .most_work = most_work};
    struct texenv_reader reader = {.on_draw = on_draw, .user = &job};
    texenv_read_stages(&reader, stages, strlen(stages));
    CHECK_SAY(job.ran, "'%s' does not parse", stages);
    return job.ok;
}

static bool compile(const char *stages, unsigned level, unsigned assume)
{
    return compile_in(stages, level, assume, 100 * i830->most_work);
}

static uint32_t stages_of_code(void)
{
    CHECK(code.nstats == 2 && strcmp(code.stat[0].name, "stages") == 0 &&
          strcmp(code.stat[1].name, "dwords") == 0 && code.stat[1].value == code.nwords);
    return code.stat[0].value;
}

/* ---- golden packets ---- */

/* Checks the first n words of the compiled state, which are those of its blend stages. */
static void golden(const char *stages, unsigned n, const uint32_t *word)
{
    for (unsigned level = 0; level < 3; level++)
        for (unsigned assume = 0; assume < 2; assume++) {
            bool ok = compile(stages, level, assume) && code.nwords >= n;
            CHECK_SAY(ok, "%s: %s", stages, why.text);
            for (unsigned i = 0; ok && i < n; i++)
                CHECK_SAY(storage[i].value == word[i] && storage[i].address == HWEMIT_STREAM,
                          "%s: word %u is %08x, not %08x", stages, i, storage[i].value, word[i]);
        }
}

static void goldens(void)
{
    golden("{}", 4, (const uint32_t[]){0x6D021181, 0x6D060101, 0x6E008045, 0x6E048045});
    golden("{T0*P}", 6,
           (const uint32_t[]){0x6D021183, 0x6D060103, 0x6E008046, 0x6E010045, 0x6E048046, 0x6E050045});
    golden("{T0}", 4, (const uint32_t[]){0x6D021181, 0x6D060101, 0x6E008046, 0x6E048046});
    golden("{lerp(T0,P,C.a); P} C0=(.2,.4,.6,.8)", 8,
           (const uint32_t[]){0x6D021188, 0x6D060101, 0x6E008046, 0x6E010045, 0x6E00006E, 0x6E048045,
                              0x7D900000, 0xCC336699});
    golden("{dot3a(T0,P)}", 8,
           (const uint32_t[]){0x6D02118C, 0x6D06010C, 0x6E008046, 0x6E010045, 0x6E048041, 0x6E050041,
                              0x7D010000, 0x80808080});
    /* The colour operation has the scale, the alpha operation has none (notes/facts/i830.md 4). */
    golden("{dot3a(T0,P)}*2", 2, (const uint32_t[]){0x6D02138C, 0x6D06010C});
    /* 1 - sat(Pa-1/2) + Pa is 3/2 in the upper half and is clamped to 1, so the result is the primary colour,
     * and alpha 0. */
    golden("{0*0+0*0-0.5; P*P+P*~P-0.5} {0; ~P+F} {~P.a+F; 0}", 4,
           (const uint32_t[]){0x6D021181, 0x6D060101, 0x6E008045, 0x6E048050});
    /* If only unit 1 is enabled, stage 0 reads its texel; the words after the stage route map 1 and
     * coordinate set 1 to unit 1. */
    golden("{} {T1*P}", 9,
           (const uint32_t[]){0x6D021183, 0x6D060103, 0x6E008047, 0x6E010045, 0x6E048047, 0x6E050045,
                              0x7C291199, 0x7D020000, 0x00000090});
}

static const struct {
    uint32_t word;
    const char *text;
} texts[] = {
    {0x6D021181, "MAP_BLEND_OP OUTPUT_VALID=1 CONTROL_VALID=1 MODIFY=1 LAST_STAGE=1 OP=ARG1 # 0x6d021181"},
    {0x6D36850F,
     "MAP_BLEND_OP STAGE=3 PIPE=ALPHA OUTPUT_VALID=1 OUTPUT=ACCUM SCALE=4X MODIFY=1 OP=MODULATE_4X_AND_ADD # "
     "0x6d36850f"},
    {0x6D06010C, "MAP_BLEND_OP PIPE=ALPHA OUTPUT_VALID=1 MODIFY=1 OP=DOT4 # 0x6d06010c"},
    {0x6E00006E, "MAP_BLEND_ARG MODIFY=1 REPLICATE_ALPHA=1 SOURCE=FACTOR_N # 0x6e00006e"},
    {0x6E050041, "MAP_BLEND_ARG PIPE=ALPHA ARG=2 MODIFY=1 SOURCE=FACTOR # 0x6e050041"},
    {0x7C291199,
     "MAP_TEX_STREAM UNIT=1 BUMP_VALID=1 MODIFY=1 COORD_VALID=1 COORD=1 MAP_VALID=1 MAP=1 # 0x7c291199"},
};

static void words_and_text(void)
{
    static char data[1024];
    static struct hwemit_word read[4];
    for (unsigned i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const struct hwemit_word word = {HWEMIT_STREAM, texts[i].word};
        struct texenv_text text;
        uint32_t bits;
        CHECK(!hwemit_check_word(&hwemit_i830_registers, &word, 0, 1, &bits));
        texenv_text_init(&text, data, sizeof data);
        hwemit_print_word(&text, &hwemit_i830_registers, &word, 0, 1);
        CHECK_SAY(strcmp(data, texts[i].text) == 0, "%08x is '%s'", texts[i].word, data);
        struct hwemit_words words = {read, NULL, 0, 4};
        CHECK_SAY(
            hwemit_read_asm(&words, &hwemit_i830_registers, texts[i].text, strlen(texts[i].text), NULL) &&
                words.n == 1 && read[0].value == texts[i].word,
            "'%s' is %08x", texts[i].text, read[0].value);
    }
}

/* ---- words that are refused ---- */

static void refused_words(unsigned n, const uint32_t *value, unsigned at)
{
    struct hwemit_word word[8];
    uint32_t bits;
    for (unsigned i = 0; i < n; i++)
        word[i] = (struct hwemit_word){HWEMIT_STREAM, value[i]};
    for (unsigned i = 0; i < n; i++)
        CHECK_SAY((hwemit_check_word(&hwemit_i830_registers, word, i, n, &bits) == NULL) == (i != at),
                  "word %u of %08x ... is %s", i, value[0], i == at ? "accepted" : "refused");
}

static void refusals_of_words(void)
{
    refused_words(1, (const uint32_t[]){0x6D421181}, 0); /* stage 4 */
    refused_words(1, (const uint32_t[]){0x6D022181}, 0); /* bits 14:13 */
    refused_words(1, (const uint32_t[]){0x6D0211C1}, 0); /* bits 6:4 */
    refused_words(1, (const uint32_t[]){0x6E008085}, 0); /* bit 7 of an argument */
    refused_words(1, (const uint32_t[]){0x6F008045}, 0); /* a packet that does not exist */
    refused_words(1, (const uint32_t[]){0x00000000}, 0);
    refused_words(1, (const uint32_t[]){0x7D010000}, 0); /* the value is missing */
    refused_words(2, (const uint32_t[]){0x7D900000, 0x12345678}, 8);
    refused_words(2, (const uint32_t[]){0x7D940000, 0x6E008045}, 0); /* only stages 0 to 3 exist */
    /* a value that looks like a packet header */
    refused_words(2, (const uint32_t[]){0x7D010000, 0x7D010000}, 8);
    refused_words(3, (const uint32_t[]){0x7D010000, 0x7D010000, 0x7D010000}, 2);
    refused_words(2, (const uint32_t[]){0x7C282188, 0x6E008045}, 0); /* MAP_TEX_STREAM, bit 13 */
}

/* ---- covers ---- */

static void fits(const char *stages, unsigned assume, unsigned n, uint32_t assumed)
{
    bool ok = compile(stages, 2, assume);
    CHECK_SAY(ok, "%s: %s", stages, why.text);
    if (ok)
        CHECK_SAY(stages_of_code() == n && code.assumed == assumed, "%s: %u stages, assumed %x", stages,
                  code.stat[0].value, code.assumed);
}

static void does_not_fit(const char *stages, unsigned assume, const char *reason, int unit, const char *text)
{
    bool ok = compile(stages, 2, assume);
    CHECK_SAY(!ok, "%s fits", stages);
    if (!ok)
        CHECK_SAY(strcmp(why.code, reason) == 0 && why.unit == unit && strstr(why.text, text) && why.fit[0],
                  "%s: %s, unit %d: %s", stages, why.code, why.unit, why.text);
}

enum { MAD = 2, ACCUM = 4, DOT4_HALF = 8, DOT4_SCALE = 16 };

static void covers(void)
{
    /* The example of the founding e-mail takes four stages, the last of which is MODULATE_AND_ADD. */
    fits("{T0*T1-T2} {P+T3} {P*C} {P+T0}", FULL, 4, MAD);
    does_not_fit("{T0*T1-T2} {P+T3} {P*C} {P+T0}", DOCUMENTED, "full", 3, "MODULATE_AND_ADD");
    /* Without MODULATE_AND_ADD, a product and a difference or sum take two stages: {T0*T1} {P-T2}. */
    fits("{T0*T1-P}", DOCUMENTED, 2, 0);
    fits("{T0*T1+P}", DOCUMENTED, 2, 0);
    fits("{T0*T1+P-0.5}*4", DOCUMENTED, 2, 0);
    /* three stages: 1/2; the mean of T0 and T1, with 1/2 as weight; its product with F, scaled by 2 */
    fits("{T0*P+T1*P}", DOCUMENTED, 3, 0);
    fits("{T0*P+T1*P}", FULL, 2, MAD);
    fits("{T0*P+T1*P-0.5}", DOCUMENTED, 4, 0);
    fits("{T0*F+T0*T0-0.5}*4", DOCUMENTED, 4, 0);
    fits("{T0*P+T1*~P}", DOCUMENTED, 1, 0); /* a LERP */
    /* alpha takes one stage each for 2*P, ~C*C and their difference; the order of operations in the state
     * would take more */
    fits("{decal} {T1; lerp(1,0,P)}*1;2 {P; ~C*C-P}*4;1", DOCUMENTED, 3, 0);
    fits("{T0*T1+T2*T3}", FULL, 2, MAD);
    does_not_fit("{T0*T1+T2*T3}", DOCUMENTED, "full", 0, "MODULATE_AND_ADD");
    fits("{0; 1}", DOCUMENTED, 1, 0);
    fits("{1*0+0*0; 1*~0+0*0}", DOCUMENTED, 1, 0);
    fits("{~P}", DOCUMENTED, 1, 0);
    fits("{T0+0-0.5}", DOCUMENTED, 1, 0);
    /* In the same stage, the alpha pipe computes a product of alphas and the colour pipe one of colours. */
    fits("{T0*T1; T0*T1} {P*P.a; P}", DOCUMENTED, 2, 0);
    /* Dot products to alpha with each scale; different scales of the halves need another stage. */
    fits("{dot3a(T0,P)}", DOCUMENTED, 1, DOT4_HALF);
    fits("{dot3a(T0,P)}*4", DOCUMENTED, 1, DOT4_HALF | DOT4_SCALE);
    fits("{dot3a(T0,P)}*1;4", DOCUMENTED, 2, DOT4_HALF);
    fits("{dot3a(T0,P)}*4;2", DOCUMENTED, 2, DOT4_HALF);
    fits("{dot3(T0,P)}*4", DOCUMENTED, 1, 0);
    fits("{dot3a(P,~P)}*2;4", DOCUMENTED, 1, 0); /* the dot product is never positive, so the result is 0 */
    /* Sums that may be clamped, as factors: two values are live at the same time. */
    fits("{T0+T1} {P*P}", DOCUMENTED, 2, 0);
    fits("{T0+T1-0.5; P} {P.a*P+~P*T2; P}", FULL, 2, 0);
    does_not_fit("{T0*T1+T2*P} {~P*T3+P*C-0.5}*4 {P*~P+T0*T1} {P*P+T2*~P-0.5}*2", FULL, "stages", 3,
                 "stages");
    /* The first stage computes the complement of the value. */
    fits("{T0*~P+P-0.5; ~T1*F+P} {P*T1; F*P}*4", FULL, 2, MAD);
    fits("{T0*0+~C.a*T0; T0*~P+P*~T0} {P+1.a-0.5; T0-P}*4 {~P.a*~P+P*0.a; ~T2*~P+T2*~P-0.5}*2;1 {modulate}",
         DOCUMENTED, 4, 0);
    /* (1-sat(2a))*F cannot leave [0,1], so it can be added to F*T2 without a clamp of its own. */
    fits("{P; P+F} {~P.a*P+P*T2; 0}", DOCUMENTED, 3, 0);
    /* 1-p+p*p with p = F*T0 is computed as written: a LERP between p and 1 by p. */
    fits("{add} {0; ~P*1+P*P}", DOCUMENTED, 2, 0);
    /* An intensity texel has equal colour and alpha: {lerp(~T0,F.a,F)} {lerp(T1.a,T1,P)}. */
    fits("{~T0*P.a+T0.a*P; 1*~P+1*~T0-0.5 @intensity} {decal}", DOCUMENTED, 2, 0);
    /* this state needs five stages, one more than the chip has */
    does_not_fit("{modulate} {C*0.a+C*P-0.5; ~P*~1+T1*T1-0.5} {modulate} {modulate}", DOCUMENTED, "stages", 3,
                 "5 stages");
    /* P*P is below 1/2, so it is not the same as P */
    fits("{modulate} {~P*P+~T1.a*~T0-0.5; P} {P*P+0.a*T2.a-0.5; P}", DOCUMENTED, 1, 0);
    /* Dead stages and moves do not count. */
    fits("{T0*P} {P} {P} {P*T3}", DOCUMENTED, 2, 0);
    fits("{T0+P} {T1} {P} {P*T3}", DOCUMENTED, 1, 0);
}

static void textures(void)
{
    does_not_fit("{T0*P} {T1*P} {T2*P} {T3*P} {T4*P}", DOCUMENTED, "textures", -1, "more than 4 textures");
    does_not_fit("{T0*P @3d}", DOCUMENTED, "3d", 0, "3D");
    does_not_fit("{T0*P} {P+T1 @shadow}", DOCUMENTED, "shadow", 1, "shadow");
    /* Units 4 to 7 use free texture maps and keep their coordinate sets. */
    CHECK(compile("{} {T1*P} {} {} {} {T5*P} {} {T7*P}", 2, DOCUMENTED) && code.ntextures == 3 &&
          stages_of_code() == 3);
    static const struct {
        uint8_t slot, unit;
    } expected[3] = {{0, 5}, {1, 1}, {2, 7}};
    for (unsigned i = 0; i < 3; i++) {
        bool found = false;
        for (unsigned k = 0; k < 3; k++)
            found |= code.texture[k].slot == expected[i].slot && code.texture[k].unit == expected[i].unit &&
                code.texture[k].coord == expected[i].unit;
        CHECK_SAY(found, "unit %u is not in map %u", expected[i].unit, expected[i].slot);
    }
    CHECK_SAY(storage[code.nwords - 1].value == 0x00000F9D, "sets bound as %08x",
              storage[code.nwords - 1].value);
}

static void constants(void)
{
    /* A stage can read two colours: its own factor and the one shared by all stages. A third colour or alpha
     * does not fit. */
    fits("{C} {lerp(P,T1,C)} C0=(.2,.4,.6,.8) C1=(.4,.2,.6,1)", DOCUMENTED, 1, 0);
    CHECK(code.nconstants == 2 && code.constant[0].slot == 0 && code.constant[1].slot == 4 &&
          code.constant[0].channels == 15);
    /* The rgb of one colour and the alpha of another share one factor. */
    fits("{P; C} {C; P} C0=(.2,.4,.6,.8) C1=(.4,.2,.6,1)", DOCUMENTED, 1, 0);
    CHECK(code.nconstants == 2 && code.constant[0].word == code.constant[1].word &&
          code.constant[0].unit == 1 && code.constant[0].channels == FRAGPROG_MASK_XYZ &&
          code.constant[1].unit == 0 && code.constant[1].channels == FRAGPROG_MASK_W);
    CHECK_SAY(storage[code.constant[0].word].value == 0xCC663399, "%08x",
              storage[code.constant[0].word].value);
    /* Colours are rounded to nearest: 0.7 as a single-precision number is below 178.5/255. */
    CHECK(compile("{C} C0=(.7,.5,1,0)", 2, DOCUMENTED) && storage[code.constant[0].word].value == 0x00B280FF);
}

/* Tests most_work: with less work the search finds fewer covers, and a refusal for lack of work says so; a
 * refusal that needs no search has the same reason with any work. */
static void most_work(void)
{
    static const char *const searched =
        "{T0*0+~C.a*T0; T0*~P+P*~T0} {P+1.a-0.5; T0-P}*4 {~P.a*~P+P*0.a; ~T2*~P+T2*~P-0.5}*2;1 {modulate}";
    static struct hwemit_word all[HWEMIT_TEXENV_WORDS];
    CHECK(compile(searched, 2, DOCUMENTED));
    const uint32_t n = code.nwords;
    memcpy(all, storage, n * sizeof all[0]);
    CHECK(compile_in(searched, 2, DOCUMENTED, UINT32_MAX) && code.nwords == n &&
          memcmp(all, storage, n * sizeof all[0]) == 0);
    for (uint32_t work = 1; work <= 100; work *= 10)
        for (unsigned assume = 0; assume < 2; assume++) {
            const bool ok = compile_in(searched, 2, assume, work);
            CHECK_SAY(!ok && strcmp(why.code, "work") == 0, "work %u: %s", work, ok ? "covered" : why.text);
        }
    CHECK(compile_in("{T0*P} {P+T1} {lerp(T2,P,T0)} {P-T3}", 2, DOCUMENTED, 1) && stages_of_code() == 4);
}

int main(void)
{
    i830 = hwemit_find_target("i830");
    CHECK(i830 != NULL);
    if (!i830)
        return check_report("i830");
    goldens();
    words_and_text();
    refusals_of_words();
    covers();
    textures();
    constants();
    most_work();
    return check_report("i830");
}
