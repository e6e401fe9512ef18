"""Tests the interpreter of r500 instructions against values worked out by hand (notes/facts/r300.md 4):
golden words, every operation, swizzle code, presubtraction and modifier, constants, the texture semaphore,
and words that must be rejected."""
import os
import sys
import unittest


sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from us_words import COLOR0, COLOR1, Dependent, OWN, TEXEL, inputs, pair5, r500, tex5      # noqa: E402
from oracle.common.errors import ProgramError, Unsupported  # noqa: E402
from oracle.us import r500_eval  # noqa: E402

X = (0, 'rgb', 0)
XA = (0, 'a', 0)
ONE, ZERO = (0, '111', 0), (0, '000', 0)
ONE_A, ZERO_A = (0, '1', 0), (0, '0', 0)
COPY, COPY_A = (0, X, ONE, ZERO), (0, XA, ONE_A, ZERO_A)
OUT0 = pair5(COPY, (0,), COPY_A, (0,), out='rgba', wait=1)
C0 = ((0, 'color0'),)
TEX0 = ((0, 0, 0, '2d'),)
# golden words from an assembler that was tested on hardware
GOLDEN_TEX = (0x00007807, 0x02400000, 0xe400f400, 0, 0, 0)
GOLDEN_OUT = (0x00078005, 0x08020000, 0x08020000, 0x00440220, 0x0060c003, 0x00000005)
GOLDEN_DP3 = (0x00000800, 0x08020000, 0x08020080, 0x00840420, 0x00000000, 0x00000001)
GOLDEN_RSQ = (0x00004000, 0x08020000, 0x08020080, 0x00000000, 0x0004000b, 0x00000000)
GOLDEN_SOP = (0x00008001, 0x08020080, 0x08020000, 0x00000000, 0x0000c00a, 0x0000000a)
GOLDEN_FILL = (0x00070005, 0x08020080, 0x08020080, 0x00920490, 0x00c18003, 0x00000005)


def run(code, assume=(), cls=None):
    found = r500_eval.check(code)
    if found:
        raise ProgramError(found[0])
    return [float(v) for v in r500_eval.evaluate(code, inputs(cls) if cls else inputs(), 'real', assume)]


def one(rgb=COPY, rgb_src=(0,), alpha=COPY_A, alpha_src=(0,), temps=((0, 'color0'), (1, 'color1')),
        constants=((0, None, OWN),), **more):
    """Returns one OUT instruction; the sources are colours 0 and 1, or constants."""
    return run(r500([pair5(rgb, rgb_src, alpha, alpha_src, out='rgba', wait=1, **more)], temps, constants))


class Golden(unittest.TestCase):
    def test_lookup_and_output(self):
        code = r500([GOLDEN_TEX, GOLDEN_OUT], ((0, 'coord0'),), textures=TEX0)
        self.assertEqual(run(code, ()), [float(v) for v in TEXEL[0]])
        self.assertEqual(tex5(0, 0, 0, op=1), GOLDEN_TEX)  # checks the assembler of these tests

    def test_dot_root_reciprocal(self):
        """The length of (3/8, 1/2), computed as in the assembled example."""
        start = pair5((0, (0, 'r10', 0), (0, 'ah0', 0), ZERO), (0,), (0, ZERO_A, ZERO_A, ZERO_A), (0,),
                      write='rgb')
        self.assertEqual(run(r500([start, GOLDEN_DP3, GOLDEN_RSQ, GOLDEN_SOP, GOLDEN_FILL], C0), ()),
                         [.625, 0, 0, 1])


