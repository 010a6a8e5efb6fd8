# A build among the sources is refused, in words that say how to build, and changes no source file.
# Run as: cmake -D ROOT=folder -D FOLDER=folder -D COMPILER=c++ -P check_in_source.cmake
cmake_minimum_required(VERSION 3.25)

set(parts CMakeLists.txt LICENSE tensor autograd nn tutorials)
file(REMOVE_RECURSE ${FOLDER})
foreach(part IN LISTS parts)
  file(COPY ${ROOT}/${part} DESTINATION ${FOLDER}/user/heed)
endforeach()
file(WRITE ${FOLDER}/user/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES CXX)
add_subdirectory(heed)
")
file(CREATE_LINK ${FOLDER}/user/heed ${FOLDER}/link SYMBOLIC)

# In `result`, a line for each source file of the copy, with its hash.
function(hash_sources result)
  set(hashes)
  foreach(part IN LISTS parts)
    file(GLOB_RECURSE files ${FOLDER}/user/heed/${part} ${FOLDER}/user/heed/${part}/*)
    foreach(file IN LISTS files)
      if(NOT IS_DIRECTORY "${file}")
        file(SHA256 "${file}" hash)
        list(APPEND hashes "${hash} ${file}")
      endif()
    endforeach()
  endforeach()
  set(${result} "${hashes}" PARENT_SCOPE)
endfunction()

# refuse(SOURCE BINARY PLACE): configuring SOURCE in BINARY fails because heed would be built in
# PLACE. Its two commands then remove the rest and configure.
function(refuse source binary place)
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${source} -B ${binary} ${options} RESULT_VARIABLE code
                  OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " said "${output}")
  set(remove "rm -r ${binary}/CMakeCache.txt ${binary}/CMakeFiles")
  set(words "heed cannot be built among its sources, in ${place} Remove what this command left behind, and name a directory for the build: ${remove} cmake -S ${source} -B ${source}/build ")
  string(FIND "${said}" "${words}" found)
  if(code EQUAL 0 OR found EQUAL -1)
    message(SEND_ERROR "building ${source} in ${binary} is not refused with '${words}':\n${output}")
  endif()
  hash_sources(after)
  foreach(line IN LISTS after)
    if(NOT line IN_LIST before AND NOT line MATCHES "/(CMakeCache.txt|CMakeFiles/[^\n]*)$")
      message(SEND_ERROR "building ${source} in ${binary} wrote ${line}")
    endif()
  endforeach()
  separate_arguments(remove UNIX_COMMAND "${remove}")
  execute_process(COMMAND ${remove} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(options -D CMAKE_CXX_COMPILER=${COMPILER} -D HEED_TESTS=OFF -D HEED_TUTORIALS=ON)
set(heed ${FOLDER}/user/heed)
hash_sources(before)
refuse(${heed} ${heed} ${heed})
refuse(${FOLDER}/link ${heed} ${heed})
refuse(${heed} ${heed}/tutorials/exercises ${heed}/tutorials/exercises)
refuse(${FOLDER}/user ${FOLDER}/user ${heed})

# What the message says to type works.
execute_process(COMMAND ${CMAKE_COMMAND} -S ${heed} -B ${heed}/build ${options}
                RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT code EQUAL 0)
  message(SEND_ERROR "a build in build/ is refused:\n${output}")
endif()
file(REMOVE_RECURSE ${FOLDER})
