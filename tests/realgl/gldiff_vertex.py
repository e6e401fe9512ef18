#!/usr/bin/env python3
"""Tests texenv-gldiff --vertex and --both: vertex halves are drawn by fixed function and by the generated
programs, alone and with their fragment half; differences must be found and reduced, and cases that are left
out must be counted.

usage: gldiff_vertex.py TEXENV_GLDIFF [--count N] [--both N] [--seed S]
"""
import argparse
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared.tool import Checks, TOP

ALWAYS = ('glsl', 'arbvp', 'glsl-110')  # conversions that every GL of this tool can draw
VERTICES = 48
# Environments with a vertex half, as texenv-record recorded them from bouncingcow, timetunnel, chromium-bsu
# and neverball.
LIT = 'vertex(lighting separate-specular normalize point-attenuation light0 light1'
MASKED = '{P*~T0.a; P @luminance_alpha} {lerp(P,F,T1.a); P @luminance_alpha} '
RECORDED = [
    '{} vertex(lighting normalize light0)', '{modulate @rgb} vertex(texgen0.st=sphere)',
    '{modulate @rgb} vertex(matrix0)', '{replace} fog=linear alphatest=greater:0.5 vertex(matrix0)',
    MASKED + '{modulate @luminance} colorsum vertex(lighting matrix0 matrix1)',
    MASKED + '{modulate} colorsum %s matrix0 matrix1)' % LIT, '{} {} {modulate @rgb} colorsum %s)' % LIT,
    MASKED + '{modulate @rgb} colorsum %s matrix0 matrix1 texgen2.st=sphere)' % LIT,
    '{} {} {modulate @luminance_alpha} colorsum %s)' % LIT.replace('light0 light1', 'light2'),
    '{} vertex(point-attenuation)', '{} {} {modulate @luminance} vertex(point-attenuation)',
]
checks = Checks('gldiff_vertex')
program = None


def run(*args):
    return subprocess.run([program, '--platform', 'surfaceless', *args], capture_output=True, text=True,
                          timeout=3000)


def figures(*args):
    r = run('--json', *args)
    try:
        return json.loads(r.stdout), r
    except json.JSONDecodeError:
        checks.check(False, '%s: no JSON: %s %s' % (args, r.stdout[:200], r.stderr[:500]))
        return {'states': [], 'totals': {}}, r


def random_states(o):
    got, r = figures('--vertex', '--random', str(o.count), '--seed', str(o.seed))
    checks.check(r.returncode == 0, 'random: status %d: %s' % (r.returncode, [s for s in got['states'] if not s.get(
        'equal', True)][:3]))
    checks.check(set(ALWAYS) <= set(got['totals']), 'ways: %s' % sorted(got['totals']))
    for way, f in got['totals'].items():
        left = sum(f['left_out'].values())
        print('%s: %d states, %d refused, %d values, %d left out (%s); largest difference %s' % (
            way, f['compared'], f['refused'], f['values'], left, ', '.join(
                '%d: %s' % (n, why) for why, n in f['left_out'].items() if n), ', '.join(
                    '%.3g of %s' % (m, kind) for kind, m in f['most'].items())))
        checks.check(f['compared'] + f['refused'] == o.count and not f['over'] and not f['failed'],
                     '%s: %s' % (way, f))
        # core profiles and ES have no two-sided lighting
        checks.check(f['refused'] <= (.08 if way in ALWAYS else .5) * o.count, '%s: %d refused' % (way, f['refused']))
        checks.check(left < .03 * f['values'], '%s: %d of %d values left out' % (way, left, f['values']))


def whole_states(o):
    got, r = figures('--both', '--random', str(o.both), '--seed', str(o.seed))
    checks.check(r.returncode == 0, 'whole random states: status %d' % r.returncode)
    corpus, r = figures('--both', *sorted(glob.glob(os.path.join(TOP, 'tests/corpus/*.stages'))))
    checks.check(r.returncode == 0 and corpus['totals']['glsl']['compared'] > 500, 'the corpus: status %d' % r.returncode)
    # vertex halves of matrices and fog coordinates only are printed in a simpler way
    plain, r = figures('--both', '-e', '{T0*P} {T1*P @3d} vertex(matrix0 matrix1)', '-e',
                       '{T2*P} fog=exp vertex(matrix2)', '-e', '{T3+P} fog=linear:coord vertex(matrix3)')
    checks.check(r.returncode == 0 and all(f['compared'] == 3 for f in plain['totals'].values()),
                 'matrices alone: status %d: %s %s' % (r.returncode, plain, r.stderr))
    found, r = figures('--both', *(x for state in RECORDED for x in ('-e', state)))
    checks.check(r.returncode == 0 and all(f['compared'] == len(RECORDED) for f in found['totals'].values()),
                 'what programs draw with: status %d: %s %s' % (r.returncode, found, r.stderr))
    for totals in got['totals'], corpus['totals'], plain['totals'], found['totals']:
        for way, f in totals.items():
            print('%s: %s' % (way, f))
            checks.check(not f['over'] and not f['failed'] and f['unsteady'] + f['mesa'] < .2 * f['values'],
                         '%s: %s' % (way, f))


