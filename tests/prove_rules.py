#!/usr/bin/env python3
"""Proves the rewrite rules of the optimiser over the reals, and refutes identities that are known to be false.

usage: prove_rules.py [--table] [--mutants] [--verbose] [--jobs N] [--rules FILE] [--false FILE] [NAME ...]

Rows are read as text from fragprog/rules.def, not through the C code that applies them, and become SMT-LIB for z3:

  RULE   pattern = replacement * 2^scale for all reals, under the row's condition; the instruction's own scale and clamp then see equal values. The factor of
         a LERP in the replacement lies in [0,1] under the condition (and what the pattern's own LERP presupposes).
  CLAMP  (one upper_* condition and one lower_* condition) imply sat(k*sat(x)+b) = sat(k*x+b), for all real k, b, x.
  side   what the C code builds on: the test on intervals in range.c implies the CLAMP conditions pointwise, k and b of each argument, the modifiers as m*x+t,
         interval arithmetic, scales, commutation.

tests/false_identities.def has what must be refuted (FALSE: the counterexample is printed and evaluated again with fractions) and the
conditions under which such an identity holds (EXACT: proven sufficient and necessary).

"unsat" is a proof; a timeout or "unknown" is a failure. --table prints rule, condition, proof time and how often the rule fired on the corpus (TEXENVC: the
texenvc to ask, default build/texenvc). --mutants proves nothing: it changes every RULE row in every small way, and the changed rows have to be refuted, or
hold on random numbers too. NAME: only these rows.

Exit status: 0 all proven and refuted as expected, 1 not, 2 wrong usage.
"""
import argparse
import ast
import glob
import os
import random
import re
import shutil
import subprocess
import sys
import time
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIMIT = 10  # seconds for each obligation


class Bad(Exception):
    """A row that cannot be read."""


# ---- expressions: nested tuples ----

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
    """The same with fractions: no solver."""
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
    return {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "=": lambda a, b: a == b,
            "<=": lambda a, b: a <= b, "<": lambda a, b: a < b, ">=": lambda a, b: a >= b, ">": lambda a, b: a > b}[kind](*v)


# ---- z3 ----

Answer = namedtuple("Answer", "verdict model seconds")

PRELUDE = """(define-fun sat ((x Real)) Real (ite (< x 0.0) 0.0 (ite (> x 1.0) 1.0 x)))
(define-fun sat8 ((x Real)) Real (ite (< x (- 8.0)) (- 8.0) (ite (> x 8.0) 8.0 x)))
"""


def read_model(text):
    """{name: fraction}; None for a value that is not rational."""
    words = re.findall(r"[()]|[^\s()]+", text)

    def read(i):
        if words[i] != "(":
            return words[i], i + 1
        out, i = [], i + 1
        while words[i] != ")":
            item, i = read(i)
            out.append(item)
        return out, i + 1

    def number(t):
        if isinstance(t, str):
            return Fraction(t) if re.fullmatch(r"\d+(\.\d+)?", t) else None
        v = [number(a) for a in t[1:]]
        if None in v or t[0] not in ("-", "/"):
            return None
        return v[0] / v[1] if t[0] == "/" else -v[0]

    tree, _ = read(0)
    return {d[1]: number(d[4]) for d in tree if isinstance(d, list) and d[0] == "define-fun" and d[2] == []}


def ask(assertions):
    """z3 about the conjunction."""
    names = sorted(set().union(*map(variables, assertions)))
    text = PRELUDE + "".join(f"(declare-const {n} Real)\n" for n in names) + "".join(f"(assert {smt(a)})\n" for a in assertions) + "(check-sat)\n(get-model)\n"
    start = time.monotonic()
    try:
        run = subprocess.run(["z3", "-in", f"-T:{LIMIT}"], input=text, capture_output=True, text=True, timeout=LIMIT + 5)
        out = run.stdout
    except subprocess.TimeoutExpired:
        out = "timeout"
    seconds = time.monotonic() - start
    verdict, _, rest = out.partition("\n")
    if verdict == "sat":
        return Answer("sat", {**dict.fromkeys(names, Fraction(0)), **read_model(rest)}, seconds)
    return Answer("unsat" if verdict == "unsat" else out.strip()[:200] or "no answer", None, seconds)


