#!/usr/bin/env python3
"""Tests the modules and pages that texenvc writes for WebGL in a real browser (browser.py).

usage: webgl.py glue                 draws 30 states with a module of --embed in WebGL 1 and 2, each with
                                     random values, and compares every pixel with the oracle, which gets the
                                     same values
       webgl.py page [FILE|DIR...]   opens the page of --page of recorded states: all states draw, sliders
                                     work by keys; with several files also in dark mode
Nothing may be written to the browser's console. Exit status 77: no browser is installed."""
import glob
import json
import math
import os
import random
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool
from browser import Browser
from oracle.common import spans
from oracle.texenv import stages
from oracle.texenv.texenv_eval import evaluate as evaluate_texenv
from oracle.vertex import fixed_vertex, matrices, vertex_draws, vertex_words
from tests.shared.tool import Run

checks = tool.Checks("webgl")

# Texture environments and vertex halves; states() combines each environment with several vertex halves.
ENVIRONMENTS = [
    "{T0*P}", "{}", "{lerp(T0,C,~P.a)}*2 C0=(.5,.25,1,.5)", "{T0*P} {T1+P}", "{dot3(T0,P) ; P*C} C0=(.1,.2,.3,.4)",
    "{T0*P @luminance_alpha} colorsum", "{T0*P @alpha} fog=exp", "{T0*P} fog=linear", "{modulate} {decal @rgb} fog=exp2",
    "{T0*P @intensity} {lerp(T1,P,F.a)} colorsum fog=linear:coord", "{T0*P} alphatest=greater:0.25", "{add} {blend} C1=(0,1,.5,1)"]
VERTICES = [
    "", "lighting light0", "lighting light0=positional light1=spot+positional+attenuated normalize", "texgen0=eye",
    "lighting light2=positional+attenuated separate-specular local-viewer", "texgen0.st=sphere texgen1.str=reflection",
    "matrix0 texgen0.st=object", "lighting light0 light3 rescale color-material=ambient+diffuse matrix1",
    "lighting light0=spot light7=positional color-material=specular normalize", "texgen0.str=normal texgen1=object matrix1"]
STATES = 30
DRAWS = 12  # draws of each state


def states():
    """Returns thirty different states; each environment and each vertex half is in at least two of them. With
    lighting, the colour sum is enabled only by separate specular (OpenGL 2.1, 3.9)."""
    out = []
    for i in range(STATES):
        turn, which = divmod(i, len(ENVIRONMENTS))
        text, words = ENVIRONMENTS[which], VERTICES[(i + turn) % len(VERTICES)]
        if "lighting" in words:
            text = text.replace(" colorsum", "") + (" colorsum" if "separate-specular" in words else "")
        out.append((text, words))
    return out


# ---- the oracle's side ----

class Floats:
    """Arithmetic in double precision, as a domain of the oracle's evaluators (oracle/common/domain.py)."""
    zero, one, half = 0.0, 1.0, 0.5
    add, sub, mul = (staticmethod(f) for f in (lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b))
    shift = staticmethod(lambda a, k: a * 2.0 ** k)
    sat = staticmethod(lambda a: min(max(a, 0.0), 1.0))


def ramp(unit, s, t):
    """Samples the RGBA texture of a unit, of 256 by 256 texels, with linear filtering and clamped to its
    edges. The texels are those that RUNNER sets."""
    x, y = (min(max(c * 256 - 0.5, 0.0), 255.0) / 255 for c in (s, t))
    return [(x, y, 1 - x, 1 - y), (1 - y, x, y, 1 - x)][unit % 2]


class Inputs:
    def __init__(self, state, vertex):
        self.dom, self.state, self.vertex = Floats, state, vertex

    def primary(self, c):
        return self.vertex["result.color.front.primary"][c]

    def secondary(self, c):
        return self.vertex["result.color.front.secondary"][c]

    def texel(self, unit, c, _):
        s, t, _, q = self.vertex[f"result.texcoord[{unit}]"]
        return ramp(unit, s / q, t / q)[c]

    def env(self, unit, c):
        return float(self.state.units[unit].color[c])


