#!/usr/bin/env python3
"""Optimises the states of tests/optimiser/identities.txt, compares the number of pairs with the known
optimum, and checks the colours by the oracle.

usage: identities.py [--table] [--update] [NAME ...]

Fails if a program computes other colours than its state, or if the number of pairs is not the one in the file
(NOW): a higher number is a regression, a lower one an improvement that should be recorded. --table prints
every row, --update writes the numbers into the file (but no reasons). TEXENVC names texenvc (default
build/texenvc). """
import json
import os
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FILE = os.path.join(TOP, "tests", "optimiser", "identities.txt")
TEXENVC = os.environ.get("TEXENVC") or os.path.join(TOP, "build", "texenvc")


class Row:
    def __init__(self, line, number):
        self.fields = [f.strip() for f in line.split("|")]
        if len(self.fields) != 5 or not self.fields[1].isdigit():
            sys.exit(f"failed: identities.txt:{number}: not NAME | BEST | NOW | STATE | REASON")
        self.name, best, self.said, self.state, self.reason = self.fields
        self.best, self.line = int(best), number


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, cwd=TOP, env=dict(os.environ,
        PYTHONPATH=TOP))
    return done.returncode, done.stdout, done.stderr


def convert(path, *options):
    status, out, err = run([TEXENVC, "convert", "--from", "stages", "-q", *options, path])
    if status != 0:
        sys.exit(f"failed: texenvc convert {' '.join(options)}: status {status}\n{err}")
    return out


def pairs(path, level):
    return [s["stats"]["pairs"] for s in json.loads(convert(path, level, "--to", "json"))]


def compare(folder, rows, form):
    """Returns an error message for each state whose program at -O2 computes another colour."""
    states, programs = os.path.join(folder, "states"), os.path.join(folder, "programs")

    def equal(part):
        with open(states, "w", encoding="utf-8") as f:
            f.write("\n".join(r.state for r in part) + "\n")
        with open(programs, "w", encoding="utf-8") as f:
            f.write(convert(states, "-O2", "--to", form))
        return run([sys.executable, "-m", "oracle", "equiv", "--from-a", "stages", "--from-b", form, states,
                    programs])

    status, _, _ = equal(rows)
    if status == 0:
        return []
    complaints = []
    for r in rows:
        if len(complaints) == 3:
            break
        status, out, err = equal([r])
        if status != 0:
            complaints.append(f"{r.name}: {form} at -O2 is not equal to {r.state}\n{out}{err}")
    return complaints or [f"{form} at -O2: the states together are not equal, each alone is"]


def main():
    options, names = {a for a in sys.argv[1:] if a.startswith("-")}, [a for a in sys.argv[1:]
        if not a.startswith("-")]
    if options - {"--table", "--update"}:
        print(__doc__.split("\n")[2], file=sys.stderr)
        return 2
    if not os.access(TEXENVC, os.X_OK):
        print(f"failed: {TEXENVC} does not exist (build it, or set TEXENVC)")
        return 1
    with open(FILE, encoding="utf-8") as f:
        lines = f.read().split("\n")
    rows = [Row(line, n) for n, line in enumerate(lines, 1) if line.strip() and not line.startswith("#")]
    rows = [r for r in rows if not names or r.name in names]
    if not rows or len({r.name for r in rows}) != len(rows):
        print("failed: no rows, or two of one name")
        return 1
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "all")
        with open(path, "w", encoding="utf-8") as f:
            f.write("\n".join(r.state for r in rows) + "\n")
        before, now = pairs(path, "-O0"), pairs(path, "-O2")
        if not len(rows) == len(before) == len(now):
            print(f"failed: {len(rows)} rows, {len(now)} states")
            return 1
        for form in ("atifs", "ir"):
            failures += compare(folder, rows, form)
    if "--table" in options:
        print(f"{'identity':18} {'-O0':>3} {'-O2':>3} {'best':>4}  state")
    for r, b, n in zip(rows, before, now):
        if "--table" in options:
            print(f"{r.name:18} {b:3} {n:3} {r.best:4}  {r.state}" + (f"   ({r.reason})" if n != r.best
                else ""))
        if "--update" in options:
            lines[r.line - 1] = f"{r.name:15} | {r.best} | {n} | {r.state} |" + (f" {r.reason}" if r.reason
                and n != r.best else "")
            continue
        if n > b:
            failures.append(f"{r.name}: {n} pairs at -O2, {b} at -O0")
        if str(n) != r.said:
            failures.append(f"{r.name}: {n} pairs, identities.txt:{r.line} says {r.said}")
        if n < r.best:
            failures.append(f"{r.name}: {n} pairs, better than the {r.best} that identities.txt calls best")
        if (n > r.best) != bool(r.reason):
            failures.append(f"{r.name}: {n} pairs, best {r.best}: identities.txt:{r.line} must give a reason "
                            f"exactly where they differ")
    if "--update" in options:
        with open(FILE, "w", encoding="utf-8") as f:
            f.write("\n".join(lines))
    for message in failures:
        print("failed:", message)
    print(f"{len(rows)} identities: {sum(before)} pairs at -O0, {sum(now)} at -O2, {sum(r.best for r in rows)} at best; {sum(n <= r.best for r, n in zip(rows, now))} reach it, {len(failures)} failures")
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
