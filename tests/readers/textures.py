#!/usr/bin/env python3
"""Tests the textures in --reflect as they were bound at the draw: names, sizes, formats, filters. Expected
values are derived by hand from OpenGL 2.1 (3.8.1, 3.8.4, 3.8.7, 3.8.12, 3.8.15, 5.4, 6.1.14)."""
import json
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool

CHECKS = tool.Checks("textures")
ON = "glEnable(GL_TEXTURE_2D);\n"
DRAW = "glDrawArrays(GL_TRIANGLES, 0, 3);\n"


def bind(name, target="2D"):
    return f"glBindTexture(GL_TEXTURE_{target}, {name});\n"


def image(inner, *sizes, target="2D", level=0):
    form = "GL_DEPTH_COMPONENT" if "DEPTH" in str(inner) else "GL_RGBA"
    return (f"glTexImage{len(sizes)}D(GL_TEXTURE_{target}, {level}, {inner}, {', '.join(map(str, sizes))}, 0, "
            f"{form}, GL_UNSIGNED_BYTE, 0);\n")


def put(pname, value, target="2D", form="i"):
    return f"glTexParameter{form}(GL_TEXTURE_{target}, GL_TEXTURE_{pname}, {value});\n"


# Calls before a draw, and the texture of unit 0 in --reflect (None: it has no entry). Read as scripts, and
# those without GLU also as traces.
ROWS = [
    (bind(7) + image("GL_RGB8", 64, 32) + put("MIN_FILTER", "GL_LINEAR") + put("MAG_FILTER", "GL_NEAREST", form="f")
     + put("WRAP_S", "GL_CLAMP_TO_EDGE") + put("WRAP_T", "(const GLint[]){GL_REPEAT}", form="iv") + ON,
     {"name": 7, "size": [64, 32], "internal_format": "GL_RGB8", "min_filter": "GL_LINEAR",
      "mag_filter": "GL_NEAREST", "wrap_s": "GL_CLAMP_TO_EDGE", "wrap_t": "GL_REPEAT"}),
    # tokens as numbers: 0x2703 is LINEAR_MIPMAP_LINEAR, 0x8058 RGBA8; the internal format 3 stays a number
    (bind(7) + image("0x8058", 2, 4) + put("MIN_FILTER", "0x2703") + ON,
     {"name": 7, "size": [2, 4], "internal_format": "GL_RGBA8", "min_filter": "GL_LINEAR_MIPMAP_LINEAR"}),
    (bind(7) + image("3", 2, 4) + ON, {"name": 7, "size": [2, 4], "internal_format": 3}),
    (image("GL_RGB", 8, 8) + ON, {"size": [8, 8], "internal_format": "GL_RGB"}), # the texture without a name
    # images of other levels do not change the entry, a new image of level 0 does
    (bind(7) + image("GL_RGB", 8, 8) + image("GL_RGBA", 4, 4, level=1) + ON,
     {"name": 7, "size": [8, 8], "internal_format": "GL_RGB"}),
    (bind(7) + image("GL_RGB", 8, 8) + image("GL_ALPHA", 4, 2) + ON,
     {"name": 7, "size": [4, 2], "internal_format": "GL_ALPHA"}),
    (bind(7) + image("GL_RGB", 8, 8) + "glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_ALPHA, 1, 2, 5, 6, 0);\n" + ON,
     {"name": 7, "size": [5, 6], "internal_format": "GL_ALPHA"}),
    # calls with values that GL refuses are ignored
    (bind(7) + image("GL_RGB", 8, 8) + put("MAG_FILTER", "GL_LINEAR") + put("MAG_FILTER", "GL_LINEAR_MIPMAP_LINEAR")
     + put("MIN_FILTER", "GL_REPEAT") + put("WRAP_S", "GL_NEAREST") + put("WRAP_R", "GL_ADD") + ON,
     {"name": 7, "size": [8, 8], "internal_format": "GL_RGB", "mag_filter": "GL_LINEAR"}),
    (bind(7, "RECTANGLE") + image("GL_RGB", 8, 9, target="RECTANGLE") + put("WRAP_S", "GL_REPEAT", "RECTANGLE")
     + put("WRAP_T", "GL_CLAMP", "RECTANGLE") + "glEnable(GL_TEXTURE_RECTANGLE);\n",
     {"name": 7, "size": [8, 9], "internal_format": "GL_RGB", "wrap_t": "GL_CLAMP"}),
    # of two enabled targets, the one with priority; parameters belong to the texture object
    (bind(7) + image("GL_RGB", 8, 8) + bind(8, "3D") + image("GL_RGBA", 2, 4, 8, target="3D")
     + put("WRAP_R", "GL_MIRRORED_REPEAT", "3D") + put("WRAP_S", "GL_CLAMP") + ON + "glEnable(GL_TEXTURE_3D);\n",
     {"name": 8, "size": [2, 4, 8], "internal_format": "GL_RGBA", "wrap_r": "GL_MIRRORED_REPEAT"}),
    (bind(7, "1D") + image("GL_RGB", 16, target="1D") + "glEnable(GL_TEXTURE_1D);\n",
     {"name": 7, "size": [16], "internal_format": "GL_RGB"}),
    (bind(9, "CUBE_MAP") + "".join(image("GL_RGB", 8, 8, target=f"CUBE_MAP_{side}_{c}") for c in "XYZ"
                                   for side in ("POSITIVE", "NEGATIVE"))
     + put("MIN_FILTER", "GL_NEAREST", "CUBE_MAP") + "glEnable(GL_TEXTURE_CUBE_MAP);\n",
     {"name": 9, "size": [8, 8], "internal_format": "GL_RGB", "min_filter": "GL_NEAREST"}),
    (bind(7) + "glTexStorage2D(GL_TEXTURE_2D, 3, GL_RGBA8, 16, 8);\n" + ON,
     {"name": 7, "size": [16, 8], "internal_format": "GL_RGBA8"}),
    (bind(7) + image("GL_RGB", 8, 8) + bind(8) + image("GL_RGBA", 4, 4) + put("MIN_FILTER", "GL_LINEAR") + bind(7) + ON,
     {"name": 7, "size": [8, 8], "internal_format": "GL_RGB"}),
    # GL_TEXTURE_BIT saves bindings and parameters, not images
    (bind(7) + image("GL_RGB", 8, 8) + put("MIN_FILTER", "GL_LINEAR") + "glPushAttrib(GL_TEXTURE_BIT);\n"
     + put("MIN_FILTER", "GL_NEAREST") + image("GL_RGBA", 4, 4) + bind(8) + "glPopAttrib();\n" + ON,
     {"name": 7, "size": [4, 4], "internal_format": "GL_RGBA", "min_filter": "GL_LINEAR"}),
    (bind(7) + image("GL_RGB", 8, 8) + put("MIN_FILTER", "GL_LINEAR") + "glPushAttrib(GL_LIGHTING_BIT);\n"
     + put("MIN_FILTER", "GL_NEAREST") + "glPopAttrib();\n" + ON,
     {"name": 7, "size": [8, 8], "internal_format": "GL_RGB", "min_filter": "GL_NEAREST"}),
    ("glNewList(1, GL_COMPILE);\n" + bind(7) + image("GL_RGB", 8, 4) + put("MAG_FILTER", "GL_NEAREST") + "glEndList();\n"
     + ON + "glCallList(1);\n", {"name": 7, "size": [8, 4], "internal_format": "GL_RGB", "mag_filter": "GL_NEAREST"}),
    # GLU scales images to sizes that are powers of two
    (bind(7) + "gluBuild2DMipmaps(GL_TEXTURE_2D, GL_RGB, 64, 48, GL_RGB, GL_UNSIGNED_BYTE, 0);\n" + ON,
     {"name": 7, "size": [64, None], "internal_format": "GL_RGB"}),
]
SCRIPTS = [
    (bind(7) + image("GL_RGB", "w", 32) + put("MIN_FILTER", "filter") + ON,
     {"name": 7, "size": [None, 32], "internal_format": "GL_RGB", "min_filter": None}),
    # texture parameters cannot be set between Begin and End (not in traces, where a draw ends at Begin)
    (bind(7) + image("GL_RGB", 8, 8) + "glBegin(GL_POINTS);\n" + put("MAG_FILTER", "GL_LINEAR") + "glEnd();\n" + ON,
     {"name": 7, "size": [8, 8], "internal_format": "GL_RGB"}),
    # names may be unknown if the script has no images; each unknown name is another texture
    (bind("sky") + put("MIN_FILTER", "GL_LINEAR") + ON, {"name": None, "min_filter": "GL_LINEAR"}),
    (bind("sky") + put("MIN_FILTER", "GL_LINEAR") + bind("wall") + ON, {"name": None}),
    (bind(4) + put("MIN_FILTER", "GL_LINEAR") + bind("wall") + bind(4) + ON, {"name": 4, "min_filter": "GL_LINEAR"}),
    (ON, None),
]
SOURCE = """#include <GL/gl.h>
static GLuint sky;
void setup(void)
{
    glGenTextures(1, &sky);
    glBindTexture(GL_TEXTURE_2D, sky);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, 64, 32, 0, GL_RGB, GL_UNSIGNED_BYTE, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glEnable(GL_TEXTURE_2D);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}
"""
# Names of the calls' parameters in the GL registry, which apitrace prints.
NAMES = {"BindTexture": "target texture", "Enable": "cap", "DrawArrays": "mode first count", "NewList": "list mode",
         "EndList": "", "CallList": "list", "PushAttrib": "mask", "PopAttrib": "", "Begin": "mode", "End": "",
         "TexStorage2D": "target levels internalformat width height", "CopyTexImage2D":
         "target level internalformat x y width height border", **{f"TexImage{n}D": "target level internalformat "
         f"{' '.join(('width', 'height', 'depth')[:n])} border format type pixels" for n in (1, 2, 3)},
         **{f"TexParameter{form}": "target pname params" if form == "iv" else "target pname param" for form in ("i", "f", "iv")}}


