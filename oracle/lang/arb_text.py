"""Parses texts of ARB_fragment_program and ARB_vertex_program: checks the grammar, and all rules of the
extensions' specifications whose violation makes a program fail to load. An error has its line and column, and
the byte offset that GL reports (`offset`).
"""
import math
import struct
from collections import namedtuple
from fractions import Fraction

from ..common.errors import InputError
from . import arb_bindings
from .arb_scan import NUMBER, Scanner, TARGET, WORD

# operation: its operands (v vector, s scalar)
BOTH = {'ABS': 'v', 'ADD': 'vv', 'DP3': 'vv', 'DP4': 'vv', 'DPH': 'vv', 'DST': 'vv', 'EX2': 's', 'FLR': 'v',
        'FRC': 'v', 'LG2': 's', 'LIT': 'v', 'MAD': 'vvv', 'MAX': 'vv', 'MIN': 'vv', 'MOV': 'v', 'MUL': 'vv',
        'POW': 'ss', 'RCP': 's', 'RSQ': 's', 'SGE': 'vv', 'SLT': 'vv', 'SUB': 'vv', 'SWZ': 'z', 'XPD': 'vv'}
OPS = {'fp': {**BOTH, 'CMP': 'vvv', 'LRP': 'vvv', 'COS': 's', 'SIN': 's', 'SCS': 's', 'KIL': 'k', 'TEX': 't',
              'TXP': 't', 'TXB': 't'},
       'vp': {**BOTH, 'ARL': 'a', 'EXP': 's', 'LOG': 's'}}
SHARED_WORDS = ('ALIAS', 'ATTRIB', 'END', 'OPTION', 'OUTPUT', 'PARAM', 'TEMP', 'program', 'result', 'state')
RESERVED = {'fp': {*SHARED_WORDS, *OPS['fp'], *(op + '_SAT' for op in OPS['fp'] if op != 'KIL'), 'fragment',
                   'texture'},
            'vp': {*SHARED_WORDS, *OPS['vp'], 'ADDRESS', 'vertex'}}
FOG = ('ARB_fog_exp', 'ARB_fog_exp2', 'ARB_fog_linear')
HINTS = ('ARB_precision_hint_fastest', 'ARB_precision_hint_nicest')
OPTIONS = {'fp': (*FOG, *HINTS, 'ARB_fragment_program_shadow', 'ARB_draw_buffers', 'ATI_draw_buffers'),
           'vp': ('ARB_position_invariant',)}
TARGETS = ('1D', '2D', '3D', 'CUBE', 'RECT')
SHADOWS = ('SHADOW1D', 'SHADOW2D', 'SHADOWRECT')
KINDS = {'!!ARBfp1.0': 'fp', '!!ARBvp1.0': 'vp'}

# One operand. ref: ('temp', name), ('attrib', binding), ('param', binding or four Fractions) or ('relative',
# name of the array, name of the address register, offset). lanes: four (negated, one of xyzw01).
Source = namedtuple('Source', 'ref lanes at')
Target = namedtuple('Target', 'kind name mask')          # kind: temp, result, address
Instruction = namedtuple('Instruction', 'op sat target sources unit texture at')


class Variable:
    """A declared name. kind: temp, address, attrib, param, array, output; what: its binding(s)."""

    def __init__(self, kind, name, what=None):
        self.kind, self.name, self.what = kind, name, what


class Program:
    def __init__(self, kind):
        self.kind, self.options, self.code, self.variables = kind, [], [], {}
        self.implicit = []                  # parameters that are written directly in instructions

    def arrays(self):
        return {v.name: v.what for v in self.variables.values() if v.kind == 'array'}


def single(text):
    """Returns a number in single precision, as in GL; infinity (a float) beyond its range."""
    try:
        x = struct.unpack('f', struct.pack('f', float(text)))[0]
    except OverflowError:
        return math.inf
    return Fraction(x)


