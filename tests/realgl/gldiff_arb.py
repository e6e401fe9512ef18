#!/usr/bin/env python3
"""Tests texenv-gldiff on ARB fragment and vertex programs, hand-written and random: each is drawn as it is
and by its conversions. Also tests that differences are found, and that undefined or numerically unstable
results are left out and counted.

usage: gldiff_arb.py TEXENV_GLDIFF [--count N] [--first I] [--seed S] [-O LEVEL]
"""
import argparse
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from oracle.lang import every_arb, random_arb, random_arb_vertex  # noqa: E402

WAYS = ('--platform', 'surfaceless', '--via', 'arbfp', '--via', 'glsl')
POINTS, VALUES = 64, 5  # a point has a colour and a depth
checks = failures = 0
program = None


def check(ok, message):
    global checks, failures
    checks += 1
    if not ok:
        failures += 1
        print('failed:', message)


def run(*args, text=None):
    with tempfile.NamedTemporaryFile('w', suffix='.arbfp') as f:
        f.write(text or '')
        f.flush()
        return subprocess.run([program, *WAYS, *args] + ([f.name] if text else []), capture_output=True,
                              text=True, timeout=3000)


def figures(body, *args):
    """Returns the figures that --json prints for one program: by conversion, and in total."""
    r = run('--json', *args, text='!!ARBfp1.0\n%s\nEND\n' % body)
    got = json.loads(r.stdout)
    return {p['via']: p for p in got['programs'] if 'via' in p}, got, r.returncode


def random_programs(o):
    """Draws random fragment programs and their conversions. Some of them cannot be converted to GLSL, which
    lacks a bias for some lookups."""
    text = '\n'.join(random_arb.program(o.seed, i) for i in range(o.first, o.first + o.count))
    r = run('-q', '-O', o.O, text=text)
    print(r.stdout, end='')
    check(r.returncode == 0, 'status %d: %s' % (r.returncode, r.stderr[:300]))
    totals = re.findall(r'^(\w+): (\d+) programs compared, 0 over; (\d+) the language cannot do, 0 the GL refuses; '
                        r'(\d+) of .*\n +(\d+) values compared, (\d+) left out as undefined, (\d+) as unsteady; (\d+) '
                        r'fragments killed by both; largest difference \S+ \((\S+) where', r.stdout, re.M)
    check([t[0] for t in totals] == ['arbfp', 'glsl'], 'two lines of totals')
    for via, drawn, refused, empty, values, undefined, unsteady, kills, most in totals:
        refused, values, left_out = int(refused), int(values), int(undefined) + int(unsteady)
        check(int(drawn) + refused == o.count and refused <= (0 if via == 'arbfp' else .15 * o.count),
              '%s: %s drawn, %d refused' % (via, drawn, refused))
        check(int(empty) <= .01 * o.count and left_out < .05 * values,
              '%s: %s programs and %d of %d values left out' % (via, empty, left_out, values))
        check(int(kills) > 0 and float(most) < 1e-6, '%s: %s kills, largest difference of what is steady %s'
              % (via, kills, most))


def vertex_programs(o):
    """Each operation with each mask and kind of operands, and random programs, few of which may read
    undefined values."""
    step, count = (1, o.count) if o.count > 40 else (80, 10)
    plain = {'writer': random_arb_vertex.VertexWriter, 'plain': True}
    texts = [every_arb.program('vp', i) for i in range(0, every_arb.count('vp'), step)]
    texts += [random_arb.program(o.seed, i, 5, 80, **plain) for i in range(o.first, o.first + count)]
    r = run('-q', '-O', o.O, text='\n'.join(texts))
    print(r.stdout, end='')
    check(r.returncode == 0, 'vertex programs: status %d: %s' % (r.returncode, r.stderr[:300]))
    totals = re.findall(r'^(\w+): (\d+) programs compared, 0 over; 0 the language cannot do, 0 the GL refuses; (\d+) of '
                        r'.*\n +(\d+) values compared, (\d+) left out as undefined, (\d+) as unsteady', r.stdout, re.M)
    check([t[0] for t in totals] == ['arbfp', 'glsl'], 'two lines of totals of vertex programs')
    for via, drawn, empty, values, undefined, unsteady in totals:
        check(int(drawn) > .9 * len(texts) and int(empty) <= .02 * len(texts), '%s: %s of %d vertex programs drawn, '
              '%s with nothing' % (via, drawn, len(texts), empty))
        check(int(values) > 4 * (int(undefined) + int(unsteady)), '%s: %s values, %s undefined, %s unsteady' % (
            via, values, undefined, unsteady))


