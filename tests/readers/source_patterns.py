#!/usr/bin/env python3
"""Tests `--from c` on code patterns of public programs, written anew for this test. The states that they set
up are derived by hand. source_public.py reads the programs themselves. usage: source_patterns.py"""
import os
import re
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool
from tests.shared.tool import Run

checks = tool.Checks("source_patterns")
FOLDER = tempfile.mkdtemp()
ON = "glEnable(GL_TEXTURE_2D); "
ENV = "glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, %s); "
ADD = ENV % "GL_ADD"

# (description, file name, source, options, the states in stage notation, in order)
ROWS = [
    ("headers of C++ stand before it", "a.cpp",
     "#include <string>\n#include <map>\n#include <algorithm>\n#include <memory>\n#include <cmath>\n"
     "void f(void) { " + ON + ADD + "}", [], ["{add}"]),
    ("operators, templates, namespaces within", "a.cpp",
     "template <typename T> struct pair { T a, b; bool operator<(const pair &o) const noexcept "
     "{ return a < o.a; } };\nnamespace a { inline namespace b { using yes = pair<bool>; } }\n"
     "template <typename T> bool operator==(const pair<T> &x, const pair<T> &y) noexcept "
     "{ return x.a == y.a; }\nusing always = pair<pair<int>>;\nvoid f(void) { " + ON + ADD + "}", [],
     ["{add}"]),
    ("true stays true", "a.cpp",
     "using yes = constant<bool, true>; using no = constant<bool, false>;\n"
     "static bool ready(int u) { glActiveTexture(GL_TEXTURE0 + u); return true; }\n"
     "void f(void) { " + ON + "if (!ready(0)) return; " + ADD + "}", [], ["{add}"]),
    ("a macro that nobody knows, before the function", "a.c",
     "MODULE(\"name\", thing)\nEXPORT void f(void) { " + ON + ADD + "}\nMODULE_END(thing)", [], ["{add}"]),
    ("types that nobody knows", "a.c",
     "void f(void) { Surface *s = get(); Real x = (Real) 3 / (Real) 4; Proc p = (Proc) find(\"x\"); "
     "Byte *b = (Byte *) alloc(3 * sizeof(Byte)); " + ON + "glFrustum(0, (GLdouble) s->w, 0, 1, 1, 9); " +
     ADD + "}", [], ["{add}"]),
    ("a number in a type that nobody knows is not known", "a.c",
     "void f(void) { " + ON + "if ((Flag) 0) { " + ADD + "} }", [], ["{add}", "{modulate}"]),
    ("casts of C++", "a.cpp",
     "void f(const struct base *t) { " + ON + "glBindTexture(GL_TEXTURE_2D, static_cast<const T2D *>(t)->id()); "
     "glTexEnvi(GL_TEXTURE_ENV, static_cast<GLenum>(GL_TEXTURE_ENV_MODE), static_cast<int>(float(GL_ADD)));"
     "delete[] t->rows; t->next = new Base<int>(1); }", ["--ignore", "id"], ["{add}"]),
    ("macros that nobody knows, in a header of C++", "a.cpp",
     "class API shape : public base { public: float *ptr() const { return v; } };\n"
     "INLINE float shape::operator[](int i) const { return v[i]; }\nEXPORT GLvoid *map(const shape *s);\n"
     "void f(shape *t) { shape *s = (shape *) find(t); shape &&n = *s + *t; " + ON + ADD + "}", [], ["{add}"]),
    ("functions of one name, of which none matters", "a.cpp",
     "struct a { float *texPtr() { return v; } }; struct b { float *texPtr() { return w; } };\n"
     "void f(struct c *x) { " + ON + "glTexGenfv(GL_S, GL_OBJECT_PLANE, x->plane.texPtr()); "
     "bool target = x && x->isTarget(); " + ADD + "}", ["--ignore", "is*"], ["{add}"]),
    ("as many rows as a table has", "a.c",
     "static const GLint rows[][2] = {{0, GL_ADD}, {1, GL_DECAL}};\nstatic GLfloat w[] = {1, 2};\n"
     "#define COUNT(x) (sizeof(x) / sizeof((x)[0]))\n"
     "void f(void) { unsigned i; for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) { "
     "glActiveTexture(GL_TEXTURE0 + rows[i][0]); " + ON + ENV % "rows[i][1]" + "} "
     "for (i = 0; i < COUNT(w) && i < sizeof w / sizeof *w; i++) { "
     "glActiveTexture(GL_TEXTURE2 + i); " + ON + "} }", [], ["{add} {decal} {modulate} {modulate}"]),
]


