/* Runs the Python oracle, which is independent of this program's C code. */
#define _POSIX_C_SOURCE 200809L
#include "oracle.h"
#include "diag.h"
#include "input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* A folder for temporary files with texts of -e and of standard input, because the oracle reads
 * only files. */
static char folder[64], **temp_name;
static size_t ntemps;

static void remove_temps(void)
{
    for (size_t i = 0; i < ntemps; i++) {
        unlink(temp_name[i]);
        free(temp_name[i]);
    }
    free(temp_name);
    temp_name = NULL;
    ntemps = 0;
    if (folder[0])
        rmdir(folder);
    folder[0] = '\0';
}

static const char *as_file(const struct input *input)
{
    if (input->path && strcmp(input->path, "-") != 0 && access(input->path, R_OK) == 0)
        return input->path;
    size_t length;
    char *text = input_text(input, &length); /* reports an error if the file cannot be read */
    if (!text)
        return NULL;
    if (!folder[0]) {
        const char *base = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%s/texenvc-XXXXXX", base && strlen(base) < 40 ? base : "/tmp");
        if (!mkdtemp(folder)) {
            folder[0] = '\0';
            die_internal("cannot make a folder in '%s': %s", base ? base : "/tmp", strerror(errno));
        }
    }
    char *name = xprintf("%s/%c%zu", folder, 'A' + (int)(ntemps % 26), ntemps / 26);
    temp_name = xrealloc(temp_name, (ntemps + 1) * sizeof *temp_name);
    temp_name[ntemps++] = name;
    FILE *f = fopen(name, "w");
    bool ok = f && fwrite(text, 1, length, f) == length;
    if (!f || fclose(f) != 0 || !ok) {
        int error = errno;
        remove_temps();
        die_internal("cannot write the oracle's input: %s", strerror(error));
    }
    free(text);
    return name;
}

/* ---- locating the oracle ---- */

/* Determines the path of this program, "" if it is not known. */
static void find_self(const struct options *o, char *self, size_t size)
{
    ssize_t n = readlink("/proc/self/exe", self, size - 1);
    self[n > 0 ? n : 0] = '\0';
    if (n <= 0 && strchr(o->program, '/'))
        snprintf(self, size, "%s", o->program);
}

/* If the folder (`length` bytes of folder_name, then `more`) contains the oracle, returns the folder.
 * Otherwise adds it to the list of tried folders and returns NULL. */
static char *try_folder(struct buffer *tried, const char *folder_name, size_t length, const char *more)
{
    if (!length)
        return NULL;
    char *dir = xprintf("%.*s%s", (int)length, folder_name, more);
    char *module = xprintf("%s/oracle/__main__.py", dir);
    bool there = access(module, R_OK) == 0;
    free(module);
    if (there)
        return dir;
    buffer_printf(tried, "%s'%s'", tried->length ? ", " : "", dir);
    free(dir);
    return NULL;
}

/* Returns the folder that contains oracle/: given by the environment, installed beside this program, in the
 * source tree above the build folder, or in Python's path. */
static char *find_oracle(const char *self)
{
    struct buffer tried = {0};
    const char *told = getenv("TEXENVC_ORACLE_DIR"), *path = getenv("PYTHONPATH");
    const char *slash = strrchr(self, '/');
    size_t here = slash ? (size_t)(slash - self) : 0;
    char *found = told ? try_folder(&tried, told, strlen(told), "") : NULL;
    if (!found)
        found = try_folder(&tried, self, here, "/../share/texenvc");
    if (!found)
        found = try_folder(&tried, self, here, "/..");
    while (!found && path && *path) {
        size_t length = strcspn(path, ":");
        found = try_folder(&tried, path, length, "");
        path += length + (path[length] == ':');
    }
    if (!found)
        die_internal("the oracle is not found: set TEXENVC_ORACLE_DIR to the folder that holds "
                     "oracle/__main__.py; tried %s",
                     tried.data ? tried.data : "nothing");
    buffer_free(&tried);
    return found;
}

static void set_environment(const struct options *o, const char *self, const char *oracle)
{
    setenv("TEXENVC", *self ? self : o->program, 1);
    setenv("PYTHONSAFEPATH", "1", 1); /* do not load a folder "oracle" from the user's current directory */
    const char *before = getenv("PYTHONPATH");
    char *path = before && *before ? xprintf("%s:%s", oracle, before) : xstrndup(oracle, strlen(oracle));
    setenv("PYTHONPATH", path, 1);
    free(path);
}

/* Runs python3 and waits. Returns its exit status, -1 if it could not be started, or -2 if a signal
 * ended it. */
static int run_python(char *const *args, bool to_stderr)
{
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        return -1;
    if (child == 0) {
        if (to_stderr)
            dup2(STDERR_FILENO, STDOUT_FILENO);
        execvp(args[0], args);
        _exit(127);
    }
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -2;
    if (!WIFEXITED(status))
        return -2;
    return WEXITSTATUS(status) == 127 ? -1 : WEXITSTATUS(status);
}

int oracle_run(const struct options *o, const char *const *words, size_t nwords, bool to_stderr)
{
    char self[4096];
    find_self(o, self, sizeof self);
    char *oracle = find_oracle(self);

    const char **args = xcalloc(4 + nwords + 2 * o->npolicy + o->ninput, sizeof *args);
    size_t n = 0;
    args[n++] = "python3";
    args[n++] = "-m";
    args[n++] = "oracle";
    for (size_t i = 0; i < nwords; i++)
        args[n++] = words[i];
    for (size_t i = 0; i < o->npolicy; i++) {
        args[n++] = "--policy";
        args[n++] = o->policy_text[i];
    }
    for (size_t i = 0; i < o->ninput; i++)
        if (!(args[n++] = as_file(&o->input[i]))) {
            remove_temps();
            free(args);
            free(oracle);
            return STATUS_INPUT;
        }
    set_environment(o, self, oracle);
    free(oracle);
    int status = run_python((char *const *)(uintptr_t)args, to_stderr);
    remove_temps();
    free(args);
    if (status == -1)
        die_internal("python3 cannot be started: install it, or put it on the PATH");
    if (status < 0 || status > 1)
        die_internal("the oracle failed");
    return status;
}
