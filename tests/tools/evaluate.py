#!/usr/bin/env python3
"""Tests `texenvc evaluate`: for recorded, published and random states, its colours after each unit equal
those that the oracle computes exactly, and wrong input gives an error.

usage: evaluate.py [VECTORS [RANDOM]]      default: 6 vectors of inputs, 200 random states
"""
import json
import os
import random
import sys
import tempfile
from fractions import Fraction
from math import floor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../..'))
from tests.shared.tool import Checks, Run, TOP

from oracle.common.vectors import Single, WithColours, component  # noqa: E402
from oracle.texenv import random_states, stages, stages_print  # noqa: E402
from oracle.texenv.state import Half  # noqa: E402
from oracle.texenv.texenv_eval import color_sum, evaluate  # noqa: E402

VECTORS, RANDOM, SEED, UNITS = 6, 200, 48, 8
NEAR = Fraction(1, 1 << 24)     # half of the distance between two single-precision numbers just below 1
TIE = Fraction(1, 10 ** 9)      # if a value is this near to the middle of two bytes, either byte is right
PASSES = {'mode': 'combine', 'rgb': Half('replace', (('P', 'c'),), 1),
          'alpha': Half('replace', (('P', 'a'),), 1)}
checks = Checks('evaluate')


def states():
    """Returns the states of the corpora and random ones, as one text and as read by the oracle."""
    text = ''
    for name in ('recorded', 'public'):
        with open(os.path.join(TOP, 'tests', 'corpus', name + '.stages'), encoding='utf-8') as f:
            text += f.read()
    count = int(sys.argv[2]) if len(sys.argv) > 2 else RANDOM
    for state in random_states.RandomStates(count, SEED, UNITS):
        text += stages_print.state_text(state) + '\n'
    return text, [state for state, _ in stages.read(text)]


def inputs(rng, kind):
    """Returns {name: four Fractions} for all inputs. kind 3: multiples of 1/255; else a kind of component()."""
    names = ['T%d' % u for u in range(8)] + ['primary', 'secondary'] + ['C%d' % u for u in range(8)]
    if kind == 3:
        return {name: [Fraction(rng.randrange(256), 255) for _ in range(4)] for name in names}
    return {name: [Fraction(component(rng, kind), 65536) for _ in range(4)] for name in names}


def single(given):
    values = {}
    for name, parts in given.items():
        for c in range(4):
            if name[0] == 'T':
                values['tex', int(name[1]), c] = values['shadow', int(name[1]), c] = parts[c]
            elif name[0] == 'C':
                values['env', int(name[1]), c] = parts[c]
            else:
                values[name, 0, c] = parts[c]
    return Single(values)


def arguments(given, colours):
    out = []
    for name, parts in given.items():
        if colours or name[0] != 'C':
            out += ['--input', name + '=' + ','.join('%d/%d' % p.as_integer_ratio() for p in parts)]
    return out


def upto(state, last):
    """Returns the state with all units after this one replaced by units that pass the previous result on."""
    return state._replace(units=tuple(u._replace(**PASSES) if u is not None and n > last else u
                                      for n, u in enumerate(state.units)))


def near(found, exact):
    return len(found) == 4 and all(abs(Fraction(x) - y) <= NEAR for x, y in zip(found, exact))


def is_byte(found, exact):
    tie = exact * 255 + Fraction(1, 2)
    return found in (floor(tie), floor(tie - TIE), floor(tie + TIE))


def compare(path, known, given, colours):
    run = Run(['evaluate', path, '--json', '-q'] + arguments(given, colours))
    if not checks.check(run.status == 0, 'status %d: %s' % (run.status, run.err[:300])):
        return
    found = json.loads(run.out)['states']
    checks.check(len(found) == len(known), '%d states of %d' % (len(found), len(known)))
    for state, answer in zip(known, found):
        own = single(given) if colours else WithColours(single(given), state)
        exact = evaluate(state, own)
        if state.colorsum:
            exact = color_sum(own.dom, exact, own)
        where = 'state %d, %s' % (answer['state'], stages_print.state_text(state))
        checks.check(near(answer['color'], exact), '%s: %s, not %s' % (where, answer['color'], exact))
        checks.check(all(map(is_byte, answer['rgba8'], exact)), '%s: bytes %s, not 255 * %s' % (
            where, answer['rgba8'], exact))
        for n, unit in enumerate(answer['units']):
            exact = evaluate(upto(state, n), own)
            checks.check(near(unit, exact), '%s: unit %d: %s, not %s' % (where, n, unit, exact))


def refused():
    """Wrong input or options give the right exit status and message."""
    all_given = ['--input', 'T0=1,1,1,1', '--input', 'primary=1,1,1,1']
    for args, status, says in (
            (['-e', '{T0*P}', '--input', 'T0=1,1,1,1'], 2, 'state 1 reads primary:'),
            (['-e', '{T0*P} colorsum'] + all_given, 2, 'state 1 reads secondary:'),
            (['-e', '{T0*P} {T1*T7}'], 2, 'reads T0, T1, T7, primary:'),
            (['-e', '{T0*P}', '--input', 'T0=1,1,1'], 2, '4 numbers in [0,1]'),
            (['-e', '{T0*P}', '--input', 'T0=1,1,1,1,1'], 2, '4 numbers in [0,1]'),
            (['-e', '{T0*P}', '--input', 'T0=1,1,1,1.01'], 2, '4 numbers in [0,1]'),
            (['-e', '{T0*P}', '--input', 'T0=1,1,1,-1'], 2, '4 numbers in [0,1]'),
            (['-e', '{T0*P}', '--input', 'T0=1,1,1,nan'], 2, '4 numbers in [0,1]'),
            (['-e', '{T0*P}', '--input', 'T0=1,1,1,1/0'], 2, '4 numbers in [0,1]'),
            (['-e', '{T0*P}', '--input', 'T0=1,,1,1'], 2, '4 numbers in [0,1]'),
            (['-e', '{T0*P}', '--input', 'T0=1,1,1,1x'], 2, '4 numbers in [0,1]'),
            (['-e', '{T0*P}', '--input', 'T8=1,1,1,1'], 2, 'T0=r,g,b,a to T7'),
            (['-e', '{T0*P}', '--input', 'T0'], 2, 'T0=r,g,b,a to T7'),
            (['-e', '{T0*P}', '--input', 'prim=1,1,1,1'], 2, 'T0=r,g,b,a to T7'),
            (['-e', '{T0*P'] + all_given, 1, '<text>:1:'),
            (['-e', '!!ATIfs1.0\nStartConstants;\nEndConstants;\nStartOutputPass;\nSampleMap r0, t0.str;\n'
              'MOV r0, r0;\nEndPass;\n'] + all_given, 3, 'evaluate needs a texture environment')):
        run = Run(['evaluate'] + args)
        checks.check(run.status == status and says in run.err and not run.out,
                     '%s: status %d, %r, %r' % (args, run.status, run.out, run.err))


def main():
    text, known = states()
    rng = random.Random(SEED)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'all.stages')
        with open(path, 'w', encoding='utf-8') as f:
            f.write(text)
        for n in range(int(sys.argv[1]) if len(sys.argv) > 1 else VECTORS):
            compare(path, known, inputs(rng, (3, 5, 1, 2, 0, 5)[n % 6]), n % 2 == 0)
    refused()
    checks.finish()


main()
