"""Evaluates vertex shaders in GLSL with the numbers of spans.py, by the functions of the GLSL specifications:
the shaders consist of straight-line declarations and assignments, and of functions of one int that contain
one expression. Inputs get the values of the corresponding bindings of ARB programs.
"""
import re
from fractions import Fraction

from ..common import spans as n
from ..common.errors import InputError
from ..common.spans import ONE, Poison, ZERO
from . import arb_glsl
from .arb_run import Exact

VERSIONS = {**arb_glsl.VERSIONS, 'glsl-450': '450'}
TYPES = {'float': 1, 'vec2': 2, 'vec3': 3, 'vec4': 4, 'mat3': 3, 'mat4': 4}
DECLARATION = re.compile(r'(?:layout\s*\([^)]*\)\s*)?(?:flat |smooth |centroid |invariant )*'
                         r'(?:(uniform|in|out|attribute|varying)\s+)?(?:highp |mediump |lowp |PRECISION )?'
                         r'(float|vec[234]|mat[34])\s+(\w+)\s*(?:\[\s*(\d+)\s*\])?$')
FUNCTION = re.compile(r'(float|vec[234])\s+(\w+)\s*\(\s*int\s+(\w+)\s*\)\s*\{\s*return\s+([^;]*);\s*\}')
BLOCK = re.compile(r'layout\s*\([^)]*\)\s*uniform\s+\w+\s*\{')
STATEMENT = re.compile(r'(?:(?:highp |mediump )?(float|vec[234]|mat[34])\s+)?(\w+(?:\[\d\])?)(?:\.([xyzw]+))?\s*'
                       r'([-+*/]?)=(?!=)\s*(.*)$', re.S)
ATTRIBUTES = {'gl_Vertex': 'vertex.position', 'gl_Normal': 'vertex.normal', 'gl_Color': 'vertex.color.primary',
              'gl_SecondaryColor': 'vertex.color.secondary', 'gl_FogCoord': 'vertex.fogcoord',
              **{'gl_MultiTexCoord%d' % k: 'vertex.texcoord[%d]' % k for k in range(8)}}
OWN_ATTRIBUTES = {'vertex_position': 'vertex.position', 'vertex_normal': 'vertex.normal',
                  'vertex_color': 'vertex.color.primary', 'vertex_secondary_color': 'vertex.color.secondary',
                  'vertex_fog_coord': 'vertex.fogcoord',
                  **{'vertex_texcoord%d' % k: 'vertex.texcoord[%d]' % k for k in range(8)}}
OWN_MATRICES = {'modelview_projection': 'mvp', 'modelview': 'modelview[0]', 'projection': 'projection'}
RESULTS = {'gl_FrontColor': 'color.front.primary', 'gl_BackColor': 'color.back.primary',
           'gl_FrontSecondaryColor': 'color.front.secondary', 'gl_BackSecondaryColor': 'color.back.secondary',
           'gl_FogFragCoord': 'fogcoord', **{'gl_TexCoord[%d]' % k: 'texcoord[%d]' % k for k in range(8)}}
OWN_RESULTS = {'primary_color': 'color.front.primary', 'secondary_color': 'color.front.secondary',
               'back_primary_color': 'color.back.primary', 'back_secondary_color': 'color.back.secondary',
               'fog_coord': 'fogcoord', **{'texcoord%d' % k: 'texcoord[%d]' % k for k in range(8)}}
GENERIC = re.compile(r'vertex_attrib(\d+)$')
BOTH_RESULTS = {'gl_Position': 'position', 'gl_PointSize': 'pointsize'}
PLANES = re.compile(r'gl_(Eye|Object)Plane([STRQ])$')
MATRIX = re.compile(r'gl_(\w+?)Matrix(InverseTranspose|Inverse|Transpose)?$')
# suffix of a matrix's GLSL name -> modifier of the binding whose rows are the columns of that matrix
HOW = {None: '.transpose', 'Transpose': '', 'Inverse': '.invtrans', 'InverseTranspose': '.inverse'}
POINT = {'size': ('size', 0), 'sizeMin': ('size', 1), 'sizeMax': ('size', 2), 'fadeThresholdSize': ('size', 3),
         'distanceConstantAttenuation': ('attenuation', 0), 'distanceLinearAttenuation': ('attenuation', 1),
         'distanceQuadraticAttenuation': ('attenuation', 2)}


class Matrix:
    def __init__(self, columns):
        self.columns = columns


class Whole:
    """The value of an int: a Fraction, or poison. GLSL 1.10 and ES 1.00 have no implicit conversion from int
    to float (4.1.10, 5.8)."""

    def __init__(self, value):
        self.value = value


