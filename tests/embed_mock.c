/* The functions of `texenvc convert --embed` with a GL that prints what it is told. PAIRS is the header,
 * whose pair is called sky; BINDINGS: how many of its uniforms hold state by the name of its binding;
 * BLOCK: the bytes of its uniform block. C and C++. */
#include PAIRS

#include <stdio.h>

/* Nothing of it as it was converted. */
static const float color[8][4] = {{0.125f, 0.25f, 0.375f, 0.5f}, {0.0625f, 0, 0, 1}};

static int TEXENVC_GLAPI location(unsigned program, const char *name)
{
    int i;
    if (program != 7)
        printf("program %u\n", program);
    for (i = 0; i < sky_pair.nvariables; i++)
        if (strcmp(name, sky_pair.variable[i].name) == 0) /* those of a block have none */
            return sky_pair.variable[i].offset < 0 ? i : -1;
    return -1;
}
static void print(int at, int n, const float *value)
{
    int i;
    if (at < 0)
        return;
    printf("%s", sky_pair.variable[at].name);
    for (i = 0; i < n; i++)
        printf(" %g", (double)value[i]);
    printf("\n");
}
static void TEXENVC_GLAPI one_int(int at, int value)
{
    printf("%s = %d\n", sky_pair.variable[at].name, value);
}
static void TEXENVC_GLAPI one(int at, float value) { print(at, 1, &value); }
static void TEXENVC_GLAPI four(int at, int count, const float *value) { print(at, 4 * count, value); }
static void TEXENVC_GLAPI matrix(int at, int count, unsigned char transpose, const float *value)
{
    if (transpose) /* ES 2.0 has none */
        printf("transposed ");
    print(at, 16 * count, value);
}

/* Of a binding of n characters: n, n + 1, n + 2, n + 3. */
static void get(void *user, const char *binding, float value[4])
{
    int i;
    for (i = 0; i < 4; i++)
        value[i] = (float)((int)strlen(binding) + i);
    ++*(int *)user;
}

int main(void)
{
    int asked = 0;
    static struct texenvc_gl gl;
    static struct texenv te;
    static struct texenvc_frame frame;
    int i, u;
    gl.GetUniformLocation = location;
    gl.Uniform1i = one_int;
    gl.Uniform1f = one;
    gl.Uniform4fv = four;
    gl.UniformMatrix4fv = matrix;
    te.alpha_ref = 0.75f;
    for (u = 0; u < 8; u++)
        for (i = 0; i < 4; i++)
            te.unit[u].env.color[i] = color[u][i];
    for (i = 0; i < 16; i++) {
        frame.projection[i] = (float)(i * i % 7);
        frame.modelview[i] = (float)(i % 5 - 1);
        for (u = 0; u < 8; u++)
            frame.texture[u][i] = (float)(100 * u + i);
    }
    for (i = 0; i < 4; i++)
        frame.fog_color[i] = (float)i / 4;
    frame.fog_density = 0.5f;
    frame.fog_start = 2;
    frame.fog_end = 10;
    frame.get = get;
    frame.user = &asked;
#ifdef BLOCK
    static float block[BLOCK / 4];
    texenvc_set(&sky_pair, &gl, 7, &te, &frame); /* samplers */
    sky_fill(block, &te, &frame);
    for (i = 0; i < sky_pair.nvariables; i++) {
        const struct texenvc_variable *v = &sky_pair.variable[i];
        if (v->kind == TEXENVC_UNIFORM)
            print(i, v->type[0] == 'm' ? 16 : v->type[0] == 'v' ? 4 : 1, block + v->offset / 4);
    }
    return sky_pair.block_size != sizeof block || asked != 2 * BINDINGS; /* by set and by fill */
#else
    sky_set(&gl, 7, &te, &frame);
    return asked != BINDINGS;
#endif
}
