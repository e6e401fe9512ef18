#!/usr/bin/env python3
"""Tests the readers of scripts and traces with more than plain GL calls: preprocessor lines, GLU, contexts,
truncated input. usage: readers_test.py

Expected values are derived from the C standard (translation phases, conditional inclusion), the OpenGL 2.1
specification, the GLU 1.3 specification and notes/formats.md. The oracle's independent readers must give the
same states. """
import gzip
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool

from oracle.commands import inputs  # noqa: E402
from oracle.common.errors import InputError  # noqa: E402
from oracle.texenv import stages  # noqa: E402
from oracle.texenv.state import DEFAULT_POLICY, resolve  # noqa: E402

MODE = "glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, %s);\n"
REPLACE, ADD, DECAL, BLEND = (MODE % ("GL_" + m) for m in ("REPLACE", "ADD", "DECAL", "BLEND"))
ON = "glEnable(GL_TEXTURE_2D);\n"
with open(tool.TEXENVC, "rb") as program:
    SANITIZED = b"__asan_init" in program.read()
CUBE_ON = "glEnable(GL_TEXTURE_CUBE_MAP);\n"
DRAW = "glDrawArrays(GL_TRIANGLES, 0, 3);\n"


def image(size="1, 1", fmt="GL_RGBA", target="GL_TEXTURE_2D", level=0):
    return f"glTexImage2D({target}, {level}, {fmt}, {size}, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);\n"


def face(name, size="1, 1", fmt="GL_RGBA"):
    return image(size, fmt, "GL_TEXTURE_CUBE_MAP_" + name)


