"""The vertex half at a draw after GL calls (OpenGL 2.1: sections 2.11, 2.14, 3.3, 3.10, 6.1 and the tables of
state): a state machine that executes calls (name, arguments), and random calls. Arguments are numbers or
names of tokens, without GL_; vectors are tuples. It is assumed that the draw reads all results of the vertex
half. A texture matrix counts as changed from the first call that multiplies it by anything but the identity
until the identity is loaded.
"""
import copy
from fractions import Fraction

from . import matrices
from .vertex_words import LANES, LIGHTS, MODES, UNITS, VertexState

ZERO, ONE = Fraction(0), Fraction(1)
TEXGEN = {'OBJECT_LINEAR': 'object', 'EYE_LINEAR': 'eye', 'SPHERE_MAP': 'sphere', 'REFLECTION_MAP': 'reflection',
          'NORMAL_MAP': 'normal'}
TRACKED = {'AMBIENT': {'ambient'}, 'DIFFUSE': {'diffuse'}, 'SPECULAR': {'specular'}, 'EMISSION': {'emission'},
           'AMBIENT_AND_DIFFUSE': {'ambient', 'diffuse'}}
SIDES = {'FRONT': (0,), 'BACK': (1,), 'FRONT_AND_BACK': (0, 1)}
ATTENUATION = ('CONSTANT_ATTENUATION', 'LINEAR_ATTENUATION', 'QUADRATIC_ATTENUATION')
# capability -> bit of PushAttrib that saves it, besides ENABLE_BIT
CAPS = {'LIGHTING': 'LIGHTING', 'COLOR_MATERIAL': 'LIGHTING', 'NORMALIZE': 'TRANSFORM',
        'RESCALE_NORMAL': 'TRANSFORM',
        **{'LIGHT%d' % k: 'LIGHTING' for k in LIGHTS}}
DEPTHS = {'MODELVIEW': 32, 'PROJECTION': 32, 'TEXTURE': 10}


class Refused(Exception):
    """An error of GL; the call has no effect."""


class LightModes:
    def __init__(self):
        self.w, self.cutoff, self.attenuation = ZERO, 180, [ONE, ZERO, ZERO]


