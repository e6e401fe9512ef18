#!/usr/bin/env python3
"""Checks files of chip words: each holds a state and its words as the facts (notes/facts) define them.

usage: words.py [FILE.words ...]        without names: all of tests/chips/words

tests/chips/words/CHIP/NAME.words begins with a comment (the purpose of the file, which choices the encoding
leaves open, and why they are made as they are), followed by sections:

    == input              the state or program, in any form that texenvc reads
    == args ARGUMENT...   given to convert
    == state              the state that the words equal, where the input is a program that has one
    == interface          what a driver must provide for the words, one item a line:
                              texture SLOT UNIT COORD TARGET      constant SLOT UNIT [CHANNELS]
                              constant SLOT own VALUE             input TEMP NAME
                              assumed NAME                        stat NAME VALUE
                              follows color_sum|fog               what the words compute after texturing
    == words              one word a line, in the order of the upload: ADDRESS VALUE DERIVATION, or
                          VALUE DERIVATION in a stream of packets
    == or REASON          another encoding that is also right (REASON says why): all words or, if each address
                          occurs once, only the words that differ from the first encoding
    == dump SOURCE        words for the same state that were published and ran on the chip; texenvc may make
                          others
    == not-computed WHY   the interpreter does not execute the words (a dump may handle coordinates
                          differently, a program may compute no state); such a file has no constants

The derivation, which continues on lines that begin with a blank, names the fields. Each `a<<b` in it is the
value of a field and its lowest bit; the sum of all of them must be VALUE. A word of 0 needs no derivation.
`[constant N]` marks the first word of constant slot N, `[any]` a word whose value the chip ignores,
`[optional]` a word that need not be written. The order of words matters only where a word has no address or
several words have the same address.

For each file, convert must give exactly one of the encodings that are not dumps, and the same interface;
disassembling and assembling an encoding must give it back; and the oracle's interpreter of the chip must
compute the state from these words alone.

Words are derived from the facts or taken from a public dump. Never paste what texenvc prints: such a test
would preserve a fault.
"""
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool


from oracle.commands import inputs                                      # noqa: E402
from oracle.commands.compare import Comparer, DEFAULT_OPTIONS           # noqa: E402

FOLDER = os.path.join(tool.TOP, "tests", "chips", "words")
LEAST = 10  # least number of files for each chip
TERM = re.compile(r"\b(0x[0-9a-f]+|[0-9]+)<<([0-9]+)\b")
WORDS = ("words", "or", "dump")


def sections_of(path):
    """Returns the sections of a file, as [[kind, rest of its line, [lines]]]."""
    sections = []
    with open(path, encoding="utf-8") as f:
        for line in f.read().splitlines():
            if line.startswith("== "):
                kind, _, rest = line[3:].partition(" ")
                sections.append([kind, rest, []])
            elif sections and sections[-1][0] in WORDS and line.startswith(" "):
                sections[-1][2][-1] += " " + line.strip()
            elif sections and line:
                sections[-1][2].append(line)
    return sections


