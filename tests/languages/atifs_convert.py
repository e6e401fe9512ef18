#!/usr/bin/env python3
"""Converts random programs of ATI_fragment_shader, as text and as calls, including two passes and dependent
lookups, and some hand-written intermediate programs: to the intermediate program at every level of
optimisation, to ARB programs and to GLSL. The oracle's evaluators compare the results with the originals.
usage: atifs_convert.py [COUNT [SEED]]"""
import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool
from tests.shared.tool import Run

from oracle.atifs import atifs_eval, atifs_lint, atifs_text, random_atifs  # noqa: E402
from oracle.common import framing  # noqa: E402
from oracle.common.domain import NotDyadic  # noqa: E402
from oracle.common.errors import ProgramError  # noqa: E402
from oracle.common.vectors import VectorSet  # noqa: E402
from oracle.ir import ir_eval, ir_text  # noqa: E402
from oracle.lang import languages  # noqa: E402

COUNT, SEED = (int(x) for x in (sys.argv[1:] + ["150", "1"][len(sys.argv) - 1:]))
VECTORS = 8
FORMS = [["ir", "-O", "0"], ["ir", "-O", "1"], ["ir", "-O", "2"], ["arbfp"], ["glsl"], ["glsl-330"],
         ["glsl-es-300"], ["arbfp", "--fold-constants"]]

# Intermediate programs that conversions of ATI_fragment_shader's programs rarely or never produce.
BY_HAND = [
    # both texels are combined in the register of the second one; writing the first one's x there first would
    # overwrite the y that is still to be read
    """!!texir1.0
%0 = tex.xyz coord0, t0, 2d, rgba  @0
%1 = tex.xyz coord1, t1, 2d, rgba  @1
%2 = vec.xyz %1.y0z0, %0.0x00  @-
%3 = mov.w primary.wwww  @-
result %2, %3
""",
    # the coordinates of the second lookup are a copy of the first texel; the copy and the lookup both swizzle
    """!!texir1.0
%0 = tex.xyz coord0, t0, 2d, rgba  @0
%1 = mov.xyz %0.zxy0  @-
%2 = tex.xyz %1.zxy, t1, 3d, rgba  @1
%3 = mov.w primary.wwww  @-
result %2, %3
""",
]
# Programs of the extension that the random generator seldom produces.
EXTENSION_BY_HAND = [
    # 8 * (color0 + color0) is limited to 8 before the next instruction scales it by 1/8
    """!!ATIfs1.0
StartOutputPass;
  ADD r1.rgb.8x, color0, color0;
  ADD r1.a.8x, color0, color0;
  MOV r1.rgb.eighth, r1;
  MOV r1.a.eighth, r1;
  SUB r0.rgb.sat, r1, color0;
  SUB r0.a.sat, r1, color0;
EndPass;
""",
    # the clamp applies after the scale: half of 2 is 1
    """!!ATIfs1.0
StartOutputPass;
  SampleMap r0, t0.str;
  ADD r0.rgb.half.sat, r0, color0;
  ADD r0.a.half.sat, r0, color0;
EndPass;
""",
]
# The result of a depth comparison is in the channels that the format says, and the other channels are 0 or 1.
# In languages whose lookup returns four channels, GL has already placed it by the texture's depth mode.
COMPARISONS = ["""!!texir1.0
%%0 = tex.xyzw coord0, t0, 2d, %s, shadow  @0
%%1 = add.xyz %%0.xyzx, primary.xyzx  @0
%%2 = add.w %%0.xxxw, primary.xxxw  @0
result %%1, %%2
""" % base for base in ("alpha", "luminance", "intensity", "red")]
ONE_NUMBER = [form for form in FORMS if form[0] in ("ir", "glsl-330", "glsl-es-300")]
checks = tool.Checks("atifs_convert")


def value(program, inputs):
    if isinstance(program, ir_text.Program):
        return ir_eval.evaluate(program, inputs)
    return (atifs_eval if isinstance(program, atifs_text.Program) else languages).evaluate(program, inputs)


def difference(a, b, inputs):
    """Returns the first channel that differs, or None. If coordinates are divided, inputs are evaluated one
    by one."""
    try:
        pairs = list(zip(value(a, inputs), value(b, inputs)))
        inputs.dom.trim()
        return next((c for c, (x, y) in zip("rgba", pairs) if inputs.dom.first_difference(x, y) >= 0), None)
    except NotDyadic:
        for i in range(VECTORS):
            single = inputs.vector(i)
            x, y = value(a, single), value(b, single)
            if x != y:
                return "rgba"[[p == q for p, q in zip(x, y)].index(False)]
    return None