# The same columns, with code as in game engines. The reader must either give these states or refuse the
# source with an error in the line that has "@", which is removed from the source. If the states are None, it
# must refuse. States other than these without an error are a failure.
ENGINES = [
    ("constructor with body", "a.cpp", "struct Env { Env() { ADD } };\nvoid f() { ON\n @Env e;\n DRAW }",
     [], ["{add}"]),
    ("constructor with argument", "a.cpp", "struct Env { Env(GLenum m) { ENV(m) } };\nvoid f() { ON\n @Env "
     "e(GL_ADD);\n DRAW }", [], ["{add}"]),
    ("constructor in braces", "a.cpp", "struct Env { explicit Env(GLenum m) { ENV(m) } };\nvoid f() { ON\n "
     "@Env e{GL_ADD};\n DRAW }", [], ["{add}"]),
    ("RAII guard: destructor", "a.cpp", "struct Guard { Guard() { ADD } ~Guard() { DECAL } };\nvoid f() { "
     "ON\n { @Guard g;\n DRAW }\n DRAW }", [], ["{add}", "{decal}"]),
    ("destructor defined outside", "a.cpp", "class G { public: G(); ~G(); };\nG::G() { ADD }\nG::~G() { "
     "DECAL }\nvoid f() { ON\n { @G g;\n DRAW }\n DRAW }", [], ["{add}", "{decal}"]),
    ("temporary object", "a.cpp", "struct Env { Env(GLenum m) { ENV(m) } };\nvoid f() { ON\n @Env(GL_ADD);\n "
     "DRAW }", [], ["{add}"]),
    ("new of a class", "a.cpp", "struct Env { Env() { ADD } };\nvoid f() { ON\n Env *e = @new Env;\n DRAW }",
     [], ["{add}"]),
    ("delete", "a.cpp", "struct Env { ~Env() { ADD } };\nvoid f(Env *e) { ON\n @delete e;\n DRAW }",
     [], ["{add}"]),
    ("guard derived from base", "a.cpp", "struct B { B() { ADD } };\nstruct G : B { int x; };\nvoid f() { "
     "ON\n @G g;\n DRAW }", [], ["{add}"]),
    ("a member has a constructor", "a.cpp", "struct B { B() { ADD } };\nstruct G { B b; };\nvoid f() { ON\n "
     "@G g;\n DRAW }", [], ["{add}"]),
    ("lambda called", "a.cpp", "void f() { ON\n auto set = @[](GLenum m) { ENV(m) };\n set(GL_ADD);\n DRAW }",
     [], ["{add}"]),
    ("lambda given", "a.cpp", "template <class T> void with(T t) { t(); }\nvoid f() { ON\n with(@[&] { ADD "
     "});\n DRAW }", [], ["{add}"]),
    ("lambda called at once", "a.cpp", "void f() { ON\n @[] { ADD }();\n DRAW }", [], ["{add}"]),
    ("operator()", "a.cpp", "@struct Set { void operator()(GLenum m) const { ENV(m) } };\nvoid f() { ON Set "
     "set;\n set(GL_ADD);\n DRAW }", [], ["{add}"]),
    ("operator <<", "a.cpp", "struct S {};\n@S &operator<<(S &s, int m) { ENV(m) return s; }\nvoid f() { ON "
     "S s;\n s << GL_ADD;\n DRAW }", [], ["{add}"]),
    ("operator = of a class", "a.cpp", "@struct S { S &operator=(int m) { ENV(m) return *this; } };\nvoid "
     "f() { ON S s;\n s = GL_ADD;\n DRAW }", [], ["{add}"]),
    ("operator bool", "a.cpp", "@struct S { operator bool() const { ADD return true; } };\nvoid f() { ON S "
     "s;\n if (s)\n DRAW }", [], ["{add}"]),
    ("a method of another class", "a.cpp", "struct A { void apply() { ADD } };\nstruct B;\nvoid f(B *b) { "
     "ON\n @b->apply();\n DRAW }", [], None),
    ("a method of a declared class", "a.cpp", "struct A { void apply() { ADD } };\nstruct B { void apply(); "
     "};\nvoid f() { B b; ON\n @b.apply();\n DRAW }", [], None),
    ("virtual method", "a.cpp", "struct A { virtual void apply() { ADD } };\nstruct B : A { void apply() { "
     "DECAL } };\nvoid f(A *a) { ON\n @a->apply();\n DRAW }", [], ["{add}", "{decal}"]),
    ("method by class of the object", "a.cpp", "struct A { void apply() { ADD } };\nstruct B { void apply() "
     "{ DECAL } };\nvoid f() { B b; ON\n b.apply();\n DRAW }", [], ["{decal}"]),
    ("method of a member", "a.cpp", "struct A { void apply() { ADD } };\nstruct M { A env; void draw() { ON\n"
     " @env.apply();\n DRAW } };\nvoid f() { M m; m.draw(); }", [], ["{add}"]),
    ("template function", "a.cpp", "template <typename T> void set(T m) { ENV(m) }\nvoid f() { ON\n "
     "set(GL_ADD);\n DRAW }", [], ["{add}"]),
    ("template with a value", "a.cpp", "@template <int M> void set() { ENV(M) }\nvoid f() { ON\n "
     "set<GL_ADD>();\n DRAW }", [], ["{add}"]),
    ("template class", "a.cpp", "@template <int M> struct Env { static void set() { ENV(M) } };\nvoid f() { "
     "ON\n Env<GL_ADD>::set();\n DRAW }", [], ["{add}"]),
    ("specialisation", "a.cpp", "template <int M> void set() { ADD }\ntemplate <> void set<1>() { DECAL }\n"
     "void f() { ON\n @set<1>();\n DRAW }", [], ["{decal}"]),
    ("std::function", "a.cpp", "#include <functional>\nstatic void add() { ADD }\nvoid f() { ON\n "
     "std::function<void()> g = add;\n g();\n DRAW }", [], ["{add}"]),
    ("set, unknown draw, restore", "a.c", "void quad(void);\nvoid f(void) { ON ADD\n @quad();\n MOD "
     "glDisable(GL_TEXTURE_2D); }", [], None),
    ("--draw", "a.c", "void quad(void);\nvoid f(void) { ON ADD\n quad();\n MOD glDisable(GL_TEXTURE_2D); }",
     ["--draw", "quad"], ["{add}"]),
    ("--ignore", "a.c", "void quad(void);\nvoid f(void) { ON ADD\n quad();\n DECAL }",
     ["--ignore", "quad"], ["{decal}"]),
    ("unknown draw twice", "a.c", "void quad(int);\nvoid f(void) { ON ADD\n @quad(1);\n DECAL quad(2); }",
     [], None),
    ("push, unknown, pop", "a.c", "void quad(void);\nvoid f(void) { glPushAttrib(GL_TEXTURE_BIT); ON ADD\n "
     "@quad();\n glPopAttrib(); }", [], None),
    ("a method that may draw", "a.cpp", "struct Mesh;\nvoid f(Mesh *m) { ON ADD\n @m->render();\n MOD }",
     [], None),
    ("a shape of GLU", "a.c", "#include <GL/glu.h>\nvoid f(GLUquadric *q, int n) { ON ADD\n gluSphere(q, 1, n, 8); MOD "
     "glDisable(GL_TEXTURE_2D); }", [], ["{add}"]),
    ("shapes of GLUT, without its header", "a.c", "void f(int n) { ON ADD\n glutSolidTeapot(1.0); MOD glutWireCube(n); "
     "glDisable(GL_TEXTURE_2D); }", [], ["{add}", "{modulate}"]),
    ("a shape in what is passed over", "a.c", "#include <GL/glut.h>\nvoid f(int n) { ON ADD\n while (n--) glutSolidCube(n); "
     "MOD }", [], ["{add}"]),
    ("what GLU and GLUT do besides", "a.c", "#include <GL/glut.h>\nvoid f(GLUquadric *q) { ON ADD\n gluQuadricTexture(q, 1); "
     "glutPostRedisplay(); glutBitmapWidth(0, 65); glutStrokeLength(0, 0); gluTessEndContour(0); MOD }", [],
     ["{modulate}"]),
    ("text of GLUT", "a.c", "#include <GL/glut.h>\nvoid f(int n) { ON ADD\n glutBitmapCharacter(GLUT_BITMAP_9_BY_15, 65); MOD "
     "while (n--) glutStrokeCharacter(0, 65); ENV }".replace("ENV", ENV % "GL_DECAL"), [], ["{add}", "{modulate}"]),
    ("glCallList of another function's", "a.c", "static GLuint list;\nvoid init(void) { list = "
     "glGenLists(1); glNewList(list, GL_COMPILE); glBegin(GL_QUADS); glVertex2f(0,0); glEnd(); "
     "glEndList(); }\nvoid f(void) { ON ADD\n glCallList(list);\n MOD glDisable(GL_TEXTURE_2D); }",
     [], ["{add}"]),
    ("a callback of GLUT", "a.c", "#include <GL/glut.h>\nstatic void draw(void) { ON ADD\n DRAW }\nint main(void) { "
     "ON MOD\n glutDisplayFunc(@draw); glutMainLoop(); }", ["--function", "main"], None),
    ("a callback that sets nothing", "a.c", "#include <GL/glut.h>\nstatic void key(unsigned char c, int x, int y) { }\n"
     "int main(void) { glutKeyboardFunc(key); ON ADD\n DRAW }", ["--function", "main"], ["{add}"]),
    ("callback draws", "a.c", "void f(void (*draw)(void)) { ON ADD\n @draw();\n MOD }", [], None),
    ("vtable of C", "a.c", "struct r { void (*draw)(struct r *); };\nvoid f(struct r *r) { ON ADD\n "
     "@r->draw(r);\n MOD }", [], None),
    ("enable elsewhere", "a.c", "void f(void) {\n @ADD\n DRAW }", [], None),
    ("--enable", "a.c", "void f(void) {\n ADD\n DRAW }", ["--enable", "0=2d"], ["{add}"]),
    ("frustum test", "a.c", "int inside(float *);\nvoid f(float b[6][4], int n) { ON ADD\n int i, out = 0;\n "
     "for (i = 0; i < 6; i++) { if (!inside(b[i])) out++; if (b[i][0] > 1) n++; }\n for (i = 0; i < n; "
     "i++) { if (b[i][0] > 0) continue; out++; }\n DRAW }", [], ["{add}"]),
    ("string loop", "a.c", "void f(const char *s) { ON ADD\n while (*s) { if (*s == 92) { s++; if (!*s) "
     "break; } s++; }\n DRAW }", [], ["{add}"]),
    ("light sums", "a.c", "struct light { int on; float c[3]; };\nvoid f(struct light *l, int n) { float "
     "s[3] = {0}; int i, k; ON\n for (i = 0; i < 8; i++) { if (!l[i].on) continue; for (k = 0; k < 3; "
     "k++) s[k] += l[i].c[k]; }\n if (s[0] > 1) s[0] = 1; if (s[1] > 1) s[1] = 1;\n ADD glColor3fv(s); "
     "DRAW }", [], ["{add}"]),
    ("many ifs that only draw", "a.c", "void f(int *q) { ON ADD\nif (q[0]) { glBegin(GL_QUADS); "
     "glVertex2f(0, 0); glEnd(); }\nif (q[1]) { glBegin(GL_QUADS); glVertex2f(0, 0); glEnd(); }\nif "
     "(q[2]) { glBegin(GL_QUADS); glVertex2f(0, 0); glEnd(); }\nif (q[3]) { glBegin(GL_QUADS); "
     "glVertex2f(0, 0); glEnd(); }\nif (q[4]) { glBegin(GL_QUADS); glVertex2f(0, 0); glEnd(); }\nif "
     "(q[5]) { glBegin(GL_QUADS); glVertex2f(0, 0); glEnd(); }\nif (q[6]) { glBegin(GL_QUADS); "
     "glVertex2f(0, 0); glEnd(); }\nif (q[7]) { glBegin(GL_QUADS); glVertex2f(0, 0); glEnd(); }\nif "
     "(q[8]) { glBegin(GL_QUADS); glVertex2f(0, 0); glEnd(); }\nif (q[9]) { glBegin(GL_QUADS); "
     "glVertex2f(0, 0); glEnd(); }\n}", [], ["{add}"]),
    ("one flag asked twice", "a.c", "void f(int shiny) { ON if (shiny) { ADD } else { DECAL }\n DRAW\n if "
     "(shiny) { DECAL } else { ADD } DRAW }", [], ["{add}", "{decal}"]),
    ("flag: two units", "a.c", "void f(int two) { ON ADD\n if (two) { glActiveTexture(GL_TEXTURE1); ON DECAL "
     "}\n DRAW\n if (two) { glDisable(GL_TEXTURE_2D); glActiveTexture(GL_TEXTURE0); } }",
     [], ["{add} {decal}", "{add}"]),
    ("range-for over a table", "a.cpp", "void f() { const GLenum m[] = {GL_ADD, GL_DECAL}; ON\n @for (GLenum "
     "x : m) { ENV(x)\n DRAW } }", [], ["{add}", "{decal}"]),
    ("range-for over what is not known", "a.cpp", "#include <vector>\nvoid f(const std::vector<int> &v) { "
     "ON\n@ for (int x : v) { if (x) { ADD } }\n DRAW }", [], ["{modulate}", "{add}"]),
    ("iterators", "a.cpp", "#include <vector>\nvoid f(std::vector<int> &v) { ON ADD\n for "
     "(std::vector<int>::iterator i = v.begin(); i != v.end(); ++i) { DRAW } }", [], ["{add}"]),
    ("int(GL_ADD)", "a.cpp", "void f() { ON\n glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, int(GL_ADD));\n "
     "DRAW }", [], ["{add}"]),
    ("(Enum)v", "a.cpp", "enum Mode { M = GL_ADD };\nvoid f() { int v = GL_ADD; ON\n "
     "glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, (Mode)v);\n DRAW }", [], ["{add}"]),
    ("c ? f() : g()", "a.c", "static void add(void) { ADD }\nstatic void decal(void) { DECAL }\nvoid f(int "
     "c) { ON\n c ? add() : decal();\n DRAW }", [], ["{add}", "{decal}"]),
    ("a || !b()", "a.c", "static int set(void) { ADD return 1; }\nvoid f(int a) { ON\n if (a || !set()) "
     "return;\n DRAW }", [], ["{add}"]),
    ("goto forward", "a.c", "void f(int q) { ON\n @if (q) goto out;\n ADD\nout:\n DRAW }",
     [], ["{modulate}", "{add}"]),
    ("static table", "a.c", "void f(void) { static GLenum modes[] = {GL_ADD, GL_DECAL}; ON\n @ENV(modes[0])\n"
     " DRAW }", [], ["{add}"]),
    ("static table of the file", "a.c", "static GLenum modes[2] = {GL_ADD, GL_DECAL};\nvoid f(void) { ON\n "
     "@ENV(modes[1])\n DRAW }", [], ["{decal}"]),
    ("strings from macros", "a.c", "void *load(const char *);\nvoid f(void) { ON load(DATA_DIR \"x.png\"); "
     "load(DATA_DIR); ADD\n DRAW }", ["--ignore", "load"], ["{add}"]),
    ("libc", "a.c", "#include <stdio.h>\n#include <string.h>\n#include <stdlib.h>\nvoid f(void) { char b[9]; "
     "ON ADD memset(b, 0, 9); printf(\"a\"); if (!malloc(3)) abort(); assert(b); toupper(3); strtol(b, 0, "
     "0); qsort(b, 1, 1, 0); vsnprintf(b, 0, b, 0);\n DRAW MOD }", [], ["{add}"]),
    ("glTexEnvx", "a.c", "void f(void) { ON glTexEnvx(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_ADD);\n DRAW }",
     [], ["{add}"]),
    ("glTexEnvx of a scale, which is times 65536", "a.c", "void f(void) { ON glTexEnvx(GL_TEXTURE_ENV, "
     "GL_TEXTURE_ENV_MODE, GL_COMBINE); glTexEnvx(GL_TEXTURE_ENV, GL_RGB_SCALE, 0x20000);\n DRAW }", [], ["{T0*P}*2;1"]),
    ("--let of an enumerator", "a.c", "enum mode { NONE, SHINY };\nvoid f(enum mode m) { ON if (m == SHINY) "
     "{ ADD } else { DECAL }\n DRAW }", ["--let", "m=SHINY"], ["{add}"]),
    ("--let of an array, and its element assigned", "a.c", "int last[2];\nvoid f(int n) { ON last[0] = n;\n "
     "if (last[0] == 5) { ADD } else { DECAL }\n DRAW }", ["--let", "last=5,5"], ["{add}", "{decal}"]),
    ("state cache", "a.c", "static GLenum current;\nstatic void env(GLenum m) { if (current == m) return; "
     "current = m; ENV(m) }\nvoid f(void) { ON env(GL_ADD); DRAW env(GL_DECAL); DRAW }",
     ["--let", "current=0"], ["{add}", "{decal}"]),
    ("state cache in a class", "a.cpp", "class State { GLenum mode; public: State() : mode(0) {} void "
     "env(GLenum m) { if (mode != m) { mode = m; ENV(m) } } };\nstatic State state;\nvoid f() { ON\n "
     "state.env(GL_ADD); DRAW state.env(GL_DECAL); DRAW }", ["--let", "mode=0"], ["{add}", "{decal}"]),
    ("push/pop wrappers", "a.c", "static void push(GLenum m) { glPushAttrib(GL_TEXTURE_BIT | GL_ENABLE_BIT); "
     "ON ENV(m) }\nstatic void pop(void) { glPopAttrib(); }\nvoid f(void) { push(GL_ADD); DRAW pop(); "
     "DRAW }", [], ["{add}", "{}"]),
    ("switch in a loop", "a.c", "void f(int k) { int i; ON for (i = 0; i < 2; i++) { "
     "glActiveTexture(GL_TEXTURE0 + i); ON switch (i) { case 0: ADD break; case 1: DECAL } } DRAW }",
     [], ["{add} {decal}"]),
    ("member initialisers set", "a.cpp", "int set(GLenum m) { ENV(m) return 1; }\nstruct S { int a; S() : "
     "a(set(GL_ADD)) {} };\nvoid f() { ON\n @S s;\n DRAW }", [], ["{add}"]),
    ("default member initialiser", "a.cpp", "int set(GLenum m) { ENV(m) return 1; }\nstruct S { int a = "
     "set(GL_ADD); };\nvoid f() { ON\n @S s;\n DRAW }", [], ["{add}"]),
    ("default argument", "a.cpp", "static void set(GLenum m = GL_ADD) { ENV(m) }\nvoid f() { ON\n set();\n "
     "DRAW }", [], ["{add}"]),
    ("unique_ptr of a guard", "a.cpp", "#include <memory>\nstruct G { G() { ADD } };\nvoid f() { ON\n auto g "
     "= @std::make_unique<G>();\n DRAW }", [], ["{add}"]),
    ("emplace of a guard", "a.cpp", "struct G { G(int m) { ENV(m) } };\nstruct V;\nvoid f(V &v) { ON\n "
     "@v.emplace_back(G(GL_ADD));\n DRAW }", [], ["{add}"]),
    ("macro that draws at scope exit", "a.cpp", "#define SCOPE(x) Scope scope_##x(x)\nstruct Scope { int m; "
     "Scope(int m) : m(m) { ADD } ~Scope() { DECAL } };\nvoid f() { ON\n {\n @SCOPE(1);\n DRAW }\n DRAW }",
     [], ["{add}", "{decal}"]),
    ("static object with a constructor", "a.cpp", "struct S { S() { ADD } };\nvoid f() { ON\n @static S s;\n "
     "DRAW }", [], ["{add}"]),
    ("a method through a reference", "a.cpp", "@struct A { GLenum m; void set(GLenum x) { m = x; } void "
     "apply() const { ENV(m) } };\nstatic void use(const A &a) { a.apply(); }\nvoid f() { A a; "
     "a.set(GL_ADD); ON\n use(a);\n DRAW }", [], ["{add}"]),
    ("two objects of one class", "a.cpp", "@struct A { GLenum m; void set(GLenum x) { m = x; } void apply() "
     "const { ENV(m) } };\nvoid f() { A a, b; a.set(GL_ADD); b.set(GL_DECAL); ON\n a.apply();\n DRAW }",
     [], ["{add}"]),
    ("throw and catch", "a.cpp", "void f(int q) { ON\n @try { if (q) throw 1; ADD } catch (int) { DECAL }\n "
     "DRAW }", [], ["{decal}", "{add}"]),
    ("comma and side effects", "a.c", "void f(void) { GLenum m; ON m = GL_DECAL, m = GL_ADD; ENV(m)\n DRAW }",
     [], ["{add}"]),
    ("macro wrapper with do while", "a.c", "#define SET(m) do { ENV(m) } while (0)\nvoid f(void) { ON "
     "SET(GL_ADD);\n DRAW }", [], ["{add}"]),
    ("function pointer table indexed by unknown", "a.c", "static void a(void) { ADD }\nstatic void d(void) { "
     "DECAL }\nstatic void (*const t[])(void) = {a, d};\nvoid f(int i) { ON\n @t[i]();\n DRAW }",
     [], ["{add}", "{decal}"]),
    ("function pointer of a struct set at run time", "a.c", "struct b { void (*env)(void); };\nstatic void "
     "add(void) { ADD }\nvoid init(struct b *b) { b->env = add; }\nvoid f(struct b *b) { ON\n @b->env();\n"
     " DRAW }", [], None),
    ("a global set by another function", "a.c", "static GLenum mode = GL_DECAL;\nvoid init(void) { mode = "
     "GL_ADD; }\nvoid f(void) { ON\n @ENV(mode)\n DRAW }", [], None),
    ("statement expression", "a.c", "void f(void) { ON int a = @({ ADD 1; }); DRAW }", [], ["{add}"]),
    ("do once", "a.c", "void f(int q) { ON do { if (q) break; ADD } while (0);\n DRAW }",
     [], ["{modulate}", "{add}"]),
    ("recursion", "a.c", "static void walk(int n) { if (n > 1) walk(n - 1); ADD }\nvoid f(void) { ON "
     "walk(3); DRAW }", [], ["{add}"]),
    ("thread or atexit callback", "a.c", "int atexit(void (*)(void));\nstatic void bye(void) { DECAL }\nvoid "
     "f(void) { ON atexit(bye); ADD DRAW }", [], ["{add}"]),
    ("handed to what is not here", "a.c", "void walk(void (*)(void));\nstatic void one(void) { DECAL }\nvoid "
     "f(void) { ON ADD\n @walk(one);\n DRAW }", [], None),
]

