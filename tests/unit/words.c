/* Tests the texts of words (lists of numbers, disassembly, assembly) for every target, and readers and
 * printers with a target that is defined in this test. */
#include "check.h"
#include "hwemit/targets.h"

#include <string.h>

/* ---- chips of this test: one with registers and a range of registers, one with packets and data ---- */

static const char *const toy_modes[4] = {"off", "on", NULL, "auto"};
static const struct hwemit_field toy_ctl[] = {
    {"MODE", 0, 2, toy_modes}, {"COUNT", 4, 4, NULL}, {"ENABLE", 31, 1, NULL}};
static const struct hwemit_field toy_data[] = {{"VALUE", 0, 32, NULL}};
static const struct hwemit_register toy_registers[] = {
    {"CTL", 0x1000, 1, 0, 0x100, 0x100, toy_ctl, 3, 0},
    {"DATA_#_X", 0x2000, 4, 0x10, 0, 0, toy_data, 1, 0},
    {"PORT", 0x1004, 1, 0, 0, 0, toy_data, 1, 0},
    {0},
};
static const struct hwemit_target toy_target = {.name = "toy"};
static const struct hwemit_registers toy = {.target = &toy_target, .row = toy_registers};

static const struct hwemit_field op_fields[] = {{"OP", 0, 4, NULL}};
static const struct hwemit_register packet_registers[] = {
    {"OP", HWEMIT_STREAM, 1, 0, 0xFF000000, 0x6D000000, op_fields, 1, 0},
    {"COLOR", HWEMIT_STREAM, 1, 0, 0xFFFFFFFF, 0x7D010000, NULL, 0, 0},
    {"COLOR_VALUE", HWEMIT_STREAM, 1, 0, 0, 0, toy_data, 1, 0},
    {0},
};
static const struct hwemit_register *packet_classify(const struct hwemit_word *word, uint32_t i, uint32_t n)
{
    (void)n;
    for (uint32_t k = 0; k < i; k++) /* a COLOR packet is followed by one word of data */
        if (word[k].value == 0x7D010000 && ++k == i)
            return &packet_registers[2];
    return word[i].value >> 24 == 0x6D             ? &packet_registers[0]
        : word[i].value == 0x7D010000 && i + 1 < n ? &packet_registers[1]
                                                   : NULL;
}
static const struct hwemit_target packets_target = {.name = "packets"};
static const struct hwemit_registers packets = {
    .target = &packets_target, .row = packet_registers, .classify = packet_classify};

/* ---- readers ---- */

static struct texenv_diag last;
static unsigned errors;
static void on_diag(void *user, const struct texenv_diag *diag)
{
    (void)user;
    last = *diag;
    errors++;
}

static struct hwemit_word words[64];
static uint32_t lines[64];
static struct hwemit_words out = {words, lines, 0, 64};

typedef bool reader(struct hwemit_words *, const struct hwemit_registers *, const char *, size_t,
                    const struct texenv_sink *);
static bool read(reader *r, const struct hwemit_registers *registers, const char *text)
{
    const struct texenv_sink sink = {on_diag, NULL};
    errors = 0;
    return r(&out, registers, text, strlen(text), &sink);
}

static void refused(reader *r, const struct hwemit_registers *registers, const char *text, unsigned line,
                    unsigned column, const char *message)
{
    bool ok = read(r, registers, text);
    CHECK_SAY(!ok && errors == 1, "'%s' gives %u errors", text, errors);
    if (!ok)
        CHECK_SAY(last.place.line == line && last.place.column == column && strstr(last.text, message),
                  "'%s': %u:%u: %s", text, last.place.line, last.place.column, last.text);
}

static void accepted(reader *r, const struct hwemit_registers *registers, const char *text, uint32_t n,
                     const struct hwemit_word *expected)
{
    bool ok = read(r, registers, text);
    CHECK_SAY(ok && out.n == n, "'%s': %s", text, ok ? "wrong length" : last.text);
    for (uint32_t i = 0; ok && i < n && i < out.n; i++)
        CHECK_SAY(words[i].address == expected[i].address && words[i].value == expected[i].value,
                  "'%s': word %u is 0x%x at 0x%x", text, i, words[i].value, words[i].address);
}

