"""Is there a schedule of a state on R200 at all? Searches to judge refusals; they know nothing of how texenvc schedules.

What is scheduled: one operation for each half of each live unit, after copies of scale 1, literals and equal operations have been taken out (no other algebra;
COMBINE4 takes two operations, in either order of its products). A value whose operands are all replicated channels, or a dot, is a scalar: one channel.

Rules (r200.md 1, 2, 3.5): 8 stages a pass, each with a colour and an alpha operation that read the old values; 6 registers; a vector takes
the three colour channels of a register, a scalar any one channel; the alpha half writes alpha channels only, the colour half colour channels, but a
dot may go to alpha by DOT_ALPHA; a scalar may be computed by either half (dots: colour) and moved; textures come into registers at the start of a pass, at most 6
different ones in all; between two passes the colour channels of a register survive, alpha channels do not; texels may be looked up again; primary colour in the
last pass only, unless assumed otherwise; an operation reads at most two different constants.

Two searches. The relaxed one moves scalars between channels for nothing; it is exhaustive over the orders of operations, the sets of operations of a first pass and
the alphas that are packed into it, so that where it finds nothing, nothing is there. The concrete one places every scalar and counts every move; what it
finds is a schedule. Between the two the answer is 'unknown'.

Not covered: vectors whose channels are computed by three operations, values computed twice within a pass, algebra.
"""
from collections import namedtuple
from itertools import combinations, product as tuples

from .liveness import live_textures
from .state import CLASSIC, DEFAULT_POLICY, DOTS, EXPAND, Half
from .texenv_eval import crossbar_rule

STAGES, REGISTERS = 8, 6

# An argument is (base, part, complement): base 'T3' 'C2' 'F' '0' or a node's number; part 'v' (three channels) or 's' (one: alpha, or a scalar's).
Node = namedtuple('Node', 'key func args scale vector dot primary constants reads needs')
# reads: frozenset of (base, part) of textures and nodes; needs: None, or (this product, the other product): done by way of this product


