# Tests of the oracle: its evaluators against values derived by hand or from the facts.
file(GLOB ORACLE_TESTS CONFIGURE_DEPENDS oracle/oracle_*.py)
foreach(path ${ORACLE_TESTS})
    get_filename_component(name ${path} NAME_WE)
    if(NOT name STREQUAL oracle_mock AND NOT TEXENV_SANITIZE) # the mock is what oracle_check.py runs
        tests_add(${name} short ${PYTHON} ${path})
    endif()
endforeach()
