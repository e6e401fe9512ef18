# Tests of the pica200 target: its words against the oracle.
if(TARGET texenvc)
    tests_add(check_corpus_pica200 medium ${PYTHON} -m oracle check tests/corpus --to pica200)
    tests_add(random_pica200 medium ${PYTHON} -m oracle random --count 1200 --max-units 6 --texture-units 3
        --seed 71 --to pica200 --jobs 2)
    tests_add(random_pica200_clamps medium ${PYTHON} -m oracle random --count 600 --max-units 4
        --texture-units 3 --seed 72 --to pica200 --assume add-multiply-clamps --jobs 2)
    # environments of up to six units with functions of OpenGL itself must all fit
    tests_add(gl_pica200 medium ${PYTHON} tests/pica200/gl_pica200.py)
    if(TEXENV_LONG)
        tests_add(gl_pica200_long long ${PYTHON} tests/pica200/gl_pica200.py --count 3000 --compared 600
            --seed 2)
        tests_add(random_pica200_long long ${PYTHON} -m oracle random --count 20000 --texture-units 3
            --seed 73 --to pica200 --jobs 2)
    endif()
endif()
