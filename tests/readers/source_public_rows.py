"""The rows of source_public.py. Comments give the reasons for the expected states."""

GIT = "https://github.com/%s"
# Program, which is also the name of its folder: (version or commit, where to get it).
PROGRAMS = {
    "alephone": ("a8be9df5", GIT % "Aleph-One-Marathon/alephone"),
    "allegro4.4": ("4.4.3.1", "Debian"),
    "allegro5": ("565ce5184", GIT % "liballeg/allegro5"),
    "billard-gl": ("1.75", "Debian"),
    "bzflag": ("f48c95341", GIT % "BZFlag-Dev/bzflag"),
    "chromium-bsu": ("0.9.16.1", "Debian"),
    "coin3": ("4.0.0+ds", "Debian"),
    "compiz": ("0.8.18", "Debian"),
    "criticalmass": ("1.0.2", "Debian"),
    "DOOM-3": ("a9c49da", GIT % "id-Software/DOOM-3"),
    "foobillardplus": ("3.43~svn170+dfsg", "Debian"),
    "gl-117": ("1.3.2", "Debian"),
    "gltron": ("0.70final", "Debian"),
    "ioq3": ("5956299e", GIT % "ioquake/ioq3"),
    "irrlicht": ("1.8.5+ds2", "Debian"),
    "libsdl1.2": ("1.2.15+dfsg2", "Debian"),
    "libsdl2": ("2.26.5+dfsg", "Debian"),
    "megaglest": ("3.13.0", "Debian"),
    "neverball": ("1.6.0+git20180603", "Debian"),
    "ode": ("0.16.2", "Debian"),
    "ogre": ("1.12.10+dfsg2", "Debian (ogre-1.12)"),
    "openscenegraph": ("3.6.5+dfsg1", "Debian"),
    "pcsxr": ("1.9.94", "Debian"),
    "piglit": ("5e97a3485", GIT % "mesa3d/piglit"),
    "plib": ("1.8.5", "Debian"),
    "prboom-plus": ("96951516", GIT % "coelckers/prboom-plus"),
    "Quake": ("bf4ac42", GIT % "id-Software/Quake"),
    "Quake-2": ("372afde", GIT % "id-Software/Quake-2"),
    "tulip": ("5.4.0+dfsg", "Debian"),
    "xscreensaver": ("90669379", GIT % "Zygo/xscreensaver"),
    "yquake2": ("69599f5a", GIT % "yquake2/yquake2"),
}

ON = "glEnable(GL_TEXTURE_2D); "
ON1 = "glActiveTexture(GL_TEXTURE1); glEnable(GL_TEXTURE_2D); glActiveTexture(GL_TEXTURE0); "
NEVERBALL = ["--alias", "glActiveTexture_=glActiveTexture",
             "--alias", "glClientActiveTexture_=glClientActiveTexture", "--let", "curr_tex_env=0"]
PRBOOM = ["-DSDL_VERSION_ATLEAST(a,b,c)=1", "--let", "gl_compatibility_mode=0",
          "--alias", "GLEXT_glActiveTextureARB=glActiveTextureARB",
          "--alias", "GLEXT_glClientActiveTextureARB=glClientActiveTextureARB"]
XSCREENSAVER = ["-DUSE_GL", "-DENTRYPOINT=", "-DMODE_antmaze", "-DXSCREENSAVER_MODULE(a,b)=",
                "-DXSCREENSAVER_MODULE_2(a,b,c)=", "-DHAVE_GLBINDTEXTURE"]
PROBE = ("static int piglit_compare_pixels(int x, int y, const float *a, float *b, const float *t, int n)\n"
         "{ return 1; }\n")
