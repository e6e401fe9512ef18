"""Evaluates ATI_fragment_shader programs (notes/facts/atifs.md 1 to 6), over any number domain.

The halves of a pair run in parallel: both read the registers before either writes. Reading an undefined
channel is an error. Results are clamped to [-8,8]. `mesa=True` evaluates instead as Mesa 22.3.6 does
(notes/facts/real-gl.md 3): colour first, then alpha with the updated registers; the alpha half of a dot
product uses its own arguments, DOT2ADD adds the blue of argument 2, nothing is clamped, and undefined
channels are 0.
"""
from fractions import Fraction

from ..common.errors import ProgramError
from ..common.lookups import lookup, lookup_own
from ..common.numbers import colour_component
from ..texenv.texenv_eval import texel
from .atifs_text import DOT_OPS

INDEX = {'r': 0, 'g': 1, 'b': 2, 'a': 3}


def pairs_of(code):
    """Groups an instruction stream into pairs [(colour or None, alpha or None)] (notes/facts/atifs.md 6)."""
    pairs, open_colour = [], False
    for item in code:
        for instr in (item if type(item[0]) is not str else (item,)):
            if instr.mask != 'a':
                pairs.append((instr, None))
                open_colour = True
            elif open_colour:
                pairs[-1] = (pairs[-1][0], instr)
                open_colour = False
            else:
                pairs.append((None, instr))
    return pairs


