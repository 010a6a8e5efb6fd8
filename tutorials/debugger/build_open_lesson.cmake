# Builds, with the debug preset, the program that a source file belongs to, and links it as
# build/debug/open_lesson, so that one editor key can debug whichever lesson file is open.
# Run as: cmake -D FILE=tutorials/08_causal_attention/other_masks.cpp [-D DRY_RUN=ON] -P build_open_lesson.cmake
cmake_minimum_required(VERSION 3.25)

get_filename_component(root ${CMAKE_CURRENT_LIST_DIR}/../.. REALPATH)
get_filename_component(file "${FILE}" REALPATH BASE_DIR ${root})
get_filename_component(folder ${file} DIRECTORY)
get_filename_component(name ${file} NAME)

# A lesson is a folder and has its program's name; an exercise is one file with main().
set(target)
if(folder MATCHES "^${root}/tutorials/([0-9][0-9]_[a-z_]+)$" AND EXISTS ${file})
  set(target ${CMAKE_MATCH_1})
  set(built tutorials/${target})
elseif(folder MATCHES "^${root}/tutorials/exercises$" AND name MATCHES "[.]cpp$")
  file(STRINGS ${file} main REGEX "^int main\\(")
  if(main)
    get_filename_component(exercise ${name} NAME_WE)
    set(target exercise_${exercise})
    set(built tutorials/exercises/${exercise})
  endif()
endif()
if(NOT target)
  message(FATAL_ERROR "${FILE} belongs to no lesson: open a file of one of the folders "
                      "tutorials/NN_*, or choose a lesson from the list.")
endif()

message(STATUS "${name} belongs to ${built}, target ${target}")
if(DRY_RUN)
  return()
endif()

set(output COMMAND_ERROR_IS_FATAL ANY WORKING_DIRECTORY ${root})
if(NOT EXISTS ${root}/build/debug/CMakeCache.txt)
  execute_process(COMMAND ${CMAKE_COMMAND} --preset debug ${output})
endif()
execute_process(COMMAND ${CMAKE_COMMAND} --build --preset debug --target ${target} ${output})
file(CREATE_LINK ${root}/build/debug/${built} ${root}/build/debug/open_lesson SYMBOLIC)
