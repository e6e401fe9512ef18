/* Tests r300, r400 and r500: golden words of the facts are disassembled and read back by the register tables;
 * programs at the limits of each chip fit, larger ones are refused. */
#include "check.h"
#include "hwemit/hwemit.h"

#include <string.h>

static void ignore(void *user, const struct texenv_diag *diag) { (void)user, (void)diag; }
static const struct texenv_sink quiet = {ignore, NULL};

/* ---- golden words (notes/facts/r300.md 3.3 and 4.1), with fields that disassembly must print ---- */

struct golden {
    uint32_t address, value;
    const char *shows;
};

static void golden(const char *name, const struct golden *g, unsigned n)
{
    const struct hwemit_registers *registers = hwemit_find_registers(hwemit_find_target(name));
    struct hwemit_word word[64], back[64];
    char all[16384] = "";
    for (unsigned i = 0; i < n; i++)
        word[i] = (struct hwemit_word){g[i].address, g[i].value};
    for (unsigned i = 0; i < n; i++) {
        uint32_t bits;
        char line[512];
        struct texenv_text text;
        CHECK_SAY(!hwemit_check_word(registers, word, i, n, &bits), "%s: golden word %u is refused", name, i);
        texenv_text_init(&text, line, sizeof line);
        hwemit_print_word(&text, registers, word, i, n);
        CHECK_SAY(strncmp(line, g[i].shows, strlen(g[i].shows)) == 0, "%s: %s, expected %s", name, line,
                  g[i].shows);
        strcat(all, line);
        strcat(all, "\n");
    }
    struct hwemit_words words = {back, NULL, 0, 64};
    CHECK(hwemit_read_asm(&words, registers, all, strlen(all), &quiet));
    CHECK(words.n == n && memcmp(back, word, n * sizeof *word) == 0);
}

