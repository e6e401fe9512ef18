"""Evaluates programs of ARB_fragment_program as texenvc prints them (notes/formats/languages.md), over any
number domain, by the formulas of the extension's table of instructions. Everything else is an error.
"""
import re
import struct
from fractions import Fraction

from ..common.errors import InputError, ProgramError
from ..common.lookups import lookup, lookup_own

OPS = {'MOV': 1, 'ADD': 2, 'SUB': 2, 'MUL': 2, 'MAD': 3, 'LRP': 3, 'DP3': 2, 'DP4': 2, 'CMP': 3, 'RCP': 1,
       'ABS': 1, 'MIN': 2, 'MAX': 2}
COORDINATES = {'1D': ('1d', 1), '2D': ('2d', 2), 'RECT': ('rect', 2), '3D': ('3d', 3), 'CUBE': ('cube', 3)}
NUMBER = r'-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?'
OPERAND = re.compile(r'(-?)([a-z]\w*(?:\.texcoord\[[0-7]\]|\.color(?:\.secondary)?)?)(?:\.([xyzw]{4}|[xyzw]))?$')
INSTRUCTION = re.compile(r'([A-Z]+\d?)(_SAT)? (\S+?)(?:\.([xyzw]+))?, (.*)$')
PARAM = re.compile(r'PARAM (\w+) = (?:state\.texenv\[([0-7])\]\.color|program\.(env|local)\[([0-7])\]|\{(.*)\})$')


class Limited:
    """The value min(x, 8), which only a MAX with -8 may read."""

    def __init__(self, node):
        self.node = node


class Program:
    color_sum = False       # a flag of ATI_fragment_shader programs; here the state decides

    def __init__(self, options, params, temps, code):
        self.options, self.params, self.temps, self.code = options, params, temps, code


def single(text):
    return Fraction(struct.unpack('f', struct.pack('f', float(text)))[0])


def parse(text):
    """Parses one program; raises InputError with its line."""
    lines = text.split('\n')
    options, params, temps, code = [], {}, set(), []
    header, ended = False, False
    for number, raw in enumerate(lines, 1):
        line = raw.split('#')[0].strip()
        if not line:
            continue
        if not header:
            if raw != '!!ARBfp1.0':
                raise InputError('no !!ARBfp1.0', number, 1)
            header = True
            continue
        if ended or line != 'END' and not line.endswith(';'):
            raise InputError('unexpected %r' % line, number, 1)
        line = line[:-1] if line != 'END' else line
        m, p = INSTRUCTION.match(line), PARAM.match(line)
        if line == 'END':
            ended = True
        elif line.startswith('OPTION '):
            options.append(line[7:])
        elif line.startswith('TEMP '):
            temps |= {t.strip() for t in line[5:].split(',')}
        elif p:
            params[p.group(1)] = p.groups()[1:]
        elif m:
            code.append((number, m.group(1), bool(m.group(2)), m.group(3), m.group(4) or 'xyzw',
                         [a.strip() for a in m.group(5).split(',')]))
        else:
            raise InputError('unknown statement %r' % line, number, 1)
    if not ended:
        raise InputError('no END', len(lines), 1)
    return Program(options, params, temps, code)


