# libtexenv-es: programs of OpenGL 1 by it and by Mesa's OpenGL, the same frames.
if(EXISTS ${TOP}/tools/es/attrib.c AND TARGET texenv-es AND TEXENV_EGL AND TEXENV_GL AND NOT TEXENV_SANITIZE)
    tests_add(es_frames short ${PYTHON} tests/es/frames.py $<TARGET_FILE:texenv-es> $<TARGET_FILE:texenv>
        --scripts 5)
    if(TEXENV_LONG)
        tests_add(es_frames_long long ${PYTHON} tests/es/frames.py $<TARGET_FILE:texenv-es>
            $<TARGET_FILE:texenv> --scripts 200)
    endif()
endif()
