/* An OpenGL ES 3 that counts its calls and does nothing else. */
#ifndef COST_ES_H
#define COST_ES_H

void *cost_find(const char *name); /* returns the function of ES whose name is "gl" and this */
void cost_reset(void);
void cost_print(void); /* prints the functions that were called since cost_reset, and how often */

#endif
