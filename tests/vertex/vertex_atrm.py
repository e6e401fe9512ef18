#!/usr/bin/env python3
"""Measures alternate temporaries on random programs (random_arb_vertex.pressing: 90 instructions, each of
which reads any of the last 30 or 60 values): the number of vertices processed at a time without alternate
temporaries, with as many as possible, and with the search; compared with notes/facts/r300-vertex.md 8.
--parts: values of one to four components.

usage: vertex_atrm.py [--count N] [--chip r300] [--parts] [--instructions N --windows A,B] """
import argparse
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool


from oracle.lang import random_arb_vertex  # noqa: E402

CHECKS = tool.Checks("vertex_atrm")


def compiled(texts, chip, atrm):
    """Returns the figures of each program, or None if it is refused."""
    run = tool.Run(["convert", "--to", chip, "--atrm", atrm, "--format", "json", "-"], stdin="".join(texts),
                   timeout=600)
    CHECKS.check(not run.sanitizer(), run.err)
    return [o["stats"] if o["fits"] else None for o in json.loads(run.out)]


def mean(figures, name):
    known = [f[name] for f in figures if f]
    return sum(known) / max(1, len(known))


def measure(args, window):
    texts = [random_arb_vertex.pressing(1, i, args.instructions, window, parts=args.parts)
             for i in range(args.count)]
    got = {atrm: compiled(texts, args.chip, atrm) for atrm in ("none", "eager", "search")}
    for atrm, figures in got.items():
        print("window %d %-6s: %d of %d fail, controllers %.2f, temporaries %.1f, alternates %.1f, instructions "
              "%.1f; temporaries without lanes shared %.1f" % (
                  window, atrm, figures.count(None), len(figures),
                  *(mean(figures, name) for name in ("controllers", "temporaries", "alternates", "instructions",
                                                     "whole"))))
    for i, (none, search) in enumerate(zip(got["none"], got["search"])):
        CHECKS.check(not none or (search and search["controllers"] >= none["controllers"]),
                     f"window {window}, program {i}: {search} after {none}")
    return got


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--count", type=int, default=20)
    p.add_argument("--chip", default="r300")
    p.add_argument("--parts", action="store_true")
    p.add_argument("--instructions", type=int, default=90)
    p.add_argument("--windows", default="30,60")
    args = p.parse_args()
    near, far = (measure(args, int(w)) for w in args.windows.split(","))
    if not args.parts and (args.chip, args.instructions, args.windows) == ("r300", 90, "30,60"):
        CHECKS.check(mean(near["search"], "controllers") >= 1.25 * mean(near["none"], "controllers"),
                     "less than 25 % more controllers at window 30")
        CHECKS.check(mean(near["eager"], "controllers") < mean(near["none"], "controllers"), "eager does not lose")
        CHECKS.check(2 * far["none"].count(None) >= args.count, "without them fewer than half fail at window 60")
        CHECKS.check(not far["search"].count(None), "the search fails at window 60")
    CHECKS.finish()


if __name__ == "__main__":
    main()
