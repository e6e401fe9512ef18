"""Evaluates fixed function for one vertex by the formulas of the OpenGL 2.1 specification (sections 2.11 to
2.14, 3.3, 3.10), with the numbers of spans.py: exact where a formula is rational. Vertices must have w = 1 in
eye coordinates if the state needs lengths, directions or depths there.
"""
from fractions import Fraction

from ..common import spans as n
from ..common.spans import ONE, Poison, Span, ZERO
from . import matrices
from .gl_values import dot, length, minus, plus, scaled, unit

HALF, TWO = Fraction(1, 2), Fraction(2)
EYE_Z = (ZERO, ZERO, ONE)
# Programs compute powers by LIT, which clamps exponents to 128; this changes a power by at most 3e-8.
LAST_EXPONENT = Span(127.99999, 128.0)


def no_power(_):
    """Returns 0^w for w > 0."""
    return ZERO


def power(base, exponent, zero_power=no_power):
    """Returns base^exponent for a base that is not negative; 0^0 = 1."""
    bad = n.poisoned(base, exponent)
    if bad:
        return bad
    if exponent == 0:
        return ONE
    exponent = LAST_EXPONENT if exponent == 128 else exponent
    lo, hi = n.bounds(base)
    if hi <= 0:
        return zero_power(exponent)
    top = n.exp2(n.mul(exponent, n.log2(Fraction(hi) if lo != hi else base)))
    if lo > 0:
        bottom = top if lo == hi else n.exp2(n.mul(exponent, n.log2(Fraction(lo))))
        return top if lo == hi else Span(float(n.bounds(bottom)[0]), float(n.bounds(top)[1]))
    # the power grows with the base
    highest = max(n.bounds(x)[1] for x in (top, zero_power(exponent)))
    return Span(0.0, n.above(float(highest)))


