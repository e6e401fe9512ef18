"""Tests the interpreter of the PICA200's combiner stages against words and values worked out by hand
(notes/facts/pica200.md, G1 to G16 of notes/facts/pica200.md 6)."""
import json
import os
import random
import sys
import unittest
from fractions import Fraction as Q


sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from oracle.commands.compare import Comparer, DEFAULT_OPTIONS  # noqa: E402
from oracle.common.errors import ProgramError, Unsupported  # noqa: E402
from oracle.common.vectors import Single, VectorSet  # noqa: E402
from oracle.hw import chips  # noqa: E402
from oracle.pica200 import pica200_eval  # noqa: E402
from oracle.texenv.stages import read  # noqa: E402

T0, T1 = (Q(1, 4), Q(1, 2), Q(3, 4), Q(1, 8)), (Q(1), Q(3, 4), Q(0), Q(1, 2))
F, C0 = (Q(1, 2), Q(5, 8), Q(0), Q(3, 4)), (Q(1, 16), Q(1, 2), Q(1), Q(5, 16))
INPUT = Single({(name, unit, c): v for name, unit, values in (
    ('tex', 0, T0), ('tex', 1, T1), ('primary', 0, F), ('env', 0, C0)) for c, v in enumerate(values)})

BASES = (0x0C0, 0x0C8, 0x0D0, 0x0D8, 0x0F0, 0x0F8)
BUFFER, STORES, CONFIG = 0x0FD, 0x0E0, 0x080
WHITE = 0xFFFFFFFF

# in order: SOURCE OPERAND COMBINER COLOR SCALE
G1 = (0x000F000F, 0, 0, WHITE, 0)
G2 = (0x00030003, 0, 0, WHITE, 0)
G3 = (0, 0, 0, WHITE, 0)
G4 = (0x00030003, 0, 0x00010001, WHITE, 0)
G5 = (0x00F400F4, 0, 0x00010001, WHITE, 0)
G6 = (0x000F04F4, 0x00000200, 0x00000004, WHITE, 0)
G7 = (0x00F400F4, 0, 0x00010002, WHITE, 0)
G8 = (0x0003030E, 0, 0x00010004, 0x80FF4020, 0)
G9 = (0x0DFE0DFE, 0, 0x00040004, WHITE, 0)
G10 = (0x0FF00FF0, 0, 0x00010001, 0, 0)
G11 = (0x0033003E, 0, 0x00000006, 0x4FFF8010, 0)
G12 = (0x0FE40FE4, 0, 0x00080008, 0x4FFF8010, 0)
G13 = (0x004F004F, 0, 0x00090009, WHITE, 0)
G14 = (0x00030003, 0x00002000, 0, WHITE, 0)
G15 = (0x003F00F3, 0x00010031, 0x00050003, WHITE, 0x00010002)
G16 = 0x00004100
TEX1 = (0x00040004, 0, 0, WHITE, 0)
HELD = (0x000D000D, 0, 0, WHITE, 0)             # REPLACE with PREVIOUS_BUFFER


def words_of(*stages, stores=None, buffer=None, config=None):
    """Returns the register writes of a whole program: the given stages, then stages that pass their input
    through."""
    words = []
    for base, stage in zip(BASES, stages + (G1,) * (6 - len(stages))):
        words += [(base + i, value) for i, value in enumerate(stage) if value is not None]
    more = (STORES, stores), (BUFFER, buffer), (CONFIG, config)
    return words + [(register, v) for register, v in more if v is not None]


def code_of(words, constants=(), assumed=(), slots=(0, 1), stages=6, target='2d'):
    textures = tuple(chips.Texture(u, u, u, target) for u in slots)
    return chips.Code('pica200', tuple(words), tuple(chips.Constant(*c) for c in constants), textures, (),
                      tuple(assumed), {'stages': stages}, False)


def run(words, inputs=INPUT, model='real', **rest):
    return pica200_eval.evaluate(code_of(words, **rest), chips.Inputs(inputs), model)