static void test_golden(void)
{
    static const struct golden r300[] = {{0x48c0, 0x00050a80, "US_ALU_RGB_INST_0 B=1 C=0 #"},
                                         {0x46c0, 0x1c000000, "US_ALU_RGB_ADDR_0 OUT=xyz #"},
                                         {0x49c0, 0x00040889, "US_ALU_ALPHA_INST_0 A=src0_w B=1 C=0 #"},
                                         {0x47c0, 0x01000000, "US_ALU_ALPHA_ADDR_0 OUT=1 #"},
                                         {0x4620, 0x00008000, "US_TEX_INST_0 OP=LD #"},
                                         {0x4600, 0x00000008, "US_CONFIG FIRST_NODE_HAS_TEX=1 #"},
                                         {0x461c, 0x00400000, "US_CODE_ADDR_3 RGBA_OUT=1 #"}};
    static const struct golden r500[] = {
        {0x4250, 0, "GA_US_VECTOR_INDEX #"},
        {0x4254, 0x00007807, "US_CMN_INST TYPE=TEX TEX_SEM_WAIT=1 RGB_WMASK=xyz ALPHA_WMASK=1 #"},
        {0x4254, 0x02400000, "US_TEX_INST OP=LD SEM_ACQUIRE=1 #"},
        {0x4254, 0xe400f400, "US_TEX_ADDR T=g R=a Q=a DST_G=g DST_B=b DST_A=a #"},
        {0x4254, 0, "US_TEX_ADDR_DXDY #"},
        {0x4254, 0, "US_UNUSED #"},
        {0x4254, 0, "US_UNUSED #"},
        {0x4254, 0x00078005, "US_CMN_INST TYPE=OUT TEX_SEM_WAIT=1 RGB_OMASK=xyz ALPHA_OMASK=1 #"},
        {0x4254, 0x08020000, "US_ALU_RGB_ADDR SRC1=128 SRC2=128 #"},
        {0x4254, 0x08020000, "US_ALU_ALPHA_ADDR SRC1=128 SRC2=128 #"},
        {0x4254, 0x00440220, "US_ALU_RGB_INST A_G=g A_B=b B_G=g B_B=b #"},
        {0x4254, 0x0060c003, "US_ALU_ALPHA_INST OP=MAX A_SWZ=a B_SWZ=a #"},
        {0x4254, 0x00000005, "US_ALU_RGBA_INST OP=MAX #"},
        {0x4254, 0x00000800, "US_CMN_INST RGB_WMASK=x #"},
        {0x4254, 0x08020000, "US_ALU_RGB_ADDR SRC1=128 SRC2=128 #"},
        {0x4254, 0x08020080, "US_ALU_ALPHA_ADDR SRC0=128 SRC1=128 SRC2=128 #"},
        {0x4254, 0x00840420, "US_ALU_RGB_INST A_G=g A_B=0 B_G=g B_B=0 #"},
        {0x4254, 0x00000000, "US_ALU_ALPHA_INST #"},
        {0x4254, 0x00000001, "US_ALU_RGBA_INST OP=DP3 #"},
        {0x4254, 0x00004000, "US_CMN_INST ALPHA_WMASK=1 #"},
        {0x4254, 0x08020000, "US_ALU_RGB_ADDR SRC1=128 SRC2=128 #"},
        {0x4254, 0x08020080, "US_ALU_ALPHA_ADDR SRC0=128 SRC1=128 SRC2=128 #"},
        {0x4254, 0x00000000, "US_ALU_RGB_INST #"},
        {0x4254, 0x0004000b, "US_ALU_ALPHA_INST OP=RSQ A_MOD=abs #"},
        {0x4254, 0x00000000, "US_ALU_RGBA_INST #"},
        {0x4254, 0x00008001, "US_CMN_INST TYPE=OUT RGB_OMASK=x #"},
        {0x4254, 0x08020080, "US_ALU_RGB_ADDR SRC0=128 SRC1=128 SRC2=128 #"},
        {0x4254, 0x08020000, "US_ALU_ALPHA_ADDR SRC1=128 SRC2=128 #"},
        {0x4254, 0x00000000, "US_ALU_RGB_INST #"},
        {0x4254, 0x0000c00a, "US_ALU_ALPHA_INST OP=RCP A_SWZ=a #"},
        {0x4254, 0x0000000a, "US_ALU_RGBA_INST OP=SOP #"}};
    golden("r300", r300, sizeof r300 / sizeof *r300);
    golden("r400", r300, sizeof r300 / sizeof *r300);
    golden("r500", r500, sizeof r500 / sizeof *r500);
    /* invalid words: with bits that only r400 has, unused bits, unknown registers, data without an index */
    static const struct {
        const char *target;
        uint32_t address, value;
    } bad[] = {{"r300", 0x4608, 0x01000000}, {"r300", 0x4620, 0x00080000}, {"r300", 0x46bc, 0},
               {"r300", 0x46b8, 0},          {"r300", 0x4604, 32},         {"r300", 0x4600, 4},
               {"r300", 0x46c0, 0x80000000}, {"r300", 0x49c0, 0x80000000}, {"r300", 0x4c00, 0x01000000},
               {"r400", 0x4604, 64},         {"r400", 0x46bc, 0x40000000}, {"r500", 0x4254, 0},
               {"r500", 0x4600, 1},          {"r500", 0x4630, 0x200}};
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint32_t bits;
        const struct hwemit_word w = {bad[i].address, bad[i].value};
        CHECK_SAY(hwemit_check_word(hwemit_find_registers(hwemit_find_target(bad[i].target)), &w, 0, 1,
                                    &bits) != NULL,
                  "%s accepts 0x%x 0x%x", bad[i].target, w.address, w.value);
    }
}

/* ---- limits ---- */

enum { MOST = 600 };
static struct fragprog_inst inst[MOST];
static struct fragprog_const konst[300];

static struct fragprog_src value(unsigned i)
{
    return (struct fragprog_src){.file = FRAGPROG_VALUE, .index = (uint16_t)i, .lane = {0, 1, 2, 3}};
}

static void put(struct fragprog *p, unsigned op, unsigned mask, struct fragprog_src a, struct fragprog_src b)
{
    p->inst[p->ninst++] = (struct fragprog_inst){.op = (uint8_t)op,
                                                 .mask = (uint8_t)mask,
                                                 .clamp = op == FRAGPROG_TEX ? 0 : FRAGPROG_SAT,
                                                 .target = TEXENV_2D,
                                                 .src = {a, b}};
}

static void start(struct fragprog *p)
{
    *p = (struct fragprog){.inst = inst, .konst = konst, .maxinst = MOST, .maxkonst = 300};
}

/* Ends the program: its alpha result is that of the primary colour. */
static void finish(struct fragprog *p)
{
    struct fragprog_src primary = {.file = FRAGPROG_PRIMARY, .lane = {3, 3, 3, 3}};
    p->result[0] = (uint16_t)(p->ninst - 1);
    put(p, FRAGPROG_MOV, 8, primary, primary);
    p->result[1] = (uint16_t)(p->ninst - 1);
}

