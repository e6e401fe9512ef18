"""Finds parts of the input space for the local search for covers (tests/i830/cover/local.c): in a part, each
clamp of the texture environment either acts everywhere or nowhere.

All computations are in doubles: proofs compare polynomials that differ by far more than rounding errors, and
the caller executes the programs found exactly."""
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from oracle.common.vectors import Named  # noqa: E402
from oracle.hw import chips  # noqa: E402
from oracle.texenv import steep  # noqa: E402
from oracle.texenv.texenv_eval import evaluate  # noqa: E402

AT = 12  # points in a part; the same number as in local.c
KIND = {'T': 'tex', 'C': 'env', 'F': 'primary'}


class Value:
    """Floats, one for each input vector, and the numbers of the clamps that they depend on."""
    __slots__ = ('col', 'through')

    def __init__(self, col, through=frozenset()):
        self.col, self.through = col, through


class Traced:
    """Arithmetic for the oracle that records what each clamp is applied to."""

    def __init__(self, count):
        self.count, self.given, self.done = count, [], {}
        self.zero, self.one, self.half = (Value([v] * count) for v in (0.0, 1.0, 0.5))

    def const(self, x):
        return Value([float(x)] * self.count)

    @staticmethod
    def add(a, b):
        return Value([x + y for x, y in zip(a.col, b.col)], a.through | b.through)

    @staticmethod
    def sub(a, b):
        return Value([x - y for x, y in zip(a.col, b.col)], a.through | b.through)

    @staticmethod
    def mul(a, b):
        return Value([x * y for x, y in zip(a.col, b.col)], a.through | b.through)

    @staticmethod
    def shift(a, k):
        return Value([x * 2.0 ** k for x in a.col], a.through)

    def sat(self, a):
        if id(a) not in self.done:
            self.given.append(a.col)
            self.done[id(a)] = a, Value([min(1.0, max(0.0, x)) for x in a.col], a.through
                                        | {len(self.given) - 1})
        return self.done[id(a)][1]


class Points(Named):
    """Input vectors from a list of {name: float}."""

    def __init__(self, points):
        self.points, self.dom = points, Traced(len(points))

    def get(self, name):
        return Value([p.get(name, 0.0) for p in self.points])


def names_of(inputs):
    return sorted({(KIND[what], unit, c) for what, unit, _ in inputs for c in range(4)})


def grey(point):
    """Returns a point whose colours have three equal channels, so that a dot product is a polynomial of one
    channel."""
    return {(what, unit, c): point[what, unit, 3 if c == 3 else 0] for what, unit, c in point}


def pool(state, names, rng, count):
    """Returns random input vectors: uniform, small and large ones, and vectors found where the state is
    steep."""
    out = []
    for i in range(count):
        power = {n: rng.choice((1, 1, 1, 2, 4, .5, .25)) for n in names} if i % 2 else {}
        out.append({n: .015625 + .96875 * rng.random() ** power.get(n, 1) for n in names})
    found = steep.search(lambda vectors: evaluate(state, vectors), steep.mark(state), 24, 4)
    if found is not None:
        columns = {n: [float(v) for v in found.get(n).values()] for n in names}
        out += [{n: columns[n][i] for n in names} for i in range(found.count)]
    return out


def sides(state, points, channel):
    """Returns, for each point, the cases (below, within or above its bounds) of the clamps that the channel
    depends on, and the channel's value."""
    vectors = Points(points)
    out = evaluate(state, vectors)[channel]
    through = sorted(out.through)
    columns = [[(v > 0) + (v >= 1) for v in vectors.dom.given[i]] for i in through]
    return list(zip(*columns)) if columns else [()] * len(points), out.col


def generic(point):
    """Returns whether no input is near 0, 1/2, 1, another input or its complement: such inputs can be
    computed by programs that are wrong for others."""
    read = [v for (_, _, c), v in point.items() if c in (0, 3)]
    return all(.002 < v < .998 and abs(v - .5) > .001 for v in read) and \
        all(abs(a - b) > 1e-4 and abs(a + b - 1) > 1e-4 for i, a in enumerate(read) for b in read[:i])


def fill(state, channel, pattern, seeds, rng, names):
    """Searches for at least AT generic points of a part, in smaller and smaller neighbourhoods of known
    points."""
    points, radius = [p for p in seeds if generic(p)], .25
    for _ in range(14):
        if len(points) >= AT:
            return points
        more = []
        for _ in range(60):
            p = rng.choice(points[:4] or seeds[:4])
            more.append(grey({n: min(1.0, max(0.0, p[n] + radius * (rng.random() - .5))) for n in names}))
        got, value = sides(state, more, channel)
        points += [p for p, g, v in zip(more, got, value) if g == pattern and 1e-4 < v < 1 - 1e-4
                   and generic(p)]
        radius /= 2
    return points if len(points) >= AT else None


