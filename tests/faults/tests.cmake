# Deliberate faults: each must be caught by a test.
if(TARGET texenvc)
    tests_add(faults_texts "short;plain" ${PYTHON} tests/faults/faults.py --list)
    if(TEXENV_LONG)
        tests_add(faults long ${PYTHON} tests/faults/faults.py)
        set_tests_properties(faults PROPERTIES PROCESSORS 2 TIMEOUT 3600)
    endif()
endif()
