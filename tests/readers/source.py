#!/usr/bin/env python3
"""Tests `--from c`, the reader of C and C++ source. The state that each function sets up is derived by hand
from the source; errors name their place. usage: source.py"""
import json
import os
import re
import resource
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool
from tests.shared.tool import Run

checks = tool.Checks("source")
FOLDER = tempfile.mkdtemp()
HEAD = "#include <GL/gl.h>\n#include <GL/glext.h>\n"
ENV = "glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, %s);"
ARGUMENT = len("glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, ")
ON = "glEnable(GL_TEXTURE_2D); "
DRAW = "glDrawArrays(GL_TRIANGLES, 0, 3); "
LOOP = ("void f(int n) {" + ON + "\n  for (int i = 0; i < n; i++) { glActiveTexture(GL_TEXTURE0 + i);" + ON +
        ENV % "GL_ADD" + "} }")
COLOR = "glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, %s); " + ENV % "GL_BLEND"

# (description, source after HEAD, options, the states in stage notation, in order)
STATES = [
    ("a macro", "#define MODE GL_ADD\nvoid f(void) {" + ON + ENV % "MODE" + "}", [], ["{add}"]),
    ("-D", "void f(void) {" + ON + ENV % "MODE" + "}", ["-D", "MODE=GL_DECAL"], ["{decal}"]),
    ("const local", "void f(void) { const GLenum mode = GL_ADD;" + ON + ENV % "mode" + "}", [], ["{add}"]),
    ("assigned local", "void f(void) { GLenum m = GL_ADD; m = GL_DECAL;" + ON + ENV % "m" + "}", [],
     ["{decal}"]),
    ("enumerators", "enum { A, B, N }; static const GLenum m[N] = {GL_ADD, GL_DECAL};"
     "void f(void) {" + ON + ENV % "m[B]" + "}", [], ["{decal}"]),
    ("a loop over an array", "static const GLenum m[] = {GL_ADD, GL_DECAL, GL_MODULATE};"
     "void f(void) { for (int i = 0; i < 3; i++) { glActiveTexture(GL_TEXTURE0 + i);" + ON + ENV % "m[i]" +
     "} }", [], ["{add} {decal} {modulate}"]),
    ("while, do, break, continue", "void f(void) { int i = 0; while (1) { if (i == 3) break; if (i++ == 1) "
     "continue; glActiveTexture(GL_TEXTURE0 + i - 1);" + ON + ENV % "GL_ADD" + "} do i--; while (i > 1);"
     "glActiveTexture(GL_TEXTURE0 + i);" + ON + ENV % "GL_DECAL" + "}", [], ["{add} {decal} {add}"]),
    ("rows of colours", "static const GLfloat c[2][4] = {{0, 0, 0, 1}, {0.5f, 0.25, 1, 1.0 / 4}};"
     "void f(void) {" + ON + COLOR % "c[1]" + "}", [], ["{blend} C0=(0.5,0.25,1,0.25)"]),
    ("an array that is written", "void f(void) { GLfloat c[4] = {0, 0, 0, 1}; c[1] = 0.5f; c[2] = c[1] / 2;"
     + ON + COLOR % "c" + "}", [], ["{blend} C0=(0,0.5,0.25,1)"]),
    ("whole numbers divide as in C", "void f(void) { GLfloat c[4] = {1 / 2, 3 / 2, 1 / 2.0f, 1};" + ON +
     COLOR % "c" + "}", [], ["{blend} C0=(0,1,0.5,1)"]),
    ("a function of the file", "static GLenum pick(int i) { return i ? GL_ADD : GL_DECAL; }"
     "static void unit(int i, GLenum m) { glActiveTexture(GL_TEXTURE0 + i);" + ON + ENV % "m" + "}"
     "void f(void) { unit(0, pick(0)); unit(1, pick(1)); }", [], ["{decal} {add}"]),
    ("known branches", "void f(void) {" + ON + "if (sizeof(long) && 2 > 1)" + ENV % "GL_ADD" + "else " +
     ENV % "GL_DECAL" + "}", [], ["{add}", "{decal}"]),
    ("else", "void f(void) { int n = 3;" + ON + "if (n < 2)" + ENV % "GL_ADD" + "else if (n == 3)" +
     ENV % "GL_DECAL" + "else " + ENV % "GL_REPLACE" + "}", [], ["{decal}"]),
    ("switch falls through", "void f(void) { GLenum m = 0; switch (2) { case 1: m = GL_ADD; break; case 2: m "
     "= GL_DECAL; case 3: m = GL_REPLACE; break; default: m = GL_ADD; }" + ON + ENV % "m" + "}", [],
     ["{replace}"]),
    ("two ways", "void f(int q) {" + ON + "if (q > 1)" + ENV % "GL_ADD" + "else " + ENV % "GL_DECAL" + "}",
     [], ["{add}", "{decal}"]),
    ("one flag asked twice", "void f(int q) {" + ON + "if (q)" + ENV % "GL_ADD" + "else " + ENV % "GL_DECAL" +
     DRAW + "if (!q)" + ENV % "GL_ADD" + DRAW + "}", [], ["{add}", "{add}", "{decal}", "{add}"]),
    ("a way back", "void f(int q) {" + ON + ENV % "GL_ADD" + "if (q) return;" + ENV % "GL_DECAL" + "}", [],
     ["{add}", "{decal}"]),
    ("an unknown switch", "void f(int q) {" + ON + "switch (q) { case 1: " + ENV % "GL_ADD" + "break; case 2:"
     + ENV % "GL_DECAL" + "break; default: " + ENV % "GL_REPLACE" + "} }", [],
     ["{add}", "{decal}", "{replace}"]),
    ("a known loop", LOOP, ["--let", "n=3"], ["{add} {add} {add}"]),
    ("ways that are alike", "int puts(const char *); void f(int q) {" + ON + "if (q) puts(\"q\");" +
     ENV % "GL_ADD" + "}", [], ["{add}"]),
    ("--let", "void f(int q) {" + ON + "if (q > 1)" + ENV % "GL_ADD" + "else " + ENV % "GL_DECAL" + "}",
     ["--let", "q=1"], ["{decal}"]),
    ("--let of a token", "extern GLenum mode; void f(void) {" + ON + ENV % "mode" + "}",
     ["--let", "mode=GL_ADD"], ["{add}"]),
    ("--function", "void f(void) {" + ON + ENV % "GL_ADD" + "} void g(void) {" + ON + ENV % "GL_DECAL" + "}",
     ["--function", "g"], ["{decal}"]),
    ("qgl, pointers to calls", "void qglEnable(GLenum); struct t { void (*glTexEnvi)(int, int, int); };"
     "void f(struct t *t, struct t u) { qglEnable(GL_TEXTURE_2D); t->" + ENV % "GL_ADD" + "u." +
     ENV % "GL_DECAL" + "}", [], ["{decal}"]),
    ("--alias", "void set_env(int, int, int); void f(void) {" + ON + (ENV % "GL_ADD").replace(
        "glTexEnvi", "set_env") + "}", ["--alias", "set_env=glTexEnvi"], ["{add}"]),
    ("--alias of what has more arguments", "void t_active(void *, int); void f(void *c) { t_active(c, GL_TEXTURE1);" +
     ON + ENV % "GL_ADD" + "}", ["--alias", "t_active=glActiveTexture@2"], ["{} {add}"]),
    ("pglNAME, suffixes", "void (*pglActiveTextureARB)(int); void f(void) { pglActiveTextureARB(GL_TEXTURE1_ARB);" + ON +
     ENV % "GL_ADD" + "}", [], ["{} {add}"]),
    ("::gl", "void f(void) { ::" + ON + "::" + ENV % "GL_ADD" + "}", [], ["{add}"]),
    ("a pointer that is computed", "struct t { void (*glTexEnvi)(int, int, int); }; void f(struct t *t) {" + ON +
     "(*t->glTexEnvi)" + (ENV % "GL_ADD")[len("glTexEnvi"):] + "(t->glTexEnvi)" +
     (ENV % "GL_DECAL")[len("glTexEnvi"):] + "}", [], ["{decal}"]),
    ("members of constants", "struct stage { GLenum unit; GLint mode; }; static const struct stage s[] = {"
     "{GL_TEXTURE0, GL_ADD}, {GL_TEXTURE1, GL_DECAL}}; void f(void) { int i; for (i = 0; i < 2; i++) {"
     "const struct stage *p = &s[i]; glActiveTexture(p->unit);" + ON + ENV % "p->mode" + "} }", [],
     ["{add} {decal}"]),
    ("designated members, the rest is 0", "typedef struct { int a, mode, b; float c[4]; } T; void f(void) { T t = {"
     ".mode = GL_BLEND, .c = {0.5f, 0, 1}}; if (t.a || t.b) return;" + ON + "glTexEnvfv(GL_TEXTURE_ENV, "
     "GL_TEXTURE_ENV_COLOR, t.c);" + ENV % "t.mode" + "}", [], ["{blend} C0=(0.5,0,1,0)"]),
    ("a copy is another object", "struct t { int m; }; void f(void) { struct t a = {GL_ADD}, b = a; b.m = GL_DECAL;" +
     ON + ENV % "a.m" + "}", [], ["{add}"]),
    ("a copy for a call", "struct t { int m; }; static void g(struct t t) { t.m = GL_DECAL; } void f(void) {"
     "struct t a = {GL_ADD}; g(a);" + ON + ENV % "a.m" + "}", [], ["{add}"]),
    ("by its address", "struct t { int m; }; static void g(struct t *t) { t->m = GL_DECAL; } void f(void) {"
     "struct t a = {GL_ADD}; g(&a);" + ON + ENV % "a.m" + "}", [], ["{decal}"]),
    ("tables of functions", "static void add(int u) { glActiveTexture(GL_TEXTURE0 + u);" + ON + ENV % "GL_ADD" + "}"
     "static void off(int u) { glActiveTexture(GL_TEXTURE0 + u); glDisable(GL_TEXTURE_2D); }"
     "struct pipe { int n; void (*conf[2])(int); void (*last)(int); };"
     "static const struct pipe two = {2, {add, add}, off}; void f(void) { const struct pipe *p = &two;"
     "for (int i = 0; i < p->n; i++) p->conf[i](i); p->last(0); }", [], ["{} {add}"]),
    ("a pointer to a function", "static void add(void) {" + ENV % "GL_ADD" + "} void f(void) { void (*g)(void) = add;" +
     ON + "g(); }", [], ["{add}"]),
    ("a pointer moves on", "static const GLenum a[] = {GL_ADD}, d[] = {GL_DECAL}; void f(void) { const GLenum *p = a; p = d;" +
     ON + ENV % "p[0]" + "}", [], ["{decal}"]),
    ("the address of an element", "static const GLfloat c[2][4] = {{0}, {0.5f, 0, 0, 1}}; void f(void) {" + ON + COLOR %
     "&c[1][0]" + "}", [], ["{blend} C0=(0.5,0,0,1)"]),
    ("?: of tokens, not known", "void f(int q) {" + ON + ENV % "q ? GL_ADD : GL_DECAL" + "}", [], ["{add}", "{decal}"]),
    ("?: that is kept", "void f(int q) { GLenum m = q ? GL_ADD : GL_DECAL;" + ON + ENV % "m" + "}", [],
     ["{add}", "{decal}"]),
    ("?: known", "void f(void) {" + ON + ENV % "2 > 1 ? GL_ADD : GL_DECAL" + "}", [], ["{add}"]),
    ("?: that does not matter", "int puts(const char *); void f(int q) { int n = q ? 1 : 2; puts(q ? \"a\" : \"b\");" + ON +
     ENV % "GL_ADD" + "}", [], ["{add}"]),
    ("names of textures", "static void load(GLuint t, int f) { glBindTexture(GL_TEXTURE_2D, t);"
     "glTexImage2D(GL_TEXTURE_2D, 0, f, 4, 4, 0, f, GL_UNSIGNED_BYTE, 0); } void f(void) { GLuint a, b[2];"
     "glGenTextures(1, &a); glGenTextures(2, b); load(a, GL_RGB); load(b[0], GL_ALPHA); load(b[1], GL_LUMINANCE);"
     "glBindTexture(GL_TEXTURE_2D, b[0]);" + ON + ENV % "GL_ADD" + "}", [], ["{add @alpha}"]),
    ("names that are not known", "struct t { GLuint a, b; }; void f(struct t *t) { glBindTexture(GL_TEXTURE_2D, t->a);"
     "glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 4, 4, 0, GL_RGB, GL_UNSIGNED_BYTE, 0); glBindTexture(GL_TEXTURE_2D, t->b);"
     "glTexImage2D(GL_TEXTURE_2D, 0, GL_ALPHA, 4, 4, 0, GL_ALPHA, GL_UNSIGNED_BYTE, 0);"
     "glBindTexture(GL_TEXTURE_2D, t->a);" + ON + ENV % "GL_ADD" + "}", [], ["{add @rgb}"]),
    ("lists", "void f(void) { GLuint l = glGenLists(1); glNewList(l, GL_COMPILE);" + ENV % "GL_ADD" + "glEndList();" + ON +
     "glCallList(l); }", [], ["{add}"]),
    ("--let of a member", "struct t { int a, b; }; void f(struct t *s, struct t *t) { if (s->a == t->a) return;" + ON +
     ENV % "t->a" + "}", ["--let", "t->a=GL_ADD", "--let", "s->a=1"], ["{add}"]),
    ("--let of elements", "extern int e[4], g[4]; void f(int i) {" + ON + "if (e[i] == 3)" + ENV % "g[2]" + "}",
     ["--let", "e=3", "--let", "g[2]=GL_ADD"], ["{add}"]),
    ("--let of elements, until one is assigned", "static void env(int u, int m) { static int last[2]; if (m != last[u]) {" + ENV % "m" +
     "last[u] = m; } } void f(void) {" + ON + "env(1, GL_ADD); env(1, GL_DECAL); env(0, GL_BLEND); }",
     ["--let", "last=3042,7"], ["{blend} C0=(0,0,0,0)", "{decal}", "{blend} C0=(0,0,0,0)", "{add}"]),
    ("--let is over where its name is assigned", "struct { int unit; } s; void other(void); void sel(int u) {"
     "if (s.unit == u) return; glActiveTexture(GL_TEXTURE0 + u); s.unit = u; } void f(void) { sel(1); other(); sel(0);" + ON +
     ENV % "GL_ADD" + "}", ["--let", "s.unit=0"], ["{} {add}", "{add}"]),
    ("ways with the same calls of GL", "int open_file(int); void f(int q) {" + ON + "if (q) { open_file(q);" + ENV %
     "GL_ADD" + "} else { open_file(0);" + ENV % "GL_ADD" + "} }", ["--ignore", "open_*"], ["{add}"]),
    ("#if is the preprocessor's", "void f(void) {" + ON + "\n#if 1 < 2\n" + ENV % "GL_ADD" + "\n#else\n" +
     ENV % "GL_DECAL" + "\n#endif\n}", [], ["{add}"]),
]

