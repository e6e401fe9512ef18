# libtexenv-es: programs of OpenGL 1 by it and by Mesa's OpenGL, the same frames.
if(TARGET texenv-es AND TEXENV_EGL AND TEXENV_GL AND NOT TEXENV_SANITIZE)
    set(ES_LIBRARIES $<TARGET_FILE:texenv-es> $<TARGET_FILE:texenv>)
    tests_add(es_states short ${PYTHON} tests/es/frames.py ${ES_LIBRARIES} --only states)
    if(TEXENV_LONG) # in Chromium, by emscripten; the frame to compare with is drawn first
        list(JOIN PYTHON " " python)
        tests_add(es_web "long;browser" sh -c "${python} tests/es/frames.py --only states --folder \
\"$0\" \"$1\" \"$2\" && ${python} tests/es/web.py \"$0/gl_programs_states_c.ppm\""
            ${CMAKE_CURRENT_BINARY_DIR}/es_web ${ES_LIBRARIES})
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
