"""Generates random fragment programs in the text of the IR (notes/formats/ir.md), and evaluates them. They
have features that ARB programs lack: every modifier, scale, clamp, lane and mask of an instruction. Bounded
ones, as texture environments give, read colours only, and instructions often read what others read, since the
rewrites for them look for common factors and repeated dot products.
"""
import random
from fractions import Fraction

from ..common import spans as n
from ..common.spans import ONE, Poison, ZERO
from . import arb_run

LANES = 'xyzw'
HALF = Fraction(1, 2)
# operation: (arguments, weight)
OPS = {'mov': (1, 3), 'add': (2, 4), 'mul': (2, 4), 'sub': (2, 4), 'mad': (3, 5), 'lerp': (3, 2),
       'dot3': (2, 2), 'dot4': (2, 2), 'dot2add': (3, 2), 'cnd': (3, 2), 'cnd0': (3, 2), 'min': (2, 2),
       'max': (2, 2), 'sge': (2, 1), 'slt': (2, 1), 'frc': (1, 2), 'flr': (1, 1), 'dph': (2, 1),
       'dst': (2, 1), 'xpd': (2, 1), 'lit': (1, 1), 'rcp': (1, 1), 'rsq': (1, 1), 'ex2': (1, 1),
       'lg2': (1, 1), 'pow': (2, 1), 'vec': (2, 2), 'kil': (1, 1)}
SCALARS = ('rcp', 'rsq', 'ex2', 'lg2', 'pow')
BOUNDED = ('mov', 'add', 'mul', 'sub', 'mad', 'lerp', 'dot3', 'dot4', 'dot2add', 'cnd', 'cnd0', 'vec')
MODIFIERS = {'abs': .2, 'comp': .1, 'bias': .1, '2x': .1, 'neg': .2}
SCALES = {'2x': 1, '4x': 2, '8x': 3, 'half': -1, 'quarter': -2, 'eighth': -3}
INPUTS = {'primary': 'fragment.color.primary', 'secondary': 'fragment.color.secondary',
          'position': 'fragment.position', **{'coord%d' % k: 'fragment.texcoord[%d]' % k for k in range(3)}}
COLOURS = {'primary': LANES, 'secondary': 'xyz'}        # the inputs of bounded programs
AS_ARB = {'lerp': 'LRP', 'dot3': 'DP3', 'dot4': 'DP4'}


class Source:
    def __init__(self, base, lanes, mods):
        self.base, self.lanes, self.mods = base, lanes, mods        # lanes: (negative, letter)

    def text(self):
        lanes = ''.join(('-' if negative else '') + letter for negative, letter in self.lanes)
        return '.'.join([self.base, lanes, *self.mods])


class Instruction:
    def __init__(self, op, mask, sources, scale=None, clamp=None):
        self.op, self.mask, self.sources, self.scale, self.clamp = op, mask, sources, scale, clamp

    def text(self, number):
        words = [self.op, self.mask, *(x for x in (self.scale, self.clamp) if x)]
        return '%%%d = %s %s @-' % (number, '.'.join(words), ', '.join(s.text() for s in self.sources))


