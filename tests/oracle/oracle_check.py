"""Tests the oracle's commands: deliberate faults are found, refusals are judged, and texts of GL calls read
back."""
import io
import os
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from oracle import __main__  # noqa: E402
from oracle.commands import check, inputs  # noqa: E402
from oracle.commands.compare import Comparer, DEFAULT_OPTIONS, steep_inputs  # noqa: E402
from oracle.gl import gl_print  # noqa: E402
from oracle.texenv import stages  # noqa: E402
from oracle.texenv.liveness import live_textures, refusal_holds  # noqa: E402
from oracle.texenv.random_states import ALL, RandomStates  # noqa: E402
from oracle.texenv.state import resolve  # noqa: E402
from oracle.texenv.steep import is_steep  # noqa: E402

STATE = '{T*P+C}*2 C0=(0.5,0.25,0,1)'
PROGRAM = '''!!ATIfs1.0
# bind r0 texture=0 coord=0
# const c0 unit=0 env-color
StartConstants;
  CONSTANT c0 = {0.5, 0.25, 0, 1};
EndConstants;
StartOutputPass;
  SampleMap r0, t0.stq_dq;
  MAD r0.rgb.2x.sat, r0, color0, c0;
  MAD r0.a.2x.sat, r0, color0, c0;
EndPass;
'''
IR = '''!!texir1.0
const c0 = (env0.r 0.5, env0.g 0.25, env0.b 0, env0.a 1)
%0 = tex.xyzw coord0, t0, 2d, rgba  @0
%1 = mad.xyz.2x.sat %0.xyzw, primary.xyzw, c0.xyzw  @0
%2 = mad.w.2x.sat %0.xyzw, primary.xyzw, c0.xyzw  @0
result %1, %2
'''


def only(text):
    return next(stages.read(text))[0]


class Mutations(unittest.TestCase):
    """One correct program, and wrong ones each of which must be noticed."""

    def compare(self, text, state=STATE, options=DEFAULT_OPTIONS):
        return Comparer(options, 16).compare(only(state), text)

    def test_right(self):
        self.assertIsNone(self.compare(PROGRAM))

    def test_wrong(self):
        wrong = [('.rgb.2x.sat', '.rgb.sat'), ('r0.a.2x', 'r0.a.4x'), ('r0, color0, c0', 'r0, c0, color0'),
                 ('.rgb.2x.sat', '.rgb.2x'),
                 ('MAD r0.a', 'LERP r0.a'), ('color0, c0', 'color0, c0.comp'), ('color0, c0', 'color0.a, c0'),
                 ('0.25', '0.26'),
                 ('unit=0 env', 'unit=1 env'), ('texture=0', 'texture=1'), ('coord=0', 'coord=1'),
                 ('t0.stq_dq', 't0.str'),
                 ('# const c0 unit=0 env-color\n', ''), ('MAD r0.rgb.2x.sat, r0', 'MAD r1.rgb.2x.sat, r0'),
                 ('  MAD r0.a.2x.sat, r0, color0, c0;\n', ''), ('r0.a.2x.sat, r0', 'r0.a.2x.sat, r0.r'),
                 ('c0;\nEndPass', 'c0.bias;\nEndPass'), ('MAD r0.rgb', 'ADD r0.rgb'), ('EndPass;\n', '')]
        for old, new in wrong:
            self.assertIn(old, PROGRAM)
            self.assertIsNotNone(self.compare(PROGRAM.replace(old, new, 1)), (old, new))

    def test_ir(self):
        options = DEFAULT_OPTIONS._replace(to='ir')
        self.assertIsNone(self.compare(IR, options=options))
        for old, new in [('.xyz.2x.sat', '.xyz.sat'), ('.2x.sat', '.2x'), ('t0, 2d, rgba', 't0, 2d, rgb'),
                         ('0.25', '0.2'),
                         ('result %1, %2', 'result %1, %1'), ('mad.w', 'lerp.w'), ('c0.xyzw', 'c0.xyzw.comp'),
                         ('c0.xyzw', 'c0.yyzw'),
                         ('primary.xyzw', 'primary.-xyzw'), ('tex.xyzw', 'tex.xyz'), ('%1 =', '%3 ='),
                         ('env0.g', 'env0.b')]:
            self.assertIn(old, IR)
            self.assertIsNotNone(self.compare(IR.replace(old, new, 1), options=options), (old, new))


