/* Reads settings from environment variables. Reports figures at exit, or when a signal ends
 * the application. */
#define _GNU_SOURCE
#include "shim.h"

#include "tools/record/environments.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct reasons {
    const char *reason;
    unsigned count;
};
enum { REASONS = 32 };
static struct {
    unsigned seen, replaced, programs, vertex_seen, vertex_replaced;
    struct reasons passed[REASONS], vertex_passed[REASONS];
} figures;

static struct settings current = {.log = STDERR_FILENO};

void complain(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    dprintf(current.log, "texenv-shim: ");
    vdprintf(current.log, format, args);
    dprintf(current.log, "\n");
    va_end(args);
}

static bool is(const char *variable, const char *wanted)
{
    const char *value = getenv(variable);
    return value && strcmp(value, wanted) == 0;
}

static bool is_one(const char *variable) { return is(variable, "1"); }

/* Reads the settings of TEXENV_SHIM=record. */
static void read_record_settings(void)
{
    const char *folder = getenv("TEXENV_RECORD_DIR"), *frames = getenv("TEXENV_RECORD_FRAMES");
    char *end = NULL;
    current.record = true;
    current.folder = folder && *folder ? folder : "recorded";
    if (frames && *frames) {
        const unsigned long n = strtoul(frames, &end, 10);
        if (*end || frames[0] < '0' || frames[0] > '9' || n < 1 || n > UINT32_MAX) {
            complain("TEXENV_RECORD_FRAMES=%s: it takes a number of frames", frames);
            exit(2);
        }
        current.frames = (unsigned)n;
    }
    current.pictures = is_one("TEXENV_RECORD_PNG");
    if (current.pictures && !record_has_pictures()) {
        complain("TEXENV_RECORD_PNG=1: this shim was built without libpng");
        exit(2);
    }
    record_open();
}

static enum language language_of(const char *variable, bool with_atifs)
{
    static const char *const names[] = {"", "atifs", "arbfp", "glsl"};
    const char *value = getenv(variable);
    if (!value || !*value)
        return LANGUAGE_NONE;
    for (int i = LANGUAGE_ATIFS; i <= LANGUAGE_GLSL; i++)
        if (strcmp(value, names[i]) == 0 && (i != LANGUAGE_ATIFS || with_atifs))
            return (enum language)i;
    complain("%s=%s: it takes %s", variable, value,
             with_atifs ? "atifs, arbfp, glsl or record" : "arbfp or glsl");
    exit(2);
}

static void say_reasons(struct texenv_text *text, const struct reasons *list, const char *what)
{
    for (size_t i = 0; i < REASONS && list[i].reason; i++)
        texenv_printf(text, "texenv-shim:   %spassed on %u: %s\n", what, list[i].count, list[i].reason);
}

/* Prints the figures. It is async-signal-safe: texenv_printf neither allocates nor locks, and the log is
 * open. */
static void say_figures(void)
{
    static volatile sig_atomic_t said;
    char data[4096];
    struct texenv_text text;
    if (said)
        return;
    said = 1;
    environments_flush();
    if (current.quiet)
        return;
    texenv_text_init(&text, data, sizeof data);
    if (current.record)
        texenv_printf(
            &text,
            "texenv-shim: draws seen %u, recorded %u, passed on %u; %u environments, %u frames; in %s\n",
            figures.seen, figures.replaced, figures.seen - figures.replaced, environments_count(),
            record_frames(), current.folder);
    else
        texenv_printf(&text, "texenv-shim: draws seen %u, replaced %u, passed on %u; programs built %u\n",
                      figures.seen, figures.replaced, figures.seen - figures.replaced, figures.programs);
    say_reasons(&text, figures.passed, "");
    if (current.vertex) {
        texenv_printf(&text, "texenv-shim: vertex halves replaced %u, passed on %u\n",
                      figures.vertex_replaced, figures.vertex_seen - figures.vertex_replaced);
        say_reasons(&text, figures.vertex_passed, "vertex halves ");
    }
    if (!figures.seen && !real_function("glGetString"))
        texenv_printf(&text, "texenv-shim: the program loads no OpenGL\n");
    else if (!figures.seen)
        texenv_printf(&text,
                      "texenv-shim: no draw was seen: the program draws by functions that are not wrapped, "
                      "or gets them in another way\n");
    else if (!figures.replaced)
        texenv_printf(&text, "texenv-shim: NOTHING WAS %s\n", current.record ? "RECORDED" : "REPLACED");
    const char *at = data, *end = data + strlen(data);
    for (ssize_t n; at < end && (n = write(current.log, at, (size_t)(end - at))) > 0;)
        at += n;
}

