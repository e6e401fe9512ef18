"""Searches whether a state has any schedule on R200, to judge refusals. The search is independent of how
texenvc schedules.

It schedules the operations that r200_operations.py finds. A value whose operands are all replicated channels,
or a dot product, is a scalar: one channel. Rules (notes/facts/r200.md 1, 2, 3.5): 8 stages per pass, each
with a colour and an alpha operation that read the old values; 6 registers; a vector takes the three colour
channels of a register, a scalar any one channel; the alpha half writes alpha channels only, the colour half
writes colour channels, but its dot product may be written to alpha (DOT_ALPHA); a scalar may be computed by
either half (a dot product only by the colour half) and moved; textures are loaded into registers at the start
of a pass, at most 6 different ones in all; between two passes the colour channels of a register survive,
alpha channels do not; texels may be looked up again; the primary colour is readable in the last pass only,
unless assumed otherwise; an operation reads at most two different constants.

There are two searches. The relaxed one moves scalars between channels at no cost. It is exhaustive over the
orders of operations, the sets of operations in a first pass and the alphas that this pass packs into colour
channels, so if it finds nothing, there is no schedule. The concrete one places every scalar and counts every
move, so what it finds is a schedule. If only the relaxed one succeeds, the answer is 'unknown'. Neither
search considers vectors whose channels are computed by three operations, values that are computed twice
within a pass, or algebraic rewrites.
"""
from itertools import combinations, product as tuples

from ..texenv.liveness import live_textures
from ..texenv.state import DEFAULT_POLICY
from .r200_operations import Lowered

STAGES, REGISTERS = 8, 6


