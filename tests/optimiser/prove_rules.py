#!/usr/bin/env python3
"""Proves the rewrite rules of the optimiser over the reals, and refutes identities that are known to be
false.

usage: prove_rules.py [--table] [--mutants] [--verbose] [--jobs N] [--rules FILE] [--false FILE] [NAME ...]

Rows are read as text from fragprog/opt/rules.def, not through the C code that applies them, and become
SMT-LIB for z3:

  RULE   under the row's condition, pattern = replacement * 2^scale for all reals (so that scale and clamp of
         the instruction get the same value). If the replacement has a LERP, its weight is in [0,1] under the
         condition, provided that the weight of a LERP in the pattern is.
  CLAMP  an upper_* condition and a lower_* condition together imply sat(k*sat(x)+b) = sat(k*x+b), for all
         real k, b, x.
  side   other assumptions of the C code: the test on intervals in clamp.c implies the CLAMP conditions; k and
         b of each argument, modifiers as m*x+t, interval arithmetic, scales and commutation are right.

tests/optimiser/false_identities.def has identities that must be refuted (FALSE: the counterexample is printed
and evaluated again with fractions) and conditions under which such an identity holds (EXACT: proved
sufficient and necessary).

z3's answer "unsat" is a proof; a timeout or "unknown" is a failure. --table prints for each rule its
condition, the proof time and how often it was applied on the corpus (TEXENVC names texenvc, default
build/texenvc). --mutants instead changes every RULE row in every small way; each changed row must be refuted,
unless it also holds for random numbers. NAME: only these rows.

Exit status: 0 if everything is proved and refuted as expected, else 1; 2 wrong usage.
"""
import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from prove.foundations import clamp_obligations, side_obligations               # noqa: E402
from prove.mutants import run_mutants                                           # noqa: E402
from prove.results import exact, prove, refute                                  # noqa: E402
from prove.rows import Bad, read_identities, read_rules                         # noqa: E402


def corpus():
    """Returns the files of tests/corpus, and of a larger corpus beside the source folder, if there is one."""
    files = sorted(glob.glob(os.path.join(TOP, "tests", "corpus", "*.stages")) + glob.glob(os.path.join(TOP,
        "tests", "corpus", "*.gl")))
    for folder, _, names in sorted(os.walk(os.path.join(TOP, "..", "shared", "corpus"))):
        files += [os.path.join(folder, n) for n in sorted(names) if n.endswith((".gl", ".stages", ".txt",
            ".trace")) and n != "README.md"]
    return [f for f in files if not f.endswith("-invalid.gl")]


def fired():
    """Returns ({rule: number of applications on the corpus}, number of files); None instead of the first if
    texenvc cannot count them."""
    program = os.environ.get("TEXENVC") or os.path.join(TOP, "build", "texenvc")
    if not os.access(program, os.X_OK):
        return None, 0
    counts, files, used = {}, corpus(), 0
    batches = [files[i:i + 200] for i in range(0, len(files), 200)]
    while batches:
        batch = batches.pop(0)
        run = subprocess.run([program, "convert", "-O2", "--rule-counts", "--to", "ir", *batch],
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace")
        if run.returncode not in (0, 3):
            if run.returncode == 2:
                return None, 0  # texenvc has no such option
            if len(batch) > 1:  # a file has errors: split the batch to leave it out
                batches[:0] = [batch[:len(batch) // 2], batch[len(batch) // 2:]]
            continue
        used += len(batch)
        for name, count in re.findall(r"^rule (\S+) (\d+)$", run.stderr, re.M):
            counts[name] = counts.get(name, 0) + int(count)
    return counts, used


def print_table(results):
    counts, files = fired()
    print(f"{'rule':24} {'condition':28} {'proof s':>8} {'fired':>8}")
    for r in results:
        if r.kind in ("RULE", "CLAMP"):
            count = "-" if counts is None or r.kind == "CLAMP" else counts.pop(r.name, 0)
            print(f"{r.name:24} {r.condition:28} {r.seconds:8.3f} {count:>8}" + ("" if r.ok
                else "  NOT PROVEN"))
    for name, count in sorted((counts or {}).items()):
        print(f"{name:24} {'(a pass)':28} {'':8} {count:>8}")
    print("fired: not known, this texenvc has no --rule-counts" if counts is None
          else f"fired: on {files} files of the corpus")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n")[2].replace("usage: ", ""), add_help=True)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--mutants", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--rules", default=os.path.join(TOP, "fragprog", "opt", "rules.def"))
    parser.add_argument("--false", default=os.path.join(TOP, "tests", "optimiser", "false_identities.def"))
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    if not shutil.which("z3"):
        print("failed: no z3 here, so nothing can be proven: install Debian's package z3 (tools/setup does)")
        return 1
    start = time.monotonic()
    try:
        rules, clamps = read_rules(args.rules)
        identities = read_identities(args.false)
    except Bad as e:
        print(f"failed: {e}")
        return 1
    if args.mutants:
        return int(run_mutants([r for r in rules if not args.names or r.name in args.names], args.jobs,
                               args.verbose))

    tasks = [(r.name, lambda r=r: prove("RULE", r.name, r.condition, r.obligations(),
                                        [r.assumptions()] if r.unit else [])) for r in rules]
    tasks += [(c.name, lambda c=c: prove("CLAMP", c.name, c.text, clamp_obligations(c), [[c.condition]]))
              for c in clamps]
    tasks += [(name, lambda name=name, o=o: prove("side", name, "", o)) for name,
              o in side_obligations(clamps)]
    tasks += [(i.name, lambda i=i: refute(i) if i.macro == "FALSE" else exact(i)) for i in identities]
    unknown = set(args.names) - {n for n, _ in tasks}
    if unknown:
        print(f"prove_rules.py: no row {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    with ThreadPoolExecutor(args.jobs) as pool:
        results = list(pool.map(lambda t: t[1](), [t for t in tasks if not args.names or t[0] in args.names]))

    if args.table:
        print_table(results)
    for r in results:
        if not r.ok:
            print(f"failed: {r.kind} {r.name}: {r.note}")
        elif r.kind == "FALSE":
            print(f"refuted: {r.name:8} {r.note}")
        elif args.verbose:
            print(f"proven: {r.kind:5} {r.name:24} {r.seconds:.3f} s")
    total = {k: sum(r.kind == k for r in results) for k in ("RULE", "CLAMP", "side", "FALSE", "EXACT")}
    failures = sum(not r.ok for r in results)
    print(f"{total['RULE']} rules, {total['CLAMP']} clamp conditions, {total['side']} side conditions, "
          f"{total['FALSE']} false identities, {total['EXACT']} exact conditions: "
          f"{failures} failures, slowest {max(r.seconds for r in results):.2f} s, {time.monotonic() - start:.1f} s")
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
