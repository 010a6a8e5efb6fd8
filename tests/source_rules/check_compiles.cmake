# Every source and every header compiles by itself, without precompiled headers and without a
# neighbor in a unity build that happens to include what it needs. The sources of the library are
# compiled in both precisions, all others once; generated sources are left to the builds that
# generate them. -fsyntax-only keeps all of it under eight minutes on two processors.
# Run as: cmake -D ROOT=folder -D FOLDER=folder [-D COMPILER=clang++] [-D ONLY=regex] -P check_compiles.cmake
# ONLY selects paths from ROOT, as in -D ONLY=^nn/text/.
cmake_minimum_required(VERSION 3.25)

find_program(make NAMES gmake make REQUIRED)
cmake_path(ABSOLUTE_PATH ROOT NORMALIZE)
cmake_path(ABSOLUTE_PATH FOLDER NORMALIZE)
set(compiler)
if(COMPILER)
  set(compiler -D CMAKE_CXX_COMPILER=${COMPILER})
endif()
execute_process(
  COMMAND ${CMAKE_COMMAND} -S ${ROOT} -B ${FOLDER}/build -G "Unix Makefiles" ${compiler}
          -D CMAKE_BUILD_TYPE=Debug -D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON
          -D CMAKE_EXPORT_COMPILE_COMMANDS=ON -D HEED_QUICK=OFF -D HEED_BENCHMARKS=ON
          -D HEED_EXERCISES_FOLDER=${FOLDER}/exercises
  OUTPUT_VARIABLE configured ERROR_VARIABLE configured RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "a plain build cannot be configured:\n${configured}")
endif()

# add_unit(NAME COMMAND): a target of units.make that runs a compiler and names what it refuses.
set(units)
set(rules "")
function(add_unit name command)
  list(LENGTH units count)
  string(REPLACE "$" "$$" command "${command}")
  string(APPEND rules "u${count}:\n\t@${command} || { echo '== ${name} does not compile by itself' >&2; exit 1; }\n")
  set(rules "${rules}" PARENT_SCOPE)
  set(units ${units} u${count} PARENT_SCOPE)
endfunction()

# The sources. No command has a semicolon or a bracket, which would mean something in a CMake list.
file(READ ${FOLDER}/build/compile_commands.json text)
string(REGEX REPLACE "^[^{]+" "" text "${text}")
string(REGEX REPLACE "[^}]+$" "" text "${text}")
string(REPLACE "},\n{" "};{" entries "${text}")
set(names)
foreach(entry IN LISTS entries)
  string(JSON source GET "${entry}" file)
  string(JSON folder GET "${entry}" directory)
  string(JSON command GET "${entry}" command)
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${ROOT} OUTPUT_VARIABLE name)
  if(name MATCHES "^(tensor|autograd|nn)/" AND command MATCHES "-DHEED_DOUBLE")
    set(name "${name} in double")
  endif()
  if(NOT EXISTS ${source} OR (ONLY AND NOT name MATCHES "${ONLY}"))
    continue()
  endif()
  string(REGEX REPLACE " -o [^ ]+" " -fsyntax-only" command "${command}")
  cmake_path(GET name PARENT_PATH room)
  string(REGEX MATCH "^[^/]*" floor "${room}")
  # For a header, the options of a source of its directory, or else of its top-level directory.
  string(REGEX REPLACE " -c [^ ]+$" "" options "${command}")
  if(NOT name MATCHES " in double$")
    set(options_${floor} "${options}")
    set(options_${room} "${options}")
  endif()
  # A test for both precisions counts in double, where it has more in it.
  if(NOT name IN_LIST names OR command MATCHES "-DHEED_DOUBLE")
    list(APPEND names ${name})
    set("command_${name}" "cd ${folder} && ${command}")
  endif()
endforeach()
list(REMOVE_DUPLICATES names)
foreach(name IN LISTS names)
  add_unit("${name}" "${command_${name}}")
endforeach()
list(LENGTH units sources)
set(proved 0)

file(GLOB_RECURSE headers RELATIVE ${ROOT} ${ROOT}/tensor/*.h ${ROOT}/autograd/*.h ${ROOT}/nn/*.h
     ${ROOT}/tutorials/*.h ${ROOT}/tests/*.h)
foreach(header IN LISTS headers)
  # The source of a header's name, if it includes the header before anything else, is its proof.
  string(REGEX REPLACE "[.]h$" ".cpp" source ${header})
  cmake_path(GET header FILENAME file)
  if(source IN_LIST names)
    file(STRINGS ${ROOT}/${source} includes REGEX "^#include" LIMIT_COUNT 1)
    if(includes MATCHES "[\"/]${file}\"$")
      math(EXPR proved "${proved} + 1")
      continue()
    endif()
  endif()
  cmake_path(GET header PARENT_PATH room)
  string(REGEX MATCH "^[^/]*" floor "${room}")
  if(NOT DEFINED options_${room})
    set(options_${room} "${options_${floor}}")
  endif()
  if(options_${room} AND (NOT ONLY OR header MATCHES "${ONLY}"))
    add_unit(${header} "cd ${ROOT} && ${options_${room}} -x c++ -include ${ROOT}/${header} /dev/null")
  endif()
endforeach()
list(LENGTH units all)
math(EXPR headers "${all} - ${sources} + ${proved}")

list(JOIN units " " units)
file(WRITE ${FOLDER}/units.make ".PHONY: all ${units}\nall: ${units}\n${rules}")
cmake_host_system_information(RESULT processors QUERY NUMBER_OF_LOGICAL_CORES)
string(TIMESTAMP start %s)
execute_process(COMMAND ${make} --keep-going --output-sync=target --silent --jobs=${processors}
                        --file=${FOLDER}/units.make
                ERROR_VARIABLE errors RESULT_VARIABLE result)
string(TIMESTAMP end %s)
math(EXPR seconds "${end} - ${start}")
if(NOT result EQUAL 0)
  string(REGEX MATCHALL "\n== [^\n]*" refused "\n${errors}")
  list(LENGTH refused count)
  list(JOIN refused "" refused)
  message("${errors}")  # as the compiler wrote it
  message("${count} of ${all} units do not compile by themselves:${refused}")
  message(FATAL_ERROR "a source or header relies on what another one includes")
endif()
message(STATUS "${sources} sources and ${headers} headers compile by themselves (${seconds} s)")
