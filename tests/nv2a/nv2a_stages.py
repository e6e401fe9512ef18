#!/usr/bin/env python3
"""Checks the number of general combiner stages of the NV2A for recorded states: never more than the number of
enabled units, and at most three quarters of it on average over states of two and more units. Also checks that
random chains of four units with the functions of GL 1.5 all fit.

usage: nv2a_stages.py [COUNT]      TEXENVC in the environment names the program; COUNT: of random chains
"""
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared.tool import TEXENVC, TOP, Checks

MEAN = 0.75
RECORDED = os.path.join(TOP, 'tests', 'corpus', 'recorded.stages')
checks = Checks('nv2a_stages')


def report(path):
    """Returns, for each state of a file, the number of stages, or None if it does not fit."""
    out = subprocess.run([TEXENVC, 'report', '-q', '--target', 'nv2a', path], capture_output=True,
                         text=True).stdout
    return [int(m.group(1)) if m.group(1) else None
            for m in re.finditer(r': state \d+: (?:fits: stages (\d+)|does not)', out)]


def recorded():
    with open(RECORDED, encoding='utf-8') as f:
        states = [line for line in f if line.strip() and not line.startswith('#')]
    stages = report(RECORDED)
    checks.check(len(stages) == len(states), '%d states, %d reported' % (len(states), len(stages)))
    ratios = []
    for state, n in zip(states, stages):
        units = len(re.findall(r'\{\s*[^}\s]', state))
        checks.check(n is not None and n <= max(units, 1), '%s stages for %s' % (n, state))
        if units > 1:
            ratios.append(n / units)
    mean = sum(ratios) / len(ratios)
    print('nv2a_stages: %d states of two and more units, %.3f stages a unit' % (len(ratios), mean))
    checks.check(len(ratios) >= 20 and mean <= MEAN, '%d states, %.3f stages a unit' % (len(ratios), mean))


def half(rng, alpha, units):
    """Returns a random unit of GL 1.5: COMBINE with crossbar, without other extensions."""
    def argument():
        name = rng.choice(['P', 'P', 'F', 'C'] + ['T%d' % i for i in range(units)])
        return rng.choice(['', '~']) + name + ('' if alpha else rng.choice(['', '', '.a']))

    a, b, c = argument(), argument(), argument()
    forms = ['%s' % a, f'{a}*{b}', f'{a}+{b}', f'{a}+{b}-0.5', f'{a}-{b}', f'lerp({a},{b},{c})']
    return rng.choice(forms if alpha else forms + [f'dot3({a},{b})', f'dot3a({a},{b})'])


def unit(rng, units):
    scales = '*%d;%d' % (rng.choice((1, 2, 4)), rng.choice((1, 2, 4)))
    color = half(rng, False, units)
    if color.startswith('dot3a'):
        return '{%s}%s' % (color, scales)
    return '{%s; %s}%s' % (color, half(rng, True, units), scales)


def accepted(count):
    """Checks that random chains of four units of GL 1.5 fit, for which the search must not run out of work.
    DOT3_RGBA with different scales takes an additional stage (notes/facts/nv2a.md 8)."""
    rng = random.Random(4)
    classic = ['{modulate}', '{blend}', '{decal}', '{add}', '{replace}']
    own = [' '.join(rng.choice(classic) if rng.random() < 0.2 else unit(rng, 4) for _ in range(4))
           for _ in range(count)]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'own.stages')
        with open(path, 'w', encoding='utf-8') as f:
            f.write('\n'.join(own) + '\n')
        stages = report(path)
    checks.check(len(stages) == len(own), '%d states, %d reported' % (len(own), len(stages)))
    for state, n in zip(own, stages):
        unequal = len(re.findall(r'dot3a\([^}]*\}\*(?:1;[24]|2;[14]|4;[12])', state))
        checks.check(n is not None and n <= 4 + unequal, '%s stages for %s' % (n, state))


accepted(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
recorded()
checks.finish()