def one(op, sources, operand=0, scale=0, alpha_op=None, **rest):
    """Runs stage 0 alone, with the same operation in both halves."""
    alpha_op = op if alpha_op is None else alpha_op
    return run(words_of((sources << 16 | sources, operand, alpha_op << 16 | op, WHITE, scale)), **rest)


def compare(text, words, stages, units=(0,), constants=(), model='real', assumed=(), steep=1, **change):
    """Compares words with the environment given in stage notation; returns the difference that `check --to
    pica200` reports, or None."""
    (state, _), = read(text)
    o = {'state': 1, 'target': 'pica200', 'fits': True, 'assumed': list(assumed),
         'words': [['0x%x' % a, '0x%08x' % v] for a, v in words],
         'textures': [{'slot': u, 'unit': u, 'coord': u, 'target': '2d'} for u in units],
         'constants': [{'slot': s, 'unit': u, 'value': v, 'word': w} for s, u, v, w in constants],
         'stats': {'stages': stages}, **change}
    block, = chips.blocks(json.dumps([o]))
    options = DEFAULT_OPTIONS._replace(to='pica200', model=model, assume=tuple(assumed))
    difference = Comparer(options, 32, share=steep).compare(state, block.text)
    return difference and difference.message


class Golden(unittest.TestCase):
    """The golden stages compute the texture environments given for them."""

    def equal(self, text, words, stages, **rest):
        for model in pica200_eval.MODELS:
            self.assertIsNone(compare(text, words, stages, model=model, **rest), (text, model))

    def test_classic(self):
        self.equal('{}', words_of(G3), 1, units=())
        self.equal('{replace}', words_of(G2), 1)
        self.equal('{modulate}', words_of(G4), 1)
        self.equal('{replace} {modulate}', words_of(G2, G5), 2, units=(0, 1))
        self.equal('{replace} {decal}', words_of(G2, G6), 2, units=(0, 1))
        self.equal('{replace} {add}', words_of(G2, G7), 2, units=(0, 1))
        blend = [32 / 255, 64 / 255, 1, 128 / 255]
        self.equal('{blend} C0=(%r,%r,%r,%r)' % tuple(blend), words_of(G8), 1, constants=[(0, 0, blend, 3)])
        self.equal('{replace @intensity}', words_of(G14), 1)
        self.assertIsNotNone(compare('{replace @intensity}', words_of(G2), 1))

    def test_combine(self):
        self.equal('{replace} {F*P}', words_of(G2, G10), 2)
        colour = [16 / 255, 128 / 255, 1, 79 / 255]
        setting = ' C%%d=(%r,%r,%r,%r)' % tuple(colour)
        self.equal('{dot3(C,T); T}' + setting % 0, words_of(G11), 1, constants=[(0, 0, colour, 3)])
        self.equal('{replace} {T*C+P}' + setting % 1, words_of(G2, G12), 2, units=(0, 1),
                   constants=[(1, 1, colour, 8)])
        self.equal('{modulate} {~T0+~P.a-0.5; P-~T0}*4;2', words_of(G4, G15), 2)
        twice = '{replace} {T+P} {F*P}'
        self.equal(twice, words_of(G2, G13), 2, units=(0, 1), assumed=['add-multiply-clamps'])
        self.assertIn('add-multiply-clamps', compare(twice, words_of(G2, G13), 2, units=(0, 1)))

    def test_buffer(self):
        self.assertEqual(run(words_of(G2, TEX1, G3, G1, G1, HELD, stores=G16, buffer=0)), [*T0[:3], F[3]])
        held = [Q(51, 255), 0, 1, 0]                        # 1*D + PREV*(1-D), of T0
        want = [d + p * (1 - d) for d, p in zip(held, T0)]
        self.assertEqual(run(words_of(G2, G1, G1, G1, G9, stores=0, buffer=0x00FF0033)), want)


