#!/usr/bin/env python3
"""Tests the vertex half that scripts, traces, C source and stages have at each draw, as the OpenGL 2.1
specification defines it (sections 2.11, 2.14, 3.3, 3.9, 3.10, 6.1.15; notes/formats/gl.md,
notes/formats/stages.md, notes/formats/vertex.md); that both of its texts read back; and refusals with their
places. usage: vertex_readers.py"""
import json
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool

DRAW = "glDrawArrays(GL_TRIANGLES, 0, 3);\n"
LIT = "glEnable(GL_LIGHTING);\nglEnable(GL_LIGHT0);\n"
AT = "glLightfv(GL_LIGHT0, GL_POSITION, (GLfloat[]){%s});\n"
GEN = "glEnable(GL_TEXTURE_2D);\nglEnable(GL_TEXTURE_GEN_%s);\n"
TEX = "glEnable(GL_TEXTURE_2D);\nglMatrixMode(GL_TEXTURE);\n"
LOAD = "glLoadMatrixf((GLfloat[]){1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,%s1});\n"
W_OF_X = "glLoadMatrixf((GLfloat[]){1,0,0,2, 0,1,0,0, 0,0,1,0, 0,0,0,1});\n"
REFUSED = "refused"
PROJECTIVE = REFUSED + " the modelview matrix is projective"
UNKNOWN = REFUSED + " the fourth row of the modelview matrix is not known"

