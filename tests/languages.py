#!/usr/bin/env python3
"""Programs of shading languages are what their compilers take: every GLSL form by glslangValidator, ARB
programs by Mesa (arbfp_load). Of the corpus, of random states, and of random programs of ATI_fragment_shader.
usage: languages.py ARBFP_LOAD [COUNT]"""
import glob
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

import tool
from tool import Run

sys.path.insert(0, tool.TOP)
from oracle.atifs import random_atifs  # noqa: E402
from oracle.texenv import random_states, stages_print  # noqa: E402

LOAD, COUNT = sys.argv[1], int((sys.argv[2:] + ["300"])[0])
GLSL = ["glsl", "glsl-110", "glsl-330", "glsl-es", "glsl-es-300"]
FOGS = ["state", "off", "linear", "exp", "exp2"]
checks = tool.Checks("languages")

# One state for every way that a lookup, a constant, a function or what follows texturing can be said.
STATES = """{T0*P @1d} {T1*P @2d} {T2+P @rect} {T3*P @3d} {T4+P @cube}
{T0*P @shadow} {T1+P @shadow:alpha @1d} {T2*P @shadow:intensity @rect} {T3+P @shadow:red}
{T0*P @shadow} {T1+P @shadow:alpha} {T2*P @shadow:intensity} {T3+P @shadow:red}
{T0*P @3d} {T1+P @cube} {T2*~P.a @3d}
{T0*P @alpha} {T1+P @luminance} {T2*P @luminance_alpha} {T3+P @intensity} {T4*P @rgb} {T5+P @red} {T6*P @rg}
{lerp(T0,C,~P.a)}*4 {dot3(T1,P) ; P*C}*2;4 {dot3a(P,~C)} C0=(.1,.2,.3,.4) C2=(1,0,.5,.25)
{T0*P+C*F-0.5 ; P*1+C*F} {T1*P-C} {P+F-0.5} {~P.a*~C.a} fog=exp colorsum
{P} fog=linear:coord alphatest=gequal:0.5
{0} fog=exp2 alphatest=never:0
{replace} {modulate} {decal} {blend} {add} C3=(.1,.9,.1,.9) colorsum
"""


def convert(args, stdin=""):
    run = Run(["convert", "-q", *args], stdin)
    checks.check(run.status in (0, 3), f"{args}: status {run.status}\n{run.err[:400]}")
    return [b for b in re.split(r"^(?:#|//) state .*\n", run.out, flags=re.M) if b.strip()]


def compile_glsl(folder, name, texts):
    """Each distinct text by the reference compiler. Many files a run."""
    paths = []
    for n, text in enumerate(sorted(set(texts))):
        paths.append(os.path.join(folder, f"{name}-{n}.frag"))
        with open(paths[-1], "w", encoding="utf-8") as f:
            f.write(text)
    for at in range(0, len(paths), 200):
        done = subprocess.run(["glslangValidator", *paths[at:at + 200]], capture_output=True, text=True)
        bad = re.search(r"^(?:ERROR|WARNING): .*", done.stdout, re.M)
        checks.check(done.returncode == 0 and not bad,
                     f"{name}: {bad.group(0) if bad else done.returncode}\n" + "".join(open(p,
                         encoding="utf-8").read() for p in paths[at:at + 1]))
    print(f"{name}: {len(paths)} programs compiled")


