#!/usr/bin/env python3
"""Tests invalid ARB programs: each is refused at the marked position with the expected message, and nothing
is printed. Reads of undefined values get a warning.

An "@" marks the position of the error and is removed before the text is used. Rules: GL_ARB_fragment_program,
revision 28, its grammar and semantic restrictions."""
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool

CHECKS = tool.Checks("arbfp_bad")

# (The text between header and END, or the whole text if it contains !!; a pattern of the message.)
BAD = [
    # structure of the whole text
    ("@!!ARBfp1.1\nEND", "expected !!ARBfp1.0"),
    ("@!!ARBfp2.0\nEND", "expected !!ARBfp1.0"),
    ("!!ARBfp1.0\nMOV result.color, fragment.color;@", "found the end of the text"),
    ("!!ARBfp1.0\nMOV result.color, fragment.color;\nEND @MOV", "expected nothing after END"),
    ("!!ARBfp1.0\nMOV result.color, fragment.color;\nEND@;", "expected nothing after END"),
    ("!!ARBfp1.0\nMOV result.color, fragment.color\n@END", 'expected ";"'),
    ("@;", "expected an instruction, a declaration or END"),
    ("@\\", "expected an instruction"),
    ("MOV result.color, @\"x\";", 'expected an operand, found "\\""'),
    ("@5;", "expected an instruction"),
    # options
    ("TEMP r; @OPTION ARB_fog_exp;", "OPTION stands before all instructions"),
    ("OPTION @ARB_no_such;", "OPTION ARB_no_such is not known"),
    ("OPTION ARB_fog_exp; OPTION @ARB_fog_linear;", "after another option of fog"),
    ("OPTION ARB_precision_hint_nicest; OPTION @ARB_precision_hint_fastest;", "after the other hint"),
    ("OPTION @NV_fragment_program;", "NV_fragment_program is not supported"),
    ("OPTION @NV_fragment_program2;", "NV_fragment_program2 is not supported"),
    ("OPTION @ARB_fragment_coord_origin_upper_left;", "fragment.position counts from the lower left corner"),
    ("OPTION @ARB_fragment_coord_pixel_center_integer;", "with the centres of pixels at halves"),
    ("OPTION @;", "expected the name of an option"),
    ("OPTION ARB_fog_exp @TEMP r;", 'expected ";"'),
    # names
    ("TEMP r; TEMP @r;", "r is declared twice"),
    ("TEMP r, @r;", "r is declared twice"),
    ("TEMP r; ALIAS @r = r;", "r is declared twice"),
    ("TEMP r; ALIAS q = @s;", "s is not declared"),
    ("TEMP @MAD;", "MAD is a reserved word"),
    ("TEMP @MAD_SAT;", "MAD_SAT is a reserved word"),
    ("TEMP @fragment;", "fragment is a reserved word"),
    ("TEMP @state;", "state is a reserved word"),
    ("PARAM @program = 1;", "program is a reserved word"),
    ("TEMP @2r;", "expected a name"),
    ("TEMP r @q;", 'expected ";"'),
    ("TEMP @;", "expected a name"),
    ("MOV @r, 1;", "r is not declared"),
    ("MOV result.color, @r;", "r is not declared"),
    ("TEMP R; MOV result.color, @r;", "r is not declared"),
    # declarations
    ("ATTRIB a = @result.color;", "expected fragment"),
    ("ATTRIB a = fragment.@normal;", "expected an attribute"),
    ("ATTRIB a = fragment.texcoord[@8];", "number of a texture coordinate set is below 8"),
    ("ATTRIB a = fragment.texcoord[@-1];", "expected the number of a texture coordinate set"),
    ("ATTRIB a = fragment.texcoord@.x;", 'expected ";"'),
    ("OUTPUT o = @fragment.color;", "expected result"),
    ("OUTPUT o = result.@position;", "expected a result"),
    ("OUTPUT o = result.color@[0];", "only with OPTION ARB_draw_buffers"),
    ("OPTION ARB_draw_buffers; OUTPUT o = result.color[@32];", "number of a colour output is below 32"),
    ("PARAM p = @fragment.color;", "expected state, program.env, program.local or a constant"),
    ("PARAM p = {1, 2, 3, 4, @5};", "at most four components"),
    ("PARAM p = {@};", "expected a number"),
    ("PARAM p = {1,@};", "expected a number"),
    ("PARAM p = -@-1;", "expected a number"),
    ("PARAM p = @1e40;", "1e40 is out of range"),
    ("PARAM p = program.@foo[0];", "expected env or local"),
    ("PARAM p = program.env@.x;", r'expected "\["'),
    ("PARAM p = program.env[@1.5];", "expected the number of a parameter"),
    ("PARAM p = program.env[@4096];", "number of a parameter is below 4096"),
    ("PARAM p = program.env[0@..1];", r'expected "\]"'),
    ("PARAM p = state.@nothing;", "expected the name of GL state"),
    ("PARAM p = state.material.@colour;", "expected the name of GL state"),
    ("PARAM p = state.light@.ambient;", r'expected "\["'),
    ("PARAM p = state.lightprod@.ambient;", r'expected "\["'),
    ("PARAM p = state.light[0].spot@;", r'expected "\."'),
    ("PARAM p = @state.texgen[0].eye.s;", "fragment programs do not bind this state"),
    ("PARAM p = @state.clip[0].plane;", "fragment programs do not bind this state"),
    ("PARAM p = @state.point.size;", "fragment programs do not bind this state"),
    ("PARAM p = state.matrix.mvp@;", "a row of the matrix is needed"),
    ("PARAM p = state.matrix.mvp.row[@4];", "a row of a matrix is below 4"),
    ("PARAM p = state.matrix.mvp.row[0@..1];", r'expected "\]"'),
    ("PARAM p = state.matrix.mvp.@column[0];", "expected a row of the matrix"),
    ("PARAM p = state.matrix.palette@.row[0];", r'expected "\["'),
    ("PARAM p[@0] = { 1 };", "at least one element"),
    ("PARAM p[@3] = { 1, 2 };", "has 3 elements and is bound to 2"),
    ("PARAM p[@2] = { program.env[0..3] };", "has 2 elements and is bound to 4"),
    ("PARAM p[@4] = { state.matrix.mvp, 1 };", "has 4 elements and is bound to 5"),
    ("PARAM p[] = { program.env@[3..1] };", "ends before it begins"),
    ("PARAM p[] = { state.matrix.mvp.row@[3..1] };", "ends before it begins"),
    ("PARAM p[] = @1;", 'expected "{"'),
    ("PARAM p[@a] = { 1 };", "expected the size of an array"),
    # use of arrays
    ("PARAM p[] = { 1, 2 }; MOV result.color, p@;", "the name is an array's"),
    ("PARAM p[] = { 1, 2 }; MOV result.color, p[@2];", "index of this array is below 2"),
    ("PARAM p[] = { 1, 2 }; MOV result.color, p[@A0.x];", "expected the index"),
    ("PARAM p = 1; MOV result.color, p@[0];", "no array"),
    ("TEMP r; MOV result.color, r@[0];", "no array"),
    # instructions
    ("@ARL r.x, r.x;", "ARL is no instruction"),
    ("@LOG result.color, fragment.color.x;", "LOG is no instruction"),
    ("@mov result.color, fragment.color;", "mov is no instruction"),
    ("@DDX result.color, fragment.color;", "DDX is of extensions by NVIDIA"),
    ("@KIL_SAT fragment.color;", "KIL_SAT is no instruction"),
    ("@MOVR result.color, fragment.color;", "MOVR is no instruction"),
    ("MOV result.color @fragment.color;", 'expected ","'),
    ("ADD result.color, fragment.color@;", 'expected ","'),
    ("MOV result.color, fragment.color@, fragment.color;", 'expected ";"'),
    ("KIL fragment.color@, fragment.color;", 'expected ";"'),
    # destinations
    ("PARAM p = 1; MOV @p, 1;", "p cannot be written"),
    ("ATTRIB a = fragment.color; MOV @a, 1;", "a cannot be written"),
    ("MOV @fragment.color, 1;", "fragment cannot be written"),
    ("MOV result.color.@yx, 1;", "a mask is some of x y z w"),
    ("MOV result.color.@xx, 1;", "a mask is some of x y z w"),
    ("MOV result.color.@xg, 1;", "a mask is some of x y z w"),
    ("MOV result.color.@, 1;", "expected a mask"),
    ("MOV -@result.color, 1;".replace("-@", "@-"), "expected a destination"),
    ("MOV @1, 1;", "expected a destination"),
    # operands
    ("MOV result.color, @result.color;", "a result cannot be read"),
    ("OUTPUT o = result.color; MOV result.color, @o;", "o is a result, which cannot be read"),
    ("MOV result.color, fragment.color.@xy;", "one component or four"),
    ("MOV result.color, fragment.color.@xyz;", "one component or four"),
    ("MOV result.color, fragment.color.@xyzzy;", "one component or four"),
    ("MOV result.color, fragment.color.@xyza;", "not mixed"),
    ("MOV result.color, fragment.color.@stpq;", "x y z w or r g b a"),
    ("MOV result.color, --@fragment.color;".replace("--@", "-@-"), "expected an operand"),
    ("MOV result.color, @|fragment.color|;", "expected an operand"),
    ("MOV result.color, @MOV;", "MOV cannot stand here"),
    ("RCP result.color, fragment.color@;", "the operand is a scalar"),
    ("RCP result.color, fragment.color.@xxxx;", "a scalar operand has one component"),
    ("POW result.color, fragment.color.x, fragment.color@;", "the operand is a scalar"),
    ("MOV result.color, state.matrix.mvp@;", "a row of the matrix is needed"),
    ("MOV result.color, program.env[0@..1];", r'expected "\]"'),
    ("SWZ result.color, fragment.color, x, y, z@;", 'expected ","'),
    ("SWZ result.color, fragment.color, x, y, z, @2;", "expected one of 0 1 x y z w"),
    ("SWZ result.color, fragment.color, x, g@, z, w;".replace("g@", "@g"), "not mixed"),
    ("SWZ result.color, @-fragment.color, x, y, z, w;", "expected an operand"),
    ("SWZ result.color, fragment.color@.xyzw, x, y, z, w;", 'expected ","'),
    ("SWZ result.color, @{1, 2}, x, y, z, w;", "expected a register"),
    # lookups
    ("TEX result.color, fragment.texcoord, @tex[0], 2D;", "expected texture"),
    ("TEX result.color, fragment.texcoord, texture[@32], 2D;", "number of a texture unit is below 32"),
    ("TEX result.color, fragment.texcoord, texture[0], @4D;", '"4D" is no texture target'),
    ("TEX result.color, fragment.texcoord, texture[0], @2d;", "is no texture target"),
    ("TEX result.color, fragment.texcoord, texture[0], @SHADOW2D;", "needs OPTION ARB_fragment_program_shadow"),
    ("TEX result.color, fragment.texcoord, texture[0]@;", 'expected ","'),
    ("TEMP r; TEX r, fragment.texcoord, texture[1], 2D; TEX r, fragment.texcoord, texture@[1], 3D;",
     "looked up with two targets"),
    ("TEMP r; TEX r, fragment.texcoord, texture, CUBE; TXP r, fragment.texcoord, texture@[0], RECT;",
     "looked up with two targets"),
    ("!!ARBfp1.0\nOPTION ARB_fragment_program_shadow; TEMP r;\nTEX r, fragment.texcoord, texture, 2D;\n"
     "TEX r, fragment.texcoord, texture@, SHADOW2D;\nEND", "looked up with two targets"),
    ("!!ARBfp1.0\nOPTION ARB_fragment_program_shadow;\nTEX result.color, fragment.texcoord, texture[0], "
     "@SHADOWCUBE;\nEND", "no texture target"),
    ("!!ARBfp1.0\nOPTION ARB_draw_buffers; OPTION ARB_fog_exp;\nMOV result.color[1], 1;\nMOV result.color, 1;\n"
     "@END", "fog and several colour outputs"),
]

