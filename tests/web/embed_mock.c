/* Runs the functions of a header of `texenvc convert --embed` with a mock GL that prints each uniform it is
 * given. Compiles as C and as C++. Macros: PAIRS names the header, whose pair must be called sky; VALUES, if
 * defined, a file of statements that set v (the default values are below); DIRECT a file of calls of line(),
 * which print expressions over the pointer v and the arrays t and m; BLOCK is the uniform block's size in
 * bytes.
 */
#include PAIRS

#include <stdio.h>

#ifndef VALUES
/* Environment colours, which differ from those in the state that was converted. */
static const float color[8][4] = {{0.125f, 0.25f, 0.375f, 0.5f}, {0.0625f, 0, 0, 1}};
#endif

static int TEXENVC_GLAPI location(unsigned program, const char *name)
{
    int i;
    if (program != 7)
        printf("program %u\n", program);
    for (i = 0; i < sky_pair.nvariables; i++)
        if (strcmp(name, sky_pair.variable[i].name) == 0) /* members of a block have no location */
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
        printf(" %.7g", (double)value[i]);
    printf("\n");
}
#ifdef BLOCK
/* In std140, the columns of a mat3 are four floats apart. */
static void print_in_block(int at, const char *type, const float *value)
{
    float columns[9];
    int i;
    for (i = 0; i < 9; i++)
        columns[i] = type[3] == '3' ? value[i / 3 * 4 + i % 3] : 0;
    if (type[0] == 'm' && type[3] == '3')
        print(at, 9, columns);
    else
        print(at, type[0] == 'm' ? 16 : type[0] == 'v' ? type[3] - '0' : 1, value);
}
#endif
static void TEXENVC_GLAPI one_int(int at, int value)
{
    printf("%s = %d\n", sky_pair.variable[at].name, value);
}
static void TEXENVC_GLAPI one(int at, float value) { print(at, 1, &value); }
static void TEXENVC_GLAPI three(int at, int count, const float *value) { print(at, 3 * count, value); }
static void TEXENVC_GLAPI four(int at, int count, const float *value) { print(at, 4 * count, value); }
static void TEXENVC_GLAPI matrix3(int at, int count, unsigned char transpose, const float *value)
{
    if (transpose)
        printf("transposed ");
    print(at, 9 * count, value);
}
static void TEXENVC_GLAPI matrix(int at, int count, unsigned char transpose, const float *value)
{
    if (transpose) /* ES 2.0 requires false */
        printf("transposed ");
    print(at, 16 * count, value);
}

#ifdef DIRECT
static void line(const char *name, int n, const float *value)
{
    int i;
    printf("%s", name);
    for (i = 0; i < n; i++)
        printf(" %.7g", (double)value[i]);
    printf("\n");
}
static void direct(const struct texenvc_values *v)
{
    float t[4], m[16];
#include DIRECT
}
#endif

int main(void)
{
    static struct texenvc_gl gl;
    static struct texenvc_values v;
    int i = 0, u = 0;
    (void)i, (void)u;
    gl.GetUniformLocation = location;
    gl.Uniform1i = one_int;
    gl.Uniform1f = one;
    gl.Uniform3fv = three;
    gl.Uniform4fv = four;
    gl.UniformMatrix3fv = matrix3;
    gl.UniformMatrix4fv = matrix;
    sky_values(&v);
#ifdef VALUES
#include VALUES
#else
    v.alpha_reference = 0.75f;
    for (i = 0; i < 4; i++) {
        for (u = 0; u < 2; u++)
            v.texenv_color[u][i] = color[u][i];
        v.fog.color[i] = (float)i / 4;
    }
    for (i = 0; i < 16; i++) {
        v.projection[i] = (float)(i * i % 7);
        v.modelview[i] = (float)(i % 5 - 1);
        for (u = 0; u < 8; u++)
            v.texture_matrix[u][i] = (float)(100 * u + i);
    }
    v.fog.density = 0.5f;
    v.fog.start = 2;
    v.fog.end = 10;
    v.front.diffuse[3] = 0.125f;
    v.front.emission[1] = 0.5f;
#endif
    sky_set(&gl, 7, &v);
#ifdef DIRECT
    direct(&v);
#endif
#ifdef BLOCK
    static float block[BLOCK / 4];
    sky_fill(block, &v);
    for (i = 0; i < sky_pair.nvariables; i++) {
        const struct texenvc_variable *w = &sky_pair.variable[i];
        if (w->kind == TEXENVC_UNIFORM)
            print_in_block(i, w->type, block + w->offset / 4);
    }
    return sky_pair.block_size != sizeof block;
#else
    return 0;
#endif
}
