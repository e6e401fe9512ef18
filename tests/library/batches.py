#!/usr/bin/env python3
"""Runs random programs and states of all kinds through tests/library/batches.c, in random order.

usage: batches.py PROGRAM [--count N] [--seed N]"""
import argparse
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from oracle.lang import random_arb, random_arb_vertex  # noqa: E402
from oracle.texenv import random_states, stages_print  # noqa: E402
from oracle.vertex import vertex_words  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=600, help="files of each kind")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    states = random_states.RandomStates(args.count, args.seed, 8)
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for n, state in enumerate(states):
            words = [w for w in vertex_words.random_words(random.Random(n)) if not w.startswith("reads=")]
            half = " vertex(%s)\n" % " ".join(words) if n % 2 else "\n"
            texts = {"stages": stages_print.state_text(state) + half,
                     "arbfp": random_arb.program(args.seed, n, 1, 60, plain=n % 3 > 0),
                     "arbvp": random_arb.program(args.seed, n, 1, 60, writer=random_arb_vertex.VertexWriter)}
            for kind, text in texts.items():
                paths.append(os.path.join(folder, "%d.%s" % (n, kind)))
                with open(paths[-1], "w", encoding="utf-8") as f:
                    f.write(text)
        return subprocess.run([args.program, "-r", str(2 * len(paths)), str(args.seed), *paths]).returncode


if __name__ == "__main__":
    sys.exit(main())