CLASS = ("namespace r { class Env { public: enum Mode { M_ADD = GL_ADD, M_DECAL = GL_DECAL };"
         "Env() : unit(0) {} void set(Mode m) const {" + ON + ENV % "m" + "} void apply(); private: int unit; };\n")
# Rows of the same form for C++ source.
STATES_CPP = [
    ("a method outside of its class", CLASS + "void Env::apply() { set(M_ADD); } }", ["--function", "apply"], ["{add}"]),
    ("by its class", CLASS + "void Env::apply() { set(Env::M_DECAL); } class B { void apply() {" + ON + "} }; }",
     ["--function", "Env::apply"], ["{decal}"]),
    ("one inside of a class", "class A { void f() {" + ON + ENV % "GL_ADD" + "} };", [], ["{add}"]),
    ("the class tells functions apart", "class A { void g(); }; class B { void g(); }; void A::g() {" + ENV % "GL_ADD" + "}"
     "void B::g() {" + ENV % "GL_DECAL" + "} void f() {" + ON + "B::g(); }", ["--function", "f"], ["{decal}"]),
    ("references", "static void g(GLenum &m, int q) { m = GL_DECAL; } void f() { GLenum m = GL_ADD; g(m, 1);" + ON + ENV %
     "m" + "}", [], ["{decal}"]),
    ("an object of a nested class", "struct C { struct E { struct { int m; } i; }; }; static void g(const C::E &e) {" +
     ENV % "e.i.m" + "} void f() { C::E e; e.i.m = GL_ADD;" + ON + "g(e); }", [], ["{add}"]),
    ("nested classes of one name", "struct E { float m; }; struct C { struct E { int m; }; float m; }; struct D { struct E"
     "{ double m; }; E e; }; void f() { C::E e; D d; e.m = d.e.m = 1.75f;" + ON + ENV % "e.m > 1.5f ? GL_ADD : GL_DECAL" +
     "glActiveTexture(GL_TEXTURE1);" + ON + ENV % "d.e.m > 1.5f ? GL_ADD : GL_DECAL" + "}", [], ["{decal} {add}"]),
    ("the file's, of those of one name", "struct E { float m; }; struct C { struct E { int m; }; }; void f() { E e; e.m = 1.75f;" +
     ON + ENV % "e.m > 1.5f ? GL_ADD : GL_DECAL" + "}", [], ["{add}"]),
    ("the file's, not that of a namespace", "struct A { float m; }; namespace n { struct A { int m; }; } void f() { A e; "
     "e.m = 1.75f;" + ON + ENV % "e.m > 1.5f ? GL_ADD : GL_DECAL" + "}", [], ["{add}"]),
    ("one of another function", "struct A { float m; }; void g() { struct A { int m; }; A e; e.m = 1; } void f() { g(); A e; "
     "e.m = 1.75f;" + ON + ENV % "e.m > 1.5f ? GL_ADD : GL_DECAL" + "}", [], ["{add}"]),
    ("one of this function", "struct A { int m; }; void f() { struct A { float m; }; A e; e.m = 1.75f;" +
     ON + ENV % "e.m > 1.5f ? GL_ADD : GL_DECAL" + "}", [], ["{add}"]),
    ("nor that of their classes", "struct A { struct B { struct E { int m; }; }; }; struct D { struct B { struct E { float m; }"
     "; }; }; void f() { A::B::E e; e.m = 1.75f;" + ON + ENV % "e.m > 1.5f ? GL_ADD : GL_DECAL" + "}", [],
     ["{add}", "{decal}"]),
    ("a reference that decides nothing", "struct S; void f(S &s) {" + ON + ENV % "GL_ADD" + "}", [], ["{add}"]),
    ("another name of a variable", "void f() { GLenum m = GL_ADD; const GLenum &n = m;" + ON + ENV % "n" + "}", [],
     ["{add}"]),
    ("a method of an object", "struct D { void glTexEnvi(int, int, int); }; void f(D *d, D &e) {" + ON + "d->" + ENV %
     "GL_ADD" + "e." + ENV % "GL_DECAL" + "}", [], ["{decal}"]),
    ("casts", "void f() {" + ON + ENV % "static_cast<GLenum>(GL_ADD)" + "}", [], ["{add}"]),
    ("headers of the system", "#include <string>\n#include <vector>\nvoid f(const std::string &s) { std::vector<int> v;" + ON +
     ENV % "GL_ADD" + "}", [], ["{add}"]),
]

