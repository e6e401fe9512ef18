# libtexenv-es: programs of OpenGL 1 by it and by Mesa's OpenGL, the same frames.
if(TARGET texenv-es AND TEXENV_EGL AND TEXENV_GL AND NOT TEXENV_SANITIZE)
    tests_add(es_states short ${PYTHON} tests/es/frames.py $<TARGET_FILE:texenv-es> $<TARGET_FILE:texenv>
        --only states)
endif()
