#!/usr/bin/env python3
"""Tests GL state that belongs to neither the vertex half nor the fragment half of a state, from GL calls to
shader pairs: flat shading, point sprites, user clip planes, points, fog distance. Expected values are derived
by hand from OpenGL 2.1 (2.12, 2.14.7, 3.3, 3.10) and NV_fog_distance."""
import json
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool

CHECKS = tool.Checks("raster")
ES, CORE = ["glsl-es", "glsl-es-300"], ["glsl-330", "glsl-450", "glsl-es", "glsl-es-300"]
BUILT_IN = ["glsl", "glsl-110"]
TEXTURE = "glEnable(GL_TEXTURE_2D);\n"
SPRITE = TEXTURE + "glEnable(GL_POINT_SPRITE);\nglTexEnvi(GL_POINT_SPRITE, GL_COORD_REPLACE, GL_TRUE);\n"
LOW = "glPointParameteri(GL_POINT_SPRITE_COORD_ORIGIN, GL_LOWER_LEFT);\n"
PLANES = ("glTranslatef(0, 0, 2);\nglClipPlane(GL_CLIP_PLANE2, (GLdouble[]){0, 0, 1, 5});\n"
          "glEnable(GL_CLIP_PLANE2);\n")
FOG = "glEnable(GL_FOG);\nglFogi(GL_FOG_DISTANCE_MODE_NV, GL_EYE_RADIAL_NV);\n"
AREAS, POINTS = "glDrawArrays(GL_TRIANGLES, 0, 3);\n", "glDrawArrays(GL_POINTS, 0, 3);\n"
UNKNOWN = "glDrawArrays(mode, 0, 3);\n"
FLAT = "glShadeModel(GL_FLAT);\n"
# Calls, languages, and patterns that the vertex and the fragment shader must match ("!": must not match).
ROWS = [
    (FLAT + AREAS, ["glsl-330", "glsl-es-300"], ["flat out vec4 primary_color"], ["flat in vec4 primary_color"]),
    (FLAT + AREAS, ["glsl-450"], [r"flat out vec4 primary_color"], [r"flat in vec4 primary_color"]),
    (FLAT + "glShadeModel(GL_SMOOTH);\n" + AREAS, CORE, ["!flat"], ["!flat"]),
    (FLAT + "glPushAttrib(GL_LIGHTING_BIT);\nglShadeModel(GL_SMOOTH);\nglPopAttrib();\n" + AREAS, ["glsl-330"],
     ["flat out"], ["flat in"]),
    (FLAT + "glPushAttrib(GL_POINT_BIT);\nglShadeModel(GL_SMOOTH);\nglPopAttrib();\n" + AREAS, ["glsl-330"],
     ["!flat"], ["!flat"]),
    (FLAT + POINTS, CORE, ["!flat"], ["!flat"]), # a point has the colour of its one vertex
    (SPRITE + POINTS, CORE, ["!texcoord", "gl_PointSize = (state.)?point_size"], [r"\(texture0, gl_PointCoord\)"]),
    (SPRITE + "glBegin(GL_POINTS);\nglEnd();\n", CORE, ["!texcoord"], [r"\(texture0, gl_PointCoord\)"]),
    (SPRITE + "glBegin(GL_LINES);\nglEnd();\n", CORE, ["texcoord0"], ["!gl_PointCoord"]),
    (SPRITE + AREAS, CORE, ["texcoord0", "!gl_PointSize"], ["!gl_PointCoord"]),
    (SPRITE + "glDisable(GL_POINT_SPRITE);\n" + POINTS, CORE, ["texcoord0", "gl_PointSize"], ["!gl_PointCoord"]),
    (SPRITE + "glActiveTexture(GL_TEXTURE1);\nglEnable(GL_TEXTURE_2D);\n" + POINTS, CORE, ["!texcoord0", "texcoord1"],
     [r"\(texture0, gl_PointCoord\)", "texture1, texcoord1"]),
    (SPRITE + "glPushAttrib(GL_POINT_BIT);\nglTexEnvi(GL_POINT_SPRITE, GL_COORD_REPLACE, 0);\nglPopAttrib();\n"
     + POINTS, ["glsl-330"], [], ["gl_PointCoord"]),
    (SPRITE + "glPushAttrib(GL_TEXTURE_BIT);\nglTexEnvi(GL_POINT_SPRITE, GL_COORD_REPLACE, 0);\nglPopAttrib();\n"
     + POINTS, ["glsl-330"], [], ["!gl_PointCoord"]),
    (SPRITE + "glPushAttrib(GL_ENABLE_BIT);\nglDisable(GL_POINT_SPRITE);\nglPopAttrib();\n" + POINTS, ["glsl-330"],
     [], ["gl_PointCoord"]),
    # With origin LOWER_LEFT t grows upwards. OpenGL's gl_PointCoord follows POINT_SPRITE_COORD_ORIGIN; in ES
    # and Vulkan it does not, so the shader flips it.
    (SPRITE + LOW + POINTS, ES + ["glsl-450"], [],
     [r"vec2 point_coord = vec2\(gl_PointCoord\.x, 1\.0 - gl_PointCoord\.y\)", r"\(texture0, point_coord\)"]),
    (SPRITE + LOW + POINTS, ["glsl-330"], [], [r"\(texture0, gl_PointCoord\)"]),
    (SPRITE + POINTS, BUILT_IN, [r"gl_TexCoord\[0\]", "!gl_PointSize"], ["!gl_PointCoord"]),
    (PLANES + AREAS, BUILT_IN, ["gl_ClipVertex"], []),
    (PLANES + AREAS, ["glsl-330"], [r"gl_ClipDistance\[2\] = dot\(eye_position, clip_plane\[2\]\)"], []),
    (PLANES + AREAS, ["glsl-450"], [r"gl_ClipDistance\[0\] = dot\(eye_position, \w*\.?clip_plane\[2\]\)"], []),
    (PLANES + AREAS, ES, [r"clip_distance2 = dot\(eye_position, clip_plane\[2\]\)"],
     [r"if \(clip_distance2 < 0\.0\)\s+discard"]),
    (PLANES + "glPushAttrib(GL_TRANSFORM_BIT);\nglDisable(GL_CLIP_PLANE2);\nglPopAttrib();\n" + AREAS, ES,
     ["clip_distance2"], ["discard"]),
    (PLANES + "glDisable(GL_CLIP_PLANE2);\n" + AREAS, ES, ["!clip_"], ["!discard"]),
    (FOG + AREAS, CORE, [r"fog_coord = length\(eye_position\.xyz\)"], []),
    (FOG + AREAS, BUILT_IN, [r"gl_FogFragCoord = length\(eye_position\.xyz\)"], []),
    (FOG + "glFogi(GL_FOG_DISTANCE_MODE_NV, GL_EYE_PLANE_ABSOLUTE_NV);\n" + AREAS, CORE,
     [r"fog_coord = abs\(eye_position\.z\)"], []),
    (FOG + "glFogi(GL_FOG_COORDINATE_SOURCE, GL_FOG_COORDINATE);\n" + AREAS, CORE, ["!length"], []),
    ("glPushAttrib(GL_FOG_BIT);\n" + FOG + "glPopAttrib();\nglEnable(GL_FOG);\n" + AREAS, ["glsl-330"], ["!length"], []),
    # FOG_HINT selects how precisely fog is computed, not how its distance is defined (OpenGL 2.1, 5.6)
    ("glEnable(GL_FOG);\nglHint(GL_FOG_HINT, GL_NICEST);\n" + AREAS, CORE, ["!length"], []),
    ("glNewList(1, GL_COMPILE);\n" + SPRITE + "glBegin(GL_POINTS);\nglEnd();\nglEndList();\nglCallList(1);\n", CORE,
     [], ["gl_PointCoord"]),
    ("glPointSize(7);\nglEvalMesh1(GL_POINT, 0, 1);\n", CORE, ["gl_PointSize"], []),
    ("glRecti(0, 0, 1, 1);\n", CORE, ["!gl_PointSize"], []),
    ("glDrawPixels(0, 0, GL_RGB, GL_FLOAT, p);\n", CORE, ["!gl_PointSize"], []),
]
# Calls, languages, stages, exit status, the diagnostic (None: none is printed) and its line.
SAID = [
    (SPRITE + POINTS, CORE, "both", 0, None, 0),
    (FLAT + AREAS, ["glsl-330", "glsl-450", "glsl-es-300"], "both", 0, None, 0),
    (FLAT + AREAS, ["glsl-es"], "both", 0, "warning: glShadeModel gives each polygon", 1),
    (FLAT + AREAS, CORE, "fragment", 0, "warning: glShadeModel gives each polygon", 1),
    (FLAT + POINTS, ["glsl-es"], "both", 0, None, 0), # a point has the colour of its one vertex
    (FLAT + POINTS, CORE, "fragment", 0, None, 0),
    (FLAT + POINTS + AREAS, ["glsl-es"], "both", 0, "warning: glShadeModel gives each polygon", 1),
    (FLAT + UNKNOWN, ["glsl-es"], "both", 0, "warning: glShadeModel gives each polygon", 1),
    (FLAT + "glShadeModel(GL_SMOOTH);\n" + AREAS, ["glsl-es"], "both", 0, None, 0),
    # a script without a draw is drawn at its end
    (FLAT + TEXTURE, ["glsl-es"], "both", 0, "warning: glShadeModel gives each polygon", 1),
    ("glNewList(1, GL_COMPILE);\n" + FLAT + "glEndList();\n" + AREAS, ["glsl-es"], "both", 0, None, 0),
    ("glNewList(1, GL_COMPILE);\n" + FLAT + "glEndList();\nglCallList(1);\n" + AREAS, ["glsl-es"], "both", 0,
     "warning: glShadeModel gives each polygon", 2),
    ("glShadeModel(model);\n" + AREAS, CORE, "both", 0, "warning: glShadeModel gives each polygon", 1),
    (PLANES + AREAS, CORE + BUILT_IN, "both", 0, None, 0),
    (PLANES + AREAS, CORE, "fragment", 0, "warning: A user clip plane is enabled", 3),
    (PLANES + AREAS, ["arbfp"], "both", 3, "user clip planes are enabled", 4),
    (PLANES + AREAS, ["r300"], "both", 3, "user clip planes are enabled", 4),
    (FOG + AREAS, CORE + BUILT_IN, "both", 0, None, 0),
    (FOG + AREAS, ["arbfp"], "both", 3, "fog is of the distance from the eye", 3),
    (FOG + "glFogi(GL_FOG_DISTANCE_MODE_NV, GL_EYE_PLANE);\n" + AREAS, CORE, "both", 3,
     "fog is of another distance", 4),
    (FOG + "glFogi(GL_FOG_DISTANCE_MODE_NV, mode);\n" + AREAS, CORE, "both", 3, "fog is of another distance", 4),
    ("glFogi(GL_FOG_DISTANCE_MODE_NV, GL_LINEAR);\n" + AREAS, CORE, "both", 0, "GL_INVALID_ENUM", 1),
    ("glShadeModel(GL_LINEAR);\n" + AREAS, CORE, "both", 0, "GL_INVALID_ENUM", 1),
    ("glPointSize(4);\n" + POINTS, CORE, "both", 0, None, 0),
    ("glPointSize(4);\n" + AREAS, CORE, "both", 0, None, 0),
    ("glPointSize(4);\n" + POINTS, CORE, "fragment", 0, "warning: glPointSize sets the size", 1),
    # it is unknown whether the draw is of points
    ("glPointSize(4);\n" + UNKNOWN, CORE, "both", 0, "warning: glPointSize sets the size", 1),
    (SPRITE + UNKNOWN, CORE, "both", 0, "warning: GL_COORD_REPLACE replaces", 3),
    (SPRITE, CORE, "both", 0, "warning: GL_COORD_REPLACE replaces", 3),
    (TEXTURE + "glEnable(GL_POINT_SPRITE);\nglTexEnvi(GL_POINT_SPRITE, GL_COORD_REPLACE, on);\n" + POINTS, CORE, "both",
     0, "warning: GL_COORD_REPLACE replaces", 3),
    (SPRITE + "glPointParameteri(GL_POINT_SPRITE_COORD_ORIGIN, origin);\n" + POINTS, ES, "both", 3,
     "where coordinates of point sprites begin", 5),
    (SPRITE + "glPointParameteri(GL_POINT_SPRITE_COORD_ORIGIN, origin);\n" + POINTS, ["glsl-330"], "both", 0, None, 0),
]


