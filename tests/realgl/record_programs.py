#!/usr/bin/env python3
"""Records programs of Debian under Xvfb for some frames by texenv-record, and prints a table
(notes/recording.md).

usage: record_programs.py LAUNCHER [FRAMES [PROGRAM...]]      77: no xvfb-run

The table counts environments of textures, and environments including the vertex half, each of which is a
script. Each script must read back (texenvc convert) and compile for r200 or be refused with a reason;
programs that are not installed are left out. The recorded states depend on the speed of the machine and on
chance, so nothing else is checked."""
import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared.tool import Checks, Run

LAUNCHER = os.path.abspath(sys.argv[1])
FRAMES = sys.argv[2] if len(sys.argv) > 2 else '300'
WANTED = sys.argv[3:]
SECONDS = 120
FOLDERS = os.environ['PATH'] + ':/usr/games:/usr/libexec/xscreensaver'
# command line of a program, and what the program draws with
PROGRAMS = [
    (['neverball'], 'SDL2, own engine'),
    (['neverputt'], 'SDL2, own engine'),
    (['etr'], 'Extreme Tux Racer, SFML'),
    (['chromium-bsu'], 'SDL2, GLU quadrics'),
    (['gltron', '-t'], 'SDL1'),
    (['bzflag'], 'SDL2, own engine'),
    (['megaglest'], 'SDL2, own engine, combiners'),
    (['torcs'], 'plib, freeglut'),
    (['foobillardplus'], 'freeglut or SDL'),
    (['armagetronad.real'], 'SDL1, own engine'),
    (['glplanet'], 'xscreensaver'),
    (['flyingtoasters'], 'xscreensaver, display lists'),
    (['bouncingcow'], 'xscreensaver, texgen'),
    (['mirrorblob'], 'xscreensaver'),
    (['lockward'], 'xscreensaver'),
    (['timetunnel'], 'xscreensaver'),
]
checks = Checks('record_programs')


def record(command, folder, environment):
    """Runs the program until it exits or is stopped; returns the numbers that it reports."""
    log = os.path.join(folder, 'log')
    start = time.time()
    with subprocess.Popen(['xvfb-run', '-a', '-s', '-screen 0 800x600x24', LAUNCHER, '-o',
                           os.path.join(folder, 'out'), '--frames', FRAMES, '--log', log, *command],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment,
                          cwd=folder, start_new_session=True) as process:
        try:
            process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGTERM)
            time.sleep(1)
            os.killpg(process.pid, signal.SIGKILL)
    seconds = time.time() - start
    text = ''
    if os.path.exists(log):
        with open(log, encoding='utf-8', errors='replace') as f:
            text = f.read()
    # each process of a program prints its figures
    found = re.findall(r'draws seen (\d+), recorded (\d+), passed on \d+; (\d+) environments, (\d+) frames', text)
    most = max(([int(n) for n in figures] for figures in found), default=None)
    return (*most, seconds) if most and most[0] else None


def read_back(folder):
    """Returns (number of texture environments, number of scripts that compile for r200); all scripts must
    read back."""
    scripts = sorted(glob.glob(os.path.join(folder, 'out', '*.gl')))
    fits, textures = 0, set()
    for path in scripts:
        read = Run(['convert', '--to', 'stages', path])
        checks.check(read.status == 0, '%s does not read back: %s' % (path, read.err))
        stages = re.sub(r' vertex\(.*\)| C\d=\([^)]*\)', '', read.out.rstrip('\n').split('\n')[-1])
        textures.add(re.sub(r'alphatest=(\w+):\S+', r'alphatest=\1', stages))
        chip = Run(['convert', '--to', 'r200', path])
        checks.check(chip.status in (0, 3), '%s to r200: %s' % (path, chip.err))
        fits += chip.status == 0
    return len(textures), fits


def main():
    if not shutil.which('xvfb-run'):
        print('no xvfb-run')
        sys.exit(77)
    print('| program | what draws | frames | draws | recorded | of textures | environments | fit r200 | seconds |')
    print('|---|---|---|---|---|---|---|---|---|')
    for command, what in PROGRAMS:
        path = shutil.which(command[0], path=FOLDERS)
        if not path or (WANTED and command[0] not in WANTED):
            continue
        with tempfile.TemporaryDirectory() as folder:
            environment = dict(os.environ, HOME=folder, LIBGL_ALWAYS_SOFTWARE='1', SDL_AUDIODRIVER='dummy')
            figures = record([path, *command[1:]], folder, environment)
            if figures is None:
                print('| %s | %s | did not draw on this machine | | | | | | |' % (command[0], what), flush=True)
                continue
            draws, recorded, environments, frames, seconds = figures
            checks.check(recorded == draws, '%s: %d of %d draws recorded' % (command[0], recorded, draws))
            textures, fits = read_back(folder)
            print('| %s | %s | %d | %d | %d | %d | %d | %d | %.0f |' % (
                command[0], what, frames, draws, recorded, textures, environments, fits, seconds), flush=True)
    checks.finish()


main()