class Parser:
    def __init__(self, text, limits=None):
        self.limits = limits or arb_bindings.Limits()
        kind = next((k for head, k in KINDS.items() if text.startswith(head)), None)
        self.s = Scanner(text, 10 if kind else 0)
        if kind is None:
            self.s.fail('no !!ARBfp1.0 or !!ARBvp1.0', 0)
        self.kind = kind
        self.p = Program(kind)
        self.targets = {}                   # texture target used with each unit
        self.twins = {}  # per generic attribute: whether it or its conventional alias is bound

    # ---- statements ----

    def program(self):
        s = self.s
        while s.peek_word() == 'OPTION':
            self.option()
        while True:
            at = s.here()
            word = s.word()
            if word is None:
                s.fail('expected an instruction, a declaration or END', at)
            if word == 'END':
                break
            declare = {'ATTRIB': self.attrib, 'PARAM': self.param, 'TEMP': self.temps, 'OUTPUT': self.output,
                       'ALIAS': self.alias, 'ADDRESS': self.temps if self.kind == 'vp' else None}.get(word)
            if declare:
                declare(word)
            else:
                self.instruction(word, at)
            s.expect(';')
        if s.here() != len(s.text):
            s.fail('text after END')
        self.relative_state()
        return self.p

    def option(self):
        s = self.s
        s.word()
        at = s.here()
        name = s.word()
        if name not in OPTIONS[self.kind]:
            s.fail('unknown option %s' % name, at)
        for group in (FOG, HINTS):
            if name in group and any(o in group and o != name for o in self.p.options):
                s.fail('%s beside another one of its kind' % name, at)
        self.p.options.append(name)
        s.expect(';')

    def new_name(self):
        s = self.s
        at = s.here()
        name = s.word()
        if name is None:
            s.fail('expected a name', at)
        if name in RESERVED[self.kind]:
            s.fail('%s is reserved' % name, at)
        if name in self.p.variables:
            s.fail('%s is declared twice' % name, at)
        return name

    def declare(self, name, variable):
        self.p.variables[name] = variable

    def temps(self, word):
        kind = 'temp' if word == 'TEMP' else 'address'
        while True:
            name = self.new_name()
            self.declare(name, Variable(kind, name))
            if not self.s.accept(','):
                break

    def attrib(self, _):
        name = self.new_name()
        self.s.expect('=')
        self.declare(name, Variable('attrib', name, self.attribute()))

    def output(self, _):
        name = self.new_name()
        self.s.expect('=')
        self.s.keyword('result')
        self.declare(name, Variable('output', name, self.result()))

    def alias(self, _):
        name = self.new_name()
        self.s.expect('=')
        self.declare(name, self.variable())

    def variable(self):
        """Parses a declared name."""
        at = self.s.here()
        word = self.s.word()
        if word not in self.p.variables:
            self.s.fail('%s is not declared' % (word or 'no name'), at)
        return self.p.variables[word]

    def param(self, _):
        s = self.s
        name = self.new_name()
        if not s.accept('['):
            s.expect('=')
            self.declare(name, Variable('param', name, self.items(False)[0]))
            return
        size, at = None, s.here()
        if not s.accept(']'):
            size = s.integer()
            if size < 1:
                s.fail('an array of no elements', at)
            s.expect(']')
        s.expect('=')
        s.expect('{')
        items = self.items(True)
        while s.accept(','):
            items += self.items(True)
        s.expect('}')
        if size not in (None, len(items)):
            s.fail('%d elements are bound to an array of %d' % (len(items), size), at)
        self.declare(name, Variable('array', name, items))

    # ---- bindings ----

    def attribute(self):
        s = self.s
        at = s.here()
        s.keyword('fragment' if self.kind == 'fp' else 'vertex')
        if self.kind == 'fp':
            return arb_bindings.fragment(s, self.limits)
        binding = arb_bindings.vertex(s, self.limits)
        n = int(binding[14:-1]) if binding.startswith('vertex.attrib') else arb_bindings.TWINS.get(binding)
        if n is not None and self.twins.setdefault(n, binding) != binding:
            s.fail('%s beside %s' % (binding, self.twins[n]), at)
        return binding

    def result(self):
        read = arb_bindings.fragment_result if self.kind == 'fp' else arb_bindings.vertex_result
        return read(self.s, self.limits, self.p.options)

    def items(self, many):
        """Parses the bindings of a PARAM: a list of bindings and constants, with one element unless `many`.
        """
        s = self.s
        word = s.peek_word()
        if word == 'state':
            s.word()
            return arb_bindings.state(s, self.limits, self.kind, many)
        if word == 'program':
            s.word()
            return arb_bindings.program(s, self.limits, many)
        if s.accept('{'):
            return [self.vector()]
        return [(self.signed(),) * 4]

    def vector(self):
        """Parses a vector constant after the brace."""
        values = [self.signed()]
        while len(values) < 4 and self.s.accept(','):
            values.append(self.signed())
        self.s.expect('}')
        return tuple(values) + (Fraction(0), Fraction(0), Fraction(1))[len(values) - 1:]

    def signed(self):
        negative = self.s.accept('-') or self.s.accept('+') and False
        value = self.number()
        return -value if negative else value

    def number(self):
        found = self.s.take(NUMBER)
        if found is None:
            self.s.fail('expected a number')
        return single(found)

    # ---- operands ----

    def sign(self):
        return self.s.accept('-') or (self.s.accept('+') and False)

    def base(self):
        """Parses an operand without its suffix: a variable, a binding or a constant."""
        s = self.s
        at, word = s.here(), s.peek_word()
        if word in ('state', 'program') or word is None:
            if word is None and not s.text.startswith('{', at) and not NUMBER.match(s.text, at):
                s.fail('expected an operand', at)
            item = self.constant() if word is None else self.items(False)[0]
            self.p.implicit.append(item)
            return 'param', item
        if word == ('fragment' if self.kind == 'fp' else 'vertex'):
            return 'attrib', self.attribute()
        v = self.variable()
        if v.kind == 'temp':
            return 'temp', v.name
        if v.kind in ('param', 'attrib'):
            return v.kind, v.what
        if v.kind == 'array':
            return self.element(v)
        return s.fail('%s cannot be read' % word, at)

    def constant(self):
        if self.s.accept('{'):
            return self.vector()
        return (self.number(),) * 4

    def element(self, v):
        s = self.s
        s.expect('[')
        if self.kind == 'vp' and WORD.match(s.text, s.here()):
            a = self.variable()
            if a.kind != 'address':
                s.fail('%s is no address register' % a.name, s.last)
            s.expect('.')
            s.keyword('x')
            offset = 0
            if s.accept('+') or s.accept('-'):
                minus = s.text[s.last] == '-'
                at = s.here()
                offset = s.integer()
                if offset > (64 if minus else 63):
                    s.fail('an offset of %d' % offset, at)
                offset = -offset if minus else offset
            s.expect(']')
            return 'relative', v.name, a.name, offset
        at = s.here()
        n = s.integer()
        if n >= len(v.what):
            s.fail('%s has %d elements' % (v.name, len(v.what)), at)
        s.expect(']')
        return 'param', v.what[n]

    def letters(self, word):
        """Returns the letters of a swizzle or mask as xyzw, or None."""
        sets = ['xyzw', 'rgba'] if self.kind == 'fp' else ['xyzw']
        for names in sets:
            if word and all(c in names for c in word):
                return ''.join('xyzw'[names.index(c)] for c in word)
        return None

    def suffix(self, lengths):
        s = self.s
        s.expect('.')
        at = s.here()
        lanes = self.letters(s.word())
        if lanes is None or len(lanes) not in lengths:
            s.fail('bad swizzle', at)
        return lanes * 4 if len(lanes) == 1 else lanes

    def source(self, scalar=False):
        s = self.s
        at, negative = s.here(), self.sign()
        ref = self.base()
        if scalar:
            lanes = self.suffix((1,))
        else:
            lanes = self.suffix((1, 4)) if s.text.startswith('.', s.here()) else 'xyzw'
        return Source(ref, tuple((negative, c) for c in lanes), at)

    def extended(self):
        """Parses the operand of SWZ."""
        s = self.s
        at = s.here()
        ref = self.base()
        lanes, used = [], ''
        for _ in range(4):
            s.expect(',')
            negative = self.sign()
            here = s.here()
            word = s.take(TARGET) or ''
            if word in ('0', '1'):
                lanes.append((negative, word))
                continue
            used += word
            letter = self.letters(word)
            if letter is None or len(word) != 1 or self.letters(used) is None:
                s.fail('expected 0, 1 or a component', here)
            lanes.append((negative, letter))
        return Source(ref, tuple(lanes), at)

    def target(self):
        s = self.s
        at = s.here()
        if s.peek_word() == 'result':
            s.word()
            kind, name = 'result', self.result()
        else:
            v = self.variable()
            if v.kind not in ('temp', 'output'):
                s.fail('%s cannot be written' % v.name, at)
            kind, name = ('temp', v.name) if v.kind == 'temp' else ('result', v.what)
        return Target(kind, name, self.mask())

    def mask(self):
        s = self.s
        if not s.text.startswith('.', s.here()):
            return 'xyzw'
        s.expect('.')
        at = s.here()
        letters = self.letters(s.word())
        if letters is None or list(letters) != sorted(set(letters), key='xyzw'.index):
            s.fail('bad mask', at)
        return letters

    # ---- instructions ----

    def instruction(self, word, at):
        s = self.s
        sat = self.kind == 'fp' and word.endswith('_SAT') and word != 'KIL_SAT'
        op = word[:-4] if sat else word
        takes = OPS[self.kind].get(op)
        if takes is None:
            s.fail('unknown instruction %s' % word, at)
        if takes == 'k':
            self.add(op, False, None, (self.source(),), at)
            return
        if takes == 'a':
            self.arl(at)
            return
        target = self.target()
        sources = []
        for kind in takes:
            s.expect(',')
            sources.append(self.extended() if kind == 'z' else self.source(kind == 's'))
        unit, texture = self.texture() if takes == 't' else (None, None)
        self.add(op, sat, target, tuple(sources), at, unit, texture)

    def add(self, op, sat, target, sources, at, unit=None, texture=None):
        self.p.code.append(Instruction(op, sat, target, sources, unit, texture, at))

    def arl(self, at):
        s = self.s
        a = self.variable()
        if a.kind != 'address':
            s.fail('%s is no address register' % a.name, s.last)
        s.expect('.')
        s.keyword('x')
        s.expect(',')
        self.add('ARL', False, Target('address', a.name, 'x'), (self.source(True),), at)

    def texture(self):
        s = self.s
        s.expect(',')
        s.keyword('texture')
        unit = s.index_if(self.limits.images, 'texture unit')
        s.expect(',')
        at = s.here()
        name = s.take(TARGET)
        shadow = 'ARB_fragment_program_shadow' in self.p.options
        if name not in TARGETS + (SHADOWS if shadow else ()):
            s.fail('unknown texture target %s' % name, at)
        if self.targets.setdefault(unit, name) != name:
            s.fail('texture %d is %s and %s' % (unit, self.targets[unit], name), at)
        return unit, name

    def relative_state(self):
        """Checks a rule of vertex programs: the same GL state vector must not be in two arrays that are
        addressed relatively."""
        arrays = {s.ref[1] for i in self.p.code for s in i.sources if s.ref[0] == 'relative'}
        bound = [x for name in sorted(arrays) for x in self.p.arrays()[name] if isinstance(x, str)]
        if len(bound) != len(set(bound)):
            self.s.fail('a state is bound twice in arrays that are addressed relatively', len(self.s.text))


