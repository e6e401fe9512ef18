/** OpenGL texture environments become shaders, and words of chips; in node and in browsers. */

/** Texture environments (or a program): GL calls, a trace, stage notation, ...; or such texts by the names of
 *  files. Bytes are text in UTF-8. */
export type Input = string | Uint8Array | { [name: string]: string | Uint8Array };

/** What is said of an input. unit, and the place, where there is one. */
export interface Diagnostic {
    severity: 'error' | 'warning' | 'note';
    /** A name for programs: 'unknown-name', 'syntax', 'usage', ... */
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

/** What every call throws where it has no result. Its message: FILE:LINE:COLUMN: REASON of the first one. */
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
    /** All that was said. */
    readonly diagnostics: Diagnostic[];
    /** What was written all the same: of several states those that the target can do. */
    readonly output: string;
}
/** The input has errors. */
export class InputError extends TexenvcError {}
/** Wrong options or arguments. */
export class UsageError extends TexenvcError {}
/** The target (or a policy) cannot do it; `reason` says why, and what would fit. */
export class TargetError extends TexenvcError {}
/** A limit of memory or a bug; the next call works. */
export class InternalError extends TexenvcError {}

type Language = 'arbfp' | 'glsl' | 'glsl-110' | 'glsl-330' | 'glsl-450' | 'glsl-es' | 'glsl-es-300' |
    'webgl' | 'webgl2';
type Chip = 'r200' | 'i830' | 'r300' | 'r400' | 'r500' | 'pica200' | 'nv2a' | 'etnaviv' | 'ir3' | 'i915';
type Form = 'atifs' | 'atifs-c' | 'ir' | 'gl' | 'stages' | 'json';

/** What reading an input takes. Names are those of the command's options: mostWork for --most-work. */
export interface ReadOptions {
    from?: 'gl' | 'apitrace' | 'stages' | 'ir' | 'atifs' | 'atifs-calls' | 'arbfp' | 'vertex' | 'rc';
    /** Only this state, from 1. */
    state?: number;
    /** NAME=VALUE. */
    policy?: string | string[];
    /** Filled with warnings and notes. */
    diagnostics?: Diagnostic[];
    lenient?: boolean;
}
export interface CompileOptions extends ReadOptions {
    /** Of optimisation; -O of the command. */
    level?: 0 | 1 | 2 | 3;
    mostWork?: number;
    foldConstants?: boolean;
}
export interface ChipOptions extends CompileOptions {
    assume?: string | string[];
    /** NAME=N. */
    chipOption?: string | string[];
    atrm?: 'none' | 'eager' | 'search';
    i830?: 'documented' | 'full';
    primaryTexcoord?: number;
    deriveConstants?: boolean;
    noDeriveConstants?: boolean;
    /** UNIT=TARGET. */
    texture?: string | string[];
}
export interface ConvertOptions extends ChipOptions {
    /** Default: 'atifs'. */
    to?: Form | Language | Chip;
    /** Passes, or 'all'. */
    skip?: string | string[];
    /** Of a chip's words. */
    format?: 'text' | 'hex' | 'json' | 'c';
    packets?: boolean;
    fields?: boolean;
    /** Of a language; 'both': one text after the other. */
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
    /** A page of HTML instead of text. */
    html?: boolean;
    /** Passes, or 'all'. */
    skip?: string | string[];
    bind?: 'keep' | 'compact';
    constants?: 'literal' | 'local';
    avoid?: 'mesa';
}
export interface ReportOptions extends ChipOptions {
    target: Chip;
}

/** Where a state stands in the input. */
export interface State {
    /** From 1. */
    state: number;
    source: { file: string; line: number; column: number; call?: number };
    /** How many draws have it. */
    draws: number;
    /** Textures were taken for complete RGBA: the input does not say. */
    textures_assumed: boolean;
}
export interface StateReport extends State {
    fits: boolean;
    /** Resources by name, where it fits. */
    stats?: { [name: string]: number };
    /** Why not, where it does not fit. */
    reason?: string;
    code?: string;
    unit?: number | null;
    /** The nearest state that would. */
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
    /** By unit. Luminance, intensity and depth textures take the first number, depth textures of mode ALPHA
     *  the fourth; of one with comparison it is the result. */
    texels?: readonly (Color | null | undefined)[] | { [unit: number]: Color };
    primary?: Color;
    /** The alpha may be left out. */
    secondary?: Color;
    /** Environment colours by unit, instead of the state's. */
    colors?: readonly (Color | null | undefined)[] | { [unit: number]: Color };
}
export interface Evaluation extends State {
    /** The colour after each unit; null where it depends on an input that is not given. */
    units: (number | null)[][];
    /** At the end, with the colour sum, before fog and the alpha test. */
    color: number[];
    /** The same, the nearest of 0 to 255. */
    rgba8: number[];
}

/** A conformance vector; `how` of Vectors says what its parts mean. */
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

/** The command itself: arguments, standard input and files in, texts and files out. */
export class Command {
    constructor(module: WebAssembly.Module);
    run(args: readonly string[], given?: Given): RunResult;
}

export class Texenvc {
    /** A program, a chip's words or another text of the input. */
    convert(input: Input, options?: ConvertOptions): string;
    /** Unit by unit what a texture environment computes, and what became of it. */
    explain(input: Input, options?: ExplainOptions): string;
    /** Which states a chip can do, with which resources, or why not: that is no error here. */
    report(input: Input, options: ReportOptions): Report;
    /** The colours that states give; what a state reads must be given. */
    evaluate(input: Input, options?: EvaluateOptions): Evaluation[];
    /** Conformance vectors, all or those with one of the tags and none of those with a '-' before it. */
    vectors(options?: { tags?: string | readonly string[] }): Promise<Vectors>;
    /** Any call of the command; throws nothing for a status that is not 0. */
    run(args: readonly string[], given?: Given): RunResult;
}

/** Reads the module, once; calls are synchronous then. from: its address, bytes, or the module compiled
 *  (default: texenvc.wasm beside this file). */
export function load(from?: string | URL | BufferSource | Response | WebAssembly.Module |
    Promise<Response>): Promise<Texenvc>;
