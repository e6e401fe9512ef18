#!/usr/bin/env python3
"""Checks that no decision of a compilation depends on uninitialised memory: runs programs and states of all
kinds under valgrind; tests/shared/fill.c marks the memory that is lent to the library as undefined.

usage: memcheck.py [--random N] [--to TARGET,...] [FILE ...]

FILE: these instead of those of the tests. TEXENVC names the program, which is linked with fill.c. Skipped
(77) without valgrind."""
import argparse
import glob
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from oracle.lang import random_arb, random_arb_vertex  # noqa: E402
from oracle.texenv import random_states, stages_print  # noqa: E402
from tests.shared.tool import TEXENVC, TOP  # noqa: E402

TARGETS = ("r200", "i830", "r300", "r400", "r500", "pica200", "etnaviv", "ir3", "i915", "atifs", "arbfp", "glsl",
           "glsl-450", "glsl-es-300")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--random", type=int, default=60, help="states, and ARB programs of each kind")
    parser.add_argument("--to", default=",".join(TARGETS), metavar="TARGET,...")
    parser.add_argument("files", nargs="*", metavar="FILE")
    args = parser.parse_args()
    if not shutil.which("valgrind"):
        sys.exit(77)
    files = args.files or [
        f for pattern in ("arbfp/*.arb?p", "corpus/*.gl", "fuzz/corpus/atifs/*.atifs", "i830/*.stages",
                            "r300/*.stages", "speed/*.stages")
        for f in sorted(glob.glob(os.path.join(TOP, "tests", pattern)))]
    failed = 0
    vertex = random_arb_vertex.VertexWriter
    with tempfile.TemporaryDirectory() as folder:
        for n, state in enumerate(random_states.RandomStates(args.random, 5, 6)):
            for kind, text in (("stages", stages_print.state_text(state)),
                               ("arbfp", random_arb.program(5, n, 1, 50, plain=n % 3 > 0)),
                               ("arbvp", random_arb.program(5, n, 1, 50, writer=vertex))):
                files.append(os.path.join(folder, "%d.%s" % (n, kind)))
                with open(files[-1], "w", encoding="utf-8") as f:
                    f.write(text)
        for to in args.to.split(","):
            run = subprocess.run(["valgrind", "-q", "--error-limit=no", "--error-exitcode=99", TEXENVC,
                                  "convert", "-q", "--to", to, *files],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            lines = run.stderr.decode("utf-8", "replace").split("\n")
            ok = run.returncode in (0, 1, 3)
            print("%s: %d files, %s" % (to, len(files), "ok" if ok else "FAILED"), flush=True)
            if not ok:
                failed += 1
                print("\n".join([line for line in lines if line.startswith("==")][:24]))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
