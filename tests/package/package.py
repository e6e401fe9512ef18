#!/usr/bin/env python3
"""Tests an installation as its users see it. The project is built static and shared and installed into a
fresh folder, which is then moved. A C program (the README's example) and a C++ program outside the tree use
it through pkg-config and through find_package. The shared library must export exactly what the public headers
declare; manual pages and completion must name every option; a build in another folder must give the same
bytes; the Debian package must install into an empty root and leave nothing behind when it is removed; the
oracle must install as a Python module.

usage: package.py [--again] [CMAKE_OPTION...]

--again: also compares with a second build. Options are for building the library, such as a compiler launcher.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared.tool import Checks, TOP

PUBLIC = ['texenv/texenv.h', 'texenv/vertex.h', 'texenv/values.h', 'texenv/c_token.h', 'fragprog/fragprog.h',
          'fragprog/ir.h', 'fragprog/atifs.h', 'fragprog/arb_program.h', 'fragprog/backend.h',
          'fragprog/constants.h', 'fragprog/alias.h', 'fragprog/reads.h', 'fragprog/fixed_vertex.h',
          'fragprog/pair.h', 'fragprog/pair_cache.h', 'hwemit/hwemit.h', 'hwemit/targets.h', 'hwemit/cache.h']
GENERATOR = ['-G', 'Ninja'] if shutil.which('ninja') else []  # quicker than make
AGAIN = '--again' in sys.argv
checks = Checks('package')


def run(*command, env=None, cwd=None):
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=dict(os.environ,
        **(env or {})), timeout=600)


def needed(*command, **how):
    """Runs a command without which the rest of the test makes no sense: ends the test if it fails. Returns
    its output."""
    done = run(*command, **how)
    if not checks.check(done.returncode == 0, '%s:\n%s%s' % (' '.join(command), done.stdout[-2000:],
                                                             done.stderr[-2000:])):
        checks.finish()
    return done.stdout


def read(*path):
    with open(os.path.join(*path), encoding='utf-8') as f:
        return f.read()


def readme_program():
    """Returns the README's example made into a whole program, which prints its result."""
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


def header_version():
    return '.'.join(re.findall(r'#define TEXENV_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)', read(TOP, PUBLIC[0])))


def judge(program, source, how):
    """Checks that the program runs and prints the right result. `how` is its environment: with pkg-config,
    LD_LIBRARY_PATH leads to the shared library; with CMake, the program itself names the path."""
    done = run(program, env=how)
    checks.check(done.returncode == 0, '%s of %s: exit status %d %s' % (program, source, done.returncode,
        done.stderr))
    version = header_version()
    checks.check(done.stdout.startswith(version), '%s: the library says it is %s'
                 % (source, done.stdout[:20]))
    # MODULATE with one RGBA texture: the texel times the primary colour, in RGB and in alpha
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
           '-DSOURCE=' + source, '-DWANTED=' + header_version().rsplit('.', 1)[0], '-DLANGUAGE=' + ('C' if source == 'user.c' else 'CXX'))
    needed('cmake', '--build', build)
    judge(os.path.join(build, 'user'), source, {})


def find(prefix, name, folder=False, directory=False):
    for place, folders, names in os.walk(prefix):
        if name in (folders if directory else names):
            return place if folder else os.path.join(place, name)
    checks.check(False, '%s: no %s' % (prefix, name))
    checks.finish()


def declared():
    """Returns the functions and objects that the public headers declare, which is done outside of braces."""
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
    # an absolute symbol is the name of a version
    return {line.split()[-1].split('@')[0] for line in listing.splitlines() if line.split()[-2] != 'A'} - {
        '_init', '_fini'}


def compare_exports(path):
    wanted, there = declared(), exported(path)
    checks.check(len(wanted) > 60, 'only %d declarations found in the public headers' % len(wanted))
    for name in sorted(there - wanted):
        checks.check(False, '%s is exported, and no public header declares it' % name)
    for name in sorted(wanted - there):
        checks.check(False, '%s is declared, and not exported' % name)


