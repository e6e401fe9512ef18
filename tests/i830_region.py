"""Parts of the input space in which no clamp of a texture environment changes sides, for the local search for covers (tests/cover_i830/local.c).

All in doubles: what is shown is that polynomials differ, by far more than doubles err; what is found is executed exactly by the caller.
"""
import os
import random
import sys
from itertools import product

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from oracle import chips, steep                                                                            # noqa: E402
from oracle.texenv_eval import evaluate                                                                    # noqa: E402
from oracle.vectors import Named                                                                           # noqa: E402

AT = 12                 # points of a part, as local.c has them
KIND = {'T': 'tex', 'C': 'env', 'F': 'primary'}


class Value:
    """Column of floats, and the numbers of the clamps that it went through."""
    __slots__ = ('col', 'through')

    def __init__(self, col, through=frozenset()):
        self.col, self.through = col, through


class Traced:
    """Domain that remembers what each clamp was given."""

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
            self.done[id(a)] = a, Value([min(1.0, max(0.0, x)) for x in a.col], a.through | {len(self.given) - 1})
        return self.done[id(a)][1]


class Points(Named):
    """Input vectors, a list of {name: float}."""

    def __init__(self, points):
        self.points, self.dom = points, Traced(len(points))

    def get(self, name):
        return Value([p.get(name, 0.0) for p in self.points])


def names_of(inputs):
    return sorted({(KIND[what], unit, c) for what, unit, _ in inputs for c in range(4)})


def pool(state, names, rng, count):
    """Vectors of all kinds: even ones, small ones, large ones, what the search for steep parts finds."""
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
    """For each point the sides of the clamps that the channel goes through, and the channel's value."""
    vectors = Points(points)
    out = evaluate(state, vectors)[channel]
    through = sorted(out.through)
    columns = [[(v > 0) + (v >= 1) for v in vectors.dom.given[i]] for i in through]
    return list(zip(*columns)) if columns else [()] * len(points), out.col


def generic(point, channel):
    """No input that the channel may read is 0, 1/2, 1, another one or its complement, or nearly: there operations have no inverse that others have one."""
    read = [v for (_, _, c), v in point.items() if c in (channel, 3)]
    return all(.002 < v < .998 and abs(v - .5) > .001 for v in read) and \
        all(abs(a - b) > 1e-4 and abs(a + b - 1) > 1e-4 for i, a in enumerate(read) for b in read[:i])


def fill(state, channel, pattern, seeds, rng, names):
    """At least AT points of a part: around those that are known, closer and closer."""
    points, radius = [p for p in seeds if generic(p, channel)], .25
    for _ in range(14):
        if len(points) >= AT:
            return points
        more = []
        for _ in range(60):
            p = rng.choice(points[:4] or seeds[:4])
            more.append({n: min(1.0, max(0.0, p[n] + radius * (rng.random() - .5))) for n in names})
        got, value = sides(state, more, channel)
        points += [p for p, g, v in zip(more, got, value) if g == pattern and 1e-4 < v < 1 - 1e-4 and generic(p, channel)]
        radius /= 2
    return points if len(points) >= AT else None


def parts(state, inputs, channel, limit):
    """Up to `limit` parts, the ones with most clamps between their bounds first; and samples of everything."""
    rng = random.Random('parts %s %d' % (state, channel))
    names = names_of(inputs)
    points = pool(state, names, rng, 1500)
    got, value = sides(state, points, channel)
    groups = {}
    for p, g, v in zip(points, got, value):
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


# ---- the problem as text ----

def leaf_columns(source, letter, points, state, channels):
    """Values of an input at all points, channel by channel."""
    what, unit = source
    vectors = Points(points)
    if what == 'T':
        four = chips.Inputs(vectors, state).texture(unit)
    else:
        four = [vectors.env(unit, c) if what == 'C' else vectors.primary(c) for c in range(4)]
    columns = [four[3 if letter == 'a' else c] for c in channels]
    return [v.col[i] for i in range(len(points)) for v in columns]


SAT = staticmethod(lambda v: min(1.0, max(0.0, v))).__func__


def numbers_of(kind, x, y, z, k):
    return {'x': x, 'x*y': x * y, 'x+y': x + y, 'x+y-.5': x + y - .5, 'x-y': x - y, 'blend': x * y + (1 - x) * z, 'mad': k * x * y + z}[kind]