def fog_of(text, coord, values):
    mode = re.search(r"fog=(\w+)", text)
    if not mode:
        return 1.0
    if mode[1] == "linear":
        return Floats.sat((values["end"] - coord) / (values["end"] - values["start"]))
    depth = values["density"] * coord
    return Floats.sat(math.exp(-(depth if mode[1] == "exp" else depth * depth)))


def number(x):
    """Converts a component of a result of the vertex half to a float; ValueError where it is undefined or its
    interval is too wide."""
    if x is None:
        return 0.0
    if isinstance(x, spans.Poison) or spans.width(x) > 1e-6:
        raise ValueError
    return float(sum(spans.bounds(x)) / 2)


def pixel(text, state, words, gl, fog):
    """Returns RGBA in [0,1], or None where the alpha test rejects the pixel. ValueError where a value is
    undefined or so near a threshold that rounding decides."""
    vertex = {k: [number(x) for x in v] for k, v in fixed_vertex.evaluate(words, gl).items()}
    for unit in range(2):
        if f"result.texcoord[{unit}]" in vertex and abs(vertex[f"result.texcoord[{unit}]"][3]) < 0.05:
            raise ValueError
    color = evaluate_texenv(state, Inputs(state, vertex))
    if "colorsum" in text:
        second = vertex["result.color.front.secondary"]
        color = [Floats.sat(color[c] + second[c]) for c in range(3)] + [color[3]]
    factor = fog_of(text, vertex.get("result.fogcoord", [0])[0], fog)
    color = [factor * color[c] + (1 - factor) * fog["color"][c] for c in range(3)] + [color[3]]
    if "alphatest" in text:
        if abs(color[3] - 0.25) < 0.01:
            raise ValueError
        return color if color[3] > 0.25 else None
    return color


def is_steady(text, state, words, gl, fog, wanted):
    """True if small changes of normal and spot cutoffs hardly change the pixel: the vertex is not at the rim
    of a spotlight's cone, nor a light at right angles to the normal."""
    for change in (1e-4, -1e-4):
        normal, cosines = gl.normal, [one.cos_cutoff for one in gl.lights]
        gl.normal = tuple(x + spans.Fraction(change) for x in normal)
        for one in gl.lights:
            one.cos_cutoff += spans.Fraction(change)
        got = pixel(text, state, words, gl, fog)
        gl.normal = normal
        for one, cosine in zip(gl.lights, cosines):
            one.cos_cutoff = cosine
        if (got is None) != (wanted is None):
            return False
        if got and max(abs(a - b) for a, b in zip(got, wanted)) > 0.004:
            return False
    return True


def overflows(words, gl):
    """True if a specular power may exceed the range of a shader's numbers: the normal is longer than 1."""
    length = math.sqrt(sum(number(x) ** 2 for x in fixed_vertex.Vertex(words, gl).normal()))
    shininess = float(gl.materials["front"].shininess)
    return bool(words.lit_by()) and shininess * math.log10(max(length, 1e-9)) > 30


def draws_of(text, words_text, seed):
    """Returns DRAWS pairs (values for JavaScript, expected pixel)."""
    state = next(iter(stages.read(text)))[0]
    fog_coord = " fog-coord" if ":coord" in text else ""
    reads = " reads=color+secondary+fog+texcoord0+texcoord1"
    words = vertex_words.read(words_text + fog_coord + reads).canonical()
    out, rng = [], random.Random(f"{seed} {text} {words_text}")
    for k in range(400):
        if len(out) == DRAWS:
            return out
        gl = vertex_draws.draw(f"{seed} {text} {words_text} {k}", words)
        for unit in range(2):
            lanes = [spans.Fraction(rng.randrange(64), 64) for _ in "str"]
            gl.texcoord[unit] = (*lanes, spans.Fraction(rng.choice((1, 2))))
        if not words.lit_by():
            gl.fogcoord = abs(gl.fogcoord)
        # clip coordinates are (0, 0, 0, w of eye space): the vertex is in the canvas' only pixel
        gl.projection = [[spans.Fraction(int(i == k == 3)) for k in range(4)] for i in range(4)]
        if sum(a * b for a, b in zip(gl.modelview[3], gl.position)) <= 0:
            continue
        fog = {"color": [0.25, 0.5, 0.75, 1], "density": rng.choice((0.1, 0.3)), "start": 1.0,
               "end": rng.choice((6.0, 20.0))}
        try:
            wanted = pixel(text, state, words, gl, fog)
            if not overflows(words, gl) and is_steady(text, state, words, gl, fog, wanted):
                out.append((told(gl, words, fog), wanted))
        except ValueError:
            pass
    raise RuntimeError(f"no steady values for {text} {words_text}")


