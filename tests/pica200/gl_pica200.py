#!/usr/bin/env python3
"""Tests texture environments of up to six units with the functions of OpenGL itself (those of combine and
dot3) on the PICA200, which has six stages: all of them must fit and compute the right colours.

usage: gl_pica200.py [--count N] [--compared N] [--seed N] [--table]

For each number of units there are N random states, in which each unit reads the previous one and textures 0
to 2. The first --compared of them are executed by the oracle's interpreter. --table prints a table of
averages. Exit status: 1 if a state is refused or computed wrongly, or if the average number of stages is not
below the number of units.
"""
import argparse
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from oracle.commands import compare, inputs, texenvc  # noqa: E402
from oracle.hw import chips  # noqa: E402

FUNCTIONS = ('%s', '%s*%s', '%s+%s', '%s+%s-0.5', 'lerp(%s,%s,%s)', '%s-%s')
UNITS = 6


def half(rng, first, colour):
    """Returns the text of a random half; one of its arguments is the previous result, except in the first
    unit."""
    function = rng.choice(FUNCTIONS + ('dot3(%s,%s)',) * colour)
    arguments = [rng.choice(('P', 'P', 'C', 'F', 'T%d' % rng.randrange(3))) for _ in range(function.count('%s'))]
    if not first and 'P' not in arguments:
        arguments[rng.randrange(len(arguments))] = 'P'
    return function % tuple(rng.choice(('', '~')) + a + rng.choice(('', '.a') if colour else ('',))
                            for a in arguments)


def unit(rng, first):
    functions = half(rng, first, True), half(rng, first, False)
    text = '%s; %s' % functions
    if rng.random() < 0.1:
        text = 'dot3a(%s,%s)' % tuple(rng.choice(('P', '~P', 'C', 'F.a', 'T0', '~T2.a')) for _ in range(2))
    return '{%s}*%d;%d' % (text, rng.choice((1, 1, 2, 4)), rng.choice((1, 1, 2, 4)))


def state(rng, units):
    colours = ' '.join('C%d=(%s)' % (n, ','.join('%.7g' % (rng.randrange(256) / 255) for _ in range(4)))
                       for n in range(units))
    return ' '.join(unit(rng, n == 0) for n in range(units)) + ' ' + colours


def judged(units, args):
    """Tests states of this many units; returns (number of states that fit, total of stages, error
    messages)."""
    rng = random.Random('%d of %d' % (args.seed, units))
    texts = [state(rng, units) for _ in range(args.count)]
    source = '\n'.join(texts) + '\n'
    _, out, _ = texenvc.convert(['-'], ['--from', 'stages', '--to', 'pica200', '--format', 'json', '-q'],
                                stdin=source)
    comparer = compare.Comparer(compare.DEFAULT_OPTIONS._replace(to='pica200'))
    accepted, total, problems = 0, 0, []
    for n, (text, block) in enumerate(zip(texts, chips.blocks(out), strict=True)):
        if block.refused is not None:
            problems.append('refused: %s: %s' % (block.refused, text))
            continue
        accepted += 1
        total += chips.parse(block.text).stats['stages']
        if n < args.compared:
            found = comparer.compare(next(inputs.read_text(text + '\n', 'stages', '-')).state, block.text)
            if found is not None:
                problems.append('%s: %s' % (found.message, text))
    return accepted, total, problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    parser.add_argument('--count', type=int, default=200, metavar='N', help='states of each number of units')
    parser.add_argument('--compared', type=int, default=30, metavar='N', help='of which so many are executed')
    parser.add_argument('--seed', type=int, default=1, metavar='N')
    parser.add_argument('--table', action='store_true', help='print a table with the mean of stages')
    args = parser.parse_args()
    problems, units_sum, stages_sum = [], 0, 0
    print('| units | states | accepted | stages, mean |\n|---|---|---|---|' if args.table else 'units  accepted')
    for units in range(1, UNITS + 1):
        accepted, total, found = judged(units, args)
        problems += found
        units_sum, stages_sum = units_sum + accepted * units, stages_sum + total
        print(('| %d | %d | %d | %.2f |' if args.table else '%5d of %d: %d, %.2f stages')
              % (units, args.count, accepted, total / max(accepted, 1)), flush=True)
    if stages_sum >= units_sum:
        problems.append('%d stages for %d units' % (stages_sum, units_sum))
    for problem in problems:
        print('failed:', problem)
    sys.exit(bool(problems))


if __name__ == '__main__':
    main()
