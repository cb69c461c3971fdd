# Writes OUT, the C file with the texts of configs/openings: cmake -DOUT= -DFILES= -P embed_openings.cmake.
set(arrays "")
set(entries "")
set(number 0)
foreach(file IN LISTS FILES)
    get_filename_component(name "${file}" NAME)
    file(READ "${file}" hex HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
    string(REGEX REPLACE "(0x0a,)" "\\1\n    " hex "${hex}")
    string(APPEND arrays "static const unsigned char text_${number}[] = {\n    ${hex}0};\n\n")
    string(APPEND entries "    {\"${name}\", text_${number}, sizeof text_${number} - 1},\n")
    math(EXPR number "${number} + 1")
endforeach()
file(WRITE "${OUT}" "/* Written by embed_openings.cmake from configs/openings. */
#include \"eval/opening_data.h\"

${arrays}const struct dama_opening_data dama_opening_data[] = {
${entries}    {0},
};
")
