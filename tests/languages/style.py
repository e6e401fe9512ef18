#!/usr/bin/env python3
"""Checks that shader pairs look like code written by a person: for each state tests/languages/style/NAME.gl,
hand-written shaders NAME.vert and NAME.frag are compared with the output of texenvc. Lines and operations may
be at most a quarter more, local variables at most twice as many (and one more of each in a single pair), and
no name may look generated. The function that makes 0 to the power of 0 equal 1, as GL requires and people
forget, counts in the total only, since it would dominate a short pair.
usage: style.py [-v]    a line for each state"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool
from tests.shared.tool import Run

FOLDER = os.path.join(tool.TOP, "tests", "languages", "style")
TYPES = r"(?:float|int|bool|[bi]?vec[234]|mat[234])"
LOCAL = re.compile(rf"(?:^|[;{{}}(])\s*(?:(?:highp|mediump) )?{TYPES} \w+(?: =|;)", re.M)
CALL = re.compile(rf"\b(?!{TYPES}\b|if\b|for\b|while\b|return\b|main\b)[a-zA-Z]\w*\(")
OPERATOR = re.compile(r"\+\+|--|[-+*/<>=!]=|&&|\|\||[-+*/<>?!]")
POWER = re.compile(r"// 0 to the power.*\nfloat power\(.*\n\{\n.*\n\}\n")
MADE = re.compile(r"\b(?:[vrt]\d+|state_\w+|\w+_row_\d+)\b")
LANGUAGE = "glsl-330"
checks = tool.Checks("style")


def measure(text):
    """Returns (lines, operations, local variables) of a shader."""
    text = re.sub(r"//.*", "", text)
    lines = [line for line in text.split("\n") if line.strip()]
    body = "\n".join(line for line in lines
                     if line[0] in " {}" and not re.match(r" +[\w ]+ \w+(\[\d+\])?;$", line)
                     or "(" in line and not line.startswith(("layout", "#", "uniform", "in ", "out ")))
    return len(lines), len(CALL.findall(body)) + len(OPERATOR.findall(body)), len(LOCAL.findall(body))


def self_check():
    text = """#version 330 core
uniform vec4 a[2];

void main()
{
    // one - two
    vec3 b = -a[0].rgb * 2.0;
    for (int i = 0; i < 2; i++)
        b += max(a[i].rgb, vec3(0.5));
    c = b.x >= 1.0 ? b : vec3(0.0);
}
"""
    checks.check(measure(text) == (9, 8, 2), f"the measure itself: {measure(text)}")
    checks.check(MADE.search("v57") and MADE.search("state_matrix_modelview_0_row_1"), "names a program has made")
    checks.check(measure(POWER.sub("", "// 0 to the power of 0\nfloat power(float x)\n{\n    return x * x;\n}\n"))[0] == 0,
                 "the power of 0")
    checks.check(not MADE.search("texel0 = light[0].position"), "names of a person")


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def converted(name, folder):
    """Returns the texts of both stages; the vertex text is None if it is refused."""
    run = Run(["convert", "-q", os.path.join(FOLDER, name + ".gl"), "--to", LANGUAGE, "--stage", "both", "-o",
               folder + "/"])
    if run.status == 3:
        run = Run(["convert", "-q", os.path.join(FOLDER, name + ".gl"), "--to", LANGUAGE, "-o",
                   os.path.join(folder, name + ".frag")])
    checks.check(run.status == 0, f"{name}: {run.status} {run.err[:300]}")
    texts = {}
    for end in ("vert", "frag"):
        path = os.path.join(folder, name + "." + end)
        texts[end] = read(path) if os.path.exists(path) else None
    if not texts["vert"]:  # a fragment shader without a vertex shader limits the colours itself
        texts["frag"] = re.sub(r" +vec4 (primary|secondary) = clamp\(\w+, 0.0, 1.0\);\n", "", texts["frag"])
    return texts


self_check()
total = {"vert": [[0] * 3, [0] * 3], "frag": [[0] * 3, [0] * 3]}
names = sorted(os.path.basename(p)[:-3] for p in glob.glob(os.path.join(FOLDER, "*.gl")))
checks.check(len(names) >= 20, f"only {len(names)} states")
with tempfile.TemporaryDirectory() as folder:
    for name in names:
        for end, text in converted(name, folder).items():
            hand = read(os.path.join(FOLDER, name + "." + end))
            if shutil.which("glslangValidator"):
                done = subprocess.run(["glslangValidator", os.path.join(FOLDER, name + "." + end)],
                                      capture_output=True, text=True)
                checks.check(done.returncode == 0, f"{name}.{end} by hand: {done.stdout}")
            if text is None:
                continue
            theirs, ours, own = measure(hand), measure(text), measure(POWER.sub("", text))
            if "-v" in sys.argv:
                print(f"{name}.{end}: by hand {theirs}, ours {ours}, without power {own}")
            for k, what in enumerate(("lines", "operations", "local variables")):
                a, b, more = theirs[k], own[k], (1.25, 1.25, 2)[k]
                checks.check(b <= max(a * more, a + 1), f"{name}.{end}: {b} {what}, by hand {a}\n{text}")
            checks.check(not MADE.search(text), f"{name}.{end}: {MADE.search(text)}\n{text}")
            for k in range(3):
                total[end][0][k] += theirs[k]
                total[end][1][k] += ours[k]
for end, (theirs, ours) in total.items():
    if checks.check(ours[0], f"{end}: none"):
        print(f"{end}: lines, operations, local variables: by hand {theirs}, ours {ours}")
        checks.check(ours[0] <= 1.25 * theirs[0] and ours[1] <= 1.25 * theirs[1] and ours[2] <= 2 * theirs[2],
                     f"{end}: too much in all")
checks.finish()
