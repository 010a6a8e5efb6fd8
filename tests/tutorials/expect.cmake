# expect(CODE STREAM WORDS arguments...): how PROGRAM ends, and words on `output` or `errors`.
function(expect expected stream words)
  execute_process(COMMAND ${PROGRAM} ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output
                  ERROR_VARIABLE errors)
  if(NOT code EQUAL expected OR NOT ${stream} MATCHES "${words}")
    message(SEND_ERROR "${PROGRAM} ${ARGN} ended with ${code}, not with ${expected} and "
                       "'${words}' among its ${stream}\n${output}\n${errors}")
  endif()
endfunction()
