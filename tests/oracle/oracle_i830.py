"""Tests the interpreter of the i830's packets and blend stages against values worked out by hand
(notes/facts/i830.md)."""
import os
import sys
import unittest
from fractions import Fraction as Q


sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from oracle.common.errors import ProgramError, Unsupported  # noqa: E402
from oracle.common.vectors import Single, VectorSet, WithColours  # noqa: E402
from oracle.hw import chips  # noqa: E402
from oracle.i830 import i830_eval  # noqa: E402
from oracle.i830.i830_words import ROWS, decode  # noqa: E402
from oracle.texenv.stages import read  # noqa: E402

T0, T1, F, S = (Q(1, 4), Q(1, 2), Q(3, 4), Q(1, 8)), (Q(1), Q(3, 4), Q(0), Q(1, 2)), (Q(1, 2), Q(5, 8), Q(0),
    Q(3, 4)), (Q(1), Q(1, 4), Q(1, 8))
C0 = (Q(1, 16), Q(1, 2), Q(1), Q(5, 16))
VALUES = {(name, unit, c): v for name, unit, values in (('tex', 0, T0), ('tex', 1, T1), ('primary', 0, F),
                                                        ('secondary', 0, S), ('env', 0, C0))
          for c, v in enumerate(values)}
INPUT = Single(VALUES)
ONE, FACTOR, ACCUM, DIFFUSE, SPEC, CURRENT, TEX0, TEX1, FACTOR_N = 0, 1, 2, 3, 4, 5, 6, 7, 0xe
INV, REP = 0x10, 0x20


def op(code, stage=0, alpha=False, scale=0, out=0, last=False):
    return 0x6D020100 | stage << 20 | alpha << 18 | out << 15 | (0 if alpha
                                                                 else 0x1000) | scale << 9 | last << 7 | code


def arg(number, source, stage=0, alpha=False):
    return 0x6E000040 | stage << 20 | alpha << 18 | number << 15 | source


def code_of(words, constants=(), assumed=(), units=(0, 1)):
    words = tuple((None, w) for w in words)
    return chips.Code('i830', words, tuple(chips.Constant(*c) for c in constants),
                      tuple(chips.Texture(u, u, u, '2d') for u in units), (), tuple(assumed),
                      {'stages': 1, 'dwords': len(words)}, False)


def run(words, constants=(), model='real', assume=(), inputs=INPUT):
    return i830_eval.evaluate(code_of(words, constants), chips.Inputs(inputs), model, frozenset(assume))


def one(code, *sources, alpha_code=1, alpha_sources=(TEX0,), scale=0, alpha_scale=0, first=1):
    """A final stage; the arguments are ARG1, ARG2 and ARG0, in this order."""
    words = [op(code, scale=scale, last=True), op(alpha_code, alpha=True, scale=alpha_scale)]
    words += [arg((i + 1) % 3, s) for i, s in enumerate(sources)]
    return words + [arg((i + 1) % 3, s, alpha=True) for i, s in enumerate(alpha_sources)]


def formula(text, words, constants=()):
    """Compares words with the texture environment given in stage notation, on many inputs."""
    (state, _), = read(text)
    inputs = WithColours(VectorSet(3, 32), state)
    got = i830_eval.evaluate(code_of(words, constants), chips.Inputs(inputs, state), 'real', frozenset())
    from oracle.texenv.texenv_eval import evaluate
    return all(inputs.dom.first_difference(a, b) < 0 for a, b in zip(evaluate(state, inputs), got))


PASS = [0x6D021181, 0x6D060101, 0x6E008045, 0x6E048045]
MODULATE = [0x6D021183, 0x6D060103, 0x6E008046, 0x6E010045, 0x6E048046, 0x6E050045]
REPLACE = [0x6D021181, 0x6D060101, 0x6E008046, 0x6E048046]
LERP = [0x6D021188, 0x6D060108, 0x6E008046, 0x6E010045, 0x6E00006E, 0x6E048046, 0x6E050045, 0x6E04004E,
        0x7D900000, 0x50108080]