def floats(values):
    return [float(x) for x in values]


def told(gl, words, fog):
    """Returns the values as a program passes them to GL: lights in object space, that is, before the
    modelview matrix transforms them."""
    back = matrices.inverse(gl.modelview) if words.lit_by() else None
    lights = {}
    for n, _ in words.lit_by():
        one = gl.lights[n]
        cutoff = 180.0 if one.cos_cutoff == -1 else math.degrees(math.acos(one.cos_cutoff))
        lights[n] = {"ambient": floats(one.ambient), "diffuse": floats(one.diffuse), "specular": floats(one.specular),
                     "position": floats(matrices.times(back, one.position)), "attenuation": floats(one.attenuation),
                     "spot_direction": floats(matrices.times(back, (*one.direction, 0))[:3]),
                     "spot_exponent": float(one.exponent), "spot_cutoff": cutoff}
    columns = lambda m: floats(x for column in zip(*m) for x in column)  # noqa: E731
    sides = {side: {name: floats(getattr(own, name)) for name in ("ambient", "diffuse", "specular", "emission")}
             | {"shininess": float(own.shininess)} for side, own in gl.materials.items()}
    return {"modelview": columns(gl.modelview), "projection": columns(gl.projection), "lights": lights, "fog": fog,
            "texture_matrix": [columns(m) for m in gl.texture], "light_model_ambient": floats(gl.scene), **sides,
            "plane_modelview": columns(gl.plane_modelview),
            "object_plane": [{c: floats(p[c]) for c in "strq"} for p in gl.object_planes],
            "given_plane": [{c: floats(p[c]) for c in "strq"} for p in gl.given_planes],
            "position": floats(gl.position), "normal": floats(gl.normal), "color": floats(gl.color),
            "secondary": floats(gl.secondary), "fogcoord": float(gl.fogcoord), "texcoord": [floats(x) for x in gl.texcoord[:2]]}


# ---- the browser's side ----

