"""Tests the common part of the chips' interpreters: rounding in both number domains, bounds, the JSON form,
and errors in it."""
import json
import os
import random
import sys
import unittest
from fractions import Fraction as Q
from unittest import mock


sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from oracle.commands.compare import Comparer, DEFAULT_OPTIONS  # noqa: E402
from oracle.common.domain import Columns, Exact, Node  # noqa: E402
from oracle.common.errors import OracleError, ProgramError  # noqa: E402
from oracle.hw import chips  # noqa: E402
from oracle.hw.bounds import BoundInputs, Bounds  # noqa: E402
from oracle.texenv import stages  # noqa: E402


class Rounding(unittest.TestCase):
    def test_by_hand(self):
        for x, bits, want in ((Q(5, 8), 2, Q(3, 4)), (Q(-5, 8), 2, Q(-1, 2)), (Q(9, 16), 2, Q(1, 2)),
                              (Q(-9, 16), 2, Q(-1, 2)), (Q(3, 4), 2, Q(3, 4))):
            self.assertEqual(Exact.round_fixed(x, bits), want, x)
        for x, bits, want in ((Q(5), 1, Q(4)), (Q(7), 1, Q(8)), (Q(-7), 1, Q(-8)), (Q(5, 64), 1, Q(4, 64)),
                              (Q(1, 3), 2, Q(5, 16)), (Q(0), 4, Q(0)),
                              (Q(1, 3), 23, Q(11184811, 33554432)), (Q(255, 256), 3, Q(1)),
                              (Q(1, 5), 3, Q(13, 64))):
            self.assertEqual(Exact.round_float(x, bits), want, x)

    def test_domains_agree(self):
        rng = random.Random(3)
        column = [rng.randrange(-1 << 20, 1 << 20) for _ in range(200)] + [0, 1, -1, 1 << 19, 3 << 15,
            -3 << 15]
        dom, node = Columns(len(column)), Node(17, column)
        for bits in (0, 3, 12, 16, 20):
            for name in ('round_fixed', 'round_float'):
                got = getattr(dom, name)(node, bits).values()
                self.assertEqual(got, [getattr(Exact, name)(v, bits) for v in node.values()], (name, bits))
        self.assertEqual(dom.first_beyond(node, dom.zero, Q(8)), -1)
        self.assertGreaterEqual(dom.first_beyond(node, dom.zero, Q(1, 100)), 0)

    def test_bounds_hold(self):
        """The error bound holds for random expressions."""
        rng, dom = random.Random(4), Bounds()
        for _ in range(300):
            exact, rounded, bound = [], [], []
            for _ in range(3):
                v = Q(rng.randrange(1025), 1024)
                exact.append(v)
                rounded.append(Exact.round_fixed(v, 6))
                bound.append(dom.round_fixed(dom.between(0, 1), 6))
            for _ in range(8):
                op = rng.choice(('add', 'sub', 'mul', 'shift', 'sat', 'sat8', 'absolute', 'select_gt_half',
                                 'select_ge_zero'))
                k = [rng.randrange(len(exact)) for _ in range(3 if op[:3] == 'sel' else 2
                                                              if op in ('add', 'sub', 'mul') else 1)]
                step = rng.choice((lambda d, x: d.round_fixed(x, 6), lambda d, x: d.round_float(x, 5)))
                more = (rng.randrange(-2, 3),) if op == 'shift' else ()
                exact.append(getattr(Exact, op)(*(exact[i] for i in k), *more))
                rounded.append(step(Exact, getattr(Exact, op)(*(rounded[i] for i in k), *more)))
                bound.append(step(dom, getattr(dom, op)(*(bound[i] for i in k), *more)))
                self.assertLessEqual(abs(exact[-1] - rounded[-1]), bound[-1].err)
                self.assertTrue(bound[-1].lo <= exact[-1] <= bound[-1].hi)


