# Tests of the r200 target: its words against the oracle and the classic driver, and its refusals against a
# search.
if(TARGET texenvc AND EXISTS ${TOP}/hwemit/r200)
    tests_add(check_corpus_r200 medium ${PYTHON} -m oracle check tests/corpus --to r200)
    tests_add(check_corpus_r200_fixed medium ${PYTHON} -m oracle check tests/corpus --to r200 --model fixed)
    tests_add(random_r200 medium ${PYTHON} -m oracle random --count 2500 --seed 41 --to r200 --jobs 2)
    tests_add(random_r200_fixed medium ${PYTHON} -m oracle random --count 1500 --seed 42 --to r200 --model
        fixed --jobs 2)
    tests_add(random_r200_primary medium ${PYTHON} -m oracle random --count 1500 --seed 43 --to r200 --assume
        primary-in-first-pass --jobs 2)
    tests_add(chains_r200 medium ${PYTHON} -m oracle random --chains full --max-units 6 --count 800 --seed
        44 --to r200 --jobs 2)
    tests_add(dots_r200 "short;once" ${PYTHON} tests/r200/dots_r200.py)
    tests_add(fallbacks_r200 medium ${PYTHON} tests/r200/fallbacks_r200.py)
    tests_add(atifs_r200 medium ${PYTHON} tests/r200/atifs_r200.py)
    if(TEXENV_LONG)
        tests_add(fallbacks_r200_long long ${PYTHON} tests/r200/fallbacks_r200.py --count 5000 --seed 2)
        tests_add(atifs_r200_long long ${PYTHON} tests/r200/atifs_r200.py --count 2000 --seed 2)
        set_tests_properties(fallbacks_r200_long PROPERTIES TIMEOUT 3600)
    endif()
endif()