DOT = [0x6D02118C, 0x6D06010C, 0x6E008046, 0x6E010045, 0x6E048041, 0x6E050041, 0x7D010000, 0x80808080]


class Golden(unittest.TestCase):
    """The golden packets of notes/facts/i830.md 4."""

    def test_values(self):
        self.assertTrue(formula('{}', PASS))
        self.assertTrue(formula('{P}', PASS))
        self.assertTrue(formula('{T*P}', MODULATE))
        self.assertTrue(formula('{T}', REPLACE))
        self.assertTrue(formula('{lerp(T,P,C.a)} C0=(0.0625,0.5,0.5,0.3125)', LERP,
                                [(0, 0, (.0625, .5, .5, .3125), 9)]))
        self.assertTrue(formula('{dot3a(T,P)}', DOT))
        self.assertFalse(formula('{T+P}', MODULATE))
        self.assertFalse(formula('{lerp(P,T,C.a)}', LERP, [(0, 0, (0, 0, 0, 0), 9)]))
        self.assertFalse(formula('{dot3(T,P)}', DOT))

    def test_they_are_what_these_tests_build(self):
        self.assertEqual(one(1, CURRENT, alpha_sources=(CURRENT,)), PASS)
        self.assertEqual(one(3, TEX0, CURRENT, alpha_code=3, alpha_sources=(TEX0, CURRENT)), MODULATE)
        self.assertEqual(one(8, TEX0, CURRENT, FACTOR_N | REP, alpha_code=8, alpha_sources=(TEX0, CURRENT,
            FACTOR_N)), LERP[:8])
        self.assertEqual(one(12, TEX0, CURRENT, alpha_code=12, alpha_sources=(FACTOR, FACTOR)), DOT[:6])

    def test_fields(self):
        p, = decode([(None, 0x6D021183)])
        self.assertEqual((p.name, p.fields), ('MAP_BLEND_OP', {'stage': 0, 'pipe': 0, 'out_valid': 1,
                                                               'out': 0, 'control_valid': 1, 'control': 0,
                                                               'scale': 0,
                                                               'modify': 1, 'last': 1, 'op': 3}))
        p, = decode([(None, 0x6E00006E)])
        self.assertEqual((p.name, p.fields), ('MAP_BLEND_ARG', {'stage': 0, 'pipe': 0, 'arg': 0, 'modify': 1,
                                                                'replicate': 1, 'invert': 0, 'source': 14}))
        p, = decode([(None, 0x7D920000), (None, 0x11223344)])
        self.assertEqual((p.name, p.fields['stage'], p.value), ('COLOR_FACTOR_N', 2, 0x11223344))


