#!/usr/bin/env python3
"""Tests asm and disasm for the NV2A, between programs of register combiners ("!!RC1.0", notes/facts/nvrc.md)
and words: programs with words derived by hand, programs that are refused at a given place, and words of
random states that must read back.

usage: nv2a_rc.py [--count N]
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool

TAIL = '{ rgb { spare0 = col0; } } out.rgb = spare0; out.a = col0.a;'

# (name, program text after "!!RC1.0", {method: expected word, or None if it must be absent}); a method is the
# address of a register. Comments give the fields of an input: mapping << 5 | alpha << 4 | register.
TEXTS = (
    ('bare inputs are signed; a product with one',
     '{ rgb { spare0 = tex0; } alpha { spare0 = -tex0; } } out.rgb = spare0; out.a = spare0;',
     # A is t0 with mapping 6, signed identity, B is one; alpha half: mapping 7, signed negate
     {0x0AC0: 0xC8200000, 0x0260: 0xF8200000, 0x1E40: 0x000000C0, 0x0AA0: 0x000000C0,
      0x0288: 0x0000000C, 0x028C: 0x00001C00, 0x1E60: 0x00011001}),
    ('every mapping', '{ rgb { discard = unsigned(tex0) * unsigned_invert(tex1); discard = expand(tex2) * -expand(tex3);'
     ' spare1 = sum(); } alpha { discard = half_bias(col0.b) * -half_bias(col1.a); discard = zero * one;'
     ' spare1 = mux(); } } out.rgb = spare1;',
     # 0<<5|8, 1<<5|9, 2<<5|10, 3<<5|11; 4<<5|4 blue, 5<<5|1<<4|5, bare 6<<5, 1<<5
     {0x0AC0: 0x08294A6B, 0x0260: 0x84B5C020, 0x1E40: 0x00000D00, 0x0AA0: 0x00004D00}),
    ('dot products, constants of a stage and of the final combiner',
     'const1 = (1, 0.5, 0, 0.2); { const0 = (0, 0.2, 0.4, 1); rgb { tex0 = expand(const0) . tex1.rgb;'
     ' tex2 = const0.a . tex1.a; bias_by_negative_one_half_scale_by_two(); } } out.rgb = const1; out.a = const1.a;',
     # A c0 2<<5|1, B t1 6<<5|9, C c0 alpha 6<<5|1<<4|1, D t1 alpha 6<<5|1<<4|9; outputs: CD to t2, AB to t0,
     # both dot products, operation on results 3<<15
     {0x0AC0: 0x41C9D1D9, 0x1E40: 0x0001B08A, 0x0A60: 0xFF003366, 0x1E24: 0x33FF8000,
      0x0288: 0x00000002, 0x028C: 0x00001200}),
    ('lerp, a product and a sum; comments', '# one\n{ rgb { spare0 = tex0; } } // two\nclamp_color_sum(); /* three\n */'
     'final_product = fog.a * unsigned_invert(col1); out.rgb = lerp(fog.a, color_sum, final_product) + zero;'
     'out.a = unsigned_invert(spare0.b);',
     # A fog alpha 1<<4|3, B sum 14, C product 15; E fog alpha,
     # F v1 inverted 1<<5|5, G r0 blue inverted, clamp 1<<7
     {0x0288: 0x130E0F00, 0x028C: 0x13252C80}),
    ('constants of the program are those of its stages, too, which have none of their own',
     'const0 = (1, 1, 1, 1); const1 = (0, 0, 0, 1); { rgb { spare0 = const0 * const1; } }'
     '{ const1 = (0, 0, 1, 0); rgb { spare1 = const1; } } out.rgb = const0;',
     {0x0A60: 0xFFFFFFFF, 0x0A80: 0xFF000000, 0x0A64: None, 0x0A84: 0x000000FF, 0x1E20: 0xFFFFFFFF,
      0x1E24: 0xFF000000}),
    ('mux looks at the highest bit of alpha (notes/facts/nvrc.md: 1/2)', '{ rgb { discard = tex0; discard = tex1;'
     'spare0 = mux(); } } out.rgb = spare0;', {0x1E60: 0x00011101, 0x1E40: 0x00004C00}),
    ('color_sum as a factor is B, in a sum D', 'out.rgb = color_sum * tex0 + tex1;', {0x0288: 0x080E0009}),
    ('color_sum in a sum', 'out.rgb = tex0 + color_sum;', {0x0288: 0x200E0008}),
    ('nothing at all: not all words of the final combiner are 0 (notes/facts/nv2a.md 4)', 'out.rgb = zero;',
     {0x0288: 0, 0x028C: 0x00000080}),
    ('comments of the chip', '# nv2a: textures 1 0 3 2\n{ rgb { # nv2a: blue to alpha\nspare0 = tex0 . tex1; } }'
     'out.rgb = spare0;', {0x1E70: 0x00010C01, 0x1E40: 0x000820C0}),
    ('a product', TAIL.replace('out.rgb = spare0', 'out.rgb = tex0 * tex1 + tex2'), {0x0288: 0x0809000A}),
    ('a sum', TAIL.replace('out.rgb = spare0', 'out.rgb = tex0 + tex1'), {0x0288: 0x09200008}),
    ('the summand first', TAIL.replace('out.rgb = spare0', 'out.rgb = tex2 + lerp(tex0, tex1, zero)'),
     {0x0288: 0x0809000A}),
    ('no stage: one that does nothing', 'out.rgb = tex0; out.a = tex0.a;',
     {0x1E60: 0x00011001, 0x0AC0: 0, 0x1E40: 0, 0x0288: 0x00000008}),
)

# text after the line "!!RC1.0", line:column of the error, a part of the message
REFUSED = (
    ('', '2:1', 'the end of the text'),
    ('{ rgb { spare0 = tex0; }', '2:25', 'found the end of the text'),
    ('{ rgb { spare0 = tex4; } } out.rgb = zero;', '2:18', 'expected a register, found "tex4"'),
    ('{ rgb { const0 = tex0; } } out.rgb = spare0;', '2:9', 'can be written'),
    ('{ rgb { fog = tex0; } } out.rgb = spare0;', '2:9', 'can be written'),
    ('{ rgb { spare0 = tex0 } } out.rgb = spare0;', '2:23', 'expected ";"'),
    ('{ rgb { spare0 = tex0.b; } } out.rgb = spare0;', '2:23', 'blue is an input of alpha'),
    ('{ alpha { spare0 = tex0 . tex1; } } out.rgb = spare0;', '2:27', 'expected a or b'),
    ('{ rgb { spare0 = tex0; spare0 = tex1; } } out.rgb = spare0;', '2:24', 'two results go to one register'),
    ('{ rgb { spare0 = sum(); } } out.rgb = spare0;', '2:18', 'after two products'),
    ('{ rgb { discard = tex0 . tex1; discard = tex0; spare0 = sum(); } } out.rgb = spare0;', '2:57',
     'none of them a dot product'),
    ('{ rgb { scale_by_two(); } } out.rgb = spare0;', '2:9', 'nothing is computed'),
    ('{ rgb { spare0 = tex0; tex1 = tex1; col0 = tex0; } } out.rgb = spare0;', '2:44', 'two products'),
    ('{ rgb { spare0 = -one; } } out.rgb = spare0;', '2:19', 'takes no mapping'),
    ('{ rgb { spare0 = color_sum; } } out.rgb = spare0;', '2:18', 'inputs of out.rgb'),
    ('{ rgb { spare0 = tex0; } rgb { spare1 = tex0; } } out.rgb = spare0;', '2:26', 'given twice'),
    ('const0 = (0, 0, 0); ' + TAIL, '2:18', 'expected ","'),
    ('const0 = (0, 0, 0, x); ' + TAIL, '2:20', 'expected a number'),
    (TAIL + ' out.x = tex0;', None, 'expected rgb or a'),
    (TAIL + '\n\n  spare0', '4:3', 'expected a stage or the final combiner'),
    ('{ rgb { spare0 = tex0; } }\n' * 9 + 'out.rgb = spare0;', '10:1', 'eight general stages'),
    ('{ rgb { spare0 = tex0; } }', '2:27', 'found the end of the text'),
    ('out.rgb = expand(tex0);', '2:11', 'expected a register'),
    ('{ rgb { spare0 = const0; } } out.rgb = spare0;', '2:18', 'has no value here'),
    ('out.rgb = const1;', '2:11', 'has no value here'),
    ('const0 = (0, 0, 0, 1); const0 = (0, 0, 0, 1); ' + TAIL, '2:24', 'given twice'),
    ('const0 = (0, 0, 0, 1.5); ' + TAIL, '2:20', 'from 0 to 1'),
    ('const0 = (0, 0, 0, -1); ' + TAIL, '2:20', 'from 0 to 1'),
    ('{ alpha { spare0 = tex0.rgb; } } out.rgb = spare0;', '2:25', 'an input of alpha is a number'),
    ('{ rgb { spare0 = discard; } } out.rgb = spare0;', '2:18', 'expected a register'),
    ('{ rgb { zero = tex0; } } out.rgb = spare0;', '2:9', 'can be written'),
    ('{ rgb { spare0 = fog.a; } } out.rgb = spare0;', '2:21', 'input of the final combiner alone'),
    ('{ rgb { spare0.a = tex0; } } out.rgb = spare0;', '2:16', 'expected rgb'),
    ('{ rgb { spare0 = expand(tex0; } } out.rgb = spare0;', '2:29', 'expected ")"'),
    ('{ rgb { spare0 = tex0; scale_by_two(); spare1 = tex0; } } out.rgb = spare0;', '2:40', 'expected "}"'),
    ('{ rgb { } } out.rgb = spare0;', '2:9', 'can be written'),
    ('{ } out.rgb = spare0;', '2:3', 'expected "rgb", "alpha" or "}"'),
    ('out.rgb = final_product;', '2:11', 'final_product has no value here'),
    ('out.rgb = tex0 * tex1 + tex2 * tex3;', '2:11', 'one product or lerp'),
    ('out.rgb = tex0 + tex1 + tex2;', '2:23', 'expected ";"'),
    ('out.rgb = lerp(color_sum, tex0, tex1);', '2:11', 'color_sum cannot'),
    ('out.rgb = tex0; out.rgb = tex1;', '2:17', 'given twice'),
    ('out.a = color_sum;', '2:9', 'inputs of out.rgb alone'),
    ('clamp_color_sum();', '2:19', 'found the end of the text'),
    ('# nv2a: textures 1 2 3\n' + TAIL, '2:1', 'no such comment'),
    ('# nv2a: textures 1 2 3 32\n' + TAIL, '2:1', 'no such comment'),
    ('{ alpha { # nv2a: blue to alpha\nspare0 = tex0; } } out.rgb = spare0;', '3:16', 'first result'),
    ('/* ' + TAIL, '2:%d' % (len(TAIL) + 4), 'found the end of the text'),
    ('final_product = color_sum * tex0; out.rgb = zero;', '2:17', 'inputs of out.rgb alone'),
)


def asm(text):
    return tool.Run(['asm', '--target', 'nv2a', '-'], text)


def words(run):
    return {int(a, 16): int(v, 16) for a, v in (line.split() for line in run.out.splitlines())}


def texts(checks):
    for name, text, wanted in TEXTS:
        run = asm('!!RC1.0\n' + text + '\n')
        checks.check(run.status == 0 and not run.err, '%s: %d %s' % (name, run.status, run.err))
        got = words(run)
        for method, word in wanted.items():
            checks.check(got.get(method) == word, '%s: %04X is %s, not %s' % (name, method, got.get(method), word))


def refused(checks):
    for text, place, part in REFUSED:
        run = asm('!!RC1.0\n' + text)
        checks.check(run.status == 1 and not run.out, 'taken: %s' % text)
        checks.check(part in run.err and (place is None or ':%s: error' % place in run.err),
                     '%s: %s at %s is wanted: %s' % (text, part, place, run.err.splitlines()[:1]))
    text = '!!RC1.0\n' + TAIL
    run = tool.Run(['convert', '--from', 'rc', '--to', 'nv2a', '--format', 'hex', '-'], text)
    checks.check(run.status == 0 and run.out == asm(text).out, 'convert: %d %s' % (run.status, run.err))
    words_of = [line.split() for line in run.out.splitlines()]
    run = tool.Run(['convert', '--from', 'rc', '--to', 'nv2a', '--format', 'json', '-'], text)
    checks.check(run.status == 0 and json.loads(run.out) == [{'target': 'nv2a', 'words': words_of}],
                 'JSON: %d %s%s' % (run.status, run.out, run.err))
    run = tool.Run(['convert', '--from', 'rc', '--to', 'nv2a', '--format', 'c', '-'], text)
    checks.check(run.status == 0 and re.findall(r'\{(0x\w+)u, (0x\w+)u\}', run.out) == [tuple(w) for w in words_of],
                 'C: %d %s%s' % (run.status, run.out, run.err))
    for to, status in (('r200', 3), ('glsl', 2)):
        run = tool.Run(['convert', '--from', 'rc', '--to', to, '-'], text)
        checks.check(run.status == status and not run.out, 'convert --to %s: %d %s' % (to, run.status, run.err))
    for text in ('!!RC1.1\n', '!!RC1', 'rgb'):
        checks.check(asm(text).status == 1, 'taken: %s' % text)


def both_ways(checks, count):
    """Tests that asm is the inverse of disasm for words of random states."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'a.stages')
        subprocess.run([sys.executable, '-m', 'oracle', 'random', '--emit', path, '--count', str(count), '--seed', '14',
                        '--texture-units', '4'], check=True, cwd=tool.TOP, stdout=subprocess.DEVNULL)
        run = tool.Run(['convert', '-q', '--from', 'stages', '--to', 'nv2a', '--format', 'json', path])
    for o in json.loads(run.out):
        if not o['fits']:
            continue
        text = ''.join('%s %s\n' % tuple(w) for w in o['words'])
        program = tool.Run(['disasm', '--target', 'nv2a', '-'], text)
        checks.check(program.out.startswith('!!RC1.0\n'), 'no program: %s' % program.out)
        checks.check(asm(program.out).out == text, 'not the same words:\n%s%s' % (text, program.out))


