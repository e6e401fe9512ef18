/* Tests which work, memory and options hwemit gives to a target, with a target defined in this test. */
#include "check.h"
#include "hwemit/hwemit.h"

#include <string.h>

static uint64_t scratch[HWEMIT_SCRATCH / sizeof(uint64_t)];

/* The arguments of the last call of this test's target. */
static struct {
    uint32_t most_work, spent;
    const char *scratch;
    bool same, called;
    int option[2];
} got;

static bool compile(struct hwemit_code *code, const struct hwemit_target *target,
                    const struct hwemit_source *source, const struct hwemit_options *options,
                    struct fragprog_reason *why)
{
    (void)code, (void)target, (void)why;
    got.most_work = source->budget->most;
    got.spent = source->budget->spent;
    got.scratch = source->scratch;
    got.same = source->best == source->plain;
    got.called = true;
    for (unsigned n = 0; n < 2; n++)
        got.option[n] = hwemit_option_value(options, n, -7);
    return true;
}

static const struct hwemit_option rows[] = {
    {"set", 0, 5, "a number"}, {"below", -3, -1, "another"}, {NULL, 0, 0, NULL}};
static const struct hwemit_target own = {
    .name = "own", .options = rows, .scratch = 1000, .most_work = 777, .compile = compile};

static void compile_empty(const struct hwemit_target *target, const struct hwemit_options *options)
{
    struct texenv te;
    struct texenv_state state;
    struct hwemit_code code;
    struct fragprog_reason why;
    const struct fragprog_source source = {.state = &state};
    texenv_init(&te);
    CHECK(texenv_canonicalise(&state, &te, NULL, false, NULL, NULL));
    hwemit_code_init(&code, NULL, 0);
    memset(&got, 0, sizeof got);
    CHECK(hwemit_compile(&code, target, &source, options, scratch, &why) && got.called);
}

/* Tests the limit of work: the caller's, else the target's, else the default of all programs. */
static void work(void)
{
    struct hwemit_options options = {.passes = {.level = 2}};
    compile_empty(&own, &options);
    CHECK_SAY(got.most_work == 777 && got.spent == 0, "by default %u", (unsigned)got.most_work);
    options.passes.most_work = 5;
    compile_empty(&own, &options);
    CHECK_SAY(got.most_work == 5, "5 is %u", (unsigned)got.most_work);
    options.passes.most_work = 0;
    struct hwemit_target without = own;
    without.most_work = 0;
    compile_empty(&without, &options);
    CHECK_SAY(got.most_work == FRAGPROG_MOST_WORK, "without a default %u", (unsigned)got.most_work);
}

/* Tests that the target's memory comes after that of the passes and has the size that the target requests. */
static void memory(void)
{
    struct hwemit_options options = {.passes = {.level = 2}};
    compile_empty(&own, &options);
    CHECK(got.scratch == (char *)scratch + (hwemit_scratch(&own) - own.scratch) && !got.same);
    options.passes.level = 0; /* so that only one program is compiled */
    compile_empty(&own, &options);
    CHECK(got.same);
}

static void options(void)
{
    struct hwemit_options o = {.passes = {.level = 2}};
    compile_empty(&own, &o);
    CHECK(got.option[0] == -7 && got.option[1] == -7);
    CHECK(!hwemit_set_option(&o, &own, "set", -1) && !hwemit_set_option(&o, &own, "set", 6) &&
          !hwemit_set_option(&o, &own, "below", -4) && !hwemit_set_option(&o, &own, "below", 0) &&
          !hwemit_set_option(&o, &own, "se", 1) && !hwemit_set_option(&o, &own, "sets", 1) && !o.given);
    CHECK(hwemit_set_option(&o, &own, "below", -3) && o.given == 2);
    compile_empty(&own, &o);
    CHECK(got.option[0] == -7 && got.option[1] == -3);
    CHECK(hwemit_set_option(&o, &own, "set", 5) && hwemit_set_option(&o, &own, "below", -1));
    compile_empty(&own, &o);
    CHECK(got.option[0] == 5 && got.option[1] == -1);
    CHECK(hwemit_set_option(&o, &own, "set", 0));
    compile_empty(&own, &o);
    CHECK(got.option[0] == 0);
    struct hwemit_target without = own;
    without.options = NULL;
    CHECK(!hwemit_set_option(&o, &without, "set", 1));
}

static void names(void)
{
    for (unsigned t = 0; hwemit_targets[t]; t++) {
        char name[16];
        strcpy(name, hwemit_targets[t]->name);
        CHECK(hwemit_find_target(name) == hwemit_targets[t]);
        strcat(name, "0");
        CHECK_SAY(!hwemit_find_target(name), "%s is a target", name);
        name[strlen(hwemit_targets[t]->name) - 1] = 0;
        CHECK_SAY(!hwemit_find_target(name), "%s is a target", name);
    }
    CHECK(!hwemit_find_target("") && !hwemit_find_target("own"));
}

int main(void)
{
    work();
    memory();
    options();
    names();
    return check_report("targets");
}