NONE = None
# Name, script, states, and the lines that get the warning that conditionals are not followed. NONE: there is
# no warning at all, except about textures without image.
SCRIPTS = [
    # ISO C 6.10.1: a group whose condition is 0 is skipped, together with the conditionals in it.
    ("if-0", ON + REPLACE + "#if 0\n" + ADD + "#endif\n" + DRAW, ["{replace}"], NONE),
    ("if-0-blanks", ON + REPLACE + " \t# \tif  0 // off\n" + ADD + "  #  endif /* 0 */\n" + DRAW,
     ["{replace}"], NONE),
    ("if-0-draw", ON + REPLACE + "#if 0\n" + DRAW + ADD + "#endif\n" + DRAW, ["{replace}"], NONE),
    ("if-0-no-c", ON + REPLACE + "#if 0\nif (x) don't; \" ) }\n#endif\n" + DRAW, ["{replace}"], NONE),
    ("if-0-else", ON + "#if 0\n" + REPLACE + "#else\n" + ADD + "#endif\n" + DRAW, ["{add}"], NONE),
    ("if-0-nested", ON + REPLACE + "#if 0\n#ifdef X\n" + ADD + "#else\n" + DECAL + "#endif\n" + BLEND
     + "#else\n" + ADD + "#endif\n" + DRAW, ["{add}"], NONE),
    ("if-0-in-if-0", ON + REPLACE + "#if 0\n#if 0\n#else\n" + ADD + "#endif\n" + DECAL + "#endif\n" + DRAW,
     ["{replace}"], NONE),
    ("if-0-else-if-0", ON + "#if 0\n" + REPLACE + "#else\n" + ADD + "#if 0\n" + DECAL + "#endif\n#endif\n"
     + DRAW, ["{add}"], NONE),
    ("if-0-in-comment", ON + "/*\n#if 0\n*/\n" + ADD + "/*\n#endif\n*/\n" + DRAW, ["{add}"], NONE),
    ("if-0-endif-in-comment", ON + REPLACE + "#if 0\n/*\n#endif\n*/\n" + ADD + "#endif\n" + DRAW,
     ["{replace}"], NONE),
    ("if-0-in-call", ON + "glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE,\n#if 0\n  GL_ADD\n#else\n  "
                          "GL_REPLACE\n#endif\n);" + DRAW, ["{replace}"], NONE),
    ("if-0-continued", ON + REPLACE + "#if \\\n 0\n" + ADD + "#endif\n" + DRAW, ["{replace}"], NONE),
    ("if-0-crlf", (ON + REPLACE + "#if 0\n" + ADD + "#endif\n" + DRAW).replace("\n", "\r\n"), ["{replace}"],
     NONE),
    ("if-0-image", ON + "#if 0\n" + image("1, 1", "GL_ALPHA") + "#endif\n" + DRAW, ["{modulate}"], NONE),
    ("if-0-elif", ON + REPLACE + "#if 0\n" + ADD + "#elif defined(X)\n" + DECAL + "#endif\n" + DRAW,
     ["{decal}"], [5]),
    # The values of other conditions are unknown: all branches are read, one after the other, with a warning.
    ("ifdef", ON + "#ifdef X\n" + REPLACE + "#else\n" + ADD + "#endif\n" + DRAW, ["{add}"], [2]),
    ("ifndef-nested", ON + "#ifndef X\n#if defined Y && (Z > 1 || !W)\n" + REPLACE + "#endif\n#endif\n"
     + DRAW, ["{replace}"], [2, 3]),
    ("if-1", ON + "#if 1\n" + REPLACE + "#endif\n" + DRAW, ["{replace}"], [2]),
    ("if-in-cast", ON + "glTexEnviv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, (const\n#ifdef "
                        "X\nGLint[]\n#endif\n){GL_ADD});" + DRAW, ["{add}"], [3]),
    # Comments that begin like preprocessor directives.
    ("prose", ON + "# if the texture is red, replace\n" + REPLACE + "# else add\n# ifdef and so on\n" + DRAW,
     ["{replace}"], NONE),
    ("prose-no-endif", ON + "# if needed\n" + REPLACE + "# else\n" + DRAW, ["{replace}"], NONE),
    ("prose-and-endif", ON + "#ifdef X\n# if the texture is red\n" + REPLACE + "#endif\n" + DRAW,
     ["{replace}"], [2]),
    ("include", "#include <GL/gl.h>\n#define X 1\n" + ON + REPLACE + DRAW, ["{replace}"], NONE),
    ("if-0-open", ON + "#if 0\n" + REPLACE + DRAW, ["{replace}"], [2]),
    # Continued lines are joined before comments are removed (translation phases 2 and 3).
    ("slash-continued", ON + REPLACE + "// no \\\n" + ADD + DRAW, ["{replace}"], NONE),
    ("slash-continued-twice", ON + REPLACE + "glFlush(); // \\\n\\\n" + ADD + DRAW, ["{replace}"], NONE),
    ("slash-continued-crlf", ON + REPLACE + "// no \\\r\n" + ADD + DRAW, ["{replace}"], NONE),
    ("hash-continued", ON + REPLACE + "#define F(x) \\\n" + ADD + DRAW, ["{replace}"], NONE),
    ("slash-blank", ON + REPLACE + "// \\ \n" + ADD + DRAW, ["{add}"], NONE),
    # GLU 1.3, 2.3: gluBuild2DMipmaps specifies the images of all levels from 0 on, with this internal format.
    ("glu-2d", ON + "gluBuild2DMipmaps(GL_TEXTURE_2D, GL_ALPHA, 5, 7, GL_ALPHA, GL_UNSIGNED_BYTE, p);" + DRAW,
     ["{modulate @alpha}"], NONE),
    ("glu-number", ON + "gluBuild2DMipmaps(GL_TEXTURE_2D, 3, w, h, GL_RGB, GL_UNSIGNED_BYTE, p);" + DRAW,
     ["{modulate @rgb}"], NONE),
    ("glu-1d", "glEnable(GL_TEXTURE_1D); gluBuild1DMipmaps(GL_TEXTURE_1D, 1, 5, GL_ALPHA, GL_UNSIGNED_BYTE, "
               "p);" + DRAW, ["{modulate @luminance @1d}"], NONE),
    ("glu-3d", "glEnable(GL_TEXTURE_3D); gluBuild3DMipmaps(GL_TEXTURE_3D, GL_INTENSITY8, 1, 2, 3, GL_RED, "
               "GL_UNSIGNED_BYTE, p);" + DRAW, ["{modulate @intensity @3d}"], NONE),
    # ... and a texture without an image disables its unit, since the script does specify images elsewhere.
    ("glu-has-images", ON + "gluBuild2DMipmaps(GL_TEXTURE_2D, 4, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, "
                            "p);\nglBindTexture(GL_TEXTURE_2D, 7);" + DRAW, ["{}"], NONE),
    ("glu-list", ON + "glNewList(1, GL_COMPILE);gluBuild2DMipmaps(GL_TEXTURE_2D, GL_RGB, 1, 1, GL_RGB, "
                      "GL_UNSIGNED_BYTE, p);glEndList();\n" + DRAW +
     "glCallList(1);" + DRAW, ["{}", "{modulate @rgb}"], NONE),
    ("glu-zero", ON + image() + "gluBuild2DMipmaps(GL_TEXTURE_2D, GL_ALPHA, 0, 1, GL_ALPHA, "
                                "GL_UNSIGNED_BYTE, p);" + DRAW, ["{modulate}"], []),
    # GL 2.1, 3.8.1: an image with a size of 0 has no texels; 3.8.10: a texture is complete only if all sizes
    # of level 0 are positive.
    ("zero", ON + image("0, 0") + DRAW, ["{}"], NONE),
    ("zero-height", ON + image("4, 0") + DRAW, ["{}"], NONE),
    ("zero-removes", ON + image() + DRAW + image("0, 4") + DRAW, ["{modulate}", "{}"], NONE),
    ("zero-then-image", ON + image("0, 0") + DRAW + image("1, 1", "GL_RGB") + DRAW, ["{}", "{modulate @rgb}"],
     NONE),
    ("zero-level-1", ON + image() + image("0, 0", level=1) + DRAW, ["{modulate}"], NONE),
    ("zero-other-texture", ON + image() + "glBindTexture(GL_TEXTURE_2D, 1);" + image("0, 0") + DRAW
     + "glBindTexture(GL_TEXTURE_2D, 0);" + DRAW, ["{}", "{modulate}"], NONE),
    ("zero-variable", ON + image("w, 1 << n") + DRAW, ["{modulate}"], NONE),
    ("zero-expression", ON + image("1 - 1, (GLsizei)4") + DRAW, ["{}"], NONE),
    ("zero-copy", ON + image() + "glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 0, 0, 4, 4, 0);" + DRAW
     + "glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 0, 4, 0);" + DRAW,
     ["{modulate}", "{}"], NONE),
    ("zero-copy-1d", "glEnable(GL_TEXTURE_1D); glCopyTexImage1D(GL_TEXTURE_1D, 0, GL_RGBA, 0, 0, 4, 0);"
     + DRAW +
     "glCopyTexImage1D(GL_TEXTURE_1D, 0, GL_RGBA, 1, 1, 0, 0);" + DRAW, ["{modulate @1d}", "{}"], NONE),
    ("zero-depth", "glEnable(GL_TEXTURE_3D); glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA, 1, 1, 0, 0, GL_RGBA, "
                   "GL_UNSIGNED_BYTE, NULL);" + DRAW, ["{}"], NONE),
    ("zero-compressed", ON + image() + "glCompressedTexImage2D(GL_TEXTURE_2D, 0, GL_COMPRESSED_RGB, 0, 0, 0, "
                                       "0, NULL);" + DRAW, ["{}"], NONE),
    # TexStorage refuses sizes below 1 and TexImage negative ones, with INVALID_VALUE: the texture is
    # unchanged.
    ("zero-storage", ON + image() + "glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGB8, 0, 1);" + DRAW, ["{modulate}"],
     []),
    ("negative", ON + image() + image("-1, 1", "GL_ALPHA") + DRAW, ["{modulate}"], []),
    # A cube map has an image while one of its faces has (notes/choices.md).
    ("zero-face", CUBE_ON + face("POSITIVE_X") + face("NEGATIVE_Z") + face("POSITIVE_X", "0, 0") + DRAW
     + face("NEGATIVE_Z", "0, 0") + DRAW, ["{modulate @cube}", "{}"], NONE),
    ("zero-face-format", CUBE_ON + face("POSITIVE_X", fmt="GL_RGB") + face("NEGATIVE_Z", fmt="GL_ALPHA")
     + face("NEGATIVE_Z", "0, 0") + DRAW, ["{modulate @rgb @cube}"], NONE),
    # An image with a size of 0 specified in a display list.
    ("zero-list", ON + image() + "glNewList(1, GL_COMPILE);" + image("0, 0") + "glEndList();" + DRAW
     + "glCallList(1);" + DRAW, ["{modulate}", "{}"], NONE),
]

