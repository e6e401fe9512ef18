# Register classes, register pressure, constants and alternate temporaries.
add_executable(alloc_constants alloc/alloc_constants.c)
target_link_libraries(alloc_constants PRIVATE texenv_inside)
tests_add(alloc_constants "short;asan;once" ${PYTHON} tests/alloc/alloc_constants.py
    $<TARGET_FILE:alloc_constants> --count 1200 --small 250)
add_executable(alloc_colour alloc/alloc_colour.c)
target_link_libraries(alloc_colour PRIVATE texenv_inside)
tests_add(alloc_colour "short;asan;once"
    ${PYTHON} tests/alloc/alloc_colour.py $<TARGET_FILE:alloc_colour> --small 400
    --count 120)
if(TEXENV_LONG)
    tests_add(alloc_constants_long long ${PYTHON} tests/alloc/alloc_constants.py
        $<TARGET_FILE:alloc_constants> --seed 2)
    tests_add(alloc_colour_long long ${PYTHON} tests/alloc/alloc_colour.py $<TARGET_FILE:alloc_colour> --seed
        2 --count 2000)
endif()
if(TARGET texenvc)
    tests_add(constants_cli "short;asan;once" ${PYTHON} tests/alloc/constants_cli.py)
    tests_add(alias_cli "short;asan;once" ${PYTHON} tests/alloc/alias_cli.py)
    tests_add(arbfp_temps "short;asan;once" ${PYTHON} tests/alloc/arbfp_temps.py)
    if(TEXENV_LONG)
        tests_add(arbfp_temps_long long ${PYTHON} tests/alloc/arbfp_temps.py --seed 2 --count 600)
    endif()
endif()

# ---- the claim of the founding e-mail, "there is always an available register" ----
add_executable(registers_count alloc/registers_count.c)
target_link_libraries(registers_count PRIVATE texenv_inside)
tests_add(registers_count "short;plain" registers_count table)
tests_add(registers_count_dp "short;plain" ${PYTHON} tests/alloc/registers_count.py)
if(TEXENV_LONG)
    tests_add(registers_count_direct long registers_count long)
endif()
