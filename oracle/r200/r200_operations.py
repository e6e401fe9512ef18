"""Lists the operations of a state for the search of schedules: one for each half of each live unit, after
removing copies of scale 1, literals and equal operations. There are no other algebraic simplifications.
COMBINE4 needs two operations; either of its products may be computed first.
"""
from collections import namedtuple

from ..texenv.state import CLASSIC, DEFAULT_POLICY, DOTS, EXPAND, Half
from ..texenv.texenv_eval import crossbar_rule

# An argument is (base, part, complement): base 'T3' 'C2' 'F' '0' or a node's number; part 'v' (three
# channels) or 's' (one: alpha, or a scalar's).
Node = namedtuple('Node', 'key func args scale vector dot primary constants reads needs')
# reads: frozenset of (base, part) of textures and nodes; needs: None, or (p, q) if this alternative of a
# COMBINE4 node computes product p first and adds product q


class Lowered:
    """The operations of a state. alts[n]: alternatives for node n, each a Node; final: (colour, alpha) node
    numbers."""

    def __init__(self, state, policy=DEFAULT_POLICY):
        self.state, self.policy = state, policy
        self.alts, self.known = [], {}
        self.wide = False               # an operation reads three constants, which is not covered
        colour, alpha = ('F', 'v', False), ('F', 's', False)
        for n, unit in enumerate(state.units):
            if unit is None or unit.mode not in CLASSIC and crossbar_rule(state, unit, policy) == 'pass':
                continue
            colour, alpha = self.unit(unit, n, colour, alpha)
        self.final = self.copy(colour), self.copy(alpha)
        self.keep_needed()

    # ---- arguments ----

    def texel(self, m, part):
        """Returns the texel of unit m, or a literal if the base format makes every channel that is read 0, or
        every one 1."""
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
        """Returns the number of the operation, which is the same for equal operations."""
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
        return Node(key, func, tuple(args), scale, not dot and any(p == 'v' for _, p, _ in args), dot,
                    any(b == 'F' for b, _, _ in args), constants,
                    frozenset((b, p) for b, p, _ in args if isinstance(b, int) or b[0] == 'T'), None)

    def result(self, number):
        return (number, 'v' if self.alts[number][0].vector else 's', False)

    def copy(self, arg):
        """Returns the node whose value is the argument. Adds a copy if the argument is not itself the result
        of a node."""
        if isinstance(arg[0], int) and not arg[2]:
            return arg[0]
        return self.node('replace', (arg,), 1)

    def half(self, func, args, scale):
        """Returns the value of a half: an argument (a copy or literal) or a node's result."""
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
            tail = {'modulate_add': 'add', 'modulate_signed_add': 'add_signed',
                    'modulate_subtract': 'subtract'}[func]
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
        """Returns the value of a COMBINE4 half: computes one product, then adds the other one."""
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
            new = (self.four(rgb.func, get(rgb), rgb.scale) if len(rgb.args) == 4
                   else self.half(rgb.func, get(rgb), rgb.scale))
            return new, self.alpha(unit, get)
        scale = 1 if rgb.func.endswith('_ext') else rgb.scale
        args = tuple(sorted(get(rgb), key=str))
        new = self.result(self.node('dot', args, scale))
        if rgb.func == 'dot3_rgba':
            return new, self.result(self.node('dot', args,
                                              rgb.scale if self.policy.dot3_alpha == 'rgb'
                                              else unit.alpha.scale))
        return (new, new) if rgb.func == 'dot3_rgba_ext' else (new, self.alpha(unit, get))

    def alpha(self, unit, get):
        a = unit.alpha
        return self.four(a.func, get(a), a.scale) if len(a.args) == 4 else self.half(a.func, get(a), a.scale)

    def excluded_by(self, product):
        """Returns the products that need not be computed once this one is."""
        return {w.needs[1] for ways in self.alts for w in ways if w.needs and w.needs[0] == product
                and w.needs[1] != product}

    def keep_needed(self):
        """Removes operations that do not reach the result."""
        needed, todo = set(), list(self.final)
        while todo:
            n = todo.pop()
            if n not in needed:
                needed.add(n)
                for way in self.alts[n]:
                    todo += [b for b, _ in way.reads if isinstance(b, int)]
        self.nodes = sorted(needed)


def as_combine(unit, n):
    """Returns a classic mode as COMBINE halves, by the table of notes/facts/texenv.md 3."""
    from ..texenv.liveness import classic_reads
    reads, t, p, c = classic_reads(unit), 'T%d' % n, 'P', 'C'
    keep = Half('replace', ((p, 'c'),), 1), Half('replace', ((p, 'a'),), 1)
    rgb = {'replace': ('replace', ((t, 'c'),)), 'modulate': ('modulate', ((p, 'c'), (t, 'c'))),
           'add': ('add', ((p, 'c'), (t, 'c'))),
           'blend': ('interpolate', ((c, 'c'), (p, 'c'), (t, 'c'))),
           'decal': ('interpolate', ((t, 'c'), (p, 'c'), (t, 'a')))}[unit.mode]
    alpha = {'replace': ('replace', ((t, 'a'),)), 'blend': ('interpolate', ((c, 'a'), (p, 'a'), (t, 'a'))),
             'add': ('add', ((p, 'a'), (t, 'a')))}
    alpha = (alpha['replace'] if unit.mode == 'replace' else alpha.get(unit.mode) if unit.fmt == 'intensity'
             else None)
    alpha = alpha or ('modulate', ((p, 'a'), (t, 'a')))
    return unit._replace(mode='combine', rgb=Half(*rgb, 1) if reads[0] != {'P0'} else keep[0],
                         alpha=Half(*alpha, 1) if reads[3] != {'P3'} else keep[1])
