/* Reads allocation problems from standard input and prints the registers that fragprog_colour assigns;
 * alloc_colour.py writes the problems and checks the answers.
 *
 * A problem is a sequence of numbers: NVALUES REGISTERS WORK NCLASSES, then MASKS FIRST END for each class,
 * then for each value CLASS COMPONENTS ORDER, 4 begins, 4 ends, REG COPY_OF FOLLOWS (-1: none), which are
 * fields of fragprog/alloc/colour.h. The answer is FITS REGISTERS LOWER_BOUND WHOLE COALESCED PROVED, then
 * REG, 4 lanes and MASK for each value. */
#include "fragprog/alloc/colour.h"

#include <stdio.h>
#include <stdlib.h>

static long number(void)
{
    long n;
    if (scanf("%ld", &n) != 1)
        exit(2);
    return n;
}

static void *room(size_t n, size_t size)
{
    void *p = calloc(n + 1, size);
    if (!p)
        exit(2);
    return p;
}

static void read_value(struct fragprog_colour_value *v)
{
    v->class_ = (uint8_t)number();
    v->components = (uint8_t)number();
    v->order = (uint8_t)number();
    for (unsigned c = 0; c < 4; c++)
        v->begin[c] = (uint32_t)number();
    for (unsigned c = 0; c < 4; c++)
        v->end[c] = (uint32_t)number();
    v->reg = (uint32_t)number();
    v->copy_of = (uint32_t)number();
    v->follows = (uint32_t)number();
}

int main(void)
{
    static struct fragprog_classes classes; /* rebuilt only if the classes of a problem differ */
    long n;
    while (scanf("%ld", &n) == 1) {
        struct fragprog_colour_request q = {.classes = &classes, .n = (uint32_t)n};
        struct fragprog_colour_result result;
        struct fragprog_class class_[FRAGPROG_CLASSES_MOST];
        q.registers = (uint32_t)number();
        q.work = (uint32_t)number();
        unsigned nclasses = (unsigned)number();
        for (unsigned i = 0; i < nclasses; i++) {
            class_[i].masks = (uint16_t)number();
            class_[i].first = (uint16_t)number();
            class_[i].end = (uint16_t)number();
        }
        fragprog_classes_build(&classes, class_, nclasses);
        struct fragprog_colour_value *value = room(q.n, sizeof *value);
        for (uint32_t i = 0; i < q.n; i++)
            read_value(&value[i]);
        q.value = value;
        result.place = room(q.n, sizeof *result.place);
        void *scratch = malloc(
            fragprog_colour_scratch(&q)); /* of the exact size, so that a sanitizer finds writes outside */
        bool fits = fragprog_colour(&result, &q, scratch);
        printf("%d %u %u %u %u %d\n", fits, result.registers, result.lower_bound, result.whole,
               result.coalesced, result.proved);
        for (uint32_t i = 0; i < q.n; i++)
            printf("%d %d %d %d %d %d\n", result.place[i].reg, result.place[i].lane[0],
                   result.place[i].lane[1], result.place[i].lane[2], result.place[i].lane[3],
                   result.place[i].mask);
        free(scratch);
        free(result.place);
        free(value);
    }
    return 0;
}
