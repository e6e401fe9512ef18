"""Evaluates GLSL programs of the kind that texenvc prints (notes/formats/languages.md), over any number
domain: straight-line code of declarations and assignments, evaluated by the formulas of the GLSL
specification. Everything else is an error.
"""
import re
import struct
from fractions import Fraction

from ..common.errors import InputError, ProgramError
from ..common.lookups import function, lookup, lookup_own

TOKEN = re.compile(r'\s*(?:(\d+\.\d*(?:e[-+]?\d+)?|\.\d+|\d+e[-+]?\d+|\d+)|([A-Za-z_]\w*)|(>=|<=|==|[-+*/(),.\[\]=?:><;]))')
SIZES = {'float': 1, 'vec2': 2, 'vec3': 3, 'vec4': 4}
SAMPLERS = {'1D': '1d', '2D': '2d', '2DRect': 'rect', '3D': '3d', 'Cube': 'cube'}
COORDINATES = {'1d': 1, '2d': 2, 'rect': 2, '3d': 3, 'cube': 3}
OLD = re.compile(r'(texture|shadow)(1D|2DRect|2D|3D|Cube)(Proj)?(EXT)?$')
DECLARATION = re.compile(r'uniform\s+(?:(?:PRECISION|highp|mediump)\s+)?sampler(1D|2DRect|2D|3D|Cube)(Shadow)?\s+texture([0-7])\s*;$')
GLOBAL = re.compile(r'(uniform|in|out|varying)\s+(float|vec[234])\s+(\w+)(\[\d\])?\s*;$')
LAYOUT = re.compile(r'layout\((binding|location|offset) = \d+\)\s+')
BLOCK = re.compile(r'layout\(std140, binding = \d+\) uniform fragment_state \{$')
DIRECTIVE = re.compile(r'#(extension GL_\w+ : require|ifdef GL_FRAGMENT_PRECISION_HIGH|define PRECISION (highp|mediump)|else|endif)$|precision (PRECISION|highp|mediump) float;$')


class Bool:
    """A comparison in a selection: 'gt' compares with 1/2, 'ge' with 0."""

    def __init__(self, kind, node):
        self.kind, self.node = kind, node

    def select(self, dom, a, b):
        return (dom.select_gt_half if self.kind == 'gt' else dom.select_ge_zero)(self.node, a, b)


# The alpha test at the end of a program: maps the comparison that discards a fragment to the one that keeps
# it.
ALPHA_TEST = re.compile(r'if \((\w+)\.a (<|==|<=|>|!=|>=) alpha_reference\)$')
DROPS = {'>=': 'less', '!=': 'equal', '>': 'lequal', '<=': 'greater', '==': 'notequal', '<': 'gequal'}


class Program:
    color_sum = False       # a flag of ATI_fragment_shader programs; here the state decides
    alpha_test = None       # the comparison of the program's alpha test

    def __init__(self, version, samplers, names, body, lines):
        self.version, self.samplers, self.names, self.body, self.lines = version, samplers, names, body, lines

    def result_name(self):
        return 'gl_FragColor' if self.version in ('110', '120', '100') else 'fragment_color'


def tokens(text):
    out, at = [], 0
    text = text.rstrip()
    while at < len(text):
        m = TOKEN.match(text, at)
        if not m:
            raise ValueError('unexpected %r' % text[at:at + 10])
        out.append(m.group(1) or m.group(2) or m.group(3))
        at = m.end()
        if out[-1] in ('-', '+') and text[at:at + 1] == out[-1]:
            raise ValueError('%s takes a variable' % (2 * out[-1]))
    return out


