# Tests of ARB programs: those of this folder, piglit's, random ones, and long gradient shaders of glamor.
if(NOT TEXENV_SANITIZE)
    tests_add(glamor short ${PYTHON} tests/arbfp/glamor.py --check --count 40)
endif()
if(TARGET texenvc)
    tests_add(arbfp_bad "short;once" ${PYTHON} tests/arbfp/arbfp_bad.py)
    tests_add(arbfp_programs "short;once" ${PYTHON} tests/arbfp/arbfp_programs.py)
    tests_add(arbvp_cli "short;once" ${PYTHON} tests/arbfp/arbvp_cli.py)
    tests_add(arbfp_piglit medium ${PYTHON} tests/arbfp/arbfp_piglit.py)
    file(GLOB ARB_PROGRAMS CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/arbfp/*.arbfp)
    tests_add(arb_check "short;once"
        ${PYTHON} -m oracle arb-check --to arbfp,glsl,glsl-es-300 ${ARB_PROGRAMS})
    tests_add(arb_every "short;once" ${PYTHON} -m oracle arb-random --every 40 --vectors 2
        --to arbfp,glsl,glsl-es-300,r500,etnaviv,i915)
    tests_add(arb_check_us "short;once" ${PYTHON} -m oracle arb-check --to r300,r400,r500 ${ARB_PROGRAMS})
    tests_add(arb_random "short;once" ${PYTHON} -m oracle arb-random --count 30 --vectors 3)
    tests_add(arb_random_us "short;once" ${PYTHON} -m oracle arb-random --plain --to r300,r400,r500 --count 20
        --vectors 3 --longest 60)
    tests_add(arb_random_ir "short;once"
        ${PYTHON} -m oracle arb-random --ir --longest 14 --count 16 --vectors 2 -O 2
        --to arbfp,glsl,r300,r500,etnaviv,ir3,i915)
    tests_add(arb_random_bounded "short;once"
        ${PYTHON} -m oracle arb-random --bounded --longest 10 --count 60 --vectors 2 -O 0,2
        --to arbfp,glsl,r300,r500,etnaviv,ir3,i915)
    tests_add(arb_random_bounded_more medium
        ${PYTHON} -m oracle arb-random --bounded --longest 10 --count 700 --vectors 3 -O 2 --to glsl,r300)
    tests_add(glamor_conversions "short;once" ${PYTHON} tests/arbfp/glamor.py --to arbfp,glsl --fits --count
        12)
    # not with sanitizers: the search of r400 for shader 82 would take twenty seconds
    tests_add(glamor_words "short;plain" ${PYTHON} tests/arbfp/glamor.py --to r400,r500 --fits --count 12)
    tests_add(glamor_r500 "short;once" ${PYTHON} tests/arbfp/glamor.py --to r500 --fits --count 12)
    tests_add(glamor_r300 "short;once" ${PYTHON} tests/arbfp/glamor.py 7 --to r300 --fits --count 12)
    tests_add(arb_accept "short;once" ${PYTHON} -m oracle arb-accept)
    if(TEXENV_LONG)
        tests_add(arbfp_piglit_long long ${PYTHON} tests/arbfp/arbfp_piglit.py --all)
        oracle_add(arb_every_long long arb-random --every 1
            --to arbfp,glsl,glsl-110,glsl-330,glsl-es,glsl-es-300,r300,r400,r500,etnaviv,ir3,i915)
        oracle_add(arb_random_long long arb-random --to arbfp,glsl,glsl-330,glsl-es-300,r300,r400,r500
            --count 2500 --seed 5)
    endif()
endif()
