/* Replaces libFuzzer: runs the fuzz target on the named files (all files below a folder), and on every prefix
 * of the small ones. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SMALL = 600 };
static unsigned long files, runs;

/* Copies the input to an allocation of its exact size, so that a sanitizer detects reads beyond the end. */
static void run(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy)
        abort();
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
    runs++;
}

static void replay(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
    if (S_ISDIR(st.st_mode)) {
        struct dirent **entries;
        int n = scandir(path, &entries, NULL, alphasort);
        for (int i = 0; i < n; i++) {
            char below[4096];
            snprintf(below, sizeof below, "%s/%s", path, entries[i]->d_name);
            if (entries[i]->d_name[0] != '.')
                replay(below);
            free(entries[i]);
        }
        if (n >= 0)
            free(entries);
        return;
    }
    FILE *f = fopen(path, "rb");
    size_t size = (size_t)st.st_size;
    uint8_t *data = malloc(size + 1);
    if (!f || !data || fread(data, 1, size, f) != size)
        exit(1);
    fclose(f);
    files++;
    run(data, size);
    for (size_t cut = 0; size <= SMALL && cut < size; cut++)
        run(data, cut);
    free(data);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        replay(argv[i]);
    printf("replayed %lu files, %lu runs\n", files, runs);
    return files == 0;
}
