"""Single-precision colour components (notes/formats.md)."""
import math
import struct
from decimal import Decimal
from functools import lru_cache


def to_single(x):
    """Rounds a double to IEEE single precision, ties to even; overflow gives an infinity."""
    try:
        return struct.unpack('<f', struct.pack('<f', x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


def float_bits(x):
    """Returns the bits of a number as a single."""
    return struct.unpack('<I', struct.pack('<f', x))[0]


@lru_cache(maxsize=65536)
def colour_component(x):
    """Returns a number as a colour component: single precision, clamped to [0,1]; NaN is 0 (choices.md)."""
    x = float(x)
    if math.isnan(x):
        return 0.0
    return to_single(min(1.0, max(0.0, to_single(x))))


def colour_from_integer(c):
    """Converts an integer by GL 2.1 table 2.9: (2c+1)/(2^32-1), in double precision, then as a float."""
    return colour_component((2.0 * c + 1.0) / 4294967295.0)


@lru_cache(maxsize=65536)
def shortest(x):
    """Returns the shortest decimal, without exponent, that reads back as the same single."""
    if x == 0:
        return '0'
    for digits in range(1, 18):
        text = '%.*g' % (digits, x)
        if to_single(float(text)) == x:
            break
    text = format(Decimal(text), 'f')
    if '.' in text:
        text = text.rstrip('0').rstrip('.')
    return text