class Parser(arb_glsl.Parser):
    """A parser with ints, and indices of any kind."""

    def unary(self):
        if self.peek() == '-':
            return super().unary()
        e = self.primary()
        while self.peek() in ('.', '['):
            if self.take() == '.':
                e = ('.', e, self.take())
            else:
                i = self.expression()
                e = ('[]', e, i[1] if i[0] == 'int' else i)
                self.take(']')
        return e

    def primary(self):
        if (self.peek() or '').isdigit():
            return ('int', int(self.take()))
        return super().primary()


def expression(text):
    return arb_glsl.expression(text, Parser)


def preprocessed(text):
    """Removes comments and directives. Macros in conditions count as undefined, except those of ES."""
    kept = [True]
    for raw in re.sub(r'/\*.*?\*/', ' ', text, flags=re.S).split('\n'):
        line = raw.split('//')[0].strip()
        m = re.match(r'#\s*(ifdef|ifndef|if|else|endif)\b\s*(\w*)', line)
        if m and m.group(1) in ('ifdef', 'ifndef', 'if'):
            defined = m.group(2).startswith('GL_FRAGMENT_PRECISION') or m.group(2) == 'GL_ES'
            kept.append(defined != (m.group(1) == 'ifndef'))
        elif m and m.group(1) == 'else':
            kept[-1] = not kept[-1]
        elif m:
            kept.pop()
        elif all(kept) and not line.startswith(('#', 'precision ')):
            yield line


class Program:
    def __init__(self, version):
        self.version, self.samplers, self.names, self.body = version, {}, {}, []
        # sizes of arrays; functions by name: (type, parameter, expression)
        self.sizes, self.functions = {}, {}

    def evaluate(self, inputs, tolerance=Exact):
        return Run(self, inputs, tolerance).run()


def declare(program, text, block=False):
    m = DECLARATION.match(text)
    if not m or not (m.group(1) or block):
        raise ValueError('unknown declaration %r' % text)
    program.names[m.group(3)] = m.group(1) or 'uniform', m.group(2)
    if m.group(4):
        program.sizes[m.group(3)] = int(m.group(4))


def statement(program, number, text):
    m = re.match(r'(float|vec[234])\s+(\w+(?:\s*,\s*\w+)*)$', text)
    if m:                                   # a declaration without a value
        for word in re.split(r'\s*,\s*', m.group(2)):
            program.body.append((number, m.group(1), (word, None), ''))
        return
    m = STATEMENT.match(text)
    if not m:
        raise ValueError('unknown statement %r' % text)
    kind, word, mask, how, rest = m.groups()
    again = STATEMENT.match(rest)
    if again and not kind and not how:      # a = b = c
        statement(program, number, rest)
        program.body.append((number, None, (word, mask), program.body[-1][3]))
        return
    e = expression(rest)
    if how:
        e = (how, ('.', ('name', word), mask) if mask else ('name', word), e)
    program.body.append((number, kind, (word, mask), e))


def parse(text, language):
    first = text.lstrip().split('\n')[0].strip()
    if first != '#version ' + VERSIONS[language]:
        raise InputError('no #version %s' % VERSIONS[language], 1, 1)
    program = Program(VERSIONS[language])
    lines = '\n'.join(preprocessed(text))
    head, main, body = re.split(r'(void\s+main\s*\(\s*(?:void)?\s*\)\s*\{)', lines, maxsplit=1) if 'main' in lines \
        else (lines, '', '')
    if not main or not body.rstrip().endswith('}'):
        raise InputError('no program', 1, 1)
    number = 0
    try:
        def take_block(m):
            inside = head[m.end():head.index('}', m.end())]
            for part in inside.split(';'):
                if part.strip():
                    declare(program, part.strip(), True)
        for m in FUNCTION.finditer(head):
            program.functions[m.group(2)] = m.group(1), m.group(3), expression(m.group(4))
        head = FUNCTION.sub('', head)
        for m in BLOCK.finditer(head):
            take_block(m)
        plain = re.sub(BLOCK.pattern + r'[^}]*\}\s*;', '', head)
        for part in plain.split(';'):
            if part.strip():
                declare(program, part.strip())
        for number, part in enumerate(body.rstrip()[:-1].split(';'), 1):
            if part.strip():
                statement(program, number, part.strip())
    except ValueError as e:
        raise InputError('statement %d: %s' % (number, e), 1, 1) from None
    return program


