"""Evaluates programs of ARB_fragment_program and ARB_vertex_program by the extensions' tables of
instructions, with the numbers of spans.py: exact where an operation is rational; results that the extensions
leave undefined are poison.
"""
import math
from fractions import Fraction

from ..common import spans as n
from ..common.errors import Unsupported
from ..common.spans import ONE, Poison, Undecided, ZERO
from .arb_text import FOG

LANES = 'xyzw'
HALF = Fraction(1, 2)
COORDINATES = {'1D': 1, '2D': 2, '3D': 3, 'CUBE': 3, 'RECT': 2, 'SHADOW1D': 2, 'SHADOW2D': 3, 'SHADOWRECT': 3}
REFERENCE = {'SHADOW1D': 2, 'SHADOW2D': 2, 'SHADOWRECT': 2}       # the component that is the reference value
# 1/ln 2 as a program has it in a constant, rounded to single precision.
INVERSE_LN2 = n.Span((1 - 2.0 ** -24) / math.log(2), (1 + 2.0 ** -24) / math.log(2))


class Exact:
    """Real arithmetic, without tolerances."""

    @staticmethod
    def rational(value, *parts):
        return value

    ex2 = lg2 = power = wave = staticmethod(lambda value, *operands: value)
    zero_power = staticmethod(lambda exponent: ZERO)


class Stated:
    """Tolerances for implementations. The tolerances were measured on two of Mesa's implementations; the
    extension demands about 1 part in 10^5. Relative tolerances refer to the largest intermediate value."""

    @staticmethod
    def rational(value, *parts):
        return n.widen(value, 5e-7 * n.magnitude(value, *parts))

    zero_power = Exact.zero_power

    @staticmethod
    def ex2(value, _):
        return n.widen(value, 1e-6 * n.magnitude(value))

    @staticmethod
    def lg2(value, _):
        return n.widen(value, 3e-6)

    @staticmethod
    def power(value, exponent):
        return n.widen(value, (1e-6 + 1e-6 * n.magnitude(exponent)) * n.magnitude(value))

    @staticmethod
    def wave(value, operand):
        return n.widen(value, 2e-6 + 2e-7 * n.magnitude(operand))


def dot(tolerance, products):
    total = ZERO
    for p in products:
        total = n.add(total, p)
    return tolerance.rational(total, *products)


def lit_power(y, w, tolerance):
    """Returns y^clamp(w, +-(128-eps)) for a y that is not negative."""
    if isinstance(w, Poison):
        return w
    lo, hi = n.bounds(w)
    if hi > 127.9 or lo < -127.9:       # eps is implementation-defined
        w = n.Span(max(-128.0, min(float(lo), 127.9)), min(128.0, max(float(hi), -127.9)))
    if isinstance(w, Fraction) and w == 0:
        return ONE                      # 0^0 = 1
    ylo, yhi = n.bounds(y)
    if yhi == 0:
        return tolerance.zero_power(w) if n.bounds(w)[0] > 0 else Poison('LIT of 0 to a power < 0')
    if ylo <= 0:
        return Undecided('LIT of %r' % y)
    return tolerance.power(n.exp2(n.mul(w, n.log2(y))), w)