def show(model):
    return ", ".join(f"{n}={v}" for n, v in sorted(model.items()))


def disproof(assumptions, claim):
    """z3 about assumptions and not claim. A model that is not rational is asked for again on a grid."""
    query = [*assumptions, ("not", claim)]
    answer = ask(query)
    if answer.verdict == "sat" and None in answer.model.values():
        names = sorted(set().union(*map(variables, query)))
        grid = [disj(*(eq(var(n), num(Fraction(i, 4))) for i in range(-4, 9))) for n in names]
        again = ask(query + grid)
        answer = again._replace(seconds=answer.seconds + again.seconds)
    return answer


def confirm(assumptions, claim, model):
    """The model, evaluated with fractions, is a counterexample."""
    return None not in model.values() and all(value(a, model) for a in assumptions) and not value(claim, model)


# ---- rows ----

ARGUMENTS = {"MOV": 1, "ADD": 2, "MUL": 2, "SUB": 2, "MAD": 3, "LERP": 3, "CND": 3, "CND0": 3, "DOT3": 2, "DOT4": 2, "DOT2ADD": 3}
MODIFIERS = ["NEG", "X2", "BIAS", "COMP"]  # from the outside in: the hardware always applies COMP first
LITERALS = {"ZERO": ZERO, "ONE": ONE, "HALF": HALF}
VARIABLES = "ABCD"


def modify(name, x):
    return {"COMP": lambda: comp(x), "BIAS": lambda: sub(x, HALF), "X2": lambda: mul(num(2), x), "NEG": lambda: neg(x)}[name]()


def operation(name, v):
    """Per channel; v: arguments. ATI_fragment_shader's table of operations."""
    if name == "MOV":
        return v[0]
    if name == "ADD":
        return add(v[0], v[1])
    if name == "SUB":
        return sub(v[0], v[1])
    if name == "MUL":
        return mul(v[0], v[1])
    if name == "MAD":
        return add(mul(v[0], v[1]), v[2])
    if name == "LERP":
        return add(mul(v[0], v[1]), mul(comp(v[0]), v[2]))
    if name == "CND":
        return ite((">", v[2], HALF), v[0], v[1])
    if name == "CND0":
        return ite((">=", v[2], ZERO), v[0], v[1])
    raise Bad(f"no meaning of {name} here")


class Term:
    """A term in prefix form: modifiers, then an operation with arguments, a variable or a literal."""

    def __init__(self, words, top):
        self.modifiers = []
        while words and words[0] in MODIFIERS:
            self.modifiers.append(words.pop(0))
        if [m for m in MODIFIERS if m in self.modifiers] != self.modifiers:
            raise Bad(f"modifiers {' '.join(self.modifiers)}: they act as written only in the order {' '.join(MODIFIERS)}, each at most once")
        if not words:
            raise Bad("a term ends too early")
        self.name = words.pop(0)
        self.arguments = []
        if self.name in ARGUMENTS:
            if top and self.modifiers:
                raise Bad("a modifier before the instruction")
            self.arguments = [Term(words, False) for _ in range(ARGUMENTS[self.name])]
        elif self.name not in LITERALS and self.name not in VARIABLES or top:
            raise Bad(f"{self.name} is no {'operation' if top else 'term'}")

    def all(self):
        yield self
        for a in self.arguments:
            yield from a.all()

    def channels(self, width):
        """Expressions of the `width` channels; variables of width 4 are x, y, z, w of a vector."""
        if self.name in LITERALS:
            out = [LITERALS[self.name]] * width
        elif self.name in VARIABLES:
            out = [var(self.name)] if width == 1 else [var(self.name + c) for c in "xyzw"]
        elif self.name.startswith("DOT"):
            v = [a.channels(width) for a in self.arguments]
            total = ZERO
            for c in range({"DOT3": 3, "DOT4": 4, "DOT2ADD": 2}[self.name]):
                total = add(total, mul(v[0][c], v[1][c]))
            out = [add(total, v[2][2]) if self.name == "DOT2ADD" else total] * width
        else:
            v = [a.channels(width) for a in self.arguments]
            out = [operation(self.name, [a[c] for a in v]) for c in range(width)]
        for m in reversed(self.modifiers):
            out = [modify(m, x) for x in out]
        return out

    def words(self):
        return self.modifiers + [self.name] + [w for a in self.arguments for w in a.words()]