class Chip:
    """A chip for this test: word 1 gives the texture of slot 0, word 2 constant 0, both times four."""
    ASSUMPTIONS = {'odd': chips.Assumption('for the test', True), 'own': chips.Assumption('for the test')}
    MODELS = ('real', 'coarse')

    @staticmethod
    def value(code, inputs, model):
        dom = inputs.dom
        word = code.words[0][1]
        if word == 1:
            out = inputs.texture(code.textures[0].unit)
        elif word == 2:
            out = [inputs.env(code.constants[0].unit, c) for c in range(4)]
        else:
            raise ProgramError('word %d' % word)
        return [dom.sat(dom.shift(v if model == 'real' else dom.round_fixed(v, 4), 2)) for v in out]

    @classmethod
    def evaluate(cls, code, inputs, model, assume):
        return cls.value(code, inputs, model)

    @classmethod
    def bounds(cls, code, inputs, model, assume):
        return [v.err for v in cls.value(code, BoundInputs(inputs), model)]

    @staticmethod
    def check(code):
        return [] if code.words[0][0] == 0x2f00 else ['an unknown register']


def answer(**change):
    o = {'state': 1, 'target': 'r200', 'source': {'file': '-', 'line': 1, 'column': 1}, 'draws': 1,
         'fits': True, 'words': [['0x2f00', '0x00000001']],
         'constants': [], 'textures': [{'slot': 0, 'unit': 0, 'coord': 0, 'target': '2d'}], 'inputs': [],
         'assumed': [], 'stats': {}}
    o.update(change)
    return o


class Frame(unittest.TestCase):
    def setUp(self):
        patch = mock.patch.object(chips, 'module', lambda name: Chip)
        patch.start()
        self.addCleanup(patch.stop)

    def difference(self, o, state='{T}*4', **options):
        options = DEFAULT_OPTIONS._replace(to='r200', **options)
        block, = chips.blocks(json.dumps([o]))
        return Comparer(options, 16).compare(next(stages.read(state))[0], block.text)

    def test_values(self):
        self.assertIsNone(self.difference(answer()))
        self.assertIsNotNone(self.difference(answer(), '{T}*2').index)
        self.assertIsNone(self.difference(answer(), model='coarse'))
        self.assertIsNotNone(self.difference(answer(), '{T}*2', model='coarse').index)
        with mock.patch.object(Chip, 'bounds', lambda *a: [Q(1, 100)] * 4):
            self.assertIn('by more than 0.01', self.difference(answer(), model='coarse').message)

    def test_constants(self):
        constant = {'slot': 0, 'unit': 0, 'value': [0.5, 0.2, 1, 0], 'word': 0}
        o = answer(words=[['0x2f00', '2']], textures=[], constants=[constant])
        o['words'] = [['0x2f00', '0x2']]
        state = '{C}*4 C0=(0.5,0.2,1,0)'
        self.assertIsNone(self.difference(o, state))
        for change in ({'value': [0.5, 0.2, 1, 0.1]}, {'unit': 1}, {'unit': 9}, {'word': 1},
                       {'value': [0.5]}):
            self.assertIsNotNone(self.difference({**o, 'constants': [{**constant, **change}]}, state), change)

    def test_wrong_answers(self):
        texture = {'slot': 0, 'unit': 0, 'coord': 0, 'target': '2d'}
        for change in ({'target': 'i830'}, {'assumed': ['what']}, {'assumed': ['odd']},
                       {'words': [['0x2f04', '0x1']]}, {'words': [['0x2f00', '0x9']]},
                       {'words': [['0x2f00', 'one']]}, {'textures': [{**texture, 'unit': 1}]},
                       {'textures': [{**texture, 'target': '3d'}]},
                       {'textures': [texture, {**texture, 'unit': 2}]}, {'textures': 3}, {'color_sum': True}):
            self.assertIsNotNone(self.difference(answer(**change)), change)
        self.assertIsNone(self.difference(answer(assumed=['odd']), assume=('odd',)))
        self.assertIsNone(self.difference(answer(assumed=['own'])))
        with self.assertRaises(OracleError):
            list(chips.blocks('no json'))

    def test_refusals(self):
        block, = chips.blocks(json.dumps([answer(fits=False, reason='too long', code='stages', unit=None,
                                                 would_fit_if='fewer')]))
        state = next(stages.read('{T}'))[0]
        options = DEFAULT_OPTIONS._replace(to='r200')
        self.assertEqual(block.refused, 'too long')
        self.assertEqual(chips.judge(block.text, state, options), ('stages', None))
        for change in ({'would_fit_if': ''}, {'code': None}, {'unit': 3}, {'unit': 8}):
            self.assertIsNotNone(chips.judge(json.dumps({**json.loads(block.text), **change}), state,
                                             options)[1], change)


if __name__ == '__main__':
    unittest.main()