# name, script, the words of each draw
SCRIPTS = [
    ("initial", DRAW, [""]),
    ("light-off", LIT + DRAW + "glDisable(GL_LIGHT0);\n" + DRAW + "glDisable(GL_LIGHTING);\n" + DRAW,
     ["lighting light0", "lighting", ""]),
    ("integers", LIT + "glLightiv(GL_LIGHT0, GL_POSITION, (int[]){0, 0, 0, 1});\n"
     "glLighti(GL_LIGHT0, GL_SPOT_CUTOFF, 30);\nglLighti(GL_LIGHT0, GL_QUADRATIC_ATTENUATION, 2);\n" + DRAW,
     ["lighting light0=positional+spot+attenuated"]),
    ("direction", LIT + AT % "1, 2, 3, 0" + "glLightf(GL_LIGHT0, GL_LINEAR_ATTENUATION, 1);\n" + DRAW,
     ["lighting light0"]),
    ("declared", LIT + "glLightfv(GL_LIGHT0, GL_POSITION, (GLfloat[4]){1});\n" + DRAW, ["lighting light0"]),
    ("lookat", LIT + "gluLookAt(x, y, z, 0, 0, 0, 0, 1, 0);\nglRotatef(angle, 0, 0, 1);\n" + AT % "0, 0, 1, 0"
     + DRAW, ["lighting light0"]),
    ("perspective", LIT + "gluPerspective(60, 1, 1, 9);\n" + AT % "0, 0, 1, 0" + DRAW + LOAD % "" + DRAW,
     [PROJECTIVE, "lighting light0=positional"]),
    ("projection", LIT + "glMatrixMode(GL_PROJECTION);\nglFrustum(-1, 1, -1, 1, 1, 9);\n" + AT % "0, 0, 1, 0"
     + DRAW, ["lighting light0"]),
    ("w-by-matrix", LIT + W_OF_X + AT % "1, 0, 0, 0" + LOAD % "" + DRAW + W_OF_X + AT % "0, 1, 0, 0" + LOAD % "" + DRAW
     + W_OF_X + AT % "1, 0, 0, -2" + LOAD % "" + DRAW,
     ["lighting light0=positional", "lighting light0", "lighting light0"]),
    ("transposed", LIT + "glLoadTransposeMatrixf((GLfloat[]){1,0,0,0, 0,1,0,0, 0,0,1,0, 2,0,0,1});\n"
     + AT % "1, 0, 0, 0" + LOAD % "" + DRAW, ["lighting light0=positional"]),
    ("push", LIT + "glPushMatrix();\nglFrustum(-1, 1, -1, 1, 1, 9);\nglPopMatrix();\n" + AT % "0, 0, 1, 0" + DRAW,
     ["lighting light0"]),
    ("model", LIT + "glLightModeli(GL_LIGHT_MODEL_TWO_SIDE, 1);\nglLightModelf(GL_LIGHT_MODEL_LOCAL_VIEWER, 1);\n"
     "glLightModeliv(GL_LIGHT_MODEL_COLOR_CONTROL, (int[]){GL_SEPARATE_SPECULAR_COLOR});\n" + DRAW,
     ["lighting two-side local-viewer separate-specular light0"]),
    ("ambient", LIT + "glLightModelfv(GL_LIGHT_MODEL_AMBIENT, ambient);\nglMaterialfv(GL_FRONT, GL_DIFFUSE, d);\n"
     "glLightfv(GL_LIGHT0, GL_AMBIENT, a);\nglLightf(GL_LIGHT0, GL_SPOT_EXPONENT, e);\n" + DRAW,
     ["lighting light0"]),
    ("material", LIT + "glColorMaterial(GL_BACK, GL_EMISSION);\nglEnable(GL_COLOR_MATERIAL);\n" + DRAW
     + "glLightModeli(GL_LIGHT_MODEL_TWO_SIDE, GL_TRUE);\n" + DRAW,
     ["lighting light0", "lighting two-side light0 color-material.back=emission"]),
    ("texgen", GEN % "S" + DRAW + "glTexGeni(GL_S, GL_TEXTURE_GEN_MODE, GL_SPHERE_MAP);\n" + DRAW
     + "glTexGend(GL_S, GL_TEXTURE_GEN_MODE, GL_REFLECTION_MAP_EXT);\n" + DRAW,
     ["texgen0.s=eye", "texgen0.s=sphere", "texgen0.s=reflection"]),
    ("planes", GEN % "T" + "glTexGenfv(GL_T, GL_OBJECT_PLANE, plane);\n"
     "glTexGeniv(GL_T, GL_TEXTURE_GEN_MODE, (int[]){GL_OBJECT_LINEAR});\n" + DRAW, ["texgen0.t=object"]),
    ("unit", "glActiveTexture(GL_TEXTURE1);\n" + GEN % "S" + "glActiveTexture(GL_TEXTURE0);\n" + DRAW,
     ["texgen1.s=eye"]),
    ("not-read", "glEnable(GL_TEXTURE_GEN_S);\nglMatrixMode(GL_TEXTURE);\nglScalef(2, 2, 2);\n" + DRAW, [""]),
    ("r-of-2d", GEN % "R" + DRAW, [""]),
    ("matrix", TEX + DRAW + "glTranslatef(0, 0, 0);\nglScaled(1, 1, 1);\nglRotatef(0, 0, 0, 1);\n" + DRAW
     + "glTranslatef(0.5, 0, 0);\n" + DRAW + "glLoadIdentity();\n" + DRAW, ["", "", "matrix0", ""]),
    ("matrix-values", TEX + "glLoadMatrixd((GLdouble[]){1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1});\n" + DRAW
     + "glMultMatrixf(m);\n" + DRAW, ["", "matrix0"]),
    ("matrix-stack", TEX + "glPushMatrix();\nglScalef(2, 1, 1);\n" + DRAW + "glPopMatrix();\n" + DRAW,
     ["matrix0", ""]),
    ("normals", LIT + "glEnable(GL_RESCALE_NORMAL_EXT);\n" + DRAW + "glEnable(GL_NORMALIZE);\n" + DRAW,
     ["lighting rescale light0", "lighting normalize light0"]),
    ("points", "glPointParameterfvARB(GL_POINT_DISTANCE_ATTENUATION_ARB, (float[]){0, 0, 1});\n" + DRAW,
     ["point-attenuation"]),
    ("attrib", "glPushAttrib(GL_LIGHTING_BIT);\n" + LIT + DRAW + "glPopAttrib();\n" + DRAW,
     ["lighting light0", ""]),
    ("attrib-position", LIT + "glPushAttrib(GL_LIGHTING_BIT);\n" + AT % "0, 0, 0, 1" + DRAW + "glPopAttrib();\n"
     + DRAW, ["lighting light0=positional", "lighting light0"]),
    ("list", "glNewList(1, GL_COMPILE);\n" + LIT + AT % "0, 0, 0, 1" + "glEndList();\n" + DRAW
     + "glCallList(1);\n" + DRAW, ["", "lighting light0=positional"]),
    ("list-draws", GEN % "S" + "glNewList(1, GL_COMPILE);\n" + DRAW
     + "glTexGeni(GL_S, GL_TEXTURE_GEN_MODE, GL_OBJECT_LINEAR);\n" + DRAW + "glEndList();\nglCallList(1);\n",
     ["texgen0.s=eye", "texgen0.s=object"]),
    ("between", "glBegin(GL_LINES);\nglMaterialf(GL_FRONT, GL_SHININESS, 5);\nglEnd();\n" + LIT + DRAW,
     ["", "lighting light0"]),
    # an unknown value is refused only if it makes a difference
    ("variable", LIT + "glLightfv(GL_LIGHT0, GL_POSITION, pos);\n" + DRAW + "glDisable(GL_LIGHT0);\n" + DRAW,
     [REFUSED + " whether a light is directional", "lighting"]),
    ("variable-w", LIT + AT % "x, y, z, 0" + DRAW + AT % "x, y, z, w" + DRAW,
     ["lighting light0", REFUSED + " whether a light"]),
    ("variable-cutoff", LIT + "glLightf(GL_LIGHT0, GL_SPOT_CUTOFF, c);\n" + DRAW, [REFUSED + " the cutoff"]),
    ("variable-attenuation", LIT + AT % "0, 0, 0, 1" + "glLightf(GL_LIGHT0, GL_LINEAR_ATTENUATION, k);\n" + DRAW,
     ["lighting light0=positional+attenuated"]),  # generated programs treat all attenuation parameters alike
    ("variable-mode", GEN % "S" + "glTexGeni(GL_S, GL_TEXTURE_GEN_MODE, mode);\n" + DRAW,
     [REFUSED + " a mode of texture"]),
    ("variable-light", LIT + "glLightf(light, GL_SPOT_CUTOFF, 5);\n" + DRAW,
     [REFUSED + " what glLightf does at line 3"]),
    ("variable-matrix-mode", "glMatrixMode(mode);\n" + DRAW, [REFUSED + " what glMatrixMode does at line 1"]),
    ("wrapped", LIT + "qglLightf(GL_LIGHT0, GL_SPOT_CUTOFF, 5);\n" + DRAW,
     [REFUSED + " what glLightf does at line 3"]),
    ("inside", LIT + "x = (glPushMatrix(), 1);\n" + DRAW, [REFUSED + " what glPushMatrix does at line 3"]),
    ("clip-plane", "glClipPlane(GL_CLIP_PLANE0, p);\nglEnable(GL_CLIP_PLANE0);\n" + DRAW
     + "glDisable(GL_CLIP_PLANE0);\n" + DRAW, [REFUSED + " user clip planes", ""]),
    ("vertex-program", "glEnable(GL_VERTEX_PROGRAM_ARB);\n" + DRAW, [REFUSED + " a vertex program"]),
    # the fourth row of the modelview matrix matters only if the state reads something that depends on it
    ("row-not-read", "gluPerspective(60, 1, 1, 9);\n" + DRAW + "glEnable(GL_LIGHTING);\n" + DRAW
     + GEN % "S" + DRAW, ["", "lighting", "lighting texgen0.s=eye"]),
    ("row-of-texgen", GEN % "S" + "glMultMatrixf(m);\n" + DRAW + "".join(
        "glTexGeni(GL_S, GL_TEXTURE_GEN_MODE, %s);\n" % mode + DRAW
        for mode in ("GL_OBJECT_LINEAR", "GL_SPHERE_MAP", "GL_REFLECTION_MAP", "GL_NORMAL_MAP")),
     ["texgen0.s=eye", "texgen0.s=object", UNKNOWN, UNKNOWN, UNKNOWN]),
    ("row-shadow", LIT + "glPushMatrix();\nglMultMatrixf((GLfloat[]){5,0,0,0, -1,0,-2,-1, 0,0,5,0, 0,0,0,5});\n"
     + DRAW + "glDisable(GL_LIGHTING);\n" + DRAW + "glPopMatrix();\nglEnable(GL_LIGHTING);\n" + DRAW,
     [PROJECTIVE, "", "lighting light0"]),
    ("row-turned", LIT + "glMultTransposeMatrixd((GLdouble[]){1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,-1});\n" + DRAW
     + "glLightModeli(GL_LIGHT_MODEL_LOCAL_VIEWER, 1);\n" + DRAW + "glLightModeli(GL_LIGHT_MODEL_LOCAL_VIEWER, 0);\n"
     + AT % "0, 0, 0, 1" + DRAW, ["lighting light0", REFUSED + " w of eye coordinates is negative",
                                  REFUSED + " w of eye coordinates is not 1"]),
    ("row-of-points", LOAD % "2" + "glPointParameterfv(GL_POINT_DISTANCE_ATTENUATION, (float[]){1, 0, 1});\n" + DRAW
     + LOAD % "" + DRAW, [REFUSED + " w of eye coordinates is not 1", "point-attenuation"]),
    ("row-not-known", LIT + "glLoadMatrixf(m);\n" + DRAW + "glLoadIdentity();\nglTranslatef(x, y, z);\n" + DRAW,
     [UNKNOWN, "lighting light0"]),
    ("row-in-list", "glNewList(1, GL_COMPILE);\ngluPerspective(60, 1, 1, 9);\nglEndList();\n" + LIT + DRAW
     + "glCallList(1);\n" + DRAW, ["lighting light0", PROJECTIVE]),
    ("projective-light", LIT + "gluPerspective(60, 1, 1, 9);\nglRotatef(30, 1, 0, 0);\n" + AT % "0, 0, 1, 0"
     + DRAW, [PROJECTIVE]),
    ("unknown-light", LIT + "gluPerspective(60, 1, 1, 9);\nglRotatef(angle, 1, 0, 0);\n" + AT % "0, 0, 1, 0"
     + DRAW, [REFUSED + " whether a light"]),
]

