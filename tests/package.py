#!/usr/bin/env python3
"""An installation, as strangers use it: built static and shared, installed into a fresh folder that is then
moved, and used from outside of the tree by a C and a C++ program, by pkg-config and by find_package. The C
program is the README's example. The shared library exports what the public headers declare, and nothing else.

usage: package.py [CMAKE_OPTION...]      options for building the library, such as a compiler launcher
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

from tool import Checks, TOP

PUBLIC = ['texenv/texenv.h', 'fragprog/fragprog.h', 'hwemit/hwemit.h']
GENERATOR = ['-G', 'Ninja'] if shutil.which('ninja') else []  # the quicker one
checks = Checks('package')


def run(*command, env=None, cwd=None):
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=dict(os.environ,
        **(env or {})), timeout=600)


def needed(*command, **how):
    """Like run; what follows makes no sense if it fails."""
    done = run(*command, **how)
    if not checks.check(done.returncode == 0, '%s:\n%s%s' % (' '.join(command), done.stdout[-2000:],
                                                             done.stderr[-2000:])):
        checks.finish()
    return done.stdout


def read(*path):
    with open(os.path.join(*path), encoding='utf-8') as f:
        return f.read()


def readme_program():
    """The README's example as a whole program, which prints what it made."""
    example = re.search(r'## The library\n.*?```c\n(.*?)```', read(TOP, 'README.md'), re.S).group(1)
    return ''.join('#include %s\n' % h for h in ['<stdio.h>', '<string.h>'] + ['"%s"' % h
        for h in PUBLIC]) + '''
/* From the registry of OpenGL: its headers are not needed. */
#define GL_TEXTURE_2D 0x0DE1
#define GL_TEXTURE_ENV 0x2300
#define GL_TEXTURE_ENV_MODE 0x2200
#define GL_MODULATE 0x2100

#if TEXENV_VERSION_NUMBER < 100
#error "the version of the header is no number of this project"
#endif
static void example(char *out, size_t size)
{
    struct texenv_text text;
    texenv_text_init(&text, out, size);
%s
    fragprog_print_atifs(&text, &program);
}

int main(void)
{
    char out[4096] = "";
    if (!hwemit_find_target("r300") || texenv_version_number() != TEXENV_VERSION_NUMBER
        || strcmp(texenv_version(), TEXENV_VERSION) != 0)
        return 1;
    example(out, sizeof out);
    printf("%%s\\n%%s", texenv_version(), out);
    return 0;
}
''' % example


def write_users(folder):
    with open(os.path.join(folder, 'user.c'), 'w', encoding='utf-8') as f:
        f.write(readme_program())
    shutil.copy(os.path.join(TOP, 'tests', 'package', 'user.cpp'), folder)
    with open(os.path.join(folder, 'CMakeLists.txt'), 'w', encoding='utf-8') as f:
        f.write('cmake_minimum_required(VERSION 3.16)\nproject(user LANGUAGES ${LANGUAGE})\n'
                'find_package(texenv ${WANTED} REQUIRED)\n'
                'add_executable(user ${SOURCE})\ntarget_link_libraries(user PRIVATE texenv::texenv)\n')


def judge(program, source, how):
    """The program runs, where the loader finds a shared library by what the build wrote down, or by
    LD_LIBRARY_PATH."""
    done = run(program, env=how)
    checks.check(done.returncode == 0, '%s of %s: exit status %d %s' % (program, source, done.returncode,
        done.stderr))
    version = '.'.join(re.findall(r'#define TEXENV_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)',
                                  read(TOP, PUBLIC[0])))
    checks.check(done.stdout.startswith(version), '%s: the library says it is %s'
                 % (source, done.stdout[:20]))
    # MODULATE of one RGBA texture: the texel times the primary colour, in both halves.
    wanted = r'\n\s*MUL r0(\.rgba)?\.sat, (color0, r0|r0, color0);' if source == 'user.c' else r' arbfp r200\n'
    checks.check(re.search(wanted, done.stdout), '%s: it printed\n%s' % (source, done.stdout))


def by_pkg_config(prefix, folder, source, kind):
    libraries = os.path.dirname(find(prefix, 'texenv.pc', folder=True))
    flags = needed('pkg-config', '--cflags', '--libs', *(['--static'] if kind == 'static' else []), 'texenv',
                   env={'PKG_CONFIG_PATH': os.path.join(libraries, 'pkgconfig')}).split()
    language = ['cc', '-std=c11'] if source == 'user.c' else ['c++', '-std=c++11']
    program = os.path.join(folder, 'by-pkg-config-' + source.replace('.', '-'))
    needed(*language, '-Wall', '-Wextra', '-Werror', source, '-o', program, *flags, cwd=folder)
    judge(program, source, {'LD_LIBRARY_PATH': libraries})


