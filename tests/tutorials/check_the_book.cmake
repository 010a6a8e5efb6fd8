# A book of two lessons, and one with a lesson that fails.
# Run as: cmake -D SCRIPT=book.cmake -D INDEX=program -D PROGRAMS=folder -D FOLDER=folder
#         -P check_the_book.cmake
cmake_minimum_required(VERSION 3.25)

function(expect_book code names pattern)
  execute_process(COMMAND ${CMAKE_COMMAND} -D NAMES=${names} -D PROGRAMS=${PROGRAMS}
                          -D INDEX=${INDEX} -D BOOK=${FOLDER} ${ARGN} -P ${SCRIPT}
                  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE ended)
  if(NOT ended EQUAL code OR NOT output MATCHES "${pattern}")
    message(SEND_ERROR "the book of ${names} ends with ${ended} and does not say ${pattern}:\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${FOLDER})
expect_book(0 00_first_look,01_tensors
            "00_first_look +[0-9]+ s, [0-9]+ kB\n01_tensors +[0-9]+ s, .*2 pages in [0-9]+ s.*index.html")
file(READ ${FOLDER}/index.html index)
foreach(part "<a href=\"01_tensors.html\">01 tensors</a>" "<h2>02 autograd</h2>"
             "needs <a href=\"00_first_look.html\">00</a> · then 02, 04")
  string(FIND "${index}" "${part}" at)
  if(at LESS 0)
    message(SEND_ERROR "the list of lessons has no ${part}")
  endif()
endforeach()
file(READ ${FOLDER}/01_tensors.html page)
string(FIND "${page}" "<a href=\"00_first_look.html\">" at)
if(at LESS 0)
  message(SEND_ERROR "the page of lesson 01 does not lead to the one before")
endif()

expect_book(0 00_first_look "Walks through the lessons' code are left out: .* gdb python3"
            -D WALKS=ON -D gdb=)
expect_book(1 00_first_look,01_missing "01_missing +FAILED.*\n.*not complete: 01_missing")
file(REMOVE ${FOLDER}/01_tensors.html)
