# Tests of the installed package, and of the library as a single file.
if(NOT TEXENV_SANITIZE)
    tests_add(single_file medium ${PYTHON} tests/package/single_file.py $<TARGET_FILE:texenv> R200 LANGUAGES)
    if(TEXENV_LONG)
        tests_add(single_file_long long ${PYTHON} tests/package/single_file.py $<TARGET_FILE:texenv>)
    endif()
    # the program, built from the single file
    add_custom_command(OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/single/texenvc.c
        COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/amalgamate
            ${CMAKE_CURRENT_BINARY_DIR}/single
        DEPENDS ${PROJECT_SOURCE_DIR}/tools/amalgamate texenv)
    add_custom_target(amalgamated DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/single/texenvc.c)
    add_executable(texenvc_single $<TARGET_OBJECTS:texenvc> $<TARGET_OBJECTS:texenv-tools>
        ${CMAKE_CURRENT_BINARY_DIR}/single/texenvc.c)
    add_dependencies(texenvc_single amalgamated)
    set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/single/texenvc.c PROPERTIES COMPILE_OPTIONS
        "-O0;-w")
    # threads that share a cache, under the thread sanitizer: the single file, with one chip
    find_package(Threads REQUIRED)
    add_executable(cache_threads library/cache_threads.c)
    target_include_directories(cache_threads BEFORE PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/single)
    add_dependencies(cache_threads amalgamated)
    target_compile_options(cache_threads PRIVATE -O0 -w -fsanitize=thread)
    target_compile_definitions(cache_threads PRIVATE TEXENV_WITH_R200=1)
    target_link_options(cache_threads PRIVATE -fsanitize=thread)
    target_link_libraries(cache_threads PRIVATE Threads::Threads)
    tests_add(cache_threads short cache_threads)
    tests_add(golden_single short ${PYTHON} tests/tools/golden.py)
    set_property(TEST golden_single PROPERTY ENVIRONMENT TEXENVC=$<TARGET_FILE:texenvc_single>)
    tests_add(sizes medium ${PYTHON} tests/package/sizes.py -Os) # -Os, where sizes are nearer to their bounds
    tests_add(package medium ${PYTHON} tests/package/package.py -DCMAKE_C_COMPILER=${CMAKE_C_COMPILER}
        "-DCMAKE_C_COMPILER_LAUNCHER=${CMAKE_C_COMPILER_LAUNCHER}")
    tests_add(package_command "short;plain" ${PYTHON} tests/package/command.py)
    if(TARGET texenvc)
        tests_add(package_wheel medium ${PYTHON} tests/package/packages.py wheel
            ${CMAKE_CURRENT_BINARY_DIR}/packages/wheel)
    endif()
    if(TEXENV_LONG)
        tests_add(package_again long ${PYTHON} tests/package/package.py --again
            -DCMAKE_C_COMPILER=${CMAKE_C_COMPILER} "-DCMAKE_C_COMPILER_LAUNCHER=${CMAKE_C_COMPILER_LAUNCHER}")
        tests_add(sizes_fast long ${PYTHON} tests/package/sizes.py -O2)
        foreach(what wheel npm) # with 100,000 calls
            tests_add(package_${what}_long long ${PYTHON} tests/package/packages.py ${what}
                ${CMAKE_CURRENT_BINARY_DIR}/packages/${what}_long 100000)
            set_tests_properties(package_${what}_long PROPERTIES TIMEOUT 14400)
        endforeach()
        tests_add(everywhere long ${PYTHON} tests/package/everywhere.py)
        set_tests_properties(everywhere PROPERTIES TIMEOUT 3600)
    endif()
endif()
if(TARGET texenvc AND TEXENV_LONG)
    tests_add(determinism long ${PYTHON} tests/package/determinism.py ${TOP})
endif()
