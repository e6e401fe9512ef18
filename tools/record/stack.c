/* Prints the call stack: addresses from the C library's backtrace; lines and functions from libdw, if it was
 * available at build time. */
#define _GNU_SOURCE
#include "environments.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <string.h>
#include <unistd.h>

enum { DEPTH = 48, CALLERS = 8 };

struct caller {
    const char *file, *function; /* NULL if unknown */
    int line;
};

#ifdef HAVE_DW
#include <elfutils/libdwfl.h>

/* Returns the modules of this process. Libraries that are loaded later are known to the dynamic
 * linker only. */
static Dwfl *modules(void)
{
    static char *debug_path;
    static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_linux_proc_find_elf,
                                             .find_debuginfo = dwfl_standard_find_debuginfo,
                                             .debuginfo_path = &debug_path};
    static Dwfl *all;
    if (all)
        return all;
    all = dwfl_begin(&callbacks);
    if (all && (dwfl_linux_proc_report(all, getpid()) != 0 || dwfl_report_end(all, NULL, NULL) != 0)) {
        dwfl_end(all);
        all = NULL;
    }
    return all;
}

static void look_up(struct caller *caller, uintptr_t address)
{
    Dwfl *all = modules();
    Dwfl_Module *module = all ? dwfl_addrmodule(all, address) : NULL;
    Dwfl_Line *line = module ? dwfl_module_getsrc(module, address) : NULL;
    if (module)
        caller->function = dwfl_module_addrname(module, address);
    if (line)
        caller->file = dwfl_lineinfo(line, NULL, &caller->line, NULL, NULL, NULL);
}
#else
static void look_up(struct caller *caller, uintptr_t address) { (void)caller, (void)address; }
#endif

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Prints one caller. Returns false at the caller of main: the callers beyond it are not part of the program.
 * */
static bool print_caller(struct texenv_text *text, uintptr_t address, const Dl_info *in)
{
    struct caller caller = {.function = in->dli_sname};
    look_up(&caller, address);
    if (caller.function && strncmp(caller.function, "__libc_start", 12) == 0)
        return false;
    texenv_printf(text, "// called from ");
    if (caller.file)
        texenv_printf(text, "%s:%d", caller.file, caller.line);
    else
        texenv_printf(text, "%s+0x%x", in->dli_fname ? file_name(in->dli_fname) : "?",
                      (unsigned)(address - (uintptr_t)in->dli_fbase));
    texenv_printf(text, caller.function ? " (%s)\n" : "\n", caller.function);
    return !caller.function || strcmp(caller.function, "main") != 0;
}

void stack_print(struct texenv_text *text)
{
    void *address[DEPTH];
    Dl_info own, in;
    unsigned callers = 0;
    const int depth = backtrace(address, DEPTH);
    if (!dladdr(__extension__(void *) stack_print, &own))
        return;
    for (int i = 0; i < depth && callers < CALLERS; i++) {
        /* the address of the call itself instead of the return address */
        const uintptr_t call = (uintptr_t)address[i] - 1;
        if (!dladdr((void *)call, &in))
            in = (Dl_info){.dli_fname = NULL};
        if (in.dli_fbase == own.dli_fbase)
            continue;
        callers++;
        if (!print_caller(text, call, &in))
            break;
    }
}
