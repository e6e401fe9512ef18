#!/usr/bin/env python3
"""Compiles and links shader pairs (fragprog/pair.h) of random whole states; compilers must not warn.

usage: pair_compilers.py UNIT_PAIR COUNT
"""
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared.tool import Checks

LANGUAGES = ['glsl-110', 'glsl', 'glsl-330', 'glsl-es', 'glsl-es-300', 'glsl-450']
checks = Checks('pair_compilers')


def complaint(name, vulkan):
    """Returns what the compiler complains about, or "". Compiles by the rules of OpenGL, and if `vulkan` is
    set also by those of Vulkan, which differ."""
    for more in [[]] + [['-V', '-o', name + '.spv']] * vulkan:
        done = subprocess.run(['glslangValidator', '-l', *more, name + '.vert', name + '.frag'], capture_output=True,
                              text=True)
        said = [line for line in done.stdout.splitlines() if 'ERROR' in line or 'WARNING' in line]
        if said or done.returncode:
            return '; '.join(said) or done.stdout
    return ''


def language(program, name, count):
    folder = tempfile.mkdtemp()
    try:
        subprocess.run([program, name, str(count), folder], check=True, stdout=subprocess.DEVNULL)
        pairs = sorted(os.path.join(folder, f[:-5]) for f in os.listdir(folder) if f.endswith('.vert'))
        checks.check(len(pairs) > count / 2, '%s: only %d pairs of %d' % (name, len(pairs), count))
        with ThreadPoolExecutor(2) as pool:
            for pair, said in zip(pairs, pool.map(lambda p: complaint(p, name == 'glsl-450'), pairs)):
                checks.check(not said, '%s %s: %s' % (name, os.path.basename(pair), said))
        with open(pairs[0] + '.vert', 'a', encoding='utf-8') as f:
            f.write('wrong\n')
        checks.check(complaint(pairs[0], name == 'glsl-450'), name + ': a wrong text is taken')
    finally:
        shutil.rmtree(folder)


if not shutil.which('glslangValidator'):
    print('glslangValidator is missing (tools/setup installs it)')
    sys.exit(77)
for each in LANGUAGES:
    language(os.path.abspath(sys.argv[1]), each, int(sys.argv[2]))
checks.finish()
