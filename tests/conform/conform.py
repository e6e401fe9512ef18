#!/usr/bin/env python3
"""Tests of the conformance vectors (texenvc vectors): the contents of the vectors, and the runners of
examples/ on an evaluator with deliberate faults and on the GLs of this machine.

usage: conform.py texts                  the files: sizes, options, states read back; each pair of
                                        settings occurs
       conform.py faults                 examples/conform.c and conform.mjs find each fault, by a small state
       conform.py gl|es|osmesa [LIBRARY...]
                                         examples/conform_gl.c, each vector within 1 of 255; also by
                                         libtexenv-es, of which LIBRARY... are the archives"""
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool
from oracle.gl import gl_text
from oracle.texenv import vector_inputs, vector_states
from tests.shared.tool import Run

EXAMPLES = os.path.join(tool.TOP, 'examples')
STRICT = ['-Wall', '-Wextra', '-pedantic', '-Werror']
MOST = 200000  # bytes of a vector file at most
TIES = 20  # vectors at most that float rounding puts on the other side of a tie
LONGEST = 8  # settings at most in the smallest state that shows a fault
checks = tool.Checks('conform')


def write(folder, *options):
    run = Run(['vectors', '-o', folder, *options])
    checks.check(run.status == 0 and not run.err, 'vectors %s: %s' % (' '.join(options), run.err))
    return load(folder) if run.status == 0 else None


def load(folder):
    with open(os.path.join(folder, 'texenv-vectors.json'), encoding='ascii') as f:
        return json.load(f)


def read(path):
    with open(path, 'rb') as f:
        return f.read()


# ---- the vector files ----

def script(vector):
    """Writes the state of a vector as GL calls."""
    lines = []
    for n, unit in enumerate(vector['units']):
        if unit is None:
            continue
        lines += ['glActiveTexture(GL_TEXTURE%d);' % n, 'glEnable(GL_TEXTURE_2D);',
                  'glBindTexture(GL_TEXTURE_2D, %d);' % (n + 1),
                  'glTexImage2D(GL_TEXTURE_2D, 0, %d, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);' % unit['format']]
        lines += ['glTexEnvi(GL_TEXTURE_ENV, %d, %d);' % pair for pair in map(tuple, unit.get('env', ()))]
    if 'secondary' in vector:
        lines.append('glEnable(GL_COLOR_SUM);')
    return '\n'.join(lines + ['glDrawArrays(GL_TRIANGLES, 0, 3);'])


def read_back(vector):
    """Checks that the JSON of the vectors describes states for which the oracle gives the wanted colours."""
    (state, _), = gl_text.read(script(vector))
    plain = state._replace(fog=None, alpha_test=None)
    fog = vector.get('fog')
    names = {9729: 'linear', 2048: 'exp', 2049: 'exp2'}
    test = vector.get('alphaTest')
    case = vector_states.Case(vector['name'], '', plain, {},
                              fog and (names[fog['mode']], *(fog[k] for k in ('depth', 'start', 'end', 'density'))),
                              test and (vector_states.COMPARES[test[0] - 0x200], test[1], True))
    empty = {'texel': (0, 0, 0, 0)}
    units = [u or empty for u in vector['units']]
    given = vector_inputs.Vector(case, [u['texel'] for u in units], [u.get('color', (0, 0, 0, 0)) for u in units],
                                 vector['primary'], vector.get('secondary', (0, 0, 0)), fog and fog['color'],
                                 test[1] if test else 0, None, (), 1)
    want = vector_inputs.wanted(given)
    checks.check(want == tuple(vector['want']), '%s: the oracle gives %s' % (vector['name'], want))
    checks.check([list(e) for e in vector_inputs.alternatives(given, want)] == vector.get('either', []),
                 '%s: other values' % vector['name'])
    return plain


