#!/usr/bin/env python3
"""Compiles random programs of GL_ATI_fragment_shader to words of the chips of combiner stages and executes
these by the oracle. Such programs have what texture environments do not: modifiers in every combination,
unclamped values that scales multiply, and constants that are parameters.

    atifs_stages.py [--count N] [--seed N] [CHIP ...]      TEXENVC names the program"""
import argparse
import os
import random
import sys
from collections import Counter

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from oracle.commands import atifs_code  # noqa: E402

ARGUMENTS = {'MOV': 1, 'ADD': 2, 'MUL': 2, 'SUB': 2, 'MAD': 3, 'LERP': 3, 'DOT3': 2}
HEAD = '''!!ATIfs1.0
StartConstants;
CONSTANT c0 = program.env[0];
CONSTANT c1 = program.local[1];
EndConstants;
StartOutputPass;
'''


class Maker:
    def __init__(self, rng):
        self.rng, self.registers = rng, ['r0', 'r1']

    def argument(self, alpha, modifiers):
        rng = self.rng
        others = ['c0', 'c1', 'color0', 'color0', '0', '1'] + ['color1'] * (not alpha)
        base = rng.choice(self.registers * 2 + others)
        channel = rng.choice(('', '', '', '.a')) if base not in ('0', '1', 'color1') else ''
        return base + channel + modifiers

    def modifiers(self):
        return ''.join(m for m in ('.neg', '.2x', '.bias', '.comp') if self.rng.random() < .18)

    def arguments(self, op, alpha):
        """A blend's weight is in [0,1]; stages read the factors of a dot product as 2x-1."""
        rng = self.rng
        if op == 'DOT3':
            return [self.argument(False, '.2x.bias' + rng.choice(('', '.comp'))) for _ in range(2)]
        weight = op == 'LERP'
        return [self.argument(alpha, rng.choice(('', '.comp')) if weight and n == 0 else self.modifiers())
                for n in range(ARGUMENTS[op])]

    def program(self):
        rng, pairs = self.rng, self.rng.randrange(1, 4)
        # lookups that do not divide by q, which words of these chips cannot say, are to be refused
        lines = ['SampleMap r%d, t%d.%s;' % (n, n, rng.choice(('stq_dq',) * 14 + ('str', 'stq')))
                 for n in range(2)]
        for k in range(pairs):
            last = k == pairs - 1
            to = 'r0' if last else rng.choice(('r2', 'r3'))
            for half in ('rgb', 'a'):
                op = rng.choice([o for o in ARGUMENTS if o != 'DOT3' or half == 'rgb'] + ['MAD'])
                scale = rng.choice(('', '', '.2x', '.4x', '.half'))
                clamp = '.sat' if last or rng.random() < .6 else ''
                lines.append('%s %s.%s%s%s, %s;' % (op, to, half, scale, clamp,
                                                   ', '.join(self.arguments(op, half == 'a'))))
            self.registers = self.registers + [to] * (to not in self.registers)
        return HEAD + '\n'.join(lines) + '\nEndPass;\n'


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--count', type=int, default=60)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('chips', nargs='*', default=['i830', 'pica200', 'nv2a'])
    args = parser.parse_args()
    failed = False
    for chip in args.chips:
        for level in ('0', '2'):
            rng, count = random.Random('%s %d' % (chip, args.seed)), Counter()
            texts = (Maker(rng).program() for _ in range(args.count))
            for text, difference, refused in atifs_code.check(texts, chip, ('-O', level), 12):
                undefined = difference and difference.message == atifs_code.UNDEFINED
                kind = ('refused' if refused else 'undefined' if undefined
                        else 'different' if difference else 'equal')
                count[kind] += 1
                if kind == 'different' and count[kind] <= 3:
                    print('%s -O%s: %s\n%s' % (chip, level, difference.message, text))
            print('%s -O%s:' % (chip, level), ', '.join('%d %s' % (n, k) for k, n in sorted(count.items())))
            failed |= count['different'] > 0 or count['equal'] < args.count // 3
    return int(failed)


if __name__ == '__main__':
    sys.exit(main())