class ByCoordinates(VectorSet):
    by_coordinates = True

    def vector(self, index):
        single = super().vector(index)
        single.by_coordinates = True
        return single


inputs = ByCoordinates(SEED, VECTORS)


# ---- calls: the alpha of a dot product has its own register and modifiers; its arguments are ignored

def bits(names, empty="GL_NONE"):
    return " | ".join(names) or empty


def call_argument(arg):
    fixed = {"0": "GL_ZERO", "1": "GL_ONE", "color0": "GL_PRIMARY_COLOR",
             "color1": "GL_SECONDARY_INTERPOLATOR_ATI"}
    source = fixed.get(arg.base) or f"GL_{'REG' if arg.base[0] == 'r' else 'CON'}_{arg.base[1]}_ATI"
    rep = {None: "GL_NONE", "r": "GL_RED", "g": "GL_GREEN", "b": "GL_BLUE", "a": "GL_ALPHA"}[arg.rep]
    mods = [name for given, name in ((arg.x2, "GL_2X_BIT_ATI"), (arg.comp, "GL_COMP_BIT_ATI"),
                                     (arg.bias, "GL_BIAS_BIT_ATI"), (arg.neg, "GL_NEGATE_BIT_ATI")) if given]
    return f"{source}, {rep}, {bits(mods)}"


def call(instr):
    scale = {0: [], 1: ["GL_2X_BIT_ATI"], 2: ["GL_4X_BIT_ATI"], 3: ["GL_8X_BIT_ATI"],
             -1: ["GL_HALF_BIT_ATI"], -2: ["GL_QUARTER_BIT_ATI"], -3: ["GL_EIGHTH_BIT_ATI"]}[instr.scale]
    mod = bits(scale + ["GL_SATURATE_BIT_ATI"] * instr.sat)
    mask = bits(f"GL_{name}_BIT_ATI" for name in ("RED", "GREEN", "BLUE") if name[0].lower() in instr.mask)
    of = "Alpha" if instr.mask == "a" else "Color"
    words = [f"GL_{instr.op.replace('2ADD', '2_ADD')}_ATI", f"GL_REG_{instr.dst[1]}_ATI",
             *([mask] if of == "Color" else []), mod, *map(call_argument, instr.args)]
    return f"gl{of}FragmentOp{len(instr.args)}ATI({', '.join(words)});\n"


def calls_of(program):
    """Returns the program as C calls. GL ignores the arguments of an alpha dot product."""
    out = "glBeginFragmentShaderATI();\n"
    for name, (kind, value) in program.constants.items():
        if kind == "literal":
            out += f"glSetFragmentShaderConstantATI(GL_CON_{name[1]}_ATI, (GLfloat[]){{" \
                   f"{', '.join(map(str, value))}}});\n"
    for p in program.passes:
        for s in p.setup:
            source = f"GL_TEXTURE{s.src[1]}" if s.src[0] == "t" else f"GL_REG_{s.src[1]}_ATI"
            out += f"gl{s.op}ATI(GL_REG_{s.dst[1]}_ATI, {source}, GL_SWIZZLE_{s.swizzle.upper()}_ATI);\n"
        for item in p.code:
            halves = (item,) if isinstance(item[0], str) else item
            for instr in halves:
                if len(halves) == 2 and instr.mask == "a" and instr.op in atifs_text.DOT_OPS:
                    other = atifs_text.parse_arg(rng.choice(("r0", "1", "0.comp", "r5.g.2x")))
                    instr = instr._replace(args=(other,) * len(instr.args))
                out += call(instr)
    return out + "glEndFragmentShaderATI();\n"


def apart(program):
    """Gives alpha dot products other registers and modifiers; returns None if the program has none, or if the
    change makes something undefined."""
    changed = 0

    def change(item):
        nonlocal changed
        if isinstance(item[0], str) or item[1].op not in atifs_text.DOT_OPS or rng.random() < 0.2:
            return item
        changed += 1
        alpha = item[1]._replace(scale=rng.randrange(-3, 4), sat=rng.random() < 0.5)
        return item[0], alpha._replace(dst=f"r{rng.randrange(6)}") if rng.random() < 0.5 else alpha
    program = program._replace(passes=tuple(p._replace(code=tuple(map(change, p.code)))
                                            for p in program.passes))
    if not program.passes[-1].setup and len(program.passes) == 2:
        return None  # calls cannot express such a second pass
    try:
        value(program, inputs.vector(0))
    except (ProgramError, ZeroDivisionError):
        return None
    return program if changed else None


