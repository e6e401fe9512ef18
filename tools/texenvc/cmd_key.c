/* texenvc key: prints the key under which a cache of compiled programs stores a state. */
#include "input.h"
#include "output.h"

#include <inttypes.h>
#include <stdlib.h>

struct keys {
    const struct options *o;
    struct buffer out;
    struct hash_set distinct;
    uint64_t states, different, refused;
};

static void on_item(void *user, const struct item *item)
{
    static uint8_t key[1 << 16];
    struct keys *k = user;
    if (item->refused) {
        k->refused++;
        diag_refused(item->source, item->place, item->refused->unit, item->refused->code,
                     item->refused->text);
        return;
    }
    if (!item->state)
        die_usage("%s: a program has no key: only texture environments do", item->source->name);
    uint32_t length = fragprog_key(key, sizeof key, item->state, k->o->target.fold_constants);
    if (length > sizeof key)
        die_internal("a key has %" PRIu32 " bytes", length);
    uint64_t hash = fragprog_key_hash(key, length);
    k->states++;
    k->different += hash_set_add(&k->distinct, hash_bytes(key, length, 1) | 1);
    buffer_printf(&k->out, "%016" PRIx64 " %s", hash, item->source->name);
    if (item->place.call)
        buffer_printf(&k->out, ":call %" PRIu64, item->place.call);
    else
        buffer_printf(&k->out, ":%" PRIu32, item->place.line);
    buffer_puts(&k->out, "\n");
}

/* Prints the keys of an input unless it has errors. */
static void on_end(void *user, const struct input *input, uint64_t items, bool failed)
{
    struct keys *k = user;
    (void)input, (void)items;
    if (!failed && k->out.length)
        output_stdout(k->out.data, k->out.length);
    k->out.length = 0;
}

int cmd_key(const struct options *o)
{
    struct keys *k = xcalloc(1, sizeof *k);
    struct reader reader = {.options = o, .user = k, .item = on_item, .end = on_end};
    k->o = o;
    read_inputs(&reader);
    message(TEXENV_NOTE, "counts", "%" PRIu64 " states, %" PRIu64 " different keys", k->states, k->different);
    int status = reader.failed ? STATUS_INPUT : k->refused ? STATUS_REFUSED : STATUS_OK;
    hash_set_free(&k->distinct);
    buffer_free(&k->out);
    free(k);
    return status;
}
