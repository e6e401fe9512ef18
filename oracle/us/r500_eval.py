"""Decodes and executes instructions of r500, which have six dwords and are uploaded through GA_US_VECTOR,
from notes/facts/r300.md 4.
"""
from ..common.errors import ProgramError
from .us_code import (R500_RS, assumptions, bounds_of, channels, check_constants, check_inputs, check_stats,
                      fixed_registers, float32, float32_value, inputs_of, is_rasteriser, routing, run_of,
                      unpack, writes)
from .us_eval import (DEPTH, Half, Operand, PRESUB_READS, Pair, SRCP, Source, Tex, all_sources, read_channels,
                      used_parts, written_channels, written_temps)

MODELS = ('real', 'float32')
ASSUMPTIONS = assumptions()
# According to CTM, rounding is not that of IEEE, and the error is up to one unit in the last place per input.
# For three inputs these are two bits fewer than the format's 23.
BITS = 21

VECTOR_INDEX, VECTOR_DATA = 0x4250, 0x4254
US_CONFIG, US_PIXSIZE, US_FC_CTRL = 0x4600, 0x4604, 0x4624
US_CODE_ADDR, US_CODE_RANGE, US_CODE_OFFSET = 0x4630, 0x4634, 0x4638
# FG_DEPTH_SRC, US_W_FMT, TX_ENABLE, US_OUT_FMT_0..3
OTHERS = (0x4bd8, 0x46b4, 0x4104, 0x46a4, 0x46a8, 0x46ac, 0x46b0)
ALU, OUT, FC, TEX = range(4)
PAIRS, TEMPS, CONSTANTS = 512, 128, 256

INDEX = {'index': (0, 9), 'constants': (16, 1), 'clamp': (17, 1)}
CMN = {'type': (0, 2), 'tex_wait': (2, 1), 'rgb_pred': (3, 3), 'rgb_pred_inv': (6, 1),
       'write_inactive': (7, 1), 'last': (8, 1), 'nop': (9, 1),
       'alu_wait': (10, 1), 'write': (11, 4), 'out': (15, 4), 'rgb_clamp': (19, 1), 'alpha_clamp': (20, 1),
       'result_sel': (21, 1),
       'alpha_pred_inv': (22, 1), 'result_op': (23, 2), 'alpha_pred': (25, 3), 'stat_we': (28, 4)}
NO_FLOW = ('rgb_pred', 'rgb_pred_inv', 'write_inactive', 'result_sel', 'alpha_pred_inv', 'result_op',
           'alpha_pred', 'stat_we')
ADDR = {f'{name}{n}': (10 * n + low, width) for n in range(3)
        for name, low, width in (('src', 0, 8), ('const', 8, 1), ('rel', 9, 1))}
ADDR['presub'] = (30, 2)
RGB_INST = {'a_sel': (0, 2), 'a_r': (2, 3), 'a_g': (5, 3), 'a_b': (8, 3), 'a_mod': (11, 2), 'b_sel': (13, 2),
            'b_r': (15, 3), 'b_g': (18, 3),
            'b_b': (21, 3), 'b_mod': (24, 2), 'omod': (26, 3), 'target': (29, 2), 'alu_wmask': (31, 1)}
ALPHA_INST = {'op': (0, 4), 'dest': (4, 7), 'rel': (11, 1), 'a_sel': (12, 2), 'a_a': (14, 3),
              'a_mod': (17, 2), 'b_sel': (19, 2), 'b_a': (21, 3),
              'b_mod': (24, 2), 'omod': (26, 3), 'target': (29, 2), 'depth': (31, 1)}
RGBA_INST = {'op': (0, 4), 'dest': (4, 7), 'rel': (11, 1), 'c_sel': (12, 2), 'c_r': (14, 3), 'c_g': (17, 3),
             'c_b': (20, 3), 'c_mod': (23, 2),
             'alpha_c_sel': (25, 2), 'alpha_c_a': (27, 3), 'alpha_c_mod': (30, 2)}
TEX_INST = {'sampler': (16, 4), 'op': (22, 3), 'acquire': (25, 1), 'ignore_uncovered': (26, 1),
            'unscaled': (27, 1)}
TEX_ADDR = {'src': (0, 7), 'src_rel': (7, 1), 's': (8, 2), 't': (10, 2), 'r': (12, 2), 'q': (14, 2),
            'dest': (16, 7), 'dest_rel': (23, 1),
            'red': (24, 2), 'green': (26, 2), 'blue': (28, 2), 'alpha': (30, 2)}
RGB_OPS = {0: 'MAD', 1: 'DP3', 2: 'DP4', 3: 'D2A', 4: 'MIN', 5: 'MAX', 7: 'CND', 8: 'CMP', 9: 'FRC',
           10: 'REPL', 11: 'MDH', 12: 'MDV'}
