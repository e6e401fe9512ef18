#!/usr/bin/env python3
"""Measures the time of a frame of 500 draws with 12 states (bench.c) in a headless Chromium, drawn by
libtexenv-es and by shaders that were written by hand; and the size of a program.

usage: bench.py [--folder FOLDER] [--rounds N]

Both ways are drawn by turns in the same browser, with the draws of a state one after the other, and with
another state for each draw, by WebGL 1 and 2. The fastest frame counts, as other work on the machine only
makes frames slower. A frame by libtexenv-es may take 1.3 times as long. The wasm of programs/demo.c at -Os
may have 260 KB. Exit status 77: there is no emcc or no browser."""
import argparse
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../web"))
from browser import Browser
from tests.shared.tool import Checks, TOP

MOST = 1.3
SIZE = 260000
WARM, FRAMES = 2, 10  # frames of a round that are not measured, and that are
VERSIONS = 1, 2  # versions of WebGL
DIFFERENT = 0.02  # share of the pixels that may differ; some lie on an edge
checks = Checks("es_bench")
PAGE = """<canvas id="canvas"></canvas><script>var Module = {canvas: document.getElementById("canvas"),
arguments: ["%d"], postRun() { window.ready = true; }};</script><script src="%s.js"></script>"""


def run(command, folder):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stdout[-2000:]}")


def build(folder):
    """Compiles the programs, in the way that tools/es/README.md describes."""
    run(["make", "-f", TOP + "/tools/es/emscripten.mk", "OUT=" + folder], folder)
    flags, here = "@texenv-es.flags", TOP + "/tests/es/"
    run(["emcc", "-Os", here + "programs/demo.c", flags, "-lglut", "-o", "demo.js"], folder)
    for name, more in (("es", [flags]), ("hand", ["-DHAND", "-sMAX_WEBGL_VERSION=2"])):
        run(["emcc", "-O2", here + "bench.c", *more, "-sSINGLE_FILE=1", "-o", name + ".js"], folder)
        for version in VERSIONS:
            with open(os.path.join(folder, f"{name}{version}.html"), "w", encoding="utf-8") as f:
                f.write(PAGE % (version, name))


def measure(browser, folder, name, version, by_state):
    browser.open(os.path.join(folder, f"{name}{version}.html"))
    end = time.time() + 120
    while not browser.run("return !!window.ready"):
        if time.time() > end:
            sys.exit(f"{name}: does not start: {browser.messages()}")
        time.sleep(0.1)
    results = []
    for time_of in range(WARM + FRAMES):
        browser.run("_measure(arguments[0], arguments[1])", int(by_state), time_of)
        results.append(browser.run("return result"))
    return ([r[0] for r in results[WARM:]], [r[1] for r in results[WARM:]], results[-1][2])


def same(one, other):
    different = sum(any(abs(one[i + c] - other[i + c]) > 8 for c in range(3)) for i in range(0, len(one), 4))
    return different <= DIFFERENT * len(one) / 4, different


def times(browser, folder, rounds):
    for version, by_state in itertools.product(VERSIONS, (False, True)):
        whole, calls = {"es": [], "hand": []}, {"es": [], "hand": []}
        for _ in range(rounds):
            pixels = {}
            for name in whole:
                one, other, pixels[name] = measure(browser, folder, name, version, by_state)
                whole[name] += one
                calls[name] += other
            good, different = same(pixels["es"], pixels["hand"])
            checks.check(good, f"{different} pixels differ")
        text = "draws of a state one after the other" if by_state else "another state for each draw"
        text = f"WebGL {version}, {text}"
        ratio = min(whole["es"]) / min(whole["hand"])
        print(f"{text}: frame {min(whole['es']):.2f} ms, by hand "
              f"{min(whole['hand']):.2f} ms, ratio {ratio:.2f}; calls alone "
              f"{min(calls['es']):.2f} and {min(calls['hand']):.2f} ms; "
              f"{different} of 4096 pixels differ")
        checks.check(ratio <= MOST, f"{text}: {ratio:.2f} times as long")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    if not shutil.which("emcc"):
        print("no emcc")
        sys.exit(77)
    os.environ.setdefault("NODE_PATH", "/usr/share/nodejs")  # Debian's acorn
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        folder = os.path.abspath(args.folder or folder)
        os.makedirs(folder, exist_ok=True)
        build(folder)
        size = os.path.getsize(os.path.join(folder, "demo.wasm"))
        print(f"demo.wasm: {size} bytes")
        checks.check(size <= SIZE, f"demo.wasm has {size} bytes")
        times(browser, folder, args.rounds)
    checks.finish()


if __name__ == "__main__":
    main()
