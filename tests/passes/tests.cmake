# Tests of each pass of the optimiser: programs before and after it.
if(TARGET texenvc)
    tests_add(passes "short;once" ${PYTHON} tests/passes/passes.py)
endif()
