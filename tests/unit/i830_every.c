/* i830: the memory of the search that tries all programs. Without it nothing changes; with it nothing is written beside it, whatever lies in it before is of no
 * account, and it need be aligned as for any object, no more. What the search finds: tests/exhaustive_i830.py. */
#include "check.h"
#include "hwemit/hwemit.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 4096, FULL = 1 /* bit of hwemit_options.assume */ };

static const struct hwemit_target *i830;

struct result {
    bool ok;
    struct hwemit_code code;
    struct hwemit_word word[HWEMIT_TEXENV_WORDS];
    struct fragprog_reason why;
};
struct job { struct result *result; unsigned assume; void *memory; bool ran; };
static struct result without, with, again;

static bool on_draw(void *user, const struct texenv_draw *draw)
{
    struct job *job = user;
    struct texenv_state state;
    const struct fragprog_options passes = {.level = 2};
    const struct hwemit_options options = {.assume = job->assume, .search_memory = job->memory};
    CHECK(texenv_canonicalise(&state, draw->te, NULL, false, NULL, NULL));
    memset(job->result, 0, sizeof *job->result);
    hwemit_code_init(&job->result->code, job->result->word, HWEMIT_TEXENV_WORDS);
    job->result->ok = hwemit_compile(&job->result->code, i830, &state, &passes, &options, &job->result->why);
    job->ran = true;
    return true;
}

static bool compile(struct result *result, const char *stages, unsigned assume, void *memory)
{
    struct job job = {.result = result, .assume = assume, .memory = memory};
    struct texenv_reader reader = {.on_draw = on_draw, .user = &job};
    texenv_read_stages(&reader, stages, strlen(stages));
    CHECK_SAY(job.ran, "'%s' does not parse", stages);
    return result->ok;
}

static bool same(const struct result *a, const struct result *b)
{
    if (a->ok != b->ok)
        return false;
    if (!a->ok)
        return strcmp(a->why.text, b->why.text) == 0 && strcmp(a->why.code, b->why.code) == 0;
    return a->code.nwords == b->code.nwords && a->code.assumed == b->code.assumed && memcmp(a->word, b->word, a->code.nwords * sizeof a->word[0]) == 0;
}

static const char *const endings[] = {"; of all programs for the colour none is right", "; of all programs for alpha none is right",
                                      "; of all programs for colour and alpha none go together", "; not all programs could be tried"};

static bool says(const char *text, const char *ending)
{
    const size_t n = strlen(text), m = strlen(ending);
    return n >= m && strcmp(text + n - m, ending) == 0;
}

enum kind { QUICK, OTHER, SEARCHED }; /* covered without the search; refused for another reason; searched */
static const struct { const char *stages; unsigned assume; enum kind kind; bool covered; } cases[] = {
    {"{T0*P}", 0, QUICK, true},
    {"{T0*T1+P*F}", FULL, QUICK, true},
    {"{T0 @3d}", 0, OTHER, false},
    {"{T0; T0*T1+T2*T3}", 0, SEARCHED, false},
    {"{T0*T1+T2*T3; T0}", 0, SEARCHED, false},
    {"{lerp(F,~C,~P); lerp(~C,~F,~C) @rect}*1;2 {} {0*C.a+~C*T2; P*P+~F*P @luminance_alpha}*4 C0=(.2,.4,.6,.8) C2=(.6,.2,.4,.8)", 0, SEARCHED, true},
    {"{T0; T0*T0} {P; P*P} {P; P*P} {P; P*P} {P; P*P}", FULL, SEARCHED, false},
};

/* memory: of HWEMIT_SEARCH_MEMORY bytes. */
static void try_all(unsigned char *memory)
{
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *const stages = cases[i].stages;
        compile(&without, stages, cases[i].assume, NULL);
        CHECK_SAY(without.ok == (cases[i].kind == QUICK), "%s: %s", stages, without.why.text);
        for (unsigned k = 0; k < sizeof endings / sizeof endings[0] && !without.ok; k++)
            CHECK_SAY(!says(without.why.text, endings[k]), "%s: without the search: %s", stages, without.why.text);
        memset(memory, 0xFF, HWEMIT_SEARCH_MEMORY);
        compile(&with, stages, cases[i].assume, memory);
        compile(&again, stages, cases[i].assume, memory); /* over what the first left */
        CHECK_SAY(same(&with, &again), "%s: depends on what lies in the memory", stages);
        if (cases[i].kind != SEARCHED) {
            CHECK_SAY(same(&with, &without), "%s: the search was not called for, and changes the result", stages);
        } else if (cases[i].covered) {
            CHECK_SAY(with.ok, "%s: %s", stages, with.why.text);
        } else {
            unsigned n = 0;
            for (unsigned k = 0; k < sizeof endings / sizeof endings[0]; k++)
                n += says(with.why.text, endings[k]);
            CHECK_SAY(!with.ok && n == 1, "%s: %s", stages, with.why.text);
        }
        compile(&again, stages, cases[i].assume, NULL);
        CHECK_SAY(same(&again, &without), "%s: without the search it is another after one with it", stages);
    }
}

int main(void)
{
    i830 = hwemit_find_target("i830");
    /* As aligned as any object and not more; under a sanitizer the next byte is out of bounds. */
    const size_t off = GUARD + _Alignof(max_align_t), size = off + HWEMIT_SEARCH_MEMORY;
    unsigned char *const block = malloc(size + GUARD), *const tight = malloc(HWEMIT_SEARCH_MEMORY);
    if (!CHECK(i830 && block && tight))
        return check_report("i830_every");
    memset(block, 0xA5, size + GUARD);
    try_all(block + off);
    unsigned long wrong = 0;
    for (size_t i = 0; i < off; i++)
        wrong += block[i] != 0xA5;
    for (size_t i = size; i < size + GUARD; i++)
        wrong += block[i] != 0xA5;
    CHECK_SAY(wrong == 0, "%lu bytes beside the memory were written", wrong);
    compile(&with, cases[sizeof cases / sizeof cases[0] - 1].stages, FULL, tight);
    CHECK(!with.ok);
    free(block);
    free(tight);
    return check_report("i830_every");
}
