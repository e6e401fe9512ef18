"""GL's values after calls (OpenGL 2.1: 2.7, 2.11, 2.12, 2.14, 3.3, 3.10, 6.1 and the tables of state): a
state machine that executes calls (name, arguments). Arguments are numbers or names of tokens, without GL_. GL
stores single precision. Each stored number is computed exactly, or with an error far below single precision,
and rounded once: sums of products by math.fsum, inverses by fractions, sines and cosines in double precision.
"""
import copy
import math
import struct
from fractions import Fraction

from . import matrices

UNITS, LIGHTS, PLANES = range(8), range(8), range(8)
LANES, FACES = 'strq', ('front', 'back')
DEPTHS = {'MODELVIEW': 32, 'PROJECTION': 32, 'TEXTURE': 10}
SIDES = {'FRONT': FACES[:1], 'BACK': FACES[1:], 'FRONT_AND_BACK': FACES}
FOLLOWS = {'AMBIENT': {'ambient'}, 'DIFFUSE': {'diffuse'}, 'SPECULAR': {'specular'}, 'EMISSION': {'emission'},
           'AMBIENT_AND_DIFFUSE': {'ambient', 'diffuse'}}
ATTENUATION = ('CONSTANT_ATTENUATION', 'LINEAR_ATTENUATION', 'QUADRATIC_ATTENUATION')
TEXGEN = {'OBJECT_LINEAR': LANES, 'EYE_LINEAR': LANES, 'SPHERE_MAP': 'st', 'REFLECTION_MAP': 'str',
          'NORMAL_MAP': 'str'}
LARGEST = float.fromhex('0x1.fffffep127')
POINT_SIZE_MAX = 8192.0      # an implementation limit


def single(x):
    """Rounds to the nearest number of single precision."""
    x = float(x)
    if abs(x) > LARGEST:
        return math.copysign(LARGEST, x)
    return struct.unpack('f', struct.pack('f', x))[0]


def singles(values):
    return [single(x) for x in values]


def dot(a, b):
    """Returns the dot product, exact except for one rounding to double (products of singles are exact as
    doubles)."""
    return math.fsum(x * y for x, y in zip(a, b))


def identity():
    return [[float(i == k) for k in range(4)] for i in range(4)]


def product(a, b):
    columns = list(zip(*b))
    return [[single(dot(row, column)) for column in columns] for row in a]


def inverse(m):
    """Returns the inverse in fractions; for a singular matrix the identity."""
    exact = [[Fraction(x) for x in row] for row in m]
    try:
        return matrices.inverse(exact)
    except ValueError:
        return matrices.identity(len(m))


def permanent(rows):
    """Returns the sum of the magnitudes of all products in the determinant."""
    if not rows:
        return 1
    first, *rest = rows
    return sum(abs(x) * permanent([row[:k] + row[k + 1:] for row in rest]) for k, x in enumerate(first) if x)


class Plane(list):
    """A plane equation. loose: bound of the difference between these numbers and a computation in double
    precision, which suffers from cancellation in minors and determinants. It is infinite if double precision
    cannot decide whether the matrix is singular."""
    loose = 0.0


def through_inverse(plane, m):
    """Returns the row of coefficients times the inverse of the modelview matrix (2.11.4, 2.12)."""
    back = inverse(m)
    found = Plane(single(sum(Fraction(x) * y for x, y in zip(plane, column))) for column in zip(*back))
    products = permanent(m)
    minors = max(permanent([row[:k] + row[k + 1:] for row in m[:i] + m[i + 1:]])
                 for i in range(4) for k in range(4))
    determinant = abs(matrices.determinant([[Fraction(x) for x in row] for row in m]))
    if determinant:
        cancels = products / float(determinant)
        found.loose = 2.0 ** -49 * cancels * sum(map(abs, plane)) * minors / float(determinant)
    if not determinant and products or determinant and cancels > 2.0 ** 44:
        found.loose = math.inf if any(x != int(x) for row in m for x in row) else 0.0
    return found


