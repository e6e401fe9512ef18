#!/usr/bin/env python3
"""Tests the C headers of texenvc convert --embed and the tables of --reflect-c, as programs use them:
compiled by gcc and clang as C11 and C++, run with a mock GL that prints the calls it gets, and drawn on a
real GL and compared with fixed function.

usage: embed.py mock                                           every language and compiler, a mock GL
       embed.py draw LIBTEXENV LIBSCENE EVERY [FILE|DIR...]    every EVERY-th state of the corpus"""
import glob
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool
from oracle.vertex import values as gl_calls
from oracle.vertex import values_uniforms
from tests.shared.tool import Run

LANGUAGES = ["arbfp", "glsl", "glsl-110", "glsl-330", "glsl-450", "glsl-es", "glsl-es-300"]
COMPILERS = [[c, f"-std={s}", "-x", x] for c, s, x in (("gcc", "c11", "c"), ("clang", "c11", "c"), ("g++", "c++11", "c++"),
                                                        ("g++", "c++20", "c++"), ("clang++", "c++17", "c++"))]
STRICT = ["-Wall", "-Wextra", "-pedantic", "-Werror"]
STATE = "{lerp(T0,C,~P.a)} {T1*P+C} fog=linear alphatest=gequal:0.5 colorsum C0=(1,0,1,0) C1=(0,1,0,1) vertex(matrix1)"
# States with every kind of fog, colour sum and alpha test, and with each texture target and format that every
# language supports.
DRAWN = """{T0*P} fog=linear
{T0*P} fog=exp
{T0*P+C} fog=exp2:coord C0=(.1,.2,.3,.4)
{T0*P} fog=linear:coord colorsum
{T0*P} fog=exp colorsum alphatest=greater:0.25
{lerp(T0,C,~P.a)}*4 {dot3(T1,P) ; P*C}*2;4 {dot3a(P,~C)} C0=(.1,.2,.3,.4) C2=(1,0,.5,.25)
{T0*P @cube} {T1+P @3d} {T2*P @alpha} {T3+P @luminance_alpha}
{T0*P @shadow} {T1+P @shadow:alpha} {T2*P @shadow:intensity}
{P} alphatest=never:0
""" + "".join("{T0} alphatest=%s:0.5\n" % c for c in ("less", "equal", "lequal", "greater", "notequal", "gequal"))
checks = tool.Checks("embed")


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


# ---- a mock GL ----

LIT = "{P} vertex(lighting)"


def expected_lit(language):
    """Returns the lines that embed_mock.c must print for LIT. The scene's colour (OpenGL 2.1, 2.14.1) is GL's
    initial ambient light times ambient material, plus the emission that embed_mock.c sets."""
    if language in ("arbfp", "glsl", "glsl-110"):
        return set()
    lines = {"p_scene_color 0.04 0.54 0.04", "p_material_alpha 0.125"}
    return lines | {line for line in expected(language) if line.startswith(("p_modelview", "p_projection"))}


def expected(language):
    """Returns the lines that embed_mock.c must print for STATE: uniforms and their values, derived by hand
    from the values that embed_mock.c sets."""
    projection, modelview = [i * i % 7 for i in range(16)], [i % 5 - 1 for i in range(16)]
    if language == "arbfp":
        return set()
    lines = {"texture0 = 0", "texture1 = 1"}
    if language not in ("glsl", "glsl-110"):
        values = {"texenv_color[0]": [.125, .25, .375, .5], "texenv_color[1]": [.0625, 0, 0, 1],
                  "fog_color": [0, .25, .5, .75], "fog_end": [10], "fog_scale": [1 / (10 - 2)],
                  "alpha_reference": [.75], "projection": projection, "modelview": modelview,
                  "texture_matrix[1]": range(100, 116)}
        lines |= {" ".join([name, *(f"{x:g}" for x in value)]) for name, value in values.items()}
    return {"p_" + line for line in lines}


