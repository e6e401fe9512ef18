# Manual pages and shell completion, which the programs print from their tables of options. A cross build has
# neither unless an emulator can run the programs.
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
    message(STATUS "Cross build: no manual pages and completion")
    return()
endif()

set(MANUAL_FILES "")
# texenv_written(FILE PROGRAM ARGUMENT...): makes FILE from what PROGRAM prints
function(texenv_written file program)
    add_custom_command(OUTPUT ${file} COMMAND ${program} ${ARGN} > ${file} DEPENDS ${program} VERBATIM)
    set(MANUAL_FILES ${MANUAL_FILES} ${CMAKE_CURRENT_BINARY_DIR}/${file} PARENT_SCOPE)
endfunction()

file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/manual)
texenv_written(manual/texenvc.1 texenvc --manual)
texenv_written(manual/texenvc.bash texenvc --completion bash)
texenv_written(manual/_texenvc texenvc --completion zsh)
set(PAGES ${CMAKE_CURRENT_BINARY_DIR}/manual/texenvc.1)
if(TARGET texenv-gldiff)
    texenv_written(manual/texenv-gldiff.1 texenv-gldiff --manual)
    list(APPEND PAGES ${CMAKE_CURRENT_BINARY_DIR}/manual/texenv-gldiff.1)
endif()
if(TARGET texenv-shim) # the launchers' pages are made from their --help
    set(LAUNCHER_PAGE ${CMAKE_CURRENT_SOURCE_DIR}/tools/package/launcher_page.sh)
    foreach(launcher texenv-shim texenv-record)
        foreach(kind manual bash)
            set(PAGE ${CMAKE_CURRENT_BINARY_DIR}/manual/${launcher}.${kind})
            if(kind STREQUAL manual)
                set(PAGE ${CMAKE_CURRENT_BINARY_DIR}/manual/${launcher}.1)
                list(APPEND PAGES ${PAGE})
            endif()
            add_custom_command(OUTPUT ${PAGE} COMMAND sh ${LAUNCHER_PAGE} ${kind}
                ${CMAKE_CURRENT_BINARY_DIR}/${launcher} > ${PAGE}
                DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/${launcher} tools/package/launcher_page.sh VERBATIM)
            list(APPEND MANUAL_FILES ${PAGE})
        endforeach()
        install(FILES ${CMAKE_CURRENT_BINARY_DIR}/manual/${launcher}.bash RENAME ${launcher}
            DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    endforeach()
endif()
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
    set(FORMATS ${CMAKE_CURRENT_BINARY_DIR}/manual/texenv-formats.5)
    set(FORMATS_PAGES ${CMAKE_CURRENT_SOURCE_DIR}/notes/formats.md)
    foreach(page gl c apitrace stages vertex ir atifs arbfp languages embed words)
        list(APPEND FORMATS_PAGES ${CMAKE_CURRENT_SOURCE_DIR}/notes/formats/${page}.md)
    endforeach()
    set(FORMATS_COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/tools/package/formats_page.py
        ${PROJECT_VERSION} ${FORMATS_PAGES})
    add_custom_command(OUTPUT ${FORMATS} COMMAND ${FORMATS_COMMAND} > ${FORMATS}
        DEPENDS ${FORMATS_PAGES} tools/package/formats_page.py VERBATIM)
    list(APPEND MANUAL_FILES ${FORMATS})
    install(FILES ${FORMATS} DESTINATION ${CMAKE_INSTALL_MANDIR}/man5)
else()
    message(STATUS "No Python: texenv-formats(5) is not made")
endif()
add_custom_target(manual ALL DEPENDS ${MANUAL_FILES})

install(FILES ${PAGES} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/manual/texenvc.bash RENAME texenvc
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
if(TARGET texenv-gldiff) # bash looks for a completion file with the program's name
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/manual/texenvc.bash RENAME texenv-gldiff
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
endif()
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/manual/_texenvc
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
