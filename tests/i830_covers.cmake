# The i830 beside what its classic driver did, and beside an exhaustive search for covers (tests/classic_i830.py, tests/cover_i830.py).
add_executable(cover_i830 cover_i830/search.c cover_i830/first.c cover_i830/goal.c)
target_link_libraries(cover_i830 PRIVATE m)
target_compile_options(cover_i830 PRIVATE -O3)
tests_add(classic_i830_model short ${PYTHON} tests/classic_i830.py --self)
tests_add(cover_i830_known medium ${PYTHON} tests/cover_i830.py --search $<TARGET_FILE:cover_i830> --self)
if(TARGET texenvc AND TEXENV_LONG)
    tests_add(classic_i830 long ${PYTHON} tests/classic_i830.py)
    foreach(level documented full) # refusals are judged
        tests_add(cover_i830_${level} long ${PYTHON} tests/cover_i830.py --search $<TARGET_FILE:cover_i830> --level ${level} --count 200 --limit 40)
        set_tests_properties(cover_i830_${level} PROPERTIES TIMEOUT 7200)
    endforeach()
endif()
