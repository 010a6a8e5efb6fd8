# The same lines from this machine's fused multiply-add and from WebAssembly's, which is software.
# Run as: cmake -D PROGRAM=program -D SCRIPT=program.js -D RUNNER=what,runs,it -D FOLDER=folder -P ...
cmake_minimum_required(VERSION 3.25)

string(REPLACE "," ";" runner "${RUNNER}")
execute_process(COMMAND ${PROGRAM} OUTPUT_FILE ${FOLDER}/fma_native.txt COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${runner} ${SCRIPT} OUTPUT_FILE ${FOLDER}/fma_wasm.txt
                COMMAND_ERROR_IS_FATAL ANY)
file(STRINGS ${FOLDER}/fma_native.txt native)
list(LENGTH native count)
if(NOT count EQUAL 3000)
  message(FATAL_ERROR "${PROGRAM} printed ${count} lines, not 3000")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${FOLDER}/fma_native.txt
                ${FOLDER}/fma_wasm.txt RESULT_VARIABLE differs)
if(differs)
  message(FATAL_ERROR "fma_native.txt and fma_wasm.txt in ${FOLDER} differ")
endif()