RUNNER = """
const canvas = Object.assign(document.createElement("canvas"), {width: 1, height: 1});
const gl = canvas.getContext("%s", {antialias: false});
for (const unit of [0, 1]) {
    const data = new Uint8Array(256 * 256 * 4);
    for (let y = 0; y < 256; y++)
        for (let x = 0; x < 256; x++)
            data.set(unit ? [255 - y, x, y, 255 - x] : [x, y, 255 - x, 255 - y], 4 * (256 * y + x));
    window.bind = window.bind ?? [];
    window.bind.push(swizzle => {
        const own = data.map((_, i) => ({r: data[i & ~3], g: data[(i & ~3) + 1], b: data[(i & ~3) + 2],
            a: data[(i & ~3) + 3], 0: 0, 1: 255})[swizzle[i & 3]]);
        texture(gl, unit, {width: 256, height: 256, data: own}, gl.LINEAR, gl.CLAMP_TO_EDGE);
    });
}
window.draw = (name, swizzles, list) => {
    const pair = pairs[name], program = pair.create(gl);
    swizzles.forEach((swizzle, unit) => swizzle && window.bind[unit](swizzle));
    return list.map(given => {
        const v = pair.values();
        v.modelview = given.plane_modelview;
        given.given_plane.forEach((planes, unit) => eyePlane(v, unit, planes));
        v.modelview = given.modelview;
        for (const n in given.lights)
            light(v, n, given.lights[n]);
        for (const side of ["front", "back"])
            material(v, given[side], side);
        for (const name of ["projection", "texture_matrix", "light_model_ambient", "object_plane", "fog"])
            v[name] = given[name];
        gl.clearColor(1, 0, 1, 0);
        gl.clear(gl.COLOR_BUFFER_BIT);
        pair.set(gl, program, v);
        const mesh = new Mesh().normal(...given.normal).color(...given.color);
        mesh.secondaryColor(...given.secondary).fogCoord(given.fogcoord);
        given.texcoord.forEach((c, unit) => mesh.multiTexCoord(unit, ...c));
        mesh.vertex(...given.position).draw(gl, pair, gl.POINTS);
        const out = new Uint8Array(4);
        gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, out);
        return [...out, gl.getError()];
    });
};
// The middle of a quad whose first three corners are red, green and blue, and whose last is black: in its
// order round about, and of a strip.
window.quad = name => [[QUADS, 0], [QUAD_STRIP, 1], [POLYGON, 0]].map(([mode, strip]) => {
    const pair = pairs[name], program = pair.create(gl), mesh = new Mesh(), out = new Uint8Array(4);
    const corners = [[-1, -1], [1, -1], ...(strip ? [[-1, 1], [1, 1]] : [[1, 1], [-1, 1]])];
    corners.forEach((xy, i) => mesh.color(i === 0, i === 1, i === 2).vertex(...xy));
    pair.set(gl, program, pair.values());
    mesh.draw(gl, pair, mode);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, out);
    return [...out].slice(0, 3);
});
"""
# Calls Pair.draw with a checkerboard of black and white texels: minified to one pixel it is grey, since the
# recorded state has mipmaps. Also counts the programs created and reads vertices of sphere and torus.
WHOLE = """
window.whole = () => {
    const pair = Object.values(pairs)[0], v = pair.values(), out = new Uint8Array(4), mesh = new Mesh();
    const size = 256, middle = 128.5 / size;
    for (const [x, y] of [[-1, -1], [1, -1], [1, 1], [-1, 1]])
        mesh.texCoord(middle + x / 2, middle + y / 2).vertex(x, y);
    const texels = image(size, size, (x, y) => (x + y) % 2 ? [255, 255, 255] : [0, 0, 0]);
    let programs = 0;
    const create = gl.createProgram;
    gl.createProgram = () => (programs++, create.call(gl));
    pair.draw(gl, mesh, [texels]);
    pair.draw(gl, mesh, [texels], v);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, out);
    let odd = "none";
    try {
        pair.draw(gl, mesh, [image(3, 4, () => [255, 255, 255])]);
    } catch (error) {
        odd = error.message;
    }
    const at = (mesh, s, t) => mesh.vertices.find(one =>
        Math.abs(one.texcoord0[0] - s) < 1e-6 && Math.abs(one.texcoord0[1] - t) < 1e-6);
    const shapes = [[sphere(2, 4, 4), 0, 0.5], [sphere(2, 4, 4), 0.25, 0.5], [sphere(2, 4, 4), 0, 0.75],
        [torus(1, 3, 4, 4), 0, 0], [torus(1, 3, 4, 4), 0, 0.25], [torus(1, 3, 4, 4), 0.25, 0]];
    const outward = [sphere(2, 8, 8), torus(1, 3, 8, 8)].every(({vertices}) => vertices.every((one, i) => {
        const [a, b, c] = [0, 1, 2].map(k => vertices[(i & ~3) + k].position), e = c.map((x, k) => x - b[k]),
            f = a.map((x, k) => x - b[k]);
        return (e[1] * f[2] - e[2] * f[1]) * one.normal[0] + (e[2] * f[0] - e[0] * f[2]) * one.normal[1] +
            (e[0] * f[1] - e[1] * f[0]) * one.normal[2] > -1e-6;
    }));
    return {pixel: [...out], error: gl.getError(), programs, odd, outward,
        shapes: shapes.map(([mesh, s, t]) => ["position", "normal"].flatMap(what =>
            at(mesh, s, t)[what].slice(0, 3)))};
};
"""
MIPMAPPED = """glBindTexture(GL_TEXTURE_2D, 3);
glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, 256, 256, 0, GL_RGB, GL_UNSIGNED_BYTE, NULL);
glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
glEnable(GL_TEXTURE_2D);
glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
glDrawArrays(GL_TRIANGLES, 0, 3);
"""


