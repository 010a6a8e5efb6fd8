# Records the walks of lessons, in the folder of the book; with a Debug build, where one can step
# through, in the folder of the preset `debug`. Included by book.cmake, for SOURCE, NAMES and BOOK;
# adds to `failed` what did not work.
find_program(gdb gdb)
include(${CMAKE_CURRENT_LIST_DIR}/../../../tests/find_tools.cmake)
find_python("json")

# The lessons of which there is a walk, and the targets to build for them.
file(GLOB walks ${CMAKE_CURRENT_LIST_DIR}/walks/*.gdb)
set(walked)
foreach(walk IN LISTS walks)
  cmake_path(GET walk STEM number)
  set(name ${names})
  list(FILTER name INCLUDE REGEX "^${number}_")
  list(APPEND walked ${name})
  file(REMOVE ${BOOK}/${name}.walk.html)
endforeach()

function(build_for_walks result)
  unset(ENV{MAKEFLAGS})  # of the outer build
  cmake_host_system_information(RESULT jobs QUERY NUMBER_OF_LOGICAL_CORES)
  execute_process(COMMAND ${CMAKE_COMMAND} --preset debug WORKING_DIRECTORY ${SOURCE}
                  OUTPUT_QUIET RESULT_VARIABLE code)
  if(code EQUAL 0)
    execute_process(COMMAND ${CMAKE_COMMAND} --build ${SOURCE}/build/debug --parallel ${jobs}
                            --target ${walked} RESULT_VARIABLE code)
  endif()
  set(${result} ${code} PARENT_SCOPE)
endfunction()

function(record_walk name result)
  string(SUBSTRING ${name} 0 2 number)
  execute_process(
    COMMAND ${python} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/record.py
            ${SOURCE}/build/debug/tutorials/${name} ${BOOK}/${name}.walk.html --gdb ${gdb}
            --script ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/walks/${number}.gdb
            --link "The lesson" ${name}.html --link "All lessons" index.html
    OUTPUT_QUIET ERROR_VARIABLE errors RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    print("FAILED, exit code ${code}\n${errors}")
  endif()
  set(${result} ${code} PARENT_SCOPE)
endfunction()

if(NOT gdb OR NOT python)
  print("\nWalks through the lessons' code are left out: they are recorded with gdb and python3 (on Debian: apt-get install gdb python3).")
  return()
endif()
print("\nWalks through the lessons' code are recorded; first the lessons are built for stepping through.\n")
build_for_walks(code)
if(NOT code EQUAL 0)
  list(APPEND failed "the build for walks")
  return()
endif()
foreach(name IN LISTS walked)
  begin_line(${name}.walk)
  string(TIMESTAMP before %s)
  record_walk(${name} code)
  string(TIMESTAMP after %s)
  if(NOT code EQUAL 0)
    list(APPEND failed ${name}.walk)
    continue()
  endif()
  math(EXPR seconds "${after} - ${before}")
  file(SIZE ${BOOK}/${name}.walk.html size)
  math(EXPR size "(${size} + 999) / 1000")
  print("${seconds} s, ${size} kB")
endforeach()
