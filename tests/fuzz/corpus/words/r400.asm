TX_ENABLE TEXTURES=0x3
RS_COUNT COMPONENTS=4 HIRES=1
RS_INST_COUNT
RS_IP_0 T=C1 R=C2 Q=C3
RS_INST_0 TEX_WRITE=1
US_CONFIG LAST_NODE=1
US_PIXSIZE LAST_TEMP=4
US_CODE_OFFSET ALU_END=8 TEX_END=4
US_CODE_EXT
US_CODE_ADDR_0
US_CODE_ADDR_1
US_CODE_ADDR_2 ALU_SIZE=2
US_CODE_ADDR_3 ALU_START=3 ALU_SIZE=5 TEX_SIZE=4 RGBA_OUT=1
ALU0: RGB [t0, t0, t0]: MAD t0.xy, |src0.xyz|, 1, half; A [t0, t0, t0]: MAD t0.w, |src0.w|, 1, half
ALU1: RGB [t0, t0, t0]: MAD t1.x, src0.yyy, 1; A [t0, t0, t0]: nop
ALU2: RGB [t0, t0, t0]: MAD t1.y, src0.xxx, 1; A [t0, t0, t0]: nop
ALU3: RGB [t2, t3, t0]: MAD t2.xyz, src0.xyz, half, src1.xyz; A [t2, t3, t0]: MAD t3.w, src0.w, half, src1.w
ALU4: RGB [t4, c0, t2]: MAD t2.xyz, src0.xyz, -src1.xxx, src2.xyz; A [t4, t3, t0]: MAD t3.w, src0.w, -src1.x, src1.w
ALU5: RGB [t1, t0, t0]: MAD_SAT t1.xyz, src0.xyz, 1; A [t1, t0, t0]: MAD_SAT t4.w, src0.w, 1
ALU6: RGB [t0, c0, t2]: MAD t0.xyz, src0.xyz, src1.yyy, src2.xyz; A [t0, t3, t0]: MAD t2.w, src0.w, src1.y, src1.w
ALU7: RGB [t1, c0, t0]: MAD t0.xyz, src0.xyz, src1.zzz, src2.xyz; A [t4, t2, t0]: MAD t1.w, src0.w, src1.z, src1.w
ALU8: RGB [t0, c0, t0]: MAD_SAT out0.xyz, src0.xyz, src1.xxx; A [t1, t0, t0]: MAD_SAT out0.w, src0.w, src1.x
TEX0: LD t2, tex0, t0
TEX1: TXP t3, tex0, t0
TEX2: TXB t4, tex0, t0
TEX3: LD t0, tex1, t0
TEX4: LD t1, tex1, t1
PFS_PARAM_0_X VALUE=0x3d0000
PFS_PARAM_0_Y VALUE=0x3c0000
PFS_PARAM_0_Z VALUE=0x3b0000
PFS_PARAM_0_W
FG_DEPTH_SRC
US_W_FMT
