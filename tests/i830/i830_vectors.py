"""Compares i830 packets with a state, at input vectors that are likely to show a difference if the packets
are wrong for few inputs only."""
import random

from oracle.common.domain import Columns, Node
from oracle.common.vectors import F, Named, VectorSet, input_names
from oracle.hw import chips
from oracle.i830 import i830_eval
from oracle.texenv import steep
from oracle.texenv.texenv_eval import evaluate

ONE = 1 << F
ENDS = (0, 0, ONE, ONE, ONE // 2)


def near(rng, v):
    """Returns a value near v, within [0,1]."""
    return min(ONE, max(0, v + rng.choice((-1, 1)) * rng.choice((0, 1, 2, 16, 256, 2048))))


class Some(Named):
    """`count` random vectors, each of which make(rng, names) returns."""

    def __init__(self, make, seed, count):
        rng, names = random.Random('%s %s' % (make.__name__, seed)), input_names()
        rows = [make(rng, names) for _ in range(count)]
        self.dom = Columns(count)
        self.columns = {name: Node(F, [row[i] for row in rows]) for i, name in enumerate(names)}

    def get(self, name):
        return self.columns[name]


def near_corners(rng, names):
    """Returns random inputs, most of which are at or near 0, 1 or 1/2."""
    return [near(rng, rng.choice(ENDS)) if rng.random() < .8 else rng.randrange(ONE + 1) for _ in names]


def alike(rng, names):
    """Returns random inputs that have only two or three different values and their complements, like special
    inputs (i830_special.py)."""
    some = [rng.choice((rng.randrange(ONE + 1), rng.choice(ENDS))) for _ in range(rng.choice((2, 3)))]
    return [rng.choice((v, v, ONE - v)) for v in (rng.choice(some) for _ in names)]


def grey(rng, names):
    """Returns random inputs in which the channels of each colour are equal; alphas are independent."""
    colours = {}
    return [colours.setdefault(name[:2] + (name[2] == 3,), rng.choice((rng.randrange(ONE + 1),
        near(rng, rng.choice(ENDS))))) for name in names]


def small(rng, names):
    """Returns random inputs that are mostly small or mostly large, so that some sums are clamped and others
    not."""
    top, low = ONE >> rng.randrange(5), rng.random() < .5
    return [v if (rng.random() < .8) == low else ONE - v for v in (rng.randrange(top + 1) for _ in names)]


class Vectors:
    """Vectors for all states; `difference` adds vectors found by a search for the state."""

    def __init__(self, seed=1, count=96):
        self.sets = [VectorSet(seed, count)] + [Some(make, seed, count) for make in (near_corners, alike,
            grey, small)]

    def difference(self, state, code):
        """Returns the first difference, or None."""
        for inputs in self.sets:
            inputs.dom.trim()
            found = differs(state, code, inputs)
            if found:
                return found
        for both in (False, True):  # searches where the state is steep, then also where the packets are
            inputs = steep.search(lambda v: run(state, code, v, both), '%d %d' % (steep.mark(state), both),
                                  12, 3)
            found = inputs and differs(state, code, inputs)
            if found:
                return found
        return None


def run(state, code, inputs, both=True):
    """Returns the values of the state and of the packets (None unless `both`)."""
    return evaluate(state, inputs), i830_eval.evaluate(code, chips.Inputs(inputs, state), 'real',
                                                       frozenset()) if both else None


def differs(state, code, inputs):
    wanted, got = run(state, code, inputs)
    for c, (a, b) in enumerate(zip(wanted, got)):
        if inputs.dom.first_difference(a, b) >= 0:
            return '%s differs' % 'rgba'[c]
    return None
