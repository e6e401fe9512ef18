"""Evaluates GLSL programs that ARB programs were converted to, with the numbers of spans.py: straight-line
code of declarations, assignments and `if (...) discard;`, by the functions of the GLSL specifications. A
result that the specifications leave undefined is poison.
"""
import re
from fractions import Fraction

from ..common import spans as n
from ..common.errors import InputError, ProgramError
from ..common.spans import ONE, Poison, ZERO
from . import glsl_eval
from .arb_run import COORDINATES, Operations, Exact

VERSIONS = {'glsl': '120', 'glsl-110': '110', 'glsl-330': '330 core', 'glsl-es': '100', 'glsl-es-300': '300 es'}
OLD = ('110', '120')
SIZES = {'float': 1, 'vec2': 2, 'vec3': 3, 'vec4': 4}
SAMPLER = re.compile(r'uniform\s+(?:\w+\s+)?sampler(1D|2DRect|2D|3D|Cube)(Shadow)?\s+texture(\d+);$')
GLOBAL = re.compile(r'(?:layout\s*\(.*?\)\s*)?(uniform|in|out|varying)\s+(?:highp |mediump |PRECISION )?(float|vec4)\s+(\w+)'
                    r'(?:\[\d+\])?;$')
TARGETS = {'1D': '1D', '2D': '2D', '3D': '3D', 'Cube': 'CUBE', '2DRect': 'RECT'}
OLD_LOOKUP = re.compile(r'(texture|shadow)(1D|2DRect|2D|3D|Cube)(Proj)?(EXT)?$')
MATRICES = {'ModelView': 'modelview[0]', 'Projection': 'projection', 'ModelViewProjection': 'mvp',
            'Texture': 'texture[%d]'}
COLOURS = ('ambient', 'diffuse', 'specular')


def state_bindings():
    """Returns the bindings of GL state by the name of the corresponding uniform."""
    names = ['state.fog.color', 'state.fog.params', 'state.depth.range', 'state.lightmodel.ambient',
             'state.point.size', 'state.point.attenuation']
    for face in ('front', 'back'):
        names += ['state.material.%s.%s' % (face, x) for x in COLOURS + ('emission', 'shininess')]
        names.append('state.lightmodel.%s.scenecolor' % face)
        names += ['state.lightprod[%d].%s.%s' % (i, face, c) for i in range(8) for c in COLOURS]
    for i in range(8):
        names += ['state.light[%d].%s' % (i, x)
                  for x in COLOURS + ('position', 'attenuation', 'spot.direction', 'half')]
        names += ['state.texenv[%d].color' % i, 'state.clip[%d].plane' % i]
        names += ['state.texgen[%d].%s.%s' % (i, space, c) for space in ('eye', 'object') for c in 'strq']
    for m in ('projection', 'mvp', *('%s[%d]' % (k, i) for k in ('modelview', 'texture', 'program', 'palette')
                                     for i in range(8))):
        names += ['state.matrix.%s%s.row[%d]' % (m, how, i) for i in range(4)
                  for how in ('', '.inverse', '.transpose', '.invtrans')]
    return {re.sub(r'\W+', '_', x).strip('_'): x for x in names}


UNIFORMS = state_bindings()


class Parser(glsl_eval.Parser):
    """A parser with all comparison operators."""

    def expression(self):
        e = self.sum()
        if self.peek() in ('>', '>=', '<', '<=', '=='):
            e = (self.take(), e, self.sum())
        if self.peek() == '?':
            self.take()
            a = self.expression()
            self.take(':')
            e = ('?', e, a, self.expression())
        return e


def expression(text, parser=Parser):
    p = parser(text)
    e = p.expression()
    if p.peek() is not None:
        raise ValueError('unexpected %s' % p.peek())
    return e


class Program:
    def __init__(self, version):
        self.version, self.samplers, self.names, self.body = version, {}, {}, []

    def evaluate(self, inputs, tolerance=Exact):
        return Run(self, inputs, tolerance).run()


