#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE 700
#include "output.h"
#include "diag.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __wasi__ /* WASI has no signals, links or permissions */
static void catch_signals(void) {}
#define realpath(path, resolved) ((char *)NULL)
#define fchmod(file, mode) ((void)0)
#else
#include <signal.h>
static void catch_signals(void);
#endif

/* All files of this run. temp is NULL if the file is written directly or already committed. */
static struct out_file {
    char *temp, *path;
} * files;
static size_t nfiles;
static FILE *open_file;
static const char *open_name;

/* ---- standard output ---- */

void output_stdout(const char *data, size_t length)
{
    catch_signals();
    if (length && fwrite(data, 1, length, stdout) != length)
        die_file("cannot write to standard output: %s", strerror(errno));
}

void output_flush(void)
{
    if (fflush(stdout) != 0)
        die_file("cannot write to standard output: %s", strerror(errno));
}

void output_close_stdout(void)
{
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout))
        die_file("cannot write to standard output: %s", strerror(errno));
    if (fclose(stdout) != 0 && errno != EBADF)
        die_file("cannot write to standard output: %s", strerror(errno));
}

/* ---- files ---- */

static _Noreturn void cannot(const char *what, const char *path)
{
    die_file("cannot %s '%s': %s", what, path, strerror(errno));
}

static void remove_temps(void)
{
    for (size_t i = 0; i < nfiles; i++)
        if (files[i].temp)
            unlink(files[i].temp);
}

static void forget_files(void)
{
    size_t n = nfiles;
    nfiles = 0; /* set first, because the signal handler reads it */
    for (size_t i = 0; i < n; i++) {
        free(files[i].temp);
        free(files[i].path);
    }
    free(files);
    files = NULL;
}

void output_abandon(void)
{
    if (open_file)
        fclose(open_file);
    open_file = NULL;
    remove_temps();
    forget_files();
}

#ifndef __wasi__
static void on_signal(int number)
{
    remove_temps();
    signal(number, SIG_DFL);
    raise(number);
}

static void catch_signals(void)
{
    static bool done;
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGXCPU};
    if (done)
        return;
    done = true;
    signal(SIGXFSZ, SIG_IGN); /* a write beyond the limit then fails like a full disk, which is reported */
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction old;
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN)
            continue;
        struct sigaction action = {.sa_handler = on_signal};
        sigemptyset(&action.sa_mask);
        sigaction(numbers[i], &action, NULL);
    }
}
#endif

static size_t put_file(char *temp, char *path)
{
    if ((nfiles & (nfiles + 1)) == 0)
        files = xrealloc(files, (2 * nfiles + 2) * sizeof *files);
    files[nfiles] = (struct out_file){temp, path};
    return nfiles++;
}

/* Changes the table of files while signals are blocked, because their handler reads it. */
static size_t add_file(char *temp, char *path)
{
#ifdef __wasi__
    return put_file(temp, path);
#else
    sigset_t all, before;
    catch_signals();
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    size_t number = put_file(temp, path);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return number;
#endif
}

bool output_is_folder(const char *path)
{
    struct stat st;
    size_t length = strlen(path);
    if (stat(path, &st) == 0)
        return S_ISDIR(st.st_mode);
    if (!length || path[length - 1] != '/')
        return false;
    if (mkdir(path, 0777) != 0)
        cannot("make the folder", path);
    return true;
}

void output_make_folder(const char *path)
{
    char *part = xstrndup(path, strlen(path));
    for (char *p = part + (*part == '/'); *p; p++)
        if (*p == '/') {
            *p = '\0';
            mkdir(part, 0777); /* if this fails, the mkdir below fails, too */
            *p = '/';
        }
    free(part);
    struct stat st;
    if (mkdir(path, 0777) != 0 && !(errno == EEXIST && stat(path, &st) == 0 && S_ISDIR(st.st_mode)))
        cannot("make the folder", path);
}

static void open_temp(const char *temp, const char *name)
{
    int fd = open(temp, O_WRONLY | O_CREAT | O_EXCL, 0666);
    open_file = fd < 0 ? NULL : fdopen(fd, "w");
    if (!open_file)
        cannot("write", name);
    open_name = name;
}

size_t output_create(const char *path)
{
    struct stat st;
    bool exists = stat(path, &st) == 0;
    if (exists && !S_ISREG(st.st_mode)) {
        open_file = fopen(path, "w");
        if (!open_file)
            cannot("write", path);
        open_name = path;
        return add_file(NULL, NULL);
    }
    char *real = exists ? realpath(path, NULL) : NULL; /* write through a symbolic link */
    if (!real)
        real = xstrndup(path, strlen(path));
    size_t folder = strrchr(real, '/') ? (size_t)(strrchr(real, '/') - real) + 1 : 0;
    /* a short name, because the name itself may have the maximum length */
    char *temp = xprintf("%.*s.texenvc.%ld.%zu.tmp", (int)folder, real, (long)getpid(), nfiles);
    size_t file = add_file(temp, real);
    open_temp(temp, path);
    if (exists)
        fchmod(fileno(open_file), st.st_mode & 0777);
    return file;
}

size_t output_create_in(const char *folder)
{
    size_t length = strlen(folder);
    char *temp = xprintf("%s%s.texenvc.%ld.%zu.tmp", folder, length && folder[length - 1] == '/' ? "" : "/",
                         (long)getpid(), nfiles);
    size_t file = add_file(temp, NULL);
    open_temp(temp, folder);
    return file;
}

void output_name(size_t file, const char *path) { files[file].path = xstrndup(path, strlen(path)); }

void output_write(const char *data, size_t length)
{
    if (length && fwrite(data, 1, length, open_file) != length)
        die_file("cannot write '%s': %s", open_name, strerror(errno));
}

void output_close(void)
{
    FILE *f = open_file;
    open_file = NULL;
    if (f && fclose(f) != 0)
        die_file("cannot write '%s': %s", open_name, strerror(errno));
}

static int by_path(const void *a, const void *b)
{
    const struct out_file *fa = a, *fb = b;
    return strcmp(fa->path ? fa->path : "", fb->path ? fb->path : "");
}

void output_commit(void)
{
    output_close();
    for (size_t i = 0; i < nfiles; i++)
        if (files[i].temp && !files[i].path)
            die_internal("an output file has no name");
    if (nfiles)
        qsort(files, nfiles, sizeof *files, by_path);
    for (size_t i = 1; i < nfiles; i++)
        if (files[i].path && files[i - 1].path && strcmp(files[i].path, files[i - 1].path) == 0)
            die_usage("two inputs would be written to '%s'; nothing was written", files[i].path);
    for (size_t i = 0; i < nfiles; i++) {
        if (files[i].temp && rename(files[i].temp, files[i].path) != 0)
            cannot("write", files[i].path);
        free(files[i].temp);
        files[i].temp = NULL;
    }
    forget_files();
}
