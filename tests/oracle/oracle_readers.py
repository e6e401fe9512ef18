"""Tests the oracle's readers of GL calls, traces and stages: GL semantics on cases made by hand."""
import os
import sys
import unittest


sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from oracle.commands import inputs  # noqa: E402
from oracle.common.errors import InputError  # noqa: E402
from oracle.gl import tokens  # noqa: E402
from oracle.texenv import stages  # noqa: E402
from oracle.texenv.stages_print import state_text  # noqa: E402

IMAGE = 'glTexImage2D(GL_TEXTURE_2D, 0, %s, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, 0);'
DRAW = 'glDrawArrays(GL_TRIANGLES, 0, 3);'
ON = 'glEnable(GL_TEXTURE_2D);'


def gl(text):
    return [state_text(i.state) for i in inputs.read_text(text, 'gl')]


def trace(text):
    return [(state_text(i.state), i.call, i.draws) for i in inputs.read_text(text, 'apitrace')]


class GL(unittest.TestCase):
    def test_no_draw_and_no_image(self):
        self.assertEqual(gl(''), ['{}'])
        self.assertEqual(gl(ON), ['{modulate}'])
        (item,) = inputs.read_text(ON, 'gl')
        self.assertTrue(item.state.assumed)

    def test_images_and_completeness(self):
        self.assertEqual(gl(ON + IMAGE % 'GL_ALPHA8' + DRAW), ['{modulate @alpha}'])
        self.assertEqual(gl(ON + IMAGE % '3' + DRAW), ['{modulate @rgb}'])
        self.assertEqual(gl(ON + IMAGE % '0x83F0' + DRAW), ['{modulate @rgb}'])
        self.assertEqual(gl('glBindTexture(GL_TEXTURE_2D,1);' + IMAGE % '4'
                            + 'glBindTexture(GL_TEXTURE_2D,2);' + ON + DRAW), ['{}'])
        self.assertEqual(gl(ON + (IMAGE % '4').replace(' 0, 4', ' 1, 4') + DRAW), ['{}'])
        # an INVALID_VALUE error leaves the state unchanged
        self.assertEqual(gl(ON + IMAGE % '4' + IMAGE % '99' + DRAW), ['{modulate}'])
        text = 'glBindTexture(GL_TEXTURE_2D,1);' + IMAGE % '1' + ON + DRAW + 'GLuint t; glDeleteTextures(1, (GLuint[]){1});' + DRAW
        self.assertEqual(gl(text), ['{modulate @luminance}', '{}'])

    def test_target_priority(self):
        text = ON + IMAGE % '4' + 'glEnable(GL_TEXTURE_CUBE_MAP);' + DRAW + \
            'glTexImage2D(GL_TEXTURE_CUBE_MAP_NEGATIVE_Y, 0, 2, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);' + DRAW
        self.assertEqual(gl(text), ['{}', '{modulate @luminance_alpha @cube}'])

    def test_depth(self):
        text = ON + IMAGE % 'GL_DEPTH_COMPONENT24' + DRAW + 'glTexParameteri(GL_TEXTURE_2D, GL_DEPTH_TEXTURE_MODE, GL_INTENSITY);' + \
            'glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_R_TO_TEXTURE_ARB);' + DRAW
        self.assertEqual(gl(text), ['{modulate @depth}', '{modulate @shadow:intensity}'])

    def test_environment(self):
        text = '''glActiveTextureARB(GL_TEXTURE0_ARB + 1); glEnable(GL_TEXTURE_2D);   // unit 1
            glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_COMBINE_EXT);
            glTexEnvf(0x2300, GL_COMBINE_RGB_EXT, 34165.0f); /* INTERPOLATE */
            glTexEnvi(GL_TEXTURE_ENV, GL_SOURCE0_RGB_ARB, (GLint) GL_PREVIOUS);
            glTexEnvi(GL_TEXTURE_ENV, GL_SRC1_RGB, GL_TEXTURE0);
            glTexEnviv(GL_TEXTURE_ENV, GL_OPERAND2_RGB, (const GLint[]){ GL_ONE_MINUS_SRC_ALPHA });
            glTexEnvf(GL_TEXTURE_ENV, GL_RGB_SCALE, 2.0);
            glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, {.5, 2, -1, 0.25f});
            glActiveTexture(GL_TEXTURE0); glEnable(GL_TEXTURE_1D);'''
        self.assertEqual(gl(text), ['{modulate @1d} {lerp(P,T0,~C.a); T1*P}*2;1 C1=(0.5,1,0,0.25)'])

    def test_defaults(self):
        combine = 'glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_COMBINE%s);'
        self.assertEqual(gl(ON + combine % ''), ['{T0*P}'])
        add4 = 'glTexEnvi(GL_TEXTURE_ENV, GL_COMBINE_RGB, GL_ADD); glTexEnvi(GL_TEXTURE_ENV, GL_COMBINE_ALPHA, GL_ADD);'
        self.assertEqual(gl(ON + combine % '4_NV' + add4), ['{T0*P+C.a*~0}'])

    def test_errors_change_nothing(self):
        start = ON + 'glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_COMBINE);'
        for name, args in (('i', 'GL_COMBINE_ALPHA, GL_DOT3_RGB'), ('i', 'GL_OPERAND0_ALPHA, GL_SRC_COLOR'),
                           ('f', 'GL_RGB_SCALE, 3.0'),
                           ('i', 'GL_SOURCE0_RGB, GL_TEXTURE8'), ('i', 'GL_TEXTURE_ENV_COLOR, 1'),
                           ('i', 'GL_TEXTURE_ENV_MODE, 7'),
                           ('i', 'GL_SOURCE3_RGB_NV, GL_ONE'), ('f', 'GL_ALPHA_SCALE, 0.0'),
                           ('i', 'GL_COMBINE_RGB, GL_DECAL')):
            self.assertEqual(gl(start + 'glTexEnv%s(GL_TEXTURE_ENV, %s);' % (name, args)), ['{T0*P}'], args)
        self.assertEqual(gl(start + 'glTexEnvi(GL_TEXTURE_FILTER_CONTROL, GL_TEXTURE_LOD_BIAS, 1);'),
                         ['{T0*P}'])
        self.assertEqual(gl(start + 'glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE_EXT);'),
                         ['{replace}'])

    def test_integer_colour(self):
        text = ON + 'glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_BLEND);' \
            'glTexEnviv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, (GLint[]){0x7fffffff, -0x7fffffff - 1, 0x3fffffff, -5});'
        self.assertEqual(gl(text), ['{blend} C0=(1,0,0.5,0)'])

    def test_push_pop(self):
        text = ON + 'glPushAttrib(%s); glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_ADD); glEnable(GL_FOG); glDisable(GL_TEXTURE_2D);' \
            'glActiveTexture(GL_TEXTURE1); glEnable(GL_TEXTURE_2D); glPopAttrib(); glDisable(GL_TEXTURE_1D); glEnable(GL_TEXTURE_1D);' + DRAW
        # the last Enable shows which unit is active after PopAttrib
        self.assertEqual(gl(text % 'GL_TEXTURE_BIT'), ['{modulate} fog=exp'])
        self.assertEqual(gl(text % 'GL_ENABLE_BIT'), ['{add} {modulate @1d}'])
        self.assertEqual(gl(text % 'GL_FOG_BIT'), ['{} {modulate}'])
        self.assertEqual(gl(text % 'GL_ALL_ATTRIB_BITS'), ['{modulate}'])
        self.assertEqual(gl('glPopAttrib();' + ON), ['{modulate}'])

    def test_display_lists(self):
        text = 'glNewList(5, GL_COMPILE); glEnable(GL_TEXTURE_2D); glDrawArrays(0,0,3); glDrawArrays(0,0,3); ' \
            'glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_DECAL); glDrawArrays(0,0,3); glEndList(); ' + DRAW + 'glCallList(5);' + DRAW
        self.assertEqual(gl(text), ['{}', '{modulate}', '{decal}', '{decal}'])
        self.assertEqual(gl('glNewList(5, GL_COMPILE_AND_EXECUTE);' + ON + DRAW + 'glEndList();'),
                         ['{modulate}'])
        nested = 'glNewList(1, GL_COMPILE);' + ON + 'glEndList(); glNewList(2, GL_COMPILE); glCallList(1); glEndList(); glCallList(2);'
        self.assertEqual(gl(nested), ['{modulate}'])
        self.assertEqual(gl('glNewList(11, GL_COMPILE);' + ON
                            + 'glEndList(); glListBase(10); glCallLists(1, GL_INT, (int[]){1});'),
                            ['{modulate}'])
        self.assertEqual(gl('glNewList(1, GL_COMPILE);' + ON
                            + 'glEndList(); glDeleteLists(1, 1); glCallList(1);'), ['{}'])

    def test_begin_end(self):
        self.assertEqual(gl('glBegin(GL_QUADS);' + ON + 'glBegin(GL_QUADS);'), ['{}', '{modulate}'])
        self.assertEqual(gl('glBegin(GL_QUADS);' + ON + 'glEnd(); glBegin(4); glEnd();'), ['{}', '{}'])

    def test_colour_sum_and_fog(self):
        separate = 'glLightModeli(GL_LIGHT_MODEL_COLOR_CONTROL, GL_SEPARATE_SPECULAR_COLOR);'
        self.assertEqual(gl(separate), ['{}'])
        self.assertEqual(gl(separate + 'glEnable(GL_LIGHTING);'), ['{} colorsum'])
        self.assertEqual(gl('glEnable(GL_COLOR_SUM); glEnable(GL_LIGHTING);'), ['{}'])
        self.assertEqual(gl('glEnable(GL_COLOR_SUM_EXT);'), ['{} colorsum'])
        self.assertEqual(gl('glEnable(GL_FOG); glFogf(GL_FOG_MODE, GL_LINEAR); '
                            'glFogi(GL_FOG_COORDINATE_SOURCE_EXT, GL_FOG_COORDINATE_EXT);'),
                         ['{} fog=linear:coord'])

    def test_programs_suspend(self):
        self.assertEqual(gl('glUseProgram(3);' + DRAW), [])
        self.assertEqual(gl('glUseProgramObjectARB(3); glUseProgram(0);' + DRAW), ['{}'])
        self.assertEqual(gl('glEnable(GL_FRAGMENT_PROGRAM_ARB);' + DRAW
                            + 'glDisable(GL_FRAGMENT_PROGRAM_ARB);' + ON + DRAW), ['{modulate}'])
        self.assertEqual(gl('glEnable(GL_VERTEX_PROGRAM_ARB);' + DRAW), ['{}'])

    def test_c_source(self):
        text = '#include <GL/gl.h>\nstatic const float c[2] = { 1, 2 };\nvoid setup(void) {\n  int x = 3;\n  glEnable(GL_TEXTURE_2D);\n' \
            '  glShaderSource(s, 1, "a;b(", 0);\n}\n'
        self.assertEqual(gl(text), ['{modulate}'])
        for bad, line, col in (('glEnable(GL_FOG)\n', 2, 1), ('\nglEnable(GL_FOG;', 2, 16),
                               ('if (x) glEnable(GL_FOG);', 1, 1),
                               ('glEnable(what);', 1, 10), ('glEnable();', 1, 1), ('/* ', 1, 1),
                               ('glFoo("abc);', 1, 7),
                               ('glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, col);', 1, 50),
                               ('x = 1', 1, 1)):
            with self.assertRaises(InputError, msg=bad) as caught:
                gl(bad)
            self.assertEqual((caught.exception.line, caught.exception.col), (line, col), bad)


