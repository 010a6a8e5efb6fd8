# What 00_first_look makes of words and files. Run as: cmake -D PROGRAM=program -P ...
cmake_minimum_required(VERSION 3.25)

function(expect expected stream words)
  execute_process(COMMAND ${PROGRAM} ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output
                  ERROR_VARIABLE errors)
  if(NOT code EQUAL expected OR NOT ${stream} MATCHES "${words}")
    message(SEND_ERROR "${PROGRAM} ${ARGN} ended with ${code}, not with ${expected} and "
                       "'${words}' among its ${stream}\n${output}\n${errors}")
  endif()
endfunction()

expect(0 output "unknown: Wibble.*king +1[.]00 +·.*queen +0[.]30 +0[.]70" King Wibble "queen")
expect(2 errors "none of these words has a vector" Wibble)
expect(2 errors "file \"/no/such/file\" cannot be read" --file /no/such/file)
expect(2 errors "give words or --file, not both" --file /no/such/file king)