class Lowered:
    """The operations of a state. alts[n]: ways of node n, each a Node; final: (colour, alpha) node numbers."""

    def __init__(self, state, policy=DEFAULT_POLICY):
        self.state, self.policy = state, policy
        self.alts, self.known = [], {}
        self.wide = False               # an operation reads three constants: not covered
        colour, alpha = ('F', 'v', False), ('F', 's', False)
        for n, unit in enumerate(state.units):
            if unit is None or unit.mode not in CLASSIC and crossbar_rule(state, unit, policy) == 'pass':
                continue
            colour, alpha = self.unit(unit, n, colour, alpha)
        self.final = self.copy(colour), self.copy(alpha)
        self.keep_needed()

    # ---- arguments ----

    def texel(self, m, part):
        """Texel of unit m: literal where the base format has one in every channel that is read."""
        fmt = EXPAND[self.state.units[m].fmt]
        letters = set(fmt[:3] if part == 'v' else fmt[3])
        if letters == {'0'} or letters == {'1'}:
            return ('0', 's', letters == {'1'})
        if fmt[:3] == 'rrr' and part == 's' and fmt[3] == 'r':
            return ('T%d' % m, 's', False)
        return ('T%d' % m, part, False)

    def argument(self, source, op, n, colour, alpha):
        replicate = op[-1] == 'a'
        if source == 'P':
            got = alpha if replicate else colour
        elif source[0] == 'T':
            m = int(source[1:])
            if self.state.units[m] is None:
                rule = crossbar_rule(self.state, self.state.units[n], self.policy)
                got = ('0', 's', rule == 'one')
            else:
                got = self.texel(m, 's' if replicate else 'v')
        elif source in '01':
            got = ('0', 's', source == '1')
        else:
            got = ('C%d' % n if source == 'C' else 'F', 's' if replicate else 'v', False)
        return got[:2] + (got[2] ^ (op[0] == '~'),)

    # ---- operations ----

    def node(self, func, args, scale):
        """Number of the operation; the same one for the same key."""
        key = (func, args, scale)
        if key in self.known:
            return self.known[key]
        self.alts.append([self.way(key, func, args, scale)])
        self.known[key] = len(self.alts) - 1
        return len(self.alts) - 1

    def way(self, key, func, args, scale):
        constants = frozenset(b for b, _, _ in args if str(b)[0] == 'C')
        self.wide |= len(constants) > 2
        dot = func in DOTS or func == 'dot'
        return Node(key, func, tuple(args), scale, not dot and any(p == 'v' for _, p, _ in args), dot, any(b == 'F' for b, _, _ in args), constants,
                    frozenset((b, p) for b, p, _ in args if isinstance(b, int) or b[0] == 'T'), None)

    def result(self, number):
        return (number, 'v' if self.alts[number][0].vector else 's', False)

    def copy(self, arg):
        """The node that writes the result; a copy if it is no operation with its own clamp."""
        if isinstance(arg[0], int) and not arg[2]:
            return arg[0]
        return self.node('replace', (arg,), 1)

    def half(self, func, args, scale):
        """Value of a half: an argument (copy, literal) or a node's result."""
        zero, one = ('0', 's', False), ('0', 's', True)
        a = list(args)
        if func == 'interpolate':
            if a[2] == one or a[0] == a[1]:
                func, a = 'replace', [a[0]]
            elif a[2] == zero:
                func, a = 'replace', [a[1]]
            elif a[1] == zero:
                func, a = 'modulate', [a[0], a[2]]
            elif a[0] == zero:
                func, a = 'modulate', [a[1], a[2][:2] + (not a[2][2],)]
        if func in ('modulate_add', 'modulate_signed_add', 'modulate_subtract'):
            x, y, z = a[0], a[2], a[1]
            tail = {'modulate_add': 'add', 'modulate_signed_add': 'add_signed', 'modulate_subtract': 'subtract'}[func]
            if zero in (x, y):
                func, a = tail, [zero, z]
            elif one in (x, y):
                func, a = tail, [y if x == one else x, z]
            elif z == zero and func != 'modulate_signed_add':
                func, a = 'modulate', [x, y]
        if func == 'modulate':
            if zero in a:
                return zero
            if one in a:
                func, a = 'replace', [a[1] if a[0] == one else a[0]]
        elif func == 'add':
            if one in a:
                return one
            if zero in a:
                func, a = 'replace', [a[1] if a[0] == zero else a[0]]
        elif func == 'subtract':
            if a[0] == zero or a[1] == one or a[0] == a[1]:
                return zero
            if a[1] == zero:
                func, a = 'replace', [a[0]]
            elif a[0] == one:
                func, a = 'replace', [a[1][:2] + (not a[1][2],)]
        if func == 'replace' and (scale == 1 or a[0] in (zero, one)):
            return a[0]
        if func in ('modulate', 'add', 'add_signed'):
            a.sort(key=str)
        return self.result(self.node(func, tuple(a), scale))

    def four(self, func, args, scale):
        """COMBINE4: a product, then the other one added."""
        zero, one = ('0', 's', False), ('0', 's', True)
        sums = []
        for x, y in (args[:2], args[2:]):
            if zero in (x, y):
                sums.append(zero)
            elif one in (x, y):
                sums.append(y if x == one else x)
            else:
                sums.append(tuple(sorted((x, y), key=str)))
        products = [s for s in sums if isinstance(s[0], tuple)]
        if len(products) < 2:
            if not products:
                return self.half(func, sums, scale)
            (x, y), rest = products[0], next(s for s in sums if not isinstance(s[0], tuple))
            return self.half('modulate_add' if func == 'add' else 'modulate_signed_add', [x, rest, y], scale)
        key = ('four', func, tuple(sorted(sums, key=str)), scale)
        if key in self.known:
            return self.result(self.known[key])
        first, second = (self.node('product', s, 1) for s in sums)
        ways = []
        for this, other, rest in ((first, second, sums[1]), (second, first, sums[0])):
            value = self.result(this)
            signed = 'modulate_add' if func == 'add' else 'modulate_signed_add'
            ways.append(self.way(key, signed, (rest[0], value, rest[1]), scale)._replace(needs=(this, other)))
        if first == second:
            ways = ways[:1]
        self.alts.append(ways)
        self.known[key] = number = len(self.alts) - 1
        vector = any(w.vector for w in ways)
        self.alts[number] = [w._replace(vector=vector) for w in ways]
        return self.result(number)

    def unit(self, unit, n, colour, alpha):
        if unit.mode in CLASSIC:
            unit = as_combine(unit, n)
        get = lambda half: [self.argument(s, o, n, colour, alpha) for s, o in half.args]
        rgb = unit.rgb
        if rgb.func not in DOTS:
            new = self.four(rgb.func, get(rgb), rgb.scale) if len(rgb.args) == 4 else self.half(rgb.func, get(rgb), rgb.scale)
            return new, self.alpha(unit, get)
        scale = 1 if rgb.func.endswith('_ext') else rgb.scale
        args = tuple(sorted(get(rgb), key=str))
        new = self.result(self.node('dot', args, scale))
        if rgb.func == 'dot3_rgba':
            return new, self.result(self.node('dot', args, rgb.scale if self.policy.dot3_alpha == 'rgb' else unit.alpha.scale))
        return (new, new) if rgb.func == 'dot3_rgba_ext' else (new, self.alpha(unit, get))

    def alpha(self, unit, get):
        a = unit.alpha
        return self.four(a.func, get(a), a.scale) if len(a.args) == 4 else self.half(a.func, get(a), a.scale)

    def excluded_by(self, product):
        """Products that need not be computed once this one is."""
        return {w.needs[1] for ways in self.alts for w in ways if w.needs and w.needs[0] == product and w.needs[1] != product}

    def keep_needed(self):
        """Only what reaches the result."""
        needed, todo = set(), list(self.final)
        while todo:
            n = todo.pop()
            if n not in needed:
                needed.add(n)
                for way in self.alts[n]:
                    todo += [b for b, _ in way.reads if isinstance(b, int)]
        self.nodes = sorted(needed)