def by_find_package(prefix, folder, source):
    build = os.path.join(folder, 'by-cmake-' + source.replace('.', '-'))
    needed('cmake', *GENERATOR, '-S', folder, '-B', build, '-DCMAKE_PREFIX_PATH=' + prefix,
           '-DSOURCE=' + source, '-DWANTED=0.1', '-DLANGUAGE=' + ('C' if source == 'user.c' else 'CXX'))
    needed('cmake', '--build', build)
    judge(os.path.join(build, 'user'), source, {})


def find(prefix, name, folder=False):
    for place, _, names in os.walk(prefix):
        if name in names:
            return place if folder else os.path.join(place, name)
    checks.check(False, '%s: no %s' % (prefix, name))
    checks.finish()


def declared():
    """Functions and objects that the public headers declare: what stands outside of braces."""
    names = set()
    for header in PUBLIC:
        text = needed('cc', '-E', '-P', '-x', 'c', '-I', TOP, os.path.join(TOP, header))
        flat = re.sub(r'"[^"]*"', '', text)
        while (shorter := re.sub(r'\{[^{}]*\}', ' ; ', flat)) != flat:
            flat = shorter
        for statement in flat.split(';'):
            m = re.search(r'\b((?:texenv|fragprog|hwemit)_\w+)\s*(?:[([]|$)', statement)
            if m and not re.search(r'\b(static|typedef)\b|^\s*(struct|enum) \w+\s*$', statement):
                names.add(m.group(1))
    return names


def exported(path):
    listing = needed('nm', '-D', '--defined-only', path)
    return {line.split()[-1].split('@')[0] for line in listing.splitlines()} - {'_init', '_fini'}


def compare_exports(path):
    wanted, there = declared(), exported(path)
    checks.check(len(wanted) > 60, 'only %d declarations found in the public headers' % len(wanted))
    for name in sorted(there - wanted):
        checks.check(False, '%s is exported, and no public header declares it' % name)
    for name in sorted(wanted - there):
        checks.check(False, '%s is declared, and not exported' % name)


def from_outside(prefix, folder):
    """The installed program, in a folder that knows nothing of the tree; `equiv` runs the installed oracle's
    rules of formats."""
    with open(os.path.join(folder, 'a.stages'), 'w', encoding='utf-8') as f:
        f.write('{T0*F}\n')
    texenvc = find(prefix, 'texenvc')
    out = needed(texenvc, 'convert', 'a.stages', cwd=folder, env={'PYTHONPATH': ''})
    checks.check('MUL r0' in out, 'the installed program prints\n' + out)
    out = run(texenvc, 'equiv', 'a.stages', 'a.stages', cwd=folder, env={'PYTHONPATH': '',
        'PYTHONDONTWRITEBYTECODE': '1'})
    checks.check(out.returncode == 0, 'the installed program cannot compare: ' + out.stderr)
    launcher = os.path.join(os.path.dirname(texenvc), 'texenv-shim')
    if os.path.exists(launcher):  # where there is OpenGL
        out = run(launcher, '--quiet', 'true', cwd=folder)
        checks.check(out.returncode == 0 and not out.stderr, 'the installed launcher: ' + out.stderr)


def installation(kind, folder, options):
    build, first, prefix = (os.path.join(folder, kind + end) for end in ('-build', '-first', '-moved'))
    needed('cmake', *GENERATOR, '-S', TOP, '-B', build, '-DTEXENV_TESTS=OFF',
           '-DBUILD_SHARED_LIBS=' + ('ON' if kind == 'shared' else 'OFF'),
           '-DCMAKE_BUILD_TYPE=None', '-DCMAKE_INSTALL_PREFIX=' + first, *options)
    needed('cmake', '--build', build, '-j2')
    needed('cmake', '--install', build)
    shutil.rmtree(build)
    os.rename(first, prefix)
    users = os.path.join(folder, kind + '-users')
    os.mkdir(users)
    write_users(users)
    for place, _, names in os.walk(prefix):
        for name in names:
            if name.endswith(('.pc', '.cmake', '.h', '.def')):
                checks.check(TOP not in read(place, name) and folder not in read(place, name),
                             '%s names a folder of the build' % name)
    for source in ('user.c', 'user.cpp'):
        by_pkg_config(prefix, users, source, kind)
        by_find_package(prefix, users, source)
    from_outside(prefix, users)
    if kind == 'shared':
        compare_exports(os.path.realpath(find(prefix, 'libtexenv.so')))


def main():
    for name in ('cmake', 'pkg-config', 'cc', 'c++', 'nm'):
        if not shutil.which(name):
            print('%s is not installed' % name)
            sys.exit(77)
    folder = tempfile.mkdtemp()
    try:
        for kind in ('static', 'shared'):
            installation(kind, folder, sys.argv[1:])
    finally:
        shutil.rmtree(folder)
    checks.finish()


main()
