# Writes OUT, the C file with the bytes of the tables FILES (<variant>.dama): cmake -DOUT= -DFILES= -P embed.cmake.
set(arrays "")
set(entries "")
set(number 0)
foreach(file IN LISTS FILES)
    get_filename_component(variant "${file}" NAME_WE)
    file(READ "${file}" hex HEX)
    string(LENGTH "${hex}" digits)
    if(digits EQUAL 0)
        message(FATAL_ERROR "${file}: expected a weight table, found an empty file")
    endif()
    string(REGEX REPLACE "(................................)" "\\1\n    " hex "${hex}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
    string(APPEND arrays "static const unsigned char table_${number}[] = {\n    ${hex}\n};\n\n")
    string(APPEND entries "    {\"${variant}\", table_${number}, sizeof table_${number}},\n")
    math(EXPR number "${number} + 1")
endforeach()
file(WRITE "${OUT}" "/* Written by embed.cmake from the .dama files of engine/tables. */
#include \"engine/tables/embedded.h\"

${arrays}const struct dama_embedded_table dama_embedded_tables[] = {
${entries}    {0},
};
")
