#!/usr/bin/env python3
"""The same bytes everywhere: the single file (tools/amalgamate) is built for other processors and C
libraries. For every recorded state and some random ones, in every language and for every chip, each build
must write what the build for this machine writes.

usage: everywhere.py [TOOLCHAIN...]      default: all; those that are not installed are reported and skipped

Debian's packages: musl-tools, gcc-i686-linux-gnu, gcc-aarch64-linux-gnu, gcc-s390x-linux-gnu with qemu-user,
gcc-mingw-w64-x86-64 with wine64, clang with wasi-libc, lld, libclang-rt-14-dev-wasm32 and nodejs.
"""
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared.tool import Checks, TEXENVC, TOP

from oracle.texenv import random_states, stages_print  # noqa: E402

NODE = '''
const {WASI} = require("wasi"), fs = require("fs");
const wasi = new WASI({version: "preview1", args: process.argv.slice(2), preopens: {".": "."}});
WebAssembly.instantiate(fs.readFileSync(process.argv[2]), {wasi_snapshot_preview1: wasi.wasiImport})
    .then(made => process.exitCode = wasi.start(made.instance));
'''
WINE = '/usr/lib/wine/wine64' if os.path.exists('/usr/lib/wine/wine64') else 'wine64'
CC = ['-std=c11', '-O2', '-ffp-contract=off', '-w', '-I', TOP]
# name: the compiler, the command that runs the program, the program's file name, and a description
TOOLCHAINS = {
    'here': (['cc'], [], 'a.out', 'this machine'),
    'clang': (['clang'], [], 'a.out', 'the other compiler'),
    'i686': (['i686-linux-gnu-gcc', '-static', '-msse2', '-mfpmath=sse'], [], 'a.out', '32 bits'),
    'i387': (['i686-linux-gnu-gcc', '-static', '-mno-sse'], [], 'a.out', '32 bits, x87 arithmetic'),
    'musl': (['musl-gcc', '-static'], [], 'a.out', 'musl'),
    'arm64': (['aarch64-linux-gnu-gcc', '-static'], ['qemu-aarch64'], 'a.out', 'arm64'),
    's390x': (['s390x-linux-gnu-gcc', '-static'], ['qemu-s390x'], 'a.out', 'big-endian'),
    'mingw': (['x86_64-w64-mingw32-gcc', '-static'], [WINE], 'a.exe', 'Windows'),
    'wasm': (['clang', '--target=wasm32-wasi', '--sysroot=/usr', '-Wl,-z,stack-size=262144'],
             ['node', '--no-warnings', 'run.js'], 'a.wasm', 'WebAssembly'),
}
RANDOM, SEED, UNITS = 150, 27, 4
checks = Checks('everywhere')


def forms():
    """Returns the values of --to that give programs or chip words."""
    listing = subprocess.run([TEXENVC, 'convert', '--help'], stdout=subprocess.PIPE, text=True,
                             check=True).stdout
    found = ['atifs']
    for title in ('Languages:\n', 'Chips:\n'):
        part = listing.split(title)[1].split('\n\n')[0]
        lines = part.split('\n')
        found += [line.split()[0] for line in lines if line.startswith('      ') and line[6] != ' ']
    return found


def states(folder):
    """Writes the file of states that every toolchain's program is given, and returns its name."""
    path = os.path.join(folder, 'states.stages')
    with open(path, 'w', encoding='utf-8') as out:
        for name in ('recorded', 'public'):
            with open(os.path.join(TOP, 'tests', 'corpus', name + '.stages'), encoding='utf-8') as f:
                out.write(f.read())
        for state in random_states.RandomStates(RANDOM, SEED, UNITS):
            out.write(stages_print.state_text(state) + '\n')
    return os.path.basename(path)


def outputs(folder, name, path):
    """Returns what the program of the toolchain writes, by form; None if the toolchain is not installed."""
    compiler, runner, program, what = TOOLCHAINS[name]
    missing = [c for c in compiler[:1] + runner[:1] if not shutil.which(c)]
    if missing and missing != runner[:1]:
        print('everywhere: %s (%s): no %s' % (name, what, missing[0]))
        return None
    done = subprocess.run([*compiler, *CC, os.path.join(TOP, 'tests', 'library', 'library_convert.c'), 'texenvc.c', '-o',
                           program], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if not checks.check(done.returncode == 0, '%s does not build:\n%s' % (name, done.stdout[-1500:])):
        return None
    if missing:
        print('everywhere: %s (%s): builds and links; no %s to run it' % (name, what, missing[0]))
        return None
    found = {}
    for to in forms():
        done = subprocess.run([*runner, os.path.join('.', program), '2', to, path], cwd=folder,
                              env=dict(os.environ, WINEPREFIX=os.path.join(folder, 'wine'), WINEDEBUG='-all'),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        found[to] = done.returncode, done.stdout.replace(b'\r\n', b'\n')
    return found


def main():
    unknown = [name for name in sys.argv[1:] if name not in TOOLCHAINS]
    if unknown:
        print(__doc__ + '\nTOOLCHAINs: ' + ' '.join(TOOLCHAINS))
        sys.exit(0 if unknown[0] in ('-h', '--help') else 2)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, os.path.join(TOP, 'tools', 'amalgamate'), folder], check=True)
        with open(os.path.join(folder, 'run.js'), 'w', encoding='utf-8') as f:
            f.write(NODE)
        path = states(folder)
        wanted = outputs(folder, 'here', path)
        for to in wanted or {}:
            checks.check(len(wanted[to][1]) > 1000, '%s: nothing is written here' % to)
        for name in sys.argv[1:] or TOOLCHAINS:
            found = name != 'here' and outputs(folder, name, path)
            for to in found or {}:
                same = found[to] == wanted[to]
                checks.check(same, '%s, %s: exit status %d, %d bytes; here %d, %d' % (
                    name, to, found[to][0], len(found[to][1]), wanted[to][0], len(wanted[to][1])))
            if found:
                print('everywhere: %s (%s): %d forms, %d bytes' % (
                    name, TOOLCHAINS[name][3], len(found), sum(len(x[1]) for x in found.values())),
                    flush=True)
    checks.finish()


main()