# Rows like those of ENGINES, for features of C and C++ that a simple reader would get wrong: conversions,
# scopes, classes, jumps.
LANGUAGE = [
    ("constants of two namespaces", "a.cpp",
     "namespace a { const GLenum M = GL_ADD; }\nnamespace b { const GLenum M = GL_DECAL; }\nvoid "
     "f() { ON\n @ENV(a::M)\n DRAW }", [], ["{add}"]),
    ("the other of two namespaces", "a.cpp",
     "namespace a { const GLenum M = GL_ADD; }\nnamespace b { const GLenum M = GL_DECAL; }\nvoid "
     "f() { ON\n @ENV(b::M)\n DRAW }", [], ["{decal}"]),
    ("a constant of a namespace that is not here", "a.cpp",
     "namespace a { const GLenum M = GL_ADD; }\nvoid f() { ON\n @ENV(b::M)\n DRAW }", [], None),
    ("a constant of the file, and one of a namespace", "a.cpp",
     "const GLenum M = GL_ADD;\nnamespace b { const GLenum M = GL_DECAL; }\nvoid f() { ON\n "
     "@ENV(M)\n DRAW }", [], ["{add}"]),
    ("the file's, by ::", "a.cpp",
     "const GLenum M = GL_ADD;\nnamespace b { const GLenum M = GL_DECAL; void f() { ON\n "
     "@ENV(::M)\n DRAW } }", [], ["{add}"]),
    ("the innermost namespace's", "a.cpp",
     "namespace b { const GLenum M = GL_DECAL; }\nconst GLenum M = GL_ADD;\nnamespace b { void f() "
     "{ ON\n @ENV(M)\n DRAW } }", [], ["{decal}"]),
    ("an enum in a struct", "a.cpp",
     "struct A { enum { M = GL_ADD }; };\nstruct B { enum { M = GL_DECAL }; };\nvoid f() { ON\n "
     "@ENV(A::M)\n DRAW }", [], ["{add}"]),
    ("enum classes", "a.cpp",
     "enum class A { M = GL_ADD };\nenum class B { M = GL_DECAL };\nvoid f() { ON\n "
     "@ENV((int)A::M)\n DRAW }", [], ["{add}"]),
    ("a static constant of a class", "a.cpp",
     "struct A { static const int M = GL_ADD; };\nstruct B { static const int M = GL_DECAL; };\n"
     "void f() { ON\n @ENV(A::M)\n DRAW }", [], ["{add}"]),
    ("a constant of the class of the method", "a.cpp",
     "struct A { enum { M = GL_ADD }; void f(); };\nstruct B { enum { M = GL_DECAL }; };\nvoid "
     "A::f() { ON\n @ENV(M)\n DRAW }", [], ["{add}"]),
    ("an enum in a struct of C", "a.c",
     "struct a { enum { M = GL_ADD } m; };\nvoid f(void) { ON\n @ENV(M)\n DRAW }", [], ["{add}"]),
    ("functions of two namespaces", "a.cpp",
     "namespace a { void set() { ADD } }\nnamespace b { void set() { DECAL } }\nvoid f() { ON\n "
     "@a::set();\n DRAW }", [], ["{add}"]),
    ("a function of a namespace that is not here", "a.cpp",
     "namespace a { void set() { ADD } }\nvoid f() { ON DECAL\n @b::set();\n DRAW }", [], ["{decal}"]),
    ("bool is 0 or 1", "a.cpp",
     "void f() { bool b = 2; ON\n if (b == 1) { ADD } else { DECAL }\n DRAW }", [], ["{add}"]),
    ("_Bool is 0 or 1", "a.c",
     "void f(void) { _Bool b = 0.5f; ON\n if (b == 1) { ADD } else { DECAL }\n DRAW }", [], ["{add}"]),
    ("bool of a cast, a parameter, a result", "a.cpp",
     "static bool two(bool b) { if (b == 1) return 4; return 0; }\nvoid f() { ON\n if (two(2) == 1 "
     "&& bool(3) == 1 && (bool)4 + 1 == 2) { ADD } else { DECAL }\n DRAW }", [], ["{add}"]),
    ("bool that is a number by the file", "a.c",
     "typedef int bool;\nvoid f(void) { bool b = 2; ON\n if (b == 2) { ADD } else { DECAL }\n DRAW "
     "}", [], ["{add}"]),
    ("operator == of a class", "a.cpp",
     "struct S { int m; bool operator==(const S &o) const { return true; } };\nvoid f() { S a = "
     "{1}, b = {2}; ON\n if (a == b) { ADD } else { DECAL }\n DRAW }", [], ["{add}", "{decal}"]),
    ("operator == of a class with which the file begins", "a.cpp",
     "struct V { float x; };\nbool operator==(const V &a, const V &b) { return a.x == b.x; }\nvoid f() { int n = 1; "
     + ON + "if (n == 1) " + ADD + "}", [], ["{add}"]),
    ("a function without a type with which the file begins", "a.c",
     "setup(int m) { ENV(m)\n}\nvoid f(void) { ON setup(GL_ADD);\n DRAW }", [], ["{add}"]),
    ("operator | of an enum", "a.cpp",
     "enum E { A = 1, B = 2 };\nE operator|(E a, E b) { return A; }\nvoid f() { ON\n @if ((A | B) "
     "== 3) { ADD } else { DECAL }\n DRAW }", [], ["{add}", "{decal}"]),
    ("operator & of an enum class", "a.cpp",
     "enum class E { A = 1, B = 3 };\nbool operator&(E a, E b) { return false; }\nvoid f() { ON\n "
     "if (E::A & E::B) { ADD } else { DECAL }\n DRAW }", [], ["{add}", "{decal}"]),
    ("operator == of an enum", "a.cpp",
     "enum E { A = 1, B = 3 };\nbool operator==(E a, E b) { return true; }\nvoid f() { E a = A; "
     "ON\n if (a == B) { ADD } else { DECAL }\n DRAW }", [], ["{add}", "{decal}"]),
    ("operators >> and << of an enum", "a.cpp",
     "enum E { A = 4, B = 1 };\nint operator>>(E a, int b) { return 0; }\nint operator<<(E a, E b) "
     "{ return 5; }\nvoid f() { ON\n if ((A >> 1) == 2) { ADD }\n if ((A << B) == 8) { DECAL }\n "
     "DRAW }", [], ["{add}", "{decal}", "{modulate}"]),
    ("operator |= of an enum", "a.cpp",
     "enum E { A = 1, B = 2 };\nE &operator|=(E &a, E b) { return a; }\nvoid f() { E e = A; e |= "
     "B; ON\n if (e == 3) { ADD } else { DECAL }\n DRAW }", [], ["{add}", "{decal}"]),
    ("operator ! and - of an enum", "a.cpp",
     "enum E { A = 1 };\nbool operator!(E a) { return true; }\nint operator-(E a) { return 7; }\n"
     "void f() { ON\n if (!A) { ADD } if (-A == -1) { DECAL }\n DRAW }",
     [], ["{add}", "{decal}", "{modulate}"]),
    ("operator bool of a class", "a.cpp",
     "struct S { int m; operator bool() const { return m > 5; } };\nvoid f() { S s = {1}; ON\n if "
     "(s) { ADD } else { DECAL }\n DRAW }", [], ["{add}", "{decal}"]),
    ("operators of access of a class", "a.cpp",
     "struct T { GLenum m; };\nstatic T other = {GL_DECAL};\nstruct S { GLenum m; T *operator->() "
     "const { return &other; } };\nvoid f() { S s = {GL_ADD}; ON\n @ENV(s->m)\n DRAW }", [], ["{decal}"]),
    ("operator [] of a class", "a.cpp",
     "struct S { GLenum m; S operator[](int) const { S s = {GL_DECAL}; return s; } };\nvoid f() { "
     "S s = {GL_ADD}; ON\n @ENV(s[0].m)\n DRAW }", [], ["{decal}"]),
    ("operator * of a class", "a.cpp",
     "struct S { GLenum m; S operator*() const { S s = {GL_DECAL}; return s; } };\nvoid f() { S s "
     "= {GL_ADD}; ON\n @ENV((*s).m)\n DRAW }", [], ["{decal}"]),
    ("operator = of a class, which changes what it is given", "a.cpp",
     "struct S { GLenum m; S &operator=(const S &) { m = GL_DECAL; return *this; } };\nvoid f() { "
     "S a = {GL_ADD}, b = {GL_BLEND}; b = a; ON\n @ENV(b.m)\n DRAW }", [], ["{decal}"]),
    ("a constructor that converts", "a.cpp",
     "struct S { GLenum m; S(int x) : m(x + 1) {} operator GLenum() const { return m - 259 + "
     "GL_DECAL; } };\nvoid f() { S s = 259; ON\n @ENV(s)\n DRAW }", [], ["{decal}"]),
    ("a constructor that fills members", "a.cpp",
     "struct S { GLenum m; S(GLenum a) : m(GL_DECAL) {} };\nvoid f() { S s = {GL_ADD}; ON\n "
     "@ENV(s.m)\n DRAW }", [], ["{decal}"]),
    ("a virtual method that is overridden elsewhere", "a.cpp",
     "struct A { virtual void env() { ADD } void f() { ON\n @env();\n DRAW } };", [], None),
    ("by a pointer", "a.cpp",
     "struct A { virtual void env(); };\nvoid A::env() { ADD }\nvoid f(A *a) { ON\n @a->env();\n "
     "DRAW }", [], None),
    ("overridden, as the base says", "a.cpp",
     "struct B { virtual void env() = 0; };\nstruct A : B { void env() override { ADD } };\nvoid "
     "f(A &a) { ON\n @a.env();\n DRAW }", [], None),
    ("virtual, of an object itself", "a.cpp",
     "struct A { virtual void env() { ADD } };\nvoid f() { A a; ON\n @a.env();\n DRAW }", [], ["{add}"]),
    ("virtual, but told", "a.cpp",
     "struct A { virtual void env() { ADD } void f() { ON\n env();\n DRAW } };",
     ["--alias", "env=A::env"], ["{add}"]),
    ("virtual, by its class", "a.cpp",
     "struct A { virtual void env() { ADD } void f() { ON\n A::env();\n DRAW } };", [], ["{add}"]),
    ("a function of the program with the name of a GL call", "a.c",
     "static void glActiveTexture(int u) { DECAL }\nvoid f(void) { ON\n @glActiveTexture(0);\n "
     "DRAW }", [], ["{decal}"]),
    ("one that looks like a GL call", "a.c",
     "static void glPrepare(void) { DECAL }\nvoid f(void) { ON\n @glPrepare();\n DRAW }", [], ["{decal}"]),
    ("a method with the name of a GL call", "a.cpp",
     "struct D { void glEnable(int m) { ENV(m) } };\nvoid f() { D d; ON\n @d.glEnable(GL_ADD);\n "
     "DRAW }", [], ["{add}"]),
    ("--alias, and methods of that name", "a.cpp",
     "struct D { void active(int); }; struct E { void active(int); };\nvoid D::active(int u) { DECAL }\nvoid "
     "E::active(int u) { MOD }\nvoid f(D *d) { d->active(GL_TEXTURE1); ON ADD\n DRAW }",
     ["--alias", "active=glActiveTexture"], ["{} {add}"]),
    ("a method with the name of a GL call, called by its class", "a.cpp",
     "struct D { void glEnable(int m) { ENV(m) } void f() { ::ON\n @glEnable(GL_ADD);\n DRAW } };",
     [], ["{add}"]),
    ("a method named as a GL call that is not here", "a.cpp",
     "struct D { void glDisable(int m); };\nvoid f(D &d) { ON ADD\n @d.glDisable(GL_TEXTURE_2D);\n "
     "DRAW }", [], ["{}"]),
    ("what --let gave is written by a pointer", "a.c",
     "extern GLenum m;\nvoid f(void) { GLenum *p = &m; *p = GL_DECAL; ON\n @ENV(m)\n DRAW }",
     ["--let", "m=GL_ADD"], ["{decal}"]),
    ("an element by a pointer", "a.c",
     "extern GLenum m[2];\nvoid f(void) { GLenum *p = m; p[0] = GL_DECAL; ON\n @ENV(m[0])\n DRAW }",
     ["--let", "m=GL_ADD,GL_ADD"], ["{decal}"]),
    ("a local variable by a pointer", "a.c",
     "void f(int q) { GLenum m = q, *p = &m; *p = GL_DECAL; ON\n @ENV(m)\n DRAW }",
     ["--let", "m=GL_ADD"], ["{decal}"]),
    ("a member by a pointer", "a.c",
     "struct s { GLenum m; } s;\nvoid f(void) { struct s *p = &s; p->m = GL_DECAL; ON\n "
     "@ENV(s.m)\n DRAW }", ["--let", "s.m=GL_ADD"], ["{decal}"]),
    ("one element for all by a pointer", "a.c",
     "extern GLenum m[2];\nvoid f(void) { GLenum *p = &m[1]; *p = GL_DECAL; ON\n @ENV(m[1])\n DRAW "
     "}", ["--let", "m=GL_ADD"], ["{decal}"]),
    ("the argument of a function", "a.c",
     "extern GLenum m;\nstatic void set(GLenum *p) { *p = GL_DECAL; }\nvoid f(void) { set(&m); "
     "ON\n @ENV(m)\n DRAW }", ["--let", "m=GL_ADD"], ["{decal}"]),
    ("an operator outside of its class, and what comes behind it", "a.cpp",
     "template <class T> struct S { T m; bool operator==(const S &o) const; };\ntemplate <class T> bool "
     "S<T>::operator==(const S<T> &o) const { return m == o.m; }\nenum E { M = GL_ADD };\nvoid f() { ON\n "
     "@ENV(M)\n DRAW }", [], ["{add}"]),
    ("functions of each other", "a.c",
     "void g(int x);\nvoid h(int x) { if (x) g(x - 1); ADD }\nvoid g(int x) { h(x); }\nvoid f(int q) { ON\n "
     "@if (q) g(0);\n DRAW }", [], ["{add}", "{modulate}"]),
    ("functions of each other, which set nothing", "a.c",
     "int n;\nvoid g(int x);\nvoid h(int x) { if (x) g(x - 1); n++; }\nvoid g(int x) { h(x); }\nvoid f(int q) { ON ADD "
     "if (q) g(0); g(q); DECAL\n DRAW }", [], ["{decal}"]),
    ("three functions in two rings", "a.c",
     "void a(int x);\nvoid b(int x);\nvoid c(int x) { if (x) b(x); }\nvoid b(int x) { if (x > 1) c(x - 1); if (x) "
     "a(x - 1); }\nvoid a(int x) { b(x); ENV(x ? GL_ADD : GL_DECAL) }\nvoid f(int q) { ON\n if (q) c(1);\n DRAW }",
     [], ["{decal}", "{modulate}"]),
    ("what --let gave is counted up", "a.c",
     "void f(void) { ON m++;\n if (m == 6) { ADD } else { DECAL }\n DRAW }", ["--let", "m=5"],
     ["{add}", "{decal}"]),
    ("what --let gave may be written", "a.c",
     "extern GLenum m;\nvoid f(int q) { ON if (q) m = GL_DECAL;\n @ENV(m)\n DRAW }", ["--let", "m=GL_ADD"], None),
    ("what --let gave may be written by a function of the file", "a.c",
     "int m;\nint seven(void) { m = 7; return 1; }\nvoid f(int q) { ON if (q) seven();\n if (m == 5) { ADD } else "
     "{ DECAL }\n DRAW }", ["--let", "m=5"], ["{add}", "{decal}"]),
    ("what may be the same member is written", "a.c",
     "struct s { int m; };\nvoid f(struct s *a, struct s *b) { ON a->m = GL_DECAL;\n @ENV(b->m)\n DRAW }",
     ["--let", "b->m=GL_ADD"], None),
    ("a static variable of two calls", "a.c",
     "static void env(GLenum m) { static GLenum last; if (last == m) return; last = m; ENV(m) }\nvoid f(void) { ON "
     "env(GL_ADD); DRAW env(GL_DECAL); DRAW env(GL_ADD); DRAW }", ["--let", "last=0"], ["{add}", "{decal}"]),
    ("what a function got is told by --let", "a.c",
     "void get(GLenum *);\nvoid f(void) { GLenum m; get(&m); ON\n ENV(m)\n DRAW }",
     ["--let", "m=GL_ADD", "--ignore", "get"], ["{add}"]),
    ("bits", "a.c",
     "struct s { unsigned m : 1; };\nvoid f(void) { struct s s; s.m = 2; ON\n if (s.m) { ADD } "
     "else { DECAL }\n DRAW }", [], ["{decal}", "{add}"]),
    ("bits with a sign", "a.c",
     "struct s { int m : 1; };\nvoid f(void) { struct s s; s.m = 1; ON\n if (s.m > 0) { ADD } else "
     "{ DECAL }\n DRAW }", [], ["{decal}", "{add}"]),
    ("?: of int and unsigned", "a.c",
     "void f(void) { ON\n if ((1 ? -1 : 1u) > 0) { ADD } else { DECAL }\n DRAW }", [], ["{add}", "{decal}"]),
    ("?: of float and double", "a.c",
     "void f(void) { ON\n if ((1 ? 0.1f : 1.0) * 3 == 0.3f) { ADD } else { DECAL }\n DRAW }",
     [], ["{decal}"]),
    ("exit", "a.c",
     "#include <stdlib.h>\nvoid f(int q) { ON ADD DRAW exit(0); DECAL DRAW }", [], ["{add}"]),
    ("abort of a switch", "a.c",
     "void f(int q) { ON switch (q) { case 1: ADD break; case 2: DECAL break; default: abort(); "
     "}\n DRAW }", [], ["{add}", "{decal}"]),
    ("exit in a function", "a.c",
     "static void die(const char *s) { printf(s); exit(1); }\nvoid f(int q) { ON if (q == 1) { ADD "
     "} else if (q == 2) { DECAL } else die(\"q\");\n DRAW }", [], ["{add}", "{decal}"]),
    ("throw", "a.cpp",
     "void f(int q) { ON\n if (q == 1) { ADD } else if (q == 2) { DECAL } else @throw q;\n DRAW }",
     [], ["{add}", "{decal}"]),
    ("throw of an object", "a.cpp",
     "void f(int q) { ON\n if (q == 1) { ADD } else if (q == 2) { DECAL } else { @throw "
     "std::runtime_error(\"q\"); }\n DRAW }", [], ["{add}", "{decal}"]),
    ("exit in a loop", "a.c",
     "void f(int q) { int i; ON for (i = 0; i < 3; i++) { if (i == 1) exit(0); ENV(i ? GL_ADD : "
     "GL_DECAL)\n DRAW } ADD DRAW }", [], ["{decal}"]),
    ("GL_BUMP_ENVMAP_ATI", "a.c",
     "void f(void) { ON\n@ENV(0x877b)\n DRAW }", [], None),
    ("left out by the preprocessor", "a.c",
     "#if 0\nstatic void quad(void) { }\n#endif\nvoid f(void) { ON ADD\n @quad();\n DRAW }", [], ["{add}"]),
    ("a constructor in parentheses hides what the file has", "a.cpp",
     "struct S { GLenum m; S(int) : m(GL_ADD) {} };\nconst struct { GLenum m; } s = {GL_DECAL};\n"
     "void f() { ON S s(1);\n @ENV(s.m)\n DRAW }", [], ["{add}"]),
    ("glDrawBuffer draws nothing", "a.c",
     "void f(void) { ON ADD glDrawBuffer(GL_BACK); DECAL DRAW }", [], ["{decal}"]),
    ("a range of what draws nothing", "a.cpp",
     "void f(const List &l) { int n = 0; ON ADD\n for (const auto &x : l) { if (x.a > n) { n = "
     "x.a; } }\n DRAW }", [], ["{add}"]),
    ("a range of what may draw", "a.cpp",
     "void f(const List &l) { ON ADD\n @for (const auto &x : l) { draw(x); }\n DECAL }", [], None),
    ("offsetof", "a.c",
     "void f(void) { ON ADD glVertexPointer(3, GL_FLOAT, 0, offsetof(vertex, p)); DECAL DRAW }",
     [], ["{decal}"]),
    ("a pointer to the second of two", "a.c",
     "struct s { GLenum m, n; };\nvoid f(void) { struct s s = {GL_ADD, GL_DECAL}, *p = &s; ON\n "
     "@ENV(p[1].m)\n DRAW }", [], None),
    ("a pointer to what is assigned whole", "a.c",
     "struct s { GLenum m; };\nvoid f(void) { struct s a = {GL_ADD}, b = {GL_DECAL}, *p = &b; b = "
     "a; ON\n @ENV(p->m)\n DRAW }", [], ["{add}"]),
    ("rows of tables", "a.c",
     "static const GLenum t[2][2][2] = {{{1, GL_ADD}, {2, GL_DECAL}}, {{3, GL_REPLACE}, {4, "
     "GL_BLEND}}};\nvoid f(void) { ON\n @ENV(t[1][0][1])\n DRAW }", [], ["{replace}"]),
    ("tables of structures in structures", "a.c",
     "struct in { GLenum m[2]; };\nstruct out { int n; struct in in[2]; };\nstatic const struct "
     "out t[] = {{1, {{{1, 2}}, {{3, GL_ADD}}}}, {2}};\nvoid f(void) { ON\n "
     "@ENV(t[0].in[1].m[1])\n if (t[1].in[0].m[0]) { DECAL }\n DRAW }", [], ["{add}"]),
    ("a copy of a structure with a table", "a.c",
     "struct s { GLenum m[2]; };\nvoid f(void) { struct s a = {{1, GL_ADD}}, b = a; a.m[1] = "
     "GL_DECAL; ON\n @ENV(b.m[1])\n DRAW }", [], ["{add}"]),
]