def term_of(text):
    words = [w.strip() for w in text.split(",")]
    term = Term(words, True)
    if words:
        raise Bad(f"too many words: {' '.join(words)}")
    return term


# One thing to prove: claim under assumptions.
Obligation = namedtuple("Obligation", "what assumptions claim")


class Rule:
    kind = "RULE"

    def __init__(self, name, pattern, scale, replacement, condition):
        self.name, self.scale, self.condition = name, int(scale), condition
        self.pattern, self.replacement = term_of(pattern), term_of(replacement)
        if not -3 <= self.scale <= 3:
            raise Bad(f"scale {self.scale}")
        inner = [t for t in self.pattern.all() if t.arguments and t is not self.pattern]
        if len(inner) > 1:
            # range.c answers for one clamp while the others are still there.
            raise Bad("more than one operation inside: their clamps cannot be judged one by one")
        if any(t.arguments for t in self.replacement.all() if t is not self.replacement):
            raise Bad("an operation inside the replacement, which is one instruction")
        unknown = {t.name for t in self.replacement.all()} & set(VARIABLES) - {t.name for t in self.pattern.all()}
        if unknown:
            raise Bad(f"{', '.join(sorted(unknown))} of the replacement is not in the pattern")
        m = re.fullmatch(r"ALWAYS|UNIT\(([A-D])\)", condition)
        if not m or m[1] and m[1] not in {t.name for t in self.pattern.all()}:
            raise Bad(f"condition {condition}")
        self.unit = m[1]
        self.width = 4 if any(t.name.startswith("DOT") for t in [*self.pattern.all(), *self.replacement.all()]) else 1

    def assumptions(self):
        return [within(x) for x in Term([self.unit], False).channels(self.width)] if self.unit else []

    def sides(self):
        return self.pattern.channels(self.width), [mul(num(Fraction(2) ** self.scale), x) for x in self.replacement.channels(self.width)]

    def obligations(self):
        left, right = self.sides()
        out = [Obligation("equal", self.assumptions(), conj(*map(eq, left, right)))]
        if any(t.name == "LERP" for t in self.replacement.all()):
            defined = [within(f) for t in self.pattern.all() if t.name == "LERP" for f in t.arguments[0].channels(self.width)]
            out.append(Obligation("factor of lerp in [0,1]", self.assumptions() + defined, conj(*map(within, self.replacement.arguments[0].channels(self.width)))))
        return out

    def text(self):
        return f"RULE({self.name}, ({', '.join(self.pattern.words())}), {self.scale}, ({', '.join(self.replacement.words())}), {self.condition})"


def without_comments(text):
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.S)


def split_rows(text, names):
    """(macro, [arguments]) of each row. Arguments are split at commas outside parentheses; anything between rows is an error."""
    text, rows, at = without_comments(text), [], 0
    while True:
        m = re.compile(r"\s*(\w+)\s*\(").match(text, at)
        if not m:
            break
        if m[1] not in names:
            raise Bad(f"row {m[1]} is none of {', '.join(names)}")
        depth, start, arguments, i = 1, m.end(), [], m.end()
        while depth:
            if i == len(text):
                raise Bad(f"row {len(rows) + 1} does not end")
            depth += (text[i] == "(") - (text[i] == ")")
            if depth == 0 or depth == 1 and text[i] == ",":
                arguments.append(" ".join(text[start:i].split()))
                start = i + 1
            i += 1
        rows.append((m[1], arguments))
        at = i
    if text[at:].strip():
        raise Bad(f"not a row: {text[at:].strip()[:60]}")
    return rows


def unwrap(text):
    if not (text.startswith("(") and text.endswith(")")):
        raise Bad(f"no parentheses around {text}")
    return text[1:-1]