RECT = ["--alias", "piglit_draw_rect_tex=glDrawArrays", "-DARRAY_SIZE(a)=(sizeof(a)/sizeof(a[0]))"]
PNG = ["--ignore", "error_print", "--ignore", "sys_exit", "--ignore", "png_*"]
IOQ3 = ["+code/renderergl1/tr_backend.c", "--ignore", "Printf", "--ignore", "Error"]
# compiz: replacements for functions of its other files. drawWindowGeometry draws and is called through a
# pointer.
COMPIZ = ("static void enableTexture(void *s, void *t, int f) { glEnable(GL_TEXTURE_2D); }\n"
          "static void disableTexture(void *s, void *t) { glDisable(GL_TEXTURE_2D); }\n"
          "static void screenTexEnvMode(void *s, unsigned mode)\n"
          "{ glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, mode); }\n")
COMPIZ_LET = ["-Iinclude", "--alias", "activeTexture=glActiveTextureARB",
              "--alias", "drawWindowGeometry=glDrawArrays", "--let", "canDoSaturated=1"]
OSG = ["-Iinclude", "-DOSG_GL_FIXED_FUNCTION_AVAILABLE", "--ignore", "operator"]
# Coin: replacements for wrappers of GL calls, which have a context as their first argument.
COIN = ("static void cc_glglue_glActiveTexture(int glue, unsigned u) { glActiveTexture(u); }\n"
        "static void cc_glglue_glDrawElements(int glue, int a, int b, int c, int d)\n"
        "{ coin_draw(a, b, c, d); }\n"
        "static void coin_apply_normalization_cube_map(int glue) {}\n")
COIN_OPTIONS = ["-Iinclude", "--ignore", "operator", "--ignore", "get*"]
IRRLICHT = "#include <GL/gl.h>\n#include <GL/glext.h>\nstruct Driver { void disableTextures(int from) {} };\n"
IRR = ["-Iinclude", "-D_IRR_COMPILE_WITH_OPENGL_", "--alias", "extGlActiveTexture=glActiveTextureARB",
       "--ignore", "operator", "--alias", "disableTextures=Driver::disableTextures",
       "--ignore", "setBasicRenderStates", "--ignore", "queryFeature", "--alias",
       "setTransform=COpenGLDriver::setTransform"]
OGRE = "RenderSystems/GL/src/OgreGLRenderSystem.cpp"
OGRE_UNIT = ("struct Unit { bool activateGLTextureUnit(int u)\n"
             "{ glActiveTexture(GL_TEXTURE0 + u); return true; } };\n")
OGRE_LET = ["-IOgreMain/include", "--ignore", "operator", "--alias",
            "activateGLTextureUnit=Unit::activateGLTextureUnit", "--let", "blendType=0", "--let", "stage=0",
            "--let", "mFixedFunctionTextureUnits=4"]
# DOOM 3: replacements for functions of other files that select units, set modes and bind images.
DOOM3 = ("static void GL_SelectTexture(int u) { glActiveTexture(GL_TEXTURE0 + u); }\n"
         "static void GL_TexEnv(int m) { glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, m); }\n"
         "struct Image { void Bind(void) { glEnable(GL_TEXTURE_2D); }\n"
         "void BindNull(void) { glDisable(GL_TEXTURE_2D); } };\n")


def lets(**values):
    return [x for name, value in values.items() for x in ("--let", "%s=%s" % (name, value))]