def trace(script):
    lines = []
    for number, (name, arguments) in enumerate(re.findall(r"gl(\w+)\((.*)\);\n", script), 1):
        arguments = [a.replace("(const GLint[])", "") for a in arguments.split(", ")] if arguments else []
        pairs = zip(NAMES[name].split(), arguments)
        lines.append(f"{number} gl{name}({', '.join(f'{n} = {a}' for n, a in pairs)})\n")
    return "".join(lines)


def reflected(form, text, more=()):
    with tempfile.TemporaryDirectory() as folder:
        path, out = os.path.join(folder, "sky.c"), os.path.join(folder, "out.json")
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        run = tool.Run(["convert", "--from", form, "--to", "glsl-330", "--stage", "both", "--reflect", out,
                        "-o", folder + "/", *more, path])
        if not CHECKS.check(run.status == 0 and not run.sanitizer(), f"{form}: {text}: {run.status} {run.err}"):
            return [], run
        with open(out, encoding="utf-8") as f:
            return json.load(f), run


def expect(form, text, wanted, unit=0):
    states, run = reflected(form, text)
    samplers = {s["unit"]: s for s in states[-1]["samplers"]} if states else {}
    got = samplers.get(unit, {"texture": "no sampler"}).get("texture")
    CHECKS.check(got == wanted and list(got or {}) == list(wanted or {}), f"{form}: {text}: {got}, not {wanted}")
    return run


