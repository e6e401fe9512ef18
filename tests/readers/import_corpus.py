#!/usr/bin/env python3
"""Collects the distinct canonical states of a folder of recorded .gl scripts and traces.

usage: import_corpus.py FOLDER OUTPUT        (TEXENVC names the program; default build/texenvc)

OUTPUT gets one line a state in stage notation, sorted, each after a comment that names the programs it was
recorded from. Scripts must be called PROGRAM-NUMBER.gl and traces PROGRAM-WHAT.txt, in any subfolder. """
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool


def states_of(path):
    """Returns the states of a file, in stage notation."""
    form = "apitrace" if path.endswith(".txt") else "gl"
    run = tool.Run(["convert", "--quiet", "--from", form, "--to", "stages", path], timeout=600)
    if run.status != 0:
        sys.exit(f"{path}: exit status {run.status}\n{run.err}")
    return [line for line in run.out.split("\n") if line and not line.startswith("#")]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder, output = sys.argv[1:]
    programs = {}
    count = 0
    for below, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if not name.endswith((".gl", ".txt")):
                continue
            program = re.sub(r"-(\d+|head|filtered|full)$", "", os.path.splitext(name)[0])
            for state in states_of(os.path.join(below, name)):
                count += 1
                programs.setdefault(state, set()).add(program)
    # Sorted by number of stages, then by length of the text.
    order = sorted(programs, key=lambda s: (s.count("{"), len(s), s))
    with open(output, "w", encoding="utf-8") as f:
        f.write("# Distinct texture environments recorded at draws of unmodified programs (canonical stage "
                "notation), and who used them.\n"
                "# Made by tests/readers/import_corpus.py.\n")
        for state in order:
            f.write(f"# {' '.join(sorted(programs[state]))}\n{state}\n")
    print(f"{output}: {len(order)} distinct states of {count} recorded ones")


if __name__ == "__main__":
    main()