static void readers(void)
{
    static const struct hwemit_word ctl[] = {{0x1000, 0x80000113}, {0x2020, 7}};
    accepted(hwemit_read_asm, &toy, "CTL MODE=auto COUNT=1 ENABLE # 0x0 0x1\n\n DATA_2_X VALUE=0x7\r\n", 2,
             ctl);
    accepted(hwemit_read_asm, &toy, "CTL ENABLE=1 MODE=3 COUNT=0x1\nDATA_2_X VALUE=7", 2, ctl);
    accepted(hwemit_read_hex, &toy, "0x1000 0x80000113\n2020 7 # seven", 2, ctl);
    accepted(hwemit_read_hex, &toy, "400\n80000113\n0x808\n7\n", 2, ctl);
    static const struct hwemit_word port[] = {{0x1004, 1}, {0x1004, 2}, {0x1004, 3}};
    accepted(hwemit_read_hex, &toy, "28401\n1\n2\n3\n", 3, port);
    static const struct hwemit_word stream[] = {
        {HWEMIT_STREAM, 0x6D000005}, {HWEMIT_STREAM, 0x7D010000}, {HWEMIT_STREAM, 0x6D000001}};
    accepted(hwemit_read_hex, &packets, "6d000005\n7d010000\n6d000001\n", 3, stream);
    accepted(hwemit_read_asm, &packets, "OP OP=5\nCOLOR\nCOLOR_VALUE VALUE=0x6d000001\n", 3, stream);

    refused(hwemit_read_asm, &toy, "CTL\nCTLX", 2, 1, "no register 'CTLX'");
    refused(hwemit_read_asm, &toy, "DATA_4_X", 1, 1, "no register");
    refused(hwemit_read_asm, &toy, "DATA_02_X", 1, 1, "no register");
    refused(hwemit_read_asm, &toy, "DATA__X", 1, 1, "no register");
    refused(hwemit_read_asm, &toy, "CTL MODEL=1", 1, 5, "no field 'MODEL'");
    refused(hwemit_read_asm, &toy, "CTL MODE", 1, 9, "'=' and a value");
    refused(hwemit_read_asm, &toy, "CTL MODE=", 1, 10, "value of MODE");
    refused(hwemit_read_asm, &toy, "CTL MODE=none", 1, 10, "'none' is no value of MODE");
    refused(hwemit_read_asm, &toy, "CTL COUNT=16", 1, 11, "15 at most");
    refused(hwemit_read_asm, &toy, "CTL COUNT=4294967296", 1, 11, "no value");
    refused(hwemit_read_asm, &toy, "CTL COUNT=1 COUNT=1", 1, 13, "twice");
    refused(hwemit_read_asm, &toy, "CTL = 1", 1, 5, "a field of CTL");
    refused(hwemit_read_asm, &toy, "=", 1, 1, "name of a register");
    refused(hwemit_read_asm, &toy, "# nothing\n", 2, 1, "no words");
    refused(hwemit_read_asm, &packets, "COLOR_VALUE VALUE=1", 1, 1, "not in its place");
    refused(hwemit_read_asm, &packets, "COLOR", 1, 1, "not in its place");
    refused(hwemit_read_hex, &toy, "1000 80000133x", 1, 6, "hexadecimal");
    refused(hwemit_read_hex, &toy, "1000 80000133 1", 1, 15, "more than");
    refused(hwemit_read_hex, &toy, "\n1000 100000000", 2, 6, "hexadecimal");
    refused(hwemit_read_hex, &toy, "1000 80000133\n1000 0", 2, 1, "fixed bits have another value: 0x100");
    refused(hwemit_read_hex, &toy, "1000 8000", 1, 1, "reserved bits are set: 0x8000");
    refused(hwemit_read_hex, &toy, "1001 100", 1, 1, "no such register");
    refused(hwemit_read_hex, &toy, "2040 100", 1, 1, "no such register");
    refused(hwemit_read_hex, &toy, "400", 1, 1, "1 values, 0 follow");
    refused(hwemit_read_hex, &toy, "40000400\n0", 1, 1, "no type-0");
    refused(hwemit_read_hex, &toy, "2400\n100", 1, 1, "header");
    out.max = 1;
    refused(hwemit_read_hex, &toy, "1000 100\n1000 100", 2, 1, "more than 1 words");
    out.max = 64;
}

