"""Evaluates intermediate programs (notes/formats/ir.md), over any number domain."""
from fractions import Fraction

from ..common.errors import ProgramError
from ..common.lookups import lookup, lookup_own
from ..common.numbers import colour_component
from ..texenv.state import EXPAND

LANE = {'x': 0, 'y': 1, 'z': 2, 'w': 3}
COORDINATES = {'1d': 1, '2d': 2, 'rect': 2, '3d': 3, 'cube': 3}


class Run:
    def __init__(self, program, inputs):
        self.program, self.inputs, self.dom = program, inputs, inputs.dom
        self.values = []

    def base(self, name, c, line):
        """Returns one channel of a base register."""
        if name[0] == '%':
            v = self.values[int(name[1:])][c]
            if v is None:
                raise ProgramError('line %d: channel %s of %s is not defined' % (line, 'xyzw'[c], name))
            return v
        if name == 'primary':
            return self.inputs.primary(c)
        if name == 'secondary':
            if c == 3:
                raise ProgramError('line %d: the alpha of the secondary colour is read' % line)
            return self.inputs.secondary(c)
        if name.startswith('coord'):
            return self.inputs.coord(int(name[5:]), c)
        channel = (self.program.constants[int(name[1:])][c] if int(name[1:]) < len(self.program.constants)
                   else None)
        if channel is None:
            raise ProgramError('line %d: %s is not declared' % (line, name))
        if channel.param is not None:
            return self.inputs.parameter(*channel.param, channel.ch)
        return (self.dom.const(Fraction(colour_component(channel.value))) if channel.unit is None
                else self.inputs.env(channel.unit, channel.ch))

    def texel(self, i):
        """Returns the channels of a texture lookup, by the base format of the texture."""
        if i.lanes is not None:
            coords = [self.base(i.base, LANE[x], i.line) for x in i.lanes[:COORDINATES[i.target]]]
            if i.shadow and len(coords) < 3:
                coords.append(self.base(i.base, LANE[i.lanes[2]], i.line))
            divisor = (self.base(i.base, LANE[i.lanes[3]], i.line)
                       if len(i.lanes) == 4 and i.target != 'cube' else None)
        out = [None] * 4
        for c in i.mask:
            kind = EXPAND[i.fmt][LANE[c]]
            if kind in '01':
                out[LANE[c]] = self.dom.one if kind == '1' else self.dom.zero
                continue
            ch = 'rgba'.index(kind)
            out[LANE[c]] = lookup_own(self.inputs, i.texture, int(i.base[5:]), i.target, ch,
                                      i.shadow) if i.lanes is None else \
                lookup(self.dom, i.texture, coords, divisor, ch, i.shadow)
        return out

    def src(self, s, c, line):
        dom = self.dom
        negated, lane = s.lanes[c]
        v = dom.zero if lane == '0' else dom.one if lane == '1' else dom.half if lane == 'h' else \
            self.base(s.base, LANE[lane], line)
        if negated:
            v = dom.sub(dom.zero, v)
        for m in s.mods:
            if m == 'abs':
                v = dom.absolute(v)
            elif m == 'comp':
                v = dom.sub(dom.one, v)
            elif m == 'bias':
                v = dom.sub(v, dom.half)
            elif m == '2x':
                v = dom.shift(v, 1)
            else:
                v = dom.sub(dom.zero, v)
        return v

    def operate(self, i, c):
        dom, op = self.dom, i.op
        a = [self.src(s, c, i.line) for s in i.srcs]
        if op == 'mov':
            return a[0]
        if op in ('add', 'vec'):
            return dom.add(a[0], a[1])
        if op == 'proj':
            return dom.div(a[0], self.src(i.srcs[0], 3, i.line))
        if op == 'sub':
            return dom.sub(a[0], a[1])
        if op == 'mul':
            return dom.mul(a[0], a[1])
        if op == 'mad':
            return dom.add(dom.mul(a[0], a[1]), a[2])
        if op == 'lerp':
            if not dom.in_unit_range(a[0]):
                raise ProgramError('line %d: the lerp factor leaves [0,1]' % i.line)
            return dom.add(dom.mul(a[0], a[1]), dom.mul(dom.sub(dom.one, a[0]), a[2]))
        if op == 'cnd':
            return dom.select_gt_half(a[2], a[0], a[1])
        return dom.select_ge_zero(a[2], a[0], a[1])

    def dot(self, i):
        dom = self.dom
        count = {'dot3': 3, 'dot4': 4, 'dot2add': 2}[i.op]
        total = self.src(i.srcs[2], 2, i.line) if i.op == 'dot2add' else None
        for c in range(count):
            term = dom.mul(self.src(i.srcs[0], c, i.line), self.src(i.srcs[1], c, i.line))
            total = term if total is None else dom.add(total, term)
        return total

    def result(self):
        dom = self.dom
        for i in self.program.code:
            if i.op == 'tex':
                self.values.append(self.texel(i))
                continue
            out = [None] * 4
            dot = self.dot(i) if i.op.startswith('dot') else None
            for letter in i.mask:
                c = LANE[letter]
                v = dom.shift(dot if dot is not None else self.operate(i, c), i.scale)
                out[c] = dom.sat(v) if i.clamp == 'sat' else dom.sat8(v) if i.clamp == 'sat8' else v
            self.values.append(out)
        a, b = self.program.result
        out = self.values[a][:3] + [self.values[b][3]]
        if None in out:
            raise ProgramError('the result has an undefined channel')
        return out


def evaluate(program, inputs, state=None):
    return Run(program, inputs).result()


def check_state(program, state):
    """Returns the first difference between the textures and constants of the program and those of the state,
    or None."""
    for i in program.code:
        if i.op == 'tex':
            unit = state.units[i.texture] if i.texture < 8 else None
            if unit is None:
                return 'line %d: unit %d has no complete texture' % (i.line, i.texture)
            if (i.target.lower(), i.fmt, i.shadow) != (unit.target, unit.fmt, unit.shadow):
                return 'line %d: unit %d is a %s %s texture%s' % (i.line, i.texture, unit.target, unit.fmt,
                                                                 ' with comparison' if unit.shadow else '')
    for n, channels in enumerate(program.constants):
        for ch in channels:
            if ch.unit is not None:
                unit = state.units[ch.unit]
                if unit is None or unit.color[ch.ch] != ch.value:
                    return ('c%d: %s is not component %d of the environment colour of unit %d'
                            % (n, ch.value, ch.ch, ch.unit))
    return None
