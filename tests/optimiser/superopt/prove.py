#!/usr/bin/env python3
"""Proves with z3 that the shorter programs that superopt finds compute the same as the chains of stages.

usage: prove.py SUPEROPT [--count N] [--limit SECONDS] [--most-open N] [--most-refuted N] NAME ...
    NAME: alphabets of superopt

superopt lists N patterns (default 40) of each kind of misses: chains for which a program is shorter than the
optimiser's. The first example of each pattern is a claim: that this chain and this shorter program are equal.
Both are read as text (notes/formats/stages.md; programs as instructions separated by "; ") and translated to
terms over the reals. z3 searches for an input in [0,1] at which they differ, a LERP weight leaves [0,1] or a
result leaves [-8,8]; its answer "unsat" proves the claim.

If z3 finds such an input, it is printed, and the claim is refuted. This is possible since superopt compares
functions only at some points, between which steep functions may differ; the optimiser did not miss anything
then.

Exit status: 0 if at most --most-refuted (default 0) claims are refuted and at most --most-open (default: any
number) are not decided within the limit (default 10 s), else 1; 77 if z3 is not installed. """
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

SOURCES = ("T0", "T1", "T2", "F")


class Terms:
    """SMT-LIB definitions, each of which has a name of its own."""

    def __init__(self):
        self.lines = ["(define-fun sat ((x Real)) Real (ite (< x 0.0) 0.0 (ite (> x 1.0) 1.0 x)))"]
        for s in SOURCES:
            self.lines += [f"(declare-const {s} Real)", f"(assert (and (<= 0.0 {s}) (<= {s} 1.0)))"]
        self.count = 0

    def name(self, term):
        self.count += 1
        self.lines.append(f"(define-fun v{self.count} () Real {term})")
        return f"v{self.count}"


def chain_term(terms, text):
    previous = None

    def argument(token):
        token = token.strip()
        plain = token.lstrip("~")
        value = {"0": "0.0", "1": "1.0", "P": previous}.get(plain, plain)
        if plain not in SOURCES + ("0", "1", "P") or value is None:
            raise ValueError(f"argument {token!r} in {text!r}")
        return f"(- 1.0 {value})" if token.startswith("~") else value

    def product(factors):
        factors = [argument(f) for f in factors.split("*")]
        return factors[0] if len(factors) == 1 else "(* " + " ".join(factors) + ")"

    stages = list(re.finditer(r"\{([^}]*)\}(\*[24])?\s*", text))
    if "".join(m.group(0) for m in stages) != text:
        raise ValueError(f"chain {text!r}")
    for m in stages:
        body, scale = m.group(1).replace(" ", ""), (m.group(2) or "*1")[1:]
        lerp = re.fullmatch(r"lerp\(([^,]*),([^,]*),([^,]*)\)", body)
        if lerp:
            a, b, f = (argument(x) for x in lerp.groups())
            term = f"(+ (* {a} {f}) (* {b} (- 1.0 {f})))"
        else:
            term = None
            for sign, part in re.findall(r"([+-]?)([^+-]+)", body):
                value = "0.5" if part == "0.5" else product(part)
                term = value if term is None else f"({sign} {term} {value})"
        previous = terms.name(f"(sat (* {scale}.0 {term}))")
    return previous


def program_term(terms, text):
    """Translates a program; returns the term of its result, and the conditions on its intermediate values."""
    value, holds = None, []
    powers = {"2x": "2.0", "4x": "4.0", "8x": "8.0", "half": "0.5", "quarter": "0.25", "eighth": "0.125"}

    def argument(token):
        number = re.fullmatch(r"(-?)(0\.5|0|1|2)", token)
        if number:
            x = {"0": "0.0", "1": "1.0", "0.5": "0.5", "2": "2.0"}[number.group(2)]
            return f"(- {x})" if number.group(1) else x
        base, *mods = token.split(".")
        x = value if base == "%0" else base
        if x is None or (base != "%0" and base not in SOURCES):
            raise ValueError(f"source {token!r} in {text!r}")
        for mod in mods:
            x = {"comp": f"(- 1.0 {x})", "bias": f"(- {x} 0.5)", "2x": f"(* 2.0 {x})", "neg": f"(- {x})"}[mod]
        return x

    for line in text.split("; "):
        head, _, rest = line.partition(" ")
        op, *flags = head.split(".")
        a = [argument(x) for x in rest.split(", ")]
        if op == "lerp":
            holds.append(f"(and (<= 0.0 {a[0]}) (<= {a[0]} 1.0))")
        raw = terms.name({"mov": "{0}", "add": "(+ {0} {1})", "mul": "(* {0} {1})",
                          "mad": "(+ (* {0} {1}) {2})",
                          "lerp": "(+ (* {0} {1}) (* (- 1.0 {0}) {2}))"}[op].format(*a))
        holds.append(f"(and (<= (- 8.0) {raw}) (<= {raw} 8.0))")
        for flag in flags:
            raw = terms.name(f"(sat {raw})" if flag == "sat" else f"(* {powers[flag]} {raw})")
        value = raw
        holds.append(f"(and (<= (- 8.0) {value}) (<= {value} 8.0))")
    return value, holds


def prove(claim, limit):
    chain, program = claim
    terms = Terms()
    left = chain_term(terms, chain)
    right, holds = program_term(terms, program)
    text = "\n".join(terms.lines + [f"(assert (not (and (= {left} {right}) {' '.join(holds)})))",
                                    "(check-sat)", "(get-value (T0 T1 T2 F))"]) + "\n"
    r = subprocess.run(["z3", "-in", f"-T:{limit}"], input=text, capture_output=True, text=True)
    answer = r.stdout.split("\n")[0].strip()
    return answer, r.stdout


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n")[2][7:])
    parser.add_argument("superopt")
    parser.add_argument("names", nargs="+")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--limit", type=int, default=10)
    parser.add_argument("--most-open", type=int, default=1 << 30)
    parser.add_argument("--most-refuted", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    if not shutil.which("z3"):
        print("no z3")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "claims")
        r = subprocess.run([args.superopt, "-n", str(args.count), "--claims", path, *args.names],
                           capture_output=True, text=True)
        if r.returncode:
            print(r.stdout, r.stderr)
            return 1
        with open(path, encoding="ascii") as f:
            claims = list(dict.fromkeys(tuple(line.rstrip("\n").split("\t")) for line in f))
    proven = refuted = open_ = failed = 0
    with ThreadPoolExecutor(args.jobs) as pool:
        for (chain, program), (answer, output) in zip(claims, pool.map(lambda c: prove(c, args.limit),
            claims)):
            if answer == "unsat":
                proven += 1
            elif answer == "sat":
                refuted += 1
                print(f"REFUTED  {chain}  =>  {program}\n{output}")
            elif answer in ("timeout", "unknown"):
                open_ += 1
                print(f"not proven ({answer})  {chain}  =>  {program}")
            else:
                failed += 1
                print(f"z3: {output}  {chain}  =>  {program}")
    print(f"{len(claims)} claims: {proven} proven, {open_} not decided in {args.limit} s, {refuted} refuted")
    return int(failed > 0 or refuted > args.most_refuted or open_ > args.most_open)


if __name__ == "__main__":
    sys.exit(main())
