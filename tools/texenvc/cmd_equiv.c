/* texenvc equiv: compares two inputs with the Python oracle. */
#include "compile.h"
#include "oracle.h"

#include <string.h>

struct states {
    struct buffer *text;
    bool refused;
};

static void refuse(struct states *states, const struct item *item, int unit, const char *code,
                   const char *why)
{
    diag_refused(item->source, item->place, unit, code, why);
    states->refused = true;
}

static void on_item(void *user, const struct item *item)
{
    struct states *states = user;
    if (item->refused) {
        refuse(states, item, item->refused->unit, item->refused->code, item->refused->text);
    } else if (item->atifs) {
        struct fragprog_atifs program = *item->atifs;
        const char *why = fragprog_atifs_as_text(&program);
        if (why)
            refuse(states, item, -1, "text", why);
        else
            add_atifs(states->text, &program);
    } else if (item->state) {
        add_stages(states->text, item->state);
    }
    buffer_puts(states->text, "\n");
}

/* The oracle reads neither C nor calls of GL_ATI_fragment_shader. Converts such an input here, to stage
 * notation or to program texts. Returns false after a message. */
static bool read_here(struct input *input, const struct options *o, bool calls, struct buffer *text)
{
    struct options one = *o;
    struct states states = {.text = text};
    struct reader reader = {.options = &one, .user = &states, .item = on_item};
    one.from = calls ? FORM_ATIFS_CALLS : FORM_GL;
    one.source = !calls;
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
    /* converted inputs are passed in temporary files; these options give their original names */
    static const char *const names[] = {"--name-a", "--name-b"};
    for (size_t i = 0; i < 2; i++) {
        static const char *const from[] = {"--from-a", "--from-b"};
        const char *told = i ? o->from_b : o->from_a, *name = input_name(&o->input[i]);
        input[i] = o->input[i];
        const bool calls = told && strcmp(told, form_names[FORM_ATIFS_CALLS]) == 0,
                   c = told ? strcmp(told, "c") == 0 : input[i].path && is_c_source(o, &input[i]);
        if (calls || c) {
            if (!read_here(&input[i], o, calls, &text[i])) {
                status = STATUS_INPUT;
                goto done;
            }
            words[n++] = names[i];
            words[n++] = name;
            words[n++] = from[i];
            words[n++] = calls ? "atifs" : "stages";
            continue;
        }
        if (told) {
            words[n++] = from[i];
            words[n++] = told;
        }
        if (!o->input[i].path || strcmp(o->input[i].path, "-") == 0) {
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
