#!/usr/bin/env python3
"""Checks that every printed text can be read again: all inputs of the tests, and enumerated and random
programs, are converted to each form; the texts are read by texenvc's own reader, by the oracle's readers, and
by other compilers (glslangValidator for GLSL, Mesa for ARB programs, through arbfp_load).

usage: reload.py [--load ARBFP_LOAD] [--count N] [--every N]"""
import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool

from oracle.atifs import atifs_text, random_atifs  # noqa: E402
from oracle.commands import arb  # noqa: E402
from oracle.common import framing  # noqa: E402
from oracle.common.errors import OracleError  # noqa: E402
from oracle.lang import every_arb, random_arb, random_arb_vertex  # noqa: E402
from oracle.texenv import random_states, stages_print  # noqa: E402

CHECKS = tool.Checks("reload")
GLSL = ("glsl", "glsl-110", "glsl-330", "glsl-450", "glsl-es", "glsl-es-300")
# For each form, the name for --from and the form to which the text is converted again.
OWN = {"atifs": ("atifs", "atifs"), "atifs-c": ("atifs-calls", "atifs"), "arbfp": ("arbfp", "arbfp"), "ir": ("ir", "ir"),
       "stages": ("stages", "stages"), "gl": ("gl", "gl")}
OF_STATES = ("stages", "gl")
# Programs that read a given number of parameters of each kind; in glsl-450 these share one uniform block.
PARAMETERS = "!!ARB%s1.0\nTEMP t;\n" + "".join(
    f"ADD t, program.{kind}[{n}], {'t' if n + (kind == 'local') else 'program.local[90]'};\n"
    for kind in ("env", "local") for n in range(95)) + "ADD t, t, state.light[0].position;\nADD t, t, state.fog.color;\n"


def inputs(folder, count, every):
    """Returns the paths of all inputs: [(kind, paths)]."""
    kinds = {"states": [], "programs": []}
    for top, folders, files in os.walk(os.path.join(tool.TOP, "tests")):
        folders[:] = sorted(f for f in folders if f not in ("bad", "fuzz", "package", "passes", "record", "shim"))
        for name in sorted(files):
            path, kind = os.path.join(top, name), os.path.splitext(name)[1]
            if kind in (".atifs", ".arbfp", ".arbvp", ".ir", ".vertex"):
                kinds["programs"].append(path)
            elif kind in (".gl", ".stages", ".trace") or kind == ".c" and "corpus" in top:
                kinds["states"].append(path)
            elif kind == ".test":
                with open(path, encoding="utf-8") as f:
                    text = re.search(r"^== input\n(.*?)(?=^== |\Z)", f.read(), re.M | re.S)
                if text and re.search(r"^== program", text.string, re.M):
                    kinds["states"].append(write(folder, name + ".in", text.group(1)))
    rng = random.Random(5)
    atifs = "".join(f"# state {n} x:1\n{random_atifs.program(rng)}" for n in range(1, 3 * count))
    states = "".join(stages_print.state_text(s) + "\n" for s in random_states.RandomStates(4 * count, 5))
    vertex = {"writer": random_arb_vertex.VertexWriter, "plain": True}
    fragment = [random_arb.program(9, i, 5, 80) for i in range(count)]
    fragment += [every_arb.program("fp", i) for i in range(0, every_arb.count("fp"), every)]
    vertices = [random_arb.program(9, i, 5, 80, **vertex) for i in range(count)]
    vertices += [every_arb.program("vp", i) for i in range(0, every_arb.count("vp"), every)]
    fragment.append(PARAMETERS % "fp" + "MOV result.color, t;\nEND\n")
    vertices.append(PARAMETERS % "vp" + "MOV result.position, t;\nEND\n")
    vertices.append("!!ARBvp1.0\nMOV result.position, vertex.position;\nMOV result.color, vertex.color;\nEND\n")
    fragment.append("!!ARBfp1.0\nMOV result.color, fragment.color;\nEND\n")
    kinds["programs"] += [write(folder, "random.atifs", atifs)]
    kinds["programs"] += [write(folder, f"p{n}.arb{k}p", text) for k, texts in (("f", fragment), ("v", vertices))
                          for n, text in enumerate(texts)]
    kinds["states"].append(write(folder, "random.stages", states))
    return kinds


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return path


