"""A model of the number of pairs that a simple compiler needs for a texture environment on r300;
tests/r300/length_r300.py compares texenvc with it.

It models the compiler of Mesa's r300 driver, and was corrected by measurements of that driver (25.0.7,
driver_pairs.txt). It assumes:

- each unit is translated as Mesa's shader generator for fixed function does, by one instruction for each
  operation: LRP is x*(a-b)+b, DOT3 computes x*2-1 of both operands before a DP3, a complement is 1-x, signed
  functions subtract one half afterwards, COMBINE4 is a MUL and a MAD;
- arithmetic with literals 0 and 1 is folded, common subexpressions and dead code are removed, and a product
  and an addition become a MAD;
- functions whose results can leave [0,1] are clamped (not REPLACE, MODULATE and INTERPOLATE without scale).
  If both halves have the same function and scale, clamp and scale are part of the instruction that computes
  the value. Otherwise, if one half has a scale or a function such as MODULATE_ADD, each half takes another
  instruction for clamp and scale;
- an addition or subtraction of two colours (or two alphas) that is neither clamped nor scaled becomes the
  presubtracted operand of its uses, if no using instruction has another presubtraction; a complement becomes
  one on r500 only;
- on r300 and r400 a dot product needs a copy to the output; the alpha of DOT3_RGBA needs no other
  instruction;
- instructions are list-scheduled into pairs, without limits of ports or constants.
"""
from collections import namedtuple

from oracle.texenv.state import CLASSIC, EXPAND
from oracle.texenv.texenv_eval import crossbar_rule

ZERO, ONE, HALF = ('literal', 0), ('literal', 1), ('literal', 0.5)
Op = namedtuple('Op', 'half name args sat shift')       # args: (negated, value); half 0 rgb, 1 alpha
Cost = namedtuple('Cost', 'pairs temporaries constants nodes')
SHIFT = {1: 0, 2: 1, 4: 2}


