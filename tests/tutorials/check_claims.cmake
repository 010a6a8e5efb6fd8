# Runs a tutorial with many seeds: its claims must not hold by luck. (Seed 1 is that of the
# transcript.) Run as: cmake -D PROGRAM=program -D SEEDS=2-100,large -P check_claims.cmake
# where SEEDS has numbers, ranges, and `large` for twenty numbers from 209 to 2^64 - 1.
cmake_minimum_required(VERSION 3.25)

set(large 209 4242 65537 1000003 20240101 2147483647 2147483648 4294967295 4294967296 4294967297
    1000000000039 9007199254740991 9007199254740992 123456789012345678 4611686018427387904
    9223372036854775807 9223372036854775808 11400714819323198485 18446744073709551614
    18446744073709551615)

string(REPLACE "," ";" asked "${SEEDS}")
set(seeds "")
foreach(some IN LISTS asked)
  if(some STREQUAL "large")
    list(APPEND seeds ${large})
  elseif(some MATCHES "^([0-9]+)-([0-9]+)$")
    foreach(seed RANGE ${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
      list(APPEND seeds ${seed})
    endforeach()
  elseif(some MATCHES "^[0-9]+$")
    list(APPEND seeds ${some})
  else()
    message(FATAL_ERROR "SEEDS has numbers, ranges like 2-100, and large; not \"${some}\"")
  endif()
endforeach()
if(NOT seeds)
  message(FATAL_ERROR "no seeds: -D SEEDS=2-100,large")
endif()

set(failed "")
string(TIMESTAMP start %s)
foreach(seed IN LISTS seeds)
  execute_process(COMMAND ${PROGRAM} --seed ${seed} OUTPUT_VARIABLE output ERROR_VARIABLE errors
                  RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    string(REGEX MATCHALL "  FALSE: [^\n]*(\n         [^\n]*)*" claims "${output}")
    string(REGEX REPLACE "\n +" " " claims "${claims}")
    list(JOIN claims "\n" claims)
    message("seed ${seed}: exit code ${code}\n${claims}\n${errors}")
    list(APPEND failed ${seed})
  endif()
endforeach()
string(TIMESTAMP end %s)
math(EXPR seconds "${end} - ${start}")
list(LENGTH seeds count)
message("${PROGRAM}: ${count} seeds, ${seconds} s")
if(failed)
  message(FATAL_ERROR "${PROGRAM} fails with the seeds ${failed}")
endif()