class PassSearch:
    """One pass: computes the nodes `todo` from the values at its start, so that the values `carry` exist at
    its end. Scalars that start in colour channels are in `groups`, one group per register. A search state is
    (nodes done, products excluded, groups, moves); everything else follows from it. `moves` is how many
    scalars may be placed in colour channels or moved; None means the relaxed search, without groups."""

    def __init__(self, low, todo, values, groups, carry, last, primary_first, moves):
        self.low, self.todo, self.most = low, frozenset(todo), moves
        self.start_values = frozenset(values) | frozenset(s for g in groups for s in g)
        self.groups, self.carry, self.last = frozenset(groups), frozenset(carry), last
        self.primary = last or primary_first
        self.final = set(low.final) if last else set()

    def ways(self, n, excluded):
        return [w for w in self.low.alts[n] if w.needs is None or w.needs[0] not in excluded]

    def value(self, n):
        return (n, 'v' if self.low.alts[n][0].vector else 's')

    def open_nodes(self, done, excluded):
        return [n for n in self.todo if n not in done and n not in excluded]

    def live(self, done, excluded):
        """Returns the values that exist and are still needed."""
        wanted = set(self.carry)
        for n in self.open_nodes(done, excluded):
            for w in self.ways(n, excluded):
                wanted |= w.reads
        wanted |= {self.value(n) for n in self.final if n in done}
        return frozenset(v for v in wanted if v in self.start_values or v[0] in done)

    def fits(self, live, groups):
        vectors = sum(p == 'v' for _, p in live)
        scalars = len(live) - vectors
        if self.most is None:
            return vectors + thirds(scalars - REGISTERS) <= REGISTERS
        return vectors + len(groups) <= REGISTERS and scalars - sum(map(len, groups)) <= REGISTERS

    def ready(self, done, excluded, live):
        for n in self.open_nodes(done, excluded):
            for w in self.ways(n, excluded):
                if (self.primary or not w.primary) and w.reads <= live and (w.needs is None
                                                                            or w.needs[0] in done):
                    yield n, w
                    break               # the products that are done decide between two alternatives

    def stages(self, done, excluded, groups, live, moves):
        """Yields (colour, alpha) for each possible stage. Each half is ('node', n, place), ('move', value,
        place) or None; both are the same for a dot product that is written to alpha. place: 'v', 'a',
        ('new',) or a group."""
        colours, alphas, both = [None], [None], []
        free = self.most is None or moves < self.most
        places = [('new',)] + (list(groups) if free else [])
        for n, w in self.ready(done, excluded, live):
            ends = [self.last and n == f for f in self.low.final]   # n is the result's colour, its alpha
            if w.vector:
                colours.append(('node', n, 'v'))
            elif all(ends):
                both.append(('node', n, 'a'))
            elif ends[0]:
                colours.append(('node', n, ('new',)))               # a dot product writes red, green and blue
            else:
                (both if w.dot else alphas).append(('node', n, 'a'))
                if self.most is None:
                    colours.append(('node', n, 'a'))
                elif free and not ends[1]:
                    colours += [('node', n, p) for p in places]
        if self.most is not None and free:
            grouped = {s for g in groups for s in g}
            for s in live:
                if s[1] == 's':
                    colours += [('move', s, p) for p in places if s not in p]
                    if s in grouped:
                        alphas.append(('move', s, 'a'))
        for c, a in tuples(colours, alphas):
            if (c or a) and (c is None or a is None or c[1] != a[1]):
                yield c, a
        for n in both:
            yield n, n

    def apply(self, done, excluded, groups, moves, c, a):
        """Returns the state after a stage, or None if it does not fit."""
        done, excluded = set(done), set(excluded)
        parts = {g: set(g) for g in groups}
        new = []
        for kind, x, place in ([c] if c is a else [y for y in (c, a) if y]):
            if kind == 'node':
                done.add(x)
                excluded |= self.low.excluded_by(x) - done
            value = self.value(x) if kind == 'node' else x
            for members in parts.values():
                members.discard(value)
            final = kind == 'node' and self.last and x == self.low.final[0]
            moves += kind == 'move' or place not in ('v', 'a') and not final
            if place == ('new',):
                new.append({value})
            elif place not in ('v', 'a'):
                parts[place].add(value)
        live = self.live(done, excluded)
        groups = () if self.most is None else \
            frozenset(g for g in (frozenset(s for s in group if s in live)
                                  for group in [*parts.values(), *new]) if g)
        if (self.most is not None and moves > self.most or any(len(g) > 3 for g in groups)
            or not self.fits(live, groups)):
            return None
        return frozenset(done), frozenset(excluded), groups, moves

    def in_time(self, state, left):
        """Returns whether the operations that must still be done fit into so many stages."""
        done, excluded, _, _ = state
        colour = total = 0
        met = set()
        for n in self.open_nodes(done, excluded):
            ways = self.low.alts[n]
            if ways[0].key[0] == 'product':
                continue                            # counted with the node that adds the other product
            counts = 1
            products = {p for w in ways if w.needs for p in w.needs}
            if products and not products & (done | met) and not products & set(excluded):
                counts, met = 2, met | products
            total += counts
            if ways[0].vector or ways[0].dot:
                colour += (counts if ways[0].vector and all(self.low.alts[p][0].vector for p in products)
                           else 1)
        return colour <= left and total <= 2 * left

    def finished(self, state):
        done, excluded, groups, _ = state
        if self.last:
            return all(n in done for n in self.low.final)
        if self.open_nodes(done, excluded):
            return False
        grouped = {s for g in groups for s in g}
        return self.most is None or all(v in grouped for v in self.carry if v[1] == 's')

    def run(self, budget):
        """Searches: returns {groups at the end: list of stages} for the reachable ends; one end suffices for
        the last pass and for the relaxed search. `budget`: [number of states left]."""
        live = self.live((), ())
        groups = () if self.most is None else frozenset(g
                                                        for g in (frozenset(s for s in g if s in live)
                                                                  for g in self.groups) if g)
        state = (frozenset(), frozenset(), groups, 0)
        if not self.fits(live, groups) or not self.in_time(state, STAGES):
            return {}
        ends, level, seen = {}, {state: []}, {state}
        if not self.last and self.finished(state):
            ends[groups] = []
        for number in range(STAGES):
            following = {}
            for state, path in level.items():
                done, excluded, groups, moves = state
                for c, a in self.stages(done, excluded, groups, self.live(done, excluded), moves):
                    new = self.apply(*state, c, a)
                    if new is None or new in seen:
                        continue
                    seen.add(new)
                    if not self.in_time(new, STAGES - 1 - number):
                        continue
                    budget[0] -= 1
                    if budget[0] < 0:
                        raise Exhausted
                    following[new] = path + [(c, a)]
                    if self.finished(new):
                        ends.setdefault(new[2], following[new])
                        if self.last or self.most is None:
                            return ends
            level = following
        return ends