def by_rows(values):
    """Converts 16 numbers, column by column, to a matrix as a list of rows."""
    return [[single(values[4 * k + i]) for k in range(4)] for i in range(4)]


def turn(degrees):
    """Returns cosine and sine; exact for multiples of 90 degrees."""
    rest = math.remainder(degrees, 90)
    quarter = round((math.fmod(degrees, 360) - rest) / 90) % 4
    c, s = math.cos(math.radians(rest)), math.sin(math.radians(rest))
    return ((c, s), (-s, c), (-c, -s), (s, -c))[quarter]


def rotation(degrees, *axis):
    """Returns the rotation matrix R = u u^T + cos (I - u u^T) + sin S (2.11.2)."""
    length = math.hypot(*axis)
    if length == 0:
        return identity()
    u = [x / length for x in axis]
    c, s = turn(degrees)
    across = [[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]]
    m = identity()
    for i in range(3):
        for k in range(3):
            m[i][k] = single(u[i] * u[k] + c * (float(i == k) - u[i] * u[k]) + s * across[i][k])
    return m


def frustum(left, right, bottom, top, near, far):
    w, h, d = right - left, top - bottom, far - near
    return [singles(row) for row in ([2 * near / w, 0, (right + left) / w, 0],
                                     [0, 2 * near / h, (top + bottom) / h, 0],
                                     [0, 0, -(far + near) / d, -2 * far * near / d], [0, 0, -1, 0])]


def ortho(left, right, bottom, top, near, far):
    w, h, d = right - left, top - bottom, far - near
    return [singles(row) for row in ([2 / w, 0, 0, -(right + left) / w], [0, 2 / h, 0, -(top + bottom) / h],
                                     [0, 0, -2 / d, -(far + near) / d], [0, 0, 0, 1])]


class Light:
    def __init__(self, first):
        bright = [1.0] * 4 if first else [0.0, 0.0, 0.0, 1.0]
        self.ambient, self.diffuse, self.specular = [0.0, 0.0, 0.0, 1.0], bright, list(bright)
        self.position, self.spot_direction = [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, -1.0]
        self.spot_exponent, self.spot_cutoff, self.attenuation = 0.0, 180.0, [1.0, 0.0, 0.0]


class Material:
    def __init__(self):
        self.ambient, self.diffuse = singles([.2, .2, .2, 1]), singles([.8, .8, .8, 1])
        self.specular, self.emission = [0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0]
        self.shininess = 0.0


def initial_planes():
    return [{c: Plane([float(c == 's'), float(c == 't'), 0.0, 0.0]) for c in LANES} for _ in UNITS]


class Errors(Exception):
    """The errors that GL may report: if a call has several faults, it may report any of them."""


