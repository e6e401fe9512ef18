// Compiles OpenGL texture environments to shaders, and to the words that program graphics chips; in node and
// in browsers.
//
//     import {load} from 'texenvc';
//     const texenvc = await load();
//     texenvc.convert('{T0*P} {T1+P}*2', {to: 'glsl-es-300'});
//
// index.d.ts describes the functions; texenvc.run(['COMMAND', '--help']) describes the options of a command.
import {load as load_command} from './command.mjs';

export {Command} from './command.mjs';

/** The error that every function throws: what is wrong, and where in the input. */
export class TexenvcError extends Error {
    constructor(status, diagnostics, output) {
        const first = diagnostics.find(d => d.severity === 'error') ??
            {severity: 'error', code: 'internal', text: 'texenvc ended with status ' + status};
        const place = first.line ? `${first.file}:${first.line}:${first.column}: `
            : first.file ? first.file + ': ' : '';
        super(place + first.text);
        this.name = this.constructor.name;
        this.status = status;
        this.code = first.code;
        this.reason = first.text;
        this.file = first.file;
        this.line = first.line;
        this.column = first.column;
        this.unit = first.unit;
        this.diagnostics = diagnostics;
        this.output = output;
    }
}
export class InputError extends TexenvcError {}
export class UsageError extends TexenvcError {}
export class TargetError extends TexenvcError {}
export class InternalError extends TexenvcError {}
const kinds = {1: InputError, 2: UsageError, 3: TargetError, 4: InternalError};

function usage(text) {
    return new UsageError(2, [{severity: 'error', code: 'usage', text}], '');
}

/** Returns the diagnostics in standard error. A line that is not JSON reports wrong usage, which is found
 * before --diag is read, or an internal error. */
function diagnostics(stderr, status) {
    const out = [], code = {2: 'usage', 4: 'internal'}[status];
    for (const line of stderr.split('\n')) {
        if (line[0] !== '{') {
            if (line && code)
                out.push({severity: 'error', code, text: line.replace(/^texenvc: (error: )?/, '')});
            continue;
        }
        try {
            out.push(JSON.parse(line));
        } catch { // the command stopped while it wrote the line
        }
    }
    return out;
}

/** {foldConstants: true, level: 2, assume: ['a', 'b']} -> --fold-constants -O2 --assume=a --assume=b */
function flags(options) {
    const out = [];
    for (const [key, value] of Object.entries(options)) {
        const name = '--' + key.replace(/[A-Z]/g, c => '-' + c.toLowerCase());
        for (const one of Array.isArray(value) ? value : [value]) {
            if (one === undefined || one === false)
                continue;
            if (one !== true && typeof one !== 'string' && typeof one !== 'number')
                throw usage(`${key}: a text, a number or true is expected`);
            out.push(key === 'level' ? '-O' + one : one === true ? name : name + '=' + one);
        }
    }
    return out;
}

function numbers(name, color, needed) {
    const is_color = color && color.length >= needed && color.length <= 4;
    if (!is_color || !Array.from(color).every(x => typeof x === 'number' && x >= 0 && x <= 1))
        throw usage(`${name}: ${needed} numbers in [0,1] are expected`);
    return `--input=${name}=` + Array.from(color).join(',');
}

function inputs_of({texels = [], colors = [], primary, secondary}) {
    const out = [];
    for (const [letter, of_units] of [['T', texels], ['C', colors]])
        for (const [unit, color] of Object.entries(of_units))
            if (color !== undefined && color !== null)
                out.push(numbers(letter + unit, color, 4));
    if (primary !== undefined)
        out.push(numbers('primary', primary, 4));
    if (secondary !== undefined)
        out.push(numbers('secondary', secondary, 3));
    return out;
}

export class Texenvc {
    #command;
    #vectors = null;
    constructor(command) { this.#command = command; }

    run(args, given) { return this.#command.run(args, given); }

    #call(name, input, options, more = []) {
        const {diagnostics: found, ...rest} = options;
        const is_text = typeof input === 'string' || input instanceof Uint8Array;
        if (!is_text && (typeof input !== 'object' || input === null || Object.keys(input).length === 0))
            throw usage('the input: a text, or texts by the names of files, is expected');
        for (const [file, value] of is_text ? [] : Object.entries(input))
            if (file === '' || file === '-' || (typeof value !== 'string' && !(value instanceof Uint8Array)))
                throw usage(`the input: '${file}' is no name, or stands for neither a text nor bytes`);
        for (const key of ['output', 'reflect', 'reflectC', 'page'])
            if (options[key] !== undefined)
                throw usage(`${key}: run() gives what is written to files`);
        for (const key of ['printAfter', 'ruleCounts'])
            if (options[key] !== undefined)
                throw usage(`${key}: run() gives what is printed on standard error`);
        const args = [name, '--diag=json', ...flags(rest), ...more];
        if (args.some(arg => arg.includes('\0')))
            throw usage('an option has a NUL in it');
        const result = is_text ? this.#command.run([...args, '-'], {stdin: input})
            : this.#command.run([...args, '--', ...Object.keys(input)], {files: input});
        const said = diagnostics(result.stderr, result.status);
        if (result.status && !(name === 'report' && result.status === 3))
            throw new (kinds[result.status] ?? InternalError)(result.status, said, result.stdout);
        if (found)
            found.push(...said);
        return result.stdout;
    }

    convert(input, options = {}) { return this.#call('convert', input, options); }

    explain(input, options = {}) { return this.#call('explain', input, options); }

    report(input, options) { return JSON.parse(this.#call('report', input, {...options, json: true})); }

    evaluate(input, {texels, colors, primary, secondary, ...options} = {}) {
        const given = inputs_of({texels, colors, primary, secondary});
        return JSON.parse(this.#call('evaluate', input, {...options, json: true}, given)).states;
    }

    async vectors({tags = ''} = {}) {
        this.#vectors ??= read_vectors();
        const data = await this.#vectors;
        const words = (Array.isArray(tags) ? tags : tags.split(',')).filter(w => w);
        const known = new Set([...data.vectors, ...data.vertices].flatMap(v => v.tags));
        const some = words.filter(w => w[0] !== '-');
        const none = words.filter(w => w[0] === '-').map(w => w.slice(1));
        for (const tag of [...some, ...none])
            if (!known.has(tag))
                throw usage(`there is no tag '${tag}'; these are ${[...known].sort().join(', ')}`);
        const wanted = v => (!some.length || some.some(t => v.tags.includes(t))) &&
            !none.some(t => v.tags.includes(t));
        return {...data, vectors: data.vectors.filter(wanted), vertices: data.vertices.filter(wanted)};
    }
}

async function read_vectors() {
    const url = new URL('texenv-vectors.json', import.meta.url);
    if (url.protocol === 'file:')
        return JSON.parse(await (await import(/* webpackIgnore: true */ 'node:fs/promises')).readFile(url));
    const response = await fetch(url);
    if (!response.ok)
        throw new Error(`${url}: ${response.status} ${response.statusText}`);
    return response.json();
}

export async function load(from) { return new Texenvc(await load_command(from)); }