# GL errors: script, line of the warning, message; an error leaves the state unchanged, so its words are empty
ERRORS = [
    ("glLightf(GL_LIGHT0, GL_SPOT_CUTOFF, 91);", "GL_INVALID_VALUE: 91 is no value of GL_SPOT_CUTOFF"),
    ("glLightf(GL_LIGHT0, GL_LINEAR_ATTENUATION, -1);", "GL_INVALID_VALUE: -1 is no value of GL_LINEAR_ATT"),
    ("glLightf(GL_LIGHT0, GL_POSITION, 1);", "GL_INVALID_ENUM"),
    ("glLightf(GL_TEXTURE0, GL_SPOT_CUTOFF, 9);", "GL_INVALID_ENUM"),
    ("glLightModelf(GL_LIGHT_MODEL_AMBIENT, 1);", "GL_INVALID_ENUM"),
    ("glColorMaterial(GL_FRONT, GL_SHININESS);", "GL_INVALID_ENUM: glColorMaterial has no such parameters as "
     "GL_FRONT and GL_SHININESS"),
    ("glMaterialf(GL_FRONT, GL_SHININESS, 129);", "GL_INVALID_VALUE: 129 is no value of GL_SHININESS"),
    ("glTexGeni(GL_R, GL_TEXTURE_GEN_MODE, GL_SPHERE_MAP);", "GL_INVALID_ENUM: GL_SPHERE_MAP is no value of"),
    ("glTexGeni(GL_TEXTURE, GL_TEXTURE_GEN_MODE, GL_EYE_LINEAR);", "GL_INVALID_ENUM"),
    ("glTexGenf(GL_S, GL_EYE_PLANE, 1);", "GL_INVALID_ENUM"),
    ("glMatrixMode(GL_LIGHT0);", "GL_INVALID_ENUM: GL_LIGHT0 is no value of glMatrixMode"),
    ("glPopMatrix();", "GL_STACK_UNDERFLOW"),
    ("glPushMatrix();\n" * 32, "GL_STACK_OVERFLOW"),
    ("glPointParameterf(GL_POINT_SIZE_MIN, -1);", "GL_INVALID_VALUE"),
    ("glPointParameterf(GL_POINT_DISTANCE_ATTENUATION, 1);", "GL_INVALID_ENUM"),
    ("glActiveTexture(GL_TEXTURE9); glEnable(GL_TEXTURE_GEN_S);", "GL_INVALID_OPERATION: glEnable: the active "
     "unit GL_TEXTURE9 has no texture coordinates"),
    ("glActiveTexture(GL_TEXTURE9); glMatrixMode(GL_TEXTURE); glLoadIdentity();", "GL_INVALID_OPERATION"),
    ("glBegin(GL_LINES); glRotatef(1, 0, 0, 1); glEnd();", "GL_INVALID_OPERATION: glRotatef between glBegin"),
    ("glBegin(GL_LINES); glLightf(GL_LIGHT0, GL_SPOT_CUTOFF, 9); glEnd();", "GL_INVALID_OPERATION"),
]

