#!/usr/bin/env python3
"""Tests what the -O levels promise for the words of chips: a state that fits at -O2 also fits at -O1 and -O3;
-O2 takes no more pairs than -O1, and -O3 no more than -O2; on r300, -O3 takes fewer for some state.

    levels.py [--count N] [--chip CHIP ...]    status 1 if a promise is broken

TEXENVC names the program."""
import argparse
import sys

import length_r300
from oracle.texenv import random_states

CHIPS = 'r200', 'r300', 'r500', 'pica200', 'nv2a', 'i915'
SIZE = {'r200': 'stages', 'pica200': 'stages', 'nv2a': 'stages', 'i915': 'alu'}
SHORTER = 'r300',  # chips for which -O3 must be shorter for some state


def compare(chip, name, states):
    """Returns messages for broken promises, and the states that are shorter at -O3."""
    size, broken, better = SIZE.get(chip, 'pairs'), [], 0
    rows = [list(length_r300.convert(states, chip, ['-O' + level])) for level in '0123']
    total = [0] * len(rows)
    for n, made in enumerate(zip(*rows)):
        answers = [answer for _, answer in made]
        reasons = ['-O%d' % level for level, a in enumerate(answers) if isinstance(a, str)]
        if reasons:
            if reasons != ['-O0'] and '-O2' not in reasons:
                broken.append('%s %s %d: refused only at %s' % (chip, name, n, ' '.join(reasons)))
            continue
        sizes = [a[size] for a in answers]
        total = [t + s for t, s in zip(total, sizes)]
        better += sizes[3] < sizes[2]
        if not sizes[1] >= sizes[2] >= sizes[3]:
            broken.append('%s %s %d: -O1 %d, -O2 %d, -O3 %d' % (chip, name, n, *sizes[1:]))
    print('%-8s %-9s %5d states, %s -O0 to -O3: %s; -O3 is shorter in %d' %
          (chip, name, len(states), size, ' '.join(map(str, total)), better), flush=True)
    return broken, better


def main():
    parser = argparse.ArgumentParser(description='Compares the -O levels of chips.')
    parser.add_argument('--count', type=int, default=60)
    parser.add_argument('--chip', action='append')
    args = parser.parse_args()
    populations = {'random': list(random_states.RandomStates(2 * args.count, 5, 6)),
                   'chains': list(random_states.FullChains(args.count, 4)),
                   'recorded': length_r300.corpus('recorded.stages')[:args.count]}
    failures = []
    for chip in args.chip or CHIPS:
        shorter = 0
        for name, states in populations.items():
            broken, better = compare(chip, name, states)
            failures += broken
            shorter += better
        if chip in SHORTER and not shorter:
            failures.append('%s: -O3 is nowhere shorter than -O2' % chip)
    print('\n'.join(failures[:20]))
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
