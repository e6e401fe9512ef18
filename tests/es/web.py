#!/usr/bin/env python3
"""Tests libtexenv-es, compiled by emscripten, in a headless Chromium with WebGL 1 and 2, as frames.py does
for native programs.

usage: web.py [--folder FOLDER] [--demos FOLDER --glu FOLDER [--only REGEX]] [--legacy]

The states of programs/states.c must be equal to the frame of the system's OpenGL within 1 of 255. --demos:
also tests the redbook programs of a source tree of mesa-demos whose names match REGEX, with GLU from a source
tree of Mesa's (glu 9); `apt-get source mesa-demos libglu` fetches both. --legacy: only prints a table of the
states as emscripten's -sLEGACY_GL_EMULATION draws them, one at a time. --folder keeps what was compiled. Exit
status 77: there is no emcc or no browser."""
import argparse
import base64
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../web"))
import frames
from browser import Browser
from tests.shared.tool import Checks, TOP

HERE = os.path.join(TOP, "tests", "es")
checks = Checks("es_web")
ROW, CELL, STATES = 12, 24, 108  # cells in a row, size of a cell, and cells in programs/states.c
PRE = "Module.preRun = [() => new URLSearchParams(location.search).forEach((v, k) => { ENV[k] = v; })];\n"
PAGE = """<canvas id="canvas"></canvas><script>
var Module = {canvas: document.getElementById("canvas")}, errors = [];
window.onerror = m => { errors.push(m); };</script><script src="%s"></script>"""


def emcc(folder, out, arguments):
    """Compiles the file `out`, unless it exists."""
    if os.path.exists(os.path.join(folder, out)):
        return
    done = subprocess.run(["emcc", "-w", *arguments, "-o", out], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, universal_newlines=True)
    if done.returncode:
        sys.exit(f"{out}: {done.stdout[-2000:]}")


def objects(folder, prefix, sources, arguments):
    out = [f"{prefix}_{os.path.basename(source)}.o" for source in sources]
    for source, one in zip(sources, out):
        emcc(folder, one, [*arguments, "-c", source])
    return out


def build_library(folder):
    if not os.path.exists(os.path.join(folder, "texenvc.c")):
        subprocess.run([os.path.join(TOP, "tools", "amalgamate"), folder], check=True)
    core = objects(folder, "core", ["texenvc.c"], ["-Os", "-DTEXENV_WITH_LANGUAGES"])
    return objects(folder, "es", sorted(glob.glob(TOP + "/tools/es/*.c")), ["-Os", "-I", TOP]) + core


def build_glu(folder, glu):
    sources = [s for s in glob.glob(glu + "/src/lib[ut]*/*.c") if not s.endswith("/priorityq-heap.c")]
    flags = ["-Os", "-DLIBRARYBUILD", f"-I{glu}/include", f"-I{glu}/src/include"]
    return objects(folder, "glu", sources, flags)


def link(folder, name, arguments):
    with open(os.path.join(folder, "pre.js"), "w", encoding="utf-8") as f:
        f.write(PRE)
    emcc(folder, name + ".js", ["-O1", "-I", HERE + "/include", *arguments, "-sALLOW_MEMORY_GROWTH=1",
                                "-sSINGLE_FILE=1", "--pre-js", "pre.js"])


def asked(browser, script):
    """Returns the value of a script, or None if the page is busy and does not answer."""
    try:
        return browser.run(script)
    except RuntimeError as error:
        if "script timeout" not in str(error):
            raise
        return None


def frame_of(browser, folder, name, query, wait=300):
    """Opens the page of a program and returns width, height and RGB of its frame, or a text that says what
    went wrong."""
    page = os.path.join(folder, name + ".html")
    with open(page, "w", encoding="utf-8") as f:
        f.write(PAGE % (name + ".js"))
    browser.open(f"file://{os.path.abspath(page)}?{query}")
    end = time.time() + wait
    while not asked(browser, "return !!window.frame"):
        errors = asked(browser, "return errors")
        if errors or time.time() > end:
            return (errors or ["no frame"])[0]
        time.sleep(0.1)
    width, height, data = browser.run("""let s = '';
        for (const c of frame[2])
            s += String.fromCharCode(c);
        return [frame[0], frame[1], btoa(s)];""")
    data = base64.b64decode(data)
    return width, height, b"".join(data[i:i + 3] for i in range(0, len(data), 4))


