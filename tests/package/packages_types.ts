// Tests the declarations of the npm package: only the calls after ts-expect-error may fail to compile.
import {load, Command, Evaluation, InputError, Report, TargetError, Texenvc, TexenvcError} from 'texenvc';

const texenvc: Texenvc = await load(new Uint8Array(8));
const shader: string = texenvc.convert('{T0*P}', {to: 'glsl-es', level: 2, assume: ['a'], diagnostics: []});
const text: string = texenvc.explain({'a.gl': 'glEnd();', 'b.gl': new Uint8Array(1)}, {bind: 'keep'});
const report: Report = texenvc.report(new Uint8Array(1), {target: 'r300'});
const stats: number | undefined = report.states[0].stats?.pairs;
const colors = {3: new Float32Array(4)};
const found: Evaluation[] = texenvc.evaluate('{T0*P}', {texels: [[1, 1, 1, 1], null], colors});
const bytes: number[] = found[0].rgba8;
const after: number | null = found[0].units[0][0];
const page: string = texenvc.explain('{T0*P}', {html: true, skip: 'all'});
const vectors: {name: string}[] = (await texenvc.vectors({tags: ['ES1.1', '-fog']})).vectors;
const command: Command = new Command({} as WebAssembly.Module);
const status: number = texenvc.run(['--version']).status + command.run([], {stdin: ''}).status;
try {
    texenvc.convert('');
} catch (e) {
    if (e instanceof TargetError || e instanceof InputError) {
        const line: number | undefined = e.line, said: string = e.diagnostics[0].text + e.reason + e.output;
        const base: TexenvcError = e;
        console.log(line, said, base);
    }
}
console.log(shader, text, after, page, stats, bytes, vectors.length, status);
// @ts-expect-error no such target
texenvc.convert('{T0*P}', {to: 'r100'});
// @ts-expect-error no such option
texenvc.convert('{T0*P}', {too: 'glsl'});
// @ts-expect-error a target is needed
texenvc.report('{T0*P}');
// @ts-expect-error no level 4
texenvc.explain('{T0*P}', {level: 4});
// @ts-expect-error texels are numbers
texenvc.evaluate('{T0*P}', {texels: ['1,1,1,1']});
// @ts-expect-error a component is null if it depends on an input that is not given
const known: number = found[0].units[0][0];
// @ts-expect-error only convert and explain have the option skip
texenvc.report('{T0*P}', {target: 'r300', skip: 'all'});
// @ts-expect-error options that print on standard error are not offered
texenvc.convert('{T0*P}', {printAfter: 'all'});
// @ts-expect-error vectors() returns a promise
texenvc.vectors().vectors;
// @ts-expect-error an input is a text
texenvc.convert(5);
