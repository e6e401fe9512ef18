"""Decodes and executes register words of the fragment unit of r300 and r400, from notes/facts/r300.md 1 to 3
and 5.
"""
from ..common.errors import ProgramError
from .us_code import (FG_DEPTH_SRC, R300_RS, TX_ENABLE, US_W_FMT, assumptions, bounds_of, channels,
                      check_constants, check_inputs, check_stats, fixed_registers, float24, float24_value,
                      inputs_of, is_rasteriser, routing, run_of, unpack, writes)
from .us_eval import (DEPTH, Half, Node, Operand, PRESUB_READS, Pair, SRCP, Source, Tex, all_sources,
                      used_parts)

MODELS = ('real', 'float24')
ASSUMPTIONS = assumptions()
BITS = 16       # bits of a mantissa (notes/facts/r300.md 1.1)

US_CONFIG, US_PIXSIZE, US_CODE_OFFSET, US_CODE_ADDR = 0x4600, 0x4604, 0x4608, 0x4610
US_CODE_BANK, US_CODE_EXT = 0x46b8, 0x46bc
US_OUT_FMT = 0x46a4
# base address, number of words: instruction memory, on r400 a window of 64 (32) words into the current bank
WINDOWS = {'tex': (0x4620, 32), 'rgb_addr': (0x46c0, 64), 'alpha_addr': (0x47c0, 64),
           'rgb_inst': (0x48c0, 64), 'alpha_inst': (0x49c0, 64),
           'ext_addr': (0x4ac0, 64)}
PARAM, PARAMS = 0x4c00, 32

CONFIG = {'last_node': (0, 2), 'first_has_tex': (3, 1)}
CODE_OFFSET = {'alu': (0, 6), 'alu_end': (6, 6), 'tex': (13, 5), 'tex_end': (18, 5)}
CODE_ADDR = {'alu': (0, 6), 'alu_end': (6, 6), 'tex': (12, 5), 'tex_end': (17, 5), 'rgba_out': (22, 1),
             'w_out': (23, 1)}
MSB = {'tex_msb': (24, 4), 'tex_end_msb': (28, 4)}                      # r400
SRC = {'src0': (0, 6), 'src1': (6, 6), 'src2': (12, 6), 'dest': (18, 5)}
RGB_ADDR = {**SRC, 'write': (23, 3), 'out': (26, 3), 'target': (29, 2)}
ALPHA_ADDR = {**SRC, 'write': (23, 1), 'out': (24, 1), 'target': (25, 2), 'depth': (27, 1)}
INST = {'arg0': (0, 5), 'mod0': (5, 2), 'arg1': (7, 5), 'mod1': (12, 2), 'arg2': (14, 5), 'mod2': (19, 2),
        'presub': (21, 2), 'op': (23, 4),
        'omod': (27, 3), 'clamp': (30, 1)}
RGB_INST = {**INST, 'nop': (31, 1)}
TEX = {'src': (0, 5), 'dest': (6, 5), 'sampler': (11, 4), 'op': (15, 3)}
EXT_ADDR = {'rgb_src': (0, 3), 'rgb_dest': (3, 1), 'alpha_src': (4, 3), 'alpha_dest': (7, 1)}
RGB_OPS = {0: 'MAD', 1: 'DP3', 2: 'DP4', 3: 'D2A', 4: 'MIN', 5: 'MAX', 7: 'CND', 8: 'CMP', 9: 'FRC',
           10: 'REPL'}
ALPHA_OPS = {0: 'MAD', 1: 'DP', 2: 'MIN', 3: 'MAX', 5: 'CND', 6: 'CMP', 7: 'FRC', 8: 'EX2', 9: 'LG2',
             10: 'RCP', 11: 'RSQ'}
TEX_OPS = {0: 'NOP', 1: 'LD', 3: 'TXP'}
ARB_TEX_OPS = {**TEX_OPS, 2: 'KIL', 4: 'TXB'}
LIMITS = {'r300': (64, 32, 32), 'r400': (512, 512, 64)}                 # pairs, lookups, temporaries