SCRIPTS += [
    # OpenGL ES 1.1, 2.12.1, 3.7.12 and its fixed-point calls: 65536 is 1; enumerants are not scaled.
    ("fixed", ON + "glTexEnvx(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_COMBINE);\nglTexEnvx(GL_TEXTURE_ENV, GL_RGB_SCALE, "
     "131072);\nglTexEnvx(GL_TEXTURE_ENV, GL_SRC1_RGB, GL_CONSTANT);\nglTexEnvxv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, "
     "(GLfixed[]){32768, 65536, 0, 131072});\nglEnable(GL_ALPHA_TEST);\nglAlphaFuncx(GL_LESS, 0x4000);\n" + DRAW,
     ["{T0*C; T0*P}*2;1 C0=(0.5,1,0,1) alphatest=less:0.25"], NONE),
    ("fixed-fog", ON + "glEnable(GL_FOG); glFogx(GL_FOG_MODE, GL_LINEAR);" + DRAW, ["{modulate} fog=linear"], NONE),
    # OES_compressed_paletted_texture: level -2 means that the image has level 0 and two more.
    ("palette", ON + "glCompressedTexImage2D(GL_TEXTURE_2D, -2, GL_PALETTE4_RGB8_OES, 4, 4, 0, 60, p);" + DRAW,
     ["{modulate @rgb}"], NONE),
    # GL_PRIMARY_COLOR_NV has another value than GL_PRIMARY_COLOR, and is not a source of a combiner.
    ("primary-nv", ON + "glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_COMBINE);\nglTexEnvi(GL_TEXTURE_ENV, GL_SRC0_RGB, "
     "GL_PRIMARY_COLOR_NV);" + DRAW, ["{T0*P}"], []),
    # A GL token that the parameter does not accept (GL 2.1, 3.8.13): INVALID_ENUM, the state is unchanged.
    ("known-token", ON + "glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_ADD);\n"
     "glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_BLEND_SRC);" + DRAW, ["{add}"], []),
    ("no-capability", ON + "glEnable(GL_BLEND_SRC); glEnable(GL_TEXTURE0); glDisable(GL_MODULATE);" + DRAW, ["{modulate}"], []),
    # Calls that do not affect texturing are accepted without a warning.
    ("harmless", ON + "glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_G, GL_GREEN);\nglTexParameteriv(GL_TEXTURE_2D, "
     "GL_TEXTURE_SWIZZLE_RGBA, (GLint[]){GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA});\nglTexParameteri(GL_TEXTURE_2D, "
     "GL_DEPTH_STENCIL_TEXTURE_MODE, GL_DEPTH_COMPONENT);\nglTextureParameteri(3, GL_TEXTURE_MIN_FILTER, GL_LINEAR);\n"
     "glTextureParameteriEXT(3, GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);\nglBindSampler(0, 0);\n"
     "glSamplerParameteri(3, GL_TEXTURE_MIN_FILTER, GL_NEAREST);\nglBindSamplers(0, 1, NULL);\n"
     "glClampColorARB(GL_CLAMP_READ_COLOR_ARB, GL_FIXED_ONLY_ARB);\nglClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_TRUE);\n"
     "glEnablei(GL_BLEND, 0);\nglMultiTexParameteriEXT(GL_TEXTURE0, GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_REPEAT);\n"
     "glTexEnvi(GL_TEXTURE_SHADER_NV, GL_SHADER_OPERATION_NV, GL_NONE);\nglShadeModel(GL_SMOOTH); glPointSize(1.0f);" + DRAW,
     ["{modulate}"], NONE),
]
# Internal formats of OpenGL ES; their base formats are from the table of each extension.
SCRIPTS += [("format-" + name, ON + image("4, 4", "GL_" + name) + DRAW, [expected], NONE)
            for name, expected in (("ETC1_RGB8_OES", "{modulate @rgb}"), ("BGRA_EXT", "{modulate}"),
                                   ("ALPHA8_EXT", "{modulate @alpha}"), ("PALETTE8_R5_G6_B5_OES", "{modulate @rgb}"),
                                   ("PALETTE4_RGB5_A1_OES", "{modulate}"), ("ATC_RGB_AMD", "{modulate @rgb}"),
                                   ("COMPRESSED_RGB_PVRTC_2BPPV1_IMG", "{modulate @rgb}"),
                                   ("COMPRESSED_RGBA_PVRTC_4BPPV1_IMG", "{modulate}"), ("3DC_X_AMD", "{modulate @rgb}"),
                                   ("LUMINANCE8_ALPHA8_EXT", "{modulate @luminance_alpha}"), ("SR8_EXT", "{modulate @red}"),
                                   ("LUMINANCE_FLOAT16_ATI", "{modulate @luminance}"),
                                   ("COMPRESSED_RED_GREEN_RGTC2_EXT", "{modulate @rg}"))]
