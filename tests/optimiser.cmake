# Proofs and measurements of the optimiser. Included by CMakeLists.txt of this directory.
tests_add(prove_rules medium ${PYTHON} tests/prove_rules.py)
if(TEXENV_LONG)
    tests_add(prove_rules_mutants long ${PYTHON} tests/prove_rules.py --mutants)
endif()
tests_add(identities medium ${PYTHON} tests/identities.py)

add_executable(optimiser_sides optimiser_sides.c)
target_link_libraries(optimiser_sides PRIVATE texenv_inside)
tests_add(optimiser_sides short optimiser_sides 40000)
