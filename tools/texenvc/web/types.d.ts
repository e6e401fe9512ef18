// Declarations for modules that texenvc convert --embed writes.
type GL = WebGLRenderingContext | WebGL2RenderingContext;
type Image = TexImageSource | {width: number, height: number, data: ArrayLike<number>};
/** A matrix: 16 numbers, column by column. */
export type Matrix = number[];
export interface Light {
    ambient: number[]; diffuse: number[]; specular: number[];
    /** Position and spot direction are in eye coordinates; light() transforms them. */
    position: number[]; spot_direction: number[];
    spot_exponent: number;
    /** The angle in degrees: 0 to 90, or 180 for a light that is no spotlight. */
    spot_cutoff: number;
    /** The constant, linear and quadratic factors. */
    attenuation: number[];
}
export interface Material {
    ambient: number[]; diffuse: number[]; specular: number[]; emission: number[]; shininess: number;
}
export type Planes = Record<"s" | "t" | "r" | "q", number[]>;
export interface Values {
    projection: Matrix; modelview: Matrix; texture_matrix: Matrix[];
    light: Light[]; light_model_ambient: number[]; front: Material; back: Material;
    object_plane: Planes[]; eye_plane: Planes[]; clip_plane: number[][];
    fog: {color: number[], density: number, start: number, end: number};
    point: {size: number, min: number, max: number, attenuation: number[]};
    texenv_color: number[][]; alpha_reference: number;
}
export interface Sampler {
    unit: number; type: string; target: string; format: string; swizzle?: string;
    min_filter?: string; mag_filter?: string; wrap_s?: string; wrap_t?: string;
}
export declare class Pair {
    name: string; source: string; state: string; vertex: string; fragment: string;
    /** The state was recorded at a draw of points. */
    points: boolean;
    attributes: Record<string, number>;
    samplers: Record<string, Sampler>;
    uniforms(values: Values): Record<string, number | number[]>;
    create(gl: GL): WebGLProgram;
    values(): Values;
    set(gl: GL, program: WebGLProgram, values: Values): void;
    draw(gl: GL, mesh: Mesh, images?: (Image | Image[] | undefined)[], values?: Values, mode?: number): void;
}
export declare const pairs: Record<string, Pair>;
export declare function initialValues(): Values;
export declare function light(v: Values, n: number, given: Partial<Light>): void;
export declare function material(v: Values, given: Partial<Material>, face?: string): void;
export declare function eyePlane(v: Values, unit: number, given: Partial<Planes>): void;
export declare function clipPlane(v: Values, n: number, plane: number[]): void;
export declare function identity(): Matrix;
export declare function translate(x: number, y: number, z: number): Matrix;
export declare function scale(x: number, y: number, z: number): Matrix;
export declare function rotate(degrees: number, x: number, y: number, z: number): Matrix;
export declare function transpose(m: Matrix): Matrix;
export declare function row(m: Matrix, i: number): number[];
export declare function transform(m: Matrix, p: number[]): number[];
export declare function multiply(...matrices: Matrix[]): Matrix;
export declare function frustum(left: number, right: number, bottom: number, top: number, near: number,
    far: number): Matrix;
export declare function ortho(left: number, right: number, bottom: number, top: number, near: number,
    far: number): Matrix;
export declare function perspective(fovy: number, aspect: number, near: number, far: number): Matrix;
export declare function lookAt(ex: number, ey: number, ez: number, cx: number, cy: number, cz: number,
    ux: number, uy: number, uz: number): Matrix;
export declare function inverse(m: Matrix): Matrix;
export declare const QUADS: 7, QUAD_STRIP: 8, POLYGON: 9;
export declare class Mesh {
    constructor(mode?: number);
    mode: number;
    normal(x: number, y: number, z: number): this;
    color(r: number, g: number, b: number, a?: number): this;
    secondaryColor(r: number, g: number, b: number): this;
    fogCoord(f: number): this;
    texCoord(s: number, t?: number, r?: number, q?: number): this;
    multiTexCoord(unit: number, s: number, t?: number, r?: number, q?: number): this;
    vertex(x: number, y: number, z?: number, w?: number): this;
    draw(gl: GL, pair: Pair, mode?: number): void;
}
export declare function surface(rows: number, columns: number,
    point: (mesh: Mesh, s: number, t: number) => unknown): Mesh;
export declare function sphere(radius: number, slices?: number, stacks?: number): Mesh;
export declare function torus(inner: number, outer: number, sides?: number, rings?: number): Mesh;
export declare function image(width: number, height: number,
    texel: (x: number, y: number) => number[]): Image;
export declare function texture(gl: GL, unit: number, source: Image | Image[], filter?: number,
    wrap?: number): WebGLTexture;
