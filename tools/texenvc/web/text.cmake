# cmake "-DFILES=values.js|page.css" -DOUT=web_text.c -P text.cmake
# Makes a string of C of each of these files, which the program writes into modules and pages (web.h). Lines
# that import are left out: there all of it stands in one module.
cmake_minimum_required(VERSION 3.16)
set(out "#include \"tools/texenvc/web/web.h\"\n")
string(REPLACE "|" ";" FILES "${FILES}")
foreach(file IN LISTS FILES)
    file(READ ${file} text)
    string(REGEX REPLACE "(^|\n)import [^\n]*" "" text "${text}")
    string(REPLACE "\\" "\\\\" text "${text}")
    string(REPLACE "\"" "\\\"" text "${text}")
    string(REPLACE "??" "?\\?" text "${text}") # no trigraphs
    string(REPLACE "\n" "\\n\"\n    \"" text "${text}")
    get_filename_component(name ${file} NAME)
    string(REGEX REPLACE "[.]" "_" name "web_${name}")
    string(APPEND out "const char ${name}[] =\n    \"${text}\";\n")
endforeach()
file(WRITE ${OUT} "${out}")
