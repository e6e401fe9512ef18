#!/usr/bin/env python3
"""Measures programs that are linked statically with the library and use one part of it: bytes of text and
data, with unused sections removed, without the C library. The program's own code is about 500 bytes of that.

usage: sizes.py [--table] [-O2 | -Os]      --table: prints the table of notes/sizes.md; without it, compares
                                           with bounds, which hold for gcc on x86-64 (skipped, with status
                                           77, where cc is another compiler)
"""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared.tool import Checks, TOP

# Options that a port to an old machine would use: no position-independent code, no unwind tables.
FLAGS = ['-std=c11', '-ffp-contract=off', '-ffunction-sections', '-fdata-sections', '-fno-pie',
         '-fno-asynchronous-unwind-tables', '-I', TOP]
WORDS = '''
    static struct hwemit_code code;
    static struct hwemit_word word[HWEMIT_TEXENV_WORDS];
    struct hwemit_options o = {.passes = {.level = 2}};
    hwemit_code_init(&code, word, HWEMIT_TEXENV_WORDS);
    done = hwemit_compile(&code, %s, &source, &o, scratch, &why);
'''
ATIFS = '''
    static struct fragprog_atifs out;
    struct fragprog_options o = {.level = 2};
    done = fragprog_compile_atifs(&out, &source, &o, scratch, &why);
'''
TEXT = '''
    static char out[FRAGPROG_LANGUAGE_TEXT];
    struct texenv_text text;
    struct fragprog_options o = {.level = 2};
    struct fragprog_language_options l = {.language = FRAGPROG_%s};
    texenv_text_init(&text, out, sizeof out);
    done = fragprog_compile_language(&text, &source, &o, &l, scratch, &why);
'''
USES = [('texenv alone', '    done = true;\n'), ('programs of ATI_fragment_shader', ATIFS),
        ('GLSL ES', TEXT % 'GLSL_ES_100'), ('ARB programs', TEXT % 'ARBFP')]
USES += [(chip, WORDS % ('&hwemit_' + chip)) for chip in ('r200', 'i830', 'r300', 'r500', 'pica200', 'nv2a')]
USES += [('every chip', WORDS % 'hwemit_find_target("r200")')]
# Upper bounds in KB of 1,024 bytes; "GLSL ES" and "ARB programs" are the two languages that are measured.
BOUNDS = {'-O2': {'r200': 134, 'GLSL ES': 250, 'ARB programs': 250},
          '-Os': {'r200': 99, 'GLSL ES': 250, 'ARB programs': 250}}
PROGRAM = '''#include "hwemit/targets.h"
int main(void)
{
    static struct texenv te;
    static struct texenv_state state;
    static max_align_t scratch[HWEMIT_SCRATCH / sizeof(max_align_t)];
    struct fragprog_source source = {.state = &state};
    struct fragprog_reason why;
    bool done;
    (void)scratch, (void)source, (void)why;
    texenv_init(&te);
    texenv_enable(&te, 0x0DE1, true);
    texenv_tex_env_i(&te, 0x2300, 0x2200, 0x2100);
    if (!texenv_canonicalise(&state, &te, NULL, false, NULL, NULL))
        return 1;
%s    return !done;
}
'''


def run(*command, cwd):
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit('sizes: failed: ' + ' '.join(command))
    return done.stdout


def library(folder, level):
    sources = [os.path.join(place, n) for layer in ('texenv', 'fragprog', 'hwemit')
               for place, _, names in os.walk(os.path.join(TOP, layer)) for n in names if n.endswith('.c')]
    objects = []
    for source in sorted(sources):
        objects.append(os.path.relpath(source, TOP).replace('/', '-') + level + '.o')
        run('cc', *FLAGS, level, '-c', source, '-o', objects[-1], cwd=folder)
    name = 'lib%s.a' % level
    run('ar', 'rc', name, *objects, cwd=folder)
    return name


def size_of(folder, level, archive, body):
    with open(os.path.join(folder, 'use.c'), 'w', encoding='utf-8') as f:
        f.write(PROGRAM % body)
    run('cc', *FLAGS, level, 'use.c', archive, '-no-pie', '-Wl,--gc-sections', '-o', 'use', cwd=folder)
    text, data = run('size', 'use', cwd=folder).split('\n')[1].split()[:2]
    return int(text) + int(data)


def is_gcc_on_x86_64():
    return run('cc', '-dumpmachine', cwd=TOP).startswith('x86_64') and \
        'Free Software Foundation' in run('cc', '--version', cwd=TOP)


def main():
    table = '--table' in sys.argv
    if not table and not is_gcc_on_x86_64():
        sys.exit(77)
    levels = [level for level in BOUNDS if level in sys.argv] or list(BOUNDS)
    checks = Checks('sizes')
    with tempfile.TemporaryDirectory() as folder:
        archives = [library(folder, level) for level in levels]
        if table:
            print('| used |%s\n|---|%s' % (''.join(' %s, KB |' % level for level in levels), '--:|' * len(levels)))
        for name, body in USES:
            sizes = [size_of(folder, *pair, body) / 1024 for pair in zip(levels, archives)]
            if table:
                print('| %s |%s' % (name, ''.join(' %.0f |' % size for size in sizes)))
            for found, level in zip(sizes, levels):
                bound = BOUNDS[level].get(name, 1000)
                checks.check(found <= bound, '%s at %s: %.1f KB, more than %d' % (name, level, found, bound))
    if not table:
        checks.finish()


main()
