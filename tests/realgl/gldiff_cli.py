#!/usr/bin/env python3
"""Tests texenv-gldiff as a command: its messages, its exit statuses, and that it notices wrong conversions.

usage: gldiff_cli.py TEXENV_GLDIFF
"""
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib

PROGRAM = os.path.abspath(sys.argv[1])
checks = failures = 0


def check(ok, message):
    global checks, failures
    checks += 1
    if not ok:
        failures += 1
        print('failed:', message)


def run(*args, stdin=None, **environment):
    return subprocess.run([PROGRAM, *args], input=stdin, capture_output=True, text=True, timeout=300,
                          env=dict(os.environ, **environment))


def expect(status, text, *args, stdin=None, **environment):
    """Checks the exit status and a pattern in the output; standard output must be empty if the command fails
    before drawing."""
    r = run(*args, stdin=stdin, **environment)
    check(r.returncode == status, '%s: status %d, not %d: %s' % (args, r.returncode, status, r.stderr[:200]))
    check(re.search(text, r.stdout + r.stderr), '%s: no %r in %r' % (args, text, (r.stdout + r.stderr)[:300]))
    return r


def conversions_are_judged():
    expect(0, r'atifs: 1 states compared, 0 over', '-e', '{T0*P}')
    r = expect(1, r'shrunk to \{', '--sabotage', '-e', '{T0+P-0.5} {T1*P}*2', '--via', 'glsl')
    shrunk = re.search(r'shrunk to (.*)', r.stdout).group(1) if 'shrunk' in r.stdout else ''
    check('-0.5' in shrunk and '} {' not in shrunk and '*2' not in shrunk, 'shrunk no further than %r'
          % shrunk)
    for via in ('atifs', 'arbfp', 'glsl'):
        expect(1, via + r': 200 states compared, [1-9]', '--sabotage', '--random', '200', '--bind', 'compact',
               '--via', via)
    expect(0, r'shadow comparison', '-e', '{T0*P @depth} {T1*P @shadow}', '--via', 'atifs')


def wrong_usage_and_input():
    expect(2, 'no states', )
    expect(2, "--via does not take 'hlsl'", '--via', 'hlsl', '-e', '{T0}')
    expect(2, "did you mean '--random'", '--randon', '3')
    expect(1, r'<text>:1:5: error', '-e', '{T0*}')
    expect(1, 'cannot read', 'no-such-file.gl')
    expect(1, 'no state was drawn', '-e', '!!ATIfs1.0\nStartConstants;\nEndConstants;\nStartOutputPass;\nMOV '
                                          'r0, color0;\nEndPass;\n')
    expect(0, r'Usage: texenv-gldiff', '--help')
    expect(0, r'^texenv-gldiff \d+\.\d+\.\d+\n$', '--version')


def missing_gl():
    for via, extension in (('atifs', 'GL_ATI_fragment_shader'), ('arbfp', 'GL_ARB_fragment_program')):
        r = expect(3, 'lacks ' + extension, '-e', '{T0}', '--via', via, MESA_EXTENSION_OVERRIDE='-'
                   + extension)
        check(not r.stdout, 'printed %r without the extension' % r.stdout[:60])
    expect(3, 'no OpenGL: ', '-e', '{T0}', '--platform', 'display', DISPLAY=':98765', WAYLAND_DISPLAY='none',
           EGL_PLATFORM='x11')


def machine_output():
    r = run('--json', '--random', '20', '--via', 'arbfp')
    got = json.loads(r.stdout)
    check(len(got['states']) == 20 and all(s['equal'] for s in got['states'])
          and got['totals']['arbfp']['compared'] == 20, 'JSON of 20 states')
    check('Mesa' in got['version'] and 'GL_ARB_fragment_program' in got['extensions'],
          'JSON names the driver')


def pictures():
    with tempfile.TemporaryDirectory() as folder:
        expect(1, 'DIFFERS', '--sabotage', '-e', '{T0+P-0.5}', '--via', 'glsl', '--png', folder)
        names = os.listdir(folder)
        check(names == ['state-1-glsl.png'], 'pictures: %s' % names)
        new = os.path.join(folder, 'made', 'by it')
        expect(1, 'DIFFERS', '--sabotage', '-e', '{T0+P-0.5}', '--via', 'glsl', '--png', new)
        check(os.path.isdir(new) and os.listdir(new) == names, 'pictures in a new folder')
        with open(os.path.join(folder, names[0]), 'rb') as f:
            data = f.read()
        width, height = struct.unpack('>II', data[16:24])
        check(data[:8] == b'\x89PNG\r\n\x1a\n' and width > 3 * height, 'three panels side by side: %d x %d'
              % (width, height))
        packed, at = b'', 8
        while at < len(data):
            length, kind = struct.unpack('>I4s', data[at:at + 8])
            packed += data[at + 8:at + 8 + length] if kind == b'IDAT' else b''
            at += 12 + length
        check(len(zlib.decompress(packed)) >= width * height, 'the picture is whole')


conversions_are_judged()
wrong_usage_and_input()
missing_gl()
machine_output()
pictures()
print('gldiff_cli: %d checks, %d failed' % (checks, failures))
sys.exit(bool(failures))
