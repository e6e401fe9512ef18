TX_ENABLE TEXTURES=0x1
RS_COUNT COMPONENTS=4 HIRES=1
RS_INST_COUNT
RS_IP_0 T=1 R=2 Q=3
RS_INST_0 TEX_WRITE=1
US_CONFIG ZERO_TIMES_ANYTHING_EQUALS_ZERO=1
US_PIXSIZE LAST_TEMP=5
US_FC_CTRL
US_CODE_ADDR END=0x26
US_CODE_RANGE SIZE=0x26
US_CODE_OFFSET
GA_US_VECTOR_INDEX
LD t1.xyz, tex0.rgba, t0.rgrr; acquire; texwait
RGB [c0, t0, 0]: MAD t2.x, src0.rrr, -src0.aaa, src1.rrr; A [1, 0, 0]: nop
RGB [c0, t0, 0]: MAD t2.y, src0.ggg, src0.aaa, src1.ggg; A [1, 0, 0]: nop
RGB [t0, c0, 0]: MAD t3.xy, src0.rgr, src0.111, src1.rgr; A [0, 0, 0]: nop
RGB [t0, c0, 0]: MAD t4.xy, src0.rgr, src0.111, -src1.rgr; A [0, 0, 0]: nop
RGB [c0, t0, 0]: MAD t5.x, src0.rrr, src0.aaa, src1.rrr; A [1, 0, 0]: nop
RGB [c0, t0, 0]: MAD t5.y, src0.ggg, -src0.aaa, src1.ggg; A [1, 0, 0]: nop
RGB [t1, c1, 0]: DP3 t0.z, src0.rgb, src1.rgb; A [0, 0, 0]: nop; texwait
LD t4.xyz, tex0.rgba, t4.rgrr
LD t5.xyz, tex0.rgba, t5.rgrr
LD t2.xyz, tex0.rgba, t2.rgrr
LD t3.xyz, tex0.rgba, t3.rgrr; acquire; texwait
RGB [t2, c1, 0]: DP3 t2.x, src0.rgb, src1.rgb; A [0, 0, 0]: nop; texwait
RGB [t3, c1, 0]: DP3 t2.y, src0.rgb, src1.rgb; A [0, 0, 0]: nop
RGB [t4, c1, 0]: DP3 t2.z, src0.rgb, src1.rgb; A [0, 0, 0]: nop
RGB [t5, c1, 0]: DP3 t3.x, src0.rgb, src1.rgb; A [0, 0, 0]: nop
RGB [t2, t2, t2]: MAD t3.y, src0.rrr, src0.111, src1.ggg; A [0, 0, 0]: MAD t0.w, src2.b, src0.1, src0.r
RGB [t2, t3, t2]: MAD t3.z, src0.bbb, src0.111, src1.rrr; A [0, 0, 0]: MAD t1.w, src1.r, src0.1, src2.g
RGB [t3, t3, t2]: MAD t4.x, src0.ggg, src0.111, -src1.bbb; A [0, 0, 0]: MAD t2.w, src0.g, src0.1, src2.b
RGB [t2, t3, 0]: MAD t4.y, src0.aaa, src0.111, -src1.aaa; A [t0, t1, 0]: MIN t0.w, src0.b, src1.r
RGB [t4, 0, 0]: MAD t3.y, src0.aaa, src1.aaa; A [t2, 0.125, 0]: MIN t1.w, |src0.r|, |src0.g|
RGB [t3, t2, t2]: MAX t3.y, src0.ggg, src0.aaa; A [0.0625, 0, 0]: MIN t2.w, src1.r, src2.g
