/* What the tables of commands and options say, in the forms that a system installs: a manual page, and
 * completion for shells. */
#ifndef TEXENVC_MANUAL_H
#define TEXENVC_MANUAL_H

#include "options.h"

/* A page of section 1, in the macros of man(7). commands: one (a program without commands) or those of
 * texenvc, up to name NULL; statuses: the exit statuses, NULL where a command's help tells them. */
void manual_page(struct buffer *b, const char *program, const struct command *commands, const char *summary,
                 const char *statuses);
/* Functions for bash or zsh (false: neither) that complete texenvc and texenv-gldiff. */
bool manual_completion(struct buffer *b, const char *shell, const struct command *commands);

#endif
