/* texenvc equiv: two inputs compared by the Python oracle, which does not know this program's C. */
#define _POSIX_C_SOURCE 200809L
#include "diag.h"
#include "input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef TEXENVC_ORACLE_DIR
#define TEXENVC_ORACLE_DIR "."
#endif

/* A folder for text of -e and standard input, which become files A and B for the time being: the oracle reads files. */
static char folder[64], *temp_name[2];

static void remove_temps(void)
{
    for (unsigned i = 0; i < 2; i++)
        if (temp_name[i])
            unlink(temp_name[i]);
    if (folder[0])
        rmdir(folder);
}

static const char *as_file(const struct input *input, unsigned which)
{
    if (input->path && strcmp(input->path, "-") != 0 && access(input->path, R_OK) == 0)
        return input->path;
    size_t length;
    char *text = input_text(input, &length); /* says what is wrong with a file */
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
    temp_name[which] = xprintf("%s/%c", folder, "AB"[which]);
    FILE *f = fopen(temp_name[which], "w");
    bool ok = f && fwrite(text, 1, length, f) == length;
    if (!f || fclose(f) != 0 || !ok) {
        remove_temps();
        die_internal("cannot write '%s': %s", temp_name[which], strerror(errno));
    }
    free(text);
    return temp_name[which];
}

static void set_environment(const struct options *o, const char *oracle)
{
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    setenv("TEXENVC", n > 0 ? self : o->program, 1);
    const char *before = getenv("PYTHONPATH");
    char *path = before && *before ? xprintf("%s:%s", oracle, before) : xstrndup(oracle, strlen(oracle));
    setenv("PYTHONPATH", path, 1);
    free(path);
}

/* Runs python3 and waits. Its exit status; -1 if it could not be started, -2 if it did not end by itself. */
static int run_python(char *const *args)
{
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        return -1;
    if (child == 0) {
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

int cmd_equiv(const struct options *o)
{
    if (o->ninput != 2)
        die_usage("equiv compares two inputs; %zu are given", o->ninput);
    const char *oracle = getenv("TEXENVC_ORACLE_DIR");
    if (!oracle || !*oracle)
        oracle = TEXENVC_ORACLE_DIR;
    char *module = xprintf("%s/oracle/__main__.py", oracle);
    if (access(module, R_OK) != 0)
        die_internal("the oracle is not at '%s'; set TEXENVC_ORACLE_DIR to the folder that holds oracle/", oracle);
    free(module);

    const char *a = as_file(&o->input[0], 0), *b = a ? as_file(&o->input[1], 1) : NULL;
    if (!a || !b) {
        remove_temps();
        return STATUS_INPUT;
    }
    const char **args = xcalloc(16 + 2 * o->npolicy, sizeof *args);
    size_t n = 0;
    args[n++] = "python3";
    args[n++] = "-m";
    args[n++] = "oracle";
    args[n++] = "equiv";
    if (o->from_a) {
        args[n++] = "--from-a";
        args[n++] = o->from_a;
    }
    if (o->from_b) {
        args[n++] = "--from-b";
        args[n++] = o->from_b;
    }
    for (size_t i = 0; i < o->npolicy; i++) {
        args[n++] = "--policy";
        args[n++] = o->policy_text[i];
    }
    args[n++] = a;
    args[n++] = b;
    set_environment(o, oracle);
    int status = run_python((char *const *)(uintptr_t)args);
    remove_temps();
    free(args);
    if (status == -1)
        die_internal("python3 cannot be started: install it, or put it on the PATH");
    if (status < 0 || status > 1)
        die_internal("the oracle failed");
    return status;
}
