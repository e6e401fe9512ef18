/* What ARB programs are drawn with: points of which each has its own colours, coordinates, fog
 * coordinate and position; textures of floats for every target; parameters, matrices, material, lights, fog.
 * All are random, the same in every run. */
#ifndef GLDIFF_ARB_SCENE_H
#define GLDIFF_ARB_SCENE_H

#include "gl.h"

#include "fragprog/ir.h"

enum {
    ARB_COLUMNS = 16,
    ARB_POINTS = 4 * ARB_COLUMNS,
    ARB_OUTPUTS = 8, /* colours; the depth comes after them */
    ARB_SETS = 8     /* of texture coordinates */
};

/* One drawing. A fragment that was killed has ARB_NOTHING in all channels of its first colour. */
#define ARB_NOTHING (-1024.0f)
struct arb_shot {
    float value[ARB_OUTPUTS + 1][ARB_POINTS][4]; /* of the depth channel 0 only */
};
static inline bool arb_killed(const struct arb_shot *shot, unsigned point)
{
    const float *v = shot->value[0][point];
    return v[0] == ARB_NOTHING && v[1] == ARB_NOTHING && v[2] == ARB_NOTHING && v[3] == ARB_NOTHING;
}

/* All numbers of variation 0; in each other variation every number but the window position is another one
 * beside it: it differs by up to ARB_STEP times itself. */
enum { ARB_VARIATIONS = 9 };
#define ARB_STEP (1.0 / (1 << 18))

/* Takes over the context. NULL, or why not. */
const char *arb_scene_open(void);
/* Everything but what belongs to a program: p says which textures and parameters are wanted. number: of the
 * program, each has other parameters. */
void arb_scene_set(const struct fragprog *p, uint64_t number, unsigned variation);
/* program.local of the ARB program that is bound; samplers and uniforms of the shader that is in use. */
void arb_scene_locals(const struct fragprog *p, uint64_t number, unsigned variation);
void arb_scene_uniforms(GLuint program, const struct fragprog *p, uint64_t number, unsigned variation);
/* Draws with what is enabled. outputs: colours, from 1. False after an error of the GL. */
bool arb_scene_draw(struct arb_shot *shot, unsigned outputs);
/* Of vertex programs: instead of what fragments are given, attributes that have numbers of their own, but
 * generic attribute `place`, which has where the point is. at: the location of each generic attribute, or
 * negative. And as it was. */
void arb_scene_vertices(const GLint at[16], unsigned place);
void arb_scene_points(void);
/* What point has of an input (enum fragprog_file, index as in fragprog_src), unvaried. */
void arb_scene_input(float out[4], unsigned file, unsigned index, unsigned point);

/* A new program, bound; 0 if the GL refuses it (*why: its words, until the next call). target:
 * GL_FRAGMENT_PROGRAM_ARB or GL_VERTEX_PROGRAM_ARB. */
GLuint arb_program_new(GLenum target, const char *text, size_t length, const char **why);
void arb_program_delete(GLenum target, GLuint name);

#endif
