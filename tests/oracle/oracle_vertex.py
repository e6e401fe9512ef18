"""Tests the oracle of the vertex half: fixed-function vertex results against values worked out by hand
(OpenGL 2.1, sections 2.11 to 2.14, 3.3, 3.10); hand-written ARB programs and shaders against the oracle; and
versions of them with faults, which must be detected."""
import os
import sys
import unittest
from fractions import Fraction as Q


sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from oracle.commands import vertex  # noqa: E402
from oracle.common.errors import InputError  # noqa: E402
from oracle.common.spans import bounds, Poison  # noqa: E402
from oracle.vertex import fixed_vertex, matrices, vertex_words  # noqa: E402
from oracle.vertex.gl_values import Bindings, GlValues  # noqa: E402


def values(eye=(0, 0, -5), normal=(0, 0, 1), linear=None):
    """GL state in which the eye coordinates of the vertex are `eye`; `linear` is the 3x3 part of the
    modelview matrix."""
    gl = GlValues()
    linear = [[Q(x) for x in row] for row in linear or matrices.identity(3)]
    gl.modelview = matrices.affine(linear, (Q(1), Q(2), Q(3)))
    gl.position = tuple(matrices.times(matrices.inverse(gl.modelview), (*map(Q, eye), Q(1))))
    gl.normal = tuple(map(Q, normal))
    return gl


def lit_values(**how):
    """Returns values with simple materials; light 0 has grey ambient and white diffuse and specular
    colours."""
    gl = values(**how)
    gl.scene = (Q(1, 4),) * 4
    for own in gl.materials.values():
        own.ambient, own.emission = (Q(1, 2),) * 4, (Q(1, 16),) * 4
        own.diffuse, own.specular, own.shininess = (Q(1, 2), Q(1, 2), Q(1, 2), Q(3, 4)), (Q(1, 2),) * 4, Q(2)
    light = gl.lights[0]
    light.ambient, light.diffuse, light.specular = (Q(1, 4),) * 4, (Q(1),) * 4, (Q(1),) * 4
    return gl


def result(words, gl, name):
    return fixed_vertex.evaluate(vertex_words.read(words), gl)['result.' + name]


class Case(unittest.TestCase):
    def same(self, got, want):
        self.assertEqual(len(got), len(want))
        for x, y in zip(got, want):
            self.assertNotIsInstance(x, Poison)
            self.assertTrue(bounds(x)[0] <= y <= bounds(x)[1] and bounds(x)[1] - bounds(x)[0] < 1e-9,
                            '%s, not %s' % (got, want))


class Coordinates(Case):
    def test_planes(self):
        gl = values()
        gl.position = Q(1), Q(1), Q(2), Q(1)
        gl.object_planes[1]['s'] = Q(1), Q(2), Q(3), Q(4)
        self.same(result('texgen1.s=object reads=texcoord1.s', gl, 'texcoord[1]')[:1], [13])
        # the plane is given under a translation by (0,0,-5), so in eye coordinates it is z + 5 = 0; the
        # vertex is at z = 3
        gl.position = Q(0), Q(0), Q(0), Q(1)
        gl.given_planes[0]['q'] = Q(0), Q(0), Q(1), Q(0)
        gl.plane_modelview = matrices.affine(matrices.identity(3), (Q(0), Q(0), Q(-5)))
        self.same(result('texgen0=eye reads=texcoord0.q', gl, 'texcoord[0]')[3:], [8])
        self.same(Bindings(gl).vector('state.texgen[0].eye.q'), [0, 0, 1, 5])

    def test_maps(self):
        """Sphere and reflection map: u = (0,0,-1), n.u = -4/5, r = (0,24/25,7/25); m = 2 * 40/25."""
        gl = values(normal=(0, Q(3, 5), Q(4, 5)))
        for mode, lanes, want in (('sphere', 'st', (Q(1, 2), Q(4, 5))),
                                  ('normal', 'str', (0, Q(3, 5), Q(4, 5))),
                                  ('reflection', 'str', (0, Q(24, 25), Q(7, 25)))):
            got = result('texgen3=%s reads=texcoord3.%s' % (mode, lanes), gl, 'texcoord[3]')
            self.same(got[:len(lanes)], want)

    def test_matrix(self):
        gl = values()
        gl.texcoord[2] = Q(1), Q(2), Q(3), Q(1)
        rows = (0, 1, 0, 0), (1, 0, 0, 0), (0, 0, 1, 2), (0, 0, 0, 1)
        gl.texture[2] = [list(map(Q, row)) for row in rows]
        self.same(result('matrix2 reads=texcoord2', gl, 'texcoord[2]'), [2, 1, 5, 1])
        self.same(result('matrix2 texgen2.t=normal reads=texcoord2', gl, 'texcoord[2]'), [0, 1, 5, 1])
        self.same(result('reads=texcoord2', gl, 'texcoord[2]'), [1, 2, 3, 1])

    def test_normals(self):
        twice = ((2, 0, 0), (0, 2, 0), (0, 0, 2))
        for words, linear, normal, want in (
                ('', twice, (0, 3, 4), (0, Q(3, 2), 2)), ('rescale', twice, (0, 3, 4), (0, 3, 4)),
                ('normalize', twice, (0, 3, 4), (0, Q(3, 5), Q(4, 5))),
                ('rescale normalize', twice, (0, 3, 4), (0, Q(3, 5), Q(4, 5))),
                ('', ((1, 0, 0), (0, 2, 0), (0, 0, 1)), (0, 2, 1), (0, 1, 1)),
                # x' = x + y: the plane x = c becomes x - y = c
                ('', ((1, 1, 0), (0, 1, 0), (0, 0, 1)), (1, 0, 0), (1, -1, 0))):
            gl = values(normal=normal, linear=linear)
            self.same(result(words + ' texgen0=normal reads=texcoord0.str', gl, 'texcoord[0]')[:3], want)

    def test_fog_and_points(self):
        gl = values(eye=(0, 0, -2))
        gl.fogcoord = Q(-3)
        self.same(result('reads=fog', gl, 'fogcoord'), [2])
        self.same(result('fog-coord reads=fog', gl, 'fogcoord'), [-3])
        gl.point_attenuation = Q(0), Q(0), Q(1)
        for (low, high), want in {(0, 9): 2, (3, 9): 3, (0, 1): 1}.items():
            gl.point = Q(4), Q(low), Q(high), Q(1)
            self.same(result('point-attenuation reads=color', gl, 'pointsize'), [want])


