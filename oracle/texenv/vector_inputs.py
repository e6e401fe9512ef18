"""Inputs and expected colours of conformance vectors. All inputs are bytes b, which mean b/255; an expected
byte is the exact value times 255, rounded to nearest (ties up).
"""
import math
import random
from collections import namedtuple
from fractions import Fraction
from math import floor

from ..common.domain import Exact
from . import mistakes
from .state import CLASSIC, DEFAULT_POLICY, Policy
from .texenv_eval import color_sum, evaluate

BACKGROUND = (16, 32, 48, 64)       # the colour of the framebuffer before the draw
CANDIDATES, SHOWS = 10, 4           # inputs tried per state; steps of 1/255 by which a mistake must show

# texels, colors: per unit, four bytes each; want: four bytes; either: other correct values
Vector = namedtuple('Vector', 'case texels colors primary secondary fog_color ref want either tolerance')


class Floats:
    """Floats, which are fast, for the choice of inputs. Expected values are computed exactly."""
    zero, one, half = 0.0, 1.0, 0.5
    const = staticmethod(float)
    add, sub = staticmethod(lambda a, b: a + b), staticmethod(lambda a, b: a - b)
    mul, shift = staticmethod(lambda a, b: a * b), staticmethod(lambda a, k: a * (1 << k))
    sat = staticmethod(lambda a: min(1.0, max(0.0, a)))


class Unclamped(Floats):
    """The mistake of not clamping stages."""
    sat = staticmethod(lambda a: a)


class Inputs:
    def __init__(self, vector, dom, shared=False):
        def level(b):
            return Fraction(b, 255) if dom is Exact else b / 255
        self.dom = dom
        self.texels = [[level(b) for b in t] for t in vector.texels]
        self.colors = [[level(b) for b in c] for c in vector.colors]
        if shared:                          # the mistake of sharing one constant between all units
            self.colors = self.colors[-1:] * len(self.colors)
        self.first, self.second = [level(b) for b in vector.primary], [level(b) for b in vector.secondary]

    def texel(self, unit, ch, shadow=False):
        return self.texels[unit][ch]

    def env(self, unit, ch):
        return self.colors[unit][ch]

    def primary(self, ch):
        return self.first[ch]

    def secondary(self, ch):
        return self.second[ch]


def count_units(case):
    return max([n + 1 for n, u in enumerate(case.state.units) if u is not None] + [0])


def textured(state, inputs, policy=DEFAULT_POLICY):
    out = evaluate(state, inputs, policy)
    return color_sum(inputs.dom, out, inputs) if state.colorsum else out


# ---- after texturing ----

def fog_factor(fog):
    """Returns the fog factor (GL 2.1, 3.10) as an exact fraction; exp is rounded to the nearest double."""
    mode, c, start, end, density = fog
    if mode == 'linear':
        f = (Fraction(end) - Fraction(c)) / (Fraction(end) - Fraction(start))
    else:
        x = density * c
        f = Fraction(math.exp(-x if mode == 'exp' else -x * x))
    return min(Fraction(1), max(Fraction(0), f))


def fogged(vector, color):
    if vector.case.fog is None:
        return color
    f = fog_factor(vector.case.fog)
    return [f * c + (1 - f) * Fraction(b, 255) for c, b in zip(color[:3], vector.fog_color)] + [color[3]]


def passes(vector, alpha):
    """Returns whether the alpha test passes (GL 2.1, 4.1.4)."""
    if vector.case.alpha is None:
        return True
    ref, func = Fraction(vector.ref, 255), vector.case.alpha[0]
    return {'never': False, 'less': alpha < ref, 'equal': alpha == ref, 'lequal': alpha <= ref,
            'greater': alpha > ref, 'notequal': alpha != ref, 'gequal': alpha >= ref, 'always': True}[func]


def byte(x):
    return floor(min(Fraction(1), max(Fraction(0), x)) * 255 + Fraction(1, 2))


def wanted(vector, policy=DEFAULT_POLICY):
    color = fogged(vector, textured(vector.case.state, Inputs(vector, Exact), policy))
    return tuple(map(byte, color)) if passes(vector, color[3]) else BACKGROUND


