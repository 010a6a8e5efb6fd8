# Looks for the roots of pages in their pixels (check_roots.py says how).
# Run as: cmake -D LESSON=00_first_look -D TRANSCRIPT=00.txt -D PLAYGROUND=playground
#               -D FOLDER=scratch -P check_roots.cmake
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../find_tools.cmake)

need(chromium)
need(python3-pil MODULES PIL)
need(python3-fonttools MODULES "PIL, fontTools")
execute_process(COMMAND ${python} ${CMAKE_CURRENT_LIST_DIR}/check_roots.py ${LESSON} ${TRANSCRIPT}
                        ${PLAYGROUND} ${FOLDER} COMMAND_ERROR_IS_FATAL ANY)