class Operations(unittest.TestCase):
    def check(self, words, *want, **options):
        self.assertEqual([float(x) for x in run(words, **options)], list(want))

    def colour(self, code, *sources, want, scale=0):
        self.check(one(code, *sources, scale=scale), *want, .125)

    def test_colour(self):
        self.colour(1, TEX0, want=(.25, .5, .75))
        self.colour(2, TEX1, TEX0, want=(.25, .5, .75))
        self.colour(3, TEX0, DIFFUSE, want=(.125, .3125, 0))
        self.colour(6, TEX0, DIFFUSE, want=(.75, 1, .75))
        self.colour(7, TEX0, DIFFUSE, want=(.25, .625, .25))
        self.colour(8, TEX1, DIFFUSE, TEX0, want=(.25 + .375, .375 + .3125, 0))
        self.colour(0xa, TEX0, DIFFUSE, want=(0, 0, .75))
        self.colour(0xa, DIFFUSE, TEX0, want=(.25, .125, 0))
        self.colour(0xb, TEX0, TEX1, want=(0, 0, 0))
        self.colour(0xb, TEX0 | INV, TEX1, want=(1, 1, 1))
        self.colour(0xb, DIFFUSE, DIFFUSE, want=(1, 1, 1))
        self.colour(0xb, TEX0, DIFFUSE | REP, want=(0, 0, 0))
        self.colour(0xb, TEX1, DIFFUSE, want=(1, 1, 1))             # 4 * (1/32 + 1/4)
        self.colour(0xb, TEX1, DIFFUSE | INV, want=(0, 0, 0))
        self.colour(0xd, TEX0, DIFFUSE, TEX1, want=(1, 1, 0))
        self.colour(0xd, TEX0, DIFFUSE, TEX0, want=(.375, .8125, .75))
        self.colour(0xe, TEX0, DIFFUSE, TEX0, want=(.5, 1, .75))
        self.colour(0xf, TEX0, DIFFUSE, TEX0, want=(.75, 1, .75))

    def test_scale_and_clamp(self):
        self.colour(1, TEX0, scale=1, want=(.5, 1, 1))
        self.colour(1, TEX0, scale=2, want=(1, 1, 1))
        self.colour(7, TEX0, DIFFUSE, scale=1, want=(.5, 1, .5))
        self.colour(3, TEX0, DIFFUSE, scale=2, want=(.5, 1, 0))
        self.check(one(1, TEX0, alpha_scale=2), .25, .5, .75, .5)

    def test_alpha(self):
        for code, sources, want in ((1, (DIFFUSE,), .75), (2, (TEX1, TEX0), .125),
                                    (3, (TEX0, DIFFUSE), .09375), (6, (TEX0, DIFFUSE), .875),
                                    (7, (TEX0, DIFFUSE), .375), (8, (TEX0, DIFFUSE, TEX1), .4375),
                                    (0xa, (DIFFUSE, TEX0), .625),
                                    (0xd, (TEX0, DIFFUSE, TEX1), .59375), (0xe, (TEX0, DIFFUSE, TEX1), .6875),
                                    (0xf, (TEX0, DIFFUSE, TEX1), .875)):
            self.check(one(1, TEX0, alpha_code=code, alpha_sources=sources), .25, .5, .75, want)

    def test_dots(self):
        # TEX0.DIFFUSE: (-1/4)(0) + 0 + (1/4)(-1/2) -> -1/8; complement: 1/8 -> 1/2. Alpha term:
        # (1/8-1/2)(3/4-1/2) = -3/32
        self.colour(0xb, TEX0 | INV, DIFFUSE, want=(.5, .5, .5))
        self.colour(0xb, TEX0 | INV, DIFFUSE, scale=1, want=(1, 1, 1))
        self.check(one(0xc, TEX0 | INV, DIFFUSE, alpha_code=0xc, alpha_sources=(TEX0, DIFFUSE)), .125, .125,
                   .125, .125)
        self.check(one(0xc, TEX0 | INV, DIFFUSE, alpha_code=0xc, alpha_sources=(TEX0 | INV, DIFFUSE)), .875,
                   .875, .875, .875)

    def test_dot4_alpha_term(self):
        factor = [0x7D010000, 0x80808080]
        words = one(0xc, TEX0 | INV, DIFFUSE, alpha_code=0xc, alpha_sources=(FACTOR, FACTOR)) + factor
        self.check(words, .5, .5, .5, .5)
        exact = Q(1, 2) + 4 * (Q(128, 255) - Q(1, 2)) ** 2
        self.assertEqual(run(words, assume=['dot4-128']), [exact] * 4)
        self.assertAlmostEqual(float(exact) - .5, 1.538e-5, 8)
        other = words[:-1] + [0x81808080]  # 129/255 is not the bias of one half
        self.assertEqual(run(other), [Q(1, 2) + 4 * (Q(129, 255) - Q(1, 2)) ** 2] * 4)
        self.assertEqual(run(one(1, FACTOR) + factor)[0], Q(128, 255))  # elsewhere 0x80 is 128/255

    def test_dot4_scale(self):
        words = one(0xc, TEX0 | INV, DIFFUSE, alpha_code=0xc, alpha_sources=(FACTOR, FACTOR),
                    scale=1) + [0x7D010000, 0x80808080]
        self.check(words, 1, 1, 1, 1)
        self.check(words, 1, 1, 1, .5, assume=['dot4-alpha-own-scale'])

    def test_modifiers(self):
        self.colour(1, TEX0 | INV, want=(.75, .5, .25))
        self.colour(1, TEX0 | REP, want=(.125,) * 3)
        self.colour(1, TEX0 | REP | INV, want=(.875,) * 3)
        self.colour(1, ONE, want=(1, 1, 1))
        self.colour(1, ONE | INV, want=(0, 0, 0))
        self.colour(1, SPEC, want=(1, .25, .125))
        self.check(one(1, TEX0, alpha_sources=(TEX0 | INV,)), .25, .5, .75, .875)

    def test_constants(self):
        words = one(1, FACTOR_N, alpha_sources=(FACTOR_N,)) + [0x7D900000, 0x50108000]
        place = [(0, 0, (C0[0], C0[1], C0[2], C0[3]), len(words) - 1)]
        self.check(words, .0625, .5, 1, .3125, constants=place)
        self.check(words, *(x / 255 for x in (0x10, 0x80, 0, 0x50)), model='unorm8', constants=place)
        self.check(one(1, FACTOR, alpha_sources=(FACTOR,)) + [0x7D010000, 0xFF0033FF], 0, .2, 1, 1)
        # this value belongs to the program and is not a multiple of 1/255
        with self.assertRaises(ProgramError):
            run(words, constants=[(0, None, (.0625, .5, 0, .3125), len(words) - 1)])

    def test_unorm8(self):
        self.assertEqual(run(one(3, TEX0, TEX0), model='unorm8')[0], Q(16, 255))    # 255/16 = 15.9
        many = VectorSet(9, 64)
        words = one(3, TEX0, TEX1, alpha_code=7, alpha_sources=(TEX0, TEX1), scale=1)
        batch = i830_eval.evaluate(code_of(words), chips.Inputs(many), 'unorm8', frozenset())
        limits = i830_eval.bounds(code_of(words), chips.Inputs(many), 'unorm8')
        for i in range(64):
            single = i830_eval.evaluate(code_of(words), chips.Inputs(many.vector(i)), 'unorm8', frozenset())
            exact = i830_eval.evaluate(code_of(words), chips.Inputs(many.vector(i)), 'real', frozenset())
            for a, b, c, limit in zip(batch, single, exact, limits):
                self.assertLess(abs(a.values()[i] - b), Q(1, 1 << 39))
                self.assertLessEqual(abs(a.values()[i] - c), limit)
        self.assertLess(max(limits), Q(1, 500))


