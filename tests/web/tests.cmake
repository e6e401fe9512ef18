# Shader pairs as programs and web pages use them: examples/gles.c (fixed function over OpenGL ES), headers
# and modules of --embed, pages in a browser; and the documents of explain --html.
find_library(TEXENV_EGL EGL)
find_library(TEXENV_GLES GLESv2)
find_library(TEXENV_GL GL)
find_path(TEXENV_GLES_HEADERS GLES2/gl2.h)
if(TEXENV_EGL AND TEXENV_GLES AND TEXENV_GL AND TEXENV_GLES_HEADERS AND TEXENV_EGL_HEADERS)
    add_executable(gles ../examples/gles.c)
    target_link_libraries(gles PRIVATE texenv ${TEXENV_EGL} ${TEXENV_GLES} m)
    add_executable(gles_fixed web/gles_fixed.c)
    target_link_libraries(gles_fixed PRIVATE ${TEXENV_EGL} ${TEXENV_GL} m)
    tests_add(gles short ${PYTHON} tests/web/gles.py $<TARGET_FILE:gles> $<TARGET_FILE:gles_fixed>)
endif()
if(TARGET texenvc)
    tests_add(explain_html short ${PYTHON} tests/web/explain_html.py)
    tests_add(embed_mock "short;plain" ${PYTHON} tests/web/embed.py mock)
    if(TARGET texenv-gldiff AND NOT TEXENV_SANITIZE)
        add_library(embed_scene STATIC ${TOP}/tools/gldiff/platform.c ${TOP}/tools/gldiff/scene.c
            ${TOP}/tools/gldiff/fixed.c ${TOP}/tools/gldiff/program.c ${TOP}/tools/gldiff/compare.c
            ${TOP}/tools/gldiff/arb_scene.c)
        target_include_directories(embed_scene PRIVATE ${TEXENV_GL_HEADERS} ${TEXENV_EGL_HEADERS} ${TOP})
        set_target_properties(embed_scene PROPERTIES C_EXTENSIONS ON)
        tests_add(embed_draw short ${PYTHON} tests/web/embed.py draw $<TARGET_FILE:texenv>
            $<TARGET_FILE:embed_scene> 10)
        if(TEXENV_LONG)
            tests_add(embed_draw_long long ${PYTHON} tests/web/embed.py draw $<TARGET_FILE:texenv>
                $<TARGET_FILE:embed_scene> 1)
        endif()
    endif()
    if(TEXENV_LONG)
        tests_add(webgl_glue "long;browser" ${PYTHON} tests/web/webgl.py glue)
        tests_add(webgl_page "long;browser" ${PYTHON} tests/web/webgl.py page)
        tests_add(webgl_page_all "long;browser" ${PYTHON} tests/web/webgl.py page
            tests/corpus/recorded.stages)
        tests_add(page "long;browser" ${PYTHON} tests/web/page.py ${CMAKE_BINARY_DIR}/page-wasm)
    endif()
endif()
