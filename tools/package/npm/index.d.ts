/** Compiles OpenGL texture environments to shaders, and to the words that program graphics chips; in node and
 *  in browsers. */

/** Texture environments or a program, as a text: GL calls, a trace, stage notation, ...; or an object with
 *  such texts as files by their names. Bytes are text in UTF-8. */
export type Input = string | Uint8Array | { [name: string]: string | Uint8Array };

/** An error, a warning or a note about an input. Fields that do not apply are absent. */
export interface Diagnostic {
    severity: 'error' | 'warning' | 'note';
    /** Identifies the kind of message for a program: 'unknown-name', 'syntax', 'usage', ... */
    code: string;
    text: string;
    /** '<stdin>' for an input without a name. */
    file?: string;
    line?: number;
    column?: number;
    /** Number of the call in a trace. */
    call?: number;
    unit?: number;
}

/** Thrown by every call that has no result. The message is that of the first error, as
 *  FILE:LINE:COLUMN: REASON. */
export class TexenvcError extends Error {
    /** The exit status of the command: 1 input, 2 usage, 3 target, 4 internal. */
    readonly status: number;
    readonly code: string;
    /** The message without the place. */
    readonly reason: string;
    readonly file?: string;
    readonly line?: number;
    readonly column?: number;
    readonly unit?: number;
    /** All errors, warnings and notes. */
    readonly diagnostics: Diagnostic[];
    /** The output for those states of the input that the target can implement. */
    readonly output: string;
}
/** The input has errors. */
export class InputError extends TexenvcError {}
/** Wrong options or arguments. */
export class UsageError extends TexenvcError {}
/** The target cannot implement the state, or a policy forbids it; `reason` says why, and what would fit. */
export class TargetError extends TexenvcError {}
/** Lack of memory, or a bug. Later calls are not affected. */
export class InternalError extends TexenvcError {}

type Language = 'arbfp' | 'glsl' | 'glsl-110' | 'glsl-330' | 'glsl-450' | 'glsl-es' | 'glsl-es-300' |
    'webgl' | 'webgl2';
type Chip = 'r200' | 'i830' | 'r300' | 'r400' | 'r500' | 'pica200' | 'nv2a' | 'etnaviv' | 'ir3' | 'i915';
type Form = 'atifs' | 'atifs-c' | 'ir' | 'gl' | 'stages' | 'json';

/** Options of all functions that read an input. They have the names of the command's options: mostWork for
 *  --most-work. */
export interface ReadOptions {
    from?: 'gl' | 'apitrace' | 'stages' | 'ir' | 'atifs' | 'atifs-calls' | 'arbfp' | 'vertex' | 'rc';
    /** The number of the only state to read, counted from 1. */
    state?: number;
    /** Policies, as NAME=VALUE. */
    policy?: string | string[];
    /** Warnings and notes are appended to this array. */
    diagnostics?: Diagnostic[];
    lenient?: boolean;
}
export interface CompileOptions extends ReadOptions {
    /** The level of optimisation: -O of the command. */
    level?: 0 | 1 | 2 | 3;
    mostWork?: number;
    foldConstants?: boolean;
}
export interface ChipOptions extends CompileOptions {
    assume?: string | string[];
    /** Options of the chip, as NAME=N. */
    chipOption?: string | string[];
    atrm?: 'none' | 'eager' | 'search';
    i830?: 'documented' | 'full';
    primaryTexcoord?: number;
    deriveConstants?: boolean;
    noDeriveConstants?: boolean;
    /** Texture targets of units, as UNIT=TARGET. */
    texture?: string | string[];
}
export interface ConvertOptions extends ChipOptions {
    /** The output format; default: 'atifs'. */
    to?: Form | Language | Chip;
    /** Passes of the optimiser to skip, or 'all'. */
    skip?: string | string[];
    /** The format in which a chip's words are printed. */
    format?: 'text' | 'hex' | 'json' | 'c';
    packets?: boolean;
    fields?: boolean;
    /** Which shaders of a language to print; 'both': the vertex shader, then the fragment shader. */
    stage?: 'fragment' | 'vertex' | 'both';
    vertexState?: string;
    affine?: boolean;
    fog?: 'state' | 'off' | 'linear' | 'exp' | 'exp2';
    colorSum?: 'state' | 'off' | 'on';
    alphaTest?: 'state' | 'off' | 'never' | 'less' | 'equal' | 'lequal' | 'greater' | 'notequal' | 'gequal' |
        'always';
    precision?: 'best' | 'mediump' | 'highp';
    prefix?: string;
    name?: string;
    binding?: number;
    location?: number;
    embed?: boolean;
    constantsLayout?: 'seed' | 'vectors-first' | 'best';
    bind?: 'keep' | 'compact';
    constants?: 'literal' | 'local';
    avoid?: 'mesa';
}
export interface ExplainOptions extends CompileOptions {
    /** Return an HTML page instead of text. */
    html?: boolean;
    /** Passes of the optimiser to skip, or 'all'. */
    skip?: string | string[];
    bind?: 'keep' | 'compact';
    constants?: 'literal' | 'local';
    avoid?: 'mesa';
}
export interface ReportOptions extends ChipOptions {
    target: Chip;
}