def parse(text, language):
    program, inside, test = None, False, None
    for number, raw in enumerate(text.split('\n'), 1):
        line = raw.split('//')[0].strip()
        try:
            if program is None:
                if not line:
                    continue
                if line != '#version ' + VERSIONS[language]:
                    raise ValueError('no #version %s' % VERSIONS[language])
                program = Program(VERSIONS[language])
            elif not inside:
                s, g = SAMPLER.match(line), GLOBAL.match(line)
                inside = line == '{'
                if s:
                    program.samplers[int(s.group(3))] = TARGETS[s.group(1)], bool(s.group(2))
                elif g:
                    program.names[g.group(3)] = g.group(1), g.group(2)
                elif line and line not in ('{', 'void main()') and not line.startswith(('#', 'precision ')):
                    raise ValueError('unknown declaration %r' % line)
            elif line.startswith('if ('):
                test = expression(line[4:-1])
            elif line == 'discard;':
                program.body.append((number, 'discard', None, test))
                test = None
            elif line and line != '}':
                m = re.match(r'(?:(float|vec[234])\s+)?(\w+(?:\[\d\])?)(?:\.([xyzw]+))?\s*=\s*(.*);$', line)
                if not m or test:
                    raise ValueError('unknown statement %r' % line)
                program.body.append((number, m.group(1), (m.group(2), m.group(3)), expression(m.group(4))))
        except ValueError as e:
            raise InputError(str(e), number, 1) from None
    if program is None or not inside:
        raise InputError('no program', 1, 1)
    return program


