// Shader pairs on WebGL: programs, uniforms, vertices, textures.
import {initialValues} from "./values.js";

/** What a pair can do beside its own fields. */
export class Pair {
    constructor(fields) {
        Object.assign(this, fields);
    }

    /** The linked program. Throws what the compiler or the linker says. */
    create(gl) {
        const program = gl.createProgram();
        for (const [kind, source] of [[gl.VERTEX_SHADER, this.vertex], [gl.FRAGMENT_SHADER, this.fragment]]) {
            const shader = gl.createShader(kind);
            gl.shaderSource(shader, source);
            gl.compileShader(shader);
            if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost())
                throw new Error(`${this.name}: ${gl.getShaderInfoLog(shader)}`);
            gl.attachShader(program, shader);
            gl.deleteShader(shader); // it goes with the program
        }
        for (const [name, location] of Object.entries(this.attributes))
            gl.bindAttribLocation(program, location, name);
        gl.linkProgram(program);
        if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost())
            throw new Error(`${this.name}: ${gl.getProgramInfoLog(program)}`);
        return program;
    }

    /** GL's initial state, with what was recorded of this pair's. */
    values() {
        return merge(initialValues(), this.recorded);
    }

    /** Uses the program and sets every uniform of it, samplers to the numbers of their units. */
    set(gl, program, values) {
        gl.useProgram(program);
        for (const [name, sampler] of Object.entries(this.samplers))
            gl.uniform1i(locate(gl, program, name), sampler.unit);
        for (const [name, value] of Object.entries(this.uniforms(values))) {
            if (value === null || value === undefined)
                throw new Error(`${this.name}: the value of ${name} is not known: set it`);
            setUniform(gl, locate(gl, program, name), value);
        }
    }
}

function merge(into, from) {
    for (const key in from)
        if (from[key] && typeof from[key] === "object" && !Array.isArray(from[key]))
            merge(into[key], from[key]);
        else
            into[key] = from[key];
    return into;
}

const locations = new WeakMap(); // of each program: its uniforms by name

function locate(gl, program, name) {
    const known = locations.get(program) ?? {};
    locations.set(program, known);
    return name in known ? known[name] : known[name] = gl.getUniformLocation(program, name);
}

function setUniform(gl, location, value) {
    switch (value.length) {
    case 3: return gl.uniform3fv(location, value);
    case 4: return gl.uniform4fv(location, value);
    case 9: return gl.uniformMatrix3fv(location, false, value);
    case 16: return gl.uniformMatrix4fv(location, false, value);
    default: return gl.uniform1f(location, value);
    }
}

/** Modes that WebGL has not; Mesh draws them. */
export const QUADS = 7, QUAD_STRIP = 8, POLYGON = 9;

/** Vertices as between glBegin and glEnd: normal, color, texCoord ... hold for the vertices after them. */
export class Mesh {
    constructor() {
        this.now = {normal: [0, 0, 1, 0], color: [1, 1, 1, 1], secondary_color: [0, 0, 0, 1],
            fog_coord: [0, 0, 0, 1]};
        this.vertices = [];
        this.buffers = new WeakMap(); // of each context: buffers by attribute
    }

    put(name, ...value) {
        this.now[name] = value;
        return this;
    }
    normal(x, y, z) { return this.put("normal", x, y, z, 0); }
    color(r, g, b, a = 1) { return this.put("color", r, g, b, a); }
    secondaryColor(r, g, b) { return this.put("secondary_color", r, g, b, 1); }
    fogCoord(f) { return this.put("fog_coord", f, 0, 0, 1); }
    texCoord(s, t = 0, r = 0, q = 1) { return this.put("texcoord0", s, t, r, q); }
    multiTexCoord(unit, s, t = 0, r = 0, q = 1) { return this.put(`texcoord${unit}`, s, t, r, q); }
    vertex(x, y, z = 0, w = 1) {
        this.vertices.push({...this.now, position: [x, y, z, w]});
        return this;
    }

