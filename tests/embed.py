#!/usr/bin/env python3
"""Headers of texenvc convert --embed and tables of --reflect-c, as programs use them: compiled by gcc and
clang as C11 and C++, run with a GL that prints what it is told, and drawn on a real GL against fixed
function.

usage: embed.py mock                                           every language and compiler, a mock GL
       embed.py draw LIBTEXENV LIBSCENE EVERY [FILE|DIR...]    every EVERY-th state of the corpus"""
import glob
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

import tool
from oracle.common import spans
from oracle.vertex import gl_values, matrices, vertex_draws, vertex_words
from tool import Run

LANGUAGES = ["arbfp", "glsl", "glsl-110", "glsl-330", "glsl-450", "glsl-es", "glsl-es-300"]
COMPILERS = [[c, f"-std={s}", "-x", x] for c, s, x in (("gcc", "c11", "c"), ("clang", "c11", "c"), ("g++", "c++11", "c++"),
                                                        ("g++", "c++20", "c++"), ("clang++", "c++17", "c++"))]
STRICT = ["-Wall", "-Wextra", "-pedantic", "-Werror"]
STATE = "{lerp(T0,C,~P.a)} {T1*P+C} fog=linear alphatest=gequal:0.5 colorsum C0=(1,0,1,0) C1=(0,1,0,1)"
# What follows texturing in all ways, and each kind of texture that every language has.
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
    """The same for LIT, whose vertex program reads two bindings (2.14.1) where they are no built-in state:
    the scene's colour is GL's initial ambient light times ambient material, and the emission of
    embed_mock.c."""
    if language in ("arbfp", "glsl", "glsl-110"):
        return set()
    lines = {"p_state_lightmodel_front_scenecolor 0.04 0.54 0.04 0.125",
             "p_state_material_front_diffuse 0.8 0.8 0.8 0.125"}
    return lines | {line for line in expected(language) if line.startswith("p_modelview_projection")}


def expected(language):
    """What a mock GL is told for STATE: by hand, from the values that tests/embed_mock.c has."""
    projection, modelview = [i * i % 7 for i in range(16)], [i % 5 - 1 for i in range(16)]
    # column by column: element (row, column) is [4 * column + row]
    product = [sum(projection[4 * k + row] * modelview[4 * column + k] for k in range(4))
               for column in range(4) for row in range(4)]
    if language == "arbfp":
        return set()
    lines = {"texture0 = 0", "texture1 = 1"}
    if language not in ("glsl", "glsl-110"):
        values = {"texenv_color[0]": [.125, .25, .375, .5], "texenv_color[1]": [.0625, 0, 0, 1],
                  "fog_color": [0, .25, .5, .75], "fog_end": [10], "fog_scale": [1 / (10 - 2)],
                  "alpha_reference": [.75], "modelview_projection": product, "modelview": modelview,
                  "texture_matrix[0]": range(16), "texture_matrix[1]": range(100, 116)}
        lines |= {" ".join([name, *(f"{x:g}" for x in value)]) for name, value in values.items()}
    return {"p_" + line for line in lines}


def mock(folder, state, expected_of, compilers):
    for language in LANGUAGES:
        header = os.path.join(folder, "sky.h")
        prefix = [] if language == "arbfp" else ["--prefix", "p_"]
        run = Run(["convert", "--to", language, "--embed", "--name", "sky", *prefix, "-o", header, "-e", state])
        bindings = 2 if state == LIT and expected_of(language) else 0
        checks.check(run.status == 0, f"{language}: {run.err}")
        for compiler in compilers:
            if not shutil.which(compiler[0]):
                print("missing:", compiler[0])
                continue
            program = os.path.join(folder, "mock")
            define = [f"-DBLOCK={1056 + 16 * bindings}"] if language == "glsl-450" else []
            done = subprocess.run([*compiler, *STRICT, *define, f'-DPAIRS="{header}"',
                                   os.path.join(tool.TOP, "tests/embed_mock.c"), "-lm", "-o", program],
                                  capture_output=True, text=True)
            if not checks.check(done.returncode == 0, f"{language}: {compiler}: {done.stderr[:2000]}"):
                continue
            done = subprocess.run([program], capture_output=True, text=True)
            lines, wanted = done.stdout.splitlines(), expected_of(language)
            checks.check(done.returncode == 0 and len(lines) == len(set(lines)) and set(lines) == wanted,
                         f"{language}: {compiler}: {sorted(set(lines) ^ wanted)}")
    print("mock:", len(LANGUAGES), "languages,", len(compilers), "compilers")


# Vertex halves that between them read every kind of state that there is.
VERTICES = ["lighting light0 light1=positional+spot+attenuated light7=spot+positional rescale", "texgen0=eye texgen1=object matrix1 matrix0",
            "lighting light2 color-material=ambient normalize texgen0.st=sphere", "lighting light3 local-viewer "
            "color-material=specular separate-specular point-attenuation", "lighting light0 light1 color-material=diffuse"]