class Stickiness(unittest.TestCase):
    def test_two_stages(self):
        """Both pipes read the registers as they were before the stage; CURRENT is replaced by each stage,
        ACCUM keeps its value."""
        words = [op(3, 0), op(1, 0, alpha=True), arg(1, TEX0), arg(2, TEX0), arg(1, TEX1, alpha=True)]
        words += [op(6, 1, last=True), op(3, 1, alpha=True), arg(1, CURRENT | REP, 1), arg(2, CURRENT, 1),
                  arg(1, CURRENT, 1, True), arg(2, CURRENT, 1, True)]
        self.assertEqual(run(words), [Q(9, 16), Q(3, 4), Q(1), Q(1, 4)])
        accum = [op(1, 0, out=1), op(1, 0, alpha=True), arg(1, TEX0), arg(1, TEX0, alpha=True)]
        accum += [op(6, 1, last=True), op(1, 1, alpha=True), arg(1, ACCUM, 1), arg(2, CURRENT, 1),
                  arg(1, CURRENT, 1, True)]
        # colour: ACCUM plus the diffuse colour, which is unchanged
        self.assertEqual(run(accum), [Q(3, 4), Q(1), Q(3, 4), Q(1, 8)])
        with self.assertRaisesRegex(ProgramError, 'ACCUM.a'):
            run(accum[:-1] + [arg(1, ACCUM, 1, True)])
        with self.assertRaisesRegex(ProgramError, 'undefined at the end'):
            run([op(1, 0, out=1, last=True)] + REPLACE[1:], assume=['no-current-at-first'])

    def test_clamp_between_stages(self):
        words = [op(6, 0), op(1, 0, alpha=True), arg(1, TEX0), arg(2, ONE), arg(1, TEX0, alpha=True)]
        words += [op(0xa, 1, last=True), op(1, 1, alpha=True), arg(1, CURRENT, 1), arg(2, TEX0, 1),
                  arg(1, CURRENT, 1, True)]
        self.assertEqual(run(words)[:3], [Q(3, 4), Q(1, 2), Q(1, 4)])
        self.assertEqual(run(words, assume=['unclamped'])[:3], [1, 1, 1])

    def test_nothing_is_taken_for_granted(self):
        """Removing any word of a golden stream is an error, unless no operation reads it."""
        for golden in (PASS, MODULATE, REPLACE, LERP[:8], DOT[:6]):
            tail = {8: [0x7D900000, 0x50108080], 6: [0x7D010000, 0x80808080]}.get(len(golden),
                []) if golden is not MODULATE else []
            run(golden + tail)
            for i in range(len(golden)):
                with self.assertRaises(ProgramError, msg='%08x' % golden[i]):
                    run(golden[:i] + golden[i + 1:] + tail)
            if tail:
                with self.assertRaises(ProgramError):
                    run(golden)
        self.assertEqual(run(REPLACE + [arg(0, FACTOR_N)]), run(REPLACE))

    def test_bits_that_make_fields_valid(self):
        for bit in (0x20000, 0x100, 0x1000):
            with self.assertRaises(ProgramError):
                run([REPLACE[0] & ~bit] + REPLACE[1:])
        with self.assertRaises(ProgramError):
            run([REPLACE[0], REPLACE[1] & ~0x20000] + REPLACE[2:])
        with self.assertRaises(ProgramError):
            run(REPLACE[:2] + [REPLACE[2] & ~0x40] + REPLACE[3:])
        # a packet without its modify bits has no effect
        changed = [0x6D000003] + REPLACE
        self.assertEqual(run(changed), run(REPLACE))
        # a later word replaces an earlier one; arguments keep their values
        self.assertEqual(run(MODULATE + [0x6D020181, 0x6D060101]), run(REPLACE))

    def test_last_stage(self):
        more = [op(3, 1), op(3, 1, alpha=True), arg(1, CURRENT, 1), arg(2, CURRENT, 1),
                arg(1, CURRENT, 1, True), arg(2, CURRENT, 1, True)]
        self.assertEqual(run(REPLACE + more), run(REPLACE))  # stages after the last one are not executed
        with self.assertRaisesRegex(ProgramError, 'no stage before is the last'):
            run([op(1)] + REPLACE[1:])
        with self.assertRaisesRegex(ProgramError, 'alpha operation'):
            run([REPLACE[0], op(1, alpha=True, last=True)] + REPLACE[2:])

    def test_unknown_meanings(self):
        for words in (one(9, TEX0, TEX1, DIFFUSE), one(0xc, TEX0, TEX1), one(1, TEX0, alpha_code=0xb,
            alpha_sources=(TEX0, TEX0)),
                      one(1, TEX0, alpha_code=0xc, alpha_sources=(TEX0, TEX0)), [REPLACE[0] | 0x800]
                      + REPLACE[1:], [0x6D080101] + REPLACE, [0x6E080046] + REPLACE,
                      [0x7C281800] + REPLACE):
            with self.assertRaises(Unsupported, msg='%08x' % words[0]):
                run(words)
        for words in (one(1, SPEC | REP), one(1, 8), one(1, FACTOR), one(1, FACTOR_N)):
            with self.assertRaises(ProgramError):
                run(words)


