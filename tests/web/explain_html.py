#!/usr/bin/env python3
"""Tests texenvc explain --html without a browser. For every state of tests/corpus, the document is
well-formed and needs no other file; the units and halves drawn in grey are those that do not affect the
result, and the inputs listed as read are those that do, as the oracle computes both from the state. Programs
equal those of convert, and verdicts those of report; names and texts are escaped; bad input leaves no output
file."""
import glob
import os
import re
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared.tool import Checks, Run, TOP

from oracle.texenv import stages  # noqa: E402
from oracle.texenv.liveness import classic_reads  # noqa: E402
from oracle.texenv.state import CLASSIC, DEFAULT_POLICY, DOTS, EXPAND  # noqa: E402
from oracle.texenv.texenv_eval import crossbar_rule  # noqa: E402

checks = Checks("explain_html")
VOID = {"meta", "link", "input"}
LANGUAGES = ["atifs", "arbfp", "glsl", "glsl-110", "glsl-330", "glsl-450", "glsl-es", "glsl-es-300"]
CHIPS = ["r200", "i830", "r300", "r400", "r500", "pica200", "nv2a", "etnaviv", "ir3", "i915"]


class Document(HTMLParser):
    """A parsed document: `elements` as (tag, attributes, list of the texts inside), and `wrong`, a list of
    errors in the markup."""

    def __init__(self, text):
        super().__init__()
        self.open, self.elements, self.wrong, ids = [], [], [], set()
        self.feed(text)
        self.close()
        self.wrong += [f"<{tag}> is not closed" for tag, _, _ in self.open]
        for tag, attributes, _ in self.elements:
            if attributes.get("id") in ids:
                self.wrong.append(f"two elements are {attributes['id']}")
            ids.add(attributes.get("id", id(attributes)))
        self.wrong += [f"a label of {a['for']}" for t, a, _ in self.elements if t == "label" and a["for"] not in ids]

    def handle_starttag(self, tag, attrs):
        element = (tag, dict(attrs), [])
        if len(dict(attrs)) != len(attrs):
            self.wrong.append(f"<{tag}> has an attribute twice")
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs), []))

    def handle_endtag(self, tag):
        if not self.open or self.open[-1][0] != tag:
            self.wrong.append(f"</{tag}> closes {self.open[-1][0] if self.open else 'nothing'}")
        else:
            self.open.pop()

    def handle_data(self, data):
        for _, _, text in self.open:
            text.append(data)

    def all(self, tag, **attributes):
        """Returns (text, attributes) of all elements with this tag and these attributes."""
        return [("".join(text), a) for t, a, text in self.elements
                if t == tag and all(a.get(k.rstrip("_")) == v for k, v in attributes.items())]


# ---- which halves reach the result ----

def reads_of(unit, alpha):
    """Returns which halves of the previous result P the colour or alpha half of a unit reads, as a set of
    False (colour) and True (alpha)."""
    if unit.mode in CLASSIC:
        reads = classic_reads(unit)
        found = reads[3] if alpha else reads[0] | reads[1] | reads[2]
        return {r == "P3" for r in found if r[0] == "P"}
    half = unit.alpha if alpha and not (unit.rgb.func in DOTS and unit.rgb.func.startswith("dot3_rgba")) else unit.rgb
    of_alpha = alpha and half is unit.alpha
    return {of_alpha or op[-1] == "a" for source, op in half.args if source == "P"}


def passes(unit):
    if unit.mode in CLASSIC:
        return all(reads == {f"P{c}"} for c, reads in classic_reads(unit).items()) and unit.mode == "decal"
    identity = [(unit.rgb, ("P", "c")), (unit.alpha, ("P", "a"))]
    return all(half is not None and half.func == "replace" and half.scale == 1 and half.args == (arg,)
               for half, arg in identity)


def wanted_units(state):
    """For each unit, lists what the picture may say of it: None if the unit is off or passes P on, else which
    of its halves are live, as (colour, alpha). A unit that passes P on by its formula may be drawn either
    way."""
    live, units = {False, True}, []
    for unit in reversed(state.units):
        if unit is None or crossbar_rule(state, unit, DEFAULT_POLICY) == "pass":
            units.append([None])
            continue
        units.append([(False in live, True in live)] + ([None] if passes(unit) else []))
        live = set().union(*(reads_of(unit, half) for half in live))
    units.reverse()
    return units


def half_reads(unit, c):
    """Returns the (source, channel) pairs that channel c of the unit's result reads."""
    if unit.mode in CLASSIC:
        reads = {(r[0], int(r[1])) for r in classic_reads(unit)[c]}
        if unit.mode == "blend" and ("T", c) in reads and (c < 3 or unit.fmt == "intensity"):
            reads.add(("C", c))
        return reads
    if unit.rgb.func in DOTS and (c < 3 or unit.rgb.func.startswith("dot3_rgba")):
        return {(s, 3 if op[-1] == "a" else k) for s, op in unit.rgb.args for k in range(3)}
    return {(s, 3 if op[-1] == "a" else c) for s, op in (unit.alpha if c == 3 else unit.rgb).args}


