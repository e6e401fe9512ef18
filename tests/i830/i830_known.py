"""States whose covers are known, for tests of cover_i830.py."""

KNOWN = [       # (state, expected verdict at the level documented, at the level full; None: not tested)
    ('{T*P}', 'cover', 'cover'), ('{T*P+F}', 'cover', 'cover'), ('{T*P+F} {T*P+F}', 'cover', 'cover'),
    # covered as (P+C)/2, a LERP with weight one half, then 2*T0*P
    ('{T0*P+T0*C}', 'cover', 'cover'),
    # no documented operation adds a product to CURRENT
    ('{T0*T1+P*F.a}', 'shown', 'cover'),
    ('{T0*T1-T2} {P+T3} {P*C} {P+T0} C2=(1,0,0,0)', 'shown', None),
    ('{T*P} {dot3a(P,T)}*2;4', 'cover', 'cover'), ('{dot3a(C,P)} {P*C}*2', 'cover', 'cover'),
    ('{C.a*~C.a; C}', 'cover', 'cover'),
    ('{T0*T1+P*F} {T1*T2+P*F} {T2*T3+P*F}', 'shown', None),
    ('{T0*F+T1*C} {P*P+P-0.5}', 'shown', None),
    # a cover computes 1/2 as 1+0-.5 and squares a value
    ('{P; C*T0} {T0; ~P*~P+~P}*1;2', 'cover', 'cover'),
]

KNOWN_LONG = [  # as KNOWN; each state takes minutes
    ('{T0*T1-T2} {P+T3} {P*C} {P+T0} C2=(1,0,0,0)', None, 'cover'),
    ('{T0*F+T1*C} {P*P+P-0.5}', None, 'cover'),  # needs a value of two stages in ACCUM
]

# (state, level: 0 documented, 1 full). Each state has a cover with one stage for each unit, or one more with
# ACCUM, and this cover needs a certain operation, scale or operand; the states together need all of them.
OPERATIONS = [
    ('{T; P}', 0), ('{T*P}', 0), ('{T+P}', 0), ('{T+P-0.5}', 0), ('{T-P}', 0), ('{P-T}', 0),
    ('{lerp(T,P,C)}', 0), ('{lerp(P,T,C)}', 0), ('{dot3(T,P); T}', 0), ('{dot3a(T,P)}', 0),
    ('{T*P}*2', 0), ('{T*P}*4', 0), ('{~T*~P}', 0), ('{T-~P}', 0), ('{lerp(T,P,~C)}', 0), ('{T*P.a}', 0),
    ('{T0+F} {P-T1}', 0), ('{T0+F} {~P*T1}*2', 0), ('{T0*F} {lerp(T1,~P,C)}', 0),
    ('{F*T0} {P*P}', 0), ('{T0+F} {T1-P} {P*T2}*4', 0), ('{T0*F; T0*F} {T1*P.a; P}', 0), ('{T*P+F}', 1),
    ('{T0*F+T1}*2', 1), ('{T0*F+T1*C}', 1), ('{T0+F} {T1*C+P*T0}', 1),
]

# States that have a program of one stage for each unit in which the colour pipe reads results of the alpha
# pipe: results of two or three stages, several results, results that are computed twice, dot products by
# DOT4, and what is computed from dot products.
LENT = [
    '{T0*P} {lerp(T1,P,P.a); T1*P}', '{T0; T0*F} {T0; P*T1} {T2*P.a; P}',
    '{T0; T0*F} {T0; P*T1} {T0; P*T2} {T3*P.a; P}', '{T0; T0*F} {P*P.a; P*T1} {P*P.a; P*T2} {P*P.a; P}',
    '{T0*F; T0*T0} {P; P*~P} {P; P+F-0.5} {lerp(P,T1,P.a); P}', '{T0; T0*F} {P*P.a; T1*F} {P+P.a-0.5; P}',
    '{dot3a(T0,F)} {T1; P} {P*P.a; P}', '{T0*F; T1} {dot3a(P,T1)} {P-T1; P*T0} {P+P.a; P}',
]

APART_ALONE = ['{T0*P} {lerp(T1,P,P.a); T1*P+P}']  # each pipe has programs, but no two can be combined

FALSE = [           # (state, colour program, alpha program): wrong, but only for few inputs
    ('{modulate @intensity} {0*F.a+T1*P-0.5; T1*P+F*~C-0.5}*2;1 C1=(.2,.2,1,.4)', '{T0*F} {P*T1} {P+0-.5*2}',
     '{T1.a*T0.a} {blend(F.a,P,C1.a)} {P+~C1.a-.5} {P-~F.a}'),
]