# Rows of the same form for vertex programs (GL_ARB_vertex_program, revision 46).
BAD_VERTEX = [
    ("@ADR A0;", "ADR is no instruction"),
    ("ADDRESS A@, 1;".replace("A@, 1", "A, @1"), "expected a name"),
    ("ADDRESS @A, A;".replace("@A, A", "A, @A"), "A is declared twice"),
    ("TEMP @ARL;", "ARL is a reserved word"),
    ("TEMP @vertex;", "vertex is a reserved word"),
    ("ATTRIB a = @fragment.color;", "expected vertex"),
    ("ATTRIB a = vertex.@colour;", "expected an attribute"),
    ("ATTRIB a = vertex.attrib@;", r'expected "\["'),
    ("ATTRIB a = vertex.attrib[@16];", "number of a generic attribute is below 16"),
    ("ATTRIB a = vertex.texcoord[@8];", "number of a texture coordinate set is below 8"),
    ("ATTRIB a = vertex.matrixindex@;", r'expected "\["'),
    ("ATTRIB a = vertex.position; ATTRIB b = @vertex.attrib[0];", "are both bound"),
    ("ATTRIB a = vertex.attrib[9]; MOV result.position, @vertex.texcoord[1];", "are both bound"),
    ("OUTPUT o = result.@depth;", "expected a result"),
    ("OUTPUT o = result.texcoord[@8];", "number of a texture coordinate set is below 8"),
    ("MOV result.color.back.@xyzzy, 1;", "a mask is some of x y z w"),
    ("MOV result.color.@rgb, 1;", "a mask is some of x y z w"),
    ("MOV result.position, vertex.color.@rgba;", "x y z w"),
    ("!!ARBvp1.0\nOPTION ARB_position_invariant;\nMOV result.@position, 1;\nEND", "is not written with"),
    ("OPTION @ARB_fog_exp;", "OPTION ARB_fog_exp is not known"),
    ("OPTION @NV_vertex_program2;", "NV_vertex_program2 is not supported"),
    ("@TEX result.color, vertex.color, texture, 2D;", "TEX is no instruction"),
    ("@KIL vertex.color;", "KIL is no instruction"),
    ("@MOV_SAT result.color, vertex.color;", "MOV_SAT is no instruction"),
    ("@SIN result.color, vertex.color.x;", "SIN is no instruction"),
    ("ADDRESS A; ARL @A, vertex.position.x;".replace("@A,", "A@,"), r'expected "\."'),
    ("ADDRESS A; ARL A.@y, vertex.position.x;", "expected x"),
    ("ADDRESS A; ARL A.x, vertex.position@;", "the operand is a scalar"),
    ("TEMP t; ARL @t.x, vertex.position.x;", "address register"),
    ("ADDRESS A; MOV @A.x, vertex.position;", "A is an address register: ARL writes it"),
    ("ADDRESS A; MOV result.position, @A;", "A is an address"),
    ("TEMP t; PARAM p[] = {1, 2}; MOV t, p[@t.x];", "or an address register"),
    ("ADDRESS A; PARAM p[] = {1, 2}; ARL A.x, vertex.position.x; MOV result.position, p[A.@y];", "expected x"),
    ("ADDRESS A; PARAM p[] = {1, 2}; ARL A.x, vertex.position.x; MOV result.position, p[A.x+@64];", "below 64"),
    ("ADDRESS A; PARAM p[] = {1, 2}; ARL A.x, vertex.position.x; MOV result.position, p[A.x-@65];", "below 65"),
    ("ADDRESS A; PARAM p[] = {1, 2}; ARL A.x, vertex.position.x; MOV result.position, p[A.x@*2];", r'expected "\]"'),
    ("ADDRESS A; PARAM p[] = {state.matrix.mvp, state.matrix.mvp.row[2]}; ARL A.x, vertex.position.x;\n"
     "MOV result.position, p[A.x]@;", "bound more than once in arrays"),
    ("ADDRESS A; PARAM p = 1; ARL A.x, vertex.position.x; MOV result.position, p@[A.x];", "no array"),
    ("!!ARBvp1.0\nMOV result.position, 1\n@END", "expected \";\""),
    ("@!!ARBvp2.0\nEND", "expected !!ARBfp1.0"),
    ("!!ARBvp1.0\nMOV result.position, 1;\nEND @END", "nothing after END"),
]
# Bindings with an index and their limits: (kinds of programs, binding with # for the index, limit). The rule
# is "index out of range" in GL_ARB_fragment_program and GL_ARB_vertex_program. arbfp_load.c compares the
# limits of lights, texture units, coordinate sets and program matrices with Mesa's; those of planes are GL
# 2.1's tokens.
INDEXED = [
    ("f", "fragment.texcoord[#]", 8), ("v", "vertex.texcoord[#]", 8), ("v", "vertex.attrib[#]", 16),
    ("fv", "state.light[#].ambient", 8), ("fv", "state.light[#].spot.direction", 8),
    ("fv", "state.lightprod[#].diffuse", 8), ("fv", "state.lightprod[#].back.specular", 8),
    ("v", "state.clip[#].plane", 6), ("f", "state.texenv[#].color", 8), ("v", "state.texgen[#].object.q", 8),
    ("fv", "state.matrix.texture[#].row[0]", 8), ("fv", "state.matrix.modelview[#].inverse.row[1]", 4),
    ("fv", "state.matrix.palette[#].row[0]", 32), ("fv", "state.matrix.program[#].transpose.row[3]", 8),
    ("fv", "state.matrix.mvp.row[#]", 4), ("fv", "program.env[#]", 4096), ("fv", "program.local[#]", 4096),
]