def mock(folder, state, expected_of, compilers):
    """Compares the output of embed_mock.c with expected_of(language), for each language, compiled by the
    first of the compilers and by one of the others in turn."""
    for n, language in enumerate(LANGUAGES):
        header = os.path.join(folder, "sky.h")
        prefix = [] if language == "arbfp" else ["--prefix", "p_"]
        run = Run(["convert", "--to", language, "--embed", "--name", "sky", *prefix, "-o", header, "-e", state])
        more = 16 if state == LIT else 0 # its block has a vec3 and a float after the members of every program
        checks.check(run.status == 0, f"{language}: {run.err}")
        for compiler in compilers[:1] + compilers[1 + n % 4:2 + n % 4]:
            if not shutil.which(compiler[0]):
                print("missing:", compiler[0])
                continue
            program = os.path.join(folder, "mock")
            define = [f"-DBLOCK={1056 + more}"] if language == "glsl-450" else []
            done = subprocess.run([*compiler, *STRICT, *define, f'-DPAIRS="{header}"',
                                   os.path.join(tool.TOP, "tests/web/embed_mock.c"), "-lm", "-o", program],
                                  capture_output=True, text=True)
            if not checks.check(done.returncode == 0, f"{language}: {compiler}: {done.stderr[:2000]}"):
                continue
            done = subprocess.run([program], capture_output=True, text=True)
            lines, wanted = done.stdout.splitlines(), expected_of(language)
            checks.check(done.returncode == 0 and len(lines) == len(set(lines)) and set(lines) == wanted,
                         f"{language}: {compiler}: {sorted(set(lines) ^ wanted)}")
    print("mock:", len(LANGUAGES), "languages,", len(compilers), "compilers")


# Vertex halves. Their uniforms together with those of CALLS cover all rows of embed_values.def.
VERTICES = ["lighting light0 light1=positional+spot+attenuated light7=spot+positional rescale", "texgen0=eye texgen1=object matrix1 matrix0",
            "lighting light2 color-material=ambient normalize texgen0.st=sphere", "lighting light3 local-viewer "
            "color-material=specular separate-specular point-attenuation", "lighting light0 light1 color-material=diffuse",
            "lighting two-side light0 light4", "lighting two-side light3 color-material=ambient+diffuse",
            "lighting two-side light5 color-material.back=ambient+diffuse", "lighting two-side light5 color-material.back=specular",
            "lighting two-side light6 color-material.both=emission", "lighting color-material.both=ambient two-side"]
# Point sizes and clip planes, which the notation of vertex halves cannot express.
CALLS = ["glEnable(GL_CLIP_PLANE1);\nglEnable(GL_CLIP_PLANE4);\nglDrawArrays(GL_TRIANGLES, 0, 3);\n",
         "glPointSize(4);\nglDrawArrays(GL_POINTS, 0, 3);\n"]
FRAGMENTS = ["{T0*P} {T1+P}", "{T0*P+C} {T1+P} fog=linear", "{T0*P} {T1*C+P} fog=exp alphatest=less:.5"]