# Program, file, function or statements of a caller, options, the distinct states in stage notation in the
# order of their first draw (or a pattern of the error message, where texenvc must refuse).
ROWS = [
    # unit 0: P*(1-T.a), alpha P; unit 1: lerp(P, F, T.a) from GL_PREVIOUS and GL_PRIMARY_COLOR; unit 2:
    # modulate
    ("neverball", "share/geom.c", "tex_env_active(&tex_env_shadow_clip); shad_draw_set();", NEVERBALL,
     ["{P*~T0.a; P} {lerp(P,F,T1.a); P} {modulate}"]),
    ("neverball", "share/geom.c", "tex_env_active(&tex_env_shadow); shad_draw_set();", NEVERBALL,
     ["{P*~T0.a; P} {modulate}"]),
    ("neverball", "share/geom.c", "tex_env_active(&tex_env_pose); shad_draw_set();", NEVERBALL,
     ["{replace} {modulate}"]),
    ("neverball", "share/geom.c", "tex_env_conf_default(TEX_STAGE_TEXTURE, 1);", NEVERBALL, ["{modulate}"]),
    # SetTextureMode uses GL_COMBINE and sets each source of alpha
    ("prboom-plus", "prboom2/src/gl_opengl.c", ON + "SetTextureMode(TM_MASK);", PRBOOM, ["{F; F*T0}"]),
    ("prboom-plus", "prboom2/src/gl_opengl.c", ON + "SetTextureMode(TM_OPAQUE);", PRBOOM, ["{T0*F; F}"]),
    ("prboom-plus", "prboom2/src/gl_opengl.c", ON + "SetTextureMode(TM_INVERT);", PRBOOM, ["{~T0*F; F*T0}"]),
    ("prboom-plus", "prboom2/src/gl_opengl.c", ON + "SetTextureMode(TM_INVERTOPAQUE);", PRBOOM,
     ["{~T0*F; F}"]),
    ("prboom-plus", "prboom2/src/gl_opengl.c", ON + "SetTextureMode(TM_MODULATE);", PRBOOM, ["{modulate}"]),
    # dot3 of primary colour and texture; for alpha, SOURCE1 keeps its initial value PREVIOUS
    ("prboom-plus", "prboom2/src/gl_main.c", ON + "SetFrameTextureMode();", PRBOOM,
     ["{dot3(F,T0); T0*P}", "{modulate}"]),
    # RGB_SCALE 2, else GL's initial values: T*P, alpha not scaled
    ("prboom-plus", "prboom2/src/gl_detail.c", ON + ON1 + "gld_PreprocessDetail();",
     PRBOOM + lets(gl_arb_multitexture=1), ["{modulate} {T1*P}*2;1"]),
    # team colour: lerp(T0, T1, T0.a), alpha T0; then F*P, alpha F
    ("megaglest", "source/g3d_viewer/renderer.cpp", ON + "MeshCallbackTeamColor::execute(0);",
     ["--ignore", "getHandle"], ["{lerp(T0,T1,T0.a); T0} {F*P; F}", "{modulate}"]),
    ("megaglest", "source/glest_game/graphics/renderer.cpp", ON + "MeshCallbackTeamColor::execute(0);",
     ["--ignore", "getHandle"], ["{lerp(T0,T1,T0.a); T0} {F*P; F}", "{modulate}"]),
    # the previous mode is unknown: the branch where it is equal sets nothing
    ("Quake-2", "ref_gl/gl_image.c", ON + "GL_TexEnv(GL_DECAL);", lets(currenttmu=0),
     ["{decal}", "{modulate}"]),
    ("yquake2", "src/client/refresh/gl1/gl1_image.c", ON + "R_TexEnv(GL_ADD);",
     ["-DYQ2OSTYPE=x", "-DYQ2ARCH=x"], ["{add}", "{modulate}"]),
    ("Quake", "WinQuake/gl_vidlinuxglx.c", "GL_Init", [], ["{replace} alphatest=greater:0.666"]),
    ("Quake", "WinQuake/gl_vidlinux.c", "GL_Init", [], ["{replace} alphatest=greater:0.666"]),
    # 8x8, internal format gl_alpha_format, which is 4 unless a command line says otherwise
    ("Quake", "WinQuake/gl_rmisc.c", ON + "R_InitParticleTexture();", lets(gl_alpha_format=4),
     ["{modulate}"]),
    ("ioq3", "code/renderergl1/tr_backend.c", ON + "GL_TexEnv(GL_ADD);", [], ["{modulate}", "{add}"]),
    ("ioq3", "code/renderergl1/tr_backend.c", ON + "GL_TexEnv(GL_DECAL);", [], ["{modulate}", "{decal}"]),
    # the lightmap is added; unit 0 was enabled when the renderer started
    ("ioq3", "code/renderergl1/tr_shade.c", ON + "DrawMultitextured(0, 0);",
     IOQ3 + ["--alias", "R_DrawElements=glDrawElements"] +
     lets(multitextureEnv="GL_ADD", integer=0, isPortal=0, currenttmu=0, texEnv="0,0",
          numImageAnimations=0, isVideoMap=0, stateBits=0, glStateBits=0),
     ["{modulate} {add}"]),
    # EXT_texture_env_combine: scale 2, else GL's initial values
    ("pcsxr", "plugins/peopsxgl/draw.c", ON + "SetExtGLFuncs();", ["--ignore", "SetFixes"] + lets(iUseExts=1),
     ["{T0*P}*2;1", "{modulate}"]),
    ("gltron", "src/game/gui.c", "drawGuiBackground", [], ["{replace}"]),
    ("gltron", "src/game/gui.c", "drawGuiLogo", [], ["{modulate}"]),
    ("gltron", "src/video/trail_render.c", "trailStatesNormal", [], ["{decal}"]),
    ("billard-gl", "src/Schild.cpp", "Initialisiere", [], ["{modulate}"]),
    ("gl-117", "src/main.cpp",
     ("struct Textures { void enableTextures(int n) { glEnable(GL_TEXTURE_2D); } };", "drawMouseCursor();"),
     ["--alias", "enableTextures=Textures::enableTextures", "--ignore", "*ableAlphaBlending"], ["{replace} alphatest=gequal:0.1"]),
    # with and without a texture; then the outline without one (or with that of the first unit, since the
    # reader takes the results of two calls of `textureName.empty()` as independent)
    ("tulip", "library/tulip-ogl/src/Curves.cpp",
     ("struct GlTextureManager { static void activateTexture(int n) { glEnable(GL_TEXTURE_2D); }\n"
      "static void deactivateTexture(void) { glDisable(GL_TEXTURE_2D); } };\n",
      "simpleQuad(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);"), [],
     ["{T0*P} {modulate}", "{}", "{T0*P}", "{} {modulate}"]),
    ("plib", "src/ssg/ssgTexture.cxx", ON + "setDefaultGlParams(1, 1, 1);", [], ["{modulate}"]),
    # the internal format is RGBA8
    ("criticalmass", "utilsgl/GLTexture.cpp", ON + "GLTexture::init(0, 0);",
     ["--ignore", "instance", "--ignore", "bind"] + lets(_target="GL_TEXTURE_2D"),
     ["{modulate}"]),
    ("ode", "drawstuff/src/drawstuff.cpp", ON + "Texture::bind(1);", [], ["{modulate}"]),
    ("ode", "drawstuff/src/drawstuff.cpp", ON + "Texture::bind(0);", [], ["{decal}"]),
    ("libsdl1.2", "test/testgl.c", "SDL_GL_Enter2DMode", ["-DHAVE_OPENGL"], ["{decal}"]),
    ("libsdl1.2", "src/video/SDL_video.c", "SDL_GL_Lock",
     ["-DSDL_VIDEO_OPENGL=1"] + lets(lock_count=0), ["{modulate}"]),
    # a triangle without a texture; a square with one, if shaders are not supported
    ("libsdl2", "test/testshader.c", "DrawGLScene", ["-DHAVE_OPENGL"] + lets(shaders_supported=0),
     ["{}", "{modulate}"]),
    ("allegro4.4", "addons/allegrogl/examp/tex.c", "setup_textures", [], ["{decal}"]),
    ("allegro5", "examples/ex_gldepth.c", "setup_textures", [], ["{decal}"]),
    ("alephone", "Source_Files/RenderMain/OGL_Textures.cpp", ON + "FlatBumpTexture();",
     ["-DHAVE_OPENGL"] + lets(flatBumpTextureID=0), ["{modulate}"]),
    ("xscreensaver", "hacks/glx/timetunnel.c", ON + "setTexParams();", XSCREENSAVER, ["{replace}"]),
    ("xscreensaver", "hacks/glx/mirrorblob.c", "draw_background", XSCREENSAVER, ["{decal}"]),
    # internal format 3 means RGB
    ("xscreensaver", "hacks/glx/antmaze.c", ON + "makeCheckImage(0);", XSCREENSAVER, ["{modulate @rgb}"]),
    ("xscreensaver", "hacks/glx/antmaze.c", ON + "makeBrushedImage(0);", XSCREENSAVER, ["{modulate @rgb}"]),
    ("foobillardplus", "src/bumpref.c",
     "glActiveTexture(GL_TEXTURE3); glEnable(GL_TEXTURE_CUBE_MAP); glActiveTexture(GL_TEXTURE0);\n"
     "bumpref_use(0); " + ON + "glRects(0, 0, 1, 1);", lets(init=1, bumpref_list=1),
     ["{modulate} {} {} {modulate @cube}", "{T0; T0*P} {} {} {dot3(T3,P); T3*P @cube}"]),
    ("foobillardplus", "src/png_loader.c", ON + "create_png_texbind(0, 0, 4, GL_RGBA);",
     PNG, ["{modulate}"]),
    ("foobillardplus", "src/png_loader.c", ON + "create_png_texbind(0, 0, 3, GL_RGB);",
     PNG, ["{modulate @rgb}"]),
    # internal format 1 means luminance
    ("foobillardplus", "src/textobj.c", ON + "create_string_quad(0, 0, 8, 0, 0, 0, 0);",
     ["--ignore", "getString*"],
     ["{modulate @luminance}"]),
    ("piglit", "tests/texturing/crossbar.c", "DoFrame", ["--alias", "glCallList=glDrawArrays"],
     ["{}", "{F; T0*P} {T1; T1*P}", "{F; T0*P} {T0-T1; T1*P}", "{F; T0*P} {T0; T1*P}",
      "{F; T0*P} {T0-T1; T1*P}", "{T1+T1; T0*P} {T1*P}", "{T1+T1; T0*P} {T0*P; T1*P}"]),
    ("piglit", "tests/texturing/lodbias.c", (PROBE, "test_multitex(0, 1);"), lets(piglit_automatic=1),
     ["{replace} {add}"]),
    ("piglit", "tests/spec/arb_texture_rectangle/texrect-simple.c", "piglit_init", [],
     ["{replace @rgb @rect}"]),
    ("piglit", "tests/spec/gl-1.0/texgen.c", "piglit_init", [], ["{replace} vertex(texgen0.st=eye)"]),
    ("piglit", "tests/texturing/texture-al.c", "test_teximage_formats", lets(fabsf=0),
     ["{replace @alpha}", "{replace @luminance_alpha}"]),
    # GL_COMBINE with a constant colour: green for rectangle textures, magenta for 2D ones
    ("piglit", "tests/texturing/depth-tex-modes-common.c",
     "const GLenum m[2] = {GL_LUMINANCE, GL_ALPHA}; loadTex(); depth_tex_display(m, 2, 20);", RECT,
     ["{T0*C @depth @rect} C0=(0,1,0,1)", "{T0*C @depth:alpha @rect} C0=(0,1,0,1)",
      "{T0.a*C @depth @rect} C0=(0,1,0,1)", "{T0.a*C @depth:alpha @rect} C0=(0,1,0,1)",
      "{T0*C @depth} C0=(1,0,1,1)", "{T0*C @depth:alpha} C0=(1,0,1,1)",
      "{T0.a*C @depth} C0=(1,0,1,1)", "{T0.a*C @depth:alpha} C0=(1,0,1,1)"]),
    # saturation 0: dot3 with the weights of grey, times opacity and brightness (both 0xffff). Green in single
    # precision: 0.5 + 0.5 * 0.59 = 0.79499996 (0x3f4b851e), not 0.795 (0x3f4b851f)
    ("compiz", "src/paint.c", (COMPIZ, "enableFragmentOperationsAndDrawGeometry(0, 0, 0, 0, 0);"),
     COMPIZ_LET + lets(saturation=0, opacity=65535, brightness=65535),
     ["{lerp(T0,F,F.a); T0} {dot3(P,C); P*C} C1=(0.65,0.79499996,0.555,1)"]),
    ("compiz", "src/paint.c", (COMPIZ, "enableFragmentOperationsAndDrawGeometry(0, 0, 0, 0, 0);"),
     COMPIZ_LET + lets(saturation=13107, canDoSlightlySaturated=1, opacity=65535, brightness=65535),
     ["{lerp(T0,F,F.a); T0} {dot3(P,C)} {lerp(T0,P,C.a); P} C1=(0.65,0.79499996,0.555,1) "
      "C2=(0.65,0.79499996,0.555,0.2)"]),
    ("compiz", "src/paint.c", (COMPIZ, "enableFragmentOperationsAndDrawGeometry(0, 0, 0, 0, 0);"),
     COMPIZ_LET + lets(saturation=13107, canDoSlightlySaturated=1, opacity=13107, brightness=65535),
     ["{lerp(T0,F,F.a); T0} {dot3(P,C)} {lerp(T0,P,C.a); P} {P*C} C1=(0.65,0.79499996,0.555,1) "
      "C2=(0.65,0.79499996,0.555,0.2) C3=(0.2,0.2,0.2,0.2)"]),
    # COMBINE4_NV: texel times (1 - previous) plus primary alpha times the constant, which is unknown
    ("piglit", "tests/spec/nv_texture_env_combine4/combine.c",
     ("static int piglit_check_gl_error(int e) { return 1; }", "render_state(0, 0);"), RECT + lets(
         combine_mode="GL_ADD", source="GL_TEXTURE,GL_PREVIOUS,GL_PRIMARY_COLOR,GL_CONSTANT",
         operand_rgb="GL_SRC_COLOR,GL_ONE_MINUS_SRC_COLOR,GL_SRC_ALPHA,GL_SRC_COLOR",
         operand_a="GL_SRC_ALPHA,GL_SRC_ALPHA,GL_SRC_ALPHA,GL_SRC_ALPHA"),
     ["{T0*~P+F.a*C; T0*P+F*C} C0=(?,?,?,?)"]),
    # the call sets all state of a record if no record is current; if this one is current already, it sets
    # nothing
    ("bzflag", "src/ogl/OpenGLGState.cxx", "OpenGLGStateState::setOpenGLState(0);",
     ["-Iinclude", "-DGL_VERSION_1_1=1"] + lets(
         hasTexture=1, textureEnvMode="GL_REPLACE", hasTextureMatrix=1, hasSphereMap=1, hasMaterial=0,
         hasBlending=0, hasSmoothing=0, hasStipple=0, hasCulling=0, hasShading=0, hasAlphaFunc=1,
         alphaFunc="GL_GEQUAL", alphaRef=0.25),
     ["{replace} alphatest=gequal:0.25 vertex(texgen0.st=sphere matrix0)"]),
    # the image on top of the cube, blended over the colour by the image's alpha
    ("compiz", "plugins/cube.c", (COMPIZ, "cubePaintTop(0, 0, 0, 0, 4);"),
     ["-Iinclude"] + lets(desktopOpacity=65535, invert=1, name=1), ["{lerp(T0,F,T0.a); P}"]),
    ("openscenegraph", "src/osg/TexEnv.cpp", ON + "TexEnv::apply(0);",
     OSG + lets(_mode="GL_DECAL", ADD="GL_ADD", BLEND="GL_BLEND"), ["{decal}"]),
    ("openscenegraph", "src/osg/TexEnv.cpp", ON + "TexEnv::apply(0);",
     OSG + lets(_mode="GL_ADD", ADD="GL_ADD", BLEND="GL_BLEND", isTexEnvAddSupported=1), ["{add}"]),
    # these values come from the scene, and are known only at run time
    ("coin3", "src/elements/SoTextureCombineElement.cpp", "SoTextureCombineElement::apply(0, 0);",
     COIN_OPTIONS, "not-constant"),
    ("coin3", "src/elements/GL/SoGLMultiTextureImageElement.cpp", (COIN, ON + "SoGLMultiTextureImageElement::updateGL(0);"),
     COIN_OPTIONS + ["--ignore", "tagImage", "--ignore", "isDefault"] + lets(glimage=1, model=0x2101), ["{decal}", "{modulate}"]),
    # dot3 of bump map and normalisation cube map; alpha is T*P in both units, as initially
    ("coin3", "src/shapenodes/soshape_bumprender.cpp", (COIN, ON + "soshape_bumprender::renderBump(0, 0, 0, 0);"),
     COIN_OPTIONS + ["--alias", "coin_draw=glDrawElements"] + [
         x for name in ("calcTSBCoords", "initLight", "push", "isSupported", "disableAll", "call", "identity",
                        "restore", "pop") for x in ("--ignore", name)] +
     lets(n=3, FALSE=0, bumpmapmatrix=0, oldtexture0matrix=0),
     ["{T0; T0*P} {dot3(T1,P); T1*P @cube}"]),
    # two states: with and without multitexture
    ("irrlicht", "source/Irrlicht/COpenGLMaterialRenderer.h",
     (IRRLICHT, ON + ON1 + "COpenGLMaterialRenderer_SOLID_2_LAYER::OnSetMaterial(0, 0, true, 0);"),
     IRR + lets(resetAllRenderstates=1), ["{modulate} {lerp(T1,P,F.a); F}", "{modulate} {modulate}"]),
    ("irrlicht", "source/Irrlicht/COpenGLMaterialRenderer.h",
     (IRRLICHT, ON + "COpenGLMaterialRenderer_TRANSPARENT_VERTEX_ALPHA::OnSetMaterial(0, 0, true, 0);"),
     IRR + lets(resetAllRenderstates=1), ["{T0*P; F}"]),
    ("irrlicht", "source/Irrlicht/COpenGLMaterialRenderer.h",
     (IRRLICHT, ON + "COpenGLMaterialRenderer_TRANSPARENT_ALPHA_CHANNEL::OnSetMaterial(0, 0, true, 0);"),
     IRR + lets(resetAllRenderstates=1, MaterialTypeParam=0.5), ["{T0*P; T0} alphatest=greater:0.5"]),
    # EMT_LIGHTMAP_M4 is replace, then modulate with scale 4
    ("irrlicht", "source/Irrlicht/COpenGLMaterialRenderer.h",
     (IRRLICHT, ON + ON1 + "COpenGLMaterialRenderer_LIGHTMAP::OnSetMaterial(0, 0, true, 0);"),
     IRR + lets(resetAllRenderstates=1, MaterialType="5"), ["{replace} {T1*P}*4;1", "{replace} {modulate}"]),
    ("irrlicht", "source/Irrlicht/COpenGLMaterialRenderer.h",
     (IRRLICHT, ON + ON1 + "COpenGLMaterialRenderer_DETAIL_MAP::OnSetMaterial(0, 0, true, 0);"),
     IRR + lets(resetAllRenderstates=1), ["{modulate} {T1+P-0.5; T1*P}", "{modulate} {modulate}"]),
    # the second layer is a sphere map, in unit 0 if there is only one unit
    ("irrlicht", "source/Irrlicht/COpenGLMaterialRenderer.h",
     (IRRLICHT, ON + ON1 + "COpenGLMaterialRenderer_REFLECTION_2_LAYER::OnSetMaterial(0, 0, true, 0);"),
     IRR + lets(resetAllRenderstates=1), ["{modulate} {T1*P} vertex(texgen1.st=sphere)",
                                          "{modulate} {modulate} vertex(texgen0.st=sphere)"]),
    # virtual methods, each of which a derived class may override
    ("irrlicht", "source/Irrlicht/COpenGLDriver.cpp",
     (IRRLICHT, ON + "COpenGLDriver::setRenderStates2DMode(false, true, true);"),
     IRR, "source-overload"),
    # the layer's operations by their numbers: blend by texture alpha; times 4; signed add of the vertex
    # colour
    ("ogre", OGRE, (OGRE_UNIT, ON + "GLRenderSystem::_setTextureBlendMode(0, 0);"), OGRE_LET +
     lets(operation=10, source1=1, source2=0), ["{lerp(T0,P,T0.a); T0*P}"]),
    ("ogre", OGRE, (OGRE_UNIT, ON + "GLRenderSystem::_setTextureBlendMode(0, 0);"), OGRE_LET +
     lets(operation=4, source1=1, source2=0), ["{T0*P}*4;1"]),
    ("ogre", OGRE, (OGRE_UNIT, ON + "GLRenderSystem::_setTextureBlendMode(0, 0);"), OGRE_LET +
     lets(operation=6, source1=1, source2=2), ["{T0+F-0.5; T0*P}"]),
    ("ogre", OGRE, (OGRE_UNIT, ON + "GLRenderSystem::_setTextureBlendMode(0, 0);"), OGRE_LET +
     lets(operation=12, source1=1, source2=0, factor=0.25),
     ["{lerp(T0,P,C.a); T0*P} C0=(0,0,0,0.25)"]),
    # falloff; dot3 of bump map and normal cube map (2D here, by Bind above); inverted colour times light
    ("DOOM-3", "neo/renderer/draw_arb.cpp",
     (DOOM3, "for (int i = 1; i >= 0; i--) { glActiveTexture(GL_TEXTURE0 + i);\n"
      "qglTexGeni(GL_S, GL_TEXTURE_GEN_MODE, GL_OBJECT_LINEAR);\n"
      "qglTexGeni(GL_T, GL_TEXTURE_GEN_MODE, GL_OBJECT_LINEAR);\n"
      "qglTexGeni(GL_Q, GL_TEXTURE_GEN_MODE, GL_OBJECT_LINEAR); }\nRB_ARB_DrawInteraction(0);"),
     ["--alias", "RB_DrawElementsWithCounters=glDrawElements", "--ignore", "Position", "--alias", "Bind=Image::Bind",
      "--alias", "BindNull=Image::BindNull"] +
     lets(envDot3Available=1, cubeMapAvailable=1, ambientLight=0, vertexColor=2, SVC_IGNORE=0,
          SVC_MODULATE=1, SVC_INVERSE_MODULATE=2),
     ["{modulate} vertex(texgen0.stq=object)", "{modulate} {dot3a(T1,P)}",
      "{T0*~F; T0*P} {modulate} vertex(texgen1.stq=object)"]),
    ("chromium-bsu", "src/GroundMetalSegment.cpp", ON + "GroundMetalSegment::drawMultiTex(1, 0, 0, false, 0, 0, 0, 0, 0);",
     ["-DEXPERIMENTAL"], ["{decal} {decal}"]),
    # the mask: a modulating texture, drawn in another file
    ("pcsxr", "plugins/peopsxgl/gpu.c", "SetScanLines();", ["--alias", "XPRIMdrawTexturedQuad=glDrawArrays"] +
     lets(iScanBlend="-1", bTexEnabled=0, bGLBlend=1, bBlendEnable=0), ["{modulate}"]),
    ("xscreensaver", "hacks/glx/lavalite.c", "load_texture", XSCREENSAVER, ["{modulate}"]),
    ("xscreensaver", "hacks/glx/jigglypuff.c", "setup_opengl(0, 0);",
     XSCREENSAVER + lets(do_wireframe=0, color_style=4),
     ["{decal @rgb} vertex(texgen0.st=sphere)"]),
]
