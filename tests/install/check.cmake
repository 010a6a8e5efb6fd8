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
if(EXISTS ${prefix}/include/heed/tensor/kernels OR NOT EXISTS ${prefix}/include/heed/tensor/tensor.h)
  message(FATAL_ERROR "the wrong headers were installed")
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

execute_process(COMMAND ${CMAKE_COMMAND} -S ${here}/both_precisions -B ${FOLDER}/both_precisions
                        ${options}
                RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(code EQUAL 0 OR NOT output MATCHES "HEED_PRECISION")
  message("${output}")
  message(FATAL_ERROR "a program with both precisions was not refused for its HEED_PRECISION")
endif()
message(STATUS "both precisions in one program are refused")