class Lighting(Case):
    def primary(self, words, gl, name='color.front.primary'):
        return result('lighting reads=color+secondary ' + words, gl, name)

    def test_directional(self):
        """Directional light: L = (0,24,7)/25, L + (0,0,1) = (0,24,32)/25, H = (0,3,4)/5; N.L = 7/25, N.H =
        4/5."""
        gl = lit_values()
        gl.lights[0].position = Q(0), Q(48), Q(14), Q(0)
        scene, ambient, diffuse, specular = Q(3, 16), Q(1, 8), Q(7, 50), Q(8, 25)
        self.same(self.primary('', gl), [scene] * 3 + [Q(3, 4)])
        self.same(self.primary('light0', gl), [scene + ambient + diffuse + specular] * 3 + [Q(3, 4)])
        self.same(self.primary('light0', gl, 'color.front.secondary'), [0, 0, 0, 1])
        self.same(self.primary('light0 separate-specular', gl), [scene + ambient + diffuse] * 3 + [Q(3, 4)])
        self.same(self.primary('light0 separate-specular', gl, 'color.front.secondary'), [specular] * 3 + [1])
        self.same(Bindings(gl).vector('state.light[0].half'), [0, Q(3, 5), Q(4, 5), 1])

    def test_sides(self):
        gl = lit_values()
        gl.lights[0].position = Q(0), Q(24), Q(-7), Q(0)
        gl.materials['back'].diffuse = Q(1), Q(0), Q(1, 2), Q(1, 8)
        gl.materials['back'].shininess = Q(0)
        back = 'color.back.primary'
        # the back side uses -N, with H = (0,24,18)/30 and -N.H < 0: 0^0
        self.same(self.primary('light0 two-side', gl), [Q(5, 16)] * 3 + [Q(3, 4)])
        self.same(self.primary('light0 two-side separate-specular', gl, back),
                  [Q(5, 16) + Q(7, 25), Q(5, 16), Q(5, 16) + Q(7, 50), Q(1, 8)])
        self.same(self.primary('light0 two-side separate-specular', gl, 'color.back.secondary'), [Q(1, 2)] * 3 + [1])

    def test_positional(self):
        """Distance 4: attenuation 1/(1 + 2 + 1); the axis of the spot is (0,3,-4)/5, the cosine to it 4/5."""
        gl = lit_values()
        light = gl.lights[0]
        light.position, light.attenuation = (Q(0), Q(0), Q(-2), Q(2)), (Q(1), Q(1, 2), Q(1, 16))
        light.direction, light.exponent, light.cos_cutoff = (Q(0), Q(6), Q(-8)), Q(2), Q(4, 5)
        whole = Q(1, 8) + Q(1, 2) + Q(1, 2)
        self.same(self.primary('light0=positional', gl)[:1], [1])
        self.same(self.primary('light0=positional+attenuated', gl)[:1], [Q(3, 16) + whole / 4])
        spot = 'light0=positional+attenuated+spot'
        self.same(self.primary(spot, gl)[:1], [Q(3, 16) + whole / 4 * Q(16, 25)])
        light.cos_cutoff = Q(13, 16)
        self.same(self.primary(spot, gl)[:1], [Q(3, 16)])
        # the vertex is at 90 degrees to the axis of the spot: 0^0
        light.direction, light.cos_cutoff, light.exponent = (Q(1), Q(0), Q(0)), Q(0), Q(0)
        self.same(self.primary(spot, gl)[:1], [Q(3, 16) + whole / 4])

    def test_viewer(self):
        """Local viewer: -u = (0,4,3)/5, L = (0,4,-3)/5, H = (0,1,0); with a distant viewer H is
        (0,4,2)/sqrt(20)."""
        gl = lit_values(eye=(0, -4, -3), normal=(0, 1, 0))
        gl.lights[0].position = Q(0), Q(4), Q(-3), Q(0)
        near = self.primary('light0 local-viewer separate-specular', gl, 'color.front.secondary')
        self.same(near[:1], [Q(1, 2)])
        far = self.primary('light0 separate-specular', gl, 'color.front.secondary')
        self.same(far[:1], [Q(1, 2) * Q(16, 20)])

    def test_grazing(self):
        """If N.L is 0 there is no specular term, whatever the exponent."""
        gl = lit_values()
        gl.lights[0].position = Q(1), Q(0), Q(0), Q(0)
        gl.materials['front'].shininess = Q(0)
        self.same(self.primary('light0', gl)[:1], [Q(5, 16)])
        gl.lights[0].position = Q(1), Q(0), Q(1), Q(0)
        gl.lights[0].diffuse = (Q(0),) * 4
        self.same(self.primary('light0', gl)[:1], [Q(5, 16) + Q(1, 2)])

    def test_tracked(self):
        gl = lit_values()
        gl.color = Q(2), Q(-1), Q(1, 2), Q(1, 8)
        gl.lights[0].position = Q(0), Q(0), Q(1), Q(0)
        gl.lights[0].specular = (Q(0),) * 4
        self.same(self.primary('light0 color-material=diffuse', gl), [1, 0, Q(5, 16) + Q(1, 2), Q(1, 8)])
        self.same(self.primary('light0 color-material.back=diffuse', gl)[3:], [Q(3, 4)])
        self.same(self.primary('color-material=emission+ambient', gl), [1, 0, Q(5, 8), Q(3, 4)])

    def test_unlit(self):
        gl = lit_values()
        gl.color, gl.secondary = (Q(2), Q(-1), Q(1, 2), Q(3, 2)), (Q(1, 4), Q(3), Q(-2), Q(1))
        self.same(result('reads=color+secondary light0', gl, 'color.front.primary'), [1, 0, Q(1, 2), 1])
        self.same(result('reads=color+secondary', gl, 'color.front.secondary'), [Q(1, 4), 1, 0, 1])

    def test_bindings(self):
        gl = lit_values(linear=((2, 0, 0), (0, 1, 0), (0, 0, 1)))
        gl.materials['back'].specular = Q(1), Q(1, 2), Q(0), Q(5)
        b = Bindings(gl)
        self.same(b.vector('state.lightmodel.front.scenecolor'), [Q(3, 16)] * 3 + [Q(3, 4)])
        self.same(b.vector('state.lightprod[0].back.specular'), [1, Q(1, 2), 0, 5])
        self.same(b.vector('state.matrix.modelview[0].inverse.row[0]'), [Q(1, 2), 0, 0, Q(-1, 2)])
        self.same(b.vector('state.matrix.modelview[0].invtrans.row[3]'), [Q(-1, 2), -2, -3, 1])


