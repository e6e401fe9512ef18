/* Prints what only ARB vertex programs have: names of attributes and results, arrays with an address
 * register. */
#include "fragprog/lang/arbfp.h"

void fragprog_arbvp_output(struct texenv_text *text, unsigned output)
{
    static const char *const names[] = {
        [FRAGPROG_OUT_COLOR0] = "color",           [FRAGPROG_OUT_COLOR1] = "color.secondary",
        [FRAGPROG_OUT_BACK_COLOR0] = "color.back", [FRAGPROG_OUT_BACK_COLOR1] = "color.back.secondary",
        [FRAGPROG_OUT_FOGCOORD] = "fogcoord",      [FRAGPROG_OUT_POINTSIZE] = "pointsize"};
    if (output >= FRAGPROG_OUT_TEXCOORD)
        texenv_printf(text, "result.texcoord[%u]", output - FRAGPROG_OUT_TEXCOORD);
    else
        texenv_printf(text, "result.%s", names[output]);
}

void fragprog_arbvp_attribute(struct texenv_text *text, unsigned attribute)
{
    static const char *const names[] = {[FRAGPROG_ATTRIB_POSITION] = "position",
                                        [FRAGPROG_ATTRIB_WEIGHT] = "weight",
                                        [FRAGPROG_ATTRIB_NORMAL] = "normal",
                                        [FRAGPROG_ATTRIB_COLOR] = "color",
                                        [FRAGPROG_ATTRIB_SECONDARY] = "color.secondary",
                                        [FRAGPROG_ATTRIB_FOGCOORD] = "fogcoord",
                                        [FRAGPROG_ATTRIB_MATRIXINDEX] = "matrixindex[0]"};
    if (attribute >= FRAGPROG_ATTRIB_GENERIC)
        texenv_printf(text, "vertex.attrib[%u]", attribute - FRAGPROG_ATTRIB_GENERIC);
    else if (attribute >= FRAGPROG_ATTRIB_TEXCOORD)
        texenv_printf(text, "vertex.texcoord[%u]", attribute - FRAGPROG_ATTRIB_TEXCOORD);
    else
        texenv_printf(text, "vertex.%s", names[attribute]);
}

static void print_element(struct texenv_text *text, const struct fragprog_const *k)
{
    if (k->origin[0].unit >= 0)
        fragprog_print_origin(text, k->origin[0].unit);
    else
        texenv_printf(text, "{%f, %f, %f, %f}", (double)k->value[0], (double)k->value[1], (double)k->value[2],
                      (double)k->value[3]);
}

void fragprog_arbvp_arrays(struct texenv_text *text, const struct fragprog *p)
{
    bool any = false;
    for (unsigned k = 0; k < p->nkonst; k++) {
        const unsigned array = p->konst[k].array;
        if (!array)
            continue;
        any = true;
        if (!k || p->konst[k - 1].array != array)
            texenv_printf(text, "PARAM array%u[] = {", array);
        print_element(text, &p->konst[k]);
        texenv_printf(text, k + 1 < p->nkonst && p->konst[k + 1].array == array ? ",\n    " : "};\n");
    }
    if (any)
        texenv_printf(text, "ADDRESS A0;\n");
}

void fragprog_arbvp_element(struct texenv_text *text, const struct fragprog *p, unsigned konst)
{
    unsigned first = konst;
    while (first && p->konst[first - 1].array == p->konst[konst].array)
        first--;
    texenv_printf(text, "array%u[%u]", (unsigned)p->konst[konst].array, konst - first);
}
