#!/usr/bin/env python3
"""Tests recording by the shim (texenv-record) and by the stub (libtexenv-record): the recorded scripts, read
by texenvc, must be the environments that the programs set, with their number of draws, first frame and call
site. Expected values are derived by hand.

usage: record.py LAUNCHER PROGRAM STUB-PROGRAM

PROGRAM: tests/realgl/shim/program.c; STUB-PROGRAM: tests/realgl/record/setup.c
"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared.tool import Checks, Run

LAUNCHER, PROGRAM, STUB = (os.path.abspath(a) for a in sys.argv[1:])
checks = Checks('record')


def run(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, **more)
    return done.returncode, done.stdout, done.stderr


def read(path):
    with open(path, encoding='utf-8') as f:
        return f.read()


def stages_of(path):
    done = Run(['convert', '--to', 'stages', path])
    checks.check(done.status == 0, '%s: texenvc: %s' % (path, done.err))
    return done.out.splitlines()[-1] if done.out else ''


def script(path, draws, recolours, frame, stages):
    """Checks one script: its figures and its state."""
    text = read(path)
    m = re.match(r'// (\d+) draws, environment colours changed (\d+) times *\n// \S+, first drawn in frame '
                 r'(\d+)\n', text)
    if not checks.check(m, '%s begins with\n%s' % (path, text[:200])):
        return
    found = tuple(int(n) for n in m.groups())
    checks.check(found == (draws, recolours, frame), '%s: draws, recolours, frame are %s, not %s'
                 % (path, found, (draws, recolours, frame)))
    checks.check(stages_of(path) == stages, '%s is %s, not %s' % (path, stages_of(path), stages))


def texture(path, unit, wanted):
    """Checks what --reflect prints about the texture of a unit in a recorded script."""
    out = path + '.json'
    done = Run(['convert', '--to', 'glsl-330', '--stage', 'both', '-o', '/dev/null', '--reflect', out, path])
    if checks.check(done.status == 0, '%s: texenvc: %s' % (path, done.err)):
        found = [s.get('texture') for s in json.loads(read(out))[0]['samplers'] if s['unit'] == unit]
        checks.check(found == [wanted], '%s: unit %d: %s, not %s' % (path, unit, found, wanted))
    os.unlink(out)


def of_program(folder):
    """PROGRAM environments: three draws without texture in frame 0; in frame 1 one draw of MODULATE with an
    RGB texture, and four of BLEND with the colours A A B A, which change twice."""
    out = os.path.join(folder, 'deep', 'er')
    name = os.path.basename(PROGRAM)
    for first in (1, 4):  # the second run adds to the counts of the first
        status, said, error = run([LAUNCHER, '-o', out, PROGRAM, 'environments'])
        checks.check(status == 0 and 'after: error 0' in said, 'environments: %d %s %s' % (status, said, error))
        checks.check('draws seen 8, recorded 8, passed on 0; 3 environments, 2 frames' in error, error)
        paths = [os.path.join(out, '%s-%03d.gl' % (name, first + i)) for i in range(3)]
        script(paths[0], 3, 0, 0, '{}')
        script(paths[1], 1, 0, 1, '{modulate @rgb}')
        script(paths[2], 4, 2, 1, '{blend @rgb} C0=(0.5,0,1,1)')
        texture(paths[1], 0, {'name': 1, 'size': [4, 2], 'internal_format': 'GL_RGB8', 'min_filter': 'GL_NEAREST',
                              'mag_filter': 'GL_LINEAR', 'wrap_s': 'GL_CLAMP_TO_EDGE', 'wrap_t': 'GL_REPEAT'})
        text = read(paths[2])
        checks.check(re.search(r'// called from .*(program.c:\d+ \(\w+\)|\+0x[0-9a-f]+)', text),
                     'no call stack: %s' % text[:400])
    checks.check(len(os.listdir(out)) == 6, 'files: %s' % sorted(os.listdir(out)))


def vertex_halves(folder):
    """PROGRAM halves: two draws with two lights; one whose vertex half is not supported, because of its
    matrix; one without state; and one unlit draw of a texture with generated and transformed coordinates."""
    out = os.path.join(folder, 'halves')
    status, said, error = run([LAUNCHER, '-o', out, PROGRAM, 'halves'])
    checks.check(status == 0 and 'after: error 0' in said, 'halves: %d %s %s' % (status, said, error))
    checks.check('draws seen 5, recorded 5, passed on 0; 4 environments' in error, error)
    paths = [os.path.join(out, '%s-%03d.gl' % (os.path.basename(PROGRAM), n)) for n in (1, 2, 3, 4)]
    script(paths[0], 2, 0, 0, '{} vertex(lighting light0 light1=positional+spot)')
    for path, left_out in zip(paths[1:3], (True, False)):
        script(path, 1, 0, 0, '{}')
        m = re.search('// the vertex half is left out: the modelview matrix is projective', read(path))
        checks.check(bool(m) == left_out, '%s: %s' % (path, read(path)))
    script(paths[3], 1, 0, 0, '{modulate @rgb} vertex(texgen0.s=sphere matrix0)')


def points(folder):
    """PROGRAM points: two draws with point sprites of sizes 3 and 4; one without. The script contains the
    settings that shaders must implement themselves."""
    out = os.path.join(folder, 'points')
    status, said, error = run([LAUNCHER, '-o', out, PROGRAM, 'points'])
    checks.check(status == 0 and 'after: error 0' in said, 'points: %d %s %s' % (status, said, error))
    checks.check('recorded 3, passed on 0; 2 environments' in error, error)
    paths = [os.path.join(out, '%s-%03d.gl' % (os.path.basename(PROGRAM), n)) for n in (1, 2)]
    sprites = ['glTexEnvi(GL_POINT_SPRITE, GL_COORD_REPLACE, GL_TRUE);', 'glEnable(GL_POINT_SPRITE);',
               'glPointParameteri(GL_POINT_SPRITE_COORD_ORIGIN, GL_LOWER_LEFT);']
    rest = ['glDrawArrays(GL_POINTS, 0, 3);', 'glShadeModel(GL_FLAT);', 'glEnable(GL_CLIP_PLANE1);',
            'glClipPlane(GL_CLIP_PLANE1, (const GLdouble[]){0, 1, 0, 0.5});']
    for path, draws, lines in ((paths[0], 2, sprites + rest + ['glPointSize(3);']),
                               (paths[1], 1, rest + ['glPointSize(5);'])):
        text = read(path).splitlines()
        checks.check(text[0].startswith('// %d draws' % draws), '%s: %s' % (path, text[0]))
        for line in lines:
            checks.check(line in text, '%s has no %s' % (path, line))
        checks.check(lines[0] != rest[0] or not [l for l in text if 'SPRITE' in l], '%s has sprites' % path)


def other_ends(folder):
    out = os.path.join(folder, 'ends')
    status, _, error = run([LAUNCHER, '-o', out, '--frames', '1', PROGRAM, 'environments'])
    checks.check(status == 0, '--frames 1: status %d' % status)
    checks.check('; in ' + out in error, '--frames 1 does not name its folder: %s' % error)
    checks.check('3 recorded' not in error and '1 environments, 1 frames' in error, '--frames 1: %s' % error)
    script(glob.glob(out + '/*.gl')[0], 3, 0, 0, '{}')
    out = os.path.join(folder, 'core')
    status, _, error = run([LAUNCHER, '-o', os.path.join('core', 'a', 'b'), PROGRAM, 'core'], cwd=folder)
    checks.check(status == 0 and 'recorded 0' in error and 'NOTHING WAS RECORDED' in error, 'core: %s' % error)
    checks.check(not os.path.exists(out), 'core: left an empty folder')
    out = os.path.join(folder, 'pictures')
    status, _, error = run([LAUNCHER, '-o', out, '--png', PROGRAM, 'environments'])
    if 'built without libpng' in error:
        checks.check(status == 2, '--png without libpng: %d' % status)
        return
    pictures = sorted(glob.glob(out + '/*.png'))
    checks.check(len(pictures) == 3, 'pictures: %s %s' % (pictures, error))
    for path in pictures:
        with open(path, 'rb') as f:
            head = f.read(24)
        checks.check(head[:8] == b'\x89PNG\r\n\x1a\n' and head[16:24] == b'\0\0\0\x08\0\0\0\x08',
                     '%s is no picture of 8 by 8' % path)


def without_gl(folder):
    """Errors: a program that loads no GL, a file that is no program, and a statically linked program."""
    out = os.path.join(folder, 'none')
    status, _, error = run([LAUNCHER, '-o', out, 'false'])
    checks.check(status == 1 and 'loads no OpenGL' in error and 'in ' + out in error, 'no GL: %s' % error)
    checks.check(not os.path.exists(out), 'no GL: left an empty folder')
    for program, wanted in (('no-such-program', 127), ('./no/such', 127), (folder, 126)):
        status, _, error = run([LAUNCHER, '-o', out, program])
        checks.check(status == wanted and re.match('texenv-record: .*%s.*; nothing is recorded in %s\n$'
                                                   % (re.escape(program), re.escape(out)), error),
                     '%s: %d %s' % (program, status, error))
    source = os.path.join(folder, 'static.c')
    with open(source, 'w', encoding='utf-8') as f:
        f.write('int main(void) { return 0; }\n')
    built = subprocess.run(['cc', '-static', '-o', source[:-2], source], capture_output=True, check=False)
    if built.returncode:
        print('no static C library: left out')
        return
    status, _, error = run([LAUNCHER, '-o', out, source[:-2]])
    checks.check(status == 126 and 'linked statically' in error and out in error, 'static: %d %s'
                 % (status, error))


def wrong_usage(folder):
    taken = os.path.join(folder, 'taken')
    with open(taken, 'w', encoding='utf-8') as f:
        f.write('x')
    for wrong in ([], ['--bogus', 'true'], ['--frames', 'x', 'true'], ['--frames', '0', 'true'], ['--frames'],
                  ['-o', taken, 'true'], ['-o', os.path.join(taken, 'a', 'b'), 'true']):
        status, out, error = run([LAUNCHER, *wrong])
        checks.check(status == 2 and error and not out, '%s: %d %s' % (wrong, status, error))
    status, _, error = run([PROGRAM, 'environments'], env=dict(
        os.environ, TEXENV_SHIM='record', TEXENV_RECORD_DIR=taken,
        LD_PRELOAD=os.path.join(os.path.dirname(LAUNCHER), 'libtexenv-shim.so')))
    checks.check(status == 2 and 'TEXENV_RECORD_DIR=' + taken in error, 'a folder that is a file: %d %s'
                 % (status, error))
    help_text = run([LAUNCHER, '--help'])[1]
    for name in ('TEXENV_RECORD_DIR', 'TEXENV_RECORD_FRAMES', 'TEXENV_RECORD_PNG', 'TEXENV_SHIM_LOG'):
        checks.check(name in help_text, '%s is not in --help' % name)
    checks.check(run([LAUNCHER, '-o', folder, 'sh', '-c', 'exit 9'])[0] == 9, 'the exit status is lost')


def of_stub(folder):
    """tests/realgl/record/setup.c: RGB textures in two units; COMBINE is MODULATE at first, then with scale
    2; a display list sets ADD and draws (it is called twice, with an error between the calls); REPLACE within
    PushAttrib; ADD again; then a light, and generated coordinates and a texture matrix of unit 1."""
    status, _, error = run([STUB], cwd=folder)
    checks.check(status == 0 and '4 environments' in error, 'stub: %d %s' % (status, error))
    checks.check('GL_INVALID_ENUM: 77' in error, 'stub: the mistake is not told: %s' % error)
    paths = [os.path.join(folder, 'recorded', '%s-%03d.gl' % (os.path.basename(STUB), n)) for n in (1, 2, 3, 4)]
    script(paths[0], 1, 0, 0, '{modulate @rgb} {T1*P @rgb}*2;1')
    script(paths[1], 3, 0, 0, '{modulate @rgb} {add @rgb}')
    texture(paths[0], 1, {'name': 2, 'size': [4, 4], 'internal_format': 'GL_RGB', 'min_filter': 'GL_LINEAR'})
    # REPLACE by an RGB texture keeps the alpha of the previous unit, so neither stage is dead
    script(paths[2], 1, 0, 0, '{modulate @rgb} {replace @rgb}')
    script(paths[3], 1, 0, 0,
           '{modulate @rgb} {add @rgb} vertex(lighting light1=positional+spot texgen1.s=sphere matrix1)')
    status, _, error = run([STUB, '4'], cwd=folder, env=dict(os.environ, TEXENV_RECORD_DIR='end'))
    checks.check(status == 0 and '1 environments' in error, 'stub, nothing drawn: %d %s' % (status, error))
    script(os.path.join(folder, 'end', os.path.basename(STUB) + '-001.gl'), 1, 0, 0,
           '{modulate @rgb} {T1*P @rgb}*4;1')
    status, _, error = run([STUB, 'newer'], cwd=folder, env=dict(os.environ, TEXENV_RECORD_DIR='newer'))
    checks.check(status == 0, 'stub, newer GL: %d %s' % (status, error))
    script(os.path.join(folder, 'newer', os.path.basename(STUB) + '-001.gl'), 2, 0, 0, '{modulate @alpha}')
    status, _, told = run([STUB, 'raster'], cwd=folder, env=dict(os.environ, TEXENV_RECORD_DIR='raster'))
    checks.check(status == 0 and '2 environments' in told, 'stub, raster: %s' % told)
    both = ['glEnable(GL_CLIP_PLANE1);', 'glClipPlane(GL_CLIP_PLANE1, (const GLdouble[]){0, 1, 0, 0.5});',
            'glFogi(GL_FOG_DISTANCE_MODE_NV, GL_EYE_RADIAL_NV);']
    for n, lines in enumerate((
            ['glTexEnvi(GL_POINT_SPRITE, GL_COORD_REPLACE, GL_TRUE);', 'glEnable(GL_POINT_SPRITE);',
             'glPointParameteri(GL_POINT_SPRITE_COORD_ORIGIN, GL_LOWER_LEFT);', 'glPointSize(3);',
             'glDrawArrays(GL_POINTS, 0, 3);'], ['glShadeModel(GL_FLAT);', 'glDrawArrays(GL_TRIANGLES, 0, 3);'])):
        text = read(os.path.join(folder, 'raster', os.path.basename(STUB) + '-%03d.gl' % (n + 1))).splitlines()
        for line in both + lines:
            checks.check(line in text, 'stub, raster %d has no %s: %s' % (n + 1, line, text))
    for function in ('glBindSampler', 'glTextureParameteri', 'GL_TEXTURE_SWIZZLE'):
        checks.check(error.count(function + ' is not supported') == 1, 'stub, newer GL: %s: %s'
                     % (function, error))
    checks.check('4 calls are not supported' in error, 'stub, newer GL: %s' % error)


def main():
    with tempfile.TemporaryDirectory() as folder:
        wrong_usage(folder)
        without_gl(folder)
        of_stub(folder)
        if run([PROGRAM, 'compat'])[0] == 77:
            print('no GL without a window here: only the stub was tried')
        else:
            of_program(folder)
            vertex_halves(folder)
            points(folder)
            other_ends(folder)
    checks.finish()


main()