# Bad input: form, text, line, column, message
BAD = [
    ("stages", "{T0} vertex", 1, 12, "expected `\\(` and words"),
    ("stages", "{T0} vertex(lit)", 1, 13, "expected a word of vertex states"),
    ("stages", "{T0} vertex(lighting\n light8)", 2, 7, "a number from 0 to 7"),
    ("stages", "{T0} vertex(lighting # light8)\n)x", 2, 2, "unknown setting `x`"),
    ("stages", "{T0} vertex(lighting", 1, 21, "expected `\\)`"),
    ("stages", "{T0} vertex(lighting) vertex()", 1, 23, "vertex is given twice"),
    ("stages", "{T0} vertex(fog-coord)", 1, 6, "fog=MODE:coord"),
    ("stages", "{T0} vertex(lighting color-material=ambient+specular)", 1, 6, "glColorMaterial has one mode"),
    ("stages", "{T0} vertex(lighting two-side color-material.front=ambient color-material.back=diffuse)", 1, 6,
     "glColorMaterial has one mode"),
    ("stages", "{T0} vertex(reads=color)", 1, 13, "expected a word of vertex states"),
    ("stages", "vertex(lighting) {T0}", 1, 1, "begins with a stage"),
    ("gl", "glLightf(GL_LIGHT0, GL_SPOT_CUTOFF);", 1, 1, "takes 3 arguments, 2 given"),
    ("gl", "glLightfv(GL_LIGHT0, GL_POSITION, (GLfloat[]){1, 2, 3});", 1, 46, "has 3 values, 4 are needed"),
    ("gl", "glPointParameterfv(GL_POINT_DISTANCE_ATTENUATION, (float[]){1});", 1, 60, "1 values, 3 are needed"),
    ("gl", "glTexGeni(GL_S, GL_TEXTURE_GEN_MODE GL_EYE_LINEAR);", 1, 37, "expected ',' or '\\)'"),
    ("gl", "glPushMatrix()", 1, 1, "expected ';'"),
    ("apitrace", "1 glLightfv(light = GL_LIGHT0, pname = GL_POSITION)", 1, 3, "its argument 'params' is missing"),
    ("apitrace", "1 glLightfv(light = GL_LIGHT0, pname = GL_POSITION, params = {1, 2})", 1, 3, "2 values"),
]


