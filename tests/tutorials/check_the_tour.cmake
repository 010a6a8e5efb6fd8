# The tour builds its first lesson, says how long the rest takes, builds it without a line for each file,
# reports for each lesson whether its claims held, runs all, and fails if one did; the lessons are
# those of a small project.
# Run as: cmake -D TOUR=tour.cmake -D FOLDER=folder -D COMPILER=c++ -P check_the_tour.cmake
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../find_tools.cmake)
find_python("pty")

file(REMOVE_RECURSE ${FOLDER})
set(project "cmake_minimum_required(VERSION 3.25)\nproject(small LANGUAGES CXX)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)\nadd_library(heed STATIC")
foreach(number RANGE 1 24)
  file(WRITE ${FOLDER}/part_${number}.cpp "int part_${number}() { return ${number}; }\n")
  string(APPEND project " part_${number}.cpp")
endforeach()
string(APPEND project ")\nlink_libraries(heed)\n")
foreach(lesson "00_good:puts(\"  checked: a [0, 1)@ b\\n  checked: c\")"
               "01_wrong:puts(\"  checked: a\\n  FALSE: 1 [0, 1)\\n         of 2\"), exit(1)"
               "02_ended:puts(\"  checked: a\"), exit(2)"
               "03_warns:puts(\"  checked: a\"), fputs(\"careful\\n\", stderr)"
               "04_denies:puts(\"  FALSE: a\")" "05_not_compiled:undeclared()" "06_last:puts(\"\")")
  string(REGEX MATCH "^([^:]*):(.*)$" all "${lesson}")
  string(REPLACE "@" ";" statement "${CMAKE_MATCH_2}")
  file(WRITE ${FOLDER}/${CMAKE_MATCH_1}.cpp
       "#include <cstdio>\n#include <cstdlib>\nusing namespace std;\nint main() { ${statement}; }\n")
  string(APPEND project "add_executable(${CMAKE_MATCH_1} ${CMAKE_MATCH_1}.cpp)\n")
endforeach()
file(WRITE ${FOLDER}/CMakeLists.txt "${project}")
set(build ${FOLDER}/build)
execute_process(COMMAND ${CMAKE_COMMAND} -S ${FOLDER} -B ${build} -D CMAKE_CXX_COMPILER=${COMPILER}
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

# expect_tour(PART CODE NAMES PATTERNS...): of lessons NAMES, with exit code CODE; no compiler line.
function(expect_tour part code names)
  execute_process(COMMAND ${terminal} ${CMAKE_COMMAND} -D PART=${part} -D NAMES=${names} -D BUILD=${build}
                          -D PROGRAMS=${build} -D ROOT=${FOLDER} -D TRANSCRIPTS=${build}/transcripts
                          -P ${TOUR}
                  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE ended)
  if(NOT ended EQUAL code OR output MATCHES "Building CXX")
    message(SEND_ERROR "the tour of ${names} ends with ${ended}, not ${code}:\n${output}")
  endif()
  foreach(pattern IN LISTS ARGN)
    if(NOT output MATCHES "${pattern}")
      message(SEND_ERROR "the tour of ${names} does not say ${pattern}:\n${output}")
    endif()
  endforeach()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# expect_text(FILE PATTERN)
function(expect_text file pattern)
  file(READ ${file} text)
  if(NOT text MATCHES "^${pattern}$")
    message(SEND_ERROR "${file} has\n${text}\nand not ${pattern}")
  endif()
endfunction()

set(speed ${build}/first_part_of_the_tour.txt)
expect_tour(1 0 00_good,01_wrong "Lesson 00 needs 25 files")
expect_text(${speed} "25;[0-9]+")
expect_tour(2 0 00_good "That was lesson 00.*\n  build/00_good fruit flies"
            "00_good +all 2 claims held, [0-9]+ s: build/transcripts/00.txt\n" "Next, lesson 01")
if(output MATCHES "are built")
  message(SEND_ERROR "files are said to be compiled that are there:\n${output}")
endif()
expect_text(${build}/transcripts/00.txt "  checked: a .0, 1.; b\n  checked: c\n")

file(WRITE ${speed} "30;3000")
expect_tour(2 1 01_wrong,00_good "built: 1 files, about 2 minutes at the speed of the first 30[.]\n"
            "01_wrong +FAILED, exit code 1, false claims 1, .*/01.txt\n"
            "\n  FALSE: 1  0, 1\\)\n         of 2\n00_good +all 2" "lessons failed: 01\n")
file(WRITE ${speed} "30;300")
expect_tour(2 1 02_ended,00_good "built: 1 files, less than a minute at the speed"
            "02_ended +FAILED, exit code 2, false claims 0" "00_good +all 2")
file(WRITE ${speed} "20;300")
expect_tour(2 1 03_warns "built: 1 files[.]\n" "03_warns +FAILED, exit code 0.*\ncareful\n")
expect_tour(2 1 04_denies "04_denies +FAILED, exit code 0, false claims 1.*\n  FALSE: a\n")
expect_tour(2 1 00_good,05_not_compiled "/05_not_compiled.cpp:[^\n]* error: .*undeclared.*The build failed")
if(output MATCHES "00_good +all")
  message(SEND_ERROR "lessons run although one was not built:\n${output}")
endif()

# In a terminal, one line shows how many files were compiled.
if(python)
  file(WRITE ${FOLDER}/terminal.py "import os, pty, sys
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))
")
  set(terminal ${python} ${FOLDER}/terminal.py)
  string(ASCII 13 return)
  expect_tour(2 0 06_last "${return}  compiling file 1 of 1 ${return} +${return}")
else()
  message("skipped in part: needs python3 (apt-get install python3)")
endif()
