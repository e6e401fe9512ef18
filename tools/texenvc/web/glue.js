// Draws with shader pairs in WebGL: programs, uniforms, vertices, textures.
import {initialValues} from "./values.js";

/** A shader pair: the fields that texenvc has written, and functions that draw with it. */
export class Pair {
    constructor(fields) {
        Object.assign(this, fields);
    }

    /** Returns a new linked program. Throws an error with the messages of the compiler or the linker. */
    create(gl) {
        const program = gl.createProgram();
        for (const [kind, source] of [[gl.VERTEX_SHADER, this.vertex], [gl.FRAGMENT_SHADER, this.fragment]]) {
            const shader = gl.createShader(kind);
            gl.shaderSource(shader, source);
            gl.compileShader(shader);
            if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost())
                throw new Error(`${this.name}: ${gl.getShaderInfoLog(shader)}`);
            gl.attachShader(program, shader);
            gl.deleteShader(shader); // takes effect when the program is deleted
        }
        for (const [name, location] of Object.entries(this.attributes))
            gl.bindAttribLocation(program, location, name);
        gl.linkProgram(program);
        if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost())
            throw new Error(`${this.name}: ${gl.getProgramInfoLog(program)}`);
        return program;
    }

    /** Returns the values of GL's initial state, replaced by those that were recorded for this pair. */
    values() {
        return merge(initialValues(), this.recorded);
    }

    /** Uses the program and sets all its uniforms. A sampler is set to the number of its unit. */
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

    /** Draws a mesh with images[unit] as textures, filtered as recorded. v: GL's values; by default the
     *  recorded ones. The program and the textures are made at the first draw. A canvas whose context is
     *  created with {alpha: false, antialias: false} shows the same as a window of OpenGL. */
    draw(gl, mesh, images = [], v = this.values(), mode = mesh.mode) {
        for (const sampler of Object.values(this.samplers))
            if (images[sampler.unit])
                bindImage(gl, images[sampler.unit], sampler);
        this.set(gl, once(gl, this, "", () => this.create(gl)), v);
        mesh.draw(gl, this, mode);
    }
}

// for each context and each pair or image: the pair's program, or the image's textures by their filters
const drawn = new WeakMap();

function once(gl, owner, key, make) {
    if (!drawn.has(gl))
        drawn.set(gl, new WeakMap());
    const own = drawn.get(gl);
    if (!own.has(owner))
        own.set(owner, {});
    return own.get(owner)[key] ??= make();
}

function bindImage(gl, source, {unit, target, min_filter, mag_filter, wrap_s, wrap_t}) {
    const at = gl[target.slice(3)];
    const number = (name, other) => name ? gl[name.slice(3)] ?? other : other; // WebGL has no GL_CLAMP
    const min = number(min_filter, gl.LINEAR), wrap = number(wrap_s ?? "GL_REPEAT", gl.CLAMP_TO_EDGE);
    const own = once(gl, source, [min, mag_filter, wrap_s, wrap_t].join(), () =>
        texture(gl, unit, source, min, wrap));
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(at, own);
    gl.texParameteri(at, gl.TEXTURE_MAG_FILTER, number(mag_filter, gl.LINEAR));
    gl.texParameteri(at, gl.TEXTURE_WRAP_T, number(wrap_t ?? "GL_REPEAT", gl.CLAMP_TO_EDGE));
}

function merge(into, from) {
    for (const key in from)
        if (from[key] && typeof from[key] === "object" && !Array.isArray(from[key]))
            merge(into[key], from[key]);
        else
            into[key] = from[key];
    return into;
}

const locations = new WeakMap(); // for each program: locations of uniforms by name

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

/** Modes that WebGL does not have; Mesh converts them to triangles. */
export const QUADS = 7, QUAD_STRIP = 8, POLYGON = 9;

/** Vertices that are given as between glBegin and glEnd: normal, color, texCoord ... set the values of the
 *  vertices after them. mode: gl.TRIANGLES ..., QUADS, QUAD_STRIP, POLYGON. */
