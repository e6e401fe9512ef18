"""The inputs of a program of ARB_fragment_program or ARB_vertex_program: each input vector has texels and a
value for every binding; both are drawn at random when they are first read. Values are in the range that GL
guarantees (a colour is in [0,1], a fog coordinate is (f,0,0,1)); others, such as parameters, may be any
numbers.
"""
import random
import re
from fractions import Fraction

from ..common.lookups import texel_of
from ..common.spans import Undecided, absolute, bounds, meet, most, mul, poisoned, reciprocal

ZERO, ONE = Fraction(0), Fraction(1)
COLOUR = ('color', 'ambient', 'diffuse', 'specular', 'emission', 'scenecolor')


def any_number(rng):
    """Draws small integers and halves, fractions, and some large and small numbers."""
    kind = rng.randrange(8)
    if kind == 0:
        return Fraction(rng.randrange(-4, 5))
    if kind == 1:
        return Fraction(rng.randrange(-8, 9), 2)
    if kind == 2:
        return Fraction(rng.randrange(-65536, 65537), 64)
    if kind == 3:
        return Fraction(rng.randrange(-65536, 65537), 1 << 24)
    return Fraction(rng.randrange(-4 << 16, (4 << 16) + 1), 65536)


def unit_number(rng):
    kind = rng.randrange(6)
    if kind == 0:
        return Fraction(rng.randrange(2))
    if kind == 1:
        return Fraction(rng.randrange(17), 16)
    return Fraction(rng.randrange(65537), 65536)


def is_colour(binding):
    """Returns whether GL clamps the value to [0,1]: the environment colour and the fog colour when they are
    set (GL 2.1, 3.8.13, 3.10), and vertex colours before rasterisation (2.14.8). Material and light colours
    are not clamped."""
    return binding.startswith(('fragment.color', 'state.texenv')) or binding == 'state.fog.color'


def direction(coordinates):
    """Normalises the coordinates of a cube map, for which only the direction matters (GL 2.1, 3.8.6: they are
    divided by the one of largest magnitude)."""
    bad = poisoned(*coordinates)
    if bad:
        return [bad] * len(coordinates)
    size = most(most(*(absolute(x) for x in coordinates[:2])), absolute(coordinates[2]))
    return [mul(x, reciprocal(size)) for x in coordinates]


class Inputs:
    """One vector of inputs. own: given values by binding; others are drawn."""

    def __init__(self, seed, own=None):
        self.seed, self.values, self.texels = seed, dict(own or {}), {}
        self.settled = False    # whether all lookups of the program itself are known

    def vector(self, binding):
        """Returns four Fractions."""
        got = self.values.get(binding)
        if got is None:
            got = self.values[binding] = self.draw(binding)
        return got

    def draw(self, binding):
        rng = random.Random('%s %s' % (self.seed, binding))
        draw = unit_number if is_colour(binding) else any_number
        x, y, z, w = (draw(rng) for _ in range(4))
        if 'matrix' in binding and '.transpose.row' in binding:
            row = int(binding[-2])
            plain = binding.replace('.transpose', '')[:-2]
            return tuple(self.vector('%s%d]' % (plain, i))[row] for i in range(4))
        if binding in ('fragment.fogcoord', 'vertex.fogcoord'):
            return abs(x), ZERO, ZERO, ONE
        if binding.endswith('.shininess'):
            return abs(x), ZERO, ZERO, ONE
        if binding == 'state.fog.params':
            end = z if z != y else z + 1
            return abs(x), y, end, 1 / (end - y)
        if binding == 'state.depth.range':
            x, y = sorted((unit_number(rng), unit_number(rng)))
            return x, y, y - x, ONE
        # the alpha of light products and of the scene colour is that of the material
        product = re.match(r'state.lightprod.\d..(\w+)\.(\w+)$', binding)
        scene = re.match(r'state.lightmodel\.(\w+)\.scenecolor$', binding)
        if product or scene:
            face, of = product.groups() if product else (scene.group(1), 'diffuse')
            return x, y, z, self.vector('state.material.%s.%s' % (face, of))[3]
        if binding in ('vertex.normal', 'state.point.attenuation') or binding.endswith('.half'):
            return x, y, z, ONE
        if binding == 'fragment.position':
            return (Fraction(rng.randrange(512) * 2 + 1, 2), Fraction(rng.randrange(512) * 2 + 1, 2),
                    unit_number(rng), abs(w) or ONE)
        return x, y, z, w

    def lookup(self, unit, target, coordinates, lod, shadow):
        """Returns four components. Texels are arbitrary, but two lookups with the same coordinates give the
        same texel, and a lookup of a conversion gives the texel of the lookup of the program whose
        coordinates it may have. If coordinates are known so roughly that the program itself may look up one
        place twice, or that a conversion may mean several of its lookups, the texel is undecided. Texels of
        odd units may leave [0,1], as those of float textures. A shadow comparison gives a luminance, the
        initial DEPTH_TEXTURE_MODE."""
        key = unit, target, shadow
        coordinates = direction(coordinates) if target == 'CUBE' else coordinates
        place = tuple(coordinates) + (lod,)
        bad = poisoned(*place)
        if bad:
            return [bad] * 4
        known = self.texels.setdefault(key, {})
        where = tuple(bounds(x) for x in place)
        if where in known:
            return known[where][1]
        near = [texel for other, texel in known.values() if all(meet(a, b) for a, b in zip(place, other))]
        if len(near) == 1 and self.settled:
            return near[0]
        if near:
            known[where] = place, [Undecided('a lookup at %r, as may be another' % (place,))] * 4
            return known[where][1]
        numbers = tuple(x if isinstance(x, Fraction) else Fraction((x.lo + x.hi) / 2) for x in place)
        name = sum(ord(c) << 8 * i for i, c in enumerate(target))
        texel = [texel_of((unit, name, 0 if shadow else c, int(shadow), *numbers)) for c in range(4)]
        if shadow:
            texel[3] = ONE
        elif unit % 2:
            texel = [4 * x - Fraction(3, 2) for x in texel]
        known[where] = place, texel
        return texel
