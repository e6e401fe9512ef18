#!/usr/bin/env python3
"""Compares the number of etnaviv temporaries with the number of whole registers that would be needed if live
values did not share registers, for the states of the corpora and ARB programs. It must never be larger.
FEWER is the least saving in per cent, MOST the largest allowed number of temporaries.

    etnaviv_registers.py       TEXENVC names the program"""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared.tool import Checks, Run, TOP

checks = Checks('etnaviv_registers')
FEWER = {'programs': 15}  # least saving of the programs in per cent
# Limit for the states of the corpora: 20 per cent fewer than 2,422, the number of whole registers before
# instructions were combined. (Combining has made the programs shorter, so that now fewer whole registers
# would be needed, too.)
MOST = {'states': 2422 * 0.8}


def reported(*files):
    run = Run(['report', '--target', 'etnaviv', '--json', '-q', *files], cwd=TOP)
    return [o['stats'] for o in json.loads(run.out)['states'] if o['fits']]


def compare(name, stats, least):
    registers, whole = sum(s['registers'] for s in stats), sum(s['whole'] for s in stats)
    checks.check(len(stats) >= least, '%s: only %d fit' % (name, len(stats)))
    for s in stats:
        checks.check(s['registers'] <= s['whole'], '%s: %s' % (name, s))
    fewer = 100 - 100 * registers / whole
    print('%s: %d: %d temporaries instead of %d, %.1f %% fewer; instructions %.2f, uniforms %.2f' % (
        name, len(stats), registers, whole, fewer, sum(s['instructions'] for s in stats) / len(stats),
        sum(s['constants'] for s in stats) / len(stats)))
    if name in MOST:
        checks.check(registers <= MOST[name], '%s: %d temporaries' % (name, registers))
    if name in FEWER:
        checks.check(fewer >= FEWER[name], '%s: %.1f %% fewer' % (name, fewer))


def main():
    compare('states', reported('tests/corpus'), 600)
    compare('programs', reported('--from', 'arbfp', 'tests/arbfp'), 8)
    print('%s: %d checks, %d failed' % (checks.name, checks.done, checks.failed))
    sys.exit(1 if checks.failed else 0)


if __name__ == '__main__':
    main()
