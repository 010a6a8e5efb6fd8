# One of the tests of the playground. Run as: cmake -D CHECK=check -P check_playground.cmake, with
#   numbers  -D PROGRAM=playground           beside plain loops, natively
#   programs -D PROGRAM=... -D FOLDER=scratch -D COMPILE=compiler,options,{source},-o,{program}
#   page     -D PROGRAM=... -D FOLDER=scratch -D SCRIPT=playground.js
#            the bits of WebAssembly in node, and the page in headless Chromium, by its own tests
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../find_tools.cmake)

need(python3 MODULES json)
set(command ${python} ${CMAKE_CURRENT_LIST_DIR}/check_playground.py ${PROGRAM})
if(CHECK STREQUAL "programs")
  string(REPLACE "," ";" COMPILE "${COMPILE}")
  set(command ${python} ${CMAKE_CURRENT_LIST_DIR}/check_playground_programs.py ${PROGRAM} ${FOLDER}
              ${COMPILE})
elseif(CHECK STREQUAL "page")
  need(chromium)
  need(nodejs)
  set(command ${python} ${CMAKE_CURRENT_LIST_DIR}/check_playground_page.py ${nodejs} ${PROGRAM}
              ${SCRIPT} ${FOLDER})
endif()
execute_process(COMMAND ${command} COMMAND_ERROR_IS_FATAL ANY)
