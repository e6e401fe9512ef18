#!/usr/bin/env python3
"""Tests texenvc convert, report, disasm and asm for every chip: output formats, that asm is the inverse of
disasm, refusals, bad input."""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from oracle.texenv import stages_print  # noqa: E402
from oracle.texenv.random_states import ALL, RandomStates  # noqa: E402
from tests.shared.tool import TEXENVC  # noqa: E402

STATES = ['{T0*P}', '{lerp(T0,T1,C.a); T0} {F*P; F} C0=(.25,.5,.75,1)', '{dot3(T0,P)} {T1+P-0.5}*2', '{}']
checks = failures = 0


def check(ok, message):
    global checks, failures
    checks += 1
    if not ok:
        failures += 1
        print('failed:', message)


def run(*args, stdin=None):
    return subprocess.run([TEXENVC, *args], input=stdin, capture_output=True, text=True, timeout=100)


def expect(status, text, *args, stdin=None):
    r = run(*args, stdin=stdin)
    check(r.returncode == status, '%s: status %d, not %d: %s' % (args, r.returncode, status, r.stderr[:200]))
    check(re.search(text, r.stdout + r.stderr), '%s: no %r in %r' % (args, text, (r.stdout + r.stderr)[:300]))
    check(status in (0, 3) or not r.stdout, '%s: an error, and %r on standard output' % (args, r.stdout[:60]))
    return r


def searches():
    """Tests --most-work: if the search runs out of work, the refusal says so and has its own code; with more
    work the state fits."""
    states = {'r200': '{T0*P} {T1*P} {T2+P} {T3*P} {T4+P} {T5*P} {T0+P} {T1-P}', 'i830': '{T0*P+T1*P-0.5}'}
    for chip, state in states.items():
        little = ['-e', state, '--most-work', '1']
        expect(3, r'searched to its limit \(1\): no ', 'convert', *little, '--to', chip)
        expect(3, r'state 1: not decided \(--most-work\): searched to its limit \(1\)', 'report', *little,
               '--target', chip)
        got = json.loads(run('report', *little, '--target', chip, '--json').stdout)
        check(got['totals']['codes'] == {'work': 1}, '%s: %s' % (chip, got['totals']['codes']))
        got = json.loads(run('report', '-e', state, '--target', chip, '--json').stdout)
        check('work' not in got['totals']['codes'], '%s: %s by default' % (chip, got['totals']['codes']))
    expect(2, r'--most-work takes a number', 'report', '-e', '{}', '--target', 'r200', '--most-work', '0')


