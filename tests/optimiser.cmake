# Proofs and measurements of the optimiser. Included by CMakeLists.txt of this directory.
tests_add(prove_rules medium ${PYTHON} tests/prove_rules.py)
tests_add(prove_rules_mutants medium ${PYTHON} tests/prove_rules.py --mutants)
tests_add(identities "short;asan" ${PYTHON} tests/identities.py)