def main():
    for script, wanted in ROWS:
        expect("gl", script + DRAW, wanted)
        if "gluBuild" not in script:
            expect("apitrace", trace(script + DRAW), wanted)
    for script, wanted in SCRIPTS:
        expect("gl", script + DRAW, wanted)
    expect("c", SOURCE, {"size": [64, 32], "internal_format": "GL_RGB8", "min_filter": "GL_LINEAR"})
    # a texture of another unit; the entry has the values at the draw, and a later change gives no warning
    late = bind(3) + image("GL_RGB", 8, 8) + ON + DRAW + put("MIN_FILTER", "GL_LINEAR")
    run = expect("gl", "glActiveTexture(GL_TEXTURE3);\n" + late, {"name": 3, "size": [8, 8], "internal_format": "GL_RGB"}, 3)
    CHECKS.check("after the last draw" not in run.err and "note" not in run.err, run.err)
    deleted = bind(3) + image("GL_RGB", 8, 8) + put("MIN_FILTER", "GL_LINEAR") + \
        "glDeleteTextures(1, (const GLuint[]){3});\n" + image("GL_RGB", 2, 2) + ON + DRAW
    expect("gl", deleted, {"size": [2, 2], "internal_format": "GL_RGB"})
    # of several draws with the same state, the first one's texture
    both = trace(bind(3) + image("GL_RGB", 8, 8) + ON + DRAW + bind(4) + image("GL_RGB", 2, 2) + DRAW)
    expect("apitrace", both, {"name": 3, "size": [8, 8], "internal_format": "GL_RGB"})
    states, _ = reflected("stages", "{T0*P}\n", ["--name", "sky"])
    CHECKS.check(states and "texture" not in states[0]["samplers"][0], f"stages: {states}")
    CHECKS.finish(f", {len(ROWS) + len(SCRIPTS)} rows")


if __name__ == "__main__":
    sys.exit(main())
