#!/usr/bin/env python3
"""Checks that the time for a program of ten times the length grows no faster than n log n, by counting the
instructions that texenvc executes with callgrind. The programs have no dead code.

usage: arbfp_growth.py [LENGTH ...]    two lengths or more (default: 300 3000) """
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool

CHECKS = tool.Checks("arbfp_growth")
FORMS = {"MAD": "{d}{m}, {a}, {b}, {d}", "MUL": "{d}{m}, {a}, {b}", "ADD": "{d}{m}, {a}, -{b}",
         "LRP": "{d}, {c}, {a}, {b}", "DP3": "{d}{m}, {a}, {b}", "MAX_SAT": "{d}{m}, {a}, {c}",
         "SUB": "{d}{m}, {a}, {c}", "CMP": "{d}, {a}, {b}, {d}", "FRC": "{d}{m}, {a}", "RSQ": "{d}.w, {a}.x"}


def program(length):
    r = random.Random(1)
    lines = ["!!ARBfp1.0", "TEMP " + ", ".join("t%d" % i for i in range(16)) + ";",
             "PARAM c[16] = { program.env[0..11], {1, 2, 3, 4}, {0.5, 0.25}, 3.5, {0.1, 0.2, 0.3, 0.4} };"]
    lines += ["TEX t%d, fragment.texcoord[%d], texture[%d], 2D;" % (i, i % 8, i) for i in range(16)]
    for i in range(16, length):
        op = r.choice(sorted(FORMS))
        lines.append(op + " " + FORMS[op].format(
            d="t%d" % (i % 16), a="t%d" % ((i - 1) % 16), b="t%d" % r.randrange(16) + r.choice(("", ".wzyx", ".x")),
            c="c[%d]" % r.randrange(16), m=r.choice(("", ".xyz", ".w", ".xy", ".z"))) + ";")
    lines += ["ADD t0, t0, t%d;" % i for i in range(1, 16)]
    return "\n".join(lines + ["MOV result.color, t0;", "END", ""])


def cost(folder, length, form):
    path = os.path.join(folder, "%d.arbfp" % length)
    with open(path, "w", encoding="utf-8") as f:
        f.write(program(length))
    run = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", tool.TEXENVC, "convert",
                          "-q", "--to", form, path], capture_output=True, text=True, check=False)
    counted = re.search(r"refs:\s+([\d,]+)", run.stderr)
    CHECKS.check(run.returncode == 0 and counted, f"{form} of {length}: {run.stderr[-400:]}")
    return int(counted[1].replace(",", "")) if counted else 0


def main():
    lengths = [int(a) for a in sys.argv[1:]] or [300, 3000]
    if not shutil.which("valgrind"):
        print("no valgrind")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        for form in ("arbfp", "glsl"):
            counts = [cost(folder, n, form) for n in lengths]
            print(form, *("%d: %.1f million" % (n, c / 1e6) for n, c in zip(lengths, counts)))
            for (m, a), (n, b) in zip(zip(lengths, counts), zip(lengths[1:], counts[1:])):
                most = a * n * math.log(n) / (m * math.log(m))
                CHECKS.check(b <= most, f"{form}: {b} for {n} instructions, {a} for {m}: more than n log n")
    CHECKS.finish()


if __name__ == "__main__":
    main()
