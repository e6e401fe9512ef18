# Tests of the nv2a target: its words against the oracle, and programs of register combiners.
if(TARGET texenvc)
    tests_add(check_corpus_nv2a medium ${PYTHON} -m oracle check tests/corpus --to nv2a)
    tests_add(random_nv2a medium ${PYTHON} -m oracle random --count 1200 --texture-units 4 --seed 75
        --to nv2a --jobs 2)
    tests_add(nv2a_units medium ${PYTHON} tests/nv2a/nv2a_units.py $<TARGET_FILE:texenvc> --count 200)
    tests_add(nv2a_stages short ${PYTHON} tests/nv2a/nv2a_stages.py)
    tests_add(nv2a_rc short ${PYTHON} tests/nv2a/nv2a_rc.py)
    tests_add(nv2a_second short ${PYTHON} tests/nv2a/nv2a_second.py)
    if(TEXENV_LONG)
        foreach(level 0 1 2 3)
            tests_add(random_nv2a_O${level} long ${PYTHON} -m oracle random --count 20000 --texture-units 4
                --seed 76${level} --to nv2a -O ${level} --jobs 2)
        endforeach()
        tests_add(nv2a_units_long long ${PYTHON} tests/nv2a/nv2a_units.py $<TARGET_FILE:texenvc> --count 20000
            --inputs 50 --seed 77)
    endif()
endif()
