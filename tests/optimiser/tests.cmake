# Proofs and measurements of the optimiser.
tests_add(prove_rules medium ${PYTHON} tests/optimiser/prove_rules.py)
if(TEXENV_LONG)
    tests_add(prove_rules_mutants long ${PYTHON} tests/optimiser/prove_rules.py --mutants)
endif()
tests_add(identities medium ${PYTHON} tests/optimiser/identities.py)

add_executable(optimiser_sides optimiser/optimiser_sides.c)
target_link_libraries(optimiser_sides PRIVATE texenv_inside)
tests_add(optimiser_sides short optimiser_sides 40000)
if(TARGET texenvc)
    tests_add(cost medium ${PYTHON} tests/optimiser/cost.py)
endif()

# ---- the optimiser's output compared with the shortest programs, found by exhaustive search ----
set(SUPEROPT superopt chain points program one two two_rows optimiser)
list(TRANSFORM SUPEROPT REPLACE "(.+)" "optimiser/superopt/\\1.c")
add_executable(superopt ${SUPEROPT})
target_link_libraries(superopt PRIVATE texenv_inside m)
set_target_properties(superopt PROPERTIES EXCLUDE_FROM_ALL ${TEXENV_SANITIZE}) # its tests are labelled plain
target_compile_options(superopt PRIVATE -O3 -fno-trapping-math) # vectorises the loops over points

# superopt_add(NAME LABEL ALPHABET=FLOOR...): a test that fails if the optimiser finds the shortest program
# for less than FLOOR percent of an alphabet's functions.
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
    # --most-refuted: as many shorter programs are known to be wrong although they are right at superopt's
    # points
    tests_add(superopt_prove long ${PYTHON} tests/optimiser/superopt/prove.py $<TARGET_FILE:superopt> --count
        40 --limit 5 --most-refuted 4 one-combine4 two-plain)
    superopt_add(superopt_two long two-of-2=99.9)
    superopt_add(superopt_three long three-core-part=98)
endif()
