# Skipped tests are named with the packages that would run them: a small project whose tests are
# skipped, in every way, is run by ctest, and skipped.cmake reads its log.
# Run as: cmake -D FOLDER=scratch -P check_skips.cmake
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${FOLDER})

# run_tests(text): runs a project with these tests.
function(run_tests text)
  file(WRITE ${FOLDER}/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)
project(skips NONE)
enable_testing()
include(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/skips.cmake)
set(tool_here ON)
set(tool_away OFF)
set(tool_far tool_far-NOTFOUND)
set(say \${CMAKE_COMMAND} -E echo)
function(part name)
  add_test(NAME \${name}
           COMMAND sh -c \"echo '[;ü'; echo 'skipped in part: needs far (apt-get install far)'\")
  heed_may_skip(\${name})
endfunction()
${text}")
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${FOLDER} -B ${FOLDER}/build COMMAND_ERROR_IS_FATAL ANY
                  OUTPUT_QUIET)
  execute_process(COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${FOLDER}/build OUTPUT_VARIABLE said
                  ERROR_VARIABLE said)
  set(said "${said}" PARENT_SCOPE)
endfunction()

# expect(result words options...): skipped.cmake `passed` or `failed`, with these words.
function(expect result words)
  execute_process(COMMAND ${CMAKE_COMMAND} -D LOG=${FOLDER}/build/Testing/Temporary/LastTest.log ${ARGN}
                          -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/skipped.cmake
                  RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(code)  # CMake breaks the lines of an error
    string(REGEX REPLACE "[ \n]+" " " output "${output}")
  endif()
  string(FIND "${output}" "${words}" position)
  if((code EQUAL 0 AND result STREQUAL "failed") OR (NOT code EQUAL 0 AND result STREQUAL "passed")
     OR position EQUAL -1)
    message(SEND_ERROR "with '${ARGN}' it should have ${result} with '${words}':\n${output}")
  endif()
endfunction()

run_tests([[
heed_test_with(here runs ${say} fine)
heed_test_with("here;away" whole ${say} fine)
heed_test_with("away;far" both ${say} fine)
part(partly)
]])
if(NOT said MATCHES "runs [ .]+Passed" OR NOT said MATCHES "whole [ .*]+Skipped"
   OR NOT said MATCHES "both [ .*]+Skipped" OR NOT said MATCHES "partly [ .]+Passed")
  message(SEND_ERROR "ctest took one of the tests for something else:\n${said}")
endif()
set(summary "3 of 4 tests were skipped, 1 of them in part:
  2 need far (apt-get install far)
       both, partly
  2 need away (apt-get install away)
       whole, both
")
expect(passed "${summary}")
expect(passed "${summary}" -D MAY_SKIP=away,far)
expect(failed "should run: install far" -D MAY_SKIP=away)
expect(failed "should run: install away, far" -D MAY_SKIP=)

run_tests([[
heed_test_with(here runs ${say} fine)
]])
expect(passed "None of 1 tests was skipped.")
expect(passed "None of 1 tests was skipped." -D MAY_SKIP=)

# A failure beside a skipped part is a failure, and a reason in another form is not accepted.
run_tests([[
add_test(NAME fails COMMAND sh -c "echo 'skipped in part: needs far (apt-get install far)'; exit 1")
heed_may_skip(fails)
]])
if(NOT said MATCHES "fails [ .*]+Failed")
  message(SEND_ERROR "a failure beside a skipped part is no failure:\n${said}")
endif()
expect(passed "1 of 1 tests were skipped, 1 of them in part:\n  1 needs far (apt-get install far)\n")
run_tests([[
foreach(words "nobody knows why" "skipped: needs far" "skipped: needs far (apt-get" "skipped: far (x)")
  add_test(NAME ${words} COMMAND ${say} "${words}")
  set_tests_properties(${words} PROPERTIES SKIP_REGULAR_EXPRESSION "nobody|skipped")
endforeach()
]])
foreach(name "nobody knows why" "skipped: needs far" "skipped: needs far (apt-get" "skipped: far (x)")
  expect(failed "${name} was skipped and does not say")
endforeach()
file(REMOVE ${FOLDER}/build/Testing/Temporary/LastTest.log)
expect(failed "LastTest.log: ctest writes it")
file(WRITE ${FOLDER}/build/Testing/Temporary/LastTest.log "Start testing\n")
expect(failed "names no test")

# need(): a script that lacks a tool says so and ends; with its tools it goes on.
file(WRITE ${FOLDER}/needs.cmake "include(${CMAKE_CURRENT_LIST_DIR}/find_tools.cmake)
function(lacks)\n  need(\${ARGV})\n  message(goes on)\nendfunction()
lacks(far)\nlacks(near MODULES sys,far COMMAND [[get far]])\nlacks(python3 MODULES sys)\nlacks(sh)\n")
execute_process(COMMAND ${CMAKE_COMMAND} -P ${FOLDER}/needs.cmake ERROR_VARIABLE said)
if(NOT said STREQUAL "skipped: needs far (apt-get install far)
skipped: needs near (get far)\ngoeson\ngoeson\n")
  message(SEND_ERROR "need() is wrong:\n${said}")
endif()
file(REMOVE_RECURSE ${FOLDER})

# expect_standard_form(folder refused): the scripts of this folder report a skip in the standard form,
# which heed_may_skip() declares, except for the text `refused`.
function(expect_standard_form folder refused)
  set(standard "[(]\"skipped( in part)?: needs [^ ,()\"]+ [(][^()\"]+[)]\"[)]")
  set(other "(message|print|echo)[( ][^\n]*([Ss]kip|[Mm]issing|[Ll]eft out|[Nn]ot (tried|tested))[^\n]*")
  string(APPEND other "|SKIP_(REGULAR_EXPRESSION|RETURN_CODE)[^\n]*")
  file(GLOB_RECURSE scripts ${folder}/CMakeLists.txt ${folder}/*.cmake ${folder}/*.py)
  list(FILTER scripts EXCLUDE REGEX "/(check_skips|skips|skipped)[.]cmake$")
  set(texts)
  foreach(script IN LISTS scripts)
    file(READ ${script} text)
    string(REGEX REPLACE "\n +(f?\")" " \\1" text "${text}")  # a text may begin in the next line
    string(REGEX REPLACE "${standard}|(SEND|FATAL)_ERROR[^\n]*" "" text "${text}")
    if(text MATCHES "${other}")
      string(APPEND texts "${script}: ${CMAKE_MATCH_0}\n")
    endif()
  endforeach()
  if(refused)
    set(refused "${folder}/${refused}\n")
  endif()
  if(NOT "${texts}" STREQUAL "${refused}")
    message(SEND_ERROR "these texts, not '${refused}', have a form of their own:\n${texts}")
  endif()
endfunction()
expect_standard_form(${CMAKE_CURRENT_LIST_DIR} "")
foreach(planted "a.cmake: message(STATUS \"python3 is missing: the part about terminals was skipped\")"
                "a.cmake: message(STATUS \"skipped in part: needs far (apt-get install far)\")"
                "a.cmake: message(\"skipped: needs far here\")" "a.cmake: message(\"No part is left out: b\")"
                "a.cmake: message(\"far is missing\")" "b/a.py: print(f\"not tried: {far}\")"
                "a.py: print(far, \"not tested\")" "b/CMakeLists.txt: SKIP_RETURN_CODE 77)"
                "CMakeLists.txt: echo Skipped)")
  string(REGEX MATCH "^([^:]+): (.*)$" all "${planted}")
  string(REPLACE ", \"" ",\n      \"" text "${CMAKE_MATCH_2}")
  file(WRITE ${FOLDER}/${CMAKE_MATCH_1} "message(\"skipped: needs far (near)\")\n"
       "message(FATAL_ERROR\n    \"far is missing\")\n${text}\n")
  expect_standard_form(${FOLDER} "${planted}")
  file(REMOVE_RECURSE ${FOLDER})
endforeach()