def words_of(text):
    """Returns the words of each state in a text of stages; '' for a state without words."""
    return [(re.search(r" vertex\((.*)\)$", line) or [0, ""])[1] for line in text.split("\n")
            if line.startswith("{")]


def scripts(checks, folder):
    for name, script, expected in SCRIPTS:
        run = tool.Run(["convert", "--from", "gl", "--to", "stages", "-e", script])
        checks.check(run.status == 0 and not run.sanitizer(), f"{name}: {run.err}")
        found = words_of(run.out)
        reasons = re.findall(r"the vertex half is left out: (.*?)(?: \[vertex\])?$", run.err, re.M)
        for n, words in enumerate(expected):
            if words.startswith(REFUSED):
                reason = reasons.pop(0) if reasons else "none"
                checks.check(reason.startswith(words[len(REFUSED) + 1:]), f"{name}: refused for {reason}")
                expected[n] = ""
        checks.check(found == expected and not reasons, f"{name}: {found}, not {expected}; {reasons}")
        both_texts(checks, name, run.out)


def both_texts(checks, name, stages):
    """stages -> gl -> stages and stages -> stages are the identity."""
    gl = tool.Run(["convert", "-q", "--from", "stages", "--to", "gl", "-e", stages])
    for form, text in (("gl", gl.out), ("stages", stages)):
        run = tool.Run(["convert", "-q", "--from", form, "--to", "stages", "-e", text])
        old, new = ([line for line in t.split("\n") if line.startswith("{")] for t in (stages, run.out))
        checks.check(run.status == 0 and old == new, f"{name}: by {form}: {new}, not {old}\n{run.err}")


