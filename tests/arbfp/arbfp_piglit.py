#!/usr/bin/env python3
"""Tests the ARB programs of an installed piglit: texenvc and the oracle accept or reject its parser tests as
piglit expects; all valid programs equal their conversions; glslangValidator accepts those to GLSL.

usage: arbfp_piglit.py [--list] [--all]      skipped (77) where there is no piglit; PIGLIT names its folder

--all: converts every program at both optimisation levels to all chips; else to one chip, in turn, and mostly
at one level. """
import argparse
import glob
import os
import re
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.languages import reload
from tests.shared import tool
from oracle.commands import arb
from oracle.us import us_arb

CHECKS = tool.Checks("arbfp_piglit")
PLACES = ("/usr/lib/*/piglit", "/usr/lib/piglit", "/usr/local/lib/piglit")
FORMS = {"fp": ["arbfp", "glsl", "glsl-es-300"], "vp": ["arbfp", "glsl", "glsl-es"]}
# Matches templates that piglit completes at run time, and programs with other extensions.
OTHER = re.compile(r"%[dfs]|OPTION\s+(NV_|ARB_fragment_coord|MESA_|EXT_|FOO)|REQUIRE GL_NV")


def read(path):
    with open(path, "rb") as f:
        return f.read().decode("latin-1")


def parser_tests(folder):
    """Yields (name, text, whether the program is valid) for each parser test."""
    for path in sorted(glob.glob(os.path.join(folder, "tests/asmparsertest/shaders/ARB[fv]p1.0/*.txt"))):
        text = read(path)
        if not OTHER.search(text) and text[:10] == "!!" + path.split("/")[-2]:
            yield os.path.basename(path), text, "FAIL" not in text


def programs(folder):
    """Yields (name, text) for the programs in shader tests and in the strings of piglit's executables."""
    for path in sorted(glob.glob(os.path.join(folder, "tests", "**", "*.shader_test"), recursive=True)):
        for part in re.split(r"^\[", read(path), flags=re.M):
            if part.startswith(("fragment program]", "vertex program]")):
                yield os.path.basename(path), part.split("]\n", 1)[1].strip() + "\n"
    for path in sorted(glob.glob(os.path.join(folder, "bin", "*"))):
        for k, found in enumerate(re.findall(r"!!ARB[fv]p1\.0[^\0]*?\bEND\s*(?=\0)", read(path))):
            yield "%s.%d" % (os.path.basename(path), k), found


def compile_all(texts):
    """Converts the programs to every version of GLSL and compiles the results."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [reload.write(folder, f"p{n}.arb{text[5:7]}", text) for n, text in enumerate(texts)]
        for language in reload.GLSL:
            made = reload.convert(paths, "--to", language)
            CHECKS.check(len(made) > .5 * len(texts), f"{language}: {len(made)} of {len(texts)} programs")
            for stage in ("vert", "frag"):
                reload.check_glsl(folder, language, stage, {text: place for text, place in made.items()
                                                            if ("gl_Position" in text) == (stage == "vert")})
    CHECKS.check(not reload.CHECKS.failed, "the compiler refuses what texenvc prints")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--list", action="store_true", help="only name the programs")
    p.add_argument("--all", action="store_true", help="both levels, all chips")
    args = p.parse_args()
    places = [os.environ["PIGLIT"]] if "PIGLIT" in os.environ else [x for y in PLACES for x in glob.glob(y)]
    found = [(folder, list(parser_tests(folder))) for folder in places]
    if not any(tests for _, tests in found):
        print("arbfp_piglit: no piglit here")
        sys.exit(77)
    texts = {}
    for folder, tests in found:
        for name, text, loads in tests:
            for who, got in (("the oracle", arb.accepted(text)), ("texenvc", arb.texenvc_accepts(text))):
                CHECKS.check((got is None) == loads, f"{name}: {who}: {got}")
            if loads:
                texts[text] = name
        for name, text in programs(folder):
            if not OTHER.search(text) and arb.accepted(text) is None:
                texts[text] = name
            elif args.list:
                print("left out:", name)
    totals, chips = arb.Totals(), list(us_arb.CHIPS)
    options = argparse.Namespace(levels=["0", "2"], vectors=4, show=3, extra=[])
    for n, (text, name) in enumerate(texts.items()):
        options.to = FORMS[text[5:7]] + (chips if args.all else [chips[n % len(chips)]])
        options.levels = ["0", "2"] if args.all or n % 4 == 3 else ["2"]
        if args.list:
            print(name)
        arb.check_text(text, name, options, totals)
    if totals.mismatches:
        arb.report(totals, options)
    CHECKS.check(not totals.mismatches, f"{totals.mismatches} mismatches")
    CHECKS.check(totals.equal > 50, f"only {totals.equal} conversions")
    if shutil.which("glslangValidator"):
        compile_all(texts)
    print(totals.line())
    CHECKS.finish(f", {sum(len(t) for _, t in found)} parser tests")


if __name__ == "__main__":
    main()
