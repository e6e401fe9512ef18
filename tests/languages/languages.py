#!/usr/bin/env python3
"""Checks that compilers of the shading languages accept the generated programs: glslangValidator for every
GLSL version, Mesa for ARB programs (arbfp_load). Inputs are random states and random programs of
ATI_fragment_shader (reload.py uses all inputs of the tests). Vertex and fragment shader of every state must
link; those of glsl-450 are compiled to SPIR-V, and from there to HLSL and MSL by spirv-cross and to WGSL by
naga or tint, if these are installed.
usage: languages.py ARBFP_LOAD [COUNT [EVERY [DIR...]]]     every which pair of the corpus is linked"""
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
from tests.shared.tool import Run

from oracle.atifs import random_atifs  # noqa: E402
from oracle.lang import random_arb, random_arb_vertex  # noqa: E402
from oracle.texenv import random_states, stages_print  # noqa: E402

LOAD, COUNT, EVERY = sys.argv[1], *(int(n) for n in (sys.argv[2:] + ["300", "12"][len(sys.argv) - 2:])[:2])
PLACES = ["--prefix", "my_", "--binding", "7", "--location", "5"]
GLSL = ["glsl", "glsl-110", "glsl-330", "glsl-450", "glsl-es", "glsl-es-300"]
DECLARED = re.compile(r"^(?:    layout\(offset = \d+\) \w+|    (?:vec4|float|mat4)|(?:layout\([^)]*\) )?(?:uniform|attribute|in|out|varying) "
                      r"(?:(?:\w*PRECISION|highp) )?\w+) (\w+)[;\[]", re.M)
# INVARIANT: ways to use the position without naming it. TAKEN: built-in variables of ARB programs and of GLSL
# 1.10 and 1.20.
INVARIANT = re.compile("ftransform|position_invariant")
TAKEN = re.compile(r"\b(?:(?:state|program|vertex)\.[\w.\[\]]+|texture\[\d+\]|"
                   r"gl_(?:Vertex|Normal|MultiTexCoord|Light|Fog\b|Front[LM]|Back[LM]|Tex(?:ture|tureEnv)|Model|Projection|Eye|"
                   r"Object|Point\b|ClipPlane|DepthRange)\w*)")
FOGS = ["state", "off", "linear", "exp", "exp2"]
checks = tool.Checks("languages")

# One state for every syntax of a lookup, a constant, a function, and the steps after texturing.
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
# Vertex halves, and below environments that read their results.
HALVES = ["lighting light0", "lighting", "lighting light1=positional", "lighting light2=spot local-viewer",
          "lighting light7=positional+spot+attenuated normalize", "lighting light0 light1=positional two-side",
          "lighting light0 separate-specular", "lighting light0=positional separate-specular local-viewer rescale",
          "lighting light0 color-material.both=ambient+diffuse", "lighting light0 color-material.front=specular",
          "lighting light3 color-material.both=emission", "lighting light0=spot two-side separate-specular",
          "texgen0.st=sphere", "texgen0=reflection", "texgen1=normal normalize", "texgen0=object", "texgen1=eye matrix1",
          "texgen0.s=object texgen0.t=eye texgen0.r=normal", "matrix0 matrix1", "point-attenuation",
          "lighting light0 texgen0.st=sphere texgen1=reflection matrix1 normalize point-attenuation",
          "lighting " + " ".join(f"light{n}=positional+attenuated" for n in range(8)) + " separate-specular"]
READING = ["{T0*P} {T1+P}", "{T0*P @cube} {T1+P @3d} fog=exp", "{P} colorsum fog=linear", "{T0*P} {P*C} C1=(.5,1,0,1)"]
STATES += "".join(f"{READING[n % (2 if 'texgen' in h or 'matrix' in h else 4)]} vertex({h})\n" for n, h in enumerate(HALVES))


def names_in(text):
    """Returns the global declarations of a program, without members of structures."""
    return DECLARED.findall(re.sub(r"^struct \w+ \{[^}]*\};$", "", text, flags=re.M))


def convert(args, stdin=""):
    run = Run(["convert", "-q", *args], stdin)
    checks.check(run.status in (0, 3), f"{args}: status {run.status}\n{run.err[:400]}")
    return [b for b in re.split(r"^(?:#|//) state .*\n", run.out, flags=re.M) if b.strip()]


