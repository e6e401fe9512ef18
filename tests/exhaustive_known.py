"""States with known answers, for the tests of texenvc convert --to i830 (exhaustive_i830.py)."""

# Covers that --quick does not find: found by hand, by the judge (cover_i830.py) or by an earlier search.
COVERED = [
    ('{} {lerp(F,T1,C); F-T2} {F.a*T0+F*~F.a-0.5; P*T2+T2*F} C1=(0.56078434,0.023529412,0.627451,0.654902)', 'documented'),
    ('{~T1.a-T2; T0+C-0.5}*1;2 {lerp(T1,~T0,P); T2*~C @alpha @rect} {F*P-~T2.a; ~T1*~P+~P @luminance_alpha}*2;1 C0=(0.39607844,0.80784315,0.31764707,0.3254902) C1=(0.23529412,0.7529412,0.07450981,0.93333334)', 'documented'),
    ('{C.a*P+P*P; T0*T2+0*P-0.5} {0*T0+0.a*C.a-0.5; P*C+T1*C-0.5 @rg} {C-C; ~P*P-T2} C0=(0.49411765,0.13333334,0.23137255,0.7019608) C1=(0.65882355,0.6862745,0.03137255,0.76862746) C2=(0.627451,0.4392157,0.7647059,0.5921569)', 'full'),
    ('{lerp(F,~C,~P); lerp(~C,~F,~C) @rect}*1;2 {} {0*C.a+~C*T2; P*P+~F*P @luminance_alpha}*4 C0=(0.88235295,0.654902,0.43529412,0.12941177) C2=(0.45490196,0.21568628,0.08627451,0.16470589)', 'documented'),
    ('{1*P.a+F*~P.a-0.5; ~P*C+~T3*C-0.5 @1d} {} {} {dot3_ext(~C.a,~C.a); P+T3-0.5}*1;4 C0=(0.67058825,0.18431373,0.8862745,0.8980392) C3=(0.1764706,0.09019608,0.84705883,0.63529414) colorsum', 'documented'),
    ('{blend} {blend @luminance_alpha} {add} {~C.a*1+~P.a*~C.a-0.5; P*F+~F*P}*2;4 C0=(0.81960785,0.06666667,0.44705883,0.34901962) C1=(0.627451,0.48235294,0.15294118,0.33333334) C3=(0.67058825,0.015686275,0.2509804,0.12941177)', 'full'),
]
COVERED_LONG = [    # seconds each; stages of the first two read what the alpha pipe makes for them alone
    ('{~F*C+P-0.5; lerp(T0,P,T0)}*1;2 {~T2.a*P-~T1.a; P-~T1}*4 {add} {lerp(~P,~T3,P); P}', 'full'),
    ('{~P.a*P+~0.a-0.5; 1 @cube} {T2.a*P+C.a-0.5; ~P*P+F-0.5}*4;2 {blend}', 'full'),
    ('{~C.a+T0-0.5; P-F} {P*P+P*F; ~F*P+T1*T0-0.5 @alpha}*1;4 {F*T2+P.a; F*P+P-0.5} {F; F*P+~F}*2;4', 'full'),
    ('{~P.a*~P.a-~C.a; ~P+P}*1;2 {modulate} {P*P+C; P*~P+P-0.5} {add}', 'full'),
    ('{T0.a*~0+P*T0-0.5; C*~P+F*~F}*2;1 {modulate @red} {~C*P+C*C.a-0.5; ~T2*~C+P*T0-0.5 @luminance_alpha}*1;4 C0=(0.49803922,0.68235296,0.25490198,0.92156863) C2=(0.7294118,0.49019608,0.5647059,0.4117647)', 'full'),
    ('{~C*C+~T0.a; ~T0+0 @alpha} {C.a*1+C-0.5; C+T1 @luminance_alpha}*4;1 {modulate} {P*~P.a+C-0.5; T0-~P @rgb} C0=(0.8392157,0.7921569,0.12156863,0) C1=(0.61960787,0.9882353,0.3529412,0.17254902) C3=(0.41960785,0.99607843,0.6,0.7411765)', 'documented'),
    ('{lerp(0,C,P); ~C+~T2 @rgb}*4 {dot3_ext(C,~P); T1*P-~P} {P*1+~P*~T0; ~T2*T2+P*T1} C0=(0.654902,0.45882353,0.5019608,0.21960784) C1=(0.9372549,0.59607846,0.58431375,0.28235295)', 'full'),
    ('{replace} {T1*C+P*P; C*P+~C*0-0.5 @intensity} {C*P.a+P*T2; P*~C+P*T0-0.5 @alpha}*1;4', 'full'),
    ('{~T1.a*C+C*T0.a-0.5; P*T0+P*P-0.5}*4 {P.a+T1-0.5; ~P*~C+~C-0.5 @red}*4;1', 'full'),
    # so many programs of what alpha has that there is room only for those that ask for least
    ('{dot3a_ext(T0,C)} {0*C+~P-0.5; T1*T1+P @luminance_alpha}*2;4 {~F.a*P.a+0*P.a-0.5; 0*F+C*~P-0.5 @luminance_alpha} {~P.a*T3; T3+~C} '
     'C0=(0.11372549,0.95686275,0.5137255,0.76862746) C1=(0.79607844,0.9411765,0.42745098,0.37254903) C2=(0.38431373,0.6313726,0.54901963,0.078431375) C3=(0.6313726,0.11764706,0.12156863,0.74509805)', 'full'),
    # programs that are wrong at few inputs are in the way of those that are right: all is searched again
    ('{C*T0.a+P*C; ~P*0+T0*T0-0.5 @alpha}*4;2 {C*~P.a+T2; P*C-~T3 @red}*2;4 {add} {P*~C; 0+T3 @intensity} '
     'C0=(0.4117647,0.7607843,0.89411765,0.007843138) C1=(0.49411765,0.5882353,0.8666667,0.34509805) C3=(0.9490196,0.5294118,0.7607843,0.9098039)', 'documented'),
    ('{~P; P @luminance} {0.a*~F.a+~P-0.5; ~P+~T1 @cube}*2;1 {F.a+P; ~C*P+C-0.5 @depth} {C*~P.a+T3-0.5; T1*~C-C @luminance}*4;1 '
     'C2=(0.49803922,0.4627451,0.08627451,0.06666667) C3=(0.6627451,0.50980395,0.972549,0.16470589)', 'documented'),
    ('{C*P; P*P-0 @depth:intensity}*4 {T2.a*P+T1-0.5; 0-~T1}*4;1 {P+P-0.5; P*T2-C}*1;2 {add} '
     'C0=(0.03529412,0.11372549,0,0.023529412) C2=(0.8,0.78039217,0.15686275,0.6745098)', 'full'),
]

