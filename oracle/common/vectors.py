"""Input vectors: all texels, constants and colours of a vector are independent of each other, per channel.

An input environment has `texel(unit, channel, shadow)`, `primary(ch)`, `secondary(ch)`, `env(unit, ch)` and
`coord(n, ch)`; channels are 0..3. The result of a shadow comparison and the stored depth are independent
inputs.
"""
import random
from fractions import Fraction

from .domain import Columns, Exact, Node

CHANNELS = 'rgba'
F = 16              # every input is k/65536


def input_names():
    """Returns the names of all inputs, in a fixed order."""
    names = [('tex', u, c) for u in range(8) for c in range(4)]
    names += [('env', u, c) for u in range(8) for c in range(4)]
    names += [('primary', 0, c) for c in range(4)]
    names += [('secondary', 0, c) for c in range(4)]
    names += [('shadow', u, c) for u in range(8) for c in range(4)]
    names += [('coord', u, c) for u in range(8) for c in range(4)]
    names += [(kind, n, c) for kind in ('global', 'local') for n in range(8) for c in range(4)]
    # fog 0: the colour; fog 1: coordinate, end, scale, density
    names += [('fog', n, c) for n in range(2) for c in range(4)]
    return names


def component(rng, kind):
    """Returns one component as k of k/65536: 0 or 1, a multiple of 1/2, 1/16 or 1/256, the nearest value to a
    multiple of 1/255, or any value. Clamps are therefore reached often."""
    if kind == 0:
        return rng.choice((0, 65536))
    if kind == 1:
        return rng.choice((0, 32768, 65536))
    if kind == 2:
        return 4096 * rng.randrange(17)
    if kind == 3:
        return 256 * rng.randrange(257)
    if kind == 4:
        return (65536 * rng.randrange(256) + 127) // 255
    return rng.randrange(65537)


class Named:
    """Inputs of an evaluator, defined by a method `get(name)`."""

    def texel(self, unit, ch, shadow=False):
        # a shadow comparison gives one number
        return self.get(('shadow', unit, 0) if shadow else ('tex', unit, ch))

    def env(self, unit, ch):
        return self.get(('env', unit, ch))

    def primary(self, ch):
        return self.get(('primary', 0, ch))

    def secondary(self, ch):
        return self.get(('secondary', 0, ch))

    def coord(self, n, ch):
        return self.get(('coord', n, ch))

    def parameter(self, kind, n, ch):
        """Returns program.env[n] (kind 'global') or program.local[n] ('local')."""
        return self.get((kind, n, ch))


class VectorSet(Named):
    """`count` vectors, in columns."""

    def __init__(self, seed=1, count=16):
        rng = random.Random('vectors %d %d' % (seed, count))
        kinds = [(0, 4, 2, 1, 0, 3, 2, 5)[i % 8] for i in range(count)]
        self.count = count
        self.dom = Columns(count)
        self.columns = {}
        seen = set()
        for name in input_names():
            while True:
                col = [component(rng, k) for k in kinds]
                if tuple(col) not in seen or count < 8:
                    break
            seen.add(tuple(col))
            self.columns[name] = Node(F, col)

    def get(self, name):
        return self.columns[name]

    def vector(self, index):
        """Returns one vector for the reference domain."""
        return Single({name: Fraction(node.col[index], 1 << F) for name, node in self.columns.items()})


class Single(Named):
    """One vector of Fractions for the reference domain; inputs that are not given are 0."""

    dom = Exact

    def __init__(self, values=None):
        self.values = dict(values or {})

    def get(self, name):
        return self.values.get(name, Fraction(0))


class WithColours:
    """Wraps other inputs and replaces their environment colours by those of a state."""

    def __init__(self, inputs, state):
        self.inputs, self.dom, self.state = inputs, inputs.dom, state
        self.texel, self.primary = inputs.texel, inputs.primary
        self.secondary, self.coord = inputs.secondary, inputs.coord
        self.parameter, self.get = inputs.parameter, inputs.get

    def env(self, unit, ch):
        u = self.state.units[unit]
        return self.dom.const(Fraction(u.color[ch] if u else 0))
