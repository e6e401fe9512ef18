"""A small stand-in for texenvc, written from notes/facts/atifs.md 10, which the tests of the oracle's
commands run.

`python3 oracle_mock.py convert FILE... --from K --to atifs` lowers each state naively; ORACLE_MOCK_FAULT
names a deliberate fault. """
import os
import sys


sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from oracle.commands import inputs  # noqa: E402
from oracle.common.numbers import shortest  # noqa: E402
from oracle.texenv.state import CLASSIC, EXPAND  # noqa: E402
from oracle.texenv.state import DEFAULT_POLICY  # noqa: E402
from oracle.texenv.texenv_eval import crossbar_rule  # noqa: E402

FAULT = os.environ.get('ORACLE_MOCK_FAULT', '')
SUFFIX = {1: '', 2: '.2x', 4: '.4x'}


def reads(state):
    """Returns every texture that an enabled stage reads, dead stages included."""
    used = set()
    for unit in state.units:
        if unit is None or unit.rgb is None or crossbar_rule(state, unit, DEFAULT_POLICY) == 'pass':
            continue
        for half, ch in ((unit.rgb, 0), (unit.alpha, 3)):
            for s, o in half.args if half else ():
                if s[0] == 'T' and state.units[int(s[1:])] is not None:
                    if EXPAND[state.units[int(s[1:])].fmt][3 if o[-1] == 'a' else ch] not in '01':
                        used.add(int(s[1:]))
    return used


class TooMany(Exception):
    pass


