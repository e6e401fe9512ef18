#!/usr/bin/env python3
"""Checks the error bound that `texenvc report` states for NV2A words: how much the chip's integer results may
differ from the exact values of GL.

usage: nv2a_units.py TEXENVC [--count N] [--inputs N] [--seed N] [-O LEVEL] [FILE ...]

Random states (or those of FILEs) are compiled; the oracle executes the words with the arithmetic of the
hardware (notes/facts/nv2a.md 5), on random byte inputs, with random choices where the facts leave the
behaviour open, and compares the result with the exact value of the texture environment. Environment colours
are bytes, too. The difference must not exceed the bound, error-percent in the report."""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction


sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from oracle.common.vectors import Single  # noqa: E402
from oracle.hw.chips import parse  # noqa: E402
from oracle.nv2a import nv2a_eval  # noqa: E402
from oracle.nv2a.nv2a_words import FOG, T0, V0, V1  # noqa: E402
from oracle.texenv.stages import read  # noqa: E402
from oracle.texenv.state import DEFAULT_POLICY  # noqa: E402
from oracle.texenv.texenv_eval import color_sum, evaluate, texel  # noqa: E402


TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def write_states(options, path):
    """Writes the states to a file in stage notation."""
    if options.files:
        command = [options.texenvc, 'convert', '--quiet', '--to', 'stages', '-o', path, *options.files]
    else:
        command = [sys.executable, '-m', 'oracle', 'random', '--emit', path, '--count', str(options.count), '--seed',
                   str(options.seed), '--colors', '8bit', '--texture-units', '4']
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=TOP)


def component(rng):
    return rng.choice((0, 1, 127, 128, 254, 255, rng.randrange(256), rng.randrange(256), rng.randrange(256)))


def one(state, code, rng):
    """Executes the words of a state on random inputs; returns (difference in units of 1/255, inputs)."""
    units = {t.slot: t.unit for t in code.textures}
    values = {}
    for u in range(8):
        for c in range(4):
            values['tex', u, c] = Fraction(component(rng), 255)
            values['env', u, c] = Fraction(round(255 * state.units[u].color[c]), 255) if state.units[u] else 0
        values['shadow', u, 0] = Fraction(rng.choice((0, 255)), 255)
    for name in ('primary', 'secondary', 'fog'):
        for c in range(4):
            values[name, 0, c] = Fraction(component(rng), 255)
    inputs = Single(values)
    want = evaluate(state, inputs, DEFAULT_POLICY)
    if code.color_sum:
        want = color_sum(inputs.dom, want, inputs)
    factor = Fraction(component(rng), 255)
    if code.fog:
        want = [factor * want[c] + (1 - factor) * values['fog', 0, c] for c in range(3)] + [want[3]]
    given = {V0: [int(255 * values['primary', 0, c]) for c in range(4)],
             V1: [int(255 * values['secondary', 0, c]) for c in range(4)],
             FOG: [int(255 * values['fog', 0, c]) for c in range(3)] + [int(255 * factor)]}
    for slot, unit in units.items():
        four = [int(255 * v) for v in texel(inputs, state.units[unit], unit)]
        if state.units[unit].shadow:
            four = [int(255 * values['shadow', unit, 0])] * 4
        elif state.units[unit].fmt == 'alpha':
            four[:3] = [255] * 3
        given[T0 + slot] = four
    assume = {name for name in nv2a_eval.ASSUMPTIONS if rng.random() < 0.5}
    got = nv2a_eval.units(code.words, given, assume)
    return max(abs(255 * w - g) for w, g in zip(want, got)), sorted(assume)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('texenvc')
    parser.add_argument('files', nargs='*')
    parser.add_argument('--count', type=int, default=300)
    parser.add_argument('--inputs', type=int, default=20)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('-O', dest='level', default='2')
    options = parser.parse_args()
    options.texenvc = os.path.abspath(options.texenvc)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'a.stages')
        write_states(options, path)
        with open(path, encoding='utf-8') as f:
            text = f.read()
        made = subprocess.run([options.texenvc, 'convert', '--quiet', '--from', 'stages', '--to', 'nv2a',
                               '-O' + options.level, '--format', 'json', path], stdout=subprocess.PIPE).stdout
    rng = random.Random('units %d' % options.seed)
    checks = failed = refused = reached = 0
    largest = 0
    for (state, _), o in zip(read(text), json.loads(made)):
        if not o['fits']:
            refused += 1
            continue
        code = parse(o)
        bound = Fraction(o['stats']['error-percent'], 100)
        most = 0
        for _ in range(options.inputs):
            difference, assume = one(state, code, rng)
            checks += 1
            if difference > bound:
                failed += 1
                if failed <= 10:
                    print('%s: %.3f units from the real value, and at most %.2f are said (%s)'
                          % (o['source'], difference, bound, ' '.join(assume)))
            most = max(most, difference)
        reached += most > bound / 2
        largest = max(largest, most)
    print('nv2a_units: %d checks, %d failed; %d states refused; largest difference %.3f units; %d states reach half '
          'of what is said' % (checks, failed, refused, largest, reached))
    return bool(failed or not checks)


if __name__ == '__main__':
    sys.exit(main())
