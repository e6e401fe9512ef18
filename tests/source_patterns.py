#!/usr/bin/env python3
"""`--from c`: patterns of public programs, written anew: which states they set up is derived by hand. The
programs themselves: source_public.py. usage: source_patterns.py"""
import os
import shutil
import tempfile

import tool
from tool import Run

checks = tool.Checks("source_patterns")
FOLDER = tempfile.mkdtemp()
ON = "glEnable(GL_TEXTURE_2D); "
ENV = "glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, %s); "
ADD = ENV % "GL_ADD"

# (what, file, source, options, stages of each state in order)
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
     "void f(struct s *m) { " + ON + "if (!m->ready(0)) return; " + ADD + "}", [], ["{add}"]),
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
     "delete[] t->rows; t->next = new Base<int>(1); }", [], ["{add}"]),
    ("macros that nobody knows, in a header of C++", "a.cpp",
     "class API shape : public base { public: float *ptr() const { return v; } };\n"
     "INLINE float shape::operator[](int i) const { return v[i]; }\nEXPORT GLvoid *map(const shape *s);\n"
     "void f(shape *t) { shape *s = (shape *) find(t); shape &&n = *s + *t; " + ON + ADD + "}", [], ["{add}"]),
    ("functions of one name, of which none matters", "a.cpp",
     "struct a { float *texPtr() { return v; } }; struct b { float *texPtr() { return w; } };\n"
     "void f(struct c *x) { " + ON + "glTexGenfv(GL_S, GL_OBJECT_PLANE, x->plane.texPtr()); "
     "bool target = x && x->isTarget(); " + ADD + "}", [], ["{add}"]),
    ("as many rows as a table has", "a.c",
     "static const GLint rows[][2] = {{0, GL_ADD}, {1, GL_DECAL}};\nstatic GLfloat w[] = {1, 2};\n"
     "#define COUNT(x) (sizeof(x) / sizeof((x)[0]))\n"
     "void f(void) { unsigned i; for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) { "
     "glActiveTexture(GL_TEXTURE0 + rows[i][0]); " + ON + ENV % "rows[i][1]" + "} "
     "for (i = 0; i < COUNT(w) && i < sizeof w / sizeof *w; i++) { "
     "glActiveTexture(GL_TEXTURE2 + i); " + ON + "} }", [], ["{add} {decal} {modulate} {modulate}"]),
]


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
finally:
    shutil.rmtree(FOLDER)
checks.finish()
