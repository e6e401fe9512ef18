#!/usr/bin/env python3
"""Tests the conversion of ARB fragment programs to ARB fragment programs, at -O0 and -O2: the oracle finds
the result equal, and it reads back unchanged. Inputs are tests/arbfp, random programs, and programs that
texenvc makes of texture environments.

usage: arbfp_programs.py [RANDOM [SEED]] """
import glob
import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool
from oracle.lang import arb_run, arb_text
from oracle.lang.arb_inputs import Inputs

CHECKS = tool.Checks("arbfp_programs")
VECTORS = 3


def swizzle(r):
    if r.random() < 0.5:
        return ""
    return "." + (r.choice("xyzw") if r.random() < 0.5 else "".join(r.choice("xyzw") for _ in range(4)))


def random_program(r, length):
    """Returns a random program with every operation except those whose results may overflow. It rarely reads
    undefined values."""
    temps = ["t%d" % i for i in range(r.randint(2, 5))]
    inputs = ["fragment.color", "fragment.texcoord[1]", "fragment.fogcoord", "fragment.color.secondary"]
    params = ["p", "c[0]", "c[2]", "c[3]", "{0.5, 1}", "state.depth.range", "program.env[9]"]
    body = ["PARAM p = %s;" % r.choice(["2", "{1, 0.5, -1}", "program.local[3]", "state.fog.color"]),
            "PARAM c[4] = { program.env[1..2], {0.25, 2}, state.matrix.mvp.row[1] };",
            "TEMP %s;" % ", ".join(temps)]
    body += ["MOV %s, %s;" % (t, r.choice(inputs + params)) for t in temps]

    def source():
        return r.choice(("", "", "-")) + r.choice(temps * 3 + inputs + params) + swizzle(r)

    def number():
        return r.choice(("", "-")) + r.choice(temps + inputs[:2]) + "." + r.choice("xyzw")

    def target():
        mask = "".join(c for c in "xyzw" if r.random() < 0.5)
        return r.choice(temps) + ("." + mask if mask and len(mask) < 4 else "")

    for _ in range(length):
        op = r.choice("MOV ADD SUB MUL MAD LRP CMP MIN MAX SGE SLT DP3 DP4 DPH ABS FLR FRC SWZ XPD DST LIT SIN "
                      "COS SCS RCP TEX TXB KIL".split())
        sat = "_SAT" if r.random() < 0.2 else ""
        if op in ("MAD", "LRP", "CMP"):
            body.append(f"{op}{sat} {target()}, {source()}, {source()}, {source()};")
        elif op in ("MOV", "ABS", "FLR", "FRC"):
            body.append(f"{op}{sat} {target()}, {source()};")
        elif op in ("SIN", "COS"):
            body.append(f"{op}{sat} {target()}, {number()};")
        elif op == "SCS":
            body.append(f"SCS{sat} {r.choice(temps)}.{r.choice(('x', 'y', 'xy'))}, fragment.color.x;")
        elif op == "XPD":
            body.append(f"XPD{sat} {r.choice(temps)}.xyz, {source()}, {source()};")
        elif op == "SWZ":
            lanes = ", ".join(r.choice(("", "-")) + r.choice("01xyzw") for _ in range(4))
            body.append(f"SWZ{sat} {target()}, {r.choice(temps + inputs + params[:4])}, {lanes};")
        elif op == "LIT":
            body.append(f"LIT{sat} {target()}, fragment.color{swizzle(r)};")
        elif op == "RCP":
            t = r.choice(temps)
            body.append(f"ABS {t}.y, {t}.y; MAX {t}.y, {t}.y, 0.25; RCP{sat} {target()}, {t}.y;")
        elif op in ("TEX", "TXB"):
            body.append(f"{op}{sat} {target()}, {source()}, texture[{r.randint(0, 3)}], 2D;")
        elif op == "KIL":
            body.append("" if r.random() < 0.6 else f"KIL {source()};")
        else:
            body.append(f"{op}{sat} {target()}, {source()}, {source()};")
    body += ["ADD %s, %s, %s;" % (temps[0], temps[0], t) for t in temps[1:]]
    body.append("MUL result.color, %s, 0.5;" % temps[0])
    if r.random() < 0.2:
        body.append("MOV result.depth.z, %s.x;" % temps[1])
    return "!!ARBfp1.0\n" + "\n".join(body) + "\nEND\n"


def convert(folder, name, paths, *options):
    out = os.path.join(folder, name)
    os.mkdir(out)
    run = tool.Run(["convert", "-q", "--to", "arbfp", "-o", out + "/", *options] + paths)
    CHECKS.check(run.status == 0 and not run.sanitizer(), f"{name}: status {run.status}: {run.err[:600]}")
    return [os.path.join(out, os.path.splitext(os.path.basename(p))[0] + ".arbfp") for p in paths]


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def compare(totals, what, a, b):
    first, second = arb_text.parse(a), arb_text.parse(b)
    for seed in range(VECTORS):
        verdict = arb_run.Verdict()
        inputs = Inputs(seed)
        # the instructions that replace a fog option have 1/ln 2 rounded to single precision
        tolerance = arb_run.Stated if "OPTION ARB_fog" in a else arb_run.Exact
        arb_run.compare(verdict, *(arb_run.evaluate(p, inputs, tolerance) for p in (first, second)))
        totals[0] += verdict.compared
        totals[1] += verdict.undecided + verdict.undefined
        if not CHECKS.check(not verdict.difference, f"{what}: {verdict.difference}"):
            return


def main():
    number, seed = (int(a) for a in (sys.argv[1:] + ["120", "1"][len(sys.argv) - 1:])[:2])
    r, totals = random.Random(seed), [0, 0]
    with tempfile.TemporaryDirectory() as folder:
        paths = sorted(glob.glob(os.path.join(tool.TOP, "tests", "arbfp", "*.arbfp")))
        CHECKS.check(len(paths) >= 5, "programs are missing")
        for n in range(number):
            paths.append(os.path.join(folder, f"random{n:05}.arbfp"))
            with open(paths[-1], "w", encoding="utf-8") as f:
                f.write(random_program(r, r.randint(3, 24)))
        best, plain = convert(folder, "best", paths), convert(folder, "plain", paths, "-O0")
        again = convert(folder, "again", best, "-O0")
        states = sorted(glob.glob(os.path.join(tool.TOP, "tests", "corpus", "*.gl")))[:120]
        printed = convert(folder, "printed", states, "--from", "gl")
        reread = convert(folder, "reread", [p for p in printed if os.path.exists(p)], "-O0")
        for path, *others in zip(paths, best, plain, again):
            for other in others:
                compare(totals, other.replace(folder, ""), read(path), read(other))
        for other in reread:
            compare(totals, "read back: " + other.replace(folder, ""), read(os.path.join(
                folder, "printed", os.path.basename(other))), read(other))
    CHECKS.check(totals[0] > totals[1], f"only {totals[0]} components compared, {totals[1]} not")
    CHECKS.finish(f", {totals[0]} components compared, {totals[1]} undefined or undecided")


if __name__ == "__main__":
    main()
