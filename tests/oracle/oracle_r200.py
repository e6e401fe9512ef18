"""Tests the R200 interpreter: the golden words of the facts against their formulas; every operation,
modifier, mask and rule of passes against values worked out by hand."""
import os
import random
import sys
import unittest
from fractions import Fraction as Q


sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from oracle.common.errors import ProgramError, Unsupported  # noqa: E402
from oracle.common.vectors import Single, VectorSet  # noqa: E402
from oracle.hw.chips import Code, Constant, Inputs, Texture  # noqa: E402
from oracle.r200 import r200_eval  # noqa: E402

T0 = (Q(1, 4), Q(1, 2), Q(3, 4), Q(1, 8))
T1 = (Q(7, 8), Q(3, 8), Q(1, 8), Q(5, 8))
F = (Q(1, 2), Q(5, 8), Q(0), Q(3, 4))
SECOND = (Q(1), Q(1, 4), Q(1, 8))
ENV = (Q(1, 2), Q(1, 4), Q(0), Q(3, 4))
VALUES = {}
for _c in range(4):
    VALUES['tex', 0, _c], VALUES['tex', 1, _c], VALUES['primary', 0, _c], VALUES['env', 0,
        _c] = T0[_c], T1[_c], F[_c], ENV[_c]
    VALUES['coord', 2, _c] = (Q(1, 16), Q(3, 16), Q(5, 16), Q(7, 16))[_c]
for _c in range(3):
    VALUES['secondary', 0, _c] = SECOND[_c]
INPUT = Single(VALUES)

# source codes; an odd code reads alpha (in an alpha word: blue)
R0, DIFFUSE, SPECULAR, CON, CON1, ALPHA = 10, 4, 6, 8, 26, 1
COMP, BIAS, X2, NEG = 1, 2, 4, 8
OUT = 0x11000                                                           # word 2: to R0, clamped to [0,1]
OUT8 = 0x12000                                                          # to R0, [-8,8]
NO = 0x2000                                                             # writes nothing
# argument C = DIFFUSE, as the driver initialises a stage
PASS_COLOUR, PASS_ALPHA = (DIFFUSE << 10, OUT), (DIFFUSE << 10, OUT)


def w1(a=0, b=0, c=0, op=0, am=0, bm=0, cm=0):
    return a | b << 5 | c << 10 | am << 16 | bm << 20 | cm << 24 | op << 28


def reg(n, more=0):
    """Returns a word 2 that writes Rn with the range [-8,8]."""
    return 0x2000 | (n + 1) << 16 | more


def stage(colour, alpha, slot=0):
    return [(0x2f00 + 16 * slot + 4 * k, word) for k, word in enumerate((*colour, *alpha))]


def units(numbers):
    """Returns the lookups of a single pass: unit n with coordinate set n, projective."""
    out = []
    for n in numbers:
        out += [(0x2c04 + 32 * n, n << 24), (0x2c08 + 32 * n, 3 << 16), (0x2c1c + 32 * n, 0)]
    return out


def make(words, constants=(), textures=(0, 1), assumed=()):
    words = tuple(words)
    at = {a: i for i, (a, _) in enumerate(words)}
    return Code('r200', words, tuple(Constant(n, unit, value, at[0x2ee0 + 4 * n]) for n, unit,
                                     value in constants),
                tuple(Texture(n, n, n, '2d') for n in textures), (), tuple(assumed), {}, False)


def one_pass(*stages, textures=(0, 1), constants=()):
    """Returns a chips.Code with (colour, alpha) stages in one pass."""
    words = [(0x1c38, sum(16 << n for n in textures) | sum(0x1000 << n if n < 7 else 0x800
                                                           for n in range(len(stages)))), (0x2cc4, 0)]
    words += units(textures)
    for n, (colour, alpha) in enumerate(stages):
        words += stage(colour, alpha, n)
    words += [(0x2ee0 + 4 * n, word) for n, word, _, _ in constants]
    return make(words, [(n, unit, value) for n, _, unit, value in constants], textures)


def run(code, model='real', assume=()):
    problems = r200_eval.decode(code.words)[1]
    if problems:
        raise ProgramError(problems[0])
    return list(r200_eval.evaluate(code, Inputs(INPUT), model, frozenset(assume)))


def sat(values):
    return [min(Q(1), max(Q(0), v)) for v in values]