class Run:
    """One evaluation. `state` has the formats of the textures (None: every texel is RGBA)."""

    def __init__(self, program, inputs, state=None, mesa=False, literal_constants=False, partial=False):
        self.program, self.inputs, self.state, self.mesa = program, inputs, state, mesa
        self.dom = inputs.dom
        self.literal, self.partial = literal_constants, partial
        self.const_cache = {}
        self.regs = {}

    def result(self):
        """Returns the four channels of r0 at the end."""
        undefined = [self.dom.zero] * 4 if self.mesa else [None] * 4
        self.regs = {'r%d' % i: list(undefined) for i in range(6)}
        passes = self.program.passes
        for number, p in enumerate(passes):
            before = self.regs
            self.regs = {'r%d' % i: list(undefined) for i in range(6)}
            for s in p.setup:
                self.regs[s.dst] = self.setup(s, before)
            for colour, alpha in pairs_of(p.code):
                self.pair(colour, alpha)
        out = self.regs['r0']
        for c, v in zip('rgba', out):
            if v is None and not self.partial:
                raise ProgramError('r0.%s is undefined at the end' % c)
        return out

    def setup(self, s, before):
        if hasattr(self.inputs, 'sample'):
            return self.sampled(s, before)
        coords = before[s.src] if s.src[0] == 'r' else [self.inputs.coord(int(s.src[1]), c) for c in range(4)]
        third = coords[2] if s.swizzle.startswith('str') else coords[3]
        if s.op == 'SampleMap':
            return self.sample(s, [coords[0], coords[1], third])
        if s.swizzle.endswith(('_dr', '_dq')):
            return self.projected(s, [coords[0], coords[1], third]) + [None]
        return [coords[0], coords[1], third, None]

    def projected(self, s, coords):
        """Returns s/r, t/r and 1/r."""
        if None in coords:
            raise ProgramError('%s: a coordinate is not defined' % s.text)
        return [self.dom.div(x, coords[2]) for x in (coords[0], coords[1], self.dom.one)]

    def sample(self, s, coords):
        bind = self.program.binds.get(int(s.dst[1]))
        number = bind.texture if bind else int(s.dst[1])
        target = bind.target if bind and bind.target else '2d'
        # the program was converted from a state: looks up as the state does
        if s.src[0] == 't' and self.state is not None:
            unit = self.state.units[number] if number < 8 else None
            if unit is None:
                raise ProgramError('%s: unit %d has no complete texture' % (s.text, number))
            return texel(self.inputs, unit._replace(shadow=False), number)
        three = target in ('3d', 'cube')
        if s.src[0] == 't' and s.swizzle == ('str' if target == 'cube' else None if three else 'stq_dq'):
            return [lookup_own(self.inputs, number, int(s.src[1]), target, c) for c in range(4)]
        divided = s.swizzle.endswith(('_dr', '_dq'))
        divisor = coords[2] if divided and not three else None
        used = (self.projected(s, coords) if divided and three
                else coords[:3 if three else 1 if target == '1d' else 2])
        if None in used or divided and coords[2] is None:
            raise ProgramError('%s: a coordinate is not defined' % s.text)
        return [lookup(self.dom, number, used, divisor, c) for c in range(4)]

    def sampled(self, s, before):
        """Executes a setup instruction if texels are functions of the coordinates. Works on single vectors,
        so that dependent lookups and divisions have values, too."""
        coords = before[s.src] if s.src[0] == 'r' else [self.inputs.coord(int(s.src[1]), c) for c in range(4)]
        third = coords[2 if s.swizzle[:3] == 'str' else 3]
        divided = s.swizzle[3:] != ''
        if s.op == 'SampleMap':
            bind = self.program.binds.get(int(s.dst[1]))
            used = coords[:2]
            if None in used or divided and not third:
                raise ProgramError('%s: undefined coordinates' % s.text)
            return self.inputs.sample(bind.texture if bind else int(s.dst[1]),
                                      [c / third for c in used] if divided else used)
        if not divided:
            return [coords[0], coords[1], third, None]
        if not third:
            raise ProgramError('%s: divides by an undefined coordinate' % s.text)
        return [None if c is None else c / third for c in coords[:2]] + [1 / third, None]

    def constant(self, name):
        got = self.const_cache.get(name)
        if got is None:
            unit = self.program.const_units.get(name)
            kind, value = self.program.constants.get(name, (None, None))
            if kind is None:
                raise ProgramError('%s is not declared' % name)
            if unit is not None and not self.literal:
                got = [self.inputs.env(unit, c) for c in range(4)]
            elif kind == 'literal':
                got = [self.dom.const(Fraction(colour_component(v))) for v in value]
            elif self.state is None:
                got = [self.inputs.parameter('global' if kind == 'env' else kind, value, c) for c in range(4)]
            else:
                raise ProgramError('%s is program.%s[%d] and no comment says which unit it belongs to'
                                   % (name, kind, value))
            self.const_cache[name] = got
        return got

    def channel(self, arg, ch, regs):
        """Returns one channel of an argument after its modifiers: rep, then COMP, BIAS, 2X, NEGATE
        (notes/facts/atifs.md 4)."""
        dom = self.dom
        c = INDEX[arg.rep] if arg.rep else ch
        base = arg.base
        if base in regs:
            v = regs[base][c]
            if v is None:
                raise ProgramError('%s.%s is read but not defined' % (base, 'rgba'[c]))
        elif base == '0':
            v = dom.zero
        elif base == '1':
            v = dom.one
        elif base == 'color0':
            v = self.inputs.primary(c)
        elif base == 'color1':
            if c == 3:
                raise ProgramError('the alpha of color1 is read')
            v = self.inputs.secondary(c)
        else:
            v = self.constant(base)[c]
        if arg.comp:
            v = dom.sub(dom.one, v)
        if arg.bias:
            v = dom.sub(v, dom.half)
        if arg.x2:
            v = dom.shift(v, 1)
        if arg.neg:
            v = dom.sub(dom.zero, v)
        return v

    def dot(self, instr, regs):
        """Returns the value of a dot product before destination modifiers."""
        dom, (a, b) = self.dom, instr.args[:2]
        if instr.op == 'DOT2ADD':
            last = instr.args[1 if self.mesa else 2]
            channels, total = (0, 1), self.channel(last, 2, regs)
        else:
            channels, total = range(4 if instr.op == 'DOT4' else 3), None
        for c in channels:
            term = dom.mul(self.channel(a, c, regs), self.channel(b, c, regs))
            total = term if total is None else dom.add(total, term)
        return total

    def operate(self, instr, ch, regs):
        """Returns one channel of a component-wise operation (notes/facts/atifs.md 3)."""
        dom, op = self.dom, instr.op
        a = [self.channel(x, ch, regs) for x in instr.args]
        if op == 'MOV':
            return a[0]
        if op == 'ADD':
            return dom.add(a[0], a[1])
        if op == 'MUL':
            return dom.mul(a[0], a[1])
        if op == 'SUB':
            return dom.sub(a[0], a[1])
        if op == 'MAD':
            return dom.add(dom.mul(a[0], a[1]), a[2])
        if op == 'LERP':
            if not dom.in_unit_range(a[0]):
                raise ProgramError('%s: the LERP factor leaves [0,1], which is undefined' % instr.text)
            return dom.add(dom.mul(a[0], a[1]), dom.mul(dom.sub(dom.one, a[0]), a[2]))
        if op == 'CND':
            return dom.select_gt_half(a[2], a[0], a[1])
        if op == 'CND0':
            return dom.select_ge_zero(a[2], a[0], a[1])
        raise AssertionError(op)

    def finish(self, instr, value):
        """Applies the destination modifiers: scale, then clamping to [0,1] (SATURATE) or [-8,8]
        (notes/facts/atifs.md 5)."""
        value = self.dom.shift(value, instr.scale)
        if instr.sat:
            return self.dom.sat(value)
        return value if self.mesa else self.dom.sat8(value)

    def pair(self, colour, alpha):
        regs, writes, dot = self.regs, [], None
        if colour is not None:
            if colour.op in DOT_OPS:
                dot = self.dot(colour, regs)
                value = self.finish(colour, dot)
                writes += [(colour.dst, INDEX[c], value) for c in colour.mask]
            else:
                writes += [(colour.dst, INDEX[c], self.finish(colour, self.operate(colour, INDEX[c], regs)))
                           for c in colour.mask]
            if self.mesa:
                for dst, c, v in writes:
                    regs[dst][c] = v
        if alpha is not None:
            if alpha.op in DOT_OPS:
                if colour is None or colour.op != alpha.op:
                    raise ProgramError('%s: an alpha dot needs the same colour dot just before it'
                                       % alpha.text)
                value = self.dot(alpha, regs) if self.mesa else dot
            else:
                value = self.operate(alpha, 3, regs)
            writes.append((alpha.dst, 3, self.finish(alpha, value)))
        for dst, c, v in writes:
            regs[dst][c] = v


def evaluate(program, inputs, state=None, mesa=False, literal_constants=False, partial=False):
    """Returns the four channels of the result. A channel that was not written is an error, or with `partial`
    None."""
    return Run(program, inputs, state, mesa, literal_constants, partial).result()
