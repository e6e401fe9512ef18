# ---- "as short as can be": the optimiser against an exhaustive search for shorter programs ----
add_executable(superopt superopt/superopt.c superopt/chain.c superopt/points.c superopt/program.c
    superopt/one.c superopt/two.c superopt/two_rows.c superopt/optimiser.c)
target_link_libraries(superopt PRIVATE texenv_inside m)
set_target_properties(superopt PROPERTIES EXCLUDE_FROM_ALL ${TEXENV_SANITIZE}) # its tests are labelled plain
target_compile_options(superopt PRIVATE -O3 -fno-trapping-math) # the search is a loop over points

# superopt_add(NAME LABEL ALPHABET=FLOOR...): the share of functions, in percent, may not fall below the
# floor.
function(superopt_add name label)
    set(args "")
    foreach(pair ${ARGN})
        string(REGEX REPLACE "=.*" "" alphabet ${pair})
        list(APPEND args --floor ${pair} ${alphabet})
    endforeach()
    tests_add(${name} "${label}" superopt -n 10 ${args})
endfunction()

superopt_add(superopt "medium;plain" one=100 one-combine4=100 two-plain=99.9)
if(TEXENV_LONG)
    # --most-refuted: claims that hold at all points of the yardstick and yet are false; their functions count
    # as missed.
    tests_add(superopt_prove long ${PYTHON} tests/superopt/prove.py $<TARGET_FILE:superopt> --count 40 --limit
        5 --most-refuted 4 one-combine4 two-plain)
    superopt_add(superopt_two long two-of-2=99.9)
    superopt_add(superopt_three long three-core-part=98)
endif()