def indexed(kinds, binding, index):
    result = {"f": "color", "v": "position"}
    return [f"!!ARB{kind}p1.0\nTEMP t;\nMOV t, {binding.replace('#', index)};\nMOV result.{result[kind]}, t;\nEND"
            for kind in kinds]


for kinds, binding, limit in INDEXED:
    for index in (limit, limit + 1, 4096, 99999999999):
        BAD += [(text, f"is below {limit}") for text in indexed(kinds, binding, "@%d" % index)]
BAD_VERTEX += [
    ("OUTPUT o = result.texcoord[@9];", "is below 8"),
    ("PARAM p[] = {program.env[@3..2]};".replace("[@", "@["), "ends before it begins"),
    ("PARAM p[] = {state.matrix.mvp.row@[2..1]};", "ends before it begins"),
    ("PARAM p[] = {state.matrix.mvp.row[2..@4]};", "a row of a matrix is below 4"),
    ("PARAM p[] = {state.matrix.program[@8]};", "number of a program matrix is below 8"),
    ("PARAM p[] = {program.local[4095..@4096]};", "number of a parameter is below 4096"),
]
BAD += [(body if "!!" in body else "!!ARBvp1.0\n" + body + "\nEND", message) for body, message in BAD_VERTEX]

# Programs that read, at the "@", a value that the specification leaves undefined, and a pattern of the
# warning.
UNDEFINED = [
    ("!!ARBvp1.0\nMOV result.position.xyz, 1;\n@END", "channel w of result.position has"),
    ("!!ARBvp1.0\nADDRESS A; PARAM p[] = {1, 2};\nMOV result.position, p[@A.x];\nEND", "address register A has no"),
    ("TEMP r; MOV result.color, @r;", "channels xyzw of r have"),
    ("TEMP r; MOV r.x, 1; MOV result.color, @r;", "channels yzw of r have"),
    ("TEMP r; XPD r, fragment.color, 2; MOV result.color, @r;", "channel w of r has"),
    ("TEMP r; SCS r, fragment.color.x; MOV result.color, @r.yyzx;", "channel z "),
    ("TEMP r; MOV r, 1; SCS r, fragment.color.x; MOV result.color, @r;", "channels zw"),
    ("TEMP r; MAD result.color, 1, 2, @r.w;", "channel w "),
    ("!!ARBfp1.0\nMOV result.color.xyz, 1;\n@END", "channel w of result.color has"),
    ("!!ARBfp1.0\nMOV result.depth.x, 1; MOV result.color, 1;\n@END", "channel z of result.depth has"),
    ("TEMP r; MOV result.color, 1; KIL @r.y;", "channel y "),
]
# Programs without undefined values: they give no warning.
DEFINED = [
    "TEMP r; MOV r.xy, 1; DP3 r.z, r.x, r.y; DPH r.w, r, r.z; MOV result.color, r;",
    "TEMP r; XPD r, fragment.color, 2; MOV result.color, r.xyzz;",
    "TEMP r; MOV r.xy, 1; TEX r, r, texture, 2D; MOV result.color, r;",
    "TEMP r; MOV r.xw, 1; LIT r.yz, r.xxzw; MOV result.color, r;".replace("xxzw", "xxxw"),
    "TEMP r; MOV r.x, 1; SCS result.color.x, r.x; MOV result.color.yzw, r.x;",
    "TEMP r; MOV r.z, 1; DST r.xz, r, 2; MOV result.color, r.xxzz;",
]


