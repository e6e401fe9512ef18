# Tests of the ir3 target: its words against the oracle and against published words, with each kind of alias
# tables.
if(TARGET texenvc)
    set(IR3_PLAIN --pass=--chip-option --pass=level=7 --pass=--alias --pass=plain)
    set(IR3_BEST --pass=--chip-option --pass=level=7 --pass=--alias --pass=best)
    tests_add(ir3_words "short;asan" ${PYTHON} tests/ir3/ir3_words.py)
    tests_add(ir3_alias short ${PYTHON} tests/ir3/ir3_alias.py)
    tests_add(ir3_waits short ${PYTHON} tests/ir3/ir3_waits.py)
    tests_add(check_corpus_ir3 medium ${PYTHON} -m oracle check tests/corpus --to ir3)
    tests_add(check_corpus_ir3_plain medium ${PYTHON} -m oracle check tests/corpus --to ir3 ${IR3_PLAIN})
    tests_add(check_corpus_ir3_best medium ${PYTHON} -m oracle check tests/corpus --to ir3 ${IR3_BEST})
    tests_add(random_ir3 medium ${PYTHON} -m oracle random --count 800 --seed 91 --to ir3 --jobs 2)
    tests_add(random_ir3_best medium ${PYTHON} -m oracle random --count 500 --seed 92 --to ir3 --jobs 2
        ${IR3_BEST})
    tests_add(atifs_ir3 medium ${PYTHON} tests/r300/atifs_r300.py --count 60 --target ir3)
    tests_add(arb_random_ir3 medium ${PYTHON} -m oracle arb-random --to ir3 --count 100 --vectors 2 --seed 93)
    tests_add(arb_random_ir3_plain medium ${PYTHON} -m oracle arb-random --to ir3 --count 100 --vectors 2
        --seed 94 ${IR3_PLAIN})
    tests_add(arb_random_ir3_best medium ${PYTHON} -m oracle arb-random --to ir3 --count 100 --vectors 2
        --seed 94 ${IR3_BEST})
    tests_add(arb_check_ir3 medium ${PYTHON} -m oracle arb-check tests/arbfp/every_operation.arbfp
        tests/arbfp/clamps.arbfp tests/arbfp/collected.arbfp tests/arbfp/kill_of_zero.arbfp --to ir3)
    if(TEXENV_LONG)
        foreach(how none plain best)
            tests_add(random_ir3_long_${how} long ${PYTHON} -m oracle random --count 20000 --seed 95 --to ir3
                --jobs 2 --pass=--chip-option --pass=level=7 --pass=--alias --pass=${how})
            tests_add(arb_random_ir3_long_${how} long ${PYTHON} -m oracle arb-random --to ir3 --count 5000
                --vectors 1 --seed 2601 --pass=--chip-option --pass=level=7 --pass=--alias --pass=${how})
        endforeach()
    endif()
endif()
