"""Calls z3. "unsat" is a proof; a timeout or "unknown" is not."""
import re
import subprocess
import time
from collections import namedtuple
from fractions import Fraction

from .expressions import disj, eq, num, smt, value, var, variables

LIMIT = 10  # seconds for each obligation

Answer = namedtuple("Answer", "verdict model seconds")

PRELUDE = """(define-fun sat ((x Real)) Real (ite (< x 0.0) 0.0 (ite (> x 1.0) 1.0 x)))
(define-fun sat8 ((x Real)) Real (ite (< x (- 8.0)) (- 8.0) (ite (> x 8.0) 8.0 x)))
"""


def read_model(text):
    """Parses z3's model; returns {variable: fraction, or None if the value is not rational}."""
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
    """Asks z3 whether all assertions can hold together."""
    names = sorted(set().union(*map(variables, assertions)))
    text = PRELUDE + "".join(f"(declare-const {n} Real)\n" for n in names) + "".join(f"(assert {smt(a)})\n"
        for a in assertions) + "(check-sat)\n(get-model)\n"
    start = time.monotonic()
    try:
        run = subprocess.run(["z3", "-in", f"-T:{LIMIT}"], input=text, capture_output=True, text=True,
                             timeout=LIMIT + 5)
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
    """Asks z3 for a counterexample: the assumptions and the negated claim. If it is not rational, asks again
    with the variables restricted to a grid."""
    query = [*assumptions, ("not", claim)]
    answer = ask(query)
    if answer.verdict == "sat" and None in answer.model.values():
        names = sorted(set().union(*map(variables, query)))
        grid = [disj(*(eq(var(n), num(Fraction(i, 4))) for i in range(-4, 9))) for n in names]
        again = ask(query + grid)
        answer = again._replace(seconds=answer.seconds + again.seconds)
    return answer


def confirm(assumptions, claim, model):
    """Evaluates a model with fractions; returns whether it is a counterexample."""
    return None not in model.values() and all(value(a, model) for a in assumptions) and not value(claim,
        model)
