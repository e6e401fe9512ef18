/* A program for command.py with calls of the C library that need files, arguments and streams. It is run
 * natively in an empty folder, and as WebAssembly by command.mjs, which has the files in memory. Both must
 * print the same. With "trap" as the first argument, the program traps; with "memory" it takes 80 MB. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int calls; /* 0 at the start of each run, as each run has fresh memory */

static const char *error(void)
{
    switch (errno) {
    case ENOENT: return "ENOENT";
    case EEXIST: return "EEXIST";
    case EISDIR: return "EISDIR";
    case ENOTDIR: return "ENOTDIR";
    default: return "another error";
    }
}

static void show(const char *path)
{
    char text[64];
    FILE *f = fopen(path, "r");
    const size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    text[n] = '\0';
    printf("%s: %s\n", path, !f ? error() : ferror(f) ? "not read" : text);
    if (f)
        fclose(f);
}

static void put(const char *path, const char *mode, const char *text)
{
    FILE *f = fopen(path, mode);
    printf("put %s %s: %s\n", path, mode, f ? "open" : error());
    if (f) {
        fputs(text, f);
        fclose(f);
    }
}

static void list(const char *path)
{
    char *names[16];
    int n = 0;
    DIR *d = opendir(path);
    printf("list %s:%s%s", path, d ? "" : " ", d ? "" : error());
    for (struct dirent *e; d && n < 16 && (e = readdir(d));)
        if (e->d_name[0] != '.')
            names[n++] = strdup(e->d_name);
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n; k++)
            if (strcmp(names[i], names[k]) > 0) {
                char *other = names[i];
                names[i] = names[k];
                names[k] = other;
            }
    for (int i = 0; i < n; i++)
        printf(" %s", names[i]);
    printf("\n");
    if (d)
        closedir(d);
}

static void about(const char *path)
{
    struct stat s;
    if (stat(path, &s))
        printf("%s: %s\n", path, error());
    else if (S_ISDIR(s.st_mode))
        printf("%s: a folder\n", path);
    else
        printf("%s: %ld bytes\n", path, (long)s.st_size);
}

static void seek(const char *path)
{
    char text[8] = "";
    FILE *f = fopen(path, "r+");
    if (!f)
        return;
    fseek(f, 2, SEEK_SET);
    fputs("XY", f);
    fseek(f, -3, SEEK_END);
    printf("at %ld: ", ftell(f));
    printf("%s\n", fgets(text, sizeof text, f) ? text : "the end");
    fclose(f);
    show(path);
}

/* Takes most of a stack of 64 KB, and traps; the next run must have the whole stack again. */
static int trap(int depth)
{
    char part[4096];
    memset(part, depth, sizeof part);
    if (depth == 0)
        __builtin_trap();
    return trap(depth - 1) + part[depth];
}

int main(int argc, char **argv)
{
    char line[4096];
    printf("call %d\n", ++calls);
    for (int i = 1; i < argc; i++)
        printf("argument <%s>\n", argv[i]);
    fflush(stdout);
    if (argc > 1 && strcmp(argv[1], "trap") == 0)
        return trap(11);
    if (argc > 1 && strcmp(argv[1], "memory") == 0) {
        char *all = malloc(80u << 20);
        memset(all, 1, 80u << 20);
        return all[(80u << 20) - 1] - 1;
    }
    for (size_t n; (n = fread(line, 1, sizeof line, stdin)) > 0;)
        printf("%u bytes, the last is %d\n", (unsigned)n, line[n - 1]);
    list(".");
    show("given.txt");
    show("in/deep/given.txt");
    about("in/deep");
    put("new", "w", "one\n");
    put("new", "a", "two\n");
    put("new", "wx", "three\n");
    show("new");
    seek("new");
    put("new", "w", "4\n");
    about("new");
    put("none/new", "w", "");
    put("new/new", "w", "");
    put("in", "w", "");
    show("in/../given.txt");
    printf("mkdir: %d\n", mkdir("made", 0777));
    printf("again: %s\n", mkdir("made", 0777) ? error() : "made");
    printf("in nothing: %s\n", mkdir("none/made", 0777) ? error() : "made");
    put("made/file", "w", "in a folder");
    printf("rename: %d\n", rename("new", "made/moved"));
    printf("no such: %s\n", rename("new", "made/moved") ? error() : "renamed");
    printf("unlink: %d\n", unlink("given.txt"));
    printf("again: %s\n", unlink("given.txt") ? error() : "removed");
    list("made");
    list("made/file");
    list("none");
    list(".");
    about("made/moved");
    fprintf(stderr, "to standard error\n");
    return argc + 4;
}
