# Runs a lesson on a user's own attention and checks its exit code and output.
# Run as: cmake -D PROGRAM=program -D ANSWER=which -D CODE=exit code -D OUTPUT=regex -D ERRORS=regex
#               [-D TRANSCRIPT=NN.txt, which must be printed] -P check_own_attention.cmake
cmake_minimum_required(VERSION 3.25)

execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=NO_COLOR --unset=FORCE_COLOR --unset=COLUMNS
                        HEED_OWN_ANSWER=${ANSWER} ${PROGRAM}
                OUTPUT_VARIABLE output ERROR_VARIABLE errors RESULT_VARIABLE code)
if(NOT code STREQUAL CODE OR NOT output MATCHES "${OUTPUT}" OR NOT errors MATCHES "${ERRORS}")
  message(FATAL_ERROR "${PROGRAM} ended with ${code}, not ${CODE}; or nothing like '${OUTPUT}' is "
                      "in what it prints, or nothing like '${ERRORS}' in\n${errors}\n${output}")
endif()
if(NOT errors MATCHES "nn attends by your own attention")
  message(FATAL_ERROR "${PROGRAM} does not say whose attention it is")
endif()
if(TRANSCRIPT)
  file(READ ${TRANSCRIPT} transcript)
  if(NOT output STREQUAL transcript)
    message(FATAL_ERROR "${PROGRAM} prints something else than ${TRANSCRIPT}\n${output}")
  endif()
endif()
