# Tests of the etnaviv target: its words against the oracle and against public words.
if(TARGET texenvc)
    tests_add(etnaviv_words "short;asan" ${PYTHON} tests/etnaviv/etnaviv_words.py)
    tests_add(check_corpus_etnaviv medium ${PYTHON} -m oracle check tests/corpus --to etnaviv)
    tests_add(random_etnaviv medium ${PYTHON} -m oracle random --count 800 --seed 91 --to etnaviv --jobs 2)
    tests_add(random_etnaviv_immediates medium ${PYTHON} -m oracle random --count 400 --seed 92 --to etnaviv
        --assume immediates --pass=--chip-option --pass=halti=2 --jobs 2)
    tests_add(atifs_etnaviv medium ${PYTHON} tests/r300/atifs_r300.py --count 60 --target etnaviv)
    tests_add(arb_random_etnaviv medium ${PYTHON} -m oracle arb-random --plain --to etnaviv --count 60
        --seed 93)
    tests_add(arb_random_etnaviv_pairs medium ${PYTHON} -m oracle arb-random --plain --to etnaviv --count 30
        --seed 94 --pass=--chip-option --pass=new-transcendentals=1)
    tests_add(arb_check_etnaviv medium ${PYTHON} -m oracle arb-check tests/arbfp/every_operation.arbfp
        tests/arbfp/clamps.arbfp tests/arbfp/collected.arbfp tests/arbfp/kill_of_zero.arbfp --to etnaviv)
    tests_add(etnaviv_registers medium ${PYTHON} tests/etnaviv/etnaviv_registers.py)
    if(TEXENV_LONG)
        tests_add(random_etnaviv_long long ${PYTHON} -m oracle random --count 20000 --seed 95 --to etnaviv
            --jobs 2)
        tests_add(arb_random_etnaviv_long long ${PYTHON} -m oracle arb-random --plain --to etnaviv
            --count 5000 --seed 96)
    endif()
endif()
