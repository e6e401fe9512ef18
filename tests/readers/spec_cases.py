#!/usr/bin/env python3
"""Tests single rules of the specifications, one in each case. usage: spec_cases.py

The comment of a case names the rule that its expected result follows from: a section of the OpenGL 2.1
specification, an extension, or a page of notes/. """
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool

from oracle.atifs import atifs_lint, atifs_text  # noqa: E402

ENV = "glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, "
IMAGE = "glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);"
DRAW = "glDrawArrays(GL_TRIANGLES, 0, 3);"

# Name, script, states in stage notation.
SCRIPTS = [
    # ACTIVE_TEXTURE is in the attribute group "texture" (table 6.19): PopAttrib(TEXTURE_BIT) restores it, so
    # unit 1 is enabled.
    ("pop-active-unit", "glActiveTexture(GL_TEXTURE1); glPushAttrib(GL_TEXTURE_BIT); "
                        "glActiveTexture(GL_TEXTURE0); glPopAttrib();"
                        "glEnable(GL_TEXTURE_2D);" + DRAW, ["{} {modulate}"]),
    # ACTIVE_TEXTURE is in no other group: after PopAttrib(ENABLE_BIT) unit 0 stays active.
    ("pop-enable-active", "glActiveTexture(GL_TEXTURE1); glPushAttrib(GL_ENABLE_BIT); "
                          "glActiveTexture(GL_TEXTURE0); glPopAttrib();"
                          "glEnable(GL_TEXTURE_2D);" + DRAW, ["{modulate}"]),
    # TEXTURE_2D belongs to the attribute groups "texture" and "enable", TEXTURE_ENV_MODE only to "texture"
    # (tables 6.16, 6.20): PopAttrib(ENABLE_BIT) restores the enable, but not the mode.
    ("pop-enable-only", "glEnable(GL_TEXTURE_2D); glPushAttrib(GL_ENABLE_BIT);" + ENV
     + "GL_REPLACE); glDisable(GL_TEXTURE_2D);"
                        "glPopAttrib();" + DRAW, ["{replace}"]),
    # ENABLE_BIT saves the enables of all units, not only those of the active one.
    ("pop-every-unit", "glActiveTexture(GL_TEXTURE1); glEnable(GL_TEXTURE_2D); glActiveTexture(GL_TEXTURE0); "
                       "glPushAttrib(GL_ENABLE_BIT);"
                       "glActiveTexture(GL_TEXTURE1); glDisable(GL_TEXTURE_2D); "
                       "glActiveTexture(GL_TEXTURE0); glPopAttrib();" + DRAW, ["{} {modulate}"]),
    # Display lists (5.4): with GL_COMPILE, calls are recorded but not executed.
    ("list-compile", "glEnable(GL_TEXTURE_2D); glNewList(1, GL_COMPILE);" + ENV + "GL_REPLACE); glEndList();"
     + DRAW, ["{modulate}"]),
    # CallList executes all calls of the list: draws and state changes between them.
    ("list-draws", "glEnable(GL_TEXTURE_2D); glNewList(1, GL_COMPILE); glRecti(0, 0, 1, 1);" + ENV
     + "GL_REPLACE); glRecti(0, 0, 1, 1);"
                   "glEndList(); glCallList(1);", ["{modulate}", "{replace}"]),
    # LIST_BASE is added to the names of CallLists, not to that of CallList.
    ("list-base", "glEnable(GL_TEXTURE_2D); glNewList(2, GL_COMPILE);" + ENV
     + "GL_ADD); glEndList(); glNewList(12, GL_COMPILE);" + ENV +
                  "GL_REPLACE); glEndList(); glListBase(10); glCallLists(1, GL_UNSIGNED_BYTE, (const "
                  "GLubyte[]){2});" + DRAW +
                  "glCallList(2);" + DRAW, ["{replace}", "{add}"]),
    # DeleteTextures (3.8.12): units that the texture is bound to get texture 0, which has no image.
    ("delete-everywhere", "glBindTexture(GL_TEXTURE_2D, 5);" + IMAGE
     + "glEnable(GL_TEXTURE_2D); glActiveTexture(GL_TEXTURE1);"
                          "glBindTexture(GL_TEXTURE_2D, 5); glEnable(GL_TEXTURE_2D); glDeleteTextures(1, "
                          "(const GLuint[]){5});" + DRAW, ["{}"]),
    # Draws with ARB_fragment_program enabled yield no state (notes/formats/gl.md).
    ("program", "glEnable(GL_TEXTURE_2D); glEnable(GL_FRAGMENT_PROGRAM_ARB);" + DRAW
     + "glDisable(GL_FRAGMENT_PROGRAM_ARB);" + ENV + "GL_REPLACE);" + DRAW,
     ["{replace}"]),
    # 017001 is octal 0x1E01, GL_REPLACE.
    ("octal", "glEnable(GL_TEXTURE_2D);" + ENV + "017001);" + DRAW, ["{replace}"]),
    # A line that begins with # is a comment, also between the arguments of a call (notes/formats/gl.md).
    ("hash-line", "glEnable(GL_TEXTURE_2D); glTexEnvi(GL_TEXTURE_ENV,\n  #if 1\n  GL_TEXTURE_ENV_MODE, "
                  "GL_REPLACE);" + DRAW, ["{replace}"]),
    # COMBINE4 with MODULATE_ADD is undefined and evaluated as in COMBINE (notes/choices.md): Arg0*Arg2+Arg1,
    # beside alpha's Arg0*Arg1+Arg2*Arg3.
    ("combine4-modulate-add", "glEnable(GL_TEXTURE_2D);" + ENV + "GL_COMBINE4_NV);" + "".join(
        f"glTexEnvi(GL_TEXTURE_ENV, {pname}, {value});" for pname, value in (
            ("GL_COMBINE_RGB", "GL_MODULATE_ADD_ATI"), ("GL_SOURCE0_RGB", "GL_TEXTURE"),
            ("GL_SOURCE1_RGB", "GL_PRIMARY_COLOR"), ("GL_SOURCE2_RGB", "GL_PREVIOUS"),
            ("GL_OPERAND2_RGB", "GL_SRC_COLOR"), ("GL_COMBINE_ALPHA", "GL_ADD"), ("GL_SOURCE0_ALPHA",
                "GL_TEXTURE"), ("GL_SOURCE1_ALPHA", "GL_PREVIOUS"),
            ("GL_SOURCE2_ALPHA", "GL_PRIMARY_COLOR"), ("GL_SOURCE3_ALPHA_NV", "GL_TEXTURE"),
            ("GL_OPERAND3_ALPHA_NV", "GL_SRC_ALPHA"))) + DRAW,
     ["{T0*P+F*1; T0*P+F*T0}"]),
]

