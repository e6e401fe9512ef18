// The script of pages written by --page: draws every state small, and the chosen one large, with sliders.
import {multiply, perspective, rotate, scale, translate} from "./values.js";
import {image, Pair, pairs, QUADS, surface, texture} from "./glue.js";

const $ = id => document.getElementById(id);
const dark = matchMedia("(prefers-color-scheme: dark)");
const canvas = document.createElement("canvas"); // draws everything; pictures are copied from it
const modern = Object.values(pairs).some(p => p.fragment.startsWith("#version 300"));
const gl = canvas.getContext(modern ? "webgl2" : "webgl", {alpha: false});
const WIDTH = 1200, HEIGHT = 400;

// ---- shapes ----

function corner(mesh, s, t, position, normal) {
    for (let unit = 0; unit < 8; unit++)
        mesh.multiTexCoord(unit, 2 * s, t, 0.5);
    mesh.normal(...normal).color(0.6 + 0.4 * s, 1, 0.6 + 0.4 * t, 0.5 + 0.5 * t).secondaryColor(0.2, 0, 0.1);
    mesh.fogCoord(4 - position[2]).vertex(...position);
}

const turn = x => [Math.cos(2 * Math.PI * x), Math.sin(2 * Math.PI * x)];
const shapes = [
    surface(24, 48, (mesh, s, t) => {
        const [x, z] = turn(s), [y, r] = turn(t / 2), normal = [x * r, -y, -z * r];
        corner(mesh, s, t, normal.map(c => 1.1 * c), normal);
    }),
    surface(1, 1, (mesh, s, t) => corner(mesh, s, t, [2 * s - 1, 2 * t - 1, 0], [0, 0, 1])),
    surface(24, 48, (mesh, s, t) => {
        const [x, y] = turn(s), [r, z] = turn(t), d = 0.8 + 0.35 * r;
        corner(mesh, s, t, [x * d, y * d, 0.35 * z], [x * r, y * r, z]);
    }),
];

// ---- stand-ins: textures and values for drawing where none were recorded ----

/** Returns a texel of the pattern that stands in for a texture, as the swizzle of its format makes it. */
function texel(x, y, unit, swizzle = "rgba") {
    const check = (x >> 3) + (y >> 3) + unit & 1, wave = 128 + 127 * Math.sin((x + 2 * y) / 10 + unit);
    const color = {r: check ? 235 : 90, g: wave, b: check ? 70 : 200, a: check ? 255 : 120, 0: 0, 1: 255};
    return [...swizzle.padEnd(4, "1")].map(c => color[c]);
}

function pattern(unit, swizzle, shift = 0) {
    return image(64, 64, (x, y) => texel(x + shift, y, unit, swizzle));
}