def statements(gl, words):
    """What sets v of embed_mock.c to an oracle's values, those of lights and planes by way of its functions."""
    def row(name, values):
        return "".join(f"{name}[{i}] = (float){float(x)!r}; " for i, x in enumerate(values))

    def columns(m):
        return [x for column in zip(*m) for x in column]

    out = [row("v.modelview", columns(gl.modelview)), row("v.projection", columns(gl.projection)),
           row("v.light_model_ambient", gl.scene), row("v.point.attenuation", gl.point_attenuation)]
    out += [f"v.point.{name} = (float){float(x)!r};" for name, x in zip(("size", "min", "max"), gl.point)]
    for side, own in gl.materials.items():
        out += [row(f"v.{side}.{name}", getattr(own, name)) for name in ("ambient", "diffuse", "specular", "emission")]
        out.append(f"v.{side}.shininess = (float){float(own.shininess)!r};")
    back = matrices.inverse(gl.modelview) if words.lit_by() else None
    for n, _ in words.lit_by():
        one, at = gl.lights[n], f"v.light[{n}]"
        out += [row(f"{at}.{name}", getattr(one, name)) for name in ("ambient", "diffuse", "specular", "attenuation")]
        cutoff = 180 if one.cos_cutoff == -1 else math.degrees(math.acos(one.cos_cutoff))
        out += [row(f"{at}.spot_direction", one.direction), f"{at}.spot_cutoff = (float){cutoff!r};",
                f"{at}.spot_exponent = (float){float(one.exponent)!r};", row(f"{at}.position", matrices.times(back, one.position)),
                f"texenvc_transform({at}.position, v.modelview, {at}.position);"]
    for n in range(2):
        out.append(row(f"v.texture_matrix[{n}]", columns(gl.texture[n])))
        for c in "strq":
            out += [row(f"v.object_plane[{n}].{c}", gl.object_planes[n][c]), row(f"v.eye_plane[{n}].{c}", gl.given_planes[n][c]),
                    f"{{ static const float m[16] = {{{', '.join(f'(float){float(x)!r}' for x in columns(gl.plane_modelview))}}};"
                    f" texenvc_plane(v.eye_plane[{n}].{c}, m, v.eye_plane[{n}].{c}); }}"]
    return "\n".join(out)


def values(folder):
    """What every uniform of lit states is told, against the oracle's bindings of the same name."""
    header, setting, program = (os.path.join(folder, n) for n in ("sky.h", "values.inc", "values"))
    seen = set()
    for words_text, k in [(w, k) for w in VERTICES for k in range(4)]:
        run = Run(["convert", "--to", "glsl-330", "--embed", "--name", "sky", "-o", header, "--reflect", folder + "/r.json",
                   "-e", "{T0*P} {T1+P} " + ("colorsum " if "separate" in words_text else "") + f"vertex({words_text})"])
        checks.check(run.status == 0, run.err)
        words = vertex_words.read(words_text + " reads=color+secondary+fog+texcoord0+texcoord1").canonical()
        gl = vertex_draws.draw(f"{words_text} {k}", words)
        write(setting, statements(gl, words))
        # sources of lit states are longer than strings of C have to be: not -pedantic
        done = subprocess.run(["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", f'-DPAIRS="{header}"', f'-DVALUES="{setting}"',
                               os.path.join(tool.TOP, "tests/embed_mock.c"), "-lm", "-o", program], capture_output=True, text=True)
        if not checks.check(done.returncode == 0, f"{words_text}: {done.stderr[:1000]}"):
            continue
        lines = subprocess.run([program], capture_output=True, text=True).stdout.splitlines()
        told = {line.split()[0]: [float(x) for x in line.split()[1:]] for line in lines if " = " not in line}
        with open(folder + "/r.json", encoding="utf-8") as f:
            uniforms = json.load(f)[0]["uniforms"]
        for u in uniforms:
            if not u["is"].startswith("state."):
                continue
            wanted = [sum(map(float, spans.bounds(x))) / 2 for x in gl_values.Bindings(gl).vector(u["is"])]
            seen.add(u["is"])
            got = told.get(u["name"], [])
            far = [abs(a - b) / max(1, abs(b)) for a, b in zip(got, wanted)]
            checks.check(len(got) == 4 and max(far) < 2e-5, f"{words_text}: {u['is']}: {got}, wanted {wanted}")
    with open(os.path.join(tool.TOP, "tools/texenvc/embed_values.def"), encoding="utf-8") as f:
        rows = re.findall(r'^EMBED_BINDING\("([^"]+)"', f.read(), re.M)
    for row in rows:
        pattern = re.escape(row).replace(r"\#", r"\d").replace("@", r"\w+")
        checks.check(any(re.fullmatch(pattern, name) for name in seen), f"{row} is not tested")
    print(f"values: {len(seen)} bindings of {len(rows)} kinds")


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
    """--reflect-c says what --reflect says."""
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

def states_of(paths, every):
    """Distinct states in stage notation, without their vertex halves: the scene has none."""
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
    source = os.path.join(tool.TOP, "tests/embed_draw.c")
    for language in LANGUAGES:
        stages, header, names = (os.path.join(folder, n) for n in ("all.stages", "pairs.h", "list.def"))
        write(stages, "\n".join(states) + "\n")
        run = Run(["convert", "-q", "--to", language, stages])
        refused = {int(n) for n in re.findall(r"^(?:#|//) state (\d+) .* refused: ", run.out, re.M)}
        # no desktop GL has ES 1.00's extension for shadow samplers
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
        # softpipe has no GLSL 4.50
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
