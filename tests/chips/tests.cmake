# Tests of properties that all chip targets share.
if(TARGET texenvc)
    tests_add(words "short;once" ${PYTHON} tests/chips/words.py)
    tests_add(machine_steps "short;asan" ${PYTHON} tests/chips/machine_steps.py)
    tests_add(lines "short;once" ${PYTHON} tests/chips/lines.py)
    tests_add(chips_cli "short;once" ${PYTHON} tests/chips/chips_cli.py)
    tests_add(atifs_stages "short;once" ${PYTHON} tests/chips/atifs_stages.py)
endif()
