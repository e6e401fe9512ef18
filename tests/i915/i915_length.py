#!/usr/bin/env python3
"""Compares the length of i915 programs with that of Mesa's i915g for the same texture environments
(driver_lengths.stages). Status 1 if texenvc needs more instructions than i915g for any state, or saves less
than PER_CENT of all arithmetic instructions.

    i915_length.py [--saved PER_CENT] [FILE]       TEXENVC names the program"""
import argparse
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared.tool import Checks, Run, TOP

checks = Checks('i915_length')
LENGTHS = os.path.join(TOP, 'tests', 'i915', 'driver_lengths.stages')


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--saved', type=float, default=35, metavar='PER_CENT')
    parser.add_argument('file', nargs='?', default=LENGTHS)
    args = parser.parse_args()
    with open(args.file, encoding='utf-8') as f:
        driver = {n: [int(x) for x in line.split('#')[1].split()]
                  for n, line in enumerate(f, 1) if not line.startswith('#')}
    run = Run(['report', '--target', 'i915', '--json', '-q', '--from', 'stages', args.file])
    states = {o['source']['line']: o for o in json.loads(run.out)['states']}
    checks.check(sorted(states) == sorted(driver), '%d states of %d' % (len(states), len(driver)))
    sums = [0, 0, 0, 0]
    for line, (alu, tex) in driver.items():
        o = states[line]
        if not checks.check(o['fits'], 'line %d: %s' % (line, o.get('reason'))):
            continue
        ours = o['stats']['alu'], o['stats']['tex']
        checks.check(ours[0] <= alu and ours[1] <= tex, 'line %d: %d and %d lookups, i915g %d and %d'
                     % (line, *ours, alu, tex))
        sums = [a + b for a, b in zip(sums, (*ours, alu, tex))]
    saved = 100 * (1 - sums[0] / sums[2])
    checks.check(saved >= args.saved, 'only %.1f %% saved' % saved)
    checks.finish('; %d states: %d instructions and %d lookups, i915g %d and %d: %.1f %% fewer instructions'
                  % (len(driver), *sums, saved))


if __name__ == '__main__':
    main()
