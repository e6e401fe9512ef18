// Runs the command texenvc from its WebAssembly module. A call takes arguments, standard input and files, and
// returns an exit status, text and files. The module cannot access the host: it sees only the files that the
// call is given, which are held in memory.
//
//     const command = new Command(module);                  // a WebAssembly.Module
//     command.run(['convert', '-', '--to', 'glsl'], {stdin: '{T0*P}'})
//         -> {status, stdout, stderr, files}                // files: a Map from names to Uint8Array
//
// The module is built for WASI (preview 1); this file implements the functions of WASI that it imports.

const OK = 0, BADF = 8, EXIST = 20, INVAL = 28, ISDIR = 31, NOENT = 44, NOTDIR = 54, SPIPE = 70;
const UNKNOWN = 0, FOLDER = 3, FILE = 4; // types of files
const CREATE = 1, WANT_FOLDER = 2, NEW = 4, TRUNCATE = 8, APPEND = 1;
const ROOT = 3; // descriptor of the root folder, the only one that is open at the start
const MOST_KEPT = 64 << 20; // bytes; an instance whose memory has grown beyond this is not used again
const encoder = new TextEncoder(), decoder = new TextDecoder();

class Exit {
    constructor(status) { this.status = status; }
}

/** An array of bytes that grows when written past its end. */
class Bytes {
    constructor(data = new Uint8Array(0)) { this.data = data; this.length = data.length; }
    write(at, more) {
        const end = at + more.length;
        if (end > this.data.length) {
            const bigger = new Uint8Array(Math.max(end, 2 * this.data.length, 1024));
            bigger.set(this.data.subarray(0, this.length));
            this.data = bigger;
        }
        this.data.set(more, at);
        this.length = Math.max(this.length, end);
    }
    all() { return this.data.subarray(0, this.length); }
}