def infix(text):
    """An expression in infix form; && || and == as in C, sat(x) the clamp to [0,1]."""
    source = text.replace("&&", " and ").replace("||", " or ").strip()
    operators = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "="}

    def build(n):
        if isinstance(n, ast.Expression):
            return build(n.body)
        if isinstance(n, ast.Constant):
            return num(Fraction(ast.get_source_segment(source, n)))
        if isinstance(n, ast.Name):
            return var(n.id)
        if isinstance(n, ast.BinOp) and type(n.op) in operators:
            return (operators[type(n.op)], build(n.left), build(n.right))
        if isinstance(n, ast.UnaryOp) and isinstance(n.op, ast.USub):
            return neg(build(n.operand))
        if isinstance(n, ast.Compare) and len(n.ops) == 1 and type(n.ops[0]) in operators:
            return (operators[type(n.ops[0])], build(n.left), build(n.comparators[0]))
        if isinstance(n, ast.BoolOp):
            return (conj if isinstance(n.op, ast.And) else disj)(*map(build, n.values))
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == "sat" and len(n.args) == 1 and not n.keywords:
            return ("sat", build(n.args[0]))
        raise Bad(f"cannot read '{text}'")

    try:
        return build(ast.parse(source, mode="eval"))
    except (SyntaxError, ValueError) as e:
        raise Bad(f"cannot read '{text}': {e}") from None


Clamp = namedtuple("Clamp", "name text condition")


def read_rules(path):
    with open(path, encoding="utf-8") as f:
        rows = split_rows(f.read(), ("RULE", "CLAMP"))
    rules, clamps = [], []
    for macro, arguments in rows:
        try:
            if macro == "RULE":
                if len(arguments) != 5:
                    raise Bad(f"{len(arguments)} arguments")
                rules.append(Rule(arguments[0], unwrap(arguments[1]), arguments[2], unwrap(arguments[3]), arguments[4]))
            else:
                if len(arguments) != 2:
                    raise Bad(f"{len(arguments)} arguments")
                condition = infix(arguments[1])
                if not re.match(r"(upper|lower)_", arguments[0]) or not variables(condition) <= {"X", "K", "B"}:
                    raise Bad("a CLAMP row is named upper_* or lower_* and speaks of X, K, B")
                clamps.append(Clamp(arguments[0], arguments[1], condition))
        except (Bad, ValueError) as e:
            raise Bad(f"{path}: {macro}({arguments[0]}): {e}") from None
    names = [r.name for r in rules] + [c.name for c in clamps]
    for name in names:
        if names.count(name) > 1:
            raise Bad(f"{path}: two rows {name}")
    if not rules or not clamps:
        raise Bad(f"{path}: no RULE or no CLAMP rows")
    return rules, clamps


# ---- clamps that may go ----

X, K, B = var("X"), var("K"), var("B")


def clamp_gone(register=lambda x: x):
    """The consumer sees the same; `register`: what a register makes of the value that is no longer clamped."""
    return eq(("sat", add(mul(K, ("sat", X)), B)), ("sat", add(mul(K, register(X)), B)))


def either(clamps, side):
    return disj(*(c.condition for c in clamps if c.name.startswith(side)))


def clamp_obligations(clamp):
    """Each row alone, with the clamp not acting on the other side."""
    other = le(ZERO, X) if clamp.name.startswith("upper") else le(X, ONE)
    return [Obligation("clamp may go", [clamp.condition, other], clamp_gone()),
            Obligation("clamp may go, register of [-8,8]", [clamp.condition, other], clamp_gone(lambda x: ("sat8", x)))]


# ---- what the C code builds on ----

def interval(name):
    return var(name + "lo"), var(name + "hi")


def inside(name):
    lo, hi = interval(name)
    return [le(lo, hi), le(lo, var(name)), le(var(name), hi)]


def saturates():
    """range.c: "x > 1 reachable: k > 0 needs k + b >= 1, k < 0 needs k + b <= 0; x < 0 reachable: k > 0 needs b <= 0, k < 0 needs b >= 1", for all k and b of
    their intervals. The smallest positive k + b is not below max(klo, 0) + blo, the largest negative one not above min(khi, 0) + bhi."""
    x_lo, x_hi = interval("X")
    k_lo, k_hi = interval("K")
    b_lo, b_hi = interval("B")
    above = conj(implies((">", k_hi, ZERO), le(ONE, add(largest(k_lo, ZERO), b_lo))),
                 implies(("<", k_lo, ZERO), le(add(smallest(k_hi, ZERO), b_hi), ZERO)))
    below = conj(implies((">", k_hi, ZERO), le(b_hi, ZERO)), implies(("<", k_lo, ZERO), le(ONE, b_lo)))
    return conj(implies((">", x_hi, ONE), above), implies(("<", x_lo, ZERO), below))


