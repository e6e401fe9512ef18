#!/usr/bin/env python3
"""Tests that the shim changes nothing that a program observes: in core profiles and OpenGL ES it is inactive,
it leaves no GL errors of its own and keeps those of the program, and it prints its report however the program
ends. The launcher documents all settings.

usage: shim_contexts.py LAUNCHER PROGRAM [N]      PROGRAM: tests/realgl/shim/program.c

With N only the memory use for N environments and N colours is checked.
"""
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared.tool import Checks, TOP

LAUNCHER, PROGRAM = sys.argv[1:3]
FEW = 300  # more different environments than the shim caches
MOST_OVER = 150  # MB that the shim may use beyond the program's own use
WAYS = [['--by', 'atifs'], ['--by', 'arbfp'], ['--by', 'glsl'], ['--provide', 'arbfp'], ['--provide', 'glsl'],
        ['--by', 'glsl', '--provide', 'glsl']]
checks = Checks('shim_contexts')


def run(command, timeout=60):
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
    return done.returncode, done.stdout, done.stderr


def figures(text):
    m = re.search(r'draws seen (\d+), replaced (\d+), passed on (\d+)', text)
    return tuple(int(n) for n in m.groups()) if m else None


def same_without(what, fixed):
    """With the shim the program must print the same as without."""
    status, plain, error = run([PROGRAM, what])
    if status == 77:
        print('%s %s: left out' % (what, plain.strip()))
        return
    checks.check(status == 0 and 'pixel 0 255 51' in plain, '%s by itself: %s%s' % (what, plain, error))
    for way in WAYS:
        status, out, error = run([LAUNCHER, *way, PROGRAM, what])
        name = '%s %s' % (what, ' '.join(way))
        checks.check(status == 0, '%s: exit status %d' % (name, status))
        checks.check(out == plain, '%s:\n%swithout the shim:\n%s' % (name, out, plain))
        seen = figures(error)
        if not checks.check(seen, '%s: no figures: %s' % (name, error)):
            continue
        if fixed and '--by' in way:
            checks.check(seen[0] >= 2 and seen[1] == seen[0], '%s: %s' % (name, error))
        elif not fixed:
            checks.check(seen == (1, 0, 1) and 'no fixed function' in error, '%s: %s' % (name, error))


def halves():
    """Five draws, four of which have a vertex half that generated programs support."""
    plain = run([PROGRAM, 'halves'])[1]
    checks.check(plain.count('pixel 0 255 51') == 5, 'halves by itself: %s' % plain)
    for way in ('arbfp', 'glsl'):
        status, out, error = run([LAUNCHER, '--by', way, '--vertex', PROGRAM, 'halves'])
        checks.check(status == 0 and out == plain, 'halves by %s: %s%s' % (way, out, error))
        checks.check('vertex halves replaced 4, passed on 1' in error and
                     'vertex halves passed on 1: the modelview matrix is projective' in error,
                     'halves by %s: %s' % (way, error))


def newer():
    """Tests state of newer versions than GL 2.1. A draw with such state is either replaced (the comparison
    mode of a sampler, the levels of an immutable texture, later draws), or passed on to GL's fixed function
    with a reason."""
    status, plain, error = run([PROGRAM, 'newer'])
    if status == 77:
        print('newer %s: left out' % plain.strip())
        return
    for line in ('one swizzle 51 102 153 51', 'all swizzles 255 0 51 102', 'sampler 255 255 255 255',
                 'immutable 51 102 153 204', 'unlimited 51 102 153 204', 'unit 6 102 153 204 255', 'after: error 0'):
        checks.check(line in plain.splitlines(), 'newer by itself: no "%s": %s' % (line, plain + error))
    for way in ('atifs', 'arbfp', 'glsl'):
        status, out, error = run([LAUNCHER, '--by', way, PROGRAM, 'newer'])
        checks.check(status == 0 and out == plain, 'newer by %s: %s' % (way, out + error))
        for text in ('passed on 2: a texture with GL_TEXTURE_SWIZZLE\n',
                     'passed on 1: colours that are not limited to [0,1]', 'draws seen 7, '):
            checks.check(text in error, 'newer by %s: no "%s": %s' % (way, text, error))
        # ATI shaders have neither comparing lookups nor a seventh texture
        checks.check('replaced %d,' % (2 if way == 'atifs' else 4) in error, 'newer by %s: %s' % (way, error))
        # the message of texenvc, without its hint about an option of texenvc
        reason = 'passed on 1: unit 6: register n samples unit n and there are only r0..r5\n'
        checks.check((reason in error) == (way == 'atifs'), 'newer by %s: %s' % (way, error))