# The highest valid index of each binding.
DEFINED += [text for kinds, binding, limit in INDEXED for text in indexed(kinds, binding, str(limit - 1))]


def text_of(body):
    return (body if "!!" in body else "!!ARBfp1.0\n" + body + "\nEND") + ("" if "fragment.color;@" in body else "\n")


def place_of(text):
    at = text.index("@")
    return text.count("\n", 0, at) + 1, at - (text.rfind("\n", 0, at) + 1) + 1


def write(folder, bodies):
    paths = []
    for n, body in enumerate(bodies):
        paths.append(os.path.join(folder, f"p{n:03}.arbfp"))
        with open(paths[-1], "w", encoding="utf-8") as f:
            f.write(text_of(body).replace("@", ""))
    return paths


def said(err, kind):
    """Returns the diagnostics of this kind as {file: [(line, column, message)]}."""
    found = {}
    for m in re.finditer(rf"^(\S+?):(\d+):(\d+): {kind}: (.*)$", err, re.M):
        found.setdefault(os.path.basename(m[1]), []).append((int(m[2]), int(m[3]), m[4]))
    return found


def bad(folder):
    paths = write(folder, [body for body, _ in BAD])
    run = tool.Run(["convert", "--to", "ir", "--from", "arbfp"] + paths)
    CHECKS.check(run.status == 1 and run.out == "" and not run.sanitizer(), f"status {run.status}: {run.out}")
    errors = said(run.err, "error")
    for path, (body, message) in zip(paths, BAD):
        got = errors.get(os.path.basename(path), [])
        want = place_of(text_of(body))
        CHECKS.check(len(got) == 1 and got[0][:2] == want and re.search(message, got[0][2]),
                     f"{body!r}: expected {want} {message!r}, got {got}")
    out = os.path.join(folder, "out.txt")
    tool.Run(["convert", "--to", "glsl", "-o", out, paths[5]])
    CHECKS.check(not os.path.exists(out), "a malformed program leaves an output file")


def undefined(folder):
    paths = write(folder, [body for body, _ in UNDEFINED] + DEFINED)
    run = tool.Run(["convert", "--to", "ir", "--from", "arbfp"] + paths)
    CHECKS.check(run.status == 0, f"status {run.status}: {run.err}")
    warnings = said(run.err, "warning")
    for path, (body, message) in zip(paths, UNDEFINED):
        got = warnings.get(os.path.basename(path), [])
        want = place_of(text_of(body))
        CHECKS.check(len(got) == 1 and got[0][:2] == want and message in got[0][2],
                     f"{body!r}: expected {want} {message!r}, got {got}")
    for path, body in zip(paths[len(UNDEFINED):], DEFINED):
        CHECKS.check(not warnings.get(os.path.basename(path)), f"{body!r}: {warnings.get(os.path.basename(path))}")


def main():
    CHECKS.check(len(BAD) >= 60, f"only {len(BAD)} malformed programs")
    with tempfile.TemporaryDirectory() as folder:
        bad(folder)
        undefined(folder)
    CHECKS.finish()


if __name__ == "__main__":
    main()
