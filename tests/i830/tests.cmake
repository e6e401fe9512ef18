# Tests of the i830 target against a model of its classic driver and against an exhaustive search for covers
# (tests/i830/classic_i830.py, tests/i830/cover_i830.py).
set(COVER_LOCAL local ops program constant table chain accum kept both lent borrow dots seconds chains whole)
list(TRANSFORM COVER_LOCAL REPLACE "(.+)" "i830/cover/\\1.c")
add_executable(cover_i830_local ${COVER_LOCAL})
add_executable(cover_i830_point i830/cover/point.c i830/cover/point_chain.c i830/cover/operations.c)
foreach(program cover_i830_local cover_i830_point)
    set_target_properties(${program} PROPERTIES EXCLUDE_FROM_ALL ${TEXENV_SANITIZE}) # labelled plain
    target_link_libraries(${program} PRIVATE m)
    target_compile_options(${program} PRIVATE -O3 -fno-math-errno -fno-trapping-math)
endforeach()
set(COVER ${PYTHON} tests/i830/cover_i830.py --local $<TARGET_FILE:cover_i830_local> --point
    $<TARGET_FILE:cover_i830_point>)
tests_add(classic_i830_model "short;plain" ${PYTHON} tests/i830/classic_i830.py --self)
# far more seconds than needed, as processors differ
tests_add(cover_i830_known "medium;plain" ${COVER} --self --seconds 100)
tests_add(cover_i830_operations long ${COVER} --operations)
tests_add(cover_i830_lent long ${COVER} --lent)
if(TEXENV_LONG)
    tests_add(cover_i830_known_long long ${COVER} --self-long --seconds 100)
    set_tests_properties(cover_i830_known_long PROPERTIES TIMEOUT 3600)
endif()
if(TARGET texenvc)
    # the oracle executes the packets and compares with the texture environment
    tests_add(check_corpus_i830 medium ${PYTHON} -m oracle check tests/corpus --to i830)
    tests_add(check_corpus_i830_full medium ${PYTHON} -m oracle check tests/corpus --to i830 --assume full)
    tests_add(check_hidden_clamps_i830 "short;once" ${PYTHON} -m oracle check tests/i830/hidden_clamps.stages
        --to i830)
    tests_add(random_i830 medium ${PYTHON} -m oracle random --count 1000 --max-units 4 --colors 8bit --seed
        51 --to i830 --jobs 2)
    tests_add(random_i830_full medium ${PYTHON} -m oracle random --count 800 --max-units 4 --colors 8bit
        --seed 52 --to i830 --assume full --jobs 2)
    tests_add(classic_i830 medium ${PYTHON} tests/i830/classic_i830.py --count 40)
endif()
if(TARGET texenvc AND TEXENV_LONG)
    # judges the states of the corpus that texenvc refuses
    tests_add(cover_i830_corpus long ${COVER} --level documented --count 8 --only corpus --seconds 4)
    # accepted: no search may show that a state that texenvc covers has no cover; the others search for covers
    # of states that texenvc refuses
    foreach(level documented full)
        tests_add(cover_i830_accepted_${level} long ${COVER} --level ${level} --accepted --count 60 --limit 2
            --only "full chains of" --seconds 6)
        tests_add(cover_i830_${level} long ${COVER} --level ${level} --count 200 --limit 40)
        set_tests_properties(cover_i830_${level} PROPERTIES TIMEOUT 7200)
    endforeach()
endif()