/** What one call of the module sees of its surroundings: arguments, files, and streams. */
class Machine {
    constructor(args, stdin, files) {
        this.args = args.map(a => encoder.encode(a + '\0'));
        this.files = new Map(); // maps a path without outer slashes to Bytes, or to null for a folder
        this.files.set('', null);
        for (const [name, data] of files)
            this.put(name, new Bytes(typeof data === 'string' ? encoder.encode(data) : data.slice()));
        const open = (path, bytes) => ({path, bytes, at: 0, append: false});
        this.stdout = new Bytes();
        this.stderr = new Bytes();
        this.open = [...[new Bytes(stdin), this.stdout, this.stderr].map(b => open(null, b)), open('', null)];
    }
    put(name, bytes) {
        const path = this.path('', name);
        for (let i = path.indexOf('/'); i >= 0; i = path.indexOf('/', i + 1))
            this.files.set(path.slice(0, i), null);
        this.files.set(path, bytes);
    }
    path(folder, name) {
        const parts = [];
        for (const part of (folder + '/' + name).split('/')) {
            if (part === '..')
                parts.pop();
            else if (part !== '' && part !== '.')
                parts.push(part);
        }
        return parts.join('/');
    }
    /** Returns the functions that the module imports. memory is a function, as the module's memory does not
     *  exist before it is instantiated. */
    imports(memory) {
        const view = () => new DataView(memory().buffer);
        const bytes = (at, n) => new Uint8Array(memory().buffer, at, n);
        const word = at => view().getUint32(at, true);
        const name = (fd, at, n) => this.path(this.open[fd].path, decoder.decode(bytes(at, n)));
        const parent = path => this.files.get(path.slice(0, Math.max(path.lastIndexOf('/'), 0)));
        const transfer = (iovs, n, out, each) => {
            let total = 0;
            for (let i = 0; i < n; i++)
                total += each(bytes(word(iovs + 8 * i), word(iovs + 8 * i + 4)));
            view().setUint32(out, total, true);
            return OK;
        };
        const stat = (at, path, found) => {
            bytes(at, 64).fill(0);
            view().setBigUint64(at + 8, BigInt([...this.files.keys()].indexOf(path) + 1), true);
            view().setUint8(at + 16, path === null ? UNKNOWN : found ? FILE : FOLDER);
            view().setBigUint64(at + 24, 1n, true);
            view().setBigUint64(at + 32, BigInt(found ? found.length : 0), true);
            return OK;
        };
        const on = (fd, f) => (this.open[fd] ? f(this.open[fd]) : BADF); // f: is given an open file
        const on_file = (fd, f) => on(fd, file => (file.bytes ? f(file) : ISDIR));
        return {
            proc_exit(status) { throw new Exit(status); },
            args_sizes_get: (count, size) => {
                view().setUint32(count, this.args.length, true);
                view().setUint32(size, this.args.reduce((sum, a) => sum + a.length, 0), true);
                return OK;
            },
            args_get: (argv, at) => {
                this.args.forEach((a, i) => {
                    view().setUint32(argv + 4 * i, at, true);
                    bytes(at, a.length).set(a);
                    at += a.length;
                });
                return OK;
            },
            environ_sizes_get: (count, size) => {
                view().setUint32(count, 0, true);
                view().setUint32(size, 0, true);
                return OK;
            },
            environ_get: () => OK,
            clock_time_get: (clock, precision, at) => {
                view().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
                return OK;
            },
            fd_close: fd => (this.open[fd] ? (this.open[fd] = undefined, OK) : BADF),
            fd_fdstat_get: (fd, at) => on(fd, file => {
                bytes(at, 24).fill(0);
                view().setUint8(at, file.path === null ? UNKNOWN : file.bytes ? FILE : FOLDER);
                view().setBigUint64(at + 8, ~0n & 0xffffffffffffffffn, true); // rights: all
                view().setBigUint64(at + 16, ~0n & 0xffffffffffffffffn, true);
                return OK;
            }),
            fd_fdstat_set_flags: () => OK,
            fd_filestat_get: (fd, at) => on(fd, file => stat(at, file.path, file.bytes)),
            fd_prestat_get: (fd, at) => {
                if (fd !== ROOT)
                    return BADF;
                view().setUint32(at, 0, true);
                view().setUint32(at + 4, 1, true);
                return OK;
            },
            fd_prestat_dir_name: (fd, at) => (bytes(at, 1)[0] = 0x2f, OK), // "/"
            fd_read: (fd, iovs, n, out) => on_file(fd, file => transfer(iovs, n, out, to => {
                const from = file.bytes.all().subarray(file.at, file.at + to.length);
                to.set(from);
                file.at += from.length;
                return from.length;
            })),
            fd_write: (fd, iovs, n, out) => on_file(fd, file => transfer(iovs, n, out, from => {
                const at = file.append || file.path === null ? file.bytes.length : file.at;
                file.bytes.write(at, from);
                file.at = at + from.length;
                return from.length;
            })),
            fd_seek: (fd, offset, whence, at) => on(fd, file => {
                if (file.path === null || !file.bytes)
                    return SPIPE;
                const to = Number(offset) + [0, file.at, file.bytes.length][whence];
                if (!(to >= 0))
                    return INVAL;
                file.at = to;
                view().setBigUint64(at, BigInt(to), true);
                return OK;
            }),
            fd_readdir: (fd, at, size, cookie, used) => on(fd, file => {
                if (file.bytes)
                    return NOTDIR;
                const inside = file.path === '' ? '' : file.path + '/';
                const names = [...this.files.keys()].filter(path => path !== '' && path.startsWith(inside) &&
                    !path.slice(inside.length).includes('/'));
                const entries = new Bytes();
                for (let i = Number(cookie); i < names.length && entries.length < size; i++) {
                    const entry = encoder.encode('\0'.repeat(24) + names[i].slice(inside.length));
                    const fields = new DataView(entry.buffer, entry.byteOffset);
                    fields.setBigUint64(0, BigInt(i + 1), true);
                    fields.setBigUint64(8, BigInt(i + 1), true);
                    fields.setUint32(16, entry.length - 24, true);
                    fields.setUint8(20, this.files.get(names[i]) ? FILE : FOLDER);
                    entries.write(entries.length, entry);
                }
                const fits = entries.all().subarray(0, size);
                bytes(at, fits.length).set(fits);
                view().setUint32(used, fits.length, true);
                return OK;
            }),
            path_open: (fd, follow, at, n, how, rights, inherited, flags, out) => {
                const path = name(fd, at, n);
                let found = this.files.get(path);
                if (found !== undefined && how & CREATE && how & NEW)
                    return EXIST;
                if (found === undefined) {
                    if (!(how & CREATE))
                        return NOENT;
                    if (parent(path) !== null)
                        return parent(path) ? NOTDIR : NOENT;
                    this.files.set(path, found = new Bytes());
                }
                if (how & WANT_FOLDER && found)
                    return NOTDIR;
                if (how & (CREATE | TRUNCATE) && !found)
                    return ISDIR;
                if (how & TRUNCATE)
                    found.length = 0;
                this.open.push({path, bytes: found, at: 0, append: (flags & APPEND) !== 0});
                view().setUint32(out, this.open.length - 1, true);
                return OK;
            },
            path_filestat_get: (fd, follow, at, n, out) => {
                const path = name(fd, at, n), found = this.files.get(path);
                return found === undefined ? NOENT : stat(out, path, found);
            },
            path_create_directory: (fd, at, n) => {
                const path = name(fd, at, n);
                if (this.files.has(path))
                    return EXIST;
                if (parent(path) !== null)
                    return parent(path) ? NOTDIR : NOENT;
                this.files.set(path, null);
                return OK;
            },
            path_rename: (fd, at, n, to_fd, to_at, to_n) => {
                const from = name(fd, at, n), to = name(to_fd, to_at, to_n), found = this.files.get(from);
                if (!found)
                    return found === null ? ISDIR : NOENT;
                if (this.files.get(to) === null)
                    return ISDIR;
                if (parent(to) !== null)
                    return parent(to) ? NOTDIR : NOENT;
                this.files.delete(from);
                this.files.set(to, found);
                return OK;
            },
            path_unlink_file: (fd, at, n) => {
                const path = name(fd, at, n), found = this.files.get(path);
                if (!found)
                    return found === null ? ISDIR : NOENT;
                this.files.delete(path);
                return OK;
            },
        };
    }
}

