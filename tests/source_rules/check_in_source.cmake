# A build among the sources is refused, in words that say how to build, and changes no source file.
# Run as: cmake -D ROOT=folder -D FOLDER=folder -D COMPILER=c++ -P check_in_source.cmake
cmake_minimum_required(VERSION 3.25)

set(heed ${FOLDER}/user/heed)
set(parts CMakeLists.txt LICENSE tensor autograd nn tutorials)
list(TRANSFORM parts PREPEND ${ROOT}/)
file(REMOVE_RECURSE ${FOLDER})
file(COPY ${parts} DESTINATION ${FOLDER}/unchanged)
file(COPY ${parts} DESTINATION ${heed})
file(WRITE ${FOLDER}/user/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES CXX)
add_subdirectory(heed)
")
file(CREATE_LINK ${heed} ${FOLDER}/link SYMBOLIC)
set(options -D CMAKE_CXX_COMPILER=${COMPILER} -D HEED_TESTS=OFF -D HEED_TUTORIALS=ON)

# refuse(SOURCE BINARY PLACE): configuring SOURCE in BINARY fails because heed would be built in
# PLACE. The first of the two commands in the message then removes the rest.
function(refuse source binary place)
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${source} -B ${binary} ${options} RESULT_VARIABLE code
                  OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " said "${output}")
  set(remove rm -r ${binary}/CMakeCache.txt ${binary}/CMakeFiles)
  list(JOIN remove " " command)
  set(words "heed cannot be built among its sources, in ${place} Remove what this command left behind, and name a directory for the build: ${command} cmake -S ${source} -B ${source}/build ")
  string(FIND "${said}" "${words}" position)
  if(code EQUAL 0 OR position EQUAL -1)
    message(SEND_ERROR "building ${source} in ${binary} is not refused with '${words}':\n${output}")
  endif()
  execute_process(COMMAND diff -rq -x CMakeCache.txt -x CMakeFiles ${FOLDER}/unchanged ${heed}
                  RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(SEND_ERROR "building ${source} in ${binary} changed source files:\n${output}")
  endif()
  execute_process(COMMAND ${remove} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
refuse(${heed} ${heed} ${heed})
refuse(${FOLDER}/link ${heed} ${heed})
refuse(${heed} ${heed}/tutorials/exercises ${heed}/tutorials/exercises)
refuse(${FOLDER}/user ${FOLDER}/user ${heed})

# The second command works.
execute_process(COMMAND ${CMAKE_COMMAND} -S ${heed} -B ${heed}/build ${options}
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE_RECURSE ${FOLDER})
