/* Tests the r200 target: golden words and rules of notes/facts/r200.md 3 to 5 and 7, and states for which the
 * classic driver wrote wrong words. */
#include "check.h"
#include "hwemit/targets.h"

#include <string.h>

static struct hwemit_word word[HWEMIT_MAX_WORDS];
static struct hwemit_code code;
static struct fragprog_reason why;
static const struct hwemit_target *r200;

static bool keep(void *user, const struct texenv_draw *draw)
{
    return texenv_canonicalise(user, draw->te, NULL, false, NULL, NULL);
}

static uint64_t scratch[HWEMIT_SCRATCH / sizeof(uint64_t)];

static bool compile_with(const char *stages, unsigned level, const struct hwemit_options *options)
{
    struct texenv_state state;
    struct texenv_reader reader = {.on_draw = keep, .user = &state};
    struct hwemit_options o = *options;
    const struct fragprog_source source = {.state = &state};
    o.passes.level = (uint8_t)level;
    texenv_read_stages(&reader, stages, strlen(stages));
    CHECK_SAY(reader.draws == 1 && reader.errors == 0, "'%s' is no state", stages);
    hwemit_code_init(&code, word, HWEMIT_MAX_WORDS);
    memset(&why, 0, sizeof why);
    return hwemit_compile(&code, r200, &source, &o, scratch, &why);
}

static const struct hwemit_options usual = {.assume = 0};
static bool compile(const char *stages)
{
    return CHECK_SAY(compile_with(stages, 2, &usual), "'%s': %s", stages, why.text);
}

static bool compile_atifs(const char *text)
{
    struct fragprog_atifs program;
    const struct texenv_sink sink = {NULL, NULL};
    if (!CHECK_SAY(fragprog_read_atifs(&program, text, strlen(text), 1, &sink), "does not read: %s", text))
        return false;
    static struct fragprog_storage storage;
    struct fragprog p;
    fragprog_init(&p, &storage);
    fragprog_import_atifs(&p, &program, NULL, scratch);
    const struct fragprog_source alone = {.atifs = &program}, source = {.ir = &p, .atifs = &program};
    hwemit_code_init(&code, word, HWEMIT_MAX_WORDS);
    CHECK(!hwemit_compile(&code, r200, &alone, &usual, scratch, &why) && strcmp(why.code, "source") == 0);
    hwemit_code_init(&code, word, HWEMIT_MAX_WORDS);
    return CHECK_SAY(hwemit_compile(&code, r200, &source, &usual, scratch, &why), "%s", why.text);
}

/* Returns the value that the words write to a register; UINT32_MAX if none. */
static uint32_t at(uint32_t address)
{
    for (uint32_t i = 0; i < code.nwords; i++)
        if (word[i].address == address)
            return word[i].value;
    return UINT32_MAX;
}

static uint32_t stat(const char *name)
{
    for (unsigned i = 0; i < code.nstats; i++)
        if (strcmp(code.stat[i].name, name) == 0)
            return code.stat[i].value;
    return UINT32_MAX;
}

static void is(uint32_t address, uint32_t value, const char *what)
{
    CHECK_SAY(at(address) == value, "%s: 0x%x is 0x%x, not 0x%x", what, address, at(address), value);
}

enum {
    CNTL = 0x1c38,
    CNTL_X = 0x2cc4,
    RE_CNTL = 0x1c50,
    TXFORMAT = 0x2c04,
    TXFORMAT_X = 0x2c08,
    TXMULTI = 0x2c1c,
    STAGE = 0x2f00,
    TFACTOR = 0x2ee0
};

/* The golden words of notes/facts/r200.md 7: TXCBLEND (color) and TXABLEND (alpha) of each state. In all rows
   TXCBLEND2 is 0x00011000 and PP_CNTL is TEX_0 | BLEND_0. */
static const struct {
    const char *stages;
    uint32_t color, alpha;
} golden[] = {
    {"{T0}", 0x00002800, 0x00002800},
    {"{T0*P}", 0x0000008a, 0x0000008a},
    {"{T0+P}", 0x0010100a, 0x0010100a},
    {"{T0+P-0.5}", 0x0210100a, 0x0210100a},
    {"{T0-P}", 0x0810100a, 0x0810100a},
    {"{lerp(T0,P,C.a)}", 0x30002544, 0x30002144},
    {"{dot3(T0,P); T0}", 0x4066008a, 0x00002800},
};