class Environments(unittest.TestCase):
    """Random environments of up to three units, with one stage for each unit by the table of
    notes/facts/pica200.md 4."""

    FUNCTIONS = ((0, '%s'), (1, '%s*%s'), (2, '%s+%s'), (3, '%s+%s-0.5'), (4, 'lerp(%s,%s,%s)'), (5, '%s-%s'),
                 (8, '%s*%s+%s'))
    SOURCES = {'F': 0, 'T0': 3, 'T1': 4, 'T2': 5, 'C': 14, 'P': 15}
    OPERANDS = {'': 0, '~': 1, '.a': 2, '~.a': 3}

    def setUp(self):
        self.rng = random.Random('pica200')

    def half(self, number, alpha):
        """Returns (notation, sources, operands, operation, scale code) of one half; arguments in the order of
        the slots."""
        op, form = self.rng.choice(self.FUNCTIONS)
        sources = operands = 0
        terms = []
        for slot in range(form.count('%s')):
            name = self.rng.choice(list(self.SOURCES))
            code = self.SOURCES['F' if name == 'P' and number == 0 else name]
            modifier = self.rng.choice(('', '~') if alpha else ('', '~', '.a', '~.a'))
            terms.append('~' * ('~' in modifier) + name + '.a' * ('a' in modifier))
            sources |= code << 4 * slot
            operands |= self.OPERANDS[modifier] << 4 * slot
        return form % tuple(terms), sources, operands, op, self.rng.randrange(3)

    def environment(self, units):
        notation, stages, constants = [], [], []
        for n in range(units):
            rgb, alpha = self.half(n, False), self.half(n, True)
            colour = [self.rng.randrange(256) for _ in range(4)]
            notation.append('{%s; %s}*%d;%d' % (rgb[0], alpha[0], 1 << rgb[4], 1 << alpha[4]))
            word = sum(byte << 8 * i for i, byte in enumerate(colour))
            stages.append((rgb[1] | alpha[1] << 16, rgb[2] | alpha[2] << 12, rgb[3] | alpha[3] << 16, word,
                           rgb[4] | alpha[4] << 16))
            if 'C' in rgb[0] + alpha[0]:
                constants.append((n, n, [byte / 255 for byte in colour], 5 * n + 3))
        colours = ''.join(' C%d=(%r,%r,%r,%r)' % (n, *value) for _, n, value, _ in constants)
        return ' '.join(notation) + ' {P}' * (3 - units) + colours, words_of(*stages), constants

    def test_random(self):
        for k in range(100):
            text, words, constants = self.environment(1 + k % 3)
            model = 'unorm8' if k % 4 == 0 else 'real'
            difference = compare(text, words, 6, units=(0, 1, 2), constants=constants, model=model, steep=0)
            self.assertIsNone(difference, text)