def convert(paths, *words):
    """Converts; returns {text: origin}."""
    run = tool.Run(["convert", "-q", *words, *paths], timeout=600)
    if "atifs-c" in words:  # the output is one text with a function for each program
        found = re.split(r"^(?=void )", run.out, flags=re.M)[1:]
        return dict.fromkeys(found, "") if run.status in (0, 3) else {}
    CHECKS.check(run.status in (0, 3), f"{words}: status {run.status}\n{run.err[:800]}")
    found = {}
    for block in framing.split(run.out):
        if block.refused is None and block.text.strip():
            found.setdefault(block.text, f"{block.file}:{block.line}")
    return found


def check_glsl(folder, language, stage, texts):
    """Compiles all texts by the reference compiler, many in one run."""
    names = {}
    for n, (text, place) in enumerate(texts.items()):
        # this compiler does not know the extension
        text = text.replace("#extension GL_EXT_draw_buffers : require\n", "")
        names[write(folder, f"{language}-{n}.{stage}", text)] = place
    paths = list(names)
    for at in range(0, len(paths), 400):
        done = subprocess.run(["glslangValidator", *paths[at:at + 400]], capture_output=True, text=True)
        if CHECKS.check(done.returncode == 0 and not re.search("^(?:ERROR|WARNING)", done.stdout, re.M),
                        f"{language}: {stage}"):
            continue
        path = ""
        # a line with a file's name is followed by the errors in that file
        for line in done.stdout.split("\n"):
            path = line if line in names else path
            if re.match("ERROR|WARNING", line) and names.get(path):
                print(f"  {names.pop(path)}: {line}")


def check_own(folder, form, texts):
    """Each text must be accepted by texenvc's own reader."""
    comment, (kind, again) = "//" if form in ("atifs-c", "gl") else "#", OWN[form]
    path = write(folder, "again." + form, "".join(f"{comment} state {k} {place}\n{text}" for k, (text, place)
                                                  in enumerate(texts.items(), 1)))
    run = tool.Run(["convert", "-q", "--from", kind, "--to", again, "-O", "0", path], timeout=600)
    got = len([b for b in framing.split(run.out) if b.refused is None])
    CHECKS.check(run.status == 0 and got == len(texts),
                 f"{form}: {len(texts)} printed, {got} read again: {run.status} {run.err[:600]}")


def pairs(language, form, path):
    run = tool.Run(["convert", "-q", "--from", form, "--to", language, "--stage", "both", path])
    return [b.text.replace("// textures assumed complete RGBA\n", "") for b in framing.split(run.out)]