class Machine:
    def __init__(self):
        self.caps, self.unit = set(), 0
        self.lights = [LightModes() for _ in LIGHTS]
        self.model = {'LIGHT_MODEL_TWO_SIDE': False, 'LIGHT_MODEL_LOCAL_VIEWER': False, 'separate': False}
        self.tracks = ((0, 1), {'ambient', 'diffuse'})
        self.generate = [{c: False for c in LANES} for _ in UNITS]
        self.modes = [{c: 'eye' for c in LANES} for _ in UNITS]
        self.fog_coord, self.point = False, (ONE, ZERO, ZERO)
        self.matrix_mode, self.modelview = 'MODELVIEW', [matrices.identity()]
        self.projection = 1                 # depth of its stack
        self.changed = [[False] for _ in UNITS]
        self.saved = []

    def call(self, name, args):
        try:
            getattr(self, name)(*args)
        except Refused:
            pass

    # ---- switches ----

    def ActiveTexture(self, texture):
        self.unit = int(texture[7:])

    def switch(self, cap, on):
        if cap.startswith('TEXTURE_GEN_'):
            self.generate[self.unit][cap[-1].lower()] = on
        elif on:
            self.caps.add(cap)
        else:
            self.caps.discard(cap)

    def Enable(self, cap):
        self.switch(cap, True)

    def Disable(self, cap):
        self.switch(cap, False)

    # ---- lighting ----

    def Lightfv(self, light, pname, values):
        one = self.lights[int(light[5:])]
        first = values[0]
        if pname == 'POSITION':
            one.w = sum(a * b for a, b in zip(self.modelview[-1][3], values))
        elif pname == 'SPOT_CUTOFF':
            if not 0 <= first <= 90 and first != 180:
                raise Refused
            one.cutoff = first
        elif pname in ATTENUATION:
            if first < 0:
                raise Refused
            one.attenuation[ATTENUATION.index(pname)] = first

    def Lightf(self, light, pname, value):
        if pname == 'POSITION':
            raise Refused
        self.Lightfv(light, pname, (value,))

    def LightModeli(self, pname, value):
        if pname == 'LIGHT_MODEL_COLOR_CONTROL':
            if value not in ('SINGLE_COLOR', 'SEPARATE_SPECULAR_COLOR'):
                raise Refused
            self.model['separate'] = value == 'SEPARATE_SPECULAR_COLOR'
        else:
            self.model[pname] = value != 0

    def ColorMaterial(self, face, mode):
        if face not in SIDES or mode not in TRACKED:
            raise Refused
        self.tracks = SIDES[face], TRACKED[mode]

    # ---- coordinates, fog, points ----

    def TexGeni(self, coord, pname, mode):
        c = coord.lower()
        got = TEXGEN.get(mode)
        if got is None or c not in MODES[got] or pname != 'TEXTURE_GEN_MODE':
            raise Refused
        self.modes[self.unit][c] = got

    def Fogi(self, pname, value):
        if value not in ('FOG_COORD', 'FRAGMENT_DEPTH'):
            raise Refused
        self.fog_coord = value == 'FOG_COORD'

    def PointParameterfv(self, pname, values):
        if pname == 'POINT_DISTANCE_ATTENUATION':
            self.point = values

    # ---- matrices ----

    def MatrixMode(self, mode):
        if mode not in DEPTHS:
            raise Refused
        self.matrix_mode = mode

    def LoadIdentity(self):
        self.load(matrices.identity())

    def load(self, m):
        if self.matrix_mode == 'MODELVIEW':
            self.modelview[-1] = m
        elif self.matrix_mode == 'TEXTURE':
            self.changed[self.unit][-1] = m != matrices.identity()

    def multiply(self, m):
        if self.matrix_mode == 'MODELVIEW':
            self.modelview[-1] = matrices.product(self.modelview[-1], m)
        elif self.matrix_mode == 'TEXTURE':
            self.changed[self.unit][-1] |= m != matrices.identity()

    def LoadMatrixf(self, values):
        self.load(matrices.transposed([list(values[4 * k:4 * k + 4]) for k in range(4)]))

    def MultMatrixf(self, values):
        self.multiply(matrices.transposed([list(values[4 * k:4 * k + 4]) for k in range(4)]))

    def Translatef(self, *way):
        self.multiply(matrices.affine(matrices.identity(3), way))

    def Scalef(self, *sizes):
        self.multiply([[size * x for x in row] for size, row in zip((*sizes, ONE), matrices.identity())])

    def PushMatrix(self):
        if self.matrix_mode == 'PROJECTION':
            self.projection += 1
            return
        stack = self.modelview if self.matrix_mode == 'MODELVIEW' else self.changed[self.unit]
        if len(stack) == DEPTHS[self.matrix_mode]:
            raise Refused
        stack.append(stack[-1])

    def PopMatrix(self):
        if self.matrix_mode == 'PROJECTION':
            self.projection -= self.projection > 1
            return
        stack = self.modelview if self.matrix_mode == 'MODELVIEW' else self.changed[self.unit]
        if len(stack) == 1:
            raise Refused
        stack.pop()

    # ---- attributes ----

    def PushAttrib(self, mask):
        groups = {x[:-4] for x in mask.split('|')}
        parts = {}
        which = {cap for cap, group in CAPS.items() if 'ENABLE' in groups or group in groups}
        parts['caps'] = which, self.caps & which
        if 'LIGHTING' in groups:
            parts['lighting'] = [copy.deepcopy(x) for x in (self.lights, self.model, self.tracks)]
        if 'TRANSFORM' in groups:
            parts['mode'] = self.matrix_mode
        if groups & {'TEXTURE', 'ENABLE'}:
            parts['generate'] = copy.deepcopy(self.generate)
        if 'TEXTURE' in groups:
            parts['texture'] = self.unit, copy.deepcopy(self.modes)
        if 'FOG' in groups:
            parts['fog'] = self.fog_coord
        if 'POINT' in groups:
            parts['point'] = self.point
        if len(self.saved) < 16:
            self.saved.append(parts)

    def PopAttrib(self):
        if not self.saved:
            raise Refused
        parts = self.saved.pop()
        which, values = parts['caps']
        self.caps = self.caps - which | values
        if 'lighting' in parts:
            self.lights, self.model, self.tracks = parts['lighting']
        self.matrix_mode = parts.get('mode', self.matrix_mode)
        self.generate = parts.get('generate', self.generate)
        self.unit, self.modes = parts.get('texture', (self.unit, self.modes))
        self.fog_coord = parts.get('fog', self.fog_coord)
        self.point = parts.get('point', self.point)

    # ---- the draw ----

    def state(self):
        """Returns the VertexState."""
        s = VertexState()
        for cap, flag in (('LIGHTING', 'lighting'), ('RESCALE_NORMAL', 'rescale'), ('NORMALIZE', 'normalize')):
            if cap in self.caps:
                s.flags.add(flag)
        for on, flag in ((self.model['LIGHT_MODEL_TWO_SIDE'], 'two-side'), (self.fog_coord, 'fog-coord'),
                         (self.model['LIGHT_MODEL_LOCAL_VIEWER'], 'local-viewer'),
                         (self.model['separate'], 'separate-specular'),
                         (tuple(self.point) != (1, 0, 0), 'point-attenuation')):
            if on:
                s.flags.add(flag)
        for k in LIGHTS:
            one = self.lights[k]
            if 'LIGHT%d' % k in self.caps:
                how = {'positional': one.w != 0, 'spot': one.cutoff != 180,
                       'attenuated': one.attenuation != [1, 0, 0]}
                s.lights[k] = {x for x in how if how[x]}
        if 'COLOR_MATERIAL' in self.caps:
            for side in self.tracks[0]:
                s.tracks[side] = set(self.tracks[1])
        for u in UNITS:
            for c in LANES:
                s.texgen[u][c] = self.modes[u][c] if self.generate[u][c] else 'off'
        s.matrices = {u for u in UNITS if self.changed[u][-1]}
        return s.canonical()

    def refusal(self):
        """A program transforms normals by the upper 3x3 of the inverse modelview matrix and uses only x, y
        and z of eye coordinates. Returns which of these makes a difference to fixed function at this draw:
        'normals', 'places' (positions), 'directions', or None."""
        s, (*across, w) = self.state(), self.modelview[-1][3]
        generated = {mode for lanes in s.texgen for mode in lanes.values()}
        normals = bool(s.lights or generated & {'sphere', 'reflection', 'normal'})
        # 2.14.1: the direction to the light, and to the eye, is seen from the vertex; 3.3: distance from the
        # eye
        places = s.has('point-attenuation') or any('positional' in how for how in s.lights.values())
        # 2.11.4: u points from the origin to the vertex; 2.14.1: with a local viewer h contains the direction
        # to the eye
        directions = s.has('local-viewer') or bool(generated & {'sphere', 'reflection'})
        if not any(across) and w == 1 or not (normals or places):
            return None
        # 2.11.3: (n q) times the inverse equals n times the inverse of the upper 3x3 if the matrix is affine
        if normals and (any(across) or w == 0):
            return 'normals'
        if places:
            return 'places'
        return 'directions' if directions and w < 0 else None


