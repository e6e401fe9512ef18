/* Generates a manual page and shell completion from the tables of commands and options. */
#ifndef TEXENVC_MANUAL_H
#define TEXENVC_MANUAL_H

#include "options.h"

/* Appends a page of section 1 with the macros of man(7). commands: the commands of texenvc, or one for a
 * program without commands; name NULL ends the list. statuses: the exit statuses; NULL if a command's help
 * contains them. */
void manual_page(struct buffer *b, const char *program, const struct command *commands, const char *summary,
                 const char *statuses);
/* Appends shell functions that complete texenvc and texenv-gldiff. Returns false if the shell is neither bash
 * nor zsh. */
bool manual_completion(struct buffer *b, const char *shell, const struct command *commands);

#endif