def alternatives(vector, want):
    """Returns other correct results, where implementations legitimately differ (choices.md): the alpha of
    DOT3_RGBA, textures of disabled units."""
    out = []
    for crossbar in ('pass', 'one', 'zero'):
        for dot in ('alpha', 'rgb'):
            other = wanted(vector, Policy(crossbar, dot))
            if other != want and other not in out:
                out.append(other)
    return tuple(out)


# ---- how far an implementation of 8 bits can be off ----

def read_previous(half):
    return sum(s == 'P' for s, _ in half.args)


def tolerance(case):
    """Returns the maximum error, in steps of 1/255, of an implementation whose units round to 8 bits before
    they scale: half a step per unit, multiplied by the scales and by the number of reads of the result."""
    error = {'c': 0.0, 'a': 0.0}
    for unit in case.state.units:
        if unit is None:
            continue
        if unit.mode in CLASSIC:
            error = {k: e + .5 for k, e in error.items()}
            continue
        worst, new = max(error.values()), {}
        for key, half in (('c', unit.rgb), ('a', unit.alpha)):
            if half is None or half.func == 'dot':
                continue
            dot = half.func.startswith('dot3')
            own = worst * (read_previous(half) * (6 if dot else 1)) + (1 if dot else .5)
            new[key] = half.scale * own
        new.setdefault('a', new['c'])
        error = new
    worst = max(error.values()) + (1 if case.fog else 0) + (.5 if case.state.colorsum else 0)
    return max(1, floor(worst + .5))


# ---- the choice of inputs ----

def some_bytes(rng, wide):
    """Returns four different bytes."""
    low, high = (0, 255) if wide else (24, 231)
    while True:
        got = [rng.randint(low, high) for _ in range(4)]
        if len({b // 8 for b in got}) == 4:
            return tuple(got)


def candidate(case, rng):
    units = count_units(case)
    wide = rng.random() < .3
    vector = Vector(case, [some_bytes(rng, wide) for _ in range(units)],
                    [some_bytes(rng, wide) for _ in range(units)], some_bytes(rng, wide),
                    some_bytes(rng, False)[:3] + (0,), some_bytes(rng, False), 0, None, (), tolerance(case))
    return with_alpha(vector) if case.alpha else vector


def with_alpha(vector):
    """Sets the texel's alpha to 40 below or above the reference value. If the test needs equal values, both
    are 255, which every implementation converts exactly."""
    func, ref, good = vector.case.alpha
    if func in ('equal', 'notequal') and good == (func == 'equal'):
        ref, alpha = 255, 255
    else:
        below = func in ('less', 'lequal', 'equal', 'notequal') and good or func in ('greater', 'gequal') and not good
        alpha = ref - 40 if below else ref + 40
    return vector._replace(ref=ref, texels=[(*t[:3], alpha) for t in vector.texels])


def far(a, b, steps):
    return max(abs(x - min(1.0, max(0.0, y))) for x, y in zip(a, b)) * 255 > steps


def score(vector, wrong):
    """Returns (number of mistakes that show in the result, number of components strictly between 0 and 1)."""
    state, plain = vector.case.state, Inputs(vector, Floats)
    right = textured(state, plain)
    steps = 2 * vector.tolerance + SHOWS
    shown = sum(far(right, textured(other, plain), steps) for other in wrong)
    if len(vector.texels) > 1:
        shown += far(right, textured(state, Inputs(vector, Unclamped)), steps)
        shown += far(right, textured(state, Inputs(vector, Floats, True)), steps)
    return shown, sum(.02 < x < .98 for x in right)


def make(case, seed, tries=CANDIDATES):
    """Makes the vector of a case."""
    rng = random.Random('inputs %s %s %r' % (seed, case.name, case.state))
    wrong = mistakes.mistaken(case.state)
    best = max((candidate(case, rng) for _ in range(tries)), key=lambda v: score(v, wrong))
    if not score(best, wrong)[1]:       # a steep state, or nearly always clamped
        best = max((candidate(case, rng) for _ in range(10 * tries)), key=lambda v: score(v, wrong)[::-1])
    want = wanted(best)
    if case.alpha and (want != BACKGROUND) != case.alpha[2]:
        raise AssertionError('%s: the alpha test does not do what it is to do' % case.name)
    return best._replace(want=want, either=alternatives(best, want))
