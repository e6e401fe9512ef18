/* Prints a chip's words in each output format (--format). */
#ifndef TEXENVC_CHIP_H
#define TEXENVC_CHIP_H

#include "compile.h"

/* Appends the result of compile_chip in the format of the options. In JSON also a refusal is printed. c NULL:
 * a policy refuses the state, see item->refused. */
void add_chip(struct buffer *b, const struct item *item, const struct compiled *c, const struct options *o);

/* Appends `"fits": true, "stats": {...}` or `"fits": false, "reason": ...`, without the words. */
void add_chip_fit(struct buffer *b, const struct hwemit_code *code, const struct fragprog_reason *why);

/* Appends the statistics: "passes 1, stages 2". */
void add_stats(struct buffer *b, const struct hwemit_code *code);

/* Returns the words unchanged, or, with --packets, as `*n` words of packets, which stay valid until the next
 * call. */
const struct hwemit_word *words_or_packets(const struct options *o, const struct hwemit_word *word,
                                           uint32_t *n);

/* Appends a word as hexadecimal numbers and a newline. */
void add_hex(struct buffer *b, const struct hwemit_word *word);
/* Appends the lines of words in the format of disasm. */
void add_lines(struct buffer *b, const struct hwemit_word *word, uint32_t n, const struct options *o);

/* Appends words that do not come from a state, in the format of the options. */
void add_words(struct buffer *b, const struct hwemit_word *word, uint32_t n, const struct options *o);

/* convert --from rc: translates programs in the language of a chip's combiners to its words. */
int convert_combiners(const struct options *o);

#endif