SQUARES = 'each operation at most doubles the degree, 16 after four'
INPUTS = 'alpha of ten inputs: of the twelve arguments of four stages three at least read a stage before'
SUMS = 'a sum of six inputs that is linear where no clamp acts: four operations without products sum five'
FACTORS = 'six environment colours, and the chip has five factors'
PRODUCTS = 'a sum of products needs two live values, or an operation that adds to a product'

# What has no cover: state, level, the ending of the refusal (or several, where either pipe alone has none), and why. All but those that a count shows are
# also shown by the judge.
NONE = [
    ('{T0*T0; T0} {P*P; P} {P*P; P} {P*P; P} {P*P; P}', 'full', ('colour',), SQUARES),
    ('{T0; T0*T0} {P; P*P} {P; P*P} {P; P*P} {P; P*P}', 'full', ('alpha',), SQUARES),
    ('{T0*T0; T0} {P*P; P} {P*P; P} {P*P; P} {P*P; P}', 'documented', ('colour',), SQUARES),
    ('{T0; T0*T0} {P; P*P} {P; P*P} {P; P*P} {P; P*P}', 'documented', ('alpha',), SQUARES),
    ('{T0; F*C+T0*T1-0.5} {P; P*C+T2*T3-0.5} {P; P*C+F} {P; P*C+T0} {P; P*C}', 'documented', ('alpha',), INPUTS),
    ('{T0; T0+T1} {P; P-T2} {P; P+T3} {P; P-F} {P; P+C}', 'documented', ('alpha',), SUMS),
    ('{T0+T1; T0} {P-T2; P} {P+T3; P} {P-F; P} {P+C; P}', 'documented', ('colour',), SUMS),
    ('{F; F*C} {P; P+C} {P; P*C} {P; P+C} {P; P*C} {P; P+C}', 'documented', ('alpha',), FACTORS),
    ('{F*C; F} {P+C; F} {P*C; F} {P+C; F} {P*C; F} {P+C; F}', 'documented', ('colour',), FACTORS),
    ('{T0; T0*T1+T2*T3}', 'documented', ('alpha',), PRODUCTS),
    ('{T0*T1+T2*T3; T0}', 'documented', ('colour',), PRODUCTS),
    ('{T0*T1-T2} {P+T3} {P*C} {P+T0} C2=(1,0,0,0)', 'documented', ('colour', 'alpha'), 'full needs all of its four stages'),
    ('{T0*T1+P*F} {T1*T2+P*F} {T2*T3+P*F}', 'documented', ('colour', 'alpha'), 'shown by the judge'),
]
NONE_LONG = [
    # 2d and 4d of the dot product d are 1 wherever the result is not at an end: samples have to be chosen where they are not
    ('{dot3a_ext(T0.a,T0)} {0+P-0.5; ~F*C+P @red}*4;2 C1=(0.050980393,0.14117648,0.53333336,0.29411766)', 'documented', ('together',), 'not shown another way'),
    # alpha is below 1 only where some inputs are nearly 0: points have to be chosen there
    ('{C*~P+~F-0.5; ~T0*~F+~1-0.5} {~1.a+P-0.5; lerp(~T1,P,T1)}*2;1 {C*~C+~P.a*C; ~P*~P+T2*T2}*1;4 '
     'C0=(0.24705882,0.11764706,0.9607843,0.23529412) C2=(0.9411765,0.44313726,0.7411765,0.9490196)',
     'full', ('alpha',), 'not shown another way'),
    # so many inputs that chains have more functions than elsewhere
    ('{0*~C+P.a*F; F*C+C*F-0.5 @red} {~P*~1.a+T1*0.a; C*~C+~0*~P}*2;1 {F*P+~C.a; lerp(T2,~T0,P)} {dot3(~P.a,C); ~T2*T3+P @rect}*1;2 '
     'C0=(0.23137255,0.3764706,0.43137255,0.1882353) C1=(0.5176471,1,0.22352941,0) C2=(0.79607844,0.75686276,0.10980392,0.26666668) C3=(0.5882353,0.58431375,0.6862745,0.6784314)',
     'full', ('short colour',), 'not shown another way'),
    # both pipes have so many programs that putting them together takes ten million steps
    ('{dot3(~C,P); ~T1+~F-0.5 @depth:intensity @rect}*1;4 {C-~P; lerp(~F,~C,~C)} {T2.a*P+C*T2-0.5; C*P+P*C-0.5} '
     'C0=(0.22352941,0.7176471,0.5803922,0.58431375) C1=(0.3647059,0.8352941,0.7882353,0.72156864) C2=(0.49803922,0.3764706,0.29411766,0.42352942)',
     'full', ('together',), 'not shown another way'),
    ('{T0; T0+T1} {P; P-T2} {P; P+T3} {P; P-F} {P; P+C}', 'full', ('alpha',), SUMS),
    ('{T0*T1+P*F} {T1*T2+P*F} {T2*T3+P*F}', 'full', ('colour', 'alpha'), 'shown by the judge'),
]