def compile_glsl(folder, name, texts):
    """Compiles each distinct text by the reference compiler, many files in one run."""
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


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def cross(out, name, language):
    """Translates the SPIR-V of the pair to the languages of other graphics interfaces."""
    made = set()
    for stage in ("vert", "frag"):
        spirv = os.path.join(out, stage + ".spv")
        ways = [["spirv-cross", spirv, "--hlsl", "--shader-model", "50"], ["spirv-cross", spirv, "--msl"],
                ["spirv-cross", spirv, "--version", "450"], ["naga", spirv, os.path.join(out, stage + ".wgsl")],
                ["tint", "--format", "wgsl", spirv]]
        for way in ways:
            if not shutil.which(way[0]) or (way[0] == "tint" and not is_compiler("tint")):
                continue
            if "--hlsl" in way and "gl_PointSize" in read(os.path.join(out, name + ".vert")):
                continue  # Direct3D has no point size
            done = subprocess.run(way, capture_output=True, text=True)
            checks.check(done.returncode == 0 and (done.stdout or way[0] == "naga"),
                         f"{language}: {name}: {' '.join(way[:3])}: {done.stderr[:400]}")
            # Vulkan's clip volume has 0 <= z <= w
            if way[1:2] == [spirv] and stage == "vert" and "450" in way:
                checks.check("gl_Position.z + gl_Position.w) * 0.5" in done.stdout, f"{name}: depth: {done.stdout}")
            made.add(way[0] + " " + way[2] if way[0] == "spirv-cross" else way[0])
    return made


def is_compiler(name):
    """Returns whether the command compiles WGSL. In Debian, `tint` is another program (a desktop panel)."""
    done = subprocess.run([name, "--help"], capture_output=True, text=True)
    return "wgsl" in (done.stdout + done.stderr).lower()


def spirv(out, name, language, reflected):
    """Compiles the pair to SPIR-V; the layout of its uniforms must equal the reflection."""
    done = subprocess.run(["glslangValidator", "-V", "-l", "-q", name + ".vert", name + ".frag"], capture_output=True,
                          text=True, cwd=out)
    checks.check(done.returncode == 0 and "ERROR" not in done.stdout, f"{language}: {name}: -V: {done.stdout[:600]}")
    check_places(done.stdout, f"{language}: {name}", reflected)


def check_places(listed, name, reflected):
    """The uniform block and samplers listed by the compiler must equal the reflection."""
    places = {}
    for found, offset, binding, stride in re.findall(r"^([\w.]+)(?:\[0\])?: offset (-?\d+), .* binding (-?\d+)[^\n]*?"
                                                     r"(?:topLevelArrayStride (\d+))?$", listed, re.M):
        places[found] = (int(offset), int(binding), int(stride or 0))
    for o in reflected["uniforms"]:  # the compiler lists light[2].position as light.position
        n = re.search(r"\[(\d+)\]", o["name"])
        first, _, stride = places.get(re.sub(r"\[\d+\]", "", o["name"]), (-1, 0, 0))
        checks.check(first >= 0 and first + int(n[1] if n else 0) * stride == o["offset"],
                     f"{name}: {o}: {first}, {stride}")
    block = reflected.get("block", {}).get("binding")
    for o in reflected["samplers"]:
        checks.check(block is None or o["binding"] == block + 1 + o["unit"], f"{name}: {o}")
        checks.check(places.get(o["name"], (0, 0))[1] == o["binding"], f"{name}: {o}")
    blocks = {place[1] for b, place in places.items() if re.search("(vertex|fragment)_state$", b)}
    checks.check(blocks == ({block} if block is not None else set()), f"{name}: blocks at {blocks}")


