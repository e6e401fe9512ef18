;enum { A, B = 3, C };
typedef unsigned char byte;
void f(int q, byte b) { GLenum m = 0; switch (q) { case A: m = 260; break; case B: m = 8449; default: m = 7681; } switch (B) { case 3: glEnable(0xDE1); } if (q && (b || !q)) { glTexEnvi(0x2300, 0x2200, m); } else if (q == 4) return; glTexEnvf(0x2300, 0x8573, 1 << 1); }
