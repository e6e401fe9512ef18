#!/usr/bin/env python3
"""Tests tests/corpus: the states of recorded.stages are canonical, sorted and distinct; it contains the
states of all scripts and traces there; a file with comments "// state: ..." yields just these states. (Tests
with the oracle check that programs equal their states.) usage: corpus_test.py"""
import os
import re

import sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool

FOLDER = os.path.join(tool.TOP, "tests", "corpus")


def lines_of(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as f:
        return f.read().split("\n")


def main():
    checks = tool.Checks("corpus")
    recorded = [line for line in lines_of("recorded.stages") if line and not line.startswith("#")]
    owners = [line for line in lines_of("recorded.stages") if line.startswith("# ")][2:]
    checks.check(len(recorded) == len(set(recorded)) and len(recorded) >= 400,
                 f"{len(recorded)} recorded states, {len(set(recorded))} distinct")
    checks.check(len(owners) == len(recorded), "each state has the programs that it was recorded from")
    checks.check(recorded == sorted(recorded, key=lambda s: (s.count("{"), len(s), s)),
                 "recorded.stages is sorted")

    # The notation is canonical: converting a state to stage notation gives the same bytes. Each state
    # converts, or is refused for its shadow comparison.
    path = os.path.join(FOLDER, "recorded.stages")
    run = tool.Run(["convert", "-q", "--to", "stages", path])
    checks.check(run.status == 0 and [line for line in run.out.split("\n") if line
                                      and not line.startswith("# ")] == recorded,
                                      "recorded.stages is not canonical")
    run = tool.Run(["convert", "-q", "--to", "atifs", path])
    refused = re.findall(r"^# state \d+ \S+ refused: (.*)$", run.out, re.M)
    checks.check(all("shadow" in r for r in refused),
                 f"refused for another reason than shadow comparison: {refused}")
    checks.check(run.out.count("!!ATIfs1.0") == len(recorded) - len(refused),
                 "a program for each state that is not refused")

    scripts = 0
    for name in sorted(os.listdir(FOLDER)):
        path = os.path.join(FOLDER, name)
        if name.endswith((".gl", ".trace")):
            scripts += 1
            run = tool.Run(["convert", "-q", "--to", "stages", path])
            checks.check(run.status == 0 and not run.sanitizer(), f"{name}: status {run.status}: {run.err}")
            states = [line for line in run.out.split("\n") if line and not line.startswith("# ")]
            written = re.findall(r"^// state: (.*)$", "\n".join(lines_of(name)), re.M)
            if written:
                checks.check(states == written,
                             f"{name}: the states are not those that its comments name:\n{states}\n{written}")
            elif name != "neverball.trace":  # this excerpt has states that the whole trace does not have
                for state in states:  # recorded.stages has no vertex halves
                    state = re.sub(r" vertex\(.*\)$", "", state)
                    checks.check(state in recorded, f"{name}: {state} is not in recorded.stages")
            checks.check(states, f"{name}: no state")
    checks.finish(f", {len(recorded)} recorded states ({len(refused)} refused), {scripts} scripts and traces")


if __name__ == "__main__":
    main()
