/* Tests keys of texture environments: states that must have the same key, states that must have different
 * keys, and that states with the same key have the same words. */
#include "check.h"
#include "hwemit/hwemit.h"

#include <stdlib.h>
#include <string.h>

struct keyed {
    uint8_t key[1024];
    uint32_t length;
    bool read, fits;
    struct hwemit_word word[128];
    struct hwemit_code code;
};

static bool keep(void *user, const struct texenv_draw *draw)
{
    return texenv_canonicalise(user, draw->te, NULL, false, NULL, NULL);
}

static uint64_t scratch[HWEMIT_SCRATCH / sizeof(uint64_t)];

/* Computes key and words of a state in stage notation, without the values of constants. */
static void compile(struct keyed *k, const char *stages, const char *target)
{
    struct texenv_state state;
    struct texenv_reader reader = {.on_draw = keep, .user = &state};
    const struct hwemit_options options = {.passes = {.level = 2}};
    const struct fragprog_source source = {.state = &state};
    struct fragprog_reason why;
    texenv_read_stages(&reader, stages, strlen(stages));
    k->read = reader.draws == 1 && reader.errors == 0;
    if (!CHECK_SAY(k->read, "'%s' is no state", stages))
        return;
    k->length = fragprog_key(k->key, sizeof k->key, &state, false);
    CHECK_SAY(k->length && k->length <= sizeof k->key, "'%s': a key of %u bytes", stages, k->length);
    hwemit_code_init(&k->code, k->word, 128);
    k->fits = hwemit_compile(&k->code, hwemit_find_target(target), &source, &options, scratch, &why);
    CHECK(!k->fits || k->code.nwords <= 128);
    for (unsigned i = 0; k->fits && i < k->code.nconstants; i++)
        k->word[k->code.constant[i].word].value = 0;
}

static bool same_key(const struct keyed *a, const struct keyed *b)
{
    return a->length == b->length && memcmp(a->key, b->key, a->length) == 0;
}

static bool same_words(const struct keyed *a, const struct keyed *b)
{
    return a->fits == b->fits &&
        (!a->fits ||
         (a->code.nwords == b->code.nwords &&
          memcmp(a->word, b->word, a->code.nwords * sizeof *a->word) == 0));
}

static struct keyed one, two;

static void shares(const char *a, const char *b)
{
    compile(&one, a, "r200");
    compile(&two, b, "r200");
    CHECK_SAY(same_key(&one, &two), "'%s' and '%s' have different keys", a, b);
    CHECK_SAY(same_words(&one, &two), "'%s' and '%s' have different words", a, b);
    CHECK(fragprog_key_hash(one.key, one.length) == fragprog_key_hash(two.key, two.length) ||
          !same_key(&one, &two));
}

static void differs(const char *a, const char *b)
{
    compile(&one, a, "r200");
    compile(&two, b, "r200");
    CHECK_SAY(!same_key(&one, &two), "'%s' and '%s' have one key", a, b);
    CHECK_SAY(fragprog_key_hash(one.key, one.length) != fragprog_key_hash(two.key, two.length),
              "'%s' and '%s' have one hash", a, b);
}

static void listed(void)
{
    shares("{T0*P}", "{P*T0}");
    shares("{T0*P}", "{modulate}");
    shares("{T0*P}", "{F*T0}"); /* in the first unit P is the primary colour F */
    shares("{T0+P}", "{P+T0}");
    shares("{T0+P-0.5}", "{P+T0-0.5}");
    shares("{~T0+P-0.5}", "{P+~T0-0.5}");
    shares("{T0*P+C}", "{P*T0+C}");
    shares("{dot3(T0,P)}", "{dot3(P,T0)}");
    shares("{dot3a(T0,~P)}*2", "{dot3a(~P,T0)}*2");
    shares("{lerp(T0,P,C)}", "{lerp(P,T0,~C)}");
    shares("{T0*P+C*F}", "{C*F+T0*P}");
    shares("{T0*P+C*F}", "{F*C+P*T0}");
    shares("{T0*P+C*F-0.5; P*P+T0*T0-0.5}", "{F*C+P*T0-0.5; T0*T0+P*P-0.5}");
    shares("{T0*P} {T1*P}", "{T0*P} {P*T1}");
    shares("{T0*P} {C}", "{T0+P} {C}");                                   /* a dead stage */
    shares("{T0*P} {T1; P}", "{T0-P; T0*P} {T1; P}");                     /* a stage with one dead half */
    shares("{T0*C} C0=(0.1,0.2,0.3,0.4)", "{T0*C} C0=(0.9,0.8,0.7,0.6)"); /* only the colours differ */
    shares("{T0; P @rgb}", "{T0; P}"); /* only the rgb of the texture is read */
    shares("{T0*P} {P} {T2*P}", "{T0*P} {} {P*T2}");
    shares("{T0*P} fog=exp colorsum", "{T0*P}"); /* the key leaves out what follows the texture environment */
    shares("{T0*P} {P+T1.a; P}", "{P*T0} {T1.a+P; P}");

    differs("{T0*P}", "{T0+P}");
    differs("{T0*P}", "{T0*~P}");
    differs("{T0*P}", "{T0*P}*2");
    differs("{T0-P}", "{P-T0}");
    differs("{T0*P}", "{T0*P; P}");
    differs("{T0*P}", "{T1*P} {P}");
    differs("{T0*C}", "{P} {T0*C}"); /* the colour of another unit */
    differs("{T0 @rgb}", "{T0}");
    differs("{T0; P @red}", "{T0; P}");
    differs("{T0; P @intensity}", "{T0; P}"); /* an intensity texel has its colour as alpha, too */
    differs("{P; T0 @intensity}", "{P; T0}"); /* pica200 takes an intensity texel's alpha from red */
    differs("{T0*P @cube}", "{T0*P}");
    differs("{T0*P.a}", "{T0*P}");
    differs("{lerp(T0,P,C)}", "{lerp(P,T0,C)}");
    differs("{dot3(T0,P)}", "{dot3_ext(T0,P)}*2");
    differs("{T0*P+C}", "{T0*C+P}");
}