def linear_obligations():
    """linear_in of range.c: the instruction, its scale included, is k*x + b in argument s, which reads m*x + t."""
    m, t, x, scale = var("m"), var("t"), var("x"), var("scale")
    v = [var("u"), var("v"), var("w")]
    forms = {  # factor, rest
        ("MOV", 0): (ONE, ZERO), ("ADD", 0): (ONE, v[1]), ("ADD", 1): (ONE, v[0]), ("SUB", 0): (ONE, neg(v[1])), ("SUB", 1): (num(-1), v[0]),
        ("MUL", 0): (v[1], ZERO), ("MUL", 1): (v[0], ZERO), ("MAD", 0): (v[1], v[2]), ("MAD", 1): (v[0], v[2]), ("MAD", 2): (ONE, mul(v[0], v[1])),
        ("LERP", 1): (v[0], mul(comp(v[0]), v[2])), ("LERP", 2): (comp(v[0]), mul(v[0], v[1]))}
    for (op, s), (factor, rest) in forms.items():
        arguments = list(v)
        arguments[s] = add(mul(m, x), t)
        k, b = mul(scale, mul(m, factor)), mul(scale, add(mul(t, factor), rest))
        yield Obligation(f"linear_in {op} argument {s}", [], eq(mul(scale, operation(op, arguments)), add(mul(k, x), b)))


def modifier_obligations():
    x = var("x")
    for chosen in range(16):
        names = [m for i, m in enumerate(MODIFIERS) if chosen >> i & 1]
        applied = x
        for name in reversed(names):
            applied = modify(name, applied)
        outer = Fraction(-1 if "NEG" in names else 1) * (2 if "X2" in names else 1)
        m, t = outer * (-1 if "COMP" in names else 1), outer * ((1 if "COMP" in names else 0) - (Fraction(1, 2) if "BIAS" in names else 0))
        yield eq(applied, add(mul(num(m), x), num(t)))


def side_obligations(clamps):
    """(name, obligations)."""
    everything = conj(either(clamps, "upper"), either(clamps, "lower"))
    yield "clamp_rows_together", [Obligation("clamp may go", [everything], clamp_gone()), Obligation("register of [-8,8]", [everything], clamp_gone(lambda x: ("sat8", x)))]
    yield "clamp_of_clamp", [Obligation("idempotent", [], conj(*(eq((c, (c, X)), (c, X)) for c in SAT))), Obligation("sat8 under sat", [], eq(("sat", ("sat8", X)), ("sat", X)))]
    yield "saturates", [Obligation("implies the CLAMP rows", [*inside("X"), *inside("K"), *inside("B"), saturates()], everything),
                        Obligation("clamp may go", [*inside("X"), *inside("K"), *inside("B"), saturates()], clamp_gone())]
    yield "linear_in", list(linear_obligations())
    yield "modifiers", [Obligation("m*x + t", [], conj(*modifier_obligations()))]

    m, t, n, u, x, s, r = (var(c) for c in "mtnuxsr")
    yield "compose", [Obligation("outer of inner", [], eq(add(mul(m, add(mul(n, x), u)), t), add(mul(mul(m, n), x), add(mul(m, u), t)))),
                      Obligation("through a scaled copy", [], eq(add(mul(m, mul(s, x)), t), add(mul(mul(m, s), x), t))),
                      Obligation("scale of scale", [], eq(mul(s, mul(r, x)), mul(mul(s, r), x))),
                      Obligation("inverse", [("not", eq(m, ZERO))], implies(eq(mul(m, u), ONE), eq(add(mul(u, add(mul(m, x), t)), mul(neg(t), u)), x)))]
    a, b, c = var("a"), var("b"), var("c")
    yield "commutes", [Obligation(op, [], eq(operation(op, [a, b, c]), operation(op, [b, a, c]))) for op in ("ADD", "MUL", "MAD")]

    (alo, ahi), (blo, bhi) = interval("a"), interval("b")
    given = [*inside("a"), *inside("b")]
    f = var("f")
    corners = [mul(p, q) for p in (alo, ahi) for q in (blo, bhi)]
    yield "ranges", [
        Obligation("add", given, within(add(a, b), add(alo, blo), add(ahi, bhi))),
        Obligation("negate", given, within(neg(a), neg(ahi), neg(alo))),
        Obligation("times", given, implies(le(ZERO, m), within(mul(m, a), mul(m, alo), mul(m, ahi)))),
        Obligation("times a negative", given, implies(le(m, ZERO), within(mul(m, a), mul(m, ahi), mul(m, alo)))),
        Obligation("mul", given, conj(disj(*(le(p, mul(a, b)) for p in corners)), disj(*(le(mul(a, b), p) for p in corners)))),
        Obligation("lerp", [*given, within(f)], conj(disj(le(alo, operation("LERP", [f, a, b])), le(blo, operation("LERP", [f, a, b]))),
                                                    disj(le(operation("LERP", [f, a, b]), ahi), le(operation("LERP", [f, a, b]), bhi)))),
        Obligation("sat", given, within(("sat", a), ("sat", alo), ("sat", ahi))),
        Obligation("sat8", given, within(("sat8", a), ("sat8", alo), ("sat8", ahi)))]


