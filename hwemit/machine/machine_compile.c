/* Compiles a program to words: selection, the chip's steps, the chip's encoder. */
#include "hwemit/machine/machine.h"
#include "hwemit/words.h"

#include <stddef.h>
#include <string.h>

bool hwemit_machine_refuse_long(struct machine *m, unsigned most, const char *what)
{
    return MACHINE_REFUSE(m, -1, "instructions", "a shorter program",
                          "to compile the program takes more than %u %s", most, what);
}

bool hwemit_machine_within(struct machine *m, unsigned needed, unsigned most, const char *code,
                           const char *fit, const char *what)
{
    return needed <= most ||
        MACHINE_REFUSE(m, -1, code, fit, "the program needs %u %s, the chip has %u", needed, what, most);
}

bool hwemit_machine_fits(struct machine *m)
{
    return hwemit_machine_within(m, m->nops, m->instructions, "instructions", "a shorter program",
                                 "instructions");
}

void *hwemit_machine_take(char **at, size_t n, size_t size)
{
    char *const p = *at + (MACHINE_ALIGN - (uintptr_t)*at % MACHINE_ALIGN) % MACHINE_ALIGN;
    *at = p + (n * size + MACHINE_ALIGN - 1) / MACHINE_ALIGN * MACHINE_ALIGN; /* aligned, too */
    return p;
}

void hwemit_machine_set_up(struct machine *m, char *at, const struct machine_target *target,
                           const struct fragprog *ir)
{
    memset(m, 0, offsetof(struct machine, input));
    m->target = target;
    m->ir = ir;
    m->maxops = hwemit_is_large(ir) ? target->ops : target->small;
    m->maxvalues = (uint16_t)MACHINE_VALUES(m->maxops);
    m->own = hwemit_machine_take(&at, 1, target->own);
    m->op = hwemit_machine_take(&at, m->maxops, sizeof *m->op);
    m->value = hwemit_machine_take(&at, m->maxvalues, sizeof *m->value);
    m->result = hwemit_machine_take(&at, ir->ninst, sizeof *m->result);
    m->nroom = MACHINE_ROOM(m->maxops);
    m->room = hwemit_machine_take(&at, 1, m->nroom);
    m->next = (void *)m->room;
    memset(m->own, 0, target->own);
    memset(m->result, 0, ir->ninst * sizeof *m->result);
}

bool hwemit_machine_run(struct machine *m, const struct hwemit_step *step, const struct fragprog_hooks *hooks)
{
    for (; step->name; step++) {
        if (!step->run(m))
            return false;
        if (hooks && hooks->after)
            hooks->after(hooks->user, &(struct fragprog_step){.name = step->name, .p = m->ir, .machine = m});
    }
    return true;
}

/* Makes attempt n. 0 and 1 compile the optimised program, 2 and 3 the one that is not optimised. */
static bool attempt(struct machine *m, unsigned n, const struct hwemit_target *target,
                    const struct hwemit_source *source, const struct hwemit_options *options,
                    const struct fragprog_hooks *hooks)
{
    struct hwemit_code *code = m->code;
    struct fragprog_reason *why = m->why;
    const struct machine_target *chip = target->chip;
    hwemit_code_init(code, code->word, code->maxwords); /* discards what an earlier attempt has left */
    hwemit_machine_set_up(m, (char *)(m + 1), chip, n < 2 ? source->best : source->plain);
    m->code = code;
    m->why = why;
    m->second = n % 2;
    chip->begin(m, options);
    if (!hwemit_machine_run(m, m->ir->vertex ? target->vertex_steps : target->steps, hooks))
        return false;
    chip->encode(m);
    return !m->failed &&
        (code->nwords <= HWEMIT_MAX_WORDS || hwemit_machine_refuse_long(m, HWEMIT_MAX_WORDS, "words"));
}

bool hwemit_machine_compile(struct hwemit_code *code, const struct hwemit_target *target,
                            const struct hwemit_source *source, const struct hwemit_options *options,
                            struct fragprog_reason *why)
{
    char *at = source->scratch;
    struct machine *const m = hwemit_machine_take(&at, 1, sizeof *m);
    const struct machine_target *chip = target->chip;
    struct fragprog_reason other;
    const struct fragprog_hooks *hooks = options->passes.hooks;
    const unsigned ways = hwemit_is_optimised(source) ? 4 : 2;
    unsigned way = 0, best = ways;
    uint32_t least = UINT32_MAX;
    m->code = code;
    m->why = why;
    for (; way < ways && least; way++, m->why = &other) {
        const bool made = attempt(m, way, target, source, options, NULL);
        const uint32_t cost = !made ? UINT32_MAX : chip->cost ? chip->cost(m) : 0;
        best = cost < least ? way : best;
        least = cost < least ? cost : least;
    }
    if ((hooks && hooks->after) || (best < ways && best + 1 != way))
        return attempt(m, best % ways, target, source, options, hooks);
    return best < ways;
}

/* ---- constants, textures and inputs ---- */

void hwemit_machine_constants(struct machine *m, uint32_t address, unsigned step)
{
    m->code->constant_word = hwemit_float_word;
    m->code->constant_words = 4;
    for (unsigned slot = 0; slot < m->nslots; slot++) {
        const struct machine_slot *u = &m->slot[slot];
        int32_t origin[4];
        uint8_t component[4];
        float value[4];
        for (unsigned i = 0; i < 4; i++) {
            static const struct machine_number none = {.origin = FRAGPROG_ORIGIN_IMMEDIATE};
            const struct machine_number *x = i < u->n ? &m->number[u->number[i]] : &none;
            origin[i] = x->origin;
            component[i] = x->component;
            value[i] = x->value;
        }
        hwemit_add_lanes(m->code, slot, value, origin, component);
        m->code->constant[m->code->nconstants - 1].channels = (uint8_t)((1u << u->n) - 1);
        for (unsigned i = 0; i < 4; i++)
            hwemit_add(m->code, address + step * (4 * slot + i), hwemit_float_word(value, i));
    }
}

void hwemit_machine_drop_unread(struct machine *m)
{
    unsigned textures = 0;
    for (unsigned n = 0; n < m->ntextures; n++)
        for (unsigned i = 0; i < m->nops; i++)
            if (hwemit_machine_kind(m->op[i].op) == MACHINE_LOOKUP &&
                m->op[i].texture == m->texture[n].slot) {
                m->texture[textures++] = m->texture[n];
                break;
            }
    m->ntextures = (uint8_t)textures;
}

void hwemit_machine_interface(struct machine *m)
{
    for (unsigned n = 0; n < m->ntextures; n++)
        hwemit_add_texture(m->code, m->texture[n].slot, m->texture[n].unit, m->texture[n].coord,
                           m->texture[n].target);
    for (unsigned i = 0; i < m->ninputs; i++)
        hwemit_add_input(m->code, m->input[i].value == MACHINE_NONE ? i : m->value[m->input[i].value].reg,
                         m->input[i].what, m->input[i].index);
}
