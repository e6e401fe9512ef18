"""Compares the fast evaluation in columns of integers with the evaluation in Fractions, on random states and
programs."""
import os
import random
import sys
import unittest


sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from oracle.atifs import atifs_eval, atifs_text  # noqa: E402
from oracle.common.errors import ProgramError  # noqa: E402
from oracle.common.vectors import VectorSet, WithColours  # noqa: E402
from oracle.texenv import stages, stages_print  # noqa: E402
from oracle.texenv.random_states import ALL, RandomStates  # noqa: E402
from oracle.texenv.state_sets import SETS  # noqa: E402
from oracle.texenv.texenv_eval import evaluate  # noqa: E402


def random_program(rng):
    """Returns a program of up to eight pairs that reads only defined registers."""
    defined, lines = ['r0', 'r1', 'r2'], []
    for _ in range(rng.randint(1, 8)):
        op = rng.choice(list(atifs_text.OPS))
        dst = 'r%d' % rng.randrange(6)
        args = []
        for _ in range(atifs_text.OPS[op]):
            base = rng.choice(defined + ['color0', 'c0', 'c1', '0', '1'])
            args.append(base + rng.choice(('', '', '.r', '.b', '.a')) + rng.choice(('', '.neg'))
                        + rng.choice(('', '.2x')) +
                        rng.choice(('', '.bias')) + rng.choice(('', '.comp')))
        if op == 'LERP':
            args[0] = rng.choice(('color0', 'r0.a.comp'))
            if 'r0' == dst:
                dst = 'r3'
        mask = rng.choice(('', '', '.rgb')) if dst in defined else ''
        lines.append('%s %s%s%s%s, %s;' % (op, dst, mask, rng.choice(('', '', '.2x', '.8x', '.half',
            '.eighth')),
                                           rng.choice(('', '.sat')) if dst != 'r0' else '.sat',
                                           ', '.join(args)))
        if dst not in defined:
            defined.append(dst)
    head = '!!ATIfs1.0\nStartConstants; CONSTANT c0 = {0.1, 0.7, 1, 0}; CONSTANT c1 = {.3}; EndConstants;\nStartOutputPass;\n'
    setup = ''.join('SampleMap r%d, t%d.str;\n' % (i, i) for i in range(3))
    return head + setup + '\n'.join(lines) + '\nEndPass;\n'


class FastPath(unittest.TestCase):
    def same(self, columns, singles):
        for channel, column in enumerate(columns):
            for k, v in enumerate(column.values()):
                self.assertEqual(v, singles[k][channel])

    def test_states(self):
        vectors = VectorSet(3, 8)
        singles = [vectors.vector(k) for k in range(8)]
        for state in RandomStates(150, 5, 8, ALL):
            self.same(evaluate(state, vectors), [evaluate(state, s) for s in singles])
            self.same(evaluate(state, WithColours(vectors, state)), [evaluate(state, WithColours(s, state))
                                                                     for s in singles[:8]])

    def test_programs(self):
        rng, vectors = random.Random(9), VectorSet(4, 8)
        singles = [vectors.vector(k) for k in range(8)]
        good = 0
        for _ in range(300):
            program = atifs_text.parse(random_program(rng))
            for mesa in (False, True):
                try:
                    want = [atifs_eval.evaluate(program, s, mesa=mesa) for s in singles]
                except ProgramError:
                    with self.assertRaises(ProgramError):
                        atifs_eval.evaluate(program, vectors, mesa=mesa)
                    continue
                self.same(atifs_eval.evaluate(program, vectors, mesa=mesa), want)
                good += 1
        self.assertGreater(good, 300)

    def test_every_one_unit_function(self):
        vectors = VectorSet(3, 4)
        singles = [vectors.vector(k) for k in range(4)]
        states = SETS['one-unit']()
        for i in range(0, len(states), 900):
            self.same(evaluate(states[i], vectors), [evaluate(states[i], s) for s in singles])

    def test_texts_come_back(self):
        pairs = SETS['two-unit']()
        for state in list(RandomStates(300, 8, 8, ALL)) + [pairs[i] for i in range(0, 4000, 37)]:
            text = stages_print.state_text(state)
            (again, _), = stages.read(text)
            self.assertEqual(stages_print.state_text(again), text)

    def test_inputs_are_independent(self):
        vectors = VectorSet(1, 16)
        self.assertEqual(len({tuple(n.col) for n in vectors.columns.values()}), len(vectors.columns))


if __name__ == '__main__':
    unittest.main()