# Draw state that belongs to neither half, one setting at a time.
LIT_GL = 'glEnable(GL_TEXTURE_2D);glEnable(GL_LIGHTING);glEnable(GL_LIGHT0);'
SPRITES = 'glEnable(GL_POINT_SPRITE);glTexEnvi(GL_POINT_SPRITE,GL_COORD_REPLACE,GL_TRUE);'
AREAS, POINTS = 'glDrawArrays(GL_TRIANGLES,0,3);', 'glDrawArrays(GL_POINTS,0,3);'
RASTER = [
    'glShadeModel(GL_FLAT);' + AREAS, 'glEnable(GL_CLIP_PLANE0);' + AREAS,
    'glEnable(GL_CLIP_PLANE3);glEnable(GL_CLIP_PLANE4);' + AREAS, SPRITES + POINTS,
    SPRITES + 'glPointParameteri(GL_POINT_SPRITE_COORD_ORIGIN,GL_LOWER_LEFT);' + POINTS,
    'glEnable(GL_FOG);glFogi(GL_FOG_DISTANCE_MODE_NV,GL_EYE_RADIAL_NV);' + AREAS,
]


def draws_that_are_not_plain():
    for script in RASTER:
        got, r = figures('--both', '--from', 'gl', '-e', LIT_GL + script)
        flat = 'FLAT' in script  # GLSL ES 1.00 and ARB programs have no flat shading
        for way, f in got['totals'].items():
            wanted = not (way == 'arbfp' or (way == 'glsl-es' and flat))
            checks.check(r.returncode == 0 and f['compared'] == wanted and f['refused'] == (not wanted) and not f['over']
                         and f['values'] >= wanted * 150, '%s: %s: %s %s' % (script, way, f, r.stderr))


def seen(words, shrunk, where, *more):
    """A wrong generator (--sabotage) is noticed with each conversion, and the state is reduced to the wrong
    part."""
    for way in ALWAYS:
        r = run('--vertex', '--sabotage', '--via', way, '-e', words, *more)
        checks.check(r.returncode == 1 and 'DIFFERS' in r.stdout, '%s by %s: %s' % (words, way, r.stdout[-300:]))
        checks.check('  shrunk to %s\n  differs in %s' % (shrunk, where) in r.stdout, '%s by %s: %s' % (
            words, way, r.stdout[-600:]))


def differences_are_seen():
    seen('texgen3=eye matrix3 lighting light2', 'matrix3 reads=texcoord3.q', 'texcoord3.q of vertex')
    seen('texgen6.tr=eye two-side normalize', 'texgen6.r=eye reads=texcoord6.r', 'texcoord6.r of vertex')
    seen('lighting light0=positional+attenuated+spot light4 texgen1=sphere',
         'lighting light0=positional+attenuated reads=color', 'color.')
    r = run('--vertex', '--sabotage', '--via', 'glsl', '-e', 'lighting two-side light0')
    checks.check(re.search(r'shrunk to lighting two-side.* reads=color\n  differs in color\.[rgba] of vertex \d+ \(its '
                           r'triangle shows its back\)', r.stdout), r.stdout)
    r = run('--both', '--sabotage', '-e', '{T0*P @1d} vertex(texgen0.s=eye)')
    checks.check(r.returncode == 1 and len(re.findall(r'(?:arbfp|glsl): largest difference \S+ DIFFERS', r.stdout)) == 2
                 and 'vertex half: texgen0.s=eye\n' in r.stdout, 'a whole state: ' + r.stdout)