# (description, source after HEAD, options; line, column and code of the error)
ERRORS = [
    ("an unknown mode", "void f(int m) {\n  " + ON + "\n  " + ENV % "m" + "}", [], 5, 3 + ARGUMENT, None),
    ("a name that shadows a known one", "static const GLenum m = GL_ADD;\nvoid f(int m) {\n" + ON + "\n" +
     ENV % "m" + "}", [], 6, 1 + ARGUMENT, None),
    ("what is written by an address", "void get(GLenum *);\nvoid f(void) { GLenum m = GL_ADD; get(&m);\n" + ON
     + ENV % "m" + "}", [], 5, 26 + ARGUMENT, None),
    ("what an unknown branch writes", "void f(int q) { GLenum m = GL_ADD; if (q) m = GL_DECAL;\n" + ON +
     ENV % "m" + "}", [], 4, 26 + ARGUMENT, None),
    ("a variable of the file", "static GLenum m = GL_ADD; void set(int i) { m = i; }\nvoid f(void) {\n" + ON +
     ENV % "m" + "}", [], 5, 26 + ARGUMENT, None),
    ("an unsigned that wraps", "void f(void) { unsigned u = 0; u = u - 1;\n" + ON + "if (u < 1) { u = 2; }\n" +
     ENV % "u" + "}", [], 5, 1 + ARGUMENT, None),
    ("an endless loop", "void f(void) {\n for (;;)\n  " + ENV % "GL_ADD" + "}", [], None, None,
     "source-steps"),
    ("goto", "void f(void) {\n  goto a; a: " + ENV % "GL_ADD" + "}", [], 4, 3, "source-statement"),
    ("a loop that nobody knows the end of", LOOP, [], 4, 3, "source-loop"),
    ("do, at least once", "void f(int n) {\n  do { " + ON + ENV % "GL_ADD" + "} while (n--); }", [], 4, 3, "source-loop"),
    ("do without while", "void f(void) {\n  do " + ENV % "GL_ADD" + " }", [], 4, 3, "source-syntax"),
    ("no function", "void f(void) {\n" + ENV % "GL_ADD" + "}", ["--function", "g"], None, None,
     "source-function"),
    ("several functions", "void f(void) {" + ENV % "GL_ADD" + "} void g(void) {" + ENV % "GL_ADD" + "}", [],
     3, 15 + len(ENV % "GL_ADD" + "} void "), "source-function"),
    ("nothing of texturing", "int f(void) { return 1; }", [], None, None, "source-function"),
    ("a call that a condition makes", "void f(int q) {\n  q && " + (ENV % "GL_ADD").replace(
        ";", ", 1;").replace("glTex", "(glTex", 1).replace(", 1;", ", 1);") + "}", [], 4, 9,
     "source-enable"),
    ("a pointer that others may move", "void get(const GLenum **); static const GLenum a[] = {GL_ADD}; void f(void) {"
     "const GLenum *p = a; get(&p);\n" + ON + ENV % "p[0]" + "}", [], 4, 26 + ARGUMENT, None),
    ("a pointer that an unknown branch moves", "static const GLenum a[] = {GL_ADD}, b[] = {GL_DECAL}; void f(int q) {"
     "const GLenum *p = a; if (q) p = b;\n" + ON + ENV % "p[0]" + "}", [], 4, 26 + ARGUMENT, None),
    ("a member that others may write", "struct t { int m; }; void get(struct t *); void f(void) { struct t t = {GL_ADD};"
     "get(&t);\n" + ON + ENV % "t.m" + "}", [], 4, 26 + ARGUMENT, None),
    ("a member, later on", "struct t { int m; }; void get(struct t *); void more(void); void f(void) { struct t t;"
     "get(&t); t.m = GL_ADD; more();\n" + ON + ENV % "t.m" + "}", [], 4, 26 + ARGUMENT, None),
    ("members of a union", "union t { int m; int n; }; void f(void) { union t t; t.m = GL_ADD; t.n = GL_DECAL;\n" + ON + ENV %
     "t.m" + "}", [], 4, 26 + ARGUMENT, None),
    ("a wrapper without a rule", "void my_glTexEnvi(int, int, int);\nvoid f(void) { " + ON + "\n  my_" +
     ENV % "GL_ADD" + "}", [], 5, 3, None),
    ("a misspelt mode", "void f(void) {\n  " + ENV % "GL_MODULATED" + "}", [], 4, 3 + ARGUMENT, "unknown-name"),
    ("no closing brace", "void f(void) {\n  " + ENV % "GL_ADD", [], None, None, None),
    ("too many ways", "void f(int *q) {" + ON + "".join("if (q[%d]) %s\n" % (i, ENV % "GL_ADD")
                                                         for i in range(7)) + "}", [], None, None,
     "source-ways"),
]


