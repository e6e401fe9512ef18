# Tests of vertex halves of states, of GL's values, and of ARB vertex programs.
if(TARGET texenvc)
    tests_add(vertex_readers "short;asan;once" ${PYTHON} tests/vertex/vertex_readers.py)
    file(GLOB ARB_VERTEX_PROGRAMS CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/arbfp/*.arbvp)
    tests_add(arb_check_vertex "short;once" ${PYTHON} -m oracle arb-check
        --to arbfp,glsl,glsl-450,glsl-es,r300,r400,r500 ${ARB_VERTEX_PROGRAMS})
    tests_add(arb_random_vertex "short;once" ${PYTHON} -m oracle arb-random --vertex --to arbfp,r300,r500
        --count 30 --vectors 3 --longest 60)
    tests_add(arb_random_vertex_languages "short;once"
        ${PYTHON} -m oracle arb-random --vertex --plain --seed 2
        --to glsl,glsl-450,glsl-es --count 20 --vectors 2 --longest 60)
    tests_add(arb_every_vertex "short;once" ${PYTHON} -m oracle arb-random --vertex --every 30 --vectors 2
        --to arbfp,glsl,glsl-es,r300,r500)
    tests_add(arb_random_window "short;once" ${PYTHON} -m oracle arb-random --window 40 --longest 90 --count 8
        --to r300 -O 2 --vectors 2)
    tests_add(arb_random_functions "short;once"
        ${PYTHON} -m oracle arb-random --window 20 --functions --longest 60
        --count 14 --to r300,r500 -O 0,2 --vectors 2)
    tests_add(vertex_calls "short;once" ${PYTHON} -m oracle vertex-calls --count 600)
    add_executable(values_calls vertex/values_calls.c)
    target_link_libraries(values_calls PRIVATE texenv_inside)
    tests_add(values "short;asan" ${PYTHON} -m oracle values $<TARGET_FILE:values_calls> --count 200)
    foreach(via gl trace)
        tests_add(values_${via} "short;asan" ${PYTHON} -m oracle values $<TARGET_FILE:values_calls>
            --via ${via} --count 50 --seed 4)
    endforeach()
    tests_add(vertex_random "short;once" ${PYTHON} -m oracle vertex-random --to arbvp,r300,r500 --count 50
        --vectors 2 -O 0,2)
    tests_add(vertex_random_languages "short;once"
        ${PYTHON} -m oracle vertex-random --count 40 --vectors 2 --seed 2
        --to glsl,glsl-110,glsl-330,glsl-450,glsl-es,glsl-es-300)
    tests_add(vertex_states "short;once" ${PYTHON} tests/vertex/vertex_states.py)
    tests_add(vertex_words "short;once" ${PYTHON} tests/vertex/vertex_words.py)
    tests_add(vertex_atrm medium ${PYTHON} tests/vertex/vertex_atrm.py)
    if(TEXENV_LONG)
        oracle_add(values_long long values $<TARGET_FILE:values_calls> --count 20000 --seed 2)
        oracle_add(vertex_random_long long vertex-random --count 20000 --vectors 2 --to arbvp,glsl,r500)
        oracle_add(arb_every_vertex_long long arb-random --vertex --every 1
            --to arbfp,glsl,glsl-110,glsl-330,glsl-450,glsl-es,glsl-es-300,r300,r400,r500)
        oracle_add(arb_random_vertex_long long arb-random --vertex --plain --seed 6 --count 1000
            --to arbfp,glsl,glsl-450,glsl-es)
    endif()
endif()
