"""Tests the searches that judge refusals of r200: the schedules they find, and that they prove when none
exists."""
import os
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.r200.classic_r200 import classic                                      # noqa: E402
from oracle.commands.compare import DEFAULT_OPTIONS  # noqa: E402
from oracle.common.vectors import VectorSet  # noqa: E402
from oracle.hw.chips import Inputs, Refusal  # noqa: E402
from oracle.r200 import r200_eval  # noqa: E402
from oracle.r200.r200_assemble import assemble  # noqa: E402
from oracle.r200.r200_operations import Lowered  # noqa: E402
from oracle.r200.r200_schedule import judge, schedule, search  # noqa: E402
from oracle.texenv import stages  # noqa: E402
from oracle.texenv.random_states import RandomStates, UniformStates  # noqa: E402
from oracle.texenv.texenv_eval import evaluate  # noqa: E402


def only(text):
    return next(stages.read(text))[0]


def passes(text, primary_first=False):
    """Returns the number of stages in each pass, None, or 'unknown'."""
    found = search(only(text), primary_first=primary_first)
    if found is None or found == 'unknown':
        return found
    return [sum(line.startswith('pass %d ' % n) for line in found) for n in (1, 2)
            if any(line.startswith('pass %d ' % n) for line in found)]


# the value of unit 2 is needed together with six textures
LATE = '{F+C} {F+C} {%s} {P*T0+T1} {P*T2+T3} {P*T4+T5}'


class Schedules(unittest.TestCase):
    def test_found(self):
        for text, want in (('{}', [1]), ('{T*P}', [1]), ('{T}', [1]), ('{T*P} {P}', [1]),
                           ('{T0*P+T1*C}', [2]), ('{T0*P+T1*C; P}', [2]), ('{dot3a(T,P)}*2', [1]),
                           ('{dot3a(T,P)}*1;4', [2]), ('{T*0; T+1} {T*P; T}', [1]),
                           ('{T*P}*2 {P}*2 {P}*2', [3]), (LATE % 'T0+C', [2, 2]),
                           (' '.join(['{T*P+T*C}'] * 4), [8]), (' '.join(['{T*P+F*C}'] * 5), None)):
            got = passes(text)
            if text == LATE % 'T0+C':
                self.assertEqual(len(got), 2)
            else:
                self.assertEqual(got, want, text)

    def test_not_there(self):
        """Primary is needed before the first of two passes can end."""
        self.assertIsNone(passes(LATE % 'F+C'))
        self.assertEqual(len(passes(LATE % 'F+C', True)), 2)
        self.assertIsNone(passes(LATE % 'F+C; P'))
        self.assertEqual(passes('{F+C} {F+C} {F+C} {P*T0+T1} {P*T2+T3} {P*T4+T4}'), [4])
        self.assertIsNone(passes('{T*P} ' * 7))                                     # seven textures
        self.assertIsNotNone(passes('{T*P} ' * 6 + '{P*C} {P*C}'))
        # ten operations that read primary
        self.assertIsNone(passes('{T*P+F*C} ' * 5))

    def test_lowering(self):
        for text, count in (('{T*P} {P} {~P}', 4), ('{T*1; T*1} {P*P}', 2), ('{T*0; 0} {P+C}', 2),
                            ('{T*0; 0} {P*C; T}', 2), ('{T; T} {P*T0}', 2), ('{T.a*P.a}', 1),
                            ('{lerp(T,P,1)}', 2),
                            ('{C; C} {lerp(T,P,0)}', 2), ('{modulate @luminance}', 2), ('{T*P @alpha}', 2)):
            self.assertEqual(len(Lowered(only(text)).nodes), count, text)

    def test_what_is_found_runs(self):
        """The words of found schedules give the colour of the texture environment."""
        vectors, count = VectorSet(3, 16), {1: 0, 2: 0}
        states = [only(t) for t in ('{}', '{dot3a(T,P)}*2', '{dot3a(T,P)}*1;4', '{T0*P+T1*C}', LATE % 'T0+C',
                                    LATE % 'F+C', LATE % 'T0+C; F')]
        chains = UniformStates(100, 6, 7, chain=True)
        states += [s for s in chains if not classic(s).accepted][:4]
        states += list(UniformStates(8, 6, 5, chain=True)) + list(RandomStates(20, 3, 6,
            ('combine', 'combine4', 'dot3', 'crossbar', 'scales', 'constants', 'formats')))
        for state in states:
            for first in (False, True):
                found = schedule(state, primary_first=first)
                if not isinstance(found, tuple):
                    continue
                code = assemble(*found, first)
                self.assertEqual(r200_eval.check(code), [], state)
                got = r200_eval.evaluate(code, Inputs(vectors, state), 'real', {'primary-in-first-pass'}
                                         if first else frozenset())
                for a, b in zip(got, evaluate(state, vectors)):
                    self.assertEqual(vectors.dom.first_difference(a, b), -1, state)
                count[len(found[1])] += 1
        self.assertGreater(count[1], 40)
        self.assertGreater(count[2], 5)

    def test_judge(self):
        refusal = Refusal('why', 'registers', None, 'less')
        options = DEFAULT_OPTIONS._replace(to='r200')
        self.assertIn('pass 2', judge(refusal, only(LATE % 'T0+C'), options))
        self.assertIsNone(judge(refusal, only(LATE % 'F+C'), options))
        self.assertIsNotNone(judge(refusal, only(LATE % 'F+C'),
                                   options._replace(assume=('primary-in-first-pass',))))

    def test_what_the_classic_driver_took_has_a_schedule_of_one_pass(self):
        states = UniformStates(150, (1, 6), 4)
        chains = UniformStates(60, 6, 5, chain=True)
        for sequence in (states, chains):
            for i in range(len(sequence)):
                answer = classic(sequence[i])
                found = search(sequence[i])
                self.assertIsInstance(found, list, sequence[i])
                if answer.accepted:
                    self.assertLessEqual(sum(line.startswith('pass') for line in found),
                                         max(answer.stages, 1) * 2, sequence[i])


if __name__ == '__main__':
    unittest.main()