static void packing(void)
{
    static const struct hwemit_word in[] = {{0x1000, 1}, {0x1004, 2}, {0x2000, 3}, {0x3000, 4},
                                            {0x3004, 5}, {0x3004, 6}, {0x3008, 7}};
    static const uint32_t expected[] = {0x10400, 1, 2, 0x800, 3, 0xC00, 4, 0x18C01, 5, 6, 0xC02, 7};
    uint32_t dword[16], n = hwemit_packets(dword, 16, &toy_target, in, 7);
    CHECK_SAY(n == 12 && memcmp(dword, expected, sizeof expected) == 0, "%u dwords", n);
    memset(dword, 0, sizeof dword);
    CHECK(hwemit_packets(dword, 3, &toy_target, in, 7) == 12 && dword[3] == 0);
}

/* ---- register tables of the targets ---- */

static const struct hwemit_register *row; /* the register of each word that is printed or read */
static const struct hwemit_register *this_row(const struct hwemit_word *word, uint32_t i, uint32_t n)
{
    (void)word, (void)i, (void)n;
    return row;
}

/* Checks that a word of register `row` reads back from its disassembly. */
static void word_returns(const struct hwemit_registers *registers, struct hwemit_word word)
{
    static char data[4096];
    struct texenv_text text;
    uint32_t bits;
    const char *wrong = hwemit_check_word(registers, &word, 0, 1, &bits);
    CHECK_SAY(!wrong, "%s 0x%x: %s 0x%x", row->name, word.value, wrong, bits);
    texenv_text_init(&text, data, sizeof data);
    hwemit_print_word(&text, registers, &word, 0, 1);
    CHECK(text.length < sizeof data);
    bool ok = read(hwemit_read_asm, registers, data);
    CHECK_SAY(ok && out.n == 1 && words[0].address == word.address && words[0].value == word.value,
              "'%s' reads as 0x%x at 0x%x %s", data, words[0].value, words[0].address, ok ? "" : last.text);
    texenv_text_init(&text, data, sizeof data);
    hwemit_print_hex(&text, &word);
    if (word.address == HWEMIT_STREAM && registers->row->address != HWEMIT_STREAM)
        return;
    CHECK_SAY(read(hwemit_read_hex, registers, data) && words[0].value == word.value &&
                  words[0].address == word.address,
              "'%s'", data);
}

static void rows(const struct hwemit_registers *real)
{
    struct hwemit_registers registers = *real;
    registers.classify = this_row;
    for (row = registers.row; row->name; row++) {
        uint32_t taken = row->fixed_mask;
        CHECK_SAY(row->count && (!row->fixed || (row->fixed & ~row->fixed_mask) == 0), "%s: %s",
                  registers.target->name, row->name);
        CHECK_SAY((row->count > 1) == (strchr(row->name, '#') != NULL), "%s: %s", registers.target->name,
                  row->name);
        for (const struct hwemit_register *other = registers.row; other < row; other++)
            CHECK_SAY(strcmp(other->name, row->name) != 0, "%s: %s twice", registers.target->name, row->name);
        for (unsigned f = 0; f < row->nfields; f++) {
            const struct hwemit_field *field = &row->field[f];
            CHECK_SAY(field->width && field->low + field->width <= 32, "%s.%s", row->name, field->name);
            uint32_t limit = field->width < 32 ? (UINT32_C(1) << field->width) - 1 : UINT32_MAX,
                     mask = limit << field->low;
            CHECK_SAY(!(taken & mask), "%s: %s.%s overlaps another field", registers.target->name, row->name,
                      field->name);
            taken |= mask;
            /* each value up to 13 bits, then 2^k - 1 */
            for (uint32_t v = 0;; v = v < 8192 ? v + 1 : v > limit / 2 ? limit : v * 2 + 1) {
                const uint32_t number = v % row->count;
                word_returns(&registers,
                             (struct hwemit_word){row->address == HWEMIT_STREAM
                                                      ? HWEMIT_STREAM
                                                      : row->address + number * row->stride,
                                                  row->fixed | v << field->low});
                if (v >= limit)
                    break;
            }
        }
        /* A bit that belongs to no field is refused. */
        for (unsigned b = 0; b < 32; b++) {
            struct hwemit_word word = {row->address, row->fixed ^ UINT32_C(1) << b};
            uint32_t bits;
            bool ok = !hwemit_check_word(&registers, &word, 0, 1, &bits);
            CHECK_SAY(ok == ((taken & ~row->fixed_mask) >> b & 1), "%s: bit %u is %s", row->name, b,
                      ok ? "accepted" : "refused");
            CHECK(ok || bits == UINT32_C(1) << b);
        }
    }
}

/* ---- assembly ---- */

static unsigned draw_number(unsigned n)
{
    static uint32_t x = 1;
    x = x * 1664525u + 1013904223u;
    return (x >> 16) % n;
}

