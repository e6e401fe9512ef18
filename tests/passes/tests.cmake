# Before/after programs of each pass.
if(TARGET texenvc)
    tests_add(passes "short;once" ${PYTHON} tests/passes/passes.py)
endif()
