#!/usr/bin/env python3
"""Tests each pass of the optimiser alone, on intermediate programs that it must change in a given way, or
must not change.

usage: passes.py [FILE.ir ...]          without names: all of tests/passes

tests/passes/PASS/NAME.ir has a comment (why the program is changed in this way, or must not be changed) and

    == before [OPTION...]     the program, in the text of notes/formats/ir.md
    == after                  what the pass alone makes of it
    == stays                  instead: the pass must not change it

All other passes are skipped, so that dead values remain, except in the tests of the pass `dead`. The expected
program is derived by hand from the rule; never paste the output of the pass. Differences on which the rule
says nothing are ignored: the order of factors and summands, the factor that carries a sign or a doubling,
unread lanes, equivalent modifiers (-(1-x) is x-1), and the unit of an instruction.

Each expected program must compute the value of the original, by the oracle, on random inputs.
"""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool

from oracle.common.vectors import VectorSet  # noqa: E402
from oracle.ir import ir_eval, ir_text  # noqa: E402

FOLDER = os.path.join(tool.TOP, "tests", "passes")
PASSES = ("dead", "fold", "constant", "forward", "rules", "absorb", "window", "cse")
SWAPS = ("add", "mul", "mad", "dot3", "dot4", "dot2add", "vec")
LANES_READ = {"dot3": (0, 1, 2), "dot4": (0, 1, 2, 3), "dot2add": (0, 1), "proj": (0, 1, 2, 3)}
VECTORS = 64
LEAST = 8  # least number of cases for a pass


def source(src, lanes):
    """Returns the meaning of a source operand: (base, lanes that are read, whether absolute, m, t), where the
    modifiers compute m*x + t; or ("number", values)."""
    m, t, absolute = 1, 0, "abs" in src.mods
    for word in src.mods:
        m, t = {"abs": (m, t), "comp": (-m, 1 - t), "bias": (m, t - 0.5), "2x": (2 * m, 2 * t),
                "neg": (-m, -t)}[word]
    read = tuple(src.lanes[c] for c in lanes)
    if all(letter in "01h" for _, letter in read):  # only literal lanes: a number, whatever its base
        values = [(-1) ** minus * {"0": 0, "1": 1, "h": 0.5}[letter] for minus, letter in read]
        return "number", tuple(m * (abs(v) if absolute else v) + t for v in values)
    return src.base, read, absolute, m, t


def instruction(inst):
    """Returns an instruction in a canonical form, equal for instructions whose differences are to be
    ignored."""
    if inst.op == "tex":
        return inst._replace(unit=None, line=None)
    lanes = LANES_READ.get(inst.op, tuple("xyzw".index(c) for c in inst.mask))
    args = [source(s, lanes) for s in inst.srcs]
    if inst.op == "dot2add":
        args[2] = source(inst.srcs[2], (2,))
    scale, sign = inst.scale, 1
    # -a*b, (2a)*b: either factor may carry the modifier
    for n in range(2 if inst.op in ("mul", "mad") else 0):
        if args[n][0] != "number" and not args[n][2]:
            base, read, absolute, m, t = args[n]
            doubled = inst.op == "mul" and abs(m) == 2
            divisor = (-1 if m < 0 else 1) * (2 if doubled else 1)
            args[n] = base, read, absolute, m / divisor, t / divisor
            scale, sign = scale + doubled, sign * (-1 if m < 0 else 1)
    if inst.op in SWAPS:
        args[:2] = sorted(args[:2], key=repr)
    return inst.op, inst.mask, scale, sign, inst.clamp, tuple(args)


def canonical(program):
    return program.constants, [instruction(i) for i in program.code], program.result


def with_values(program):
    """Returns the program with environment colours replaced by their values (for tests of
    --fold-constants)."""
    return program._replace(constants=tuple(tuple(c._replace(unit=None) if c.param is None else c for c in k)
                                            for k in program.constants))


def sections(path):
    """Returns the sections of a file as (name, options, text); the first one is the comment."""
    found = [["why", "", ""]]
    with open(path, encoding="utf-8") as f:
        for line in f:
            m = re.match(r"== (\w+) ?(.*)\n", line)
            if m:
                found.append([m[1], m[2], ""])
            else:
                found[-1][2] += line
    return found


def run(checks, path, inputs):
    name, which = os.path.relpath(path, FOLDER), os.path.basename(os.path.dirname(path))
    found = sections(path)
    kinds = [kind for kind, _, _ in found]
    if not checks.check(kinds in (["why", "before", "after"], ["why", "stays"])
                        and len(found[0][2]) > 20, f"{name}: sections {kinds}"):
        return None
    before, wanted = ir_text.parse(found[1][2]), ir_text.parse(found[-1][2])
    others = [arg for p in PASSES if p != which for arg in ("--skip", p)]
    done = tool.Run(["convert", "--from", "ir", "--to", "ir", "-q", "--print-after", which, *others, *found[1][1].split(), "-"],
                    found[1][2])
    if not checks.check(done.status == 0 and not done.sanitizer(), f"{name}: {done.status}\n{done.err}"):
        return None
    if kinds[-1] == "after":
        checks.check(canonical(before) != canonical(wanted), f"{name}: the same as before")
    last = done.out[done.out.rfind(ir_text.HEADER):]  # the program after the last round of the passes
    if not checks.check(canonical(ir_text.parse(last)) == canonical(wanted),
                        f"{name}: wanted\n{found[-1][2]}got\n{last}"):
        return kinds[-1]
    if "--fold-constants" in found[1][1]:
        before, wanted = with_values(before), with_values(wanted)
    pairs = zip(ir_eval.evaluate(before, inputs), ir_eval.evaluate(wanted, inputs))
    checks.check(all(inputs.dom.first_difference(a, b) < 0 for a, b in pairs),
                 f"{name}: before and after have different values")
    return kinds[-1]


def main():
    checks = tool.Checks("passes")
    inputs = VectorSet(1, VECTORS)
    paths = sys.argv[1:] or [os.path.join(folder, n) for folder, _, names in sorted(os.walk(FOLDER))
                             for n in sorted(names) if n.endswith(".ir")]
    kinds = {}
    for path in map(os.path.abspath, paths):
        kinds.setdefault(os.path.basename(os.path.dirname(path)), []).append(run(checks, path, inputs))
    if len(sys.argv) == 1:
        listed = set(re.findall(r'\] = \{"(\w+)",', open(os.path.join(tool.TOP, "fragprog/passes.c"),
                                                          encoding="utf-8").read()))
        checks.check(listed == set(PASSES), f"the passes are {sorted(listed)}")
        for which in PASSES:
            cases = kinds.get(which, [])
            checks.check(len(cases) >= LEAST and cases.count("stays") >= 2,
                         f"{which}: {len(cases)} cases, {cases.count('stays')} refusals")
    checks.finish(f", {sum(map(len, kinds.values()))} programs")


if __name__ == "__main__":
    main()