def wanted_inputs(state):
    """Returns the inputs that affect the result, as {"T0.r", ...}; a texel's channels are named by the
    components that its format stores."""
    live, found = set(range(4)), {f"secondary.{c}" for c in "rgb" if state.colorsum}
    for number, unit in reversed(list(enumerate(state.units))):
        if unit is None or crossbar_rule(state, unit, DEFAULT_POLICY) == "pass":
            continue
        reads = set().union(*(half_reads(unit, c) for c in live))
        live = {c for source, c in reads if source == "P"}
        for source, c in reads:
            if source[0] == "T":
                texture = int(source[1:] or number)
                found.add(f"T{texture}.{EXPAND[state.units[texture].fmt][c]}")
            elif source in ("C", "F"):
                found.add(f"C{number}.{'rgba'[c]}" if source == "C" else f"primary.{'rgba'[c]}")
    found |= {f"primary.{'rgba'[c]}" for c in live}
    return {one for one in found if one[-1] in "rgba"}


# ---- one document ----

def units_of(svg):
    """Returns the same list as wanted_units, read from the picture."""
    found, halves = [], []
    for text in svg.iter("text"):
        kind, words = text.get("class").split(), "".join(text.itertext())
        if "formula" in kind and re.match(r"(rgb|alpha) = ", words):
            halves.append("dead" not in kind)
            if len(halves) == 2:
                if any(halves) == found[-1]:
                    found[-1] = tuple(halves)
                halves = []
        elif words.startswith("Unit "):
            idle = " is off: " in words or " passes P on " in words
            found.append(None if idle else "dead" not in kind)
    return found


def inputs_of(words, state):
    """Returns the same set as wanted_inputs, read from the attribute data-reads."""
    found = {f"{name}.{c}" for name, components in re.findall(r"(\w+)\.(\w+)", words) for c in components}
    stored = {f"T{u}.{c}": f"T{u}.{EXPAND[unit.fmt]['rgba'.index(c)]}"
              for u, unit in enumerate(state.units) if unit for c in "rgba"}
    return {one for one in (stored.get(f, f) for f in found) if one[-1] in "rgba"}


def look(text, name):
    document = Document(text)
    checks.check(not document.wrong, f"{name}: {document.wrong[:3]}")
    checks.check(text.startswith("<!DOCTYPE html>"), f"{name}: no document type")
    outside = re.findall(r"""(?:src=|href=|url\(|@import)["']?(?!["']?data:)[^"'\s]*""", text)
    checks.check(not outside and "http" not in text, f"{name}: needs {outside[:3]}")
    return document


def corpus(path):
    """Checks the document of a file, and every state in it; returns the number of states."""
    run, listed = Run(["explain", "--html", "-q", path]), Run(["key", "-q", path])
    name = os.path.basename(path)
    if not checks.check(run.status == 0 and listed.status == 0, f"{name}: {run.status} {run.err[:300]}"):
        return 0
    document = look(run.out, name)
    states = [next(iter(stages.read(text)))[0] for text, _ in document.all("p", class_="notation")]
    pictures = re.findall(r"<svg.*?</svg>", run.out, re.S)
    checks.check(len(pictures) == len(states) == listed.out.count("\n") == len(document.all("article", class_="state")),
                 f"{name}: {len(pictures)} pictures, {len(states)} states")
    read = [a["data-reads"] for _, a in document.all("section", class_="units")]
    checks.check(len(read) == len(states), f"{name}: {len(read)} lists of inputs")
    for number, (state, words) in enumerate(zip(states, read), 1):
        found, wanted = inputs_of(words, state), wanted_inputs(state)
        checks.check(found == wanted, f"{name}, state {number}: read are {sorted(found)}, wanted {sorted(wanted)}")
    for number, (state, picture) in enumerate(zip(states, pictures), 1):
        found, wanted = units_of(ElementTree.fromstring(picture)), wanted_units(state)
        while wanted and None in wanted[-1] and len(wanted) > len(found):
            wanted.pop()
        checks.check(len(found) == len(wanted) and all(f in w for f, w in zip(found, wanted)), f"{name}, state {number}: live are {found}, wanted {wanted}")
    return len(states)


