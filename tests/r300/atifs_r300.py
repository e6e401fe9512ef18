#!/usr/bin/env python3
"""Compiles programs of GL_ATI_fragment_shader to words of r300, r400, r500, i915, etnaviv and ir3 and
executes these by the oracle: each operation and modifier, two passes, dependent lookups, divided coordinates,
random programs.

    atifs_r300.py [--count N] [--seed N] [--target CHIP ...]       TEXENVC names the program"""
import argparse
import os
import random
import sys
from collections import Counter
from itertools import chain

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from oracle.atifs import atifs_lint, atifs_text, random_atifs  # noqa: E402
from oracle.commands import atifs_code  # noqa: E402
from oracle.common.errors import InputError  # noqa: E402

ONE_PASS = '!!ATIfs1.0\n%sStartOutputPass;\n%s\n%s\nEndPass;\n'
TWO_PASS = '!!ATIfs1.0\n%sStartPrelimPass;\n%s\n%s\nEndPass;\nStartOutputPass;\n%s\n%s\nEndPass;\n'
CONSTANTS = 'StartConstants;\nCONSTANT c0 = {0.25, 0.5, 0.75, 1};\nCONSTANT c1 = {1, 0.125, 0, 0.5};\nEndConstants;\n'
# c1 is an environment colour; the chip's constant registers hold GL state before the program's own constants.
# c0 has more bits than an inline constant of r500 can have.
MIXED = '# const c1 unit=2 env-color\nStartConstants;\nCONSTANT c0 = {0.2734375, 0.2890625, 0.3203125, 0.3359375};\nCONSTANT c1 = {0, 0, 0, 0};\nEndConstants;\n'
# On r500 an operand can be the swizzle red, green, alpha of a coordinate; a presubtraction cannot read it so.
COORDINATES = 'PassTexCoord r1, t3.stq;\nPassTexCoord r2, t1.stq;\n'
OF_COORDINATES = ('DOT3 r0.rgba.quarter, r1.2x, r2.comp;', 'DOT3 r0.rgba.quarter.sat, r1, r2;',
                  'DOT3 r0.rgba.2x.sat, r1, r2.bias;',
                  'LERP r0.rgb, color0, r2.comp, r1.2x; MOV r0.a, r1.b;',
                  'CND r0.rgb, r1.comp, r2.comp, r1.2x.bias; MOV r0.a, r1.b;')
FIRST = 'SampleMap r0, t0.str;\nSampleMap r1, t1.stq_dq;\n'
BODIES = ('MOV r0, r1;', 'ADD r0, r0, r1;', 'MUL r0, r0, r1;', 'SUB r0, r0, r1;', 'MAD r0, r0, r1, color0;',
          'LERP r0, r0, r1, color0;',
          'CND r0, r1, color0, r0;', 'CND0 r0, r1, color0, r0.neg;', 'CND0 r0, r1, color0, r0.2x.bias;',
          'DOT3 r0, r0, r1;', 'DOT4 r0, r0, r1;',
          'DOT3 r0.half, c0, c0;', 'DOT3 r0.quarter, c0, c1;', 'DOT3 r0.2x, c0, c0;', 'DOT4 r0.half, c0, c1;',
          'DOT3 r2.rgb.half, c0, c1; MAD r0, r2, c0, c1;',
          'DOT4 r0.rgb, r0.2x.bias, r1.2x.bias; MUL r0.rgb, r0, color0;',
          'DOT2ADD r0, r0, r1, color0;', 'DOT3 r0.rgb, r0.2x.bias, r1.2x.bias; MOV r0.a, r1.a;',
          'MUL r0.8x.sat, r0, r1; MOV r0.a, r0.r;',
          'SUB r2, r0.neg, 1; MUL r0.eighth, r2.a, r1;', 'MOV r2.2x, r0.neg; MUL r0.eighth, r2.bias, r1;',
          'SUB r2, r0.neg, 1; MAD r0.rgb.half, r2.a.neg, r1, c0; MOV r0.a, r1.a;',
          'ADD r0.eighth, r0.comp, r1.neg;', 'MOV r0.rg.2x, r1; MOV r0.b.half, color1.g;',
          'MAD r0, c0, c1.comp, r0.bias;',
          'MOV r2.8x, 1; MUL r2.half.sat, r2, r2; MUL r0, r2, r0;',
          'MOV r2.4x, 1; ADD r2.2x, r2, r2.neg; SUB r2.8x, r2, r0; MUL r0.eighth, r2, r1;',
          'CND r0, 1.2x, c0.r, color0;', 'MAD r1.gb.2x, r1.2x.bias, r1, color0.bias; MAD r0, r1, r1.neg, '
                                         'r1.2x.bias;',
         'MOV r2.8x, 1; DOT3 r0.2x, r2, r0.2x;', 'MOV r2.8x, 1; DOT4 r0.2x, r2, r0.2x;',
         'MOV r2.8x, r0; CND r0.rgb.8x, r2, r2.neg, r1; CND0 r0.a.4x, r2, r1, r1.bias;',
         'LERP r0.quarter.sat, r0.comp, r1.2x.bias, color1.r; ADD r0.a, r0.b, r1.a;',
         'SUB r2, r0.neg, 1; MUL r0, r2, r1;', 'DOT3 r0.rgba.8x, r1.g, color0.a.2x;',
         'DOT3 r2.rgb.half.sat, r0, r1; DOT3 r3.rgb.8x.sat, r0, r1; MAD r0.rgb, r2, r3, r0; MOV r0.a, r1.a;',
         'SUB r2.a, r0.neg, 1; MAD r0.rgb, r2.a, r1, r0; MOV r0.a, r2;')
