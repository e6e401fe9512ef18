"""What the C code of the optimiser relies on besides the rows of rules.def, as obligations for the solver:
when a clamp may be removed, and lemmas of interval arithmetic."""
from fractions import Fraction

from .expressions import (ONE, SAT, ZERO, add, comp, conj, disj, eq, implies, largest, le, mul, neg, num,
                          smallest, var, within)
from .rows import MODIFIERS, Obligation, modify, operation


X, K, B = var("X"), var("K"), var("B")


def clamp_gone(register=lambda x: x):
    """Returns the claim that k*x + b with its clamp is the same for clamped and unclamped x. register: the
    limit that a register applies to the unclamped value."""
    return eq(("sat", add(mul(K, ("sat", X)), B)), ("sat", add(mul(K, register(X)), B)))


def either(clamps, side):
    return disj(*(c.condition for c in clamps if c.name.startswith(side)))


def clamp_obligations(clamp):
    """Returns the obligations of one CLAMP row: its clamp may be removed if it has no effect at the other
    bound."""
    other = le(ZERO, X) if clamp.name.startswith("upper") else le(X, ONE)
    return [Obligation("clamp may go", [clamp.condition, other], clamp_gone()),
            Obligation("clamp may go, register of [-8,8]", [clamp.condition, other],
                       clamp_gone(lambda x: ("sat8", x)))]


def interval(name):
    return var(name + "lo"), var(name + "hi")


def inside(name):
    lo, hi = interval(name)
    return [le(lo, hi), le(lo, var(name)), le(var(name), hi)]


def saturates():
    """Returns the test that clamp.c makes on the intervals of x, k and b: if x > 1 is possible, k > 0 needs k
    + b >= 1 and k < 0 needs k + b <= 0; if x < 0 is possible, k > 0 needs b <= 0 and k < 0 needs b >= 1. For
    k > 0, k + b is at least max(klo, 0) + blo; for k < 0, at most min(khi, 0) + bhi."""
    x_lo, x_hi = interval("X")
    k_lo, k_hi = interval("K")
    b_lo, b_hi = interval("B")
    above = conj(implies((">", k_hi, ZERO), le(ONE, add(largest(k_lo, ZERO), b_lo))),
                 implies(("<", k_lo, ZERO), le(add(smallest(k_hi, ZERO), b_hi), ZERO)))
    below = conj(implies((">", k_hi, ZERO), le(b_hi, ZERO)), implies(("<", k_lo, ZERO), le(ONE, b_lo)))
    return conj(implies((">", x_hi, ONE), above), implies(("<", x_lo, ZERO), below))


def linear_obligations():
    """Yields obligations for linear_in of clamp.c: an instruction, with its scale, equals k*x + b if its
    argument s reads m*x + t."""
    m, t, x, scale = var("m"), var("t"), var("x"), var("scale")
    v = [var("u"), var("v"), var("w")]
    forms = {  # (operation, argument): (k, b)
        ("MOV", 0): (ONE, ZERO), ("ADD", 0): (ONE, v[1]), ("ADD", 1): (ONE, v[0]),
        ("SUB", 0): (ONE, neg(v[1])), ("SUB", 1): (num(-1), v[0]),
        ("MUL", 0): (v[1], ZERO), ("MUL", 1): (v[0], ZERO), ("MAD", 0): (v[1], v[2]),
        ("MAD", 1): (v[0], v[2]), ("MAD", 2): (ONE, mul(v[0], v[1])),
        ("LERP", 1): (v[0], mul(comp(v[0]), v[2])), ("LERP", 2): (comp(v[0]), mul(v[0], v[1]))}
    for (op, s), (factor, rest) in forms.items():
        arguments = list(v)
        arguments[s] = add(mul(m, x), t)
        k, b = mul(scale, mul(m, factor)), mul(scale, add(mul(t, factor), rest))
        yield Obligation(f"linear_in {op} argument {s}", [], eq(mul(scale, operation(op, arguments)),
                                                                add(mul(k, x), b)))