def link(folder, language, args, stdin):
    """Vertex and fragment shader of each state, by the reference compiler's linker; the reflection of both
    names what their texts declare, and nothing else."""
    out = os.path.join(folder, "pairs-" + language)
    reflection = os.path.join(folder, language + ".json")
    run = Run(["convert", "-q", *args, "--to", language, "--stage", "both", "--reflect", reflection, "-o", out + "/"],
              stdin)
    checks.check(run.status in (0, 3), f"{language}: --stage both: {run.status} {run.err[:400]}")
    names = sorted(n[:-5] for n in os.listdir(out) if n.endswith(".vert"))
    checks.check(names and names == sorted(n[:-5] for n in os.listdir(out) if n.endswith(".frag")),
                 f"{language}: not a pair each: {len(names)}")
    for name in names:
        done = subprocess.run(["glslangValidator", "-l", name + ".vert", name + ".frag"], capture_output=True, text=True,
                              cwd=out)
        checks.check(done.returncode == 0 and "ERROR" not in done.stdout and "WARNING" not in done.stdout,
                     f"{language}: {name} does not link: {done.stdout}")
    with open(reflection, encoding="utf-8") as f:
        objects = json.load(f)
    texts = set()
    for name in names:
        text = "".join(open(os.path.join(out, name + end), encoding="utf-8").read() for end in (".vert", ".frag"))
        texts.add(tuple(sorted(set(re.findall(
            r"^(?:layout\(\S+ = \d+\) )?(?:uniform|attribute|in|out|varying) (?:PRECISION )?\w+ (\w+)", text, re.M))
            - {"fragment_color"})))
    said = {tuple(sorted({x["name"].split("[")[0] for part in ("samplers", "uniforms", "attributes", "varyings")
                          for x in o.get(part, []) if not x.get("built_in")})) for o in objects}
    checks.check(texts == said, f"{language}: declared and reflected differ: {sorted(texts ^ said)[:4]}")
    print(f"{language}: {len(names)} pairs linked")


if not shutil.which("glslangValidator"):
    print("glslangValidator is missing (tools/setup installs it)")
    sys.exit(77)
rng = random.Random(7)
with tempfile.TemporaryDirectory() as folder:
    atifs = os.path.join(folder, "random.atifs")
    with open(atifs, "w", encoding="utf-8") as f:
        f.write("".join(f"# state {n} x:1\n{random_atifs.program(rng)}" for n in range(1, COUNT // 2)))
    corpus = [p for ext in ("gl", "stages", "trace", "c") for p in sorted(glob.glob(os.path.join(tool.TOP,
        "tests/corpus/**/*." + ext), recursive=True))]
    states = "".join(stages_print.state_text(s) + "\n" for s in random_states.RandomStates(COUNT, 3))
    sources = [(["-"], STATES), (corpus, ""), (["-", "--from", "stages"], states), ([atifs], "")]
    for language in ["arbfp", *GLSL]:
        texts = []
        for args, stdin in sources:
            texts += convert([*args, "--to", language], stdin)
        for fog in FOGS:
            texts += convert(["-", "--to", language, "--fog", fog, "--color-sum", "on"], STATES)
        texts += convert(["-", "--to", language, "--fold-constants"], STATES)
        checks.check(len(texts) > COUNT, f"{language}: only {len(texts)} programs")
        if language != "arbfp":
            compile_glsl(folder, language, texts)
            link(folder, language, ["-"], STATES)
            continue
        done = subprocess.run([LOAD], input="".join(texts), capture_output=True, text=True)
        if done.returncode == 77:
            print(done.stderr)
            sys.exit(77)
        checks.check(done.returncode == 0 and f"{len(texts)} programs" in done.stdout,
                     f"arbfp: {done.stdout[:2000]}{done.stderr[:300]}")
        print("arbfp:", done.stdout.strip().split("\n")[-1])
        # The loader is no rubber stamp.
        broken = subprocess.run([LOAD], input=texts[0].replace("texture[0], 1D", "texture[0], 9D"),
                                capture_output=True, text=True)
        checks.check(broken.returncode == 1 and "1 failed" in broken.stdout,
                     f"arbfp: a broken program is loaded: {broken.stdout[:300]}")
    with open(os.path.join(folder, "broken.frag"), "w", encoding="utf-8") as f:
        f.write(texts[0].replace("vec4", "vec3"))
    checks.check(subprocess.run(["glslangValidator", f.name], capture_output=True).returncode != 0,
                 "a broken program is compiled")
checks.finish()