PASSES = (('MOV r2, r0;', 'SampleMap r3, r2.str;', 'MUL r0, r3, color0;'), ('ADD r2, r0, r1;',
    'SampleMap r3, r2.str_dr;', 'MOV r0, r3;'),
          ('MUL r1, r0, c0;', 'PassTexCoord r1, r1.str;\nSampleMap r2, r0.str;',
           'MAD r0.rgb, r1, r2, c1; MOV r0.a, r2.a;'),
          ('MOV r2.4x, r1; MOV r0.rgb, r0.a;', 'PassTexCoord r0, r2.str;\nSampleMap r2, r0.str;',
           'LERP r0, r2, r0.r, color1.b;'),
          ('DOT3 r3.rgb, r0, r1; MOV r3.b, 1;', 'SampleMap r0, r3.str_dr;\nPassTexCoord r4, t2.stq_dq;',
           'MUL r0.sat, r0, r4.r;'),
          ('DOT3 r3.rgb, r0, r1; DOT2ADD r4.rgb.sat, r0.bias.comp, c1.g.bias.comp, r1.bias;',
           'SampleMap r0, r3.str;\nSampleMap r2, r4.str;', 'MUL r0, r0, r2;'),
         ('MOV r0, r1;', 'PassTexCoord r5, t4.str_dr;\nSampleMap r1, t1.stq;', 'MAD r0, r5.g, r1, color1.r;'))


def fixed():
    for body in BODIES:
        yield ONE_PASS % (CONSTANTS, FIRST, body)
    yield ONE_PASS % (MIXED, FIRST, 'MAD r0, r0, c0, c1;')
    for body in OF_COORDINATES:
        yield ONE_PASS % ('', COORDINATES, body)
    for first, setup, second in PASSES:
        yield TWO_PASS % (CONSTANTS, FIRST, first, setup, second)