class Operations(unittest.TestCase):
    """Source 0 is colour 0 (1/2, 5/8, 0, 3/4), source 1 is colour 1 (1, 1/4, 1/8), source 2 is constant 0
    (1/4, -2, 3, 1/2)."""
    A, B, C = X, (1, 'rgb', 0), (2, 'rgb', 0)
    N = (2, 'rgb', 1)

    def rgb(self, want, op, *args):
        read = {a[0] for a in args}
        got = one((op,) + args, [s if n in read else 0x80 for n, s in enumerate((0, 1, 256))])
        self.assertEqual(got[:3], list(want))

    def test_rgb(self):
        a, b, c = self.A, self.B, self.C
        self.rgb((.75, -1.84375, 3), 0, a, b, c)
        self.rgb((.65625,) * 3, 1, a, b)
        self.rgb((.125,) * 3, 1, b, c)
        self.rgb((3.65625,) * 3, 3, a, b, c)
        self.rgb((.5, .25, 0), 4, a, b)
        self.rgb((1, .625, .125), 5, a, b)
        self.rgb((1, .625, .125), 7, a, b, a)
        self.rgb((.5, .25, 0), 8, a, b, c)
        self.rgb((.25, 0, 0), 9, c)

    def test_dp4(self):
        self.assertEqual(one((2, X, self.B), (0, 1), (0, XA, XA, ZERO_A)), [.65625 + .5625] * 3 + [.5625])
        self.assertEqual(one((2, X, self.B), (0, 1), (1, (0, 'a', 1), XA)), [.65625 - .5625] * 4)

    def test_alpha(self):
        c = (1, 'a', 0)
        for want, op, *args in ((1.25, 0, XA, (0, '1', 0), (0, 'h', 0)), (.5, 2, XA, c), (.75, 3, XA, c),
                                (.75, 5, XA, c, XA), (.5, 5, XA, c, c), (.5, 6, XA, c, (0, 'a', 1)),
                                (.25, 7, (0, 'a', 1)), (0, 12, (0, 'h', 0)),
                                (-1, 13, (0, 'h', 0)), (1, 8, (0, '0', 0)), (0, 9, (0, '1', 0)),
                                (2, 10, (0, 'h', 0))):
            src = [s if n in {a[0] for a in args if a[1] == 'a'} else 0x80 for n, s in enumerate((0, 256))]
            self.assertEqual(one(alpha=(op,) + tuple(args), alpha_src=src)[3], want, op)
        with self.assertRaises(ProgramError):
            one(alpha=(1,), alpha_src=())
        for op in (14, 15):
            with self.assertRaises(Unsupported):
                one(alpha=(op,), alpha_src=())
        for op in (11, 12):
            with self.assertRaises(Unsupported):
                one((op,), ())

    def test_replicated_scalar(self):
        self.assertEqual(one((10,), (), (10, (0, 'h', 0)), ()), [2.0] * 4)
        with self.assertRaises(ProgramError):
            one((10,), ())

    def test_swizzles(self):
        for code, want in (('r', .5), ('g', .625), ('b', 0), ('a', .75), ('0', 0), ('h', .5), ('1', 1)):
            for at in range(3):
                text = 'bbb'[:at] + code + 'bbb'[at + 1:]
                got = one((0, (0, text, 0), ONE, ZERO))[:3]
                self.assertEqual(got, [want if n == at else 0 for n in range(3)], text)
            sources = {'rgb_src': (0,), 'alpha_src': (0,)} if code == 'a' else {'rgb_src': (0,),
                'alpha_src': (0x80,)}
            self.assertEqual(one(alpha=(0, (0, code, 0), ONE_A, ZERO_A), **sources)[3], want, code)
        with self.assertRaises(ProgramError):
            one((0, (0, 'rg_', 0), ONE, ZERO))
        for n in range(3):
            src = [0x80] * 3
            src[n] = 0
            self.assertEqual(one((0, (n, 'rga', 0), ONE, ZERO), src, (0, (n, 'a', 0), ONE_A, ZERO_A), src),
                             [.5, .625, .75, .75])

    def test_modifiers(self):
        for modifier, want in ((0, (.25, -2, 3)), (1, (-.25, 2, -3)), (2, (.25, 2, 3)), (3, (-.25, -2, -3))):
            self.assertEqual(one((0, (0, 'rgb', modifier), ONE, ZERO), (256,))[:3], list(want))
            self.assertEqual(one((0, ZERO, ZERO, (0, 'rgb', modifier)), (256,))[:3], list(want))
            self.assertEqual(one(alpha=(0, ZERO_A, ZERO_A, (0, 'g', modifier)), alpha_src=(),
                                 rgb=(0, X, ONE, ZERO), rgb_src=(256,))[3], want[1])

    def test_presubtraction(self):
        p, pa = (3, 'rgb', 0), (3, 'a', 0)
        for op, want in ((0, (0, -.25, 1)), (1, (-.25, -2.625, 3)), (2, (.75, -1.375, 3)),
                         (3, (.5, .375, 1))):
            self.assertEqual(one((0, p, ONE, ZERO), (0, 256) if op in (1, 2) else (0,), presub=op)[:3],
                             list(want), op)
        for op, want in ((0, -.5), (1, -.25), (2, 1.25), (3, .25)):
            self.assertEqual(one(alpha=(0, pa, ONE_A, ZERO_A), alpha_src=(0, 256) if op in (1, 2) else (0,),
                                 apresub=op)[3], want, op)
        # rgb and alpha have a presubtraction each: srcp.a in the rgb half uses that of the alpha word
        self.assertEqual(one((0, (3, 'aaa', 0), ONE, ZERO), (), alpha_src=(0,), presub=0, apresub=3)[:3],
                         [.25] * 3)
        self.assertEqual(one((0, p, ONE, ZERO), (0,), (0, (3, 'g', 0), ONE_A, ZERO_A), (), presub=3,
                             apresub=0)[3], .375)

    def test_output_modifiers(self):
        for omod, factor in enumerate((1, 2, 4, 8, .5, .25, .125)):
            self.assertEqual(one(omod=omod, aomod=omod), [float(v) * factor for v in COLOR0])
        self.assertEqual(one(omod=3, clamp=1, aomod=1, aclamp=1), [1, 1, 0, 1])
        self.assertEqual(one((5, X, X), omod=7, clamp=1), [float(v) for v in COLOR0])
        with self.assertRaises(ProgramError):
            one(omod=7)

    def test_constants(self):
        for bits, want in ((0x38, 1), (0x40, 2), (0x39, 1.125), (0x7f, 480), (0x08, 2.0 ** -6), (0x00, 0),
                           (0x04, 2.0 ** -7)):
            code = r500([pair5((0, X, ONE, ZERO), (0x80 | bits,), COPY_A, (0,), out='rgba', wait=1)], C0)
            self.assertEqual(run(code, ('inline-denormal',))[:3], [want] * 3, hex(bits))
            if bits >> 3 == 0:
                with self.assertRaisesRegex(ProgramError, 'inline-denormal'):
                    run(code)
        code = r500([pair5(COPY, (256 + 200,), COPY_A, (256 + 200,), out='rgba', wait=1)], C0,
                    ((200, 2, (.1, .2, .3, .4)),))
        self.assertEqual(run(code), [.0625, .125, .1875, .25])
        words = code.words[:-1] + ((0x4254, code.words[-1][1] ^ 1),)
        self.assertNotEqual(r500_eval.check(code._replace(words=words)), [])
        with self.assertRaises(ProgramError):
            run(code._replace(constants=()))
        three = tuple((n, None, OWN) for n in range(3))
        with self.assertRaisesRegex(ProgramError, 'three-constants'):
            one((0, X, (1, 'rgb', 0), (2, 'rgb', 0)), (256, 257, 258), constants=three)