def modifier_obligations():
    x = var("x")
    for chosen in range(16):
        names = [m for i, m in enumerate(MODIFIERS) if chosen >> i & 1]
        applied = x
        for name in reversed(names):
            applied = modify(name, applied)
        outer = Fraction(-1 if "NEG" in names else 1) * (2 if "X2" in names else 1)
        m, t = outer * (-1 if "COMP" in names else 1), outer * ((1 if "COMP" in names
                                                                 else 0) - (Fraction(1, 2) if "BIAS" in names
                                                                     else 0))
        yield eq(applied, add(mul(num(m), x), num(t)))


def side_obligations(clamps):
    """Yields (name, obligations) of everything that is proved besides the rows."""
    everything = conj(either(clamps, "upper"), either(clamps, "lower"))
    yield "clamp_rows_together", [Obligation("clamp may go", [everything], clamp_gone()),
                                  Obligation("register of [-8,8]", [everything], clamp_gone(lambda x: ("sat8",
                                      x)))]
    yield "clamp_of_clamp", [Obligation("idempotent", [], conj(*(eq((c, (c, X)), (c, X)) for c in SAT))),
                             Obligation("sat8 under sat", [], eq(("sat", ("sat8", X)), ("sat", X)))]
    yield "saturates", [Obligation("implies the CLAMP rows", [*inside("X"), *inside("K"), *inside("B"),
                                                              saturates()], everything),
                        Obligation("clamp may go", [*inside("X"), *inside("K"), *inside("B"), saturates()],
                                   clamp_gone())]
    yield "linear_in", list(linear_obligations())
    yield "modifiers", [Obligation("m*x + t", [], conj(*modifier_obligations()))]

    m, t, n, u, x, s, r = (var(c) for c in "mtnuxsr")
    yield "compose", [Obligation("outer of inner", [], eq(add(mul(m, add(mul(n, x), u)), t),
                                                          add(mul(mul(m, n), x), add(mul(m, u), t)))),
                      Obligation("through a scaled copy", [], eq(add(mul(m, mul(s, x)), t),
                                                                 add(mul(mul(m, s), x), t))),
                      Obligation("scale of scale", [], eq(mul(s, mul(r, x)), mul(mul(s, r), x))),
                      Obligation("inverse", [("not", eq(m, ZERO))], implies(eq(mul(m, u), ONE),
                          eq(add(mul(u, add(mul(m, x), t)), mul(neg(t), u)), x)))]
    a, b, c = var("a"), var("b"), var("c")
    yield "commutes", [Obligation(op, [], eq(operation(op, [a, b, c]), operation(op, [b, a, c])))
                       for op in ("ADD", "MUL", "MAD")]

    (alo, ahi), (blo, bhi) = interval("a"), interval("b")
    given = [*inside("a"), *inside("b")]
    f = var("f")
    corners = [mul(p, q) for p in (alo, ahi) for q in (blo, bhi)]
    yield "ranges", [
        Obligation("add", given, within(add(a, b), add(alo, blo), add(ahi, bhi))),
        Obligation("negate", given, within(neg(a), neg(ahi), neg(alo))),
        Obligation("times", given, implies(le(ZERO, m), within(mul(m, a), mul(m, alo), mul(m, ahi)))),
        Obligation("times a negative", given, implies(le(m, ZERO), within(mul(m, a), mul(m, ahi),
            mul(m, alo)))),
        Obligation("mul", given, conj(disj(*(le(p, mul(a, b)) for p in corners)),
                                      disj(*(le(mul(a, b), p) for p in corners)))),
        Obligation("lerp", [*given, within(f)], conj(disj(le(alo, operation("LERP", [f, a, b])),
                                                          le(blo, operation("LERP", [f, a, b]))),
                                                    disj(le(operation("LERP", [f, a, b]), ahi),
                                                         le(operation("LERP", [f, a, b]), bhi)))),
        Obligation("sat", given, within(("sat", a), ("sat", alo), ("sat", ahi))),
        Obligation("sat8", given, within(("sat8", a), ("sat8", alo), ("sat8", ahi)))]