ALPHA_OPS = {0: 'MAD', 1: 'DP', 2: 'MIN', 3: 'MAX', 5: 'CND', 6: 'CMP', 7: 'FRC', 8: 'EX2', 9: 'LG2',
             10: 'RCP', 11: 'RSQ', 12: 'SIN', 13: 'COS',
             14: 'MDH', 15: 'MDV'}
TEX_OPS = {0: 'NOP', 1: 'LD', 3: 'TXP'}
ARB_TEX_OPS = {**TEX_OPS, 2: 'KIL', 4: 'TXB'}
LITERAL = {4: ('zero', 0), 5: ('half', 0), 6: ('one', 0), 7: None}
UNUSED = ('inline', 0)


def operand(fields, prefix, letters):
    """Returns an operand of a half: its select, the swizzle code of each channel, its modifier."""
    sel = fields[prefix + '_sel']
    codes = [fields[prefix + '_' + c] for c in letters]
    return Operand(tuple((SRCP if sel == 3 else sel, k) if k < 4 else LITERAL[k] for k in codes),
                   fields[prefix + '_mod'])


class Program:
    """The instructions of a code in order. `problems` lists rule violations in the words."""

    def __init__(self, code):
        self.code, self.problems, self.instructions = code, [], []
        self.registers, self.dwords, self.constants = {}, {}, {}
        self.read_words()
        missing = [a for a in (US_CONFIG, US_PIXSIZE, US_CODE_ADDR, US_CODE_RANGE, US_CODE_OFFSET)
                   if a not in self.registers]
        if missing:
            self.problems.append('register %04x is not written' % missing[0])
        if not self.problems:
            self.decode()
        if not self.problems:
            self.whole()

    # ---- words to memory ----

    def read_words(self):
        index = None                            # (memory, number, dword), which advance automatically
        for address, value in self.code.words:
            if address == VECTOR_INDEX:
                f = unpack(value, INDEX, self.problems, 'GA_US_VECTOR_INDEX')
                if f['clamp']:
                    self.problems.append('GA_US_VECTOR_INDEX: constants clamped to [-1,1]')
                if index is not None and index[2]:
                    self.problems.append('GA_US_VECTOR_INDEX: the upload before ends inside an instruction '
                                         'or constant')
                index = (f['constants'], f['index'], 0)
            elif address == VECTOR_DATA:
                if index is None:
                    self.problems.append('GA_US_VECTOR_DATA without an index')
                    return
                memory, number, at = index
                table, size, room = (self.constants, 4, CONSTANTS) if memory else (self.dwords, 6, PAIRS)
                if (number, at) in table or number >= room:
                    self.problems.append('%s %d is written twice or beyond the end'
                                         % ('constant' if memory else 'instruction', number))
                table[number, at] = value
                index = (memory, number, at + 1) if at + 1 < size else (memory, number + 1, 0)
            else:
                self.put(address, value)
        if index is not None and index[2]:
            self.problems.append('GA_US_VECTOR_DATA: the last upload ends inside an instruction or constant')

    def put(self, address, value):
        known = address in (US_CONFIG, US_PIXSIZE, US_FC_CTRL, US_CODE_ADDR, US_CODE_RANGE,
                            US_CODE_OFFSET) or address in OTHERS or \
            address is not None and not address & 3 and is_rasteriser(address, R500_RS)
        if not known or address in self.registers:
            self.problems.append('no register at %s, or written twice'
                                 % ('no address' if address is None else '%04x' % address))
        self.registers[address] = value

    # ---- memory to instructions ----

    def decode(self):
        r, problems = self.registers, self.problems
        span = unpack(r[US_CODE_ADDR], {'start': (0, 9), 'end': (16, 9)}, problems, 'US_CODE_ADDR')
        code = unpack(r[US_CODE_RANGE], {'start': (0, 9), 'size': (16, 9)}, problems, 'US_CODE_RANGE')
        offset = unpack(r[US_CODE_OFFSET], {'offset': (0, 9)}, problems, 'US_CODE_OFFSET')['offset']
        first, last = offset + span['start'], offset + span['end']
        if not code['start'] <= first <= last <= code['start'] + code['size']:
            problems.append('US_CODE_RANGE does not hold US_CODE_ADDR')
        if {n for n, _ in self.dwords} != set(range(first, last + 1)):
            problems.append('instructions %s are uploaded, the program is %d to %d'
                            % (sorted({n for n, _ in self.dwords}), first, last))
            return
        unpack(r[US_CONFIG], {'zero_times_anything': (1, 1)}, problems, 'US_CONFIG')
        for number in range(first, last + 1):
            words = [self.dwords.get((number, k)) for k in range(6)]
            if None in words:
                problems.append('instruction %d is incomplete' % number)
                return
            self.instruction(number, words, number == last)

    def instruction(self, number, words, is_last):
        where = 'instruction %d' % number
        cmn = unpack(words[0], CMN, self.problems, where)
        for name in NO_FLOW:
            if cmn[name]:
                self.problems.append('%s: %s is set' % (where, name.upper()))
        if cmn['type'] == FC:
            self.problems.append('%s: flow control' % where)
            return
        if cmn['last'] and not is_last:
            self.problems.append('%s: LAST before the end' % where)
        made = self.tex(cmn, words, where) if cmn['type'] == TEX else self.pair(cmn, words, where)
        if made is not None:
            self.instructions.append(made)

    def tex(self, cmn, words, where):
        inst, addr = unpack(words[1], TEX_INST, self.problems, where), unpack(words[2], TEX_ADDR,
                                                                              self.problems, where)
        if any(words[3:]):
            self.problems.append('%s: dwords 3 to 5 of a lookup are not 0' % where)
        if addr['src_rel'] or addr['dest_rel']:
            self.problems.append('%s: relative addressing' % where)
        if cmn['out'] or cmn['rgb_clamp'] or cmn['alpha_clamp'] or cmn['nop']:
            self.problems.append('%s: a lookup with output mask, clamp or NOP' % where)
        known = ARB_TEX_OPS if self.code.arb else TEX_OPS
        if inst['op'] not in known:
            self.problems.append('%s: lookup operation %d' % (where, inst['op']))
            return None
        write = channels(cmn['write'])
        coords = tuple(addr[c] for c in 'strq')
        if inst['op'] == 2 and (write or coords != (0, 1, 2, 3)):
            self.problems.append('%s: KILL writes nothing and reads r, g, b, a' % where)
        result = tuple((addr['red'], addr['green'], addr['blue'], addr['alpha'])[c] for c in write)
        return Tex(known[inst['op']], inst['sampler'], addr['src'], coords, addr['dest'], write, result,
                   bool(inst['unscaled']), bool(inst['acquire']), bool(cmn['tex_wait']), where)

    def sources(self, fields, where):
        out = []
        for n in range(3):
            number, const = fields['src%d' % n], fields['const%d' % n]
            if fields['rel%d' % n]:
                self.problems.append('%s: relative addressing' % where)
            out.append(Source('const', number) if const else Source('inline', number & 127) if number & 128
                       else Source('temp', number))
        return tuple(out)

    def pair(self, cmn, words, where):
        problems = self.problems
        rgb_addr, alpha_addr = (unpack(w, ADDR, problems, where) for w in words[1:3])
        rgb, alpha, rgba = (unpack(w, f, problems, where)
                            for w, f in zip(words[3:], (RGB_INST, ALPHA_INST, RGBA_INST)))
        if rgba['op'] not in RGB_OPS or alpha['op'] not in ALPHA_OPS:
            problems.append('%s: operation %d, %d is reserved' % (where, rgba['op'], alpha['op']))
            return None
        if (rgb['alu_wmask'] or rgba['rel'] or alpha['rel']
                or (alpha['depth'] or rgb['target'] or alpha['target']) and not self.code.arb):
            problems.append('%s: ALU result, depth, another target or relative addressing' % where)
        is_out, write, out = cmn['type'] == OUT, channels(cmn['write']), channels(cmn['out'])
        if out and not is_out:
            problems.append('%s: an ALU instruction sets predicates' % where)
            out = ()
        depth = alpha['depth'] and is_out
        if alpha['depth'] and not is_out:
            problems.append('%s: an ALU instruction writes the depth' % where)
        args = [operand(rgb, 'a', 'rgb'), operand(rgb, 'b', 'rgb'), operand(rgba, 'c', 'rgb')]
        alpha_args = [operand(alpha, 'a', 'a'), operand(alpha, 'b', 'a'), operand(rgba, 'alpha_c', 'a')]
        halves = []
        for op, arg, f, dest, clamp, part in ((RGB_OPS[rgba['op']], args, rgb, rgba['dest'],
                                               cmn['rgb_clamp'], (0, 1, 2)),
                                              (ALPHA_OPS[alpha['op']], alpha_args, alpha, alpha['dest'],
                                               cmn['alpha_clamp'], (3,))):
            half = Half(op, tuple(arg), f['omod'], bool(clamp), dest, tuple(c for c in write if c in part),
                        tuple(c for c in out if c in part) + ((DEPTH,) if part == (3,) and depth else ()),
                        f['target'])
            if dest and not half.write:
                problems.append('%s: a half writes no temporary but names number %d' % (where, dest))
            halves.append(half)
        return Pair(*halves, self.sources(rgb_addr, where), self.sources(alpha_addr, where),
                    rgb_addr['presub'], alpha_addr['presub'],
                    bool(cmn['nop']), bool(cmn['tex_wait']), is_out, where)

    # ---- the program as a whole ----

    def temporaries(self):
        out = set(inputs_of(self.code))
        for i in self.instructions:
            if isinstance(i, Tex):
                out |= {i.src, i.dest} if i.write else {i.src}
            else:
                out |= {s.index for s in all_sources(i) if s.kind == 'temp'} | written_temps(i)
        return out

    def whole(self):
        problems, registers = self.problems, self.registers
        temps = self.temporaries()
        pairs = [i for i in self.instructions if isinstance(i, Pair)]
        pixsize = max(1, max(temps, default=0))
        if registers[US_PIXSIZE] != pixsize:
            problems.append('US_PIXSIZE is %d, not %d' % (registers[US_PIXSIZE], pixsize))
        if registers.get(US_FC_CTRL):
            problems.append('US_FC_CTRL is not 0')
        last = self.instructions[-1]
        if not isinstance(last, Pair) or not last.is_out or not last.wait:
            problems.append('the last instruction is no OUT with TEX_SEM_WAIT')
        self.unused_sources(pairs)
        Semaphore(problems).run(self.instructions)
        fixed_registers(registers, self.code, writes(pairs, (DEPTH,)), problems)
        check_inputs(self.code, routing(registers, R500_RS, problems), problems)
        check_constants(self.code, self.constants, float32, problems)
        check_stats(self.code, {'pairs': len(pairs), 'tex': len(self.instructions) - len(pairs),
                                'constants': len(self.code.constants)}, problems)

    def unused_sources(self, pairs):
        """Checks that an unused source is the inline constant 0."""
        for p in pairs:
            read = set()
            for part in used_parts(p):
                if part and part[0] not in ('zero', 'half', 'one'):
                    op = p.alpha_presub if part[1] == 3 else p.rgb_presub
                    read |= {(part[1] == 3, n) for n in (PRESUB_READS[op] if part[0] == SRCP else (part[0],))}
            for alpha, table in ((False, p.rgb_src), (True, p.alpha_src)):
                for n, s in enumerate(table):
                    if (alpha, n) not in read and s != UNUSED:
                        self.problems.append('%s: %s source %d is not read but is %s %d'
                                             % (p.where, 'alpha' if alpha else 'rgb', n, s.kind, s.index))


