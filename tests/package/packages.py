#!/usr/bin/env python3
"""Tests the packages for npm and Python, each unpacked into an empty folder. Their functions must return what
the command prints, errors must be exceptions that name a place in the input, the declared types must hold,
and memory use must not grow.

usage: packages.py npm|wheel BUILD [CALLS]
  BUILD   folder where packages are built
  CALLS   number of further calls, after which memory use must be what it was before

Skipped (77) where node or a compiler for WebAssembly is missing.
"""
import glob
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from base64 import urlsafe_b64encode

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../..'))
from tests.shared.tool import Checks, Run, TEXENVC, TOP

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = os.path.join(TOP, 'tools', 'package')
FORMS = ('glsl', 'glsl-es-300', 'arbfp', 'atifs', 'json', 'gl', 'r200', 'r300', 'ir3', 'pica200')
CALLS = 50      # calls of each function
checks = Checks('packages')
GIVEN = {'texels': [[(37 * u + 11 * c) % 256 / 255 for c in range(4)] for u in range(8)],
         'primary': [0.25, 0.5, 0.75, 1], 'secondary': [0.125, 0.25, 0.5]}
# OTHERWISE: keys of index.d.ts that are not options of the command. WITHOUT: options that index.d.ts leaves
# out, because they write files or to standard error, because the functions set them, or because they need the
# oracle.
OTHERWISE = {'diagnostics', 'level', 'texels', 'primary', 'secondary', 'colors'}
WITHOUT = {'output', 'reflect', 'reflect-c', 'page', 'print-after', 'rule-counts', 'diag', 'json', 'input',
           'quiet', 'help', 'verify-each'}
# function, input, options; the exception that must be raised, its place (line, column, unit), a part of its
# text
BAD = [
    ('convert', '{T0*P} {T1+Q}', {}, 'InputError', [1, 12, 1], 'unknown name `Q`'),
    ('convert', '\n{T0*P', {'to': 'glsl'}, 'InputError', [2, 6, 0], 'missing `}`'),
    ('convert', '', {}, 'InputError', [1, 1, None], 'no OpenGL call'),
    ('convert', '\0\1\2', {}, 'InputError', [1, 1, None], 'byte 0x0'),
    ('convert', 'glEnable(GL_TEXTURE_2D', {}, 'InputError', [1, None, None], ''),
    ('convert', '{' * 100000, {}, 'InputError', [1, None, None], 'missing `}`'),
    ('convert', '{T7*P}', {'to': 'pica200'}, 'TargetError', [1, 1, 7], 'no such texture unit'),
    ('convert', '{T0*P}', {'printAfter': 'all'}, 'UsageError', [None] * 3, 'printed on standard error'),
    ('convert', '{T0*P}', {'ruleCounts': True}, 'UsageError', [None] * 3, 'printed on standard error'),
    ('convert', '{T0*P}', {'to': 'gsl'}, 'UsageError', [None] * 3, "--to does not take 'gsl'"),
    ('convert', '{T0*P}', {'too': 'glsl'}, 'UsageError', [None] * 3, "unknown option '--too'"),
    ('convert', '{T0*P}', {'to': 'gl\0sl'}, 'UsageError', [None] * 3, 'NUL'),
    ('convert', '{T0*P}', {'to': {'a': 1}}, 'UsageError', [None] * 3, 'a text, a number'),
    ('convert', None, {}, 'UsageError', [None] * 3, 'the input:'),
    ('convert', 5, {}, 'UsageError', [None] * 3, 'the input:'),
    ('explain', '{T0*P} }', {}, 'InputError', [1, 8, None], ''),
    ('explain', '{T0*P}', {'target': 'r200'}, 'UsageError', [None] * 3, 'does not take --target'),
    ('report', '{T9*P}', {'target': 'r200'}, 'InputError', [1, None, None], ''),
    ('report', '{T0*P}', {'target': 'r100'}, 'UsageError', [None] * 3, 'r100'),
    ('evaluate', '{T0*P}', {}, 'UsageError', [None] * 3, 'reads T0, primary'),
    ('evaluate', '{T0*P}', {'texels': [[1, 1, 1, 2]]}, 'UsageError', [None] * 3, 'T0: 4 numbers in [0,1]'),
    ('evaluate', '{T0*P}', {'texels': [[1, 1, 1]]}, 'UsageError', [None] * 3, 'T0: 4 numbers in [0,1]'),
    ('evaluate', '{T0*P}', {'texels': [['a', 1, 1, 1]]}, 'UsageError', [None] * 3, 'T0: 4 numbers in [0,1]'),
    ('evaluate', '{T0*P}', {'texels': 7}, 'UsageError', [None] * 3, ''),
    ('evaluate', '{T0', {}, 'InputError', [1, 4, 0], ''),
    ('vectors', None, {'tags': 'nonsense'}, 'UsageError', [None] * 3, "no tag 'nonsense'"),
]