def run(text, options, name="a.c"):
    path = os.path.join(FOLDER, name)
    with open(path, "w") as f:
        f.write(HEAD + text + "\n")
    return Run(["convert", "--from", "c", "--to", "stages", *options, path])


def check_states():
    for what, text, options, expected in STATES:
        r = run(text, options)
        got = states_of(r.out)
        checks.check(r.status == 0 and got == expected and not r.sanitizer(),
                     "%s: %s, not %s: %s" % (what, got, expected, r.err))


def check_cpp():
    for what, text, options, expected in STATES_CPP:
        r = run(text, options, "a.cpp")
        got = states_of(r.out)
        checks.check(r.status == 0 and got == expected and not r.sanitizer(),
                     "C++, %s: %s, not %s: %s" % (what, got, expected, r.err))
    for what, text in (("overloads", "void g(int a) {" + ENV % "GL_ADD" + "} void g(int a, int b) {" + ENV % "GL_DECAL" +
                        "} void f() { " + ON + "g(1, 2); }"),
                       ("what others may write", "void g(GLenum &m); void f() { GLenum m = GL_ADD; g(m);" + ON + ENV % "m" + "}"),
                       ("what another name writes", "void f() { GLenum m = GL_ADD; GLenum &n = m; n = GL_DECAL;" + ON +
                        ENV % "m" + "}")):
        r = run(text, ["--function", "f"], "a.cpp")
        checks.check(r.status == 1 and not r.out, "C++, %s: %s%s" % (what, r.out, r.err))
    atifs = Run(["convert", "--from", "c", "--to", "atifs", written(
        "atifs.c", HEAD + "void f(int q) { GLenum r = GL_REG_0_ATI; const float c[] = {0.5f, 0, 0, 1}; "
        "glBeginFragmentShaderATI(); glSampleMapATI(r, GL_TEXTURE0, GL_SWIZZLE_STR_ATI); "
        "glSetFragmentShaderConstantATI(GL_CON_1_ATI, c); glColorFragmentOp1ATI(GL_MOV_ATI, r, GL_NONE, GL_NONE, "
        "GL_CON_1_ATI, GL_NONE, GL_NONE); glEndFragmentShaderATI(); }")])
    checks.check(atifs.status == 0 and "SampleMap r0, t0.str;" in atifs.out and "0.5" in atifs.out,
                 "a program in a function of C: " + atifs.out + atifs.err)
    bomb = "#define A0 x\n" + "".join("#define A%d A%d A%d\n" % (i, i - 1, i - 1) for i in range(1, 40))
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    r = Run(["convert", "--from", "c", written("bomb.c", bomb + "void f(void) { A39; }\n")])
    spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    checks.check(r.status == 1 and "preprocessor" in r.err and not r.out and spent < 3,
                 "macros without end: %.1f s, %s" % (spent, r.err))
    for last, right in ((12, True), (39, False)): # class N contains all before it: C39 has 2^39 members
        classes = "".join("struct C%d { %s int x; };\n" % (i, " ".join("C%d c%d;" % (k, k) for k in range(i)))
                          for i in range(last + 1))
        r = Run(["convert", "--to", "stages", written("many.cpp", HEAD + classes + "void f() { C%d *p = 0; C%d c;" % (
            last, last) + ON + ENV % "GL_ADD" + "}\n")], timeout=30)
        checks.check(states_of(r.out) == ["{add}"] if right else "[source-object]" in r.err and not r.out,
                     "classes within classes: " + r.out + r.err)
    r = run("struct { int u, e[2]; } s; void f(void) {" + ON + "if (s.e[s.u] == GL_ADD) return;" + ENV % "GL_ADD" + "}",
            ["--let", "s.u=0", "--let", "s.e[0]=GL_REPLACE", "--let", "none=1"])
    checks.check(states_of(r.out) == ["{add}"] and "no state" not in r.err and "--let none=1 has no effect" in r.err,
                 "--let of an element, of nothing: " + r.out + r.err)
    r = run('#include "none_glut.h"\n#ifdef GL_VERSION_1_1\nvoid f(void) {' + ON + ENV % "GL_REPLACE" + "}\n#endif", [])
    checks.check(states_of(r.out) == ["{replace}"], "GL's versions without a header: " + r.out + r.err)
    r = run("int compute(int); void f(void) { compute(1); compute(2); abs(1);" + ON + ENV % "GL_ADD" + "}", [])
    checks.check("these functions are not in the file, and their calls are not interpreted: compute\n" in r.err, "calls of others: " + r.err)