class Operations(unittest.TestCase):
    def test_operations(self):
        """The sources are s0 TEXTURE0, s1 PRIMARY, s2 TEXTURE1."""
        for op, want in ((0, T0), (1, (Q(1, 8), Q(5, 16), 0, Q(3, 32))), (2, (Q(3, 4), 1, Q(3, 4), Q(7, 8))),
                         (3, (Q(1, 4), Q(5, 8), Q(1, 4), Q(3, 8))), (4, (Q(1, 4), Q(17, 32), 0, Q(7, 16))),
                         (5, (0, 0, Q(3, 4), 0)), (8, (1, 1, 0, Q(19, 32)))):
            self.assertEqual(one(op, 0x403), list(want), op)
        self.assertEqual(one(9, 0x403, assumed=['add-multiply-clamps']), [Q(3, 4), Q(3, 4), 0, Q(7, 16)])
        with self.assertRaises(Unsupported):
            one(9, 0x403)                                   # g: 1/2 + 5/8

    def test_add_multiply_where_readings_agree(self):
        """TEXTURE0.a + TEXTURE0.a = 1/4 in every channel; no value exceeds 1."""
        self.assertEqual(one(9, 0x433, operand=0x00000022), [Q(1, 4), Q(3, 16), 0, Q(1, 8)])

    def test_dots(self):
        """(1-TEXTURE0).PRIMARY = 4*((1/4)(0) + (0)(1/8) + (-1/4)(-1/2)) = 1/2."""
        self.assertEqual(one(6, 0x03, operand=0x1, alpha_op=0), [Q(1, 2)] * 3 + [T0[3]])
        self.assertEqual(one(6, 0x03, operand=0x0, alpha_op=0), [0] * 3 + [T0[3]])
        self.assertEqual(one(7, 0x03, operand=0x1), [Q(1, 2)] * 4)
        self.assertEqual(one(7, 0x03, operand=0x1, scale=0x1), [1] * 3 + [Q(1, 2)])
        self.assertEqual(one(7, 0x03, operand=0x1, scale=0x10000), [Q(1, 2)] * 3 + [1])
        for rgb, alpha in ((7, 0), (0, 7), (6, 6), (0, 6), (6, 7), (7, 6)):
            with self.assertRaises(Unsupported):
                one(rgb, 0x03, alpha_op=alpha)

    def test_scales_and_clamps(self):
        self.assertEqual(one(0, 3, scale=0x00020001), [Q(1, 2), 1, 1, Q(1, 2)])
        self.assertEqual(one(0, 3, scale=0x00010002), [1, 1, 1, Q(1, 4)])
        wide = words_of((0x00030003, 0, 0x00020002, WHITE, 0), (0x003F003F, 0, 0x00050005, WHITE, 0))
        self.assertEqual(run(wide), [Q(1, 2), Q(1, 2), 0, Q(3, 4)])     # T0+F, clamped, - T0
        signed = words_of((0x00300030, 0, 0x00050005, WHITE, 0x1), (0x003F003F, 0, 0x00020002, WHITE, 0))
        self.assertEqual(run(signed)[:3], [Q(3, 4), Q(3, 4), Q(3, 4)])  # 2*(F-T0), clamped, plus T0

    def test_operands(self):
        for code, want in ((0, T1[:3]), (1, (0, Q(1, 4), 1)), (2, (Q(1, 2),) * 3), (3, (Q(1, 2),) * 3),
                           (4, (1,) * 3), (5, (0,) * 3), (8, (Q(3, 4),) * 3), (9, (Q(1, 4),) * 3),
                           (0xC, (0,) * 3), (0xD, (1,) * 3)):
            self.assertEqual(one(0, 4, operand=code)[:3], list(want), code)
        self.assertEqual(one(0, 3, operand=2)[:3], [Q(1, 8)] * 3)
        self.assertEqual(one(0, 3, operand=3)[:3], [Q(7, 8)] * 3)
        for code, want in enumerate((Q(1, 8), Q(7, 8), Q(1, 4), Q(3, 4), Q(1, 2), Q(1, 2), Q(3, 4), Q(1, 4))):
            self.assertEqual(one(0, 3, operand=code << 12)[3], want, code)
        self.assertEqual(one(0, 4, operand=0x4000)[3], Q(3, 4))
        self.assertEqual(one(0, 4, operand=0x5000)[3], Q(1, 4))
        # MULTIPLY_ADD(1-TEXTURE0, PRIMARY.a, TEXTURE1.b), alpha (1-TEXTURE0.a, PRIMARY.r, 1-TEXTURE1.g)
        want = [Q(9, 16), Q(3, 8), Q(3, 16), Q(7, 8) * Q(1, 2) + Q(1, 4)]
        self.assertEqual(one(8, 0x403, operand=0x00521C21), want)

    def test_pipes_read_old_values(self):
        swap = (0x000F000F, 0x00002002, 0, WHITE, 0)        # rgb: PREVIOUS.a; alpha: PREVIOUS.r
        self.assertEqual(run(words_of(G2, swap)), [T0[3]] * 3 + [T0[0]])

    def test_slots_that_are_not_read(self):
        """Unused source fields may have any documented value except PREVIOUS in stage 0, which `check`
        rejects."""
        self.assertEqual(one(0, 0x213), list(T0))
        self.assertEqual(run(words_of(G2, (0x0DDF0DDF, 0, 0, 0, 0))), list(T0))


