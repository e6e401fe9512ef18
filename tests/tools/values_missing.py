#!/usr/bin/env python3
"""Tests that each option that takes a value is wrong usage without it, for every command and program: status
2, one line that names the option, no output, no file.

usage: values_missing.py [PROGRAM...]       programs to test besides texenvc
"""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool

checks = tool.Checks("values_missing")


def run(words, folder):
    return subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=folder,
                          timeout=100)


def options_with_values(text):
    """Yields the options in a help text that take a value: those before a word in capitals."""
    for line in text.split("\n"):
        names = re.match(r" +(-\w)?(?:, | +)?(--[a-z][a-z0-9-]*)?[ =][A-Z]+\b", line)
        yield from filter(None, names.groups() if names else ())


def main():
    commands = re.findall(r"^  ([a-z]+) ", tool.Run(["--help"]).out, re.M)
    tried = 0
    with tempfile.TemporaryDirectory() as folder:
        for command in [[tool.TEXENVC, name] for name in commands] + [[path] for path in sys.argv[1:]]:
            found = list(options_with_values(run([*command, "--help"], folder).stdout))
            checks.check(found or command[-1] in ("version", "help"), f"{command}: no options in its help")
            for option in found:
                tried += 1
                done = run([*command, option], folder)
                checks.check(done.returncode == 2 and not done.stdout and done.stderr.count("\n") == 1
                             and option in done.stderr and not os.listdir(folder),
                             f"{command} {option}: status {done.returncode}: {done.stdout}{done.stderr}")
    checks.check(tried > 140, f"only {tried} options were found")
    checks.finish()


main()
