# Installs heed into a scratch folder and builds the projects beside this file against it.
# Run as: cmake -D BUILD=build -D SOURCE=source -D FOLDER=scratch -D COMPILER=c++ -D FLAGS=...
#               -D LAUNCHER=... -P check.cmake
cmake_minimum_required(VERSION 3.25)

set(here ${CMAKE_CURRENT_LIST_DIR})
set(prefix ${FOLDER}/prefix)
file(REMOVE_RECURSE ${FOLDER})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    list(JOIN ARGN " " command)
    message("${output}")
    message(FATAL_ERROR "failed: ${command}")
  endif()
endfunction()

set(options -D CMAKE_CXX_COMPILER=${COMPILER} "-DCMAKE_CXX_FLAGS=${FLAGS} -O0"
            -D CMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} -D CMAKE_PREFIX_PATH=${prefix}
            -D HEED_INCLUDE=${prefix}/include/heed -D HEED_FOLDER=${SOURCE})

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
if(NOT EXISTS ${prefix}/share/doc/heed/LICENSE)
  message(FATAL_ERROR "the licence was not installed")
endif()
if(EXISTS ${prefix}/include/heed/tensor/kernels OR NOT EXISTS ${prefix}/include/heed/tensor/tensor.h)
  message(FATAL_ERROR "the wrong headers were installed")
endif()

find_program(gdb gdb)
if(gdb)
  execute_process(COMMAND ${gdb} -nx -batch -x ${prefix}/share/heed/debugger/init.gdb -ex "help tensor"
                  OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT said MATCHES "^tensor X: ")
    message(FATAL_ERROR "the installed init.gdb says ${said}")
  endif()
endif()

# With add_subdirectory the library would be compiled again, which takes a minute and tests nothing
# new: there the program is only compiled; it is linked and run against the installed library.
foreach(project find_package add_subdirectory)
  run(${CMAKE_COMMAND} -S ${here}/${project} -B ${FOLDER}/${project} ${options})
  run(${CMAKE_COMMAND} --build ${FOLDER}/${project} --parallel 2 --target programs)
  message(STATUS "${project} works")
endforeach()
run(${FOLDER}/find_package/consumer)
run(${FOLDER}/find_package/consumer_double)

# The project that readers copy.
run(${CMAKE_COMMAND} -S ${here}/example -B ${FOLDER}/example ${options})
run(${CMAKE_COMMAND} --build ${FOLDER}/example)
run(${FOLDER}/example/example)

# What README.md says `trains` prints.
execute_process(COMMAND ${FOLDER}/example/trains OUTPUT_VARIABLE printed)
file(READ ${SOURCE}/README.md readme)
string(FIND "${readme}" "```\n${printed}```\n" place)
if(printed STREQUAL "" OR place EQUAL -1)
  message(FATAL_ERROR "README.md does not show what trains prints:\n${printed}")
endif()

# What `looks` writes, and that a program that sets no colours has those of its environment.
run(${CMAKE_COMMAND} -E chdir ${FOLDER}/example ${FOLDER}/example/looks)
foreach(file attention.html head_2.svg attention.safetensors)
  if(NOT EXISTS ${FOLDER}/example/${file})
    message(FATAL_ERROR "looks did not write ${file}")
  endif()
endforeach()
execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=NO_COLOR FORCE_COLOR=3 ${FOLDER}/example/looks
                WORKING_DIRECTORY ${FOLDER}/example OUTPUT_VARIABLE colored)
execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=FORCE_COLOR NO_COLOR=1 ${FOLDER}/example/looks
                WORKING_DIRECTORY ${FOLDER}/example OUTPUT_VARIABLE plain)
string(ASCII 27 escape)
if(NOT colored MATCHES "${escape}" OR plain MATCHES "${escape}" OR
   NOT plain MATCHES "arrow +0\\.[0-9][0-9]" OR NOT plain MATCHES "[0-9]+ bytes were recorded")
  message(FATAL_ERROR "looks printed\n${plain}and with colours\n${colored}")
endif()
# expect(WORDS command...): it fails, and says why.
function(expect words)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(code EQUAL 0 OR NOT output MATCHES "${words}")
    message("${output}")
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "not refused with '${words}': ${command}")
  endif()
endfunction()

expect("config.json.: there is no such file" ${FOLDER}/example/writes_on ${FOLDER} "time flies")
message(STATUS "the example works")

# A project with -ffast-math in its flags is told so, and with one more flag has the same numbers.
run(${CMAKE_COMMAND} -S ${here}/fast_math -B ${FOLDER}/fast_math ${options})
run(${CMAKE_COMMAND} --build ${FOLDER}/fast_math --target programs)
run(${FOLDER}/fast_math/taken)
expect("heed needs infinities" ${CMAKE_COMMAND} --build ${FOLDER}/fast_math --target refused)
expect("this thread rounds the smallest numbers to zero" ${FOLDER}/fast_math/flushing)
message(STATUS "-ffast-math changes nothing")

# What programs need to run, and what is needed to compile them.
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${FOLDER}/runtime --component heed_runtime)
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${FOLDER}/development
    --component heed_development)
file(GLOB_RECURSE all RELATIVE ${prefix} ${prefix}/*)
file(GLOB_RECURSE runtime RELATIVE ${FOLDER}/runtime ${FOLDER}/runtime/*)
file(GLOB_RECURSE development RELATIVE ${FOLDER}/development ${FOLDER}/development/*)
set(both ${runtime} ${development})
list(SORT both)
list(SORT all)
if(NOT both STREQUAL all OR "include/heed/heed.h" IN_LIST runtime
   OR NOT "include/heed/heed.h" IN_LIST development)
  message(FATAL_ERROR "the components are not the whole: ${runtime} and ${development}")
endif()
message(STATUS "the two components are all there is")

expect("HEED_PRECISION"
       ${CMAKE_COMMAND} -S ${here}/both_precisions -B ${FOLDER}/both_precisions ${options})
message(STATUS "both precisions in one program are refused")
