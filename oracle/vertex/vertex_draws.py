"""Chooses random values of GL's state and random vertices for a state of the vertex half, such that special
cases of the formulas occur. Every second draw has vectors of rational length where possible. Everything
except powers is then exact, and limits (N.L = 0, a direction on the edge of a spot's cone) occur exactly.
Cases that the specification leaves undefined are avoided: a vertex at the eye or at a light where its
direction matters, attenuation 1/0, a half vector of length 0 on a lit side, a sphere map of the vector
(0,0,-1).
"""
import random
from fractions import Fraction

from ..common import spans as n
from . import fixed_vertex, matrices
from .gl_values import GlValues, ONE, ZERO

SMALL = ((0, 0, 1, 1), (3, 4, 0, 5), (1, 2, 2, 3), (2, 3, 6, 7), (1, 4, 8, 9), (4, 4, 7, 9), (2, 6, 9, 11))
TRIES = 50


def is_zero(v):
    return all(x == 0 for x in v)


def inner(a, b):
    return sum(x * y for x, y in zip(a, b))


class Draw:
    def __init__(self, seed, state):
        self.rng, self.state, self.gl = random.Random(seed), state, GlValues()
        self.exact = self.rng.random() < .5

    def number(self, bound=4):
        """Returns a multiple of 1/16, often an integer."""
        k = self.rng.randrange(4)
        if k == 0:
            return Fraction(self.rng.randrange(-bound, bound + 1))
        return Fraction(self.rng.randrange(-16 * bound, 16 * bound + 1), 16)

    def numbers(self, count, bound=4):
        return tuple(self.number(bound) for _ in range(count))

    def positive(self):
        return self.rng.choice((ONE, Fraction(2), Fraction(1, 2), Fraction(3),
                                Fraction(self.rng.randrange(1, 65), 16)))

    def colour(self):
        """Returns a colour, sometimes outside of [0,1]: GL clamps colours of lights, materials and vertices
        only at the end."""
        rng = self.rng
        if rng.random() < .15:
            return self.numbers(4, 2)
        top = rng.choice((4, 8, 17))
        return tuple(Fraction(rng.randrange(top), 16) for _ in range(3)) + (Fraction(rng.randrange(17), 16),)

    # ---- vectors ----

    def rational_unit(self, toward=None):
        """Returns a unit vector of fractions; toward: with a positive dot product with this vector."""
        *v, size = self.rng.choice(SMALL)
        self.rng.shuffle(v)
        v = tuple(Fraction(self.rng.choice((-x, x)), size) for x in v)
        if toward is not None and inner(v, toward) < 0:
            v = tuple(-x for x in v)
        return v

    def direction(self, toward=None):
        if self.exact:
            return self.rational_unit(toward)
        while True:
            v = self.numbers(3)
            if not is_zero(v):
                return tuple(-x for x in v) if toward is not None and inner(v, toward) < 0 else v

    def across(self, normal):
        """Returns a direction at right angles to the normal."""
        for _ in range(30):
            v = self.rational_unit()
            if inner(v, normal) == 0:
                return v
        x, y, z = normal
        return (y, -x, ZERO) if x or y else (ONE, ZERO, ZERO)

    # ---- matrices ----

    def linear(self):
        """Returns a 3x3 matrix whose inverse also has small fractions."""
        rng = self.rng
        kind = rng.randrange(7)
        if kind == 0:
            return matrices.identity(3)
        if kind == 1:                                   # a rotation
            c, s = rng.choice(((3, 4), (-4, 3), (0, 1), (0, -1)))
            c, s = (Fraction(c, 5), Fraction(s, 5)) if s not in (1, -1) else (ZERO, Fraction(s))
            turn = [[c, -s, ZERO], [s, c, ZERO], [ZERO, ZERO, ONE]]
            order = rng.sample(range(3), 3)
            return [[turn[order[i]][order[k]] for k in range(3)] for i in range(3)]
        if kind == 2:
            size = rng.choice((Fraction(2), Fraction(1, 2), Fraction(4), Fraction(-1)))
            return [[size * x for x in row] for row in matrices.identity(3)]
        if kind == 3:                                   # unequal scales
            sizes = [rng.choice((ONE, Fraction(2), Fraction(1, 2), Fraction(-1))) for _ in range(3)]
            return [[sizes[i] * x for x in row] for i, row in enumerate(matrices.identity(3))]
        if kind == 4:                                   # a shear
            a, b, c = (Fraction(rng.randrange(-2, 3)) for _ in range(3))
            return [[ONE, a, b], [ZERO, ONE, c], [ZERO, ZERO, ONE]]
        if kind == 5:
            return matrices.product(self.linear(), self.linear())
        while True:
            m = [[Fraction(rng.randrange(-2, 3)) for _ in range(3)] for _ in range(3)]
            try:
                matrices.inverse(m)
                return m
            except ValueError:
                pass

    def any_matrix(self):
        return [list(self.numbers(4, 2)) for _ in range(4)]

    # ---- parts ----

    def metric(self):
        """Returns whether w of eye coordinates must be 1."""
        s = self.state
        return bool(s.lit_by() or 'fog' in s.reads or s.has('point-attenuation')
                    or s.modes() & {'sphere', 'reflection', 'normal'})

    def geometry(self):
        gl, rng = self.gl, self.rng
        linear = self.linear()
        gl.modelview = matrices.affine(linear, self.numbers(3))
        gl.projection = self.any_matrix()
        if self.metric() or rng.random() < .5:
            far = self.direction()
            if rng.random() < .7:
                far = (far[0], far[1], -abs(far[2]))    # in front of the eye
            size = self.positive()
            self.eye = tuple(size * x for x in far)
            inverse = matrices.inverse(gl.modelview)
            gl.position = tuple(matrices.times(inverse, (*self.eye, ONE)))
        else:
            if rng.random() < .5:
                gl.modelview = self.any_matrix()
            gl.position = self.numbers(4)
            self.eye = tuple(matrices.times(gl.modelview, gl.position)[:3])
        size = ONE if rng.random() < .6 else self.positive()
        self.eye_normal = tuple(size * x for x in self.direction())
        # normals are rows: n = n_eye * M
        gl.normal = tuple(matrices.times(matrices.transposed(linear), self.eye_normal))

    def mirrored(self):
        """Returns a light's direction whose half vector has rational length."""
        viewer = fixed_vertex.EYE_Z
        if self.state.has('local-viewer') and not is_zero(self.eye):
            size = n.root(inner(self.eye, self.eye))
            if not isinstance(size, Fraction):
                return self.rational_unit()
            viewer = tuple(-x / size for x in self.eye)
        half = self.rational_unit(viewer)
        twice = 2 * inner(half, viewer)
        return tuple(twice * h - v for h, v in zip(half, viewer))

    def way_to_light(self):
        kind = self.rng.randrange(8)
        if kind == 0 and self.exact:
            return self.across(self.eye_normal)
        if kind == 1:
            return tuple(-x for x in self.direction(self.eye_normal))
        if self.exact and kind < 6:
            return self.mirrored()
        return self.direction(self.eye_normal if kind < 7 else None)

    def light(self, number, how):
        gl, rng = self.gl.lights[number], self.rng
        gl.ambient, gl.diffuse, gl.specular = self.colour(), self.colour(), self.colour()
        way = self.way_to_light()
        if is_zero(way):
            way = (ZERO, ZERO, ONE)
        size = self.positive()
        if 'positional' in how:
            w = rng.choice((ONE, ONE, Fraction(2), Fraction(1, 2), Fraction(-1)))
            gl.position = tuple(w * (e + size * x) for e, x in zip(self.eye, way)) + (w,)
        else:
            gl.position = tuple(size * x for x in way) + (ZERO,)
        gl.attenuation = (ONE, ZERO, ZERO)
        if 'attenuated' in how:
            gl.attenuation = tuple(rng.choice((ZERO, ONE, self.positive() / 4)) for _ in range(3))
        gl.exponent = self.exponent()
        gl.direction = self.numbers(3)
        if 'spot' in how:
            self.spot(gl, way)

    def spot(self, gl, way):
        rng = self.rng
        kind = rng.randrange(4)
        back = tuple(-x for x in way)
        direction = back if kind == 0 else self.direction(back if kind < 3 else None)
        along = n.neg(fixed_vertex.dot(fixed_vertex.unit(way), fixed_vertex.unit(direction)))
        size = self.positive()
        gl.direction = tuple(size * x for x in direction)
        near = along if isinstance(along, Fraction) else Fraction(round(n.bounds(along)[0] * 64), 64)
        step = rng.choice((ZERO, ZERO, Fraction(1, 16), Fraction(-1, 16), Fraction(-1, 2)))
        if not isinstance(along, Fraction) and step == 0:
            step = Fraction(-1, 8)
        gl.cos_cutoff = min(max(near + step, ZERO), ONE)
        if rng.random() < .2:
            gl.cos_cutoff = rng.choice((ZERO, ONE, Fraction(1, 2)))
        if not isinstance(along, Fraction) and n.less(along, gl.cos_cutoff) is None:
            gl.cos_cutoff = Fraction(1, 4)              # keeps inexact directions away from the cone's edge

    def exponent(self):
        """Returns an exponent from 0 to 128."""
        rng = self.rng
        return rng.choice((ZERO, ZERO, ONE, Fraction(2), Fraction(1, 2), Fraction(rng.randrange(1, 129)),
                           Fraction(rng.randrange(1, 256), 16)))

    def materials(self):
        self.gl.scene = self.colour()
        for own in self.gl.materials.values():
            own.ambient, own.diffuse, own.specular, own.emission = (self.colour() for _ in range(4))
            own.shininess = self.exponent()

    def texturing(self):
        gl, s = self.gl, self.state
        same = self.rng.random() < .5
        if same:
            gl.plane_modelview = gl.modelview
        else:
            gl.plane_modelview = matrices.affine(self.linear(), self.numbers(3))
        if same and not self.metric():
            try:
                matrices.inverse(gl.modelview)
            except ValueError:
                gl.plane_modelview = matrices.identity()
        for unit in s.coords:
            gl.texcoord[unit] = self.numbers(4)
            for c in 'strq':
                gl.object_planes[unit][c], gl.given_planes[unit][c] = self.numbers(4), self.numbers(4)
            if unit in s.matrices:
                gl.texture[unit] = self.any_matrix()

    def draw(self):
        gl, rng = self.gl, self.rng
        self.geometry()
        for number, how in self.state.lit_by():
            self.light(number, how)
        self.materials()
        self.texturing()
        gl.color = self.colour()
        gl.secondary = self.colour()[:3] + (ONE,)
        gl.fogcoord = self.number(8)
        least = Fraction(rng.randrange(1, 33), 16)
        gl.point = (self.positive() * 2, least, least + rng.randrange(9), ONE)
        gl.point_attenuation = tuple(rng.choice((ZERO, ONE, self.positive() / 4)) for _ in range(3))
        return gl


def undefined(out):
    """Returns whether the specification leaves some lane undefined."""
    return any(isinstance(x, n.Poison) and not x.undecided for lanes in out.values() for x in lanes)


def draw(seed, state):
    """Returns GlValues for which the state's result is defined."""
    for k in range(TRIES):
        gl = Draw('%s %d' % (seed, k), state).draw()
        if not undefined(fixed_vertex.evaluate(state, gl)):
            return gl
    raise ValueError('no defined values for %s' % seed)