def programs():
    """Tests intermediate programs that a texture environment never gives and the chips' words cannot say."""
    def says(status, text, chip, program):
        expect(status, text, 'convert', '-', '--from', 'ir', '--to', chip, stdin='!!texir1.0\n' + program)

    def constant(*origins):
        return ('const c0 = (%s)\n%%0 = mul.xyz.sat primary.xyzw, c0.xyzw @0\n%%1 = mov.w.sat primary.wwww @0\n'
                'result %%0, %%1\n' % ', '.join('%s 0' % x for x in origins))

    def lookup(lanes):
        return ('%%0 = tex.xyzw coord0%s, t0, 2d, rgba @0\n%%1 = mul.xyz.sat primary.xyzw, %%0.xyzw @0\n'
                '%%2 = mov.w.sat primary.wwww @0\nresult %%1, %%2\n' % lanes)

    for chip in ('r200', 'i830', 'pica200', 'nv2a'):
        # a colour that the application sets later is loaded as a whole
        says(0, chip, chip, constant('env0.r', 'env0.g', 'env0.b', 'env0.a'))
        says(3, 'constant', chip, constant('env0.r', 'env1.g', 'env0.b', 'env0.a'))
        says(3, 'constant', chip, constant('env0.g', 'env0.g', 'env0.b', 'env0.a'))
        says(3, 'constant', chip, constant('env0.r', 'imm', 'env0.b', 'env0.a'))
        says(0, chip, chip, lookup(''))
        for moved in ('.yxzw', '.xyzz'):
            says(3, r'\[coordinates\]', chip, lookup(moved))
    undivided = lookup('.xyz')
    for chip in ('i830', 'pica200', 'nv2a'):  # their units divide by q for every lookup, or words do not say
        says(3, r'--assume undivided.*\[undivided\]', chip, undivided)
        for program, assumed in ((undivided, True), (undivided.replace('2d', 'cube'), False),
                                 (lookup(''), False)):
            r = expect(0, chip, 'convert', '-', '--from', 'ir', '--to', chip, '--assume', 'undivided',
                       stdin='!!texir1.0\n' + program)
            check(('# assumed: undivided' in r.stdout) == assumed, '%s: %s' % (chip, r.stdout[:400]))
        for source, twin in (('t0.str', 't0.stq_dq'), ('t0.stq', 't0.stq_dq')):
            text = '!!ATIfs1.0\nStartOutputPass;\nSampleMap r0, %s;\nMUL r0.rgba, r0, color0;\nEndPass;\n'
            ati = ['convert', '-', '--from', 'atifs', '--to', chip]
            expect(3, r'\[undivided\]', *ati, stdin=text % source)
            r = expect(0, '# assumed: undivided', *ati, '--assume', 'undivided', stdin=text % source)
            check([line for line in run(*ati, stdin=text % twin).stdout.split('\n') if line[:1] != '#'] ==
                  [line for line in r.stdout.split('\n') if line[:1] != '#'], '%s: other words' % chip)
    twice = ('%0 = tex.xyzw coord0, t0, 2d, rgba @0\n%1 = tex.xyzw coord0, t0, 1d, rgba @0\n'
             '%2 = mul.xyzw.sat %0.xyzw, %1.xyzw @0\nresult %2, %2\n')
    for form in ('glsl', 'arbfp', 'r300', 'i915', 'i830', 'nv2a'):
        says(3, 'several texture targets', form, twice)


def skipped():
    """Tests that --skip disables passes, also for chips."""
    for to in ('ir', 'r200'):
        most, least = (run('convert', '-e', '{T1+T2} {P+P} {P+T3}', '--to', to, *more).stdout
                       for more in (['--skip', 'all'], []))
        check(len(most.split('\n')) > len(least.split('\n')), '%s: --skip all changes nothing' % to)


def chips():
    text = run('convert', '--help').stdout
    return re.findall(r'^      (\w+) ', re.search(r'Chips:\n(.*?)\n\n', text, re.S).group(1), re.M)


def forms(chip):
    """Tests that all output formats, and --packets, have the same words."""
    for state in STATES:
        got = json.loads(run('convert', '-e', state, '--to', chip, '--format', 'json').stdout)
        check(len(got) == 1 and got[0]['target'] == chip and got[0]['state'] == 1,
              '%s %s: JSON' % (chip, state))
        if not got[0]['fits']:
            check(got[0]['reason'] and got[0]['code'] and 'words' not in got[0], '%s %s: refusal'
                  % (chip, state))
            continue
        words = [(a and int(a, 16), int(v, 16)) for a, v in got[0]['words']]
        check(words and all(c['word'] < len(words) for c in got[0]['constants']),
              '%s %s: words' % (chip, state))
        text = run('convert', '-e', state, '--to', chip).stdout
        numbers = run('convert', '-e', state, '--to', chip, '--format', 'hex').stdout
        check(words == [tuple(int(x, 16) for x in line.split()) if ' ' in line else (None, int(line, 16))
                        for line in numbers.split('\n') if line],
              '%s %s: hex and JSON differ' % (chip, state))
        check(run('asm', '--target', chip, '-', stdin=text).stdout == numbers, '%s %s: asm of the text'
              % (chip, state))
        again = run('disasm', '--target', chip, '-', stdin=numbers).stdout
        if again.startswith('!!'): # disasm printed a program (!!RC1.0) instead of words
            check(run('asm', '--target', chip, '-', stdin=again).stdout == numbers,
                  '%s %s: asm of the program' % (chip, state))
            continue
        check(again == ''.join(line + '\n' for line in text.split('\n') if line and line[0] != '#'),
              '%s %s: disasm of the numbers' % (chip, state))
        packets = run('convert', '-e', state, '--to', chip, '--format', 'hex', '--packets')
        if chip in ('etnaviv', 'ir3'):      # chips without packets
            check(packets.returncode == 2 and not packets.stdout, '%s: packets' % chip)
        else:
            check(run('disasm', '--target', chip, '-', stdin=packets.stdout).stdout == again,
                  '%s %s: disasm of packets' % (chip, state))
        c = run('convert', '-e', state, '--to', chip, '--format', 'c').stdout
        check([int(x, 16) for x in re.findall(r'0x([0-9a-f]{8})u', c)] == [v for _, v in words],
              '%s %s: C' % (chip, state))
        r = subprocess.run(['cc', '-std=c11', '-Wall', '-Werror', '-Wno-unused-variable',
                            '-Wno-unused-const-variable', '-fsyntax-only', '-x', 'c', '-'],
                           input=c, capture_output=True, text=True)
        check(r.returncode == 0, '%s %s: C does not compile: %s' % (chip, state, r.stderr[:200]))