class Buffer(unittest.TestCase):
    COLOR, VALUE = 0xFF003300, [0, Q(1, 5), 0, 1]           # R 00, G 33, B 00, A FF

    def run_held(self, n, stores, buffer=COLOR):
        """Returns the buffer as stage n reads it; the stages return TEXTURE0, TEXTURE1, PRIMARY, PREVIOUS and
        TEXTURE0."""
        stages = [G2, TEX1, G3, G1, G2, G1]
        stages[n] = HELD
        return run(words_of(*stages[:n + 1], stores=stores, buffer=buffer))

    def test_first_value(self):
        for n in range(1, 6):
            self.assertEqual(self.run_held(n, 0), self.VALUE)
        # the result of stage 0 reaches the buffer one stage later
        self.assertEqual(self.run_held(1, 0xFF00), self.VALUE)

    def test_store_bits(self):
        for n, value in enumerate((T0, T1, F, F)):
            for stage in range(n + 2, 6):
                rgb, alpha = list(value[:3]) + self.VALUE[3:], self.VALUE[:3] + [value[3]]
                self.assertEqual(self.run_held(stage, 0x100 << n), rgb, (n, stage))
                self.assertEqual(self.run_held(stage, 0x1000 << n), alpha, (n, stage))
            for stage in range(1, n + 2):
                self.assertEqual(self.run_held(stage, 0x1100 << n), self.VALUE, (n, stage))
        self.assertEqual(self.run_held(2, 0x3300), list(T0))  # replaced by the result of the next stage
        self.assertEqual(self.run_held(3, 0x3300), list(T1))

    def test_scaled_and_clamped(self):
        first = (0x00030003, 0, 0, WHITE, 0x00010001)
        self.assertEqual(run(words_of(first, TEX1, HELD, stores=0x1100, buffer=0)), [Q(1, 2), 1, 1, Q(1, 4)])

    def test_not_set(self):
        for n, stores, buffer in ((1, 0, None), (2, None, 0), (2, 0, None), (5, None, 0)):
            with self.assertRaisesRegex(ProgramError, 'BUFFER.*nothing has set'):
                self.run_held(n, stores, buffer)
        # here the buffer does not depend on any store bit
        self.assertEqual(self.run_held(1, None), self.VALUE)
        self.assertEqual(self.run_held(2, 0x1100, None), list(T0))
        with self.assertRaisesRegex(ProgramError, r'BUFFER\.a'):
            self.run_held(2, 0x0100, None)


class Constants(unittest.TestCase):
    OWN = words_of((0x000E000E, 0, 0, 0x50FF8010, 0))

    def test_bytes(self):
        want = [Q(16, 255), Q(128, 255), 1, Q(80, 255)]
        self.assertEqual(run(self.OWN), want)
        self.assertEqual(run(self.OWN, model='unorm8'), want)

    def test_environment_colour(self):
        place = [(0, 0, C0, 3)]                             # bytes 10 80 FF 50, near 1/16 1/2 1 5/16
        self.assertEqual(run(self.OWN, constants=place), list(C0))
        want = [Q(16, 255), Q(128, 255), 1, Q(80, 255)]
        self.assertEqual(run(self.OWN, constants=place, model='unorm8'), want)

    def test_own_constants_are_exact(self):
        """0x80 is 128/255, not one half."""
        with self.assertRaisesRegex(ProgramError, 'exact'):
            run(self.OWN, constants=[(0, None, (16 / 255, .5, 1, 80 / 255), 3)])
        run(self.OWN, constants=[(0, None, (16 / 255, 128 / 255, 1, 80 / 255), 3)])

    def test_own_stage_only(self):
        read_1 = (0x000E000E, 0, 0, 0xFF000000, 0)
        self.assertEqual(run(words_of((0, 0, 0, WHITE, 0), read_1)), [0, 0, 0, 1])
        with self.assertRaisesRegex(ProgramError, 'CONSTANT'):
            run(words_of((0, 0, 0, WHITE, 0), (0x000E000E, 0, 0, None, 0)))


