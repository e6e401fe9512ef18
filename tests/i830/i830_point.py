"""Runs the search at one point (tests/i830/cover/point.c): chooses special inputs and a point, and evaluates
the texture environment there in doubles, and at random numbers modulo the prime 2^61 - 1.

Near a point at which no value is exactly at the bound of its clamp, a texture environment is a polynomial.
The evaluation modulo the prime clamps where the evaluation at the point does, so it is that polynomial's."""
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from oracle.common.vectors import Named  # noqa: E402
from oracle.hw import chips  # noqa: E402
from oracle.texenv.texenv_eval import evaluate  # noqa: E402
import i830_special
from i830_pipes import dependencies, prefix
from i830_region import Points, sides

PRIME = 2 ** 61 - 1


class Near(Exception):
    """At this point a clamped value is too near to the bound of its clamp."""


class Both:
    """Arithmetic for the oracle on (double, value modulo the prime, bound of the polynomial's degree)."""
    zero, one, half = (0.0, 0, 0), (1.0, 1, 0), (.5, 2 ** 60, 0)

    @staticmethod
    def add(a, b):
        return a[0] + b[0], (a[1] + b[1]) % PRIME, max(a[2], b[2])

    @staticmethod
    def sub(a, b):
        return a[0] - b[0], (a[1] - b[1]) % PRIME, max(a[2], b[2])

    @staticmethod
    def mul(a, b):
        return a[0] * b[0], a[1] * b[1] % PRIME, a[2] + b[2] if a[1] and b[1] else 0

    @staticmethod
    def shift(a, k):
        return a[0] * 2.0 ** k, a[1] * pow(2, k, PRIME) % PRIME, a[2]

    @staticmethod
    def sat(a):
        for bound in (0, 1):
            if abs(a[0] - bound) < 1e-6:
                if a[1] != bound:
                    raise Near()
                return float(bound), bound, 0
        return (0.0, 0, 0) if a[0] < 0 else (1.0, 1, 0) if a[0] > 1 else a


class Point(Named):
    """One input vector, {name: (double, value modulo the prime)}."""
    dom = Both

    def __init__(self, point):
        self.point = point

    def get(self, name):
        return self.point.get(name, Both.zero)


def both(special, values):
    """Returns the inputs for given values of the unknowns, {unknown: (double, number)}."""
    out = {}
    for (what, unit, letter), c in special.choice.items():
        v = (float(c), int(2 * c) * Both.half[1] % PRIME, 0) if not isinstance(c,
            tuple) else Both.sub(Both.one, values[c[0]]) if c[1] else values[c[0]]
        for channel in range(3) if letter == 'c' else (3,):
            out[i830_special.KIND[what], unit, channel] = v
    return out


def place(state, special, channel, rng):
    """Returns random values of the unknowns at which few values are clamped (sometimes more); None if the
    result is 0 or 1 there."""
    def values():
        while True:
            v = [rng.random() for _ in special.unknowns]
            if i830_special.good(v):
                return dict(zip(special.unknowns, v))
    tried = [values() for _ in range(40)]
    got, out = sides(state, [special.point(v) for v in tried], channel)
    groups = {}
    for v, g, o in zip(tried, got, out):
        if .01 < o < .99:
            groups.setdefault(g, v)
    some = sorted(groups, key=lambda g: -sum(s == 1 for s in g))
    return groups[some[0 if rng.random() < .7 else rng.randrange(len(some))]] if some else None


def numbers(under):
    """Yields (stage, number) for the numbers that the alpha pipe can compute if its inputs are 0 and 1 (under
    1), or 0, 1/2 and 1 (under 2); the colour pipe can read the number from `stage` on. From 0 and 1, one, two
    and three stages compute multiples of 1/2, 1/4 and 1/16; with 1/2, one and two stages compute multiples of
    1/4 and 1/16."""
    for stage, under, of in ((2, 2, (1,)), (3, 4, (1,)), (4, 16, (1, 2, 3, 5, 6, 7))) if under == 1 else ((2,
        2, (1,)), (2, 4, (1,)), (3, 16, (1, 2, 3, 5, 6, 7))):
        for over in of:
            yield stage, (over / under, over * pow(under, -1, PRIME) % PRIME)