# ---- identities that do not hold ----

Identity = namedtuple("Identity", "macro name left right condition")


def read_identities(path):
    with open(path, encoding="utf-8") as f:
        rows = split_rows(f.read(), ("FALSE", "EXACT"))
    out = []
    for macro, arguments in rows:
        if len(arguments) != 4:
            raise Bad(f"{path}: {macro}({arguments[0]}): {len(arguments)} arguments")
        out.append(Identity(macro, arguments[0], *map(infix, arguments[1:3]), ("true",) if arguments[3] == "ALWAYS" else infix(arguments[3])))
    if not any(i.macro == "FALSE" for i in out) or not any(i.macro == "EXACT" for i in out):
        raise Bad(f"{path}: no FALSE or no EXACT rows")
    return out


def unit_inputs(identity):
    return [within(var(n)) for n in sorted(variables(identity.left) | variables(identity.right) | variables(identity.condition))]


# ---- results ----

Result = namedtuple("Result", "kind name condition ok seconds note")


def prove(kind, name, condition, obligations, wanted=()):
    """All obligations of a row. wanted: what has to be satisfiable, so that nothing is proven of an empty set."""
    seconds, notes = 0, []
    for o in obligations:
        answer = disproof(o.assumptions, o.claim)
        seconds += answer.seconds
        if answer.verdict == "sat":
            right = confirm(o.assumptions, o.claim, answer.model)
            notes.append(f"{o.what}: NO, {show(answer.model)}" + ("" if right else " (which fractions do not confirm)"))
        elif answer.verdict != "unsat":
            notes.append(f"{o.what}: not proven: {answer.verdict}")
        elif answer.seconds > LIMIT:
            notes.append(f"{o.what}: too slow")
    for condition_of in wanted:
        answer = ask(condition_of)
        seconds += answer.seconds
        if answer.verdict != "sat":
            notes.append(f"the condition can never hold: {answer.verdict}")
    return Result(kind, name, condition, not notes, seconds, "; ".join(notes))


def refute(identity):
    inputs = unit_inputs(identity) + [identity.condition]
    claim = eq(identity.left, identity.right)
    answer = disproof(inputs, claim)
    if answer.verdict != "sat":
        return Result("FALSE", identity.name, "", False, answer.seconds, "no counterexample: " + ("it holds" if answer.verdict == "unsat" else answer.verdict))
    if not confirm(inputs, claim, answer.model):
        return Result("FALSE", identity.name, "", False, answer.seconds, f"fractions do not confirm {show(answer.model)}")
    return Result("FALSE", identity.name, "", True, answer.seconds, f"{show(answer.model)}: {value(identity.left, answer.model)}, not {value(identity.right, answer.model)}")