def parts(state, inputs, channel, limit):
    """Returns up to `limit` parts, those with the most unclamped values first, and samples of the whole input
    space."""
    rng = random.Random('parts %s %d' % (state, channel))
    names = names_of(inputs)
    points = pool(state, names, rng, 1500)
    greys = [grey(p) for p in points]
    got, value = sides(state, greys, channel)
    groups = {}
    for p, g, v in zip(greys, got, value):
        if 1e-3 < v < 1 - 1e-3:
            groups.setdefault(g, []).append(p)
    order = sorted(groups, key=lambda g: (-sum(s == 1 for s in g), -len(groups[g])))
    corners = [{n: rng.choice((0.0, 1.0, .5, rng.random())) for n in names} for _ in range(20)]
    samples = points[:30] + points[-20:] + corners
    out = []
    for pattern in order[:3 * limit]:
        some = groups[pattern]
        rng.shuffle(some)
        some = fill(state, channel, pattern, some[:200], rng, names)
        if some:
            out.append((some[:AT], None))
        if len(out) == limit:
            break
    return [part for part, _ in out], samples


def constant(state, points, channels):
    """Returns 0 or 1 if the channels have that value at all points, else None."""
    seen = {v for c in channels for v in evaluate(state, Points(points))[c].col}
    return int(seen.pop()) if seen in ({0.0}, {1.0}) else None


# ---- input text of the search ----

def leaf_columns(source, points, state, channels):
    """Returns [channel][point]: the values of an input."""
    what, unit, letter = source
    vectors = Points(points)
    if what == 'T':
        four = chips.Inputs(vectors, state).texture(unit)
    else:
        four = [vectors.env(unit, c) if what == 'C' else vectors.primary(c) for c in range(4)]
    columns = [four[3 if letter == 'a' else c] for c in channels]
    return [v.col[i] for i in range(len(points)) for v in columns]


class Question:
    """Options of the local search (described in local.c). lent: (largest number of alpha values of one stage,
    and of more stages, that the colour pipe may read); wanted: number of programs to print."""

    def __init__(self, full, lent=(0, 0), second=False, least=1, most=4, seconds=60, wanted=30, borrow=0,
                 colours=0, joint=0):
        self.full, self.lent, self.second, self.least, self.most = full, lent, second, least, most
        self.seconds, self.wanted, self.borrow = seconds, wanted, borrow
        self.colours, self.joint = colours, joint


def problem(state, kind, sources, part, samples, q, own=(), merge=False):
    """Returns input text of local.c: a pipe ('c' or 'a') of a state with its inputs (`sources`) at the points
    of a part and at samples of the whole space. own: [(unit, state before it)], whose alphas are inputs, too.
    merge: of inputs that are equal or complementary at the points, only one is kept."""
    colours = any(letter == 'c' for _, _, letter in sources)
    channels = (0, 1, 2) if kind == 'c' else (3, 3, 3) if colours else (3,)
    rows, dots, seen = [], colours or kind == 'c', set()
    for source in sorted(sources, key=lambda s: s[2]):  # alphas first
        what, unit, letter = source
        name = (what if what == 'F' else '%s%d' % (what, unit)) + ('.a' if letter == 'a' else '')
        read = (0, 1, 2) if letter == 'c' else (3,) * len(channels)
        local, everywhere = leaf_columns(source, part, state, read), leaf_columns(source, samples, state,
            read)
        local = [local[i:i + len(read)] for i in range(0, len(local), len(read))]
        dots = dots and all(max(v) - min(v) < 1e-9 for v in local)
        keys = [tuple(round(v if side else 1 - v, 9) for vs in local for v in vs) for side in (1, 0)]
        if merge and (keys[0] in seen or set(keys[0]) in ({0.0}, {1.0})):
            continue
        seen.update(keys)
        rows.append(row(name, 1, 2 if letter == 'a' else 4 if kind == 'a' else 0, [v[0] for v in local],
                        everywhere))
    if q.lent[0]:
        # the alpha that the state itself has before a unit whose colour half reads it
        for number, before in own:
            local, everywhere = (sides(before, points, 3)[1] for points in (part, samples))
            if all(1e-9 < v < 1 - 1e-9 for v in local):
                rows.append(row('<own%d>' % number, 3, 1, local, [v for v in everywhere for _ in channels]))
    out, count = evaluate(state, Points(samples)), len(rows)
    everywhere = [out[c].col[i] for i in range(len(samples)) for c in channels]
    rows.append(' '.join('%.17g' % v for v in sides(state, part, channels[0])[1] + everywhere))
    if q.joint:
        rows.append(' '.join('%.17g' % v for v in sides(state, part, 3)[1]))
    head = '%d %d %d %d %d %d %d %d %g %d %d %d %d %d %d' % (len(everywhere), len(channels), count, q.least,
                                                             q.most, q.full, q.second, dots, q.seconds,
                                                             q.wanted, *q.lent, q.borrow, q.colours, q.joint)
    return '\n'.join([head, *rows]) + '\n'


def row(name, avail, flags, local, samples):
    """Returns the text of one input. flags: 1 a value of the alpha pipe, 2 the alpha pipe may read it, 4 the
    alpha pipe may read it in a dot product."""
    return '%s %d %d %s' % (name, avail, flags, ' '.join('%.17g' % v for v in local + samples))