class Lower:
    def __init__(self, state):
        self.state, self.lines, self.consts = state, [], {}
        used = reads(state)
        if used & {6, 7}:
            raise TooMany('texture unit 6 or 7 needs a register that does not exist')
        if any(state.units[t].shadow for t in used):
            raise TooMany('shadow comparison cannot be expressed')
        self.used = used
        free = [r for r in range(6) if r not in used]
        if len(free) < 2:
            raise TooMany('more than 6 registers are needed')
        self.scratch = ['r%d' % r for r in free[-2:]]
        self.prev = 'color0'

    def arg(self, number, source, op, alpha, missing):
        text = self.base(number, source, op, alpha, missing)
        if text in '01':
            return text if op[0] != '~' else '10'[int(text)]
        rep = '.a' if op[-1] == 'a' and not alpha else ''
        return text + rep + ('.comp' if op[0] == '~' and FAULT != 'complement' else '')

    def base(self, number, source, op, alpha, missing):
        if source in '01':
            return source
        if source == 'P':
            return self.prev
        if source == 'F':
            return 'color0'
        if source == 'C':
            return self.const(number)
        m = int(source[1:])
        if self.state.units[m] is None:
            return '1' if missing == 'one' else '0'
        if m in self.used:
            return 'r%d' % m
        kind = EXPAND[self.state.units[m].fmt][3 if alpha or op[-1] == 'a' else 0]
        return kind if kind in '01' else 'r%d' % m

    def const(self, number):
        return self.consts.setdefault(number, '<c%d>' % number)

    def emit(self, half, dst, channel, number, missing):
        alpha = channel == 'a'
        a = [self.arg(number, s, o, alpha, missing) for s, o in half.args]
        tail = '%s.%s%s.sat, ' % (dst, channel, SUFFIX[half.scale] if FAULT != 'scale' else '')
        f = half.func
        if f in ('add_signed', 'modulate_signed_add') and FAULT == 'bias':
            f = f.replace('signed_', '').replace('_signed', '')
        forms = {
            'replace': lambda: 'MOV ' + tail + a[0], 'modulate': lambda: 'MUL ' + tail + ', '.join(a),
            'add': lambda: 'ADD ' + tail + ', '.join(a), 'subtract': lambda: 'SUB ' + tail + ', '.join(a),
            'interpolate': lambda: 'LERP ' + tail + ', '.join((a[2], a[0], a[1])),
            'modulate_add': lambda: 'MAD ' + tail + ', '.join((a[0], a[1], a[2]) if FAULT == 'swap'
                                                              else (a[0], a[2], a[1])),
            'modulate_subtract': lambda: 'MAD ' + tail + ', '.join((a[0], a[2], neg(a[1]))),
            'add_signed': lambda: 'ADD ' + tail + half_of(a, 1), 'modulate_signed_add': lambda: 'MAD ' + tail
            + ', '.join(
                (a[0], a[2], biased(a[1]))),
        }
        return forms[f]()

    def run(self):
        for number, unit in enumerate(self.state.units):
            if unit is None:
                continue
            if unit.mode in CLASSIC or unit.mode == 'combine4' or unit.rgb.func.startswith('dot3'):
                raise TooMany('the mock does not do this; too many pairs')
            if any(s in '01' for h in (unit.rgb, unit.alpha) for s, _ in h.args):
                raise TooMany('the mock does no literals; too many pairs')
            missing = crossbar_rule(self.state, unit, DEFAULT_POLICY)
            if missing == 'pass':
                continue
            dst = self.scratch[0] if self.prev != self.scratch[0] else self.scratch[1]
            rgb = self.emit(unit.rgb, dst, 'rgb', number, missing)
            alpha = self.emit(unit.alpha, dst, 'a', number, missing)
            self.lines += [rgb, alpha]
            self.prev = dst
        if self.prev == 'color0' or not self.lines:
            self.lines += ['MOV r0.sat, ' + self.prev]
        else:
            for i in (-2, -1):
                self.lines[i] = self.lines[i].replace(' %s.' % self.prev, ' r0.', 1)
        body = '\n'.join('  %s;' % x for x in self.lines)
        out = ['!!ATIfs1.0'] + ['# bind r%d texture=%d coord=%d' % (t, t, t) for t in sorted(self.used)]
        names = {}
        for i, n in enumerate(sorted(self.consts)):
            names['<c%d>' % n] = 'c%d' % i
            out.append('# const c%d unit=%d env-color' % (i, n))
        for k, v in names.items():
            body = body.replace(k, v)
        if names:
            out.append('StartConstants;')
            for n in sorted(self.consts):
                out.append('  CONSTANT %s = {%s};' % (names['<c%d>' % n], ', '.join(map(shortest,
                    self.state.units[n].color))))
            out.append('EndConstants;')
        out.append('StartOutputPass;')
        for t in sorted(self.used):
            target = self.state.units[t].target
            out.append('  SampleMap r%d, t%d.%s;' % (t, t, 'str' if target in ('3d', 'cube') else 'stq_dq'))
        return '\n'.join(out + [body, 'EndPass;']) + '\n'


def neg(x):
    return x + '.neg' if '.comp' not in x else x.replace('.comp', '.neg.comp')


def biased(x):
    return x.replace('.comp', '') + '.bias' + ('.comp' if '.comp' in x else '')


def half_of(a, i):
    return ', '.join(biased(x) if k == i else x for k, x in enumerate(a))


def main(argv):
    files = [a for a in argv[1:] if not a.startswith('--') and argv[argv.index(a) - 1] not in ('--from',
        '--to')]
    kind = argv[argv.index('--from') + 1] if '--from' in argv else None
    items = []
    for f in files:
        text = sys.stdin.read() if f == '-' else inputs.load(f)
        items += list(inputs.read_text(text, kind or inputs.detect(text), f))
    status = 0
    for n, item in enumerate(items, 1):
        where = '%s:call %s, %d draws' % (item.file, item.call,
                                          item.draws) if item.call else '%s:%d' % (item.file, item.line or 1)
        try:
            text = Lower(item.state).run()
            sys.stdout.write(('# state %d %s\n' % (n, where) if len(items) > 1 else '') + text)
        except TooMany as e:
            status = 3
            sys.stdout.write('# state %d %s refused: %s\n' % (n, where, e))
    return status


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
