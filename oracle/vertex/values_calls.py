"""Generates random GL calls for vertex.values, most of them valid, and prints them as texts."""
from .values import ATTENUATION, FOLLOWS, LARGEST, SIDES

COLOURS = ('AMBIENT', 'DIFFUSE', 'SPECULAR')
MASKS = ('CURRENT_BIT', 'FOG_BIT', 'POINT_BIT', 'LIGHTING_BIT', 'ENABLE_BIT', 'TRANSFORM_BIT', 'TEXTURE_BIT',
         'COLOR_BUFFER_BIT')


def number(rng):
    kind = rng.randrange(16)
    if kind < 7:
        return rng.randrange(-8, 9) / 4
    return rng.uniform(-1e4, 1e4) if kind == 7 else rng.uniform(-3, 3)


def numbers(rng, count):
    return tuple(number(rng) for _ in range(count))


def positive(rng):
    return abs(number(rng)) if rng.random() < .9 else number(rng)


def far(rng):
    """Returns a size or distance, which is sometimes one of the ends of the range of floats."""
    return rng.choice((LARGEST, 3e38, 1e-45, 1e-38)) if rng.random() < .1 else positive(rng)


def colour(rng):
    return tuple(rng.choice((0, 1, rng.random(), rng.random(), rng.uniform(-1, 2))) for _ in range(4))


def wrong(rng, name):
    """Returns the name of the token, or sometimes a token that is not valid there."""
    return name if rng.random() < .97 else 'TEXTURE_2D'


def light_call(rng):
    light = wrong(rng, 'LIGHT%d' % rng.choice((0, 0, 1, rng.randrange(8))))
    kind = rng.randrange(6)
    if kind == 0:
        return 'Lightfv', light, wrong(rng, rng.choice(COLOURS)), *colour(rng)
    if kind < 3:
        return 'Lightfv', light, 'POSITION', *numbers(rng, 3), rng.choice((0, 1, 1, number(rng)))
    if kind == 3:
        return 'Lightfv', light, 'SPOT_DIRECTION', *numbers(rng, 3)
    pname = rng.choice((*ATTENUATION, 'SPOT_EXPONENT', 'SPOT_CUTOFF', 'POSITION'))
    value = rng.choice((positive(rng), 180, 90, rng.uniform(0, 128), -1))
    return 'Lightf', light, pname, value


def material_call(rng):
    kind = rng.randrange(6)
    face = wrong(rng, rng.choice((*SIDES, 'FRONT_AND_BACK')))
    if kind == 0:
        return 'ColorMaterial', face, wrong(rng, rng.choice(tuple(FOLLOWS)))
    if kind == 1:
        return rng.choice(('Enable', 'Enable', 'Disable')), 'COLOR_MATERIAL'
    if kind == 2:
        return 'Color4f', *colour(rng)
    if kind == 3:
        return 'Materialf', face, wrong(rng, 'SHININESS'), rng.choice((rng.uniform(0, 128), 0, 128, 129, -.5))
    return 'Materialfv', face, rng.choice(tuple(FOLLOWS)), *colour(rng)


def axis(rng):
    return rng.choice(((1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0), numbers(rng, 3), numbers(rng, 3)))


def box(rng):
    sides = [rng.uniform(-4, 4) for _ in range(4)] + [rng.uniform(.1, 2), rng.uniform(2, 90)]
    if rng.random() < .1:
        sides[rng.randrange(1, 6)] = sides[rng.randrange(6)]
    return sides


def matrix(rng):
    m = [float(i % 5 == 0) for i in range(16)]
    for _ in range(rng.choice((1, 2, 9, 16))):
        m[rng.choice((0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, rng.randrange(16)))] = number(rng)
    return m


def matrix_call(rng):
    kind = rng.randrange(16)
    if kind < 4:
        return ('PushMatrix', 'PopMatrix')[kind % 2],
    if kind < 6:
        modes = 'MODELVIEW', 'MODELVIEW', 'PROJECTION', 'TEXTURE', 'COLOR'
        return 'MatrixMode', wrong(rng, rng.choice(modes))
    if kind < 8:
        return 'Translatef', *numbers(rng, 3)
    if kind == 8:
        return 'Scalef', *(rng.choice((1, 2, number(rng))) for _ in range(3))
    if kind < 11:
        degrees = rng.choice((0, 45, 90, -90, 180, 270, 360, 1e6 * number(rng), 90 * number(rng)))
        return 'Rotatef', degrees, *axis(rng)
    if kind == 11:
        return rng.choice(('Frustum', 'Ortho')), *box(rng)
    if kind == 12:
        return 'LoadIdentity',
    name = rng.choice(('LoadMatrixf', 'MultMatrixf', 'MultMatrixf', 'LoadTransposeMatrixf', 'MultTransposeMatrixf'))
    return name, *matrix(rng)


