"""Tests `texenvc alias`, which makes ir3's alias tables: the table in the founding document, the number of
entries against an exhaustive search over register numbers, and bad input.

usage: alias_cli.py [COUNT]
"""
import itertools
import os
import random
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool

CHECKS = tool.Checks("alias_cli")
# r40.x, from which on registers are free for entries; the number of registers; the most entries of a table
FIRST, NAMES, MOST = 160, 192, 16


def number(text):
    """Parses a source; returns ('r', n) for a register, ('c', n) for a constant, or the text of a number."""
    m = re.fullmatch(r"([rc])(\d+)\.([xyzw])", text)
    return (m[1], int(m[2]) * 4 + "xyzw".index(m[3])) if m else text


def name(source):
    return "%s%d.%s" % (source[0], source[1] // 4, "xyzw"[source[1] % 4]) if isinstance(source, tuple) else source


def line_of(groups):
    return " ".join("{%s}" % ", ".join(name(s) for s in group) for group in groups)


class Table:
    """The alias table that the command printed for one lookup."""

    def __init__(self, lines):
        self.entries, self.moves, self.counts = {}, {}, []
        for line in lines[:-1]:
            m = re.fullmatch(r"alias\.tex\.b32\.(\d+) (\S+), (\S+)", line)
            if m:
                self.counts.append(int(m[1]))
                self.entries[number(m[2])[1]] = number(m[3])
                continue
            m = re.fullmatch(r"mov\.u32u32 (\S+), (\S+)", line)
            if not CHECKS.check(m and not self.entries, f"a line in its place: {line}"):
                continue
            self.moves[number(m[1])[1]] = number(m[2])
        self.bases = [number(w)[1] for w in lines[-1][len("# sources at "):].split(", ")]

    def holds(self, groups):
        """Returns whether the lookup reads the wanted sources, and no entry or move replaces a register that
        is read."""
        read = {s[1] for g in groups for s in g if isinstance(s, tuple) and s[0] == "r"}
        ok = len(self.entries) <= MOST and not (set(self.entries) | set(self.moves)) & read
        ok &= not set(self.entries) & set(self.moves)
        ok &= self.counts == [len(self.entries) - 1] * (len(self.counts) > 0) + [0] * (len(self.counts) - 1)
        for base, group in zip(self.bases, groups):
            for i, wanted in enumerate(group):
                got = self.entries.get(base + i, self.moves.get(base + i, ("r", base + i)))
                ok &= got == wanted and base + i < NAMES
        return ok


def tables(how, lookups):
    run = tool.Run(["alias", "--alias", how, "-"], "".join(line_of(g) + "\n" for g in lookups))
    out, lines = [], []
    for line in run.out.splitlines():
        lines.append(line)
        if line.startswith("#"):
            out.append(Table(lines))
            lines = []
    CHECKS.check(run.status == 0 and len(out) == len(lookups), f"{how}: status {run.status} {run.err[:300]}")
    return out


def document():
    groups = [[("r", 14), ("c", 0), "0"]]
    run = tool.Run(["alias", "--alias", "plain", "-e", "{r3.z, c0.x, 0}"])
    CHECKS.check(run.out == "alias.tex.b32.2 r40.x, r3.z\nalias.tex.b32.0 r40.y, c0.x\nalias.tex.b32.0 r40.z, 0\n"
                 "# sources at r40.x\n", f"the document's listing: {run.out}{run.err}")
    best = tables("best", [groups, [[("r", 4), ("r", 22), ("r", 6)]], [[("r", 10), "0"], ["0"]]])
    CHECKS.check([len(t.entries) for t in best] == [2, 1, 1], f"{[len(t.entries) for t in best]}")
    CHECKS.check(best[1].entries == {5: ("r", 22)}, f"r1.y stands for r5.z: {best[1].entries}")
    none = tables("none", [groups, [[("r", 7), ("r", 8)]]])
    CHECKS.check(len(none[0].moves) == 3 and not none[1].moves and not none[0].entries, "moves")


def drawn(rng, registers, sizes):
    pool = [("c", 0), ("c", 1), "0", "1.0"]
    return [[("r", rng.randrange(registers)) if rng.random() < .6 else rng.choice(pool) for _ in range(n)]
            for n in sizes]


def random_tables(count):
    rng = random.Random(3)
    lookups = []
    for n in range(count):
        ngroups = 1 + (n % 4 != 0) + (n % 8 == 1)
        sizes = [1] * ngroups
        for _ in range(rng.randrange(6 - ngroups + 1)):
            sizes[rng.randrange(ngroups)] += 1
        lookups.append(drawn(rng, 10 if ngroups == 3 else 14, sizes))
    saved = 0
    for groups, plain, best in zip(lookups, tables("plain", lookups), tables("best", lookups)):
        three = len(groups) == 3
        near = range(10 + 5 if three else 14 + 6), range(FIRST, FIRST + (8 if three else 12))
        total = sum(map(len, groups))
        CHECKS.check(plain.holds(groups) and len(plain.entries) == total, f"plain: {line_of(groups)}")
        CHECKS.check(best.holds(groups) and not best.moves, f"best: {line_of(groups)}")
        least = fewest(groups, near)
        CHECKS.check(len(best.entries) == least, f"{line_of(groups)}: {len(best.entries)} entries, {least} do")
        saved += total - least
    CHECKS.check(saved > count, f"only {saved} entries saved")
    print(f"{count} lookups, {saved} entries saved")


def fewest(groups, near):
    """Returns the least number of entries over all choices of the registers that the lookup names: those in
    `near`, which are near the registers in use, or unused ones."""
    read = {s[1] for g in groups for s in g if isinstance(s, tuple) and s[0] == "r"}
    best = None
    places = [[b for part in near for b in part if b + len(g) - 1 in part] for g in groups]
    for bases in itertools.product(*places):
        stands, ok = {}, True
        for base, group in zip(bases, groups):
            for i, source in enumerate(group):
                ok = ok and stands.setdefault(base + i, source) == source
        if not ok:
            continue
        entries = [n for n, source in stands.items() if source != ("r", n)]
        if not set(entries) & read:
            best = len(entries) if best is None else min(best, len(entries))
    return best


def limits():
    many = [["%d" % (100 + i) for i in range(9)], ["%d" % (200 + i) for i in range(8)]]
    for how in ("plain", "best"):
        table = tables(how, [many])[0]
        CHECKS.check(len(table.entries) == 16 and len(table.moves) == 1 and table.holds(many),
                     f"{how}: a 17th source is a move: {len(table.entries)}, {len(table.moves)}")
    for text, place, words in (("{r2.z,0", "1:8", '"}"'), ("{r2.q}", "1:2", "a register"), ("{}", "1:2", "a register"),
                               ("{r48.x}", "1:2", "r47.w"), ("{c512.x}", "1:2", "c511.w"), ("r1.x", "1:1", '"{"'),
                               ("\n{0} {0} {0} {0}", "2:13", "three groups"), ("{0,}", "1:4", "a register"),
                               ("{99999999999}", "1:2", "a number"), ("{1.0.0}", "1:2", "a number"),
                               ("{" + ",".join("0" * 25) + "}", "1:50", "24 sources")):
        run = tool.Run(["alias", "-e", text])
        CHECKS.check(run.status == 1 and not run.out and f":{place}: error" in run.err and words in run.err,
                     f"{text!r}: {run.status} {run.out}{run.err}")
    run = tool.Run(["alias"])
    CHECKS.check(run.status == 2, f"no input: {run.status}")


def main():
    document()
    random_tables(int(sys.argv[1]) if len(sys.argv) > 1 else 160)
    limits()
    CHECKS.finish()


if __name__ == "__main__":
    main()
