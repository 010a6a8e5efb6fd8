# Recorded walks, in the build that has them to record: Debug. One lesson; with HEED_ALL_SEEDS, all.
find_program(HEED_GDB gdb)
if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug" OR
   "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_DEBUG}" MATCHES "-fsanitize")
  return()
endif()

# heed_walk_test(name script arguments...): a Python script that records walks.
function(heed_walk_test name script)
  if(Python3_Interpreter_FOUND AND HEED_GDB)
    add_test(NAME walk.${name} COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/${script}
             ${HEED_GDB} ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/walks ${ARGN})
  else()
    add_test(NAME walk.${name}
             COMMAND ${CMAKE_COMMAND} -E echo "skipped, since there is no gdb or no python3")
  endif()
  set_tests_properties(walk.${name} PROPERTIES LABELS "debugger;pages" TIMEOUT 900
                       SKIP_REGULAR_EXPRESSION "skipped, since there is no gdb")
endfunction()

file(GLOB walks CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tutorials/live/walk/walks/*.gdb)
get_property(walked GLOBAL PROPERTY HEED_TUTORIAL_PROGRAMS)
foreach(walk IN LISTS walks)
  cmake_path(GET walk STEM number)
  if(NOT number STREQUAL "08" AND NOT HEED_ALL_SEEDS)
    continue()
  endif()
  set(program ${walked})
  list(FILTER program INCLUDE REGEX "^${number}_")
  heed_walk_test(${number} check_walk.py $<TARGET_FILE:${program}> ${walk})
endforeach()
heed_walk_test(errors check_walk_errors.py $<TARGET_FILE:08_causal_attention> ${CMAKE_CXX_COMPILER})