TENV = "glTexEnvi(target = GL_TEXTURE_ENV, pname = GL_TEXTURE_ENV_MODE, param = %s)"
TDRAW = "glDrawArrays(mode = GL_TRIANGLES, first = 0, count = 3)"
TIMAGE = ("glTexImage2D(target = GL_TEXTURE_2D, level = 0, internalformat = %s, width = 1, height = 1, "
          "border = 0, format = GL_RGBA, "
          "type = GL_UNSIGNED_BYTE, pixels = NULL)")
TWO = [  # two contexts that share textures, A current in thread 0
    "0 glXCreateContext(dpy = 0x1, vis = &{}, shareList = NULL, direct = True) = 0xa",
    "0 glXCreateContext(dpy = 0x1, vis = &{}, shareList = 0xa, direct = True) = 0xb",
    "0 glXMakeCurrent(dpy = 0x1, drawable = 1, ctx = 0xa) = True",
]
CURRENT_B = "glXMakeCurrent(dpy = 0x1, drawable = 2, ctx = 0xb) = True"
ENABLE = "glEnable(cap = GL_TEXTURE_2D)"
BIND = "glBindTexture(target = GL_TEXTURE_2D, texture = 7)"

# Name, records ("THREAD CALL", numbered from 0), and the expected lines of stages_of().
TRACES = [
    # Each thread has its own current context.
    ("threads", TWO + ["1 " + CURRENT_B, "1 " + ENABLE, "1 " + TENV % "GL_REPLACE", "0 " + ENABLE,
                       "0 " + TDRAW, "1 " + TDRAW],
     [":call 7, 1 draws", "{modulate}", ":call 8, 1 draws", "{replace}"]),
    # Contexts of a share group have the same textures.
    ("share-group", TWO + ["0 " + BIND, "0 " + TIMAGE % "GL_ALPHA", "0 " + CURRENT_B, "0 " + BIND,
                           "0 " + ENABLE, "0 " + TDRAW], ["{modulate @alpha}"]),
    # A change of a shared texture in another context affects the next draw.
    ("share-image", TWO + ["0 " + BIND, "0 " + TIMAGE % "GL_RGBA", "0 " + ENABLE, "0 " + TDRAW,
                           "1 " + CURRENT_B, "1 " + BIND, "1 " + TIMAGE % "GL_ALPHA", "0 " + TDRAW],
     [":call 6, 1 draws", "{modulate}", ":call 10, 1 draws", "{modulate @alpha}"]),
    # A MakeCurrent that returned False changes nothing.
    ("failed-current", TWO + ["0 " + ENABLE, "0 " + CURRENT_B.replace("True", "False"), "0 " + TDRAW],
     ["{modulate}"]),
    # A string may span lines, and \" does not end it.
    ("string", ["0 " + ENABLE, '0 glShaderSource(shader = 1, count = 1, string = &"// \\" ',
                "0 " + TENV % "GL_REPLACE", '0 ", length = NULL)', "0 " + TDRAW], ["{modulate}"]),
    # Identical states are merged: the output has the number of the first draw's call, and counts all draws.
    ("merged", ["0 " + ENABLE, "0 " + TDRAW, "0 " + TDRAW, "0 " + TENV % "GL_REPLACE", "0 " + TDRAW,
                "0 " + TENV % "GL_MODULATE", "0 " + TDRAW],
     [":call 1, 3 draws", "{modulate}", ":call 4, 1 draws", "{replace}"]),
    # States are also merged in a trace with images. (Before the first image the reader does not know that
    # textures without image are disabled.)
    ("merged-images", ["0 " + ENABLE, "0 " + BIND, "0 " + TIMAGE % "GL_RGBA", "0 " + TDRAW, "0 " + TDRAW,
                       "0 " + TENV % "GL_REPLACE", "0 " + TDRAW,
                       "0 " + TENV % "GL_MODULATE", "0 " + TDRAW],
     [":call 3, 3 draws", "{modulate}", ":call 6, 1 draws", "{replace}"]),
]