def present(text, patterns, what):
    for pattern in patterns:
        wanted = not pattern.startswith("!")
        found = re.search(pattern.lstrip("!"), text) is not None
        CHECKS.check(found == wanted, f"{what}: {pattern}: {text}")


def convert(language, script, *more):
    return tool.Run(["convert", "--from", "gl", "--to", language, "--stage", "both", *more, "-e", script])


def rows():
    for script, languages, vertex, fragment in ROWS:
        for language in languages:
            run = convert(language, script)
            what = f"{language}: {script}"
            texts = re.split(r"// the vertex program ends here.*\n", run.out)
            if CHECKS.check(run.status == 0 and len(texts) == 2 and not run.sanitizer(), f"{what}: {run.err}"):
                present(texts[0], vertex, what)
                present(texts[1], fragment, what)


def said():
    for script, languages, stage, status, text, line in SAID:
        for language in languages:
            run = tool.Run(["convert", "--from", "gl", "--to", language, "--stage", stage, "-e", script])
            lines = [l for l in run.err.splitlines() if re.search(r": (warning|error): |\[beside\]|refused", l)]
            ok = not lines if text is None else any(text in l and f":{line}:" in l for l in lines)
            CHECKS.check(run.status == status and ok, f"{language} --stage {stage}: {script}: {run.status} {run.err}")