class Run:
    def __init__(self, program, inputs):
        self.p, self.inputs, self.dom = program, inputs, inputs.dom
        self.regs = {t: [None] * 4 for t in program.temps}
        self.out, self.line = [None] * 4, 0

    def fail(self, message):
        raise ProgramError('line %d: %s' % (self.line, message))

    def base(self, name):
        i = self.inputs
        if name in self.regs:
            return self.regs[name]
        if name == 'fragment.color':
            return [i.primary(c) for c in range(4)]
        if name == 'fragment.color.secondary':
            return [i.secondary(c) for c in range(3)] + [None]
        if name.startswith('fragment.texcoord'):
            return [i.coord(int(name[-2]), c) for c in range(4)]
        if name not in self.p.params:
            self.fail('no %s' % name)
        env, kind, number, values = self.p.params[name]
        if env is not None:
            return [i.env(int(env), c) for c in range(4)]
        if kind:
            return [i.parameter('global' if kind == 'env' else 'local', int(number), c) for c in range(4)]
        values = [single(v) for v in values.split(',')]
        if len(values) != 4:
            self.fail('a constant of %d numbers' % len(values))
        return [self.dom.const(v) for v in values]

    def operand(self, text):
        if re.match(NUMBER + '$', text):
            return [self.dom.const(single(text))] * 4
        m = OPERAND.match(text)
        if not m:
            self.fail('bad operand %r' % text)
        v = self.base(m.group(2))
        swizzle = m.group(3) or 'xyzw'
        v = [v['xyzw'.index(c)] for c in (swizzle * 4 if len(swizzle) == 1 else swizzle)]
        return [None if x is None else self.dom.sub(self.dom.zero, x) for x in v] if m.group(1) else v

    def need(self, v, channels):
        got = [v[c] for c in channels]
        if None in got or any(isinstance(x, Limited) for x in got):
            self.fail('an undefined component is read')
        return got

    def lookup(self, op, args):
        coordinate, texture, target = args
        m = re.match(r'texture\[([0-7])\]$', texture)
        shadow = target.startswith('SHADOW')
        if (not m or target.replace('SHADOW', '') not in COORDINATES
            or shadow and 'ARB_fragment_program_shadow' not in self.p.options):
            self.fail('bad lookup')
        unit, (name, count) = int(m.group(1)), COORDINATES[target.replace('SHADOW', '')]
        own = re.match(r'fragment\.texcoord\[([0-7])\]$', coordinate)
        if own and (op == 'TXP') == (name != 'cube'):
            return [lookup_own(self.inputs, unit, int(own.group(1)), name, c, shadow) for c in range(4)]
        v = self.operand(coordinate)
        used = self.need(v, list(range(count)) + ([2] if shadow and count < 3 else []))
        divisor = self.need(v, [3])[0] if op == 'TXP' else None
        return [lookup(self.dom, unit, used, divisor, c, shadow) for c in range(4)]

    def scalar_dot(self, a, b, n):
        total = self.dom.zero
        for x, y in zip(self.need(a, range(n)), self.need(b, range(n))):
            total = self.dom.add(total, self.dom.mul(x, y))
        return total

    def channel(self, op, v, c):
        dom = self.dom
        if op == 'MAX' and isinstance(v[0][c], Limited):
            if self.limit[1] != '-8':
                self.fail('MAX with %s' % self.limit[1])
            return dom.sat8(v[0][c].node)
        a = [self.need(x, [c])[0] for x in v]
        if op == 'MIN':
            if self.limit[1] != '8':
                self.fail('MIN with %s' % self.limit[1])
            return Limited(a[0])
        if op == 'MOV':
            return a[0]
        if op == 'ADD':
            return dom.add(*a)
        if op == 'SUB':
            return dom.sub(*a)
        if op == 'MUL':
            return dom.mul(*a)
        if op == 'MAD':
            return dom.add(dom.mul(a[0], a[1]), a[2])
        if op == 'LRP':
            return dom.add(dom.mul(a[0], a[1]), dom.mul(dom.sub(dom.one, a[0]), a[2]))
        if op == 'CMP':
            return dom.select_ge_zero(a[0], a[2], a[1])
        if op == 'ABS':
            return dom.absolute(a[0])
        return self.fail('no instruction %s' % op)

    def instruction(self, op, sat, dst, mask, args):
        if op in ('TEX', 'TXP'):
            out = self.lookup(op, args)
        else:
            if OPS.get(op) != len(args):
                self.fail('bad instruction %s' % op)
            self.limit = args
            v = [self.operand(a) for a in args]
            channels = ['xyzw'.index(c) for c in mask]
            out = [None] * 4
            if op in ('DP3', 'DP4'):
                out = [self.scalar_dot(v[0], v[1], int(op[2]))] * 4
            elif op == 'RCP':                                   # a scalar operand is its one component
                out = [self.dom.div(self.dom.one, self.need(v[0], [0])[0])] * 4
            else:
                for c in channels:
                    out[c] = self.channel(op, v, c)
        if sat:
            out = [None if x is None else self.dom.sat(x) for x in out]
        target = self.out if dst == 'result.color' else self.regs.get(dst)
        if target is None:
            self.fail('no register %s' % dst)
        for c in ('xyzw'.index(c) for c in mask):
            target[c] = out[c]

    def result(self):
        for self.line, op, sat, dst, mask, args in self.p.code:
            self.instruction(op, sat, dst, mask, args)
        out = self.need(self.out, range(4))
        fog = [o[8:] for o in self.p.options if o.startswith('ARB_fog_')]
        if fog:
            from .fog import blend
            out = blend(self.inputs, [self.dom.sat(x) for x in out], fog[0])
        return out


def evaluate(program, inputs, state=None):
    return Run(program, inputs).result()
