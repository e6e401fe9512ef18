#!/usr/bin/env python3
"""Runs golden files. Each has one case, with its input and the expected output of each step of the compiler.

usage: golden.py [FILE.test ...]        without names: all of tests/tools/golden

A .test file has a comment (why this case exists, and how the expected text follows from the specifications)
and these sections:

    == input              the state, in any form that texenvc reads
    == args ARGUMENT...   arguments of every run below; the default level is -O0
    == stages             expected output of convert --to stages; likewise gl
    == lowered            the intermediate program right after lowering (--to ir --print-after lower)
    == ir                 after all passes (--to ir)
    == program            the program (--to atifs)
    == registers          output of the command registers
    == refused TEXT       no program: exit status 3, and the reason or the code of the diagnostic contains
                          TEXT
    == says TEXT          a diagnostic contains TEXT

Expected texts are derived by hand. Never paste what the program prints: a test that copies a fault keeps it.
"""
import difflib
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool

COMMANDS = {
    "stages": ["convert", "--to", "stages"],
    "gl": ["convert", "--to", "gl"],
    "lowered": ["convert", "--to", "ir", "--print-after", "lower"],
    "ir": ["convert", "--to", "ir"],
    "program": ["convert", "--to", "atifs"],
    "registers": ["registers"],
}


def parse(path):
    sections, current = [], None
    with open(path, encoding="utf-8") as f:
        for line in f:
            if line.startswith("== "):
                words = line[3:].rstrip("\n").split(" ", 1)
                current = [words[0], words[1] if len(words) > 1 else "", ""]
                sections.append(current)
            elif current:
                current[2] += line
    return sections


def clean(text):
    """Removes blank lines, which may separate sections and are not part of their texts."""
    return "".join(line + "\n" for line in text.split("\n") if line)


def main():
    folder = os.path.join(tool.TOP, "tests", "tools", "golden")
    names = sys.argv[1:] or sorted(os.path.join(folder, n) for n in os.listdir(folder) if n.endswith(".test"))
    checks = tool.Checks("golden")
    for path in names:
        name = os.path.basename(path)
        sections = parse(path)
        first = {s[0]: s for s in reversed(sections)}
        source = first["input"][2]
        args = first["args"][1].split() if "args" in first else []
        if not any(a.startswith("-O") for a in args):
            args = ["-O0"] + args
        errors = ""
        for kind, rest, expected in sections:
            if kind in ("input", "args", "refused", "says"):
                continue
            if not checks.check(kind in COMMANDS, f"{name}: unknown section {kind}"):
                continue
            run = tool.Run(COMMANDS[kind] + (args if kind != "registers" else [a for a in args
                if a != "-O0"]) + ["-"], source)
            errors += run.err
            checks.check(not run.sanitizer(), f"{name}: {kind}: {run.err}")
            checks.check(run.status == 0, f"{name}: {kind}: exit status {run.status}\n{run.err}")
            if clean(run.out) != clean(expected):
                diff = difflib.unified_diff(clean(expected).splitlines(True), clean(run.out).splitlines(True),
                                            "expected", "got")
                checks.check(False, f"{name}: {kind}:\n{''.join(diff)}")
            else:
                checks.check(True, "")
        if "refused" in first:
            run = tool.Run(COMMANDS["program"] + args + ["-"], source)
            checks.check(run.status == 3 and not run.sanitizer(),
                         f"{name}: exit status {run.status}, expected 3\n{run.err}")
            checks.check(re.fullmatch(r"# state 1 <stdin>:\d+ refused: .+\n", run.out),
                         f"{name}: prints {run.out}")
            checks.check(first["refused"][1] in run.err,
                         f"{name}: the reason is not '{first['refused'][1]}':\n{run.err}")
        for kind, rest, _ in sections:
            if kind == "says":
                checks.check(rest in errors, f"{name}: no diagnostic says '{rest}' in:\n{errors}")
    checks.finish(f", {len(names)} files")


if __name__ == "__main__":
    main()
