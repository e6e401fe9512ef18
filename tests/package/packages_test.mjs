// Runs the cases that packages.py writes to cases.json, with the npm package that is installed here. With a
// number N: makes N further calls and compares the memory in use.
import {readFileSync} from 'node:fs';
import {deepStrictEqual as same} from 'node:assert';
import {load, Command, InputError, InternalError, TargetError, Texenvc, TexenvcError, UsageError} from 'texenvc';

const {calls, bad} = JSON.parse(readFileSync('cases.json', 'utf8'));
const kinds = {InputError, InternalError, TargetError, UsageError};
let checks = 0, failed = 0;

function check(ok, message) {
    checks++;
    if (!ok && ++failed)
        console.log('node: failed:', message);
}
function equal(a, b) {
    try {
        return same(a, b), true;
    } catch {
        return false;
    }
}
async function call(texenvc, {function: name, input, options}) {
    if (name !== 'vectors')
        return texenvc[name](input, options);
    const found = await texenvc.vectors(options);
    return [...found.vectors, ...found.vertices].map(v => v.name).sort();
}

let start = performance.now();
const texenvc = await load(), loaded = performance.now() - start;
const times = {};
for (const c of calls) {
    let found = null;
    start = performance.now();
    try {
        found = await call(texenvc, c);
    } catch (e) {
        found = e.name;
    }
    (times[c.function] ??= []).push(performance.now() - start);
    const want = c.function === 'vectors' ? [...c.want].sort() : c.want;
    check(equal(found, want), `${c.function} ${c.input} ${JSON.stringify(c.options)}: ${JSON.stringify(found)}`);
}
for (const [name, list] of Object.entries(times))
    check(list.length === 50, `${name}: ${list.length} calls`);

for (const [name, input, options, kind, [line, column, unit], text] of bad) {
    let e = null;
    try {
        e = await call(texenvc, {function: name, input, options});
    } catch (error) {
        e = error;
    }
    const where = `${name} ${JSON.stringify(input)?.slice(0, 40)} ${JSON.stringify(options)}`;
    check(e instanceof kinds[kind] && e instanceof TexenvcError && e.name === kind, `${where}: ${e}`);
    check(e.line === (line ?? undefined) && (column === null || e.column === column) &&
          (unit === null || e.unit === unit), `${where}: place ${e.line}:${e.column} unit ${e.unit}`);
    check(e.reason?.includes(text) && e.message.endsWith(e.reason) && e.code && e.status > 0, `${where}: ${e.message}`);
    check(line === null || e.message.startsWith(`<stdin>:${line}:`), `${where}: ${e.message}`);
    check(texenvc.convert('{T0*P}', {to: 'stages'}) === '{T0*P}\n', `after ${where}`);
}

// file names, warnings, the output that an error carries, and the command itself
const files = {'a/b.gl': 'glEnable(GL_TEXTURE_2D);\nglTexEnvi(GL_TEXTURE_ENV, GL_NONSENSE, 1);\nglRectf(0,0,1,1);\n'};
try {
    texenvc.convert(files);
    check(false, 'GL_NONSENSE is taken');
} catch (e) {
    check(e instanceof InputError && e.file === 'a/b.gl' && e.line === 2, `${e}`);
}
try {
    texenvc.convert('{T7*P}\n{T0*P}', {to: 'pica200'});
    check(false, 'pica200 has unit 7');
} catch (e) {
    check(e.output.includes('# state 2'), e.output);
}
const told = [];
texenvc.convert('glEnable(GL_TEXTURE_2D); glTexEnvi(GL_TEXTURE_ENV, GL_RGB_SCALE, 3); glRecti(0, 0, 1, 1);', {diagnostics: told});
check(told.length === 1 && told[0].severity === 'warning' && told[0].column === 26, JSON.stringify(told));
const {units} = texenvc.evaluate('{T1} {T0}', {texels: [[1, 0.5, 0, 1]]})[0];
check(equal(units, [[null, null, null, null], [1, 0.5, 0, 1]]), JSON.stringify(units));
const made = texenvc.run(['convert', '-', '--to', 'webgl', '--embed', '-o', 'm.mjs'], {stdin: '{T0*P}'});
check(made.status === 0 && made.files.has('m.mjs') && made.files.has('m.d.mts'), `${made.status} ${made.stderr}`);
check(texenvc.run(['report', '--target', 'r200', '.'], {files: {'x/a.stages': '{T0*P}'}}).stdout.includes('fits'), 'folder');
check(texenvc.run(['convert', '-e', '{T0*P}', '-o', 'no/a']).status === 1, 'a file in no folder');
check(texenvc.run([]).status === 2, 'no command');

// A module that writes a part of a line and traps: (data 0: {12, 5}, 0, '{"cut'), fd_write(2, 0, 1, 8), unreachable
const wasm = [[1, '\x02\x60\x04\x7f\x7f\x7f\x7f\x01\x7f\x60\0\0'],
    [2, '\x01\x16wasi_snapshot_preview1\x08fd_write\0\0'], [3, '\x01\x01'], [5, '\x01\0\x01'],
    [6, '\x01\x7f\x01\x41\0\x0b'],
    [7, '\x03\x06memory\x02\0\x0f__stack_pointer\x03\0\x06_start\0\x01'],
    [10, '\x01\x0e\0\x41\x02\x41\0\x41\x01\x41\x08\x10\0\x1a\0\x0b'],
    [11, '\x01\0\x41\0\x0b\x11\x0c\0\0\0\x05\0\0\0\0\0\0\0{"cut']]
    .flatMap(([id, text]) => [id, text.length, ...Buffer.from(text, 'latin1')]);
const trap = new Command(new WebAssembly.Module(Uint8Array.from([0, 97, 115, 109, 1, 0, 0, 0, ...wasm])));
try {
    check(false, new Texenvc(trap).convert('{T0*P}'));
} catch (e) {
    check(e instanceof InternalError && e.status === 4 && e.code === 'internal' &&
          e.message.startsWith('internal error: ') && e.diagnostics.length === 1, `a trap: ${e}`);
}

const median = list => [...list].sort((a, b) => a - b)[list.length >> 1].toFixed(2);
console.log('node: load %s ms; a call, median of 50 states: %s', loaded.toFixed(0),
            Object.entries(times).map(([name, list]) => `${name} ${median(list)} ms`).join(', '));

const more = Number(process.argv[2] ?? 0), few = Math.min(more / 10, 5000);
let before = 0;
start = performance.now();
for (let n = 0; n < more; n++) {
    if (n === few) {
        globalThis.gc?.();
        before = process.memoryUsage().rss;
    }
    try {
        texenvc.convert(n % 4 === 3 ? '{T0*P} {T1+Q}' : '{T0*P} {T1+P}*2', {to: ['glsl', 'r200', 'atifs'][n % 3]});
    } catch (e) {
        check(e instanceof InputError, `${e}`);
    }
}
if (more) {
    const after = process.memoryUsage().rss, mb = x => (x / (1 << 20)).toFixed(1);
    console.log('node: %d calls, %s ms each: %s MB after %d, %s MB at the end', more,
                ((performance.now() - start) / more).toFixed(2), mb(before), few, mb(after));
    check(after < before + (16 << 20), 'memory grows');
}
console.log('node: %d checks, %d failed', checks, failed);
process.exitCode = failed ? 1 : 0;