def classes(state):
    """Returns (setting, value) of one COMBINE unit, for the settings that have an effect."""
    unit = state.units[0]
    out = {('rgb', unit.rgb.func), ('rgb scale', unit.rgb.scale)}
    halves = [('', unit.rgb)]
    if unit.rgb.func != 'dot3_rgba':
        out |= {('alpha', unit.alpha.func), ('alpha scale', unit.alpha.scale)}
        halves.append(('alpha ', unit.alpha))
    for word, half in halves:
        for n, (source, operand) in enumerate(half.args):
            out |= {('%ssource %d' % (word, n), source), ('%soperand %d' % (word, n), operand)}
    if any(v == 'T0' for _, v in out):
        out.add(('format', unit.fmt))
    return out


def all_classes():
    functions = ('replace', 'modulate', 'add', 'add_signed', 'interpolate', 'subtract')
    rows = [('rgb', functions + ('dot3_rgb', 'dot3_rgba')), ('alpha', functions), ('rgb scale', (1, 2, 4)),
            ('alpha scale', (1, 2, 4)),
            ('format', ('rgba', 'rgb', 'alpha', 'luminance', 'luminance_alpha', 'intensity'))]
    for n in range(3):
        rows += [('source %d' % n, ('T0', 'C', 'F', 'P')), ('operand %d' % n, ('c', '~c', 'a', '~a')),
                 ('alpha source %d' % n, ('T0', 'C', 'F', 'P')), ('alpha operand %d' % n, ('a', '~a'))]
    return [(name, [(name, v) for v in values]) for name, values in rows]


def possible(a, b):
    """Returns whether one unit can have both settings: functions of few arguments ignore the others, and
    DOT3_RGBA ignores the alpha function."""
    for (x, v), (y, w) in ((a, b), (b, a)):
        slot = re.search(r'\d', y)
        half = 'alpha ' if y.startswith('alpha ') else ''
        if x == ('alpha' if half else 'rgb') and slot:
            count = {'replace': 1, 'interpolate': 3}.get(v, 2)
            if int(slot[0]) >= count:
                return False
        if x == 'rgb' and v == 'dot3_rgba' and y.startswith('alpha'):
            return False
    return True


def pairs(states):
    found = set()
    for state in states:
        found |= set(itertools.combinations(sorted(classes(state), key=repr), 2))
    missing = 0
    for (_, some), (_, others) in itertools.combinations(all_classes(), 2):
        for a, b in itertools.product(some, others):
            if possible(a, b) and tuple(sorted((a, b), key=repr)) not in found:
                missing += 1
                checks.check(missing > 5, 'no vector has %s %s with %s %s' % (*a, *b))
    checks.check(missing == 0, '%d pairs of classes are missing' % missing)


def texts(folder):
    data = write(folder)
    for name in ('texenv-vectors.json', 'texenv-vectors.h'):
        text = read(os.path.join(folder, name))
        checks.check(len(text) <= MOST, '%s has %d bytes' % (name, len(text)))
        checks.check(b'0BSD' in text, '%s does not say its license' % name)
    states = [read_back(v) for v in data['vectors']]
    pairs([s for s in states if s.units[0] and s.units[0].mode == 'combine' and not any(s.units[1:])])
    checks.check(len(data['vectors']) > 450 and len(data['vertices']) > 30, 'too few vectors')
    classic = {(s.units[0].mode, s.units[0].fmt) for s in states if s.units[0] and not any(s.units[1:])}
    for mode, fmt in itertools.product(('replace', 'modulate', 'blend', 'add'), vector_states.FORMATS):
        checks.check((mode, fmt) in classic, 'no vector of %s with %s' % (mode, fmt))
    options(folder, data)
    bad(folder)


