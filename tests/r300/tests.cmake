# Tests of the r300, r400 and r500 targets: words against the oracle; lengths against a model of a simple
# compiler, against measurements of a real one, and against an exhaustive search.
set(PAIR_SEARCH search second sets state forms)
list(TRANSFORM PAIR_SEARCH REPLACE "(.+)" "r300/pair_search/\\1.c")
add_executable(pair_search ${PAIR_SEARCH})
# all its tests are labelled plain (tests/CMakeLists.txt)
set_target_properties(pair_search PROPERTIES EXCLUDE_FROM_ALL ${TEXENV_SANITIZE})
target_link_libraries(pair_search PRIVATE m)
target_compile_options(pair_search PRIVATE -O3) # the search is a loop over points
tests_add(pair_search_known long ${PYTHON} tests/r300/length_r300.py known $<TARGET_FILE:pair_search>)

if(TARGET texenvc AND EXISTS ${TOP}/hwemit/r300)
    # Where the compiler finds one or two pairs, the search must find such a program, too.
    tests_add(pair_search_finds "medium;plain"
        ${PYTHON} tests/r300/length_r300.py optimum $<TARGET_FILE:pair_search>
        --pretend 3 --word narrow --stride 6007)
    foreach(chip r300 r400 r500)
        tests_add(check_corpus_${chip} medium ${PYTHON} -m oracle check tests/corpus --to ${chip})
        tests_add(random_${chip} medium ${PYTHON} -m oracle random --count 800 --seed 31 --to ${chip}
            --jobs 2)
        tests_add(length_${chip}_driver medium ${PYTHON} tests/r300/length_r300.py driver --target ${chip})
        tests_add(optimum_${chip}_sample "medium;plain" ${PYTHON} tests/r300/length_r300.py optimum
            $<TARGET_FILE:pair_search> --target ${chip} --stride 131)
        tests_add(least_${chip} medium ${PYTHON} tests/r300/length_r300.py least --target ${chip})
        tests_add(least_words_${chip} medium ${PYTHON} -m oracle check tests/r300/least_pairs.stages --to
            ${chip})
        if(TEXENV_LONG)
            tests_add(random_${chip}_long long ${PYTHON} -m oracle random --count 20000 --seed 33 --to
                ${chip} --jobs 2)
            tests_add(optimum_${chip} long ${PYTHON} tests/r300/length_r300.py optimum
                $<TARGET_FILE:pair_search> --target ${chip})
            set_tests_properties(random_${chip}_long optimum_${chip} PROPERTIES TIMEOUT 7200)
        endif()
    endforeach()
    # The words of each level must be correct; a state that fits at -O2 must fit; no level may be longer than
    # the level below.
    foreach(level 1 3)
        tests_add(random_r300_O${level} medium ${PYTHON} -m oracle random --count 800 --seed 35 --to r300
            -O ${level} --jobs 2)
    endforeach()
    tests_add(constant_beside_operations_r300 "short;once"
        ${PYTHON} -m oracle check tests/r300/constant_beside_operations.stages --to r300
        -O 3)
    tests_add(presubtracts_r300 "short;once"
        ${PYTHON} -m oracle check tests/r300/presubtracts.stages --to r300)
    tests_add(presubtracts_r500 "short;once"
        ${PYTHON} -m oracle check tests/r300/presubtracts.stages --to r500)
    tests_add(levels medium ${PYTHON} tests/r300/levels.py)
    set_property(TEST check_corpus_r300 APPEND PROPERTY LABELS asan)
    add_executable(words_of_ir r300/words_of_ir.c)
    target_link_libraries(words_of_ir PRIVATE texenv_inside)
    tests_add(limits_r300 "short;once" ${PYTHON} tests/r300/limits_r300.py $<TARGET_FILE:words_of_ir>)
    tests_add(limits_arb "short;once" ${PYTHON} tests/r300/limits_arb.py)
    tests_add(derived_length medium ${PYTHON} tests/r300/derived_length.py)
    tests_add(length_r300 medium ${PYTHON} tests/r300/length_r300.py table)
    tests_add(rounding_r300 medium ${PYTHON} tests/r300/rounding_r300.py --count 120)
    tests_add(atifs_r300 medium ${PYTHON} tests/r300/atifs_r300.py --count 80)
    if(TEXENV_LONG)
        tests_add(length_r500 long ${PYTHON} tests/r300/length_r300.py table --target r500 --scale 3)
        tests_add(length_r300_long long ${PYTHON} tests/r300/length_r300.py table --scale 3)
        tests_add(rounding_r300_long long ${PYTHON} tests/r300/rounding_r300.py --count 4000 --seed 2)
        tests_add(atifs_r300_long long ${PYTHON} tests/r300/atifs_r300.py --count 5000 --seed 2)
    endif()
endif()