class Run(arb_glsl.Run):
    """Straight-line code over vectors and matrices."""

    # ---- names ----

    def matrix(self, name, how, size=4):
        """Returns a matrix as a list of its columns."""
        return Matrix([self.vector('state.matrix.%s%s.row[%d]' % (name, how, i))[:size] for i in range(size)])

    def name(self, word):
        if word in self.vars:
            return self.vars[word]
        table = ATTRIBUTES if self.old else OWN_ATTRIBUTES
        if word in table and (self.old or self.p.names.get(word, ('',))[0] in ('in', 'attribute')):
            size = {'vertex.normal': 3, 'vertex.fogcoord': 1}.get(table[word], 4)
            if not self.old:
                size = TYPES[self.p.names[word][1]]
            return self.vector(table[word])[:size]
        m = GENERIC.match(word)
        if m and self.p.names.get(word, ('',))[0] in ('in', 'attribute'):
            return self.vector('vertex.attrib[%s]' % m.group(1))[:TYPES[self.p.names[word][1]]]
        if self.old and word == 'gl_NormalMatrix':
            return self.matrix('modelview[0]', '.inverse', 3)
        if self.old and word == 'gl_NormalScale':
            row = self.vector('state.matrix.modelview[0].inverse.row[2]')[:3]
            return [n.reciprocal_root(self.ops.dots([n.mul(x, x) for x in row])[0])]
        m = MATRIX.match(word)
        if self.old and m and m.group(1) in arb_glsl.MATRICES and m.group(1) != 'Texture':
            return self.matrix(arb_glsl.MATRICES[m.group(1)], HOW[m.group(2)])
        if word in OWN_MATRICES and word in self.p.names:
            return self.matrix(OWN_MATRICES[word], '.transpose')
        if word in self.p.names and word in arb_glsl.UNIFORMS:
            return self.vector(arb_glsl.UNIFORMS[word])[:TYPES[self.p.names[word][1]]]
        return self.fail('%s has no value' % word)

    def element(self, e, i):
        size = self.p.sizes.get(e[1]) if e[0] == 'name' else None
        if not isinstance(i, int):
            i, = self.value(i)
            if not isinstance(i, Whole) or size is None:
                self.fail('an index of %s that is no int, or no array' % (e,))
            if isinstance(i.value, Poison):
                return [i.value] * 4
            i = int(i.value)
            if not 0 <= i < size:
                return [Poison('%s has no element %d' % (e[1], i))] * 4
        if size is not None and i >= size:
            self.fail('%s has %d elements' % (e[1], size))
        if e[0] == 'name':
            word = e[1]
            if '%s[%d]' % (word, i) in self.vars:
                return self.vars['%s[%d]' % (word, i)]
            planes, m = PLANES.match(word), MATRIX.match(word)
            if self.old and planes:
                return self.vector('state.texgen[%d].%s.%s' % (i, planes.group(1).lower(), planes.group(2).lower()))
            if self.old and m and m.group(1) == 'Texture':
                return self.matrix('texture[%d]' % i, HOW[m.group(2)])
            if word == 'texture_matrix' and word in self.p.names:
                return self.matrix('texture[%d]' % i, '.transpose')
            if word in ('program_env', 'program_local', 'gl_ClipPlane'):
                return super().element(e, i)
        v = self.value(e)
        if isinstance(v, Matrix):
            return v.columns[i]
        return [v[i]]

    def built_in(self, e, field):
        if self.old and e == ('name', 'gl_Point') and field in POINT:
            which, k = POINT[field]
            return self.vector('state.point.' + which)[k:k + 1]
        return super().built_in(e, field)

    # ---- functions ----

    def call(self, word, args):
        if word in self.p.functions:
            return self.own(word, args)
        if word == 'int':
            x, = self.value(args[0])
            if not isinstance(x, (Fraction, Poison)):
                x = n.Undecided('int of %r' % x)
            return [Whole(x if isinstance(x, Poison) else Fraction(int(x)))]
        if word == 'ftransform':
            return self.times(self.matrix('mvp', '.transpose'), self.vector('vertex.position'))
        if word in ('mat3', 'mat4'):
            return self.make_matrix(word, args)
        if word in ('normalize', 'length', 'distance', 'reflect', 'cross', 'step', 'sign', 'transpose'):
            return self.geometric(word, [self.value(a) for a in args])
        return super().call(word, args)

    def own(self, word, args):
        """Calls a function that the program defines."""
        kind, parameter, e = self.p.functions[word]
        outside, self.vars = self.vars, {parameter: self.value(args[0])}
        if len(args) != 1 or not isinstance(self.vars[parameter][0], Whole):
            self.fail('%s takes one int' % word)
        got, self.vars = self.value(e), outside
        return got if len(got) == TYPES[kind] else self.fail('%s gives %d components' % (word, len(got)))

    def make_matrix(self, word, args):
        v = [self.value(a) for a in args]
        size = TYPES[word]
        if len(v) == 1 and isinstance(v[0], Matrix):
            return Matrix([c[:size] for c in v[0].columns[:size]])
        flat = [x for part in v for x in part]
        if len(flat) != size * size:
            self.fail('%s of %d components' % (word, len(flat)))
        return Matrix([flat[size * k:size * k + size] for k in range(size)])

    def length(self, v):
        return n.root(self.inner(v, v))

    def inner(self, a, b):
        return self.ops.dots([n.mul(x, y) for x, y in zip(a, b)])[0]

    def geometric(self, word, v):
        a = v[0]
        if word == 'transpose':
            return Matrix([list(row) for row in zip(*a.columns)])
        if word == 'normalize':
            return [n.mul(x, n.reciprocal(self.length(a))) for x in a]
        if word == 'length':
            return [self.length(a)]
        if word == 'distance':
            return [self.length([n.sub(x, y) for x, y in zip(*v)])]
        if word == 'reflect':
            twice = n.mul(ONE + ONE, self.inner(v[1], a))
            return [n.sub(x, n.mul(twice, y)) for x, y in zip(*v)]
        if word == 'cross':
            return self.ops.op_XPD(a + [ZERO], v[1] + [ZERO])[:3]
        if word == 'step':
            edge = a * len(v[1]) if len(a) == 1 else a
            return [n.choose(x, y, ZERO, ONE) for x, y in zip(v[1], edge)]
        return [n.choose(x, ZERO, -ONE, n.choose(ZERO, x, ONE, ZERO)) for x in a]

    def times(self, a, b):
        if isinstance(a, Matrix) and isinstance(b, Matrix):
            return Matrix([self.times(a, c) for c in b.columns])
        if isinstance(b, Matrix):
            return [self.inner(a, c) for c in b.columns]
        return [self.inner(row, b) for row in zip(*a.columns)]

    def ints(self, kind, a, b):
        """Returns the result of an operation on two ints."""
        if not (isinstance(a, Whole) and isinstance(b, Whole)):
            self.fail('%s of an int and something else' % kind)
        if kind in ('+', '-', '*'):
            return [Whole({'+': n.add, '-': n.sub, '*': n.mul}[kind](a.value, b.value))]
        return [self.test(kind, a.value, b.value)] if kind in ('<', '<=', '>', '>=', '==') else self.fail(kind)

    def value(self, e):
        if e[0] == 'int':
            return [Whole(Fraction(e[1]))]
        return super().value(e)

    def operate(self, kind, a, b):
        if isinstance(a, Matrix) or isinstance(b, Matrix):
            return self.times(a, b) if kind == '*' else self.fail('%s of matrices' % kind)
        if isinstance(a[0], Whole) or isinstance(b[0], Whole):
            return self.ints(kind, a[0], b[0])
        return super().operate(kind, a, b)

    # ---- statements ----

    def assign(self, word, mask, v):
        if not mask:
            self.vars[word] = v
            return
        if len(mask) != len(v) or len(set(mask)) != len(mask):
            self.fail('%d components for .%s' % (len(v), mask))
        old = self.vars.get(word, [Poison('%s was not written' % word)] * 4)
        self.vars[word] = [v[mask.index(c)] if c in mask else x for c, x in zip('xyzw', old)]

    def size(self, word):
        """Returns the number of components of a variable that is assigned, or None."""
        if word in ('gl_PointSize', 'gl_FogFragCoord'):
            return 1
        if word in BOTH_RESULTS or word in RESULTS:
            return 4
        storage = self.p.names.get(word)
        return TYPES[storage[1]] if storage else None

    def run(self):
        for self.line, kind, (word, mask), e in self.p.body:
            if e == '':
                self.vars[word] = [Poison('%s was not written' % word)] * TYPES[kind]
                continue
            v = self.value(e)
            size = TYPES[kind] if kind else self.size(word)
            if not isinstance(v, Matrix) and isinstance(v[0], Whole):
                self.fail('%s takes no int' % word)
            if not mask and size and size != len(v.columns if isinstance(v, Matrix) else v):
                self.fail('%s takes %d components' % (word, size))
            if not kind and not self.written(word):
                self.fail('%s is not declared' % word)
            self.assign(word, mask, v)
        table = {**BOTH_RESULTS, **(RESULTS if self.old else OWN_RESULTS)}
        for word, v in self.vars.items():
            if word in table and (self.old or word in BOTH_RESULTS or word in self.p.names):
                # GL clamps only its built-in colours (2.14.6)
                clamped = self.old and table[word].startswith('color')
                self.out['result.' + table[word]] = [n.sat(x) for x in v] if clamped else v
        return self

    def written(self, word):
        if word in BOTH_RESULTS or self.old and word in RESULTS or word in self.vars:
            return True
        return self.p.names.get(word, ('',))[0] in ('out', 'varying')


__all__ = ['parse', 'VERSIONS']