static bool fits(const char *name, const struct fragprog *p, const char *code)
{
    const struct hwemit_target *target = hwemit_find_target(name);
    static struct hwemit_word storage[HWEMIT_MAX_WORDS];
    static struct hwemit_code out;
    struct fragprog_reason why = {.unit = -1, .code = "none"};
    const struct hwemit_options options = {.assume = 0};
    static uint64_t scratch[(8u << 20) / sizeof(uint64_t)];
    struct fragprog_budget budget = {.most = FRAGPROG_MOST_WORK};
    const struct hwemit_source source = {.best = p, .plain = p, .budget = &budget, .scratch = scratch};
    unsigned where;
    const char *rule = fragprog_check(p, &where);
    CHECK_SAY(!rule, "the program is wrong: %s", rule ? rule : "");
    CHECK(target->unbounded_scratch + p->ninst * target->instruction_scratch <= sizeof scratch);
    hwemit_code_init(&out, storage, HWEMIT_MAX_WORDS);
    bool ok = target->compile(&out, target, &source, &options, &why);
    CHECK_SAY(ok || strcmp(why.code, code) == 0, "%s: refused for %s, expected %s", name, why.code, code);
    CHECK_SAY(ok || (why.text[0] && why.fit[0]), "%s: a refusal says why and what would fit", name);
    CHECK(!ok || out.nwords <= HWEMIT_MAX_WORDS);
    return ok;
}

/* Makes a chain of n instructions, multiplications by the primary colour, which takes n pairs. */
static void chain(struct fragprog *p, unsigned n)
{
    struct fragprog_src primary = {.file = FRAGPROG_PRIMARY, .lane = {0, 1, 2, 3}};
    start(p);
    put(p, FRAGPROG_ADD, 7, primary, primary);
    /* each has a clamp that has an effect and a scale of 2, so that they are not combined */
    for (unsigned i = 1; i < n; i++) {
        put(p, FRAGPROG_MUL, 7, value(i - 1), primary);
        p->inst[i].scale = 1;
    }
    finish(p);
}

/* Makes a program of n lookups and the sum of their results. */
static void lookups(struct fragprog *p, unsigned n)
{
    start(p);
    for (unsigned i = 0; i < n; i++) {
        struct fragprog_src coord = {
            .file = FRAGPROG_COORD, .index = (uint16_t)(i / 8), .lane = {0, 1, 2, 3}};
        put(p, FRAGPROG_TEX, 15, coord, coord);
        p->inst[p->ninst - 1].texture = (uint8_t)(i % 8);
    }
    for (unsigned i = 1; i < n; i++)
        put(p, FRAGPROG_ADD, 7, value(i == 1 ? 0 : p->ninst - 1u), value(i));
    /* the primary colour is not read, since the texels need all temporaries */
    p->result[0] = (uint16_t)(p->ninst - 1);
    put(p, FRAGPROG_MOV, 8, value(n - 1), value(n - 1));
    memset(p->inst[p->ninst - 1].src[0].lane, 3, 4);
    p->result[1] = (uint16_t)(p->ninst - 1);
}

/* Makes a program of n lookups and a chain, `total` instructions in all. */
static void mixed(struct fragprog *p, unsigned n, unsigned total)
{
    struct fragprog_src primary = {.file = FRAGPROG_PRIMARY, .lane = {0, 1, 2, 3}};
    start(p);
    for (unsigned i = 0; i < n; i++) {
        struct fragprog_src coord = {
            .file = FRAGPROG_COORD, .index = (uint16_t)(i / 8), .lane = {0, 1, 2, 3}};
        put(p, FRAGPROG_TEX, 15, coord, coord);
        p->inst[p->ninst - 1].texture = (uint8_t)(i % 8);
    }
    put(p, FRAGPROG_ADD, 7, primary, primary);
    while (p->ninst < total) {
        put(p, FRAGPROG_MUL, 7, value(p->ninst - 1u), p->ninst - n <= n ? value(p->ninst - n - 1) : primary);
        p->inst[p->ninst - 1].scale = 1;
    }
    finish(p);
}

