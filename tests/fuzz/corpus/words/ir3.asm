nop
(rpt2)nop
(eq)nop
end
br p0.x, #4
br p0.x, #-4
br !p0.x, #3
shps #21
(ss)shpe
getone #20
brao !p0.x, !p0.y, #7
braa p0.x, p0.y, #3
prede
predt
predf
mov.f32f32 r0.x, c8.x
mov.f16f16 hr0.x, hc8.x
cov.s32s16 hr0.x, r0.x
(ul)mov.s32s32 r1.x, c<a0.x + 17>
(rpt1)mov.f32f32 r1.y, (r)c260.x
mov.s32s32 r<a0.x + 4>, r2.x
mov.s16s16 hr<a0.x>, hr1.y
mov.s16s16 hr1.x, hr<a0.x>
mov.s16s16 hr1.y, -1
mov.f16f16 hr1.y, h(0.625000)
mov.f16f16 hr1.z, h(0.500000)
add.f hr0.z, r0.y, c<a0.x + 33>
(nop3) cmps.f.lt r1.x, (abs)r1.x, c16.x
(rpt2)bary.f (ei)r0.z, (r)0, r0.x
(nop1) bary.f (ei)r0.z, 0, r0.x
flat.b (ei)r0.x, 0, r0.x
(nop2) flat.b (ei)r0.x, 0, r0.x
(nop3) absneg.s hr0.y, (abs)hr0.y
(nop3) add.s hr1.w, hr0.x, h(-1)
cmps.f.ne p0.x, hr1.x, h(0.0)
and.b p0.x, hr2.y, h(1)
and.b p0.y, hr0.y, hr0.z
(rpt1)add.f hr0.z, (r)hr1.z, (neg)(r)hc8.x
(sat)(nop3) add.s r0.y, r0.y, r1.x
(nop2) sub.u hr0.x, hc33.z, (neg)hr<a0.x + 128>
add.f r1.w, r2.x, (neg)(1.0)
(sy)mul.f hr1.x, hr1.x, h(0.5)
clz.b r0.y, c8.x
bfrev.b r2.y, r2.y
sel.f16 hr0.x, hc16.y, hr0.x, hc16.z
(rpt1)sel.b32 r2.y, c38.y, (r)r2.y, c38.z
(rpt1)sel.b32 r1.x, (r)c13.z, r0.z, (r)c20.z
(rpt1)sel.b32 r0.z, (r)c12.z, r0.w, (r)r1.x
mad.f32 r1.y, (neg)c12.x, r1.x, c12.y
mad.u24 r2.y, c0.x, r2.z, r2.y
madsh.m16 r2.x, c12.w, r1.y, r2.x
rcp r2.z, r0.w
dsx (f32)(x)r0.z, r0.x
dsy (f32)(x)r0.z, r0.x
samb (f16)(xyzw)hr0.x, hr0.z, hr0.x, s#0, t#0
samb (f16)(xyzw)hr0.x, r0.y, r0.x, s#0, t#0
sam (f16)(xyzw)hr0.x, hr0.y, s#2, t#2
sam (f32)(xyzw)r1.x, r0.z, s#6, t#6
alias.tex.f32.1 r40.x, (-1.456763)
alias.tex.f32.0 r2.y, c1.w
(jp)alias.tex.b32.1 r40.x, (0x6)
alias.tex.b16.0 hr40.x, h(0x2)
alias.rt.f16.0 rt0.w, h(1.000000)
(sy)alias.rt.f16.0 rt0.x, hc0.x
alias.rt.f32.0 rt2.x, c4.x
alias.rt.f32.0 rt2.x, (1.000000)
alias.rt.b32.0 rt1.w, (0xff)
kill p0.x
brac.3 #30
mova a0.x, hr0.x
mova1 a1.x, 0
cov.f32u32 r1.y, (last)r1.y
swz.u32u32 r1.x, r0.w, r0.y, r0.z
gat.f16u32 r1.y, hr0.y, hr0.z, hr0.w, hr1.x
sct.u32f16 hr1.y, hr0.z, hr0.w, hr1.x, r0.y
add.f r1.w, r2.x, (neg)(1/pi)
add.f r1.w, r2.x, (neg)(1/log2(10))
(sy)mul.f hr1.x, hr1.x, h(log2(e))
(nop3) add.s r0.x, (last)r0.x, (last)r0.y
add.f.mul2 r3.x, (neg)r1.w, c20.w
(nop3) mad.f32.mul2 r3.z, (neg)r0.z, r3.y, (last)r3.z
(nop3) sel.b32 r1.z, (last)r1.z, r1.w, (last)r2.x
sam.base1 (f32)(xyzw)r1.x, r0.z, s#3, t#2
sam.s2en.uniform (f32)(xyzw)r1.w, r1.y, hr2.x
sam.s2en.nonuniform.base0 (f32)(xyzw)r0.x, r0.z, r0.x
isaml.base3 (s32)(x)r1.w, r0.w, r1.y, s#0, a1.x
saml.s2en.uniform.base1 (f32)(xyzw)r13.x, r0.w, r13.w, r11.w, a1.x
getsize (u16)(xyzw)hr0.x, r0.x, t#0
