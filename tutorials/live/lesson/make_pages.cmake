# Makes the pages in which lessons run, in the folder of the book.
# Run as: cmake -D NAMES=00_first_look,... -D PROGRAMS=folder -D SCRIPTS=folder -D TRANSCRIPTS=folder
#         -D BOOK=folder -P make_pages.cmake
# PROGRAMS: the lessons as this machine runs them; SCRIPTS: as browsers do.
cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/../../say.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../../tests/find_tools.cmake)

find_python("html")
if(NOT python)
  message(FATAL_ERROR "Pages that run need Python, which was not found. On Debian: apt-get install python3")
endif()
string(REPLACE "," ";" names "${NAMES}")
file(MAKE_DIRECTORY ${BOOK})
print("\nThe pages in which the lessons run:\n")
foreach(name IN LISTS names)
  begin_line(${name})
  string(SUBSTRING ${name} 0 2 number)
  set(page ${BOOK}/${name}.run.html)
  execute_process(COMMAND ${python} ${CMAKE_CURRENT_LIST_DIR}/make_page.py ${PROGRAMS}/${name}
                  ${SCRIPTS}/${name}.js ${TRANSCRIPTS}/${number}.txt ${page} RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${page} could not be made")
  endif()
  file(SIZE ${page} size)
  math(EXPR size "(${size} + 999) / 1000")
  print("${size} kB")
endforeach()