def link(folder, language, args, stdin, what):
    """Links vertex and fragment shader of each state by the reference compiler; the reflection must list
    exactly the declared names, and every declared name must be used."""
    out = os.path.join(folder, "pairs-" + what + language)
    reflection = os.path.join(folder, language + ".json")
    run = Run(["convert", "-q", *args, "--to", language, "--stage", "both", "--reflect", reflection, "-o", out + "/"],
              stdin)
    checks.check(run.status in (0, 3), f"{language}: --stage both: {run.status} {run.err[:400]}")
    names = sorted(n[:-5] for n in os.listdir(out) if n.endswith(".vert"))
    checks.check(names and names == sorted(n[:-5] for n in os.listdir(out) if n.endswith(".frag")),
                 f"{language}: not a pair each: {len(names)}")
    objects = json.loads(read(reflection))
    by_name = {o["name"]: o for o in objects}
    said = {tuple(sorted({x["name"].split("[")[0] for part in ("samplers", "uniforms", "attributes", "varyings")
                          for x in o.get(part, []) if not x.get("built_in")})): o for o in objects}
    distinct, declared, made = {}, set(), set()
    for name in names:
        distinct.setdefault(tuple(read(os.path.join(out, name + end)) for end in (".vert", ".frag")), name)
    # links only a part of the pairs of the corpus and of renamed pairs, in each language another part
    every = EVERY if what == "corpus" else 1 if what == "states" else (EVERY + 3) // 4
    for n, (texts, name) in enumerate(distinct.items()):
        found = [names_in(text) for text in texts]
        declared.add(tuple(sorted(w for w in set(found[0] + found[1]) if not w.endswith("fragment_color"))))
        if (n + GLSL.index(language)) % every:
            continue
        done = subprocess.run(["glslangValidator", "-l", name + ".vert", name + ".frag"], capture_output=True, text=True,
                              cwd=out)
        checks.check(done.returncode == 0 and "ERROR" not in done.stdout and "WARNING" not in done.stdout,
                     f"{language}: {name} does not link: {done.stdout}")
        for text, each in zip(texts, found):
            for word in each:
                checks.check(len(re.findall(rf"\b{word}\b", text)) > 1, f"{language}: {name} does not use {word}")
                checks.check(what != "prefixed" or word.startswith("my_"), f"{language}: {name}: {word} has no prefix")
        if language == "glsl-450":
            spirv(out, name, language, by_name[name])
            made |= cross(out, name, language) if n % 4 == 0 or what == "states" else set()
    checks.check(declared == set(said), f"{language}: declared and reflected differ: {sorted(declared ^ set(said))[:4]}")
    print(f"{language}: {len(names)} pairs of {what}, {len(distinct)} distinct, {-(-len(distinct) // every)} linked")
    if language == "glsl-450":
        print(f"{language}: SPIR-V; on to {', '.join(sorted(made)) or 'nothing'}; missing:",
              ", ".join(t for t in ("spirv-cross", "naga") if not shutil.which(t)) or "nothing")