def as_combine(unit, n):
    """A classic mode as COMBINE halves, by the table of texenv.md section 3."""
    from .liveness import classic_reads
    reads, t, p, c = classic_reads(unit), 'T%d' % n, 'P', 'C'
    keep = Half('replace', ((p, 'c'),), 1), Half('replace', ((p, 'a'),), 1)
    rgb = {'replace': ('replace', ((t, 'c'),)), 'modulate': ('modulate', ((p, 'c'), (t, 'c'))), 'add': ('add', ((p, 'c'), (t, 'c'))),
           'blend': ('interpolate', ((c, 'c'), (p, 'c'), (t, 'c'))), 'decal': ('interpolate', ((t, 'c'), (p, 'c'), (t, 'a')))}[unit.mode]
    alpha = {'replace': ('replace', ((t, 'a'),)), 'blend': ('interpolate', ((c, 'a'), (p, 'a'), (t, 'a'))), 'add': ('add', ((p, 'a'), (t, 'a')))}
    alpha = alpha['replace'] if unit.mode == 'replace' else alpha.get(unit.mode) if unit.fmt == 'intensity' else None
    alpha = alpha or ('modulate', ((p, 'a'), (t, 'a')))
    return unit._replace(mode='combine', rgb=Half(*rgb, 1) if reads[0] != {'P0'} else keep[0], alpha=Half(*alpha, 1) if reads[3] != {'P3'} else keep[1])