# ---- programs written by hand ----

LIT_STATE = 'lighting light2=positional+attenuated separate-specular normalize reads=color+secondary+fog'
LIT_PROGRAM = '''!!ARBvp1.0
PARAM mvp[4] = { state.matrix.mvp };
PARAM mv[4] = { state.matrix.modelview };
PARAM it[4] = { state.matrix.modelview.invtrans };
ATTRIB v = vertex.position;
TEMP e, n, l, h, d;
DP4 result.position.x, mvp[0], v; DP4 result.position.y, mvp[1], v;
DP4 result.position.z, mvp[2], v; DP4 result.position.w, mvp[3], v;
DP4 e.x, mv[0], v; DP4 e.y, mv[1], v; DP4 e.z, mv[2], v;
DP3 n.x, it[0], vertex.normal; DP3 n.y, it[1], vertex.normal; DP3 n.z, it[2], vertex.normal;
DP3 n.w, n, n; RSQ n.w, n.w; MUL n.xyz, n, n.w;
RCP l.w, state.light[2].position.w;
MAD l.xyz, state.light[2].position, l.w, -e;
DP3 d.y, l, l; RSQ d.w, d.y; MUL l.xyz, l, d.w;
DST d, d.y, d.w;
DP3 d.w, d, state.light[2].attenuation; RCP d.w, d.w;
ADD h.xyz, l, {0,0,1}; DP3 h.w, h, h; RSQ h.w, h.w; MUL h.xyz, h, h.w;
DP3 h.y, n, h; DP3 h.x, n, l; MOV h.w, state.material.shininess.x; LIT h, h;
MAD l.xyz, h.y, state.lightprod[2].diffuse, state.lightprod[2].ambient;
MAD result.color.xyz, l, d.w, state.lightmodel.scenecolor;
MOV result.color.w, state.lightmodel.scenecolor.w;
MUL h.z, h.z, d.w;
MUL result.color.secondary.xyz, h.z, state.lightprod[2].specular;
MOV result.color.secondary.w, {1}.x;
ABS result.fogcoord.x, e.z;
END
'''
LIT_FAULTS = (('LIT h, h', 'LIT h, h.xxzw'), ('modelview.invtrans', 'modelview'), ('MUL h.z, h.z, d.w;', ''),
              ('RCP l.w, state.light[2].position.w', 'MOV l.w, {1}.x'), ('lightprod[2].ambient', 'lightprod[2].back.ambient'),
              ('DP3 d.w, d, state', 'DP4 d.w, d, state'), ('scenecolor.w', 'ambient.w'), ('ABS', 'MOV'),
              ('{0,0,1}', '{0,0,-1}'), ('mvp[3], v', 'mvp[2], v'))