def equal(words, values, *more):
    """Each conversion must draw the same; `values` is the number of compared values."""
    got, r = figures('--vertex', '-e', words, *more)
    checks.check(r.returncode == 0 and {s['via'] for s in got['states']} >= set(ALWAYS), '%s: %s' % (words, r.stdout[-500:]))
    for way in ALWAYS:
        f = got['totals'][way]
        checks.check(f['compared'] == 1 and f['values'] + sum(f['left_out'].values()) == values * VERTICES,
                     '%s by %s: %s' % (words, way, f))


def what_is_compared():
    """Checks the number of values that are compared at a vertex: 4 of the position, and one for each
    component of the outputs that are read."""
    equal('reads=color', 8)
    equal('lighting separate-specular light0 reads=color+secondary', 11)
    equal('fog-coord reads=fog', 5)
    equal('texgen7.st=sphere reads=texcoord7.st+texcoord2.q', 7)
    equal('point-attenuation reads=color', 9)
    equal('', 4 + 4 + 3 + 1 + 32)


def states_give_vertex_halves():
    with tempfile.TemporaryDirectory() as folder:
        def file(name, text):
            with open(os.path.join(folder, name), 'w', encoding='ascii') as f:
                f.write(text)
            return f.name
        words = file('a.vertex', '# two lines\nlighting\n light3=spot reads=color\n')
        stages = file('b.stages', '{T0*P} vertex(texgen0.st=object)\n{T1*P} vertex(matrix1)\n')
        got, r = figures('--vertex', '--via', 'arbvp', words, stages)
        checks.check(r.returncode == 0 and [s['words'] for s in got['states']] == [
            'lighting light3=spot reads=color', 'texgen0.st=object reads=color+texcoord0.stq',
            'matrix1 reads=color+texcoord1.stq'], 'files: %s %s' % ([s['words'] for s in got['states']], r.stderr))
        r = run('--vertex', file('c.vertex', 'lighting\nlight0=bright\n'))
        checks.check(r.returncode == 1 and re.search(r'c\.vertex:2:8: error: ', r.stderr) and not re.search(
            'DIFFERS', r.stdout), 'malformed words: %d %s' % (r.returncode, r.stderr))


def wrong_usage():
    for status, text, args in (
            (2, 'no states', ['--vertex']), (2, '--both', ['--vertex', '--both', '-e', 'lighting']),
            (2, '--via', ['--vertex', '--via', 'atifs', '-e', 'lighting']),
            (2, '--via', ['--via', 'arbvp', '-e', '{T0}']), (2, '--via', ['--both', '--via', 'atifs', '-e', '{T0}']),
            (2, "did you mean '--vertex'", ['--vertx', '-e', 'lighting']),
            (1, 'error', ['--vertex', '-e', 'bogus']),
            (1, 'no state was drawn', ['--vertex', os.path.join(TOP, 'tests/arbfp/clamps.arbfp')])):
        r = run(*args)
        checks.check(r.returncode == status and text in r.stderr, '%s: %d %s' % (args, r.returncode, r.stderr[:200]))
    both = 'lighting two-side light0 color-material.front=ambient color-material.back=specular'
    r = run('--vertex', '--via', 'glsl', '-e', both)
    checks.check('not compared: no call of glColorMaterial' in r.stdout, 'a state that GL has not: ' + r.stdout)
    lacking = subprocess.run([program, '--platform', 'surfaceless', '--vertex', '-e', 'lighting'], text=True,
                             capture_output=True, timeout=100, env=dict(
                                 os.environ, MESA_EXTENSION_OVERRIDE='-GL_ARB_vertex_program'))
    checks.check(lacking.returncode == 3 and 'GL_ARB_vertex_program' in lacking.stderr, 'a GL without vertex programs: '
                 '%d %s' % (lacking.returncode, lacking.stderr))


def main():
    global program
    p = argparse.ArgumentParser()
    p.add_argument('program')
    p.add_argument('--count', type=int, default=20, help='random vertex halves; more than 200: nothing else is done')
    p.add_argument('--both', type=int, default=10, help='random whole states')
    p.add_argument('--seed', type=int, default=1)
    o = p.parse_args()
    program = os.path.abspath(o.program)
    random_states(o)
    whole_states(o)
    draws_that_are_not_plain()
    if o.count <= 200:
        differences_are_seen()
        what_is_compared()
        states_give_vertex_halves()
        wrong_usage()
    checks.finish()


if __name__ == '__main__':
    main()