ENV0 = (0, 0xbf804000, 0, (0.5, 0.25, 0.0, 0.75))        # constant 0: unit 0's colour


class Golden(unittest.TestCase):
    """Golden words of notes/facts/r200.md 7: the colour word on unit 0 with its formula."""

    def test_words(self):
        rows = [(0x00002800, lambda t, p: t), (0x0000008a, lambda t, p: t * p), (0x0010100a, lambda t,
            p: t + p),
                (0x0210100a, lambda t, p: t + p - Q(1, 2)), (0x0810100a, lambda t, p: t - p),
                (0x30002544, lambda t, p: t * ENV[3] + p * (1 - ENV[3]))]
        for word, formula in rows:
            want = sat(formula(t, p) for t, p in zip(T0, F))
            alpha = 0x30002144 if word == 0x30002544 else word
            self.assertEqual(run(one_pass(((word, OUT), (alpha, OUT)), constants=[ENV0])), want, hex(word))
        dot = 4 * sum((t - Q(1, 2)) * (p - Q(1, 2)) for t, p in zip(T0[:3], F))
        self.assertEqual(run(one_pass(((0x4066008a, OUT), PASS_ALPHA))), sat([dot] * 3) + [F[3]])


class Operations(unittest.TestCase):
    def colour(self, word, want, word2=OUT8, **how):
        self.assertEqual(run(one_pass(((word, word2), PASS_ALPHA)), **how)[:3], [Q(v) for v in want])

    def alpha(self, word, want, word2=OUT8, **how):
        self.assertEqual(run(one_pass((PASS_COLOUR, (word, word2))), **how)[3], want)

    def test_colour_operations(self):
        t, f, s = T0[:3], F[:3], T1[:3]
        self.colour(w1(R0, DIFFUSE, R0 + 2), [a * b + c for a, b, c in zip(t, f, s)])
        self.colour(w1(R0, DIFFUSE, R0 + 2, op=3), [c * b + (1 - c) * a for a, b, c in zip(t, f, s)])
        self.colour(w1(R0, DIFFUSE, R0 + 2, op=6), [f[1] and a if c > Q(1, 2) else b for a, b,
                                                    c in zip(t, f, s)])
        # one half is not greater than one half
        self.colour(w1(R0, DIFFUSE, R0, op=6), [f[0], f[1], t[2]])
        self.colour(w1(R0, R0 + 2, DIFFUSE, op=2, cm=NEG), [s[0], s[1], t[2]])          # zero counts as >= 0
        dot = t[0] * s[0] + t[1] * s[1] + t[2] * s[2]
        self.colour(w1(R0, R0 + 2, op=4), [dot] * 3)
        self.colour(w1(R0, R0 + 2, DIFFUSE, op=7), [t[0] * s[0] + t[1] * s[1] + f[2]] * 3)
        code = one_pass(((w1(R0, R0 + 2, op=5), OUT8), (w1(R0 + 2, DIFFUSE, bm=COMP), NO | 1 << 20)),
                        ((0, NO), PASS_ALPHA))
        # DOT4 uses A and B of the alpha half
        self.assertEqual(run(code)[:3], [dot + T1[3] * (1 - F[3])] * 3)

    def test_alpha_operations(self):
        self.alpha(w1(R0, DIFFUSE, R0 + 2), T0[3] * F[3] + T1[3])
        self.alpha(w1(R0, DIFFUSE, R0 + 2, op=3), T1[3] * F[3] + (1 - T1[3]) * T0[3])
        self.alpha(w1(R0, DIFFUSE, R0 + 2, op=6), T0[3])
        self.alpha(w1(R0, DIFFUSE, R0 + 2, op=2, cm=NEG), F[3])

    def test_dot_alpha(self):
        dot = sum(a * b for a, b in zip(T0[:3], T1))
        # the operation and arguments of the alpha half are ignored
        for alpha1 in (0, w1(op=7), w1(R0 + 8, R0 + 8, R0 + 8)):
            code = one_pass(((w1(R0, R0 + 2, op=4), OUT8), (alpha1, OUT8 | 1 << 20)))
            self.assertEqual(run(code), [dot] * 4)
        code = one_pass(((w1(R0, R0 + 2, op=4), OUT8 | 1 << 8), (0, OUT8 | 1 << 20)))  # the scales differ
        with self.assertRaises(ProgramError):
            run(code)
        self.assertEqual(run(code, assume=['alpha-dot-modifiers=colour']), [2 * dot] * 4)
        self.assertEqual(run(code, assume=['alpha-dot-modifiers']), [2 * dot] * 3 + [dot])

    def test_modifiers(self):
        """Modifiers apply in the order COMP, BIAS, SCALE, NEG, in every combination."""
        for bits in range(16):
            def modify(v):
                v = 1 - v if bits & COMP else v
                v = v - Q(1, 2) if bits & BIAS else v
                v = 2 * v if bits & X2 else v
                return -v if bits & NEG else v
            self.colour(w1(0, 0, R0, cm=bits), [modify(v) for v in T0[:3]])
            self.colour(w1(R0, 0, R0 + 2, am=bits, bm=COMP), [modify(v) + s for v, s in zip(T0[:3], T1)])
            self.colour(w1(R0 + 2, R0, 0, bm=bits), [modify(v) * s for v, s in zip(T0[:3], T1)])
            self.alpha(w1(0, 0, R0, cm=bits), modify(T0[3]))

    def test_sources(self):
        code = one_pass(((w1(0, 0, SPECULAR), OUT8), PASS_ALPHA))
        self.assertEqual(run(code)[:3], list(SECOND))
        self.colour(w1(0, 0, R0 | ALPHA), [T0[3]] * 3)
        self.colour(w1(0, 0, R0 + 3), [T1[3]] * 3)
        self.colour(w1(0, 0, DIFFUSE | ALPHA), [F[3]] * 3)
        for k, shift in enumerate((26, 28, 30)):
            for repl in (1, 2, 3):
                word = (w1(R0, 0, 0, bm=COMP), w1(0, R0, 0, am=COMP), w1(0, 0, R0))[k]
                self.colour(word, [T0[repl - 1]] * 3, OUT8 | repl << shift)
        self.alpha(w1(0, 0, R0 | 1), T0[2])                                              # odd: blue
        self.alpha(w1(0, 0, R0 | 1), T0[0], OUT8 | 1 << 30)
        self.alpha(w1(0, 0, R0 | 1), T0[1], OUT8 | 2 << 30)
        with self.assertRaises(ProgramError):
            self.alpha(w1(0, 0, R0), T0[0], OUT8 | 1 << 30)
        self.alpha(w1(0, 0, R0), T0[0], OUT8 | 1 << 30, assume=['alpha-replicate-even'])

    def test_scales(self):
        for code, factor in ((0, 1), (1, 2), (2, 4), (3, 8), (5, Q(1, 2)), (6, Q(1, 4)), (7, Q(1, 8))):
            self.colour(w1(0, 0, R0), [v * factor for v in T0[:3]], OUT8 | code << 8)
            self.alpha(w1(0, 0, R0), T0[3] * factor, OUT8 | code << 8)
        self.colour(w1(0, 0, R0), sat(4 * v for v in T0[:3]), OUT | 2 << 8)
        self.colour(w1(R0, DIFFUSE, R0, bm=NEG, cm=NEG), [0, 0, 0], OUT)

    def test_range(self):
        """R1 = 8; eight times 8 is limited."""
        eight = ((w1(0, 0, 0, cm=COMP), reg(1, 3 << 8)), (0, NO))
        code = one_pass(eight, ((w1(R0 + 2, R0 + 2), OUT8), PASS_ALPHA))
        self.assertEqual(run(code)[:3], [8] * 3)
        # it is not documented whether the product is limited first
        with self.assertRaises(ProgramError):
            run(one_pass(eight, ((w1(R0 + 2, R0 + 2), OUT8 | 5 << 8), PASS_ALPHA)))
        code = one_pass(eight, ((w1(0, 0, R0 + 2, cm=X2), OUT8 | 5 << 8), PASS_ALPHA))
        with self.assertRaises(ProgramError):
            run(code)

    def test_masks(self):
        masks = {0: 'rgb', 1: 'rg', 2: 'rb', 3: 'r', 4: 'gb', 5: 'g', 6: 'b', 7: ''}
        for field, written in masks.items():
            code = one_pass((PASS_COLOUR, PASS_ALPHA), ((w1(0, 0, R0 + 2), OUT | field << 20), (0, NO)))
            self.assertEqual(run(code), [T1[c] if 'rgb'[c] in written else F[c] for c in range(3)] + [F[3]],
                             field)

    def test_rotate(self):
        for field, want in ((1, (T0[3], T0[0], T0[1])), (2, (T0[1], T0[2], T0[3])),
                            (3, (T0[0], T0[1], T0[3]))):
            code = one_pass(((w1(0, 0, R0), reg(2, field << 24)), (w1(0, 0, R0), reg(2))),
                            ((w1(0, 0, R0 + 4), OUT), PASS_ALPHA))
            with self.assertRaises(ProgramError):
                run(code)
            self.assertEqual(run(code, assume=['output-rotate'])[:3], list(want))

    def test_halves_are_parallel(self):
        code = one_pass((PASS_COLOUR, PASS_ALPHA), ((w1(0, 0, R0 | ALPHA), OUT), (w1(0, 0, R0 | 1), OUT)))
        self.assertEqual(run(code), [F[3]] * 3 + [F[2]])

    def test_constants(self):
        two = [ENV0, (3, 0x40102030, None, (16 / 255, 32 / 255, 48 / 255, 64 / 255))]
        code = one_pass(((w1(CON, CON1), OUT | 0 | 3 << 4), (w1(0, 0, CON1), OUT | 3 << 4)), constants=two)
        self.assertEqual(run(code)[0], ENV[0] * Q(float.fromhex('0x1.010102p-4')))
        self.assertEqual(r200_eval.check(code), [])
        # each half selects its own constant
        code = one_pass(((w1(CON, CON1), OUT | 3 | 0 << 4), (w1(0, 0, CON), OUT | 0)), constants=two)
        self.assertEqual(run(code)[3], Q(3, 4))
        with self.assertRaises(ProgramError):
            run(one_pass(((w1(CON), OUT | 1), PASS_ALPHA), constants=two))
        for n, word, problem in ((0, 0xbf7f4000, None), (0, 0xbf804000, None), (0, 0xbf814000, 1),
                                 (0, 0xbf804100, 1), (0, 0xc0804000, 1)):
            code = one_pass((PASS_COLOUR, PASS_ALPHA), constants=[(n, word, 0, ENV0[3])])
            # 127.5 has two nearest
            self.assertEqual(bool(r200_eval.check(code)), bool(problem), hex(word))


