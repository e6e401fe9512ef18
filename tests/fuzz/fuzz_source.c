/* Fuzzes the reader of C source after the preprocessor: tokens, values and control flow. The diagnostics are
 * not checked; each state must be one that the library accepts. The first byte chooses C or C++ and the --let
 * option. */
#include "pipeline.h"
#include "tools/texenvc/source.h"

#include <stdlib.h>

static void on_item(void *user, const struct item *item)
{
    (void)user;
    if (item->state && item->state->nstages > TEXENV_UNITS)
        pipeline_broken("a state of more units than there are", "");
}

/* Limit of interpreted statements, so that a run is short. */
enum { STEPS = 2000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct command command = {.name = "convert", .bit = CMD_CONVERT};
    static const char *let[] = {"q=1", "c=0,0.5,1,GL_ONE", "p->m=GL_ADD"}, *wrapper[] = {"env=glTexEnvi@2"};
    const unsigned how = size ? data[0] : 0;
    struct options o = {.command = &command, .from = FORM_GL, .to = FORM_STAGES, .source = how & 1};
    o.let = let;
    o.nlet = how & 2 ? 3 : 0;
    o.wrapper = wrapper;
    o.nwrapper = 1;
    o.function = how & 8 ? "f" : NULL;
    struct reader reader = {.options = &o, .item = on_item};
    struct reading in = {.r = &reader, .form = FORM_GL, .open_values = true};
    char *text = xcalloc(size + 1, 1);
    memcpy(text, data, size);
    for (size_t i = 0; i < size; i++)
        text[i] = text[i] && i ? text[i] : ' ';
    diag_silence();
    source_init(&in.source, "a.c");
    read_c_text(&in, text, how & 4 ? "a.cpp" : "a.c", STEPS);
    source_close(&in.source);
    source_close(&in.included);
    return 0;
}
