#!/usr/bin/env python3
"""Runs random scripts of calls (calls.c) with Mesa's OpenGL and with libtexenv-es, and compares frames,
results of queries, and errors.

usage: calls.py PROGRAM_OF_GL PROGRAM_OVER_ES 2|3 FRAMES SEEDS

2|3: the version of Mesa's OpenGL ES under libtexenv-es. SEEDS: the seeds are 1 to this number.

1 % of the pixels of a frame, those at edges, may differ by more than 2 of 255, because the matrices are
multiplied in another order. Exit status 77: no context can be made.
"""
import os
import subprocess
import sys
import tempfile

SIDE, WITHIN, FEW = 96, 2, 0.01


def run(program, seed, frames, folder, version):
    """Runs a program with a seed. Returns the lines that it prints (results of queries) and its frames."""
    picture = f"{folder}/frames.rgba"
    environment = dict(os.environ, MESA_GLES_VERSION_OVERRIDE="2.0") if version == 2 else None
    done = subprocess.run([program, str(seed), str(frames), picture] + ["smooth"] * (version == 2),
                          capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        print(done.stderr)
        sys.exit(77 if done.returncode == 77 else f"{program} {seed}: exit status {done.returncode}")
    with open(picture, "rb") as f:
        data = f.read()
    size = SIDE * SIDE * 4
    return done.stdout.split("\n"), [data[i:i + size] for i in range(0, len(data), size)]


def number(word):
    try:
        return float(word)
    except ValueError:
        return None


def same(wanted, got):
    """Tells whether two lines of numbers are equal, up to the rounding of floats."""
    a, b = wanted.split(), got.split()
    return len(a) == len(b) and all(
        x == y or None not in (number(x), number(y)) and
        abs(number(x) - number(y)) <= 1e-3 * max(1, abs(number(x)))
        for x, y in zip(a, b))


def differing(wanted, got):
    return sum(max(abs(wanted[i + c] - got[i + c]) for c in range(4)) > WITHIN
               for i in range(0, len(wanted), 4))


def main():
    gl, over_es = sys.argv[1:3]
    version, frames, seeds = [int(n) for n in sys.argv[3:]]
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(1, seeds + 1):
            (answers, pictures), (ours, drawn) = (run(p, seed, frames, folder, version)
                                                  for p in (gl, over_es))
            faults = [f"{a} : {b}" for a, b in zip(answers, ours) if not same(a, b)][:3]
            faults += [f"frame {n}: {differing(*two)} pixels" for n, two in enumerate(zip(pictures, drawn))
                       if two[0] != two[1] and differing(*two) > FEW * SIDE * SIDE][:1]
            if faults or len(answers) != len(ours):
                bad += 1
                print(f"seed {seed}: " + "; ".join(faults or ["another number of answers"]))
    print(f"calls: {seeds} scripts over OpenGL ES {version}, {bad} differ")
    return bad != 0


sys.exit(main())