def random_calls(rng):
    """Returns random GL calls as tuples of names and numbers. Lights and planes are set under one modelview
    matrix, the last call loads another for the draw."""
    def numbers(n, most=4):
        return [rng.randrange(-16 * most, 16 * most + 1) / 16 for _ in range(n)]

    def matrix(): # its last row is (0, 0, 0, 1); a large diagonal keeps the elements of the inverse small
        rows = [numbers(3, 1) + numbers(1) for _ in range(3)]
        for i in range(3):
            rows[i][i] += rng.choice((-5, 5))
        return [x for column in zip(*rows, [0, 0, 0, 1]) for x in column]

    calls = [("MatrixMode", "MODELVIEW"), ("LoadMatrixf", *matrix())]
    for n in range(8):
        one, unit = f"LIGHT{n}", f"TEXTURE{n}"
        calls += [("Lightfv", one, name, *numbers(4)) for name in ("AMBIENT", "DIFFUSE", "SPECULAR")]
        calls += [("Lightfv", one, "POSITION", *numbers(3), rng.choice((1, 2, 0.5))), ("Lightfv", one, "SPOT_DIRECTION", *numbers(2), 1),
                  ("Lightf", one, "SPOT_EXPONENT", rng.randrange(128)), ("Lightf", one, "SPOT_CUTOFF", rng.choice((0, 30, 89.5, 90)))]
        calls += [("Lightf", one, f"{name}_ATTENUATION", abs(numbers(1)[0])) for name in ("CONSTANT", "LINEAR", "QUADRATIC")]
        calls += [("ClipPlane", f"CLIP_PLANE{n}", *numbers(4)), ("ActiveTexture", unit)]
        calls += [("TexGenfv", c, name, *numbers(4)) for c in "STRQ" for name in ("OBJECT_PLANE", "EYE_PLANE")]
        calls += [("TexEnvfv", "TEXTURE_ENV", "TEXTURE_ENV_COLOR", *(abs(x) for x in numbers(4, 1))),
                  ("MatrixMode", "TEXTURE"), ("LoadMatrixf", *numbers(16)), ("MatrixMode", "MODELVIEW")]
    for face in ("FRONT", "BACK"):
        calls += [("Materialfv", face, name, *numbers(4)) for name in ("AMBIENT", "DIFFUSE", "SPECULAR", "EMISSION")]
        calls.append(("Materialf", face, "SHININESS", rng.randrange(128)))
    end = rng.choice((2.0, 20.0))
    calls += [("LightModelfv", "LIGHT_MODEL_AMBIENT", *numbers(4)), ("Fogfv", "FOG_COLOR", *(abs(x) for x in numbers(4, 1))),
              ("Fogf", "FOG_DENSITY", abs(numbers(1)[0])), ("Fogf", "FOG_START", 2.0), ("Fogf", "FOG_END", end),
              ("PointSize", rng.choice((0.5, 3, 40))), ("PointParameterf", "POINT_SIZE_MIN", 1.5),
              ("PointParameterf", "POINT_SIZE_MAX", 16), ("PointParameterfv", "POINT_DISTANCE_ATTENUATION", *map(abs, numbers(3))),
              ("AlphaFunc", "LESS", 0.375), ("MatrixMode", "PROJECTION"), ("LoadMatrixf", *numbers(16)),
              ("MatrixMode", "MODELVIEW"), ("LoadMatrixf", *matrix())]
    return calls


def statement(call, at):
    """Returns a C statement that stores the arguments of a GL call in v (struct texenvc_values), by the
    header's functions where GL transforms them. `at` holds the current matrix mode and texture unit."""
    name, *args = call
    words, numbers = [x for x in args if isinstance(x, str)], [x for x in args if not isinstance(x, str)]
    floats = "(const float[]){" + ", ".join(f"(float){float(x)!r}" for x in numbers) + "}"

    def put(to):
        return f"memcpy({'' if len(numbers) > 1 else '&'}v.{to}, {floats}, {len(numbers)} * sizeof(float));"

    if name in ("MatrixMode", "ActiveTexture"):
        at[name] = words[0]
        return ""
    unit = at.get("ActiveTexture", "TEXTURE0")[-1]
    if name == "LoadMatrixf":
        return put({"MODELVIEW": "modelview", "PROJECTION": "projection", "TEXTURE": f"texture_matrix[{unit}]"}[at["MatrixMode"]])
    if name in ("Lightfv", "Lightf"):
        light, member = f"light[{words[0][5:]}]", words[1].lower()
        if words[1] == "POSITION":
            return f"texenvc_transform(v.{light}.position, v.modelview, {floats});"
        if words[1] == "SPOT_DIRECTION": # a direction: its w is 0
            floats = floats[:-1] + ", 0}"
            return f"{{ float d[4]; texenvc_transform(d, v.modelview, {floats}); memcpy(v.{light}.spot_direction, d, 3 * sizeof *d); }}"
        if member.endswith("_attenuation"):
            return put(f"{light}.attenuation[{['constant', 'linear', 'quadratic'].index(member[:-12])}]")
        return put(f"{light}.{member}")
    if name == "ClipPlane":
        return f"texenvc_plane(v.clip_plane[{words[0][10:]}], v.modelview, {floats});"
    if name == "TexGenfv":
        to = f"{words[1].lower()}[{unit}].{words[0].lower()}"
        return f"texenvc_plane(v.{to}, v.modelview, {floats});" if words[1] == "EYE_PLANE" else put(to)
    if name in ("Materialfv", "Materialf"):
        return put(f"{words[0].lower()}.{words[1].lower()}")
    return put({"TexEnvfv": f"texenv_color[{unit}]", "LightModelfv": "light_model_ambient", "PointSize": "point.size",
                "AlphaFunc": "alpha_reference", "PointParameterfv": "point.attenuation"}.get(name)
               or words[0].lower().replace("fog_", "fog.").replace("point_size_", "point."))