class Semaphore:
    """The texture semaphore (notes/facts/r300.md 4, as the recorded words use it). A lookup's result is
    available once an instruction has waited for the semaphore that this lookup or a later one has acquired. A
    lookup that acquires it waits for the previous one."""

    def __init__(self, problems):
        self.problems = problems
        # pending: (temporary, channel) -> lookup; covered: the lookups that an acquired semaphore covers
        self.pending, self.covered = {}, {}

    def run(self, instructions):
        for i in instructions:
            if i.wait:
                for key, tex in self.covered.items():
                    if self.pending.get(key) is tex:
                        del self.pending[key]
                self.covered = {}
            if isinstance(i, Tex):
                self.tex(i)
            else:
                self.touch(i, read_channels(i) | written_channels(i))

    def touch(self, i, channels_used):
        for key in sorted(channels_used & set(self.pending)):
            self.problems.append('%s: temporary %d.%s is used before its lookup (%s) has been waited for' % (
                i.where, key[0], 'rgba'[key[1]], self.pending[key].where))

    def tex(self, i):
        written = {(i.dest, c) for c in i.write}
        self.touch(i, {(i.src, c) for c in i.coords} | written)
        if i.acquire and not i.wait:
            self.problems.append('%s: acquires the semaphore without waiting for it' % i.where)
        self.pending.update(dict.fromkeys(written, i))
        if i.acquire:
            self.covered.update(self.pending)


def check(code):
    """Returns the rule violations in the words, which do not depend on values."""
    return decode(code).problems


def decode(code):
    return Program(code)


def execute(program, run):
    """Executes all instructions of a program without problems."""
    for i in program.instructions:
        if isinstance(i, Tex):
            run.previous = None
            run.write_tex(i, run.tex(i))
        else:
            run.pair(i)


def evaluate(code, inputs, model='real', assume=()):
    """Returns the four channels of the result."""
    program = decode(code)
    if program.problems:
        raise ProgramError(program.problems[0])
    run = run_of('r500', code, inputs, model, assume, program.constants, float32_value, BITS)
    execute(program, run)
    return run.result()


def bounds(code, inputs, model, assume=()):
    return bounds_of(evaluate, code, inputs, model, assume)