# Changes of one word of MUX after which no program of register combiners has these words: (reason, method,
# word).
MUX = '!!RC1.0\n{ rgb { spare0 = tex0; discard = tex1; spare1 = mux(); } } out.rgb = spare0;'
OTHER = (
    ('the lowest bit selects', 0x1E60, 0x00011001), ('one constant for all stages', 0x1E60, 0x00010101),
    ('nine stages', 0x1E60, 0x00011109), ('an inverted input of the colour sum', 0x028C, 0x00000020),
    ('the blue of CD', 0x1E40, 0x00044DC0), ('a dot product beside mux', 0x1E40, 0x00006DC0),
    ('register 6', 0x0AC0, 0xC6200920), ('operation 5', 0x1E40, 0x0002CDC0),
    ('a signed input of the final combiner', 0x0288, 0x000000CC), ('a method that is no combiner\'s', 0x0300, 1),
)


def others(checks):
    """Tests that disasm prints words that no program has register by register, and asm reads this output."""
    program = asm(MUX).out
    run = tool.Run(['disasm', '--target', 'nv2a', '-'], program)
    checks.check(run.out.startswith('!!RC1.0\n'), 'no program: %s' % run.out)
    for name, method, word in OTHER:
        lines = [line for line in program.splitlines() if int(line.split()[0], 16) != method]
        run = tool.Run(['disasm', '--target', 'nv2a', '-'], '\n'.join(lines + ['0x%04x 0x%08x' % (method, word)]))
        checks.check('RC1.0' not in run.out, '%s: %s' % (name, run.out))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--count', type=int, default=60)
    options = parser.parse_args()
    checks = tool.Checks('nv2a_rc')
    texts(checks)
    refused(checks)
    others(checks)
    both_ways(checks, options.count)
    checks.finish()


if __name__ == '__main__':
    main()