def script_of(call, at):
    """Returns the same as a JavaScript statement, for the values v of a module."""
    name, *args = call
    words, numbers = [x for x in args if isinstance(x, str)], [x for x in args if not isinstance(x, str)]
    unit, value = at.get("ActiveTexture", "TEXTURE0")[-1], numbers if len(numbers) > 1 else numbers[:1] and numbers[0]
    if name in ("MatrixMode", "ActiveTexture"):
        at[name] = words[0]
        return ""
    if name in ("Lightfv", "Lightf") and "ATTENUATION" not in words[1]:
        return f"light(v, {words[0][5:]}, {{{words[1].lower()}: {value}}});"
    if name == "Lightf":
        return f"v.light[{words[0][5:]}].attenuation[{['C', 'L', 'Q'].index(words[1][0])}] = {value};"
    if name in ("Materialfv", "Materialf"):
        return f'material(v, {{{words[1].lower()}: {value}}}, "{words[0].lower()}");'
    if name == "ClipPlane":
        return f"clipPlane(v, {words[0][10:]}, {value});"
    if name == "TexGenfv" and words[1] == "EYE_PLANE":
        return f"eyePlane(v, {unit}, {{{words[0].lower()}: {value}}});"
    if name == "TexGenfv":
        return f"v.object_plane[{unit}].{words[0].lower()} = {value};"
    if name == "LoadMatrixf":
        to = {"MODELVIEW": "modelview", "PROJECTION": "projection", "TEXTURE": f"texture_matrix[{unit}]"}[at["MatrixMode"]]
    else:
        to = {"TexEnvfv": f"texenv_color[{unit}]", "LightModelfv": "light_model_ambient", "PointSize": "point.size",
              "AlphaFunc": "alpha_reference", "PointParameterfv": "point.attenuation"}.get(name) or \
            words[0].lower().replace("fog_", "fog.").replace("point_size_", "point.")
    return f"v.{to} = {value};"


def with_indices(rows, types, column):
    """Returns (`ROW[n]`, expression) for each row, in the language of the column: n from 0 to 7 where the
    row's name has an index, else 0."""
    return [(f"{row}[{n}]", texts[column].replace("$", str(n)))
            for row, texts in rows.items() for n in (range(8) if "$" in types[row][0] else [0])]


def script(folder, calls, wanted, names):
    """Evaluates every JavaScript expression of embed_values.def, if node is installed."""
    if not shutil.which("node"):
        print("missing: node")
        return
    module, at = os.path.join(folder, "sky.mjs"), {}
    run = Run(["convert", "--to", "webgl2", "--embed", "-o", module, "-e", "{}"])
    checks.check(run.status == 0, run.err)
    with open(module, "a", encoding="utf-8") as f:
        f.write("const v = initialValues();\n" + "\n".join(script_of(c, at) for c in calls)
                + "\nconsole.log(JSON.stringify({" + ", ".join(f'"{name}": [{text}].flat()' for name, text in names) + "}));\n")
    done = subprocess.run(["node", module], capture_output=True, text=True)
    if checks.check(done.returncode == 0, done.stderr[:1000]):
        told = json.loads(done.stdout)
        for name, text in names:
            checks.check(is_near(told[name], wanted[name]), f"{name}: {text}: {told[name]}, not {wanted[name]}")


def page_parses(folder):
    """The script of a page, which joins several files, has no syntax error. (webgl.py draws the page.)"""
    page, module = os.path.join(folder, "page.html"), os.path.join(folder, "page.mjs")
    for to in ("webgl", "webgl2"):
        run = Run(["convert", "--to", to, "--page", page, "-e", "{T0*P} vertex(lighting light0)"])
        checks.check(run.status == 0, run.err)
        with open(page, encoding="utf-8") as f, open(module, "w", encoding="utf-8") as out:
            out.write(re.search(r'<script type="module">(.*)</script>', f.read(), re.S)[1])
        if shutil.which("node"):
            done = subprocess.run(["node", "--check", module], capture_output=True, text=True)
            checks.check(done.returncode == 0, f"page of {to}: {done.stderr[:1000]}")


