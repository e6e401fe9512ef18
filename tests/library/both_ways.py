#!/usr/bin/env python3
"""Checks that the command and a call of the library give the same bytes, for the corpora and random states,
every chip, every language and ATI_fragment_shader."""
import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from oracle.texenv import random_states, stages_print  # noqa: E402
from tests.shared.tool import TEXENVC  # noqa: E402


def corpora():
    """Returns every state of the corpora, in stage notation."""
    files = sorted(glob.glob(os.path.join(HERE, "..", "corpus", "*.*")))
    done = subprocess.run([TEXENVC, "convert", "-q", "--to", "stages", *files], stdout=subprocess.PIPE,
                          text=True)
    return [line for line in done.stdout.split("\n") if line and not line.startswith("#")]


def targets():
    text = subprocess.run([TEXENVC, "convert", "--help"], stdout=subprocess.PIPE, text=True).stdout
    rows = re.findall(r"^(Chips|Languages|Shading languages):\n(.*?)\n(?:\n|\Z)", text, re.S | re.M)
    found = {kind: re.findall(r"^      ([a-z][\w-]*) ", block, re.M) for kind, block in rows}
    chips = found.pop("Chips")
    languages = sum(found.values(), [])
    if len(chips) < 5 or len(languages) < 5:
        sys.exit("the help has changed: %s %s" % (chips, languages))
    return chips, ["atifs"] + languages


def convert(to, chip, level, path):
    more = ["--format", "hex"] if chip else []
    return [TEXENVC, "convert", "-q", "-O", level, "--from", "stages", "--to", to, *more, path]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library_convert")
    parser.add_argument("--random", type=int, default=2000)
    args = parser.parse_args()
    states = corpora()
    known = len(states)
    states += [stages_print.state_text(s).strip() for s in random_states.RandomStates(args.random, 7, 8)]
    states = [s for n, s in enumerate(states) if n == 0 or s != states[n - 1]]
    chips, others = targets()
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "all.stages")
        with open(path, "w", encoding="utf-8") as f:
            f.write("\n".join(states) + "\n")
        for to in chips + others:
            levels = ("0", "2") if to in ("atifs", chips[0]) else ("2",)
            for level in levels:
                run = [subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                      text=True).stdout
                       for command in (convert(to, to in chips, level, path), [args.library_convert, level,
                           to, path])]
                parts = [re.split(r"^(?=(?:#|//) state )", text, flags=re.M)[1:] for text in run]
                differ = [a.split("\n")[0] for a, b in zip(*parts) if a != b]
                ok = len(parts[0]) == len(parts[1]) == len(states) and not differ
                print("%s -O%s: %d states and %d of %d, %d differ%s" % (to, level, len(parts[0]),
                    len(parts[1]), len(states), len(differ), differ and ": " + differ[0] or ""))
                failures += not ok
    print("%d states of the corpora, %d in all" % (known, len(states)))
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
