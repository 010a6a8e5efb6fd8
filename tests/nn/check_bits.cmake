# The frozen bits with one set of kernels, if this machine can run them.
# Run as: cmake -D PROGRAM=heed_tests -D KERNELS=avx2 -P check_bits.cmake
cmake_minimum_required(VERSION 3.25)

execute_process(COMMAND ${CMAKE_COMMAND} -E env HEED_KERNELS=${KERNELS} ${PROGRAM} "[bits]"
                RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE said)
message("${said}")
if(said MATCHES "which this machine cannot run")
  message("skipped: needs ${KERNELS} (a processor that has it)")
elseif(NOT code EQUAL 0)
  message(FATAL_ERROR "with HEED_KERNELS=${KERNELS} it ended with ${code}")
endif()
