#!/usr/bin/env python3
"""Tests programs of vertex halves: their length on the vertex engine, that they compute only what is read,
that every GLSL version accepts them, and refusals and wrong words."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool

CHECKS = tool.Checks("vertex_states")
GLSL = ["glsl", "glsl-110", "glsl-330", "glsl-450", "glsl-es", "glsl-es-300"]
CORE = GLSL[2:]
SPOTS = " ".join(f"light{n}=positional+spot+attenuated" for n in range(4))
ALL = " ".join(f"light{n}=positional+spot+attenuated texgen{n}=eye matrix{n}" for n in range(8))

# Words, and the number of instructions that Mesa's generator needs (notes/facts/r300-vertex.md 5), for r300
# and r500. None: more instructions than the chip has.
#
# The table of the facts assumes that a directional light's position is a unit vector, but
# state.light[n].position is not: to normalise it takes 2 more instructions for each light (the RSQ shares one
# with a vector operation). LIT, whose base must not be 0, takes up to 3 words on the chip; the table counts
# 1, and these upper bounds count 2.
LENGTHS = [
    ("reads=color", 5, 5),
    ("reads=color+texcoord0", 6, 6),
    ("matrix0 reads=color+texcoord0", 9, 9),
    ("texgen0=object reads=color+texcoord0", 9, 9),
    ("texgen0=eye reads=color+texcoord0", 13, 13),
    ("texgen0=reflection reads=color+texcoord0", 23, 23),
    ("texgen0=sphere reads=color+texcoord0", 28, 28),
    ("reads=color+fog", 7, 7),
    ("lighting light0 reads=color+texcoord0", 15 + 2 + 1, 15 + 2 + 1),
    (f"lighting {SPOTS} texgen0=eye texgen1=eye matrix0 matrix1 reads=color+fog+texcoord0+texcoord1", 139, 139),
    (f"lighting two-side separate-specular local-viewer {ALL} reads=color+secondary+" +
     "+".join(f"texcoord{n}" for n in range(8)), None, 335 + 32),
]
# Programs that read less take fewer instructions.
FEWER = [
    ("texgen0=sphere", "color+texcoord0.st", "color+texcoord0.q"),
    ("texgen0=eye", "color+texcoord0", "color+texcoord0.st"),
    ("matrix0", "texcoord0", "texcoord0.st"),
    ("lighting light0=positional texgen0=eye", "color+texcoord0.s", "color"),
    ("lighting light0=spot+positional+attenuated", "color+fog", "fog"),
    ("lighting light0 separate-specular", "color+secondary", "color"),
    ("lighting light0 separate-specular", "color+secondary", "secondary"),
    ("lighting two-side light0=positional", "color+fog", "fog"),
    ("texgen3=normal", "color+texcoord3", "color"),
]
# Words, and a line that the text of arbvp must contain.
SAID = [
    ("reads=fog", ["DP4", "ABS", "result.fogcoord.x"]),
    ("fog-coord reads=fog", ["MOV result.fogcoord.x, vertex.fogcoord"]),
    ("reads=secondary", ["MOV result.color.secondary, vertex.color.secondary"]),
    ("texgen2.q=object reads=texcoord2.q", ["result.texcoord[2].w", "state.texgen[2].object.q"]),
    ("lighting light5 reads=color", ["state.lightprod[5].front.diffuse", "state.light[5].half", "state.light[5].position"]),
    ("lighting light5 color-material.both=diffuse reads=color", ["state.light[5].diffuse", "vertex.color"]),
    ("lighting two-side light0 reads=color", ["result.color.back", "state.lightprod[0].back.specular"]),
    ("lighting two-side light0 color-material.front=diffuse reads=color",
     ["state.light[0].diffuse", "state.lightprod[0].back.diffuse", "state.material.back.diffuse"]),
    ("rescale texgen0=normal reads=texcoord0.str", ["state.matrix.modelview[0].inverse.row[2]"]),
    ("point-attenuation reads=color", ["result.pointsize.x", "state.point.attenuation", "state.point.size"]),
]
MALFORMED = [
    ("light8", 6), ("lighting light9", 15), ("light0=near", 8), ("light0=positional+", 19), ("lightning", 6),
    ("texgen0.x=eye", 9), ("texgen0.s", 10), ("texgen0=", 9), ("texgen0.r=sphere", None), ("texgen8=eye", 7),
    ("matrix", 7), ("matrix9", 7), ("color-material.left", None), ("color-material=alpha", None), ("two-sides", None),
    ("lighting reads=color", 10), ("Lighting", 1), ("lighting,", None), ("normalize=1", None), ("texgen0=eyes", None),
]


def convert(words, *args):
    run = tool.Run(["convert", "--from", "vertex", *args, "-e", words])
    CHECKS.check(not run.sanitizer(), run.err)
    return run


def instructions(words, chip):
    run = convert(words, "--to", chip, "--format", "json")
    if run.status == 3:
        return None
    CHECKS.check(run.status == 0, f"{words}: {chip}: {run.err}")
    return json.loads(run.out)[0]["stats"]["instructions"]


def lengths():
    for words, *most in LENGTHS:
        for chip, limit in zip(("r300", "r500"), most):
            got = instructions(words, chip)
            CHECKS.check((got is None) == (limit is None) and (got is None or got <= limit),
                         f"{chip}: {got} instructions, not {limit}: {words}")
    for words, more, less in FEWER:
        counts = [instructions(f"{words} reads={reads}", "r500") for reads in (more, less)]
        CHECKS.check(counts[1] < counts[0], f"{words}: {less} takes {counts[1]}, {more} {counts[0]}")


# ARB vertex programs, and the number of r300 instructions besides those of the position. A move to an output
# is merged with an instruction that writes other lanes of that output, if an operand reads the register or
# none does. Derived by hand.
POSITION = "!!ARBvp1.0\nOPTION ARB_position_invariant;\nTEMP a, b;\nPARAM c = program.env[0];\nPARAM d = program.env[1];\n"
MOVES = [
    # in these rows MAD, ADD and MUL move c.w as 1 * c.w + 0, c.w + 0 and 1 * c.w, and MAD moves b.x as 0 * 0
    # + b.x
    ("MUL a, vertex.color, c;\nADD b, a, d;\nMAD result.color.xyz, a, c, b;\nMOV result.color.w, c.w;", 3),
    ("MAX a, vertex.color, c;\nADD result.color.xyz, a, d;\nMOV result.color.w, -d.z;", 2),
    ("RSQ a.x, vertex.color.x;\nMUL result.color.xyz, a.x, d;\nMOV result.color.w, d.x;", 2),
    ("MUL a, vertex.color, c;\nADD b, a, d;\nMAD result.color.yzw, a, c, b;\nMOV result.color.x, b.x;", 3),
    # an input and a constant can be moved by one instruction, and two constants, which share a register of
    # the constant file; two inputs cannot
    ("MOV result.color.xy, vertex.color;\nMOV result.color.zw, c;", 1),
    ("MOV result.color.xy, d;\nMOV result.color.zw, c;", 1),
    ("MOV result.color.xy, vertex.color;\nMOV result.color.zw, vertex.normal;", 2),
    # DP3 and MAX cannot also move a register to other components of the output
    ("DP3 result.color.x, vertex.color, c;\nMOV result.color.yzw, c;", 2),
    ("MAX result.color.xyz, vertex.color, c;\nMOV result.color.w, c.w;", 2),
]


def moves():
    for body, count in MOVES:
        run = tool.Run(["convert", "--from", "arbfp", "--to", "r300", "--format", "json", "-e", POSITION + body + "\nEND\n"])
        CHECKS.check(run.status == 0 and not run.sanitizer(), f"{body}: {run.err}")
        got = json.loads(run.out)[0]["stats"]["instructions"] - 4
        CHECKS.check(got == count, f"{got} instructions, not {count}: {body}")


def texts():
    for words, parts in SAID:
        out = convert(words, "--to", "arbvp").out
        for part in parts:
            CHECKS.check(part in out, f"{words}: no {part} in\n{out}")
    plain = convert("reads=color+texcoord1.st", "--to", "arbvp").out
    CHECKS.check(plain == "!!ARBvp1.0\nOPTION ARB_position_invariant;\nMOV result.color, vertex.color;\n"
                 "MOV result.texcoord[1].xy, vertex.texcoord[1];\nEND\n", plain)
    # with one side there is one colour; without lights there is none
    for words in ("lighting light0 reads=color", "two-side reads=color"):
        CHECKS.check("back" not in convert(words, "--to", "arbvp").out, words)
    for stage in ("vertex", "both"):  # the shader is the same alone and in a pair
        CHECKS.check(convert("reads=color+texcoord1.st", "--to", "arbvp", "--stage", stage).out == plain, stage)
    # disabled lights, and lights without lighting, have no effect
    CHECKS.check(convert("light0 reads=color", "--to", "arbvp").out == convert("reads=color", "--to", "arbvp").out, "light0")


def compilers(folder):
    """Compiles all vertex halves of a GLSL version by the reference compiler in one run."""
    if not shutil.which("glslangValidator"):
        print("glslangValidator is missing (tools/setup installs it)")
        return
    for language in GLSL:
        paths = []
        for n, words in enumerate([w for w, *_ in LENGTHS] + [w for w, _ in SAID]):
            run = convert(words, "--to", language)
            back = "two-side" in words and language in CORE
            CHECKS.check(run.status == (3 if back else 0), f"{language}: {words}: {run.err}")
            if not back:
                paths.append(os.path.join(folder, f"{language}-{n}.vert"))
                with open(paths[-1], "w", encoding="utf-8") as f:
                    f.write(run.out)
        done = subprocess.run(["glslangValidator", *paths], capture_output=True, text=True)
        bad = re.search(r"^(?:ERROR|WARNING): .*", done.stdout, re.M)
        CHECKS.check(done.returncode == 0 and not bad and len(paths) > 15, f"{language}: {bad and bad.group(0)}")


def refusals():
    weight = "!!ARBvp1.0\nMOV result.color, vertex.weight;\nMOV result.position, vertex.position;\nEND\n"
    fragment = "!!ARBfp1.0\nMOV result.color, fragment.color;\nEND\n"
    eight = "reads=fog+" + "+".join(f"texcoord{n}" for n in range(8))
    rows = [(["--from", "vertex", "--to", language, "-e", "lighting two-side light0 reads=color"], "sides") for language in CORE]
    rows += [(["--from", "vertex", "--to", "r300", "-e", LENGTHS[-1][0]], "instructions"),
             (["--from", "vertex", "--to", "r500", "-e", eight], "texture coordinates"),
             (["--from", "vertex", "--to", "r200", "-e", "reads=color"], "vertex program"),
             (["--to", "glsl-330", "-e", weight], "weight"),
             (["--to", "glsl", "--stage", "vertex", "-e", fragment], "vertex half"),
             (["--to", "r300", "--stage", "vertex", "-e", fragment], "vertex half"),
             (["--to", "glsl", "--stage", "vertex", "-e",
               "glEnable(GL_CLIP_PLANE0); glDrawArrays(GL_TRIANGLES, 0, 3);"], "clip plane")]
    for args, reason in rows:
        run = tool.Run(["convert", *args])
        CHECKS.check(run.status == 3 and reason in run.err, f"{args}: {run.status} {run.err}")


def malformed(folder):
    out = os.path.join(folder, "out")
    for words, column in MALFORMED:
        run = tool.Run(["convert", "--to", "glsl", "--stage", "both", "--vertex-state", words, "-e", "{P}",
                        "-o", out])
        place = re.match(r"--vertex-state:1:(\d+): error: ", run.err)
        right = place and column in (None, int(place.group(1)))
        CHECKS.check(run.status == 2 and right and not os.path.exists(out),
                     f"{words}: {run.status} {run.err}")
        if words == "lighting reads=color":
            continue
        path = os.path.join(folder, "bad.vertex")
        with open(path, "w", encoding="utf-8") as f:
            f.write("# a comment\nlighting\n" + words + "\n")
        run = tool.Run(["convert", "--to", "glsl", path, "-o", out])
        place = re.match(re.escape(path) + r":3:(\d+): error: ", run.err)
        CHECKS.check(run.status == 1 and place and not os.path.exists(out), f"{words}: {run.status} {run.err}")
    for args in (["--to", "glsl", "--vertex-state", "lighting"], ["--to", "r300", "--vertex-state", "lighting"],
                 ["--to", "r300", "--stage", "both", "--format", "c"]):
        run = tool.Run(["convert", *args, "-e", "{P}"])
        CHECKS.check(run.status == 2 and "--stage" in run.err, f"{args}: {run.status} {run.err}")


def pairs():
    """--vertex-state replaces the vertex half of the input; only what the fragment half reads is computed."""
    state = "{T1*P @cube} fog=exp"
    for words in ("lighting light0", "texgen1=reflection", ""):
        said = tool.Run(["convert", "--to", "arbvp", "--stage", "vertex", "-e", f"{state} vertex({words})"])
        given = tool.Run(["convert", "--to", "arbvp", "--stage", "vertex", "--vertex-state", words, "-e", state])
        CHECKS.check(given.status == said.status == 0, given.err + said.err)
        CHECKS.check(not words or given.out == said.out, f"{words}:\n{given.out}{said.out}")
        CHECKS.check("result.color" in given.out and "result.fogcoord" in given.out, given.out)
    only = tool.Run(["convert", "--to", "arbvp", "--stage", "vertex", "--vertex-state", "lighting light0", "-e",
                     "{T0 @cube}"]).out
    CHECKS.check("result.color" not in only and "MOV result.texcoord[0].xyz, vertex.texcoord[0]" in only, only)


SUM = ("glEnable(GL_TEXTURE_2D); glEnable(GL_COLOR_SUM); %s glBegin(GL_TRIANGLES);\n")
LIT = "glEnable(GL_LIGHTING); glEnable(GL_LIGHT0);"
SEPARATE = LIT + "glLightModeli(GL_LIGHT_MODEL_COLOR_CONTROL, GL_SEPARATE_SPECULAR_COLOR);"
# The outputs of a vertex program that fixed function reads (GL 2.1, 3.9): with GL_COLOR_SUM the secondary
# colour, which is 0 if lighting does not compute one. (calls, what the text must contain, what it must not
# contain)
BEHIND = [
    (SUM % LIT, ["MOV result.color.secondary, c", "{0, 0, 0, 1}"], ["enable"]),
    (SUM % (LIT + "glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);"),
     ["MOV result.color.secondary, c0;", "c0 = {0, 0, 0, 1}"], ["light", "result.color,"]),
    (SUM % "", ["MOV result.color.secondary, vertex.color.secondary;"], []),
    (SUM.replace("glEnable(GL_COLOR_SUM);", "") % LIT, [], ["secondary", "enable"]),
    (SUM % SEPARATE, ["result.color.secondary", "state.lightprod[0].front.specular"], ["{0, 0, 0, 1};\nMOV result.color.sec"]),
    (SUM.replace("glEnable(GL_COLOR_SUM);", "") % SEPARATE,
     ["specular", "# enable GL_COLOR_SUM, where fixed function is behind it\n"], []),
    ("glEnable(GL_FOG);" + SUM % LIT, ["result.fogcoord.x"], []),
    ("glLightModeli(GL_LIGHT_MODEL_TWO_SIDE, 1);" + SUM % LIT,
     ["# enable GL_VERTEX_PROGRAM_TWO_SIDE\n", "MOV result.color.back.secondary, c"], []),
    ("glPointParameterfv(GL_POINT_DISTANCE_ATTENUATION, (GLfloat[]){0, 0, 1});" + SUM % "",
     ["# enable GL_VERTEX_PROGRAM_POINT_SIZE\n", "result.pointsize.x"], []),
]


def behind():
    for calls, there, absent in BEHIND:
        for fog in ("state", "off"):  # concerns fragment programs only
            run = tool.Run(["convert", "--from", "gl", "--to", "arbvp", "--stage", "vertex", "--fog", fog, "-"],
                           stdin=calls)
            CHECKS.check(run.status == 0 and all(part in run.out for part in there) and
                         not any(part in run.out for part in absent), f"{calls} {there} {absent}: {run.out}{run.err}")
        both = tool.Run(["convert", "--from", "gl", "--to", "arbvp", "--stage", "both", "-"], stdin=calls).out
        CHECKS.check(("result.color.secondary" in both) == (SEPARATE in calls or LIT not in calls), f"{calls}: {both}")
        for switch in ("GL_VERTEX_PROGRAM_TWO_SIDE", "GL_VERTEX_PROGRAM_POINT_SIZE", "GL_COLOR_SUM"):
            line = f"# enable {switch}\n"
            CHECKS.check((switch in both) == (line in both) == (line in there), f"{calls}: {both}")
    # core profiles have another name for the switch of point sizes; ES and Vulkan have no switch
    for form, said in (("glsl", "VERTEX_PROGRAM_POINT_SIZE"), ("glsl-330", "PROGRAM_POINT_SIZE"), ("glsl-es", None),
                       ("glsl-450", None)):
        for stage in ("vertex", "both"):
            text = tool.Run(["convert", "--to", form, "--stage", stage, "-e",
                             "{P} vertex(point-attenuation)"]).out
            CHECKS.check("gl_PointSize" in text and ("enable GL" in text) == bool(said) and
                         (not said or f"// enable GL_{said}\n" in text), f"{form} {stage}: {text}")


def main():
    lengths()
    texts()
    moves()
    pairs()
    behind()
    refusals()
    with tempfile.TemporaryDirectory() as folder:
        compilers(folder)
        malformed(folder)
    CHECKS.finish()


main()