def from_outside(prefix, folder):
    """Runs the installed programs from a folder outside the tree. `equiv` must find the installed oracle."""
    with open(os.path.join(folder, 'a.stages'), 'w', encoding='utf-8') as f:
        f.write('{T0*F}\n')
    texenvc = os.path.join(prefix, 'bin', 'texenvc')
    out = needed(texenvc, 'convert', 'a.stages', cwd=folder, env={'PYTHONPATH': ''})
    checks.check('MUL r0' in out, 'the installed program prints\n' + out)
    out = run(texenvc, 'equiv', 'a.stages', 'a.stages', cwd=folder, env={'PYTHONPATH': '',
        'PYTHONDONTWRITEBYTECODE': '1'})
    checks.check(out.returncode == 0, 'the installed program cannot compare: ' + out.stderr)
    launcher = os.path.join(os.path.dirname(texenvc), 'texenv-shim')
    if os.path.exists(launcher):  # it exists only where OpenGL was found
        out = run(launcher, '--quiet', 'true', cwd=folder)
        checks.check(out.returncode == 0 and not out.stderr, 'the installed launcher: ' + out.stderr)


# Four draws with one environment, which is compiled once. Before the second draw its colour is changed,
# before the third it is changed back, and before the fourth nothing is set.
COLORS = '''1 glXMakeCurrent(dpy = 0x1, drawable = 1, ctx = 0x2) = True
2 glEnable(cap = GL_TEXTURE_2D)
3 glTexImage2D(target = GL_TEXTURE_2D, level = 0, internalformat = GL_RGBA, width = 1, height = 1, \
border = 0, format = GL_RGBA, type = GL_UNSIGNED_BYTE, pixels = NULL)
4 glTexParameteri(target = GL_TEXTURE_2D, pname = GL_TEXTURE_MIN_FILTER, param = GL_LINEAR)
5 glTexEnvi(target = GL_TEXTURE_ENV, pname = GL_TEXTURE_ENV_MODE, param = GL_BLEND)
6 glTexEnvfv(target = GL_TEXTURE_ENV, pname = GL_TEXTURE_ENV_COLOR, params = {0.25, 0.5, 0.75, 1})
7 glDrawArrays(mode = GL_TRIANGLES, first = 0, count = 3)
8 glTexEnvfv(target = GL_TEXTURE_ENV, pname = GL_TEXTURE_ENV_COLOR, params = {1, 0.5, 0.75, 1})
9 glDrawArrays(mode = GL_TRIANGLES, first = 0, count = 3)
10 glTexEnvfv(target = GL_TEXTURE_ENV, pname = GL_TEXTURE_ENV_COLOR, params = {0.25, 0.5, 0.75, 1})
11 glDrawArrays(mode = GL_TRIANGLES, first = 0, count = 3)
12 glDrawArrays(mode = GL_TRIANGLES, first = 0, count = 3)
'''.replace('\\\n', '')


def examples(folder, source, flags, environment):
    """Compiles the examples in the folder `source` with `flags`, and checks what they print."""
    gles = run('cc', '-E', '-include', 'GLES2/gl2.h', '-include', 'EGL/egl.h', '-xc', os.devnull).returncode == 0
    for name, libraries in (('embed', []), ('mock_driver', []), ('gles', ['-lEGL', '-lGLESv2', '-lm'])):
        if name != 'gles' or gles:
            needed('cc', '-std=c11', '-Wall', '-Wextra', '-Werror', os.path.join(source, name + '.c'), *flags,
                   *libraries, '-o', os.path.join(folder, name))
    out = run(os.path.join(folder, 'embed'), env=environment).stdout
    checks.check(re.search(r'\n\s*MUL r0(\.rgba)?\.sat, (color0, r0|r0, color0);', out), 'embed: it printed\n' + out)
    with open(os.path.join(folder, 'colors.trace'), 'w', encoding='utf-8') as f:
        f.write(COLORS)
    mock = os.path.join(folder, 'mock_driver')
    out = run(mock, '--check', os.path.join(folder, 'colors.trace'), env=environment).stdout
    checks.check('4 draws: 1 unchanged, 2 hits, 1 compiled, 0 refused\n' in out, 'mock_driver: ' + out)
    checks.check(' 2 colours changed' in out and '\n0 stale\n' in out, 'mock_driver: ' + out)
    for trace in glob.glob(os.path.join(TOP, 'tests', 'corpus', '*.trace')):
        done = run(mock, '--check', trace, env=environment)
        checks.check(done.returncode == 0 and '0 stale\n' in done.stdout, '%s: %s' % (trace, done.stdout))


