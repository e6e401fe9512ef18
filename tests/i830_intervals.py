"""Problems for the search for covers that knows clamps and dots (tests/cover_i830/search.c): points at which the result of a pipe is not clamped, as far as such
are found, and what is known there."""
import os
import random
import sys
from collections import Counter
from fractions import Fraction

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from oracle import chips, steep                                                                            # noqa: E402
from oracle.domain import Columns, Node                                                                    # noqa: E402
from oracle.texenv_eval import evaluate                                                                    # noqa: E402
from oracle.vectors import Named                                                                           # noqa: E402
from i830_pipes import STAGES, dependencies, prefix                                                        # noqa: E402


# ---- points ----

class Points(Named):
    """Input vectors from {name: [Fraction]}."""

    def __init__(self, columns, count):
        self.dom, self.count = Columns(count), count
        self.columns = {name: Node(40, [int(v * (1 << 40)) for v in column]) for name, column in columns.items()}

    def get(self, name):
        return self.columns.get(name) or self.dom.zero


def names_of(inputs):
    out = []
    for what, unit, _ in inputs:
        for c in range(4):
            out.append(({'T': 'tex', 'C': 'env', 'F': 'primary'}[what], unit, c))
    return sorted(set(out))


def values(node, count):
    return [v / (1 << node.f) for v in node.col] if isinstance(node, Node) else [float(node)] * count


def choose(state, inputs, channels, dots, extra, count=36):
    """Points at which the wanted channels lie strictly between their bounds, as far as such are found; and some at which they do not."""
    names = names_of(inputs)
    rng = random.Random('points %s' % (state,))
    pool = []
    for i in range(600):
        kind = i % 3
        pool.append({n: Fraction(rng.randrange(4, 61), 64) if kind else Fraction(rng.randrange(1, 1000), 1000 * 1) for n in names})
    pool = [{n: Fraction(int(v * 4096), 4096) for n, v in p.items()} for p in pool]
    found = steep.search(lambda vectors: evaluate(state, vectors), steep.mark(state), 24, 4)
    if found is not None:
        some = {n: found.get(n).values() for n in names}
        pool += [{n: some[n][i] for n in names} for i in range(found.count)]
    if dots:            # for a dot with this input: two of its channels at one half
        for what, unit, letter in inputs:
            for c in range(3) if letter == 'c' else ():
                for _ in range(60):
                    p = dict(rng.choice(pool))
                    for k in range(3):
                        p[({'T': 'tex', 'C': 'env', 'F': 'primary'}[what], unit, k)] = Fraction(rng.choice((0, 1, 2, 14, 15, 16)), 16) if k == c else Fraction(1, 2)
                    p['special'] = (what, unit, c)
                    pool.append(p)
    columns = {n: [p[n] for p in pool] for n in names}
    out = evaluate(state, Points(columns, len(pool)))
    got = [values(out[c], len(pool)) for c in channels]
    score = [sum(1e-6 < column[i] < 1 - 1e-6 for column in got) for i in range(len(pool))]
    order = sorted(range(len(pool)), key=lambda i: (-score[i], i % 3 != 1, i))
    picked, special = [], Counter()
    for i in order:
        tag = pool[i].get('special')
        if tag is None and len(picked) - sum(special.values()) < count - 6 or tag is not None and special[tag] < 2:
            picked.append(i)
            special[tag] += tag is not None
    picked += [i for i in range(600) if i not in picked][:6]                  # and saturated ones
    picked = picked[:120 - len(extra)]
    return Points({n: [v.get(n) for v in extra] + [pool[i][n] for i in picked] for n in names}, len(picked) + len(extra))


# ---- the text ----

def leaf_channels(kind, source, points, state):
    """Four channels of an input at all points."""
    what, unit = source
    if what == 'T':
        return chips.Inputs(points, state).texture(unit)
    return [points.env(unit, c) if what == 'C' else points.primary(c) for c in range(4)]


def row(name, mask, avail, columns):
    """A leaf's line; columns: one list of values a channel."""
    return '%s %d %d %s' % (name, mask, avail, ' '.join('%.17g' % v for vs in zip(*columns) for v in vs))


def problem(state, kind, full, seconds, more=True, extra=(), most=STAGES):
    """Text for the search; more: with the leaves that the other pipe gives, and ACCUM."""
    inputs, borrowed = dependencies(state, kind)
    order = sorted(inputs)
    alpha_dots = kind == 'a' and any(letter == 'c' for _, _, letter in inputs)
    channels = (0, 1, 2) if kind == 'c' else (3,)
    points = choose(state, inputs, channels, kind == 'c' or alpha_dots, extra)
    n = points.count
    bits = {source: 1 << i for i, source in enumerate(order)}
    colour, alpha = [], []
    for source in order:
        what, unit, letter = source
        four = [values(v, n) for v in leaf_channels(kind, source[:2], points, state)]
        name = (what if what == 'F' else '%s%d' % (what, unit)) + ('.a' if letter == 'a' else '')
        if kind == 'c' or alpha_dots:
            colour.append(row(name, bits[source], 1, four[:3] if letter == 'c' else [four[3]] * 3))
        if letter == 'a':
            alpha.append(row(name, bits[source], 1, four[3:]))
    alphas = any(letter == 'a' for _, _, letter in inputs)
    if kind == 'c' and more:
        for number in sorted(borrowed):
            before = prefix(state, number)
            four = evaluate(before, points)
            needs, _ = dependencies(before, 'a')
            colour.append(row('own%d' % number, sum(bits.get(s, 0) for s in needs), 3, [values(four[3], n)] * 3))
        if not alphas:                      # then the alpha pipe can only give numbers
            colour.append(row('<1+0-.5>', 0, 2, [[.5] * n] * 3))
            colour.append(row('fourth', 0, 3, [[.25] * n] * 3))
    out = evaluate(state, points)
    target = [values(out[c], n) for c in channels]
    essential = sum(bits[s] for s in order if matters(state, inputs, s, channels))
    head = '%d %d %d %d %d %d %d %d %g' % (kind == 'a', n, len(colour), len(alpha), most, full, full and more, more and kind == 'c' and alphas, seconds)
    return '\n'.join([head, *colour, *alpha, '%d %s' % (essential, ' '.join('%.17g' % v for vs in zip(*target) for v in vs))]) + '\n'


def matters(state, inputs, source, channels):
    """Whether some points show that the channels depend on an input."""
    rng = random.Random('matters %s' % (source,))
    names = names_of(inputs)
    base = {n: [Fraction(rng.randrange(0, 65), 64) for _ in range(150)] for n in names}
    what, unit, letter = source
    changed = dict(base)
    for c in range(3) if letter == 'c' else (3,):
        name = ({'T': 'tex', 'C': 'env', 'F': 'primary'}[what], unit, c)
        changed[name] = [Fraction(rng.randrange(0, 65), 64) for _ in range(150)]
        if what == 'T' and state.units[unit].fmt not in ('rgb', 'rgba', 'rg', 'red', 'alpha', 'luminance_alpha'):
            return False                    # one stored component makes colour and alpha: not to be told apart
    a, b = evaluate(state, Points(base, 150)), evaluate(state, Points(changed, 150))
    return any(values(a[c], 150) != values(b[c], 150) for c in channels)
