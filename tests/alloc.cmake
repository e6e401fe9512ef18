# ---- register classes, constant compaction ----
add_executable(alloc_constants alloc_constants.c)
target_link_libraries(alloc_constants PRIVATE texenv_inside)
tests_add(alloc_constants "short;asan;once" ${PYTHON} tests/alloc_constants.py $<TARGET_FILE:alloc_constants>
    --count 1200 --small 250)
add_executable(alloc_colour alloc_colour.c)
target_link_libraries(alloc_colour PRIVATE texenv_inside)
tests_add(alloc_colour "short;asan;once"
    ${PYTHON} tests/alloc_colour.py $<TARGET_FILE:alloc_colour> --small 400
    --count 120)
if(TEXENV_LONG)
    tests_add(alloc_constants_long long ${PYTHON} tests/alloc_constants.py $<TARGET_FILE:alloc_constants>
        --seed 2)
    tests_add(alloc_colour_long long ${PYTHON} tests/alloc_colour.py $<TARGET_FILE:alloc_colour> --seed 2
        --count 2000)
endif()
add_executable(unit_classes unit/classes.c)
target_link_libraries(unit_classes PRIVATE texenv_inside)
tests_add(unit_classes short unit_classes)
if(TARGET texenvc)
    tests_add(constants_cli "short;asan;once" ${PYTHON} tests/constants_cli.py)
    tests_add(alias_cli "short;asan;once" ${PYTHON} tests/alias_cli.py)
    tests_add(derived_length medium ${PYTHON} tests/derived_length.py)
    tests_add(arbfp_temps "short;asan;once" ${PYTHON} tests/arbfp_temps.py)
    if(TEXENV_LONG)
        tests_add(arbfp_temps_long long ${PYTHON} tests/arbfp_temps.py --seed 2 --count 600)
    endif()
endif()
