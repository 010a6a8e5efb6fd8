# Writes a C++ file that has the text of other files, so that a program needs none of them.
# Run as: cmake -D NAME=page_assets -D FILES=a.css,b.js [-D REGISTER=ON] -D OUTPUT=x.cpp -P embed.cmake
# REGISTER: the files are a lesson's, and the program gives them to its page.
cmake_minimum_required(VERSION 3.25)

set(entries "")
string(REPLACE "," ";" files "${FILES}")
foreach(file IN LISTS files)
  cmake_path(GET file FILENAME name)
  file(READ ${file} text)
  # A literal may have 65536 characters; it ends with a line.
  string(APPEND entries "    {\"${name}\",\n")
  string(LENGTH "${text}" length)
  set(begin 0)
  while(begin LESS length)
    string(SUBSTRING "${text}" ${begin} 30000 part)
    string(FIND "${part}" "\n" end REVERSE)
    math(EXPR size "${end} + 1")
    string(SUBSTRING "${text}" ${begin} ${size} part)
    string(APPEND entries "     R\"~embedded~(${part})~embedded~\"\n")
    math(EXPR begin "${begin} + ${size}")
  endwhile()
  string(APPEND entries "    },\n")
endforeach()

set(code "// Made by embed.cmake.\n#include \"tutorials/support/embedded.h\"\n\nnamespace tutorial {\n")
if(REGISTER)
  string(APPEND code "namespace {\nconst std::vector<EmbeddedFile> files = {\n${entries}};\n"
                     "const bool given = give_lesson_files(files);\n}  // namespace\n")
else()
  string(APPEND code "const std::vector<EmbeddedFile>& ${NAME}() {\n"
                     "    static const std::vector<EmbeddedFile> files = {\n${entries}};\n"
                     "    return files;\n}\n")
endif()
file(WRITE ${OUTPUT} "${code}}  // namespace tutorial\n")