GEN_STATE = 'texgen1=sphere texgen1.r=reflection texgen0.q=eye matrix0 point-attenuation reads=texcoord1+texcoord0.tq'
GEN_SHADER = '''#version 120
void main()
{
    gl_Position = ftransform();
    vec4 eye = gl_ModelViewMatrix * gl_Vertex;
    vec3 n = gl_NormalMatrix * gl_Normal;
    vec3 r = reflect(normalize(eye.xyz), n);
    float m = 2.0 * length(vec3(r.xy, r.z + 1.0));
    gl_TexCoord[1] = vec4(r.xy / m + 0.5, r.z, gl_MultiTexCoord1.w);
    gl_TexCoord[0].yw = (gl_TextureMatrix[0] * vec4(gl_MultiTexCoord0.xyz, dot(gl_EyePlaneQ[0], eye))).yw;
    float d = abs(eye.z);
    float f = gl_Point.distanceConstantAttenuation + gl_Point.distanceLinearAttenuation * d;
    f += gl_Point.distanceQuadraticAttenuation * d * d;
    gl_PointSize = clamp(gl_Point.size * inversesqrt(f), gl_Point.sizeMin, gl_Point.sizeMax);
}
'''
GEN_FAULTS = (('+ 0.5', '+ 0.25'), ('+ 1.0', '- 1.0'), ('gl_EyePlaneQ[0]', 'gl_ObjectPlaneQ[0]'), (').yw', ').wy'),
              ('gl_NormalMatrix', 'mat3(gl_ModelViewMatrix)'), ('gl_TextureMatrix[0]', 'gl_TextureMatrixTranspose[0]'),
              ('sizeMax)', 'size)'), ('* d * d', '* d'), ('gl_MultiTexCoord1.w', '1.0'))


class Programs(unittest.TestCase):
    def check(self, words, text, form):
        reference = vertex.Reference(words.split(), '1', 24)
        totals = vertex.Totals()
        wrong = vertex.judge(reference, text, form, totals)
        return wrong, totals

    def test_right(self):
        for words, text, form in ((LIT_STATE, LIT_PROGRAM, 'arbvp'), (GEN_STATE, GEN_SHADER, 'glsl')):
            wrong, totals = self.check(words, text, form)
            self.assertIsNone(wrong)
            self.assertGreater(totals.compared, 100)
            self.assertLess(totals.undecided, totals.compared / 20)

    def test_faults(self):
        for words, text, form, faults in ((LIT_STATE, LIT_PROGRAM, 'arbvp', LIT_FAULTS),
                                          (GEN_STATE, GEN_SHADER, 'glsl', GEN_FAULTS)):
            for find, replacement in faults:
                broken = text.replace(find, replacement)
                self.assertNotEqual(broken, text, find)
                self.assertIsNotNone(self.check(words, broken, form)[0], find)

    def test_words(self):
        for words in ('light8', 'texgen0.r=sphere', 'light0=spotty', 'reads=texcoord1.x', 'texgen1'):
            self.assertRaises(InputError, vertex_words.read, words)


if __name__ == '__main__':
    unittest.main()
