# What the pages show must be what the programs have and print. (That the pages match the files is
# checked in tests/source_rules/check_pages.cmake.)
# Run as: cmake -D ROOT=folder -P check_readme.cmake
cmake_minimum_required(VERSION 3.25)

# From the words `after` on, the first block of the page that begins with `fence` must be in `file`.
function(expect_block page after fence file)
  file(READ ${ROOT}/${page} shown)
  string(FIND "${shown}" "${after}" start)
  string(SUBSTRING "${shown}" ${start} -1 shown)
  string(FIND "${shown}" "${fence}" begin)
  string(LENGTH "${fence}" fence_length)
  math(EXPR begin "${begin} + ${fence_length}")
  string(SUBSTRING "${shown}" ${begin} -1 rest)
  string(FIND "${rest}" "\n```" end)
  string(SUBSTRING "${rest}" 0 ${end} block)
  file(READ ${ROOT}/${file} text)
  # `looks` stands in the program indented.
  string(REPLACE "\n    " "\n" unindented "\n${text}")
  string(FIND "${text}${unindented}" "${block}" found)
  if(start EQUAL -1 OR begin LESS fence_length OR block STREQUAL "" OR found EQUAL -1)
    message(SEND_ERROR "${page} shows this, which is not in ${file}:\n${block}")
  endif()
endfunction()

set(example tests/install/example)
expect_block(README.md "## A first program" "```cpp\n" ${example}/trains.cpp)
set(lessons tutorials/README.md)
expect_block(${lessons} "## What a lesson prints" "```\n" tests/transcripts/05.txt)
expect_block(${lessons} "The heart of" "```cpp\n" tutorials/00_first_look/00_first_look.cpp)
expect_block(${lessons} "The heart of" "```\n\n```\n" tests/transcripts/00.txt)
set(guide nn/IN_A_PROGRAM.md)
expect_block(${guide} "## Pictures" "```cpp\n" ${example}/looks.cpp)
expect_block(${guide} "A published model" "```cpp\n" ${example}/writes_on.cpp)
