"""Tests the interpreter of the NV2A's register combiners: colours that a console gave, and words with values
worked out by hand (notes/facts/nv2a.md)."""
import json
import os
import sys
import unittest
from fractions import Fraction as Q
from unittest import mock


sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from oracle.commands.compare import Comparer, DEFAULT_OPTIONS  # noqa: E402
from oracle.common.errors import OracleError, ProgramError, Unsupported  # noqa: E402
from oracle.common.vectors import Single  # noqa: E402
from oracle.hw import chips  # noqa: E402
from oracle.nv2a import nv2a_eval, nv2a_words  # noqa: E402
from oracle.texenv.stages import read  # noqa: E402

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'nv2a', 'nv2a_golden.tsv')
REGISTERS = {'v0': 4, 'v1': 5, 't0': 8, 't1': 9, 't2': 10, 't3': 11}


def golden():
    """Yields (name, words, inputs, colour) of each row."""
    with open(GOLDEN, encoding='utf-8') as f:
        for line in f:
            if not line.startswith('#'):
                name, _, _, words, inputs, _, colour = line.rstrip('\n').split('\t')
                yield (name, [tuple(int(x, 16) for x in w.split('=')) for w in words.split()],
                       {REGISTERS[r]: tuple(map(int, v.split(','))) for r, v in
                        (word.split('=') for word in inputs.split())}, list(map(int, colour.split(','))))


def wrong_rows():
    """Returns the names of the rows whose computed colour differs from the colour that the console gave."""
    out = []
    for name, words, inputs, colour in golden():
        try:
            got = nv2a_eval.units(words, inputs, whole=False)[:len(colour)]
        except OracleError as e:
            got = str(e)
        if got != colour:
            out.append(name)
    return out


class Console(unittest.TestCase):
    def test_golden(self):
        self.assertEqual(len(list(golden())), 30)
        self.assertEqual(wrong_rows(), [])


def order_of(*shifts):
    return lambda value: [value >> s & 0xFF for s in shifts]


def output_with(**change):
    """Decodes output words with some fields taken from wrong bits."""
    right = nv2a_words.output_of
    return lambda value: right(value)._replace(**{name: of(right(value)) for name, of in change.items()})


def component_exchanged(value, count, right=nv2a_words.inputs_of):
    return tuple(i._replace(single=1 - i.single) for i in right(value, count))


def inputs_backwards(value, count, right=nv2a_words.inputs_of):
    return right(value, count)[::-1]


def final_with(**change):
    right = nv2a_words.final_of
    return lambda cw0, cw1: right(cw0, cw1)._replace(**{n: of(right(cw0, cw1)) for n, of in change.items()})


def scale_with(bias=128, half=lambda a: a + 1 >> 1, shifts=(0, 1, 2)):
    def scale(self, a, op):
        a -= bias * (op & 1)
        return half(a) if op >> 1 == 3 else a << shifts[op >> 1]
    return scale


def mux_exchanged(control, msb, ab, cd):
    return ab if (control >= 128 if msb else control & 1) else cd


def mux_by_msb(control, msb, ab, cd):
    return cd if control >= 128 else ab


