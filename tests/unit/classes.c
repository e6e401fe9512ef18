/* Tests the tables of register classes: the fifteen virtual registers of the founding document and their
 * conflicts. */
#include "check.h"
#include "fragprog/alloc/colour_graph.h"
#include "hwemit/etnaviv/etnaviv.h"

#include <stdlib.h>
#include <string.h>

/* Finds the distinct virtual registers (masks) of all classes on one physical register, and returns their
 * number. */
static unsigned virtual_registers(const struct fragprog_classes *c, uint8_t mask[15])
{
    unsigned n = 0;
    for (unsigned m = 1; m < 16; m++) {
        bool any = false;
        for (unsigned a = 0; a < c->n; a++)
            any |= c->class_[a].masks >> m & 1;
        if (any)
            mask[n++] = (uint8_t)m;
    }
    return n;
}

static void check_tables(void)
{
    /* q[row][column], for the classes scalar, vec2, vec3, vec4: the largest number of registers of the class
     * `row` that conflict with one register of the class `column`. */
    static const uint8_t q[4][4] = {{1, 2, 3, 4}, {3, 5, 6, 6}, {3, 4, 4, 4}, {1, 1, 1, 1}};
    struct fragprog_class vec[4];
    struct fragprog_classes classes = {.n = 0};
    uint8_t mask[15];
    fragprog_classes_vec4(vec, 0, 64);
    fragprog_classes_build(&classes, vec, 4);
    for (unsigned a = 0; a < 4; a++)
        for (unsigned b = 0; b < 4; b++)
            CHECK_SAY(classes.q[a][b] == q[a][b], "q[%u][%u] is %u", a, b, classes.q[a][b]);
    CHECK(classes.nmasks[0] == 4 && classes.nmasks[1] == 6 && classes.nmasks[2] == 4 &&
          classes.nmasks[3] == 1);
    unsigned n = virtual_registers(&classes, mask), conflicts = 0;
    CHECK_SAY(n == 15, "%u virtual registers", n);
    for (unsigned a = 0; a < n; a++)
        for (unsigned b = a + 1; b < n; b++)
            conflicts += (mask[a] & mask[b]) != 0;
    CHECK_SAY(conflicts == 80, "%u of 105 pairs conflict", conflicts);
}

/* Tests the classes of a chip whose registers have two halves: three lanes that are written together, and one
 * lane. */