def reports(chip):
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, 'a.stages'), 'w') as f:
            f.write('\n'.join(STATES) + '\n{T0*P @3d} {T1+P @shadow}\n')
        with open(os.path.join(folder, 'not an input.md'), 'w') as f:
            f.write('{')
        r = run('report', '--target', chip, folder)
        lines = r.stdout.rstrip('\n').split('\n')
        n = len(STATES) + 1
        check(sum(': state ' in line for line in lines) == n, '%s: a line a state: %s' % (chip, lines))
        fit = sum('fits: ' in line for line in lines)
        check('%s: %d states, %d fit' % (chip, n, fit) in r.stdout, '%s: totals' % chip)
        check(r.returncode == (0 if fit == n else 3), '%s: status %d with %d of %d'
              % (chip, r.returncode, fit, n))
        got = json.loads(run('report', '--target', chip, folder, '--json').stdout)
        check(len(got['states']) == n and got['totals']['fit'] == fit and sum(s['fits']
            for s in got['states']) == fit, '%s: JSON of report' % chip)
        for s in got['states']:
            check('stats' in s if s['fits'] else s['reason'] and 'would_fit_if' in s,
                  '%s: state %d of report' % (chip, s['state']))
        with open(os.path.join(folder, 'a.stages'), 'a') as f:
            f.write('{T0*}\n')
        check(run('report', '--target', chip, folder, '--json').stdout == '',
              '%s: JSON of a report on bad input' % chip)


def applied(state, number, path, hint):
    """Returns options and input for a state that is changed as the hint of a refusal suggests; None if the
    hint suggests something else."""
    off = re.fullmatch(r'units? ([0-9, and]+) (?:is|are) off', hint)
    plain = re.fullmatch(r'units? ([0-9, ]+) ha(?:s|ve) a 2D texture without comparison', hint)
    if off:
        gl = run('convert', '--to', 'gl', '-q', '--state', str(number), path).stdout
        calls = ''.join('glActiveTexture(GL_TEXTURE%s);\n' % u + ''.join(
            'glDisable(GL_TEXTURE_%s);\n' % t for t in ('1D', '2D', '3D', 'CUBE_MAP', 'RECTANGLE'))
            for u in re.findall('[0-7]', off[1]))
        return ['-e', gl.replace('glDrawArrays', calls + 'glDrawArrays')]
    if plain:
        stages = re.findall(r'\{[^}]*\}[^{]*', state)
        for u in map(int, re.findall('[0-7]', plain[1])):
            stages[u] = re.sub(' @(1d|rect|3d|cube)', '', stages[u]).replace('@shadow', '@depth')
        return ['-e', ''.join(stages)]
    words = hint.split()
    return [path, '--state', str(number), *words] if words[:1] == ['--assume'] else None


def hints(chip):
    """Tests the hints of refusals: a state that is changed as the hint suggests must fit."""
    states = [stages_print.state_text(s) for s in RandomStates(24, seed=43, features=ALL)]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'a.stages')
        with open(path, 'w') as f:
            f.write('\n'.join(states) + '\n')
        got = json.loads(run('report', '--target', chip, path, '--json', '-q').stdout)['states']
        check(len(got) == len(states), '%s: %d of %d states' % (chip, len(got), len(states)))
        for s in got:
            if s['fits'] or s['code'] == 'work':
                continue
            again = applied(states[s['state'] - 1], s['state'], path, s['would_fit_if'] or '')
            r = run('report', '--target', chip, '-q', *again) if again else None
            check(r and r.returncode == 0, '%s: %s: "%s": would fit if %s: %s'
                  % (chip, states[s['state'] - 1], s['reason'], s['would_fit_if'], r and r.stdout + r.stderr))