class RandomIr:
    """One program; evaluate() works as for other programs."""

    kind = 'fp'

    def __init__(self, seed, index, longest, bounded=False):
        self.rng = random.Random('ir %d %d' % (seed, index))
        self.bounded, self.ops = bounded, {op: w for op, w in OPS.items() if not bounded or op in BOUNDED}
        self.code, self.constants, self.known, self.program = [], [], {}, self
        self.of_constants = False       # whether the instruction reads constants and literals only
        for _ in range(self.rng.randrange(4)):
            name = 'program.%s[%d]' % (self.rng.choice(('env', 'local')), self.rng.randrange(20))
            own = [self.rng.choice((0, .5, 1, 2, -1, .25, -3, .75)) for _ in LANES]
            if bounded:
                name, own = 'state.texenv[%d].color' % self.rng.randrange(4), [abs(x) % 1 for x in own]
            self.constants.append(own if self.rng.random() < .6 else name)
        if bounded and index % 4 == 3:
            self.chain()
            return
        for _ in range(self.rng.randrange(2, max(3, longest))):
            self.instruction()
        self.code.append(Instruction('mad', LANES, [self.source() for _ in range(3)]))
        self.known[len(self.code) - 1] = LANES
        whole = [k for k, mask in self.known.items() if mask == LANES]
        self.result = len(self.code) - 1, self.rng.choice(whole)

    # ---- making it ----

    def base(self):
        rng, kind = self.rng, self.rng.random()
        kind = .65 + kind / 5 if self.of_constants else kind
        if self.known and kind < .65:
            k = rng.choice(sorted(self.known)[-6:])
            return '%%%d' % k, self.known[k]
        if self.constants and kind < .8:
            return 'c%d' % rng.randrange(len(self.constants)), LANES
        name = rng.choice(sorted(COLOURS if self.bounded else INPUTS))
        return ('lit', '') if kind < .85 else (name, COLOURS.get(name, LANES) if self.bounded else LANES)

    def source(self, scalar=False, plain=False):
        rng = self.rng
        base, have = self.base()
        letters = have + ('01h' if not have or rng.random() < .35 else '')
        one = rng.random() < .2, rng.choice(letters)
        if scalar or rng.random() < .2:
            lanes = [one] * 4
        elif have == LANES and rng.random() < .4:
            lanes = [(False, c) for c in LANES]
        else:
            lanes = [(rng.random() < .2, rng.choice(letters)) for _ in LANES]
        mods = [m for m, chance in MODIFIERS.items() if rng.random() < chance]
        if plain:
            lanes, mods = [(False, letter) for _, letter in lanes], []
        return Source(base, lanes, mods)

    def some(self, letters):
        return ''.join(c for c in letters if self.rng.random() < .6) or self.rng.choice(letters)

    def instruction(self):
        rng = self.rng
        op = rng.choices(list(self.ops), [weight for _, weight in self.ops.values()])[0]
        mask = LANES if rng.random() < .5 else self.some(LANES)
        self.of_constants = self.bounded and rng.random() < .2
        sources = [self.source(op in SCALARS, op == 'vec') for _ in range(OPS[op][0])]
        if self.bounded and self.code and op != 'vec' and rng.random() < .4:
            before = rng.choice(self.code[-4:])
            op = before.op if before.op.startswith('dot') else op
            sources = (before.sources + sources)[:OPS[op][0]] if before.op != 'vec' else sources
            rng.shuffle(sources)
        if op == 'xpd':
            mask = self.some('xyz')
        for c in range(4 if op == 'vec' else 0):
            rng.choice(sources).lanes[c] = False, '0'
        changes = op not in ('vec', 'kil')
        scale = rng.choice(sorted(SCALES)) if changes and rng.random() < .2 else None
        clamp = rng.choice(('sat', 'sat8')) if changes and rng.random() < .25 else None
        if op != 'kil':
            self.known[len(self.code)] = mask
        self.code.append(Instruction(op, mask, sources, scale, clamp))

    def link(self, base, have):
        """An operand in one of few swizzles, so that operands of one name often meet."""
        rng = self.rng
        lanes = rng.choice((LANES, LANES, 'xyxy', 'xyzx', 'wwxy', 'wwww', 'xxxx', 'yyyy', 'yzxw', 'xy01', '0yz0'))
        lanes = ''.join(c if c in have + '01' else have[0] for c in lanes)
        mods = [m for m in ('comp', 'bias', '2x', 'neg') if rng.random() < .2]
        return Source(base, [(False, c) for c in lanes], mods if base[0] != '%' or rng.random() < .2 else [])

    def chain(self):
        """Two to four instructions, mostly clamped, which read the preceding one, perhaps twice, and the same
        two inputs: rewrites merge such instructions and must know when the clamp between them acts."""
        rng, names = self.rng, sorted(COLOURS.items())
        self.constants += [[rng.choice((-.25, 3, 12345, 1000000))] * 4] if rng.random() < .2 else []
        names += [('c%d' % k, LANES) for k in range(len(self.constants))]
        names = [rng.choice(names) for _ in range(2)]
        for k in range(rng.randrange(2, 5)):
            op = rng.choice(('add', 'mul', 'sub', 'mad', 'lerp'))
            sources = [self.link(*rng.choice(names)) for _ in range(OPS[op][0])]
            for other in range(rng.randrange(1, 3) if k else 0):
                sources[other] = self.link('%%%d' % (k - 1), LANES)
            rng.shuffle(sources)
            self.code.append(Instruction(op, LANES, sources, '2x' if rng.random() < .2 else None,
                                         'sat' if rng.random() < .8 else None))
        self.result = k, k

    def text(self):
        lines = ['!!texir1.0'] + ['unbounded'] * (not self.bounded)
        for k, constant in enumerate(self.constants):
            origin = 'env%s' % constant[13] if self.bounded and isinstance(constant, str) else constant
            parts = (['%s.%s 0' % (origin, c) for c in 'rgba'] if isinstance(constant, str)
                     else ['imm %g' % x for x in constant])
            lines.append('const c%d = (%s)' % (k, ', '.join(parts)))
        lines += [i.text(k) for k, i in enumerate(self.code)]
        return '\n'.join(lines) + '\nresult %%%d, %%%d\n' % self.result

    # ---- its value ----

    def read(self, source, values, inputs):
        base = source.base
        if base[0] == '%':
            whole = values[int(base[1:])]
        elif base[0] == 'c' and base[1:].isdigit():
            constant = self.constants[int(base[1:])]
            whole = inputs.vector(constant) if isinstance(constant, str) else [Fraction(x) for x in constant]
        else:
            whole = [ZERO] * 4 if base == 'lit' else inputs.vector(INPUTS[base])
        out = []
        for negative, letter in source.lanes:
            x = {'0': ZERO, '1': ONE, 'h': HALF}.get(letter)
            x = whole[LANES.index(letter)] if x is None else x
            x = n.neg(x) if negative else x
            for m in source.mods:
                x = {'abs': n.absolute, 'comp': lambda y: n.sub(ONE, y), 'bias': lambda y: n.sub(y, HALF),
                     '2x': lambda y: n.mul(Fraction(2), y), 'neg': n.neg}[m](x)
            out.append(x)
        return out

    @staticmethod
    def compute(op, a, operations):
        if op == 'vec':
            return [n.add(x, y) for x, y in zip(*a)]
        if op == 'cnd':
            return [n.choose(HALF, z, x, y) for x, y, z in zip(*a)]
        if op == 'cnd0':
            return [n.choose(z, ZERO, y, x) for x, y, z in zip(*a)]
        if op == 'dot2add':
            return [n.add(n.add(n.mul(a[0][0], a[1][0]), n.mul(a[0][1], a[1][1])), a[2][2])] * 4
        return getattr(operations, 'op_' + AS_ARB.get(op, op.upper()))(*a)

    def evaluate(self, inputs, tolerance=arb_run.Exact):
        operations, values, killer = arb_run.Operations(tolerance), [], arb_run.Killer()
        for i in self.code:
            a = [self.read(s, values, inputs) for s in i.sources]
            out = [Poison('not written')] * 4
            values.append(out)
            if i.op == 'kil':
                killer.kill([x if c in i.mask else ONE for c, x in zip(LANES, a[0])])
                continue
            got = self.compute(i.op, a, operations)
            if self.bounded and i.op == 'lerp':
                got = [n.poisoned(w) or (x if n.meet(w, n.sat(w)) else Poison('a weight that is not in [0,1]'))
                       for w, x in zip(a[0], got)]
            for c in i.mask:
                x = got[LANES.index(c)]
                x = n.mul(Fraction(2) ** SCALES[i.scale], x) if i.scale else x
                if i.clamp == 'sat8':
                    x = n.most(n.least(x, Fraction(8)), Fraction(-8))
                x = n.sat(x) if i.clamp == 'sat' else x
                if self.bounded and n.magnitude(x) > 8:
                    x = Poison('a value beyond [-8,8]')
                out[LANES.index(c)] = x
        colour, alpha = (values[k] for k in self.result)
        killer.out = {'result.color[0]': [n.sat(x) for x in colour[:3] + alpha[3:]]}
        return killer
