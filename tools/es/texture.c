/* Texture objects. */
#include "es.h"

void es_texture_use(unsigned unit, enum texenv_target target) { (void)unit, (void)target; }
void es_texture_scale(unsigned unit, float scale[2]) { (void)unit, scale[0] = scale[1] = 1; }
bool es_texture_get(GLenum pname, struct es_value *value) { return (void)pname, (void)value, false; }
void es_texture_push(unsigned depth) { (void)depth; }
void es_texture_pop(unsigned depth) { (void)depth; }
