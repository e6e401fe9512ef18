#!/usr/bin/env python3
"""Runs OpenGL 1 programs with the system's OpenGL and with libtexenv-es, and compares their frames.

usage: frames.py LIBRARIES... [--demos FOLDER] [--only REGEX] [--contexts 2,3] [--folder FOLDER] [--table]

LIBRARIES: libtexenv-es.a and libtexenv.a. Without --demos, runs the programs of tests/es/programs: "states"
must be equal within 1 of 255, and "scripts" is run with the seeds 1 to --scripts. With --demos, runs the
programs in a source tree of mesa-demos (its src/redbook, samples, demos, trivial), which is not part of this
project.

Each program is compiled twice, with the GLUT of glut.c. 95 % of the drawn pixels of its last frame must be
equal. A pixel counts as drawn unless both frames have the background there, which is the system frame's most
frequent colour. A pixel is equal if each channel differs by at most 2 of 255; at edges it may instead lie
within 2 of the range that the system's frame has in the 3 by 3 pixels around it. --table prints a line for
each program.
"""
import argparse
import collections
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared.tool import Checks, TOP

HERE = os.path.join(TOP, "tests", "es")
WITHIN = 2
SHARE = 0.95
LEAST = 50  # drawn pixels; with fewer, the comparison means nothing
checks = Checks("frames")


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True,
                          errors="replace", **options)


def read(path):
    """Returns the width, the height and the pixels of a PPM file."""
    with open(path, "rb") as f:
        magic, size, most, data = f.read().split(b"\n", 3)
    width, height = map(int, size.split())
    assert magic == b"P6" and most == b"255" and len(data) == 3 * width * height, path
    return width, height, data


def around(data, width, height, channel):
    """Returns for each pixel the least and the greatest value of a channel in the 3 by 3 pixels around it."""
    rows = []
    for y in range(height):
        row = data[3 * width * y + channel:3 * width * (y + 1) + channel:3]
        left, right = row[:1] + row[:-1], row[1:] + row[-1:]
        rows.append((list(map(min, left, row, right)), list(map(max, left, row, right))))
    low, high = [], []
    for y in range(height):
        near = rows[max(y - 1, 0):y + 2]
        low += map(min, *[n[0] for n in near])
        high += map(max, *[n[1] for n in near])
    return low, high


def compare(wanted, got, within):
    """Returns the number of drawn pixels, the share of them that is equal, and the share that is equal or at
    an edge (see the head of this file)."""
    width, height, a = wanted
    if got[:2] != (width, height):
        return 0, 0.0, 0.0
    b = got[2]
    empty = collections.Counter(a[i:i + 3] for i in range(0, len(a), 3)).most_common(1)[0][0]
    drawn = [i for i in range(width * height) if a[3 * i:3 * i + 3] != empty or b[3 * i:3 * i + 3] != empty]
    equal = [True] * (width * height)
    near = [True] * (width * height)
    for c in range(3):
        low, high = around(a, width, height, c)
        one, other = a[c::3], b[c::3]
        for i in drawn:
            x, y = one[i], other[i]
            if abs(x - y) > within:
                equal[i] = False
                if y < low[i] - within or y > high[i] + within:
                    near[i] = False
    n = max(len(drawn), 1)
    return len(drawn), sum(equal[i] for i in drawn) / n, sum(near[i] for i in drawn) / n


class Builder:
    def __init__(self, libraries, folder, demos):
        self.libraries, self.folder, self.demos = libraries, folder, demos
        self.flags = ["-O1", "-w", "-I", os.path.join(HERE, "include")]
        if demos:
            data = f"DEMOS_DATA_DIR=\"{demos}/src/data/\""
            self.flags += ["-I", f"{demos}/src/util", "-D", data]
        shared = [os.path.join(HERE, "glut.c"), os.path.join(HERE, "glut_shapes.c")]
        if demos:
            shared += [f"{demos}/src/util/{name}.c" for name in ("readtex", "showbuffer", "trackball", "matrix")]
        self.shared = {}
        for way, define in (("gl", []), ("es", ["-DTEXENV_ES"])):
            self.shared[way] = []
            for source in shared:
                out = os.path.join(folder, f"{way}_{os.path.basename(source)}.o")
                done = run(["cc", *self.flags, *define, "-c", source, "-o", out])
                if done.returncode == 0:
                    self.shared[way].append(out)
                elif source.startswith(HERE):
                    sys.exit(done.stdout)

    def link(self, source, way):
        """Compiles and links a program; returns its path, or None if that fails, and the compiler's
        output."""
        name = re.sub(r"\W", "_", os.path.relpath(source, self.demos or HERE))
        out = os.path.join(self.folder, f"{way}_{name}")
        glu = ["-lGLU", "-lpng"] if self.demos else []
        own = [*self.libraries, "-lm", "-ldl"] if way == "es" else ["-lGL", "-lm"]
        done = run(["cc", *self.flags, source, *self.shared[way], "-o", out, "-rdynamic", *glu, *own,
                    "-lEGL"])
        return out if done.returncode == 0 else None, done.stdout


