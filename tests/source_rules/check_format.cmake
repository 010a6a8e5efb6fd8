# The sources below ROOT are as clang-format 14 writes them. What was generated is left out, and the
# learners' files, whose holes would move. Run as: cmake -D ROOT=folder -P check_format.cmake
cmake_minimum_required(VERSION 3.25)

set(version 14)  # of Debian 12; others format some lines differently
find_program(CLANG_FORMAT NAMES clang-format-${version} clang-format)
set(found "no version")
if(CLANG_FORMAT)
  execute_process(COMMAND ${CLANG_FORMAT} --version OUTPUT_VARIABLE found)
endif()
if(NOT found MATCHES "version ${version}\\.")
  message("skipped: needs clang-format-${version} (apt-get install clang-format-${version})")
  return()
endif()

file(GLOB_RECURSE files RELATIVE ${ROOT}
     ${ROOT}/tensor/*.h ${ROOT}/autograd/*.h ${ROOT}/nn/*.h ${ROOT}/tutorials/*.h ${ROOT}/tests/*.h
     ${ROOT}/tensor/*.cpp ${ROOT}/autograd/*.cpp ${ROOT}/nn/*.cpp ${ROOT}/tutorials/*.cpp
     ${ROOT}/tests/*.cpp ${ROOT}/tensor/*.inc)
list(FILTER files EXCLUDE REGEX "^tutorials/exercises/[0-9][^/]*\\.cpp$")
list(LENGTH files count)
execute_process(COMMAND ${CLANG_FORMAT} --dry-run -Werror ${files} WORKING_DIRECTORY ${ROOT}
                RESULT_VARIABLE code ERROR_VARIABLE output)
if(NOT code EQUAL 0 OR count EQUAL 0)
  message("${output}")
  message(FATAL_ERROR "of ${count} files, some are not formatted: clang-format -i FILE...")
endif()
message(STATUS "${count} files are formatted")
