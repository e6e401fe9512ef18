"""Tests the model of the classic r200 driver (classic_r200.py): its words, when executed, give the colour of
the texture environment except where the driver was wrong, and they equal the golden words of the facts."""
import os
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.r200.classic_r200 import analyse, as_combine, classic, known_wrong    # noqa: E402
from oracle.commands import inputs  # noqa: E402
from oracle.common.vectors import VectorSet  # noqa: E402
from oracle.hw.chips import Inputs  # noqa: E402
from oracle.r200 import r200_eval  # noqa: E402
from oracle.texenv import stages  # noqa: E402
from oracle.texenv.random_states import DEFAULT, RandomStates, UniformStates  # noqa: E402
from oracle.texenv.state import used_args  # noqa: E402
from oracle.texenv.texenv_eval import evaluate  # noqa: E402


class Lenient(r200_eval.Run):
    """Undefined components are 0: the driver emits halves that nobody reads, too, with textures that it
    leaves disabled."""

    def start(self, p, before):
        return [[self.dom.zero if v is None else v for v in r] for r in super().start(p, before)]


def only(text):
    return next(stages.read(text))[0]


def words_of(text):
    answer = classic(only(text))
    return dict(answer.code.words)


class Words(unittest.TestCase):
    def run_states(self, states):
        vectors, count = VectorSet(2, 16), {'equal': 0}
        for state in states:
            answer = classic(state)
            if not answer.accepted:
                continue
            if any(s[0] == 'T' and state.units[int(s[1:])] is None for u in state.units if u for s, _,
                   _ in used_args(u)):
                continue  # the register of this texture is undefined; GL would pass the stage through
            got = Lenient(answer.code, Inputs(vectors, state), 'real', {'alpha-texture-rgb=zero'}).result()
            equal = all(vectors.dom.first_difference(a, b) < 0 for a, b in zip(got, evaluate(state, vectors)))
            if not equal:
                why = known_wrong(state)
                self.assertIsNotNone(why, state)
                count[why] = count.get(why, 0) + 1
            count['equal'] += equal
        return count

    def test_random(self):
        features = tuple(f for f in DEFAULT if f not in ('combine4', 'depth', 'disabled'))
        count = self.run_states(RandomStates(600, 1, 6, features))
        self.assertGreater(count['equal'], 300)
        count = self.run_states(UniformStates(600, (1, 6), 2))
        self.assertGreater(count['equal'], 500)
        count = self.run_states(UniformStates(200, 5, 3, chain=True))
        self.assertGreater(count['equal'], 180)

    def test_corpus(self):
        count = self.run_states(i.state for p in inputs.find_files([os.path.join(ROOT, 'tests/corpus')])
                                for i in inputs.read_file(p))
        self.assertGreater(count['equal'], 400)
        self.assertEqual(set(count), {'equal'})

    def test_golden(self):
        """Golden words of notes/facts/r200.md 7."""
        for text, word in (('{T; P}', 0x2800), ('{T*P; P}', 0x8a), ('{T+P; P}', 0x10100a),
                           ('{T+P-0.5; P}', 0x210100a), ('{T-P; P}', 0x810100a),
                           ('{lerp(T,P,C.a); P}', 0x30002544), ('{dot3(T,P)}', 0x4066008a),
                           ('{T; lerp(T,P,C)}', 0x2800)):
            words = words_of(text)
            self.assertEqual((words[0x2f00], words[0x2f04]), (word, 0x11000), text)
        self.assertEqual(words_of('{T; lerp(T,P,C)}')[0x2f08], 0x30002144)
        self.assertEqual(words_of('{T*P}')[0x1c38], 0x1010)

    def test_the_defect(self):
        """PREVIOUS with SRC_ALPHA after a folded REPLACE whose colour and alpha sources differ: the driver's
        words read the alpha of the colour source."""
        state = only('{T; F} {T*P.a; P}')
        answer = classic(state)
        self.assertEqual(answer.stages, 1)
        # R1 * R0.alpha, where R0 is the texture of unit 0; GL requires the alpha of primary
        # (notes/facts/r200.md 5)
        self.assertEqual(dict(answer.code.words)[0x2f00], 0x016c)
        self.assertEqual(self.run_states([state]), {'equal': 0, 'folded replace': 1})
        self.assertEqual(self.run_states([only('{T; F} {T*P; P}')]), {'equal': 1})


class Rules(unittest.TestCase):
    def test_stages(self):
        for text, count in (('{}', 1), ('{T*P} {T*P}', 2), ('{T*P} {T; T}', 1), ('{T} {T*P}', 1),
                            ('{T} {P} {T*P}', 2), ('{T}*2 {T*P}', 2), ('{T*P} {P}', 2),
                            ('{T; P} {T*P.a; T}', 1), ('{F*T} {} {P+T}', 2), ('{replace} {modulate} {decal}',
                                2)):
            self.assertEqual(classic(only(text)).stages, count, text)

    def test_refusals(self):
        for text, reason in (('{T*P+T*C}', 'combine4'), ('{} {} {} {} {} {} {T}', 'unit 6'),
                             ('{T @depth}', 'texture format'),
                             ('{F*T} {P*T} {P*T} {P*T} {P*T} {P*T}', None),
                             ('{F+C} {F+C} {F+C} {P*T0+T1} {P*T2+T3} {P*T4+T5}', 'no free register'),
                             ('{F+C} {F+C} {F+C} {P*T0+T1} {P*T2+T3} {P*T4+T4}', None)):
            self.assertEqual(classic(only(text)).reason, reason, text)

    def test_registers(self):
        """The last stage writes R0; no stage overwrites a texture that a later stage reads, but it may
        overwrite a texture that only itself reads."""
        halves = {n: as_combine(u, n) for n, u in enumerate(only('{T*P} {T0*P} {T0*P}').units)
                  if u is not None}
        out, _, _, read = analyse(halves)
        self.assertEqual((out[:3], read), ([1, 1, 0], {0}))


if __name__ == '__main__':
    unittest.main()