class Parser:
    """Parses an expression to nested tuples."""

    def __init__(self, text):
        self.t, self.i = tokens(text), 0

    def peek(self):
        return self.t[self.i] if self.i < len(self.t) else None

    def take(self, want=None):
        got = self.peek()
        if got is None or want is not None and got != want:
            raise ValueError('expected %s, found %s' % (want or 'more', got))
        self.i += 1
        return got

    def expression(self):
        e = self.sum()
        if self.peek() in ('>', '>='):
            e = (self.take(), e, self.sum())
        if self.peek() == '?':
            self.take()
            a = self.expression()
            self.take(':')
            e = ('?', e, a, self.expression())
        return e

    def sum(self):
        e = self.product()
        while self.peek() in ('+', '-'):
            e = (self.take(), e, self.product())
        return e

    def product(self):
        e = self.unary()
        while self.peek() in ('*', '/'):
            e = (self.take(), e, self.unary())
        return e

    def unary(self):
        if self.peek() == '-':
            self.take()
            return ('neg', self.unary())
        e = self.primary()
        while self.peek() in ('.', '['):
            if self.take() == '.':
                e = ('.', e, self.take())
            else:
                e = ('[]', e, int(self.take()))
                self.take(']')
        return e

    def primary(self):
        word = self.take()
        if word == '(':
            e = self.expression()
            self.take(')')
            return e
        if word[0].isdigit() or word[0] == '.':
            if word.isdigit():
                raise ValueError('%s is an integer' % word)
            return ('number', Fraction(struct.unpack('f', struct.pack('f', float(word)))[0]))
        if not (word[0].isalpha() or word[0] == '_'):
            raise ValueError('unexpected %r' % word)
        if self.peek() != '(':
            return ('name', word)
        self.take()
        args = []
        while self.peek() != ')':
            args.append(self.expression())
            if self.peek() != ')':
                self.take(',')
        self.take()
        return ('call', word, args)


def parse(text):
    """Parses one program; raises InputError with its line."""
    lines = text.split('\n')
    version, samplers, names, body, inside = None, {}, {}, [], False
    block = False
    test = tested = None    # line of an if; comparison of the discard that follows it
    for number, raw in enumerate(lines, 1):
        line = raw.split('//')[0].strip()
        try:
            if not line or line in ('void main()', '{'):
                inside |= line == '{'
            elif line == '}':
                inside = False
            elif version is None:
                m = re.match(r'#version (110|120|330 core|450|100|300 es)$', line)
                if not m:
                    raise ValueError('no #version')
                version = m.group(1)
            elif version == '450' and not inside and (BLOCK.match(line) if not block else line == '};'):
                block = not block
            elif not inside:
                if version == '450':
                    kept = LAYOUT.sub('', line, count=1)
                    if kept == line or block != line.startswith('layout(offset'):
                        raise ValueError('no place of a declaration')
                    line = 'uniform ' + kept if block else kept
                m, g = DECLARATION.match(line), GLOBAL.match(line)
                if m:
                    samplers[int(m.group(3))] = (SAMPLERS[m.group(1)], bool(m.group(2)))
                elif g:
                    names[g.group(3)] = (g.group(1), g.group(2))
                elif not DIRECTIVE.match(line):
                    raise ValueError('unknown declaration')
            elif tested:
                raise ValueError('a statement after the alpha test')
            elif ALPHA_TEST.match(line) and test is None:
                test = ALPHA_TEST.match(line)
            elif line == 'discard;':
                tested = DROPS[test.group(2)] if test else 'never'
            elif test:
                raise ValueError('no discard after the condition')
            else:
                m = re.match(r'(?:(float|vec[234])\s+)?(\w+)\s*=\s*(.*);$', line)
                if not m:
                    raise ValueError('no statement')
                p = Parser(m.group(3))
                e = p.expression()
                if p.peek() is not None:
                    raise ValueError('unexpected %s' % p.peek())
                body.append((number, m.group(1), m.group(2), e))
        except ValueError as e:
            raise InputError(str(e), number, 1) from None
    if version is None or not body:
        raise InputError('no program', len(lines), 1)
    program = Program(version, samplers, names, body, lines)
    program.alpha_test = tested
    if test and (test.group(1) != program.result_name() or names.get('alpha_reference') != ('uniform', 'float')):
        raise InputError('a test of %s' % test.group(1), len(lines), 1)
    return program