class Values:
    """The state machine. Every method whose name begins with a capital is a call of GL."""

    def __init__(self):
        self.modelview, self.projection = [identity()], [identity()]
        self.texture = [[identity()] for _ in UNITS]
        self.mode, self.unit, self.begun = 'MODELVIEW', 0, False
        self.lights = [Light(k == 0) for k in LIGHTS]
        self.materials = {face: Material() for face in FACES}
        self.light_model_ambient = singles([.2, .2, .2, 1])
        self.color, self.color_material = [1.0] * 4, False
        self.follows = FACES, FOLLOWS['AMBIENT_AND_DIFFUSE']
        self.fog = {'color': [0.0] * 4, 'density': 1.0, 'start': 0.0, 'end': 1.0}
        self.point = {'size': 1.0, 'min': 0.0, 'max': POINT_SIZE_MAX, 'attenuation': [1.0, 0.0, 0.0]}
        self.clip_planes = [Plane([0.0] * 4) for _ in PLANES]
        self.eye_planes, self.object_planes = initial_planes(), initial_planes()
        self.texenv_color, self.alpha_reference = [[0.0] * 4 for _ in UNITS], 0.0
        self.saved = []

    def call(self, name, args):
        """Executes a call; returns the set of errors that GL may report, empty if there is none."""
        try:
            if self.begun and name not in ('Color4f', 'Materialf', 'Materialfv', 'End'):
                raise Errors({'INVALID_OPERATION'})
            getattr(self, name)(*args)
            self.follow()
        except Errors as e:
            return e.args[0]
        return set()

    @staticmethod
    def check(*faults):
        """Raises Errors if any of the faults (condition, error) holds."""
        found = {error for there, error in faults if there}
        if found:
            raise Errors(found)

    def follow(self):
        """If colour material is enabled, sets the tracked properties to the current colour (2.14.3)."""
        faces, names = self.follows
        for face in faces if self.color_material else ():
            for name in names:
                setattr(self.materials[face], name, list(self.color))

    # ---- switches, the colour ----

    def Begin(self):
        self.begun = True

    def End(self):
        self.check((not self.begun, 'INVALID_OPERATION'))
        self.begun = False

    def ActiveTexture(self, texture):
        self.unit = int(texture[7:])

    def Enable(self, cap):
        if cap == 'COLOR_MATERIAL':
            self.color_material = True

    def Disable(self, cap):
        if cap == 'COLOR_MATERIAL':
            self.color_material = False

    def Color4f(self, *color):
        self.color = singles(color)

    def ColorMaterial(self, face, mode):
        self.check((face not in SIDES, 'INVALID_ENUM'), (mode not in FOLLOWS, 'INVALID_ENUM'))
        self.follows = SIDES[face], FOLLOWS[mode]

    # ---- lighting ----

    def Materialfv(self, face, pname, *values):
        if pname == 'SHININESS':
            return self.Materialf(face, pname, values[0])
        self.check((face not in SIDES, 'INVALID_ENUM'), (pname not in FOLLOWS, 'INVALID_ENUM'))
        for side in SIDES[face]:
            for name in FOLLOWS[pname]:
                setattr(self.materials[side], name, singles(values))   # follow() may overwrite it
        return None

    def Materialf(self, face, pname, value):
        self.check((face not in SIDES or pname != 'SHININESS', 'INVALID_ENUM'),
                   (pname == 'SHININESS' and not 0 <= value <= 128, 'INVALID_VALUE'))
        for side in SIDES[face]:
            self.materials[side].shininess = single(value)

    def Lightfv(self, light, pname, *values):
        if pname not in ('AMBIENT', 'DIFFUSE', 'SPECULAR', 'POSITION', 'SPOT_DIRECTION'):
            return self.Lightf(light, pname, values[0])
        self.check((light not in ['LIGHT%d' % k for k in LIGHTS], 'INVALID_ENUM'))
        given, m = singles(values), self.modelview[-1]
        if pname == 'POSITION':
            given = [single(dot(row, given)) for row in m]
        elif pname == 'SPOT_DIRECTION':
            given = [single(dot(row[:3], given)) for row in m[:3]]
        setattr(self.lights[int(light[5:])], pname.lower(), given)
        return None

    def Lightf(self, light, pname, value):
        known = pname in ATTENUATION + ('SPOT_EXPONENT', 'SPOT_CUTOFF')
        self.check((light not in ['LIGHT%d' % k for k in LIGHTS] or not known, 'INVALID_ENUM'),
                   (pname == 'SPOT_EXPONENT' and not 0 <= value <= 128, 'INVALID_VALUE'),
                   (pname == 'SPOT_CUTOFF' and not 0 <= value <= 90 and value != 180, 'INVALID_VALUE'),
                   (pname in ATTENUATION and value < 0, 'INVALID_VALUE'))
        one = self.lights[int(light[5:])]
        if pname in ATTENUATION:
            one.attenuation[ATTENUATION.index(pname)] = single(value)
        else:
            setattr(one, pname.lower(), single(value))

    def LightModelfv(self, pname, *values):
        self.check((not pname.startswith('LIGHT_MODEL_'), 'INVALID_ENUM'))
        if pname == 'LIGHT_MODEL_AMBIENT':
            self.light_model_ambient = singles(values)

    # ---- planes, fog, points, the environment ----

    def TexGenfv(self, coord, pname, *values):
        known = coord in ('S', 'T', 'R', 'Q') and pname in ('OBJECT_PLANE', 'EYE_PLANE')
        self.check((not known, 'INVALID_ENUM'), (self.unit > 7, 'INVALID_OPERATION'))
        if pname == 'EYE_PLANE':
            self.eye_planes[self.unit][coord.lower()] = through_inverse(singles(values), self.modelview[-1])
        else:
            self.object_planes[self.unit][coord.lower()] = singles(values)

    def TexGenf(self, coord, pname, value):
        known = coord in ('S', 'T', 'R', 'Q') and pname == 'TEXTURE_GEN_MODE'
        self.check((not known or coord.lower() not in TEXGEN.get(value, ''), 'INVALID_ENUM'),
                   (self.unit > 7, 'INVALID_OPERATION'))

    def ClipPlane(self, plane, *values):
        self.check((plane not in ['CLIP_PLANE%d' % k for k in PLANES], 'INVALID_ENUM'))
        self.clip_planes[int(plane[10:])] = through_inverse(singles(values), self.modelview[-1])

    def Fogfv(self, pname, *values):
        if pname != 'FOG_COLOR':
            return self.Fogf(pname, values[0])
        self.fog['color'] = singles(min(max(x, 0), 1) for x in values)
        return None

    def Fogf(self, pname, value):
        self.check((pname not in ('FOG_DENSITY', 'FOG_START', 'FOG_END', 'FOG_INDEX'), 'INVALID_ENUM'),
                   (pname == 'FOG_DENSITY' and value < 0, 'INVALID_VALUE'))
        if pname != 'FOG_INDEX':
            self.fog[pname[4:].lower()] = single(value)

    def PointSize(self, size):
        self.check((size <= 0, 'INVALID_VALUE'))
        self.point['size'] = single(size)

    def PointParameterfv(self, pname, *values):
        if pname != 'POINT_DISTANCE_ATTENUATION':
            return self.PointParameterf(pname, values[0])
        self.point['attenuation'] = singles(values[:3])
        return None

    def PointParameterf(self, pname, value):
        self.check((pname not in ('POINT_SIZE_MIN', 'POINT_SIZE_MAX', 'POINT_FADE_THRESHOLD_SIZE'), 'INVALID_ENUM'),
                   (value < 0, 'INVALID_VALUE'))
        if pname != 'POINT_FADE_THRESHOLD_SIZE':
            self.point[pname[11:].lower()] = single(value)

    def TexEnvfv(self, target, pname, *values):
        known = (target, pname) == ('TEXTURE_ENV', 'TEXTURE_ENV_COLOR')
        self.check((not known, 'INVALID_ENUM'), (self.unit > 7, 'INVALID_OPERATION'))
        self.texenv_color[self.unit] = singles(min(max(x, 0), 1) for x in values)

    def AlphaFunc(self, func, reference):
        self.check((func not in ('LESS', 'GEQUAL', 'NEVER', 'ALWAYS'), 'INVALID_ENUM'))
        self.alpha_reference = single(min(max(reference, 0), 1))

    # ---- matrices ----

    def MatrixMode(self, mode):
        self.check((mode not in DEPTHS and mode != 'COLOR', 'INVALID_ENUM'))
        self.mode = mode

    def stack(self):
        """Returns the current matrix stack, or None for a mode that is not modelled here."""
        self.check((self.mode == 'TEXTURE' and self.unit > 7, 'INVALID_OPERATION'))
        stacks = {'MODELVIEW': self.modelview, 'PROJECTION': self.projection, 'COLOR': None}
        return self.texture[self.unit] if self.mode == 'TEXTURE' else stacks[self.mode]

    def load(self, m):
        stack = self.stack()
        if stack:
            stack[-1] = m

    def multiply(self, m):
        stack = self.stack()
        if stack:
            stack[-1] = product(stack[-1], m)

    def LoadIdentity(self):
        self.load(identity())

    def LoadMatrixf(self, *values):
        self.load(by_rows(values))

    def MultMatrixf(self, *values):
        self.multiply(by_rows(values))

    def LoadTransposeMatrixf(self, *values):
        self.load(matrices.transposed(by_rows(values)))

    def MultTransposeMatrixf(self, *values):
        self.multiply(matrices.transposed(by_rows(values)))

    def Translatef(self, *way):
        self.multiply(matrices.affine([row[:3] for row in identity()[:3]], singles(way)))

    def Scalef(self, *sizes):
        self.multiply([[size * x for x in row] for size, row in zip([*singles(sizes), 1.0], identity())])

    def Rotatef(self, degrees, *axis):
        self.multiply(rotation(single(degrees), *singles(axis)))

    def box(self, make, sides):
        left, right, bottom, top, near, far = sides
        flat = left == right or bottom == top or near == far
        self.check((flat or make is frustum and (near <= 0 or far <= 0), 'INVALID_VALUE'))
        self.multiply(make(*sides))

    def Frustum(self, *sides):
        self.box(frustum, sides)

    def Ortho(self, *sides):
        self.box(ortho, sides)

    def PushMatrix(self):
        stack = self.stack()
        if stack:
            self.check((len(stack) == DEPTHS[self.mode], 'STACK_OVERFLOW'))
            stack.append(stack[-1])

    def PopMatrix(self):
        stack = self.stack()
        if stack:
            self.check((len(stack) == 1, 'STACK_UNDERFLOW'))
            stack.pop()

    # ---- attributes (the tables of state tell the group of each) ----

    GROUPS = {'CURRENT': ('color',), 'FOG': ('fog',), 'POINT': ('point',),
              'LIGHTING': ('lights', 'materials', 'light_model_ambient', 'follows', 'color_material'),
              'ENABLE': ('color_material',), 'TRANSFORM': ('mode', 'clip_planes'),
              'TEXTURE': ('eye_planes', 'object_planes', 'unit', 'texenv_color'),
              'COLOR_BUFFER': ('alpha_reference',)}

    def PushAttrib(self, mask):
        names = {name for bit in mask.split('|') for name in self.GROUPS[bit[:-4]]}
        self.check((len(self.saved) == 16, 'STACK_OVERFLOW'))
        self.saved.append({name: copy.deepcopy(getattr(self, name)) for name in names})

    def PopAttrib(self):
        self.check((not self.saved, 'STACK_UNDERFLOW'))
        for name, value in self.saved.pop().items():
            setattr(self, name, value)

    # ---- the values, by name: lists of numbers, matrices column by column ----

    def numbers(self):
        def columns(m):
            return [x for column in zip(*m) for x in column]
        yield 'modelview', columns(self.modelview[-1])
        yield 'projection', columns(self.projection[-1])
        for u in UNITS:
            yield 'texture_matrix[%d]' % u, columns(self.texture[u][-1])
            for c in LANES:
                yield 'eye_plane_%s[%d]' % (c, u), self.eye_planes[u][c]
                yield 'object_plane_%s[%d]' % (c, u), self.object_planes[u][c]
            yield 'texenv_color[%d]' % u, self.texenv_color[u]
        for kind, those in (('light', self.lights), ('material', self.materials.values())):
            for k, one in enumerate(those):
                for name, value in vars(one).items():
                    yield '%s.%s[%d]' % (kind, name, k), value if isinstance(value, list) else [value]
        for k in PLANES:
            yield 'clip_plane[%d]' % k, self.clip_planes[k]
        yield 'light_model_ambient', self.light_model_ambient
        yield 'fog.color', self.fog['color']
        yield 'fog', [self.fog[name] for name in ('density', 'start', 'end')]
        yield 'point', [self.point[name] for name in ('size', 'min', 'max')]
        yield 'point.attenuation', self.point['attenuation']
        yield 'alpha_reference', [self.alpha_reference]