def stages_of(run):
    """Returns the lines of the output; of a header "# state N FILE:call M, K draws" only the part after the
    file name. (A single state has no header.)"""
    out = []
    for line in run.out.splitlines():
        m = re.match(r"# state \d+ <stdin>(:call .*)$", line)
        if m:
            out.append(m[1])
        elif not line.startswith("#"):
            out.append(line)
    return out


def check(checks, name, run, expected, got):
    checks.check(not run.sanitizer(), f"{name}: {run.err}")
    checks.check(run.status == 0, f"{name}: exit status {run.status}\n{run.err}")
    checks.check(got == expected, f"{name}: expected {expected}, got {got}\n{run.err}")


def scripts(checks):
    for name, text, expected in SCRIPTS:
        run = tool.Run(["convert", "--from", "gl", "--to", "stages", "-"], text.replace(";g", ";\ng") + "\n")
        check(checks, name, run, expected, stages_of(run))


def traces(checks):
    def dump(records):
        return "".join(f"{n} @{r}\n" for n, r in enumerate(records))

    for name, records, expected in TRACES:
        run = tool.Run(["convert", "--from", "apitrace", "--to", "stages", "-"], dump(records))
        check(checks, name, run, expected, stages_of(run))
    # A record that is truncated by the end of the input is ignored, with a warning
    # (notes/formats/apitrace.md).
    cut = dump(["0 " + ENABLE, "0 " + TDRAW, "0 " + TENV % "GL_REPLACE",
                "0 " + TDRAW])[:-len(", count = 3)\n")]
    for end in "", "\n":
        run = tool.Run(["convert", "--from", "apitrace", "--to", "stages", "-"], cut + end)
        check(checks, "cut", run, ["{modulate}"], stages_of(run))
        checks.check("cut off" in run.err, f"cut: nothing is said:\n{run.err}")


def texts(checks):
    # Constants get consecutive indices of program.local[] in the order of their units, not the units' numbers
    # (notes/formats/atifs.md).
    run = tool.Run(["convert", "--to", "atifs", "--constants", "local", "-"],
                   "{modulate} {P*C} {P} {P+C} C1=(0.5,0,0,1) C3=(0,0.25,0,1)\n")
    lines = re.findall(r"CONSTANT .*;|# const .*", run.out)
    check(checks, "local constants", run, ["# const c0 unit=1 env-color", "# const c1 unit=3 env-color",
                                           "CONSTANT c0 = program.local[0];",
                                           "CONSTANT c1 = program.local[1];"], lines)
    # A depth texture's mode is part of the state, so it is also in the state's GL calls.
    for mode in ("luminance", "intensity", "alpha"):
        run = tool.Run(["convert", "--to", "gl", "-"], f"{{modulate @depth:{mode}}}\n")
        check(checks, "depth mode", run, [f"GL_{mode.upper()}"], re.findall(r"GL_DEPTH_TEXTURE_MODE, (\w+)",
            run.out))
    # An alpha instruction after a pair that already has an alpha half begins a new pair (ATI_fragment_shader,
    # "instruction pair").
    program = ("!!ATIfs1.0\nStartOutputPass;\n  SampleMap r0, t0.stq_dq;\n  MOV r0.rgb.sat, r0;\n  MUL r1.a, "
               "r0, color0;\n"
               "  MUL r0.a.sat, r1, r0;\nEndPass;\n")
    run = tool.Run(["convert", "--from", "atifs", "--to", "atifs", "-"], program)
    check(checks, "alpha pairs", run, program, run.out)


