nop void, void, void, void
texld t1, tex0.xyzw, t1.xyyy, void, void
texld t3, tex0.xyzw, t3.xyzw, void, void
mov.pack t1, void, void, u0.xyzw
mov.pack t2.xy__, void, void, t2.xyyy
mov.pack t2.xy__, void, void, -t2.xyyy
mov.pack t2.xy__, void, void, |t2.xyyy|
mov.s32.pack t2.xy__, void, void, t2.xyyy
mov.s8.pack t2.xy__, void, void, t2.xyyy
mov.u16.pack t2.xy__, void, void, t2.xyyy
mov.f16.pack t2.xy__, void, void, t2.xyyy
mov.s16.pack t2.xy__, void, void, t2.xyyy
mov.u32.pack t2.xy__, void, void, t2.xyyy
mov.u8.pack t2.xy__, void, void, t2.xyyy
add t0.x___, t1.xxxx, void, t0.xxxx
mad.rtz t0, t2.xyzw, t1.xyzw, t3.xyzw
mul t0.x___, t1.xxxx, t0.xxxx, void
dp3.pack.rtne t0.x___, t0.xyzx, u0.xxxx, void
dp4 t0.x___, t1.xyzw, t1.xyzw, void
dsx t1.x___, t1.xxxx, void, t1.xxxx
dsy t1.x___, t1.xxxx, void, t1.xxxx
rcp.pack t1.x___, void, void, t1.xxxx
rsq t0.x___, void, void, t0.xxxx
select.lt.pack t3, t2.xyzw, |t1.xyzw|, t2.xyzw
set.ge.pack t0.x___, t0.xxxx, u0.xxxx, void
exp t0._y__, void, void, t0.yyyy
log.rtz t0.xy__, void, void, t0.xxxx
frc t1, void, void, t1.yzwx
texkill.pack void, void, void, void
texkill.gt.pack void, t2.xxxx, u0.xxxx, void
texldb t1, tex0.xyzw, t2.xyzw, void, void
texldd t1, tex0.xyzw, t1.xyyy, t2.xyyy, t1.zwww
texldl t1, tex8.xyzw, t3.xyzw, void, void
sqrt t0.x___, void, void, t0.xxxx
sin.rtz t0._yz_, void, void, t0.yyyy
cos.rtz t0.xy__, void, void, t0.xxxx
floor t0.x___, void, void, t0.xxxx
ceil t0.x___, void, void, t0.xxxx
sign t0.x___, void, void, t0.xxxx
cmp.le.pack t1.x___, |t1.xxxx|, u0.yyyy, u0.zzzz
dp2 t1.x___, t2.yxyx, t1.wywy, void
select.lt.pack t3.xyz_, |t1.xyzz|, |t2.xyzz|, |t1.xyzz|
add.pack t2._y__, u0.wwww, void, -t1.yyyy
add.pack t2.x___, -t1.xxxx, void, -t1.yyyy
mov.pack t2[a.x].x___, void, void, t1.xxxx
mov.pack t2[a.y].x___, void, void, t2.yyyy
mov.pack t2[a.z].x___, void, void, t1.xxxx
mov.pack t2[a.w].x___, void, void, t1.xxxx
mov.pack t0.x___, void, void, t2[a.x].xxxx
mov.pack t3._y__, void, void, t1[a.y].wwww
mov.pack t3.__z_, void, void, t1[a.z].wwww
add.pack t1.xy__, t1.xyyy, void, u1[a.w].xyyy
add.pack t1._y__, t1[a.x].xxxx, void, t1[a.y].xxxx
mov t1.___w, void, void, u0.yyyy
add.rtz t0.x___, 0.500000, void, |t0.xxxx|
sign t1.x___, void, void, t0.xxxx
mul.rtz t0.x___, t1.xxxx, t0.xxxx, void
mov.pack t2, void, void, t0.xyzw
mov.pack t3.xy__, void, void, t0.xyyy
mov.pack t4.xyz_, void, void, t0.xyzz
mov.sat t1.___w, void, void, t1.zzzz
mov t1._yzw, void, void, u1.xyzw
mov.sat t1.___w, void, void, t1.wwww
mul.rtz t1, t3.xyzw, t2.xyzw, void
texld t1.x___, tex0.xxxx, t1.xyyy, void, t1.zzzz
mov t1.x___, void, void, inf
mov t1.x___, void, void, -inf
call void, void, void, 7
ret void, void, void, void
branch void, void, void, 33
branch.gt void, u0.xxxx, t1.xxxx, 5
branch.ge void, u1.xxxx, t4.zzzz, 19
branch.eq void, t1.zzzz, u0.zzzz, 8
add.hp.t0 t1._y__, th1.xxxx, void, -u0.xxxx
add.hp.t1 t2._y__, th2.xxxx, void, -u0.xxxx
cmp.le.t0 t1.x___, |th1.yyyy|, u0.yyyy, -1
cmp.eq.u32.t1 t1.x___, t1.yyyy, u0.xxxx, -1
div.rtz t0._yz_, void, 4.500000, t0.yyyy
clamp0_max t0.x___, u0.yyyy, u0.zzzz, void
texldlpcf t1.x___, tex0.xxxx, t1.xyzz, t2.xxxx, t1.wwww
INST0 OP=MOV DST=1 DST_MASK=xyzw
INST1
INST2
INST3 SRC2=1 SRC2_REG=0x3 # a move
PS_UNIFORM2 VALUE=0x3f800000
