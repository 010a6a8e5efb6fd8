# Runs a tutorial and compares its output, byte for byte, with its transcript.
# Run as: cmake -D PROGRAM=program -D TRANSCRIPT=NN.txt -D OUTPUT=file [-D UPDATE=ON]
#               [-D RUNNER=what,runs,it] -P ...
cmake_minimum_required(VERSION 3.25)

foreach(variable NO_COLOR FORCE_COLOR COLUMNS)
  unset(ENV{${variable}})
endforeach()
string(REPLACE "," ";" runner "${RUNNER}")
execute_process(COMMAND ${runner} ${PROGRAM} OUTPUT_FILE ${OUTPUT} ERROR_VARIABLE errors RESULT_VARIABLE code)
if(NOT code EQUAL 0 OR errors)
  file(READ ${OUTPUT} output)
  message("${output}${errors}")
  message(FATAL_ERROR "${PROGRAM} ended with ${code}, or wrote to its error stream")
endif()

if(UPDATE)
  file(COPY_FILE ${OUTPUT} ${TRANSCRIPT})
  return()
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${TRANSCRIPT} ${OUTPUT}
                RESULT_VARIABLE differs ERROR_QUIET)
if(differs)
  execute_process(COMMAND diff -u ${TRANSCRIPT} ${OUTPUT} OUTPUT_VARIABLE difference
                  ERROR_VARIABLE difference)
  message("${difference}")
  message(FATAL_ERROR "${PROGRAM} does not print what ${TRANSCRIPT} says. If it is the transcript "
                      "that is old, build the target update_transcripts.")
endif()