class Operations:
    """The operations. Each takes operands of four components (scalar ones use the first) and returns four."""

    def __init__(self, tolerance):
        self.t = tolerance

    def each(self, f, *operands):
        return [f(*lane) for lane in zip(*operands)]

    def op_MOV(self, a):
        return list(a)

    op_SWZ = op_MOV

    def op_ABS(self, a):
        return self.each(n.absolute, a)

    def op_FLR(self, a):
        return self.each(n.floor, a)

    def op_FRC(self, a):
        return self.each(lambda x: self.t.rational(n.sub(x, n.floor(x)), x), a)

    def op_ADD(self, a, b):
        return self.each(lambda x, y: self.t.rational(n.add(x, y), x, y), a, b)

    def op_SUB(self, a, b):
        return self.each(lambda x, y: self.t.rational(n.sub(x, y), x, y), a, b)

    def op_MUL(self, a, b):
        return self.each(lambda x, y: self.t.rational(n.mul(x, y)), a, b)

    def op_MAX(self, a, b):
        return self.each(n.most, a, b)

    def op_MIN(self, a, b):
        return self.each(n.least, a, b)

    def op_SLT(self, a, b):
        return self.each(lambda x, y: n.choose(x, y, ONE, ZERO), a, b)

    def op_SGE(self, a, b):
        return self.each(lambda x, y: n.choose(x, y, ZERO, ONE), a, b)

    def op_MAD(self, a, b, c):
        return self.each(lambda x, y, z: dot(self.t, (n.mul(x, y), z)), a, b, c)

    def op_LRP(self, a, b, c):
        return self.each(lambda x, y, z: dot(self.t, (n.mul(x, y), n.mul(n.sub(ONE, x), z))), a, b, c)

    def op_CMP(self, a, b, c):
        return self.each(lambda x, y, z: n.choose(x, ZERO, y, z), a, b, c)

    def dots(self, products):
        return [dot(self.t, products)] * 4

    def op_DP3(self, a, b):
        return self.dots([n.mul(a[i], b[i]) for i in range(3)])

    def op_DP4(self, a, b):
        return self.dots([n.mul(a[i], b[i]) for i in range(4)])

    def op_DPH(self, a, b):
        return self.dots([n.mul(a[i], b[i]) for i in range(3)] + [b[3]])

    def op_DST(self, a, b):
        return [ONE, self.t.rational(n.mul(a[1], b[1])), a[2], b[3]]

    def op_XPD(self, a, b):
        out = []
        for i in range(3):
            j, k = (i + 1) % 3, (i + 2) % 3
            out.append(dot(self.t, (n.mul(a[j], b[k]), n.neg(n.mul(a[k], b[j])))))
        return out + [Poison('XPD.w')]

    def op_LIT(self, a):
        x, y, w = n.most(a[0], ZERO), n.most(a[1], ZERO), a[3]
        z = n.choose(ZERO, a[0], n.poisoned(y) or lit_power(y, w, self.t), ZERO)
        return [ONE, x, z, ONE]

    def op_EX2(self, a):
        return [self.t.ex2(n.exp2(a[0]), a[0])] * 4

    def op_LG2(self, a):
        return [self.t.lg2(n.log2(a[0]), a[0])] * 4

    def op_RCP(self, a):
        return [self.t.rational(n.reciprocal(a[0]))] * 4

    def op_RSQ(self, a):
        return [self.t.rational(n.reciprocal_root(n.absolute(a[0])))] * 4

    def op_POW(self, a, b):
        lo, hi = (ONE, ONE) if isinstance(a[0], Poison) else n.bounds(a[0])
        if lo <= 0:
            return [Poison('POW of a number <= 0') if hi <= 0 else Undecided('POW of %r' % a[0])] * 4
        return [self.t.power(n.exp2(n.mul(b[0], n.log2(a[0]))), b[0])] * 4

    def op_SIN(self, a):
        return [self.t.wave(n.sine(a[0]), a[0])] * 4

    def op_COS(self, a):
        return [self.t.wave(n.cosine(a[0]), a[0])] * 4

    def op_SCS(self, a):
        lo, hi = (ZERO, ZERO) if isinstance(a[0], Poison) else n.bounds(a[0])
        if lo < -math.pi or hi > math.pi:
            return [Poison('SCS outside of [-pi,pi]')] * 4
        return self.op_COS(a)[:1] + self.op_SIN(a)[:1] + [Poison('SCS.z'), Poison('SCS.w')]

    def op_EXP(self, a):
        s = a[0]
        floor, value = n.floor(s), n.exp2(s)
        part = n.exp2(floor)
        rough = value if n.poisoned(value, part) else n.widen(value, float(n.bounds(part)[1]) / 2048)
        return [part, n.sub(s, floor), n.poisoned(value, part) or rough, ONE]

    def op_LOG(self, a):
        size = n.absolute(a[0])
        if not isinstance(size, Poison) and n.bounds(size)[1] == 0:
            return [Poison('LOG of 0')] * 4
        log = n.log2(size)
        floor = n.floor(log)
        return [floor, n.mul(size, n.exp2(n.neg(floor))), n.widen(log, 1 / 2048), ONE]


