#!/usr/bin/env python3
"""The same input gives the same bytes, whatever compiler and optimisation level texenvc was built with.

usage: determinism.py SOURCE-FOLDER"""
import os
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), '../..'))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from oracle.texenv import random_states, stages_print  # noqa: E402

BUILDS = [(compiler, flag) for compiler in ('gcc', 'clang') for flag in ('-O0', '-O3')]
RUNS = [('--to', form, level) for form in ('atifs', 'ir', 'json') for level in ('-O0', '-O2')]


def build(folder, compiler, flag):
    if not shutil.which(compiler):
        return None
    where = os.path.join(folder, compiler + flag)
    subprocess.run(['cmake', '-S', TOP, '-B', where, '-DCMAKE_C_COMPILER=' + compiler, '-DCMAKE_BUILD_TYPE=',
                    '-DCMAKE_C_FLAGS=' + flag,
                    '-DTEXENV_TESTS=OFF', '-DBUILD_TESTING=OFF'], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(['cmake', '--build', where, '--target', 'texenvc', '--parallel', '2'], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return os.path.join(where, 'texenvc')


def outputs(program, files):
    for run in RUNS:
        for extra in ([], ['--fold-constants', '--bind', 'compact']):
            done = subprocess.run([program, 'convert', *run, *extra, '--quiet', *files],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            yield (run, tuple(extra)), done.stdout + done.stderr


def main():
    with tempfile.TemporaryDirectory() as folder:
        text = os.path.join(folder, 'random.stages')
        with open(text, 'w') as f:
            f.writelines(stages_print.state_text(s) + '\n' for s in random_states.RandomStates(2000, 31, 8))
        files = [text] + [os.path.join(TOP, 'tests', 'corpus', n) for n in ('recorded.stages',
            'public.stages', 'neverball.trace')]
        first, count = None, 0
        for compiler, flag in BUILDS:
            program = build(folder, compiler, flag)
            if not program:
                print('determinism: failed: there is no %s here' % compiler)
                return 1
            got = dict(outputs(program, files))
            first = first or got
            for key in got:
                count += 1
                if got[key] != first[key]:
                    print('determinism: failed: %s %s differs from %s %s in %s' % (compiler, flag, *BUILDS[0],
                        key))
                    return 1
        print('determinism: %d outputs of %d builds are the same bytes' % (count, len(BUILDS)))
    return 0


if __name__ == '__main__':
    sys.exit(main())
