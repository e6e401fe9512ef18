/* Display lists: functions for other files. Internal. */
#ifndef ES_LIST_H
#define ES_LIST_H

#include "es.h"

/* Appends the collected vertices and then a command to the list that is compiled. anywhere: the command may
 * be executed between Begin and End. */
void es_list_add(es_command *command, unsigned n, const union es_arg *a, const void *data, size_t bytes,
                 bool anywhere);
/* Appends the collected vertices. */
void es_list_flush(void);
/* Does so only if the list is also executed while it is compiled: then the vertices are drawn now. */
void es_list_execute(void);
/* Appends an End that has no Begin in the list. */
void es_list_end(void);
/* The name and the mode of the list that is compiled, or zeros. */
extern struct es_compiled {
    GLuint name;
    GLenum mode;
} es_compiled;

#endif