/* Makes a program of n dependent lookups, each at the result of the previous one. */
static void dependent(struct fragprog *p, unsigned n)
{
    start(p);
    for (unsigned i = 0; i < n; i++) {
        struct fragprog_src coord = {.file = FRAGPROG_COORD, .index = 0, .lane = {0, 1, 2, 3}};
        put(p, FRAGPROG_TEX, 15, i ? value(i - 1) : coord, coord);
        p->inst[p->ninst - 1].undivided = i > 0;
    }
    put(p, FRAGPROG_MOV, 7, value(n - 1), value(n - 1));
    finish(p);
}

/* Makes a program with n different immediate constants, of which it reads all channels. */
static void constants(struct fragprog *p, unsigned n)
{
    struct fragprog_src primary = {.file = FRAGPROG_PRIMARY, .lane = {0, 1, 2, 3}};
    start(p);
    put(p, FRAGPROG_MUL, 15, primary, primary);
    for (unsigned i = 0; i < n; i++) {
        struct fragprog_src k = {.file = FRAGPROG_CONST, .index = (uint16_t)i, .lane = {0, 1, 2, 3}};
        for (unsigned c = 0; c < 4; c++) {
            konst[i].value[c] = (float)(i * 4 + c) / 1237;
            konst[i].origin[c].unit = -1;
        }
        put(p, FRAGPROG_MUL, 15, value(p->ninst - 1u), k);
        p->inst[p->ninst - 1].scale = 1;
    }
    p->nkonst = (uint16_t)n;
    finish(p);
    p->result[1] = p->result[0];
}

/* Makes a program with n values that are live at the same time: each is computed from the primary colour and
 * the previous value, then all are added in the same order. */
static void alive(struct fragprog *p, unsigned n)
{
    struct fragprog_src primary = {.file = FRAGPROG_PRIMARY, .lane = {0, 1, 2, 3}};
    start(p);
    put(p, FRAGPROG_MUL, 7, primary, primary);
    for (unsigned i = 1; i < n; i++) {
        put(p, FRAGPROG_MUL, 7, value(i - 1), primary);
        p->inst[i].scale = 1;
    }
    for (unsigned i = 1; i < n; i += 2) { /* each instruction reads two values */
        put(p, FRAGPROG_MAD, 7, value(i == 1 ? n - 1 : p->ninst - 1u), value(i - 1));
        p->inst[p->ninst - 1].src[2] = value(i);
        p->inst[p->ninst - 1].scale = 1;
    }
    finish(p);
}

static void test_limits(void)
{
    struct fragprog p;
    static const struct {
        const char *target;
        void (*make)(struct fragprog *, unsigned);
        unsigned most;
        const char *code;
    } limits[] = {
        {"r300", chain, 64, "alu"},
        {"r400", chain, 512, "alu"},
        {"r500", chain, 512, "alu"},
        {"r300", lookups, 32, "textures"},
        {"r300", dependent, 4, "indirections"},
        {"r400", dependent, 4, "indirections"},
        {"r300", constants, 32, "constants"},
        {"r400", constants, 32, "constants"},
        {"r500", constants, 256, "constants"},
    };
    for (unsigned i = 0; i < sizeof limits / sizeof *limits; i++) {
        limits[i].make(&p, limits[i].most);
        CHECK_SAY(fits(limits[i].target, &p, ""), "%s: %u of %s do not fit", limits[i].target, limits[i].most,
                  limits[i].code);
        limits[i].make(&p, limits[i].most + 1);
        CHECK_SAY(!fits(limits[i].target, &p, limits[i].code), "%s: %u of %s fit", limits[i].target,
                  limits[i].most + 1, limits[i].code);
    }
    /* on r500 lookups and ALU instructions share 512 slots; the number of dependent levels is unlimited */
    mixed(&p, 20, 512);
    CHECK(fits("r500", &p, ""));
    mixed(&p, 20, 513);
    CHECK(!fits("r500", &p, "instructions"));
    dependent(&p, 20);
    CHECK(fits("r500", &p, ""));
    /* A program may have as many live values as the chip has temporaries, less one for the primary colour. */
    alive(&p, 31);
    CHECK(fits("r300", &p, ""));
    alive(&p, 33);
    CHECK(!fits("r300", &p, "temporaries"));
    alive(&p, 63);
    CHECK(fits("r400", &p, ""));
    alive(&p, 65);
    CHECK(!fits("r400", &p, "temporaries"));
    alive(&p, 127);
    CHECK(fits("r500", &p, ""));
    alive(&p, 129);
    CHECK(!fits("r500", &p, "temporaries"));
}

int main(void)
{
    test_golden();
    test_limits();
    return check_report("r300");
}