def rows_of(path):
    """Reads a table (*.def) as {id of the row: [its strings, in order, then the row's text]}."""
    with open(os.path.join(tool.TOP, path), encoding="utf-8") as f:
        found = re.findall(r"^(?:EMBED_VALUE|PAIR_UNIFORM)\((\w+),((?:[^;\"]|\"[^\"]*\")*?)\)$", f.read(), re.M)
    return {name: [x.replace('"\n            "', "") for x in re.findall(r'"((?:[^"]|"\s*")*?)"(?=[,)]|$)', rest)] + [rest]
            for name, rest in found}


def build(folder, header, setting, more=()):
    program = os.path.join(folder, "values")
    # not -pedantic: sources of states with lighting are longer than the strings that C11 guarantees
    done = subprocess.run(["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", f'-DPAIRS="{header}"', f'-DVALUES="{setting}"', *more,
                           os.path.join(tool.TOP, "tests/web/embed_mock.c"), "-lm", "-o", program], capture_output=True, text=True)
    checks.check(done.returncode == 0, done.stderr[:1000])
    if done.returncode:
        return {}
    lines = subprocess.run([program], capture_output=True, text=True).stdout.splitlines()
    return {line.split()[0]: [float(x) for x in line.split()[1:]] for line in lines if " = " not in line}


def is_near(got, wanted):
    return len(got) == len(wanted) and all(abs(a - b) <= 2e-5 * max(1, abs(b)) for a, b in zip(got, wanted))


