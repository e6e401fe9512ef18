"""Computes the values of the uniforms of shader pairs from GL's values at the draw (OpenGL 2.1: 2.11.3,
2.14.1, 3.3, 3.10). The numbers of each row of the table of uniforms are computed from single-precision values
and rounded once.
"""
import math
from fractions import Fraction

from . import matrices
from .values import FACES, LANES, LIGHTS, PLANES, UNITS, Plane, permanent, inverse, single, singles, turn

COLOURS = ('ambient', 'diffuse', 'specular')
FLOAT = 2.0 ** -48


def unit(v):
    """Normalises a vector; the zero vector is returned unchanged."""
    largest = max(map(abs, v)) or 1.0
    length = math.hypot(*(x / largest for x in v))
    return [x / largest / length for x in v] if length else list(v)


def half_vector(position):
    """Returns the half vector with an infinite viewer (2.14.1): the normalised sum of the direction to the
    light and (0, 0, 1), which may be opposite."""
    x, y, z = unit(position[:3])
    # z + 1 without cancellation: x^2 + y^2 = 1 - z^2 = (1 - z)(1 + z)
    both = [x, y, (x * x + y * y) / (1 - z) if z < 0 else z + 1]
    found = Plane(singles(unit(both)))
    size = math.hypot(*both)
    found.loose = 16 * 2.0 ** -53 / size if size else math.inf if (x, y) != (0, 0) else 0.0
    return found


def normal_matrix(modelview, rescaled):
    """Returns the normal matrix (2.11.3): a normal is multiplied as a row vector by the inverse, so the
    matrix, column by column, is the inverse row by row."""
    upper = matrices.upper(modelview)
    back = inverse(upper)
    factor = 1.0
    if rescaled:
        factor = 1 / math.sqrt(float(sum(x * x for x in back[2])))
    found = Plane(single(float(x) * factor) for row in back for x in row)
    determinant = abs(float(matrices.determinant([[Fraction(x) for x in row] for row in upper])))
    if determinant:
        cancels = permanent(upper) / determinant
        minors = max(permanent([row[:k] + row[k + 1:] for row in upper[:i] + upper[i + 1:]])
                     for i in range(3) for k in range(3))
        found.loose = FLOAT * cancels * minors / determinant * factor
        if cancels > 2.0 ** 40:
            found.loose = math.inf
    elif permanent(upper) and any(x != int(x) for row in upper for x in row):
        found.loose = math.inf
    return found


def product(*vectors):
    return [single(math.prod(x)) for x in zip(*(v[:3] for v in vectors))]


def columns(m):
    return [x for column in zip(*m) for x in column]


def of_light(values, n):
    light, (x, y, z, w) = values.lights[n], values.lights[n].position
    yield 'DIRECTION', singles(unit((x, y, z)))
    yield 'POSITION', singles(c / w for c in (x, y, z)) if w else [x, y, z]
    yield 'HALF_VECTOR', half_vector(light.position)
    yield 'SPOT_DIRECTION', singles(unit(light.spot_direction))
    yield 'SPOT_EXPONENT', [light.spot_exponent]
    yield 'SPOT_COS_CUTOFF', [single(turn(light.spot_cutoff)[0])]
    yield 'ATTENUATION', light.attenuation
    for face in FACES:
        back = 'BACK_' if face == 'back' else ''
        for name in COLOURS:
            yield back + name.upper(), getattr(light, name)[:3]
            yield '%s%s_PRODUCT' % (back, name.upper()), product(getattr(light, name),
                                                                 getattr(values.materials[face], name))


def of_material(values, face):
    one, model = values.materials[face], values.light_model_ambient
    yield 'SCENE_COLOR', [single(e + a * m) for e, a, m in zip(one.emission[:3], one.ambient, model)]
    yield 'MATERIAL_EMISSION', one.emission[:3]
    yield 'SCENE_AMBIENT', product(one.ambient, model)
    yield 'MATERIAL_ALPHA', one.diffuse[3:]
    yield 'MATERIAL_SHININESS', [one.shininess]


def of_draw(values):
    point, fog = values.point, values.fog
    yield 'MODELVIEW', columns(values.modelview[-1])
    yield 'PROJECTION', columns(values.projection[-1])
    yield 'NORMAL_MATRIX', normal_matrix(values.modelview[-1], False)
    yield 'NORMAL_MATRIX_RESCALED', normal_matrix(values.modelview[-1], True)
    yield 'LIGHT_MODEL_AMBIENT', values.light_model_ambient[:3]
    yield 'POINT_SIZE', [point['size']]
    yield 'POINT_SIZE_LIMITED', [min(max(point['size'], point['min']), point['max'])]
    yield 'POINT_MIN', [point['min']]
    yield 'POINT_MAX', [point['max']]
    yield 'POINT_ATTENUATION', point['attenuation']
    yield 'FOG_COLOR', fog['color']
    yield 'FOG_DENSITY', [fog['density']]
    yield 'FOG_END', [fog['end']]
    deep = fog['end'] - fog['start']            # for end = start GL defines no result; drivers use 1
    yield 'FOG_SCALE', [single(1 / deep) if deep else 1.0]
    yield 'ALPHA_REFERENCE', [values.alpha_reference]


def uniforms(values):
    """Yields 'NAME[index]' and numbers, for every row and index."""
    for name, numbers in of_draw(values):
        yield name + '[0]', numbers
    for face in FACES:
        for name, numbers in of_material(values, face):
            yield '%s%s[0]' % ('BACK_' if face == 'back' else '', name), numbers
    for n in LIGHTS:
        for name, numbers in of_light(values, n):
            yield 'LIGHT_%s[%d]' % (name, n), numbers
    for u in UNITS:
        yield 'TEXTURE_MATRIX[%d]' % u, columns(values.texture[u][-1])
        yield 'TEXENV_COLOR[%d]' % u, values.texenv_color[u]
        for c in LANES:
            yield 'OBJECT_PLANE_%s[%d]' % (c.upper(), u), values.object_planes[u][c]
            yield 'EYE_PLANE_%s[%d]' % (c.upper(), u), values.eye_planes[u][c]
    for k in PLANES:
        yield 'CLIP_PLANE[%d]' % k, values.clip_planes[k]