def some_values(special, rng):
    """Returns 64 sets of values of the unknowns, from several distributions; some values are 0 or 1."""
    kinds = (lambda: rng.random(), lambda: rng.random() ** 3, lambda: 1 - rng.random() ** 3,
             lambda: float(rng.randrange(2)))
    return [{u: kinds[i % 4]() if i % 5 else rng.choice(kinds)() for u in special.unknowns}
            for i in range(64)]


def parts_of(state, vectors):
    """Returns 1 if all inputs of the alpha pipe are 0 or 1, 2 if they are 0, 1/2 or 1, else 0."""
    textures = [chips.Inputs(vectors, state).texture(n)[3] for n, u in enumerate(state.units)
                if u is not None]
    read = {v[1] for v in textures + [vectors.env(n, 3) for n in range(8)] + [vectors.primary(3)]}
    return 1 if read <= {0, 1} else 2 if read <= {0, 1, Both.half[1]} else 0


def is_alpha(state, source):
    what, unit, letter = source
    return letter == 'a' or what == 'T' and state.units[unit].fmt == 'intensity'


def choices(state, inputs, kind, unknowns, count, rng):
    """Returns random special inputs (i830_special.py). unknowns: (n, a): inputs of the alpha pipe
    are among the first a of the n unknowns, others among the rest. If a is 'halves', inputs of the alpha pipe
    are 0, 1/2 or 1, and others among all unknowns."""
    order, out = sorted(inputs), []
    unknowns, alphas = unknowns
    for _ in range(6 * count):
        some = []
        for source in order:
            alpha = is_alpha(state, source)
            halves = alphas == 'halves'
            of = range(0 if halves else alphas) if alpha else range(0 if halves else alphas, unknowns)
            if alpha and halves:
                some.append(rng.choice((0, .5, .5, 1)))
            elif not of or rng.random() < .12:
                some.append(rng.randrange(2))
            else:
                some.append((rng.choice(of), rng.random() < .35))
        if len({c[0] for c in some if isinstance(c, tuple)}) == unknowns and some not in out:
            out.append(some)
        if len(out) == count:
            break
    return [i830_special.Special(inputs, c) for c in out]


def leaf_of(state, vectors, source):
    """Returns the values of the channels of one input."""
    what, unit, letter = source
    four = chips.Inputs(vectors, state).texture(unit) if what == 'T' else [vectors.env(unit, c)
        if what == 'C' else vectors.primary(c) for c in range(4)]
    return four[3:] if letter == 'a' else four[:3]