def expand(text):
    """Replaces the abbreviations ENV(m), ON, DRAW, ADD, DECAL and MOD by GL calls."""
    text = re.sub(r"\bENV\((.*?)\)(?=[\s;}]|$)", lambda m: ENV % m.group(1), text)
    for name, mode in (("ADD", "GL_ADD"), ("DECAL", "GL_DECAL"), ("MOD", "GL_MODULATE")):
        text = re.sub(r"\b%s\b" % name, ENV % mode, text)
    return re.sub(r"\bDRAW\b", "glDrawArrays(GL_TRIANGLES, 0, 3);", re.sub(r"\bON\b", ON, text))


def check_engine(what, name, text, options, states):
    path = os.path.join(FOLDER, name)
    line = text[:text.find("@")].count("\n") + 1 if "@" in text else 0
    with open(path, "w") as f:
        f.write(expand(text.replace("@", "")) + "\n")
    r = Run(["convert", "--from", "c", "--to", "stages", "--function", "f", *options, path])
    got = {x for x in r.out.splitlines() if not x.startswith("#")}
    right = states is not None and r.status == 0 and got == set(states)
    refused = line and r.status == 1 and not r.out and re.search(r":%d:\d+: error: .*\[" % line, r.err)
    checks.check((right or refused) and not r.sanitizer(), "%s: %s, neither %s nor refused in line %d: %s"
                 % (what, sorted(got), states, line, r.err))


def check_row(what, name, text, options, expected):
    path = os.path.join(FOLDER, name)
    with open(path, "w") as f:
        f.write(text + "\n")
    r = Run(["convert", "--from", "c", "--to", "stages", "--function", "f", *options, path])
    got = [x for x in r.out.splitlines() if not x.startswith("#")]
    checks.check(r.status == 0 and got == expected and not r.sanitizer(),
                 "%s: %s, not %s: %s" % (what, got, expected, r.err))


try:
    for row in ROWS:
        check_row(*row)
    for row in ENGINES + LANGUAGE:
        check_engine(*row)
finally:
    shutil.rmtree(FOLDER)
checks.finish()
