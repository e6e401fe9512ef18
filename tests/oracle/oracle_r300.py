"""Tests the interpreter of r300 and r400 words against values worked out by hand (notes/facts/r300.md 1 to 3
and 5): golden words, every operation, select, presubtraction and modifier, node layouts, and words that must
be rejected."""
import os
import sys
import unittest
from fractions import Fraction as Q


# noqa: E402
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from us_words import (COLOR0, COLOR1, Dependent, NOTHING, ONE, OUT0, OWN, TEXEL, ZERO, addr, inputs, inst,
                      make, r300, tex_word)
from oracle.commands import atifs_code  # noqa: E402
from oracle.common.errors import ProgramError, Unsupported  # noqa: E402
from oracle.us import r300_eval  # noqa: E402
from oracle.us.us_code import float24, float24_value  # noqa: E402

NEG, ABS, NEGABS = 32, 64, 96
TEX0 = ((0, 0, 0, '2d'),)


def run(code, assume=(), cls=None):
    found = r300_eval.check(code)
    if found:
        raise ProgramError(found[0])
    return [float(v) for v in r300_eval.evaluate(code, inputs(cls) if cls else inputs(), 'real', assume)]


def single(rgb_inst, alpha_inst=inst(0, 9, 17, 16), s=(0, 0, 0), a=(0, 0, 0), **more):
    """Returns one pair that writes all four outputs; the sources are temporaries 0 and 1 (which hold colours
    0 and 1), or constants."""
    return r300([(addr(*s, out=7), addr(*a, out=1, alpha=True), rgb_inst, alpha_inst)], highest=1, **more)


class Golden(unittest.TestCase):
    def test_output_is_temporary_0(self):
        code = r300([OUT0], temps=((0, 'color0'),), highest=0)
        self.assertEqual(run(code), [float(v) for v in COLOR0])

    def test_with_a_lookup(self):
        words = [(0x4600, 8), (0x4604, 0), (0x4608, 0), (0x4610, 0), (0x4614, 0), (0x4618, 0),
                 (0x461c, 0x00400000), (0x4620, 0x00008000),
                 (0x48c0, 0x00050A80), (0x46c0, 0x1C000000), (0x49c0, 0x00040889), (0x47c0, 0x01000000)]
        code = make('r300', words, textures=TEX0, temps=((0, 'coord0'),), stats={'pairs': 1, 'tex': 1,
            'nodes': 1, 'constants': 0})
        self.assertEqual(run(code), [float(v) for v in TEXEL[0]])

    def test_float24(self):
        for value, word in ((0.0, 0), (1.0, 0x3f0000), (0.5, 0x3e0000), (-1.0, 0xbf0000), (1 / 3, 0x3d5555),
                            (0.1, 0x3b9999), (2.0 ** -63, 0)):
            self.assertEqual(float24(value), word, value)
            if 2.0 ** -60 < abs(value):
                self.assertTrue(0 <= abs(value) - abs(float24_value(word)) < abs(value) * 2.0 ** -16, value)
        self.assertIsNone(float24(2.0 ** -70))
        self.assertIsNone(float24(2.0 ** 70))