def bad_input(chip):
    numbers = run('convert', '-e', '{T0*P}', '--to', chip, '--format', 'hex').stdout.split('\n')
    stream = ' ' not in numbers[0]
    expect(1, r'<stdin>:1:1: error: hexadecimal|<stdin>:1:1: error: a hexadecimal', 'disasm', '--target',
           chip, '-', stdin='xyz\n')
    expect(1, r'no words', 'disasm', '--target', chip, '-', stdin='# nothing\n')
    expect(1, r'<stdin>:2:1: error: .*no register', 'asm', '--target', chip, '-',
           stdin='#\nNO_SUCH_REGISTER\n')
    expect(1, r'this is no packet|no such register' if stream else r'no such register', 'disasm', '--target',
           chip, '-', stdin='0\n' if stream else '0xffff 0\n')
    for extra in ('--format', '--packets'):
        expect(2, "chip's words", 'convert', '-e', '{T0}', *([extra, 'hex'] if extra == '--format' else [extra]))
    expect(2, r"does not take 'no-such'|has no assumptions", 'convert', '-e', '{T0}', '--to', chip,
           '--assume', 'no-such')
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'out')
        run('disasm', '--target', chip, '-', '-o', path, stdin='xyz\n')
        check(not os.path.exists(path), '%s: a file after an error' % chip)
        run('disasm', '--target', chip, '-', '-o', path, stdin='\n'.join(numbers))
        check(os.path.exists(path) and os.path.getsize(path) > 10, '%s: no file' % chip)


def parameters(chip):
    """Tests constants whose values are not in the input: the output names the parameter and has no value."""
    text = '!!ATIfs1.0\nStartConstants;\nCONSTANT c0 = program.env[0];\nCONSTANT c1 = program.local[3];\nEndConstants;\nStartOutputPass;\nSampleMap r0, t0.stq_dq;\n' \
           'MUL r0, r0, c0;\nADD r0.sat, r0, c1;\nEndPass;\n'
    got = json.loads(run('convert', '--from', 'atifs', '--to', chip, '--format', 'json', '-',
                         stdin=text).stdout)[0]
    named = {(c['unit'], c.get('env'), c.get('local')) for c in got['constants']}
    lanes = {lane['from'] for c in got['constants'] for lane in c['lanes'] if lane and 'from' in lane}
    check(named == {(None, 0, None), (None, None, 3)} or
          chip in ('etnaviv', 'ir3', 'i915') and lanes == {'program.env[0]', 'program.local[3]'},
          '%s: parameters are %s' % (chip, named))
    words = run('convert', '--from', 'atifs', '--to', chip, '-', stdin=text).stdout
    check('program.env[0]' in words and 'program.local[3]' in words, '%s: parameters are not named' % chip)


def derived(chip):
    """Tests that chips with float constants get 1-C as a constant by default."""
    state = '{P*~C; P*C} C0=(0.25,0.5,0.125,1)'

    def lanes(*words):
        got = json.loads(run('convert', '--from', 'stages', '--to', chip, '--format', 'json', '-e', state,
                             *words).stdout)[0]
        return {lane['expr']: x for c in got['constants'] for lane, x in zip(c['lanes'], c['value'])
                if lane and 'expr' in lane}
    name = 'state.texenv[0].color.'
    want = {'1-' + name + 'x': 0.75, '1-' + name + 'y': 0.5, '1-' + name + 'z': 0.875}
    computes = chip in ('r300', 'r400', 'r500', 'etnaviv', 'ir3', 'i915')
    check(lanes() == (want if computes else {}), '%s: computed are %s' % (chip, lanes()))
    for words in (['--no-derive-constants'], ['-O0'], ['--fold-constants']):
        check(not lanes(*words), '%s %s: computed are %s' % (chip, words, lanes(*words)))
    for form in ('text', 'c'):
        text = run('convert', '--from', 'stages', '--to', chip, '--format', form, '-e', state).stdout
        check(('1-' + name + 'x' in text) == computes, '%s, %s: the expression' % (chip, form))


