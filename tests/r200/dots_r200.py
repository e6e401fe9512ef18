"""Tests DOT3_RGBA with different RGB_SCALE and ALPHA_SCALE on r200. It is unknown whether the scale in the
colour word or the one in the alpha word applies to the alpha of a dot product. By default such a function
takes two stages, which are right in both cases. With --assume alpha-dot-modifiers (the alpha word's applies)
it takes one stage, as in the classic driver.

    dots_r200.py [--count N] [--seed N]       TEXENVC names the program
"""
import argparse
import json
import os
import random
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from classic_r200 import classic, known_wrong                         # noqa: E402
from oracle.commands import texenvc  # noqa: E402
from oracle.common.errors import ProgramError  # noqa: E402
from oracle.common.vectors import VectorSet  # noqa: E402
from oracle.hw import chips  # noqa: E402
from oracle.r200 import r200_eval  # noqa: E402
from oracle.texenv import stages  # noqa: E402
from oracle.texenv.random_states import UniformStates  # noqa: E402
from oracle.texenv.stages_print import state_text  # noqa: E402
from oracle.texenv.state import Half, canonical  # noqa: E402
from oracle.texenv.texenv_eval import evaluate  # noqa: E402
from tests.shared.tool import Checks  # noqa: E402

NAME = 'alpha-dot-modifiers'
checks = Checks('dots_r200')

# (state, stages by default, stages with the assumption), derived by hand: one stage for the dot product, one
# for a move that scales the other half, and one for each further unit.
COUNTED = [('{dot3a(T0,P)}*2;1', 2, 1), ('{dot3a(T0,P)}*1;4', 2, 1), ('{dot3a(T0,P)}*2;1 {T1*P}', 3, 2),
           ('{dot3a(T0,P)}*2', 1, 1), ('{dot3a_ext(T0,P)}*2;1', 1, 1),
           # the alpha of the first unit is dead
           ('{dot3a(T0,F)}*4;2 {dot3a(T1,P)}*1;2', 3, 2),
           # the move of alpha is in the stage of the next unit's colour, so the assumption would save nothing
           # and is not used
           ('{dot3a(T0,P)}*1;4 {P*T1; P}', 2, 2)]


def unequal(count, seed):
    """Yields random states of one to six units, with at least one DOT3_RGBA of different scales."""
    for i, state in enumerate(UniformStates(count, (1, 6), seed)):
        rng = random.Random('dots %d %d' % (seed, i))
        units = list(state.units)
        for n in rng.sample(range(len(units)), rng.randint(1, min(2, len(units)))):
            if units[n] is None:
                continue
            colour, alpha = rng.sample((1, 2, 4), 2)
            args = tuple(rng.sample([('P', 'c'), ('T%d' % n, 'c'), ('C', '~c'), ('F', 'c')], 2))
            units[n] = units[n]._replace(rgb=Half('dot3_rgba', args, colour), alpha=Half('dot', (), alpha))
        yield canonical(state._replace(units=tuple(units)))


def answers(states, *options):
    options = ['--from', 'stages', '--to', 'r200', '--format', 'json', '-q', *options]
    _, out, _ = texenvc.convert(['-'], options, stdin=''.join(state_text(s) + '\n' for s in states))
    found = [chips.parse(o) for o in json.loads(out)]
    checks.check(len(found) == len(states), '%d states of %d' % (len(found), len(states)))
    return found


def wrong(state, code, assume):
    """Executes the words; returns the first difference from the state, or None."""
    vectors = VectorSet(2, 16)
    try:
        got = r200_eval.evaluate(code, chips.Inputs(vectors, state), 'real', frozenset(assume))
    except ProgramError as e:
        return str(e)
    equal = all(vectors.dom.first_difference(a, b) < 0 for a, b in zip(got, evaluate(state, vectors)))
    return None if equal else 'another colour'


def judge(state, plain, assumed):
    """Tests one state; returns whether it is shorter with the assumption."""
    def check(ok, message):
        checks.check(ok, '%s: %s' % (state_text(state), message))

    if isinstance(plain, chips.Refusal) or isinstance(assumed, chips.Refusal):
        check(isinstance(plain, chips.Refusal), 'refused with the assumption only')
        check(not classic(state).accepted, 'refused, and the classic driver takes it')
        return False
    check(NAME not in plain.assumed, 'assumes without being told')
    for code, told in ((plain, ()), (assumed, (NAME,))):
        problem = wrong(state, code, told)
        check(not problem, '%s %s' % (' '.join(told), problem))
    ours, with_it, theirs = plain.stats['stages'], assumed.stats['stages'], classic(state)
    check((with_it < ours) == (NAME in assumed.assumed), '%d stages, told %d' % (ours, with_it))
    check(with_it < ours or assumed.words == plain.words, 'other words, and no stage gained')
    if theirs.accepted and known_wrong(state) != 'crossbar to a disabled unit':
        check(with_it <= theirs.stages, '%d stages, the classic driver %d' % (with_it, theirs.stages))
    return with_it < ours


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--count', type=int, default=200)
    parser.add_argument('--seed', type=int, default=1)
    args = parser.parse_args()
    states = [next(stages.read(text))[0] for text, _, _ in COUNTED]
    told = answers(states, '--assume', NAME)
    for state, (text, *counts), *both in zip(states, COUNTED, answers(states), told):
        judge(state, *both)
        found = [None if isinstance(answer, chips.Refusal) else answer.stats['stages'] for answer in both]
        checks.check(found == counts, '%s: %s stages, by hand %s' % (text, found, counts))
    states = list(unequal(args.count, args.seed))
    shorter = sum(map(judge, states, answers(states), answers(states, '--assume', NAME)))
    checks.check(shorter > args.count // 8, 'only %d of %d states are shorter' % (shorter, len(states)))
    print('%d of %d states take fewer stages with the assumption' % (shorter, len(states)))
    checks.finish()


main()
