/* Runs conformance vectors over an implementation of texture environments (conform.h). C89.
 *   texenvc vectors && cc -I. conform.c conform_gl.c -ldl -o conform && ./conform */
#include "conform.h"

#include <stdio.h>
#include <stdlib.h>

enum { PASSED, FAILED, SKIPPED, RESULTS, LISTED = 20 };

struct failure { /* a vector that failed: `vertex`, or `vector` if `vertex` is NULL */
    const struct texenv_vector *vector;
    const struct texenv_vertex *vertex;
    unsigned size;
    unsigned char got[4];
};
struct report {
    struct failure failure[TEXENV_VECTORS + TEXENV_VERTICES + 1];
    unsigned failures, count[TEXENV_VECTOR_TAGS + 1][RESULTS]; /* the last row: all */
};

static const char *name_of(unsigned value)
{
    static char number[16];
    const struct texenv_vector_name *n;
    for (n = texenv_vector_names; n->name; n++)
        if (n->value == value)
            return n->name;
    return sprintf(number, "%u", value) > 0 ? number : ""; /* a scale */
}

static void print_color(const char *call, const unsigned char *c)
{
    printf("    %s %u/255, %u/255, %u/255, %u/255\n", call, c[0], c[1], c[2], c[3]);
}

static void print_unit(unsigned number, const struct texenv_vector_unit *u)
{
    const unsigned char *t = u->texel, *c = u->color;
    unsigned i;
    printf("    glActiveTexture(GL_TEXTURE%u); glEnable(GL_TEXTURE_2D);\n", number);
    printf("    /* %s of texel %u %u %u %u */\n", name_of(u->format), t[0], t[1], t[2], t[3]);
    for (i = 0; i < u->envs; i++) {
        printf("    glTexEnvi(GL_TEXTURE_ENV, %s, ", name_of(texenv_vector_envs[u->env + i][0]));
        printf("%s);\n", name_of(texenv_vector_envs[u->env + i][1]));
    }
    if (c[0] || c[1] || c[2] || c[3])
        print_color("GL_TEXTURE_ENV_COLOR", c);
}

static void print_vector(const struct texenv_vector *v)
{
    const struct texenv_vector_fog *f = &texenv_vector_fogs[v->fog < 0 ? 0 : v->fog];
    unsigned u;
    for (u = 0; u < v->units; u++)
        if (texenv_vector_units[v->unit + u].format)
            print_unit(u, &texenv_vector_units[v->unit + u]);
    print_color("glColor", v->primary);
    if (v->color_sum)
        print_color("GL_COLOR_SUM, glSecondaryColor", v->secondary);
    if (v->alpha_test)
        printf("    GL_ALPHA_TEST %s %u/255\n", name_of(v->alpha_test), v->alpha_reference);
    if (v->fog < 0)
        return;
    print_color("GL_FOG_COLOR", f->color);
    printf("    %s, %g to %g, density %g, ", name_of(f->mode), f->start, f->end, f->density);
    printf("depth %g\n", f->depth);
}

static void print_vertex(const struct texenv_vertex *v)
{
    const struct texenv_vertex_call *c = texenv_vertex_calls + v->call;
    unsigned k;
    for (; c < texenv_vertex_calls + v->call + v->calls; c++) {
        printf("    %s(%s", texenv_vertex_call_names[c->call], c->a ? name_of(c->a) : "");
        printf("%s%s", c->b ? ", " : "", c->b ? name_of(c->b) : "");
        for (k = 0; k < c->values; k++)
            printf("%s%g", k || c->a ? ", " : "", texenv_vertex_values[c->value + k]);
        printf(");\n");
    }
}

static int close_to(const struct conform *c, const unsigned char *got, const unsigned char *want, int steps)
{
    int i = c->has_alpha ? 3 : 2;
    while (i >= 0 && abs(got[i] - want[i]) <= (c->tolerance < 0 ? steps : c->tolerance))
        i--;
    return i < 0;
}

static void count(struct report *r, unsigned long tags, int result)
{
    unsigned t;
    for (t = 0; t < TEXENV_VECTOR_TAGS; t++)
        r->count[t][result] += tags >> t & 1;
    r->count[t][result]++;
    r->failures += result == FAILED;
}

static void run_vector(const struct conform *c, struct report *r, const struct texenv_vector *v)
{
    struct failure *f = &r->failure[r->failures];
    const int drawn = c->draw(c->user, v, f->got);
    int i, ok = drawn && close_to(c, f->got, v->want, v->tolerance);
    for (i = 0; drawn && !ok && i < v->eithers; i++)
        ok = close_to(c, f->got, texenv_vector_either[v->either + i], v->tolerance);
    f->vector = v;
    f->size = (v->fog >= 0) + (v->alpha_test > 0) + v->color_sum;
    for (i = 0; i < v->units; i++)
        f->size += 4 + texenv_vector_units[v->unit + i].envs;
    count(r, v->tags, !drawn ? SKIPPED : ok ? PASSED : FAILED);
}

static void run_vertex(const struct conform *c, struct report *r, const struct texenv_vertex *v)
{
    struct failure *f = &r->failure[r->failures];
    const int drawn = c->vertex && c->vertex(c->user, v, f->got);
    f->vertex = v;
    f->size = 8 + v->calls;
    count(r, v->tags, !drawn ? SKIPPED : close_to(c, f->got, v->want, v->tolerance) ? PASSED : FAILED);
}

static int by_size(const void *a, const void *b)
{
    return (int)((const struct failure *)a)->size - (int)((const struct failure *)b)->size;
}

int conform_run(const struct conform *c)
{
    static struct report r, none;
    unsigned i;
    r = none;
    for (i = 0; i < TEXENV_VECTORS; i++)
        run_vector(c, &r, &texenv_vectors[i]);
    for (i = 0; i < TEXENV_VERTICES; i++)
        run_vertex(c, &r, &texenv_vertices[i]);
    qsort(r.failure, r.failures, sizeof *r.failure, by_size);
    for (i = 0; i < r.failures && i < LISTED; i++) {
        const struct failure *f = &r.failure[i];
        const unsigned char *w = f->vertex ? f->vertex->want : f->vector->want, *g = f->got;
        printf("%s%s: ", i ? "  " : "FAILED: ", f->vertex ? f->vertex->name : f->vector->name);
        printf("wanted %u %u %u %u, got %u %u %u %u\n", w[0], w[1], w[2], w[3], g[0], g[1], g[2], g[3]);
        if (i == 0)
            f->vertex ? print_vertex(f->vertex) : print_vector(f->vector);
    }
    printf("%u failed\n%-12s   passed   failed  skipped\n", r.failures, "tag");
    for (i = 0; i <= TEXENV_VECTOR_TAGS; i++)
        printf("%-12s %8u %8u %8u\n", i < TEXENV_VECTOR_TAGS ? texenv_vector_tags[i] : "all",
               r.count[i][PASSED], r.count[i][FAILED], r.count[i][SKIPPED]);
    return r.failures != 0 || !r.count[TEXENV_VECTOR_TAGS][PASSED];
}