class Run:
    def __init__(self, program, inputs, tolerance):
        self.p, self.inputs, self.ops, self.line = program, inputs, Operations(tolerance), 0
        self.old = program.version in OLD
        self.vars, self.out, self.killed = {}, {}, False

    def fail(self, message):
        raise ProgramError('line %d: %s' % (self.line, message))

    # ---- names ----

    def vector(self, binding):
        return list(self.inputs.vector(binding))

    def name(self, word):
        if word in self.vars:
            return self.vars[word]
        if word == 'gl_FragCoord':
            return self.vector('fragment.position')
        known = {'gl_Color': 'fragment.color.primary', 'gl_SecondaryColor': 'fragment.color.secondary'}
        if self.old and word in known:
            return self.vector(known[word])
        if self.old and word == 'gl_FogFragCoord':
            return self.vector('fragment.fogcoord')[:1]
        if not self.old and word in self.p.names:
            if word in ('primary_color', 'secondary_color'):
                return self.vector('fragment.color.' + word[:-6])
            if word.startswith('texcoord'):
                return self.vector('fragment.texcoord[%s]' % word[8:])
            if word == 'fog_coord':
                return self.vector('fragment.fogcoord')[:1]
        if word in self.p.names and word in UNIFORMS:
            return self.vector(UNIFORMS[word])
        return self.fail('%s has no value' % word)

    def element(self, e, i):
        word = e[1] if e[0] == 'name' else ''
        if self.old and word == 'gl_TexCoord':
            return self.vector('fragment.texcoord[%d]' % i)
        if self.old and word == 'gl_TextureEnvColor' or word == 'texenv_color' and word in self.p.names:
            return self.vector('state.texenv[%d].color' % i)
        if self.old and word == 'gl_ClipPlane':
            return self.vector('state.clip[%d].plane' % i)
        if word in ('program_env', 'program_local') and word in self.p.names:
            return self.vector('program.%s[%d]' % (word[8:], i))
        m = re.match(r'gl_(\w+?)Matrix(InverseTranspose|Inverse|Transpose)?$', word or
                     (e[1][1] if e[0] == '[]' and e[1][0] == 'name' else ''))
        if self.old and m and m.group(1) in MATRICES:
            # a column is a row of the transposed matrix
            how = {None: '.transpose', 'Transpose': '', 'InverseTranspose': '.inverse',
                   'Inverse': '.invtrans'}[m.group(2)]
            name = MATRICES[m.group(1)]
            name = name % e[2] if '%' in name else name
            return self.vector('state.matrix.%s%s.row[%d]' % (name, how, i))
        return self.fail('%s has no elements' % (e,))

    def built_in(self, e, field):
        """Returns a field of GL's state structures, or None."""
        array = e[0] == '[]'
        word, i = (e[1][1], e[2]) if array and e[1][0] == 'name' else (e[1] if e[0] == 'name' else '', None)
        fields = {'gl_Fog': {'color': ('fog.color', slice(4)), 'density': ('fog.params', slice(1)),
                             'start': ('fog.params', slice(1, 2)), 'end': ('fog.params', slice(2, 3)),
                             'scale': ('fog.params', slice(3, 4))},
                  'gl_DepthRange': {'near': ('depth.range', slice(1)), 'far': ('depth.range', slice(1, 2)),
                                    'diff': ('depth.range', slice(2, 3))},
                  'gl_LightModel': {'ambient': ('lightmodel.ambient', slice(4))}}
        light = 'light[%s].' % (i,)
        fields['gl_LightSource'] = {
            **{c: (light + c, slice(4)) for c in COLOURS + ('position',)},
            'constantAttenuation': (light + 'attenuation', slice(1)),
            'linearAttenuation': (light + 'attenuation', slice(1, 2)),
            'quadraticAttenuation': (light + 'attenuation', slice(2, 3)),
            'spotExponent': (light + 'attenuation', slice(3, 4)),
            'spotDirection': (light + 'spot.direction', slice(3)),
            'spotCosCutoff': (light + 'spot.direction', slice(3, 4)), 'halfVector': (light + 'half', slice(4))}
        for face in ('Front', 'Back'):
            low = face.lower()
            fields['gl_%sMaterial' % face] = {
                **{c: ('material.%s.%s' % (low, c), slice(4)) for c in COLOURS + ('emission',)},
                'shininess': ('material.%s.shininess' % low, slice(1))}
            fields['gl_%sLightProduct' % face] = {c: ('lightprod[%s].%s.%s' % (i, low, c), slice(3))
                                                  for c in COLOURS}
            fields['gl_%sLightModelProduct' % face] = {'sceneColor': ('lightmodel.%s.scenecolor' % low, slice(3))}
        if not self.old or field not in fields.get(word, ()):
            return None
        binding, part = fields[word][field]
        got = self.vector('state.' + binding)[part]
        # GLSL does not specify these alphas, on which ARB programs rely
        return got + [Poison('alpha of %s' % word)] if part == slice(3) and field != 'spotDirection' else got

    # ---- functions ----

    def texture(self, word, args):
        if args[0][0] != 'name' or int(args[0][1][7:]) not in self.p.samplers:
            self.fail('%s without a sampler' % word)
        unit = int(args[0][1][7:])
        target, shadow = self.p.samplers[unit]
        m = OLD_LOOKUP.match(word)
        if self.p.version in (*OLD, '100'):
            if not m or TARGETS[m.group(2)] != target or (m.group(1) == 'shadow') != shadow:
                self.fail('%s of a %s sampler' % (word, target))
            divided = bool(m.group(3))
        elif word in ('texture', 'textureProj'):
            divided = word == 'textureProj'
        else:
            self.fail('no function %s' % word)
        c = self.value(args[1])
        bias = self.value(args[2])[0] if len(args) > 2 else ZERO
        count = COORDINATES[target]
        if divided:
            if len(c) not in ((4,) if shadow else (count + 1, 4)):
                self.fail('%s of %d coordinates' % (word, len(c)))
            q = c[-1]
            if not isinstance(q, Poison) and n.bounds(q)[0] <= 0:
                c = [Poison('a division by q <= 0') if n.bounds(q)[1] <= 0 else n.Undecided('q')] * 4
            else:
                c = [n.mul(x, n.reciprocal(q)) for x in c]
        elif len(c) != (3 if shadow else count):
            self.fail('%s of %d coordinates' % (word, len(c)))
        c = ([c[0], c[2]] if target == '1D' else c[:3]) if shadow else c[:count]
        got = self.inputs.lookup(unit, ('SHADOW' if shadow else '') + target, c, bias, shadow)
        return got[:1] if shadow and self.p.version not in OLD else got

    def call(self, word, args):
        if word.startswith(('texture', 'shadow')):
            return self.texture(word, args)
        v = [self.value(a) for a in args]
        if word in SIZES:
            flat = [ONE if x is True else ZERO if x is False else x for part in v for x in part]
            size = SIZES[word]
            if len(v) == 1 and len(flat) == 1:
                return flat * size
            if len(flat) != size:
                self.fail('%s of %d components' % (word, len(flat)))
            return flat
        if word == 'any':
            return [True if True in v[0] else next((x for x in v[0] if x is not False), False)]
        if word == 'dot':
            return self.ops.dots([n.mul(a, b) for a, b in zip(*v)])[:1]
        size = max(map(len, v))
        if any(len(x) not in (1, size) for x in v):
            self.fail('%s of unequal vectors' % word)
        v = [x * size if len(x) == 1 else x for x in v]
        tests = {'lessThan': '<', 'greaterThan': '>', 'lessThanEqual': '<=', 'greaterThanEqual': '>=',
                 'equal': '=='}
        if word in tests:
            return [self.test(tests[word], a, b) for a, b in zip(*v)]
        f = {'abs': n.absolute, 'floor': n.floor, 'fract': lambda x: n.sub(x, n.floor(x)), 'min': n.least,
             'max': n.most, 'exp2': n.exp2, 'log2': n.log2, 'sin': n.sine, 'cos': n.cosine,
             'inversesqrt': n.reciprocal_root, 'sqrt': n.root, 'clamp': lambda x, a, b: n.least(n.most(x, a), b),
             'mix': self.mix, 'pow': self.power}.get(word)
        return [f(*lane) for lane in zip(*v)] if f else self.fail('no function %s' % word)

    @staticmethod
    def mix(a, b, f):
        if f is True or f is False or isinstance(f, Poison):
            return b if f is True else a if f is False else f
        return n.add(n.mul(a, n.sub(ONE, f)), n.mul(b, f))

    @staticmethod
    def power(a, b):
        """Computes pow, which is undefined for a < 0, and for a = 0 and b <= 0."""
        bad = n.poisoned(a, b)
        if bad:
            return bad
        lo, hi = n.bounds(a)
        if hi < 0 or hi == 0 and n.bounds(b)[0] <= 0:
            return Poison('pow(%r, %r)' % (a, b))
        if lo == hi == 0:
            return ZERO
        return n.exp2(n.mul(b, n.log2(a))) if lo > 0 else n.Undecided('pow of %r' % a)

    @staticmethod
    def test(op, a, b):
        """Compares; returns True, False or Poison."""
        bad = n.poisoned(a, b)
        if bad:
            return bad
        if op == '==':
            same = n.both_exact(a, b) and a == b
            return same if same or not n.meet(a, b) else n.Undecided('equality')
        if op in ('>', '<='):
            a, b = b, a
        got = n.less(a, b)
        if got is None:
            return n.Undecided('a comparison of %r and %r' % (a, b))
        return got if op in ('<', '>') else not got

    def value(self, e):
        kind = e[0]
        if kind == 'number':
            return [e[1]]
        if kind == 'name':
            return self.name(e[1])
        if kind == '[]':
            return self.element(e[1], e[2])
        if kind == '.':
            got = self.built_in(e[1], e[2])
            if got is not None:
                return got
            v = self.value(e[1])
            names = 'xyzw' if e[2][0] in 'xyzw' else 'rgba'
            if len(v) == 1 or any(c not in names[:len(v)] for c in e[2]):
                self.fail('no components .%s' % e[2])
            return [v[names.index(c)] for c in e[2]]
        if kind == 'neg':
            return [n.neg(x) for x in self.value(e[1])]
        if kind == 'call':
            return self.call(e[1], e[2])
        if kind == '?':
            test, = self.value(e[1])
            yes, no = self.value(e[2]), self.value(e[3])
            return [test] * len(yes) if isinstance(test, Poison) else yes if test else no
        return self.operate(kind, self.value(e[1]), self.value(e[2]))

    def operate(self, kind, a, b):
        size = max(len(a), len(b))
        if len(a) not in (1, size) or len(b) not in (1, size):
            self.fail('vectors of %d and %d' % (len(a), len(b)))
        a, b = (a * size if len(a) == 1 else a), (b * size if len(b) == 1 else b)
        f = {'+': n.add, '-': n.sub, '*': n.mul, '/': lambda x, y: n.mul(x, n.reciprocal(y))}.get(kind)
        f = f or (lambda x, y: self.test(kind, x, y))
        return [f(x, y) for x, y in zip(a, b)]

    def run(self):
        for self.line, kind, target, e in self.p.body:
            v = self.value(e) if e else [True]
            if kind == 'discard':
                if self.killed is False:
                    self.killed = v[0]
                continue
            word, mask = target
            if mask:
                self.fail('an assignment to components')
            if kind and SIZES[kind] != len(v):
                self.fail('%d components for a %s' % (len(v), kind))
            self.vars[word] = v
        colours = {'gl_FragColor': 0, 'fragment_color': 0}
        for word, v in self.vars.items():
            m = re.match(r'(?:gl_FragData\[|fragment_color)(\d)', word)
            if word in colours or m:
                self.out['result.color[%d]' % (int(m.group(1)) if m else 0)] = [n.sat(x) for x in v]
            elif word in ('gl_FragDepth', 'gl_FragDepthEXT'):
                self.out['result.depth'] = [n.sat(v[0])]
        return self


__all__ = ['parse', 'VERSIONS', 'Fraction']