class Vertex:
    """state: VertexState; gl: GlValues."""

    def __init__(self, state, gl, zero_power=no_power):
        self.state, self.gl, self.zero_power = state, gl, zero_power
        self.eye = matrices.times(gl.modelview, gl.position)
        self.kept = {}

    def once(self, name, make):
        if name not in self.kept:
            self.kept[name] = make()
        return self.kept[name]

    # ---- 2.11 ----

    def position(self):
        return matrices.times(self.gl.projection, self.eye)

    def normal(self):
        return self.once('normal', self.make_normal)

    def make_normal(self):
        """Computes the normal (2.11.3)."""
        inverse = matrices.inverse(matrices.upper(self.gl.modelview))
        normal = matrices.times(matrices.transposed(inverse), self.gl.normal)
        if self.state.has('normalize'):
            return unit(normal)
        if self.state.has('rescale'):
            return scaled(normal, n.reciprocal(length(inverse[2])))
        return normal

    def from_eye(self):
        """Returns the unit vector from the origin to the vertex."""
        return self.once('from_eye', lambda: unit(self.eye[:3]))

    def reflection(self):
        def make():
            normal, u = self.normal(), self.from_eye()
            return minus(u, scaled(normal, n.mul(TWO, dot(normal, u))))
        return self.once('reflection', make)

    def generated(self, unit_number, c):
        """Returns a generated coordinate before the texture matrix (2.11.4)."""
        mode, k = self.state.texgen[unit_number][c], 'strq'.index(c)
        if mode == 'object':
            return dot(self.gl.object_planes[unit_number][c], self.gl.position)
        if mode == 'eye':
            return dot(self.gl.eye_plane(unit_number, c), self.eye)
        if mode == 'sphere':
            r = self.reflection()
            m = n.mul(TWO, length(plus(r, EYE_Z)))
            return n.add(n.mul(r[k], n.reciprocal(m)), HALF)
        if mode == 'reflection':
            return self.reflection()[k]
        return self.normal()[k] if mode == 'normal' else self.gl.texcoord[unit_number][k]

    def coordinates(self, unit_number):
        wanted = self.state.wanted(unit_number)
        plain = [self.generated(unit_number, c) if c in wanted else Poison('not wanted') for c in 'strq']
        if unit_number not in self.state.matrices:
            return plain
        return [dot(row, plain) for row in self.gl.texture[unit_number]]

    # ---- 2.14 ----

    def material(self, face, name):
        """Returns a material's colour, or the vertex's if the material tracks it (2.14.3)."""
        tracks = self.state.tracks[face == 'back']
        return self.gl.color if name in tracks else getattr(self.gl.materials[face], name)

    def to_light(self, light):
        """Returns (unit vector from the vertex to the light, distance or None)."""
        x, y, z, w = light.position
        if w == 0:
            return unit((x, y, z)), None
        way = minus((x / w, y / w, z / w), self.eye[:3])
        return unit(way), length(way)

    def strength(self, light, how, way, distance):
        """Returns att * spot (equations of 2.14.1)."""
        got = ONE
        if 'attenuated' in how and distance is not None:
            k = light.attenuation
            got = n.reciprocal(dot(k, (ONE, distance, n.mul(distance, distance))))
        if 'spot' in how:
            along = n.neg(dot(way, unit(light.direction)))
            inside = power(n.most(along, ZERO), light.exponent, self.zero_power)
            got = n.mul(got, n.choose(along, light.cos_cutoff, ZERO, inside))
        return got

    def half(self, way):
        viewer = scaled(self.from_eye(), -ONE) if self.state.has('local-viewer') else EYE_Z
        return unit(plus(way, viewer))

    def lit(self, face):
        """Returns (diffuse part, specular part), three components each, not clamped."""
        own = {name: self.material(face, name)[:3] for name in ('ambient', 'diffuse', 'specular', 'emission')}
        first = plus(own['emission'], times(own['ambient'], self.gl.scene))
        second = [ZERO] * 3
        shininess = self.gl.materials[face].shininess
        for number, how in self.state.lit_by():
            light = self.gl.lights[number]
            way, distance = self.to_light(light)
            normal = self.normal() if face == 'front' else scaled(self.normal(), -ONE)
            strength = self.strength(light, how, way, distance)
            facing = dot(normal, way)
            part = plus(times(own['ambient'], light.ambient),
                        scaled(times(own['diffuse'], light.diffuse), n.most(facing, ZERO)))
            first = plus(first, scaled(part, strength))
            shine = n.choose(ZERO, facing, power(n.most(dot(normal, self.half(way)), ZERO), shininess,
                                                 self.zero_power), ZERO)
            second = plus(second, scaled(times(own['specular'], light.specular), n.mul(strength, shine)))
        return first, second

    def colours(self, face):
        """Returns primary and secondary colour, clamped (2.14.6)."""
        if not self.state.lit:
            pair = self.gl.color, self.gl.secondary
        else:
            first, second = self.once(face, lambda: self.lit(face))
            if not self.state.has('separate-specular'):
                first, second = plus(first, second), [ZERO] * 3
            pair = [*first, self.material(face, 'diffuse')[3]], [*second, ONE]
        return [[n.sat(x) for x in colour] for colour in pair]

    # ---- 3.3, 3.10 ----

    def point_size(self):
        a, b, c = self.gl.point_attenuation
        size, least, most, _ = self.gl.point
        d = abs(self.eye[2])  # implementations use |z| as the distance (notes/formats/vertex.md)
        under = n.add(n.add(a, n.mul(b, d)), n.mul(c, n.mul(d, d)))
        return n.least(n.most(n.mul(size, n.reciprocal_root(under)), least), most)

    def fog(self):
        return self.gl.fogcoord if self.state.has('fog-coord') else abs(self.eye[2])


def times(a, b):
    return [n.mul(x, y) for x, y in zip(a, b)]


def evaluate(state, gl, zero_power=no_power):
    """Returns {result: components} of all results that are read; a lane that is not read is None."""
    v = Vertex(state, gl, zero_power)
    out = {'result.position': v.position()}
    for face in state.sides():
        for kind, which in (('color', 0), ('secondary', 1)):
            if kind in state.reads:
                out['result.color.%s.%s' % (face, ('primary', 'secondary')[which])] = v.colours(face)[which]
    for unit_number, lanes in state.coords.items():
        got = v.coordinates(unit_number)
        out['result.texcoord[%d]' % unit_number] = [x if c in lanes else None for c, x in zip('strq', got)]
    if 'fog' in state.reads:
        out['result.fogcoord'] = [v.fog()]
    if state.has('point-attenuation'):
        out['result.pointsize'] = [v.point_size()]
    return out
