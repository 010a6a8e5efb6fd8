# Writes pages and opens them in headless Chromium (check_pages_in_chromium.py says how).
# Run as: cmake -D PROGRAM=write_pages -D FOLDER=scratch -P check_pages_in_chromium.cmake
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../find_tools.cmake)

need(chromium)
need(python3-pil MODULES PIL)
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
foreach(command "${PROGRAM};${FOLDER}"
        "${python};${CMAKE_CURRENT_LIST_DIR}/check_pages_in_chromium.py;${chromium};${FOLDER}")
  execute_process(COMMAND ${command} RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "failed: ${command}")
  endif()
endforeach()
