#!/usr/bin/env python3
"""Tests the limits of r300, r400 and r500 with whole programs just below and above them. A program at a limit
must compute the right colour and use the last temporary, pair or lookup that the chip has; a larger one must
be refused with status 3 and the reason. (Unit tests check the same limits without executing the programs.)

    limits_r300.py WORDS_OF_IR         WORDS_OF_IR: the program of words_of_ir.c; texenvc itself accepts no
                                       intermediate program longer than any texture environment's"""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from oracle.commands import atifs_code  # noqa: E402
from oracle.common.errors import ProgramError  # noqa: E402
from oracle.hw import chips  # noqa: E402
from oracle.ir import ir_eval, ir_text  # noqa: E402

VECTORS = 3
ROTATED = ('xyz', 'yzx', 'zxy')


class Run(ir_eval.Run):
    """Executes intermediate programs; a texel is the function of its coordinates that atifs_code.Sampled
    defines."""

    def texel(self, i):
        c = [self.base(i.base, k, i.line) for k in range(4 if i.lanes is None else 2)]
        return self.inputs.sample(i.texture, [c[0] / c[3], c[1] / c[3]] if i.lanes is None else c)


# ---- programs of instructions `1 - v*w`: every value stays in [0,1], and each instruction takes one pair of
# its own ----

class Text:
    def __init__(self):
        self.lines, self.constants = [], []

    def put(self, text):
        self.lines.append('%%%d = %s  @-' % (len(self.lines), text))
        return len(self.lines) - 1

    def step(self, v, w, turn=0):
        """Appends 1 - v*w, with the channels of w rotated by `turn`; returns the number of the value."""
        return self.put('mad.xyz %%%d.xyzz, %s.%s, lit.1111' % (v, w, ''.join('-' + c
            for c in ROTATED[turn % 3] + ROTATED[turn % 3][2])))

    def lookup(self, coord, texture):
        return self.put('tex.xyzw %s, t%d, 2d, rgba' % (coord, texture))

    def start(self):
        return self.put('mul.xyz primary.xyzz, primary.yzxx')

    def end(self, v, alpha=None):
        self.put('mov.w %s' % ('primary.wwww' if alpha is None else '%%%d.wwww' % alpha))
        constants = ['const c%d = (%s)' % (n, ', '.join('imm %r' % x for x in c)) for n,
                     c in enumerate(self.constants)]
        return '\n'.join(['!!texir1.0', *constants, *self.lines, 'result %%%d, %%%d'
                          % (v, len(self.lines) - 1)]) + '\n'


def chain(n):
    """Returns a program of n pairs."""
    t = Text()
    v = t.start()
    for i in range(1, n):
        v = t.step(v, 'primary', i)
    return t.end(v)


def alive(n):
    """Returns a program with n live colours and n live alphas: each is computed from the previous one, then
    all are read in the same order, two by each instruction."""
    t = Text()
    v, a = t.start(), t.put('mul.w primary.wwww, primary.xxxx')
    values = [(v, a)]
    for i in range(1, n):
        v, a = t.step(v, 'primary', i), t.put('mad.w %%%d.wwww, primary.%s, lit.1111'
                                              % (a, ''.join('-' + 'wxyz'[i % 4] for _ in range(4))))
        values.append((v, a))
    for (b, c), (d, e) in zip(values[0:n - 1:2], values[1:n:2]):
        v = t.put('mad.xyz.sat %%%d.xyzz, %%%d.-y-z-x-x, %%%d.xyzz' % (v, b, d))
        a = t.put('mad.w.sat %%%d.wwww, %%%d.-w-w-w-w, %%%d.wwww' % (a, c, e))
    return t.end(v, a)


def constants(n):
    """Returns a program that reads n constants that r500 cannot encode in an instruction."""
    t = Text()
    t.constants = [[(4 * i + c + 1) / 4096 + 1 / 65536 for c in range(4)] for i in range(n)]
    v, a = t.start(), t.put('mul.w primary.wwww, primary.xxxx')
    for i in range(n):
        v = t.step(v, 'c%d' % i, i)
        a = t.put('mad.w %%%d.wwww, c%d.-w-w-w-w, lit.1111' % (a, i))
    return t.end(v, a)