class Operations(unittest.TestCase):
    CONSTANTS = ((0, None, OWN),)

    def rgb(self, want, op, a=0, b=0, c=0):
        read = {(x & 31) // 4 for x in (a, b, c)}
        s = [v if n in read else 0 for n, v in enumerate((0, 1, 32))]
        got = run(single(inst(op, a, b, c), s=s, constants=self.CONSTANTS), ('d2a',))
        self.assertEqual(got[:3], list(want))

    def alpha(self, want, op, a=16, b=16, c=16, rgb=inst(0, 0, ONE, ZERO), s=(0, 0, 0)):
        last = 32 if 11 in (a & 31, b & 31, c & 31) else 0
        code = single(rgb, inst(op, a, b, c), s=s, a=(0, 0, last), constants=self.CONSTANTS)
        self.assertEqual(run(code)[3], want)

    def test_rgb(self):
        # source 0: (1/2, 5/8, 0), source 1: (1, 1/4, 1/8), source 2: (1/4, -2, 3)
        self.rgb((.75, -1.84375, 3), 0, 0, 4, 8)                              # MAD
        self.rgb((.65625,) * 3, 1, 0, 4)                                      # DP3
        self.rgb((-1.125,) * 3, 1, 0, 8)
        self.rgb((.125,) * 3, 1, 4, 8)
        self.rgb((3.65625,) * 3, 3, 0, 4, 8)                                  # D2A: .5 + .15625 + 3
        self.rgb((.5, .25, 0), 4, 0, 4)                                       # MIN
        self.rgb((1, .625, .125), 5, 0, 4)                                    # MAX
        self.rgb((1, .625, .125), 7, 0, 4, 0)                                 # CND: strictly above one half
        self.rgb((.5, .25, 0), 8, 0, 4, 8)                                    # CMP: -2 takes B
        # zero counts as >= 0, negated zero too
        self.rgb((1, .25, 0), 8, 0, 4, 0 + NEG)
        self.rgb((.25, 0, 0), 9, 8)                                           # FRC
        self.rgb((.75, 0, 0), 9, 8 + NEG)

    def test_dp4(self):
        """DP4 adds the alpha operands of the alpha half."""
        code = single(inst(2, 0, 4), inst(0, 9, 9, 16), s=(0, 1), a=(0,))
        self.assertEqual(run(code), [.65625 + .5625] * 3 + [.5625])
        code = single(inst(2, 0, 4), inst(1, 9 + NEG, 9), s=(0, 1), a=(0,))
        self.assertEqual(run(code, ()), [.65625 - .5625] * 4)

    def test_alpha(self):
        self.alpha(.875, 0, 9, 0, 18)                                         # .75 * .5 + .5
        self.alpha(.65625, 1, rgb=inst(1, 0, 4), s=(0, 1, 0))                              # DP
        self.alpha(.5, 2, 9, 11)
        self.alpha(.75, 3, 9, 11)
        self.alpha(.75, 5, 9, 11, 9)
        self.alpha(.5, 5, 9, 11, 11)
        self.alpha(.5, 6, 9, 11, 9 + NEG)
        self.alpha(.75, 6, 9, 11, 16)
        self.alpha(.25, 7, 9 + NEG)
        self.alpha(.25, 8, 7, s=(0, 0, 32))                                   # 2^-2
        self.alpha(-1, 9, 0)                                                  # log2 .5
        self.alpha(2, 10, 0)
        self.alpha(2, 11, 4, s=(0, 1, 0))                                                  # 1 / sqrt(1/4)

    def test_replicated_scalar(self):
        code = single(inst(10), inst(10, 0, 16, 16), s=(0,))
        self.assertEqual(run(code), [2.0] * 4)
        code = single(inst(10), inst(10, 0, 16, 16, omod=1), s=(0,))
        with self.assertRaisesRegex(ProgramError, 'dot-copy'):
            run(code)
        self.assertEqual(run(code, ('dot-copy',)), [2.0] * 3 + [4.0])
        with self.assertRaises(ProgramError):
            run(single(inst(10), inst(0, 9, 17, 16), a=(0,)))
        with self.assertRaises(Unsupported):
            run(single(inst(10), inst(8, 9, 16, 16), a=(0,)))

    def test_alpha_dot_needs_rgb_dot(self):
        with self.assertRaises(ProgramError):
            run(single(inst(0, 0, ONE, ZERO), inst(1)))

    def test_dot_copy(self):
        code = single(inst(1, 0, 4, omod=1), inst(1, omod=2), s=(0, 1))
        with self.assertRaisesRegex(ProgramError, 'dot-copy'):
            run(code)
        self.assertEqual(run(code, ('dot-copy',)), [1.3125] * 3 + [2.625])

    def test_rgb_selects(self):
        values = [(.5, .625, 0), (.5,) * 3, (.625,) * 3, (0,) * 3]
        for n, want in enumerate(values):
            for source in range(3):
                s = [0, 0, 0]
                s[source] = 0
                self.assertEqual(run(single(inst(0, 4 * source + n, ONE, ZERO), s=s))[:3], list(want))
        for source in range(3):
            s, a = [32] * 3, [32] * 3
            s[source] = a[source] = 0
            for base, want in ((12, (.75,) * 3), (23, (.625, 0, .5)), (26, (0, .5, .625)),
                               (29, (.75, 0, .625))):
                code = single(inst(0, base + source, ONE, ZERO), inst(0, 9 + source, 17, 16), s=s, a=a,
                              constants=self.CONSTANTS)
                self.assertEqual(run(code), list(want) + [.75], base)
        for n, want in enumerate((0, 1, .5)):
            self.assertEqual(run(single(inst(0, 20 + n, ONE, ZERO)))[:3], [want] * 3)
        for n, want in enumerate(((.5, .375, 1), (.5,) * 3, (.375,) * 3, (1,) * 3, (.25,) * 3)):
            self.assertEqual(run(single(inst(0, 15 + n, ONE, ZERO, presub=3), inst(0, 9, 17, 16,
                presub=3)))[:3], list(want))

    def test_alpha_selects(self):
        for source in range(3):
            for c in range(3):
                s_read = [v if n == source else 0 for n, v in enumerate((0, 1, 32))]
                want = (COLOR0, COLOR1, OWN)[source][c]
                got = run(single(inst(0, 0, ONE, ZERO) if source == 0 else inst(0, 12, ONE, ZERO),
                                 inst(0, 3 * source + c, 17, 16), s=s_read,
                                 constants=self.CONSTANTS))
                self.assertEqual(got[3], want, (source, c))
            got = run(single(inst(0, 0, ONE, ZERO), inst(0, 9 + source, 17, 16), a=[32 if n == source else 0
                for n in range(3)],
                             constants=self.CONSTANTS))
            self.assertEqual(got[3], OWN[3], source)
        for code, want in ((12, .5), (13, .375), (14, 1), (15, .25), (16, 0), (17, 1), (18, .5)):
            self.assertEqual(run(single(inst(0, 0, ONE, ZERO, presub=3), inst(0, code, 17, 16, presub=3)))[3],
                             want, code)
        for code in range(19, 32):
            with self.assertRaises(ProgramError):
                run(single(inst(0, 0, ONE, ZERO), inst(0, code, 17, 16)))

    def test_modifiers(self):
        for modifier, want in ((0, (.25, -2, 3)), (NEG, (-.25, 2, -3)), (ABS, (.25, 2, 3)),
                               (NEGABS, (-.25, -2, -3))):
            code = single(inst(0, 0 + modifier, ONE, ZERO), s=(32,), constants=((0, None, OWN),))
            self.assertEqual(run(code)[:3], list(want))
        self.assertEqual(run(single(inst(0, 0, ONE, ZERO), inst(0, 9 + NEG, 17, 16)))[3], -.75)

    def test_presubtraction(self):
        constants = ((0, None, OWN),)
        for op, want in ((0, (0, -.25, 1)), (1, (-.25, -2.625, 3)), (2, (.75, -1.375, 3)),
                         (3, (.5, .375, 1))):
            code = single(inst(0, 15, ONE, ZERO, presub=op), s=(0, 32), constants=constants)
            self.assertEqual(run(code)[:3], list(want), op)
        for op, want in ((0, -.5), (1, -.25), (2, 1.25), (3, .25)):
            code = single(inst(0, 0, ONE, ZERO), inst(0, 15, 17, 16, presub=op), a=(0, 32),
                          constants=constants)
            self.assertEqual(run(code)[3], want, op)

    def test_presubtraction_of_the_other_part(self):
        code = single(inst(0, 19, ONE, ZERO, presub=3), inst(0, 9, 17, 16, presub=0))
        with self.assertRaisesRegex(ProgramError, 'presub-part'):
            run(code)
        # the presubtraction of the alpha word: 1 - 2 * .75
        self.assertEqual(run(code, ('presub-part',))[:3], [-.5] * 3)
        code = single(inst(0, 0, ONE, ZERO, presub=0), inst(0, 13, 17, 16, presub=3))
        # the presubtraction of the rgb word: 1 - 2 * .625
        self.assertEqual(run(code, ('presub-part',))[3], -.25)

    def test_output_modifiers(self):
        for omod, factor in enumerate((1, 2, 4, 8, .5, .25, .125)):
            code = single(inst(0, 0, ONE, ZERO, omod=omod), inst(0, 9, 17, 16, omod=omod))
            self.assertEqual(run(code), [float(v) * factor for v in COLOR0])
        with self.assertRaises(ProgramError):
            run(single(inst(4, 0, 0, omod=7)))
        code = single(inst(0, 0, ONE, 0, clamp=1), inst(0, 9, 17, 9, clamp=1))
        self.assertEqual(run(code), [1, 1, 0, 1])
        self.assertEqual(run(single(inst(0, 0, ONE, ZERO, clamp=1), inst(0, 9, 17, 16, clamp=1))),
                         [float(v) for v in COLOR0])
        code = single(inst(0, 0, ONE, ZERO + 0, omod=3, clamp=1), inst(0, 9 + NEG, 17, 16, clamp=1))
        self.assertEqual(run(code), [1, 1, 0, 0])      # scaled, then clamped

    def test_three_constants(self):
        constants = tuple((n, None, OWN) for n in range(3))
        code = single(inst(0, 0, 4, 8), s=(32, 33, 34), constants=constants)
        with self.assertRaisesRegex(ProgramError, 'three-constants'):
            run(code)
        self.assertEqual(run(code, ('three-constants',))[0], .3125)
        self.assertEqual(run(single(inst(0, 0, 4, 8), s=(32, 33, 33), constants=constants[:2]))[0], .3125)


class Programs(unittest.TestCase):
    MOVE1 = (addr(0, dest=2, write=7), addr(0, dest=2, write=1, alpha=True), inst(0, 0, ONE, ZERO),
             inst(0, 9, 17, 16))
    OUT2 = (addr(2, out=7), addr(2, out=1, alpha=True), inst(0, 0, ONE, ZERO), inst(0, 9, 17, 16))

    def test_halves_are_parallel(self):
        swap = (addr(0, dest=0, write=7), addr(0, dest=0, write=1, alpha=True), inst(0, 12, ONE, ZERO),
                inst(0, 0, 17, 16))
        self.assertEqual(run(r300([swap, OUT0], temps=((0, 'color0'),), highest=0)), [.75, .75, .75, .5])

    def test_write_masks(self):
        part = (addr(1, dest=0, write=2), addr(), inst(0, 0, ONE, ZERO), NOTHING[3])
        self.assertEqual(run(r300([part, OUT0])), [.5, .25, 0, .75])
        both = (addr(0, dest=2, write=3, out=4), addr(0, dest=2, write=1, out=1, alpha=True),
                inst(0, 0, ONE, ZERO), inst(0, 9, 17, 16))
        last = (addr(2, out=3), addr(), inst(0, 1, ONE, ZERO), NOTHING[3])
        self.assertEqual(run(r300([both, last], highest=2, temps=((0, 'color0'),))), [.5, .5, 0, .75])

    def test_undefined_reads(self):
        with self.assertRaisesRegex(ProgramError, 'nothing has written'):
            run(r300([self.OUT2], highest=2, temps=((0, 'color0'),)))
        times_zero = (addr(2, out=7), addr(0, out=1, alpha=True), inst(0, 0, ZERO, ZERO), inst(0, 9, 17, 16))
        with self.assertRaisesRegex(ProgramError, 'nothing has written'):
            run(r300([times_zero], highest=2, temps=((0, 'color0'),)))
        alpha = (addr(1, out=7), addr(1, out=1, alpha=True), inst(0, 0, ONE, ZERO), inst(0, 9, 17, 16))
        with self.assertRaisesRegex(ProgramError, '1.a'):
            # the secondary colour has no alpha
            run(r300([alpha]))
        nothing = (addr(0, out=3), addr(0, out=1, alpha=True), inst(0, 0, ONE, ZERO), inst(0, 9, 17, 16))
        with self.assertRaisesRegex(ProgramError, 'output b'):
            run(r300([nothing], highest=0, temps=((0, 'color0'),)))
        wild = (addr(2, out=1), addr(0, out=1, alpha=True), inst(0, 0, ONE, ZERO), inst(0, 9, 17, 16))
        first = (addr(0, dest=2, write=1), NOTHING[1], inst(0, 0, ONE, ZERO), NOTHING[3])
        rest = (addr(0, out=6), NOTHING[1], inst(0, 0, ONE, ZERO), NOTHING[3])
        # reading is allowed, because the unwritten channels are not used
        self.assertEqual(run(r300([first, wild, rest], highest=2)), [.5, .625, 0, .75])

    def test_nop_after_presubtraction_source(self):
        reader = (addr(2, out=7), addr(0, out=1, alpha=True), inst(0, 15, ONE, ZERO, presub=3),
                  inst(0, 9, 17, 16))
        with self.assertRaisesRegex(ProgramError, 'NOP'):
            run(r300([self.MOVE1, reader], highest=2))
        moved = self.MOVE1[:2] + (self.MOVE1[2] | 1 << 31, self.MOVE1[3])
        self.assertEqual(run(r300([moved, reader], highest=2)), [.5, .375, 1, .75])
        self.assertEqual(run(r300([self.MOVE1, NOTHING, reader], highest=2)), [.5, .375, 1, .75])
        alpha_only = (addr(), addr(0, dest=2, write=1, alpha=True), NOTHING[2], inst(0, 9, 17, 16))
        # a NOP is also needed if only the alpha half has written the register
        with self.assertRaisesRegex(ProgramError, 'NOP'):
            run(r300([self.MOVE1, alpha_only, reader], highest=2))

    def test_constants(self):
        code = single(inst(0, 0, ONE, ZERO), inst(0, 9, 17, 16), s=(35,), a=(35,),
                      constants=((3, 2, (.1, .2, .3, .4)),))
        # a constant may be any colour, not only the one to be uploaded
        self.assertEqual(run(code), [.0625, .125, .1875, .25])
        self.assertNotEqual(r300_eval.check(code._replace(constants=())), [])
        words = tuple((a, v ^ (a == 0x4c30)) for a, v in code.words)
        self.assertNotEqual(r300_eval.check(code._replace(words=words)), [])
        words = tuple((a, v) for a, v in code.words if a != 0x4c3c)
        self.assertNotEqual(r300_eval.check(code._replace(words=words)), [])
        got = r300_eval.evaluate(code, inputs(), 'float24')
        self.assertEqual(got[0], float24_value(float24(.1)))

    def test_nodes(self):
        """One to four nodes: a chain of dependent lookups, where each pair moves the texel."""
        for count in range(1, 5):
            for first_has in (True, False):
                nodes, pairs = [], []
                for n in range(count):
                    reads = (tex_word(n + 1, n + 1, n),) if n or first_has else ()
                    last = n == count - 1
                    src = n + 1 if reads else 0
                    pairs.append((addr(src, out=7), addr(src, out=1, alpha=True), inst(0, 0, ONE, ZERO),
                                  inst(0, 9, 17, 16)) if last else NOTHING)
                    nodes.append((reads, 1))
                temps = ((0, 'color0'),) + tuple((n + 1, 'coord%d' % n) for n in range(count) if n
                                                 or first_has)
                textures = tuple((n, n, n, '2d') for n in range(count) if n or first_has)
                highest = max(t for t, _ in temps)
                code = r300(pairs, nodes, temps, textures=textures, highest=highest)
                want = TEXEL[count - 1] if nodes[-1][0] else COLOR0
                self.assertEqual(run(code), [float(v) for v in want], (count, first_has))

    def test_node_rules(self):
        temps, textures = ((0, 'coord0'), (1, 'coord1')), ((0, 0, 0, '2d'), (1, 1, 1, '2d'))
        reads = (tex_word(0, 0, 0), tex_word(1, 1, 1))
        self.assertEqual(run(r300([OUT0], [(reads, 1)], temps, textures=textures)),
                         [float(v) for v in TEXEL[0]])
        for wrong in ((tex_word(0, 1, 0), tex_word(1, 0, 1)), (tex_word(0, 1, 0), tex_word(1, 1, 1)),
                      (tex_word(0, 1, 0), tex_word(0, 1, 0))):
            with self.assertRaisesRegex(ProgramError, 'same node'):
                run(r300([OUT0], [(wrong, 1)], temps, textures=textures))
        good = r300([NOTHING, OUT0], [((reads[0],), 1), ((reads[1],), 1)], temps, textures=textures)
        self.assertEqual(r300_eval.check(good), [])
        for address, change in ((0x4600, 0), (0x4600, 2), (0x4600, 9 | 4), (0x4604, 2), (0x4608, 0),
                                (0x4608, 1 << 6 | 1 << 18 | 1 << 12), (0x4608, 1 << 6),
                                (0x4610, 1), (0x4618, 0x400000), (0x461c, 1 | 1 << 12),
                                (0x461c, 1 << 12 | 0x400000), (0x461c, 1 | 1 << 12 | 0xc00000),
                                (0x461c, 1 | 1 << 12 | 1 << 17 | 0x400000)):
            code = r300([NOTHING, OUT0], [((reads[0],), 1), ((reads[1],), 1)], temps, textures=textures,
                        change={address: change})
            self.assertNotEqual(r300_eval.check(code), [], '%04x %08x' % (address, change))

    def test_lookups(self):
        def one(word, textures=TEX0, temps=((0, 'coord0'),), cls=None):
            return run(r300([OUT0], [((word,), 1)], temps, textures=textures, highest=0), cls=cls)
        self.assertEqual(one(tex_word(0, 0, 0)), [float(v) for v in TEXEL[0]])
        for word in (tex_word(0, 0, 1), tex_word(0, 0, 0, 2), tex_word(0, 0, 0, 4),
                     tex_word(0, 0, 0) | 1 << 5, tex_word(0, 0, 0) | 1 << 19):
            with self.assertRaises(ProgramError):
                one(word)
        with self.assertRaises(ProgramError):
            one(tex_word(0, 0, 0), ((0, 0, 1, '2d'),))  # the lookup uses another coordinate set
        with self.assertRaises(Unsupported):
            one(tex_word(0, 0, 0), temps=((0, 'color0'),))
        # coordinates are divided by alpha
        self.assertEqual(one(tex_word(0, 0, 0), temps=((0, 'color0'),), cls=Dependent), [2 / 3, 5 / 6, 2, 1])
        self.assertEqual(one(tex_word(0, 0, 0, 1), temps=((0, 'color0'),), cls=Dependent), [.5, .625, 2, 1])
        self.assertEqual(one(tex_word(0, 0, 0, 3), temps=((0, 'color0'),), textures=((0, 0, 0, '3d'),),
                             cls=Dependent), [2 / 3, 5 / 6, 3, 1])
        self.assertEqual(one(tex_word(0, 0, 0, 3), temps=((0, 'color0'),), textures=((0, 0, 0, 'cube'),),
                             cls=Dependent), [.5, .625, 3, 1])

    def test_dependent_lookup(self):
        """The second node samples at coordinates that the first node has computed."""
        move = (addr(0, dest=1, write=7), addr(0, dest=1, write=1, alpha=True), inst(0, 0, ONE, 0),
                inst(0, 9, 17, 16))
        out1 = (addr(1, out=7), addr(1, out=1, alpha=True), inst(0, 0, ONE, ZERO), inst(0, 9, 17, 16))
        code = r300([move, out1], [((tex_word(0, 0, 0),), 1), ((tex_word(1, 1, 1, 1),), 1)], ((0, 'coord0'),),
                    textures=TEX0 + ((1, 1, 0, '2d'),))
        # s/q and t/q of set 0, doubled; unit 1
        self.assertEqual(run(code, cls=Dependent), [float(Q(9, 7)), float(Q(13, 7)), 2, 1])


class Reject(unittest.TestCase):
    def test_reserved_bits(self):
        """Setting any bit outside of the fields is rejected, for every word."""
        base = r300([OUT0], [((tex_word(0, 0, 0),), 1)], ((0, 'coord0'),), textures=TEX0, highest=0)
        self.assertEqual(r300_eval.check(base), [])
        reserved = {0x4600: 0xfffffff4, 0x4604: ~0, 0x4608: 0xff801000, 0x461c: 0xff000000,
                    0x4620: 0xfffc0020, 0x46c0: 0xe0000000, 0x47c0: 0xfe000000,
                    0x49c0: 0x80000000}
        for address, bits in reserved.items():
            for bit in range(32):
                if bits >> bit & 1:
                    words = tuple((a, v ^ (1 << bit if a == address else 0)) for a, v in base.words)
                    self.assertNotEqual(r300_eval.check(base._replace(words=words)), [],
                                        '%04x bit %d' % (address, bit))

    def test_registers(self):
        base = r300([OUT0], temps=((0, 'color0'),), highest=0)
        for word in ((0x4602, 0), (0x4640 + 0x100000, 0), (None, 0), (0x4ac0, 0), (0x46bc, 0), (0x46b8, 0),
                     (0x4600, 0), (0x46c4, 0), (0x4bd8, 1), (0x46b4, 1)):
            self.assertNotEqual(r300_eval.check(base._replace(words=base.words + (word,))), [], word)
        for word in ((0x4bd8, 0), (0x46b4, 0)):
            self.assertEqual(r300_eval.check(base._replace(words=base.words + (word,))), [], word)
        for k in range(len(base.words)):
            self.assertNotEqual(r300_eval.check(base._replace(words=base.words[:k] + base.words[k + 1:])), [],
                                base.words[k])
        for name in ('pairs', 'tex', 'nodes', 'constants'):
            self.assertNotEqual(r300_eval.check(base._replace(stats={name: 7})), [], name)

    def test_operations(self):
        for op in (6, 11, 12, 13, 14, 15):
            self.assertNotEqual(r300_eval.check(single(inst(op))), [], op)
        for op in (4, 12, 13, 14, 15):
            self.assertNotEqual(r300_eval.check(single(inst(0, 0, ONE, ZERO), inst(op))), [], op)
        for word in ((addr(0, out=7) | 1 << 29, OUT0[1]), (OUT0[0], OUT0[1] | 1 << 25),
                     (OUT0[0], OUT0[1] | 1 << 27), (addr(0, 1, out=7), OUT0[1]),
                     (addr(0, dest=1, out=7), OUT0[1]), (OUT0[0], addr(0, dest=1, out=1, alpha=True))):
            self.assertNotEqual(r300_eval.check(r300([word + OUT0[2:]])), [], word)
        self.assertNotEqual(r300_eval.check(single(inst(4, 0, 0, omod=7))), [])

    def test_limits(self):
        for count, fine in ((64, True), (65, False)):
            code = r300([NOTHING] * (count - 1) + [OUT0], temps=((0, 'color0'),), highest=0)
            self.assertEqual(not r300_eval.check(code), fine, count)

    def test_rasteriser(self):
        ip = lambda pointer, colour: pointer | colour << 6 | 0 << 13 | 1 << 16 | 2 << 19 | 3 << 22
        good = [(0x4300, 4 | 1 << 7), (0x4304, 0), (0x4310, ip(0, 0)), (0x4330, 0 | 8 | 1 << 6 | 0 << 11
            | 1 << 14 | 0 << 17)]
        temps = ((0, 'color0'), (1, 'coord2'))
        move = (addr(0, out=7), addr(0, out=1, alpha=True), inst(0, 0, ONE, ZERO), inst(0, 9, 17, 16))
        base = r300([move], [((tex_word(1, 1, 0),), 1)], temps, textures=((0, 0, 2, '2d'),), rs=good)
        self.assertEqual(r300_eval.check(base), [])
        two = [(0x4300, 8), (0x4304, 1), (0x4310, ip(0, 0)), (0x4314, ip(4, 0)), (0x4330, 8 | 0 << 6),
               (0x4334, 1 | 8 | 1 << 6)]
        reads, textures = (tex_word(0, 0, 0), tex_word(1, 1, 1)), ((0, 0, 0, '2d'), (1, 1, 2, '2d'))
        for pointer, dest, fine in ((4, 1, True), (8, 1, True), (2, 1, False), (0, 1, False), (4, 0, False)):
            rs = two[:3] + [(0x4314, ip(pointer, 0)), two[4], (0x4334, 1 | 8 | dest << 6)]
            code = r300([OUT0], [(reads, 1)], ((0, 'coord0'), (1, 'coord2')), textures=textures, rs=rs)
            self.assertEqual(not r300_eval.check(code), fine, (pointer, dest))
        for k, value in ((0, 8 | 1 << 7), (0, 4), (1, 1), (2, ip(0, 0) | 1 << 9), (2, ip(0, 0) ^ 1 << 13),
                         (2, ip(0, 0) | 1 << 25), (2, ip(4, 0)),
                         (3, 8 | 1 << 6), (3, 8 | 1 << 14), (3, 8 | 2 << 6 | 1 << 14),
                         (3, 9 | 1 << 6 | 1 << 14)):
            words = list(good)
            words[k] = (words[k][0], value)
            code = r300([move], [((tex_word(1, 1, 0),), 1)], temps, textures=((0, 0, 2, '2d'),), rs=words)
            self.assertNotEqual(r300_eval.check(code), [], (k, hex(value)))


class R400(unittest.TestCase):
    def many(self, count, ext, last=3, change=None, mode=16):
        """Returns one node of `count` equal pairs, in banks of 64."""
        pairs = [NOTHING] * (count - 1) + [OUT0]
        words = [(0x4600, 0), (0x4604, 0), (0x4608, (count - 1 & 63) << 6), (0x46bc, ext), (0x4610, 0),
                 (0x4614, 0), (0x4618, 0), (0x461c, 0)]
        words[4 + last] = (0x4610 + 4 * last, (count - 1 & 63) << 6 | 1 << 22)
        for bank in range((count + 63) // 64):
            words.append((0x46b8, bank | mode))
            for i, p in enumerate(pairs[64 * bank:64 * bank + 64]):
                words += [(base + 4 * i, p[k]) for k, base in enumerate((0x46c0, 0x47c0, 0x48c0, 0x49c0))]
        words.append((0x46b8, mode))
        return make('r400', words, temps=((0, 'color0'),))

    def test_small(self):
        code = r300([OUT0], temps=((0, 'color0'),), highest=0, chip='r400')
        self.assertEqual(run(code), [float(v) for v in COLOR0])
        self.assertNotEqual(r300_eval.check(code._replace(target='r300')), [])
        self.assertNotEqual(r300_eval.check(code._replace(words=code.words + ((0x46b8, 1),))), [])

    def test_banks(self):
        for count, fine in ((64, True), (65, True), (512, True), (513, False)):
            high = count - 1 >> 6
            if high > 7:
                continue
            code = self.many(count, high << 3 | high << 9 | high << 27)
            self.assertEqual(r300_eval.check(code), [], count)
            self.assertEqual(run(code), [float(v) for v in COLOR0])
        # the size of the node has bit 9 clear
        self.assertNotEqual(r300_eval.check(self.many(65, 1 << 3)), [])
        code = self.many(65, 1 << 3 | 1 << 9)
        self.assertEqual(r300_eval.check(code), [])
        # which field holds the high bits of the first node depends on an assumption
        with self.assertRaisesRegex(ProgramError, 'code-ext'):
            run(code)
        self.assertEqual(run(code, ('code-ext',)), [float(v) for v in COLOR0])
        self.assertNotEqual(r300_eval.check(self.many(65, 1 << 3 | 1 << 9, mode=0)), [])

    def test_four_nodes(self):
        """65 pairs in the first of four nodes: their high bits are in field 3, those of the last node in
        field 0."""
        reads = [tex_word(n, n, n) for n in range(4)]
        temps, textures = tuple((n, 'coord%d' % n) for n in range(4)), tuple((n, n, n, '2d')
            for n in range(4))
        for field, fine in ((3, True), (0, False), (1, False)):
            ext = 1 << 3 | 1 << (9 + 6 * field) | sum(1 << (6 + 6 * k) for k in range(3))
            pairs = [NOTHING] * 67 + [OUT0]
            words = [(0x4600, 3 | 8), (0x4604, 3), (0x4608, 67 - 64 << 6 | 3 << 18), (0x46bc, ext),
                     (0x4610, 0), (0x4614, 1 | 1 << 12),
                     (0x4618, 2 | 2 << 12), (0x461c, 3 | 3 << 12 | 1 << 22)] + [(0x4620 + 4 * n, t) for n,
                         t in enumerate(reads)]
            for bank in range(2):
                words.append((0x46b8, bank | 16))
                for i, p in enumerate(pairs[64 * bank:64 * bank + 64]):
                    words += [(base + 4 * i, p[k]) for k, base in enumerate((0x46c0, 0x47c0, 0x48c0, 0x49c0))]
            code = make('r400', words + [(0x46b8, 16)], temps=temps, textures=textures)
            self.assertEqual(not r300_eval.check(code), fine, field)
            if fine:
                self.assertEqual(run(code), [float(v) for v in TEXEL[0]])

    def test_temporaries(self):
        move = (addr(0, dest=1, write=7), addr(0, dest=1, write=1, alpha=True), inst(0, 0, ONE, ZERO),
                inst(0, 9, 17, 16))
        out = (addr(1, out=7), addr(1, out=1, alpha=True), inst(0, 0, ONE, ZERO), inst(0, 9, 17, 16))
        ext = [(0x4ac0, 0x88), (0x4ac4, 0x11)]
        code = r300([move, out], temps=((0, 'color0'),), highest=33, chip='r400', extra=ext)
        self.assertEqual(run(code), [float(v) for v in COLOR0])
        self.assertNotEqual(r300_eval.check(r300([move, out], temps=((0, 'color0'),), highest=33, chip='r400',
                                                 extra=[(0x4ac0, 0x188), ext[1]])), [])


class Extension(unittest.TestCase):
    """Programs of GL_ATI_fragment_shader against words assembled by hand."""

    @staticmethod
    def answer(code):
        return {'target': code.target, 'fits': True, 'words': [['0x%x' % a, '0x%x' % v] for a,
                                                               v in code.words], 'constants': [],
                'textures': [{'slot': t.slot, 'unit': t.unit, 'coord': t.coord, 'target': t.target}
                             for t in code.textures],
                'inputs': [{'temp': i.temp, 'is': i.name} for i in code.inputs], 'stats': {}}

    def test_copy(self):
        text = '!!ATIfs1.0\nStartOutputPass;\nMOV r0, color0;\nEndPass;\n'
        good = r300([OUT0], temps=((0, 'color0'),), highest=0)
        self.assertIsNone(atifs_code.compare(text, self.answer(good), 'r300'))
        wrong = r300([OUT0[:2] + (OUT0[2] | NEG, OUT0[3])], temps=((0, 'color0'),), highest=0)
        self.assertIsNotNone(atifs_code.compare(text, self.answer(wrong), 'r300'))

    def test_dependent_lookup(self):
        """r1 = texture 0 at (s,t), then texture 1 at r1.rg / r1.b: the chip needs b in the fourth channel."""
        text = ('!!ATIfs1.0\nStartPrelimPass;\nSampleMap r0, t0.str;\nMOV r2, '
                'r0;\nEndPass;\nStartOutputPass;\nSampleMap r1, r2.%s;\n'
                'MOV r0, r1;\nEndPass;\n')
        move = (addr(0, dest=1, write=7), addr(0, dest=1, write=1, alpha=True), inst(0, 0, ONE, ZERO),
                inst(0, 2, 17, 16))
        out1 = (addr(1, out=7), addr(1, out=1, alpha=True), inst(0, 0, ONE, ZERO), inst(0, 9, 17, 16))
        for op, swizzle, other in ((3, 'str_dr', 'str'), (1, 'str', 'str_dr')):
            code = self.answer(r300([move if op == 3 else move[:3] + (inst(0, 9, 17, 16),), out1],
                                    [((tex_word(0, 0, 0, 1),), 1), ((tex_word(1, 1, 1, op),), 1)],
                                    ((0, 'coord0'),), textures=TEX0 + ((1, 1, 0, '2d'),)))
            if op == 3:
                code['words'] = [[a, '0x%x' % (int(v, 16) & ~63) if a == '0x47c0' else v] for a,
                                 v in code['words']]
            self.assertIsNone(atifs_code.compare(text % swizzle, code, 'r300'), swizzle)
            self.assertIsNotNone(atifs_code.compare(text % other, code, 'r300'), other)


class Models(unittest.TestCase):
    def test_rounding_stays_within_bounds(self):
        constants = ((0, 2, (.1, .2, .3, .4)),)
        code = single(inst(0, 0, 4, 4, omod=2), inst(0, 9, 9, 17), s=(0, 32), a=(0,), constants=constants)
        assume = ()
        got = r300_eval.evaluate(code, inputs(), 'float24', assume)
        exact = [4 * (a * Q(b) + Q(b)) for a, b in zip(COLOR0, map(float32, (.1, .2, .3)))] + [Q(25, 16)]
        bound = r300_eval.bounds(code, inputs(), 'float24', assume)
        for a, b, e in zip(got, exact, bound):
            self.assertLessEqual(abs(a - b), e)
            self.assertLess(e, Q(1, 2000))
        self.assertNotEqual(got[0], exact[0])


def float32(x):
    from oracle.common.numbers import to_single
    return to_single(x)


if __name__ == '__main__':
    unittest.main()
