"""Searches input vectors that reach the steep parts of a state.

The result of a stage with a scale, or of a dot product, is strictly between 0 and 1 only for a small part of
its inputs, and that of a chain of such stages for a very small part. Ordinary vectors then saturate the
clamps, which hides errors of earlier stages. The search looks for inputs at which as many values as possible
are strictly between the bounds of their clamp, by bisection between two vectors for which a value is on
different sides of its clamp. It uses floats, which only choose the vectors; the vectors that are found are
multiples of 2^-40, and the comparison on them is exact.
"""
import random
import zlib
from operator import add as _add, mul as _mul, sub as _sub

from ..common.domain import Columns, Node
from ..common.vectors import Named
from .state import CLASSIC, DOTS

BITS = 40
GRID = float(1 << BITS)
STEPS = 44              # steps of a bisection
CORNERS = (0.0, 1.0, 0.5, 1.0, 0.0)


class Floats:
    """Columns of floats; records the values that were clamped, in order."""

    def __init__(self, count):
        self.count = count
        self.zero, self.one, self.half = [0.0] * count, [1.0] * count, [0.5] * count
        self.clamped, self.done = [], {}

    def const(self, x):
        return [float(x)] * self.count

    @staticmethod
    def add(a, b):
        return list(map(_add, a, b))

    @staticmethod
    def sub(a, b):
        return list(map(_sub, a, b))

    @staticmethod
    def mul(a, b):
        return list(map(_mul, a, b))

    @staticmethod
    def shift(a, k):
        factor = 2.0 ** k
        return a if k == 0 else [v * factor for v in a]

    def sat(self, a):
        out = self.done.get(id(a))
        if out is None:
            self.clamped.append(a)
            out = self.done[id(a)] = [0.0 if v < 0.0 else 1.0 if v > 1.0 else v for v in a]
        return out

    @staticmethod
    def sat8(a):
        return [-8.0 if v < -8.0 else 8.0 if v > 8.0 else v for v in a]

    @staticmethod
    def absolute(a):
        return list(map(abs, a))

    @staticmethod
    def div(a, b):
        return [p / q if q else 0.0 for p, q in zip(a, b)]

    @staticmethod
    def opaque(key, operands, function):
        return [float(function(*vector)) for vector in zip(*operands)]

    @staticmethod
    def select_gt_half(c, a, b):
        return [p if t > 0.5 else q for t, p, q in zip(c, a, b)]

    @staticmethod
    def select_ge_zero(c, a, b):
        return [p if t >= 0 else q for t, p, q in zip(c, a, b)]

    @staticmethod
    def in_unit_range(a):
        return True     # the exact comparison decides this


class Points(Named):
    """Inputs with given values, {name: [float]}; a name without values gets random ones when it is first
    read."""

    def __init__(self, values, count, rng):
        self.values, self.rng = values, rng
        self.dom = Floats(count)

    def get(self, name):
        got = self.values.get(name)
        if got is None:
            rng = self.rng
            got = self.values[name] = [rng.choice(CORNERS) if j % 3 == 0 else rng.randrange(1025) / 1024
                                       for j in range(self.dom.count)]
        return got


class ExactPoints(Named):
    """The vectors that were found, as exact columns; inputs that the search did not read are random."""

    def __init__(self, values, count, rng):
        self.dom, self.rng, self.count = Columns(count), rng, count
        self.columns = {name: Node(BITS, [int(v * GRID) for v in column]) for name, column in values.items()}

    def get(self, name):
        got = self.columns.get(name)
        if got is None:
            got = self.columns[name] = Node(16, [self.rng.randrange(65537) for _ in range(self.count)])
        return got

    def vector(self, index):
        from ..common.vectors import Single
        return Single({name: node.values()[index] for name, node in self.columns.items()})