def worst(wanted, got, state):
    """Returns the greatest difference in the cell of a state."""
    out = 0
    for y in range(state // ROW * CELL, (state // ROW + 1) * CELL):
        at = 3 * (wanted[0] * y + state % ROW * CELL)
        out = max(out, max(abs(p - q) for p, q in zip(wanted[2][at:at + 3 * CELL], got[2][at:at + 3 * CELL])))
    return out


def legacy(browser, folder, wanted):
    shapes = [HERE + "/glut.c", HERE + "/glut_shapes.c", HERE + "/programs/states.c"]
    link(folder, "legacy", [*shapes, "-sLEGACY_GL_EMULATION=1", "-sERROR_ON_UNDEFINED_SYMBOLS=0",
                            "-sDEFAULT_LIBRARY_FUNCS_TO_INCLUDE=['$Browser']"])
    same = 0
    for state in range(STATES):
        got = frame_of(browser, folder, "legacy", f"ES_STATE={state}", 5)
        answer = got if isinstance(got, str) else f"differs by up to {worst(wanted, got, state)} of 255"
        good = not isinstance(got, str) and worst(wanted, got, state) <= 1
        same += good
        print(state, "same" if good else answer, flush=True)
    print(f"LEGACY_GL_EMULATION: {same} of {STATES} states")


def programs_of(args, folder):
    """Yields for each program its name, source, further arguments of the compiler, allowed difference, and
    frame by the system's OpenGL."""
    out = [("states", HERE + "/programs/states.c", [], 1)]
    if args.demos and args.glu:
        for source in sorted(glob.glob(f"{args.demos}/src/redbook/*.c")):
            name = os.path.basename(source)[:-2]
            if re.search(args.only, name):
                out.append((name, source, ["-I", f"{args.demos}/src/util"], frames.WITHIN))
    native = os.path.join(folder, "native")
    os.makedirs(native, exist_ok=True)
    builders = {demos: frames.Builder([], native, demos) for demos in {None, args.demos}}
    for name, source, more, within in out:
        system, bad = builders[args.demos if more else None].link(source, "gl")
        bad = frames.draw(system, system + ".ppm") if system else bad
        if bad:
            print(f"{name}: the system's OpenGL: {bad.strip()[:200]}", flush=True)
            checks.check(more, f"{name}: {bad}")
        else:
            yield name, source, more, within, frames.read(system + ".ppm")


def in_browser(browser, folder, name, within, wanted):
    """Compares a program's frames, and prints one line for each version of WebGL."""
    for version in (1, 2):
        got = frame_of(browser, folder, name, f"ES_CONTEXT={version + 1}")
        text = f"{name}, WebGL {version}: "
        if isinstance(got, str):
            checks.check(False, text + got[:200])
            continue
        drawn, equal, near = frames.compare(wanted, got, within)
        text += f"{drawn} pixels, {100 * equal:.1f} % equal, {100 * near:.1f} % with edges"
        good = drawn >= frames.LEAST and (equal == 1 if within == 1 else near >= frames.SHARE)
        print(("same  " if good else "OTHER ") + text, flush=True)
        checks.check(good, text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder")
    parser.add_argument("--demos")
    parser.add_argument("--glu")
    parser.add_argument("--only", default="")
    parser.add_argument("--legacy", action="store_true")
    args = parser.parse_args()
    if not shutil.which("emcc"):
        print("no emcc")
        sys.exit(77)
    os.environ.setdefault("NODE_PATH", "/usr/share/nodejs")  # Debian's acorn
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        folder = os.path.abspath(args.folder or folder)
        os.makedirs(folder, exist_ok=True)
        programs = programs_of(args, folder)
        if args.legacy:
            legacy(browser, folder, next(programs)[4])
            return
        glut = objects(folder, "test", [HERE + "/glut.c", HERE + "/glut_shapes.c"], ["-O1", "-DTEXENV_ES"])
        library = build_library(folder)
        for name, source, more, within, wanted in programs:
            util = build_glu(folder, args.glu) if more else []
            link(folder, name, [*more, source, *glut, *util, *library, "-sMAX_WEBGL_VERSION=2"])
            in_browser(browser, folder, name, within, wanted)
    checks.finish()


if __name__ == "__main__":
    main()