# Calls of later versions and of extensions that affect texturing, and that the readers do not support.
NOT_FOLLOWED = [
    *(f"glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_{c}{suffix}, GL_ONE);" for c in "RGBA" for suffix in ("", "_EXT")),
    "glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, (GLint[]){GL_RED, GL_RED, GL_RED, GL_ONE});",
    "glTexParameterIiv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, swizzle);",
    "glTexParameteri(GL_TEXTURE_2D, GL_DEPTH_STENCIL_TEXTURE_MODE, GL_STENCIL_INDEX);",
    "glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_SGIX, GL_TRUE);",
    "glTexParameteri(GL_TEXTURE_2D, GL_DUAL_TEXTURE_SELECT_SGIS, 1);",
    "glBindSampler(0, 3);", "glBindSampler(0, sampler);", "glBindSamplers(0, 1, samplers);",
    "glTextureParameteri(3, GL_TEXTURE_SWIZZLE_A, GL_RED);", "glTextureParameteriv(3, GL_TEXTURE_COMPARE_MODE, mode);",
    "glTextureParameteriEXT(3, GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_NONE);", "glTextureParameteri(3, pname, 1);",
    "glMultiTexParameteriEXT(GL_TEXTURE0, GL_TEXTURE_2D, GL_DEPTH_TEXTURE_MODE, GL_ALPHA);",
    "glMultiTexEnvfEXT(GL_TEXTURE0, GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_ADD);", "glBindTextureUnit(0, 3);",
    "glBindTextures(0, 1, names);", "glBindMultiTextureEXT(GL_TEXTURE0, GL_TEXTURE_2D, 3);",
    "glTextureStorage2D(3, 1, GL_RGB8, 4, 4);", "glTextureImage2DEXT(3, GL_TEXTURE_2D, 0, 4, 4, 4, 0, GL_RGB, GL_FLOAT, p);",
    "glMultiTexImage2DEXT(GL_TEXTURE0, GL_TEXTURE_2D, 0, 4, 4, 4, 0, GL_RGB, GL_FLOAT, p);",
    "glCopyTextureImage2DEXT(3, GL_TEXTURE_2D, 0, GL_RGB, 0, 0, 4, 4, 0);",
    "glCompressedTextureImage2DEXT(3, GL_TEXTURE_2D, 0, GL_COMPRESSED_RGB, 4, 4, 0, 8, p);",
    "glTextureView(4, GL_TEXTURE_2D, 3, GL_RGBA8, 0, 1, 0, 1);", "glEGLImageTargetTexture2DOES(GL_TEXTURE_2D, image);",
    "glClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_FALSE);", "glClampColorARB(GL_CLAMP_VERTEX_COLOR_ARB, GL_FALSE);",
    "glUseShaderProgramEXT(GL_FRAGMENT_SHADER, 3);", "glEnable(GL_TEXTURE_4D_SGIS);", "glEnable(GL_TEXTURE_EXTERNAL_OES);",
    "glEnable(GL_TEXTURE_COLOR_TABLE_SGI);", "glEnable(GL_FRAGMENT_LIGHTING_SGIX);",
    "glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_BUMP_ENVMAP_ATI);",
    "glTexEnvi(GL_TEXTURE_ENV, GL_SRC0_RGB, 0x8747);",
    "glTexEnvf(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_MODULATE_COLOR_IMG);",
    image("4, 4", "GL_RGBA8UI"), image("4, 4", "GL_COLOR_INDEX8_EXT"), image("4, 4", "GL_HILO_NV"),
    "glEnablei(GL_TEXTURE_2D, 0);", "glDisableIndexedEXT(GL_TEXTURE_GEN_S, 0);",
]
# Calls whose effect a language without fixed function loses, and a word that its warning must contain.
BESIDE = [
    ("glEnable(GL_POINT_SPRITE); glTexEnvi(GL_POINT_SPRITE, GL_COORD_REPLACE, GL_TRUE);", "gl_PointCoord"),
    ("glTexEnvi(GL_POINT_SPRITE_ARB, GL_COORD_REPLACE_ARB, GL_TRUE); glEnable(GL_POINT_SPRITE_OES);", "gl_PointCoord"),
    ("glShadeModel(GL_FLAT);", "flat"), ("glPointSize(4);", "gl_PointSize"), ("glPointSizex(2 * 65536);", "gl_PointSize"),
    ("glPointSize(size);", "gl_PointSize"), ("glEnable(GL_CLIP_PLANE3);", "gl_ClipDistance"),
    ("glEnable(GL_CLIP_DISTANCE7);", "gl_ClipDistance"),
]