class Search:
    """`run(inputs)` evaluates everything that is to be compared; the search targets the values that it
    clamps."""

    def __init__(self, run, seed, count, rounds):
        self.run, self.count, self.rounds = run, count, rounds
        self.rng = random.Random('steep %s' % (seed,))
        self.found = []         # points, as {name: value}

    def evaluate(self, values, count):
        """Returns per clamped value the column of sides: -1 at or below 0, 1 at or above 1, 0 between."""
        inputs = Points(values, count, self.rng)
        self.run(inputs)
        return [[-1 if v <= 0.0 else 1 if v >= 1.0 else 0 for v in column] for column in inputs.dom.clamped]

    def subset(self, names):
        """Chooses some inputs at random: all, one component, one channel of all units, or one unit."""
        kind = self.rng.randrange(4)
        if kind == 0 or not names:
            return set(names)
        pick = self.rng.choice(names)
        if kind == 1:
            return {pick}
        if kind == 2:
            return {n for n in names if n[2] == pick[2]}
        return {n for n in names if n[:2] == pick[:2]}

    def vectors(self):
        """Returns ExactPoints, or None if no value was clamped at both ends during the search."""
        values = {}
        sides = self.evaluate(values, self.count)
        if all(not any(column) for column in sides):
            return None
        for _ in range(self.rounds):
            sides = self.round(values, sides)
            if sides is None:
                break
        if not self.found:
            return None
        for j in range(self.count):
            self.found.append({n: column[j] for n, column in values.items()})
        columns = {n: [point[n] for point in self.found] for n in values}
        return ExactPoints(columns, len(self.found), self.rng)

    def plan(self, sides):
        """Returns (point, target value, other point) for each point that some value saturates and another
        point does not."""
        rng, out = self.rng, []
        movable = [k for k, column in enumerate(sides) if len(set(column)) > 1]
        if not movable:
            return out
        for j in range(self.count):
            targets = [k for k in movable if sides[k][j]]
            if targets:
                k = targets[0] if rng.random() < 0.3 else rng.choice(targets)
                others = [m for m, s in enumerate(sides[k]) if s != sides[k][j]]
                out.append((j, k, rng.choice(others)))
        return out

    def round(self, values, sides):
        """Tries to unsaturate one value of each point; returns the sides of the points afterwards, or None
        when nothing is left to do."""
        jobs = self.plan(sides)
        if not jobs:
            return None
        names = list(values)
        base = {n: list(values[n]) for n in names}              # points change during the round
        jobs = [(j, k, m, self.subset(names)) for j, k, m in jobs]
        low, high, t = [0.0] * len(jobs), [1.0] * len(jobs), [1.0] * len(jobs)
        active = list(range(len(jobs)))
        for step in range(STEPS):
            trial = {n: [self.between(base[n], jobs[i], n, t[i]) for i in active] for n in names}
            got = self.evaluate(trial, len(active))
            still = []
            for a, i in enumerate(active):
                j, k, _, _ = jobs[i]
                s = got[k][a]
                if s == 0:
                    self.accept(values, base, sides, jobs[i], {n: trial[n][a] for n in names},
                                [column[a] for column in got],
                                high[i] - low[i])
                    continue
                if s == sides[k][j]:
                    if step == 0:
                        continue                # these inputs do not affect the value
                    low[i] = t[i]
                else:
                    high[i] = t[i]
                t[i] = (low[i] + high[i]) / 2
                still.append(i)
            active = still
            if not active:
                break
        return sides

    @staticmethod
    def between(column, job, name, t):
        j, _, m, subset = job
        x = column[j]
        return round((x + t * (column[m] - x)) * GRID) / GRID if name in subset else x

    def accept(self, values, base, sides, job, point, got, width):
        """Records a point where the target value is not saturated. It replaces the point from which it was
        derived, unless more values were unsaturated there."""
        j, _, m, subset = job
        self.found.append(point)
        near = dict(point)                      # also records another point close to it
        for n in subset:
            near[n] = min(1.0, max(0.0, round((point[n] + self.rng.uniform(-width, width)
                                               * (base[n][m] - base[n][j]) / 2) * GRID) / GRID))
        self.found.append(near)
        if sum(s == 0 for s in got) >= sum(column[j] == 0 for column in sides):
            for n in point:
                values[n][j] = point[n]
            for column, s in zip(sides, got):
                column[j] = s


def slopes(half, before):
    """Returns a bound of the slope of a half. before: the bound for the previous stage."""
    value = [before if s == 'P' else 0.0 if s in '01' else 1.0 for s, _ in half.args]
    total = sum(value) * (6 if half.func in DOTS else 1)        # a dot product has 4 * 3 terms * 1/2
    return total * (1 if half.func.endswith('_ext') else half.scale)


def is_steep(state):
    """Returns whether the product of the scales of chained stages is so large that ordinary vectors may
    saturate all clamps."""
    rgb = alpha = 1.0
    peak = stages = 0
    for unit in state.units:
        if unit is None:
            continue
        if unit.mode in CLASSIC:
            rgb, alpha = rgb + 1.0, alpha + 1.0
            continue
        before = max(rgb, alpha) if any(o[-1] == 'a' for _, o in unit.rgb.args) else rgb
        chained = (any(s == 'P' for s, _ in unit.rgb.args)
                   or unit.alpha is not None and any(s == 'P' for s, _ in unit.alpha.args))
        rgb = slopes(unit.rgb, before)
        alpha = rgb if unit.rgb.func.startswith('dot3_rgba') else slopes(unit.alpha, alpha)
        if chained and stages:
            peak = max(peak, rgb, alpha)
        stages += 1
    return peak >= 16


def mark(state):
    """Returns a number that depends only on the state."""
    return zlib.crc32(repr(state).encode())


def chosen(state, share):
    """Returns whether a state is searched: one in `share` of the steep ones."""
    return share > 0 and is_steep(state) and mark(state) % share == 0


def search(run, seed, count, rounds):
    return Search(run, seed, count, rounds).vectors()