class Random:
    """Random valid programs: registers are read only where they are defined."""
    MODIFIERS = ('', '', '', '.comp', '.bias', '.2x', '.neg', '.bias.comp', '.2x.bias', '.neg.2x')

    def __init__(self, seed):
        self.rng = random.Random('atifs %s' % seed)

    def arg(self, defined, colour, last, constant=False):
        rng, choices = self.rng, ['0', '1', 'c0', 'c1', 'c0', 'c1'] if constant else ['0', '1', 'c0', 'c1']
        if not constant:
            choices += [r for r in defined if defined[r] >= (set('rgb') if colour else set('a'))] * 3
        if last and not constant:
            choices += ['color0', 'color0'] + (['color1'] if colour else [])
        base = rng.choice(choices)
        rep = ''
        if base not in '01' and rng.random() < 0.3:
            rep = '.' + rng.choice(sorted(defined[base] if base[0] == 'r' else 'rgb' if base == 'color1'
                                          else 'rgba'))
        return base + rep + ('' if base == '0' else rng.choice(self.MODIFIERS))

    def code(self, defined, last, count):
        rng, out = self.rng, []
        for k in range(count):
            final = last and k == count - 1
            news = []
            whole = final and rng.random() < random_atifs.WHOLE_DOT
            for colour in (True, False):
                if whole and not colour:
                    continue
                constant = rng.random() < random_atifs.OF_CONSTANTS
                dst = 'r0' if final else 'r%d' % rng.randrange(6)
                ops = ['MOV', 'ADD', 'MUL', 'SUB', 'MAD', 'MAD', 'CND', 'CND0'] + (['DOT3', 'DOT2ADD']
                    if colour else [])
                op = 'DOT3' if whole else rng.choice(ops)
                args = ', '.join(self.arg(defined, colour, last, constant) for _ in range(atifs_text.OPS[op]))
                mask = ('rgb' if final or rng.random() < 0.7 else rng.choice(('r', 'g', 'b', 'rg',
                    'gb'))) if colour else 'a'
                out.append('%s %s%s%s%s, %s;' % (op, dst, '' if whole else '.' + mask,
                                                 rng.choice(('', '', '.2x', '.4x', '.half', '.quarter')),
                                                 rng.choice(('', '.sat')), args))
                news.append((dst, set(mask)))
            for dst, mask in news:
                defined[dst] = defined.get(dst, set()) | mask
        return '\n'.join(out)

    def program(self):
        rng = self.rng
        defined, first = {}, []
        for r in sorted(rng.sample(range(6), rng.randint(1, 3))):
            first.append('SampleMap r%d, t%d.%s;' % (r, r, rng.choice(('str', 'str_dr'))))
            defined['r%d' % r] = set('rgba')
        if rng.random() < 0.4:
            return ONE_PASS % (CONSTANTS, '\n'.join(first), self.code(defined, True, rng.randint(1, 5)))
        code = self.code(defined, False, rng.randint(1, 4))
        setup, second = [], {}
        for r in range(6):
            sources = [s for s in sorted(defined) if defined[s] >= set('rgb')]
            if sources and rng.random() < 0.4:
                op = rng.choice(('SampleMap', 'PassTexCoord'))
                setup.append('%s r%d, %s.str;' % (op, r, rng.choice(sources)))
                second['r%d' % r] = set('rgba') if op == 'SampleMap' else set('rgb')
        if not setup:
            setup, second = ['SampleMap r3, t3.str;'], {'r3': set('rgba')}
        return TWO_PASS % (CONSTANTS, '\n'.join(first), code, '\n'.join(setup), self.code(second, True,
            rng.randint(1, 4)))


def programs(count, seed):
    """Yields the fixed programs, then `count` random ones, alternately from the generator of this file, whose
    programs have many register dependences, and from the oracle's, which uses all masks and scales."""
    yield from fixed()
    source, rng = Random(seed), random.Random('atifs of the oracle %s' % seed)
    made = 0
    while made < count:
        text = random_atifs.program(rng, plain=True) if made % 2 else source.program()
        try:
            if atifs_lint.lint(atifs_text.parse(text), promises=False):
                continue
        except InputError:
            continue
        made += 1
        yield text


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--count', type=int, default=60)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--vectors', type=int, default=12)
    parser.add_argument('--assume', action='append', default=[])
    parser.add_argument('--target', action='append', choices=('r300', 'r400', 'r500', 'i915', 'etnaviv', 'ir3'))
    args = parser.parse_args()
    bad = 0
    for target in args.target or ('r300', 'r400', 'r500'):
        count = Counter()
        for text, difference, refused in chain(atifs_code.check(fixed(), target, ('-O0',), args.vectors,
                                                                args.assume),
                                               atifs_code.check(programs(args.count, args.seed), target, (),
                                                                args.vectors, args.assume)):
            undefined = difference and difference.message == atifs_code.UNDEFINED
            kind = 'refused: %s' % refused if refused else 'undefined' if undefined else 'different' if difference else 'equal'
            count[kind] += 1
            if kind == 'different' or refused:  # all programs fit the chip, so a refusal is an error
                bad += 1
                if count[kind] <= 3:
                    print('%s: %s\n%s' % (target, refused or difference.message, text))
        bad += count['equal'] < args.count // 2
        print('%s: %s' % (target, ', '.join('%d %s' % (n, k) for k, n in sorted(count.items()))), flush=True)
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