T_MODE = "glTexEnvi(target = GL_TEXTURE_ENV, pname = GL_TEXTURE_ENV_MODE, param = %s)"
T_ON = "glEnable(cap = GL_TEXTURE_2D)"
T_DRAW = "glDrawArrays(mode = GL_TRIANGLES, first = 0, count = 3)"
T_IMAGE = ("glTexImage2D(target = GL_TEXTURE_2D, level = 0, internalformat = GL_RGBA, width = %d, height = "
           "1, border = 0, format = GL_RGBA, "
           "type = GL_UNSIGNED_BYTE, pixels = blob(4))")
# Name, records of a trace, states.
TRACES = [
    ("glu", [T_ON, "gluBuild2DMipmaps(target = GL_TEXTURE_2D, internalFormat = GL_ALPHA, width = 4, height = "
                   "4, format = GL_ALPHA, type = GL_UNSIGNED_BYTE, "
                   "data = blob(16)) = 0", T_DRAW], ["{modulate @alpha}"]),
    ("zero", [T_ON, T_IMAGE % 1, T_DRAW, T_IMAGE % 0, T_DRAW], ["{modulate}", "{}"]),
    # `apitrace dump` prints a token by one of the names that share its number.
    ("dot3-rgba-ext", [T_ON, T_MODE % "GL_COMBINE", "glTexEnvi(target = GL_TEXTURE_ENV, pname = GL_COMBINE_RGB, param = "
                       "GL_PROGRAM_BINARY_LENGTH)", T_DRAW], ["{dot3a_ext(T0,P)}"]),
    ("dot3-rgb-ext", [T_ON, T_MODE % "GL_COMBINE", "glTexEnvi(target = GL_TEXTURE_ENV, pname = GL_COMBINE_RGB, param = "
                      "GL_Z400_BINARY_AMD)", T_DRAW], ["{dot3_ext(T0,P); T0*P}"]),
    ("float-ati", [T_ON, (T_IMAGE % 1).replace("internalformat = GL_RGBA", "internalformat = GL_ALPHA_FLOAT32_ATI"), T_DRAW],
     ["{modulate @alpha}"]),
    # In GLX 1.4, EGL 1.5, WGL and CGL, the context is not always the first argument. B shares objects with A,
    # and TEXTURE_2D is enabled only in A.
    ("glx", ["glXCreateContext(0x1, &{visual = 0x7, depth = 24}, NULL, True) = 0xa",
             "glXCreateContext(0x1, &{visual = 0x7, depth = 24}, 0xa, True) = 0xb",
             "glXMakeCurrent(0x1, 5, 0xa) = True", "BOUND", "glXMakeCurrent(0x1, 5, 0xb) = True", "DRAWN",
             "glXMakeCurrent(0x1, 0, NULL) = True", "glFlush()"], None),
    ("glx-13", ["glXCreateNewContext(0x1, 0x2, GLX_RGBA_TYPE, NULL, True) = 0xa",
                "glXCreateNewContext(0x1, 0x2, GLX_RGBA_TYPE, 0xa, True) = 0xb",
                "glXMakeContextCurrent(0x1, 5, 6, 0xa) = True", "BOUND",
                "glXMakeContextCurrent(0x1, 5, 6, 0xb) = True", "DRAWN"], None),
    ("glx-arb", ["glXCreateContextAttribsARB(0x1, 0x2, NULL, True, {}) = 0xa",
                 "glXCreateContextAttribsARB(0x1, 0x2, 0xa, True, {8337, 1, 0}) = 0xb",
                 "glXMakeCurrentReadSGI(0x1, 5, 6, 0xa) = True", "BOUND",
                 "glXMakeCurrentReadSGI(0x1, 5, 6, 0xb) = True", "DRAWN"], None),
    ("egl", ["eglCreateContext(0x1, 0x2, NULL, {}) = 0xa",
             "eglCreateContext(0x1, 0x2, 0xa, {EGL_CONTEXT_CLIENT_VERSION, 1, EGL_NONE}) = 0xb",
             "eglMakeCurrent(0x1, 0x5, 0x6, 0xa) = EGL_TRUE", "BOUND",
             "eglMakeCurrent(0x1, 0x5, 0x6, 0xb) = EGL_TRUE", "DRAWN"], None),
    ("wgl", ["wglCreateContext(0x1) = 0xa", "wglCreateContextAttribsARB(0x1, 0xa, {}) = 0xb",
             "wglMakeCurrent(0x1, 0xa) = TRUE", "BOUND",
             "wglMakeContextCurrentARB(0x1, 0x1, 0xb) = TRUE", "DRAWN"], None),
    ("wgl-share", ["wglCreateContext(0x1) = 0xa", "wglCreateContext(0x1) = 0xb",
                   "wglShareLists(0xa, 0xb) = TRUE", "wglMakeCurrent(0x1, 0xa) = TRUE", "BOUND",
                   "wglMakeCurrent(0x1, 0xb) = TRUE", "DRAWN"], None),
    ("cgl", ["CGLCreateContext(0x9, NULL, &0xa) = kCGLNoError",
             "CGLCreateContext(0x9, 0xa, &0xb) = kCGLNoError", "CGLSetCurrentContext(0xa) = kCGLNoError",
             "BOUND",
             "CGLSetCurrentContext(0xb) = kCGLNoError", "DRAWN"], None),
]
# Texture 7 gets its image in context A and is used in B, where it exists only if B shares A's objects.
# REPLACE is set in A only.
BOUND = ["glEnable(GL_TEXTURE_2D)", "glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE)",
         "glBindTexture(GL_TEXTURE_2D, 7)",
         "glTexImage2D(GL_TEXTURE_2D, 0, GL_ALPHA, 1, 1, 0, GL_ALPHA, GL_UNSIGNED_BYTE, blob(1))",
         "glDrawArrays(GL_TRIANGLES, 0, 3)"]