def documents(prefix):
    """Checks that manual pages and completion name every option of --help, and that man and the shells can
    read them."""
    texenvc = os.path.join(prefix, 'bin', 'texenvc')
    page, bash = read(find(prefix, 'texenvc.1')), find(prefix, 'bash-completion', directory=True)
    bash = os.path.join(bash, 'completions', 'texenvc')
    commands = re.findall(r'^  (\w+)  +\S', needed(texenvc, '--help'), re.M)
    checks.check(len(commands) >= 10, 'only %d commands in --help' % len(commands))
    for command in commands:
        known = needed('bash', '-c', 'source "$1"; COMP_CWORD=2 COMP_WORDS=(texenvc "$2" -); '
                       '_texenvc texenvc - "$2"; printf "%s\n" "${COMPREPLY[@]}"', 'bash', bash, command).split()
        for option in re.findall(r'^ {2,6}(?:-\w, )?(--?[\w-]+)', needed(texenvc, command, '--help').split(
                'Options:\n')[1].split('\n\n')[0], re.M):
            checks.check(option in known, '%s %s: bash does not complete it' % (command, option))
            checks.check(option.replace('-', '\\-') in page, '%s %s: texenvc(1) has it not' % (command, option))
    values = needed('bash', '-c', 'source "$1"; COMP_CWORD=4 COMP_WORDS=(texenvc convert --to = r); '
                    '_texenvc texenvc r =; printf "%s\n" "${COMPREPLY[@]}"', 'bash', bash).split()
    checks.check({'r200', 'r300', 'r400', 'r500'} <= set(values), 'bash completes --to=r to %s' % values)
    if shutil.which('zsh'):
        needed('zsh', '-n', find(prefix, '_texenvc'))
    for name in ('texenvc.1', 'texenv-formats.5'):
        path = find(prefix, name)
        checks.check(header_version() in read(path).split('\n')[0], '%s: no version in its head' % path)
        if shutil.which('man'):
            done = run('man', '--warnings', '-E', 'UTF-8', '-l', '-Tutf8', '-Z', path)
            checks.check(done.returncode == 0 and not done.stderr, '%s: %s' % (name, done.stderr))


def contents(folder):
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            with open(path, 'rb') as f:
                found[os.path.relpath(path, folder)] = os.readlink(path) if os.path.islink(path) else f.read()
    return found


def again(folder, options, prefix):
    """Checks that sources and a build in other folders give the same bytes, without a compiler cache."""
    source, build = os.path.join(folder, 'elsewhere'), os.path.join(folder, 'another')
    shutil.copytree(TOP, source, ignore=shutil.ignore_patterns('build*', '.git', '__pycache__'))
    configure(source, build, os.path.join(folder, 'static-first'), ['-DCMAKE_C_FLAGS=-g', *options])
    needed('cmake', '--build', build, '-j2', env={'CCACHE_DISABLE': '1'})
    needed('cmake', '--install', build, env={'DESTDIR': os.path.join(folder, 'root')})
    one = contents(prefix)
    two = contents(os.path.join(folder, 'root', folder[1:], 'static-first'))
    checks.check(one.keys() == two.keys(), 'other files: %s' % (one.keys() ^ two.keys()))
    for path in sorted(one.keys() & two.keys()):
        checks.check(one[path] == two[path], '%s differs between two builds' % path)


def debian(folder, build):
    """Checks that the package installs into an empty root, that its program runs, and that removing it leaves
    nothing behind."""
    if not shutil.which('dpkg-deb') or not shutil.which('dpkg-shlibdeps'):
        print('package: no dpkg: the Debian package is not made')
        return
    needed('cmake', '-DCMAKE_INSTALL_PREFIX=/usr', '-UCMAKE_INSTALL_LIBDIR', build)
    needed('cmake', '--build', build, '-j2')  # links again: the relative paths to libraries have changed
    # cpack gives this time to the files of the package
    needed('cpack', '-G', 'DEB', cwd=build, env={'SOURCE_DATE_EPOCH': '1700000000'})
    package = [name for name in os.listdir(build) if name.endswith('.deb')]
    checks.check(len(package) == 1 and header_version() in package[0], 'packages: %s' % package)
    package, root = os.path.join(build, package[0]), os.path.join(folder, 'debian')
    for name in ('info', 'updates'):
        os.makedirs(os.path.join(root, 'var/lib/dpkg', name))
    for name in ('status', 'available'):
        open(os.path.join(root, 'var/lib/dpkg', name), 'w', encoding='utf-8').close()
    dpkg = ['dpkg', '--root=' + root, '--force-not-root', '--force-depends', '--force-script-chrootless',
            '--log=' + os.path.join(folder, 'dpkg.log')]
    needed(*dpkg, '-i', package)
    out = run(os.path.join(root, 'usr/bin/texenvc'), '--version').stdout
    checks.check(header_version() in out, 'the program of the package says ' + out)
    for name in ('texenvc.1', 'texenv.h', 'texenvConfig.cmake', 'texenv.pc', 'CHANGELOG.md'):
        find(root, name)
    needed(*dpkg, '--purge', 'texenvc')
    left = [path for path in contents(root) if not path.startswith('var/lib/dpkg/')]
    checks.check(not left, 'the package leaves %s' % left)
    checks.check(not os.path.exists(os.path.join(root, 'usr')), 'the package leaves folders')