def check_errors():
    for what, text, options, line, column, code in ERRORS:
        r = run(text, options)
        place = r"a\.c:%s:%s: error" % (line or r"\d+", column or r"\d+")
        ok = r.status == 1 and not r.out and re.search(place, r.err) and (not code or "[%s]" % code in r.err)
        checks.check(ok and not r.sanitizer(), "%s: status %d, %s%s" % (what, r.status, r.out, r.err))


# (source of an argument whose value is unknown, the text by which the error quotes it)
UNKNOWN = [("m", "m"), ("t->m", "t->m"), ("a[m + 1] & 0xff", "a[m + 1] & 0xff"), ("MODE(m)", "m ? ..."),
           ("m +\n t->m", "m +..."), ("t->m" + " + t->m" * 20, "t->m" + " + t->m" * 8 + "...")]


def check_unknown():
    for source, told in UNKNOWN:
        r = run("#define MODE(x) x ? GL_ADD : GL_DECAL1\nstruct t { int m; }; void f(struct t *t, int *a, int m) {" + ON + "\n" +
                ENV % source + "}", [])
        checks.check(r.status == 1 and "a.c:5:%d: error" % (1 + ARGUMENT + source.find("m)") * ("MODE" in source)) in r.err and
                     "found '%s', which is no constant" % told in r.err, "%s is told as %s: %s" % (source, told, r.err))


# (statements that use an undefined macro, the macro's name and parameters as for -D)
MACROS = [("GUARD(a)\n" + ON, "GUARD(...)"), ("GUARD(a, 1) int b = 1;" + ON, "GUARD(...)"), ("LOOP(a) {" + ON + "}", "LOOP(...)"),
          (ON + "LEAVE()", "LEAVE(...)"), ("GUARD " + ON, "GUARD"), ("GUARD g();" + ON, "GUARD")]


def check_macros():
    """A macro of a missing header, used like a statement, is an error with a hint to define it by -D."""
    for statements, macro in MACROS:
        text = "static void g(void) {" + ENV % "GL_DECAL" + "} void f(int a) {" + ENV % "GL_ADD" + statements + "}"
        r = run(text, ["--function", "f"])
        hint = "if '%s' is a macro: -D '%s=' leaves it out [source-syntax]" % (macro.split("(")[0], macro)
        checks.check(r.status == 1 and not r.out and hint in r.err, "%s: %s%s" % (statements, r.out, r.err))
        r = run(text, ["--function", "f", "-D", macro + "="])
        checks.check(states_of(r.out) == ["{decal}" if "g()" in statements else "{add}"],
                     "%s, left out: %s%s" % (statements, r.out, r.err))
    for text in ("glEnable(GL_TEXTURE_2D)", "f(1)", "a"):
        r = run("void f(int a) { " + text + "}", ["--function", "f"])
        checks.check("';' is expected, not '}' [" in r.err, "%s is no macro: %s" % (text, r.err))


def check_command():
    r = run('#include "none.h"\n', [])
    checks.check(r.status == 1 and "none.h" in r.err and not r.out, "a header that is missing: " + r.err)
    for options in (["--let", "a"], ["--let", "a=+"], ["--alias", "a=b"], ["--enable", "8=2d"], ["--enable", "0=4d"]):
        checks.check(run("", options).status == 2, "%s is wrong usage" % options)
    checks.check(Run(["convert", "--from", "c", "-e", "x"]).status == 2, "--from c takes files")
    r = run(STATES[14][1], [])
    checks.check("where (q > 1) in line 3" in r.err and "where not (q > 1) in line 3" in r.err,
                 "ways are named by their conditions: " + r.err)
    missing = Run(["convert", "--from", "c", "--to", "stages", os.path.join(FOLDER, "a.c")],
                  env={"CC": os.path.join(FOLDER, "none")})
    checks.check(missing.status == 1 and not missing.out, "no compiler: " + missing.err)


def written(name, text):
    path = os.path.join(FOLDER, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)
    return path


def states_of(out):
    return [x for x in out.splitlines() if not x.startswith("#")]


