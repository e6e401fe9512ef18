#!/usr/bin/env python3
"""Tests programs that choose object names themselves (tests/realgl/shim/names.c): under the shim, and while
being recorded, they must observe the same as without.

usage: shim_names.py LAUNCHER RECORDER PROGRAM [FIRST COUNT]
"""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared.tool import Checks

LAUNCHER, RECORDER, PROGRAM = sys.argv[1:4]
FIRST, COUNT = (int(n) for n in sys.argv[4:6]) if len(sys.argv) > 4 else (0, 12)
AT_ONCE = 500  # sequences in one process
STEP = 1  # allowed difference, of 255: GL may round products in programs differently than in fixed function
checks = Checks('shim_names')


def same(a, b):
    """Compares two lines: the words must be equal, pixel values may differ by one step."""
    if a == b:
        return True
    pixel = re.compile(r'p(\d+),(\d+),(\d+),(\d+)')
    if pixel.sub('p', a) != pixel.sub('p', b):
        return False
    numbers = [[int(n) for p in pixel.findall(line) for n in p] for line in (a, b)]
    return all(abs(x - y) <= STEP for x, y in zip(*numbers))


def run(way, first, count):
    done = subprocess.run([*way, PROGRAM, str(first), str(count)], capture_output=True, text=True,
                          timeout=3000)
    return done.returncode, done.stdout, done.stderr


def main():
    with tempfile.TemporaryDirectory() as folder:
        ways = [['--by', by, *more] for by in ('glsl', 'arbfp', 'atifs') for more in ((), ('--vertex',))]
        if COUNT <= 12:  # a short run
            ways = [['--by', 'glsl'], ['--by', 'arbfp'], ['--by', 'atifs', '--vertex']]
        ways = [[LAUNCHER, *way] for way in ways] + [[RECORDER, '-o', folder]]
        for first in range(FIRST, FIRST + COUNT, AT_ONCE):
            count = min(AT_ONCE, FIRST + COUNT - first)
            status, plain, error = run([], first, count)
            if status == 77:
                print(plain)
                sys.exit(77)
            lines = plain.splitlines()
            checks.check(status == 0 and len(lines) == count, 'by itself: %d %s' % (status, error))
            for way in ways:
                name = '%s from %d' % (' '.join(way[1:3] + way[3:]), first)
                status, out, error = run(way, first, count)
                others = out.splitlines()
                checks.check(status == 0 and len(others) == count, '%s: status %d, %d of %d sequences: %s'
                             % (name, status, len(others), count, error[-500:]))
                for a, b in zip(lines, others):
                    checks.check(same(a, b), '%s:\n%s\nis without the shim\n%s' % (name, b, a))
                seen = re.search(r'draws seen (\d+), (?:replaced|recorded) (\d+)', error)
                # a sequence has one or two draws, more than half of which use fixed function
                checks.check(seen and int(seen.group(2)) > count, '%s: %s' % (name, error[-500:]))
    checks.finish()


main()
