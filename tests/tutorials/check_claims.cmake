# Runs a tutorial with seeds 2 to LAST: its claims must not hold by luck. (Seed 1 is that of the
# transcript.) Run as: cmake -D PROGRAM=program -D LAST=100 -P check_claims.cmake
cmake_minimum_required(VERSION 3.25)

set(failed "")
foreach(seed RANGE 2 ${LAST})
  execute_process(COMMAND ${PROGRAM} --seed ${seed} OUTPUT_VARIABLE output ERROR_VARIABLE output
                  RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    list(APPEND failed ${seed})
    set(last "${output}")
  endif()
endforeach()
if(failed)
  message("${last}")
  message(FATAL_ERROR "${PROGRAM} fails with the seeds ${failed}; above, the last of them")
endif()
