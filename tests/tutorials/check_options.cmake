# What every tutorial answers to a question for help, and to what it does not understand.
# Run as: cmake -D PROGRAM=program -P check_options.cmake
cmake_minimum_required(VERSION 3.25)

# expect(CODE STREAM WORDS arguments...): the exit code, and words on `output` or `errors`.
function(expect expected stream words)
  execute_process(COMMAND ${PROGRAM} ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output
                  ERROR_VARIABLE errors)
  if(NOT code EQUAL expected OR NOT ${stream} MATCHES "${words}")
    message(SEND_ERROR "${PROGRAM} ${ARGN} ended with ${code}, not with ${expected} and "
                       "'${words}' among its ${stream}\n${output}\n${errors}")
  endif()
endfunction()

expect(0 output "--seed" --help)
expect(2 errors "--nonsense" --nonsense)
expect(2 errors "--seed" --seed)
expect(2 errors "minus" --seed minus)
expect(2 errors "-1" --seed -1)
