# What `cmake --install` installs, and where. The installed files find one another by relative paths, so the
# installation folder can be moved.
include(CMakePackageConfigHelpers)

install(TARGETS texenv EXPORT texenv
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES texenv/texenv.h texenv/vertex.h texenv/values.h texenv/c_token.h
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/texenv)
install(FILES fragprog/fragprog.h fragprog/ir.h fragprog/atifs.h fragprog/arb_program.h fragprog/backend.h
    fragprog/constants.h fragprog/alias.h fragprog/reads.h fragprog/fixed_vertex.h fragprog/pair.h
    fragprog/pair_cache.h fragprog/opcodes.def fragprog/languages.def fragprog/pair_uniforms.def
    fragprog/uniforms.def DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/fragprog)
install(FILES hwemit/hwemit.h hwemit/cache.h hwemit/targets.h hwemit/targets.def DESTINATION
    ${CMAKE_INSTALL_INCLUDEDIR}/hwemit)

# ---- the program, and the oracle, which it looks for in ../share/texenvc ----
if(TEXENV_TOOLS)
    file(RELATIVE_PATH LIBRARIES_FROM_BIN ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
    # matters for a shared library only
    set_target_properties(texenvc PROPERTIES INSTALL_RPATH "$ORIGIN/${LIBRARIES_FROM_BIN}")
    install(TARGETS texenvc RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    # Targets that exist only where OpenGL's headers are installed. libtexenv-shim is for LD_PRELOAD; code
    # that is not a whole application is linked with libtexenv-record.
    foreach(on_gl texenv-gldiff texenv-shim texenv-record)
        if(TARGET ${on_gl})
            set_target_properties(${on_gl} PROPERTIES INSTALL_RPATH "$ORIGIN/${LIBRARIES_FROM_BIN}")
            install(TARGETS ${on_gl} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} LIBRARY DESTINATION
                ${CMAKE_INSTALL_LIBDIR})
        endif()
    endforeach()
    if(TARGET texenv-shim) # the scripts that run a program with libtexenv-shim loaded
        install(PROGRAMS ${CMAKE_CURRENT_BINARY_DIR}/texenv-shim ${CMAKE_CURRENT_BINARY_DIR}/texenv-record
            DESTINATION ${CMAKE_INSTALL_BINDIR})
    endif()
    install(DIRECTORY oracle DESTINATION ${CMAKE_INSTALL_DATADIR}/texenvc FILES_MATCHING PATTERN "*.py"
        PATTERN "__pycache__" EXCLUDE)
    include(tools/package/manual.cmake)
endif()

# ---- documentation ----
install(FILES README.md LICENSE CHANGELOG.md CONTRIBUTING.md SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY notes DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md")

install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.[ch]"
    PATTERN "*.mjs")
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/texenvc.html ${CMAKE_CURRENT_BINARY_DIR}/texenvc.js
    DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)

# ---- find_package(texenv), pkg-config ----
set(PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/texenv)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/texenvConfigVersion.cmake VERSION
    ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(EXPORT texenv NAMESPACE texenv:: FILE texenvConfig.cmake DESTINATION ${PACKAGE_DIR})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/texenvConfigVersion.cmake DESTINATION ${PACKAGE_DIR})

if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
    set(PC_PREFIX ${CMAKE_INSTALL_PREFIX})
    set(PC_LIBDIR ${CMAKE_INSTALL_FULL_LIBDIR})
    set(PC_INCLUDEDIR ${CMAKE_INSTALL_FULL_INCLUDEDIR})
else()
    file(RELATIVE_PATH PC_UP /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
    string(REGEX REPLACE "/$" "" PC_UP "${PC_UP}")
    set(PC_PREFIX "\${pcfiledir}/${PC_UP}")
    set(PC_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
    set(PC_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
set(PC_CFLAGS "")
if(TEXENV_LIBRARY_TYPE STREQUAL SHARED_LIBRARY)
    set(PC_CFLAGS " -DTEXENV_SHARED")
endif()
configure_file(tools/package/texenv.pc.in ${CMAKE_CURRENT_BINARY_DIR}/texenv.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/texenv.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(TARGET texenv-es)
    configure_file(tools/es/texenv-es.pc.in ${CMAKE_CURRENT_BINARY_DIR}/texenv-es.pc @ONLY)
    install(TARGETS texenv-es EXPORT texenv ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/texenv-es.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
    install(FILES tools/es/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME texenv-es.md)
endif()
if(TEXENV_TOP_LEVEL)
    include(tools/package/deb.cmake)
endif()
