/* Writes output. Files are written under a temporary name and renamed when everything has succeeded. Every
 * failed write ends the program with STATUS_INPUT. */
#ifndef TEXENVC_OUTPUT_H
#define TEXENVC_OUTPUT_H

#include "util.h"

void output_stdout(const char *data, size_t length);
void output_flush(void);        /* makes sure that all output so far is visible */
void output_close_stdout(void); /* flushes, and checks for errors */

/* Returns whether this -o argument is a folder: it exists and is one, or it ends in '/'; then it is created
 * if it is missing. */
bool output_is_folder(const char *path);
/* Creates the folder and its parents if they are missing. */
void output_make_folder(const char *path);

/* Starts the file `path` and returns its number. Only one file is open at a time. If path exists and is no
 * regular file (/dev/null), it is written directly. */
size_t output_create(const char *path);
/* Starts a file in a folder; output_name sets its name later. */
size_t output_create_in(const char *folder);
void output_name(size_t file, const char *path);
void output_write(const char *data, size_t length); /* writes to the open file */
void output_close(void);

/* Renames every file to its final name. Wrong usage if two files have the same name. */
void output_commit(void);
/* Removes all files that are not committed. Called before the program ends early. */
void output_abandon(void);

#endif