/* Checks that a word reads back from its disassembly. */
static void both_ways(uint32_t address, uint32_t value)
{
    char data[512];
    struct texenv_text text;
    struct hwemit_word in = {address, value}, back[2];
    struct hwemit_words out = {back, NULL, 0, 2};
    const struct texenv_sink sink = {NULL, NULL};
    texenv_text_init(&text, data, sizeof data);
    hwemit_print_word(&text, &hwemit_r200_registers, &in, 0, 1);
    CHECK_SAY(hwemit_read_asm(&out, &hwemit_r200_registers, data, strlen(data), &sink) && out.n == 1 &&
                  back[0].address == address && back[0].value == value,
              "'%s' does not read back", data);
}

static void golden_words(void)
{
    for (unsigned i = 0; i < sizeof golden / sizeof golden[0]; i++)
        for (unsigned level = 0; level < 3; level++) {
            CHECK(compile_with(golden[i].stages, level, &usual));
            is(STAGE, golden[i].color, golden[i].stages);
            is(STAGE + 4, 0x00011000, golden[i].stages);
            is(STAGE + 8, golden[i].alpha, golden[i].stages);
            is(STAGE + 12, 0x00011000, golden[i].stages);
            is(CNTL, 0x1010, golden[i].stages);
            is(CNTL_X, 0, golden[i].stages);
            both_ways(STAGE, golden[i].color);
            both_ways(STAGE + 8, golden[i].alpha);
        }
    /* Lines of disassembly and their words (notes/facts/r200.md 3.1, 3.3). */
    static const struct {
        const char *line;
        uint32_t address, value;
    } lines[] = {
        {"PP_TXCBLEND_0 ARG_A=R0_COLOR ARG_B=DIFFUSE_COLOR", STAGE, 0x0000008a},
        {"PP_TXCBLEND_0 ARG_C=R0_COLOR", STAGE, 0x00002800},
        {"PP_TXCBLEND_0 ARG_A=R0_COLOR ARG_C=DIFFUSE_COLOR COMP_B=1 NEG_C=1", STAGE, 0x0810100a},
        {"PP_TXCBLEND_0 ARG_A=DIFFUSE_COLOR ARG_B=R0_COLOR ARG_C=TFACTOR_ALPHA OP=LERP", STAGE, 0x30002544},
        {"PP_TXCBLEND_0 ARG_A=R0_COLOR ARG_B=DIFFUSE_COLOR BIAS_A=1 SCALE_A=1 BIAS_B=1 SCALE_B=1 OP=DOT3",
         STAGE, 0x4066008a},
        {"PP_TXCBLEND2_15 CLAMP=0_1 OUTPUT_REG=R0", STAGE + 15 * 0x10 + 4, 0x00011000},
        {"PP_TXABLEND2_7 DOT_ALPHA=1 CLAMP=8_8 OUTPUT_REG=R5", STAGE + 7 * 0x10 + 12, 0x00162000},
        {"PP_CNTL TEX_0_ENABLE=1 TEX_BLEND_0_ENABLE=1", CNTL, 0x1010},
        {"PP_CNTL TEX_BLEND_7_ENABLE=1 TEX_BLEND_6_ENABLE=1", CNTL, 0x40800},
        {"PP_TXMULTI_CTL_5 PASS1_TEXCOORD=PROJ PASS1_ST_ROUTE=STQ5 PASS2_COORDS_REG=R5", TXMULTI + 5 * 0x20,
         0x07000056},
        {"PP_TFACTOR_7 ALPHA=255 RED=1 GREEN=2 BLUE=3", TFACTOR + 7 * 4, 0xff010203},
    };
    for (unsigned i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct hwemit_word back[2];
        struct hwemit_words out = {back, NULL, 0, 2};
        const struct texenv_sink sink = {NULL, NULL};
        CHECK_SAY(
            hwemit_read_asm(&out, &hwemit_r200_registers, lines[i].line, strlen(lines[i].line), &sink) &&
                back[0].address == lines[i].address && back[0].value == lines[i].value,
            "'%s': 0x%x at 0x%x", lines[i].line, back[0].value, back[0].address);
        both_ways(lines[i].address, lines[i].value);
    }
    static const uint32_t refused[][2] = {
        {STAGE, 0x8000},        {STAGE, 0x80000000},     {STAGE + 4, 0x8},       {STAGE + 4, 0x800},
        {STAGE + 12, 0x200000}, {STAGE + 12, 0x1000000}, {CNTL, 0x100000},       {CNTL, 1},
        {CNTL_X, 0x100000},     {TXMULTI, 0x80},         {TXFORMAT, 0x80000000}, {RE_CNTL, 0x20000}};
    for (unsigned i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        uint32_t bits;
        CHECK_SAY(hwemit_check_word(&hwemit_r200_registers,
                                    &(struct hwemit_word){refused[i][0], refused[i][1]}, 0, 1, &bits) != NULL,
                  "0x%x at 0x%x is accepted", refused[i][1], refused[i][0]);
    }
}

