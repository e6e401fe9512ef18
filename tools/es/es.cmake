# libtexenv-es: OpenGL 1.x over OpenGL ES (README.md). It is static, because it defines GL's function names.
file(GLOB ES_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.c)
add_library(texenv-es STATIC ${ES_SOURCES})
add_library(texenv::texenv-es ALIAS texenv-es)
target_include_directories(texenv-es PRIVATE ${TEXENV_GL_HEADERS})
target_link_libraries(texenv-es PUBLIC texenv m ${CMAKE_DL_LIBS})
set(ES_WRAPS "-Wl,--wrap=eglSwapBuffers,--wrap=SDL_GL_SwapBuffers,--wrap=SDL_GL_SwapWindow") # swap.c
target_link_options(texenv-es INTERFACE ${ES_WRAPS})
set_target_properties(texenv-es PROPERTIES POSITION_INDEPENDENT_CODE ON C_EXTENSIONS ON)