class PassSearch:
    """One pass: nodes `todo` with what is there at its start, `carry` to be there at its end. Scalars that start in colour channels are in `groups`, those of one
    register each. A state is (nodes done, products excluded, groups, moves); all else follows from it. `moves` is how many scalars may be placed in colour
    channels or moved; None is the relaxed search, without groups."""

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
        """Values that are there and still wanted."""
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
                if (self.primary or not w.primary) and w.reads <= live and (w.needs is None or w.needs[0] in done):
                    yield n, w
                    break               # which of two ways is decided by the products

    def stages(self, done, excluded, groups, live, moves):
        """(colour, alpha): what a stage may do. Each ('node', n, place) | ('move', value, place) | None, the same thing twice for a dot that goes to alpha; place:
        'v', 'a', ('new',) or a group."""
        colours, alphas, both = [None], [None], []
        free = self.most is None or moves < self.most
        places = [('new',)] + (list(groups) if free else [])
        for n, w in self.ready(done, excluded, live):
            ends = [self.last and n == f for f in self.low.final]   # the colour of the result, its alpha
            if w.vector:
                colours.append(('node', n, 'v'))
            elif all(ends):
                both.append(('node', n, 'a'))
            elif ends[0]:
                colours.append(('node', n, ('new',)))               # it writes red, green and blue
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
        """The state after a stage, or None if it does not fit."""
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
            frozenset(g for g in (frozenset(s for s in group if s in live) for group in [*parts.values(), *new]) if g)
        if self.most is not None and moves > self.most or any(len(g) > 3 for g in groups) or not self.fits(live, groups):
            return None
        return frozenset(done), frozenset(excluded), groups, moves

    def in_time(self, state, left):
        """Whether the operations that are surely still to be done have room in so many stages."""
        done, excluded, _, _ = state
        colour = total = 0
        met = set()
        for n in self.open_nodes(done, excluded):
            ways = self.low.alts[n]
            if ways[0].key[0] == 'product':
                continue                            # either of two
            counts = 1
            products = {p for w in ways if w.needs for p in w.needs}
            if products and not products & (done | met) and not products & set(excluded):
                counts, met = 2, met | products
            total += counts
            if ways[0].vector or ways[0].dot:
                colour += counts if ways[0].vector and all(self.low.alts[p][0].vector for p in products) else 1
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
        """{groups at the end: list of stages}: the ends that can be reached; of the last pass and of the relaxed search one is enough. `budget`: [states left]."""
        live = self.live((), ())
        groups = () if self.most is None else frozenset(g for g in (frozenset(s for s in g if s in live) for g in self.groups) if g)
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
    """Registers whose colour channels hold so many scalars."""
    return max(0, -(-count // 3))


class Exhausted(Exception):
    """The search met its limit of states."""


def downsets(low, usable):
    """Sets of nodes that a first pass may do: closed under operands; of two products at most one."""
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
    """Nodes that the last pass still has to do, given values that it starts with."""
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
    """(Lowered, passes) of a state, each pass a PassSearch and its stages; None if there is no schedule, 'unknown' where neither is shown."""
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
    """A schedule as text lines, None, or 'unknown'."""
    found = schedule(state, policy, primary_first)
    return found if found is None or found == 'unknown' else lines(*found)


def tainted(low, n):
    """Whether every way of a node needs the primary colour."""
    return all(w.primary or any(tainted(low, b) for b, _ in w.reads if isinstance(b, int)) for w in low.alts[n])


def schedules(low, textures, primary_first, moves, budget):
    """Schedules as lists of passes, those of one pass first."""
    one = PassSearch(low, low.nodes, textures, (), (), True, primary_first, moves)
    for path in one.run(budget).values():
        yield [(one, path)]
        return
    usable = [n for n in low.nodes if primary_first or not tainted(low, n)]
    for first in downsets(low, usable):
        yield from two(low, first, primary_first, moves, budget)


def two(low, first, primary_first, moves, budget):
    """Schedules in which the first pass does the nodes `first`."""
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
            one = PassSearch(low, first, texture_values(low, first) | set(packed), (), carry, False, primary_first, moves)
            for groups, path in one.run(budget).items():
                if moves is not None and names + vectors + len(groups) > REGISTERS:
                    continue
                values = again | {v for v in carry if moves is None or v[1] == 'v'}
                second = PassSearch(low, rest, values, groups, (), True, primary_first, moves)
                for end in second.run(budget).values():
                    yield [(one, path), (second, end)]


def lines(low, passes):
    """A schedule for people: value names by node number."""
    out = ['%%%d = %s' % (n, low.alts[n][0].key) for n in low.nodes]
    for number, (_, path) in enumerate(passes, 1):
        for k, (c, a) in enumerate(path):
            out.append('pass %d stage %d: %s' % (number, k, ' | '.join(
                'colour+alpha %s' % (c,) if c is a and i == 0 else '%s %s' % (name, x) for i, (name, x) in enumerate((('colour', c), ('alpha', a)))
                if x is not None and not (c is a and i))))
    return out


def judge(refusal, state, options):
    """What is wrong with a refusal of texenvc, or None."""
    textures, _, _ = live_textures(state, options.policy)
    if any(state.units[t].shadow for t in textures):
        return None
    found = search(state, options.policy, 'primary-in-first-pass' in options.assume)
    return None if found is None or found == 'unknown' else 'there is a schedule: ' + '; '.join(found)