STEEP = '{T0+T0-0.5}*4 {P+P-0.5}*4 {P+P-0.5}*4'
STEEP_PAIRS = [
    (STEEP + ' {P*P}', STEEP + ' {P}'),
    (STEEP + ' {P*~P}*4', STEEP + ' {0; 0}'),
    ('{T0-T1}*4 {P+P-0.5}*4 {P+P-0.5}*4 {P+P-0.5}*4 {P+F-0.5}',
     '{T0-T1}*4 {P+P-0.5}*4 {P+P-0.5}*4 {P+P-0.5}*4 {P*P} {P+F-0.5}'),
    ('{dot3(T0,T1)}*4 {P+P-0.5}*4 {P+P-0.5}*4 {P*~P}', '{dot3(T0,T1)}*4 {P+P-0.5}*4 {P+P-0.5}*4 {0; P*~P}'),
    ('{T0*T1+T2*F-0.5}*4 {P+P-0.5}*4 {P+P-0.5}*4 {P+P-0.5}*4 {P*P+P*~P}',
     '{T0*T1+T2*F-0.5}*4 {P+P-0.5}*4 {P+P-0.5}*4 {P+P-0.5}*4 {P*P}'),
    (STEEP + ' {P+P-0.5}*4 {P+P-0.5}*4 {P*P}', STEEP + ' {P+P-0.5}*4 {P+P-0.5}*4 {P}'),
]
STEEP_PROGRAM = '''!!ATIfs1.0
# bind r0 texture=0 coord=0
StartOutputPass;
  SampleMap r0, t0.stq_dq;
  ADD r0.4x.sat, r0, r0.bias;
  ADD r0.4x.sat, r0, r0.bias;
  ADD r0.4x.sat, r0, r0.bias;
  MUL r0.sat, r0, r0;
EndPass;
'''


class Steep(unittest.TestCase):
    """Errors of steep functions that ordinary vectors do not show are found on vectors that a search
    chooses."""

    def pair(self, x, y):
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in 'ab']
            for path, text in zip(paths, (x, y)):
                with open(path, 'w') as f:
                    f.write(text)
            args = __main__.build_parser().parse_args(['equiv', '--name-a', 'first', '--name-b', 'second',
                                                       *paths])
            with mock.patch('sys.stdout', io.StringIO()) as out:
                return args.run(args), out.getvalue()

    def test_pairs(self):
        for x, y in STEEP_PAIRS:
            status, out = self.pair(x, y)
            self.assertEqual(status, 1, (x, y))
            self.assertIn('first: (', out)
            self.assertEqual(self.pair(x, x)[0], 0)

    def test_check(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'x.stages')
            with open(path, 'w') as f:
                f.write(STEEP + ' {P*P}\n')
            for text, mismatches in ((STEEP_PROGRAM, 0), (STEEP_PROGRAM.replace('MUL r0.sat, r0, r0',
                'MOV r0.sat, r0'), 1)):
                with mock.patch.object(check.texenvc, 'convert', return_value=(0, text, '')):
                    self.assertEqual(check.check_files([path], None, DEFAULT_OPTIONS).mismatches, mismatches,
                                     text)

    def test_vectors_depend_on_the_state_only(self):
        state = only(STEEP + ' {P*P}')
        first, _, again = (steep_inputs(s, DEFAULT_OPTIONS) for s in (state, only('{T*F}*4 {P*T}*4 {P+P}'),
            state))
        self.assertEqual([n.col for n in first.columns.values()], [n.col for n in again.columns.values()])
        self.assertEqual([is_steep(only(t)) for t in (STEEP, '{T*P}*4', '{dot3(T,F)} {dot3(P,T)}',
                                                      '{T*P}*4 {F*P}')], [True, False, True, False])

    def test_colours(self):
        program = PROGRAM.replace('0.5, 0.25, 0, 1', '0, 0, 0, 0')
        folded = PROGRAM.replace('# const c0 unit=0 env-color\n', '')
        for x, y, status, words in [
                ('{P*C} C0=(1,1,1,1)', '{P}', 0, 'no difference on'), ('{P*C}', '{P}', 1, 'C of unit 0 = ('),
                ('{P*C}', '{C*P}', 0, ''),
                ('{0}', '{1}', 1, 'all inputs 0'), (STATE, PROGRAM, 0, ''), (STATE, folded, 0, ''),
                ('{T*P+C}*2', program, 0, ''),
                (STATE, PROGRAM.replace('0.25', '0.26'), 1, ''), (STATE, program, 1, ''), (STATE, IR, 0, ''),
                (PROGRAM, IR, 0, ''),
                (STATE, PROGRAM.replace('{0.5, 0.25, 0, 1}', 'program.local[0]'), 0, '')]:
            got, out = self.pair(x, y)
            self.assertEqual(got, status, (x, y, out))
            self.assertIn(words, out)


