#!/usr/bin/env python3
"""Counts the instructions that the optimiser executes for a state (fragprog_optimise, with all passes and
rounds), by number of units, with callgrind.

usage: instructions.py BENCH [--count N]              build/tests/bench of an optimised build; N states of
                                                      each population (default 40)
       instructions.py BENCH --chip CHIP [--assume BITS] [--first N] [--units N] [--count N] [--bound
       THOUSANDS] [--states FILE]
                                                      instead: a whole compilation to the chip's words, all
                                                      passes, of random states and full chains

Populations: random states, full, uniform and dense chains (oracle/texenv/random_states.py), and
tests/speed/costly_states.stages, the costliest states that a search by mutation found. Exit status: 0 no
state is above the bound of its number of units, 1 one is, 77 no valgrind. """
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from oracle.texenv import random_states, stages_print  # noqa: E402

# Limits in thousands of instructions by number of units, at -O2: the costliest known state plus a fifth.
BOUND = {1: 26, 2: 150, 3: 980, 4: 1640, 5: 1210, 6: 2320, 7: 2290, 8: 2800}


def count(bench, level, states, function='fragprog_optimise', chip=()):
    """Returns the number of instructions that the function, with its callees, executes for each state."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'states')
        with open(path, 'w', encoding='utf-8') as f:
            f.write('\n'.join(states) + '\n')
        # This function is called once for each state; calls of `function` inside of it are counted.
        whole = 'hwemit_compile' if chip else 'fragprog_compile_atifs'
        done = subprocess.run(['valgrind', '--tool=callgrind', '--callgrind-out-file='
                               + os.path.join(folder, 'out'), '--toggle-collect=' + function,
                               '--dump-after=' + whole, bench, 'compile', level, path, *chip],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            sys.exit('callgrind fails:\n' + done.stderr)
        counts = []
        for n in range(1, len(states) + 1):
            with open(os.path.join(folder, 'out.%d' % n), encoding='utf-8') as f:
                counts.append(int(re.search(r'^totals: (\d+)', f.read(), re.M).group(1)))
        return counts


def costliest():
    """Returns the states of costly_states.stages, by number of units."""
    states = {}
    with open(os.path.join(HERE, 'costly_states.stages'), encoding='utf-8') as f:
        for line in f:
            if line.strip() and not line.startswith('#'):
                states.setdefault(len(re.findall(r'[{]', line)), []).append(line.strip())
    return states


def of_chip(args, states):
    if args.chip == 'atifs':
        return count(args.bench, '2', states, 'fragprog_compile_atifs')
    return count(args.bench, '2', states, 'hwemit_compile', (args.chip, args.assume))


def whole(args):
    """Returns the cost of a whole compilation, as a driver would pay for a new state."""
    print('%s: thousands of instructions for a state' % args.chip)
    above = 0
    print('%-14s %5s %6s %9s %9s %9s' % ('', 'units', 'states', 'mean', 'median', 'max'))
    for name, of in (('random states', lambda n: random_states.RandomStates(args.count, 1, n)),
                     ('full chains', lambda n: random_states.FullChains(args.count, n))):
        for units in range(args.first, args.units + 1):
            counts = sorted(of_chip(args, [stages_print.state_text(s).strip() for s in of(units)]))
            print('%-14s %5d %6d %9.0f %9.0f %9.0f'
                  % (name, units, len(counts), sum(counts) / len(counts) / 1e3,
                     counts[len(counts) // 2] / 1e3, counts[-1] / 1e3), flush=True)
            above += sum(n > args.bound * 1000 for n in counts) if args.bound else 0
    if args.states:
        with open(args.states, encoding='utf-8') as f:
            counts = of_chip(args, [line.strip() for line in f if line.strip() and line[0] != '#'])
        print('%-20s %6d %9.0f %19.0f' % (os.path.basename(args.states), len(counts), sum(counts) / len(counts) / 1e3,
                                          max(counts) / 1e3))
        above += sum(n > args.bound * 1000 for n in counts) if args.bound else 0
    if above:
        print('%d states above the bound of %d' % (above, args.bound))
    return 1 if above else 0


def main():
    parser = argparse.ArgumentParser(description='Counts the instructions that the optimiser executes.')
    parser.add_argument('bench')
    parser.add_argument('--count', type=int, default=40)
    parser.add_argument('--chip', metavar='CHIP', help='a whole compilation to its words; atifs: to a program of the extension')
    parser.add_argument('--assume', default='0', metavar='BITS', help='of the chip (default 0)')
    parser.add_argument('--units', type=int, default=8, metavar='N', help='of the chip: 1 to N (default 8)')
    parser.add_argument('--first', type=int, default=1, metavar='N', help='of the chip: N to --units')
    parser.add_argument('--bound', type=int, metavar='THOUSANDS', help='of the chip: no state may take more')
    parser.add_argument('--states', metavar='FILE', help='of the chip: these states, too')
    args = parser.parse_args()
    if not shutil.which('valgrind'):
        print('no valgrind')
        return 77
    if args.chip:
        return whole(args)
    kept, failures = costliest(), 0
    print('units  states  -O0 mean    max   -O2 mean     max    bound')
    for units in range(1, 9):
        populations = [random_states.RandomStates(args.count, 1, units), random_states.FullChains(args.count,
            units), random_states.UniformChains(args.count, units),
                       random_states.DenseChains(args.count, units)]
        states = [stages_print.state_text(s).strip() for p in populations for s in p] + kept.get(units, [])
        plain, short, bound = count(args.bench, '0', states), count(args.bench, '2',
                                                                    states), BOUND[units] * 1000
        if 0 in short + plain:
            sys.exit('%d states were not counted' % (short + plain).count(0))
        print('%5d %7d %9d %7d %9d %9d %8d' % (units, len(states), sum(plain) / len(plain), max(plain),
                                               sum(short) / len(short), max(short), bound), flush=True)
        for state, n in zip(states, short):
            if n > bound:
                failures += 1
                print('  above the bound: %d for %s' % (n, state))
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
