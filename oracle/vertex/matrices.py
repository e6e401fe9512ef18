"""Matrices of fractions, as lists of rows."""
from fractions import Fraction


def identity(size=4):
    return [[Fraction(int(i == k)) for k in range(size)] for i in range(size)]


def product(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def transposed(m):
    return [list(column) for column in zip(*m)]


def times(m, v):
    """Returns m * v for a column v."""
    return [sum(x * y for x, y in zip(row, v)) for row in m]


def inverse(m):
    """Inverts by elimination; raises ValueError for a singular matrix."""
    size = len(m)
    rows = [list(row) + unit for row, unit in zip(m, identity(size))]
    for k in range(size):
        pivot = next((i for i in range(k, size) if rows[i][k] != 0), None)
        if pivot is None:
            raise ValueError('a singular matrix')
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for i in range(size):
            if i != k and rows[i][k] != 0:
                rows[i] = [x - rows[i][k] * y for x, y in zip(rows[i], rows[k])]
    return [row[size:] for row in rows]


def determinant(m):
    """Returns the determinant, by expansion along the first row."""
    if not m:
        return Fraction(1)
    first, *rest = m
    return sum((-1) ** k * x * determinant([row[:k] + row[k + 1:] for row in rest])
               for k, x in enumerate(first) if x)


def upper(m):
    """Returns the upper left 3x3 matrix."""
    return [row[:3] for row in m[:3]]


def affine(linear, offset):
    return [list(row) + [x] for row, x in zip(linear, offset)] + [[Fraction(0)] * 3 + [Fraction(1)]]
