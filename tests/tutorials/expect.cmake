# expect(CODE STREAM WORDS arguments...): PROGRAM exits with CODE and WORDS are on `output` or
# `errors`.
function(expect expected stream words)
  execute_process(COMMAND ${PROGRAM} ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output
                  ERROR_VARIABLE errors)
  if(NOT code EQUAL expected OR NOT ${stream} MATCHES "${words}")
    message(SEND_ERROR "${PROGRAM} ${ARGN} ended with ${code}, not with ${expected} and "
                       "'${words}' among its ${stream}\n${output}\n${errors}")
  endif()
endfunction()

# expect_refusal(WORDS arguments...): exit code 2, WORDS among the errors, and nothing is printed
# before.
function(expect_refusal words)
  expect(2 errors "${words}" ${ARGN})
  execute_process(COMMAND ${PROGRAM} ${ARGN} OUTPUT_VARIABLE output ERROR_QUIET)
  if(NOT output STREQUAL "")
    message(SEND_ERROR "${ARGN}: printed before the error:\n${output}")
  endif()
endfunction()

# output_with(RESULT ENVIRONMENT arguments...): the output of PROGRAM where only ENVIRONMENT, such
# as "NO_COLOR=1", is set of the variables that choose colours.
function(output_with result environment)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=NO_COLOR --unset=FORCE_COLOR
                          --unset=COLORTERM --unset=TERM ${environment} ${PROGRAM} ${ARGN}
                  RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  if(NOT code EQUAL 0)
    message(SEND_ERROR "${environment} ${PROGRAM} ${ARGN} ended with ${code}\n${errors}")
  endif()
  set(${result} "${output}" PARENT_SCOPE)
endfunction()

string(ASCII 27 escape)

# `output` must have colours or not, as `expected` says; without them it must equal `plain`.
function(expect_colors expected what output plain)
  string(FIND "${output}" "${escape}[" found)
  string(REGEX REPLACE "${escape}\\[[0-9;]*m" "" stripped "${output}")
  if(found EQUAL -1 AND expected OR NOT found EQUAL -1 AND NOT expected)
    message(SEND_ERROR "${PROGRAM} ${what}: colours expected: ${expected}")
  endif()
  if(NOT stripped STREQUAL plain)
    message(SEND_ERROR "${PROGRAM} ${what} differs in more than colours")
  endif()
endfunction()

# `output` of --color always: coloured if the lesson draws weights, and otherwise as `plain`.
function(expect_drawn_in_colors output plain)
  set(draws FALSE)
  if(plain MATCHES "rows: queries, columns: keys|The mean weight on the key|looks, in per cent")
    set(draws TRUE)
  endif()
  expect_colors(${draws} "--color always" "${output}" "${plain}")
endfunction()