def check_raster(folder):
    """Draw state that belongs to neither half: the calls that --to gl prints must give the same shader
    pairs."""
    calls = ["glShadeModel(GL_FLAT);", "glEnable(GL_CLIP_PLANE0);\nglEnable(GL_CLIP_DISTANCE7);",
             "glTexEnvi(GL_POINT_SPRITE, GL_COORD_REPLACE, GL_TRUE);\nglEnable(GL_POINT_SPRITE);",
             "glPointParameteri(GL_POINT_SPRITE_COORD_ORIGIN, GL_LOWER_LEFT);",
             "glEnable(GL_FOG);\nglFogi(GL_FOG_DISTANCE_MODE_NV, GL_EYE_RADIAL_NV);", "GL_POINTS"]
    draws, trace = "", ""
    for bits in range(1 << len(calls)):
        chosen = [c for n, c in enumerate(calls) if bits >> n & 1]
        mode = chosen.pop() if bits >> 5 else "GL_TRIANGLES"
        draws += "\n".join(["glPushAttrib(GL_ALL_ATTRIB_BITS);", "glActiveTexture(GL_TEXTURE1);",
                            "glEnable(GL_TEXTURE_2D);", *chosen, f"glDrawArrays({mode}, 0, 3);", "glPopAttrib();\n"])
    draws += "glPointParameteri(GL_POINT_SPRITE_COORD_ORIGIN, origin);\n" + calls[2] + "\nglDrawArrays(GL_POINTS, 0, 3);\n"
    number = iter(range(1, 1 << 16))
    names = {"glShadeModel": "mode", "glEnable": "cap", "glTexEnvi": "target pname param", "glActiveTexture": "texture",
             "glFogi": "pname param", "glPointParameteri": "pname param", "glDrawArrays": "mode first count",
             "glPushAttrib": "mask", "glPopAttrib": ""}
    for call, arguments in re.findall(r"^(\w+)\((.*)\);$", draws[:draws.rindex("glPointParameteri")], re.M):
        named = ", ".join(f"{n} = {a}" for n, a in zip(names[call].split(), arguments.split(", ")))
        trace += f"{next(number)} {call}({named})\n"
    for form, text in (("gl", draws), ("apitrace", trace)):
        path = write(folder, "raster." + form, text)
        printed = tool.Run(["convert", "-q", "--from", form, "--to", "gl", path])
        again = write(folder, "raster-again.gl", printed.out)
        for language in ("glsl-330", "glsl-450", "glsl", "glsl-es", "glsl-es-300"):
            first, second = (pairs(language, f, p) for f, p in ((form, path), ("gl", again)))
            if form == "apitrace":  # successive draws with the same pair count once
                first, second = (list(dict.fromkeys(texts)) for texts in (first, second))
            CHECKS.check(first == second and len(set(first)) > 3, f"{form}, {language}: {len(first)} pairs, of calls "
                         f"{len(second)}: {next((x for x in zip(first, second) if x[0] != x[1]), '')}")


def check_oracle(form, texts):
    reader = arb.ArbProgram if form == "arbfp" else atifs_text.parse
    for text, place in texts.items():
        try:
            reader(text)
        except (OracleError, ValueError) as e:
            CHECKS.check(False, f"{form}: {place}: the oracle: {e}\n{text}")
    CHECKS.done += 1


def load(program, texts):
    """Loads ARB programs into Mesa; programs with vertex weights are skipped, since Mesa does not support
    these."""
    texts = [text for text in texts if "vertex.weight" not in text and "vertex.matrixindex" not in text]
    if program is None:
        return
    done = subprocess.run([program], input="".join(texts), capture_output=True, text=True,
                          env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})  # Mesa itself leaks
    if done.returncode != 77:
        CHECKS.check(done.returncode == 0 and f"{len(texts)} programs" in done.stdout,
                     f"Mesa: {done.stdout[-1500:]}{done.stderr[:300]}")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--load", metavar="ARBFP_LOAD")
    p.add_argument("--count", type=int, default=30, help="random programs of each kind")
    p.add_argument("--every", type=int, default=20, help="every which of the enumerated programs")
    o = p.parse_args()
    has_compiler = shutil.which("glslangValidator")
    if not has_compiler:
        print("glslangValidator is missing (tools/setup installs it)")
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        kinds = inputs(folder, o.count, o.every)
        jobs, total = [], 0
        for language in GLSL if has_compiler else ():
            fragment = convert(kinds["states"] + kinds["programs"], "--to", language)
            vertex = {text: fragment.pop(text) for text in list(fragment) if "gl_Position" in text}
            vertex.update(convert(kinds["states"], "--to", language, "--stage", "vertex"))
            for stage, texts in (("frag", fragment), ("vert", vertex)):
                total += len(texts)
                CHECKS.check(len(texts) > 2 * o.count, f"{language}: {stage}: {len(texts)} texts")
                jobs.append(pool.submit(check_glsl, folder, language, stage, texts))
        for form in OWN:
            texts = convert(kinds["states"] + (kinds["programs"] if form not in OF_STATES else []), "--to", form)
            if form == "arbfp":
                texts.update(convert(kinds["states"], "--to", "arbvp", "--stage", "vertex"))
                load(o.load, texts)
            total += len(texts)
            check_own(folder, form, texts)
            if form in ("atifs", "arbfp"):
                check_oracle(form, texts)
        check_raster(folder)
        for job in jobs:
            job.result()
    CHECKS.finish(f", {total} distinct texts")


if __name__ == "__main__":
    main()