static void check_halves(void)
{
    const struct fragprog_class halves[3] = {
        {.masks = 1 << 7, .end = 6}, {.masks = 1 << 8, .end = 6}, {.masks = 1 << 15, .end = 6}};
    static const uint8_t q[3][3] = {{1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
    struct fragprog_classes classes = {.n = 0};
    fragprog_classes_build(&classes, halves, 3);
    CHECK(memcmp(classes.q[0], q[0], 3) == 0 && memcmp(classes.q[1], q[1], 3) == 0 &&
          memcmp(classes.q[2], q[2], 3) == 0);
    CHECK(classes.cover[0][1] == 7 && classes.cover[0][8] == 0 && classes.cover[2][8] == 15);
}

/* Checks that a predefined table equals the one that fragprog builds for n classes. */
static void check_same(const char *name, const struct fragprog_classes *written,
                       const struct fragprog_class *classes, unsigned n)
{
    struct fragprog_classes built = {.n = 0};
    fragprog_classes_build(&built, classes, n);
    CHECK(built.n == written->n && built.builds == 1 && written->builds == 1);
    for (unsigned a = 0; a < built.n; a++) {
        CHECK_SAY(memcmp(&built.class_[a], &written->class_[a], sizeof *built.class_) == 0, "%s: class %u",
                  name, a);
        CHECK_SAY(built.nmasks[a] == written->nmasks[a], "%s: masks of class %u", name, a);
        CHECK_SAY(memcmp(built.q[a], written->q[a], built.n) == 0, "%s: q of class %u", name, a);
        CHECK_SAY(memcmp(built.cover[a], written->cover[a], 16) == 0, "%s: cover of class %u", name, a);
    }
}

static void check_written(void)
{
    struct fragprog_class lanes[FRAGPROG_CLASSES_LANES];
    fragprog_classes_vec4(lanes, 0, 0xffff);
    lanes[FRAGPROG_CLASS_COLOUR] = (struct fragprog_class){.masks = 1 << 1 | 1 << 2 | 1 << 4, .end = 0xffff};
    for (unsigned lane = 0; lane < 4; lane++)
        lanes[FRAGPROG_CLASS_X + lane] = (struct fragprog_class){.masks = (uint16_t)(1 << (1 << lane)),
                                                                 .end = 0xffff};
    check_same("lanes", &fragprog_classes_lanes, lanes, FRAGPROG_CLASSES_LANES);
    struct fragprog_class temporaries[7];
    fragprog_classes_vec4(temporaries, 1, 0xffff);
    temporaries[4] = (struct fragprog_class){.masks = 1 << 3 | 1 << 12, .first = 1, .end = 0xffff};
    temporaries[5] = (struct fragprog_class){.masks = 1 << 15, .first = 1, .end = 0xffff};
    temporaries[6] = (struct fragprog_class){.masks = 1 << 15, .end = 1};
    check_same("etnaviv", &hwemit_etna_classes, temporaries, 7);
}

/* Returns the mask of the lanes that a code assigns to the components; 0 if the code is invalid: two
 * components get the same lane, or a component that the value does not have gets one. *moved: the number of
 * components that are not in their own lane. */
static unsigned lanes_of_code(unsigned components, unsigned code, unsigned *moved)
{
    unsigned lanes = 0;
    *moved = 0;
    for (unsigned c = 0; c < 4; c++) {
        const unsigned lane = code >> 2 * c & 3;
        if (components >> c & 1 ? lanes >> lane & 1 : lane)
            return 0;
        if (components >> c & 1) {
            lanes |= 1u << lane;
            *moved += lane != c;
        }
    }
    return lanes;
}

/* Checks that the table of assignments of components to lanes is complete and in the documented order. */
static void check_codes(void)
{
    for (unsigned components = 1; components < 16; components++) {
        const struct fragprog_colour_codes *codes = &fragprog_colour_codes[components];
        unsigned n = 0;
        for (unsigned moved = 0; moved <= 4; moved++)
            for (unsigned code = 0; code < 256; code++) {
                unsigned here = 0;
                if (!lanes_of_code(components, code, &here) || here != moved)
                    continue;
                CHECK_SAY(n < codes->n && codes->code[n] == code, "way %u of components %u", n, components);
                n++;
            }
        CHECK_SAY(n == codes->n, "%u ways of components %u", n, components);
    }
}

/* Checks that tables in storage of the caller are built only once. */
static void check_built_once(void)
{
    static struct fragprog_classes classes;
    static uint64_t scratch[2048];
    for (unsigned i = 0; i < 1000; i++) {
        struct fragprog_class vec[4];
        struct fragprog_colour_value value[3];
        struct fragprog_colour_place place[3];
        struct fragprog_colour_result result = {.place = place};
        fragprog_classes_vec4(vec, 1, 64);
        fragprog_classes_build(&classes, vec, 4);
        for (unsigned v = 0; v < 3; v++)
            value[v] = (struct fragprog_colour_value){.class_ = v == 0 ? 2 : 0,
                                                      .components = v == 0 ? 7 : 8,
                                                      .begin = {v, v, v, v},
                                                      .end = {9, 9, 9, v == 1 ? 2 : 9},
                                                      .reg = FRAGPROG_COLOUR_NONE,
                                                      .copy_of = FRAGPROG_COLOUR_NONE,
                                                      .follows = FRAGPROG_COLOUR_NONE};
        const struct fragprog_colour_request request = {
            .classes = &classes, .value = value, .n = 3, .registers = 64};
        CHECK(fragprog_colour_scratch(&request) <= sizeof scratch);
        CHECK(fragprog_colour(&result, &request, scratch));
        /* register 0 is forbidden, 1 is used */
        CHECK_SAY(result.registers == 2, "%u registers", result.registers);
        CHECK(place[0].reg == 1 && place[1].reg == 1 && place[2].reg == 1);
    }
    CHECK_SAY(classes.builds == 1, "tables built %u times in 1000 compilations", classes.builds);
    printf("classes: built %u time in 1000 compilations\n", (unsigned)classes.builds);
}

/* Checks how work and storage grow with the length of programs in which 20 values are live at a time. */
static void check_growth(void)
{
    size_t before = 0;
    for (uint32_t n = 100; n <= 10000; n *= 10) {
        struct fragprog_class vec[4];
        static struct fragprog_classes classes;
        struct fragprog_colour_value *value = calloc(n, sizeof *value);
        struct fragprog_colour_place *place = calloc(n, sizeof *place);
        fragprog_classes_vec4(vec, 0, 64);
        fragprog_classes_build(&classes, vec, 4);
        for (uint32_t i = 0; i < n; i++)
            value[i] = (struct fragprog_colour_value){.class_ = (uint8_t)(i * 7 % 4),
                                                      .components = (uint8_t)((2u << i * 7 % 4) - 1),
                                                      .begin = {i, i, i, i},
                                                      .end = {i + 20, i + 20, i + 10, i + 20},
                                                      .reg = FRAGPROG_COLOUR_NONE,
                                                      .copy_of = FRAGPROG_COLOUR_NONE,
                                                      .follows = FRAGPROG_COLOUR_NONE};
        const struct fragprog_colour_request request = {
            .classes = &classes, .value = value, .n = n, .registers = 64};
        struct fragprog_colour_result result = {.place = place};
        size_t size = fragprog_colour_scratch(&request);
        void *scratch = malloc(size);
        CHECK(fragprog_colour(&result, &request, scratch));
        CHECK_SAY(size <= 12 * before || !before, "%zu bytes for %u values, %zu for a tenth", size,
                  (unsigned)n, before);
        before = size;
        free(scratch);
        free(place);
        free(value);
    }
}

int main(void)
{
    check_tables();
    check_halves();
    check_written();
    check_codes();
    check_built_once();
    check_growth();
    return check_report("classes");
}