def lookups(n):
    """Returns a program of n independent lookups at eight coordinate sets; the alpha result is the last
    texel's."""
    t = Text()
    texels = [t.lookup('coord%d' % (i % 8), (i // 8 + i) % 8) for i in range(n)]
    v = texels[0]
    for i, w in enumerate(texels[1:]):
        v = t.step(v, '%%%d' % w, i)
    return t.end(v, texels[-1])


def blocks(count, n):
    """Returns a program of `count` blocks of n lookups; the coordinates of each block but the first are eight
    values computed from the texels of the previous block."""
    t = Text()
    coords = ['coord%d' % c for c in range(8)]
    for b in range(count):
        texels = [t.lookup(coords[i % len(coords)], (i // 8 + i) % 8) for i in range(n)]
        v, coords = texels[0], []
        for i, w in enumerate(texels[1:]):
            v = t.step(v, '%%%d' % w, i)
            if i >= n - 9:
                coords.append('%%%d.xyz' % v)
        coords = coords[-8:]
    return t.end(v, texels[-1])


def mixed(n, total):
    """Returns a program of n lookups and total - n pairs."""
    t = Text()
    texels = [t.lookup('coord%d' % (i % 8), (i // 8 + i) % 8) for i in range(n)]
    v = t.start()
    for i in range(total - n - 1):
        v = t.step(v, '%%%d' % texels[i] if i < n else 'primary', i)
    return t.end(v)


# ---- checks ----

def convert(text, target):
    """Compiles; returns the exit status and the JSON object, or {'reason': diagnostics}."""
    done = subprocess.run([sys.argv[1], target], input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True)
    return done.returncode, json.loads(done.stdout)[0] if done.stdout else {'reason': done.stderr}


def fits(name, text, target, **stats):
    """Returns None if the words compute what the program does and have these statistics, else the error."""
    status, o = convert(text, target)
    if status != 0 or not o['fits']:
        return '%s on %s: status %d, %s' % (name, target, status, o.get('reason'))
    for key, want in stats.items():
        if o['stats'].get(key) != want:
            return '%s on %s: %s is %s, not %d' % (name, target, key, o['stats'].get(key), want)
    code, module, program = chips.parse(o), chips.module(target), ir_text.parse(text)
    found = module.check(code)
    if found:
        return '%s on %s: %s' % (name, target, found[0])
    for k in range(VECTORS):
        inputs = atifs_code.Sampled('%s %d' % (name, k))
        want = Run(program, inputs).result()
        try:
            got = module.evaluate(code, chips.Inputs(inputs), 'real', frozenset(code.assumed))
        except ProgramError as e:
            return '%s on %s: %s' % (name, target, e)
        if list(got) != list(want):
            return '%s on %s: another result' % (name, target)
    return None


def refused(name, text, target, code):
    status, o = convert(text, target)
    if status != 3 or o.get('fits') or o.get('code') != code:
        return '%s on %s: status %d, %s, expected a refusal for %s' % (name, target, status,
            o.get('code', o.get('reason')), code)
    return None


def cases():
    for target, pairs, temps, slots in (('r300', 64, 32, 32), ('r400', 512, 64, 32), ('r500', 512, 128, 256)):
        yield fits('%d pairs' % pairs, chain(pairs), target, pairs=pairs)
        yield refused('%d pairs' % (pairs + 1), chain(pairs + 1), target, 'alu')
        yield fits('%d temporaries' % temps, alive(temps), target, temporaries=temps)
        yield refused('%d temporaries' % (temps + 1), alive(temps + 1), target, 'temporaries')
        yield fits('%d constants' % slots, constants(slots), target, constants=slots)
        yield refused('%d constants' % (slots + 1), constants(slots + 1), target, 'constants')
    yield fits('32 lookups', lookups(32), 'r300', tex=32)
    yield refused('33 lookups', lookups(33), 'r300', 'textures')
    # r400: the lookups of a block write different temporaries, of which there are 64, so that four blocks can
    # have at most 256 lookups
    for n in (33, 63, 64):
        yield fits('%d lookups' % n, lookups(n), 'r400', tex=n, nodes=1)
    yield fits('4 blocks of 56 lookups', blocks(4, 56), 'r400', tex=224, nodes=4)
    for target in ('r300', 'r400'):
        yield fits('4 blocks', blocks(4, 8), target, tex=32, nodes=4)
        yield refused('5 blocks', blocks(5, 6 if target == 'r300' else 9), target, 'indirections')
    yield fits('20 blocks', blocks(20, 10), 'r500', tex=200)
    yield fits('512 instructions', mixed(60, 512), 'r500', pairs=452, tex=60)
    yield refused('513 instructions', mixed(60, 513), 'r500', 'instructions')


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    bad = count = 0
    for problem in cases():
        count += 1
        if problem:
            bad += 1
            print(problem)
    print('%d limits, %d problems' % (count, bad))
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