def cases():
    """Returns calls of the functions, with the results that the command gives for them."""
    states = []
    for name in ('recorded', 'public'):
        with open(os.path.join(TOP, 'tests', 'corpus', name + '.stages'), encoding='utf-8') as f:
            states += [line.rstrip('\n') for line in f if line.startswith('{')]
    states = states[::max(len(states) // CALLS, 1)][:CALLS]
    checks.check(len(states) == CALLS, '%d states' % len(states))
    numbers = ['--input=T%d=%s' % (u, ','.join(map(repr, t))) for u, t in enumerate(GIVEN['texels'])] + [
        '--input=%s=%s' % (n, ','.join(map(repr, GIVEN[n]))) for n in ('primary', 'secondary')]
    out = []
    for n, state in enumerate(states):
        form = FORMS[n % len(FORMS)]
        chip = ('r200', 'nv2a', 'i830', 'etnaviv')[n % 4]
        for function, options, args in (
                ('convert', {'to': form, 'level': n % 4}, ['--to', form, '-O%d' % (n % 4)]),
                ('explain', {'level': 2}, []),
                ('report', {'target': chip, 'mostWork': 100000}, ['--target', chip, '--json', '--most-work=100000']),
                ('evaluate', GIVEN, ['--json'] + numbers)):
            run = Run([function, '-', *args], stdin=state)
            wanted = run.out if function in ('convert', 'explain') else json.loads(run.out)
            if function == 'evaluate':
                wanted = wanted['states']
            fails = run.status != 0 and (run.status != 3 or function != 'report')
            out.append({'function': function, 'input': state, 'options': options,
                        'want': 'TargetError' if fails else wanted, 'fails': fails})
            checks.check(not fails or run.status == 3, '%s %s: status %d' % (function, state, run.status))
    for n in range(CALLS):
        tags = ('', 'lighting,dot3,-crossbar')[n % 2]
        out.append({'function': 'vectors', 'input': None, 'options': {'tags': tags}, 'want': count(tags),
                    'fails': False})
    return out


def count(tags):
    """Returns the names of the vectors that the oracle writes for these tags, sorted."""
    if tags not in count.known:
        with tempfile.TemporaryDirectory() as folder:
            Run(['vectors', '-o', folder] + (['--tags=' + tags] if tags else []))
            with open(os.path.join(folder, 'texenv-vectors.json'), encoding='utf-8') as f:
                data = json.load(f)
        count.known[tags] = sorted(v['name'] for v in data['vectors'] + data['vertices'])
    return count.known[tags]


count.known = {}


def run(folder, command, **environment):
    clean = {k: v for k, v in os.environ.items() if not k.startswith(('PYTHON', 'TEXENVC'))}
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=dict(clean, **environment))
    print(done.stdout.strip())
    return checks.check(done.returncode == 0, '%s: status %d' % (' '.join(command), done.returncode))


def write(folder, name, text):
    with open(os.path.join(folder, name), 'w', encoding='utf-8') as f:
        f.write(text)


def packed(build, what, *args):
    """Builds a package and returns the path of its file."""
    done = subprocess.run([os.path.join(PACKAGE, 'packages'), '-o', build, what, *args],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(done.stdout.strip())
    if done.returncode == 77:
        sys.exit(77)
    if not checks.check(done.returncode == 0, 'packages %s: status %d' % (what, done.returncode)):
        checks.finish()
    found = glob.glob(os.path.join(build, '*.tgz' if what == 'npm' else '*.whl'))
    checks.check(len(found) == 1, 'built: %s' % found)
    return found[0]


def options_of(command):
    """Returns two sets: the options in the --help of a command, and those among them that concern C source,
    which the package for npm cannot read."""
    found = re.findall(r'^  (?:-\w, |    )--([\w-]+)(.*?)(?=^  -|^ {6}--|^\S)',
                       Run([command, '--help']).out, re.M | re.S)
    return {name for name, _ in found}, {name for name, text in found if ' C source: ' in text}


def declared():
    """Checks that index.d.ts declares the options of the commands, and no others."""
    with open(os.path.join(PACKAGE, 'npm', 'index.d.ts'), encoding='utf-8') as f:
        found = re.findall(r'^export interface (\w+)Options(?: extends (\w+)Options)? {\n(.*?)^}',
                           f.read(), re.M | re.S)
    own = {name: (parent, re.findall(r'^    (\w+)\??:', body, re.M)) for name, parent, body in found}
    for command in ('convert', 'explain', 'report', 'evaluate'):
        known, absent = options_of(command)
        parent, names = command.capitalize(), set()
        while parent:
            parent, keys = own[parent]
            names |= {re.sub('[A-Z]', lambda m: '-' + m.group().lower(), key) for key in keys}
        names -= OTHERWISE
        checks.check(names <= known, '%s has no --%s' % (command, ' --'.join(names - known)))
        absent |= WITHOUT
        checks.check(known - absent <= names, '%s: not declared: %s' % (command, known - absent - names))
        checks.check(not absent & names, '%s: declared, and of no use: %s' % (command, absent & names))
        checks.check(len(known) >= 15, '%s: %d options' % (command, len(known)))


def without_compiler(folder):
    """Checks that without a compiler for WebAssembly the missing packages are named, and that a build folder
    left by a failed configuration is configured again."""
    tools, out = (os.path.join(folder, name) for name in ('tools', 'out'))
    os.makedirs(os.path.join(out, 'native-objects'))
    write(out, 'native-objects/CMakeCache.txt', '')
    os.mkdir(tools)
    write(tools, 'cmake', '#!/bin/sh\nexit 1\n')
    os.chmod(os.path.join(tools, 'cmake'), 0o755)
    packages = [sys.executable, os.path.join(PACKAGE, 'packages'), '-o', out]
    for what, status, texts in (('wasm', 77, ('clang', 'wasm-ld')), ('wheel', 1, ('cmake -S ',))):
        done = subprocess.run([*packages, what], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env=dict(os.environ, PATH=tools))
        checks.check(done.returncode == status and all(text in done.stdout for text in texts),
                     'packages %s: status %d: %s' % (what, done.returncode, done.stdout))


def npm(build, folder):
    if not shutil.which('node'):
        print('packages: skipped: node is missing')
        sys.exit(77)
    path = packed(build, 'npm')
    modules = os.path.join(folder, 'node_modules')
    with tarfile.open(path) as tar:
        tar.extractall(modules)
    os.rename(os.path.join(modules, 'package'), os.path.join(modules, 'texenvc'))
    shutil.copy(os.path.join(HERE, 'packages_test.mjs'), folder)
    run(folder, ['node', 'packages_test.mjs', *sys.argv[3:]])
    if shutil.which('tsc'):
        shutil.copy(os.path.join(HERE, 'packages_types.ts'), folder)
        write(folder, 'tsconfig.json', json.dumps({'files': ['packages_types.ts'], 'compilerOptions': {
            'noEmit': True, 'strict': True, 'target': 'es2022', 'module': 'es2022', 'moduleResolution': 'node',
            'types': []}}))
        run(folder, ['tsc'])
    else:
        print('packages: no tsc here: the declarations are not looked at')


def wheel(build, folder):
    declared()
    without_compiler(folder)
    path = packed(build, 'wheel', '--program', TEXENVC)
    site = os.path.join(folder, 'site')
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        text, = [archive.read(n).decode() for n in names if n.endswith('.dist-info/RECORD')]
        listed = [line.split(',') for line in text.splitlines()]
        checks.check(sorted(n for n, _, _ in listed) == sorted(names), 'RECORD lists other files')
        for name, digest, size in listed:
            data = archive.read(name)
            sha = urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip('=')
            checks.check((digest, size) in (('sha256=' + sha, str(len(data))), ('', '')), 'RECORD: ' + name)
        if importlib.util.find_spec('pip'):
            run(folder, [sys.executable, '-m', 'pip', '-q', '--disable-pip-version-check', 'install',
                         '--no-index', '--root-user-action', 'ignore', '--target', site, path])
            run(folder, [os.path.join(site, 'bin', 'texenvc'), 'key', '-e', '{T0*P}'], PYTHONPATH=site)
        else:
            print('packages: no pip here: the wheel is unpacked by hand')
            archive.extractall(site)
            os.chmod(os.path.join(site, 'texenvc', 'bin', 'texenvc'), 0o755)
    shutil.copy(os.path.join(HERE, 'packages_test.py'), folder)
    run(folder, [sys.executable, 'packages_test.py', *sys.argv[3:]], PYTHONPATH=site)
    if shutil.which('mypy'):
        run(folder, ['mypy', '--strict', 'packages_test.py'], MYPYPATH=site)
    else:
        print('packages: no mypy here: annotations are only resolved')


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in ('npm', 'wheel'):
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        write(folder, 'cases.json', json.dumps({'calls': cases(), 'bad': BAD}))
        (npm if sys.argv[1] == 'npm' else wheel)(os.path.abspath(sys.argv[2]), folder)
    checks.finish()


main()