def compare_calls(folder):
    """Compares calls with their conversions; if they convert to the text of ATI_fragment_shader, the text
    must read back."""
    programs = []
    while len(programs) < COUNT:
        program = apart(atifs_text.parse(random_atifs.program(rng, plain=True)))
        programs += [program] if program else []
    path = os.path.join(folder, "calls.c")
    compare("calls", path, list(map(calls_of, programs)), programs,
            [["atifs"], ["ir", "-O", "0"], ["arbfp"]], ["--from", "atifs-calls"])
    printed = Run(["convert", "--from", "atifs-calls", path, "-q", "--to", "atifs"])
    back = Run(["convert", "-", "-q", "--to", "atifs"], printed.out)
    checks.check(back.status == 0 and [b.text for b in framing.split(back.out)]
                 == [b.text for b in framing.split(printed.out) if b.refused is None],
                 f"calls as text read back: status {back.status}\n{back.err[:500]}")


def compare(what, source, texts, programs, forms, how=()):
    """Compares programs, given as texts of one form, with their conversions. source: the file to write the
    texts to; how: options that name the form."""
    with open(source, "w", encoding="utf-8") as f:
        f.write("".join(f"# state {n} x:1\n{text}" if not how else text for n, text in enumerate(texts, 1)))
    for form in forms:
        run = Run(["convert", source, *how, "-q", "--to", *form])
        blocks = framing.split(run.out)
        refused = sum(b.refused is not None for b in blocks)
        checks.check(run.status == (3 if refused else 0) and len(blocks) == len(texts),
                     f"{what}: {form}: status {run.status}, {len(blocks)} programs\n{run.err[:500]}")
        checks.check(refused == 0 or form[0].startswith("glsl-es") or form[0] == "atifs"
                     and refused < len(texts) / 4, f"{what}: {form}: {refused} refused")
        wrong = 0
        for n, (p, block) in enumerate(zip(programs, blocks), 1):
            if block.refused is not None:
                continue
            text = block.text.lstrip("\n")
            got = (ir_text.parse(text) if form[0] == "ir" else atifs_text.parse(text) if form[0] == "atifs"
                   else languages.parse(text, form[0]))
            if form[0] == "atifs":
                # the two problems that are left out are allowed here
                problems = [p for p in atifs_lint.lint(got, promises=False)
                            if "partner writes" not in p and "two swizzles" not in p]
                checks.check(not problems, f"{what}: program {n}: {problems}\n{text}")
            channel = difference(p, got, inputs)
            wrong += channel is not None
            if channel is not None and wrong == 1:
                checks.check(False, f"{what}: {form}: program {n} (seed {SEED}) differs in "
                                    f"{channel}:\n{texts[n - 1]}\n{block.text}")
        checks.check(wrong == 0, f"{what}: {form}: {wrong} of {len(texts)} differ")
        print(f"{what}, {' '.join(form)}: {len(texts) - refused} compared, {refused} refused, {wrong} differ")


rng = random.Random(SEED)
texts = [random_atifs.program(rng) for _ in range(COUNT)]
programs = [atifs_text.parse(text) for text in texts]
checks.check(sum(len(p.passes) == 2 for p in programs) > COUNT // 4, "too few programs of two passes")
checks.check(sum("SampleMap" in s.text and s.src[0] == "r" for p in programs for q in p.passes
                 for s in q.setup) > COUNT // 4, "too few dependent lookups")
with tempfile.TemporaryDirectory() as folder:
    compare("random", os.path.join(folder, "a.atifs"), texts, programs, FORMS)
    compare("of the extension, by hand", os.path.join(folder, "b.atifs"), EXTENSION_BY_HAND,
            [atifs_text.parse(text) for text in EXTENSION_BY_HAND], FORMS)
    compare("by hand", os.path.join(folder, "a.ir"), BY_HAND, [ir_text.parse(text) for text in BY_HAND],
            FORMS)
    compare_calls(folder)
    compare("comparisons", os.path.join(folder, "b.ir"), COMPARISONS, [ir_text.parse(text)
        for text in COMPARISONS], ONE_NUMBER)
checks.finish()
