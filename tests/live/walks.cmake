# Recorded walks, in the build that has them to record: Debug. One lesson; with HEED_ALL_SEEDS, all.
if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug" OR
   "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_DEBUG}" MATCHES "-fsanitize")
  return()
endif()

# heed_walk_test(name script arguments...): a Python script that records walks.
function(heed_walk_test name script)
  heed_test_with("gdb;python3" walk.${name}
                 ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/${script} ${HEED_GDB}
                 ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/walks ${ARGN})
  set_tests_properties(walk.${name} PROPERTIES LABELS "debugger;pages" TIMEOUT 900)
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
  if(NOT program)
    continue()  # with HEED_OWN_ATTENTION no test applies to this lesson
  endif()
  heed_walk_test(${number} check_walk.py $<TARGET_FILE:${program}> ${walk})
endforeach()
heed_walk_test(errors check_walk_errors.py $<TARGET_FILE:08_causal_attention> ${CMAKE_CXX_COMPILER})