def errors(checks):
    for line, says in ERRORS:
        script = LIT + AT % "0, 0, 0, 1" + line + "\n" + DRAW
        run = tool.Run(["convert", "--to", "stages", "-e", script])
        warning = re.search(r"^<text>:(\d+):\d+: warning: (.*)$", run.err, re.M)
        checks.check(run.status == 0 and warning and warning[2].startswith(says) and int(warning[1]) >= 4,
                     f"{line}: {run.err}")
        checks.check(words_of(run.out)[-1] == "lighting light0=positional", f"{line}: {run.out}")


def bad(checks, folder):
    out = os.path.join(folder, "out")
    for form, text, line, column, says in BAD:
        for to in ("stages", "atifs"):
            run = tool.Run(["convert", "--from", form, "--to", to, "-o", out, "-e", text])
            error = re.search(r"^<text>:(\d+):(\d+): error: (.*)$", run.err, re.M)
            checks.check(run.status == 1 and not run.out and not os.path.exists(out), f"{text}: {run.status}")
            there = error and (int(error[1]), int(error[2])) == (line, column)
            checks.check(there and re.search(says, error[3]),
                         f"{text}: not {line}:{column} {says}: {run.err}")


def traces(checks):
    """Draws that differ only in their vertex half are two states if the form contains vertex halves, else
    one."""
    trace = "".join(f"{n} {call}\n" for n, call in enumerate([
        "glEnable(cap = GL_TEXTURE_2D)", "glDrawArrays(mode = GL_TRIANGLES, first = 0, count = 3)",
        "glMatrixMode(mode = GL_TEXTURE)", "glLoadMatrixf(m = {2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1})",
        "glDrawArrays(mode = GL_TRIANGLES, first = 0, count = 3)", "glEnable(cap = GL_CLIP_PLANE3)",
        "glDrawArrays(mode = GL_TRIANGLES, first = 0, count = 3)", "glDisable(cap = GL_CLIP_PLANE3)",
        "glLightfv(light = GL_LIGHT0, pname = GL_POSITION, params = blob(16))", "glEnable(cap = GL_LIGHTING)",
        "glEnable(cap = GL_LIGHT0)", "glDrawArrays(mode = GL_TRIANGLES, first = 0, count = 3)",
        "glLightfv(light = GL_LIGHT0, pname = GL_POSITION, params = {0, 0, 0, 1})",
        "glMultMatrixd(m = NULL)", "glDrawArrays(mode = GL_TRIANGLES, first = 0, count = 3)",
        "glLoadIdentity()", "glLightModelfv(pname = GL_LIGHT_MODEL_TWO_SIDE, params = 1)",
        "glDrawArrays(mode = GL_TRIANGLES, first = 0, count = 3)"], 1))
    run = tool.Run(["convert", "--from", "apitrace", "--to", "stages", "-e", trace])
    checks.check(words_of(run.out) == ["", "matrix0", "", "", "lighting light0=positional matrix0",
                                       "lighting two-side light0=positional"], f"trace: {run.out}")
    checks.check(run.err.count("left out") == 2, f"trace: {run.err}")
    run = tool.Run(["convert", "-q", "--from", "apitrace", "--to", "atifs", "-e", trace])
    checks.check(run.out.count("!!ATIfs1.0") == 1 and "# state" not in run.out, f"trace to atifs: {run.out}")


