#!/usr/bin/env python3
"""Measures the effect of ir3's alias tables on the states of the corpora and the ARB programs of the tests,
with --alias none, plain and best. Checks that `best` never issues more instructions than `none` (a repeated
instruction counts as one; preambles, which run once a draw, are counted separately), and that with `plain`
each operand of a lookup has an entry in a table and needs no move.

    ir3_alias.py       TEXENVC names the program"""
import json
import os
import sys
from collections import namedtuple

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared.tool import Checks, Run, TOP

checks = Checks('ir3_alias')
Figures = namedtuple('Figures', 'operations empty entries moves aliased')


def figures(o):
    stream = [int(w, 16) for a, w in o['words'] if a is None]
    code = [stream[k] | stream[k + 1] << 32 for k in range(0, len(stream), 2)][o['stats']['preamble']:]
    operations = sum(1 if w >> 61 in (5, 7) else 1 + (w >> 40 & 3) for w in code
                     if w >> 61 or w >> 55 & 15)
    return Figures(operations, *(o['stats'][k] for k in ('nops', 'aliases', 'moves', 'aliased')))


def compiled(how, *files):
    run = Run(['convert', '--to', 'ir3', '--format', 'json', '--chip-option', 'level=7', '--alias', how, *files])
    if not checks.check(run.status in (0, 1) and run.out, '%s: %s' % (how, run.err[:300])):
        return []
    return [figures(o) for o in json.loads(run.out) if o['fits']]


def files_of(folder, *ends):
    folder = os.path.join(TOP, folder)
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(ends)]


def mean(name, *runs):
    return ', '.join('%.2f' % (sum(getattr(x, name) for x in run) / len(run)) for run in runs)


def compare(name, *files):
    none, plain, best = (compiled(how, *files) for how in ('none', 'plain', 'best'))
    checks.check(len(none) == len(plain) == len(best) > 5, '%s: %d, %d, %d fit' % (
        name, len(none), len(plain), len(best)))
    for a, b, c in zip(none, plain, best):
        checks.check(c.operations <= a.operations and c.entries <= b.entries and c.moves <= a.moves and
                     b.moves <= a.moves and not a.entries + a.aliased, '%s: %s, %s, %s' % (name, a, b, c))
    fewer = [a.operations - c.operations for a, c in zip(none, best)]
    print('%s: %d: none, plain, best: operations %s; empty slots %s; entries %s; moves %s; %d have components '
          'bound by alias.rt; best has fewer operations in %d, %d in all' % (
              name, len(none), *(mean(k, none, plain, best) for k in ('operations', 'empty', 'entries', 'moves')),
              sum(c.aliased != 0 for c in best), sum(f > 0 for f in fewer), sum(fewer)))


def main():
    compare('states', *files_of('tests/corpus', '.gl', '.stages', '.trace'))
    compare('programs', *files_of('tests/arbfp', '.arbfp'))
    print('%s: %d checks, %d failed' % (checks.name, checks.done, checks.failed))
    sys.exit(1 if checks.failed else 0)


if __name__ == '__main__':
    main()
