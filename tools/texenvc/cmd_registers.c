/* texenvc registers: prints the tables of the founding e-mail. */
#include "compile.h"
#include "fragprog/reads.h"
#include "output.h"
#include "reads.h"

#include <inttypes.h>
#include <string.h>

struct registers {
    const struct options *o;
    struct buffer out;  /* each table is preceded by a header line */
    size_t first_frame; /* length of the first header */
    uint64_t tables, mark_tables, refused;
    size_t mark;
};

/* ---- rows ---- */

enum step { START, PASS1, PASS21, PASS22 };
static const char *const labels[] = {"Start:    ", "Pass 1:   ", "Pass 2.1: ", "Pass 2.2: "};

/* Appends a name, padded to two columns. */
static void add_name(struct buffer *b, unsigned read, enum step step,
                     const struct fragprog_reads_assignment *a, unsigned stage)
{
    if (read < 8 && step >= PASS21)
        buffer_printf(b, "R%u", a->texture_reg[read]);
    else if (read < 8)
        buffer_printf(b, "T%u", read);
    else if (read >= FRAGPROG_READ_OTHER)
        buffer_printf(b, "%c ", "FC01"[(read - FRAGPROG_READ_OTHER) & 3]);
    else if (step < PASS22)
        buffer_puts(b, "P ");
    else if (stage == a->first) /* no stage before: the result is the primary colour */
        buffer_puts(b, "F ");
    else
        buffer_printf(b, "R%u", a->result_reg[stage - 1]);
}

static void add_row(struct buffer *b, enum step step, const struct fragprog_reads *reads,
                    const struct fragprog_reads_assignment *a)
{
    unsigned first = step == START ? 0 : a->first;
    buffer_puts(b, labels[step]);
    for (unsigned s = first; s < reads->nstages; s++) {
        buffer_puts(b, s > first ? ", {" : "{");
        for (unsigned i = 0; i < reads->stage[s].n; i++) {
            if (i)
                buffer_puts(b, ", ");
            add_name(b, reads->stage[s].read[i], step, a, s);
        }
        buffer_puts(b, "}");
    }
    buffer_puts(b, reads->nstages ? "\n" : "{}\n");
}

/* ---- why registers do not suffice ---- */

/* For pass 2.1: there are more textures than registers. */
static void explain_textures(struct buffer *b, const struct fragprog_reads *reads,
                             const struct fragprog_reads_assignment *a, unsigned registers)
{
    unsigned live = 0, n = 0;
    for (unsigned s = a->first; s < reads->nstages; s++)
        for (unsigned i = 0; i < reads->stage[s].n; i++)
            if (reads->stage[s].read[i] < 8)
                live |= 1u << reads->stage[s].read[i];
    struct buffer list = {0};
    for (unsigned t = 0; t < 8; t++)
        if (live >> t & 1)
            buffer_printf(&list, "%sT%u", n++ ? ", " : "", t);
    buffer_printf(b, "pass 2.1: %u textures contribute (%s), and there are %u registers", n, list.data,
                  registers);
    buffer_free(&list);
}

/* For pass 2.2: every register holds a texture that a later stage reads. */
static void explain_blocked(struct buffer *b, const struct fragprog_reads *reads,
                            const struct fragprog_reads_assignment *a, unsigned registers)
{
    buffer_printf(b,
                  "pass 2.2: no register for the result of stage %u; each is read again:", a->blocked + 1u);
    for (unsigned t = 0, n = 0; t < 8; t++) {
        if (a->texture_reg[t] >= registers)
            continue;
        bool found = false;
        for (unsigned s = a->blocked + 1u; s < reads->nstages && !found; s++)
            for (unsigned i = 0; i < reads->stage[s].n && !found; i++)
                if (reads->stage[s].read[i] == t) {
                    buffer_printf(b, "%s T%u in R%u by stage %u", n++ ? "," : "", t, a->texture_reg[t],
                                  s + 1);
                    found = true;
                }
    }
}

/* ---- items ---- */

static void on_item(void *user, const struct item *item)
{
    struct registers *r = user;
    struct fragprog_reads from_state;
    const struct fragprog_reads *reads = item->reads;
    struct fragprog_reads_assignment a;
    if (item->refused) {
        r->refused++;
        diag_refused(item->source, item->place, item->refused->unit, item->refused->code,
                     item->refused->text);
        return;
    }
    if (!reads && !item->state)
        die_usage("%s: registers needs a texture environment; this is %s", item->source->name,
                  form_names[item->form]);
    if (!reads) {
        reads_of_state(&from_state, item->state);
        reads = &from_state;
    }
    bool ok = fragprog_assign_reads(&a, reads, r->o->registers);
    bool pass21 = ok || a.blocked != 0xff;

    size_t start = r->out.length;
    buffer_printf(&r->out, "%s# state %" PRIu64 " %s", r->tables ? "\n" : "", item->number,
                  item->source->name);
    if (item->place.call)
        buffer_printf(&r->out, ":call %" PRIu64 ", %" PRIu64 " draws\n", item->place.call, item->draws);
    else
        buffer_printf(&r->out, ":%" PRIu32 "\n", item->place.line);
    if (r->tables++ == 0)
        r->first_frame = r->out.length - start;
    add_row(&r->out, START, reads, &a);
    add_row(&r->out, PASS1, reads, &a);
    if (pass21)
        add_row(&r->out, PASS21, reads, &a);
    if (ok) {
        add_row(&r->out, PASS22, reads, &a);
        return;
    }
    struct buffer text = {0};
    if (pass21)
        explain_blocked(&text, reads, &a, r->o->registers);
    else
        explain_textures(&text, reads, &a, r->o->registers);
    r->refused++;
    diag_refused(item->source, item->place, -1, "registers", text.data);
    buffer_free(&text);
}

static void on_end(void *user, const struct input *input, uint64_t items, bool failed)
{
    struct registers *r = user;
    (void)input;
    (void)items;
    if (failed) {
        r->out.length = r->mark;
        r->tables = r->mark_tables;
    }
    r->mark = r->out.length;
    r->mark_tables = r->tables;
}

int cmd_registers(const struct options *o)
{
    struct registers r = {.o = o};
    struct reader reader = {.options = o, .user = &r, .item = on_item, .end = on_end, .claim = claim_reads};
    read_inputs(&reader);
    size_t skip = r.tables == 1 ? r.first_frame : 0;
    if (r.out.length > skip)
        output_stdout(r.out.data + skip, r.out.length - skip);
    buffer_free(&r.out);
    return reader.failed ? STATUS_INPUT : r.refused ? STATUS_REFUSED : STATUS_OK;
}