def others(checks, folder):
    """JSON contains the vertex half in its stages; C source gives its values; forms without vertex halves are
    unchanged."""
    script = LIT + GEN % "S" + DRAW
    run = tool.Run(["convert", "-q", "--to", "json", "-e", script])
    checks.check(json.loads(run.out)[0]["stages"] == "{modulate} vertex(lighting light0 texgen0.s=eye)", run.out)
    run = tool.Run(["convert", "-q", "--to", "json", "-e", LIT + "glEnable(GL_CLIP_PLANE1);\n" + DRAW])
    state = json.loads(run.out)[0]
    checks.check(state["stages"] == "{}" and state["vertex_refused"].startswith("user clip planes"), run.out)
    run = tool.Run(["convert", "-q", "--to", "stages", "-e", "{T0*P} colorsum vertex(lighting light2)"])
    checks.check(run.out == "{T0*P} colorsum vertex(lighting separate-specular light2)\n", run.out)
    run = tool.Run(["convert", "-q", "--to", "stages", "-e", "{replace} vertex(lighting light2)"])
    checks.check(run.out == "{replace}\n", f"the colour is not read: {run.out}")
    path = os.path.join(folder, "setup.c")
    with open(path, "w", encoding="utf-8") as f:
        f.write("#include <GL/gl.h>\nvoid setup(int lit) {\n static const float pos[4] = {1, 2, 3, 1};\n"
                " glEnable(GL_LIGHTING);\n for (int i = 0; i < 2; i++) {\n  glEnable(GL_LIGHT0 + i);\n"
                "  glLightfv(GL_LIGHT0 + i, GL_POSITION, pos);\n }\n if (lit) glColorMaterial(GL_FRONT, "
                "GL_SPECULAR);\n glEnable(GL_COLOR_MATERIAL);\n glDrawArrays(GL_TRIANGLES, 0, 3);\n}\n")
    run = tool.Run(["convert", "-q", "--from", "c", "--to", "stages", path])
    lights = "lighting light0=positional light1=positional color-material.front="
    checks.check(sorted(words_of(run.out)) == [lights + "ambient+diffuse", lights + "specular"],
                 f"C: {run.out}{run.err}")


# Words of a state with one texture multiplied by the colour; the lines of explain; the notes of lint.
TOLD = [
    ("", [], []),
    ("lighting light2=positional+attenuated light5",
     ["The vertex half: lighting light2=positional+attenuated light5",
      "primary colour: emission + ambient light of the scene + ambient, diffuse and specular light of light2 "
      "(positional, attenuated), light5"], []),
    ("lighting two-side local-viewer separate-specular light0=spot color-material.back=specular",
     ["primary colour: emission + ambient light of the scene + ambient and diffuse light of light0 (spot)",
      "secondary colour: specular light of these, seen from the eye's place",
      "back sides have colours of their own, with -n and the back material",
      "the back material's specular follow the vertex's colour"], []),
    ("lighting color-material.front=ambient+diffuse",
     ["primary colour: emission + ambient light of the scene",
      "the front material's ambient and diffuse follow the vertex's colour"], ["lighting without a light"]),
    ("normalize texgen0.s=sphere texgen0.tq=object matrix0",
     ["normals are normalised", "coordinates 0: t, q object; s sphere, then times texture matrix 0"], []),
    ("rescale texgen0.st=normal", ["normals are rescaled", "coordinates 0: s, t normal"], []),
    ("matrix0 texgen3=eye matrix3", ["coordinates 0: times texture matrix 0",
                                    "dropped, since nothing reads it: texgen3.strq=eye matrix3"],
     ["nothing reads this of the vertex half: texgen3.strq=eye matrix3"]),
    ("texgen1=eye", ["The vertex half: as in the initial state", "dropped, since nothing reads it: texgen1.strq=eye"],
     ["nothing reads this of the vertex half: texgen1.strq=eye"]),
    ("point-attenuation", ["points are smaller the farther away they are"], []),
]