/** The command texenvc. Calls are independent: each starts with the module's initial memory. */
export class Command {
    #module;
    #instance = null;
    #first; // a copy of the initial memory
    #stack;
    #imports; // the imported functions for the call that is running

    constructor(module) { this.#module = module; }

    #prepare() {
        if (this.#instance && this.#instance.exports.memory.buffer.byteLength <= MOST_KEPT) {
            const memory = new Uint8Array(this.#instance.exports.memory.buffer);
            memory.set(this.#first);
            memory.fill(0, this.#first.length);
        } else {
            const forward = {};
            for (const {module, name} of WebAssembly.Module.imports(this.#module))
                (forward[module] ??= {})[name] = (...args) => this.#imports[name](...args);
            this.#instance = new WebAssembly.Instance(this.#module, forward);
            this.#first = new Uint8Array(this.#instance.exports.memory.buffer).slice();
            this.#stack = this.#instance.exports.__stack_pointer.value;
        }
        this.#instance.exports.__stack_pointer.value = this.#stack;
    }

    /**
     * Runs the command once.
     * @param {string[]} args the arguments after the command's name; none may contain a NUL
     * @param {{stdin?: string|Uint8Array, files?: Object<string, string|Uint8Array>}} given
     * @returns {{status: number, stdout: string, stderr: string, files: Map<string, Uint8Array>}}
     *     status: the exit status of the command; also 4 if the module stopped for lack of memory or stack
     */
    run(args, {stdin = '', files = {}} = {}) {
        for (const arg of args)
            if (arg.includes('\0'))
                throw new TypeError('an argument has a NUL in it');
        const input = typeof stdin === 'string' ? encoder.encode(stdin) : stdin;
        const machine = new Machine(['texenvc', ...args], input, Object.entries(files));
        let status = 0, failure = '';
        this.#prepare();
        this.#imports = machine.imports(() => this.#instance.exports.memory);
        try {
            this.#instance.exports._start();
        } catch (e) {
            if (e instanceof Exit) {
                status = e.status;
            } else if (e instanceof WebAssembly.RuntimeError || e instanceof RangeError) {
                status = 4;
                failure = '\ntexenvc: internal error: ' + e.message + '\n'; // a line may have begun
            } else {
                throw e;
            }
        } finally {
            this.#imports = null;
        }
        const made = new Map();
        for (const [name, bytes] of machine.files)
            if (bytes)
                made.set(name, bytes.all());
        return {status, stdout: decoder.decode(machine.stdout.all()),
                stderr: decoder.decode(machine.stderr.all()) + failure, files: made};
    }
}

/**
 * Loads the module and returns a Command.
 * @param from the module: its address, its bytes, a response of fetch, or a WebAssembly.Module; by default
 *     texenvc.wasm beside this file
 */
export async function load(from = new URL('texenvc.wasm', import.meta.url)) {
    from = await from;
    if (typeof from === 'string')
        from = new URL(from, import.meta.url);
    if (from instanceof URL && from.protocol === 'file:')
        from = await (await import(/* webpackIgnore: true */ 'node:fs/promises')).readFile(from);
    else if (from instanceof URL)
        from = await fetch(from);
    if (typeof Response !== 'undefined' && from instanceof Response) {
        if (!from.ok)
            throw new Error(`${from.url}: ${from.status} ${from.statusText}`);
        from = await from.arrayBuffer();
    }
    return new Command(from instanceof WebAssembly.Module ? from : await WebAssembly.compile(from));
}
