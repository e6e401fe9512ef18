9struct s { GLenum u; int m; float c[4]; void (*g)(int); };
static void g(int m) { glTexEnvi(0x2300, 0x2200, m); }
static const struct s t[2] = {{0x84C0, 0x104, {1, .5f}, g}, {.u = 0x84C1, .m = 8449, .g = g}};
void f(void) { const struct s *p = t; for (int i = 0; i < 2; i++, p++) { glActiveTexture(p->u); glEnable(0xde1); p->g(p->m); glTexEnvfv(0x2300, 0x2201, &p->c[0]); } }
