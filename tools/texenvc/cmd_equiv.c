/* texenvc equiv: two inputs compared by the oracle. */
#include "compile.h"
#include "oracle.h"

#include <string.h>

struct states {
    struct buffer *text;
    bool refused;
};

static void on_item(void *user, const struct item *item)
{
    struct states *states = user;
    if (item->refused)
        diag_refused(item->source, item->place, item->refused->unit, item->refused->code,
                     item->refused->text);
    states->refused |= item->refused != NULL;
    if (item->state)
        add_stages(states->text, item->state);
    buffer_puts(states->text, "\n");
}

/* The oracle reads no C: the states of such an input as stages, in text. False after a message. */
static bool read_c(struct input *input, const struct options *o, struct buffer *text)
{
    struct options one = *o;
    struct states states = {.text = text};
    struct reader reader = {.options = &one, .user = &states, .item = on_item};
    one.input = input;
    one.ninput = 1;
    read_inputs(&reader);
    *input = (struct input){.text = text->data};
    return !reader.failed && !states.refused && text->length;
}

int cmd_equiv(const struct options *given)
{
    struct input input[2];
    struct buffer text[2] = {{0}};
    struct options own = *given, *o = &own;
    if (o->ninput != 2)
        die_usage("equiv compares two inputs; %zu are given", o->ninput);
    const char *words[13] = {"equiv"};
    size_t n = 1;
    int status;
    if (o->from_a) {
        words[n++] = "--from-a";
        words[n++] = o->from_a;
    }
    if (o->from_b) {
        words[n++] = "--from-b";
        words[n++] = o->from_b;
    }
    /* The oracle reads these from files of its own. */
    static const char *const names[] = {"--name-a", "--name-b"};
    for (size_t i = 0; i < 2; i++) {
        static const char *const from[] = {"--from-a", "--from-b"};
        const char *told = i ? o->from_b : o->from_a, *name = input_name(&o->input[i]);
        input[i] = o->input[i];
        if (!told && input[i].path && is_c_source(o, &input[i])) {
            if (!read_c(&input[i], o, &text[i])) {
                status = STATUS_INPUT;
                goto done;
            }
            words[n++] = names[i];
            words[n++] = name;
            words[n++] = from[i];
            words[n++] = "stages";
        } else if (!o->input[i].path || strcmp(o->input[i].path, "-") == 0) {
            words[n++] = names[i];
            words[n++] = name;
        }
    }
    own.input = input;
    status = oracle_run(o, words, n, false);
done:
    buffer_free(&text[0]);
    buffer_free(&text[1]);
    return status;
}
