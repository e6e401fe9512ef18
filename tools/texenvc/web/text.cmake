# cmake -DOUT=web_text.c -P text.cmake
# Converts each of these files to a C string (web.h), which texenvc writes into modules, headers and pages.
# Import lines are removed, because a generated module contains all of the files.
cmake_minimum_required(VERSION 3.16)
set(out "#include \"tools/texenvc/web/web.h\"\n")
foreach(file values.js glue.js types.d.ts page.js page.css page.html embed.h explain.css)
    file(READ ${CMAKE_CURRENT_LIST_DIR}/${file} text)
    string(REGEX REPLACE "(^|\n)import [^\n]*" "" text "${text}")
    string(REPLACE "\\" "\\\\" text "${text}")
    string(REPLACE "\"" "\\\"" text "${text}")
    string(REPLACE "??" "?\\?" text "${text}") # "??" could begin a trigraph
    string(REPLACE "\n" "\\n\"\n    \"" text "${text}")
    string(REPLACE "." "_" name "web_${file}")
    string(APPEND out "const char ${name}[] =\n    \"${text}\";\n")
endforeach()
file(WRITE ${OUT} "${out}")