def told(checks):
    """Tests explain and lint, also for settings that the state does not read, and for a draw without a vertex
    half."""
    for words, lines, notes in TOLD:
        state = "{T0*P @3d}" + (" colorsum" if "specular" in words else "") + (f" vertex({words})" if words else "")
        run = tool.Run(["explain", "-e", state])
        begin = run.out.find("\n  The vertex half")
        part = run.out[begin:run.out.find("\n\n", begin + 1)] if begin >= 0 else ""
        checks.check(run.status == 0 and not run.sanitizer() and bool(part) == bool(lines), f"{words}: {run.out}")
        for line in lines:
            checks.check(f"  {line}\n" in part + "\n", f"explain {words}: not '{line}' in {part}")
        run = tool.Run(["lint", "-e", state])
        found = re.findall(r"note: ((?:nothing reads this|lighting without).*) \[", run.err)
        checks.check(run.status == 0 and len(found) == len(notes) and
                     all(a.startswith(b) for a, b in zip(found, notes)), f"lint {words}: {run.err}")
    unread = "{replace} vertex(lighting light0 texgen0.r=eye normalize)"
    run = tool.Run(["explain", "-e", unread])
    checks.check("nothing reads it: lighting light0 texgen0.r=eye\n" in run.out, run.out)
    for command, stream in (("explain", "out"), ("lint", "err")):
        run = tool.Run([command, "-e", "glEnable(GL_CLIP_PLANE1);\n" + DRAW])
        text = getattr(run, stream)
        checks.check(run.status == 0 and "vertex half is left out: user clip planes" in text, f"{command}: {text}")


def values(checks, folder):
    """GL's values as --reflect prints them, for this script and for the `value` of a pair; expected values
    are derived by hand."""
    path = os.path.join(folder, "values.json")
    script = ("glTranslatef(0, 0, -5);\n" + AT % "1, 2, 3, 1" + "glLightfv(GL_LIGHT1, GL_DIFFUSE, colour);\n"
              "glMaterialiv(GL_FRONT, GL_SPECULAR, (GLint[]){" + ", ".join(["2147483647"] * 4) + "});\n"
              "glFogf(GL_FOG_DENSITY, 2);\nglEnable(GL_FOG);\n"
              "glTexGenfv(GL_S, GL_EYE_PLANE, (GLfloat[]){0, 0, 1, 0});\n" + DRAW)
    want = {"modelview": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, -5, 1],
            "light": {"0": {"position": [1, 2, -2, 1]}, "1": {"diffuse": None}},
            "front": {"specular": [1, 1, 1, 1]}, "eye_plane": {"0": {"s": [0, 0, 1, 5]}}, "fog": {"density": 2}}
    run = tool.Run(["convert", "-q", "--from", "gl", "--to", "glsl-330", "--stage", "both", "--reflect", path, "-o",
                    os.path.join(folder, "out"), "-e", script])
    if checks.check(run.status == 0, run.err):
        with open(path, encoding="utf-8") as f:
            found = json.load(f)[0]
        checks.check(found["values"] == want, f"values: {found['values']}, not {want}")
        density = [u.get("value") for u in found["uniforms"] if u["is"] == "GL_FOG_DENSITY"]
        checks.check(density == [2], f"value of the density: {density}")


def main():
    checks = tool.Checks("vertex_readers")
    with tempfile.TemporaryDirectory() as folder:
        scripts(checks, folder)
        errors(checks)
        bad(checks, folder)
        traces(checks)
        others(checks, folder)
        told(checks)
        values(checks, folder)
    checks.finish(f", {len(SCRIPTS)} scripts, {len(ERRORS)} errors of GL, {len(BAD)} bad inputs")


if __name__ == "__main__":
    main()