class EightBits(unittest.TestCase):
    def test_rounding(self):
        self.assertEqual(one(1, 0x33, model='unorm8'), [Q(16, 255), Q(64, 255), Q(143, 255), Q(4, 255)])
        # 255/16 = 15.9, 255/4 = 63.8, 255*9/16 = 143.4, 255/64 = 4.0; the scale is applied after rounding
        self.assertEqual(one(1, 0x33, model='unorm8', scale=0x00020001),
                         [Q(32, 255), Q(128, 255), 1, Q(16, 255)])

    def test_bounds_hold(self):
        many = VectorSet(9, 64)
        words = words_of((0x00430043, 0, 0x00030001, WHITE, 0x1), (0x043F043F, 0, 0x00040008, WHITE, 0))
        batch = pica200_eval.evaluate(code_of(words), chips.Inputs(many), 'unorm8')
        limits = pica200_eval.bounds(code_of(words), chips.Inputs(many), 'unorm8')
        for i in range(64):
            rounded, exact = (run(words, many.vector(i), model) for model in ('unorm8', 'real'))
            for a, b, c, limit in zip(batch, rounded, exact, limits):
                self.assertLessEqual(abs(b - c), limit)
                self.assertLessEqual(abs(a.values()[i] - c), limit)  # differs from b where a tie is rounded
        self.assertLess(max(limits), Q(1, 100))


class MustReject(unittest.TestCase):
    def rejected(self, change, kind=ProgramError):
        """A good program with changed words: {register: value, or None to leave it out}."""
        words = [(a, change.get(a, v)) for a, v in words_of(G2, G5, stores=0x1100, buffer=0)]
        words = [(a, v) for a, v in words if v is not None]
        with self.assertRaises(kind, msg=change):
            run(words)
        self.assertNotEqual(pica200_eval.check(code_of(words)), [], change)

    def test_the_good_one(self):
        code = code_of(words_of(G2, G5, stores=0x1100, buffer=0))
        self.assertEqual(pica200_eval.check(code), [])

    def test_bits_that_must_be_zero(self):
        for stage, base in enumerate(BASES):
            for offset, fields, good in ((0, 0x0FFF0FFF, 0x00030003), (1, 0x00777FFF, 0), (2, 0x000F000F, 0),
                                         (4, 0x00030003, 0)):
                for bit in range(32):
                    if not fields >> bit & 1:
                        self.rejected({base + offset: good | 1 << bit})
        for bit in (*range(8), *range(16, 32)):
            self.rejected({STORES: 1 << bit})

    def test_codes_without_meaning(self):
        for shift in (0, 4, 8, 16, 20, 24):
            for code in range(7, 13):
                self.rejected({0x0C8: 0x00F400F4 & ~(15 << shift) | code << shift})
        for shift in (0, 4, 8):
            for code in (6, 7, 0xA, 0xB, 0xE, 0xF):
                self.rejected({0x0C9: code << shift})
        for code in range(10, 16):
            self.rejected({0x0CA: code})
            self.rejected({0x0CA: code << 16})
        self.rejected({0x0CC: 3})
        self.rejected({0x0CC: 0x30000})

    def test_nothing_is_taken_for_granted(self):
        for base in BASES:
            for offset in (0, 1, 2, 4):
                self.rejected({base + offset: None})

    def test_registers(self):
        good = words_of(G2)
        for extra in ((0x0C5, 0), (0x0C7, 0), (0x0E8, 0), (0x0E1, 0), (0x104, 0), (0x0FE, 0), (0x100, 0),
                      (0x0C0, 3), (None, 0), (0x80C0, 0)):
            with self.assertRaises(ProgramError, msg=extra):
                run(good + [extra])

    def test_stage_0(self):
        for source in (0xF, 0xD):
            for shift in range(0, 12, 4):
                for half in (0, 16):
                    word = 0x00030003 & ~(15 << shift + half) | source << shift + half
                    found = pica200_eval.check(code_of(words_of((word, 0, 0, WHITE, 0)), stages=1))
                    self.assertTrue(found and 'stage 0' in found[0], hex(word))
            with self.assertRaisesRegex(ProgramError, 'stage 0'):
                one(0, source)

    def test_sources(self):
        for source in (1, 2, 6):
            with self.assertRaises(Unsupported):
                one(0, source)
        with self.assertRaisesRegex(ProgramError, 'TEXTURE2'):
            one(0, 5)