def vertex_differences():
    """Vertex programs that write positions, coordinates, colours and the fog coordinate."""
    head = '!!ARBvp1.0\nTEMP a; ADD a, vertex.texcoord[1], 0.125;\n'
    for result, lanes in (('position', ''), ('texcoord[3]', '.yw'), ('color.secondary', ''), ('fogcoord', '.x')):
        place = '' if result == 'position' else 'MOV result.position, vertex.position;\n'
        body = 'MUL a, a, 0.5;\nMOV result.%s%s, a;\n%sEND\n' % (result, lanes, place)
        r = run('--json', text=head + body)
        same = json.loads(r.stdout)['programs']
        check(r.returncode == 0 and len(same) == 2 and all(p['equal'] and p['values'] > 60 for p in same), r.stdout)
        r = run('--json', '--sabotage', text=head + body)
        other = json.loads(r.stdout)['programs']
        check(r.returncode == 1 and len(other) == 2 and not any(p['equal'] for p in other), result + ': ' + r.stdout)
    out = '!!ARBvp1.0\nPARAM c[3] = { program.env[2..4] };\nADDRESS A;\nARL A.x, vertex.texcoord[0].x;\n' \
        'MOV result.texcoord[0], c[A.x];\nMOV result.position, vertex.position;\nEND\n'
    got = json.loads(run('--json', text=out).stdout)['programs']
    check(all(p['equal'] and 0 < p['undefined'] < 256 for p in got), 'elements that an array does not have: %s' % got)


def written_programs():
    files = sorted(glob.glob(os.path.join(TOP, 'tests/arbfp/*.arbfp')))
    for level in '02':
        r = run('-O', level, *files)
        check(r.returncode == 0, '-O%s: %s' % (level, r.stdout[-2000:] + r.stderr))
        for via in ('arbfp', 'glsl'):
            check(re.search(r'^%s: %d programs compared, 0 over; 0 the language cannot do, 0 the GL refuses; 0 of'
                            % (via, len(files)), r.stdout, re.M), '-O%s: %s: %s' % (level, via, r.stdout[-600:]))


def differences_are_seen():
    by_sum = 'TEMP a; ADD a, fragment.color, 0.125; MUL result.color, a, 0.5;'
    r = run('--sabotage', text='!!ARBfp1.0\n%s\nEND\n' % by_sum)
    check(r.returncode == 1 and len(re.findall(r': program 1: (?:arbfp|glsl): largest difference 0.125 in 320 values; '
                                               r'left out 0 undefined, 0 unsteady DIFFERS\n  at pixel \d+,\d, '
                                               r'result.color\[0\].[xyzw]: direct', r.stdout)) == 2, r.stdout)
    check('fragment.color' in r.stdout, 'the inputs of the point are shown')
    kill = 'TEMP a; ADD a, fragment.color, -0.5; KIL a.x; MOV result.color, 0.25;'
    got, _, status = figures(kill, '--sabotage')
    check(status == 1 and all(not p['equal'] and p['most'] == 1 for p in got.values()), 'a kill that is missed')
    depth = 'TEMP a; ADD a, fragment.color, 0.125; MOV result.color, 0.25; MUL result.depth.z, a, 0.5;'
    got, _, status = figures(depth, '--sabotage')
    check(status == 1 and all(abs(p['most'] - .125) < 1e-6 for p in got.values()), 'a depth that differs')
    other = ('OPTION ARB_draw_buffers; TEMP a; ADD a, fragment.color, 0.125; MOV result.color[0], 0.25; '
             'MUL result.color[2], a, 0.5;')
    got, _, status = figures(other, '--sabotage')
    check(status == 1 and all(p['values'] == POINTS * 9 for p in got.values()), 'a colour of several that differs')


def equal(body, **wanted):
    """Both conversions must draw the same, with these figures."""
    got, all_of_it, status = figures(body)
    check(status == 0 and sorted(got) == ['arbfp', 'glsl'], '%s: %s' % (body, all_of_it))
    for p in got.values():
        check(p['equal'] and all(p[k] == v if isinstance(v, int) else v(p[k]) for k, v in wanted.items()),
              '%s: %s, not %s' % (body, p, wanted))
        check(p['values'] + p['undefined'] + p['unsteady'] + 4 * p['kills'] == POINTS * VALUES, '%s: %s adds up to '
              'another number of values' % (body, p))


def some(n):
    return 0 < n < POINTS * VALUES