/* Reports, and raises the signal again. SA_RESETHAND has restored the signal's default effect, which it has
 * as soon as this handler has returned. */
static void on_signal(int number)
{
    const int before = errno;
    say_figures();
    if (current.frames && record_frames() == current.frames)
        _exit(0); /* the signal is our own (TEXENV_RECORD_FRAMES), so the exit status must not be a failure */
    raise(number);
    errno = before;
}

void report_on_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM};
    static bool done;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && !done; i++) {
        struct sigaction action = {.sa_handler = SIG_IGN};
        if (sigaction(numbers[i], NULL, &action) != 0 || action.sa_handler != SIG_DFL)
            continue;
        action = (struct sigaction){.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
        sigaction(numbers[i], &action, NULL);
    }
    done = true;
}

static int open_log(void)
{
    const char *name = getenv("TEXENV_SHIM_LOG");
    if (!name || !*name)
        return STDERR_FILENO;
    int file = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file < 0) {
        complain("TEXENV_SHIM_LOG=%s: %s", name, strerror(errno));
        exit(2);
    }
    return file;
}

/* Tells whether this is the process that the launcher script has become. That process reports even if it
 * never uses GL; other processes, such as shells of a script, do not. */
static bool launched(void)
{
    const char *process = getenv("TEXENV_LAUNCHED");
    return process && strtol(process, NULL, 10) == getpid();
}

static struct timespec folder_time(void)
{
    struct stat found;
    return current.record && stat(current.folder, &found) == 0 ? found.st_mtim : (struct timespec){0, 0};
}

static long children_faults(void)
{
    struct rusage children;
    return getrusage(RUSAGE_CHILDREN, &children) == 0 ? children.ru_minflt : 0;
}

static struct timespec folder_before;
/* page faults of the launcher's own children; any further child process adds some */
static long faults_before;

/* Tells whether child processes have recorded something; or, without recording, whether there were any, which
 * may have drawn. */
static bool others_did(void)
{
    const struct timespec now = folder_time();
    if (current.record)
        return now.tv_sec != folder_before.tv_sec || now.tv_nsec != folder_before.tv_nsec;
    return children_faults() != faults_before;
}

static void at_exit(void)
{
    if (figures.seen || !launched() || !others_did())
        say_figures();
}

const struct settings *settings(void)
{
    static bool read;
    if (!read) {
        read = true;
        current.log = open_log();
        const char *mode = getenv("TEXENV_SHIM");
        if (mode && strcmp(mode, "record") == 0)
            read_record_settings();
        else
            current.replace = language_of("TEXENV_SHIM", true);
        current.provide = language_of("TEXENV_SHIM_PROVIDE", false);
        current.vertex = is_one("TEXENV_SHIM_VERTEX");
        current.sabotage = is_one("TEXENV_SHIM_SABOTAGE");
        current.sabotage_vertex = current.sabotage || is("TEXENV_SHIM_SABOTAGE", "vertex");
        current.show = is_one("TEXENV_SHIM_SHOW");
        current.quiet = is_one("TEXENV_SHIM_QUIET");
        folder_before = folder_time();
        faults_before = children_faults();
        atexit(at_exit);
    }
    return &current;
}

static void count_reason(struct reasons *list, const char *reason)
{
    for (size_t i = 0; i < REASONS; i++) {
        if (!list[i].reason)
            list[i].reason = strdup(reason); /* never freed, because a signal handler reads it */
        if (list[i].reason && strcmp(list[i].reason, reason) == 0) {
            list[i].count++;
            return;
        }
    }
}

void count_draw(const char *reason)
{
    figures.seen++;
    if (reason)
        count_reason(figures.passed, reason);
    else
        figures.replaced++;
}

void count_vertex(const char *reason)
{
    figures.vertex_seen++;
    if (reason)
        count_reason(figures.vertex_passed, reason);
    else
        figures.vertex_replaced++;
}

void count_program(void) { figures.programs++; }

__attribute__((constructor)) static void start(void)
{
    if (launched())
        settings();
}
