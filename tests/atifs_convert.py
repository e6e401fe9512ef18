#!/usr/bin/env python3
"""Random programs of ATI_fragment_shader, two passes and dependent lookups included, against what they are converted to: the intermediate program at every level of
optimisation, ARB programs and GLSL. By the oracle's evaluators. usage: atifs_convert.py [COUNT [SEED]]"""
import os
import random
import sys
import tempfile

import tool
from tool import Run

sys.path.insert(0, tool.TOP)
from oracle import atifs_eval, atifs_text, framing, ir_eval, ir_text, languages, random_atifs  # noqa: E402
from oracle.domain import NotDyadic  # noqa: E402
from oracle.vectors import VectorSet  # noqa: E402

COUNT, SEED = (int(x) for x in (sys.argv[1:] + ["150", "1"][len(sys.argv) - 1:]))
VECTORS = 8
FORMS = [["ir", "-O", "0"], ["ir", "-O", "1"], ["ir", "-O", "2"], ["arbfp"], ["glsl"], ["glsl-330"], ["glsl-es-300"], ["arbfp", "--fold-constants"]]
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


rng = random.Random(SEED)
texts = [random_atifs.program(rng) for _ in range(COUNT)]
programs = [atifs_text.parse(text) for text in texts]


class ByCoordinates(VectorSet):
    by_coordinates = True

    def vector(self, index):
        single = super().vector(index)
        single.by_coordinates = True
        return single


inputs = ByCoordinates(SEED, VECTORS)
checks.check(sum(len(p.passes) == 2 for p in programs) > COUNT // 4, "too few programs of two passes")
checks.check(sum("SampleMap" in s.text and s.src[0] == "r" for p in programs for q in p.passes for s in q.setup) > COUNT // 4, "too few dependent lookups")
with tempfile.TemporaryDirectory() as folder:
    source = os.path.join(folder, "a.atifs")
    with open(source, "w", encoding="utf-8") as f:
        f.write("".join(f"# state {n} x:1\n{text}" for n, text in enumerate(texts, 1)))
    for form in FORMS:
        run = Run(["convert", source, "-q", "--to", *form])
        blocks = framing.split(run.out)
        refused = sum(b.refused is not None for b in blocks)
        checks.check(run.status == (3 if refused else 0) and len(blocks) == COUNT, f"{form}: status {run.status}, {len(blocks)} programs\n{run.err[:500]}")
        checks.check(refused == 0 or form[0].startswith("glsl-es"), f"{form}: {refused} refused")
        wrong = 0
        for n, (p, block) in enumerate(zip(programs, blocks), 1):
            if block.refused is not None:
                continue
            got = ir_text.parse(block.text) if form[0] == "ir" else languages.parse(block.text.lstrip("\n"), form[0])
            channel = difference(p, got, inputs)
            wrong += channel is not None
            if channel is not None and wrong == 1:
                checks.check(False, f"{form}: program {n} (seed {SEED}) differs in {channel}:\n{texts[n - 1]}\n{block.text}")
        checks.check(wrong == 0, f"{form}: {wrong} of {COUNT} differ")
        print(f"{' '.join(form)}: {COUNT - refused} compared, {refused} refused, {wrong} differ")
checks.finish()