def rules_of_kept():
    """Tests --rule-counts for chips where two programs are compiled, with and without constants computed from
    others: the rules applied to the program that is kept are counted. The first state would be longer with
    such constants."""
    for state, computed in (
            ('{lerp(~C.a,0,~C); P*F} {blend} {add} C0=(0.5,0.5,0.17,0.95) C1=(0.2,1,0.5,0.375)', False),
            ('{P*P+P*P.a-0.5; ~C*C+T0*P} C0=(1,0.4,1,0)', True)):
        both = [run('convert', '--to', 'ir3', '--rule-counts', '-e', state, *words)
                for words in ([], ['--no-derive-constants'])]
        check((both[0].stdout != both[1].stdout) == computed, 'words of ' + state)
        check((both[0].stderr != both[1].stderr) == computed, 'rules of ' + state)


def options():
    """Tests that options of one chip are refused for others."""
    expect(2, '--primary-texcoord is no option of r300', 'convert', '-e', '{T0}', '--to', 'r300',
           '--primary-texcoord', '2')
    expect(2, 'an option of a chip', 'convert', '-e', '{T0}', '--primary-texcoord', '2')
    expect(2, 'a number from 0 to 5', 'convert', '-e', '{T0}', '--to', 'r200', '--primary-texcoord', '6')


def assumptions():
    """Tests that --assume enables only the assumption that it names."""
    state = ('{P*T0+T1*P} {lerp(T0,P,T1)} {lerp(P,T0,T1)} {lerp(P,T2,T3)} {lerp(P,T4,T2)} {lerp(P,T0,T1)} '
             '{lerp(P,T3,T4)} {lerp(P,T0,T1)}')  # nine pairs; the first pass reads the primary colour
    report = ['report', '--target', 'r200', '-O', '0', '-e', state]
    expect(3, 'does not fit', *report)
    expect(0, r'fits: .*\(by assumption\)', *report, '--assume', 'primary-in-first-pass')
    expect(3, 'does not fit', *report, '--assume', 'alpha-dot-modifiers', '--assume', 'limited-output')


def dots():
    """Tests that the i830 refuses a dot product of values that may be outside of [-1,1]."""
    expect(3, r'outside of \[-1,1\]', 'convert', '--from', 'atifs', '--to', 'i830', '-',
           stdin='!!ATIfs1.0\nStartOutputPass;\n  ADD r1.rgb, color0, color0;\n'
                 '  DOT3 r0.rgb.sat, r1, color0;\n  MOV r0.a.sat, color0;\nEndPass;\n')


def keys():
    """Tests that two states have the same key if and only if they compile to the same program."""
    def key(state, *options):
        r = run('key', '-q', '-e', state, *options)
        check(r.returncode == 0 and re.match(r'[0-9a-f]{16} <text>:1\n$', r.stdout),
              'key of %s: %r' % (state, r.stdout + r.stderr))
        return r.stdout[:16]
    same = [('{T0*P}', '{P*T0}'), ('{T0} {T1}', '{} {T1}'), ('{C*P} C0=(0,.5,1,1)', '{C*P} C0=(1,1,1,1)'),
            ('{modulate}', '{T0*P}')]
    other = [('{T0*P}', '{T1*P} {P}'), ('{T0*P}', '{T0*P}*2'), ('{T0-P}', '{P-T0}'), ('{T0*P}', '{T0*P; T0}')]
    for a, b in same:
        check(key(a) == key(b), 'keys of %s and %s differ' % (a, b))
    for a, b in other:
        check(key(a) != key(b), '%s and %s have one key' % (a, b))
    a, b = same[2]
    check(key(a, '--fold-constants') != key(b, '--fold-constants'),
          'colours that are compiled in share a key')
    expect(2, 'no key', 'key', '-e', '!!texir1.0\n%0 = mov.xyzw primary.xyzw @-\nresult %0, %0\n')
    expect(0, '2 states, 1 different', 'key', '-e', '{T0*P}', '-e', '{P*T0}')


