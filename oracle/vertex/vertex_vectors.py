"""Conformance vectors of the vertex half: a point, the calls that set its state from a context's initial
state, and its colour. Texture coordinates are observed through the texel that they select in a texture of 8
by 8 texels.
"""
import math
from collections import namedtuple
from fractions import Fraction

from ..common import spans as n
from . import fixed_vertex, matrices, vertex_words
from .gl_values import ONE, ZERO, dot, unit
from .vertex_draws import Draw, undefined

Call = namedtuple('Call', 'name enums values')      # enums: names; values: numbers, or names
Vertex = namedtuple('Vertex', 'name tags calls coordinates want tolerance')
TRIES, MARGIN, SIDE = 400, .05, 8

WORDS = (
    'lighting', 'lighting light0', 'lighting light3', 'lighting light0 light1', 'lighting light0=positional',
    'lighting light0=positional+attenuated', 'lighting light0=spot+positional',
    'lighting light0=positional+spot+attenuated light1', 'lighting light0=spot', 'lighting light0 normalize',
    'lighting light0 rescale', 'lighting light0 color-material', 'lighting light0 local-viewer',
    'lighting light0=positional local-viewer', 'lighting light0 separate-specular',
    'lighting light0 light2=positional light7=positional+attenuated',
    'texgen0=object', 'texgen0=eye', 'texgen0=sphere', 'texgen0=reflection', 'texgen0=normal', 'texgen0.s=object',
    'texgen0.t=eye', 'texgen0=object matrix0', 'texgen0=sphere matrix0', 'texgen0=reflection matrix0',
    'texgen0=normal matrix0', 'texgen0=reflection normalize', 'matrix0', '', 'fog-coord')


class Plain(Draw):
    """Draws with colours in [0,1] and eye coordinates with w = 1."""

    def colour(self):
        top = self.rng.choice((6, 10, 17))
        return tuple(Fraction(self.rng.randrange(top), 16) for _ in range(4))

    def metric(self):
        return True

    def any_matrix(self):
        """Returns a matrix with a positive q if possible."""
        return [*(list(self.numbers(4, 1)) for _ in range(3)), [ZERO, ZERO, ZERO, self.positive()]]


def middle(x):
    lo, hi = n.bounds(x)
    return (float(lo) + float(hi)) / 2


def clear(state, gl):
    """Returns whether the vertex is not close to cases that rounding decides, such as N.L = 0 or the edge of
    a spot's cone."""
    v = fixed_vertex.Vertex(state, gl)
    for number, how in state.lit_by():
        light = gl.lights[number]
        way, _ = v.to_light(light)
        if abs(middle(dot(v.normal(), way))) < MARGIN or light.position[3] < 0:
            return False
        # 0^0 is 1 here, and 0 in some implementations
        half = dot(v.normal(), v.half(way))
        if not gl.materials['front'].shininess and middle(dot(v.normal(), way)) > 0 and middle(half) < MARGIN:
            return False
        if 'spot' in how and not light.exponent and -middle(dot(way, unit(light.direction))) < MARGIN:
            return False
        if 'spot' in how and abs(-middle(dot(way, unit(light.direction))) - float(light.cos_cutoff)) < MARGIN:
            return False
        if 'spot' in how and light.exponent > 16 or gl.materials['front'].shininess > 32:
            return False
    return True


def looked_up(coordinates):
    """Returns the texel at (s/q, t/q), or None if rounding could decide."""
    s, t, _, q = coordinates
    if q < .25 or max(map(abs, coordinates)) > 64:
        return None
    at = [x / q * SIDE for x in (s, t)]
    if any(not .15 < x - math.floor(x) < .85 for x in at):
        return None
    s, t = (math.floor(x) % SIDE for x in at)
    return (16 + 32 * s, 16 + 32 * t, 128, 255)


def byte(x):
    return math.floor(min(1, max(0, x)) * 255 + .5)


def lit_color(state, out):
    first, second = (list(map(middle, out['result.color.front.%s' % k])) for k in ('primary', 'secondary'))
    if state.has('separate-specular'):
        first[:3] = [min(1.0, a + b) for a, b in zip(first[:3], second)]
    return first


def fog_linear(state, gl, fog):
    """Returns (colour, distance from the margins of [0,1])."""
    start, end, color = fog
    f = (end - middle(gl.fogcoord)) / (end - start)
    rgb = [f * float(c) + (1 - f) * k for c, k in zip(gl.color[:3], color)]
    return [*rgb, float(gl.color[3])], min(f, 1 - f)


# ---- calls ----

def numbers(values):
    return tuple(int(x) if x == int(x) else float(x) for x in values)