def draw(program, frame, **environment):
    """Runs a program, which writes the file `frame`. Returns what went wrong, or None."""
    env = dict(os.environ, LIBGL_ALWAYS_SOFTWARE="1", EGL_LOG_LEVEL="fatal", ES_OUT=frame, **environment)
    env.setdefault("GALLIUM_DRIVER", "softpipe")
    if environment.get("ES_CONTEXT") == "2":  # otherwise Mesa makes a context of version 3
        env["MESA_GLES_VERSION_OVERRIDE"] = "2.0"
    try:
        done = run([program], env=env, timeout=60, stdin=subprocess.DEVNULL, cwd=os.path.dirname(frame))
    except subprocess.TimeoutExpired:
        return "takes more than 60 s"
    if done.returncode or not os.path.exists(frame):
        return f"exit status {done.returncode}: {done.stdout.strip()[-300:]}"
    return None


def program_of(builder, source, contexts, seeds):
    """Compares the frames of one program. Returns (verdict, text); the verdict is None if the program does
    not compile or run with the system's GL."""
    system, text = builder.link(source, "gl")
    if not system:
        return None, "does not compile: " + text.strip()[:200]
    layer, text = builder.link(source, "es")
    texts, good = [], bool(layer)
    if not layer:
        names = sorted(set(re.findall(r"undefined reference to `(\w+)'", text)))
        texts.append("does not link with the library: " + (" ".join(names) or text[-200:]))
    for seed in seeds:
        bad = draw(system, system + ".ppm", ES_SEED=seed)
        if bad:
            return None, "with the system's GL: " + bad
        for context in contexts if layer else []:
            frame = f"{layer}.{seed}.{context}.ppm"
            name = f"ES {context}" + (f" seed {seed}" if len(seeds) > 1 else "")
            bad = draw(layer, frame, ES_CONTEXT=context, ES_SEED=seed)
            if bad:
                good = False
                texts.append(f"{name}: {bad}")
                continue
            exact = source.endswith("states.c")
            drawn, equal, near = compare(read(system + ".ppm"), read(frame), 1 if exact else WITHIN)
            same = drawn >= LEAST and (equal == 1 if exact else near >= SHARE)
            good = good and same
            if len(seeds) == 1 or not same:
                texts.append(f"{name}: {drawn} pixels, {100 * equal:.1f} % equal, "
                             f"{100 * near:.1f} % with edges")
    return good, "; ".join(texts)


def sources(demos, only):
    out = []
    folders = [os.path.join(HERE, "programs")]
    if demos:
        folders = [os.path.join(demos, "src", f) for f in ("redbook", "samples", "demos", "trivial")]
    for folder in folders:
        out += [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".c")]
    out = [s for s in out if re.search(only, s)]
    return [s for s in out if "glutMainLoop" in open(s, encoding="utf-8", errors="replace").read()]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("libraries", nargs="+")
    parser.add_argument("--demos")
    parser.add_argument("--only", default="")
    parser.add_argument("--contexts", default="2,3")
    parser.add_argument("--scripts", type=int, default=20)
    parser.add_argument("--folder", help="where programs and frames stay")
    parser.add_argument("--table", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.abspath(args.folder or folder)
        os.makedirs(folder, exist_ok=True)
        builder = Builder([os.path.abspath(one) for one in args.libraries], folder, args.demos)
        names = sources(args.demos, args.only)
        count = collections.Counter()

        def result(source):
            seeds = [str(i + 1) for i in range(args.scripts)] if source.endswith("/scripts.c") else ["1"]
            return program_of(builder, source, args.contexts.split(","), seeds)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for source, (good, text) in zip(names, pool.map(result, names)):
                name = os.path.relpath(source, args.demos or HERE)
                count[good] += 1
                if args.table:
                    print({True: "same  ", False: "OTHER ", None: "-     "}[good], name, text, flush=True)
                if not args.demos:
                    checks.check(good, f"{name}: {text}")
        print(f"{count[True]} programs draw the same, {count[False]} do not, "
              f"{count[None]} have nothing to compare with")
        checks.check(count[True] > 0, "no program was compared")
    checks.finish()


if __name__ == "__main__":
    main()