DRAWN = ["glDrawArrays(GL_TRIANGLES, 0, 3)", "glBindTexture(GL_TEXTURE_2D, 7)", "glEnable(GL_TEXTURE_2D)",
         "glDrawArrays(GL_TRIANGLES, 0, 3)"]
SHARED = ["{replace @alpha}", "{}", "{modulate @alpha}"]


def states_of(run):
    return [line for line in run.out.splitlines() if line and not line.startswith("#")]


def run_of(form, text):
    return tool.Run(["convert", "--from", form, "--to", "stages", "-"], text)


def oracle_states(form, text):
    return [resolve(item.state, DEFAULT_POLICY)._replace(assumed=False) for item in inputs.read_text(text,
        form)]


def notation_states(lines):
    return [resolve(next(iter(stages.read(line)))[0], DEFAULT_POLICY) for line in lines]


def check_states(checks, name, form, text, expected):
    run = run_of(form, text)
    checks.check(not run.sanitizer(), f"{name}: {run.err}")
    checks.check(run.status == 0, f"{name}: exit status {run.status}\n{run.err}")
    checks.check(states_of(run) == expected, f"{name}: expected {expected}, got {states_of(run)}\n{run.err}")
    return run


def check_oracle(checks, name, form, text, expected):
    try:
        got = oracle_states(form, text)
        checks.check(got == notation_states(expected), f"{name}: the oracle reads other states: {got}")
    except InputError as e:
        checks.check(False, f"{name}: the oracle: {e}")


def scripts(checks):
    for name, text, expected, said in SCRIPTS:
        run = check_states(checks, name, "gl", text, expected)
        lines = [int(n) for n in re.findall(r"<stdin>:(\d+):\d+: warning: .*(?:#endif)", run.err)]
        checks.check(lines == (said or []), f"{name}: warnings of lines {lines}, expected {said}\n{run.err}")
        if said is NONE:
            checks.check(all("counts as disabled" in line for line in run.err.splitlines()
                             if "warning" in line), f"{name}: {run.err}")
        check_oracle(checks, name, "gl", text, expected)
    # Errors in a skipped group are not reported; an error after the group is reported at its line.
    run = run_of("gl", ON + "#if 0\nglTexEnvi(\n#endif\n// \\\n x\nglTexEnvi(GL_TEXTURE_ENV);\n")
    checks.check(run.status != 0 and "<stdin>:7:1:" in run.err, f"place of an error: {run.err}")
    # After an error, reading does not continue inside a skipped group.
    run = run_of("gl", ON + "glTexEnvi(GL_TEXTURE_ENV\n#if 0\nglNoise(;\nglTexEnvi(1);\n#endif\n" + DRAW)
    checks.check(run.status != 0 and not re.search(r"<stdin>:[45]:", run.err),
                 f"errors of a skipped part: {run.err}")
    # Deeply nested and unterminated conditionals take linear time.
    many = 100000
    for deep in ("#if X\n" * many + "#endif\n" * many, "#if X\n" * many + "#endif\n",
                 "#if 0\n" * many + "#endif\n" * many):
        run = run_of("gl", ON + deep + REPLACE + DRAW)
        checks.check(run.status == 0 and states_of(run) == ["{replace}"],
                     f"many conditionals: {run.status} {run.out} {run.err[:300]}")
    # Indexed calls (GL 3.0, EXT_draw_buffers2) are not supported and get a warning.
    for call in ("glEnablei", "glDisablei", "glEnableIndexedEXT", "glDisableIndexedEXT"):
        text = ON + f"{call}(GL_TEXTURE_2D, 0);\n" + DRAW
        run = run_of("gl", text)
        checks.check(run.status == 1 and re.search(r"<stdin>:2:1: error: .*\[not-followed\]", run.err),
                     f"{call}: not told: {run.err}")
        run = tool.Run(["convert", "--lenient", "--from", "gl", "--to", "stages", "-"], text)
        checks.check(run.status == 0 and states_of(run) == ["{modulate}"],
                     f"{call}: --lenient: {run.out} {run.err}")
        checks.check(re.search(r"<stdin>:2:1: warning: .*\[not-followed\]", run.err),
                     f"{call}: nothing is said: {run.err}")