# ---- random calls ----

def number(rng):
    return rng.choice((ZERO, ZERO, ONE, Fraction(-1), Fraction(rng.randrange(-8, 9), 4)))


def any_cap(rng):
    return rng.choice(('LIGHTING', 'LIGHTING', 'COLOR_MATERIAL', 'NORMALIZE', 'RESCALE_NORMAL',
                       'LIGHT%d' % rng.randrange(8), 'LIGHT%d' % rng.randrange(2),
                       'TEXTURE_GEN_' + rng.choice('STRQ'), 'TEXTURE_GEN_' + rng.choice('STRQ')))


def light_call(rng):
    light = 'LIGHT%d' % rng.randrange(3)
    kind = rng.randrange(4)
    if kind == 0:
        return 'Lightfv', (light, 'POSITION', tuple(number(rng) for _ in range(4)))
    if kind == 1:
        return 'Lightf', (light, 'SPOT_CUTOFF', rng.choice((180, 180, 0, 90, 45, 91, -1, 179)))
    if kind == 2:
        return 'Lightf', (light, rng.choice(ATTENUATION), number(rng))
    return 'Lightfv', (light, rng.choice(('DIFFUSE', 'SPECULAR')), (ONE, ZERO, ONE, ONE))


def matrix_call(rng):
    kind = rng.randrange(9)
    if kind == 0:
        return 'LoadIdentity', ()
    if kind == 1:
        return 'Translatef', tuple(rng.choice((ZERO, number(rng))) for _ in range(3))
    if kind == 2:
        return 'Scalef', tuple(rng.choice((ONE, ONE, Fraction(2))) for _ in range(3))
    if kind in (3, 4):
        m = matrices.identity()
        if rng.random() < .2:
            m[3][3] = rng.choice((Fraction(-1), Fraction(-2), Fraction(1, 2), Fraction(2), ZERO))
        elif rng.random() < .7:
            m[rng.randrange(4)][rng.randrange(4)] = number(rng)
        return ('LoadMatrixf', 'MultMatrixf')[kind - 3], (tuple(x for row in m for x in row),)
    if kind < 7:
        modes = 'MODELVIEW', 'MODELVIEW', 'TEXTURE', 'TEXTURE', 'PROJECTION', 'COLOR_SUM'
        return 'MatrixMode', (rng.choice(modes),)
    return ('PushMatrix', 'PopMatrix')[kind - 7], ()