class Trace(unittest.TestCase):
    HEAD = '1 glXCreateContext(dpy = 0x1, vis = &{depth = 24}, shareList = NULL, direct = True) = 0xa\n' \
        '2 glXCreateContext(dpy = 0x1, vis = &{depth = 24}, shareList = 0xa, direct = True) = 0xb\n' \
        '3 glXMakeCurrent(dpy = 0x1, drawable = 4, ctx = 0xa) = True\n'

    def test_contexts_and_merging(self):
        text = self.HEAD + '4 glEnable(cap = GL_TEXTURE_2D)\n5 glDrawArrays(mode = GL_TRIANGLES, first = 0, count = 3)\n' \
            '6 glXMakeCurrent(dpy = 0x1, drawable = 4, ctx = 0xb) = True\n7 glDrawArrays(mode = GL_TRIANGLES, first = 0, count = 3)\n' \
            '8 glXMakeCurrent(dpy = 0x1, drawable = 4, ctx = 0xa) = True\n9 glDrawElements(mode = GL_TRIANGLES, count = 3)\n'
        self.assertEqual(trace(text), [('{modulate}', 5, 2), ('{}', 7, 1)])

    def test_threads(self):
        text = self.HEAD + '4 @1 glXMakeCurrent(dpy = 0x1, drawable = 4, ctx = 0xb) = True\n5 @1 glEnable(cap = GL_TEXTURE_2D)\n' \
            '6 glDrawArrays(mode = 4)\n7 @1 glDrawArrays(mode = 4)\n'
        self.assertEqual(trace(text), [('{}', 6, 1), ('{modulate}', 7, 1)])

    def test_shared_textures(self):
        image = '5 glTexImage2D(target = GL_TEXTURE_2D, level = 0, internalformat = GL_ALPHA, width = 4, height = 4, border = 0, ' \
            'format = GL_ALPHA, type = GL_UNSIGNED_BYTE, pixels = blob(16))\n'
        text = self.HEAD + '4 glBindTexture(target = GL_TEXTURE_2D, texture = 1)\n' + image + \
            '6 glXMakeCurrent(dpy = 0x1, drawable = 4, ctx = 0xb) = True\n7 glEnable(cap = GL_TEXTURE_2D)\n8 glDrawArrays(mode = 4)\n' \
            '9 glBindTexture(texture = 1, target = GL_TEXTURE_2D)\n10 glDrawArrays(mode = 4)\n'
        self.assertEqual(trace(text), [('{}', 8, 1), ('{modulate @alpha}', 10, 1)])

    def test_strings_and_truncation(self):
        text = '1 glShaderSource(shader = 1, string = &"line\n4 glEnable(cap = GL_FOG)\n\\"", length = NULL)\n2 glEnable(cap = GL_TEXTURE_1D)\n' \
            '3 glDrawArrays(mode = 4)\n4 glTexEnvi(target = GL_TEXT'
        self.assertEqual(trace(text), [('{modulate @1d}', 3, 1)])
        text = '1 glTexEnvfv(target = GL_TEXTURE_ENV, pname = GL_TEXTURE_ENV_COLOR, params = {1, 0.5, 0.25, 1e-1})\n' \
            '2 glTexEnviv(target = GL_TEXTURE_ENV, pname = GL_TEXTURE_ENV_MODE, params = &GL_BLEND)\n3 glEnable(cap = GL_TEXTURE_2D)\n' \
            '4 glBegin(mode = GL_QUADS)\n5 glDisable(cap = GL_TEXTURE_2D)\n6 glEnd()\n7 glBegin(mode = GL_QUADS)\n8 glEnd()\n'
        self.assertEqual(trace(text), [('{blend} C0=(1,0.5,0.25,0.1)', 4, 2)])