# Plausible misreadings of the facts, each of which must change the result of at least one console row:
# (object, name, wrong version)
MISREADINGS = {
    'products rounded down': (nv2a_eval.Units, 'nearest', staticmethod(lambda x: x // 255)),
    'products rounded up': (nv2a_eval.Units, 'nearest', staticmethod(lambda x: -(-x // 255))),
    'products shifted by 8': (nv2a_eval.Units, 'nearest', staticmethod(lambda x: x >> 8)),
    'bias of 127': (nv2a_eval.Units, 'scale', scale_with(bias=127)),
    'halves rounded down': (nv2a_eval.Units, 'scale', scale_with(half=lambda a: a >> 1)),
    'scales of 2 and 4 exchanged': (nv2a_eval.Units, 'scale', scale_with(shifts=(0, 2, 1))),
    'AB and CD of the mux exchanged': (nv2a_eval.Units, 'mux', staticmethod(mux_exchanged)),
    'the mux by the highest bit': (nv2a_eval.Units, 'mux', staticmethod(mux_by_msb)),
    'factors as R8G8B8A8': (nv2a_eval, 'color_bytes', order_of(24, 16, 8, 0)),
    'factors as A8B8G8R8': (nv2a_eval, 'color_bytes', order_of(0, 8, 16, 24)),
    'AB and CD registers exchanged': (nv2a_words, 'output_of',
                                      output_with(ab=lambda o: o.cd, cd=lambda o: o.ab)),
    'sum for mux': (nv2a_words, 'output_of', output_with(mux=lambda o: 0)),
    'no blue to alpha': (nv2a_words, 'output_of', output_with(ab_blue=lambda o: 0, cd_blue=lambda o: 0)),
    'blue to alpha of the other': (nv2a_words, 'output_of', output_with(ab_blue=lambda o: o.cd_blue,
                                                                        cd_blue=lambda o: o.ab_blue)),
    'alpha and rgb or blue exchanged': (nv2a_words, 'inputs_of', component_exchanged),
    'A is the lowest byte': (nv2a_words, 'inputs_of', inputs_backwards),
    'inversions of the sum exchanged': (nv2a_words, 'final_of', final_with(invert_r0=lambda f: f.invert_v1,
                                                                           invert_v1=lambda f: f.invert_r0)),
    'the sum always clamped': (nv2a_words, 'final_of', final_with(clamp_sum=lambda f: 1)),
    'the sum never clamped': (nv2a_words, 'final_of', final_with(clamp_sum=lambda f: 0)),
    'CD computed after AB is written': (nv2a_eval.Run, 'stage', None),       # stage_in_sequence
}


def stage_in_sequence(self, stage, right=nv2a_eval.Run.stage):
    """A wrong stage, in which CD and the sum see the value that AB has just written."""
    def only(half, **change):
        return half._replace(output=half.output._replace(**change))
    ab = {'cd': 0, 'third': 0, 'cd_blue': 0}
    self.registers.update(right(self, nv2a_words.Stage(only(stage.rgb, **ab), only(stage.alpha, **ab))))
    rest = {'ab': 0, 'ab_blue': 0}
    return right(self, nv2a_words.Stage(only(stage.rgb, **rest), only(stage.alpha, **rest)))


class Misreadings(unittest.TestCase):
    def test_misreadings(self):
        told = {}
        for name, (where, attribute, wrong) in MISREADINGS.items():
            with mock.patch.object(where, attribute, wrong or stage_in_sequence):
                told[name] = wrong_rows()
        self.assertEqual([name for name, rows in told.items() if not rows], [])


ONE_TEXTURE, TWO_TEXTURES = 0x1, 0x21
R0_OUT, SUM_OUT = 0x000000C0, 0x00000C00  # AB to r0; the sum to r0
PLAIN = (0x0000000C, 0x00001C00)  # the final combiner returns r0


def words_of(*stages, final=PLAIN, textures=ONE_TEXTURE, factors=()):
    """Returns a program of stages (rgb inputs, alpha inputs, rgb outputs, alpha outputs); factors: (method,
    word)."""
    out = [(base + 4 * n, value) for n, stage in enumerate(stages)
           for base, value in zip((0x0AC0, 0x0260, 0x1E40, 0x0AA0), stage)]
    return out + [(0x0288, final[0]), (0x028C, final[1]), (0x1E60, 0x00011000 | len(stages)),
                  (0x1E70, textures), *factors]


def compare(text, words, units=(0,), constants=(), **change):
    """Compares words with the environment given in stage notation; returns the difference that `check --to
    nv2a` reports, or None."""
    (state, _), = read(text)
    stages = dict(words)[0x1E60] & 0xFF
    o = {'state': 1, 'target': 'nv2a', 'fits': True, 'words': [['0x%x' % a, '0x%08x' % v] for a, v in words],
         'textures': [{'slot': u, 'unit': u, 'coord': u, 'target': '2d'} for u in units],
         'constants': [{'slot': s, 'unit': u, 'value': v, 'word': w} for s, u, v, w in constants],
         'stats': {'stages': stages}, **change}
    block, = chips.blocks(json.dumps([o]))
    difference = Comparer(DEFAULT_OPTIONS._replace(to='nv2a'), 32).compare(state, block.text)
    return difference and difference.message


MODULATE = (0x04080000, 0x14180000, R0_OUT, R0_OUT)


class Environments(unittest.TestCase):
    """The words of notes/facts/nv2a.md 8 compute the environments given there."""

    def equal(self, text, *stages, **rest):
        names = {k: rest.pop(k) for k in ('final', 'textures', 'factors') if k in rest}
        self.assertIsNone(compare(text, words_of(*stages, **names), **rest), text)

    def test_functions(self):
        self.equal('{modulate}', MODULATE)
        self.assertIsNotNone(compare('{replace}', words_of(MODULATE)))
        alpha = (0x14180000, R0_OUT)
        self.equal('{T0+F; T0*F}', (0x08200420, alpha[0], SUM_OUT, alpha[1]))
        self.equal('{T0+F-0.5; T0*F}', (0x08200420, alpha[0], 0x00008C00, alpha[1]))
        self.equal('{T0+F-0.5; T0*F}*4;1', (0x08208420, alpha[0], 0x00020C00, alpha[1]))
        self.equal('{T0-F; T0*F}', (0x08200440, alpha[0], SUM_OUT, alpha[1]))
        self.equal('{lerp(T0,F,T1.a); F} {P}', (0x08190439, 0x14300000, SUM_OUT, R0_OUT),
                   textures=TWO_TEXTURES, units=(0, 1))
        self.equal('{dot3a(T0,F)}', (0x48440000, 0, 0x000820C0, 0))
        self.assertIsNotNone(compare('{dot3a(T0,F)}', words_of((0x48440000, 0, 0x000020C0, 0))))

    def test_constants(self):
        colour = [1 / 255, 2 / 255, 3 / 255, 4 / 255]
        text = '{T0*C; T0*C} C0=(%r,%r,%r,%r)' % tuple(colour)
        stage = (0x08010000, 0x18110000, R0_OUT, R0_OUT)
        factors = [(0x0A60, 0x04010203)]
        self.equal(text, stage, factors=factors, constants=[(0, 0, colour, 8)])
        self.assertIn('rounded', compare(text, words_of(stage, factors=[(0x0A60, 0x01020304)]),
                                         constants=[(0, 0, colour, 8)]))
        self.assertIn('no word', compare(text, words_of(stage, factors=factors),
                                         constants=[(1, 0, colour, 8)]))

    def test_color_sum_and_fog(self):
        self.equal('{modulate} colorsum', MODULATE, final=(0x0000000E, 0x00001C80), color_sum=True)
        self.equal('{modulate} fog=exp', MODULATE, final=(0x130C0300, 0x00001C00), fog=True)
        both = {'color_sum': True, 'fog': True}
        self.equal('{modulate} fog=linear colorsum', MODULATE, final=(0x130E0300, 0x00001C80), **both)
        # without the clamp of the sum, fog would get values above 1
        self.assertIsNotNone(compare('{modulate} fog=exp colorsum',
                                     words_of(MODULATE, final=(0x130E0300, 0x00001C00)), **both))
        self.assertIsNotNone(compare('{modulate} fog=exp', words_of(MODULATE), fog=True))
        self.assertIn('fog', compare('{modulate}', words_of(MODULATE, final=(0x130C0300, 0x00001C00))))

    def test_formats(self):
        """A8 textures read as (1,1,1,a), so their colour must not be read."""
        self.equal('{F; T0*F @alpha}', (0x04200000, 0x14180000, R0_OUT, R0_OUT))
        self.assertIsNotNone(compare('{T0*F; T0*F @alpha}', words_of(MODULATE)))


class Values(unittest.TestCase):
    """Both models of arithmetic on values worked out by hand."""

    IN = Single({(name, 0, c): v for name, values in (
        ('tex', (Q(1, 4), Q(1, 2), Q(3, 4), Q(1, 8))), ('primary', (Q(1, 2), Q(5, 8), Q(0), Q(3, 4))))
        for c, v in enumerate(values)})

    def real(self, words):
        code = chips.Code('nv2a', tuple(words), (), (chips.Texture(0, 0, 0, '2d'),), (), (),
                          {'stages': dict(words)[0x1E60] & 0xFF}, False)
        self.assertEqual(nv2a_eval.check(code), [])
        return nv2a_eval.evaluate(code, chips.Inputs(self.IN))

    def test_mappings(self):
        """Red of t0 (1/4) under each mapping, doubled and written to r0; negative values read as 0."""
        for mapping, want in enumerate((Q(1, 2), 1, 0, 1, 0, Q(1, 2), Q(1, 2), 0)):
            stage = ((0x08 | mapping << 5) << 24 | 0x200000, 0x14300000, 0x000100C0, R0_OUT)
            self.assertEqual(self.real(words_of(stage))[0], want, mapping)

    def test_mapped_in_units(self):
        """Mappings of 64/255, in units of 1/255; a second stage adds 1 to a signed read, so that a negative
        result shows."""
        for mapping, assume, want in ((0, (), 64), (1, (), 191), (2, (), -127), (3, (), 127), (4, (), -64),
                                      (5, (), 64), (6, (), 64), (7, (), -64), (2, ('expand-256',), -128),
                                      (4, ('half-bias-127',), -63)):
            first = ((0x08 | mapping << 5) << 24 | 0x200000, 0x14300000, R0_OUT, R0_OUT)
            second = (0xCC202020, 0x1C300000, SUM_OUT, R0_OUT)
            inputs = {8: (64, 64, 64, 64), 4: (0, 0, 0, 255)}
            got = nv2a_eval.units(words_of(first, second), inputs, set(assume))
            self.assertEqual(got[0], min(255, 255 + want), (mapping, assume))

    def test_mux(self):
        """MSB: mux selects AB if r0.a is 1/8 (the initial value, from t0) and CD if r0.a is 3/4."""
        mux = (0x08200420, 0x14200000, 0x00004C00, R0_OUT)
        words = [(m, v | 0x100 if m == 0x1E60 else v) for m, v in words_of(mux)]
        self.assertEqual(self.real(words)[:3], [Q(1, 4), Q(1, 2), Q(3, 4)])
        first = (0x00000000, 0x14300000, 0x00000000, R0_OUT)
        words = [(m, v | 0x100 if m == 0x1E60 else v) for m, v in words_of(first, mux)]
        self.assertEqual(self.real(words)[:3], [Q(1, 2), Q(5, 8), 0])
        with self.assertRaises(Unsupported):
            self.real(words_of(mux))


class Rejected(unittest.TestCase):
    def rejects(self, part, words):
        with self.assertRaises(ProgramError) as e:
            nv2a_words.decode(words)
        self.assertIn(part, str(e.exception))

    def test_words(self):
        good = words_of(MODULATE)
        nv2a_words.decode(good)
        put = lambda method, value: [(m, value if m == method else v) for m, v in good]
        self.rejects('no method', good + [(0x0BAD, 0)])
        self.rejects('twice', good + [good[0]])
        self.rejects('not written', good[1:])
        self.rejects('has bits', put(0x028C, 0x00001C01))
        self.rejects('has bits', put(0x0AA0, 0x001000C0))
        self.rejects('count', put(0x1E60, 0x00011000))
        self.rejects('count', put(0x1E60, 0x00011009))
        self.rejects('register 6', put(0x0AC0, 0x06080000))
        self.rejects('register E', put(0x0AC0, 0x0E080000))
        self.rejects('cannot be written', put(0x1E40, 0x00000010))
        self.rejects('one register', put(0x1E40, 0x000000CC))
        self.rejects('dot', put(0x1E40, 0x000020C0 | 0xD00))
        self.rejects('operation 5', put(0x1E40, 0x000280C0))
        self.rejects('both portions', put(0x1E40, 0x000800C0))
        self.rejects('discarded', put(0x1E40, 0x000400C0))
        self.rejects('fog factor', put(0x0AC0, 0x13080000))
        self.rejects('mode 5', put(0x1E70, 0x5))
        self.rejects('register F', put(0x028C, 0x0F001C00))
        self.rejects('both words', [(m, 0 if m in (0x288, 0x28C) else v) for m, v in good])

    def test_reads(self):
        def why(words):
            texture = chips.Texture(0, 0, 0, '2d')
            code = chips.Code('nv2a', tuple(words), (), (texture,), (), (), {'stages': 1}, False)
            with self.assertRaises(ProgramError) as e:
                nv2a_eval.evaluate(code, chips.Inputs(Single()))
            return str(e.exception)
        self.assertIn('nothing has written', why(words_of((0x0C200000, 0x14180000, R0_OUT, R0_OUT))))
        self.assertIn('not written', why(words_of((0x01200000, 0x14180000, R0_OUT, R0_OUT))))
        self.assertIn('no unit', why(words_of((0x09200000, 0x14180000, R0_OUT, R0_OUT), textures=0x21)))


if __name__ == '__main__':
    unittest.main()