    /** By the program of the pair that is in use; mode: gl.TRIANGLES ..., QUADS, QUAD_STRIP, POLYGON. */
    draw(gl, pair, mode) {
        const corners = this.corners(mode);
        for (const [name, location] of Object.entries(pair.attributes)) {
            this.bind(gl, name.slice(name.lastIndexOf("vertex_") + 7), corners, mode);
            gl.enableVertexAttribArray(location);
            gl.vertexAttribPointer(location, 4, gl.FLOAT, false, 0, 0);
        }
        const modes = {[QUADS]: gl.TRIANGLES, [QUAD_STRIP]: gl.TRIANGLES, [POLYGON]: gl.TRIANGLE_FAN};
        gl.drawArrays(modes[mode] ?? mode, 0, corners.length);
        for (const location of Object.values(pair.attributes))
            gl.disableVertexAttribArray(location);
    }

    /** Numbers of vertices, in order. Quads are cut where Mesa cuts them, which shows in lit ones. */
    corners(mode) {
        const cuts = {[QUADS]: [4, [0, 1, 2, 0, 2, 3]], [QUAD_STRIP]: [2, [0, 1, 3, 0, 3, 2]]};
        const [step, cut] = cuts[mode] ?? [];
        const quads = Math.max(0, Math.floor((this.vertices.length - 4) / step) + 1);
        return step ? Array.from({length: 6 * quads}, (_, i) => step * Math.floor(i / 6) + cut[i % 6])
            : this.vertices.map((_, i) => i);
    }

    /** The buffer of one attribute, filled when there are vertices that it has not. */
    bind(gl, attribute, corners, mode) {
        const buffers = this.buffers.get(gl) ?? {};
        const key = mode === QUADS || mode === QUAD_STRIP ? `${attribute} ${mode}` : attribute;
        this.buffers.set(gl, buffers);
        buffers[key] ??= {buffer: gl.createBuffer(), count: -1};
        gl.bindBuffer(gl.ARRAY_BUFFER, buffers[key].buffer);
        if (buffers[key].count === corners.length)
            return;
        buffers[key].count = corners.length;
        gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(corners.flatMap(i =>
            this.vertices[i][attribute] ?? [0, 0, 0, 1])), gl.STATIC_DRAW);
    }
}

/** A surface over s and t from 0 to 1, as QUADS; point(mesh, s, t) adds a vertex with what belongs to it. */
export function surface(rows, columns, point) {
    const mesh = new Mesh();
    for (let i = 0; i < rows; i++)
        for (let k = 0; k < columns; k++)
            for (const [s, t] of [[k, i + 1], [k, i], [k + 1, i], [k + 1, i + 1]])
                point(mesh, s / columns, t / rows);
    return mesh;
}

/** An image for texture(); texel(x, y) gives red, green, blue and, if it is not 255, alpha. */
export function image(width, height, texel) {
    const data = new Uint8Array(4 * width * height).fill(255);
    for (let i = 0; i < width * height; i++)
        data.set(texel(i % width, Math.floor(i / width)), 4 * i);
    return {width, height, data};
}

/** glTexImage2D for a unit. source: an element, a canvas, ImageData, or {width, height, data} with bytes
 *  RGBA; an array of six of them: a cube map. */
export function texture(gl, unit, source, filter = gl.LINEAR, wrap = gl.REPEAT) {
    const cube = Array.isArray(source), target = cube ? gl.TEXTURE_CUBE_MAP : gl.TEXTURE_2D;
    const made = gl.createTexture();
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(target, made);
    (cube ? source : [source]).forEach((one, i) => {
        const face = cube ? gl.TEXTURE_CUBE_MAP_POSITIVE_X + i : target;
        if (one.data && !(one instanceof ImageData))
            gl.texImage2D(face, 0, gl.RGBA, one.width, one.height, 0, gl.RGBA, gl.UNSIGNED_BYTE,
                new Uint8Array(one.data));
        else
            gl.texImage2D(face, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, one);
    });
    gl.texParameteri(target, gl.TEXTURE_MIN_FILTER, filter);
    gl.texParameteri(target, gl.TEXTURE_MAG_FILTER, filter);
    gl.texParameteri(target, gl.TEXTURE_WRAP_S, wrap);
    gl.texParameteri(target, gl.TEXTURE_WRAP_T, wrap);
    return made;
}