#define VERTEX "VAP_PVS_VECTOR_INDX_REG\n"
static const char *const seeds[] = {
    "etnaviv",
    "add.hp.t0 t1._y__, th1.xxxx, void, -u0.xxxx",
    "select.sat.lt.pack t3.xyz_, |t1.xyzz|, |t2.xyzz|, -|t1.xyzz|",
    "texldd t1, tex0.xyzw, t1.xyyy, t2.xyyy, t1.zwww",
    "branch.gt void, u0.xxxx, t1.xxxx, 5",
    "add.rtz t0.x___, 0.500000, void, |t0[a.x].xxxx|",
    "cmp.eq.u32.t1 t1.x___, t1.yyyy, 7:u20, -1",
    "ir3",
    "(ss)br !p0.y, #-3",
    "(sy)(rpt1)cov.f32f16 hr1.y, (r)c260.x",
    "mov.s16s16 hr<a0.x + 4>, -7",
    "(sat)(nop3) cmps.f.ge hr1.x, (abs)hr1.x, h(1/log2(e))",
    "(rpt2)bary.f (ei)r0.z, (r)0, r0.x",
    "add.f r0.z, (last)(neg)r0.y, c<a0.x + 33>",
    "(nop2) mad.f32.mul2 r3.z, (neg)r0.z, r3.y, (last)r3.z",
    "(ss)(sat)hrsq hr0.x, (absneg)hr0.w",
    "samb.3d.p.s (f16)(xyw)hr0.x, r0.y, r0.x, s#3, t#9",
    "saml.s2en.uniform.base1 (f32)(xyzw)r13.x, r0.w, r13.w, r11.w, a1.x",
    "(sy)alias.tex.b16.3 hr40.x, h(0x2)",
    "alias.rt.f32.0 rt2.x, (0.3)",
    "i915",
    "PIXEL_SHADER_PROGRAM LENGTH=2\nMAD oC.xyz.sat, R15.-x01w, DIFFUSE, C31",
    "PIXEL_SHADER_PROGRAM LENGTH=2\nDP3 U2.w, oD, FOG.wwww",
    "PIXEL_SHADER_PROGRAM LENGTH=2\nTEXLDB R3, S7, T2",
    "PIXEL_SHADER_PROGRAM LENGTH=5\nDCL S1 CUBE\nDCL SPECULAR.xyz",
    "r200",
    "rgb3: r2.rg = sat(2x(r0.color.red*-diffuse.alpha + tfactor.color[3]))",
    "rgb15: r0 = wrap(lerp(1, -2*(1-r5.color-0.5), zero)); rotate arg",
    "alpha9: r1 = quarter(tfactor1.blue[5] + r3.alpha.green)",
    "alpha0: r5 = dot4((r0.alpha-0.5), (1-r1.blue)); dot_alpha",
    "i830",
    "stage3: current.rgb = 2x((1-texel0.alpha)*factor_n + one); "
    "current.alpha = 4x(accum - diffuse); last",
    "stage0: accum.rgb = dot4(texel1, factor); accum.alpha = (1-specular)",
    "stage1: current.rgb = texel2; current.alpha = lerp(one, texel3, current)",
    "pica200",
    "stage5: rgb = 4x(texture0*(1-previous.blue) + constant.alpha); "
    "alpha = lerp(primary, texture1.red, (1-previous_buffer))",
    "stage0: rgb = dot3_rgba(texture2, light_primary, primary); alpha = modulate("
    "primary, primary, constant); constant = (1, 20, 255, 0)",
    "r300",
    "r400",
    "r500",
    VERTEX "MAD temp[3].xyz, -const[7 + addr[0].y], input[2], |alt[1]|.x-y01",
    VERTEX "MOV output[0], input[1]\nFRC.sat addr[0].x, const[3 + addr[0]].x-z10",
    VERTEX "DP4 temp[1].x, const[0], input[0]; RSQ alt[2].y, temp[2].-xx",
    VERTEX "POW temp[9].x, temp[1].xxxx, temp[1].0000, temp[2].yyyy",
    VERTEX "M2X_2CLK alt[5].w, temp[0], -temp[1].wzyx, temp[2]",
    NULL};

/* Draws an instruction of the target from `seeds` and changes up to four of its bits. Returns the number of
 * its words; 0 if the changed words are invalid. */
