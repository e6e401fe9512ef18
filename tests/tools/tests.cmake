# The command line.
if(TARGET texenvc)
    tests_add(golden short ${PYTHON} tests/tools/golden.py)
    tests_add(cli "short;once" ${PYTHON} tests/tools/cli.py)
    tests_add(evaluate short ${PYTHON} tests/tools/evaluate.py)
endif()
if(TARGET texenvc AND TARGET texenv-gldiff AND TARGET texenv-shim AND NOT TEXENV_SANITIZE)
    tests_add(values_missing "short;plain" ${PYTHON} tests/tools/values_missing.py
        $<TARGET_FILE:texenv-gldiff> ${PROJECT_BINARY_DIR}/texenv-shim ${PROJECT_BINARY_DIR}/texenv-record)
endif()