def two_passes(first, second, setup1=(0, 1), setup2=(), outputs=None):
    """setup2: for each unit the register whose rgb it takes, or None for a lookup."""
    setup2 = dict(setup2)
    outputs = sum(64 << m for m in {m for m in setup2.values()
                                    if m is not None}) if outputs is None else outputs
    words = [(0x1c38, 1 << 19 | sum(16 << n for n in setup2) | sum(0x1000 << n for n in range(len(second)))),
             (0x2cc4, sum(1 << n for n in setup1) | outputs | sum(0x1000 << n for n in range(len(first))))]
    for n in range(6):
        multi = (n << 4 | 3 << 1) if n in setup1 else 0
        source = setup2.get(n)
        if n in setup2:
            words += [(0x2c04 + 32 * n, n << 24 if source is None else 1 << 27), (0x2c08 + 32 * n,
                (3 if source is None else 2) << 16)]
            multi |= 0 if source is None else (source + 2) << 24
        words.append((0x2c1c + 32 * n, multi))
    for n, (c, a) in enumerate(first):
        words += stage(c, a, 8 + n)
    for n, (c, a) in enumerate(second):
        words += stage(c, a, n)
    return make(words)


PRODUCT = ((w1(R0, R0 + 2), reg(2)), (w1(R0, R0 + 2), reg(2)))          # R2 = T0 * T1
PARK = ((w1(0, 0, R0 + 5), reg(3, 3 << 20)), (0, NO))                   # R3.r = R2.a