/* Tests which bits of registers belong to the program; the others belong to the driver
 * (notes/facts/r200.md 3.1, 3.5, 3.6). */
static void bits_of_the_program(void)
{
    static const struct {
        uint32_t address, program;
    } registers[] = {
        {CNTL, 0x3f0 | 0xff << 11 | 1 << 19}, /* enables of textures and stages, two passes */
        {RE_CNTL, 0x555u << 16},              /* bit 16+2n: the third coordinate of set n */
        {TXFORMAT, 0xfu << 24},               /* 26:24 the set, 27 no lookup */
        {TXFORMAT_X, 7u << 16},               /* 18:16 the kind of coordinates */
        {TXMULTI, 0},
        {STAGE, 0},
    };
    for (unsigned i = 0; i < sizeof registers / sizeof registers[0]; i++) {
        const struct hwemit_word w = {registers[i].address, 0};
        CHECK_SAY(hwemit_classify(&hwemit_r200_registers, &w, 0, 1, NULL)->program == registers[i].program,
                  "0x%x", w.address);
    }
}

static void stages_and_enables(void)
{
    /* Eight stages with six textures and two constants: the enable bits of stages 0 to 7 begin at bit 12,
     * except that of stage 7, which is bit 11 (notes/facts/r200.md 3.1). */
    CHECK(compile_with("{T*P} {T+P} {T*P} {T+P} {T*P} {T+P} {P*C} {P+C}", 0, &usual));
    is(CNTL, 0x3f0 | 0xff << 11, "eight stages");
    CHECK(stat("stages") == 8 && stat("passes") == 1 && stat("lookups") == 6 && stat("constants") == 2);
    /* The kinds of coordinates for a 3D map and a cube map, which read r as the third one, and for a 2D map,
     * whose coordinates are divided by q (notes/facts/r200.md 3.5, 3.6). */
    compile("{T0 @3d} {P*T1 @cube} {P*T2}");
    is(TXFORMAT_X, 2u << 16, "3d");
    is(TXFORMAT_X + 0x20, 1u << 16, "cube");
    is(TXFORMAT_X + 0x40, 3u << 16, "2d");
    is(TXFORMAT + 0x40, 2u << 24, "2d");
    is(RE_CNTL, 1u << 16 | 1u << 18, "r");
    /* A constant is rounded to bytes, with alpha in the highest byte (notes/facts/r200.md 2.3). */
    compile("{T0*C} C0=(1,0.5,0.001,0.25)");
    is(TFACTOR, 0x40ff8000, "constant");
    CHECK(code.nconstants == 1 && code.constant[0].unit == 0 &&
          word[code.constant[0].word].address == TFACTOR);
    /* Units 6 and 7 are mapped to free texture units of the chip. */
    compile("{T7*P} {P+T6; P}");
    CHECK(code.ntextures == 2 && code.texture[0].slot != code.texture[1].slot &&
          code.texture[0].unit + code.texture[1].unit == 13);
    /* A dot product for both halves sets DOT_ALPHA, and the same scale and clamp in both halves, since it is
     * unknown which half's fields apply to alpha (notes/facts/r200.md 2.2). */
    compile("{dot3a(T0,P)}*2");
    is(STAGE + 4, 0x00011100, "dot");
    is(STAGE + 12, 0x00111100, "dot");
    CHECK(compile_with("{dot3a(T0,P)}*2;4", 2, &usual) && stat("stages") == 2);
    for (unsigned n = 0; n < 2; n++)
        CHECK(!(at(STAGE + n * 0x10 + 12) & 1u << 20) ||
              (at(STAGE + n * 0x10 + 4) & 0x3700) == (at(STAGE + n * 0x10 + 12) & 0x3700));
}

/* Tests DOT3_RGBA with different scales: two stages, where the half with the larger scale may be computed
 * from the clamped value of the other half, but not the reverse, so that no stage scales by less than 1. */
