# Conformance vectors and their runners.
if(NOT TARGET texenvc)
    return()
endif()
tests_add(vectors_suites "short;plain" ${PYTHON} tests/conform/vectors_suites.py)
tests_add(conform_texts "short;plain" ${PYTHON} tests/conform/conform.py texts)
if(NOT TEXENV_SANITIZE)
    tests_add(conform_faults short ${PYTHON} tests/conform/conform.py faults)
    foreach(driver softpipe llvmpipe)
        tests_add(conform_${driver} short ${PYTHON} tests/conform/conform.py gl)
        set_property(TEST conform_${driver} APPEND PROPERTY ENVIRONMENT
            "LIBGL_ALWAYS_SOFTWARE=1;GALLIUM_DRIVER=${driver};EGL_LOG_LEVEL=fatal")
    endforeach()
    tests_add(conform_osmesa long ${PYTHON} tests/conform/conform.py osmesa) # llvmpipe, through OSMesa
    set(LAYER "") # the archives of libtexenv-es, OpenGL over OpenGL ES
    if(TARGET texenv-es)
        set(LAYER $<TARGET_FILE:texenv-es> $<TARGET_FILE:texenv>)
    endif()
    tests_add(conform_es short ${PYTHON} tests/conform/conform.py es ${LAYER})
    set_property(TEST conform_es APPEND PROPERTY ENVIRONMENT "LIBGL_ALWAYS_SOFTWARE=1;EGL_LOG_LEVEL=fatal")
endif()
