#!/usr/bin/env python3
"""Compares the length of programs with and without constants that are computed from environment colours
(--no-derive-constants), on the recorded and public states of tests/corpus and on driver_pairs.txt. Exit
status 1 if a state is longer with such constants or fits only without them, or if they save less on
driver_pairs.txt than required. r300 to r500 choose the shorter program at -O3 only.

usage: derived_length.py                TEXENVC names the program."""
import argparse
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
import length_r300                                                                              # noqa: E402
from oracle.commands import inputs                                                              # noqa: E402
from oracle.texenv import stages_print                                                          # noqa: E402

# Required savings on driver_pairs.txt, in per cent of instructions (pairs).
LENGTH = {'r300': 'pairs', 'r500': 'pairs', 'i915': 'alu', 'etnaviv': 'instructions', 'ir3': 'instructions'}
SAVED = {'r300': 3, 'r500': 3, 'i915': 5, 'etnaviv': 4, 'ir3': 5}


def driver_states():
    with open(os.path.join(HERE, 'driver_pairs.txt')) as f:
        texts = [line.split(' ', 2)[2] for line in (*f, *length_r300.BY_HAND) if line[0] != '#']
    return [item.state for item in inputs.read_text(''.join(texts), 'stages')]


def compared(target, states, name, least):
    """Prints the figures; returns the number of states that are longer with such constants."""
    plain, computed, worse = 0, 0, []
    level = ('-O3',) if target in ('r300', 'r500') else ()
    ways = [length_r300.convert(states, target, (*level, *words)) for words in ((), ('--no-derive-constants',))]
    for (state, with_them), (_, without) in zip(*ways):
        if isinstance(with_them, str) or isinstance(without, str):
            if isinstance(with_them, str) and not isinstance(without, str):
                worse.append((state, with_them))
            continue
        a, b = with_them[LENGTH[target]], without[LENGTH[target]]
        computed, plain = computed + a, plain + b
        if a > b:
            worse.append((state, '%d, without %d' % (a, b)))
    saved = 100 * (1 - computed / plain)
    print('%-8s %-17s %d states: %d %s, without %d: %.2f %% fewer; %d worse'
          % (target, name, len(states), computed, LENGTH[target], plain, saved, len(worse)))
    for state, text in worse[:5]:
        print('  %s: %s' % (text, stages_print.state_text(state).strip()))
    if saved < least:
        print('  %.2f %% fewer are wanted' % least)
    return len(worse) + (saved < least)


def main():
    argparse.ArgumentParser(description=__doc__,
                            formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    corpus = length_r300.corpus('recorded.stages') + length_r300.corpus('public.stages')
    driver = driver_states()
    bad = 0
    for target in LENGTH:
        bad += compared(target, corpus, 'corpus', 1)
        bad += compared(target, driver, 'driver_pairs.txt', SAVED[target])
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