class Passes(unittest.TestCase):
    def test_parked_alpha(self):
        # rgb: R2 * F; alpha: R3.r * F.a
        second = [((w1(R0 + 4, DIFFUSE), OUT), (w1(R0 + 1 + 6, DIFFUSE), OUT | 1 << 26))]
        code = two_passes([PRODUCT, PARK], second, setup2={2: 2, 3: 3})
        self.assertEqual(r200_eval.check(code), [])
        # only R3.r was written; reading R3.r is allowed ...
        with self.assertRaises(ProgramError):
            # ... reading R3.g is not
            run(two_passes([PRODUCT, PARK], [((w1(R0 + 6, DIFFUSE), OUT), PASS_ALPHA)], setup2={2: 2, 3: 3}))
        self.assertEqual(run(code), [a * b * f for a, b, f in zip(T0, T1, F)])

    def test_registers_move(self):
        """Coordinates have their values at the end of the first pass, so two registers can be exchanged."""
        swap = two_passes([((w1(0, 0, R0), reg(0)), (0, NO))], [((w1(0, 0, R0), OUT), PASS_ALPHA)],
                          setup2={0: 1, 1: 0})
        self.assertEqual(run(swap)[:3], list(T1[:3]))

    def test_what_does_not_survive(self):
        move = [((w1(0, 0, R0), reg(0)), (w1(0, 0, R0), reg(0)))]
        self.assertEqual(run(two_passes(move, [((w1(0, 0, R0), OUT), PASS_ALPHA)], setup2={0: 0}))[:3],
                         list(T0[:3]))
        for setup in ({}, {1: 0}):  # not passed on; passed on to another register
            with self.assertRaises(ProgramError, msg=setup):
                run(two_passes(move, [((w1(0, 0, R0), OUT), PASS_ALPHA)], setup2=setup))
        with self.assertRaises(ProgramError):  # alpha is not passed on
            run(two_passes(move, [((w1(0, 0, R0), OUT), (w1(0, 0, R0), OUT))], setup2={0: 0}))
        # unit 0 is looked up again
        code = two_passes(move, [((w1(0, 0, R0), OUT), (w1(0, 0, R0), OUT))], setup2={0: None})
        self.assertEqual(run(code), list(T0))
        with self.assertRaises(ProgramError):  # PPX_OUTPUT_REG lacks the register
            run(two_passes(move, [((w1(0, 0, R0), OUT), PASS_ALPHA)], setup2={0: 0}, outputs=0))

    def test_primary_in_first_pass(self):
        move = [((w1(0, 0, DIFFUSE), reg(0)), (0, NO))]
        code = two_passes(move, [((w1(0, 0, R0), OUT), PASS_ALPHA)], setup2={0: 0})
        with self.assertRaises(ProgramError):
            run(code)
        # the assumption is allowed, but the output does not declare that it needs it
        with self.assertRaises(ProgramError):
            run(code, assume=['primary-in-first-pass'])
        self.assertEqual(run(code._replace(assumed=('primary-in-first-pass',)),
                             assume=['primary-in-first-pass'])[:3], list(F[:3]))

    def test_dependent_lookups_and_divides(self):
        move = [((w1(0, 0, R0), reg(0)), (0, NO))]
        code = two_passes(move, [((w1(0, 0, R0), OUT), PASS_ALPHA)], setup2={0: 0})
        def patch(address, word):
            return code._replace(words=tuple((a, word if a == address else v) for a, v in code.words))
        for bad in (patch(0x2c04, 0), patch(0x2c08, 3 << 16)):
            with self.assertRaises(Unsupported):
                run(bad)

    def test_coordinates(self):
        """LOOKUP_DISABLE delivers the interpolated coordinates; the third one is q or, if RE_CNTL says so,
        r."""
        base = one_pass(((w1(0, 0, R0 + 2), OUT), PASS_ALPHA))
        words = tuple((a, 2 << 24 | 1 << 27 if a == 0x2c24 else 2 << 16 if a == 0x2c28 else v) for a,
                      v in base.words)
        code = base._replace(words=words, textures=base.textures[:1])
        with self.assertRaises(ProgramError):
            run(code)
        self.assertEqual(run(code._replace(words=words + ((0x1c50, 0),)))[:3], [Q(1, 16), Q(3, 16), Q(7, 16)])
        code = code._replace(words=words + ((0x1c50, 1 << 20),))
        self.assertEqual(run(code)[:3], [Q(1, 16), Q(3, 16), Q(5, 16)])
        self.assertEqual(run(code, assume=['primary-texcoord=2'])[:3], list(F[:3]))
        # unit 0 would be looked up at a value that is not a coordinate
        with self.assertRaises(ProgramError):
            run(code, assume=['primary-texcoord=0'])


