9# 1 "a.c"
# 1 "/usr/include/x.h" 1 3 4
int skipped(;
# 2 "a.c" 2
static inline __attribute__((unused)) int k(int a) { return a ? k(a - 1) : 1; }
# 9 "b.h" 1
void f(void) { int a[] = {[1] = 2, 3}, *p = &a[1]; p[-1] = sizeof(a) / sizeof(a[0]); a[1] += 2; glActiveTexture(0x84C0 + *p); (*p)++; (void)k(3), glEnable(0xDE1); goto x; x: ; }