def whole(browser, folder, context):
    with open(os.path.join(folder, "mipmapped.gl"), "w", encoding="utf-8") as f:
        f.write(MIPMAPPED)
    module, page = os.path.join(folder, "m.mjs"), os.path.join(folder, "m.html")
    run = Run(["convert", "-q", "--embed", "--to", context, "-o", module, f.name])
    checks.check(run.status == 0, f"{context}: {run.err}")
    with open(module, encoding="utf-8") as f, open(page, "w", encoding="utf-8") as out:
        out.write('<!DOCTYPE html><meta charset="utf-8"><link rel="icon" href="data:,"><script type="module">\n'
                  + f.read() + RUNNER % context + WHOLE + "</script>")
    browser.open(page)
    got = browser.run("return window.whole()")
    checks.check(all(abs(x - 127.5) <= 2.5 for x in got["pixel"][:3]) and got["error"] == 0 and got["programs"] == 1
                 and got["outward"], f"{context}: {got}")
    checks.check(("powers of two" if context == "webgl" else "none") in got["odd"],
                 f"{context}: sides of 3 and 4: {got['odd']}")
    # derived by hand: on GLU's sphere, s runs from +y to -x, t upwards from -z; on a torus, s runs around z
    # from +x, t around the tube from its outer side
    half = math.sqrt(0.5)
    wanted = [[0, 2, 0, 0, 1, 0], [-2, 0, 0, -1, 0, 0], [0, 2 * half, 2 * half, 0, half, half],
              [4, 0, 0, 1, 0, 0], [3, 0, 1, 0, 0, 1], [0, 4, 0, 0, 1, 0]]
    checks.check(all(abs(a - b) < 1e-6 for x, y in zip(got["shapes"], wanted) for a, b in zip(x, y)),
                 f"{context}: shapes: {got['shapes']}")


# For each texture format, what a lookup returns (notes/numbers.md), as channels of the RGBA texture.
EXPANDED = {"alpha": "000a", "luminance": "rrr1", "luminance_alpha": "rrra", "intensity": "rrrr",
            "rgb": "rgb1"}


def swizzles_of(state):
    return [EXPANDED.get(u.fmt, "rgba") if u else None for u in state.units[:2]]


def open_module(browser, folder, context, texts):
    """Opens a page with the module of these states and RUNNER; returns false if texenvc fails."""
    module, page = os.path.join(folder, "m.mjs"), os.path.join(folder, "m.html")
    run = Run(["convert", "--embed", "--to", context, "-o", module, *(x for text in texts for x in ("-e", text))])
    if not checks.check(run.status == 0, f"{context}: {run.err}"):
        return False
    kinds = {name.rsplit(".d.", 1)[-1] for name in os.listdir(folder) if ".d." in name}
    checks.check(kinds == {"mts"}, f"declarations beside the module: {kinds}")
    with open(module, encoding="utf-8") as f, open(page, "w", encoding="utf-8") as out:
        out.write('<!DOCTYPE html><meta charset="utf-8"><link rel="icon" href="data:,"><script type="module">\n'
                  + f.read() + RUNNER % context + "</script>")
    browser.open(page)
    return True


