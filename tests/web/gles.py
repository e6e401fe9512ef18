#!/usr/bin/env python3
"""Tests examples/gles.c, a layer of fixed function over OpenGL ES: on Mesa, it draws the same picture as
OpenGL's fixed function.

usage: gles.py GLES GLES_FIXED     the programs of examples/gles.c and tests/web/gles_fixed.c
"""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared.tool import Checks, TOP

MOST = 2  # the largest difference of a colour channel, of 255
checks = Checks('gles')
with open(os.path.join(TOP, 'examples', 'gles.c'), encoding='utf-8') as f:
    checks.check(len(f.readlines()) <= 200, 'the layer takes more than 200 lines')


def picture(program, driver):
    # no leak detection: Mesa leaks memory of its own
    done = subprocess.run([program], stdout=subprocess.PIPE, env=dict(
        os.environ, LIBGL_ALWAYS_SOFTWARE='1', GALLIUM_DRIVER=driver, EGL_LOG_LEVEL='fatal', ASAN_OPTIONS='detect_leaks=0'))
    if done.returncode == 77:
        sys.exit(77)
    checks.check(done.returncode == 0, '%s with %s: exit status %d' % (program, driver, done.returncode))
    data = done.stdout.split(b'\n', 1)[-1]
    return [data[i:i + 3] for i in range(0, len(data), 3)]


for driver in ('softpipe', 'llvmpipe'):
    layer, fixed = picture(sys.argv[1], driver), picture(sys.argv[2], driver)
    checks.check(len(fixed) == 192 * 192 and len(set(fixed)) > 5000,
                 '%s: a picture of %d pixels, %d colours' % (driver, len(fixed), len(set(fixed))))
    checks.check(fixed.count(fixed[0]) < len(fixed) / 2, driver + ': most of the picture is empty')
    other = [n for n, (a, b) in enumerate(zip(layer, fixed)) if max(abs(x - y) for x, y in zip(a, b)) > MOST]
    # pixels along an edge may differ
    checks.check(len(layer) == len(fixed) and len(other) <= len(fixed) / 1000,
                 '%s: %d pixels differ, the first one %s' % (driver, len(other), divmod(other[0], 192) if other else ''))
checks.finish()