def lent_values(leaves, full, limit):
    """Values of one stage of the alpha pipe that are no inputs: (text, local, samples), simplest first; leaves: (name, local, samples)."""
    terms = []
    for name, local, samples in [('1', [1.0] * AT, None)] + leaves:
        terms.append((name, local, samples))
        terms.append(('0' if name == '1' else '~' + name, [1 - v for v in local], samples and [1 - v for v in samples]))
    count = len(leaves[0][2]) if leaves else 0

    def column(term, where):
        if where == 1:
            return term[1]
        return term[2] if term[2] is not None else [float(term[0] == '1')] * count

    seen, out = set(), []

    def new(local):
        key, other = (tuple(round(v if side else 1 - v, 9) for v in local) for side in (1, 0))
        if key in seen or other in seen:
            return False
        seen.add(key)
        return True
    for t in terms:
        new(t[1])
    shapes = [('x*y', 1), ('x+y', 1), ('x+y-.5', 1), ('x-y', 1), ('x', 1), ('blend', 1)] + [('mad', k) for k in (1, 2, 4) if full]
    for scale, (kind, k) in product((1, 2, 4), shapes):
        arity = {'x': 1, 'blend': 3, 'mad': 3}.get(kind, 2)
        for args in product(range(len(terms)), repeat=arity):
            if kind in ('x*y', 'x+y', 'x+y-.5', 'mad') and args[0] > args[1]:
                continue
            t = [terms[i] for i in args] + [terms[0]] * (3 - arity)
            local = [scale * numbers_of(kind, a, b, c, k) for a, b, c in zip(*(x[1] for x in t))]
            if all(-1e-9 <= v <= 1 + 1e-9 for v in local) and new(local):
                samples = [SAT(scale * numbers_of(kind, a, b, c, k)) for a, b, c in zip(*(column(x, 2) for x in t))]
                n = [x[0] for x in t]
                text = {'x': n[0], 'blend': 'blend(%s,%s,%s)' % tuple(n), 'mad': '%s%s*%s+%s' % ({1: ''}.get(k, k), *n)}.get(kind) or \
                    kind.replace('x', n[0]).replace('y', n[1])
                out.append((text + {1: ''}.get(scale, '*%d' % scale), local, samples))
                if len(out) == limit:
                    return out, False
    return out, True


def problem(state, inputs, channels, part, samples, full, own=(), lent=0, second=False, least=1, most=4, seconds=60, wanted=30):
    """(text for local.c, whether all lent values are in it)."""
    alpha, rows, alphas, complete = channels == (3,), [], [], True
    for what, unit, letter in sorted(inputs):
        if alpha and letter != 'a':
            continue
        name = (what if what == 'F' else '%s%d' % (what, unit)) + ('.a' if letter == 'a' else '')
        local = leaf_columns((what, unit), letter, part, state, channels[:1])
        everywhere = leaf_columns((what, unit), letter, samples, state, channels)
        rows.append(row(name, 1, 0, local, everywhere))
        if letter == 'a':
            alphas.append((name, local, everywhere))
    if lent:
        some, complete = lent_values(alphas, full, lent)
        for text, local, everywhere in some:
            rows.append(row('<%s>' % text, 2, 1, local, everywhere or local[:1] * (len(samples) * len(channels))))
        for number, before in own:          # what the state's own alpha is before a unit whose colour reads it
            local, everywhere = (sides(before, points, 3)[1] for points in (part, samples))
            if all(1e-9 < v < 1 - 1e-9 for v in local):
                rows.append(row('<own%d>' % number, 3, 1, local, [v for v in everywhere for _ in channels]))
        rows.append(row('<1+0-.5|P*P>', 3, 1, [.25] * AT, [.25] * (len(samples) * len(channels))))
    out = evaluate(state, Points(samples))
    everywhere = [out[c].col[i] for i in range(len(samples)) for c in channels]
    rows.append(' '.join('%.17g' % v for v in sides(state, part, channels[0])[1] + everywhere))
    head = '%d %d %d %d %d %d %g %d' % (len(everywhere), len(rows) - 1, least, most, full, second, seconds, wanted)
    return '\n'.join([head, *rows]) + '\n', complete


def row(name, avail, lent, local, samples):
    return '%s %d %d %s' % (name, avail, lent, ' '.join('%.17g' % v for v in local + samples))