def exact(identity):
    inputs = unit_inputs(identity)
    equal = eq(identity.left, identity.right)
    return prove("EXACT", identity.name, "", [Obligation("sufficient", inputs + [identity.condition], equal),
                                              Obligation("necessary", inputs + [equal], identity.condition)])


# ---- mutants: rows with small changes ----

def mutants(rule):
    words = rule.replacement.words()
    p = ", ".join(rule.pattern.words())

    def row(what, pattern=p, scale=rule.scale, replacement=words, condition=rule.condition):
        try:
            return Rule(f"{rule.name}: {what}", pattern, scale, ", ".join(replacement), condition)
        except Bad:
            return None

    if rule.condition != "ALWAYS":
        yield row("condition lost", condition="ALWAYS")
    for d in (-1, 1):
        yield row(f"scale {rule.scale + d}", scale=rule.scale + d)
    for i, w in enumerate(words):
        if w in MODIFIERS:
            yield row(f"{w} lost", replacement=words[:i] + words[i + 1:])
            for other in MODIFIERS:
                if other != w:
                    yield row(f"{w} becomes {other}", replacement=words[:i] + [other] + words[i + 1:])
        elif i:
            for m in MODIFIERS:
                yield row(f"{m} before {w}", replacement=words[:i] + [m] + words[i:])
        for group in (VARIABLES, tuple(LITERALS), tuple(ARGUMENTS)):
            if w in group:
                for other in group:
                    if other != w:
                        yield row(f"{w} becomes {other}", replacement=words[:i] + [other] + words[i + 1:])
    swaps = rule.replacement.arguments
    for i in range(len(swaps)):
        for j in range(i):
            order = list(swaps)
            order[i], order[j] = order[j], order[i]
            yield row(f"arguments {j} and {i} swapped", replacement=[words[0]] + [w for a in order for w in a.words()])


def judge_mutant(rule):
    """(refuted, contradiction): the solver's verdict, checked by fractions."""
    chance = random.Random(rule.name)
    for o in rule.obligations():
        names = sorted(set().union(*map(variables, [*o.assumptions, o.claim])))
        answer = disproof(o.assumptions, o.claim)
        if answer.verdict == "sat":
            return True, None if confirm(o.assumptions, o.claim, answer.model) else f"fractions do not confirm {show(answer.model)}"
        if answer.verdict != "unsat":
            return False, answer.verdict
        for _ in range(200):
            at = {n: Fraction(chance.randint(-16, 16), chance.choice((1, 2, 16, 16))) for n in names}
            if all(value(a, at) for a in o.assumptions) and not value(o.claim, at):
                return False, f"proven, but wrong at {show(at)}"
    return False, None


def run_mutants(rules, jobs, verbose):
    rows = [m for r in rules for m in mutants(r) if m]
    with ThreadPoolExecutor(jobs) as pool:
        verdicts = list(pool.map(judge_mutant, rows))
    wrong = [(r, why) for r, (_, why) in zip(rows, verdicts) if why]
    for r, why in wrong:
        print(f"failed: {r.name}: {why}")
    hold = [r for r, (refuted, why) in zip(rows, verdicts) if not refuted and not why]
    if verbose:
        for r in hold:
            print(f"holds too: {r.text()}")
    refuted = sum(v[0] for v in verdicts)
    print(f"{len(rows)} changed rows: {refuted} refuted, {len(hold)} are identities as well, {len(wrong)} contradictions")
    if refuted < len(rows) // 2:
        print("failed: most changed rows must be wrong")
    return bool(wrong) or refuted < len(rows) // 2


# ---- the corpus ----

def corpus():
    """The corpus of the tree, and the larger one beside it where there is one."""
    files = sorted(glob.glob(os.path.join(TOP, "tests", "corpus", "*.stages")) + glob.glob(os.path.join(TOP, "tests", "corpus", "*.gl")))
    for folder, _, names in sorted(os.walk(os.path.join(TOP, "..", "shared", "corpus"))):
        files += [os.path.join(folder, n) for n in sorted(names) if n.endswith((".gl", ".stages", ".txt", ".trace")) and n != "README.md"]
    return [f for f in files if not f.endswith("-invalid.gl")]