class Refusals(unittest.TestCase):
    def test_reasons(self):
        shadow = 'shadow comparison cannot be expressed'
        self.assertIsNone(refusal_holds(shadow, only('{T @shadow}'))[1])
        self.assertIsNotNone(refusal_holds(shadow, only('{T @depth}'))[1])
        self.assertIsNotNone(refusal_holds(shadow, only('{T @shadow} {F}'))[1])  # the stage is dead
        # the rgb of the texture is 0
        self.assertIsNotNone(refusal_holds(shadow, only('{T; P @shadow:alpha}'))[1])
        self.assertIsNone(refusal_holds('texture unit 6 is out of reach', only('{} {} {} {} {} {} {T}'))[1])
        self.assertIsNotNone(refusal_holds('texture unit 6 is out of reach', only('{} {} {} {} {} {T}'))[1])
        self.assertIsNotNone(refusal_holds('more than 8 pairs', only('{T}'))[1])
        self.assertIsNotNone(refusal_holds('because', only('{T}'))[1])

    def test_liveness(self):
        self.assertEqual(live_textures(only('{T0+T1} {T3-T2}'))[0], {2, 3})
        self.assertEqual(live_textures(only('{T} {P.a; P}'))[0], {0})
        self.assertEqual(live_textures(only('{T} {dot3a(F,T)} {P}'))[0], {1})
        self.assertEqual(live_textures(only('{modulate @alpha} {F; P}'))[0], {0})
        self.assertEqual(live_textures(only('{modulate @luminance} {F; P}'))[0], set())


class Printer(unittest.TestCase):
    def test_calls_read_back(self):
        states = list(RandomStates(60, 3, 8, ALL))
        for seed in range(3):
            got = [i.state for i in inputs.read_text(gl_print.scripts(states, seed), 'gl')]
            self.assertEqual(got, states)
        unique = list(dict.fromkeys(states))
        got = [i.state for i in inputs.read_text(gl_print.trace(unique, 1), 'apitrace')]
        merged = {}
        for s in unique:
            merged.setdefault(resolve(s), s)
        self.assertEqual(got, list(merged.values()))

    def test_detection(self):
        self.assertEqual(inputs.detect('# x\n{T} {P}'), 'stages')
        self.assertEqual(inputs.detect('// x\nglEnable(GL_FOG);'), 'gl')
        self.assertEqual(inputs.detect('// process\n1 glEnable(cap = GL_FOG)\n'), 'apitrace')
        self.assertEqual(inputs.detect(PROGRAM), 'atifs')
        self.assertEqual(inputs.detect('# state 1 x:1\n' + IR), 'ir')


