/* Loads every !!ARBfp1.0 and !!ARBvp1.0 program on standard input into a GL (OSMesa, opened at run time) and
 * reports the programs that it rejects. Exit status: 0 all loaded, 1 some rejected, 77 no OSMesa. */
#define _POSIX_C_SOURCE 200809L
#include <GL/gl.h>
#include <GL/glext.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *(*create_context)(GLenum format, GLint depth, GLint stencil, GLint accum, void *share);
typedef GLboolean (*make_current)(void *context, void *buffer, GLenum type, GLsizei width, GLsizei height);
typedef void (*proc)(void);
typedef proc (*get_proc)(const char *name);

static void *symbol(void *library, const char *name)
{
    void *found = dlsym(library, name);
    if (!found) {
        fprintf(stderr, "no %s in OSMesa\n", name);
        exit(77);
    }
    return found;
}

static char *read_all(void)
{
    size_t length = 0, room = 1 << 16;
    char *text = malloc(room + 1);
    for (size_t n; text && (n = fread(text + length, 1, room - length, stdin)) > 0; length += n)
        if (room - length - n < 4096)
            text = realloc(text, (room *= 2) + 1);
    if (text)
        text[length] = 0;
    return text;
}

int main(void)
{
    static unsigned char pixels[16 * 16 * 4];
    void *library = dlopen("libOSMesa.so.8", RTLD_NOW);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 77;
    }
    create_context create;
    make_current current;
    get_proc get;
    /* ISO C does not convert object pointers to function pointers; POSIX allows it for dlsym. */
    *(void **)&create = symbol(library, "OSMesaCreateContextExt");
    *(void **)&current = symbol(library, "OSMesaMakeCurrent");
    *(void **)&get = symbol(library, "OSMesaGetProcAddress");
    void *context = create(GL_RGBA, 0, 0, 0, NULL);
    if (!context || !current(context, pixels, GL_UNSIGNED_BYTE, 16, 16)) {
        fprintf(stderr, "OSMesa gives no context\n");
        return 77;
    }
    const GLubyte *(*get_string)(GLenum) = (const GLubyte *(*)(GLenum))get("glGetString");
    PFNGLGENPROGRAMSARBPROC gen = (PFNGLGENPROGRAMSARBPROC)get("glGenProgramsARB");
    PFNGLBINDPROGRAMARBPROC bind = (PFNGLBINDPROGRAMARBPROC)get("glBindProgramARB");
    PFNGLPROGRAMSTRINGARBPROC load = (PFNGLPROGRAMSTRINGARBPROC)get("glProgramStringARB");
    PFNGLGETPROGRAMIVARBPROC get_program = (PFNGLGETPROGRAMIVARBPROC)get("glGetProgramivARB");
    void (*get_integer)(GLenum, GLint *) = (void (*)(GLenum, GLint *))get("glGetIntegerv");

    char *text = read_all();
    unsigned programs = 0, failed = 0, most[2] = {0, 0};
    static const char header[] = "\n!!ARB"; /* continues with fp1.0 or vp1.0 */
    char *at = text && strncmp(text, header + 1, sizeof header - 2) == 0 ? text
        : text                                                           ? strstr(text, header)
                                                                         : NULL;
    while (at) {
        at += *at == '\n';
        /* text between END and the next header belongs to no program */
        char *next = strstr(at, header), *end = strstr(at, "\nEND\n");
        const bool vertex = strncmp(at, "!!ARBv", 6) == 0;
        const GLenum target = vertex ? GL_VERTEX_PROGRAM_ARB : GL_FRAGMENT_PROGRAM_ARB;
        size_t length = end && (!next || end < next) ? (size_t)(end - at) + 5
            : next                                   ? (size_t)(next - at)
                                                     : strlen(at);
        GLuint name;
        GLint position = -1;
        gen(1, &name);
        bind(target, name);
        load(target, GL_PROGRAM_FORMAT_ASCII_ARB, (GLsizei)length, at);
        get_integer(GL_PROGRAM_ERROR_POSITION_ARB, &position);
        programs++;
        if (position != -1) {
            if (failed++ < 3)
                printf("program %u: %s\n%.*s\n", programs,
                       (const char *)get_string(GL_PROGRAM_ERROR_STRING_ARB), (int)length, at);
        } else if (!vertex) {
            static const GLenum what[2] = {GL_PROGRAM_TEX_INDIRECTIONS_ARB, GL_PROGRAM_TEMPORARIES_ARB};
            for (unsigned i = 0; i < 2; i++) {
                GLint value = 0;
                get_program(GL_FRAGMENT_PROGRAM_ARB, what[i], &value);
                most[i] = (unsigned)value > most[i] ? (unsigned)value : most[i];
            }
        }
        at = next;
    }
    printf("%u programs, %u failed; at most %u indirections, %u temporaries (%s)\n", programs, failed,
           most[0], most[1], (const char *)get_string(GL_RENDERER));
    free(text);
    return failed != 0 || programs == 0;
}