def problem(state, kind, inputs, special, rng, full, most, seconds, samples=(), wanted=0, own=()):
    """Returns (degree of the state's polynomial, input text of point.c), or None if the result is 0 or 1."""
    channel = 0 if kind == 'c' else 3
    values = place(state, special, channel, rng)
    if values is None:
        return None
    vectors = Point(both(special, {u: (v, rng.randrange(PRIME), 1) for u, v in values.items()}))
    parts = parts_of(state, vectors) if kind == 'c' and not wanted else 0
    try:
        result = evaluate(state, vectors)[channel]
        before = [evaluate(s, vectors)[3] for s in own]
    except Near:
        return None
    rows, seen, dots, of = [], {0, 1}, True, []
    for source in sorted(inputs):
        what, unit, letter = source
        channels = leaf_of(state, vectors, source)
        dots = dots and len(set(channels)) == 1
        v = channels[0]
        if v[1] not in seen:
            seen.update((v[1], (1 - v[1]) % PRIME))
            rows.append('%s%s%s 1 %d %.17g %d' % (what, '' if what == 'F' else unit,
                                                  '.a' if letter == 'a' else '', is_alpha(state, source),
                                                  *v[:2]))
            of.append(source)
    lent = kind == 'c' and not wanted and not parts
    more = []
    for stage, v in [*numbers(parts)] * bool(parts) + [(2, v) for v in before]:
        if v[1] not in seen:
            seen.update((v[1], (1 - v[1]) % PRIME))
            more.append((stage, v))
    more.sort(key=lambda m: m[0])
    head = '%d %d %d %d %d %d %g %d' % (full, full, dots, lent, wanted, most, seconds, len(rows + more))
    rows += ['%g %d 0 %.17g %d' % (v[0], stage, *v[:2]) for stage, v in more]
    # With `lent`, the inputs of the alpha pipe have the same values in all samples, so that values computed
    # from them alone are constants.
    fixed = {c[0]: values[c[0]] for source, c in special.choice.items() if isinstance(c, tuple)
             and is_alpha(state, source)} if lent else {}
    samples = samples or [special.point({**v, **fixed}) for v in some_values(special, rng)]
    rows += ['%.17g %d' % result[:2], str(len(samples))]
    points = Points(samples)
    columns = [leaf_of(state, points, source)[0].col for source in of] + [[v[0]] * len(samples) for _,
        v in more] + [evaluate(state, points)[channel].col]
    rows += [' '.join('%.17g' % c[i] for c in columns) for i in range(len(samples))]
    return result[2], '\n'.join([head, *rows]) + '\n'


class Finder:
    """Runs the search at one point for one pipe of a state. program: cover_i830_point; full: with
    undocumented operations, and with ACCUM."""

    # For each try: (number of unknowns, how many of them the alpha pipe reads), number of special inputs,
    # seconds for each.
    TRIES = {'a': (((2, 2), 8, 20), ((3, 3), 4, 40), ((4, 4), 1, 90)), 'c': (((2, 0), 2, 20),
        ((2, 1), 10, 30), ((3, 1), 3, 60), ((2, 'halves'), 4, 30), ((3, 'halves'), 3, 60))}

    # the same for the colour pipe with documented operations, where inputs of the alpha pipe use no unknowns,
    # so that all values that it can compute in three stages are known numbers
    DULL = ((2, 0), 6, 20), ((3, 0), 4, 30)

    def __init__(self, program, state, kind, inputs, full, most):
        self.program, self.state, self.kind = program, state, kind
        self.inputs, self.full, self.most = inputs, full, most
        self.own = [prefix(state, n) for n in sorted(dependencies(state, kind)[1])]

    def run(self, text):
        done = subprocess.run([self.program], input=text, stdout=subprocess.PIPE, text=True)
        if done.returncode:
            raise SystemExit('%s: status %d' % (self.program, done.returncode))
        return done.stdout.strip().split('\n')

    def is_none(self):
        """Returns whether some special inputs prove that there is no program."""
        rng = random.Random('point %s' % self.kind)
        for unknowns, count, seconds in self.TRIES[self.kind] if self.full or self.kind == 'a' else self.DULL:
            some = [problem(self.state, self.kind, self.inputs, s, rng, self.full, self.most, seconds,
                            own=self.own)
                    for s in choices(self.state, self.inputs, self.kind, unknowns, 60, rng)]
            late = 0
            # high degrees first, since these exclude most programs
            for _, text in sorted(filter(None, some), key=lambda p: -p[0])[:count]:
                got = self.run(text)[0]
                if got == 'none':
                    return True
                late += got == 'budget'
                if late > 1:
                    break
        return False

    def covers(self, samples, seconds):
        """Returns programs that are right at the samples and read no values of the other pipe; each input is
        an unknown of its own."""
        inputs = [i for i in self.inputs if self.kind == 'c' or i[2] == 'a']
        special = i830_special.Special(inputs, [(n, False) for n in range(len(inputs))])
        found = problem(self.state, self.kind, inputs, special, random.Random('cover'), self.full, self.most,
                        seconds, samples, 20)
        return [line.split(' ', 1)[1] for line in self.run(found[1])
                if line.startswith('cover')] if found else []