def thirds(count):
    """Returns how many registers are needed to hold so many scalars in their colour channels."""
    return max(0, -(-count // 3))


class Exhausted(Exception):
    """The search reached its limit of states."""


def downsets(low, usable):
    """Yields the sets of nodes that a first pass may compute. They contain the operands of their members, and
    at most one of two alternative products."""
    out, todo = {frozenset()}, [frozenset()]
    while todo:
        s = todo.pop()
        for n in usable:
            if n in s:
                continue
            for w in low.alts[n]:
                inner = {b for b, _ in w.reads if isinstance(b, int)}
                if inner <= s and (w.needs is None or w.needs[0] in s):
                    bigger = s | {n}
                    if bigger not in out:
                        out.add(bigger)
                        todo.append(bigger)
                    break
    return sorted(out, key=lambda s: (len(s), sorted(s)))


def closure(low, have):
    """Returns the nodes that the last pass still has to compute from the values with which it starts."""
    needed, todo = set(), list(low.final)
    while todo:
        n = todo.pop()
        if n in needed or n in have:
            continue
        needed.add(n)
        for w in low.alts[n]:
            todo += [b for b, _ in w.reads if isinstance(b, int)]
    return needed


def texture_values(low, nodes):
    return {r for n in nodes for w in low.alts[n] for r in w.reads if not isinstance(r[0], int)}


def schedule(state, policy=DEFAULT_POLICY, primary_first=False, budget=100000):
    """Returns (Lowered, passes) of a state, each pass as (PassSearch, stages); None if there is no schedule,
    or 'unknown' if the search could show neither."""
    low = Lowered(state, policy)
    textures = texture_values(low, low.nodes)
    if len({b for b, _ in textures}) > REGISTERS:
        return None
    if low.wide:
        return 'unknown'
    try:
        if not any(True for _ in schedules(low, textures, primary_first, None, [budget])):
            return None
    except Exhausted:
        return 'unknown'
    for moves in range(7):
        try:
            for passes in schedules(low, textures, primary_first, moves, [budget // 8]):
                return low, passes
        except Exhausted:
            pass
    return 'unknown'


def search(state, policy=DEFAULT_POLICY, primary_first=False):
    """Returns a schedule as text lines, or None, or 'unknown'."""
    found = schedule(state, policy, primary_first)
    return found if found is None or found == 'unknown' else lines(*found)


def tainted(low, n):
    """Returns whether every alternative of a node needs the primary colour."""
    return all(w.primary or any(tainted(low, b) for b, _ in w.reads if isinstance(b, int))
               for w in low.alts[n])


def schedules(low, textures, primary_first, moves, budget):
    """Yields schedules as lists of passes, those of one pass first."""
    one = PassSearch(low, low.nodes, textures, (), (), True, primary_first, moves)
    for path in one.run(budget).values():
        yield [(one, path)]
        return
    usable = [n for n in low.nodes if primary_first or not tainted(low, n)]
    for first in downsets(low, usable):
        yield from two(low, first, primary_first, moves, budget)


def two(low, first, primary_first, moves, budget):
    """Yields schedules in which the first pass does the nodes `first`."""
    rest = closure(low, first)
    reads = {r for n in rest for w in low.alts[n] for r in w.reads}
    carried = {r for r in reads if r[0] in first}
    later = {r for r in reads if not isinstance(r[0], int)}
    if not carried and first:
        return
    alphas = sorted(r for r in later if r[1] == 's')
    for count in range(len(alphas) + 1):
        for packed in combinations(alphas, count):
            if not first and not packed:
                continue
            carry, again = carried | set(packed), later - set(packed)
            names, vectors = len({b for b, _ in again}), sum(p == 'v' for _, p in carry)
            if names + vectors + thirds(len(carry) - vectors) > REGISTERS:
                continue
            one = PassSearch(low, first, texture_values(low, first) | set(packed), (), carry, False,
                             primary_first, moves)
            for groups, path in one.run(budget).items():
                if moves is not None and names + vectors + len(groups) > REGISTERS:
                    continue
                values = again | {v for v in carry if moves is None or v[1] == 'v'}
                second = PassSearch(low, rest, values, groups, (), True, primary_first, moves)
                for end in second.run(budget).values():
                    yield [(one, path), (second, end)]


def lines(low, passes):
    """Formats a schedule for people, with node numbers as names of values."""
    out = ['%%%d = %s' % (n, low.alts[n][0].key) for n in low.nodes]
    for number, (_, path) in enumerate(passes, 1):
        for k, (c, a) in enumerate(path):
            out.append('pass %d stage %d: %s' % (number, k, ' | '.join(
                'colour+alpha %s' % (c,) if c is a and i == 0 else '%s %s' % (name, x) for i,
                (name, x) in enumerate((('colour', c), ('alpha', a)))
                if x is not None and not (c is a and i))))
    return out


def judge(refusal, state, options):
    """Returns what is wrong with a refusal of texenvc, or None."""
    textures, _, _ = live_textures(state, options.policy)
    if any(state.units[t].shadow for t in textures):
        return None
    found = search(state, options.policy, 'primary-in-first-pass' in options.assume)
    return None if found is None or found == 'unknown' else 'there is a schedule: ' + '; '.join(found)