def options(folder, data):
    other = os.path.join(folder, 'other')
    again = write(other, '--count', '150')
    checks.check(again['vectors'] == data['vectors'][:150], 'the same command gives other vectors')
    checks.check(write(other, '--count', '150', '--seed', '2')['vectors'] != again['vectors'],
                 '--seed makes no difference')
    for count in (1, 7, 480):
        got = write(other, '--count', str(count))
        checks.check(len(got['vectors']) == count and len(got['vertices']) == -(-count // 10),
                     '--count %d: %d, %d' % (count, len(got['vectors']), len(got['vertices'])))
    got = write(other, '--tags', 'ES1.1,-fog')
    for one in got['vectors'] + got['vertices']:
        checks.check('ES1.1' in one['tags'] and 'fog' not in one['tags'], '--tags: %s' % one['name'])
        for unit in filter(None, one.get('units', ())):
            checks.check(unit['format'] != 0x8049, 'GL_INTENSITY in ES 1.1')
    checks.check(sum('ES1.1' in v['tags'] and 'fog' not in v['tags'] for v in data['vectors'])
                 == len(got['vectors']), '--tags leaves some out')
    got = write(other, '--tags', 'known', '--count', '40')
    checks.check(20 < len(got['vectors']) < 100, '--tags known: %d' % len(got['vectors']))
    for tag in ('lighting', 'crossbar'):
        got = write(other, '--tags', tag)
        checks.check(bool(got['vertices']) == (tag == 'lighting') != bool(got['vectors']), '--tags %s' % tag)


def bad(folder):
    none = os.path.join(folder, 'none')
    for words, status, text in ((['--tags', 'x'], 1, "no tag 'x'"), (['--tags', 'lighting,-lighting'], 1, 'no vector'),
                                (['--count', '0'], 2, '--count'), (['--count', 'x'], 2, '--count'),
                                (['--count', '100001'], 2, '--count'), (['--seed', '0'], 2, '--seed'),
                                (['file'], 2, 'no file'), (['--to', 'glsl'], 2, 'does not take --to'),
                                (['--output'], 2, 'needs a value')):
        run = Run(['vectors', *words, *(['-o', none] if words != ['--output'] else [])])
        checks.check(run.status == status and text in run.err, '%s: %d %s' % (words, run.status, run.err))
        checks.check(not os.path.exists(none), '%s: output' % words)
    inside = os.path.join(folder, 'texenv-vectors.h', 'x')
    run = Run(['vectors', '--count', '1', '-o', inside])
    checks.check(run.status == 1 and 'error' in run.err, 'a folder in a file: %d %s' % (run.status, run.err))


# ---- the runners ----

def compile_c(folder, name, sources):
    program = os.path.join(folder, name)
    run = subprocess.run(['cc', '-std=c99', *STRICT, '-I', folder, '-I', EXAMPLES, *sources, '-o', program],
                         capture_output=True, text=True)
    checks.check(run.returncode == 0, 'cc %s: %s' % (name, run.stderr))
    return program


def conform_object(folder):
    """examples/conform.c as C89, with each compiler."""
    for compiler in filter(shutil.which, ('clang', 'cc')):
        path = os.path.join(folder, 'conform.o')
        run = subprocess.run([compiler, '-std=c89', *STRICT, '-I', folder, '-c', os.path.join(EXAMPLES, 'conform.c'),
                              '-o', path], capture_output=True, text=True)
        checks.check(run.returncode == 0, '%s: conform.c: %s' % (compiler, run.stderr))
    return path


def find_fault(command, folder, name, fails):
    run = subprocess.run([*command, name], capture_output=True, text=True, cwd=folder)
    failed = re.search(r'^FAILED: (.*?): wanted', run.stdout, re.M)
    checks.check(run.returncode == 1 and failed and fails in failed[1],
                 '%s: status %d, %s' % (name, run.returncode, failed and failed[1]))
    calls = re.findall(r'^    glTexEnvi', run.stdout, re.M)
    checks.check(len(calls) <= LONGEST, '%s: a state of %d settings' % (name, len(calls)))
    checks.check(re.search(r'^all +\d+ +[1-9]', run.stdout, re.M), '%s: no table by tag' % name)


def find_faults(command, folder):
    run = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    checks.check(run.returncode == 0 and '0 failed' in run.stdout, 'without a fault: %s' % run.stdout[:400])
    listed = subprocess.run([*command, '--list'], capture_output=True, text=True, check=True).stdout
    found = [line.split('\t') for line in listed.splitlines()][1:]
    checks.check(len(found) >= 15, 'only %d faults' % len(found))
    for name, fails in found:
        find_fault(command, folder, name, fails)
    return len(found)


def faults(folder):
    write(folder)
    for name, most in (('conform.c', 150), ('conform.mjs', 100)):
        with open(os.path.join(EXAMPLES, name), encoding='ascii') as f:
            checks.check(len(f.readlines()) <= most, 'examples/%s has more than %d lines' % (name, most))
    layer = compile_c(folder, 'layer', [os.path.join(tool.TOP, 'tests', 'conform', 'conform_layer.c'), conform_object(folder), '-lm'])
    # float evaluation differs from the exact value if that is half-way between two steps, as for ADD_SIGNED
    exact = subprocess.run([layer, '--exact'], capture_output=True, text=True).stdout
    off = re.search(r'^(\d+) failed', exact, re.M)
    checks.check(off and int(off[1]) <= TIES, 'to the last step: ' + exact[:400])
    return '%d faults by C, %s by JavaScript' % (find_faults([layer], folder), javascript(folder))


def javascript(folder):
    node = shutil.which('node')
    if not node:
        return 'none'
    runner = os.path.join(EXAMPLES, 'conform.mjs')
    checks.check(subprocess.run([node, runner], capture_output=True).returncode == 2, 'conform.mjs: wrong usage')
    with open(os.path.join(folder, 'black.mjs'), 'w', encoding='ascii') as f:
        f.write('export const draw = () => [0, 0, 0, 0]\n')
    run = subprocess.run([node, runner, 'black.mjs'], capture_output=True, text=True, cwd=folder)
    checks.check(run.returncode == 1 and 'FAILED: ' in run.stdout, 'conform.mjs: %s' % run.stdout[:200])
    return find_faults([node, os.path.join(tool.TOP, 'tests', 'conform', 'conform_layer.mjs')], folder)


def run_on(program, which):
    run = subprocess.run([program, which, '--strict'], capture_output=True, text=True)
    if run.returncode == 77:
        print(run.stderr)
        sys.exit(77)
    checks.check(run.returncode == 0 and not run.stderr, '%s: %s%s' % (which, run.stdout[:2000], run.stderr))
    drawn = re.search(r'^all +(\d+) +(\d+) +(\d+)', run.stdout, re.M)
    wanted = 250 if which == 'es' else 450
    checks.check(drawn and int(drawn[1]) > wanted and (which == 'es' or drawn[3] == '0'),
                 '%s: %s' % (which, drawn and drawn[0]))
    return '%s vectors by %s' % (drawn and drawn[1], run.stdout.split('\n')[0])


def on_gl(folder, which, archives):
    write(folder)
    program = compile_c(folder, 'conform',
                        [os.path.join(EXAMPLES, 'conform_gl.c'), conform_object(folder), '-ldl'])
    checks.check(subprocess.run([program, 'x'], capture_output=True).returncode == 2, 'wrong usage')
    done = run_on(program, which)
    if archives:
        path = os.path.join(folder, 'layer.so')
        run = subprocess.run(['cc', '-shared', '-o', path, '-Wl,--whole-archive', archives[0],
                              '-Wl,--no-whole-archive', *archives[1:], '-lm', '-ldl'],
                             capture_output=True, text=True)
        if checks.check(run.returncode == 0, 'layer.so: ' + run.stderr):
            done += ', ' + run_on(program, path)
    return done


def main():
    how, archives = (sys.argv + [''])[1], sys.argv[2:]
    others = {'texts': texts, 'faults': faults}
    if how not in (*others, 'gl', 'es', 'osmesa') or (archives and how in others):
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        done = others[how](folder) if how in others else on_gl(folder, how, archives)
    checks.finish(', %s' % done if done else '')


if __name__ == '__main__':
    main()