static void unequal_dots(void)
{
    for (unsigned color = 1; color <= 4; color *= 2)
        for (unsigned alpha = 1; alpha <= 4; alpha *= 2) {
            char stages[64];
            snprintf(stages, sizeof stages, "{dot3a(T0,T1)}*%u;%u", color, alpha);
            compile(stages);
            CHECK_SAY(stat("stages") == (color == alpha ? 1u : 2u), "%s: %u stages", stages, stat("stages"));
            for (uint32_t i = 0; i < code.nwords; i++)
                CHECK_SAY(word[i].address < STAGE || !(word[i].address & 4) || (word[i].value >> 8 & 7) < 4,
                          "%s: 0x%x at 0x%x", stages, word[i].value, word[i].address);
        }
}

/* Tests a state for which the classic driver is wrong: it folds the REPLACE into the next unit and then reads
 * the alpha of its colour source, the constant, instead of the texture's alpha (notes/facts/r200.md 5). */
static void replaced_alpha(void)
{
    compile("{C; T} {P.a*F; P}");
    CHECK(stat("stages") == 1);
    is(STAGE, 11u | 4u << 5, "alpha of T0 times the primary colour"); /* R0_ALPHA * DIFFUSE_COLOR */
    CHECK(code.nconstants == 0);
}

static void two_passes(void)
{
    /* The first pass samples T0 to T3, the second T4 and T5. The second pass receives the colour and the
     * alpha, which the first pass has stored in a colour channel. */
    CHECK(compile_with("{lerp(T0,T1,T2)} {lerp(P,T0,T1)} {lerp(P,T2,T3)} {lerp(P,T4,T5)}", 0, &usual));
    CHECK(stat("passes") == 2 && stat("lookups") == 6);
    CHECK(at(CNTL) >> 19 & 1);
    CHECK_SAY((at(CNTL_X) & 0x3f) == 0xf, "lookups of the first pass: 0x%x", at(CNTL_X));
    unsigned passed = 0;
    for (unsigned n = 0; n < 6; n++) {
        unsigned reg = at(TXMULTI + 0x20 * n) >> 24 & 7;
        if (reg) {
            CHECK(at(TXFORMAT + 0x20 * n) >> 27 & 1);
            CHECK((at(TXFORMAT_X + 0x20 * n) >> 16 & 7) == 2);
            passed |= 1u << (reg - 2);
        }
    }
    CHECK_SAY((at(CNTL_X) >> 6 & 0x3f) == passed && passed, "passed: 0x%x, 0x%x", at(CNTL_X), passed);
    CHECK(at(STAGE + 8 * 0x10) != UINT32_MAX); /* the first pass uses stages from 8 on */
    /* The program fits only if the first pass can read the primary colour. */
    const struct hwemit_options assuming = {.assume = 1}, given = {.given = 1, .value = {5}};
    const char *stages = "{lerp(T0,P,T1)} {lerp(P,T0,T1)} {lerp(P,T2,T3)} {lerp(P,T4,T2)} {lerp(P,T0,T1)} "
                         "{lerp(P,T3,T4)} {lerp(P,T0,T1)} {lerp(P,T2,T3)} ";
    char longer[512];
    strcpy(longer, "{P*T0+T1*P} ");
    strcat(longer, stages);
    longer[strlen(longer) - strlen("{lerp(P,T2,T3)} ")] =
        0; /* without the last unit: eight units, nine stages */
    /* The search for a schedule gets only a part of the work; this is as much as texenvc allows. */
    struct hwemit_options patient = usual;
    patient.passes.most_work = 100 * FRAGPROG_MOST_WORK;
    struct hwemit_options patient_assuming = patient;
    patient_assuming.assume = assuming.assume;
    CHECK(!compile_with(longer, 0, &patient) && strcmp(why.code, "pairs") == 0 &&
          strstr(why.fit, "primary-in-first-pass"));
    /* another stage moves alpha into a colour channel */
    CHECK(compile_with(longer, 0, &patient_assuming) && code.assumed == 1 && stat("passes") == 2 &&
          stat("stages") == 10);
    CHECK(compile_with("{T0*P} {T1*P}", 0, &assuming) && code.assumed == 0);
    CHECK(!compile_with(longer, 0, &given)); /* one coordinate set has no room for both colour and alpha */
    strcpy(longer,
           "{P*T0+T1*P; T0} {lerp(T0,P,T1); P} {lerp(P,T0,T1); P} {lerp(P,T2,T3); P} {lerp(P,T4,T2); P} "
           "{lerp(P,T0,T1); P} {lerp(P,T3,T4); P} {lerp(P,T0,T1); P}");
    CHECK(!compile_with(longer, 0, &usual));
    CHECK(compile_with(longer, 0, &given) && code.assumed == 0 && stat("passes") == 2);
}