class Killer:
    """killed: True, False, or poison if it is not known."""

    killed = False

    def kill(self, a):
        bad = n.poisoned(*a)
        tests = [None if isinstance(x, Poison) else n.less(x, ZERO) for x in a]
        if True in tests:
            poisoned = isinstance(self.killed, Poison) and not self.killed.undecided
            self.killed = self.killed if poisoned else True
        elif None in tests and self.killed is False:
            self.killed = bad or Undecided('KIL')


class Run(Killer):
    def __init__(self, program, inputs, tolerance=Exact):
        self.p, self.inputs = program, inputs
        self.ops, self.tolerance = Operations(tolerance), tolerance
        self.regs = {name: [Poison('%s.%s was not written' % (name, c)) for c in LANES]
                     for name, v in program.variables.items() if v.kind == 'temp'}
        self.address = {}
        self.arrays = program.arrays()
        self.out = {}

    # ---- operands ----

    def vector(self, what):
        """Returns the value of a binding or constant."""
        if isinstance(what, str):
            return self.inputs.vector(what)
        return [x if isinstance(x, Fraction) else Poison('a number out of range') for x in what]

    def base(self, ref):
        if ref[0] == 'temp':
            return self.regs[ref[1]]
        if ref[0] != 'relative':
            return self.vector(ref[1])
        _, name, register, offset = ref
        a = self.address.get(register, Poison('%s was not written' % register))
        if isinstance(a, Poison):
            return [a] * 4
        index, items = int(a) + offset, self.arrays[name]
        return (self.vector(items[index]) if 0 <= index < len(items)
                else [Poison('%s has no element %d' % (name, index))] * 4)

    def load(self, source):
        v, out = self.base(source.ref), []
        for negative, c in source.lanes:
            x = ZERO if c == '0' else ONE if c == '1' else v[LANES.index(c)]
            out.append(n.neg(x) if negative else x)
        return out

    # ---- instructions ----

    def texture(self, i, a):
        count, shadow = COORDINATES[i.texture], i.texture in REFERENCE
        if i.texture == 'SHADOW1D':
            a = [a[0], a[2], a[1], a[3]]
        coordinates = a[:count]
        if i.op == 'TXP':
            q = a[3]
            if not isinstance(q, Poison) and n.bounds(q)[0] <= 0:
                return [Poison('TXP with q <= 0') if n.bounds(q)[1] <= 0 else Undecided('TXP')] * 4
            coordinates = [n.mul(c, n.reciprocal(q)) for c in coordinates]
        return self.inputs.lookup(i.unit, i.texture, coordinates, a[3] if i.op == 'TXB' else ZERO, shadow)

    def step(self, i):
        operands = [self.load(s) for s in i.sources]
        if i.op == 'KIL':
            self.kill(operands[0])
            return
        if i.op == 'ARL':
            self.address[i.target.name] = n.floor(operands[0][0])
            return
        if i.op in ('TEX', 'TXP', 'TXB'):
            got = self.texture(i, operands[0])
        else:
            got = getattr(self.ops, 'op_' + i.op)(*operands)
        store = self.regs if i.target.kind == 'temp' else self.out
        register = store.setdefault(i.target.name,
                                    [Poison('%s.%s was not written' % (i.target.name, c)) for c in LANES])
        for c in i.target.mask:
            x = got[LANES.index(c)]
            register[LANES.index(c)] = n.sat(x) if i.sat else x

    def fog(self, mode):
        """Applies fog: rgb = LRP(f, colour, state.fog.color)."""
        c = self.inputs.vector('fragment.fogcoord')[0]
        density, _, end, scale = self.inputs.vector('state.fog.params')
        if mode == 'ARB_fog_linear':
            f = n.mul(n.sub(end, c), scale)
        else:
            x = n.mul(density, c)
            x = n.mul(x, x) if mode == 'ARB_fog_exp2' else x
            f = n.exp2(n.neg(n.mul(x, INVERSE_LN2)))
            f = self.tolerance.ex2(f, x)
        f = n.sat(f)
        colour, out = self.inputs.vector('state.fog.color'), self.out['result.color[0]']
        mixed = self.ops.op_LRP([f] * 3, out[:3], colour[:3])
        self.out['result.color[0]'] = mixed + out[3:]

    def fixed_position(self):
        """Returns the position by fixed function: the modelview-projection matrix times the vertex."""
        at = self.inputs.vector('vertex.position')
        rows = [self.inputs.vector('state.matrix.mvp.row[%d]' % k) for k in range(4)]
        return [dot(self.tolerance, [n.mul(a, b) for a, b in zip(row, at)]) for row in rows]

    def run(self):
        for i in self.p.code:
            self.step(i)
        if 'ARB_position_invariant' in self.p.options:
            self.out['result.position'] = self.fixed_position()
        for name, v in self.out.items():
            if name.startswith('result.color') or name == 'result.depth':
                v[:] = [n.sat(x) for x in v]
        mode = next((o for o in self.p.options if o in FOG), None)
        if mode:
            if any(k.startswith('result.color') and k != 'result.color[0]' for k in self.out):
                raise Unsupported('fog of several colours')
            if 'result.color[0]' in self.out:
                self.fog(mode)
        if 'result.depth' in self.out:
            self.out['result.depth'] = self.out['result.depth'][2:3]
        for name in ('result.fogcoord', 'result.pointsize'):
            if name in self.out:
                self.out[name] = self.out[name][:1]
        return self