class Stages(unittest.TestCase):
    def one(self, text):
        (state, _), = stages.read(text)
        return state_text(state)

    def test_forms(self):
        for text in ('{T0}', '{T0*P+C}*2 C0=(0.5,0,0,1)', '{dot3(T0,~P); T0}*2;1',
                     '{} {modulate @alpha @cube}', '{T0*P+C*F-0.5}',
                     '{lerp(T0,P,T0.a); P} {T1 @depth:intensity @rect}*4', '{dot3a(T0,P)}*1;4',
                     '{T0+P @luminance} fog=exp2:coord colorsum'):
            self.assertEqual(self.one(text), text)

    def test_rules(self):
        self.assertEqual(self.one('{{T0 + T1}, {T3 - T2}}'), '{T0+T1} {T3-T2} {P} {P}')
        self.assertEqual(self.one('{T*F+C*P; T}'), '{T0*F+C*P; T0*1+0*0}')
        self.assertEqual(self.one('{T+P-.5; P} # comment'), '{T0+P-0.5; P}')
        self.assertEqual(self.one('{T*P @combine4}'), '{T0*P+0*0}')
        self.assertEqual([line for _, line in stages.read('{T}\n\n# x\n{P,\n}\n{T}'.replace('P,', '\nP'))],
                         [1, 4, 7])

    def test_errors(self):
        for text, col in (('{T8}', 2), ('{T12}', 2), ('{T', 3), ('{T*P+C*F; T-P}', 14),
                          ('{dot3a(T,P); P}', 12), ('{modulate}*2', 13),
                          ('{T @foo}', 5), ('{T}*3', 5), ('{P+T-0.25}', 6), ('{T}' * 9, 25),
                          ('{T} C0=(1,2,3)', 14), ('{T; dot3(T,P)}', 5),
                          ('{T} fog=x', 9), ('{@alpha}', 8), ('{T $}', 4)):
            with self.assertRaises(InputError, msg=text) as caught:
                list(stages.read(text))
            self.assertEqual((caught.exception.line, abs(caught.exception.col - col) <= 1), (1, True),
                             (text, caught.exception.col))


class Tokens(unittest.TestCase):
    def test_against_the_headers(self):
        """If the system has GL headers, every value must equal that of the headers."""
        import re
        found = {}
        for name in ('gl.h', 'glext.h'):
            path = '/usr/include/GL/' + name
            if not os.path.exists(path):
                self.skipTest('no GL headers')
            with open(path, encoding='utf-8', errors='replace') as f:
                for m in re.finditer(r'#define\s+GL_(\w+)\s+(0x[0-9A-Fa-f]+)\b', f.read()):
                    found[m.group(1)] = int(m.group(2), 16)
        checked = 0
        for name, value in tokens.TOKENS.items():
            if name in found:
                self.assertEqual(found[name], value, name)
                checked += 1
        self.assertGreater(checked, 200)


if __name__ == '__main__':
    unittest.main()
