# Runs the lessons in reading order, each with --html, then writes the page that lists them.
# A lesson that fails keeps no other from its page, but the book then fails.
# Run as: cmake -D NAMES=00_first_look,01_tensors -D PROGRAMS=folder -D INDEX=program -D BOOK=folder
#         [-D WALKS=ON -D SOURCE=folder] -P book.cmake
# WALKS: also records the walks; pages of lessons link to those that are there.
cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/say.cmake)

string(REPLACE "," ";" names "${NAMES}")
list(LENGTH names count)
file(MAKE_DIRECTORY ${BOOK})
set(failed)
if(WALKS)
  include(${CMAKE_CURRENT_LIST_DIR}/live/walk/make_walks.cmake)
endif()
print("\nThe lessons run and write their pages, some for half a minute.\n")

string(TIMESTAMP start %s)
foreach(name IN LISTS names)
  begin_line(${name})
  set(page ${BOOK}/${name}.html)
  file(REMOVE ${page})
  string(TIMESTAMP before %s)
  execute_process(COMMAND ${PROGRAMS}/${name} --color never --html ${page} OUTPUT_QUIET
                  ERROR_VARIABLE errors RESULT_VARIABLE code)
  string(TIMESTAMP after %s)
  math(EXPR seconds "${after} - ${before}")
  if(code EQUAL 0 AND NOT errors AND EXISTS ${page})
    file(SIZE ${page} size)
    math(EXPR size "(${size} + 999) / 1000")
    print("${seconds} s, ${size} kB")
    continue()
  endif()
  list(APPEND failed ${name})
  string(STRIP "${errors}" errors)
  print("FAILED, exit code ${code}\n${errors}")
endforeach()

execute_process(COMMAND ${INDEX} ${BOOK} RESULT_VARIABLE code)
if(failed OR NOT code EQUAL 0)
  list(JOIN failed ", " failed)
  message(FATAL_ERROR "The book is not complete: ${failed}")
endif()
string(TIMESTAMP end %s)
math(EXPR seconds "${end} - ${start}")
print("\n${count} pages in ${seconds} s. Open this one in a browser:\n\n  ${BOOK}/index.html\n")