static uint32_t draw_instruction(const struct hwemit_registers *registers, struct hwemit_word *word)
{
    unsigned first = 0, n = 0;
    uint32_t bits;
    while (seeds[first] && strcmp(seeds[first], registers->target->name) != 0)
        first++;
    while (seeds[first] && seeds[first + 1] &&
           !strchr(seeds[first + 1], ' ')) /* targets without lines of their own use those of the next one */
        first++;
    while (seeds[first] && seeds[first + 1 + n] && strchr(seeds[first + 1 + n], ' '))
        n++;
    const char *seed = n ? seeds[first + 1 + draw_number(n)] : "";
    CHECK_SAY(read(hwemit_read_asm, registers, seed), "'%s': %s", seed, last.text);
    memcpy(word, words, out.n * sizeof *word);
    for (unsigned k = draw_number(5); k; k--)
        word[draw_number(out.n)].value ^= UINT32_C(1) << draw_number(32);
    for (uint32_t i = 0; i < out.n; i++)
        if (hwemit_check_word(registers, word, i, out.n, &bits))
            return 0;
    return out.n;
}

/* Prints words as `texenvc convert` does: as assembly if there is any, else by their fields. Returns the
 * number of lines of assembly. */
static unsigned print_lines(struct texenv_text *text, const struct hwemit_registers *registers,
                            const struct hwemit_word *word, uint32_t n)
{
    unsigned written = 0;
    for (uint32_t i = 0, count; i < n; i += count) {
        const size_t before = text->length;
        count = hwemit_print_assembly(text, registers, word, i, n);
        written += count > 0;
        CHECK(count || text->length == before);
        if (!count) {
            hwemit_print_word(text, registers, word, i, n);
            count = 1;
        }
        texenv_printf(text, "\n");
    }
    return written;
}

static bool are_same(const struct hwemit_words *a, const struct hwemit_word *b, uint32_t n)
{
    bool same = a->n == n;
    for (uint32_t i = 0; same && i < n; i++)
        same = a->word[i].address == b[i].address && a->word[i].value == b[i].value;
    return same;
}

/* Checks that random instructions read back from their assembly, or from their fields if they have none. Then
 * one character is replaced: the text must be refused with a place in it, or be another valid instruction
 * that reads back from its own assembly. */
static void assembly(const struct hwemit_registers *registers)
{
    enum { ROUNDS = 20000 };
    static char data[4096];
    unsigned written = 0, changed = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct hwemit_word in[64];
        struct texenv_text text;
        const uint32_t n = draw_instruction(registers, in);
        if (!n)
            continue;
        texenv_text_init(&text, data, sizeof data);
        written += print_lines(&text, registers, in, n) > 0;
        CHECK_SAY(read(hwemit_read_asm, registers, data) && are_same(&out, in, n), "%s: '%s' %s",
                  registers->target->name, data, last.text);
        data[draw_number((unsigned)text.length)] = " ,.()[]#-x0w9\0hz"[draw_number(16)];
        if (!read(hwemit_read_asm, registers, data)) {
            CHECK_SAY(last.place.line && (!last.place.column || last.place.column <= text.length + 1),
                      "%s: '%s': %s", registers->target->name, data, last.text);
            continue;
        }
        const uint32_t m = out.n;
        struct hwemit_word other[64];
        memcpy(other, words, m * sizeof *other);
        texenv_text_init(&text, data, sizeof data);
        if (m != n || !print_lines(&text, registers, other, m))
            continue;
        changed++;
        CHECK_SAY(read(hwemit_read_asm, registers, data) && are_same(&out, other, m), "'%s'", data);
    }
    CHECK_SAY(written > ROUNDS / 20 && changed > ROUNDS / 50, "%s: %u lines of assembly, %u changed",
              registers->target->name, written, changed);
}

int main(void)
{
    readers();
    packing();
    rows(&toy);
    rows(&packets);
    for (unsigned t = 0; hwemit_targets[t]; t++) {
        const struct hwemit_registers *registers = hwemit_find_registers(hwemit_targets[t]);
        CHECK_SAY(registers && registers->target == hwemit_targets[t], "%s", hwemit_targets[t]->name);
        CHECK(!registers->unpack || hwemit_targets[t]->pack);
        rows(registers);
        if (registers->assembly)
            assembly(registers);
        CHECK(hwemit_find_target(hwemit_targets[t]->name) == hwemit_targets[t]);
    }
    CHECK(!hwemit_find_target("r100") && !hwemit_find_registers(&toy_target));
    return check_report("words");
}