class Words(unittest.TestCase):
    def test_must_reject(self):
        bad = [[0x6D421181], [0x6D821181], [0x6D0E1101], [0x6D031181], [0x6D021781], [0x6D021191],
               [0x6D0211A1], [0x6D0211C1], [0x6D025181], [0x6D023181],
               [0x6D021180], [0x6D021184], [0x6D021185], [0x6C021181], [0x4D021181], [0x8D021181],
               [0x6E40004A], [0x6E00004A], [0x6E00004B], [0x6E00004C], [0x6E00004D], [0x6E00004F],
               [0x6E0000C6], [0x6E000146], [0x6E0000C6], [0x6E004046], [0x6E020046],
               [0x6E0C0046], [0x6E400046], [0x6E800046], [0x6F000046],
               [0x7D010000], [0x7D900000], [0x7D010001, 0, 0], [0x7D940000, 0], [0x7D910001, 0],
               [0x7D020000, 2], [0x7D8C0000, 1], [0x7D030041, 0],
               [0x7C0C8000], [0x7C081800 | 0x1000 | 0x800], [0x7C080100], [0x7C28000C], [0x7C282000],
               [0x7C500040], [0], [0xFFFFFFFF], [0x60000000]]
        for words in bad:
            with self.assertRaises(ProgramError, msg=' '.join('%08x' % w for w in words)):
                decode([(None, w) for w in words])
        with self.assertRaises(ProgramError):
            decode([(0x2f00, 0x6D021181)])
        with self.assertRaises(ProgramError):
            decode([(None, 0x7D010000), (4, 0)])

    def test_every_value_of_every_field(self):
        """Fields do not overlap, and every value of a field reads back or is rejected."""
        for row in ROWS:
            for fields, header in ((row.fields, True), (row.body or (), False)):
                seen = row.header & 0xFFE00000 if header and not fields else 0
                for f in fields:
                    bits = (1 << f.width) - 1 << f.low
                    self.assertEqual(seen & bits, 0, row.name)
                    seen |= bits
                    if f.width > 8:
                        continue
                    for v in range(1 << f.width):
                        first = row.header | (v << f.low if header else 0)
                        if (row.name, f.name) == ('MAP_BLEND_OP', 'modify') and v:
                            first |= 1  # 0 is not an operation
                        words = [(None, first)] + ([(None, 0 if header else v << f.low)]
                                                   if row.body is not None else [])
                        if f.allowed is None or v in f.allowed:
                            p, = decode(words)
                            self.assertEqual((p.name, p.fields[f.name]), (row.name, v))
                        else:
                            with self.assertRaises(ProgramError):
                                decode(words)

    def test_problems(self):
        def problems(words, **o):
            return i830_eval.check(code_of(words, **o))

        self.assertEqual(problems(REPLACE), [])
        place = [(0, 0, (.0625, .5, .5, .3125), 9)]
        self.assertEqual(problems(LERP, constants=place), [])
        dot = {'constants': [(4, None, (.5, .5, .5, .5), 7)]}
        self.assertEqual(problems(DOT, assumed=['dot4-half'], **dot), [])
        self.assertNotEqual(problems(DOT, **dot), [])
        twice = [DOT[0] | 0x200] + DOT[1:]
        self.assertNotEqual(problems(twice, assumed=['dot4-half'], **dot), [])
        self.assertEqual(problems(twice, assumed=['dot4-half', 'dot4-scale'], **dot), [])
        self.assertEqual(problems([twice[0], twice[1] | 0x200] + twice[2:], assumed=['dot4-half'], **dot), [])
        for words, options in ((LERP, {'constants': [(1, 0, (.0625, .5, .5, .3125), 9)]}),
                               (LERP, {'constants': [(0, 0, (.0625, .5, .5, .3125), 8)]}),
                               (LERP, {'constants': [(0, 0, (.0625, .5, .51, .3125), 9)]}),
                               (REPLACE, {'units': (4,)}),
                               (one(0xd, TEX0, TEX0, TEX0), {}), (one(0xe, TEX0, TEX0, TEX0), {}),
                               (one(1, TEX0, alpha_sources=(TEX0 | REP,)), {}),
                               ([0x6D000003] + REPLACE, {}), ([0x6E000006] + REPLACE, {}), (REPLACE[1:], {}),
                               (REPLACE[:1] + [0], {}),
                               ([0x7C280089 | 0x10] + REPLACE, {'units': (0,)}), ([0x7C080000 | 0x8000]
                                   + REPLACE, {'units': (0,)}), ([0x7D020000, 9] + REPLACE, {'units': (0,)})):
            self.assertNotEqual(problems(words, **options), [], words)
        self.assertEqual(problems(one(0xd, TEX0, TEX0, TEX0), assumed=['modulate-and-add']), [])
        self.assertEqual(problems([0x7C280188, 0x7C08C000, 0x7D020000, 8] + REPLACE, units=(0,)), [])


if __name__ == '__main__':
    unittest.main()
