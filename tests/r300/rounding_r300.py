#!/usr/bin/env python3
"""Executes words of r300, r400 (24-bit floats) and r500 (32-bit floats) with the chip's arithmetic and
compares the results with the texture environment in real numbers.

For each state, the largest difference may not exceed a bound derived from the words (each product and sum is
off by at most one unit in the last place, constants are truncated; oracle/us/us_code.py). If the bound is
below 1/255, no component may differ by more than 1/255 after rounding to 8 bits. States with a larger bound,
whose scales make the float format itself too coarse, are counted, and those that differ by more than 1/255
are listed.

    rounding_r300.py [--count N] [--seed N] [--target CHIP ...]       TEXENVC names the program"""
import argparse
import os
import sys
from fractions import Fraction
from math import floor

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from oracle.commands import inputs, texenvc  # noqa: E402
from oracle.commands.compare import DEFAULT_OPTIONS, coloured, expected  # noqa: E402
from oracle.common.vectors import VectorSet  # noqa: E402
from oracle.hw import chips  # noqa: E402
from oracle.texenv import random_states, stages_print  # noqa: E402

MODEL = {'r300': 'float24', 'r400': 'float24', 'r500': 'float32'}
CHUNK = 500
LEVELS = 255


def rounded(x):
    return floor(x * LEVELS + Fraction(1, 2))


class Tally:
    def __init__(self):
        self.states = self.refused = self.fine = self.steps = self.coarse = 0
        self.worst, self.worst_bound = Fraction(0), Fraction(0)
        self.failed, self.listed = [], []

    def line(self, target):
        return '%s: %d states, %d refused; bound below 1/255 in %d: largest bound %.3g, largest difference %.3g, %d off by one of 255; beyond in %d, of which %d are off by more than 1/255' % (
            target, self.states, self.refused, self.fine, self.worst_bound, self.worst, self.steps,
            self.coarse, len(self.listed))


def judge(tally, state, code, vectors, options):
    name = stages_print.state_text(state).strip()
    own = coloured(vectors, state, options)
    want = expected(state, own, options, code.color_sum)
    got = chips.evaluate(code, own, state, options)
    bound = chips.bounds(code, own, state, options)
    coarse = max(bound) >= Fraction(1, LEVELS)
    tally.coarse += coarse
    tally.fine += not coarse
    far = 0
    for a, b, e in zip(want, got, bound):
        for x, y in zip(a.values(), b.values()):
            if abs(x - y) > e:
                tally.failed.append('%.3g, the bound is %.3g: %s' % (abs(x - y), e, name))
            far = max(far, abs(rounded(x) - rounded(y)))
            if not coarse:
                tally.worst = max(tally.worst, abs(x - y))
    if not coarse:
        tally.worst_bound = max(tally.worst_bound, *bound)
        tally.steps += far == 1
    if far > 1:
        (tally.listed if coarse else tally.failed).append('%d/255 after rounding: %s' % (far, name))


def campaign(target, states, count):
    options = DEFAULT_OPTIONS._replace(to=target, model=MODEL[target])
    tally, vectors = Tally(), VectorSet(1, count)
    for at in range(0, len(states), CHUNK):
        chunk = states[at:at + CHUNK]
        text = '\n'.join(map(stages_print.state_text, chunk)) + '\n'
        _, out, _ = texenvc.convert(['-'], ['--from', 'stages', '--to', target, '--format', 'json', '-q'],
                                    stdin=text)
        for state, block in zip(chunk, chips.blocks(out)):
            tally.states += 1
            if block.refused is not None:
                tally.refused += 1
                continue
            vectors.dom.trim()
            judge(tally, state, chips.parse(block.text), vectors, options)
    return tally


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--count', type=int, default=600, help='random states besides the corpus')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--vectors', type=int, default=24)
    parser.add_argument('--target', action='append', choices=sorted(MODEL))
    args = parser.parse_args()
    states = [i.state for name in ('recorded.stages', 'public.stages')
              for i in inputs.read_file(os.path.join(HERE, '..', 'corpus', name))]
    population = random_states.RandomStates(args.count, args.seed, 8)
    states += [population[i] for i in range(len(population))]
    failed = 0
    for target in args.target or sorted(MODEL):
        tally = campaign(target, states, args.vectors)
        print(tally.line(target), flush=True)
        for line in tally.failed[:5] + tally.listed[:3]:
            print('  ' + line)
        failed += len(tally.failed)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