def check_names():
    """A file is read as C source if its name ends like one and it defines functions; else as a script of GL
    calls."""
    text = HEAD + "static const GLenum m = GL_ADD; void f(void) {" + ON + ENV % "m" + "}\n"
    for end in ("c", "cc", "cpp", "cxx", "C", "h", "hpp", "m"):
        r = Run(["convert", "--to", "stages", written("name." + end, text)])
        checks.check(r.status == 0 and states_of(r.out) == ["{add}"], "name.%s: %s%s" % (end, r.out, r.err))
    for command in (["explain"], ["lint"], ["key"], ["report", "--target", "r200"]):
        r = Run(command + [written("name.c", text)])
        checks.check(r.status == 0, "%s of name.c: %s" % (command[0], r.err))
    r = Run(["convert", "--to", "stages", written("bare.c", "/* no function */\n" + ON + ENV % "GL_DECAL" + "\n")])
    checks.check(r.status == 0 and states_of(r.out) == ["{decal}"], "calls without a function: " + r.out + r.err)
    r = Run(["convert", "--to", "stages", written("name.txt", text)])
    checks.check(r.status == 1, "another name is read as calls: " + r.out + r.err)
    r = Run(["convert", "--from", "gl", "--to", "stages", written("name.c", text)])
    checks.check(r.status == 1, "--from gl says otherwise: " + r.out + r.err)


# (description, the body of a function without its head, as pasted into a file)
BODIES = [
    ("a constant", "const GLenum m = GL_ADD, d = GL_DECAL;\n" + ON + ENV % "m"),
    ("written later", "GLenum m = GL_ADD; int i; m = GL_DECAL;\n" + ON + ENV % "m" + "return;"),
    ("a loop and a test", "int i; GLenum m[] = {GL_ADD, GL_DECAL}; for (i = 0; i < 2; i++) { glActiveTexture(GL_TEXTURE0 + i);"
     + ON + ENV % "m[i]" + "} if (i == 2) {" + ENV % "GL_REPLACE" + "}"),
    ("two ways", "GLenum m = GL_ADD; if (q) { m = GL_DECAL; }" + ON + "\n" + ENV % "m"),
    ("draws", "GLenum m = GL_ADD;" + ON + ENV % "m" + "glBegin(GL_TRIANGLES); glVertex2f(0, 0); glEnd(); m = GL_DECAL;" +
     ENV % "m" + "glDrawArrays(GL_TRIANGLES, 0, 3);"),
]


def check_bodies():
    """Outside of functions only GL calls are allowed; all other statements are errors."""
    for what, body in BODIES:
        path = written("body.c", "#include <GL/gl.h>\n" + body + "\n")
        for options in ([], ["--from", "c"]):
            r = Run(["convert", "--to", "stages", *options, path])
            checks.check(r.status == 1 and not r.out and "body.c:" in r.err and not r.sanitizer(),
                         "a body, %s: %s%s" % (what, r.out, r.err))
    r = Run(["convert", "--to", "stages", written("body.c", ON + ENV % "GL_ADD")])
    checks.check(states_of(r.out) == ["{add}"], "calls alone: " + r.out + r.err)


def check_headers():
    """Missing headers count as empty, with a warning. GL's tokens and types are known without a header."""
    text = ('#include <GL/gl.h>\n  #include "none/a.h"\n#include "../../b.h"\n#include <c.hpp>\n'
            "void f(GLboolean q) {" + ON + ENV % "GL_ADD" + "}\n")
    r = Run(["convert", "--to", "stages", written("deep/er/a.c", text)])
    checks.check(r.status == 0 and states_of(r.out) == ["{add}"] and
                 "a.c:2:12: warning: 3 headers are not found, taken as empty: none/a.h, ../../b.h, c.hpp" in r.err,
                 "headers that are missing: " + r.out + r.err)
    written("deep/none/a.h", "#define MODE GL_DECAL\n")
    r = Run(["convert", "--to", "stages", "-I", os.path.join(FOLDER, "deep"),
             written("deep/er/a.c", text.replace("GL_ADD", "MODE"))])
    checks.check(r.status == 0 and states_of(r.out) == ["{decal}"] and "2 headers are not found" in r.err,
                 "-I finds one of them: " + r.out + r.err)
    r = Run(["convert", "--to", "stages", written("a.c", '#include "/none/a.h"\n' + text)])
    checks.check(r.status == 1 and not r.out, "a missing header by its whole path: " + r.out + r.err)
    cc = written("cc", '#!/bin/sh\nexec cc -nostdinc -idirafter / "$@"\n')
    os.chmod(cc, 0o755)
    r = Run(["convert", "--to", "stages", written("a.c", HEAD + "void f(GLboolean q) { q = GL_TRUE; if (q == GL_FALSE) return;" +
                                                  ON + ENV % "GL_ADD" + "}\n")], env={"CC": cc})
    checks.check(r.status == 0 and states_of(r.out) == ["{add}"] and
                 "2 headers are not found, taken as empty: GL/gl.h, GL/glext.h" in r.err, "no headers of GL: " + r.out + r.err)


def check_empty_ways():
    text = "void f(int q) {\n if (q)\n  return;\n" + ON + ENV % "GL_ADD" + "}"
    r = run(text, [])
    checks.check(r.status == 0 and states_of(r.out) == ["{add}"] and
                 "no state where (q) in line 4" in r.err and "where not (q) in line 4" in r.err,
                 "a way without calls is left out: %d %s%s" % (r.status, r.out, r.err))
    r = run(text, ["--let", "q=1"])
    checks.check(r.status == 1 and not r.out and "a.c:3:6: error" in r.err and "[empty]" in r.err,
                 "no way has a call: " + r.out + r.err)
    r = run("void set(int);\nvoid f(int m) {\n set(m); restore();\n}", ["--function", "f"])
    checks.check(r.status == 1 and not r.out and "a.c:4:6: error" in r.err and "calls of set, restore [empty]" in r.err,
                 "what is skipped is named: " + r.out + r.err)


def check_lines():
    """lint reports lines of the C source, and of the header if the call is there."""
    path = written("lines.c", HEAD + "\n\nvoid f(void) {\n" + ON + "\n" + ENV % "GL_COMBINE" +
                   "\n  glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, (const float[]){1, 0, 0, 1});\n}\n")
    r = Run(["lint", path])
    checks.check(re.search(r"lines\.c:8:3: note: .*\[color-unused\]", r.err + r.out), "lint: " + r.out + r.err)
    written("inner.h", "\n\nstatic void inner(void) {\n  glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, "
            "(const float[]){1, 0, 0, 1});\n}\n")
    path = written("outer.c", HEAD + '#include "inner.h"\nvoid f(void) {\n' + ON + "inner(); }\n")
    r = Run(["lint", "--function", "f", path])
    checks.check(re.search(r"outer\.c:5:25: note: .*\[color-unused\]", r.err + r.out),
                 "lint of an included file: where it is called: " + r.out + r.err)


OPEN = ("void get(float *);\nvoid f(const float *color, float alpha, float ref) {\nfloat c[4] = {0.5f, 1, 0, alpha};\n" +
        ON + "\n" + COLOR % "color" + "\nglActiveTexture(GL_TEXTURE1);" + ON + "\n" + COLOR.replace("BLEND", "ADD") % "c" +
        "\nglEnable(GL_ALPHA_TEST); glAlphaFunc(GL_LESS, ref);\n}")