static void from_the_extension(void)
{
    /* A dependent lookup: unit 1 uses register 0 of the first pass as coordinates (notes/facts/r200.md 4). */
    compile_atifs(
        "!!ATIfs1.0\nStartPrelimPass;\nPassTexCoord r2, t2.str;\nSampleMap r0, t3.stq_dq;\nMOV r0, "
        "r0.2x.bias;\nEndPass;\nStartOutputPass;\nSampleMap r1, r0.str_dr;\nPassTexCoord r2, r2.str;\n"
        "MUL r0, r1, color0;\nADD r0.sat, r0, r2.r;\nEndPass;\n");
    is(CNTL, 1u << 19 | 3u << 12 | 0x6u << 4, "dependent");
    is(CNTL_X, 5u | 5u << 6 | 1u << 12, "dependent");
    is(TXMULTI, 3u << 1 | 3u << 4, "first lookup");
    is(TXMULTI + 0x20, 2u << 24, "dependent lookup");
    is(TXFORMAT + 0x20, 0, "dependent lookup");
    is(TXFORMAT_X + 0x20, 3u << 16, "dependent lookup");
    is(TXMULTI + 0x40, 1u | 2u << 1 | 2u << 4 | 4u << 24, "passed");
    is(TXFORMAT + 0x40, 1u << 27, "passed");
    is(TXFORMAT_X + 0x40, 2u << 16, "passed");
    is(RE_CNTL, 1u << 20, "third of set 2");
    is(STAGE + 8 * 0x10, 0x06002800, "MOV r0, r0.2x.bias");
    is(STAGE + 8 * 0x10 + 4, 0x00012000, "not the last write of r0");
    is(STAGE + 0x10 + 4, 0x00011000 | 1u << 30, "r2.r");
    is(STAGE + 0x10 + 12, 0x00011000 | 1u << 30, "r2.r");
    is(STAGE + 0x10 + 8, 0x0010000a | 15u << 10, "r2.r with the odd code");
    /* The last write of r0 is clamped if nothing reads r0 afterwards; other writes are not. DOT4 takes its
     * alpha from the alpha word. */
    compile_atifs(
        "!!ATIfs1.0\nStartConstants;\nCONSTANT c3 = {1,0,0,1};\nCONSTANT c5 = "
        "{0,1,0,1};\nEndConstants;\nStartOutputPass;\nSampleMap r0, t0.stq_dq;\nDOT4 r1.rgb.2x, r0, c3;\n"
        "CND r0.rgb, r1, c5, c3;\nMAD r0.a, 1, r0, r0.neg;\nLERP r0.rg, c3, r1, r0;\nEndPass;\n");
    is(STAGE, 0x5000000a | 8u << 5, "DOT4");
    is(STAGE + 8, 0x0000000a | 8u << 5, "alpha of DOT4");
    is(STAGE + 4, 0x00022103, "DOT4");
    is(STAGE + 12, 0x00002003, "alpha of DOT4 writes nothing");
    is(STAGE + 0x10, 0x6000000cu | 8u << 5 | 26u << 10, "CND");
    is(STAGE + 0x10 + 4, 0x00012035, "read later");
    is(STAGE + 0x10 + 12, 0x00011000, "alpha of r0");
    is(STAGE + 0x20 + 4, 0x00112003, "rg, of which blue has no limit");
    is(STAGE + 0x30, 0x00002800, "MOV r0, r0");
    is(STAGE + 0x30 + 4, 0x00011000, "limited by one more");
    is(STAGE + 0x30 + 12, 0x00002000, "alpha is limited already");
    CHECK(stat("stages") == 4);
}

int main(void)
{
    r200 = hwemit_find_target("r200");
    if (!CHECK(r200))
        return check_report("r200");
    golden_words();
    bits_of_the_program();
    stages_and_enables();
    unequal_dots();
    replaced_alpha();
    two_passes();
    from_the_extension();
    return check_report("r200");
}
