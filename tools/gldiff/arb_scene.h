/* The inputs with which ARB programs are drawn: points that differ in colours, coordinates, fog coordinate
 * and position; float textures for every target; parameters, matrices, material, lights and fog. All numbers
 * are random, but the same in every run. */
#ifndef GLDIFF_ARB_SCENE_H
#define GLDIFF_ARB_SCENE_H

#include "gl.h"

#include "fragprog/ir.h"

enum {
    ARB_COLUMNS = 16,
    ARB_POINTS = 4 * ARB_COLUMNS,
    ARB_OUTPUTS = 8, /* the most colours; the depth is stored after them */
    ARB_SETS = 8     /* sets of texture coordinates */
};

/* The result of one drawing. A fragment that was killed has ARB_NOTHING in all channels of its
 * first colour. */
#define ARB_NOTHING (-1024.0f)
struct arb_shot {
    float value[ARB_OUTPUTS + 1][ARB_POINTS][4]; /* the depth is in channel 0 */
};
static inline bool arb_killed(const struct arb_shot *shot, unsigned point)
{
    const float *v = shot->value[0][point];
    return v[0] == ARB_NOTHING && v[1] == ARB_NOTHING && v[2] == ARB_NOTHING && v[3] == ARB_NOTHING;
}

/* In variation 0 the inputs have their original values. In each other variation all numbers but the window
 * position are changed, by up to ARB_STEP times themselves. */
enum { ARB_VARIATIONS = 9 };
#define ARB_STEP (1.0 / (1 << 18))

/* Sets up the context for ARB programs. Returns NULL, or the reason of a failure. */
const char *arb_scene_open(void);
/* Sets the state and the inputs, except the local parameters. p tells which textures and env parameters are
 * needed; `number` is the program's number, and each number has other random parameters. */
void arb_scene_set(const struct fragprog *p, uint64_t number, unsigned variation);
/* Sets the local parameters of the ARB program that is bound; or samplers and uniforms of the shader
 * in use. */
void arb_scene_locals(const struct fragprog *p, uint64_t number, unsigned variation);
void arb_scene_uniforms(GLuint program, const struct fragprog *p, uint64_t number, unsigned variation);
/* Draws the points with the program that is enabled, and reads back `outputs` colours (at least 1). Returns
 * false after a GL error. */
bool arb_scene_draw(struct arb_shot *shot, unsigned outputs);
/* arb_scene_vertices replaces the vertex inputs of fragment programs by those of vertex programs: every
 * attribute has random numbers of its own, but generic attribute `place` has the position of the point. at:
 * the location of each generic attribute, or a negative number. arb_scene_points undoes this. */
void arb_scene_vertices(const GLint at[16], unsigned place);
void arb_scene_points(void);
/* The value of an input (enum fragprog_file, index as in fragprog_src) at a point, in variation 0. */
void arb_scene_input(float out[4], unsigned file, unsigned index, unsigned point);

/* Creates a program and binds it. Returns 0 if the GL refuses it; *why is the GL's message then, valid until
 * the next call. target: GL_FRAGMENT_PROGRAM_ARB or GL_VERTEX_PROGRAM_ARB. */
GLuint arb_program_new(GLenum target, const char *text, size_t length, const char **why);
void arb_program_delete(GLenum target, GLuint name);

#endif
