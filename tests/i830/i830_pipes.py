"""Determines from the arguments of a state's units on which inputs its colour or alpha can depend, for the
search for i830 covers (cover_i830.py)."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from oracle.texenv.state import CLASSIC, DEFAULT_POLICY, State, canonical  # noqa: E402
from oracle.texenv.texenv_eval import crossbar_rule  # noqa: E402
import classic_i830

STAGES = 4
DOTS = ('dot3_rgb', 'dot3_rgba', 'dot3_rgb_ext', 'dot3_rgba_ext')


def halves(state, number):
    """Returns the (rgb, alpha) halves of a unit, or None if it passes its input through."""
    unit = state.units[number]
    if unit is None or unit.rgb is not None and crossbar_rule(state, unit, DEFAULT_POLICY) == 'pass':
        return None
    return classic_i830.of_classic(unit, number) if unit.mode in CLASSIC else (unit.rgb, unit.alpha)


def dependencies(state, kind):
    """Returns the inputs ('T'|'C'|'F', unit, 'c'|'a') on which the result of a pipe ('c' or 'a') can depend,
    and the units whose colour half is live and reads the alpha of the previous result."""
    wanted, found, borrowed = {kind}, set(), set()
    for number in range(7, -1, -1):
        pair = halves(state, number)
        if pair is None:
            continue
        args = []
        if 'c' in wanted:
            args += [(s, o[-1], True) for s, o in pair[0].args]
        if 'a' in wanted:
            half = pair[0] if pair[0].func in ('dot3_rgba', 'dot3_rgba_ext') else pair[1]
            args += [(s, o[-1], False) for s, o in half.args]
        wanted = set()
        for source, letter, colour in args:
            if source == 'P':
                wanted.add(letter)
                if colour and letter == 'a':
                    borrowed.add(number)
            elif source[0] == 'T':
                if state.units[int(source[1:])] is not None:
                    found.add(('T', int(source[1:]), letter))
            elif source == 'C':
                found.add(('C', number, letter))
            elif source == 'F':
                found.add(('F', 0, letter))
    found.update(('F', 0, letter) for letter in wanted)
    return found, borrowed


def has_dots(state, kind):
    """Returns whether the result of a pipe ('c' or 'a') can depend on a dot product."""
    wanted = {kind}
    for number in range(7, -1, -1):
        pair = halves(state, number)
        if pair is None:
            continue
        dot = pair[0].func in DOTS
        if dot and ('c' in wanted or 'a' in wanted and pair[0].func in ('dot3_rgba', 'dot3_rgba_ext')):
            return True
        args = (pair[0].args if 'c' in wanted else ()) + (pair[1].args if 'a' in wanted else ())
        colour = len(pair[0].args) if 'c' in wanted else 0
        wanted = {'a' if i >= colour else o[-1] for i, (s, o) in enumerate(args) if s == 'P'}
    return False


def prefix(state, number):
    """Returns the state that consists of the units before this one."""
    return canonical(State(state.units[:number] + (None,) * (8 - number), None, False, False))
