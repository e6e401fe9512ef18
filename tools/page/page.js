// The page. The typed text goes to `texenvc explain --html`, whose document is shown. The inputs' values go
// to `texenvc evaluate`, and into the GLSL program, with which WebGL draws. build adds EXAMPLES and MODULE.
import {Command} from "../package/npm/command.mjs";
import {FIRST, TARGET, bytes, css, evaluateText, explainText} from "./shared.mjs";

const $ = id => document.getElementById(id);
const PATIENCE = 250; // ms from the last key stroke until the page's address is updated

let command; // the command texenvc, once it is loaded
let shown = null; // facts about the state that is shown (see factsOf); its text had no errors
let own = ""; // the text that the user typed last, or that came with the address
let origin = null; // the last conversion of the text: {text, made}
let inputs = {}; // inputs that were changed: name (T0 ... T7, C0 ... C7, primary, secondary) -> 0 to 255

// ---- inputs ----

// the RGBA texel that each base format gives, in terms of the stored components
const EXPAND = {alpha: "000a", luminance: "rrr1", luminance_alpha: "rrra", intensity: "rrrr", rgb: "rgb1",
    rgba: "rgba", red: "r001", rg: "rg01"};
const LONG = {r: "red", g: "green", b: "blue", a: "alpha"};

const constant = name => shown.constants.find(one => one.name === name).color;
const initial = name => FIRST[name] ?? constant(name).map(x => x ?? 128);
const value = name => inputs[name] ?? initial(name);
/** Tells whether a constant was changed with a slider or is not given by the text. */
const isOpen = name => name in inputs || constant(name).includes(null);

/** Returns the groups of sliders for the state's inputs: name, title, components and CSS class. */
function inputsOf({textures, constants, primary, secondary}) {
    const list = textures.map(({unit, base}) => ({name: `T${unit}`, title: `Texture ${unit}`,
        components: [..."rgba"].filter(c => EXPAND[base].includes(c)), kind: "t"}));
    list.push(...constants.map(({name, unit}) => ({name, title: `Constant of unit ${unit}`,
        components: [..."rgba"], kind: "c"})));
    if (primary)
        list.push({name: "primary", title: "Primary colour", components: [..."rgba"], kind: "f"});
    if (secondary)
        list.push({name: "secondary", title: "Secondary colour", components: [..."rgb"], kind: "f"});
    return list;
}

/** Tells whether the result depends on this component, or on another that the base format copies from it. */
function isRead({name}, component) {
    const base = shown.textures.find(one => `T${one.unit}` === name)?.base ?? "rgba";
    return [...shown.reads[name] ?? ""].some(c => EXPAND[base]["rgba".indexOf(c)] === component);
}

function element(tag, fields = {}, ...children) {
    const made = Object.assign(document.createElement(tag), fields);
    made.append(...children);
    return made;
}

function slider(input, component, preview) {
    const i = "rgba".indexOf(component), number = element("span");
    const range = element("input", {type: "range", min: 0, max: 255, value: value(input.name)[i]});
    number.textContent = range.value; // rounded
    const read = isRead(input, component);
    range.setAttribute("aria-label", `${input.title}, ${LONG[component]}${read ? "" : " (not read)"}`);
    range.addEventListener("input", () => {
        inputs[input.name] = value(input.name).with(i, range.valueAsNumber);
        number.textContent = range.value;
        preview.style.background = css(value(input.name).slice(0, 3));
        fieldsets.clear(); // this one no longer shows what it showed when it was made
        evaluate();
        remember();
    });
    return element("label", {className: read ? "" : "unread"}, LONG[component], number, range,
        ...read ? [] : [element("small", {textContent: "not read"})]);
}

function fieldset(input) {
    const preview = element("i");
    preview.style.background = css(value(input.name).slice(0, 3));
    const title = element("span", {className: input.kind, textContent: input.title});
    return element("fieldset", {}, element("legend", {}, preview, title),
        ...input.components.map(c => slider(input, c, preview)));
}

let fieldsets = new Map(); // those that are shown, by what they show

/** Shows the sliders. Those that show the same as before stay, so that they are not laid out again. */
function showInputs() {
    const before = fieldsets, place = $("inputs"), list = inputsOf(shown);
    const key = one => JSON.stringify([one, value(one.name), one.components.map(c => isRead(one, c))]);
    fieldsets = new Map(list.map(input => [key(input), before.get(key(input)) ?? fieldset(input)]));
    [...fieldsets.values()].forEach((one, i) => {
        if (place.children[i] !== one)
            place.insertBefore(one, place.children[i] ?? null);
    });
    while (place.children.length > list.length)
        place.lastElementChild.remove();
}