def order_of_halves(checks):
    """An alpha instruction that reads the colour of a register must not be in one pair with a colour
    instruction that overwrites this register."""
    text = ("!!texir1.0\n%0 = tex.xyzw coord0, t0, 2d, rgba @0\n%1 = mul.xyz.sat %0.xyzw, primary.xyzw @0\n"
            "%2 = mul.w.sat %0.xxxx, primary.wwww @0\nresult %1, %2\n")
    run = tool.Run(["convert", "--from", "ir", "--to", "atifs", "-"], text)
    if checks.check(run.status == 0, f"order of halves: exit status {run.status}\n{run.err}"):
        problems = atifs_lint.lint(atifs_text.parse(run.out))
        checks.check(not problems, f"order of halves: {problems}\n{run.out}")


def oracle_check(checks, states, *extra):
    """Checks with the oracle that all states fit the target, and that the results equal the states."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "cases.stages")
        with open(path, "w", encoding="utf-8") as f:
            f.write("\n".join(states) + "\n")
        environment = dict(os.environ, PYTHONPATH=tool.TOP, TEXENVC=tool.TEXENVC, PYTHONDONTWRITEBYTECODE="1")
        run = subprocess.run([sys.executable, "-m", "oracle", "check", "--jobs", "1", *extra, path],
                             capture_output=True, text=True, env=environment, cwd=tool.TOP)
        checks.check(run.returncode == 0 and f"{len(states)} equal" in run.stdout,
                     f"evaluated {' '.join(extra)}: {run.stdout}{run.stderr}")


def evaluated(checks):
    """States with special cases that random states do not contain, checked with the oracle."""
    states = [
        # After the dot product, r0 is free only in colour and r1 only in alpha: the dot product cannot write
        # both halves of one register, and a later alpha instruction copies its result.
        "{dot3a(T0,T1)} {P*T1+T2; P*T0+T2} {P*T3+T4} {P*T5} {P} {P}",
        "{F} {dot3a(T0,T1)}*2;4 {P*T1+T2; P*T0+T2} {P*T3+T4} {P*T5} {P}",
        "{dot3a(T0,T1)}*2 {P*T1+T2; P*T0+T2} {P*T3+T4} {P*T5} {P} {P}",
    ]
    for extra in ([], ["--bind", "compact"], ["--avoid", "mesa"]):
        oracle_check(checks, states, *extra)


def fits(checks):
    """States that R200 can only just compute in two passes; comments give the only possible schedule. Between
    passes, only x, y and z of registers are kept (notes/facts/r200.md 1). The oracle executes the words."""
    states = [
        # Nine alpha stages. The first pass can compute only C5.a*C5.a, which the last alpha stage reads. The
        # six registers hold T0, T1, T2, T4, the colour of unit 5, and in the last one two numbers: C5.a*C5.a
        # and the alpha of T3.
        "{T0*P+P*T2; P*P} {T1*P; P} {T0*P} {P*P+P; P*P+P*T3} {add} {P*P+C*C} {T6*~1+T0*P; P*P+P*F}",
        # The primary colour can be read only in the second pass, which has all the work: 8 pairs, five
        # textures, and T6's alpha in a register, whose other part holds F.a*T2.a and then values computed
        # from it.
        "{P.a*T2.a; P}*4;2 {lerp(P,T3.a,T4.a); lerp(T6,T2,P)} {P; P+T2} {P; T3*P} {P*T1; C*C-P} "
        "{T5*P+T4; lerp(T1,P,T5)} {P*T3; P*T1-T2} {P*T2; lerp(C,T6,P)}",
    ]
    run = tool.Run(["convert", "--to", "r200", "--format", "hex", "-"], "\n".join(states) + "\n")
    checks.check(run.status == 0 and "refused" not in run.err, f"fits: exit status {run.status}\n{run.err}")
    oracle_check(checks, states, "--to", "r200")


def numbers(checks):
    """R300's constants have 24 bits: the low bits of a float are dropped (notes/facts/r300.md 1.1). 0.1 as a
    float is 0x3dcccccd: its exponent becomes 123 - 127 + 63, its mantissa 0x4ccccd >> 7; 0.7 is
    0x3f333333."""
    run = tool.Run(["convert", "--to", "r300", "--format", "hex", "-e", "{T0*C} C0=(0.1,0.7,0.1,0.7)"])
    for word in ("0x4c00 0x003b9999", "0x4c04 0x003e6666"):
        checks.check(word + "\n" in run.out, f"numbers: no {word} in\n{run.out}{run.err}")


def main():
    checks = tool.Checks("spec_cases")
    scripts(checks)
    traces(checks)
    texts(checks)
    order_of_halves(checks)
    evaluated(checks)
    fits(checks)
    numbers(checks)
    checks.finish()


if __name__ == "__main__":
    main()