FIRST_COLOR = ("void f(const float *color, float a) {\nfloat c[4] = {0.5f, 1, 0, a};\n" + ON +
               ENV % "GL_COMBINE" + "glTexEnvi(GL_TEXTURE_ENV, GL_SOURCE0_RGB, GL_CONSTANT);"
               "glTexEnvi(GL_TEXTURE_ENV, GL_SOURCE0_ALPHA, GL_CONSTANT);\n"
               "  glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, %s);\n}")


def check_open_values():
    """An unknown colour becomes a uniform without a value; targets that need the value refuse the state."""
    text, column = FIRST_COLOR % "color", 3 + len("glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, ")
    r = run(text, [])
    checks.check(r.status == 0 and states_of(r.out) == ["{C*P} C0=(?,?,?,?)"] and
                 "a.c:6:%d: note: the environment colour is not known here" % column in r.err,
                 "an unknown colour: " + r.out + r.err)
    r = run(FIRST_COLOR % "c", [])
    checks.check(states_of(r.out) == ["{C*P} C0=(0.5,1,0,?)"], "an unknown alpha: " + r.out + r.err)
    for let, state in ((["--let", "color=0.25,1,0,GL_ONE"], "(0.25,1,0,1)"), (["--let", "color=1,1,1,1f"], "(1,1,1,1)")):
        r = run(text, let)
        checks.check(states_of(r.out) == ["{C*P} C0=" + state], "%s: %s%s" % (let, r.out, r.err))
    r = run(FIRST_COLOR % "c", ["--let", "a=0.75"])
    checks.check(states_of(r.out) == ["{C*P} C0=(0.5,1,0,0.75)"], "--let of a component: " + r.out + r.err)
    r = run(text, ["--let", "color=1,+"])
    checks.check(r.status == 2, "--let of what is no list")
    path = os.path.join(FOLDER, "a.c")
    run(text, [])
    for to in ("arbfp", "glsl", "glsl-330", "glsl-es", "atifs", "atifs-c"):
        r = Run(["convert", "--to", to, path])
        checks.check(r.status == 0 and "nan" not in r.out.lower(),
                     "a uniform of %s: %s%s" % (to, r.out, r.err))
    r = Run(["convert", "--to", "atifs", path])
    checks.check("CONSTANT c0 = program.local[0];" in r.out and "# const c0 unit=0 env-color" in r.out, r.out)
    for options in (["--to", "r200"], ["--to", "r300"], ["--to", "ir"], ["--to", "arbfp", "--fold-constants"]):
        r = Run(["convert", *options, path])
        checks.check(r.status == 3 and ("a.c:6:%d: error: unit 0: refused" % column) in r.err and
                     "--let color=R,G,B,A" in r.err and not states_of(r.out),
                     "%s needs the value: %d %s%s" % (options, r.status, r.out, r.err))
        r = Run(["convert", *options, "--let", "color=0,0.5,1,1", path])
        checks.check(r.status == 0, "%s has the value: %s" % (options, r.err))
    r = Run(["report", "--target", "r200", path])
    checks.check(r.status == 0 and "1 fit" in r.out, "whether it fits needs no value: " + r.out + r.err)
    r = Run(["lint", path])
    checks.check(r.status == 0, "lint: " + r.err)


def check_open_reflection():
    out, head = os.path.join(FOLDER, "r.json"), os.path.join(FOLDER, "r.h")
    run(OPEN, [])
    path = os.path.join(FOLDER, "a.c")
    r = Run(["convert", "--to", "glsl-330", "--reflect", out, path])
    with open(out) as f:
        pairs = json.load(f)
    values = {u["name"]: u["value"] for u in pairs[0]["uniforms"] if "value" in u}
    checks.check(r.status == 0 and values == {"texenv_color[0]": None, "alpha_reference": None},
                 "--reflect: %s %s" % (values, r.err))
    r = Run(["convert", "--to", "glsl-330", "--reflect", out, "--let", "ref=0.5", "--let", "color=0,0,0.5,1", path])
    with open(out) as f:
        pairs = json.load(f)
    values = {u["name"]: u["value"] for u in pairs[0]["uniforms"] if "value" in u}
    checks.check(values == {"texenv_color[0]": [0, 0, 0.5, 1], "alpha_reference": 0.5}, "--reflect: %s" % values)
    r = Run(["convert", "--to", "glsl-330", "--embed", "-o", head, path])
    with open(head) as f:
        text = f.read()
    for name in ("texenv_color[0]", "alpha_reference"):
        checks.check(re.search(re.escape('{"%s",' % name) + r".*, 0, \{0\}\},\n", text), "--embed: no value of " + name)
    r = Run(["convert", "--to", "stages", "-e", "{T*C} C0=(?,0.5,?,1) alphatest=less:?"])
    checks.check(r.out == "{T0*C} C0=(?,0.5,?,1) alphatest=less:?\n", "stages print and read them: " + r.out + r.err)
    calls = written("calls.c", Run(["convert", "--to", "gl", "-e", r.out]).out)
    checks.check(states_of(Run(["convert", "--to", "stages", calls]).out) == [r.out.strip()], "calls read back")


def check_included():
    """An error in an included file is reported at its place in that file."""
    written("part.h", "\n  static void part(int m) { glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, m); }\n")
    r = run('#include "part.h"\nvoid f(int m) {' + ON + "part(m); }", [])
    checks.check(r.status == 1 and re.search(r"part\.h:2:\d+: error: expected a constant", r.err),
                 "a call in an included file: " + r.out + r.err)
    written("part.h", "\nstatic void part(void) {\n  goto a; a: glEnable(GL_TEXTURE_2D); }\n")
    r = run('#include "part.h"\nvoid f(int m) { part(); }', [])
    checks.check(r.status == 1 and re.search(r"part\.h:3:3: error: .*source-statement", r.err),
                 "a statement in an included file: " + r.out + r.err)


