/* Shared by printing and reading words. Internal to hwemit. */
#ifndef HWEMIT_WORDS_H
#define HWEMIT_WORDS_H

#include "hwemit/hwemit.h"

uint32_t hwemit_field_mask(const struct hwemit_field *field);
/* The register's name with its number in place of '#'. */
void hwemit_print_name(struct texenv_text *text, const struct hwemit_register *r, unsigned number);

#endif
