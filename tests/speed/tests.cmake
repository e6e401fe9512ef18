# Tests of the cost of a compilation, by instruction counts, whose limits hold only for optimised builds
# without sanitizers.
add_executable(bench speed/bench.c)
add_executable(bench_pairs speed/bench_pairs.c)
target_link_libraries(bench PRIVATE texenv_inside)
target_link_libraries(bench_pairs PRIVATE texenv_inside)
if(CMAKE_C_COMPILER_ID STREQUAL GNU AND CMAKE_BUILD_TYPE MATCHES "^(Release|RelWithDebInfo)$" AND NOT
    TEXENV_SANITIZE AND CMAKE_C_FLAGS STREQUAL "")
    tests_add(instructions medium ${PYTHON} tests/speed/instructions.py $<TARGET_FILE:bench>)
    tests_add(bound_pairs medium ${PYTHON} tests/speed/bench.py $<TARGET_FILE:bench> --pairs --no-times
        --count 40)
    foreach(chip r300 r500)
        tests_add(bound_${chip} medium ${PYTHON} tests/speed/instructions.py $<TARGET_FILE:bench> --chip
            ${chip} --first 8 --units 8 --count 60 --bound 10000)
    endforeach()
    tests_add(bound_etnaviv medium ${PYTHON} tests/speed/instructions.py $<TARGET_FILE:bench> --chip etnaviv
        --first 8 --units 8 --count 40 --bound 10000)
    tests_add(bound_ir3 medium ${PYTHON} tests/speed/instructions.py $<TARGET_FILE:bench> --chip ir3
        --first 8 --units 8 --count 40 --bound 20000)
    tests_add(bound_i915 medium ${PYTHON} tests/speed/instructions.py $<TARGET_FILE:bench> --chip i915
        --first 8 --units 8 --count 40 --bound 10000)
    tests_add(bound_pica200 medium ${PYTHON} tests/speed/instructions.py $<TARGET_FILE:bench> --chip pica200
        --first 3 --units 3 --count 60 --bound 10000)
    tests_add(bound_nv2a medium ${PYTHON} tests/speed/instructions.py $<TARGET_FILE:bench> --chip nv2a
        --first 4 --units 4 --count 60 --bound 6000)
    foreach(target r200 atifs)
        tests_add(bound_${target} medium ${PYTHON} tests/speed/instructions.py $<TARGET_FILE:bench> --chip
            ${target} --first 8 --units 8 --count 40 --states tests/speed/costly_chains.stages --bound 3000)
    endforeach()
    tests_add(bound_i830 medium ${PYTHON} tests/speed/instructions.py $<TARGET_FILE:bench> --chip i830
        --first 4 --units 4 --count 60 --bound 10000)
endif()
if(TARGET texenvc)
    tests_add(arbfp_growth medium ${PYTHON} tests/speed/arbfp_growth.py)
endif()