def columns(matrix):
    return numbers(matrix[row][column] for column in range(4) for row in range(4))


def light_calls(number, how, light):
    name = 'GL_LIGHT%d' % number

    def call(what, *values):
        return Call('glLightfv', (name, what), numbers(values))
    yield call('GL_AMBIENT', *light.ambient)
    yield call('GL_DIFFUSE', *light.diffuse)
    yield call('GL_SPECULAR', *light.specular)
    yield call('GL_POSITION', *light.position)
    if 'spot' in how:
        yield call('GL_SPOT_DIRECTION', *light.direction)
        yield call('GL_SPOT_CUTOFF', math.degrees(math.acos(float(light.cos_cutoff))))
        yield call('GL_SPOT_EXPONENT', light.exponent)
    if 'attenuated' in how:
        for what, value in zip(('CONSTANT', 'LINEAR', 'QUADRATIC'), light.attenuation):
            yield call('GL_%s_ATTENUATION' % what, value)
    yield Call('glEnable', (name,), ())


def lighting_calls(state, gl):
    for number, how in state.lit_by():
        yield from light_calls(number, how, gl.lights[number])
    yield Call('glLightModelfv', ('GL_LIGHT_MODEL_AMBIENT',), numbers(gl.scene))
    if state.has('local-viewer'):
        yield Call('glLightModelfv', ('GL_LIGHT_MODEL_LOCAL_VIEWER',), (1.0,))
    if state.has('separate-specular'):
        yield Call('glLightModelfv', ('GL_LIGHT_MODEL_COLOR_CONTROL',), ('GL_SEPARATE_SPECULAR_COLOR',))
    own = gl.materials['front']
    for what in ('ambient', 'diffuse', 'specular', 'emission', 'shininess'):
        value = getattr(own, what)
        yield Call('glMaterialfv', ('GL_FRONT_AND_BACK', 'GL_' + what.upper()),
                   numbers(value if isinstance(value, tuple) else (value,)))
    if state.tracks[0]:
        yield Call('glEnable', ('GL_COLOR_MATERIAL',), ())
    yield Call('glEnable', ('GL_LIGHTING',), ())


# Enumerants that the readers of states do not need.
TOKENS = {
    'GL_AMBIENT': 0x1200, 'GL_DIFFUSE': 0x1201, 'GL_SPECULAR': 0x1202, 'GL_POSITION': 0x1203,
    'GL_SPOT_DIRECTION': 0x1204, 'GL_SPOT_EXPONENT': 0x1205, 'GL_SPOT_CUTOFF': 0x1206,
    'GL_CONSTANT_ATTENUATION': 0x1207, 'GL_LINEAR_ATTENUATION': 0x1208, 'GL_QUADRATIC_ATTENUATION': 0x1209,
    'GL_EMISSION': 0x1600, 'GL_SHININESS': 0x1601, 'GL_FRONT_AND_BACK': 0x0408, 'GL_COLOR_MATERIAL': 0x0B57,
    'GL_MODELVIEW': 0x1700, 'GL_PROJECTION': 0x1701, 'GL_RESCALE_NORMAL': 0x803A, 'GL_S': 0x2000, 'GL_T': 0x2001,
    'GL_R': 0x2002, 'GL_Q': 0x2003, 'GL_TEXTURE_GEN_S': 0x0C60, 'GL_TEXTURE_GEN_T': 0x0C61,
    'GL_TEXTURE_GEN_R': 0x0C62, 'GL_TEXTURE_GEN_Q': 0x0C63, 'GL_TEXTURE_GEN_MODE': 0x2500,
    'GL_OBJECT_PLANE': 0x2501, 'GL_EYE_PLANE': 0x2502, 'GL_EYE_LINEAR': 0x2400, 'GL_OBJECT_LINEAR': 0x2401,
    'GL_SPHERE_MAP': 0x2402, 'GL_NORMAL_MAP': 0x8511, 'GL_REFLECTION_MAP': 0x8512}
TOKENS.update({'GL_LIGHT%d' % k: 0x4000 + k for k in range(8)})
GEN = {'object': 'GL_OBJECT_LINEAR', 'eye': 'GL_EYE_LINEAR', 'sphere': 'GL_SPHERE_MAP',
       'reflection': 'GL_REFLECTION_MAP', 'normal': 'GL_NORMAL_MAP'}


def texgen_calls(state, gl):
    for c in 'strq':
        mode, name = state.texgen[0][c], 'GL_' + c.upper()
        if mode == 'off':
            continue
        yield Call('glTexGenfv', (name, 'GL_TEXTURE_GEN_MODE'), (GEN[mode],))
        plane = {'object': gl.object_planes, 'eye': gl.given_planes}.get(mode)
        if plane:
            yield Call('glTexGenfv', (name, 'GL_%s_PLANE' % mode.upper()), numbers(plane[0][c]))
        yield Call('glEnable', ('GL_TEXTURE_GEN_' + c.upper(),), ())