def undefined_is_left_out():
    colour, depth = POINTS * 4, POINTS
    for body in ('RCP a.x, a.x;', 'RSQ a.x, a.x;', 'LG2 a.x, a.x;', 'POW a.x, a.x, fragment.color.x;',
                 'ADD a.x, a.x, -1; LG2 a.x, a.x;', 'ADD a.x, a.x, 4; SCS a.xy, a.x;'):
        equal('TEMP a; SUB a, fragment.color, fragment.color; %s MOV_SAT result.color, a.x;' % body,
              undefined=colour, values=depth)
        # the undefined value is not selected, so the result is defined
        equal('TEMP a; SUB a, fragment.color, fragment.color; %s CMP result.color, fragment.color, a.x, 0.5;' % body,
              undefined=0, values=colour + depth)
    big = 'TEMP a; MUL a, program.local[0].x, 1e25; MUL a, a, a; RCP a.x, a.x; MOV result.color, a.x;'
    equal(big, undefined=colour)
    # q is positive except at every eighth point, where it can have either sign: these are 8 points with 4
    # channels, so at most 32 values are undefined (also for a cube map)
    for target in ('2D', 'CUBE', '3D'):
        start = 'TEMP a; MOV a.w, fragment.texcoord[0]; MUL a.xyz, fragment.texcoord[3], 0.25; '
        equal(start + 'TXP result.color, a, texture[2], %s;' % target, undefined=lambda n: 0 < n <= 32)
        equal('TXP result.color, fragment.texcoord[0], texture[2], %s;' % target, undefined=lambda n: 0 < n <= 32)
        equal(start + 'TEX result.color, a, texture[2], %s;' % target, undefined=0)
    got, all_of_it, status = figures('TEMP a; XPD a, fragment.color, fragment.position; MOV result.color, a;')
    check(status == 1 and not got and all_of_it['programs_not_drawn'] == 1
          and 'undefined' in all_of_it['programs'][0]['skipped'], 'XPD.w is read: %s' % all_of_it)


def unsteady_is_left_out():
    # x - x*p*(1/p) is a rounding error, so its sign is arbitrary
    noise = ('TEMP a, b; MUL a, fragment.texcoord[0], program.local[0].x; RCP b.x, program.local[0].x; '
             'MAD a, a, -b.x, fragment.texcoord[0]; MUL a, a, 1e9; ')
    equal(noise + 'MAD_SAT result.color, a, 0.5, 0.5;', unsteady=lambda n: n >= 0)
    equal(noise + 'SGE result.color, a, 0;', unsteady=some)
    equal('TEMP a; MUL a, fragment.texcoord[0], 1e6; FRC result.color, a;', unsteady=lambda n: n > POINTS * 3)
    equal('TEMP a; MUL a, fragment.texcoord[0], 1e6; FRC a, a; SUB a, a, 0.5; KIL a.x; MOV result.color, 0.5;',
          unsteady=lambda n: n > POINTS / 2)


def inputs_are_the_same():
    """Reads each binding by itself; GLSL has no names for those of program matrices. Values may lie outside
    of [0,1], so they are scaled and biased."""
    bindings = random_arb.STATES + random_arb.ATTRIBUTES + (
        'state.matrix.program[7].invtrans.row[3]', 'state.matrix.projection.inverse.row[2]', 'program.env[200]',
        'program.local[99]', 'state.light[7].ambient', 'state.lightprod[3].back.ambient', 'fragment.texcoord[7]')
    r = run('--json', text=''.join('!!ARBfp1.0\nMAD_SAT result.color, %s, 0.1, 0.5;\nEND\n' % b for b in bindings))
    got = json.loads(r.stdout)['programs']
    check(r.returncode == 0 and len(got) == 2 * len(bindings), r.stderr[:300])
    for p in got:
        check(p.get('equal') and p['values'] == POINTS * VALUES and p['most'] < 1e-6,
              '%s: %s' % (bindings[p['program'] - 1], p))


def what_cannot_be_drawn():
    # Mesa does not support the matrix palette
    many = '!!ARBfp1.0\nMOV result.color, state.matrix.palette[9].row[0];\nEND\n'
    r = run(text=many)
    check(r.returncode == 1 and re.search(r': program 1: not compared: the GL refuses the ARB program: ', r.stdout)
          and 'no state and no program was drawn' in r.stderr, r.stdout + r.stderr)
    r = run(text='!!ARBfp1.0\nMOV result.color, nobody;\nEND\n')
    check(r.returncode == 1 and re.search(r':2:19: error: ', r.stderr), r.stderr)
    r = run('-e', '{T0*P}', text='!!ARBfp1.0\nMOV result.color, fragment.color;\nEND\n')
    check(r.returncode == 0 and 'arbfp: 1 states compared, 0 over' in r.stdout and
          'arbfp: 1 programs compared, 0 over' in r.stdout, 'a state and a program: ' + r.stdout + r.stderr)


def main():
    global program
    p = argparse.ArgumentParser()
    p.add_argument('program')
    p.add_argument('--count', type=int, default=40, help='random programs; more than 40: nothing else is done')
    p.add_argument('--first', type=int, default=0)
    p.add_argument('--seed', type=int, default=2)
    p.add_argument('-O', default='2')
    o = p.parse_args()
    program = os.path.abspath(o.program)
    random_programs(o)
    vertex_programs(o)
    if o.count <= 40:
        written_programs()
        differences_are_seen()
        vertex_differences()
        undefined_is_left_out()
        unsteady_is_left_out()
        inputs_are_the_same()
        what_cannot_be_drawn()
    print('gldiff_arb: %d checks, %d failed' % (checks, failures))
    return bool(failures)


if __name__ == '__main__':
    sys.exit(main())