// ---- the exact result ----

function evaluateExactly() {
    const names = [...Object.keys(FIRST), ...shown.constants.map(one => one.name).filter(isOpen)];
    return evaluateText(command, shown.text, shown.number,
        Object.fromEntries(names.map(name => [name, value(name)])));
}

// ---- the drawn result ----

let gl; // created at the first drawing, because that takes as long as everything else together
const made = new Map(); // programs by the text of their fragment shader
const textures = []; // texture objects by unit and target

/** Returns a vertex shader that copies uniforms (given_NAME) to the fragment shader's inputs. */
function vertexShader(fragment) {
    const wanted = [...fragment.matchAll(/^in (\w+) (\w+);/gm)];
    return `#version 300 es\n${wanted.map(([, type, name]) =>
        `uniform ${type} given_${name};\nout ${type} ${name};\n`).join("")}void main()\n{\n` +
        wanted.map(([, , name]) => `    ${name} = given_${name};\n`).join("") +
        "    gl_PointSize = 1.0;\n    gl_Position = vec4(0, 0, 0, 1);\n}\n";
}

function makeProgram(fragment) {
    const program = gl.createProgram();
    const texts = [[gl.VERTEX_SHADER, vertexShader(fragment)], [gl.FRAGMENT_SHADER, fragment]];
    for (const [type, text] of texts) {
        const shader = gl.createShader(type);
        gl.shaderSource(shader, text);
        gl.compileShader(shader);
        gl.attachShader(program, shader);
        if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost())
            throw new Error(gl.getShaderInfoLog(shader));
    }
    gl.linkProgram(program);
    if (made.size > 100)
        made.clear();
    made.set(fragment, program);
    return program;
}

const GIVEN = {given_texcoord: [0.5, 0.5, 0.5, 1], given_fog_coord: [0], fog_end: [1], fog_scale: [1],
    fog_density: [0], fog_color: [0, 0, 0, 0], alpha_reference: [0]};

/** Returns the value for the uniform of this name: an input's value, or one that switches fog off. */
function uniformOf(name) {
    const unit = /^(\w+?)(?:\[?(\d)\]?)?$/.exec(name), of = n => value(n).map(x => x / 255);
    if (unit[1] === "texenv_color")
        return shown.constants.some(one => one.name === `C${unit[2]}`) ? of(`C${unit[2]}`) : [0, 0, 0, 0];
    if (name === "given_primary_color" || name === "given_secondary_color")
        return of(name.slice(6, -6));
    return GIVEN[name] ?? GIVEN[unit[1]];
}

/** Binds a texture to the unit: one texel in each level and face, with the value of the unit's input. */
function bindTexel(unit) {
    const {base, target} = shown.textures.find(one => one.unit === unit), color = value(`T${unit}`);
    const component = c => ({0: 0, 1: 255}[c] ?? color["rgba".indexOf(c)]);
    const texel = Uint8ClampedArray.from(EXPAND[base], component); // rounded
    const at = {cube: gl.TEXTURE_CUBE_MAP, "3d": gl.TEXTURE_3D}[target] ?? gl.TEXTURE_2D;
    gl.activeTexture(gl.TEXTURE0 + unit);
    textures[unit] ??= {};
    gl.bindTexture(at, textures[unit][at] ??= gl.createTexture());
    gl.texParameteri(at, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    if (at === gl.TEXTURE_3D)
        gl.texImage3D(at, 0, gl.RGBA8, 1, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, texel);
    for (let face = 0; at !== gl.TEXTURE_3D && face < (at === gl.TEXTURE_2D ? 1 : 6); face++)
        gl.texImage2D(at === gl.TEXTURE_2D ? at : gl.TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, gl.RGBA8, 1, 1, 0,
            gl.RGBA, gl.UNSIGNED_BYTE, texel);
}

/** Draws one pixel with WebGL and returns its bytes, or a text that says why it cannot. */
function draw() {
    gl ??= $("drawn").getContext("webgl2", {premultipliedAlpha: false, antialias: false,
        preserveDrawingBuffer: true}) ?? false;
    if (!gl)
        return "this browser has no WebGL 2";
    if (!shown.program)
        return "no GLSL ES 3.00 of this state";
    if (shown.program.includes("Shadow "))
        return "comparisons of depth textures are not drawn";
    const text = shown.program.replace("discard;", ";"); // to show also colours that fail the alpha test
    const program = made.get(text) ?? makeProgram(text);
    gl.useProgram(program);
    for (let i = 0; i < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); i++) {
        const {name, type, size} = gl.getActiveUniform(program, i);
        const sampler = /^texture(\d)$/.exec(name);
        if (sampler) {
            gl.uniform1i(gl.getUniformLocation(program, name), Number(sampler[1]));
            bindTexel(Number(sampler[1]));
            continue;
        }
        for (let k = 0; k < size; k++) {
            const one = name.replace("[0]", `[${k}]`);
            const set = type === gl.FLOAT ? "uniform1fv" : "uniform4fv";
            gl[set](gl.getUniformLocation(program, one), uniformOf(one));
        }
    }
    const out = new Uint8Array(4);
    gl.viewport(0, 0, 1, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.drawArrays(gl.POINTS, 0, 1);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, out);
    return [...out];
}

