/* Display lists: what other files need of them. Internal. */
#ifndef ES_LIST_H
#define ES_LIST_H

#include "es.h"

/* Appends a command to the list that is compiled, behind the vertices that wait for it. anywhere: it may be
 * executed between Begin and End. */
void es_list_add(es_command *command, unsigned n, const union es_arg *a, const void *data, size_t bytes,
                 bool anywhere);
/* Appends the vertices that wait. */
void es_list_flush(void);
/* The same if commands are executed as well, so that they are now. */
void es_list_execute(void);
/* Appends an End that belongs to no Begin of the list. */
void es_list_end(void);
bool es_list_get(GLenum pname, struct es_value *value);

#endif
