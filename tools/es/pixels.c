/* Rectangles of pixels. */
#include "es.h"

bool es_pixels_get(GLenum pname, struct es_value *value) { return (void)pname, (void)value, false; }
void es_pixels_push(unsigned depth, GLbitfield mask) { (void)depth, (void)mask; }
void es_pixels_pop(unsigned depth, GLbitfield mask) { (void)depth, (void)mask; }
void es_pixels_push_client(unsigned depth) { (void)depth; }
void es_pixels_pop_client(unsigned depth) { (void)depth; }