DEEP = 5000
# (description, text, options, pattern of the error)
MALFORMED = [
    ("an empty file", "", [], "function"),
    ("comments alone", "/* nothing */\n", [], "function"),
    ("a string that does not end", 'void f(void) { puts("a); ' + ENV % "GL_ADD" + "}", [], ""),
    ("a comment that does not end", "void f(void) {" + ENV % "GL_ADD" + "/* }", [], "a.c:1:"),
    ("a brace too many", "void f(void) { { " + ENV % "GL_ADD" + "}", [], r"a.c:1:\d+: error: .*\[source-syntax\]"),
    ("a bracket too many", "void f(void) { glEnable((GL_TEXTURE_2D); }", [], r"a.c:1:\d+: error"),
    ("no ';'", "void f(void) { glEnable(GL_TEXTURE_2D) }", [], r"a.c:1:40: error: ';' is expected, not '}'"),
    ("two operators", "void f(void) { glEnable(GL_TEXTURE_2D * / 2); }", [], r"a.c:1:\d+: error: '/' is not supported in an expression"),
    ("no such function", "void f(void) {" + ENV % "GL_ADD" + "}", ["--function", "g"], "there is no function g"),
    ("no such method", "void f(void) {" + ENV % "GL_ADD" + "}", ["--function", "A::f"], "there is no function A::f"),
    ("a function of itself", "void f(int n) {" + ENV % "GL_ADD" + "f(n); }", ["--function", "f"],
     r"a.c:1:6: error: calls are nested too deep \[source-nesting\]"),
    ("two functions of each other", "void g(void); void f(void) {" + ENV % "GL_ADD" + "g(); } void g(void) { f(); }",
     ["--function", "f"], "source-nesting"),
    ("a macro without its arguments", "#define M(a) a\nvoid f(void) {" + ENV % "GL_ADD" + "M(1 }", [], "preprocessor"),
    ("#error", "#error no\nvoid f(void) {" + ENV % "GL_ADD" + "}", [], "a.c:1:2: error: #error no"),
    ("#if that does not end", "#if 1\nvoid f(void) {" + ENV % "GL_ADD" + "}", [], "preprocessor"),
    ("a file that includes itself", '#include "a.c"\nvoid f(void) {' + ENV % "GL_ADD" + "}", [], "preprocessor"),
    ("parentheses, very deep", "void f(void) { int a = " + "(" * DEEP + "1" + ")" * DEEP + ";" + ENV % "GL_ADD" + "}", [],
     r"a.c:1:\d+: error: nested too deep \[source-nesting\]"),
    ("blocks, very deep", "void f(void) " + "{" * DEEP + ENV % "GL_ADD" + "}" * DEEP, [], r"a.c:1:\d+: error: nested too deep"),
    ("signs, very deep", "void f(void) { int a = " + "- " * DEEP + "1;" + ENV % "GL_ADD" + "}", [], "nested too deep"),
    ("if, very deep", "void f(int q) { " + "if (q) " * DEEP + ENV % "GL_ADD" + "}", [], "error"),
    ("assignments, very deep", "void f(int a) { " + "a = " * DEEP + "1;" + ENV % "GL_ADD" + "}", [], "nested too deep"),
    ("braces, very deep", "void f(void) { int a[] = " + "{" * DEEP + "}" * DEEP + ";" + ENV % "GL_ADD" + "}", [], "source-enable"),
    ("structures, very deep", "void f(void) { " + "struct { " * DEEP + "int a;" + "} s; " * DEEP + ENV % "GL_ADD" + "}", [],
     "nested too deep"),
    ("a long else if that is not closed", "void f(int q) {" + "if (q == 1) ; else " * DEEP, [], "error"),
    ("too many arguments", "void f(void) { g(" + "1, " * 40 + "1); " + ENV % "GL_ADD" + "}", [], "source-arguments"),
    ("arrays without end", "void f(void) { for (;;) { int a[4096] = {0}; " + ENV % "GL_ADD" + "} }", [], "source-steps"),
    ("too many conditions", "void f(int *q) {" + ON + "".join("if (q[%d]) return;\n" % i for i in range(40)) + "}", [],
     r"more than 32 conditions whose values are not known"),
    ("what is no C", "\x01\x02\x7f {}[]();;; @ ` $ \\ \x0b", [], ""),
]


def check_malformed():
    out, path = os.path.join(FOLDER, "out"), os.path.join(FOLDER, "a.c")
    for what, text, options, told in MALFORMED:
        with open(path, "w") as f:
            f.write(text)
        r = Run(["convert", "--from", "c", "--to", "stages", "-o", out, *options, path])
        checks.check(r.status == 1 and not r.out and not os.path.exists(out) and not r.sanitizer() and
                     re.search(told, r.err), "%s: status %d, %s" % (what, r.status, r.err[-2000:]))
    for what, data in (("bytes", bytes(range(256)) * 8), ("a byte of value 0", b"void f(void) {\0}\n"),
                       ("compressed", b"\x1f\x8b\x08" + bytes(64))):
        with open(path, "wb") as f:
            f.write(data)
        r = Run(["convert", "-o", out, path])
        checks.check(r.status == 1 and not os.path.exists(out) and not r.sanitizer(),
                     "%s: %d %s" % (what, r.status, r.err))
    os.mkdir(os.path.join(FOLDER, "dir.c"))
    for what, name in (("a folder", "dir.c"), ("no file", "none.c")):
        r = Run(["convert", "-o", out, os.path.join(FOLDER, name)])
        checks.check(r.status == 1 and not os.path.exists(out) and name in r.err, "%s: %s" % (what, r.err))
    written("a.c", HEAD + "void f(void) {" + ENV % "GL_ADD" + "}")
    for cc in ("false", os.path.join(FOLDER, "none")):
        r = Run(["convert", "-o", out, path], env={"CC": cc})
        checks.check(r.status == 1 and not os.path.exists(out) and "preprocessor" in r.err, "CC=%s: %s" % (cc, r.err))
    path = written("b.c", '#include "none/b.h"\n')
    r = Run(["convert", "-o", out, path], env={"TMPDIR": os.path.join(FOLDER, "none")})
    checks.check(r.status == 1 and not os.path.exists(out) and "cannot make" in r.err, "no TMPDIR: " + r.err)
    own = os.path.join(FOLDER, "own")
    os.mkdir(own)
    for text in ("goto x;", '#include "x/none.h"\nvoid f(void) {' + ON + "}", "#error"):
        Run(["convert", written("own.c", text)], env={"TMPDIR": own})
        checks.check(os.listdir(own) == [], "headers of its own stay behind")


def check_cuts():
    """A source that is truncated anywhere gives an error, and no crash or state."""
    text = STATES[10][1]
    for n in range(0, len(text), 6):
        r = run(text[:n], [])
        checks.check(r.status == 1 and not r.out and not r.sanitizer(),
                     "cut at %d: status %d, %s%s" % (n, r.status, r.out, r.err))


try:
    check_states()
    check_cpp()
    check_errors()
    check_unknown()
    check_macros()
    check_command()
    check_names()
    check_bodies()
    check_headers()
    check_empty_ways()
    check_lines()
    check_open_values()
    check_open_reflection()
    check_included()
    check_malformed()
    check_cuts()
finally:
    shutil.rmtree(FOLDER)
checks.finish()