class Said(unittest.TestCase):
    """What the output states about its words must be consistent with them."""

    def problems(self, words, **rest):
        return pica200_eval.check(code_of(words, **rest))

    def test_constants(self):
        words = words_of((0x000E000E, 0, 0, 0x50FF8010, 0), buffer=0x50FF8010)
        place = (0, 0, C0, 3, 'rgba')
        held = (6, 0, C0, 30, 'rgba')
        self.assertEqual(self.problems(words, constants=[place, held]), [])
        for bad in ((1, *place[1:]), (0, 0, C0, 2, 'rgba'), (0, 0, C0, 30, 'rgba'), (6, 0, C0, 3, 'rgba'),
                    (0, 0, (C0[0], C0[1], C0[2], C0[3] + Q(1, 100)), 3, 'rgba'), (0, 0, C0[::-1], 3, 'rgba')):
            self.assertNotEqual(self.problems(words, constants=[bad]), [], bad)
        self.assertNotEqual(self.problems(words, constants=[place, (0, 1, C0, 3, 'a')]), [])
        shared = [(0, 0, C0[:3] + (0,), 3, 'rgb'), (0, 1, (0, 0, 0, C0[3]), 3, 'a')]
        self.assertEqual(self.problems(words, constants=shared), [])

    def test_textures(self):
        words = words_of(G2)
        for slots, target, good in (((0,), '2d', 1), ((0, 1, 2), '1d', 1), ((0,), 'cube', 1),
                                    ((1,), 'cube', 0), ((0,), '3d', 0), ((0,), 'rect', 0), ((3,), '2d', 0),
                                    ((0, 0), '2d', 0)):
            found = self.problems(words, slots=slots, target=target)
            self.assertEqual(found == [], bool(good), (slots, target))

    def test_units(self):
        for config, good in ((0x1003, 1), (0x11003, 1), (0x1001, 0), (0x1002, 0), (0x0003, 0), (0x1403, 0)):
            self.assertEqual(self.problems(words_of(G2, config=config)) == [], bool(good), hex(config))
        for config in (0x1008, 0x1803, 0x5003, 0x21003):
            self.assertNotEqual(self.problems(words_of(G2, config=config)), [], hex(config))
        self.assertEqual(self.problems(words_of(G2, config=0x1007), slots=(0, 1, 2)), [])
        self.assertNotEqual(self.problems(words_of(G2, config=0x3007), slots=(0, 1, 2)), [])

    def test_stages(self):
        for stages, good in ((0, 0), (1, 0), (2, 1), (6, 1), (7, 0)):
            self.assertEqual(self.problems(words_of(G2, G5), stages=stages) == [], bool(good), stages)
        self.assertEqual(self.problems(words_of(G2), stages=1), [])
        self.assertNotEqual(self.problems(words_of(G2, (0x000F000F, 0, 0, 0, 1)), stages=1), [])

    def test_color_sum(self):
        self.assertNotEqual(pica200_eval.check(code_of(words_of(G2))._replace(color_sum=True)), [])

    def test_states(self):
        self.assertIsNotNone(compare('{modulate}', words_of(G2), 1))
        self.assertIsNotNone(compare('{replace @3d}', words_of(G2), 1))
        self.assertIsNotNone(compare('{replace}', words_of(G2), 1, units=(1,)))
        self.assertIsNotNone(compare('{replace}', words_of(G2), 1, target='r200'))
        self.assertIsNotNone(compare('{replace}', words_of(G2), 1, assumed=['a-name']))
        coords = [{'slot': 0, 'unit': 0, 'coord': 1, 'target': '2d'}]
        self.assertIsNotNone(compare('{replace}', words_of(G2), 1, textures=coords))
        self.assertIsNotNone(compare('{replace @shadow}', words_of(G2), 1))


if __name__ == '__main__':
    unittest.main()
