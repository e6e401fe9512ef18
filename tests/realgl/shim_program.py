#!/usr/bin/env python3
"""Records a real multi-texture program (Neverputt, Debian package neverputt) and replays it with and without
the shim: the frames must be equal.

usage: shim_program.py SHIM        77: neverputt, apitrace or xvfb-run is not there

The replayer (glretrace) is the program that runs under the shim, since two live runs of a game never show the
same frames."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

STEP = 2  # allowed difference, of 255: GL may round products in programs differently than in fixed function
SHARE = 0.002  # share of the components that may differ by more


def tool(name):
    for folder in os.environ.get('PATH', '').split(':') + ['/usr/games']:
        if os.access(os.path.join(folder, name), os.X_OK):
            return os.path.join(folder, name)
    print('%s is not installed' % name)
    sys.exit(77)


def under_x(command, environment, timeout):
    run = subprocess.run(['timeout', str(timeout), tool('xvfb-run'), '-a', '-s', '-screen 0 1024x768x24',
                          *command], capture_output=True,
                         env=dict(os.environ, LIBGL_ALWAYS_SOFTWARE='1', GALLIUM_DRIVER='llvmpipe',
                                  SDL_AUDIODRIVER='dummy', **environment))
    return run.stdout, run.stderr.decode(errors='replace')


def pictures(data):
    """Yields (width, height, bytes) of each picture in a sequence of binary PNM files."""
    at = 0
    while m := re.compile(rb'P6\s+(?:#[^\n]*\s+)?(\d+)\s+(\d+)\s+255\s').match(data, at):
        size = 3 * int(m.group(1)) * int(m.group(2))
        yield m.group(1), m.group(2), data[m.end():m.end() + size]
        at = m.end() + size


def compare(plain, other):
    """Returns (number of frames, largest difference, largest share of differing components)."""
    most, share, frames = 0, 0.0, list(zip(pictures(plain), pictures(other)))
    if len(plain) != len(other):
        return len(frames), 255, 1.0
    for a, b in frames:
        if a != b:
            differences = [abs(x - y) for x, y in zip(a[2], b[2]) if x != y]
            most, share = max(most, max(differences)), max(share, len(differences) / len(a[2]))
    return len(frames), most, share


def main():
    shim = os.path.abspath(sys.argv[1])
    game, apitrace, glretrace = tool('neverputt'), tool('apitrace'), tool('glretrace')
    folder = tempfile.mkdtemp()
    trace, failures = os.path.join(folder, 'neverputt.trace'), 0

    def frames(command=()):
        return under_x([*command, glretrace, '--headless', '--snapshot-format=PNM', '-s', '-', trace], {},
                       250)

    under_x([apitrace, 'trace', '--api=gl', '-o', trace, 'timeout', '20', game], {'HOME': folder}, 60)
    plain, _ = frames()
    for language, wrong in (('atifs', False), ('arbfp', False), ('glsl', False), ('glsl', True)):
        settings = ['env', 'LD_PRELOAD=' + shim, 'TEXENV_SHIM=' + language] + (['TEXENV_SHIM_SABOTAGE=1']
            if wrong else [])
        out, text = frames(settings)
        seen = re.search(r'draws seen (\d+), replaced (\d+)', text)
        count, most, share = compare(plain, out)
        print('%s%s: %d frames, %s; largest difference %d of 255, in at most %.4f %% of a frame' % (
            language, ' translated wrongly on purpose' if wrong else '', count, seen.group(0) if seen
            else 'no figures', most, 100 * share))
        replaced = seen and seen.group(1) == seen.group(2) and int(seen.group(1)) > 100
        same = count >= 10 and most <= STEP and share <= SHARE
        failures += not replaced or same == wrong
    shutil.rmtree(folder)
    print('shim_program: %d failed' % failures)
    sys.exit(bool(failures))


main()
