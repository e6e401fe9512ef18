// The OpenGL state from which the uniforms of a shader pair are computed, and the transformations that GL
// applies when values are set (OpenGL 2.1, sections 2.11, 2.12, 2.14). Matrices are 16 numbers, column by
// column.
/** Returns GL's initial state. A program changes it by assignments, or by the functions below. */
export function initialValues() {
    const list = (n, make) => Array.from({length: n}, (_, i) => make(i));
    const planes = () => ({s: [1, 0, 0, 0], t: [0, 1, 0, 0], r: [0, 0, 0, 0], q: [0, 0, 0, 0]});
    const surface = () => ({ambient: [0.2, 0.2, 0.2, 1], diffuse: [0.8, 0.8, 0.8, 1], specular: [0, 0, 0, 1],
        emission: [0, 0, 0, 1], shininess: 0});
    return {
        projection: identity(), modelview: identity(), texture_matrix: list(8, identity),
        light: list(8, n => ({ambient: [0, 0, 0, 1], diffuse: n ? [0, 0, 0, 1] : [1, 1, 1, 1],
            specular: n ? [0, 0, 0, 1] : [1, 1, 1, 1], position: [0, 0, 1, 0], spot_direction: [0, 0, -1],
            spot_exponent: 0, spot_cutoff: 180, attenuation: [1, 0, 0]})),
        light_model_ambient: [0.2, 0.2, 0.2, 1], front: surface(), back: surface(),
        object_plane: list(8, planes), eye_plane: list(8, planes), clip_plane: list(8, () => [0, 0, 0, 0]),
        fog: {color: [0, 0, 0, 0], density: 1, start: 0, end: 1},
        point: {size: 1, min: 0, max: 8192, attenuation: [1, 0, 0]},
        texenv_color: list(8, () => [0, 0, 0, 0]), alpha_reference: 0,
    };
}

/** Sets a light, as glLightfv: light(v, 0, {position: [0, 5, 0, 1]}). v.modelview transforms positions and
 *  directions. */
export function light(v, n, given) {
    Object.assign(v.light[n], given);
    if (given.position)
        v.light[n].position = transform(v.modelview, given.position);
    if (given.spot_direction)
        v.light[n].spot_direction = direction(v.modelview, given.spot_direction);
}

/** Sets materials, as glMaterialfv: material(v, {diffuse: [1, 0, 0, 1], shininess: 32}). face: "front",
 *  "back" or "front and back". */
export function material(v, given, face = "front and back") {
    for (const side of ["front", "back"])
        if (face.includes(side))
            Object.assign(v[side], given);
}

/** Sets eye planes, as glTexGenfv: eyePlane(v, unit, {s: [1, 0, 0, 0]}). Planes are multiplied by the
 *  inverse of v.modelview. */
export function eyePlane(v, unit, given) {
    for (const c in given)
        v.eye_plane[unit][c] = transform(transpose(inverse(v.modelview)), given[c]);
}

/** Sets a clip plane, as glClipPlane. It is multiplied by the inverse of v.modelview. */
export function clipPlane(v, n, plane) {
    v.clip_plane[n] = transform(transpose(inverse(v.modelview)), plane);
}

// ---- matrices, as in GL: v.modelview = multiply(v.modelview, translate(x, y, z)) ----

export const identity = () => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
export const translate = (x, y, z) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];
export const scale = (x, y, z) => [x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1];
export const transpose = m => m.map((_, i) => m[i % 4 * 4 + (i >> 2)]);
export const row = (m, i) => [m[i], m[i + 4], m[i + 8], m[i + 12]];
export const transform = (m, p) => [0, 1, 2, 3].map(i => row(m, i).reduce((sum, x, k) => sum + x * p[k], 0));

/** Returns the product of any number of matrices. The last one is applied to a vertex first. */
export function multiply(...matrices) {
    return matrices.reduce((a, b) => [0, 4, 8, 12].flatMap(c => transform(a, b.slice(c, c + 4))));
}

