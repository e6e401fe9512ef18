"""Compares a program of GL_ATI_fragment_shader with a chip's words for it, including both passes and
dependent lookups. A texel is a function of its coordinates, the same for program and words; any function that
rarely gives equal values is suitable. So the comparison also covers the coordinates and their division.
Evaluates single vectors exactly.
"""
import random
import zlib
from fractions import Fraction

from ..atifs import atifs_eval, atifs_text
from ..common.domain import Exact
from ..common.errors import InputError, ProgramError, Unsupported
from ..common.vectors import CHANNELS, Named
from ..hw import chips
from .compare import Difference

UNDEFINED = 'the program is undefined for all inputs'
COORDS = (Fraction(1, 2), Fraction(1), Fraction(2), Fraction(3, 4), Fraction(5, 4), Fraction(1, 4))


class Limited(Exact):
    """Exact numbers that are undefined beyond [-8,8]: ATI_fragment_shader guarantees that range and says
    nothing about other values (notes/facts/atifs.md 1)."""

    @staticmethod
    def sat8(a):
        if abs(a) > 8:
            raise Unsupported('a value beyond [-8,8]')
        return a


class Sampled(Named):
    """One input vector. All colours are multiples of 1/16, so that dot products and comparisons reach their
    limits."""

    def __init__(self, seed):
        self.dom, self.seed, self.known = Limited, seed, {}

    def get(self, name):
        if name not in self.known:
            rng = random.Random('%s %s' % (self.seed, name))
            self.known[name] = (rng.choice(COORDS) if name[0] == 'coord'
                                else Fraction(rng.choice((0, 16, 8, rng.randrange(17))), 16))
        return self.known[name]

    def sample(self, unit, coords):
        number = zlib.crc32(repr((self.seed, unit, [(c.numerator, c.denominator) for c in coords])).encode())
        return [Fraction(number >> 8 * c & 255, 256) for c in range(4)]

    def texel(self, unit, ch):
        """A lookup of fixed function, which divides the coordinates of the unit's set by q."""
        return self.sample(unit, [self.coord(unit, c) / self.coord(unit, 3) for c in range(2)])[ch]


def compare(text, answer, target, vectors=24, seed=1, assume=()):
    """Returns None if the words of `answer` (a JSON object) compute the same as the program's text, else a
    Difference."""
    program, code = atifs_text.parse(text), chips.parse(answer)
    module = chips.module(target)
    found = module.check(code)
    if found:
        return Difference(found[0], None)
    undefined = 0
    for k in range(vectors):
        inputs = Sampled('%s %d' % (seed, k))
        try:
            want = atifs_eval.evaluate(program, inputs)
            if getattr(module, 'CLAMPED_RESULT', False):
                want = [inputs.dom.sat(v) for v in want]
        # undefined for these inputs: a LERP factor outside of [0,1], a division by zero, a value outside of
        # [-8,8]
        except (ProgramError, Unsupported):
            undefined += 1
            continue
        try:
            got = module.evaluate(code, chips.Inputs(inputs), 'real', frozenset(assume))
        except (ProgramError, Unsupported) as e:
            return Difference(str(e), k)
        for c, (a, b) in enumerate(zip(want, got)):
            if a != b:
                return Difference('%s is %s, not %s' % (CHANNELS[c], b, a), k)
    return Difference(UNDEFINED, None) if undefined == vectors else None


def check(texts, target, options=(), vectors=24, assume=()):
    """Converts the programs one by one by texenvc; yields (text, Difference or None, refusal or None) for
    each."""
    from . import texenvc
    for text in texts:
        words = ['--from', 'atifs', '--to', target, '--format', 'json', *options]
        for name in assume:
            if chips.module(target).ASSUMPTIONS[name].option:
                words += ['--assume', name]
        _, out, _ = texenvc.convert(['-'], words, stdin=text)
        block, = chips.blocks(out)
        if block.refused is not None:
            yield text, None, block.refused
            continue
        try:
            yield text, compare(text, block.text, target, vectors, assume=assume), None
        except (InputError, ProgramError) as e:
            yield text, Difference(str(e), None), None