class Program:
    """The instructions of a state. A value is an input or literal (a tuple of strings), or ('op', number)."""

    def __init__(self, state, policy, r500):
        self.ops, self.known = [], {}
        self.state, self.policy, self.r500 = state, policy, r500
        result = self.units()
        self.finish(result)

    # ---- instructions, with constant folding ----

    def op(self, half, name, *args, sat=False, shift=0):
        args = tuple(a if isinstance(a[0], bool) else (False, a) for a in args)
        folded = self.fold(name, args) if not sat and not shift else None
        if folded is not None and not folded[0]:
            return folded[1]
        if name == 'ADD':
            name, args = self.fused(half, args)
        key = Op(half, name, args, sat, shift)
        if key not in self.known:
            self.ops.append(key)
            self.known[key] = ('op', len(self.ops) - 1)
        return self.known[key]

    @staticmethod
    def fold(name, args):
        """Returns (negated, value) of an operation that folds because of literals, or None."""
        if name == 'MUL':
            for x, y in (args, args[::-1]):
                if x[1] == ZERO:
                    return (False, ZERO)
                if x == (False, ONE):
                    return y
        if name == 'ADD':
            (n, a), (m, b) = args
            if a == ZERO:
                return args[1]
            if b == ZERO:
                return args[0]
            if a[0] == b[0] == 'literal':
                value = (-a[1] if n else a[1]) + (-b[1] if m else b[1])
                if value in (0, 1, 0.5):
                    return (False, ('literal', value))
            if a == b and n != m:
                return (False, ZERO)
        return None

    def fused(self, half, args):
        """Returns (operation, arguments) of an addition: a MAD if one value is a product that can be
        fused."""
        for (negated, x), other in (args, args[::-1]):
            product = self.ops[x[1]] if x[0] == 'op' else None
            if product and (product.name, product.half, product.sat, product.shift) == ('MUL', half, False,
                0):
                (n, a), b = product.args
                return 'MAD', ((n != negated, a), b, other)
        return 'ADD', args

    def complement(self, half, x):
        return self.op(half, 'ADD', (False, ONE), (True, x))

    # ---- units ----

    def operand(self, half, value, op):
        colour, alpha = value
        x = alpha if op[-1] == 'a' else colour
        return self.complement(half, x) if op[0] == '~' else x

    def units(self):
        prev = (('primary', 'c'), ('primary', 'a'))
        for number, unit in enumerate(self.state.units):
            if unit is None:
                continue
            if unit.mode in CLASSIC:
                prev = self.classic(number, unit, prev)
                continue
            missing = crossbar_rule(self.state, unit, self.policy)
            if missing != 'pass':
                prev = self.combine(number, unit, prev, missing)
        return prev

    def texture(self, number):
        expand = EXPAND[self.state.units[number].fmt]
        colour = ZERO if expand[:3] == '000' else ('tex%d' % number, 'c')
        return colour, ONE if expand[3] == '1' else ('tex%d' % number, 'a')

    def classic(self, number, unit, prev):
        fmt = 'rgb' if unit.fmt in ('red', 'rg') else unit.fmt
        t, out = self.texture(number), list(prev)
        env = (('env%d' % number, 'c'), ('env%d' % number, 'a'))
        has = (fmt != 'alpha', fmt in ('alpha', 'luminance_alpha', 'intensity', 'rgba'))
        if unit.mode == 'decal':
            if fmt == 'rgb':
                out[0] = t[0]
            elif fmt == 'rgba':
                out[0] = self.lerp(0, t[0], prev[0], t[1])
            return tuple(out)
        for half in (0, 1):
            if not has[half]:
                continue
            mode = unit.mode
            if half == 1 and mode in ('blend', 'add') and fmt != 'intensity':
                mode = 'modulate'
            out[half] = {'replace': lambda h: t[h], 'modulate': lambda h: self.op(h, 'MUL', prev[h], t[h]),
                         'add': lambda h: self.op(h, 'ADD', prev[h], t[h], sat=True),
                         'blend': lambda h: self.lerp(h, env[h], prev[h], t[h])}[mode](half)
        return tuple(out)

    def lerp(self, half, a, b, f):
        """Returns a*f + b*(1-f) as f*(a-b) + b: one instruction if the difference is presubtracted."""
        if f in (ZERO, ONE):
            return a if f == ONE else b
        if a == b:
            return a
        if (a, b) == (ZERO, ONE):
            return self.complement(half, f)
        return self.mad(half, f, self.op(half, 'ADD', (False, a), (True, b)), b)

    def mad(self, half, a, b, c, sat=False, shift=0, negate=False):
        product = self.fold('MUL', ((False, a), (False, b)))
        if product is not None:
            return self.op(half, 'ADD', product, (negate, c), sat=sat, shift=shift)
        if c == ZERO:
            return self.op(half, 'MUL', a, b, sat=sat, shift=shift)
        return self.op(half, 'MAD', a, b, (negate, c), sat=sat, shift=shift)

    def combine(self, number, unit, prev, missing):
        def value(source):
            if source[0] == 'T':
                m = int(source[1:])
                if self.state.units[m] is None:
                    return (ONE, ONE) if missing == 'one' else (ZERO, ZERO)
                return self.texture(m)
            return {'C': (('env%d' % number, 'c'), ('env%d' % number, 'a')), 'F': (('primary', 'c'),
                ('primary', 'a')), 'P': prev,
                    '0': (ZERO, ZERO), '1': (ONE, ONE)}[source]
        rgb = unit.rgb
        if rgb.func.startswith('dot3'):
            shift = SHIFT[rgb.scale] if not rgb.func.endswith('_ext') else 0
            a, b = (self.biased(self.operand(0, value(s), o)) for s, o in rgb.args)
            colour = self.op(0, 'DP3', a, b, sat=True, shift=shift)
            if rgb.func.startswith('dot3_rgba'):
                if rgb.func == 'dot3_rgba' and unit.alpha is not None:
                    shift = SHIFT[unit.alpha.scale]
                return colour, self.op(1, 'DP3', a, b, sat=True, shift=shift)
            return colour, self.half(1, unit.alpha, value)
        late = (rgb.func, rgb.scale) != (unit.alpha.func, unit.alpha.scale) and any(h.scale != 1
            or h.func.startswith('modulate_') for h in (rgb, unit.alpha))
        return self.half(0, rgb, value, late), self.half(1, unit.alpha, value, late)

    def biased(self, x):
        """Returns (whether it must be negated, value) of 2x - 1, the operand of a dot product."""
        if x in (ZERO, ONE):
            return x == ZERO, ONE
        return self.op(0, 'MAD', x, ('two',), (True, ONE))

    def half(self, half, h, value, late=False):
        if late:
            return self.op(half, 'MOV', self.half(half, h._replace(scale=1), value), sat=True,
                           shift=SHIFT[h.scale])
        shift = SHIFT[h.scale]
        a = [self.operand(half, value(s), o) for s, o in h.args]
        end = {'sat': True, 'shift': shift}
        func = h.func
        if len(a) == 4:
            if self.fold('MUL', ((False, a[2]), (False, a[3]))) == (False, ZERO):
                a = a[2:] + a[:2]
            product = self.op(half, 'MUL', a[0], a[1])
            if func == 'add':
                return self.mad(half, a[2], a[3], product, **end)
            return self.op(half, 'ADD', self.mad(half, a[2], a[3], product), (True, HALF), **end)
        if func == 'replace':
            return a[0] if not shift else self.op(half, 'MOV', a[0], **end)
        if func == 'modulate':
            return self.op(half, 'MUL', a[0], a[1], sat=bool(shift), shift=shift)
        if func == 'add':
            return self.op(half, 'ADD', a[0], a[1], **end)
        if func == 'add_signed':
            return self.op(half, 'ADD', self.op(half, 'ADD', a[0], a[1]), (True, HALF), **end)
        if func == 'subtract':
            return self.op(half, 'ADD', a[0], (True, a[1]), **end)
        if func == 'interpolate':
            v = self.lerp(half, a[0], a[1], a[2])
            if not shift:
                return v
            if v[0] != 'op':
                return self.op(half, 'MOV', v, **end)
            return self.op(half, *self.ops[v[1]][1:2], *self.ops[v[1]].args, **end)
        if func == 'modulate_add':
            return self.mad(half, a[0], a[2], a[1], **end)
        if func == 'modulate_signed_add':
            return self.op(half, 'ADD', self.mad(half, a[0], a[2], a[1]), (True, HALF), **end)
        return self.mad(half, a[0], a[2], a[1], negate=True, **end)

    # ---- outputs, presubtraction, schedule ----

    def finish(self, result):
        """Appends copies to the outputs, removes dead code and turns instructions into presubtractions."""
        outputs = []
        for half, v in enumerate(result):
            op = self.ops[v[1]] if v[0] == 'op' else None
            copy = op is None or op.half != half or op.name == 'DP3' and not self.r500
            outputs.append(self.op(half, 'OUT', v) if copy else v)
        readers = {}
        work, live = [v for v in outputs if v[0] == 'op'], set()
        while work:
            n = work.pop()[1]
            if n in live:
                continue
            live.add(n)
            for _, a in self.ops[n].args:
                if a[0] == 'op':
                    readers.setdefault(a[1], set()).add(n)
                    work.append(a)
        presub = {}  # instruction -> the instruction that becomes its presubtraction
        final = {v[1] for v in outputs if v[0] == 'op'}
        for n in sorted(live):
            op = self.ops[n]
            plain = op.name == 'ADD' and not op.sat and not op.shift and n not in final
            inner = [a for _, a in op.args if a[0] == 'op' and a[1] in presub.values()]
            values = [a for _, a in op.args if a != ONE]
            ports = all(a[0] != 'literal' for a in values) and (self.r500
                                                                or len(values) == 2) and len({self.part(a)
                                                                    for a in values}) == 1
            if plain and ports and not inner and readers.get(n) and all(r not in presub
                and self.ops[r].name != 'OUT' for r in readers[n]):
                presub.update(dict.fromkeys(readers[n], n))
        self.folded = set(presub.values())
        self.live, self.readers = live - self.folded, readers
        self.outputs = outputs

    def part(self, value):
        """Returns the half of a value: 0 colour, 1 alpha."""
        return self.ops[value[1]].half if value[0] == 'op' else int(value[-1] == 'a')

    def sources(self, n):
        """Returns the values that instruction n reads, directly or through presubtraction."""
        out = []
        for _, a in self.ops[n].args:
            if a[0] == 'op' and a[1] in self.folded:
                out += self.sources(a[1])
            elif a[0] != 'literal':
                out.append(a)
        return out

    def cost(self):
        depends = {n: {a[1] for a in self.sources(n) if a[0] == 'op'} for n in self.live}
        height = {}
        for n in sorted(self.live, reverse=True):
            height[n] = 1 + max((height[m] for m in self.live if n in depends[m]), default=0)
        done, order = set(), []
        while len(done) < len(self.live):
            ready = [n for n in self.live if n not in done and depends[n] <= done]
            pair = []
            for half in (0, 1):
                mine = [n for n in ready if self.ops[n].half == half]
                if mine:
                    pair.append(max(mine, key=lambda n: (height[n], -n)))
            order.append(pair)
            done |= set(pair)
        return Cost(max(1, len(order)), self.registers(order), self.constants(), 1)

    def constants(self):
        names = {a[0] for n in self.live for a in self.sources(n)}
        return len({x for x in names if x.startswith('env') or x == 'two'})

    def registers(self, order):
        """Returns the largest number of live values of one half; inputs are live from the start."""
        last = {}
        for at, pair in enumerate(order):
            for n in pair:
                for a in self.sources(n):
                    last[a if a[0] == 'op' else a[0]] = at
        inputs = [k for k in last if isinstance(k, str) and not k.startswith(('env', 'two'))]
        most = max(1, len(inputs))
        born = {('op', n): at for at, pair in enumerate(order) for n in pair}
        for at in range(len(order)):
            for half in (0, 1):
                alive = sum(last[k] > at for k in inputs)
                alive += sum(b <= at < last.get(v, -1) and self.ops[v[1]].half == half for v,
                             b in born.items())
                most = max(most, alive)
        return most


def cost(state, policy, target='r300'):
    """Returns what the state takes in the model, as Cost."""
    return Program(state, policy, target == 'r500').cost()