class Programs(unittest.TestCase):
    MOVE = pair5(COPY, (0,), COPY_A, (0,), write='rgba', dest=2, adest=2)

    def test_temporaries(self):
        swap = pair5((0, (0, 'aaa', 0), ONE, ZERO), (0x80,), (0, (0, 'r', 0), ONE_A, ZERO_A), (0,),
                     write='rgba')
        # sources that are not read, and one that is nowhere
        self.assertRaises(ProgramError, run, r500([swap, OUT0], C0))
        swap = pair5((0, (0, 'aaa', 0), ONE, ZERO), (0,), (0, (0, 'r', 0), ONE_A, ZERO_A), (0,), write='rgba')
        self.assertEqual(run(r500([swap, OUT0], C0)), [.75, .75, .75, .5])
        with self.assertRaisesRegex(ProgramError, 'nothing has written'):
            run(r500([pair5(COPY, (2,), COPY_A, (2,), out='rgba', wait=1)], C0, highest=2))
        with self.assertRaisesRegex(ProgramError, '1.a'):
            run(r500([pair5(COPY, (1,), COPY_A, (1,), out='rgba', wait=1)]))
        with self.assertRaisesRegex(ProgramError, 'output b'):
            run(r500([pair5(COPY, (0,), COPY_A, (0,), out='rga', wait=1)], C0))
        parts = [pair5(COPY, (0,), COPY_A, (0,), out='rga'), pair5((0, (0, 'aag', 0), ONE, ZERO), (0,),
                                                                   COPY_A, (), out='b', wait=1)]
        self.assertEqual(run(r500(parts, C0)), [.5, .625, .625, .75])

    def test_nop_after_presubtraction_source(self):
        reader = pair5((0, (3, 'rgb', 0), ONE, ZERO), (2,), COPY_A, (0,), out='rgba', wait=1, presub=3)
        with self.assertRaisesRegex(ProgramError, 'NOP'):
            run(r500([self.MOVE, reader], C0, highest=2))
        move = pair5(COPY, (0,), COPY_A, (0,), write='rgba', dest=2, adest=2, nop=1)
        self.assertEqual(run(r500([move, reader], C0, highest=2)), [.5, .375, 1, .75])
        look = tex5(1, 1, 0)
        code = r500([self.MOVE, look, reader], C0 + ((1, 'coord0'),), textures=TEX0, highest=2)
        self.assertEqual(run(code), [.5, .375, 1, .75])  # no NOP is needed, since a lookup is in between

    def test_lookups(self):
        def sample(tex, textures=TEX0, cls=None, highest=1):
            return run(r500([tex, OUT0], ((0, 'coord0'),), textures=textures, highest=highest), cls=cls)
        t = [float(v) for v in TEXEL[0]]
        self.assertEqual(sample(tex5(0, 0, 0)), t)
        self.assertEqual(sample(tex5(0, 0, 0, result='abgr')), t[::-1])
        self.assertEqual(sample(tex5(0, 0, 0, 'rgba', unscaled=1), ((0, 0, 0, 'rect'),)), t)
        self.assertEqual(sample(tex5(0, 0, 0, 'rgba', op=1), ((0, 0, 0, 'cube'),)), t)
        for wrong in (tex5(0, 0, 0, 'rrra'), tex5(0, 0, 0, 'rgab'), tex5(0, 0, 0, unscaled=1), tex5(0, 0, 1),
                      tex5(0, 0, 0, op=2), tex5(0, 0, 0, op=4),
                      tex5(0, 0, 0)[:2] + (tex5(0, 0, 0)[2] | 1 << 7, 0, 0, 0), tex5(0, 0, 0)[:2]
                      + (tex5(0, 0, 0)[2] | 1 << 23, 0, 0, 0)):
            with self.assertRaises((ProgramError, Unsupported)):
                sample(wrong)
        masked = r500([tex5(1, 0, 0, mask='rg', result='baaa'), OUT0], C0 + ((1, 'coord0'),), textures=TEX0)
        self.assertEqual(run(masked), [t[2], t[3], 0, .75])
        dependent = [tex5(0, 0, 0, wait=1), tex5(0, 0, 1, 'rgba', op=1, wait=1), OUT0]
        code = r500(dependent, ((0, 'coord0'),), textures=TEX0 + ((1, 1, 0, '2d'),))
        self.assertEqual(run(code, cls=Dependent), [1 / 7 + 1, 3 / 7 + 1, 2, 1])

    def test_semaphore(self):
        temps, textures = ((0, 'coord0'), (1, 'coord1')), ((0, 0, 0, '2d'), (1, 1, 1, '2d'))
        mul = lambda wait: pair5((0, X, (1, 'rgb', 0), ZERO), (0, 1), COPY_A, (0,), write='rgba', wait=wait)
        other = pair5((0, ONE, ONE, ZERO), (), (0, ONE_A, ONE_A, ZERO_A), (), write='rgba', dest=2, adest=2)
        block = [tex5(0, 0, 0, acquire=0, wait=0), tex5(1, 1, 1)]
        for body, fine in ((block + [mul(1), OUT0], True), (block + [mul(0), OUT0], False),
                           (block + [other, mul(1), OUT0], True),
                           ([tex5(0, 0, 0), tex5(1, 1, 1, acquire=0, wait=0), mul(1), OUT0], False),
                           ([tex5(0, 0, 0), tex5(1, 1, 1), mul(1), OUT0], True),
                           ([block[0], tex5(1, 1, 1, wait=0), mul(1), OUT0], False)):
            found = r500_eval.check(r500(body, temps, textures=textures, highest=2 if other in body else 1))
            self.assertEqual(not found, fine, found)
        clobber = pair5(COPY, (2,), COPY_A, (2,), write='rgba')
        code = r500([tex5(0, 0, 0), clobber, OUT0], ((0, 'coord0'), (2, 'color0')), textures=TEX0, highest=2)
        self.assertNotEqual(r500_eval.check(code), [])  # the lookup would end too late