def rgb_parts(code):
    """Returns the channels of an rgb select (notes/facts/r300.md 2.3)."""
    xyz = (0, 1, 2), (0, 0, 0), (1, 1, 1), (2, 2, 2)
    if code < 12:
        return tuple((code // 4, c) for c in xyz[code % 4])
    if code < 15:
        return ((code - 12, 3),) * 3
    if code < 19:
        return tuple((SRCP, c) for c in xyz[code - 15])
    if code == 19:
        return ((SRCP, 3),) * 3
    if code < 23:
        return ((('zero', 'one', 'half')[code - 20], 0),) * 3
    order = ((1, 2, 0), (2, 0, 1), (3, 2, 1))[(code - 23) // 3]
    return tuple(((code - 23) % 3, c) for c in order)


def alpha_parts(code):
    """Returns the channel of an alpha select, or None."""
    if code < 9:
        return ((code // 3, code % 3),)
    if code < 12:
        return ((code - 9, 3),)
    if code < 16:
        return ((SRCP, code - 12),)
    return ((('zero', 'one', 'half')[code - 16], 0),) if code < 19 else None


class Memory:
    """The state of the chip after the words: registers by address, instruction words by name and number."""

    def __init__(self, words, chip, problems):
        self.registers, self.code, self.params = {}, {name: {} for name in WINDOWS}, {}
        self.bank, self.r390 = 0, 0
        for address, value in words:
            if address == US_CODE_BANK and chip == 'r400':
                fields = unpack(value, {'bank': (0, 4), 'r390': (4, 1)}, problems, 'US_CODE_BANK')
                self.bank, self.r390 = fields['bank'], self.r390 | fields['r390']
                self.registers[address] = value
                continue
            if not self.put(address, value, chip):
                problems.append('no register at %s, or written twice'
                                % ('no address' if address is None else '%04x' % address))

    def put(self, address, value, chip):
        if address is None or address & 3:
            return False
        for name, (base, count) in WINDOWS.items():
            if base <= address < base + 4 * count and (name != 'ext_addr' or chip == 'r400'):
                return self.once(self.code[name], (address - base) // 4 + count * self.bank, value)
        if PARAM <= address < PARAM + 16 * PARAMS:
            return self.once(self.params, ((address - PARAM) // 16, (address - PARAM) // 4 % 4), value)
        known = address in (US_CONFIG, US_PIXSIZE, US_CODE_OFFSET, FG_DEPTH_SRC, US_W_FMT, TX_ENABLE) or \
            US_CODE_ADDR <= address < US_CODE_ADDR + 16 or US_OUT_FMT <= address < US_OUT_FMT + 16 or \
            address == US_CODE_EXT and chip == 'r400' or is_rasteriser(address, R300_RS)
        return known and self.once(self.registers, address, value)

    @staticmethod
    def once(table, key, value):
        if key in table:
            return False
        table[key] = value
        return True


class Program:
    """The decoded nodes of a code. `problems` lists rule violations in the words."""

    def __init__(self, code, chip):
        self.chip, self.problems = chip, []
        self.nodes, self.code = [], code
        self.relies = []                        # names of the open questions on which the decoding depends
        self.memory = Memory(code.words, chip, self.problems)
        need = ([US_CONFIG, US_PIXSIZE, US_CODE_OFFSET] + [US_CODE_ADDR + 4 * i for i in range(4)]
                + ([US_CODE_EXT] if chip == 'r400' else []))
        missing = [a for a in need if a not in self.memory.registers]
        if missing:
            self.problems.append('register %04x is not written' % missing[0])
            return
        self.decode()
        if not self.problems:
            self.whole()

    def register(self, address, fields):
        return unpack(self.memory.registers[address], fields, self.problems, '%04x' % address)

    def extensions(self, count):
        """Returns the high bits of addresses, which r400 adds: (bits of CODE_OFFSET, list of the bits of each
        CODE_ADDR register), each as {field: value}."""
        zero = {'alu': 0, 'alu_end': 0}
        if self.chip != 'r400':
            return zero, [zero] * 4
        fields = {'alu': (0, 3), 'alu_end': (3, 3)}
        for k in range(4):
            fields['start%d' % k], fields['size%d' % k] = (6 + 6 * k, 3), (9 + 6 * k, 3)
        ext = self.register(US_CODE_EXT, fields)
        if self.memory.registers[US_CODE_EXT] and not self.memory.r390:
            self.problems.append('US_CODE_EXT is not 0 without R390_MODE_ENABLE')
        if self.memory.bank:
            self.problems.append('US_CODE_BANK is not back at bank 0 at the end')
        # CODE_ADDR_j has field 3-j. Mesa numbers the fields from the first node instead, which differs unless
        # there are four nodes.
        nodes = [{'alu': ext['start%d' % (3 - j)], 'alu_end': ext['size%d' % (3 - j)]} for j in range(4)]
        used = [(ext['start%d' % k], ext['size%d' % k]) for k in range(4)]
        if [used[3 - j] for j in range(4 - count, 4)] != [used[3 - i] for i in range(count)]:
            self.relies.append('code-ext')
        return {'alu': ext['alu'], 'alu_end': ext['alu_end']}, nodes

    def span(self, fields, high):
        """Returns (first, count) of pairs and of lookups of a CODE_OFFSET or CODE_ADDR."""
        tex, tex_end = (fields[n] | fields.get(n + '_msb', 0) << 5 for n in ('tex', 'tex_end'))
        return (fields['alu'] | high['alu'] << 6, (fields['alu_end'] | high['alu_end'] << 6)
                + 1, tex, tex_end + 1)

    def decode(self):
        extra = MSB if self.chip == 'r400' else {}
        config = self.register(US_CONFIG, CONFIG)
        count = config['last_node'] + 1
        offset_high, node_high = self.extensions(count)
        offset = self.register(US_CODE_OFFSET, {**CODE_OFFSET, **extra})
        alu0, alus, tex0, texs = self.span(offset, offset_high)
        next_alu = next_tex = 0
        for j in range(4):
            address = US_CODE_ADDR + 4 * j
            if j < 4 - count:
                if self.memory.registers[address]:
                    self.problems.append('CODE_ADDR_%d belongs to no node and is not 0' % j)
                continue
            fields = self.register(address, {**CODE_ADDR, **extra})
            alu, pairs, tex, reads = self.span(fields, node_high[j])
            has_tex = j > 4 - count or config['first_has_tex']
            if not has_tex and (reads != 1 or tex):
                self.problems.append('CODE_ADDR_%d: the first node has no lookups, but fields for them' % j)
            if alu != next_alu or has_tex and tex != next_tex:
                self.problems.append('CODE_ADDR_%d: the node does not follow the one before' % j)
            next_alu, next_tex = alu + pairs, tex + reads if has_tex else next_tex
            self.nodes.append(self.node(j, range(tex0 + tex, tex0 + tex + reads) if has_tex else (),
                                        range(alu0 + alu, alu0 + alu + pairs), fields))
        if next_alu != alus or max(next_tex, 1) != texs:
            self.problems.append('CODE_OFFSET counts %d pairs and %d lookups, the nodes have %d and %d'
                                 % (alus, texs, next_alu, next_tex))
        self.check_memory(alu0, next_alu, tex0, next_tex)

    def node(self, j, reads, pairs, fields):
        tex = [t for t in (self.tex(i) for i in reads) if t is not None]
        alu = [p for p in (self.pair(i) for i in pairs) if p is not None]
        if bool(fields['w_out']) != writes(alu, (DEPTH,)):
            self.problems.append('CODE_ADDR_%d: W_OUT is %d' % (j, fields['w_out']))
        if bool(fields['rgba_out']) != writes(alu, range(4)):
            self.problems.append('CODE_ADDR_%d: RGBA_OUT is %d' % (j, fields['rgba_out']))
        return Node(tex, alu)

    def check_memory(self, alu0, alus, tex0, texs):
        for name, words in self.memory.code.items():
            first, count = (tex0, texs) if name == 'tex' else (alu0, alus)
            extra = [i for i in words if not first <= i < first + count]
            if extra:
                self.problems.append('%s word %d belongs to no node' % (name, extra[0]))

    def word(self, name, i, fields, optional=False):
        value = self.memory.code[name].get(i)
        if value is None:
            if not optional:
                self.problems.append('%s word %d is not written' % (name, i))
            value = 0
        return unpack(value, fields, self.problems, '%s %d' % (name, i))

    def tex(self, i):
        ext = {'src_ext': (19, 1), 'dest_ext': (20, 1)} if self.chip == 'r400' else {}
        f = self.word('tex', i, {**TEX, **ext})
        known = ARB_TEX_OPS if self.code.arb else TEX_OPS
        if f['op'] not in known:
            self.problems.append('tex %d: operation %d' % (i, f['op']))
            return None
        written = () if f['op'] == 2 else (0, 1, 2, 3)
        return Tex(known[f['op']], f['sampler'], f['src'] | f.get('src_ext', 0) << 5, (0, 1, 2, 3),
                   f['dest'] | f.get('dest_ext', 0) << 5,
                   written, written, None, False, False, 'tex %d' % i)

    def sources(self, fields, high):
        out = []
        for n in range(3):
            v = fields['src%d' % n]
            number = v & 31 | ((high >> n & 1) << 5 if not v & 32 else 0)
            out.append(Source('const' if v & 32 else 'temp', number))
        return tuple(out)

    def pair(self, i):
        where = 'pair %d' % i
        words = self.word('rgb_addr', i, RGB_ADDR), self.word('alpha_addr', i, ALPHA_ADDR)
        insts = self.word('rgb_inst', i, RGB_INST), self.word('alpha_inst', i, INST)
        ext = self.word('ext_addr', i, EXT_ADDR, True) if self.chip == 'r400' else dict.fromkeys(EXT_ADDR, 0)
        halves = []
        for which, (addr, inst, ops, parts) in enumerate(zip(words, insts, (RGB_OPS, ALPHA_OPS),
                                                             (rgb_parts, alpha_parts))):
            name = ('rgb', 'alpha')[which]
            if inst['op'] not in ops:
                self.problems.append('%s: %s operation %d is reserved' % (where, name, inst['op']))
                return None
            if inst['omod'] == 7:
                self.problems.append('%s: %s output modifier 7' % (where, name))
            args = tuple(Operand(parts(inst['arg%d' % n]), inst['mod%d' % n]) for n in range(3))
            if any(a.parts is None for a in args):
                self.problems.append('%s: an alpha select above 18' % where)
                return None
            depth = addr.get('depth')
            if (addr['target'] or depth) and not self.code.arb:
                self.problems.append('%s: %s goes to another target than colour 0' % (where, name))
            write, out = (channels(addr[k]) if not which else (3,) if addr[k] else ()
                          for k in ('write', 'out'))
            out += (DEPTH,) if depth else ()
            dest = addr['dest'] | ext[name + '_dest'] << 5
            if dest and not write:
                self.problems.append('%s: %s writes no temporary but names number %d' % (where, name, dest))
            halves.append(Half(ops[inst['op']], args, inst['omod'], bool(inst['clamp']), dest, write, out,
                               addr['target']))
        sources = [self.sources(words[k], ext[('rgb', 'alpha')[k] + '_src']) for k in range(2)]
        return Pair(*halves, *sources, insts[0]['presub'], insts[1]['presub'], bool(insts[0]['nop']), False,
                    False, where)

    # ---- the program as a whole ----

    def pairs(self):
        return [p for n in self.nodes for p in n.alu]

    def reads(self):
        return [t for n in self.nodes for t in n.tex]

    def temporaries(self):
        """Returns the numbers of all temporaries that the rasteriser, lookups and pairs refer to."""
        out = set(inputs_of(self.code))
        for t in self.reads():
            out |= {t.src, t.dest} if t.write else {t.src}
        for p in self.pairs():
            out |= {s.index for s in all_sources(p) if s.kind == 'temp'} | {h.dest for h in (p.rgb, p.alpha)
                                                                            if h.write}
        return out

    def whole(self):
        problems, pairs, reads = self.problems, self.pairs(), self.reads()
        max_pairs, max_reads, max_temps = LIMITS[self.chip]
        temps = self.temporaries()
        for what, count, limit in (('pairs', len(pairs), max_pairs), ('lookups', len(reads), max_reads),
                                   ('temporaries', max(temps, default=0) + 1, max_temps)):
            if count > limit:
                problems.append('%d %s, the limit is %d' % (count, what, limit))
        pixsize = self.memory.registers[US_PIXSIZE]
        if pixsize != max(temps, default=0):
            problems.append('US_PIXSIZE is %d, the highest temporary %d' % (pixsize, max(temps, default=0)))
        unused_sources(pairs, problems)
        lookups_of_nodes(self.nodes, problems)
        check_inputs(self.code, routing(self.memory.registers, R300_RS, problems), problems)
        for key, word in self.memory.params.items():
            if word >> 24:
                problems.append('constant %d.%s: reserved bits are set' % (key[0], 'xyzw'[key[1]]))
        check_constants(self.code, self.memory.params, float24, problems)
        fixed_registers(self.memory.registers, self.code, writes(pairs, (DEPTH,)), problems)
        check_stats(self.code, {'pairs': len(pairs), 'tex': len(reads), 'nodes': len(self.nodes),
                                'constants': len(self.code.constants)}, problems)


def unused_sources(pairs, problems):
    """Checks that an unused source is 0 or constant 0 (notes/facts/r300.md 3.1)."""
    for p in pairs:
        read = {(part[1] == 3, n) for part in used_parts(p) if part and part[0] not in ('zero', 'half', 'one')
                for n in reads_of(p, part)}
        for alpha, table in ((False, p.rgb_src), (True, p.alpha_src)):
            for n, s in enumerate(table):
                if (alpha, n) not in read and s.index:
                    problems.append('%s: %s source %d is not read but is %s %d'
                                    % (p.where, 'alpha' if alpha else 'rgb', n, s.kind, s.index))


def reads_of(pair, part):
    return (PRESUB_READS[pair.alpha_presub if part[1] == 3 else pair.rgb_presub] if part[0] == SRCP
            else (part[0],))


def lookups_of_nodes(nodes, problems):
    """Checks that every node has pairs, every node but the first has lookups, and lookups of a node do not
    depend on each other (notes/facts/r300.md 3.2)."""
    for n in nodes:
        written = set()
        for t in n.tex:
            if t.src in written or t.write and t.dest in written:
                problems.append('%s: depends on a lookup of the same node' % t.where)
            if t.write:
                written.add(t.dest)


def check(code):
    """Returns the rule violations in the words, which do not depend on values."""
    return decode(code).problems


def decode(code):
    return Program(code, code.target)


def execute(program, run):
    """Executes all nodes of a program without problems."""
    for name in program.relies:
        run.rely(name, 'US_CODE_EXT')
    for node in program.nodes:
        values = [(t, run.tex(t)) for t in node.tex]    # all lookups read before any of them writes
        if node.tex:
            run.previous = None
        for t, value in values:
            run.write_tex(t, value)
        for p in node.alu:
            run.pair(p)


def evaluate(code, inputs, model='real', assume=()):
    """Returns the four channels of the result."""
    program = decode(code)
    if program.problems:
        raise ProgramError(program.problems[0])
    run = run_of(program.chip, code, inputs, model, assume, program.memory.params, float24_value, BITS)
    execute(program, run)
    return run.result()


def bounds(code, inputs, model, assume=()):
    return bounds_of(evaluate, code, inputs, model, assume)