def matrix_calls(mode, matrix):
    yield Call('glMatrixMode', (mode,), ())
    yield Call('glLoadMatrixf', (), columns(matrix))


def fog_calls(fog):
    start, end, color = fog
    for what, values in (('MODE', ('GL_LINEAR',)), ('START', (start,)), ('END', (end,)), ('COLOR', color),
                         ('COORD_SRC', ('GL_FOG_COORD',))):
        yield Call('glFogfv', ('GL_FOG_' + what,), values)
    yield Call('glEnable', ('GL_FOG',), ())


def calls(state, gl, fog):
    yield from lighting_calls(state, gl) if state.lit else ()
    for flag in ('normalize', 'rescale'):
        if state.has(flag):
            yield Call('glEnable', ({'normalize': 'GL_NORMALIZE', 'rescale': 'GL_RESCALE_NORMAL'}[flag],), ())
    yield from matrix_calls('GL_MODELVIEW', gl.modelview)
    yield from texgen_calls(state, gl)
    if 0 in state.matrices:
        yield from matrix_calls('GL_TEXTURE', gl.texture[0])
    eye = matrices.times(gl.modelview, gl.position)[:3]
    yield from matrix_calls('GL_PROJECTION', matrices.affine(matrices.identity(3), [-x for x in eye]))
    yield from fog_calls(fog) if fog else ()
    yield Call('glNormal3f', (), numbers(gl.normal))
    yield Call('glColor4f', (), numbers(gl.color))
    if state.coords:
        yield Call('glTexCoord4f', (), numbers(gl.texcoord[0]))
    if fog:
        yield Call('glFogCoordf', (), numbers((gl.fogcoord,)))
    yield Call('glVertex3f', (), numbers(gl.position[:3]))


# ---- the set ----

def tags(words, state):
    made = {m for m in state.texgen[0].values() if m != 'off'}
    out = [name for name, has in (('lighting', state.lit), ('texgen', made), ('matrix', 0 in state.matrices),
                                  ('fog-coord', state.has('fog-coord'))) if has]
    if not state.has('fog-coord'):
        out.insert(0, 'GL1.3')
        if not made and not state.has('local-viewer') and not state.has('separate-specular'):
            out.insert(0, 'ES1.1')
    return tuple(out)


def drawn(words, seed):
    """Returns (vertex, a measure of how much its colour shows), or None if rounding could decide the
    result."""
    reads = 'fog+color' if 'fog-coord' in words else 'color+secondary' if 'lighting' in words else 'texcoord0'
    state = vertex_words.read('%s reads=%s' % (words, reads))
    draw = Plain(seed, state)
    draw.exact = False
    gl = draw.draw()
    gl.plane_modelview = gl.modelview
    if state.lit and gl.position[3] != 1:
        return None
    out = fixed_vertex.evaluate(state, gl)
    if undefined(out) or not clear(state, gl):
        return None
    coordinates, fog, shown = None, None, 1
    if state.coords:
        gl.texcoord[0] = (*gl.texcoord[0][:3], ONE) if gl.texcoord[0][3] <= 0 else gl.texcoord[0]
        coordinates = tuple(map(middle, fixed_vertex.evaluate(state, gl)['result.texcoord[0]']))
        want = looked_up(coordinates)
        if want is None:
            return None
    else:
        if state.has('fog-coord'):
            fog = 0.0, 8.0, (.25, .75, .5, 1.0)
            color, shown = fog_linear(state, gl, fog)
            if shown <= .1:
                return None
        else:
            color = lit_color(state, out)
            shown = sum(.05 < x < .95 for x in color)
        want = tuple(map(byte, color))
    name = words or 'coordinates as they are given'
    return Vertex(name, tags(words, state), tuple(calls(state, gl, fog)), coordinates, want, 2), shown


def make(words, seed):
    """Returns the best of several draws."""
    best, shown = None, -1
    for k in range(TRIES):
        found = drawn(words, 'vector %s %s %d' % (seed, words, k))
        if found and found[1] > shown:
            best, shown = found
        if shown >= 4 or best and not best.tags.count('lighting'):
            break
    if best is None:
        raise AssertionError('no draw for %r' % words)
    return best


def all_vertices(seed=1):
    """Yields vectors without end; None after each round."""
    again = 0
    while True:
        for words in WORDS:
            yield make(words, '%d %d' % (seed, again))
        yield None
        again += 1
