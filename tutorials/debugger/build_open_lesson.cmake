# Builds, with the debug preset, the program that a source file belongs to, and links it as
# build/debug/open_lesson, so that one editor key can debug whichever lesson file is open.
# Run as: cmake -D FILE=tutorials/08_other_masks.cpp [-D DRY_RUN=ON] -P build_open_lesson.cmake
cmake_minimum_required(VERSION 3.25)

get_filename_component(root ${CMAKE_CURRENT_LIST_DIR}/../.. REALPATH)
get_filename_component(file "${FILE}" REALPATH BASE_DIR ${root})
get_filename_component(folder ${file} DIRECTORY)
get_filename_component(name ${file} NAME)

# A lesson's files begin with its number, and one of them has main(); an exercise is one file.
set(program)
if(name MATCHES "^([0-9][0-9])_.*[.](cpp|h)$" AND folder STREQUAL "${root}/tutorials")
  file(GLOB parts ${root}/tutorials/${CMAKE_MATCH_1}_*.cpp)
elseif(name MATCHES "[.]cpp$" AND folder MATCHES "^${root}/tutorials/exercises")
  set(parts ${file})
endif()
foreach(part IN LISTS parts)
  file(STRINGS ${part} main REGEX "^int main\\(")
  if(main)
    get_filename_component(program ${part} NAME_WE)
  endif()
endforeach()
if(NOT program)
  message(FATAL_ERROR "${FILE} belongs to no lesson: open one of the files tutorials/NN_*.cpp, or "
                      "choose a lesson from the list.")
endif()

file(RELATIVE_PATH folder ${root} ${folder})
set(built ${root}/build/debug/${folder}/${program})
message(STATUS "${name} belongs to ${folder}/${program}")
if(DRY_RUN)
  return()
endif()

set(output COMMAND_ERROR_IS_FATAL ANY WORKING_DIRECTORY ${root})
if(NOT EXISTS ${root}/build/debug/CMakeCache.txt)
  execute_process(COMMAND ${CMAKE_COMMAND} --preset debug ${output})
endif()
execute_process(COMMAND ${CMAKE_COMMAND} --build --preset debug --target ${program} ${output})
file(CREATE_LINK ${built} ${root}/build/debug/open_lesson SYMBOLIC)
