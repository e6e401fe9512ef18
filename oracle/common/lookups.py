"""Texture lookups with coordinates other than those of fixed function. Texels are an uninterpreted function
of the coordinates: lookups of the same texture at exactly the same coordinates give the same texel, and other
lookups nearly always a different one.
"""
from fractions import Fraction

from .vectors import F


def scramble(n):
    """Maps integers to 64 bits in a fixed way."""
    n = (n ^ n >> 31) * 0x9E3779B97F4A7C15 & (1 << 64) - 1
    n = (n ^ n >> 29) * 0xBF58476D1CE4E5B9 & (1 << 64) - 1
    return n ^ n >> 32


def texel_of(numbers):
    """Returns k/65536, often 0, 1/2 or 1, for a tuple of fractions and small integers (whose hashes Python
    defines, so that results are the same everywhere)."""
    n = scramble(hash(numbers) & (1 << 64) - 1)
    k = (0, 65536, 32768, n >> 8 & 0xFFFF)[n & 3] if n & 4 else n >> 8 & 0xFFFF
    return Fraction(k, 1 << F)


def lookup(dom, unit, coords, divisor, ch, shadow=False):
    """Returns the texel of a unit at coords, divided by divisor if there is one. A shadow comparison gives
    one number."""
    ch = 0 if shadow else ch

    def texel(*values):
        values = [Fraction(v) for v in values]
        if divisor is not None:
            q = values.pop()
            values = [v / q if q else Fraction(0) for v in values] + [Fraction(not q)]
        else:
            values.append(Fraction(0))
        return texel_of((unit, ch, int(shadow), *values))
    return dom.opaque(('lookup', unit, ch, shadow, divisor is None),
                      [*coords, *([divisor] if divisor is not None else [])], texel)


def lookup_own(inputs, unit, coord, target, ch, shadow=False):
    """Looks up as fixed function does: with coordinate set `coord`, divided by its q (except cube maps). With
    inputs.by_coordinates the texel is a function of the coordinates instead of an independent input, so that
    a program may compute the same coordinates differently."""
    if unit == coord and not getattr(inputs, 'by_coordinates', False):
        return inputs.texel(unit, ch, shadow)
    count = {'1d': 1, '2d': 2, 'rect': 2, '3d': 3, 'cube': 3}[target]
    coords = [inputs.coord(coord, c) for c in range(3 if shadow else count)]
    return lookup(inputs.dom, unit, coords, None if target == 'cube' else inputs.coord(coord, 3), ch, shadow)


def function(dom, name, number, value):
    """Applies another uninterpreted function of one value, for instance exp, with results in [0,1]. number
    identifies the function."""
    return dom.opaque(name, [value], lambda x: texel_of((number, Fraction(x))))


__all__ = ['lookup', 'lookup_own', 'function']