class Commands(unittest.TestCase):
    """Runs the commands with the stand-in for texenvc."""

    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.addCleanup(self.dir.cleanup)
        self.tool = self.file('texenvc', '#!/bin/sh\nexec "%s" "%s" "$@"\n' % (
            sys.executable, os.path.join(ROOT, 'tests', 'oracle', 'oracle_mock.py')))
        os.chmod(self.tool, 0o755)

    def file(self, name, text):
        path = os.path.join(self.dir.name, name)
        with open(path, 'w') as f:
            f.write(text)
        return path

    def oracle(self, *args, fault=''):
        env = dict(os.environ, TEXENVC=self.tool, ORACLE_MOCK_FAULT=fault)
        done = subprocess.run([sys.executable, '-m', 'oracle', *args], cwd=ROOT, env=env, capture_output=True,
                              text=True)
        return done.returncode, done.stdout + done.stderr

    FEATURES = 'combine,constants,crossbar,scales,disabled,fog'

    def test_right_and_faulty(self):
        for via in ('stages', 'gl', 'apitrace'):
            status, out = self.oracle('random', '--count', '120', '--max-units', '3', '--features',
                                      self.FEATURES, '--via', via)
            self.assertEqual(status, 0, out)
            self.assertIn(' 0 mismatches', out)
        for fault in ('complement', 'scale', 'bias', 'swap'):
            status, out = self.oracle('random', '--count', '120', '--max-units', '3', '--features',
                                      self.FEATURES, fault=fault)
            self.assertEqual(status, 1, fault)
            self.assertIn('expected:', out, fault)
            state = next(line for line in out.split('\n') if line.startswith('state:'))
            self.assertLess(state.count('{'), 2, out)  # shrunk to one unit

    def test_check_files(self):
        good = self.file('a.stages', '{T*P}\n{T+P; P} {P*C} C1=(.5,.5,.5,.5)\n')
        script = self.file('b.gl', 'glEnable(GL_TEXTURE_2D); glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, '
                                   'GL_COMBINE);')
        status, out = self.oracle('check', good, script)
        self.assertEqual((status, '3 states, 3 equal, 0 refused, 0 mismatches' in out), (0, True), out)
        status, out = self.oracle('check', good, fault='scale')
        self.assertEqual(status, 0)
        self.assertEqual(self.oracle('check', os.path.join(self.dir.name, 'none'))[0], 1)
        self.assertEqual(self.oracle('check')[0], 2)
        self.assertEqual(self.oracle('check', good, '--policy', 'x=y')[0], 2)

    def test_equiv_and_eval(self):
        a, b = self.file('a', STATE + '\n'), self.file('b', PROGRAM)
        c, d = self.file('c', PROGRAM.replace('.2x', '.4x')), self.file('d', IR)
        self.assertEqual(self.oracle('equiv', a, b)[0], 0)
        self.assertEqual(self.oracle('equiv', b, d)[0], 0)
        self.assertEqual(self.oracle('equiv', a, d)[0], 0)
        status, out = self.oracle('equiv', a, c)
        self.assertEqual((status, 'differs' in out), (1, True), out)
        status, out = self.oracle('eval', a, '--input', 'T0=.25,.5,.75,1', 'F=.5,.5,.5,0')
        self.assertEqual(out.strip().split('\n')[-1], '(1, 1, 0.75, 1)')
        status, out = self.oracle('eval', b, '--input', 'T0=.25,.5,.75,1', 'F=.5,.5,.5,0')
        self.assertEqual(out.strip().split('\n')[-1], '(1, 1, 0.75, 1)')
        self.assertEqual(self.oracle('eval', a, '--input', 'Q=1')[0], 2)

    def test_missing_states_are_noticed(self):
        with mock.patch.object(check.texenvc, 'convert', return_value=(0, PROGRAM, '')):
            with self.assertRaises(check.OracleError):
                check.check_files([self.file('x.stages', '{T}\n{P}\n')], None, DEFAULT_OPTIONS)
        totals = check.Totals()
        self.assertEqual(check.report(totals, DEFAULT_OPTIONS, None, io.StringIO()), 0)


if __name__ == '__main__':
    unittest.main()