def targets():
    """The programs in the document are those that convert writes, the verdicts those of report."""
    texts = ["{T0*P} {lerp(T0,T1,P.a)} {P*C ; P} C2=(.5,.5,.25,0) fog=exp",
             "{T0+P} {T1*P @3d} {T2-P @cube} {lerp(T3,P,T0)} {P+T4} {P*T5} {P-T6} {P+T7}"]
    refused = 0
    for text in texts:
        run = Run(["explain", "--html", "-q", "-e", text])
        document = look(run.out, text)
        checks.check(run.status == 0, f"{text}: status {run.status}")
        programs = {a["data-target"]: t for t, a in document.all("pre") if "data-target" in a}
        said = dict(line.split(" ", 1) for line, _ in document.all("label"))
        checks.check(sorted(said) == sorted(LANGUAGES + CHIPS), f"{text}: targets {sorted(said)}")
        for target in LANGUAGES + CHIPS:
            one = Run(["convert", "-q", "--to", target, "-e", text])
            program = one.out if one.status == 0 else ""
            checks.check(program == programs.get(target, ""), f"{text}: {target}: {programs.get(target)}")
            checks.check(said[target].startswith("fits") == (one.status == 0), f"{text}: {target}: {said[target]}")
            refused += one.status == 3
            if target in CHIPS:
                line = Run(["report", "--target", target, "-e", text]).out.split("\n")[0].split("state 1: ")[1]
                checks.check(said[target] == line, f"{text}: {target}: {said[target]}; report: {line}")
    checks.check(refused > 3, f"only {refused} refusals")


def bad_input(folder):
    def path(name, text):
        with open(os.path.join(folder, name), "w", encoding="latin-1") as f:
            f.write(text)
        return f.name

    out = os.path.join(folder, "out.html")
    rows = [(["-e", "{T0**P}"], 1), ([path("a.stages", "{T0*P}\n{T0*}\n")], 1), ([os.path.join(folder, "none.gl")], 1),
            (["-e", "{T0*P}", path("b.gl", "glEnable(GL_NONSENSE);\n")], 1),
            ([path("c.ir", Run(["convert", "--to", "ir", "-e", "{T0*P}"]).out)], 2), (["-e", "{T0*P}", "-O", "7"], 2)]
    for args, status in rows:
        run = Run(["explain", "--html", "-o", out, *args])
        checks.check(run.status == status and run.err and not run.out and not os.path.exists(out),
                     f"{args}: status {run.status}, {'a file' if os.path.exists(out) else 'no file'}: {run.err[:200]}")
    run = Run(["explain", "-e", "{T0*P}", "-o", out])
    checks.check(run.status == 2 and "--html" in run.err, f"-o without --html: {run.status} {run.err}")
    own = path("own.gl", "glEnable(GL_TEXTURE_2D);\n")
    run = Run(["explain", "--html", own, "-o", own])
    checks.check(run.status == 2 and open(own, encoding="utf-8").read() == "glEnable(GL_TEXTURE_2D);\n",
                 f"the output is the input: status {run.status}: {run.err}")
    run = Run(["explain", "--html", "-e", "{T0*P}", "-o", "-"])
    checks.check(run.status == 0 and run.out.startswith("<!DOCTYPE html>"), f"-o -: status {run.status}: {run.err}")
    off = path("off.gl", "glEnable(GL_TEXTURE_2D);\nglTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_COMBINE);\n"
               "glTexEnvi(GL_TEXTURE_ENV, GL_SOURCE0_RGB, GL_TEXTURE1);\n")
    run = Run(["explain", "--html", "--policy", "crossbar-off=refuse", off, "-o", out])
    document = look(open(out, encoding="utf-8").read(), "refused")
    checks.check(run.status == 3 and any("Refused" in text for text, _ in document.all("p")),
                 f"a refused state: {run.status} {run.err}")


def escaped(folder):
    name = "<i>&amp;\"'.stages"
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write("{T0*P}\n")
    out = os.path.join(folder, "escaped.html")
    run = Run(["explain", "--html", path, "-o", out])
    checks.check(run.status == 0 and not run.out, f"{name}: {run.status} {run.err}")
    with open(out, encoding="utf-8") as f:
        document = look(f.read(), name)
    checks.check([t for t, _ in document.all("title")] == [path] and not document.all("i"), f"{name}: is markup")
    checks.check(any(text.startswith(path) for text, _ in document.all("p", class_="place")), f"{name}: is not told")
    strange = os.path.join(os.fsencode(folder), b"\x01\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80\xff\xc3\xa9.stages")
    os.rename(path, strange)
    run = Run(["explain", "--html", strange, "-q"])
    checks.check(run.status == 0, f"a name that is no UTF-8: {run.status} {run.err}")
    text = run.raw.decode("utf-8")  # raises an exception if the document is not UTF-8
    checks.check("�" in text and "é.stages" in text and "\x01" not in text, "a name that is no UTF-8")


def main():
    files = sorted(path for pattern in ("*.gl", "*.trace", "*.stages") for path in
                   glob.glob(os.path.join(TOP, "tests", "corpus", pattern)) if not path.endswith("invalid.gl"))
    count = sum(corpus(path) for path in files)
    checks.check(count > 300, f"only {count} states")
    targets()
    with tempfile.TemporaryDirectory() as folder:
        bad_input(folder)
        escaped(folder)
    checks.finish(f", {count} states")


main()