def values(folder):
    """Compares the value of every uniform after random GL calls with the oracle's value for the same calls;
    then evaluates every expression of embed_values.def directly, with each index."""
    header, setting, direct = (os.path.join(folder, n) for n in ("sky.h", "values.inc", "direct.inc"))
    rows, types, seen = rows_of("tools/texenvc/embed_values.def"), rows_of("fragprog/pair_uniforms.def"), set()
    checks.check(rows.keys() == types.keys() and len(rows) > 50, f"rows: {sorted(rows.keys() ^ types.keys())}")
    sizes = {"float": 1, "vec3": 3, "vec4": 4, "mat3": 9, "mat4": 16}
    rng = random.Random(5)
    for k, words in enumerate(VERTICES * 3 + CALLS * 4):
        language = ("glsl-330", "glsl-450")[k // 2 % 2] # plain uniforms, or a uniform block
        text = words if words in CALLS else FRAGMENTS[k % 3] + (" colorsum " if "separate" in words else " ") + f"vertex({words})"
        run = Run(["convert", "--to", language, "--embed", "--name", "sky", "-o", header, "-e", text])
        checks.check(run.status == 0, run.err)
        machine, at, calls = gl_calls.Values(), {}, random_calls(rng)
        faults = [c for c in calls if machine.call(c[0], c[1:])]
        checks.check(not faults, f"calls that GL refuses: {faults[:3]}")
        write(setting, "\n".join(statement(c, at) for c in calls))
        wanted = dict(values_uniforms.uniforms(machine))
        with open(header, encoding="utf-8") as f:
            text = f.read()
        table = re.findall(r'^    \{"([\w.\[\]]+)", "\w+", "[^"]*", TEXENVC_UNIFORM, TEXENVC_(\w+), (-?\d+),', text, re.M)
        block = re.search(r"^    0, (\d+), sky_variables", text, re.M)
        told = build(folder, header, setting, [f"-DBLOCK={block[1]}"] if language == "glsl-450" else [])
        checks.check(told.keys() == {name for name, *_ in table}, f"{words}: {sorted(told)}: {table}")
        for name, row, n in table:
            seen.add(row)
            key = f"{row}[{max(int(n), 0)}]"
            checks.check(is_near(told.get(name, []), wanted[key]), f"{words}: {name}, {key}: {told.get(name)}, not {wanted[key]}")
        if k % 10:
            continue
        expressions = with_indices(rows, types, 2)
        write(direct, "".join(f'line("{name}", {sizes[types[name.split("[")[0]][1]]}, {text});\n' for name, text in expressions))
        told = build(folder, header, setting, [f'-DDIRECT="{direct}"'])
        for name, text in expressions:
            checks.check(is_near(told.get(name, []), wanted[name]), f"{name}: {text}: {told.get(name)}, not {wanted[name]}")
        script(folder, calls, wanted, with_indices(rows, types, 1))
    page_parses(folder)
    checks.check(rows.keys() == seen, f"not in any pair: {sorted(rows.keys() - seen)}")
    print(f"values: {len(rows)} rows, {len(seen)} of them in pairs")


PRINT = r"""
#include <stdio.h>
#include "table.h"
static void text(const char *key, const char *s) { if (s) printf(" %s=%s", key, s); }
static void number(const char *key, int n) { if (n >= 0) printf(" %s=%d", key, n); }
int main(void)
{
    static const char *const kinds[] = {"samplers", "uniforms", "attributes", "varyings"};
    const struct texenvc_pair *const pairs[] = {&sky_pair, &sky_2_pair};
    for (int p = 0; p < 2; p++) {
        printf("%s %s fog=%s", pairs[p]->name, pairs[p]->language, pairs[p]->fog);
        text("formula", pairs[p]->fog_formula);
        text("alpha", pairs[p]->alpha_test);
        text("alpha_formula", pairs[p]->alpha_formula);
        printf("\n");
        for (int i = 0; i < pairs[p]->nvariables; i++) {
            const struct texenvc_variable *v = &pairs[p]->variable[i];
            printf("%s %s", kinds[v->kind], v->name);
            text("type", v->type); text("is", v->is); text("format", v->format); text("swizzle", v->swizzle);
            if (v->kind == TEXENVC_SAMPLER) number("unit", v->unit);
            number("location", v->location); number("binding", v->binding); number("offset", v->offset);
            number("stages", v->stages);
            for (int k = 0; k < v->values; k++) printf(" %.9g", (double)v->value[k]);
            printf("\n");
        }
    }
    return 0;
}
"""


def table(folder):
    """The C tables of --reflect-c have the same content as the JSON of --reflect."""
    for language in LANGUAGES:
        run = Run(["convert", "--to", language, "--stage", "both", "--name", "sky", "--reflect-c",
                   os.path.join(folder, "table.h"), "--reflect", os.path.join(folder, "table.json"), "-e", STATE,
                   "-e", "{T0*P @luminance} alphatest=less:0.25"])
        checks.check(run.status == 0, run.err)
        lines = []
        with open(os.path.join(folder, "table.json"), encoding="utf-8") as f:
            objects = json.load(f)
        for o in objects:
            line = f"{o['name']} {o['language']} fog={o['fog']}"
            for key, name in (("formula", "fog_formula"), ("alpha", "alpha_test"), ("alpha_formula", "alpha_formula")):
                line += f" {key}={o[name]}" if name in o else ""
            lines.append(line)
            for kind in ("samplers", "uniforms", "attributes", "varyings"):
                for v in o.get(kind, []):
                    line = f"{kind} {v['name']}"
                    for key in ("type", "is", "format", "swizzle", "unit", "location", "binding", "offset"):
                        line += f" {key}={v[key]}" if key in v else ""
                    line += f" stages={['', 'fragment', 'vertex'].index(v.get('stage', ''))}"
                    value = v.get("value", [])
                    lines.append(line + "".join(f" {x:.9g}" for x in (value if isinstance(value, list) else [value])))
        write(os.path.join(folder, "print.c"), PRINT)
        done = subprocess.run(["gcc", "-std=c11", *STRICT, "-I", folder, os.path.join(folder, "print.c"), "-o",
                               os.path.join(folder, "print")], capture_output=True, text=True)
        checks.check(done.returncode == 0, f"{language}: {done.stderr[:1000]}")
        out = subprocess.run([os.path.join(folder, "print")], capture_output=True, text=True).stdout.splitlines()
        checks.check(sorted(out) == sorted(lines), f"{language}: {sorted(set(out) ^ set(lines))[:6]}")
        checks.check(objects[0]["name"] == "sky" and objects[1]["name"] == "sky_2", str(objects)[:200])


# ---- a real GL ----

MATRICES = " vertex(" + " ".join(f"matrix{n}" for n in range(8)) + ")"


def states_of(paths, every):
    """Returns distinct states in stage notation. Their vertex halves are dropped, since the scene that
    embed_draw.c draws supports only texture matrices."""
    files = []
    for path in paths:
        files += [path] if os.path.isfile(path) else [
            p for ext in ("gl", "stages", "trace", "c", "txt") for p in sorted(glob.glob(os.path.join(path, "**/*." + ext),
                                                                                  recursive=True))]
    texts = []
    for at in range(0, len(files), 100):
        out = Run(["convert", "-q", "--to", "stages", *files[at:at + 100]]).out
        texts += [re.sub(r" vertex\([^)]*\)", "", line) for line in out.splitlines() if line and not line.startswith("#")]
    return sorted(set(texts))[::every]


def draw(folder, libraries, every, paths):
    states = DRAWN.splitlines() + states_of(paths, every)
    states = [state + MATRICES * (n % 2) for n, state in enumerate(states)]
    source = os.path.join(tool.TOP, "tests/web/embed_draw.c")
    for language in LANGUAGES:
        stages, header, names = (os.path.join(folder, n) for n in ("all.stages", "pairs.h", "list.def"))
        write(stages, "\n".join(states) + "\n")
        run = Run(["convert", "-q", "--to", language, stages])
        refused = {int(n) for n in re.findall(r"^(?:#|//) state (\d+) .* refused: ", run.out, re.M)}
        # no desktop GL supports the extension for shadow samplers of GLSL ES 1.00
        fits = [s for n, s in enumerate(states, 1) if n not in refused and not (language == "glsl-es" and "@shadow" in s)]
        write(stages, "\n".join(fits) + "\n")
        run = Run(["convert", "-q", "--to", language, "--embed", "-o", header, stages])
        checks.check(run.status == 0, f"{language}: {run.status}: {run.err[:300]}")
        write(names, "".join(f"PAIR(texenv{'' if n == 1 else f'_{n}'})\n" for n in range(1, len(fits) + 1)))
        program = os.path.join(folder, "draw")
        blocks = ["-DBLOCKS"] if language == "glsl-450" else []
        done = subprocess.run(["gcc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", f'-DPAIRS="{header}"',
                               f'-DLIST="{names}"', *blocks, "-I", tool.TOP, "-I", os.path.join(tool.TOP, "tools/gldiff"), source,
                               *libraries[::-1], "-ldl", "-lm", "-o", program], capture_output=True, text=True)
        checks.check(done.returncode == 0, f"{language}: {done.stderr[:2000]}")
        # softpipe does not support GLSL 4.50
        driver = "llvmpipe" if language == "glsl-450" else "softpipe"
        with open(stages, encoding="utf-8") as f:
            done = subprocess.run([program], stdin=f, capture_output=True, text=True,
                                  env=dict(os.environ, LIBGL_ALWAYS_SOFTWARE="1", GALLIUM_DRIVER=driver))
        if done.returncode == 77:
            print(done.stderr)
            sys.exit(77)
        checks.check(done.returncode == 0 and f"{len(fits)} pairs drawn, 0 differ" in done.stdout,
                     f"{language}: {done.stdout[-2000:]}{done.stderr[-300:]}")
        print(f"{language}: {len(refused)} of {len(states)} refused, {done.stdout.strip().splitlines()[-1]} ({driver})", flush=True)


def main():
    with tempfile.TemporaryDirectory() as folder:
        if sys.argv[1] == "mock":
            mock(folder, STATE, expected, COMPILERS)
            mock(folder, LIT, expected_lit, COMPILERS[2:3])
            values(folder)
            table(folder)
        else:
            draw(folder, sys.argv[2:4], int(sys.argv[4]), sys.argv[5:] or [os.path.join(tool.TOP, "tests/corpus")])
    checks.finish()


main()