class Encoding:
    """A section of words. words: [(address or None, value)]; constants: {constant slot: index of its first
    word}."""

    def __init__(self, lines, checks, name):
        self.words, self.constants, self.any, self.optional = [], {}, set(), set()
        for line in lines:
            m = re.match(r"(?:(0x[0-9a-f]{3,4}) )?(0x[0-9a-f]{8})(?: +(.*))?$", line)
            if not checks.check(m, f"{name}: not a word: {line}"):
                continue
            value, made = int(m.group(2), 16), 0
            for number, low in TERM.findall(m.group(3) or ""):
                term = int(number, 0) << int(low)
                checks.check(not made & term, f"{name}: fields overlap: {line}")
                made |= term
            checks.check(made == value, f"{name}: the fields make 0x{made:08x}: {line}")
            address = int(m.group(1), 16) if m.group(1) else None
            for slot in re.findall(r"\[constant (\d+)\]", line):
                self.constants[int(slot)] = len(self.words)
            self.words.append((address, value))
            for mark, marked in (("[any]", self.any), ("[optional]", self.optional)):
                if mark in (m.group(3) or ""):
                    marked.add(address)

    def changed_from(self, base):
        """If this encoding lists only the words that differ from `base`, adds the others."""
        new, old = dict(self.words), [a for a, _ in base.words]
        if len(new) == len(self.words) < len(old) and all(a is not None and old.count(a) == 1 for a in new):
            self.words = [(a, new.get(a, v)) for a, v in base.words]
            self.constants, self.any, self.optional = base.constants, base.any, base.optional

    def is_same(self, words):
        """Returns whether `words` equal this encoding, except for words with the marks [any] and
        [optional]."""
        old = [a for a, _ in self.words]
        want = [(a, None if a in self.any else v) for a, v in self.words]
        got = [(a, None if a in self.any else v) for a, v in words]
        if None in old or len(set(old)) < len(old):
            return want == got
        want, got = dict(want), dict(got)
        missing = set(want) - set(got)
        right = len(got) == len(words) and all(want.get(a) == v for a, v in got.items())
        return right and missing <= self.optional

    def text(self):
        return "".join(("" if a is None else f"0x{a:04x} ") + f"0x{v:08x}\n" for a, v in self.words)


def interface_of(lines):
    """Returns the interface section in the form of the output of --format json."""
    out = {"textures": [], "constants": [], "inputs": [], "assumed": [], "stats": {}}
    for line in lines:
        kind, *rest = line.split("#")[0].split()
        if kind == "texture":
            slot, unit, coord = map(int, rest[:3])
            out["textures"].append({"slot": slot, "unit": unit, "coord": coord, "target": rest[3]})
        elif kind == "constant":
            own = rest[1] == "own"
            out["constants"].append({"slot": int(rest[0]), "unit": None if own else int(rest[1]),
                                     "value": [float(rest[2])] * 4 if own else None,
                                     "channels": "rgba" if own or len(rest) < 3 else rest[2]})
        elif kind == "input":
            out["inputs"].append({"temp": int(rest[0]), "is": rest[1]})
        elif kind == "assumed":
            out["assumed"].append(rest[0])
        elif kind == "follows":
            out[rest[0]] = True
        elif kind == "stat":
            out["stats"][rest[0]] = int(rest[1])
        else:
            raise ValueError(f"an interface has no {kind}")
    return out


def with_words(interface, encoding, state, chip):
    """Returns the JSON object that convert should print for this interface and these words."""
    constants = [{**c, "word": encoding.constants.get(c["slot"], -1),
                  "value": c["value"] or [float(v) for v in state.units[c["unit"]].color]}
                 for c in interface["constants"]]
    return {**interface, "constants": constants, "target": chip, "fits": True,
            "words": [list(w) for w in encoding.words]}


def same_interface(want, got):
    """Returns the first difference between the interface of the file and that of texenvc, or None."""
    for key in ("textures", "inputs", "assumed"):
        if sorted(want[key], key=str) != sorted(got.get(key, []), key=str):
            return f"{key}: {want[key]} expected, got {got.get(key)}"
    held = [[(c["slot"], c.get("unit"), c["word"], c.get("channels", "rgba")) for c in o.get("constants", [])]
            for o in (want, got)]
    if sorted(held[0], key=str) != sorted(held[1], key=str):
        return f"constants: {held[0]} expected, got {held[1]}"
    for name in ("color_sum", "fog"):
        if want.get(name, False) != got.get(name, False):
            return f"{name}: {want.get(name, False)} expected, got {got.get(name, False)}"
    for name, value in want["stats"].items():
        if got["stats"].get(name) != value:
            return f"stats: {name} {value} expected, got {got['stats'].get(name)}"
    return None


def round_trip(checks, name, chip, encoding):
    text = tool.Run(["disasm", "--target", chip, "-"], encoding.text())
    back = tool.Run(["asm", "--target", chip, "-"], text.out)
    lines = [line.split() for line in back.out.splitlines()]
    numbers = [(int(n[0], 16) if n[1:] else None, int(n[-1], 16)) for n in lines]
    ok = text.status == back.status == 0 and numbers == encoding.words
    checks.check(ok, f"{name}: disasm and asm do not give the words back:\n{text.err}{back.err}{back.out}")


