#!/usr/bin/env python3
"""Prints what compiling and the cache cost: times, by tests/bench, and instructions, by callgrind, with the
bounds that are wanted beside them.

usage: bench.py BENCH [--count N] [--rounds N] [--no-times] [--no-instructions]

BENCH: tests/bench of an optimised build. States: N full chains (default 200; oracle/texenv/random_states.py)
of 1, 4 and 8 units, and tests/corpus/recorded.stages. Exit status: 0; 77 no valgrind."""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from oracle.texenv import random_states, stages_print  # noqa: E402

UNITS = 1, 4, 8
# Thousands of instructions of a state: chip, level, states.
WANTED = {('r200', 0, 'full4'): 15, ('r200', 1, 'full4'): 30, ('r200', 2, 'full4'): 80,
          ('r200', 2, 'recorded'): 15, ('r300', 1, 'full4'): 120, ('r300', 2, 'full4'): 1000,
          ('r300', 2, 'recorded'): 50}
# Cases of tests/bench.c, and instructions that are wanted of one call.
DRAWS = (('nothing changed', 'hwemit_cache_get', None), ('one unit changed', 'hwemit_cache_get', 150),
         ('all four changed', 'hwemit_cache_get', None), ('a colour changed', 'hwemit_cache_colors', None),
         ('a unit packed anew', 'texenv_pack', None), ('a setter', 'texenv_tex_env_i', None),
         ('key', 'fragprog_key', None), ('miss', 'hwemit_cache_get', None))


def write_states(folder, count):
    """Files of states, by name."""
    paths = {}
    for units in UNITS:
        path = paths['full%d' % units] = os.path.join(folder, 'full%d.stages' % units)
        with open(path, 'w', encoding='utf-8') as f:
            for state in random_states.FullChains(count, units):
                f.write(stages_print.state_text(state).strip() + '\n')
    paths['recorded'] = os.path.join(HERE, 'corpus', 'recorded.stages')
    return paths


def counted(folder, function, command):
    """Instructions inside of a function, and what the command says."""
    out = os.path.join(folder, 'out')
    done = subprocess.run(['valgrind', '--tool=callgrind', '--callgrind-out-file=' + out,
                           '--toggle-collect=' + function, *command],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit('callgrind fails:\n' + done.stderr)
    with open(out, encoding='utf-8') as f:
        return int(re.search(r'^(?:totals|summary): (\d+)', f.read(), re.M).group(1)), done.stdout


def instructions(bench, folder, paths):
    print('\nthousand instructions a state (callgrind, mean; what is wanted in brackets)\n%-10s' % 'states',
          *('%14s' % ('%s -O%d' % (chip, level)) for chip in ('r200', 'r300') for level in range(3)))
    for name, path in paths.items():
        cells = []
        for chip in 'r200', 'r300':
            for level in range(3):
                total, said = counted(folder, 'hwemit_compile', [bench, 'compile', str(level), path, chip])
                states = sum(map(int, re.findall(r'\d+', said)))
                wanted = WANTED.get((chip, level, name))
                cells.append('%.1f' % (total / states / 1e3) + (' (%d)' % wanted if wanted else ''))
        print('%-10s' % name, *('%14s' % cell for cell in cells), flush=True)
    print('\ninstructions of a call (r200, four units; what is wanted in brackets)')
    for case, (name, function, wanted) in enumerate(DRAWS):
        few, many = (counted(folder, function, [bench, 'draw', str(case), calls])[0]
                     for calls in ('1000', '3000'))
        print('%-20s %-20s %8.0f%s' % (name, function, (many - few) / 2000, ' (%d)' % wanted if wanted else ''),
              flush=True)


def main():
    parser = argparse.ArgumentParser(description='Prints what compiling and the cache cost.')
    parser.add_argument('bench')
    parser.add_argument('--count', type=int, default=200)
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--no-times', action='store_true')
    parser.add_argument('--no-instructions', action='store_true')
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        paths = write_states(folder, args.count)
        if not args.no_times:
            sys.stdout.flush()
            subprocess.run([args.bench, 'times', str(args.rounds), *paths.values()], check=True)
        if args.no_instructions:
            return 0
        if not shutil.which('valgrind'):
            print('no valgrind')
            return 77
        instructions(args.bench, folder, paths)
    return 0


if __name__ == '__main__':
    sys.exit(main())