// ---- both ----

function showUnit(number, color) {
    const section = document.querySelector(`#output .unit[data-unit="${number}"]:not(.dead)`);
    if (!section)
        return;
    const part = (half, numbers) => {
        const used = !section.querySelector(`.dead[data-half=${half}]`), text = numbers.join(" ");
        return used ? text : element("s", {className: "dead", title: "not used", textContent: text});
    };
    const [r, g, b, a] = bytes(color).map(Math.round), rgb = part("rgb", [r, g, b]), swatch = element("i");
    swatch.style.background = css([r, g, b, section.querySelector(".dead[data-half=alpha]") ? 255 : a]);
    section.querySelector(".now")?.remove();
    section.querySelector("h3").append(element("span", {className: "now"},
        ...typeof rgb === "string" ? [swatch] : [], "gives ", rgb, " ", part("alpha", [a])));
}

let latest, waits = false; // the last exact colour; whether a call of showDrawn is scheduled

function evaluate() {
    const exact = evaluateExactly(), color = exact && bytes(exact.color);
    exact?.units.forEach((unit, number) => showUnit(number, unit));
    $("exact").style.background = color ? css(color) : "none";
    $("exact").setAttribute("aria-label", color ? `Exact result: ${color.join(", ")}` : "No result");
    $("exact-text").textContent = color?.join(" ") ?? "none";
    if (!waits)
        setTimeout(showDrawn); // once for all changes until then, after the exact colour is on the screen
    waits = true;
    latest = color;
}

function showDrawn() {
    waits = false;
    const drawn = draw(), isDrawn = Array.isArray(drawn), color = latest;
    $("drawn").hidden = !isDrawn;
    $("drawn").setAttribute("aria-label", isDrawn ? `Drawn: ${drawn.join(", ")}` : drawn);
    $("drawn-text").textContent = isDrawn ? drawn.join(" ") : drawn;
    const far = isDrawn && color ? Math.max(...color.map((x, i) => Math.abs(x - drawn[i]))) : 0;
    $("difference").className = far > 1 ? "no" : "";
    $("difference").textContent = "Red, green, blue, alpha, of 255." +
        (isDrawn && color ? ` They differ by ${far.toFixed(1)}.` : "") +
        (shown.after ? " Both are before fog and alpha test." : "");
    document.body.dataset.drawn = JSON.stringify([color, drawn]);
}

// ---- the text ----

function place(text, {line, column}) {
    const lines = text.split("\n"), at = new TextEncoder().encode(lines[line - 1] ?? "");
    const before = new TextDecoder().decode(at.slice(0, column - 1));
    return lines.slice(0, line - 1).join("\n").length + (line > 1) + before.length;
}

function showMarks(text, list) {
    const wrong = list.filter(one => one.severity === "error" && one.line), lines = text.split("\n");
    const of = new Set(wrong.map(one => one.line));
    $("gutter").replaceChildren(...lines.flatMap((_, i) => [i ? "\n" : "",
        of.has(i + 1) ? element("span", {className: "error", textContent: i + 1}) : String(i + 1)]));
    const parts = [];
    let from = 0;
    for (const start of wrong.map(one => place(text, one)).sort((a, b) => a - b)) {
        if (start < from)
            continue;
        const end = start + (/^[\w.]+/.exec(text.slice(start))?.[0].length ?? 1);
        const word = text.slice(start, end).trim() || " ";
        parts.push(text.slice(from, start), element("mark", {textContent: word}));
        from = Math.max(end, start);
    }
    $("marks").replaceChildren(...parts, text.slice(from));
    $("text").setAttribute("aria-invalid", String(wrong.length > 0));
    requestAnimationFrame(follow); // not now: that would lay out the page twice
}

