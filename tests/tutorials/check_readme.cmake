# The README must match the project: the picture at its top, its first program and the output. (That
# the pages match the files is checked in tests/source_rules/check_pages.cmake.)
# Run as: cmake -D ROOT=folder -P check_readme.cmake
cmake_minimum_required(VERSION 3.25)

file(READ ${ROOT}/README.md readme)

# The first block of the README that begins with `fence` must be in `file`.
function(expect_block fence file)
  string(FIND "${readme}" "${fence}" begin)
  string(LENGTH "${fence}" fence_length)
  math(EXPR begin "${begin} + ${fence_length}")
  string(SUBSTRING "${readme}" ${begin} -1 rest)
  string(FIND "${rest}" "\n```" end)
  string(SUBSTRING "${rest}" 0 ${end} block)
  file(READ ${ROOT}/${file} text)
  string(FIND "${text}" "${block}" found)
  if(begin LESS 1 OR block STREQUAL "" OR found EQUAL -1)
    message(SEND_ERROR "README.md shows this, which is not in ${file}:\n${block}")
  endif()
endfunction()

expect_block("```\n" tests/transcripts/05.txt)

string(FIND "${readme}" "## A first program" start)
string(SUBSTRING "${readme}" ${start} -1 readme)
expect_block("```cpp\n" tutorials/00_first_look/00_first_look.cpp)
expect_block("```\n\n```\n" tests/transcripts/00.txt)

string(FIND "${readme}" "A published model" start)
string(SUBSTRING "${readme}" ${start} -1 readme)
expect_block("```cpp\n" tests/install/example/writes_on.cpp)