def silence(checks):
    """Calls that the reader does not support are an error at their place, and only a warning with --lenient
    and in traces. State that the shader cannot express gets a warning in the languages that lose it."""
    for call in NOT_FOLLOWED:
        text = ON + "\n" + call + "\n" + DRAW
        run = run_of("gl", text)
        line = text[:text.index(call)].count("\n") + 1
        checks.check(run.status == 1 and re.search(rf"<stdin>:{line}:1: error: .*\[not-followed\]", run.err),
                     f"{call}: not told: {run.status} {run.out} {run.err}")
        run = tool.Run(["convert", "--lenient", "--from", "gl", "--to", "stages", "-"], text)
        checks.check(run.status == 0 and re.search(rf"<stdin>:{line}:1: warning: .*\[not-followed\]", run.err),
                     f"{call}: --lenient: {run.status} {run.err}")
        run = run_of("apitrace", numbered([T_ON, call.rstrip(";").replace("(GLint[])", ""), T_DRAW]))
        checks.check(run.status == 0 and "not-followed" in run.err or "is no constant" in run.err,
                     f"{call}: in a trace: {run.status} {run.err}")
    for call, word in BESIDE:
        for language in ("glsl-330", "glsl-450", "glsl-es", "glsl-es-300"):
            run = tool.Run(["convert", "--from", "gl", "--to", language, "-"], ON + "\n" + call + "\n" + DRAW)
            checks.check(run.status == 0 and re.search(rf"warning: .*{word}.*\[beside\]", run.err),
                         f"{call} {language}: {run.status} {run.err}")
        run = tool.Run(["convert", "--from", "gl", "--to", "glsl", "-"], ON + "\n" + call + "\n" + DRAW)
        checks.check(run.status == 0 and "warning" not in run.err and "[beside]" in run.err, f"{call}: {run.err}")
    # Matrix calls of extensions that the reader does not support: the vertex half is unknown after them.
    for call in ("glMatrixLoadfEXT(GL_TEXTURE, m);", "glMatrixTranslatefEXT(GL_MODELVIEW, 1, 2, 3);",
                 "glMultiTexGeniEXT(GL_TEXTURE0, GL_S, GL_TEXTURE_GEN_MODE, GL_EYE_LINEAR);"):
        run = tool.Run(["convert", "--from", "gl", "--to", "glsl-330", "--stage", "vertex", "-"], ON + "\n" + call + DRAW)
        checks.check(run.status != 0 and "is not known here" in run.err, f"{call}: {run.status} {run.out} {run.err}")
    # lint reports calls that GL refuses.
    for text, status in ((ON + DRAW, 0), (ON + "glEnable(GL_BLEND_SRC);" + DRAW, 1),
                         (ON + "glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_BLEND_SRC);" + DRAW, 1)):
        run = tool.Run(["lint", "--from", "gl", "-"], text)
        checks.check(run.status == status, f"lint of {text}: {run.status} {run.err}")


def peak(args, text):
    """Runs texenvc on the text; returns exit status, messages, and its peak memory in megabytes."""
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as said:
        source.write(text.encode())
        source.seek(0)
        run = subprocess.Popen([tool.TEXENVC, *args], stdin=source, stdout=subprocess.DEVNULL, stderr=said)
        _, status, usage = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        return run.returncode, said.read().decode(), usage.ru_maxrss // 1024


def bounds(checks):
    """Texts that ask for very many objects are refused with a message, in a bounded amount of memory."""
    def contexts(end):
        return "".join(f"{i} glXCreateContext(dpy = 0x1, vis = NULL, shareList = NULL, direct = True) = 0x{i + 1:x}\n"
                       + end.replace("%x", f"{i + 1:x}") for i in range(200000)) + f"1 {T_DRAW}\n"

    left = contexts("")
    used = contexts("9 @%x glXMakeCurrent(dpy = 0x1, drawable = 5, ctx = NULL) = True\n")
    destroyed = contexts("9 glXDestroyContext(dpy = 0x1, ctx = 0x%x)\n")
    array = numbered(["glDeleteTextures(n = 1, textures = {" + "0, " * 2000000 + "0})", T_DRAW])
    script = "glDeleteTextures(1, (GLuint[]){" + "0, " * 2000000 + "0});" + image() + DRAW
    lists = "glNewList(1, GL_COMPILE);\n" + "glEnable(GL_FOG);\n" * 1100000 + "glEndList();\n" + DRAW
    for name, form, text, wanted in (("contexts", "apitrace", left, "more than 1024 contexts"),
                                     ("contexts in threads", "apitrace", used, "more than 1024 contexts"),
                                     ("contexts that end", "apitrace", destroyed, None),
                                     ("an array", "apitrace", array, "more than 65536 elements"),
                                     ("an array of C", "gl", script, "more than 65536 elements"),
                                     ("lists", "gl", lists, "calls in display lists")):
        status, said, megabytes = peak(["convert", "--from", form, "--to", "stages", "-"], text)
        checks.check(status == (1 if wanted else 0) and (not wanted or wanted in said),
                     f"{name}: {status} {said[:600]}")
        checks.check(SANITIZED or megabytes < 400, f"{name}: {megabytes} MB")
    # For files that are not the text of a trace, such as a compressed one, the error suggests `apitrace dump
    # FILE`.
    with tempfile.TemporaryDirectory() as folder:
        for name, data in (("a.trace", gzip.compress(left[:9999].encode())), ("b.trace", bytes(range(32)) * 40),
                           ("c.trace", b"at" + bytes([40, 0, 0, 0]) + bytes(60))):
            path = os.path.join(folder, name)
            with open(path, "wb") as f:
                f.write(data)
            run = tool.Run(["convert", "--to", "stages", path])
            checks.check(run.status == 1 and f"apitrace dump {path}" in run.err, f"{name}: {run.status} {run.err}")