def glue(folder):
    drawn, worst = 0, 0.0
    listed = states()
    texts = [f"{text} vertex({words})" if words else text for text, words in listed]
    draws = [draws_of(text, words, 1) for text, words in listed]
    with Browser() as browser:
        for context in ("webgl", "webgl2"):
            if not open_module(browser, folder, context, [*texts, "{}"]):
                continue
            for i, (text, _) in enumerate(listed):
                state = next(iter(stages.read(text)))[0]
                got = browser.run("return window.draw(...arguments)", f"texenv_{i + 1}" if i else "texenv",
                                  swizzles_of(state), [one for one, _ in draws[i]])
                for (given, wanted), pixels in zip(draws[i], got):
                    wanted = [255 * c for c in wanted or (1, 0, 1, 0)]
                    far = max(abs(a - b) for a, b in zip(pixels, wanted))
                    worst, drawn = max(worst, far), drawn + 1
                    checks.check(far <= 1 and pixels[4] == 0,
                                 f"{context}: {texts[i]}: {pixels}, wanted {wanted}: {json.dumps(given)}")
            # as in Mesa, the first triangle's diagonal starts at the first corner: the middle mixes red and
            # blue, and for a strip red and black
            wanted = [[127, 0, 127], [127, 0, 0], [127, 0, 127]]
            got = browser.run("return window.quad(arguments[0])", f"texenv_{STATES + 1}")
            checks.check(all(abs(a - b) <= 1 for x, y in zip(got, wanted) for a, b in zip(x, y)),
                         f"{context}: quads: {got}")
            whole(browser, folder, context)
            messages = browser.messages()
            checks.check(not messages, f"{context}: {messages[:5]}")
    print(f"glue: {len(listed)} states, {drawn} draws, at most {worst:.2f} of 255 different")


# ---- pages ----

def page(folder, paths):
    files = []
    for path in paths:
        files += sorted(glob.glob(os.path.join(path, "*.gl"))) if os.path.isdir(path) else [path]
    for context in ("webgl", "webgl2"):
        out = os.path.join(folder, "page.html")
        run = Run(["convert", "-q", "--to", context, "--page", out, *files])
        checks.check(run.status in (0, 3) and not run.out, f"{context}: {run.status} {run.err[:500]}")
        for dark in (False, True) if len(files) > 1 else (False,):
            with Browser(dark=dark) as browser:
                look_at_page(browser, context, out)


PICTURES = """return [...document.querySelectorAll("canvas")].map(c => {
    const data = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
    return new Set(new Uint32Array(data.buffer)).size; });"""


def look_at_page(browser, context, path):
    browser.open(path)
    for _ in range(1200):
        if browser.run("return document.body.dataset.ready"):
            break
        browser.run("return new Promise(done => setTimeout(done, 50))")
    count = browser.run("return document.querySelectorAll('#states input').length")
    failed = browser.run("return document.body.dataset.failed")
    checks.check(count and not failed, f"{context}: {count} states: {failed}")
    with open(path, encoding="utf-8") as f:
        pairs = f.read().count(": new Pair({\n")
    checks.check(count == pairs, f"{context}: {count} of {pairs} pairs are on the page")
    colours = browser.run(PICTURES)
    checks.check(len(colours) == count + 1 and min(colours) > 1, f"{context}: an empty picture: {colours}")
    # works with the keyboard: the first state, the next one, a slider
    browser.run("document.querySelector('#states input').focus()")
    before = browser.run("return document.getElementById('source').textContent")
    browser.keys("\ue015")  # down
    after = browser.run("return document.getElementById('source').textContent")
    checks.check(count == 1 or before != after, f"{context}: the arrow key does not choose a state")
    browser.run("document.querySelector('#camera input').focus()")
    old = browser.run("return document.getElementById('view').toDataURL()")
    browser.keys("\ue014" * 5)  # right
    checks.check(old != browser.run("return document.getElementById('view').toDataURL()"),
                 f"{context}: a slider changes nothing")
    names = browser.run("return [...document.querySelectorAll('input[type=range]')].map(i => i.ariaLabel)")
    checks.check(all(names), f"{context}: a slider has no name")
    messages = browser.messages()
    checks.check(not messages, f"{context}: {messages[:5]}")
    print(f"page: {context}, {count} states")


def main():
    with tempfile.TemporaryDirectory() as folder:
        if sys.argv[1] == "glue":
            glue(folder)
        else:
            page(folder, sys.argv[2:] or [os.path.join(tool.TOP, "tests/corpus")])
    checks.finish()


main()
