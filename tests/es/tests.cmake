# Tests of libtexenv-es: OpenGL 1 programs must draw the same frames with it as with Mesa's OpenGL.
if(TARGET texenv-es AND TEXENV_EGL AND TEXENV_GL AND NOT TEXENV_SANITIZE)
    set(ES_LIBRARIES $<TARGET_FILE:texenv-es> $<TARGET_FILE:texenv>)
    tests_add(es_states short ${PYTHON} tests/es/frames.py ${ES_LIBRARIES} --only states)
    if(TEXENV_LONG) # in Chromium, by emscripten
        tests_add(es_web "long;browser" ${PYTHON} tests/es/web.py)
        tests_add(es_bench "long;browser" ${PYTHON} tests/es/bench.py)
    endif()
endif()

# Cases and random scripts of calls, over OpenGL ES 2 and 3, also with sanitizers, for the library and for the
# core below it; leaks are not looked for, as Mesa has some.
if(TARGET texenv-es AND TEXENV_EGL AND TEXENV_GL)
    foreach(program calls cases changes pixels)
        add_executable(es_${program} es/${program}.c)
        target_compile_definitions(es_${program} PRIVATE OVER_ES)
        target_link_libraries(es_${program} PRIVATE texenv-es ${TEXENV_EGL})
        add_executable(es_${program}_gl es/${program}.c)
        target_link_libraries(es_${program}_gl PRIVATE ${TEXENV_EGL} ${TEXENV_GL} m)
    endforeach()
    tests_add(es_cases short es_cases)
    tests_add(es_cases_es2 short ${CMAKE_COMMAND} -E env MESA_GLES_VERSION_OVERRIDE=2.0
        $<TARGET_FILE:es_cases>)
    tests_add(es_cases_gl "short;plain" es_cases_gl)
    tests_add(es_changes short es_changes)
    tests_add(es_changes_es2 short ${CMAKE_COMMAND} -E env MESA_GLES_VERSION_OVERRIDE=2.0
        $<TARGET_FILE:es_changes>)
    tests_add(es_changes_gl "short;plain" es_changes_gl)
    set(calls ${PYTHON} tests/es/calls.py $<TARGET_FILE:es_calls_gl> $<TARGET_FILE:es_calls>)
    tests_add(es_calls "short;plain" ${calls} 3 3 10)
    tests_add(es_calls_es2 "short;plain" ${calls} 2 3 4)
    set(pixels ${PYTHON} tests/es/calls.py $<TARGET_FILE:es_pixels_gl> $<TARGET_FILE:es_pixels>)
    tests_add(es_pixels "short;plain" ${pixels} 3 2 8)
    tests_add(es_pixels_es2 "short;plain" ${pixels} 2 2 3)
    set(wild sh tests/es/wild.sh $<TARGET_FILE:es_calls> ${CMAKE_CURRENT_BINARY_DIR}/es_calls_wild)
    tests_add(es_calls_wild short ${wild} 4 3)
    tests_add(es_calls_wild_es2 short ${CMAKE_COMMAND} -E env MESA_GLES_VERSION_OVERRIDE=2.0 ${wild} 4 3)
    tests_add(es_calls_wild_all "medium;asan" ${wild} 16 260) # 100,000 calls
    tests_add(es_pixels_alone "short;once" es_pixels 1 2 ${CMAKE_CURRENT_BINARY_DIR}/es_pixels_alone.rgba)
    if(TEXENV_SANITIZE)
        set_property(TEST es_cases es_cases_es2 es_changes es_changes_es2 es_calls_wild es_calls_wild_es2
            es_calls_wild_all es_pixels_alone APPEND PROPERTY ENVIRONMENT ASAN_OPTIONS=detect_leaks=0)
    endif()
endif()

# Instructions and calls of ES for a draw.
if(TARGET texenv-es AND NOT TEXENV_SANITIZE)
    foreach(program es_cost es_cost_hand)
        add_executable(${program} es/cost.c es/cost_es.c)
    endforeach()
    target_link_libraries(es_cost PRIVATE texenv-es)
    target_include_directories(es_cost_hand PRIVATE ${TOP})
    target_compile_definitions(es_cost_hand PRIVATE HAND)
    target_link_libraries(es_cost_hand PRIVATE m)
    set(es_cost_factor 1)
    if(CMAKE_BUILD_TYPE STREQUAL None) # the build of deliberate faults, with -O1
        set(es_cost_factor 1.2)
    endif()
    tests_add(es_cost short ${PYTHON} tests/es/cost.py $<TARGET_FILE:es_cost> $<TARGET_FILE:es_cost_hand>
        ${es_cost_factor})
endif()

# The random whole states of texenv-gldiff, with Mesa's OpenGL and with libtexenv-es.
if(TARGET texenv-es AND TARGET texenv-gldiff AND TEXENV_EGL AND NOT TEXENV_SANITIZE)
    set(sources ${GLDIFF_SOURCES})
    list(FILTER sources EXCLUDE REGEX "/(main|platform)\\.c$")
    list(TRANSFORM sources PREPEND ${TOP}/ REGEX "^[^/]")
    add_executable(es_gldiff es/gldiff.c ${sources} $<TARGET_OBJECTS:texenv-es>)
    target_compile_definitions(es_gldiff PRIVATE OVER_ES)
    add_executable(es_gldiff_gl es/gldiff.c ${sources} ${TOP}/tools/gldiff/platform.c)
    foreach(program es_gldiff es_gldiff_gl)
        target_link_libraries(${program} PRIVATE texenv-tools ${TEXENV_EGL} m ${CMAKE_DL_LIBS})
        set_target_properties(${program} PROPERTIES C_EXTENSIONS ON)
    endforeach()
    function(es_gldiff_add name labels count)
        tests_add(${name} "${labels}" sh -c "\"$0\" ${count} | \"$1\"" $<TARGET_FILE:es_gldiff_gl>
            $<TARGET_FILE:es_gldiff>)
        set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT
            "LIBGL_ALWAYS_SOFTWARE=1;GALLIUM_DRIVER=softpipe;EGL_LOG_LEVEL=fatal")
    endfunction()
    es_gldiff_add(es_gldiff short 20)
    if(TEXENV_LONG)
        es_gldiff_add(es_gldiff_long long 2000)
    endif()
endif()

# The shim's test program.
if(TARGET texenv-es AND TARGET texenv-shim AND TARGET texenv-gldiff AND TEXENV_EGL AND NOT TEXENV_SANITIZE)
    add_executable(es_shim es/shim.c $<TARGET_OBJECTS:texenv-es>)
    target_link_libraries(es_shim PRIVATE texenv ${TEXENV_EGL} m ${CMAKE_DL_LIBS})
    set_target_properties(es_shim PROPERTIES C_EXTENSIONS ON ENABLE_EXPORTS ON)
    tests_add(es_shim short ${PYTHON} tests/es/shim.py $<TARGET_FILE:shim_test_program>
        $<TARGET_FILE:es_shim>)
endif()