def numbered(records):
    return "".join(f"{n} {r}\n" for n, r in enumerate(records))


def traces(checks):
    for name, records, expected in TRACES:
        if expected:
            check_states(checks, name, "apitrace", numbered(records), expected)
            check_oracle(checks, name, "apitrace", numbered(records), expected)
        else: # arguments without names (--arg-names=no)
            lines = []
            for r in records:
                lines += BOUND if r == "BOUND" else DRAWN if r == "DRAWN" else [r]
            check_states(checks, name, "apitrace", numbered(lines), SHARED)
    cut_off(checks)


def cut_off(checks):
    """A record without its ")" is ignored with a warning if it is the last one, else it is an error
    (notes/formats/apitrace.md)."""
    for last in (T_MODE % "GL_REPLACE", T_DRAW, "glBegin(mode = GL_TRIANGLES)", T_IMAGE % 0,
                 T_IMAGE.replace("blob(4)", "NULL") % 0,
                 "glDrawElements(mode = GL_TRIANGLES, count = 3, type = GL_UNSIGNED_BYTE, indices = blob(3))",
                 "glVertex2f(x = 1, y = 2)",
                 'glFoo(s = ")", n = 1)', "glXMakeCurrent(dpy = 0x1, drawable = 5, ctx = 0xa)"):
        before = [T_ON, T_IMAGE % 1, T_DRAW, T_MODE % "GL_ADD"]
        cut = numbered(before + [last])[:-2]
        for end in ("", "\n", "\r\n", "\n\n", "\n# the end\n"):
            run = check_states(checks, f"cut {last[:12]}{end!r}", "apitrace", cut + end, ["{modulate}"])
            checks.check("cut off" in run.err, f"cut {last[:12]}{end!r}: nothing is said: {run.err}")
            # the oracle does not parse the arguments of calls that do not affect the state
            if "Vertex" not in last and "Foo" not in last:
                check_oracle(checks, f"cut {last[:12]}{end!r}", "apitrace", cut + end, ["{modulate}"])
        text = numbered(before + [last])[:-2] + "\n" + f"5 {T_DRAW}\n"
        run = run_of("apitrace", text)
        checks.check(run.status != 0 and re.search(r"<stdin>:5:\d+: error: call 4: .*'\)'", run.err),
                     f"cut {last[:12]} in the middle: {run.status} {run.err}")
    # Complete records of all kinds are not taken for truncated ones.
    whole = ["glDrawElements(mode = GL_TRIANGLES, count = 3, type = GL_UNSIGNED_BYTE, indices = blob(3)) // "
             "fast", "glMapBuffer(target = 1, access = 2) = 0x1 // incomplete",
             'glFoo(s = "(", t = {")", "\\")"})', "glFinish() ",
             "glMultiDrawArrays(mode = GL_LINES, first = {1, 2}, count = {3, 4}, drawcount = 2)"]
    run = check_states(checks, "whole", "apitrace", numbered([T_ON, *whole]), ["{modulate}"])
    checks.check("warning" not in run.err, f"whole: {run.err}")


def marks(checks):
    """A byte order mark at the start of a text is ignored, whether the input form is given or guessed."""
    texts = {"gl": ON + REPLACE + DRAW, "stages": "{replace}\n", "apitrace": numbered([T_ON,
        T_MODE % "GL_REPLACE", T_DRAW])}
    for form, text in texts.items():
        for args in (["--from", form], []):
            run = tool.Run(["convert", *args, "--to", "stages", "-"], b"\xef\xbb\xbf" + text.encode())
            checks.check(run.status == 0 and states_of(run) == ["{replace}"] and not run.err.count("error"),
                         f"mark {form} {args}: {run.out}{run.err}")
            for part in (b"\xef", b"\xef\xbb", b"\xef\xbb\xbf\xef\xbb\xbf"): # these are no byte order marks
                run = tool.Run(["convert", *args, "--to", "stages", "-"], part + text.encode())
                checks.check(run.status != 0 and not run.sanitizer(),
                             f"mark {form} {part}: {run.out}{run.err}")
    run = tool.Run(["convert", "--from", "gl", "--to", "stages", "-"], b"\xef\xbb\xbfglTexEnvi(;\n")
    checks.check("<stdin>:1:11:" in run.err, f"mark: columns count from behind it: {run.err}")
    for part in (b"\xef", b"\xef\xbb", b"\xef\xbb\xbf"):
        run = tool.Run(["convert", "--from", "apitrace", "--to", "stages", "-"], part)
        checks.check(run.status != 0 and not run.sanitizer(), f"mark alone: {run.out}{run.err}")


def main():
    checks = tool.Checks("readers")
    scripts(checks)
    traces(checks)
    silence(checks)
    bounds(checks)
    marks(checks)
    checks.finish()


if __name__ == "__main__":
    main()
