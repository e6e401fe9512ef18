# ---- register classes, constant compaction ----
add_executable(alloc_constants alloc_constants.c)
target_link_libraries(alloc_constants PRIVATE texenv_inside)
tests_add(alloc_constants "short;asan" ${PYTHON} tests/alloc_constants.py $<TARGET_FILE:alloc_constants>
    --count 1200 --small 250)
tests_add(alloc_constants_more medium ${PYTHON} tests/alloc_constants.py $<TARGET_FILE:alloc_constants>
    --seed 2)