def evaluate(program, inputs, tolerance=Exact):
    """Runs a program; the returned Run has .out (components by result) and .killed (True, False or Poison).
    """
    return Run(program, inputs, tolerance).run()


# ---- comparison ----

WIDEST = 1e-3           # a lane whose value is known less precisely is not compared


class Verdict:
    """The result of a comparison."""

    def __init__(self, widest=WIDEST):
        """widest: lanes whose value is known less precisely than this are not compared."""
        self.compared = self.undefined = self.undecided = 0
        self.difference, self.widest = None, widest


def compare_lane(verdict, name, a, b):
    if isinstance(a, Poison):
        verdict.undecided += a.undecided
        verdict.undefined += not a.undecided
        return
    if isinstance(b, Undecided) or n.width(a) > verdict.widest:
        verdict.undecided += 1
        return
    verdict.compared += 1
    if isinstance(b, Poison) or not n.meet(a, b):
        verdict.difference = verdict.difference or '%s is %r, not %r' % (name, b, show(a))
    elif n.width(b) > 4 * n.width(a) + verdict.widest:
        verdict.compared -= 1
        verdict.undecided += 1


def show(a):
    return float(a) if isinstance(a, Fraction) else a


def compare(verdict, a, b):
    """Compares b with a, both Runs on one input vector; b may have any value where a is undefined."""
    if isinstance(a.killed, Poison) or isinstance(b.killed, Undecided):
        verdict.undecided += 1
        return
    if a.killed != b.killed and b.killed is not a.killed:
        verdict.difference = verdict.difference or 'killed: %r, not %r' % (b.killed, a.killed)
    if a.killed or verdict.difference:
        return
    for name in sorted(set(a.out) | set(b.out)):
        # a program that writes no depth keeps the rasterised depth; a missing colour is undefined
        if name == 'result.depth' and (name in a.out) != (name in b.out):
            verdict.difference = 'depth is %swritten' % ('' if name in b.out else 'not ')
        elif name in a.out:
            other = b.out.get(name, [Poison('%s was not written' % name)] * 4)
            for c, x, y in zip(LANES, a.out[name], other):
                compare_lane(verdict, '%s.%s' % (name, c), x, y)


__all__ = ['evaluate', 'compare', 'Verdict', 'Exact', 'Stated', 'HALF']
