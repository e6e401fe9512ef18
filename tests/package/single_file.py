#!/usr/bin/env python3
"""The library as one file (tools/amalgamate): it compiles alone, with gcc and clang, without a warning; its
header is C and C++; each selection of its parts links, needs nothing of the C library but memory and string
functions, and compiles what the whole library compiles; the examples build from it. The golden files run
through it by the ctest golden_single.

usage: single_file.py LIBTEXENV.A [SELECTION...]

SELECTIONs are R200, LANGUAGES and so on; all by default.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared.tool import Checks, TOP

SELECTIONS = {'R200': 'r200', 'I830': 'i830', 'R300': 'r300 r400 r500', 'PICA200': 'pica200', 'NV2A': 'nv2a',
              'ETNAVIV': 'etnaviv', 'IR3': 'ir3', 'I915': 'i915',
              'LANGUAGES': '', 'READERS': ''}
ALLOWED = ('memchr memcmp memcpy memmove memset strchr strcmp strcspn strlen strncmp strspn strrchr '
           'strstr strpbrk').split()
WARNINGS = ['-std=c11', '-Wall', '-Wextra', '-Werror', '-pedantic', '-Wundef', '-Wcast-qual', '-Wstrict-prototypes']
# Macros that other headers define: those of Windows, of Qt, of X11, of glibc.
MACROS = ['interface struct', 'near', 'far', 'small char', 'IN', 'OUT', 'OPTIONAL', 'THIS void',
          'CONST const', 'ERROR 0', 'DELETE 1', 'min(a, b) 0', 'max(a, b) 0', 'emit', 'signals public',
          'slots', 'foreach(a, b) for (;;)', 'None 0L', 'Bool int', 'Status int', 'True 1', 'False 0',
          'Always 2', 'Success 0', 'Complex 0', 'major(x) 0', 'minor(x) 0']
# Names that the header always declares and only these parts define; the usage of tools/amalgamate lists them.
ABSENT = {'LANGUAGES': r'fragprog_(scratch|print_parameter|\w*(language|pair|uniform|interface|arbfp|vertex|is_prefix)\w*)',
          'READERS': r'texenv_(read|trace)_\w+|fragprog_read_ir',
          **dict.fromkeys(('R300', 'ETNAVIV', 'IR3', 'I915'), r'hwemit_(print|check)_machine')}
checks = Checks('single_file')


def run(*command, cwd=None):
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, timeout=600)


def works(*command, cwd=None):
    done = run(*command, cwd=cwd)
    checks.check(done.returncode == 0, '%s:\n%s%s' % (' '.join(command), done.stdout[-500:], done.stderr[-2000:]))
    return done.stdout


def defined(folder, name):
    return {line.split()[-1] for line in works('nm', '--defined-only', '-g', name, cwd=folder).splitlines()}


def example(name, library, folder):
    gles = name == 'gles'
    if gles and run('cc', '-E', '-include', 'GLES2/gl2.h', '-include', 'EGL/egl.h', '-xc', os.devnull).returncode:
        print('single_file: no headers of OpenGL ES, without the example of it')
        return
    works('cc', *WARNINGS, '-DTEXENVC_SINGLE_FILE', '-I', folder, os.path.join(TOP, 'examples', name + '.c'), library,
          *(['-lEGL', '-lGLESv2', '-lm'] if gles else []), '-o', name, cwd=folder)


def selection(folder, name, wanted, public):
    """Tests the single file with one part alone."""
    macros = ['-DTEXENV_WITH_%s' % name]
    if shutil.which('clang'):
        works('clang', *WARNINGS, '-fsyntax-only', *macros, 'texenvc.c', cwd=folder)
    works('cc', *WARNINGS, '-O0', *macros, '-c', 'texenvc.c', '-o', name + '.o', cwd=folder)
    absent = '|'.join(ABSENT[part] for part in ABSENT if part != name)
    lost = {f for f in public - defined(folder, name + '.o') if not re.fullmatch(absent, f)}
    checks.check(not lost, '%s: declared, of no part, and not there: %s' % (name, sorted(lost)))
    needs = {line.split()[-1] for line in works('nm', '-u', name + '.o', cwd=folder).splitlines()}
    checks.check(needs <= set(ALLOWED) | {'_GLOBAL_OFFSET_TABLE_', '__stack_chk_fail'},
                 '%s needs %s' % (name, sorted(needs - set(ALLOWED))))
    works('cc', *WARNINGS, '-DTEXENV_HEADER="texenvc.h"', '-D' + name, 'selection.c', name + '.o', '-o', name,
          cwd=folder)
    out = works(os.path.join(folder, name))
    found = {line.split(':')[0] for line in wanted.splitlines() if ':' in line and '=' in line.split(' ')[1]}
    targets = SELECTIONS[name].split()
    checks.check(set(targets) <= found, '%s: the library has no such target' % name)
    expected = ''.join(line + '\n' for line in wanted.split('== ')[0].splitlines()
                       if line.split(':')[0] in targets)
    if name == 'LANGUAGES':
        expected += wanted[wanted.index('== '):]
    if name == 'LANGUAGES':
        example('gles', name + '.o', folder)
    checks.check(out == expected, '%s: it prints\n%s\nnot\n%s' % (name, out, expected))


def main():
    if not all(shutil.which(x) for x in ('cc', 'nm')):
        sys.exit(77)
    folder = tempfile.mkdtemp()
    try:
        works(sys.executable, os.path.join(TOP, 'tools', 'amalgamate'), folder)
        shutil.copy(os.path.join(TOP, 'tests', 'package', 'selection.c'), folder)
        works('cc', *WARNINGS, '-I', TOP, '-DTEXENV_HEADER="hwemit/targets.h"', '-DLANGUAGES', '-DREADERS',
              'selection.c', os.path.abspath(sys.argv[1]), '-o', 'wanted', cwd=folder)
        wanted = works(os.path.join(folder, 'wanted'))
        checks.check(wanted.count('\n') > 50, 'the library prints\n' + wanted)
        with open(os.path.join(folder, 'texenvc.h'), encoding='utf-8') as f:
            declared = set(re.findall(r'\b(\w+)\(', re.sub(r'/\*.*?\*/', '', f.read(), flags=re.S)))
        works('cc', *WARNINGS, '-O0', '-c', 'texenvc.c', '-o', 'all.o', cwd=folder)
        public = declared & defined(folder, 'all.o')
        checks.check(len(public) > 100, 'only %d public functions' % len(public))
        for name in SELECTIONS:
            if name in sys.argv[2:] or not sys.argv[2:]:
                selection(folder, name, wanted, public)
            else:
                works('cc', *WARNINGS, '-fsyntax-only', '-DTEXENV_WITH_%s' % name, 'texenvc.c', cwd=folder)
        if shutil.which('clang'):
            works('clang', *WARNINGS, '-fsyntax-only', 'texenvc.c', cwd=folder)
        else:
            print('single_file: no clang')
        works('cc', '-std=c11', '-DTEXENV_HEADER="texenvc.h"', '-DLANGUAGES', '-DREADERS', 'selection.c', 'all.o',
              '-o', 'whole', cwd=folder)
        checks.check(works(os.path.join(folder, 'whole')) == wanted, 'the whole file gives other words')
        done = run('cc', '-std=c11', '-O2', '-ffast-math', '-fsyntax-only', 'texenvc.c', cwd=folder)
        checks.check(done.returncode != 0 and 'NaN' in done.stderr, '-ffast-math: ' + done.stderr[-500:])
        works('cc', '-std=c11', '-O2', '-ffast-math', '-fno-finite-math-only', '-fsyntax-only', 'texenvc.c', cwd=folder)
        with open(os.path.join(folder, 'user.cpp'), 'w', encoding='utf-8') as f:
            f.write(''.join('#define %s\n' % macro for macro in MACROS)
                    + '#include "texenvc.h"\nint main() { return !texenv_version(); }\n')
        works('c++', '-std=c++11', '-Wall', '-Wextra', '-Werror', 'user.cpp', 'all.o', '-o', 'user', cwd=folder)
        works(os.path.join(folder, 'user'))
        for name in ('embed', 'mock_driver', 'gles'):
            example(name, 'all.o', folder)
        checks.check('\nMUL r0' in works(os.path.join(folder, 'embed')).replace('  ', ''), 'embed')
    finally:
        shutil.rmtree(folder)
    checks.finish()


main()
