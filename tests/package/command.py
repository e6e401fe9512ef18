#!/usr/bin/env python3
"""Tests tools/package/npm/command.mjs. A C program that uses files, arguments and streams (command_calls.c)
is compiled to WebAssembly and run by it; it must do the same as when it runs natively. A trap must give
status 4, and each call must start with fresh memory and files.

usage: command.py

Skipped (77) if node or a compiler for WebAssembly is missing.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../..'))
from tests.shared.tool import Checks, TOP

SOURCE = os.path.join(TOP, 'tests', 'package', 'command_calls.c')
FILES = {'given.txt': 'what is given', 'in/deep/given.txt': 'and deeper \u2026'}
# calls: arguments, standard input
CALLS = [([], ''), (['a', 'b c', '\u00e9'], 'x' * 5000 + '\n'), ([], ''), (['trap'], ''), (['trap'], ''),
         ([], 'after traps'), (['memory'], ''), (['small again'], '')]
SCRIPT = """
import {readFileSync} from 'node:fs';
const [path, module] = process.argv.slice(1), {calls, files} = JSON.parse(readFileSync(0, 'utf8'));
const {Command, load} = await import(path);
const command = await load(readFileSync(module)), out = [], decoder = new TextDecoder();
for (const [args, stdin] of calls) {
    const {files: after, ...run} = command.run(args, {stdin, files});
    out.push({...run, files: Object.fromEntries([...after].map(([n, b]) => [n, decoder.decode(b)]))});
}
try {
    command.run(['a\\0b']);
} catch (e) {
    out.push(e instanceof TypeError && command instanceof Command);
}
process.stdout.write(JSON.stringify(out));
"""
checks = Checks('command')


def run(command, **options):
    return subprocess.run(command, capture_output=True, encoding='utf-8', **options)


def contents(folder):
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            with open(path, encoding='utf-8') as f:
                found[os.path.relpath(path, folder)] = f.read()
    return found


def natively(program, args, stdin):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
            with open(os.path.join(folder, name), 'w', encoding='utf-8') as f:
                f.write(text)
        done = run([program, *args], input=stdin, cwd=folder)
        return {'status': done.returncode, 'stdout': done.stdout, 'stderr': done.stderr,
                'files': contents(folder)}


def main():
    if not all(map(shutil.which, ('node', 'clang', 'wasm-ld'))):
        print('command: skipped: node, clang or lld is missing')
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        program, module = (os.path.join(folder, name) for name in ('program', 'program.wasm'))
        done = run(['clang', '--target=wasm32-wasi', '--sysroot=/usr', '-O0', '-mmutable-globals', SOURCE,
                    '-o', module, '-Wl,-s,--stack-first,--export=__stack_pointer'])
        if done.returncode and ('file not found' in done.stderr or 'cannot open' in done.stderr):
            print('command: skipped: no library for WebAssembly: ' + done.stderr)
            sys.exit(77)
        checks.check(done.returncode == 0, 'clang: ' + done.stderr)
        done = run(['cc', '-O1', SOURCE, '-o', program])
        checks.check(done.returncode == 0, 'cc: ' + done.stderr)
        path = os.path.join(TOP, 'tools', 'package', 'npm', 'command.mjs')
        done = run(['node', '--input-type=module', '-e', SCRIPT, path, module],
                   input=json.dumps({'calls': CALLS, 'files': FILES}))
        if not checks.check(done.returncode == 0, 'node: ' + done.stderr[-1000:]):
            checks.finish()
        *found, refused = json.loads(done.stdout)
        checks.check(refused is True, 'an argument with a NUL')
        for (args, stdin), one in zip(CALLS, found):
            wanted = natively(program, args, stdin)
            if args == ['trap']:
                checks.check(one['status'] == 4 and 'internal error: ' in one['stderr'], 'trap: %s' % one)
                one['status'], one['stderr'] = wanted['status'], wanted['stderr']
            for part in wanted:
                checks.check(one[part] == wanted[part], '%s: %s:\n%s\nnatively:\n%s' % (
                    args, part, one[part], wanted[part]))
    checks.finish()


main()
