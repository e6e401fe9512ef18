"""The values of a draw, as opposed to its modes: the vertex's attributes and GL's state as the application
gave it (lights, materials, planes, matrices). Also computes the values of bindings of ARB_vertex_program
(revision 46, tables of state). Several of them are derived: products, inverses, half vectors, planes in eye
coordinates.
"""
import re
from fractions import Fraction

from ..common import spans as n
from ..common.errors import ProgramError
from . import matrices

ZERO, ONE = Fraction(0), Fraction(1)
FACES = ('front', 'back')
COLOURS = ('ambient', 'diffuse', 'specular')


class Light:
    def __init__(self):
        self.ambient, self.diffuse, self.specular = (ZERO, ZERO, ZERO, ONE), (ZERO,) * 4, (ZERO,) * 4
        self.position, self.direction = (ZERO, ZERO, ONE, ZERO), (ZERO, ZERO, -ONE)    # in eye coordinates
        self.cos_cutoff, self.exponent = -ONE, ZERO
        self.attenuation = (ONE, ZERO, ZERO)


class Material:
    def __init__(self):
        self.ambient = (Fraction(1, 5),) * 3 + (ONE,)
        self.diffuse = (Fraction(4, 5),) * 3 + (ONE,)
        self.specular = self.emission = (ZERO, ZERO, ZERO, ONE)
        self.shininess = ZERO


class GlValues:
    """All values that a vertex program may read, initially GL's initial values."""

    def __init__(self):
        self.position, self.normal = (ZERO, ZERO, ZERO, ONE), (ZERO, ZERO, ONE)
        self.color, self.secondary = (ONE,) * 4, (ZERO, ZERO, ZERO, ONE)
        self.fogcoord = ZERO
        self.texcoord = [(ZERO, ZERO, ZERO, ONE) for _ in range(8)]
        self.modelview, self.projection = matrices.identity(), matrices.identity()
        self.texture = [matrices.identity() for _ in range(8)]
        self.lights = [Light() for _ in range(8)]
        self.scene = (Fraction(1, 5),) * 3 + (ONE,)
        self.materials = {face: Material() for face in FACES}
        self.object_planes = [{c: (ZERO,) * 4 for c in 'strq'} for _ in range(8)]
        # planes as the application gave them, and the modelview matrix at that time
        self.given_planes = [{c: (ZERO,) * 4 for c in 'strq'} for _ in range(8)]
        self.plane_modelview = matrices.identity()
        self.point = (ONE, ZERO, ONE, ONE)
        self.point_attenuation = (ONE, ZERO, ZERO)

    def eye_plane(self, unit, c):
        """Returns the plane in eye coordinates: the row of coefficients times the inverse of the matrix
        (2.11.4)."""
        inverse = matrices.inverse(self.plane_modelview)
        return matrices.times(matrices.transposed(inverse), self.given_planes[unit][c])


class Bindings:
    """Values of bindings: vector(binding) for attributes and parameters of a program."""

    def __init__(self, gl):
        self.gl, self.known = gl, {}

    def vector(self, binding):
        got = self.known.get(binding)
        if got is None:
            got = self.known[binding] = tuple(self.find(binding))
        return got

    def find(self, binding):
        for pattern, read in TABLE:
            m = pattern.match(binding)
            if m:
                return read(self.gl, *m.groups())
        raise ProgramError('%s is nothing that fixed function has' % binding)


def single_attributes(gl, name):
    return {'position': gl.position, 'normal': (*gl.normal, ONE), 'color.primary': gl.color,
            'color.secondary': gl.secondary, 'fogcoord': (gl.fogcoord, ZERO, ZERO, ONE)}[name]


def material(gl, face, name):
    value = getattr(gl.materials[face], name)
    return (value, ZERO, ZERO, ONE) if name == 'shininess' else value


def half_vector(light):
    """Returns the half vector for an infinite viewer: the direction from the eye to the light plus (0,0,1),
    normalised."""
    to_light = unit(light.position[:3])
    return [*unit(plus(to_light, (ZERO, ZERO, ONE))), ONE]


def light(gl, number, name):
    one = gl.lights[int(number)]
    if name == 'attenuation':
        return (*one.attenuation, one.exponent)
    if name == 'spot.direction':
        return (*one.direction, one.cos_cutoff)
    return half_vector(one) if name == 'half' else getattr(one, name)


def light_product(gl, number, face, name):
    own = getattr(gl.materials[face], name)
    return [a * b for a, b in zip(own[:3], getattr(gl.lights[int(number)], name))] + [own[3]]


def scene_colour(gl, face):
    own = gl.materials[face]
    return [a * b + e for a, b, e in zip(own.ambient[:3], gl.scene, own.emission)] + [own.diffuse[3]]


def matrix_row(gl, name, how, row):
    m = {'modelview[0]': lambda: gl.modelview, 'projection': lambda: gl.projection,
         'mvp': lambda: matrices.product(gl.projection, gl.modelview)}.get(name)
    m = m() if m else gl.texture[int(name[8])]
    if how in ('.inverse', '.invtrans'):
        m = matrices.inverse(m)
    if how in ('.transpose', '.invtrans'):
        m = matrices.transposed(m)
    return m[int(row)]


def plane(gl, unit_number, space, c):
    return gl.eye_plane(int(unit_number), c) if space == 'eye' else gl.object_planes[int(unit_number)][c]


FACE, COLOUR = r'(front|back)', r'(ambient|diffuse|specular)'
TABLE = [(re.compile(pattern + '$'), read) for pattern, read in (
    (r'vertex\.(position|normal|color\.primary|color\.secondary|fogcoord)', single_attributes),
    (r'vertex\.texcoord\[(\d)\]', lambda gl, k: gl.texcoord[int(k)]),
    (r'state\.material\.%s\.(ambient|diffuse|specular|emission|shininess)' % FACE, material),
    (r'state\.light\[(\d)\]\.(ambient|diffuse|specular|position|attenuation|spot\.direction|half)', light),
    (r'state\.lightmodel\.ambient', lambda gl: gl.scene),
    (r'state\.lightmodel\.%s\.scenecolor' % FACE, scene_colour),
    (r'state\.lightprod\[(\d)\]\.%s\.%s' % (FACE, COLOUR), light_product),
    (r'state\.texgen\[(\d)\]\.(eye|object)\.([strq])', plane),
    (r'state\.point\.size', lambda gl: gl.point),
    (r'state\.point\.attenuation', lambda gl: (*gl.point_attenuation, ONE)),
    (r'state\.matrix\.(modelview\[0\]|projection|mvp|texture\[\d\])(\.inverse|\.transpose|\.invtrans)?'
     r'\.row\[(\d)\]', matrix_row))]


# ---- vectors of spans ----

def plus(a, b):
    return [n.add(x, y) for x, y in zip(a, b)]


def minus(a, b):
    return [n.sub(x, y) for x, y in zip(a, b)]


def scaled(a, factor):
    return [n.mul(x, factor) for x in a]


def dot(a, b):
    total = ZERO
    for x, y in zip(a, b):
        total = n.add(total, n.mul(x, y))
    return total


def length(a):
    return n.root(dot(a, a))


def unit(a):
    return scaled(a, n.reciprocal(length(a)))