def merged():
    """Draws that differ only in flat shading, points or clip planes are several states in languages that can
    express the difference, and one state in others. Traces and scripts agree."""
    calls = [("", "mode = GL_TRIANGLES"), ("glShadeModel(mode = GL_FLAT)", "mode = GL_TRIANGLES"),
             ("glShadeModel(mode = GL_SMOOTH)", "mode = GL_POINTS"),
             ("glEnable(cap = GL_CLIP_PLANE1)", "mode = GL_TRIANGLES"), ("", "mode = GL_TRIANGLES"),
             ("glDisable(cap = GL_CLIP_PLANE1)", "mode = GL_TRIANGLES")]
    trace, script = "", ""
    for call, mode in calls:
        for text in (call, f"glDrawArrays({mode}, first = 0, count = 3)"):
            trace += f"{trace.count(chr(10)) + 1} {text}\n" if text else ""
            script += re.sub(r"\w+ = ", "", text) + ";\n" if text else ""
    for drawn in ("glBegin(GL_LINES);\nglEnd();\nglBegin(GL_POINTS);\nglEnd();\nglDrawArrays(GL_POINTS, 0, 1);\n",
                  "glDrawArrays(GL_LINES, 0, 2);\nglDrawArrays(GL_POINTS, 0, 1);\n"):
        run = convert("glsl-330", f"glNewList(1, GL_COMPILE);\n{drawn}glEndList();\n{SPRITE}glCallList(1);\n")
        CHECKS.check(len(re.findall("gl_PointCoord", run.out)) == 1 and run.out.count("vertex program ends") == 2,
                     f"a list of lines and points: {run.out}")
    for language, states in (("glsl-330", 4), ("glsl-es", 3), ("glsl", 2)):
        run = tool.Run(["convert", "-q", "--from", "apitrace", "--to", language, "--stage", "both", "-e", trace])
        CHECKS.check(run.out.count("// the vertex program ends") == states, f"{language}: not {states}: {run.out}")
        with tempfile.TemporaryDirectory() as folder:
            run = convert(language, script, "-q", "-o", folder + "/")
            texts = {open(os.path.join(folder, name), encoding="utf-8").read()
                     for name in os.listdir(folder) if "vert" in name}
            CHECKS.check(len(texts) == states, f"{language}: {len(texts)} texts, not {states}: {run.err}")