/** Returns the matrix of glRotatef, for an angle in degrees about an axis. */
export function rotate(degrees, ...axis) {
    const [x, y, z] = unit(axis), a = degrees * Math.PI / 180, s = Math.sin(a), c = Math.cos(a), d = 1 - c;
    return [x * x * d + c, x * y * d + z * s, x * z * d - y * s, 0, x * y * d - z * s, y * y * d + c,
        y * z * d + x * s, 0, x * z * d + y * s, y * z * d - x * s, z * z * d + c, 0, 0, 0, 0, 1];
}

export function frustum(left, right, bottom, top, near, far) {
    const w = right - left, h = top - bottom, d = far - near;
    return [2 * near / w, 0, 0, 0, 0, 2 * near / h, 0, 0, (right + left) / w, (top + bottom) / h,
        -(far + near) / d, -1, 0, 0, -2 * far * near / d, 0];
}

export function ortho(left, right, bottom, top, near, far) {
    const w = right - left, h = top - bottom, d = far - near;
    return [2 / w, 0, 0, 0, 0, 2 / h, 0, 0, 0, 0, -2 / d, 0, -(right + left) / w, -(top + bottom) / h,
        -(far + near) / d, 1];
}

/** Returns the matrix of gluPerspective. */
export function perspective(fovy, aspect, near, far) {
    const top = near * Math.tan(fovy * Math.PI / 360);
    return frustum(-top * aspect, top * aspect, -top, top, near, far);
}

/** Returns the matrix of gluLookAt. */
export function lookAt(ex, ey, ez, cx, cy, cz, ux, uy, uz) {
    const f = unit([cx - ex, cy - ey, cz - ez]), s = unit(cross(f, [ux, uy, uz])), u = cross(s, f);
    return multiply([s[0], u[0], -f[0], 0, s[1], u[1], -f[1], 0, s[2], u[2], -f[2], 0, 0, 0, 0, 1],
        translate(-ex, -ey, -ez));
}

/** Returns the inverse of a matrix, by Gaussian elimination with partial pivoting. */
export function inverse(m) {
    const rows = [0, 1, 2, 3].map(i => [...row(m, i), ...row(identity(), i)]);
    for (let k = 0; k < 4; k++) {
        for (let i = k + 1; i < 4; i++)
            if (Math.abs(rows[i][k]) > Math.abs(rows[k][k]))
                [rows[i], rows[k]] = [rows[k], rows[i]];
        rows[k] = rows[k].map((x, _, whole) => x / whole[k]);
        for (let i = 0; i < 4; i++)
            if (i !== k)
                rows[i] = rows[i].map((x, j, whole) => x - whole[k] * rows[k][j]);
    }
    return [4, 5, 6, 7].flatMap(j => rows.map(r => r[j]));
}

// ---- functions that compute uniforms from the state ----

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const rgb = a => a.slice(0, 3);
const product = (a, b) => [a[0] * b[0], a[1] * b[1], a[2] * b[2]];
const sum = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const unit = a => a.map(x => x / (Math.hypot(...a) || 1)); // a zero vector is unchanged
const place = ([x, y, z, w]) => [x / (w || 1), y / (w || 1), z / (w || 1)];
const halfVector = position => unit(sum(unit(rgb(position)), [0, 0, 1])); // for an infinite viewer
const cosine = cutoff => Math.max(Math.cos(cutoff * Math.PI / 180), 0); // 0 for lights that are no spots
const direction = (m, [x, y, z]) => rgb(transform(m, [x, y, z, 0]));
const sceneColor = (v, side) => sum(product(side.ambient, v.light_model_ambient), side.emission);
const pointSize = ({size, min, max}) => Math.min(Math.max(size, min), max);
const fogScale = ({start, end}) => end === start ? 1 : 1 / (end - start);

/** Returns the matrix for normals: the inverse transpose of the upper left 3x3 matrix. rescaled: with the
 *  factor of GL_RESCALE_NORMAL (2.11.3). */
function normalMatrix(m, rescaled = false) {
    const [a, b, c] = [0, 4, 8].map(k => m.slice(k, k + 3)), last = cross(a, b);
    const d = last[0] * c[0] + last[1] * c[1] + last[2] * c[2];
    if (!d)
        return [1, 0, 0, 0, 1, 0, 0, 0, 1]; // there is no inverse
    const f = rescaled ? Math.abs(d) / d / Math.hypot(...last) : 1 / d;
    return [...cross(b, c), ...cross(c, a), ...last].map(x => x * f);
}
