#!/usr/bin/env python3
"""Compares oracle/nv2a with a second, independent integer interpreter of the NV2A's register combiners
(notes/facts/nv2a.md 1 to 5) on random words. (The author of the second one knew the oracle, so both may
misread the facts in the same way.) Each misreading listed in oracle_nv2a.py must be detected by some of the
random words.

usage: nv2a_second.py [--count N] [--seed N]
"""
import argparse
import os
import random
from unittest import mock

import sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.oracle import oracle_nv2a
from tests.shared import tool
from oracle.common.errors import OracleError, Unsupported
from oracle.nv2a import nv2a_eval

RGB, ALPHA = range(2)
INPUTS, OUTPUTS = (0x0AC0, 0x0260), (0x1E40, 0x0AA0)
UNKNOWN = None  # a value that the facts do not define


def limited(x, low, high):
    return low if x < low else high if x > high else x


def nearest(x):
    """Returns x/255, rounded; a tie is impossible, since 255 is odd."""
    quotient, rest = divmod(x, 255)
    return quotient + (rest > 127)


class Chip:
    def __init__(self, words, given):
        self.word = dict(words)
        self.value = {(0, k): 0 for k in range(4)}
        for register, four in given.items():
            self.value.update({(register, k): v for k, v in enumerate(four)})
        for t in range(8, 12):
            for k in range(4):
                self.value.setdefault((t, k), 255 * (k == 3))
        self.value[12, 3] = self.value[8, 3]

    def constants(self, first, second):
        """Sets c0 and c1 from the words of two methods, which have the format A8R8G8B8."""
        for register, method in ((1, first), (2, second)):
            w = self.word.get(method, 0)
            self.value.update({(register, k): w >> s & 255 for k, s in enumerate((16, 8, 0, 24))})

    def input(self, byte, channel):
        register, alpha = byte & 15, byte & 16
        e = self.value[register, 3 if alpha else min(channel, 2)]
        m = max(e, 0)
        return (m, 255 - min(m, 255), 2 * m - 255, 255 - 2 * m, m - 128, 128 - m, e, -e)[byte >> 5]

    def stage(self, n):
        new = {}
        for half in (RGB, ALPHA):
            a, b, c, d = self.word[INPUTS[half] + 4 * n].to_bytes(4, 'big')
            out = self.word[OUTPUTS[half] + 4 * n]
            operation = out >> 15 & 7
            for channel in (range(3) if half == RGB else (3,)):
                def times(x, y, dot):
                    return sum(self.input(x, k) * self.input(y, k) for k in (range(3) if dot else (channel,)))
                ab, cd = times(a, b, out >> 13 & 1), times(c, d, out >> 12 & 1)
                third = nearest(ab + cd)
                if out >> 14 & 1:
                    chooser = self.value[12, 3]
                    if chooser < 0 and out >> 8 & 15:
                        raise Unsupported('mux')
                    high = self.word[0x1E60] >> 8 & 1
                    third = nearest(cd if (chooser >= 128 if high else chooser & 1) else ab)
                for x, at, blue in ((nearest(ab), 4, 19), (nearest(cd), 0, 18), (third, 8, None)):
                    x -= 128 * (operation & 1)
                    x = (x, 2 * x, 4 * x, (x + 1) // 2)[operation >> 1]
                    register = out >> at & 15
                    if register:
                        new[register, channel] = limited(x, -255, 255)
                        if blue and channel == 2 and out >> blue & 1:
                            new[register, 3] = new[register, 2]
        self.value.update(new)

    def final(self):
        a, b, c, d = self.word[0x0288].to_bytes(4, 'big')
        e, f, g, flags = self.word[0x028C].to_bytes(4, 'big')
        r0, v1 = ([max(self.value[r, k], 0) for k in range(3)] for r in (12, 5))
        r0 = [255 - x for x in r0] if flags & 32 else r0
        v1 = [255 - x for x in v1] if flags & 64 else v1
        total = [x + y for x, y in zip(r0, v1)]
        self.value.update({(14, k): min(x, 255) if flags & 128 else x for k, x in enumerate(total)})
        self.value[14, 3] = self.value[15, 3] = 0
        self.value.update({(15, k): nearest(self.input(e, k) * self.input(f, k)) for k in range(3)})
        out = []
        for k in range(3):
            x = self.input(a, k)
            mixed = nearest(x * self.input(b, k) + (255 - min(x, 255)) * self.input(c, k))
            out.append(limited(mixed + self.input(d, k), 0, 255))
        return out + [limited(self.input(g, 3), 0, 255)]

    def run(self):
        for n in range(self.word[0x1E60] & 15):
            self.constants(0x0A60 + 4 * n, 0x0A80 + 4 * n)
            self.stage(n)
        self.constants(0x1E20, 0x1E24)
        return self.final()


def program(rng):
    """Returns random words of a program that avoids most of what the facts leave open: only stages after the
    first, which writes r0 and r1, read these."""
    n = rng.randint(1, 8)
    words = {0x1E60: 0x11000 | rng.randint(0, 1) << 8 | n, 0x1E70: 0x8421}
    for base in (0x0A60, 0x0A80):
        words.update({base + 4 * s: rng.getrandbits(32) for s in range(n)})
    words.update({0x1E20: rng.getrandbits(32), 0x1E24: rng.getrandbits(32)})

    def four(registers, mappings):
        return sum((rng.choice(registers) | rng.randint(0, 1) << 4 | rng.choice(mappings) << 5) << s
                   for s in (24, 16, 8, 0))

    for s in range(n):
        for half in (RGB, ALPHA):
            readable = [0, 1, 2, 4, 5, 8, 9, 10, 11] + ([12, 13] if s else [])
            words[INPUTS[half] + 4 * s] = four(readable, range(8))
            ab, cd, third = 12, 13, rng.choice((0, 8))
            if s:
                ab, cd, third = rng.sample([4, 5, 8, 9, 10, 11, 12, 13, 0], 3)
            dots = rng.choice((0, 0, 1, 2, 3)) if half == RGB and s else 0
            third = 0 if dots else third
            mux = bool(third) and rng.random() < 0.08
            words[OUTPUTS[half] + 4 * s] = (cd | ab << 4 | third << 8 | dots << 12 | mux << 14
                                            | rng.choice((0, 1, 2, 3, 4, 6)) << 15)
        if s and rng.random() < 0.2:  # write blue to an alpha that the alpha half does not write
            out = words[OUTPUTS[RGB] + 4 * s]
            alpha = words[OUTPUTS[ALPHA] + 4 * s]
            for bit, at in ((19, 4), (18, 0)):
                if out >> at & 15 and out >> at & 15 not in (alpha & 15, alpha >> 4 & 15, alpha >> 8 & 15):
                    words[OUTPUTS[RGB] + 4 * s] |= 1 << bit
    anything = [0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13]
    words[0x0288] = four(anything + [15], (0, 1)) & 0xFF000000 | four(anything + [14, 15], (0, 1)) & 0xFFFFFF
    if rng.random() < 0.5:
        words[0x0288] = 0x040E0000  # v0 times the sum of colours, which may be above 1
    words[0x028C] = four(anything, (0, 1)) & 0xFFFFFF00 | rng.choice((0, 32, 64, 96)) | rng.randint(0, 1) << 7
    return words


def one(rng):
    """Returns (random words, random inputs, colour by the second interpreter, which is UNKNOWN if it depends
    on undocumented behaviour)."""
    words = program(rng)
    given = {r: [rng.choice((0, 1, 127, 128, 254, 255, rng.randrange(256))) for _ in range(4)]
             for r in (3, 4, 5, 8, 9, 10, 11)}
    try:
        return words, given, Chip(words, given).run()
    except Unsupported:
        return words, given, UNKNOWN


def oracle(words, given):
    try:
        return nv2a_eval.units(sorted(words.items()), given)
    except Unsupported:
        return UNKNOWN
    except OracleError as e:
        return str(e)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--count', type=int, default=2000)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    checks = tool.Checks('nv2a_second')
    rng = random.Random('second %d' % options.seed)
    samples = [one(rng) for _ in range(options.count)]
    for words, given, colour in samples:
        got = oracle(words, given)
        checks.check(got == colour, '%s, not %s: %s' % (colour, got, ' '.join(
            '%04X=%08X' % w for w in sorted(words.items()))))
    known = sum(colour is not UNKNOWN for _, _, colour in samples)
    checks.check(known > options.count // 2, '%d of %d are known' % (known, options.count))
    for name, words, given, colour in oracle_nv2a.golden():
        whole = {base + 4 * s: 0 for base in INPUTS + OUTPUTS for s in range(8)}
        whole.update({0x0288: 0, 0x028C: 0, **dict(words)})
        registers = {3: (0, 0, 0, 0), **given, 13: (0, 0, 0, 0), 12: (0, 0, 0, 255)}
        got = Chip(whole, registers).run()[:len(colour)]
        checks.check(got == colour, 'the console: %s: %s, not %s' % (name, got, colour))
    for name, (where, attribute, wrong) in oracle_nv2a.MISREADINGS.items():
        with mock.patch.object(where, attribute, wrong or oracle_nv2a.stage_in_sequence):
            told = any(oracle(words, given) != colour for words, given, colour in samples[:400])
        checks.check(told, 'not told: %s' % name)
    checks.finish()


if __name__ == '__main__':
    main()