# Covered as they stand, by hand or by what the alpha pipe lends the colour: the search by itself has to find a cover (exhaustive_i830.py --alone PROGRAM --known).
ALONE = [
    ('{T0*T1; F} {P-T2; P} {P*P; P} {P*T0.a; P} {P*T1.a; P}', 'documented'), # T0.a*T1.a is lent
    ('{T0*T1; F} {P-T2; P} {P*T0.a; P} {P*T1.a; P} {P*P; P}', 'documented'), # T0.a*T1.a is lent
    ('{T0*T1; F} {P*T0.a; P} {P*T1.a; P} {P-T2; P} {P*P; P}', 'documented'), # T0.a*T1.a is lent
    ('{T0*T1; F} {lerp(T2,P,F); P} {P*P; P} {P*T0.a; P} {P*T1.a; P}', 'documented'), # T0.a*T1.a is lent
    ('{T0+F; T0} {P-T1; P} {P*T2; P} {lerp(P,P,~P); P}', 'documented'),
    ('{T0; T0+F} {P; P-T1} {P; P*T2} {P; lerp(P,P,~P)}', 'documented'),
    ('{~P.a*T0.a+C*~T0-0.5; P*0+P*T0-0.5}*4;1 {T1-C; lerp(0,F,T0)}*2;4 {~T2.a*P+P-0.5; 1*T0-~P}*4;1', 'documented'),
    ('{~T0-T0; P*P+~P-0.5}*2;4 {} {} {P*T3+T3*~C-0.5; F*C+C*T3}', 'documented'),
    ('{T1*~P+C.a*T1-0.5; P*T1+T0*T0 @rg}*1;2 {P+T1-0.5; C*P+~T1 @red} {~P; 0-C @luminance_alpha}*2;4', 'documented'),
    ('{T0*P.a; ~1*T1} {~C.a*P+P; ~P*P-P} {modulate}', 'documented'),
    ('{decal} {P*C+C*~C.a-0.5; P*~T1+P*0-0.5}', 'documented'),
    ('{T0*P} {lerp(T1,P,P.a); T1*P}', 'documented'),
    ('{T0; T0*F} {T0; P*T1} {T0; P*T2} {T3*P.a; P}', 'documented'),
    ('{T0; T0*F} {P*P.a; P*T1} {P*P.a; P*T2} {P*P.a; P}', 'documented'),
    ('{T0*F; T0*T0} {P; P*~P} {P; P+F-0.5} {lerp(P,T1,P.a); P}', 'documented'),
    ('{T0; T0*F} {P*P.a; T1*F} {P+P.a-0.5; P}', 'documented'),
    ('{dot3a(T0,F)} {T1; P} {P*P.a; P}', 'documented'),
    ('{T0*F; T1} {dot3a(P,T1)} {P-T1; P*T0} {P+P.a; P}', 'documented'),
    ('{T0; T0-F}*4 {P; P-T1}*4 {P; P*P}*4 {P; P-T2}*4', 'documented'),
    ('{T0-F; T0}*4 {P-T1; P}*4 {P*P; P}*4 {P-T2; P}*4', 'documented'),
    ('{T0+F-0.5; T0}*4 {P+T1-0.5; P}*4 {P+T2-0.5; P}*4 {P+T3-0.5; P}*4', 'documented'),
    ('{T0; T0-F} {P; P-T1} {P; P-T2} {P; P-T3}', 'documented'),
    ('{1.a; T0-P @intensity}*1;4 {lerp(~T0,F,C); P+~T2-0.5}*2;1 {T2*~F+P.a*T0.a; C*~C+~T2*C}', 'documented'),
    # Dot products that only alpha wants, scaled twice, and of arguments that the colour pipe computes from alphas.
    ('{dot3a_ext(T3,T0)} {0*0+0*~P; ~P*F+~1*~C}*2;1 {add} {dot3_ext(P,~P); T3*F-P}', 'documented'),
    ('{T1*P.a+T0.a*P-0.5; T0*~P+F*~P-0.5}*1;2 {dot3a(P.a,F) @rg}*1;4 {lerp(~P,T2,C.a); P}*2;4', 'documented'),
    ('{~0*C+T0.a*~T0.a; 1*C+C*P} {dot3a(P.a,1) @red}*1;2', 'documented'),
    ('{F*P+C*C-0.5; T0*T0+T0*C-0.5}*4;1 {~T1.a*C+C; ~T1*~T1-~P}*1;2 {dot3a(~T2.a,~P.a) @rect}*4', 'documented'),
    ('{P*~T0; ~P-F}*1;4 {dot3a(C,P.a)}*1;4 {decal} C1=(0.06666667,0.32941177,0.85490197,0.91764706) colorsum', 'documented'),
    ('{T3+P; P+~P} {~0-P; ~1*~C} {T1*~0.a+T2*C-0.5; ~F*P+~P*~P @red} {dot3a(P,T3) @alpha}*1;4', 'documented'),
    ('{T0; T0*F} {P; P+T1} {P; P*T2} {P; P*T3+T0*F}', 'full'),
    ('{T0*F; T0} {P+T1; P} {P*T2; P} {P*T3+T0*F; P}', 'full'),
    ('{T0; T0*F} {P; P*T1+~T2*T3} {P; P+C}', 'full'),
    ('{T0; T0-F}*4 {P; P-T1}*4 {P; P*T2+T3}*4 {P; P-T2}*4', 'full'),
    ('{T0; T0-F} {P; P-T1} {P; P-T2} {P; P-T3}', 'full'),
    ('{T0; T0*F+T1*T2} {P; P*T3+F}', 'full'),
    ('{T0; T0*F+T1*T2} {P; P*P+T3*P}', 'full'),
    ('{T0; T0*F} {P; P*~P+P*T1-0.5} {P; P*T2}', 'full'),
    ('{T0; T1*T2} {P; P*T3+T0*F} {P; P*C+T0*F}', 'full'),
]
