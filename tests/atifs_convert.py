#!/usr/bin/env python3
"""Random programs of ATI_fragment_shader, two passes and dependent lookups included, against what they are
converted to: the intermediate program at every level of optimisation, ARB programs and GLSL; so are some
intermediate programs, written by hand. By the oracle's evaluators. usage: atifs_convert.py [COUNT [SEED]]"""
import os
import random
import sys
import tempfile

import tool
from tool import Run

sys.path.insert(0, tool.TOP)
from oracle.atifs import atifs_eval, atifs_text, random_atifs  # noqa: E402
from oracle.common import framing  # noqa: E402
from oracle.common.domain import NotDyadic  # noqa: E402
from oracle.common.vectors import VectorSet  # noqa: E402
from oracle.ir import ir_eval, ir_text  # noqa: E402
from oracle.lang import languages  # noqa: E402

COUNT, SEED = (int(x) for x in (sys.argv[1:] + ["150", "1"][len(sys.argv) - 1:]))
VECTORS = 8
FORMS = [["ir", "-O", "0"], ["ir", "-O", "1"], ["ir", "-O", "2"], ["arbfp"], ["glsl"], ["glsl-330"],
         ["glsl-es-300"], ["arbfp", "--fold-constants"]]

# Intermediate programs that few or no programs of the extension become.
BY_HAND = [
    # channels are collected where they lie: the second would be overwritten by the first
    """!!texir1.0
%0 = tex.xyz coord0, t0, 2d, rgba  @0
%1 = tex.xyz coord1, t1, 2d, rgba  @1
%2 = vec.xyz %1.y0z0, %0.0x00  @-
%3 = mov.w primary.wwww  @-
result %2, %3
""",
    # a lookup reads a copy, both with lanes of their own
    """!!texir1.0
%0 = tex.xyz coord0, t0, 2d, rgba  @0
%1 = mov.xyz %0.zxy0  @-
%2 = tex.xyz %1.zxy, t1, 3d, rgba  @1
%3 = mov.w primary.wwww  @-
result %2, %3
""",
]
# Programs of the extension that random ones seldom come to.
EXTENSION_BY_HAND = [
    # 16 is limited to 8, an eighth of which is 1: white less white
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
    # the clamp comes after the scale: half of 2 is 1
    """!!ATIfs1.0
StartOutputPass;
  SampleMap r0, t0.str;
  ADD r0.rgb.half.sat, r0, color0;
  ADD r0.a.half.sat, r0, color0;
EndPass;
""",
]
# The number that a comparison gives stands where the format says, in the other channels 0 or 1. Where the
# language's lookup has four channels GL has put it there by the texture's depth mode.
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
    """The channel that differs, or None; vector by vector where coordinates are divided."""
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


def compare(what, source, texts, programs, forms):
    """The programs, texts of one form, against what they are converted to. source: a file that gets the
    texts."""
    with open(source, "w", encoding="utf-8") as f:
        f.write("".join(f"# state {n} x:1\n{text}" for n, text in enumerate(texts, 1)))
    for form in forms:
        run = Run(["convert", source, "-q", "--to", *form])
        blocks = framing.split(run.out)
        refused = sum(b.refused is not None for b in blocks)
        checks.check(run.status == (3 if refused else 0) and len(blocks) == len(texts),
                     f"{what}: {form}: status {run.status}, {len(blocks)} programs\n{run.err[:500]}")
        checks.check(refused == 0 or form[0].startswith("glsl-es"), f"{what}: {form}: {refused} refused")
        wrong = 0
        for n, (p, block) in enumerate(zip(programs, blocks), 1):
            if block.refused is not None:
                continue
            got = ir_text.parse(block.text) if form[0] == "ir" else languages.parse(block.text.lstrip("\n"),
                form[0])
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
    compare("comparisons", os.path.join(folder, "b.ir"), COMPARISONS, [ir_text.parse(text)
        for text in COMPARISONS], ONE_NUMBER)
checks.finish()