function depthImages(target, faces) {
    const data = Uint16Array.from({length: 64 * 64}, (_, i) => ((i >> 3) + (i >> 9) & 1) * 40000 + 10000);
    gl.bindTexture(target, gl.createTexture());
    for (const face of faces)
        gl.texImage2D(face, 0, gl.DEPTH_COMPONENT16, 64, 64, 0, gl.DEPTH_COMPONENT, gl.UNSIGNED_SHORT, data);
    for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
        gl.texParameteri(target, filter, gl.NEAREST);
    gl.texParameteri(target, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
    gl.texParameteri(target, gl.TEXTURE_COMPARE_FUNC, gl.LEQUAL);
}

function volume(unit, swizzle) {
    const layers = [0, 1, 2, 3].map(k => [...pattern(unit, swizzle, 5 * k).data]);
    const data = Uint8Array.from(layers.flat());
    gl.bindTexture(gl.TEXTURE_3D, gl.createTexture());
    gl.texImage3D(gl.TEXTURE_3D, 0, gl.RGBA, 64, 64, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, data);
    gl.texParameteri(gl.TEXTURE_3D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
}

const made = {}; // textures by unit, type and swizzle

function bindTextures(pair) {
    for (const {unit, type, target, swizzle} of Object.values(pair.samplers)) {
        const at = gl[target.slice(3)], key = `${unit} ${type} ${swizzle}`;
        gl.activeTexture(gl.TEXTURE0 + unit);
        if (made[key]) {
            gl.bindTexture(at, made[key]);
            continue;
        }
        const faces = at === gl.TEXTURE_CUBE_MAP ? [0, 1, 2, 3, 4, 5] : [];
        if (type.endsWith("Shadow"))
            depthImages(at, faces.length ? faces.map(i => gl.TEXTURE_CUBE_MAP_POSITIVE_X + i) : [at]);
        else if (type === "sampler3D")
            volume(unit, swizzle);
        else if (faces.length)
            texture(gl, unit, faces.map(i => pattern(unit, swizzle, 3 * i)));
        else
            texture(gl, unit, pattern(unit, swizzle));
        made[key] = gl.getParameter({[gl.TEXTURE_2D]: gl.TEXTURE_BINDING_2D,
            [gl.TEXTURE_CUBE_MAP]: gl.TEXTURE_BINDING_CUBE_MAP}[at] ?? gl.TEXTURE_BINDING_3D);
    }
}

/** Returns values that show the effects of a state, replaced by recorded ones where there are any. */
function standIns(pair) {
    const v = pair.values(), has = pair.recorded;
    for (const [, n, how] of pair.state.matchAll(/\blight(\d)(?:=([a-z+]+))?/g)) {
        const side = n % 2 ? 1 : -1, at = [1.5 * side, 1.5, -2, 1];
        const far = [0.7 * side, 0.9, 2, 0];
        Object.assign(v.light[n], {diffuse: [0.8, 0.8, 0.8, 1], specular: [1, 1, 1, 1],
            position: /positional/.test(how) ? at : far},
        /spot/.test(how) ? {spot_direction: [-side, -1, -1.3], spot_cutoff: 40, spot_exponent: 4} : {},
        /attenuated/.test(how) ? {attenuation: [0.5, 0.1, 0.05]} : {}, has.light?.[n]);
    }
    for (const side of [v.front, v.back])
        Object.assign(side, {specular: [0.5, 0.5, 0.5, 1], shininess: 24});
    Object.assign(v.front, has.front);
    Object.assign(v.back, has.back);
    for (let unit = 0; unit < 8; unit++) {
        if (pair.state.includes(` matrix${unit}`) || pair.state.includes(`(matrix${unit}`))
            v.texture_matrix[unit] = multiply(rotate(20, 0, 0, 1), scale(1.5, 1.5, 1));
        for (const name of ["object_plane", "eye_plane"])
            Object.assign(v[name][unit], {s: [0.5, 0, 0, 0.5], t: [0, 0.5, 0, 0.5], r: [0, 0, 0.5, 0.5],
                q: [0, 0, 0, 1]}, has[name]?.[unit]);
    }
    Object.assign(v.texture_matrix, has.texture_matrix);
    Object.assign(v.fog, {color: [0.6, 0.65, 0.7, 1], density: 0.22, start: 3, end: 5.5}, has.fog);
    Object.assign(v.point, {size: 8, max: 64}, has.point);
    v.texenv_color = v.texenv_color.map(color => color ?? [0.5, 0.5, 0.5, 0.5]); // unknown ones are grey
    v.alpha_reference ??= 0.5;
    return v;
}

// ---- drawing ----

const camera = {turn: 25, tilt: 20, distance: 4};

/** Draws a state into the canvas, and copies the picture to the canvas `into`. */
function draw(state, into) {
    const grey = dark.matches ? 0.14 : 0.9, v = state.values, third = WIDTH / 3;
    gl.viewport(0, 0, WIDTH, HEIGHT);
    gl.clearColor(grey, grey, grey, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    bindTextures(state.pair);
    v.projection = perspective(40, third / HEIGHT, 0.5, 50);
    v.modelview = multiply(translate(0, 0, -camera.distance), rotate(camera.tilt, 1, 0, 0),
        rotate(camera.turn, 0, 1, 0));
    shapes.forEach((shape, i) => {
        gl.viewport(i * third, 0, third, HEIGHT);
        state.pair.set(gl, state.program, v);
        shape.draw(gl, state.pair, state.pair.points ? gl.POINTS : QUADS);
    });
    into.width = into.clientWidth * devicePixelRatio || WIDTH / 2;
    into.height = into.width / 3;
    into.getContext("2d").drawImage(canvas, 0, 0, into.width, into.height);
}

/** Returns a copy of a pair in which sliders set some of the uniforms. */
function withSliders(pair, sliders) {
    return new Pair({...pair, uniforms: v => ({...pair.uniforms(v), ...sliders})});
}

const states = Object.values(pairs).map(pair => {
    const sliders = {};
    return {pair: withSliders(pair, sliders), original: pair, sliders, values: standIns(pair)};
});
let chosen = states[0];

function show(state) {
    draw(state, $("view"));
    draw(state, state.card);
}

// ---- the page around it ----

function element(tag, fields, ...children) {
    const made = Object.assign(document.createElement(tag), fields);
    made.append(...children);
    return made;
}

function slider(text, name, [low, high], value, change) {
    const output = element("output", {textContent: Number(value.toPrecision(3))});
    const input = element("input", {type: "range", min: low, max: high, step: (high - low) / 200, value});
    input.setAttribute("aria-label", name);
    input.addEventListener("input", () => {
        output.textContent = Number(input.valueAsNumber.toPrecision(3));
        change(input.valueAsNumber);
        show(chosen);
    });
    return element("label", {}, text, input, output);
}

function rangeOf(name, value) {
    const most = Math.max(1, 2 * Math.abs(value));
    if (/color|diffuse|ambient|specular|emission|reference/.test(name) && value >= 0 && value <= 1)
        return [0, 1];
    const positive = value >= 0 && /density|end|scale|attenuation|shininess|exponent|size/.test(name);
    return [positive ? 0 : -most, most];
}

function uniformFields(state) {
    const now = state.original.uniforms(state.values);
    const shown = Object.entries(now).filter(([name]) => !/matrix|modelview|projection/.test(name));
    return shown.map(([name, value]) => {
        const list = [value].flat(), group = element("fieldset", {}, element("legend", {textContent: name}));
        const known = [state.sliders[name] ?? value].flat();
        list.forEach((_, i) => group.append(slider(list.length > 1 ? "xyzw"[i] : "value",
            `${name} ${"xyzw"[i]}`, rangeOf(name, known[i]), known[i], x => {
                known[i] = x;
                state.sliders[name] = list.length > 1 ? [...known] : x;
            })));
        return group;
    });
}

function choose(state) {
    chosen = state;
    $("name").textContent = state.pair.name;
    $("source").textContent = `${state.pair.source}  ${state.pair.state}`;
    $("vertex").textContent = state.pair.vertex;
    $("fragment").textContent = state.pair.fragment;
    $("view").setAttribute("aria-label", `${state.pair.name} on a sphere, a quad and a torus`);
    const reset = element("button", {type: "button", textContent: "Reset"});
    reset.addEventListener("click", () => {
        for (const name in state.sliders)
            delete state.sliders[name];
        choose(state);
        $("uniforms").querySelector("button")?.focus();
    });
    const fields = state.program ? uniformFields(state) : [];
    $("uniforms").replaceChildren(...fields, ...fields.length ? [reset] : []);
    if (state.program)
        show(state);
}

function addCard(state, first) {
    const input = element("input", {type: "radio", name: "state", checked: first});
    state.card = element("canvas", {});
    state.card.setAttribute("aria-hidden", "true");
    input.addEventListener("change", () => choose(state));
    const file = state.pair.source.replace(/^.*[\\/]/, "");
    const label = element("label", {}, input, state.card, element("b", {textContent: state.pair.name}), file,
        element("code", {textContent: state.pair.state, title: state.pair.state}));
    $("states").append(label);
    try {
        state.program = state.pair.create(gl);
        draw(state, state.card);
    } catch (error) {
        label.append(element("p", {textContent: error.message}));
        document.body.dataset.failed = `${document.body.dataset.failed ?? ""}${error.message}\n`;
    }
}

async function start() {
    canvas.width = WIDTH;
    canvas.height = HEIGHT;
    for (const state of states) {
        addCard(state, state === chosen);
        await new Promise(done => setTimeout(done)); // the page stays usable between states
    }
    $("camera").replaceChildren(element("fieldset", {}, element("legend", {textContent: "camera"}),
        ...[["turn", -180, 180], ["tilt", -90, 90], ["distance", 2, 12]].map(([name, ...range]) =>
            slider(name, `camera ${name}`, range, camera[name], x => { camera[name] = x; }))));
    choose(chosen);
    const count = `${states.length} ${states.length > 1 ? "states" : "state"}, WebGL ${modern ? 2 : 1}. `;
    $("summary").textContent = count + "Values are recorded ones where there are any; textures, vertices and "
        + "other values are stand-ins.";
    dark.addEventListener("change", () => states.forEach(state => state.program && draw(state, state.card)));
    dark.addEventListener("change", () => choose(chosen));
    addEventListener("resize", () => choose(chosen));
    document.body.dataset.ready = "true";
}

if (gl)
    start();
else
    $("summary").textContent = `This browser gives no WebGL ${modern ? 2 : 1}.`;
