#!/usr/bin/env python3
"""Counts by dynamic programming the programs of texture environment stages for which the founding e-mail's
register assignment (fragprog_assign_reads) runs out of registers. It uses only the description of the
algorithm.

A program is a sequence of `stages` stages, each of which is the set of what it reads: at most `reads`
elements of {P, T0..}, where P is the previous result and Tn a texture. Dead stages, those before the last
stage that does not read P, are dropped. Then each texture that the other stages read gets a register of its
own, all at the same time. Then the result of each stage gets a register that holds no texture which a later
stage reads. (It may replace the previous result, and textures that only its own and earlier stages read.)
With rule B (no reuse within a stage) a result may not replace what its own stage reads, except the final
result.

The count goes backwards over the stages. Its state consists of the set of textures that later stages read,
and whether all later stages read P, which means that the stage is not dead: 2^textures * 2 states. """
import sys
import time
from collections import Counter
from itertools import combinations


def count(textures, registers, stages, reads, rule_b=False):
    P = textures
    sets = [frozenset(c) for k in range(reads + 1) for c in combinations(range(textures + 1), k)]
    masks = Counter((sum(1 << t for t in s if t != P), P in s) for s in sets)
    # (textures that later stages read, whether all later stages read P) -> number of sequences of later
    # stages that do not run out of registers
    ways = Counter({(0, True): 1})
    failures = 0
    total = 1
    for back in range(stages):
        strict = rule_b and back > 0
        after = Counter()
        failed = failures * len(sets)
        for (later, linked), n in ways.items():
            for (mask, previous), m in masks.items():
                live = later | mask if linked else later
                held = later | mask if strict else later
                # The result needs a register without a texture that is read later; with rule B, also without
                # a texture or previous result that this stage reads.
                busy = bin(held).count("1") + (1 if strict and previous else 0)
                if linked and (busy >= registers or bin(live).count("1") > registers):
                    failed += n * m
                else:
                    after[live, linked and previous] += n * m
        ways, failures = after, failed
        total *= len(sets)
    assert failures + sum(ways.values()) == total
    return total, failures


# (textures, registers, stages, reads, rule B, expected number of programs, expected number of failures)
ROWS = [
    (2, 2, 2, 2, False, 49, 0),
    (3, 3, 3, 2, False, 1331, 0),
    (4, 4, 4, 2, False, 65536, 0),
    (5, 5, 5, 2, False, 5153632, 0),
    (6, 6, 6, 2, False, 594823321, 0),
    (2, 2, 3, 2, False, 343, 14),
    (3, 3, 4, 2, False, 14641, 66),
    (6, 6, 8, 2, False, 29**8, 1044000),
    (3, 3, 3, 3, False, 3375, 180),
    (3, 6, 6, 3, False, 15**6, 0),
    (4, 6, 6, 3, False, 26**6, 0),
    (5, 6, 6, 3, False, 42**6, 0),
    (6, 6, 3, 3, False, 262144, 0),
    (6, 6, 4, 3, False, 16777216, 5760),
    (6, 6, 6, 3, False, 64**6, 120758400),
    (2, 2, 2, 2, True, 49, 13),
    (3, 3, 3, 2, True, 1331, 126),
    (3, 4, 3, 2, True, 1331, 6),
    (3, 5, 3, 2, True, 1331, 0),
]


def main():
    bad = 0
    start = time.monotonic()
    for n, r, s, k, rule_b, programs, failures in ROWS:
        got = count(n, r, s, k, rule_b)
        ok = got == (programs, failures)
        bad += not ok
        print(f"{n} textures, {r} registers, {s} stages, {k} reads{', no reuse in the stage' if rule_b else ''}: {got[0]} programs, {got[1]} without a register"
              + ("" if ok else f"   failed: expected {programs}, {failures}"))
    # With four reads, as in NV_texture_env_combine4 if its units are not split, 2.1 % of the programs fail.
    total, failing = count(6, 6, 6, 4)
    share = 100 * failing / total
    bad += not 2.05 <= share < 2.15
    print(f"6 textures, 6 registers, 6 stages, 4 reads: {total} programs, {failing} without a register "
          f"({share:.2f} %)")
    # The e-mail's claim that there is always a register is true if and only if there are fewer textures than
    # registers or (reads-1)*(stages-1) < registers.
    cases = 0
    for n in range(1, 6):
        for r in range(n, 7):
            for s in range(1, 6):
                for k in range(2, 5):
                    cases += 1
                    if (count(n, r, s, k)[1] == 0) != (n < r or (k - 1) * (s - 1) < r):
                        bad += 1
                        print(f"failed: the condition is wrong for {n} textures, {r} registers, {s} stages, "
                              f"{k} reads")
    print(f"condition checked for {cases} cases; {time.monotonic() - start:.1f} s")
    sys.exit(bad != 0)


if __name__ == "__main__":
    main()
