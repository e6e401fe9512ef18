#!/usr/bin/env python3
"""Measures the cost of programs for each population of states: pairs, textures, registers and constants
without (-O0) and with (-O2) the optimiser. Also counts of how many units, among those that are not dead at
-O0, the optimiser removes the texture lookup or all instructions.

    cost.py            compares with tests/optimiser/cost.txt; fails and prints both if they differ
    cost.py --update   writes tests/optimiser/cost.txt

No program may be longer at -O2, unless the one at -O0 was found by the complete search for a schedule, which
runs only if the quick search fails; the last line counts these exceptions. No state that fits without the
optimiser may be refused with it. TEXENVC names the program."""
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from oracle.texenv import random_states, stages_print, state_sets  # noqa: E402

TEXENVC = os.environ.get('TEXENVC', os.path.join(HERE, '..', '..', 'build', 'texenvc'))
CORPUS = [os.path.join(HERE, '..', 'corpus', name) for name in ('recorded.stages', 'public.stages')]
STATS = ('pairs', 'textures', 'registers', 'constants')


def convert(text, level):
    done = subprocess.run([TEXENVC, 'convert', '-O' + level, '--to', 'json', '--bind', 'compact', '--quiet',
                           '-'], input=text,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return json.loads(done.stdout)


def instructions(text, level):
    """Yields for each state the set of units with a texture lookup, and the set of units with
    instructions."""
    done = subprocess.run([TEXENVC, 'convert', '-O' + level, '--to', 'ir', '--quiet', '-'], input=text,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    for program in done.stdout.split('!!texir1.0\n')[1:]:
        reads = set(re.findall(r'^%\d+ = tex\.\S+ \S+ t(\d)', program, re.M))
        units = set(re.findall(r'^%\d+ = (?!tex\.).*@(\d)$', program, re.M))
        yield reads, units


def disappearing(name, text):
    lines = [(a, b) for a, b in zip(instructions(text, '0'), instructions(text, '2'))]
    cells = ['%-26s' % name, '%5d' % len(lines)]
    for kind in range(2):
        live = sum(len(a[kind]) for a, _ in lines)
        gone = [len(a[kind] - b[kind]) for a, b in lines]
        states = sum(map(bool, gone))
        cells.append('%6d %6d %5.1f %%  %6d %5.1f %%' % (live, sum(gone), 100 * sum(gone) / (live or 1),
                                                         states, 100 * states / (len(lines) or 1)))
    return '  '.join(cells)


def texts(states):
    return '\n'.join(map(stages_print.state_text, states)) + '\n'


def populations():
    for path in CORPUS:
        with open(path, encoding='utf-8') as f:
            yield 'corpus ' + os.path.basename(path), f.read(), None
    yield 'random, 1 to 8 units', texts(random_states.RandomStates(3000, 1, 8)), None
    yield 'enumerated, two units', texts(state_sets.two_unit()), None
    for n in range(1, 9):
        yield 'full chains of %d' % n, texts(random_states.FullChains(600, n)), n
    for n in range(1, 9):  # COMBINE, uniform over functions, sources, operands, scales
        yield 'uniform chains of %d' % n, texts(random_states.UniformChains(600, n)), n


def is_searched(stages):
    """Returns whether the schedule at -O0 was found by the complete search: then the quick search has
    assigned no registers."""
    done = subprocess.run([TEXENVC, 'convert', '-O0', '--bind', 'compact', '--print-after', 'assign',
                           '--quiet', '-'], input=stages + '\n',
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return '# after assign' not in done.stderr


def row(name, text, units, problems, searched):
    plain, short = convert(text, '0'), convert(text, '2')
    total = {(stat, level): 0 for stat in STATS for level in '02'}
    fits = [0, 0]
    both = 0
    for a, b in zip(plain, short):
        fits[0] += a['status'] == 'ok'
        fits[1] += b['status'] == 'ok'
        if a['status'] == 'ok' and b['status'] != 'ok':
            problems.append('%s: fits only without the optimiser: %s' % (name, a['stages'].strip()))
        if a['status'] != 'ok' or b['status'] != 'ok':
            continue
        both += 1
        for stat in STATS:
            total[stat, '0'] += a['stats'][stat]
            total[stat, '2'] += b['stats'][stat]
        if b['stats']['pairs'] > a['stats']['pairs'] and is_searched(a['stages']):
            searched.append(a['stages'].strip())
        elif b['stats']['pairs'] > a['stats']['pairs']:
            problems.append('%s: longer with the optimiser: %s' % (name, a['stages'].strip()))
    cells = ['%-26s' % name, '%5d' % len(plain), '%5d %5d' % tuple(fits)]
    cells += ['%6d %6d' % (total[stat, '0'], total[stat, '2']) for stat in STATS]
    cells.append('%5.3f' % (total['pairs', '2'] / (units * both)) if units and both else '    -')
    return '  '.join(cells).rstrip()


def table(problems):
    yield 'state population            states  fit O0  O2  pairs O0     O2  textures O0  O2  registers O0  O2  constants O0 O2  pairs'
    yield '                                                                                                             /stage'
    every, searched = list(populations()), []
    for name, text, units in every:
        yield row(name, text, units, problems, searched)
    yield ''
    yield '                                          texture reads                    units'
    yield 'state population            states    live   gone          in states      live   gone          in states'
    for name, text, _ in every:
        yield disappearing(name, text)
    yield ''
    yield 'states in which the complete search makes less of the plain program: %d' % len(searched)


def main():
    problems = []
    text = '\n'.join(table(problems)) + '\n'
    path = os.path.join(HERE, 'cost.txt')
    print(text, end='')
    for problem in problems[:20]:
        print(problem)
    if '--update' in sys.argv[1:]:
        with open(path, 'w', encoding='utf-8') as f:
            f.write(text)
        return 1 if problems else 0
    with open(path, encoding='utf-8') as f:
        kept = f.read()
    if kept != text:
        print('tests/optimiser/cost.txt says otherwise:')
        for old, new in zip(kept.splitlines(), text.splitlines()):
            if old != new:
                print('- ' + old + '\n+ ' + new)
        print('If the change is meant, run tests/optimiser/cost.py --update and commit the difference.')
    return 1 if problems or kept != text else 0


if __name__ == '__main__':
    sys.exit(main())
