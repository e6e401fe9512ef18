#!/usr/bin/env python3
"""Measures what draws cost with libtexenv-es, compared with shaders that were written by hand for the same
scene (cost.c): calls of OpenGL ES, and instructions, counted by valgrind.

usage: cost.py ES_COST ES_COST_HAND [FACTOR]

A draw with a state that was used before may not call a function of OpenGL ES more often than by hand. A draw
equal to the one before it may take 400 instructions more than by hand. The bounds of the other rows, which
contain the calls that set state and matrices, are 5 % above what was measured (gcc 12, x86-64, -O2). FACTOR
multiplies these bounds in builds with fewer optimisations. Without valgrind, instructions are not
counted."""
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared.tool import Checks

DRAWS = 500
# Instructions of a draw beyond those by hand: each draw has another state than the draw before; draws of a
# state follow one another; nothing changes.
MOST = {"turns": 13000, "states": 7700, "still": 400}
# Functions of OpenGL ES that do the same in the two programs: the colour is an attribute in one and a uniform
# in the other.
SAME = {"VertexAttrib4fv": "Uniform4fv"}
checks = Checks("es_cost")


def output(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stdout[-2000:]}")
    return done.stdout


def calls(program, order):
    found = {}
    for line in output(program, "3", order).splitlines():
        name, count = line.split()
        name = SAME.get(name, name)
        found[name] = found.get(name, 0) + int(count)
    return found


def instructions(program, order):
    """Returns the number of instructions of one draw."""
    total = [int(re.search(r"Collected : (\d+)", output(
        "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, frames, order)).group(1))
        for frames in ("3", "5")]
    return (total[1] - total[0]) / (2 * DRAWS)


def main():
    es, hand = sys.argv[1:3]
    factor = float(sys.argv[3]) if len(sys.argv) > 3 else 1
    for order in MOST:
        ours, theirs = calls(es, order), calls(hand, order)
        print(f"{order}: {sum(ours.values())} calls, by hand {sum(theirs.values())}")
        checks.check(ours.get("DrawElements") == 2 * DRAWS, f"{order}: not all is drawn: {ours}")
        for name, count in ours.items():
            checks.check(count <= theirs.get(name, 0), f"{order}: {name}: {count} and {theirs.get(name, 0)}")
    if shutil.which("valgrind"):
        for order in MOST:
            ours, theirs = instructions(es, order), instructions(hand, order)
            print(f"{order}: {ours:.0f} instructions a draw, by hand {theirs:.0f}")
            checks.check(ours - theirs <= MOST[order] * factor, f"{order}: {ours:.0f} instructions a draw")
    checks.finish()


if __name__ == "__main__":
    main()
