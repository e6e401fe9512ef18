# Tests of what the public headers promise to callers.

# ---- results do not depend on lent memory; without fill.c, which would overwrite that memory ----
add_executable(batches library/batches.c)
target_link_libraries(batches PRIVATE texenv)
file(GLOB BATCHES CONFIGURE_DEPENDS arbfp/*.arb?p fuzz/corpus/atifs/*.atifs i830/hidden_clamps.stages)
tests_add(batches short batches ${BATCHES})
if(TEXENV_LONG)
    tests_add(batches_long long batches -r 3000 1 ${BATCHES}
        ${CMAKE_CURRENT_SOURCE_DIR}/corpus/recorded.stages)
    tests_add(batches_random long ${PYTHON} tests/library/batches.py $<TARGET_FILE:batches>)
    if(TARGET texenvc)
        tests_add(memcheck long ${PYTHON} tests/library/memcheck.py)
        set_tests_properties(memcheck PROPERTIES TIMEOUT 3600)
    endif()
endif()

# ---- use of the stack; not with sanitizers, which enlarge stack frames ----
if(NOT TEXENV_SANITIZE AND CMAKE_SYSTEM_NAME STREQUAL Linux)
    find_package(Threads REQUIRED)
    add_executable(stack library/stack.c)
    target_link_libraries(stack PRIVATE texenv Threads::Threads)
    file(GLOB RECORDED CONFIGURE_DEPENDS corpus/*.stages corpus/*.gl corpus/*.trace)
    tests_add(stack short stack ${RECORDED})
endif()

# ---- bad arguments ----
add_executable(bad_arguments library/bad_arguments.c)
target_link_libraries(bad_arguments PRIVATE texenv)
tests_add(bad_arguments "short;asan" bad_arguments)

# ---- the cache of words ----
add_executable(cache library/cache.c)
target_link_libraries(cache PRIVATE texenv)
tests_add(cache_r200 "short;asan" cache 40000 r200)
tests_add(cache_small short cache 10000 r200 3)
tests_add(cache_pica200 short cache 10000 pica200)
tests_add(cache_nv2a short cache 3000 nv2a)
tests_add(cache_etnaviv short cache 5000 etnaviv)
tests_add(cache_ir3 short cache 3000 ir3)
tests_add(cache_i915 short cache 3000 i915)
tests_add(cache_r300 short cache 2000 r300)
if(TEXENV_LONG)
    tests_add(cache_long long cache 10000000 r200)
endif()

# ---- the library against the command ----
if(TARGET texenvc)
    add_executable(library_convert library/library_convert.c)
    target_link_libraries(library_convert PRIVATE texenv)
    tests_add(both_ways medium ${PYTHON} tests/library/both_ways.py $<TARGET_FILE:library_convert>)
endif()