names = chips()
keys()
rules_of_kept()
options()
assumptions()
dots()
check(len(names) >= 1, 'no chips')
for name in names:
    forms(name)
    reports(name)
    hints(name)
    bad_input(name)
    parameters(name)
    derived(name)
searches()


def several():
    """asm and disasm keep states apart, and the diagnostics of each have the line in the whole text."""
    source = '\n'.join(state for state in STATES[:3] + ['{T0 @rect}']) + '\n'
    for chip in names:
        text = run('convert', '--to', chip, '-', stdin=source).stdout
        numbers = run('convert', '--to', chip, '--format', 'hex', '-', stdin=source).stdout
        kept = ''.join(line + '\n' for line in numbers.splitlines() if 'refused:' not in line)
        check(run('asm', '--target', chip, '-', stdin=text).stdout == kept, chip + ': asm of several states')
        shown = run('disasm', '--target', chip, '-', stdin=numbers).stdout
        check(shown.count('# state ') == kept.count('# state '), chip + ': disasm of several states')
        check(run('asm', '--target', chip, '-', stdin=shown).stdout == kept, chip + ': asm of these')
        wrong = text.splitlines()
        at = wrong.index(next(line for line in wrong if line.startswith('# state 3'))) + 1
        wrong.insert(at, '    nothing here')
        expect(1, r'<stdin>:%d:\d+: error: ' % (at + 1), 'asm', '--target', chip, '-', stdin='\n'.join(wrong))
        expect(1, r'<stdin>:2:1: error: these are words already', 'asm', '--target', chip, '-',
               stdin='# state 1\n0x12345678\n')
        if chip == 'nv2a':  # its text is a program, which convert reads, too
            for form in ('json', 'c'):
                expect(2, "take one program; '<stdin>' has several", 'convert', '--from', 'rc', '--to', chip,
                       '--format', form, '-', stdin=text)
            again = run('convert', '--from', 'rc', '--to', chip, '--format', 'hex', '-', stdin=text).stdout
            check(again == kept, 'several programs of register combiners')
    many = run('asm', '--target', names[0], '-', stdin='\n' + 'nothing here\n' * 30).stderr
    check(many.count('error:') == 20 and '<stdin>:22:' in many and 'more errors are not shown' in many,
          'how many errors are shown: %s' % many[-300:])


several()
programs()
skipped()
expect(2, '--print-after is given twice', 'convert', '--to', 'ir3', '--print-after', 'select',
       '--print-after', 'select', '-e', '{T0}')
expect(0, r'# r1\.x: the colour|# r0\.x: the colour', 'convert', '--to', 'ir3', '-e', '{T0*P}')
expect(0, r'# varyings 4n to 4n\+3, n = 1: color0', 'convert', '--to', 'ir3', '-e', '{T0*P}')
expect(0, r'# T register 8: color0', 'convert', '--to', 'i915', '-e', '{T0*P}')
expect(2, 'needs --target CHIP, which is one of r200, i830, ', 'report', '-e', '{T0}')
expect(2, 'needs --target CHIP, which is one of r200, i830, ', 'disasm', '-')
expect(2, "does not take --to: --target names the chip", 'report', '--to', 'r200', '-e', '{T0}')
expect(2, "does not take --target: --to names the chip", 'convert', '--target', 'r200', '-e', '{T0}')
expect(2, '--chip-option halti is no option of ir3; these are: level', 'convert', '--to', 'ir3', '--chip-option',
       'halti=9', '-e', '{T0}')
expect(2, '--chip-option halti takes a number from 0 to 5', 'convert', '--to', 'etnaviv', '--chip-option',
       'halti=9', '-e', '{T0}')
for chip in names:
    for stage in ('vertex', 'both'):
        for form in ('text', 'hex', 'json', 'c'):
            vertex = chip in ('r300', 'r400', 'r500')
            expect(2 if vertex and form == 'c' else 0 if vertex else 3,
                   '' if vertex else '%s: words of a vertex engine are made for r300, r400 and r500 only' % chip,
                   'convert', '--to', chip, '--stage', stage, '--format', form, '-e', '{T0*P}')
expect(2, "did you mean", 'report', '--target', names[0] + 'x', '-e', '{T0}')
print('chips_cli: %s: %d checks, %d failed' % (' '.join(names), checks, failures))
sys.exit(bool(failures))