/** A state of the input, and where it is. */
export interface State {
    /** Its number, counted from 1. */
    state: number;
    source: { file: string; line: number; column: number; call?: number };
    /** How many draws use it. */
    draws: number;
    /** The input does not say what the textures are; they were assumed to be complete RGBA textures. */
    textures_assumed: boolean;
}
export interface StateReport extends State {
    fits: boolean;
    /** If it fits: the resources that it uses, by name. */
    stats?: { [name: string]: number };
    /** If it does not fit: why. */
    reason?: string;
    code?: string;
    unit?: number | null;
    /** If it does not fit: a change with which it would. */
    would_fit_if?: string | null;
}
export interface Report {
    target: Chip;
    states: StateReport[];
    totals: {
        states: number;
        fit: number;
        assumed: number;
        refused: number;
        codes: { [code: string]: number };
        sums: { [name: string]: number };
        most: { [name: string]: number };
    };
}

/** Red, green, blue, alpha in [0,1]. */
export type Color = readonly number[] | Float32Array | Float64Array;
export interface EvaluateOptions extends ReadOptions {
    /** Texels by unit. Luminance, intensity and depth textures use the first number, depth textures of mode
     *  ALPHA the fourth; for a depth texture with comparison that number is the result of the comparison. */
    texels?: readonly (Color | null | undefined)[] | { [unit: number]: Color };
    primary?: Color;
    /** The secondary colour; its alpha is not used and may be left out. */
    secondary?: Color;
    /** Environment colours by unit, which replace those of the state. */
    colors?: readonly (Color | null | undefined)[] | { [unit: number]: Color };
}
export interface Evaluation extends State {
    /** The colour after each unit; null where it depends on an input that is not given. */
    units: (number | null)[][];
    /** The final colour: after the colour sum, before fog and the alpha test. */
    color: number[];
    /** The final colour, rounded to bytes. */
    rgba8: number[];
}

/** A conformance vector; Vectors.how explains its parts. */
export interface Vector {
    name: string;
    tags: string[];
    want: number[];
    tolerance?: number;
    either?: number[][];
    [part: string]: unknown;
}
export interface Vectors {
    format: 'texenv-vectors';
    version: number;
    license: string;
    about: string;
    how: string;
    background: number[];
    enumerants: { [name: string]: number };
    vectors: Vector[];
    vertices: Vector[];
}

export interface RunResult {
    status: number;
    stdout: string;
    stderr: string;
    files: Map<string, Uint8Array>;
}
export interface Given {
    stdin?: string | Uint8Array;
    files?: { [name: string]: string | Uint8Array };
}

/** The command itself. A call takes arguments, standard input and files, and returns an exit status, standard
 *  output, standard error and files. */
export class Command {
    constructor(module: WebAssembly.Module);
    run(args: readonly string[], given?: Given): RunResult;
}

export class Texenvc {
    /** Converts the input to a program, to the words of a chip or to another text form. */
    convert(input: Input, options?: ConvertOptions): string;
    /** Explains unit by unit what a texture environment computes, and how it was compiled. */
    explain(input: Input, options?: ExplainOptions): string;
    /** Reports which states fit on a chip, the resources that they use, and why the others do not fit. A
     *  state that does not fit throws nothing. */
    report(input: Input, options: ReportOptions): Report;
    /** Returns the colour that each state computes. All inputs that a state reads must be given. */
    evaluate(input: Input, options?: EvaluateOptions): Evaluation[];
    /** Returns the conformance vectors. Given tags select those that have at least one of them, and none of
     *  the tags that are written with a '-' before them. */
    vectors(options?: { tags?: string | readonly string[] }): Promise<Vectors>;
    /** Runs the command with any arguments. No exit status throws an error. */
    run(args: readonly string[], given?: Given): RunResult;
}

/** Loads the WebAssembly module; afterwards, calls are synchronous. from: its address, its bytes, a response
 *  of fetch, or the compiled module (default: texenvc.wasm beside this file). */
export function load(from?: string | URL | BufferSource | Response | WebAssembly.Module |
    Promise<Response>): Promise<Texenvc>;