class Rules(unittest.TestCase):
    BASE = one_pass(((0x30002544, OUT), (0x30002144, OUT)), textures=(0,), constants=[ENV0])

    def test_base(self):
        self.assertEqual(r200_eval.check(self.BASE), [])

    def test_missing_and_extra_words(self):
        for i, (address, _) in enumerate(self.BASE.words):
            words = self.BASE.words[:i] + self.BASE.words[i + 1:]
            constants = tuple(c._replace(word=c.word - (i < c.word)) for c in self.BASE.constants
                              if c.word != i)
            self.assertTrue(self.wrong(self.BASE._replace(words=words, constants=constants)), hex(address))
        for word in ((0x2f00, 0), (0x2f01, 0), (0x2c00, 0), (0x3000, 0), (None, 0), (0x2f0c, 0), (0x2ee4, 0)):
            self.assertTrue(self.wrong(self.BASE._replace(words=self.BASE.words + (word,))), word)

    def wrong(self, code):
        """Returns problems that the checks report, or else the colour."""
        problems = r200_eval.check(code) or r200_eval.check_result(code)
        if problems:
            return problems
        try:
            return run(code) != run(self.BASE)
        except (ProgramError, Unsupported) as e:
            return str(e)

    def test_every_bit_counts(self):
        """Flips each bit of each word: the result must be a problem, an error or another colour, except for
        bits without a meaning here."""
        # texture format and size
        free = {(0x2c04, b) for b in range(31) if b not in (24, 25, 26, 27)}
        # volume size, wrap, mip level, LOD bias
        free |= {(0x2c08, b) for b in (*range(5), *range(8, 16), *range(19, 32))}
        # the select of the second constant, which is not read
        free |= {(a, b) for a in (0x2f04, 0x2f0c) for b in (4, 5, 6)}
        found = set()
        for i, (address, word) in enumerate(self.BASE.words):
            for bit in range(32):
                words = self.BASE.words[:i] + ((address, word ^ 1 << bit),) + self.BASE.words[i + 1:]
                if not self.wrong(self.BASE._replace(words=words)):
                    found.add((address, bit))
        self.assertEqual(found, free)

    def test_reserved(self):
        bad = [(0x2f00, 1 << 15), (0x2f00, 1 << 31), (0x2f04, 8), (0x2f04, 0x80), (0x2f0c, 1 << 21),
               (0x2f0c, 1 << 24), (0x1c38, 1 << 10), (0x1c38, 1 << 21),
               (0x1c38, 1), (0x2cc4, 1 << 20), (0x2c1c, 1 << 7), (0x2c1c, 1 << 27), (0x2c04, 1 << 31),
               (0x2c08, 1 << 5)]
        for address, bit in bad:
            words = tuple((a, v | bit if a == address else v) for a, v in self.BASE.words)
            self.assertTrue(r200_eval.check(self.BASE._replace(words=words)), (hex(address), hex(bit)))

    def test_unexplained_fields(self):
        def problems(colour, alpha=PASS_ALPHA):
            code = one_pass((colour, alpha), constants=[ENV0])
            return r200_eval.check(code) or r200_eval.check_result(code)
        good = (w1(R0, DIFFUSE), OUT)
        self.assertEqual(problems(good), [])
        for colour in [(w1(c), OUT) for c in (1, 2, 3, 22, 23, 24, 25, 28, 29, 30, 31)] + [
                (good[0], OUT | 4 << 8), (good[0], 0x10000), (good[0], 0x13000), (good[0], 0x71000),
                (w1(R0, op=1), OUT), (w1(R0 | 1), OUT | 1 << 26),
                (w1(SPECULAR | 1), OUT), (good[0], OUT8)]:
            self.assertNotEqual(problems(colour), [], [hex(x) for x in colour])
        for alpha in [(w1(R0, op=k), OUT) for k in (1, 4, 5, 7)] + [(w1(R0 | 1), OUT | 3 << 26),
                                                                    (w1(SPECULAR), OUT),
                                                                    (good[0], OUT | 1 << 20),
                                                                    (good[0], OUT8)]:
            self.assertNotEqual(problems(good, alpha), [], [hex(x) for x in alpha])
        self.assertNotEqual(problems((w1(R0, DIFFUSE, op=5), OUT), (good[0], OUT)), [])

    def test_undefined(self):
        for word in (w1(R0 + 4), w1(R0 + 2)):
            with self.assertRaises(ProgramError):
                run(one_pass(((word, OUT), PASS_ALPHA), textures=(0,)))
        with self.assertRaises(ProgramError):                    # nothing writes alpha, and unit 0 is off
            run(one_pass((PASS_COLOUR, (0, NO)), textures=()))
        with self.assertRaises(ProgramError):                    # LERP outside [0,1]
            run(one_pass(((w1(R0, R0, R0, op=3, cm=NEG), OUT), PASS_ALPHA)))

    def test_stage_enables(self):
        code = one_pass(*[(PASS_COLOUR, PASS_ALPHA)] * 8)
        self.assertEqual(code.words[0][1], 0x30 | 0x7f800)
        self.assertEqual(r200_eval.check(code), [])
        for cntl in (0x7f030 & ~0x1000, 0x800 | 0x30, 0x30):
            self.assertTrue(r200_eval.check(code._replace(words=((0x1c38, cntl),) + code.words[1:])),
                            hex(cntl))
        two = two_passes([PRODUCT], [((w1(R0 + 4, DIFFUSE), OUT), PASS_ALPHA)], setup2={2: 2})
        self.assertEqual(r200_eval.check(two), [])
        for address, flip in ((0x2cc4, 0x1000), (0x2cc4, 64 << 2), (0x2cc4, 64), (0x2cc4, 1),
                              (0x1c38, 1 << 19), (0x1c38, 0x40), (0x2c1c + 64, 1 << 24),
                              (0x2c04 + 64, 1 << 27), (0x2c08 + 64, 1 << 16), (0x2c1c, 1), (0x2c1c, 4),
                              (0x2c1c + 32, 0x20), (0x2c1c, 0x10)):
            bad = two._replace(words=tuple((a, v ^ flip if a == address else v) for a, v in two.words))
            with self.assertRaises((ProgramError, Unsupported), msg=(hex(address), hex(flip))):
                run(bad)