def parse(text, limits=None):
    """Parses one program; raises InputError with its position, and with its byte offset as `offset`."""
    return Parser(text, limits).program()


def usage(program):
    """Returns the resource counts that the limits of the extension refer to: {instructions, alu, tex,
    indirections, temps, params, attribs}."""
    params, attribs = set(), set()
    for v in program.variables.values():
        if v.kind == 'attrib':
            attribs.add(v.what)
        elif v.kind == 'param':
            params.add(v.what)
        elif v.kind == 'array':
            params |= set(v.what)
    params |= set(program.implicit)
    attribs |= {s.ref[1] for i in program.code for s in i.sources if s.ref[0] == 'attrib'}
    tex = sum(i.op in ('TEX', 'TXP', 'TXB', 'KIL') for i in program.code)
    temps = len({v.name for v in program.variables.values() if v.kind == 'temp'})
    return {'instructions': len(program.code), 'alu': len(program.code) - tex, 'tex': tex,
            'indirections': indirections(program), 'temps': temps, 'params': len(params),
            'attribs': len(attribs)}


def indirections(program):
    """Counts texture indirections as the extension does."""
    nodes, alu, written = 1, set(), set()
    for i in program.code:
        reads = {s.ref[1] for s in i.sources if s.ref[0] == 'temp'}
        writes = {i.target.name} if i.target and i.target.kind == 'temp' else set()
        lookup = i.op in ('TEX', 'TXP', 'TXB', 'KIL')
        if lookup and (reads & written or writes & alu):
            nodes, alu, written = nodes + 1, set(), set()
        written |= writes
        if not lookup:
            alu |= reads | writes
    return nodes


__all__ = ['parse', 'usage', 'Program', 'InputError']