def carried():
    """Values of clip planes and point sizes in --reflect; --embed and --page support clip planes."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "uniforms.json")
        # A plane (a, b, c, d) times the inverse of a translation by (0, 0, 2) has d - 2 c as its last
        # component.
        run = convert("glsl-330", "glPointSize(5);\n" + PLANES + POINTS, "--reflect", path, "-o", folder + "/")
        if CHECKS.check(run.status == 0, run.err):
            with open(path, encoding="utf-8") as f:
                state = json.load(f)[0]
            CHECKS.check(state["values"].get("clip_plane") == {"2": [0, 0, 1, 3]}, f"{state['values']}")
            CHECKS.check(state["values"].get("point") == {"size": 5}, f"{state['values']}")
            value = {u["name"]: u.get("value") for u in state["uniforms"]}
            CHECKS.check(value.get("clip_plane[2]") == [0, 0, 1, 3] and value.get("point_size") == 5, f"{value}")
        for language, *how in (("glsl-330", "--embed"), ("webgl", "--embed"), ("webgl", "--page", path)):
            run = tool.Run(["convert", "--from", "gl", "--to", language, *how, "-e", PLANES + AREAS])
            CHECKS.check(run.status == 0 and "refused" not in run.err, f"{how}: {run.status} {run.err}")
        # a page draws states that were recorded from points as points
        run = tool.Run(["convert", "--from", "gl", "--to", "webgl", "--page", path, "-e", SPRITE + POINTS + AREAS])
        with open(path, encoding="utf-8") as f:
            page = f.read()
        CHECKS.check(re.findall("^ +points: (true|false),$", page, re.M) == ["true", "false"]
                     and "state.pair.points ? gl.POINTS" in page, f"--page of points: {run.status} {run.err}")


def main():
    rows()
    said()
    merged()
    carried()
    CHECKS.finish(f", {len(ROWS)} rows")


if __name__ == "__main__":
    main()