class Fixed(unittest.TestCase):
    def test_bounds_hold(self):
        """On random stages the difference of the fixed-point model stays within the bound, and the bound is
        tight enough to be useful."""
        rng, given, largest = random.Random(5), VectorSet(3, 32), 0
        for _ in range(200):
            stages = []
            for n in range(rng.randint(1, 4)):
                sources = [R0, R0 + 2, DIFFUSE, 0, CON] + ([R0 + 4] if n else [])
                def word(alpha):
                    return w1(*(rng.choice(sources) for _ in range(3)), op=0 if rng.random() < .7 else 0
                              if alpha else 4,
                              am=rng.randrange(16), bm=rng.randrange(16), cm=rng.randrange(16))
                stages.append(tuple((word(alpha), 0x1000 | 3 << 16 | rng.choice((0, 1, 2, 5)) << 8)
                                    for alpha in (False, True)))
            stages.append(((w1(0, 0, R0 + 4), OUT), (w1(0, 0, R0 + 4), OUT)))
            code = one_pass(*stages, constants=[ENV0])
            inputs = Inputs(given)
            code = code._replace(constants=(code.constants[0]._replace(unit=None),))
            exact, fixed = (r200_eval.evaluate(code, inputs, m) for m in ('real', 'fixed'))
            bound = r200_eval.bounds(code, inputs, 'fixed', frozenset())
            for e, f, b in zip(exact, fixed, bound):
                self.assertEqual(given.dom.first_beyond(e, f, b), -1)
            largest = max(largest, *bound)
            differs = any(given.dom.first_difference(e, f) >= 0 for e, f in zip(exact, fixed))
            self.assertTrue(not differs or max(bound) > 0)
        self.assertGreater(largest, Q(1, 1000))

    def test_constant(self):
        code = one_pass(((w1(0, 0, CON), OUT), (w1(0, 0, CON), OUT)), constants=[ENV0])
        self.assertEqual(run(code, 'fixed'), [Q(2056, 4096), Q(1028, 4096), 0, Q(3068, 4096)])
        self.assertEqual([b >= abs(x - y) for b, x, y in zip(r200_eval.bounds(code, Inputs(INPUT), 'fixed',
            ()), run(code, 'fixed'), ENV)], [True] * 4)


if __name__ == '__main__':
    unittest.main()
