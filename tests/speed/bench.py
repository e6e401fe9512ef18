#!/usr/bin/env python3
"""Prints the cost of compilations and caches: times, by bench and bench_pairs of build/tests, and instruction
counts for each state, by callgrind, with the wanted limits of their means.

usage: bench.py BENCH [--count N] [--rounds N] [--no-times] [--no-instructions] [--pairs]

BENCH: build/tests/bench of an optimised build. States: N full chains (default 200;
oracle/texenv/random_states.py) of 1, 4 and 8 units, and tests/corpus/recorded.stages. --pairs: shader pairs
alone, and exit status 1 if a bound of theirs is passed. Exit status: 0; 77 no valgrind."""
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

UNITS = 1, 4, 8
# The compilations whose instructions are counted: chip, level, states (None: all).
COUNTED = [(chip, level, None) for chip in ('r200', 'r300') for level in range(3)]
COUNTED += [(chip, 2, ('full4', 'recorded')) for chip in ('etnaviv', 'ir3', 'nv2a', 'i915')]
# Wanted limits, in thousands of instructions for a state on average: chip, level, states. For nv2a, 3 million
# at most.
WANTED = {('r200', 0, 'full4'): 15, ('r200', 1, 'full4'): 30, ('r200', 2, 'full4'): 80,
          ('r200', 2, 'recorded'): 15, ('r300', 1, 'full4'): 120, ('r300', 2, 'full4'): 1000,
          ('r300', 2, 'recorded'): 50, ('nv2a', 2, 'recorded'): 60}
# Cases of tests/speed/bench.c, and the wanted average of instructions for a call.
CALLS = 200
DRAWS = (('nothing changed', 'hwemit_cache_get', None), ('one unit changed', 'hwemit_cache_get', 150),
         ('all four changed', 'hwemit_cache_get', None), ('a colour changed', 'hwemit_cache_colors', None),
         ('no colour changed', 'hwemit_cache_colors', None), ('a unit packed anew', 'texenv_pack', None),
         ('a setter', 'texenv_tex_env_i', None), ('key', 'fragprog_key', None), ('miss', 'hwemit_cache_get', None))

# Shader pairs: wanted averages in thousands of instructions, to compile a pair and to find it again. They
# keep the times within 25 us (unlit), 120 us (eight lights), 50 us (mean of 2,000 random pairs) and 0.1 us
# (find).
PAIRS = {'unlit': (60, 0.5), 'lit': (260, 0.5), 'random': (140, 0.7), 'full8': (620, 1), 'recorded': (80, 0.5)}
FIND = 10


def write_states(folder, count):
    """Writes the files of states and returns their paths by name."""
    paths = {}
    for units in UNITS:
        path = paths['full%d' % units] = os.path.join(folder, 'full%d.stages' % units)
        with open(path, 'w', encoding='utf-8') as f:
            for state in random_states.FullChains(count, units):
                f.write(stages_print.state_text(state).strip() + '\n')
    paths['recorded'] = os.path.join(HERE, '..', 'corpus', 'recorded.stages')
    return paths


def counted(folder, function, command):
    """Returns the instructions of each call of a function."""
    out = os.path.join(folder, 'out')
    done = subprocess.run(['valgrind', '--tool=callgrind', '--callgrind-out-file=' + out, '--combine-dumps=yes',
                           '--toggle-collect=' + function, '--dump-after=' + function, *command],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit('callgrind fails:\n' + done.stderr)
    with open(out, encoding='utf-8') as f:
        # the last total is for the rest of the run
        return [int(n) for n in re.findall(r'^totals: (\d+)', f.read(), re.M)][:-1]


def instructions(bench, folder, paths):
    print('\nthousand instructions a state (callgrind)\n%-10s %-7s %3s %6s %9s %9s %9s %9s %9s %9s'
          % ('states', 'chip', '', 'number', 'mean', 'wanted', 'median', '90 %', '99 %', 'worst'))
    for name, path in paths.items():
        for chip, level, of in COUNTED:
            if of and name not in of:
                continue
            each = sorted(n / 1e3 for n in counted(folder, 'hwemit_compile',
                                                   [bench, 'compile', str(level), path, chip]))
            size = len(each)
            print('%-10s %-7s -O%d %6d %9.1f %9s %9.1f %9.1f %9.1f %9.1f'
                  % (name, chip, level, size, sum(each) / size, WANTED.get((chip, level, name), ''),
                     each[size // 2], each[size * 9 // 10], each[size * 99 // 100], each[-1]), flush=True)
    print('\ninstructions of a call (r200, four units; %d calls)\n%-20s %-20s %9s %9s %9s %9s'
          % (CALLS, 'a draw', 'function', 'mean', 'wanted', 'median', 'worst'))
    for case, (name, function, wanted) in enumerate(DRAWS):
        each = sorted(counted(folder, function, [bench, 'draw', str(case), str(CALLS)])[-CALLS:])
        print('%-20s %-20s %9.0f %9s %9d %9d' % (name, function, sum(each) / CALLS, wanted or '',
                                                 each[CALLS // 2], each[-1]), flush=True)


def of_pairs(bench, folder, paths):
    """Prints the table; returns the number of rows above their limit."""
    print('\nshader pairs: thousand instructions (callgrind)\n%-10s %6s %9s %9s %9s %9s %9s'
          % ('states', 'number', 'mean', 'wanted', 'worst', 'to find', 'wanted'))
    above = 0
    for name, wanted in PAIRS.items():
        case = paths.get(name, name)  # a file, or a case of bench_pairs
        each = sorted(n / 1e3 for n in counted(folder, 'fragprog_compile_pair', [bench, 'compile', case]))
        found = counted(folder, 'fragprog_pair_cache_get', [bench, 'find', case])
        found = found[len(found) // (FIND + 1):]
        mean, to_find = sum(each) / len(each), sum(found) / len(found) / 1e3
        print('%-10s %6d %9.1f %9s %9.1f %9.2f %9s' % (name, len(each), mean, wanted[0], each[-1], to_find,
                                                       wanted[1]), flush=True)
        above += mean > wanted[0] or to_find > wanted[1]
    return above


def main():
    parser = argparse.ArgumentParser(description='Prints what compiling and the cache cost.')
    parser.add_argument('bench')
    parser.add_argument('--count', type=int, default=200)
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--no-times', action='store_true')
    parser.add_argument('--no-instructions', action='store_true')
    parser.add_argument('--pairs', action='store_true')
    args = parser.parse_args()
    pairs = os.path.join(os.path.dirname(args.bench), 'bench_pairs')
    with tempfile.TemporaryDirectory() as folder:
        paths = write_states(folder, args.count)
        by_chance = 'random%d' % min(2000, 10 * args.count)
        sys.stdout.flush()
        if not args.no_times and not args.pairs:
            subprocess.run([args.bench, 'times', str(args.rounds), *paths.values()], check=True)
        if not args.no_times:
            subprocess.run([pairs, 'times', str(args.rounds), 'unlit', 'lit', by_chance, *paths.values()], check=True)
        if args.no_instructions:
            return 0
        if not shutil.which('valgrind'):
            print('no valgrind')
            return 77
        if not args.pairs:
            instructions(args.bench, folder, paths)
        return 1 if of_pairs(pairs, folder, dict(paths, random=by_chance)) and args.pairs else 0


if __name__ == '__main__':
    sys.exit(main())