def said_wrongly(sections, encodings):
    """Returns an error in the sections of a file, or None."""
    for kind, rest, _ in sections:
        if kind not in WORDS + ("input", "args", "state", "interface", "not-computed"):
            return f"unknown section {kind}"
        if kind in ("or", "dump", "not-computed") and not rest:
            return f"a section {kind} without its reason or source"
    return None if encodings else "no words"


def converted(checks, name, chip, first, encodings, wanted):
    """Checks that convert gives one of the encodings; wanted(encoding) returns the expected JSON object."""
    source = "\n".join(first["input"][2]) + "\n"
    run = tool.Run(["convert", "--to", chip, "--format", "json", "-q"] + arguments(first) + ["-"], source)
    done = run.status == 0 and not run.sanitizer()
    if not checks.check(done, f"{name}: exit status {run.status}\n{run.err}"):
        return
    got = json.loads(run.out)[0]
    words = [(a if a is None else int(a, 16), int(v, 16)) for a, v in got["words"]]
    match = [e for e in encodings if e.is_same(words)]
    if not match:
        first_words = encodings[0].words
        for mark, those, others in (("not expected", words, first_words), ("missing", first_words, words)):
            for a, v in those:
                mark_here = mark if (a, v) not in others else ""
                print("  %-6s 0x%08x   %s" % ("" if a is None else "0x%04x" % a, v, mark_here))
    if checks.check(match, f"{name}: other words (above)"):
        wrong = same_interface(wanted(match[0]), got)
        checks.check(wrong is None, f"{name}: {wrong}")


def arguments(first):
    return first["args"][1].split() if "args" in first else []


def compared(path, checks):
    """Checks one file."""
    chip = os.path.basename(os.path.dirname(path))
    name = os.path.relpath(path, FOLDER)
    sections = sections_of(path)
    first = {s[0]: s for s in reversed(sections)}
    encodings = [(kind, Encoding(lines, checks, name)) for kind, _, lines in sections if kind in WORDS]
    wrong = said_wrongly(sections, encodings)
    if not checks.check(wrong is None, f"{name}: {wrong}"):
        return
    same = "\n".join(first.get("state", first["input"])[2]) + "\n"
    state = None if "not-computed" in first else next(inputs.read_text(same, inputs.detect(same), name)).state
    interface = interface_of(first["interface"][2] if "interface" in first else [])
    args = arguments(first)
    assumed = tuple(b for a, b in zip(args, args[1:]) if a == "--assume")
    options = DEFAULT_OPTIONS._replace(to=chip, assume=assumed)
    for kind, encoding in encodings:
        if kind == "or":
            encoding.changed_from(encodings[0][1])
        round_trip(checks, name, chip, encoding)
        if "not-computed" not in first:
            found = Comparer(options).compare(state, json.dumps(with_words(interface, encoding, state, chip)))
            says = getattr(found, "message", found)
            checks.check(found is None, f"{name}: {kind}: the interpreter: {says}")
    ours = [e for kind, e in encodings if kind != "dump"]
    if ours:
        converted(checks, name, chip, first, ours, lambda e: with_words(interface, e, state, chip))


def main():
    checks = tool.Checks("words")
    every = sorted(os.path.join(folder, n) for folder, _, names in os.walk(FOLDER) for n in names)
    paths = sys.argv[1:] or every
    counts = {}
    for path in paths:
        path = os.path.abspath(path)
        chip = os.path.basename(os.path.dirname(path))
        counts[chip] = counts.get(chip, 0) + 1
        compared(path, checks)
    if not sys.argv[1:]:
        for chip, n in sorted(counts.items()):
            checks.check(n >= LEAST, f"{chip}: {n} files, {LEAST} are wanted")
    checks.finish(", files: " + ", ".join(f"{chip} {n}" for chip, n in sorted(counts.items())))


if __name__ == "__main__":
    main()