def oracle_module(folder):
    checks.check('version = "%s"' % header_version() in read(TOP, 'pyproject.toml'), 'pyproject.toml: version')
    python = next((p for p in (sys.executable, '/usr/bin/python3')
                   if os.path.exists(p) and not run(p, '-c', 'import setuptools, pip, wheel').returncode), None)
    if not python:
        print('package: no Python with pip, setuptools and wheel: the oracle is not installed')
        return
    source, place = os.path.join(folder, 'python'), os.path.join(folder, 'site')
    os.mkdir(source)
    for name in ('oracle', 'pyproject.toml'):
        path = os.path.join(TOP, name)
        if os.path.isdir(path):
            shutil.copytree(path, os.path.join(source, name), ignore=shutil.ignore_patterns('__pycache__'))
        else:
            shutil.copy(path, source)
    needed(python, '-m', 'pip', 'install', '-q', '--no-index', '--no-deps', '--no-build-isolation',
           '--target', place, source)
    program = os.path.join(place, 'bin', 'texenv-oracle')
    done = run(python, program, '--help', cwd=folder, env={'PYTHONPATH': place})
    checks.check(done.returncode == 0 and 'equiv' in done.stdout, 'texenv-oracle: ' + done.stderr)


def configure(source, build, prefix, options):
    needed('cmake', *GENERATOR, '-S', source, '-B', build, '-DTEXENV_TESTS=OFF', '-DCMAKE_BUILD_TYPE=None',
           '-DCMAKE_INSTALL_PREFIX=' + prefix, *options)


def installation(kind, folder, options):
    build, first, prefix = (os.path.join(folder, kind + end) for end in ('-build', '-first', '-moved'))
    configure(TOP, build, first, ['-DCMAKE_C_FLAGS=-g',
        '-DBUILD_SHARED_LIBS=' + ('ON' if kind == 'shared' else 'OFF'), *options])
    needed('cmake', '--build', build, '-j2')
    needed('cmake', '--install', build)
    if kind == 'static':
        debian(folder, build)
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
    libraries = os.path.dirname(find(prefix, 'texenv.pc', folder=True))
    flags = needed('pkg-config', '--cflags', '--libs', 'texenv',
                   env={'PKG_CONFIG_PATH': os.path.join(libraries, 'pkgconfig')}).split()
    examples(users, find(prefix, 'embed.c', folder=True), flags, {'LD_LIBRARY_PATH': libraries})
    documents(prefix)
    if kind == 'shared':
        path = os.path.realpath(find(prefix, 'libtexenv.so'))
        compare_exports(path)
        symbols = needed('nm', '-D', '--with-symbol-versions', '--defined-only', path)
        node = '@@TEXENV_' + header_version().rsplit('.', 1)[0]
        checks.check('texenv_init' + node + '\n' in symbols, 'the library has no versions of symbols')
    elif AGAIN:
        again(folder, options, prefix)


def main():
    for name in ('cmake', 'pkg-config', 'cc', 'c++', 'nm'):
        if not shutil.which(name):
            print('%s is not installed' % name)
            sys.exit(77)
    folder = tempfile.mkdtemp()
    try:
        oracle_module(folder)
        for kind in ('static', 'shared'):
            installation(kind, folder, [a for a in sys.argv[1:] if a != '--again'])
    finally:
        shutil.rmtree(folder)
    checks.finish()


main()
