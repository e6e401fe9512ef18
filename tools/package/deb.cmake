# For `cpack -G DEB`, which makes one Debian package; the build must be configured with
# -DCMAKE_INSTALL_PREFIX=/usr.
set(CPACK_PACKAGE_NAME texenvc)
set(CPACK_PACKAGE_CONTACT "texenvc authors <texenvc@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "compiler for OpenGL fixed-function texture combiners")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Texture environments (glTexEnv) go in; programs of GL_ATI_fragment_shader,
GL_ARB_fragment_program or GLSL, or the words of real chips come out.
With the library, its headers, and tools that compare on a real OpenGL.")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_CURRENT_SOURCE_DIR}/LICENSE)
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON) # by dpkg-shlibdeps
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS python3) # `texenvc equiv`
set(CPACK_STRIP_FILES ON)
if(TEXENV_LIBRARY_TYPE STREQUAL SHARED_LIBRARY)
    set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
endif()
include(CPack)