export class Mesh {
    constructor(mode = QUADS) {
        this.mode = mode;
        this.now = {normal: [0, 0, 1, 0], color: [1, 1, 1, 1], secondary_color: [0, 0, 0, 1],
            fog_coord: [0, 0, 0, 1]};
        this.vertices = [];
        this.buffers = new WeakMap(); // for each context: buffers by attribute
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

    /** Draws with the program in use, which must be that of the pair. */
    draw(gl, pair, mode = this.mode) {
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

    /** Returns the indices of the vertices to draw, in order. Quads are divided along the same diagonal as by
     *  Mesa, since the diagonal is visible with lighting. */
    corners(mode) {
        const cuts = {[QUADS]: [4, [0, 1, 2, 0, 2, 3]], [QUAD_STRIP]: [2, [0, 1, 3, 0, 3, 2]]};
        const [step, cut] = cuts[mode] ?? [];
        const quads = Math.max(0, Math.floor((this.vertices.length - 4) / step) + 1);
        return step ? Array.from({length: 6 * quads}, (_, i) => step * Math.floor(i / 6) + cut[i % 6])
            : this.vertices.map((_, i) => i);
    }

    /** Binds the buffer of one attribute, and fills it again if the number of vertices has changed. */
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

/** Returns a surface over s and t from 0 to 1, made of QUADS. point(mesh, s, t) must add one vertex with its
 *  attributes to the mesh. */
export function surface(rows, columns, point) {
    const mesh = new Mesh();
    for (let i = 0; i < rows; i++)
        for (let k = 0; k < columns; k++)
            for (const [s, t] of [[k, i + 1], [k, i], [k + 1, i], [k + 1, i + 1]])
                point(mesh, s / columns, t / rows);
    return mesh;
}

/** Returns a sphere like that of gluSphere, with the same texture coordinates. */
export function sphere(radius, slices = 32, stacks = 24) {
    return surface(stacks, slices, (mesh, s, t) => {
        const [z, r] = turned(t / 2), [y, x] = turned(s), normal = [-x * r, y * r, -z];
        mesh.texCoord(s, t).normal(...normal).vertex(...normal.map(c => radius * c));
    });
}

/** Returns a ring around the z axis like that of glutSolidTorus; texture coordinate s runs along the ring. */
export function torus(inner, outer, sides = 24, rings = 48) {
    return surface(rings, sides, (mesh, t, s) => { // t, s: divides quads along the same diagonal as freeglut
        const [x, y] = turned(s), [r, z] = turned(1 - t), d = outer + inner * r;
        mesh.texCoord(s, 1 - t).normal(x * r, y * r, z).vertex(x * d, y * d, inner * z);
    });
}

const turned = x => [Math.cos(2 * Math.PI * x), Math.sin(2 * Math.PI * x)];

/** Returns an image for texture(). texel(x, y) must return [red, green, blue] or [red, green, blue, alpha],
 *  from 0 to 255; the default of alpha is 255. As for glTexImage2D, the row y = 0 is at t = 0. */
export function image(width, height, texel) {
    const data = new Uint8Array(4 * width * height).fill(255);
    for (let i = 0; i < width * height; i++)
        data.set(texel(i % width, Math.floor(i / width)), 4 * i);
    return {width, height, data};
}

/** Creates a texture, binds it to a unit and returns it. source: an image element, a canvas, ImageData, or
 *  {width, height, data} with RGBA bytes; or an array of six of these, for a cube map. filter: the minifying
 *  filter; mipmaps are generated if it uses them. */
export function texture(gl, unit, source, filter = gl.LINEAR, wrap = gl.REPEAT) {
    const cube = Array.isArray(source), target = cube ? gl.TEXTURE_CUBE_MAP : gl.TEXTURE_2D;
    const mipmaps = filter !== gl.NEAREST && filter !== gl.LINEAR, sources = cube ? source : [source];
    const odd = sources.some(({width, height}) => width & width - 1 || height & height - 1);
    if (odd && !("texImage3D" in gl) && (mipmaps || wrap !== gl.CLAMP_TO_EDGE))
        throw new Error("WebGL 1 repeats and mipmaps only textures whose sides are powers of two");
    const made = gl.createTexture();
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(target, made);
    sources.forEach((one, i) => {
        const face = cube ? gl.TEXTURE_CUBE_MAP_POSITIVE_X + i : target;
        if (one.data && !(one instanceof ImageData))
            gl.texImage2D(face, 0, gl.RGBA, one.width, one.height, 0, gl.RGBA, gl.UNSIGNED_BYTE,
                new Uint8Array(one.data));
        else
            gl.texImage2D(face, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, one);
    });
    if (mipmaps)
        gl.generateMipmap(target);
    gl.texParameteri(target, gl.TEXTURE_MIN_FILTER, filter);
    gl.texParameteri(target, gl.TEXTURE_MAG_FILTER, mipmaps ? gl.LINEAR : filter);
    gl.texParameteri(target, gl.TEXTURE_WRAP_S, wrap);
    gl.texParameteri(target, gl.TEXTURE_WRAP_T, wrap);
    return made;
}
