"""Expressions over the reals, as nested tuples: constructors, output as SMT-LIB, and evaluation with
fractions."""
from fractions import Fraction


def num(x):
    return ("num", Fraction(x))


def var(name):
    return ("var", name)


ZERO, ONE, HALF = num(0), num(1), num(Fraction(1, 2))
SAT = ("sat", "sat8")


def add(a, b):
    return ("+", a, b)


def sub(a, b):
    return ("-", a, b)


def mul(a, b):
    return ("*", a, b)


def eq(a, b):
    return ("=", a, b)


def le(a, b):
    return ("<=", a, b)


def conj(*terms):
    return ("and", ("true",), *terms)


def disj(*terms):
    return ("or", ("not", ("true",)), *terms)


def neg(x):
    return sub(ZERO, x)


def comp(x):
    return sub(ONE, x)


def within(x, lo=ZERO, hi=ONE):
    return conj(le(lo, x), le(x, hi))


def implies(a, b):
    return disj(("not", a), b)


def ite(c, a, b):
    return ("ite", c, a, b)


def smallest(a, b):
    return ite(le(a, b), a, b)


def largest(a, b):
    return ite(le(a, b), b, a)


def variables(e):
    if e[0] == "var":
        return {e[1]}
    return set().union(*(variables(a) for a in e[1:] if isinstance(a, tuple)))


def smt(e):
    kind = e[0]
    if kind == "num":
        n, d = abs(e[1].numerator), e[1].denominator
        text = f"{n}.0" if d == 1 else f"(/ {n}.0 {d}.0)"
        return f"(- {text})" if e[1] < 0 else text
    if kind == "var":
        return e[1]
    if kind == "true":
        return "true"
    return f"({kind} {' '.join(map(smt, e[1:]))})"


def value(e, at):
    """Evaluates an expression with fractions. at: {variable: value}."""
    kind = e[0]
    if kind == "num":
        return e[1]
    if kind == "var":
        return at[e[1]]
    if kind == "true":
        return True
    if kind == "ite":
        return value(e[2] if value(e[1], at) else e[3], at)
    if kind == "and":
        return all(value(a, at) for a in e[1:])
    if kind == "or":
        return any(value(a, at) for a in e[1:])
    v = [value(a, at) for a in e[1:]]
    if kind == "not":
        return not v[0]
    if kind == "sat":
        return min(max(v[0], Fraction(0)), Fraction(1))
    if kind == "sat8":
        return min(max(v[0], Fraction(-8)), Fraction(8))
    return {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "=": lambda a,
            b: a == b,
            "<=": lambda a, b: a <= b, "<": lambda a, b: a < b, ">=": lambda a, b: a >= b, ">": lambda a,
            b: a > b}[kind](*v)