function follow() {
    $("gutter").scrollTop = $("marks").scrollTop = $("text").scrollTop;
    $("marks").scrollLeft = $("text").scrollLeft;
}

function showMessages(text, list) {
    $("messages").replaceChildren(...list.map(one => {
        const item = element("li", {className: one.severity});
        if (one.line) {
            const where = `line ${one.line}, column ${one.column}`;
            const go = element("button", {type: "button", textContent: where});
            go.addEventListener("click", () => {
                const at = place(text, one);
                $("text").focus();
                $("text").setSelectionRange(at, at + 1);
            });
            item.append(go);
        }
        item.append(`${one.severity}: ${one.text}`);
        return item;
    }));
}

function messagesOf(stderr) {
    return stderr.split("\n").filter(Boolean).map(line => {
        try {
            return JSON.parse(line);
        } catch {
            return {severity: "error", text: line};
        }
    });
}

/** Reads from the document of `explain --html` what sliders and drawing need to know of the state. */
function factsOf(output, text, number) {
    const all = (selector, f) => [...output.querySelectorAll(selector)].map(e => f(e.dataset, e));
    return {text, number, program: output.querySelector("pre[data-target=glsl-es-300]")?.textContent,
        textures: all("[data-base]", ({unit, base, target}) => ({unit: Number(unit), base, target})),
        constants: all("[data-color]", ({unit, color}) => ({unit: Number(unit), name: `C${unit}`,
            color: color.split(" ").map(x => (x === "unknown" ? null : 255 * x))})),
        reads: Object.fromEntries(all("[data-reads]", ({reads}) => reads.trim().split(" "))[0]
            .map(one => one.split("."))),
        primary: output.querySelector(".stages .f:not(.dead)") !== null,
        secondary: output.querySelector("[data-color-sum]") !== null,
        after: output.querySelector("[data-after]") !== null};
}

function showNumbers(count, number) {
    $("pick").hidden = count < 2;
    if ($("number").options.length !== count)
        $("number").replaceChildren(...Array.from({length: count}, (_, i) =>
            element("option", {textContent: i + 1})));
    $("number").value = number;
}

/** Gives an element the content of another. What is equal in both stays, and is not laid out again. */
function update(to, from) {
    const old = [...to.childNodes], made = [...from.childNodes];
    if (old.length !== made.length) {
        to.replaceChildren(...made);
        return;
    }
    made.forEach((one, i) => {
        if (one.nodeName === old[i].nodeName && one.matches?.(".state, .targets"))
            update(old[i], one);
        else if (!one.isEqualNode(old[i]))
            old[i].replaceWith(one);
    });
}

/** Shows the explanation of the text. If the text has errors, the previous explanation stays, greyed out. */
function explain() {
    const begin = performance.now(), text = $("text").value;
    const number = Math.min(Number($("number").value) || 1, $("pick").hidden ? 1 : Infinity);
    const target = $("output").querySelector(".targets input:checked")?.dataset.name ?? TARGET;
    const run = explainText(command, text, number);
    const list = messagesOf(run.stderr);
    const made = element("div", {innerHTML: run.stdout.slice(run.stdout.indexOf("<main"))});
    const output = made.querySelector("main");
    if (number > 1 && list.some(one => one.code === "state")) { // the text has fewer states now
        $("number").value = 1;
        explain();
        return;
    }
    showMarks(text, list);
    showMessages(text, list);
    const found = output?.querySelector(".state svg");
    $("output").classList.toggle("stale", !found && shown !== null);
    if (!found && !shown)
        $("output").replaceChildren(element("p", {textContent: "No state without errors yet."}));
    if (found) {
        update($("output"), output);
        const choice = $("output").querySelector(`[data-name="${target}"]`);
        if (choice)
            choice.checked = true;
        showNumbers(Number(output.dataset.states), number);
        shown = factsOf($("output"), text, number);
        showInputs();
        evaluate();
    }
    delete document.body.dataset.drawn;
    document.body.dataset.took = (performance.now() - begin).toFixed(2);
}

