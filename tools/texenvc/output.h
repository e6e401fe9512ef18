/* Where output goes. Files are written beside their name and renamed when everything has succeeded. Every
 * failed write ends the program with STATUS_INPUT. */
#ifndef TEXENVC_OUTPUT_H
#define TEXENVC_OUTPUT_H

#include "util.h"

void output_stdout(const char *data, size_t length);
void output_flush(void);        /* what is written so far is seen now */
void output_close_stdout(void); /* flushes and looks whether all arrived */

/* Is this -o argument a folder? (it ends in '/', which makes the folder if it is not there, or is one) */
bool output_is_folder(const char *path);
/* Makes the folder, and those that it lies in, where they are missing. */
void output_make_folder(const char *path);

/* Starts the file `path` and returns its number; only one is open at a time. What exists and is no regular
 * file (/dev/null) is written directly. */
size_t output_create(const char *path);
/* Starts a file in a folder; its name is told later. */
size_t output_create_in(const char *folder);
void output_name(size_t file, const char *path);
void output_write(const char *data, size_t length); /* to the open file */
void output_close(void);

/* Renames every file to its name; wrong usage if two have the same. */
void output_commit(void);
/* Removes what is not committed. Called before the program ends early. */
void output_abandon(void);

#endif