def plane_call(rng):
    kind = rng.randrange(4)
    if kind == 0:
        return 'ClipPlane', wrong(rng, 'CLIP_PLANE%d' % rng.randrange(6)), *numbers(rng, 4)
    coord = wrong(rng, rng.choice('STRQ'))
    if kind == 1:
        return 'TexGenf', coord, 'TEXTURE_GEN_MODE', rng.choice(('EYE_LINEAR', 'SPHERE_MAP', 'OBJECT_LINEAR', 'ADD'))
    return 'TexGenfv', coord, wrong(rng, rng.choice(('EYE_PLANE', 'OBJECT_PLANE'))), *numbers(rng, 4)


def other_call(rng):
    kind = rng.randrange(9)
    if kind == 0:
        return 'LightModelfv', 'LIGHT_MODEL_AMBIENT', *colour(rng)
    if kind == 1:
        return 'Fogfv', 'FOG_COLOR', *colour(rng)
    if kind == 2:
        pname = wrong(rng, rng.choice(('FOG_DENSITY', 'FOG_START', 'FOG_END', 'FOG_INDEX')))
        return 'Fogf', pname, far(rng)
    if kind == 3:
        return 'PointSize', positive(rng)
    if kind == 4:
        return 'PointParameterfv', 'POINT_DISTANCE_ATTENUATION', *numbers(rng, 3)
    if kind == 5:
        pname = wrong(rng, rng.choice(('POINT_SIZE_MIN', 'POINT_SIZE_MAX', 'POINT_FADE_THRESHOLD_SIZE')))
        return 'PointParameterf', pname, far(rng)
    if kind == 6:
        return 'TexEnvfv', 'TEXTURE_ENV', 'TEXTURE_ENV_COLOR', *colour(rng)
    if kind == 7:
        return 'AlphaFunc', wrong(rng, 'GEQUAL'), rng.uniform(-.5, 1.5)
    return 'ActiveTexture', 'TEXTURE%d' % rng.choice((0, 0, 1, 1, 2, rng.randrange(8), 8))


def random_call(rng):
    """Returns (name, argument ...)."""
    kind = rng.randrange(16)
    if kind < 3:
        return light_call(rng)
    if kind < 5:
        return material_call(rng)
    if kind < 10:
        return matrix_call(rng)
    if kind < 12:
        return plane_call(rng)
    if kind < 14:
        return other_call(rng)
    if kind == 14:
        return ('PopAttrib',) if rng.random() < .5 else ('PushAttrib', '|'.join(rng.sample(MASKS, 2)))
    return (rng.choice(('Begin', 'End')),) if rng.random() < .1 else matrix_call(rng)


def random_calls(rng, most=60):
    """Returns random calls; few of them are between Begin and End, where most are errors."""
    begun = 0
    for _ in range(rng.randrange(5, most)):
        call = random_call(rng)
        begun = 4 if call[0] == 'Begin' and not begun else begun
        yield call
        begun -= begun > 0
        if begun == 1:
            yield 'End',
            begun = 0


# ---- texts ----

# Calls with vectors: the arguments before the array, by the names that apitrace prints.
VECTORS = {'Lightfv': ('light', 'pname', 'params'), 'Materialfv': ('face', 'pname', 'params'),
           'LightModelfv': ('pname', 'params'), 'TexGenfv': ('coord', 'pname', 'params'),
           'ClipPlane': ('plane', 'equation'), 'Fogfv': ('pname', 'params'), 'LoadMatrixf': ('m',),
           'PointParameterfv': ('pname', 'params'), 'TexEnvfv': ('target', 'pname', 'params'),
           'MultMatrixf': ('m',), 'LoadTransposeMatrixf': ('m',), 'MultTransposeMatrixf': ('m',)}
BOX = ('left', 'right', 'bottom', 'top', 'zNear', 'zFar')
SCALARS = {'Lightf': ('light', 'pname', 'param'), 'Materialf': ('face', 'pname', 'param'), 'Fogf': ('pname', 'param'),
           'TexGenf': ('coord', 'pname', 'param'), 'PointSize': ('size',), 'PointParameterf': ('pname', 'param'),
           'AlphaFunc': ('func', 'ref'), 'MatrixMode': ('mode',), 'ActiveTexture': ('texture',), 'Enable': ('cap',),
           'Disable': ('cap',), 'ColorMaterial': ('face', 'mode'), 'Color4f': ('red', 'green', 'blue', 'alpha'),
           'Translatef': ('x', 'y', 'z'), 'Scalef': ('x', 'y', 'z'), 'Rotatef': ('angle', 'x', 'y', 'z'),
           'Frustum': BOX, 'Ortho': BOX, 'PushAttrib': ('mask',)}


def value(x):
    return ' | '.join('GL_' + part for part in x.split('|')) if isinstance(x, str) else repr(float(x))


def as_text(call, trace):
    """Formats a call in C, or as apitrace prints it."""
    name, *args = call
    names = VECTORS.get(name) or SCALARS.get(name, ())
    if name in VECTORS:
        before = args[:len(names) - 1]
        numbers = ', '.join(map(value, args[len(before):]))
        args = [value(x) for x in before] + [('{%s}' if trace else '(const GLfloat[]){%s}') % numbers]
    else:
        args = [value(x) for x in args]
    if trace:
        args = ['%s = %s' % pair for pair in zip(names, args)]
    return ('1 gl%s(%s)' if trace else 'gl%s(%s);') % (name, ', '.join(args))