// ---- the address ----

let later;

function remember() {
    clearTimeout(later);
    later = setTimeout(() => history.replaceState(null, "", address()), PATIENCE);
}

/** Returns the end of the address: #state=TEXT&number=N&T0=r,g,b,a with the inputs that were changed. */
function address() {
    const words = new URLSearchParams({state: $("text").value});
    if (!$("pick").hidden && $("number").value !== "1")
        words.set("number", $("number").value);
    for (const [name, color] of Object.entries(inputs))
        words.set(name, color.join(","));
    return `#${words}`;
}

/** Takes the text and the inputs from the page's address. Returns false if it has none. */
function recall() {
    const words = new URLSearchParams(location.hash.slice(1));
    if (!words.has("state"))
        return false;
    inputs = {};
    for (const [name, list] of words) {
        const color = list.split(",").map(Number);
        if (/^([TC][0-7]|primary|secondary)$/.test(name) && color.length === 4 &&
            color.every(x => Number.isFinite(x) && x >= 0 && x <= 255))
            inputs[name] = color;
    }
    own = words.get("state");
    write(own, Number(words.get("number")) || 1);
    return true;
}

// ---- events ----

function write(text, number = 1) {
    $("text").value = text;
    $("text").rows = Math.min(Math.max(text.split("\n").length + 1, 4), 16);
    $("pick").hidden = number === 1;
    $("number").replaceChildren(element("option", {textContent: number}));
    explain();
}

function isIn(form, text) {
    return command.run(["convert", "-", "--from", form, "--to", form, "-q"], {stdin: text}).status === 0;
}

/** Converts the text to a notation. A text already in that notation stays as it is. If the text was converted
 *  from that notation and not edited since, the original comes back, with its comments. A text with errors
 *  stays, and the errors are shown. */
function convert(form) {
    const text = $("text").value, number = Number($("number").value) || 1;
    if (isIn(form, text))
        return;
    const run = command.run(["convert", "-", "--to", form, "--diag", "json"], {stdin: text});
    if (run.status) {
        const list = messagesOf(run.stderr);
        showMarks(text, list);
        showMessages(text, list);
        return;
    }
    const made = origin?.made === text && isIn(form, origin.text) ? origin.text : run.stdout;
    origin = {text, made};
    write(made, number);
    remember();
}

async function share() {
    history.replaceState(null, "", address());
    try {
        await navigator.clipboard.writeText(location.href);
        $("shared").textContent = "copied";
    } catch {
        $("shared").textContent = "the link is this page's address";
    }
}

function chooseExample() {
    inputs = {};
    write(EXAMPLES[$("examples").value]?.text ?? (own || $("text").value));
    remember();
}

function listen() {
    $("text").addEventListener("input", () => {
        $("examples").value = "";
        own = $("text").value;
        explain();
        remember();
    });
    $("text").addEventListener("scroll", follow);
    $("number").addEventListener("change", () => (explain(), remember()));
    $("examples").addEventListener("change", () => chooseExample());
    $("to-stages").addEventListener("click", () => convert("stages"));
    $("to-gl").addEventListener("click", () => convert("gl"));
    $("share").addEventListener("click", share);
    $("reset").addEventListener("click", () => {
        inputs = {};
        explain();
        remember();
    });
    addEventListener("hashchange", recall);
}

/** Returns a response with texenvc.wasm, which MODULE contains compressed by gzip and in base64. */
function unpack() {
    const text = atob(MODULE), packed = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++)
        packed[i] = text.charCodeAt(i);
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream, {headers: {"Content-Type": "application/wasm"}});
}

/** Starts texenvc. Until it runs, the page shows what `build` wrote into it: the first example, explained. */
async function start() {
    const module = WebAssembly.compileStreaming(unpack());
    $("examples").append(...EXAMPLES.map((one, i) =>
        element("option", {value: i, textContent: one.name})));
    command = new Command(await module);
    listen();
    if (!recall()) {
        const text = $("text").value;
        if (text === EXAMPLES[0].text)
            $("examples").value = 0;
        else
            own = text; // typed meanwhile
        write(text);
    }
    document.body.dataset.ready = performance.now().toFixed(1);
}

start().catch(error =>
    $("output").replaceChildren(element("p", {className: "no", textContent: error.message})));