def programs(folder, language, paths, args):
    """The reflection of ARB programs must list the names that their texts declare and the state that GL
    supplies."""
    out, reflection = os.path.join(folder, "programs-" + language), os.path.join(folder, "programs.json")
    run = Run(["convert", "-q", *paths, *args, "--to", language, "--reflect", reflection, "-o", out + "/"])
    checks.check(run.status in (0, 3), f"{language}: programs: {run.status} {run.err[:400]}")
    objects = json.loads(read(reflection))
    checks.check(len(objects) > len(paths) // 2, f"{language}: {len(objects)} of {len(paths)} programs")
    for o in objects:
        text = read(o["files"][0])
        said = [x for part in ("samplers", "uniforms", "attributes", "varyings") for x in o.get(part, [])]
        declared = {w for w in names_in(text) if not re.search(r"fragment_color\d?$", w)}
        names = {x["name"].split("[")[0] for x in said if not (x.get("built_in") or language == "arbfp")}
        checks.check(declared == names, f"{language}: {o['source']}: declared {declared}, reflected {names}")
        filled = [x for x in said if x.get("built_in") or language == "arbfp"]
        for x in filled:
            checks.check(x["name"] in text or (x.get("is") == "glVertex" and INVARIANT.search(text)),
                         f"{language}: {o['source']}: {x} is not there")
        for word in TAKEN.findall(text):
            checks.check(any(word.startswith(x["name"]) or word in x["name"] for x in filled),
                         f"{language}: {o['source']}: {word} is not reflected")
        if language == "glsl-450":
            done = subprocess.run(["glslangValidator", "-V", "-q", "-o", os.path.join(folder, "p.spv"), o["files"][0]],
                                  capture_output=True, text=True)
            checks.check(done.returncode == 0, f"{language}: {o['source']}: -V: {done.stdout[:600]}")
            check_places(done.stdout, f"{language}: {o['source']['file']}", o)
            vertex = "vertex" if "gl_Position" in text else "fragment"
            size = re.search(rf"^{''.join(args[1:2])}{vertex}_state: .* size (\d+)", done.stdout, re.M)
            checks.check(int(size.group(1)) == o["block"]["size"] if size else "block" not in o,
                         f"{language}: {o['source']}: {size and size.group()}, not {o.get('block')}")
    print(f"{language}: {len(objects)} programs reflected")


def random_programs(folder):
    """Returns the paths of ARB programs."""
    found = sorted(glob.glob(os.path.join(tool.TOP, "tests/arbfp/*.arb?p")))
    for n in range(COUNT // 6):
        for kind, how in (("f", {}), ("v", {"writer": random_arb_vertex.VertexWriter})):
            found.append(os.path.join(folder, f"r{n}.arb{kind}p"))
            with open(found[-1], "w", encoding="utf-8") as f:
                f.write(random_arb.program(31, n, 5, 40, plain=True, **how))
    return found


if not shutil.which("glslangValidator"):
    print("glslangValidator is missing (tools/setup installs it)")
    sys.exit(77)
rng = random.Random(7)
with tempfile.TemporaryDirectory() as folder:
    atifs = os.path.join(folder, "random.atifs")
    with open(atifs, "w", encoding="utf-8") as f:
        f.write("".join(f"# state {n} x:1\n{random_atifs.program(rng)}" for n in range(1, COUNT // 2)))
    corpus = [p for top in sys.argv[4:] or [os.path.join(tool.TOP, "tests/corpus")]
              for ext in ("gl", "stages", "trace", "c")
              for p in sorted(glob.glob(os.path.join(top, "**/*." + ext), recursive=True))]
    states = "".join(stages_print.state_text(s) + "\n" for s in random_states.RandomStates(COUNT, 3))
    sources = [(["-"], STATES), (["-", "--from", "stages"], states), ([atifs], "")]
    arb = random_programs(folder)
    for language in ["arbfp", *GLSL]:
        texts = []
        programs(folder, language, arb, PLACES[:6 if language == "glsl-450" else 2] if language != "arbfp" else [])
        for args, stdin in sources:
            texts += convert([*args, "--to", language], stdin)
        for fog in FOGS:
            texts += convert(["-", "--to", language, "--fog", fog, "--color-sum", "on"], STATES)
        texts += convert(["-", "--to", language, "--fold-constants"], STATES)
        # programs with an unbounded number of parameters have another order in the block
        if language == "glsl-450":
            for path in sorted(glob.glob(os.path.join(tool.TOP, "tests/arbfp/*.arbfp"))):
                texts += convert([path, "--to", language, "--prefix", "my_"])
        checks.check(len(texts) > COUNT, f"{language}: only {len(texts)} programs")
        if language != "arbfp":
            compile_glsl(folder, language, texts)
            link(folder, language, ["-"], STATES, "states")
            link(folder, language, ["-", *PLACES[:6 if language == "glsl-450" else 2]], STATES, "prefixed")
            link(folder, language, ["-", "--affine"], STATES, "affine")
            link(folder, language, corpus, "", "corpus")
            continue
        done = subprocess.run([LOAD], input="".join(texts), capture_output=True, text=True)
        if done.returncode == 77:
            print(done.stderr)
            sys.exit(77)
        checks.check(done.returncode == 0 and f"{len(texts)} programs" in done.stdout,
                     f"arbfp: {done.stdout[:2000]}{done.stderr[:300]}")
        print("arbfp:", done.stdout.strip().split("\n")[-1])
        # A deliberate error must be reported, else the loader checks nothing.
        broken = subprocess.run([LOAD], input=texts[0].replace("texture[0], 1D", "texture[0], 9D"),
                                capture_output=True, text=True)
        checks.check(broken.returncode == 1 and "1 failed" in broken.stdout,
                     f"arbfp: a broken program is loaded: {broken.stdout[:300]}")
    with open(os.path.join(folder, "broken.frag"), "w", encoding="utf-8") as f:
        f.write(texts[0].replace("vec4", "vec3"))
    checks.check(subprocess.run(["glslangValidator", f.name], capture_output=True).returncode != 0,
                 "a broken program is compiled")
checks.finish()