class Run:
    def __init__(self, program, inputs):
        self.p, self.inputs, self.dom = program, inputs, inputs.dom
        self.vars, self.line = {}, 0
        self.old = program.version in ('110', '120')

    def fail(self, message):
        raise ProgramError('line %d: %s' % (self.line, message))

    # ---- names ----

    def vector(self, read):
        return [read(c) for c in range(4)]

    def fog(self, what):
        i = self.inputs
        if what == 'color':
            return [i.get(('fog', 0, c)) for c in range(3)] + [self.dom.zero]
        return [i.get(('fog', 1, ('coord', 'end', 'scale', 'density').index(what)))]

    def name(self, word):
        i, old = self.inputs, self.old
        if word in self.vars:
            return self.vars[word]
        if old and word == 'gl_Color':
            return self.vector(i.primary)
        if old and word == 'gl_SecondaryColor':
            return [i.secondary(c) for c in range(3)] + [None]
        if old and word == 'gl_FogFragCoord':
            return self.fog('coord')
        if not old and word in self.p.names:
            if word == 'primary_color':
                return self.vector(i.primary)
            if word == 'secondary_color':
                return [i.secondary(c) for c in range(3)] + [self.dom.zero]
            if word.startswith('texcoord'):
                return self.vector(lambda c: i.coord(int(word[8:]), c))
            if word.startswith('fog_'):
                return self.fog(word[4:])
        return self.fail('%s has no value' % word)

    def element(self, array, n):
        i = self.inputs
        if array == ('name', 'gl_TexCoord') and self.old:
            return self.vector(lambda c: i.coord(n, c))
        if (array == ('name', 'gl_TextureEnvColor') and self.old
            or array == ('name', 'texenv_color') and 'texenv_color' in self.p.names):
            return self.vector(lambda c: i.env(n, c))
        if array in (('name', 'program_env'), ('name', 'program_local')) and array[1] in self.p.names:
            return self.vector(lambda c: i.parameter('global' if array[1] == 'program_env' else 'local', n,
                                                     c))
        return self.fail('%s has no elements' % (array,))

    # ---- lookups ----

    def own_set(self, e, divided):
        """If expression e is a coordinate set, used as in fixed function, returns its number, else None."""
        if not divided:
            if not (e[0] == '.' and e[2] == 'xyz'):
                return None
            e = e[1]
        if self.old and e[0] == '[]' and e[1] == ('name', 'gl_TexCoord'):
            return e[2]
        if not self.old and e[0] == 'name' and re.match(r'texcoord[0-7]$', e[1]) and e[1] in self.p.names:
            return int(e[1][8:])
        return None

    def texture(self, word, args):
        if (len(args) != 2 or args[0][0] != 'name' or not re.match('texture[0-7]$', args[0][1])
            or int(args[0][1][7:]) not in self.p.samplers):
            self.fail('%s without a sampler' % word)
        unit = int(args[0][1][7:])
        target, shadow = self.p.samplers[unit]
        m = OLD.match(word)
        if self.p.version in ('110', '120', '100'):
            if (not m or SAMPLERS[m.group(2)] != target or (m.group(1) == 'shadow') != shadow
                or bool(m.group(4)) != (shadow and self.p.version == '100')):
                self.fail('%s of a %s sampler' % (word, target))
            divided = bool(m.group(3))
        elif word not in ('texture', 'textureProj'):
            self.fail('no function %s' % word)
        else:
            divided = word == 'textureProj'
        if divided and target == 'cube':
            self.fail('a cube map is not looked up with a division')
        single = shadow and not self.old
        own = self.own_set(args[1], divided)
        if own is not None and divided != (target == 'cube'):
            # a scalar; the program applies the depth mode itself
            if single:
                return [lookup_own(getattr(self.inputs, 'plain', self.inputs), unit, own, target, 0, True)]
            return [lookup_own(self.inputs, unit, own, target, c, shadow) for c in range(4)]
        coords = self.value(args[1])
        count = COORDINATES[target]
        wanted = 4 if divided else 3 if shadow else count
        if len(coords) != wanted:
            self.fail('%s takes %d coordinates, not %d' % (word, wanted, len(coords)))
        divisor = coords[3] if divided else None
        used = coords[:count] + (coords[2:3] if shadow and count < 3 else [])
        got = [lookup(self.dom, unit, used, divisor, c, shadow) for c in range(4)]
        return got[:1] if single else got

    # ---- expressions ----

    def call(self, word, args):
        dom = self.dom
        if word.startswith(('texture', 'shadow')):
            return self.texture(word, args)
        v = [self.value(a) for a in args]
        if word in SIZES:
            size, flat = SIZES[word], [x for part in v for x in part]
            if len(v) == 1 and len(flat) == 1:
                return flat * size
            if len(flat) != size:
                self.fail('%s of %d components' % (word, len(flat)))
            return flat
        if word == 'clamp':
            low, high = (-x if negative else x for x, negative in map(self.literal, args[1:]))
            if (low, high) == (0, 1):
                return [dom.sat(x) for x in v[0]]
            if (low, high) == (-8, 8):
                return [dom.sat8(x) for x in v[0]]
            self.fail('clamp to [%s,%s]' % (low, high))
        if word == 'min' and self.literal(args[1]) == (1, False): # a clamp, as x is not negative
            return [dom.sat(x) for x in v[0]]
        if word == 'abs':
            return [dom.absolute(x) for x in v[0]]
        if word == 'dot' and len(v[0]) == len(v[1]):
            total = dom.zero
            for a, b in zip(*v):
                total = dom.add(total, dom.mul(a, b))
            return [total]
        if word == 'mix':
            a, b, f = v
            f = f * len(a) if len(f) == 1 else f
            if not len(a) == len(b) == len(f):
                self.fail('mix of unequal vectors')
            return [t.select(dom, q, p) if isinstance(t, Bool)
                    else dom.add(dom.mul(p, dom.sub(dom.one, t)), dom.mul(q, t)) for p, q, t in zip(a, b, f)]
        if word in ('greaterThan', 'greaterThanEqual'):
            return self.compare('>' if word == 'greaterThan' else '>=', v[0], args[1])
        if word == 'exp' and len(v[0]) == 1:
            return [function(dom, 'exp', 1, v[0][0])]
        return self.fail('no function %s' % word)

    def literal(self, e):
        """Returns (number, negative) if an expression is a number."""
        if e[0] == 'neg' and e[1][0] == 'number':
            return e[1][1], True
        if e[0] == 'call' and e[1] in SIZES and len(e[2]) == 1:
            return self.literal(e[2][0])
        if e[0] != 'number':
            self.fail('no number')
        return e[1], False

    def compare(self, op, left, right):
        number, negative = self.literal(right)
        if (op, number, negative) not in (('>', Fraction(1, 2), False), ('>=', 0, False)):
            self.fail('a comparison with %s' % number)
        return [Bool('gt' if op == '>' else 'ge', x) for x in left]

    def value(self, e):
        """Returns the components of an expression."""
        dom, kind = self.dom, e[0]
        if kind == 'number':
            return [dom.const(e[1])]
        if kind == 'name':
            return self.name(e[1])
        if kind == '[]':
            return self.element(e[1], e[2])
        if kind == '.':
            if self.old and e[1] == ('name', 'gl_Fog'):
                return self.fog(e[2])
            v = self.value(e[1])
            names = 'xyzw' if e[2][0] in 'xyzw' else 'rgba'
            if len(v) == 1 or any(c not in names[:len(v)] for c in e[2]):
                self.fail('no components .%s' % e[2])
            return [v[names.index(c)] for c in e[2]]
        if kind == 'neg':
            return [dom.sub(dom.zero, x) for x in self.value(e[1])]
        if kind == 'call':
            return self.call(e[1], e[2])
        if kind in ('>', '>='):
            return self.compare(kind, self.value(e[1]), e[2])
        if kind == '?':
            test, = self.value(e[1])
            a, b = self.value(e[2]), self.value(e[3])
            if len(a) != 1 or len(b) != 1 or not isinstance(test, Bool):
                self.fail('a selection of vectors')
            return [test.select(dom, a[0], b[0])]
        a, b = self.value(e[1]), self.value(e[2])
        if len(a) != len(b) and 1 not in (len(a), len(b)):
            self.fail('vectors of %d and %d' % (len(a), len(b)))
        n = max(len(a), len(b))
        f = {'+': dom.add, '-': dom.sub, '*': dom.mul, '/': dom.div}[kind]
        a, b = (a * n if len(a) == 1 else a), (b * n if len(b) == 1 else b)
        if None in a or None in b:
            self.fail('an undefined component is read')
        return [f(x, y) for x, y in zip(a, b)]

    def result(self):
        out = self.p.result_name()
        for self.line, kind, word, e in self.p.body:
            v = self.value(e)
            if word != out and (kind is None) != (word in self.vars):
                self.fail('%s is declared twice or not at all' % word)
            if kind and SIZES[kind] != len(v):
                self.fail('%d components for a %s' % (len(v), kind))
            self.vars[word] = v
        if len(self.vars.get(out, ())) != 4 or None in self.vars[out]:
            self.fail('no result')
        return self.vars[out]


def evaluate(program, inputs, state=None):
    return Run(program, inputs).result()