class Reject(unittest.TestCase):
    def test_reserved_bits(self):
        code = r500([GOLDEN_TEX, GOLDEN_OUT], ((0, 'coord0'),), textures=TEX0)
        reserved = {(0, 0): 0, (0, 1): 0xf030ffff, (0, 2): 0, (0, 3): ~0, (0, 4): ~0, (0, 5): ~0}
        at = [k for k, (a, _) in enumerate(code.words) if a == 0x4254]
        for (number, dword), bits in reserved.items():
            for bit in range(32):
                if bits >> bit & 1:
                    words = list(code.words)
                    k = at[6 * number + dword]
                    words[k] = (words[k][0], words[k][1] ^ 1 << bit)
                    self.assertNotEqual(r500_eval.check(code._replace(words=tuple(words))), [],
                                        (number, dword, bit))
        for address in (0x4600, 0x4604, 0x4630, 0x4634, 0x4638, 0x4250):
            for bit in range(9, 16):
                words = tuple((a, v ^ (1 << bit if a == address else 0)) for a, v in code.words)
                self.assertNotEqual(r500_eval.check(code._replace(words=words)), [], (hex(address), bit))

    def test_instructions(self):
        def broken(k, change, body=None):
            words = list(OUT0)
            words[k] ^= change
            return r500_eval.check(r500([tuple(words)] if body is None else body, C0))
        self.assertEqual(broken(0, 0), [])
        for k, change in ((0, 3), (0, 2), (0, 1), (0, 4), (0, 8), (0, 64), (0, 128), (0, 1 << 21),
                          (0, 1 << 28), (1, 1 << 9), (1, 1), (1, 1 << 30 | 1 << 10),
                          (3, 1 << 31), (3, 1 << 29), (4, 1 << 31), (4, 1 << 30), (4, 1 << 11), (4, 1 << 4),
                          (4, 4), (5, 6), (5, 13), (5, 1 << 4), (5, 1 << 11)):
            if (k, change) == (1, 1):
                # it names another temporary, which only execution rejects
                continue
            self.assertNotEqual(broken(k, change), [], (k, hex(change)))
        self.assertEqual(broken(0, 1 << 8), [])  # LAST on the last lookup is valid
        early = (OUT0[0] | 1 << 8,) + OUT0[1:]
        self.assertNotEqual(broken(0, 0, [early, OUT0]), [])
        self.assertNotEqual(broken(0, 0, [OUT0, pair5(COPY, (0,), COPY_A, (0,), write='rgba')]), [])

    def test_uploads(self):
        code = r500([OUT0], C0)
        self.assertEqual(r500_eval.check(code), [])
        w = code.words
        for words in (w[:-1], w + ((0x4254, 0),), w + ((0x4250, 0), (0x4254, 0)), ((0x4254, 0),) + w,
                      w + ((0x4600, 2),), w + ((0x4640 + 0x100000, 0),),
                      w + ((None, 0),), w + ((0x4250, 0x10000), (0x4254, 0)), w + ((0x4624, 1),)):
            self.assertNotEqual(r500_eval.check(code._replace(words=words)), [])
        for k in range(5):
            self.assertNotEqual(r500_eval.check(code._replace(words=w[:k] + w[k + 1:])), [], w[k])
        for address, value in ((0x4604, 0), (0x4604, 2), (0x4630, 1 << 16), (0x4634, 5), (0x4638, 1),
                               (0x4600, 1)):
            self.assertNotEqual(r500_eval.check(r500([OUT0], C0, change={address: value})), [],
                                (hex(address), value))
        for name in ('pairs', 'tex', 'constants'):
            self.assertNotEqual(r500_eval.check(code._replace(stats={name: 9})), [], name)

    def test_limit(self):
        filler = pair5(COPY, (0,), COPY_A, (0,), write='rgba')
        self.assertEqual(r500_eval.check(r500([filler] * 511 + [OUT0], C0)), [])
        self.assertNotEqual(r500_eval.check(r500([filler] * 512 + [OUT0], C0)), [])

    def test_rasteriser(self):
        good = [(0x4300, 4 | 1 << 7), (0x4304, 0), (0x4074, 0 | 1 << 6 | 2 << 12 | 3 << 18),
                (0x4320, 0 | 1 << 4 | 1 << 5 | 1 << 16)]
        temps = ((0, 'color0'), (1, 'coord0'))
        code = r500([tex5(1, 1, 0), OUT0], temps, textures=TEX0, rs=good)
        self.assertEqual(r500_eval.check(code), [])
        self.assertEqual(run(code), [float(v) for v in COLOR0])
        for k, value in ((0, 4), (1, 1), (2, 1 << 6), (3, 1 << 4 | 1 << 5), (3, 1 << 4 | 2 << 5 | 1 << 16)):
            words = list(good)
            words[k] = (words[k][0], value)
            self.assertNotEqual(r500_eval.check(r500([tex5(1, 1, 0), OUT0], temps, textures=TEX0, rs=words)),
                                [], (k, hex(value)))


class Models(unittest.TestCase):
    def test_rounding_stays_within_bounds(self):
        rgb = (0, X, (1, 'rgb', 0), (1, 'rgb', 0))
        code = r500([pair5(rgb, (0, 256), COPY_A, (0,), out='rgba', wait=1, omod=2)], C0,
                    ((0, 2, (.1, .2, .3, .4)),))
        got, bound = (f(code, inputs(), 'float32', ()) for f in (r500_eval.evaluate, r500_eval.bounds))
        for a, x, y, e in zip(got, COLOR0, (.1, .2, .3), bound):
            self.assertLessEqual(abs(float(a) - 4 * (float(x) * y + y)), float(e) + 1e-6)
            self.assertLess(e, 1e-5)
        self.assertEqual(COLOR1[0], 1)


if __name__ == '__main__':
    unittest.main()