def many(count):
    """Many environments and many colours: each environment takes a program, all colours share one, and only
    some hundred programs are kept."""
    def most(text):
        return int(re.search(r'VmHWM:\s*(\d+) kB', text).group(1)) / 1000
    plain = run([PROGRAM, 'many', str(count)], 7200)[1]
    for way in ('atifs', 'arbfp', 'glsl'):
        status, out, error = run([LAUNCHER, '--by', way, PROGRAM, 'many', str(count)], 7200)
        name = '%d environments and colours by %s' % (count, way)
        checks.check(status == 0 and 'after: error 0' in out, '%s: %s' % (name, out + error))
        print('%s: %d MB, without the shim %d MB' % (name, most(out), most(plain)))
        checks.check(most(out) < most(plain) + MOST_OVER, '%s take %d MB, without the shim %d MB'
                     % (name, most(out), most(plain)))
        m = re.search(r'programs built (\d+)', error)
        built = int(m.group(1)) if m else -1
        # one program for all colours, and one to compile the first environment again; among thousands some
        # environments are equal
        checks.check(built == count + 2 if count == FEW else built <= count + 2, '%s: %s' % (name, error))
        checks.check('replaced %d,' % (2 * count + 1) in error, '%s: %s' % (name, error))


def ended_by(number, what, wanted):
    """A signal must end the program in the same way, and the figures must be in the log."""
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, 'log')
        with subprocess.Popen([LAUNCHER, '--by', 'arbfp', '--log', log, PROGRAM, what],
                              stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as process:
            while line := process.stdout.readline():
                if 'pixel' in line:
                    break
            time.sleep(0.2)
            process.send_signal(number)
            out, error = process.communicate(timeout=30)
        name = '%s ended by %s' % (what, signal.Signals(number).name)
        checks.check(process.returncode == wanted, '%s: status %d' % (name, process.returncode))
        checks.check('texenv-shim' not in error, '%s: although there is a log: %s' % (name, error))
        if not checks.check(os.path.exists(log), '%s: no log' % name):
            return
        with open(log, encoding='utf-8') as f:
            text = f.read()
        if what == 'wait':
            checks.check(text.count('draws seen 2, replaced 2') == 1, '%s: the log says: %s' % (name, text))
        else:
            checks.check(out == 'caught\n', '%s: its own handler did not run: %s' % (name, out))


def launcher():
    status, text, _ = run([LAUNCHER, '--help'])
    checks.check(status == 0, 'texenv-shim --help: %d' % status)
    with open(os.path.join(TOP, 'README.md'), encoding='utf-8') as f:
        readme = f.read()
    variables = set()
    for name in sorted(os.listdir(os.path.join(TOP, 'tools', 'shim'))):
        if name.endswith('.c'):
            with open(os.path.join(TOP, 'tools', 'shim', name), encoding='utf-8') as f:
                variables |= set(re.findall(r'"(TEXENV_SHIM\w*)', f.read()))
    checks.check(len(variables) >= 6, 'variables found: %s' % variables)
    for name in variables:
        checks.check(re.search(name + r'\b', text), '%s is not in --help' % name)
        checks.check(re.search(name + r'\b', readme), '%s is not in the README' % name)
    for wrong in ([], ['--bogus', 'true'], ['--by', 'hlsl', 'true'], ['--provide', 'atifs', 'true'],
                  ['--log']):
        status, out, error = run([LAUNCHER, *wrong])
        checks.check(status == 2 and error.startswith('texenv-shim: ') and not out,
                     '%s: %d %s' % (wrong, status, error))
    checks.check('loads no OpenGL' in run([LAUNCHER, 'true'])[2], 'no GL is not told')
    checks.check(not run([LAUNCHER, 'sh', '-c', 'true | true; exit 0'])[2], 'a script is told to load no GL')
    for program, wanted in (('no-such-program', 127), (TOP, 126)):
        status, _, error = run([LAUNCHER, program])
        checks.check(status == wanted and error.startswith('texenv-shim: ') and program in error, '%s: %d %s'
                     % (program, status, error))
    for command, wanted in ((['true'], 0), (['sh', '-c', 'exit 9'], 9), (['--', 'sh', '-c', 'exit 9'], 9)):
        checks.check(run([LAUNCHER, *command])[0] == wanted, '%s: the exit status is not the program\'s'
                     % command)
    status, _, error = run([LAUNCHER, '--log', '/nowhere/log', PROGRAM, 'compat'])
    checks.check(status == 2 and '/nowhere/log' in error, 'a log that cannot be written: %d %s'
                 % (status, error))


def main():
    if run([PROGRAM, 'compat'])[0] == 77:
        print('no GL without a window here')
        sys.exit(77)
    if len(sys.argv) > 3:
        many(int(sys.argv[3]))
        checks.finish()
    same_without('core', False)
    same_without('es', False)
    same_without('compat', True)
    same_without('error', True)
    same_without('values', True)
    halves()
    newer()
    many(FEW)
    for number in (signal.SIGTERM, signal.SIGINT):
        ended_by(number, 'wait', -number)
        ended_by(number, 'wait-caught', 5)
    launcher()
    checks.finish()


main()