/* ---- random states with few different arguments, so that many states are equal ---- */

static uint64_t seed = 88172645463325252u;
static unsigned below(unsigned n)
{
    return (unsigned)((seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17) >> 33) % n;
}

static void term(char *to)
{
    sprintf(to, "%s%s%s", below(4) ? "" : "~", (const char *const[]){"T0", "P", "F", "C"}[below(4)],
            below(5) ? "" : ".a");
}

static void random_stages(char *out)
{
    static const char *const forms[] = {"%s*%s",    "%s+%s",          "%s+%s-0.5",   "%s-%s",
                                        "%s*%s+%s", "lerp(%s,%s,%s)", "%s*%s+%s*%s", "%s*%s+%s*%s-0.5"};
    out[0] = 0;
    for (unsigned u = 0, units = 1 + below(2); u < units; u++) {
        char half[2][64], t[4][8];
        bool four = below(4) == 0;
        for (unsigned h = 0; h < 2; h++) {
            for (unsigned i = 0; i < 4; i++)
                term(t[i]);
            sprintf(half[h], forms[four ? 6 + below(2) : below(6)], t[0], t[1], t[2], t[3]);
        }
        if (below(3) && !four) /* alpha used as colour */
            sprintf(out + strlen(out), "{%s}%s ", half[0], below(4) ? "" : "*2");
        else
            sprintf(out + strlen(out), "{%s; %s}%s ", half[0], below(2) && !four ? "P" : half[1],
                    below(4) ? "" : "*2");
    }
}

enum { STATES = 20000, TABLE = 65536 };
static struct kept {
    struct keyed *k;
    char *stages;
} table[TABLE];

static void equal_keys_equal_words(const char *target)
{
    unsigned keys = 0;
    for (unsigned n = 0; n < STATES; n++) {
        char stages[512];
        random_stages(stages);
        compile(&one, stages, target);
        unsigned at = fragprog_key_hash(one.key, one.length) % TABLE;
        while (table[at].k && !same_key(table[at].k, &one))
            at = (at + 1) % TABLE;
        if (table[at].k) {
            CHECK_SAY(same_words(table[at].k, &one), "'%s' and '%s' share a key, but not their words for %s",
                      table[at].stages, stages, target);
            continue;
        }
        table[at].k = malloc(sizeof one);
        table[at].stages = malloc(sizeof stages);
        memcpy(table[at].k, &one, sizeof one);
        memcpy(table[at].stages, stages, sizeof stages);
        keys++;
    }
    CHECK_SAY(keys < STATES - STATES / 20, "%u keys of %u states: too few share", keys, STATES);
    printf("key: %s: %u states, %u keys\n", target, STATES, keys);
    for (unsigned i = 0; i < TABLE; i++) {
        free(table[i].k);
        free(table[i].stages);
        table[i] = (struct kept){NULL, NULL};
    }
}

/* ---- lowering in canonical form ---- */

static void print(struct texenv_text *text, char *storage, size_t size, const struct fragprog *p)
{
    texenv_text_init(text, storage, size);
    fragprog_print_ir(text, p);
}

/* Adds a format to the texture of each stage. */
static void add_formats(char *stages)
{
    static const char *const formats[] = {"rgba", "rgb",       "alpha", "luminance", "luminance_alpha",
                                          "red",  "intensity", "rg"};
    char with[1024] = "";
    unsigned n = 0;
    for (const char *at = stages; *at; at++) {
        if (*at == '}')
            n += (unsigned)sprintf(with + n, " @%s", formats[below(8)]);
        with[n++] = *at;
    }
    with[n] = 0;
    strcpy(stages, with);
}

/* For chips, states are lowered directly to a canonical form: without dead code, with ordered arguments and
 * products. Checks that this gives the same program as plain lowering followed by dead code removal and
 * ordering. */
static void lowered_as_canonical(void)
{
    static char by_begin[1 << 14], by_hand[1 << 14];
    const struct fragprog_options options = {.level = 0};
    const struct fragprog_opt opt = {.level = 0};
    for (unsigned n = 0; n < STATES / 4; n++) {
        char stages[1024];
        struct texenv_state state;
        struct texenv_reader reader = {.on_draw = keep, .user = &state};
        struct fragprog_compilation c;
        struct fragprog_storage storage;
        struct fragprog p;
        struct fragprog_reason why;
        struct texenv_text text;
        const struct fragprog_source source = {.state = &state};
        random_stages(stages);
        random_stages(stages + strlen(stages));
        add_formats(stages);
        texenv_read_stages(&reader, stages, strlen(stages));
        if (!CHECK_SAY(fragprog_begin(&c, &source, &options, true, scratch, &why), "'%s': %s", stages,
                       why.text))
            continue;
        print(&text, by_begin, sizeof by_begin, c.best);
        fragprog_init(&p, &storage);
        fragprog_lower(&p, &state);
        fragprog_opt_dead(&p, &opt);
        fragprog_canonicalise(&p);
        print(&text, by_hand, sizeof by_hand, &p);
        CHECK_SAY(strcmp(by_begin, by_hand) == 0, "'%s' is lowered as\n%snot\n%s", stages, by_begin, by_hand);
    }
}

int main(void)
{
    listed();
    lowered_as_canonical();
    equal_keys_equal_words("r200");
    return check_report("key");
}