def fired():
    """{rule: count} on the corpus; None if texenvc cannot say."""
    program = os.environ.get("TEXENVC") or os.path.join(TOP, "build", "texenvc")
    if not os.access(program, os.X_OK):
        return None, 0
    counts, files, used = {}, corpus(), 0
    batches = [files[i:i + 200] for i in range(0, len(files), 200)]
    while batches:
        batch = batches.pop(0)
        run = subprocess.run([program, "convert", "-O2", "--rule-counts", "--to", "ir", *batch], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace")
        if run.returncode not in (0, 3):
            if run.returncode == 2:
                return None, 0  # no such option
            if len(batch) > 1:  # one with errors: leave it out
                batches[:0] = [batch[:len(batch) // 2], batch[len(batch) // 2:]]
            continue
        used += len(batch)
        for name, count in re.findall(r"^rule (\S+) (\d+)$", run.stderr, re.M):
            counts[name] = counts.get(name, 0) + int(count)
    return counts, used


def print_table(results):
    counts, files = fired()
    print(f"{'rule':24} {'condition':28} {'proof s':>8} {'fired':>8}")
    for r in results:
        if r.kind in ("RULE", "CLAMP"):
            count = "-" if counts is None or r.kind == "CLAMP" else counts.pop(r.name, 0)
            print(f"{r.name:24} {r.condition:28} {r.seconds:8.3f} {count:>8}" + ("" if r.ok else "  NOT PROVEN"))
    for name, count in sorted((counts or {}).items()):
        print(f"{name:24} {'(a pass)':28} {'':8} {count:>8}")
    print("fired: not known, this texenvc has no --rule-counts" if counts is None else f"fired: on {files} files of the corpus")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n")[2].replace("usage: ", ""), add_help=True)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--mutants", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--rules", default=os.path.join(TOP, "fragprog", "rules.def"))
    parser.add_argument("--false", default=os.path.join(TOP, "tests", "false_identities.def"))
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    if not shutil.which("z3"):
        print("failed: no z3 here, so nothing can be proven: install Debian's package z3 (tools/setup does)")
        return 1
    start = time.monotonic()
    try:
        rules, clamps = read_rules(args.rules)
        identities = read_identities(args.false)
    except Bad as e:
        print(f"failed: {e}")
        return 1
    if args.mutants:
        return int(run_mutants([r for r in rules if not args.names or r.name in args.names], args.jobs, args.verbose))

    tasks = [(r.name, lambda r=r: prove("RULE", r.name, r.condition, r.obligations(), [r.assumptions()] if r.unit else [])) for r in rules]
    tasks += [(c.name, lambda c=c: prove("CLAMP", c.name, c.text, clamp_obligations(c), [[c.condition]])) for c in clamps]
    tasks += [(name, lambda name=name, o=o: prove("side", name, "", o)) for name, o in side_obligations(clamps)]
    tasks += [(i.name, lambda i=i: refute(i) if i.macro == "FALSE" else exact(i)) for i in identities]
    unknown = set(args.names) - {n for n, _ in tasks}
    if unknown:
        print(f"prove_rules.py: no row {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    with ThreadPoolExecutor(args.jobs) as pool:
        results = list(pool.map(lambda t: t[1](), [t for t in tasks if not args.names or t[0] in args.names]))

    if args.table:
        print_table(results)
    for r in results:
        if not r.ok:
            print(f"failed: {r.kind} {r.name}: {r.note}")
        elif r.kind == "FALSE":
            print(f"refuted: {r.name:8} {r.note}")
        elif args.verbose:
            print(f"proven: {r.kind:5} {r.name:24} {r.seconds:.3f} s")
    total = {k: sum(r.kind == k for r in results) for k in ("RULE", "CLAMP", "side", "FALSE", "EXACT")}
    failures = sum(not r.ok for r in results)
    print(f"{total['RULE']} rules, {total['CLAMP']} clamp conditions, {total['side']} side conditions, {total['FALSE']} false identities, {total['EXACT']} exact conditions: "
          f"{failures} failures, slowest {max(r.seconds for r in results):.2f} s, {time.monotonic() - start:.1f} s")
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