def random_call(rng):
    kind = rng.randrange(16)
    if kind < 5:
        return rng.choice(('Enable', 'Enable', 'Enable', 'Disable')), (any_cap(rng),)
    if kind < 7:
        return light_call(rng)
    if kind < 10:
        return matrix_call(rng)
    if kind == 10:
        return 'ActiveTexture', ('TEXTURE%d' % rng.choice((0, 0, 1, 7, rng.randrange(8))),)
    if kind == 11:
        return 'TexGeni', (rng.choice('STRQ'), 'TEXTURE_GEN_MODE', rng.choice((*TEXGEN, 'LINEAR')))
    if kind == 12:
        return 'ColorMaterial', (rng.choice((*SIDES, 'NONE')), rng.choice((*TRACKED, 'SHININESS')))
    if kind == 13:
        pname = rng.choice(('LIGHT_MODEL_TWO_SIDE', 'LIGHT_MODEL_LOCAL_VIEWER', 'LIGHT_MODEL_COLOR_CONTROL'))
        if pname[-1] == 'L':
            return 'LightModeli', (pname, rng.choice(('SINGLE_COLOR', 'SEPARATE_SPECULAR_COLOR', 'DIFFUSE')))
        return 'LightModeli', (pname, rng.choice((0, 1, 1, 2)))
    if kind == 14:
        if rng.random() < .5:
            return 'Fogi', ('FOG_COORD_SRC', rng.choice(('FOG_COORD', 'FRAGMENT_DEPTH', 'LINEAR')))
        return 'PointParameterfv', ('POINT_DISTANCE_ATTENUATION', tuple(rng.choice((ONE, ZERO)) for _ in range(3)))
    if rng.random() < .5:
        return 'PopAttrib', ()
    groups = rng.sample(('LIGHTING_BIT', 'TRANSFORM_BIT', 'ENABLE_BIT', 'TEXTURE_BIT', 'FOG_BIT', 'POINT_BIT'), 2)
    return 'PushAttrib', ('|'.join(groups),)


def as_text(name, args):
    """Formats a call in C."""
    def value(x):
        if isinstance(x, tuple):
            return '(const GLfloat[]){%s}' % ', '.join(value(y) for y in x)
        if isinstance(x, str):
            return ' | '.join('GL_' + part for part in x.split('|'))
        return repr(float(x)) if isinstance(x, Fraction) else str(x)
    return 'gl%s(%s);' % (name, ', '.join(map(value, args)))


# all eight coordinate sets with four lanes, both colours and the fog coordinate are read
READER = ''.join('glActiveTexture(GL_TEXTURE%d); glEnable(GL_TEXTURE_3D);\n' % u for u in UNITS) + (
    'glActiveTexture(GL_TEXTURE0); glEnable(GL_FOG); glEnable(GL_COLOR_SUM);\n')
