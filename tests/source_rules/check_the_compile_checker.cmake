# Plants files that compile only beside their neighbors, which check_compiles.cmake must name.
# Run as: cmake -D FOLDER=scratch -P check_the_compile_checker.cmake
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${FOLDER})
file(WRITE ${FOLDER}/tree/CMakeLists.txt [[
cmake_minimum_required(VERSION 3.25)
project(planted LANGUAGES CXX)
add_library(planted tensor/first.cpp tensor/second.cpp tensor/third.cpp)
target_precompile_headers(planted PRIVATE <string>)
if(HEED_QUICK OR NOT HEED_BENCHMARKS)
  message(FATAL_ERROR "not a plain build of everything")
endif()
]])

# plant(FILE TEXT): writes a file of the planted tree.
function(plant file text)
  file(WRITE ${FOLDER}/tree/${file} "${text}\n")
endfunction()

# expect(RESULT WORDS...): the tree is `passed` or `refused`, with these words.
function(expect result)
  execute_process(COMMAND ${CMAKE_COMMAND} -D ROOT=${FOLDER}/tree -D FOLDER=${FOLDER}/scratch
                          -P ${CMAKE_CURRENT_LIST_DIR}/check_compiles.cmake
                  RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  set(received refused)
  if(code EQUAL 0)
    set(received passed)
  endif()
  if(NOT received STREQUAL result)
    message(SEND_ERROR "the tree was not ${result}:\n${output}")
  endif()
  foreach(words IN LISTS ARGN)
    if(NOT output MATCHES "${words}")
      message(SEND_ERROR "the rule does not say '${words}':\n${output}")
    endif()
  endforeach()
endfunction()

plant(tensor/first.h "#pragma once\nint first();")
plant(tensor/first.cpp "#include \"first.h\"\nint first() { return 1; }")
plant(tensor/second.cpp "#include \"first.h\"\nint second() { return first(); }")
plant(tensor/third.h "#pragma once\n#include <string>\nstd::string third();")
plant(tensor/third.cpp "#include <string>\n#include \"third.h\"\nstd::string third() { return {}; }")
expect(passed "3 sources and 2 headers compile by themselves")

plant(tensor/second.cpp "int second() { return first(); }")
expect(refused "== tensor/second.cpp does not compile by itself" "1 of 4 units")

plant(tensor/second.cpp "int second() { return 2; }")
plant(tensor/third.h "#pragma once\nstd::string third();")
expect(refused "== tensor/third.h does not compile by itself" "1 of 4 units")

plant(tensor/third.h "#pragma once\n#include <string>\nstd::string third();")
plant(CMakeLists.txt "no_such_command()")
expect(refused "a plain build cannot be configured:" "no_such_command")
file(REMOVE_RECURSE ${FOLDER})
