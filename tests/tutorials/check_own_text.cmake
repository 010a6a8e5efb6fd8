# What 14_language_model does with a text of the reader's.
# Run as: cmake -D PROGRAM=program -D FOLDER=folder [-D TRAIN=ON] -P check_own_text.cmake
cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/expect.cmake)

expect_refusal("--text needs a value" --text)
expect_refusal("the file \"/no/such/file\" cannot be read: there is no such file" --text /no/such/file)
expect_refusal("the file \"${CMAKE_CURRENT_LIST_DIR}\" cannot be read: it is a directory"
               --text ${CMAKE_CURRENT_LIST_DIR})
set(file ${FOLDER}/own_text.txt)
file(WRITE ${file} "A text of 24 letters. ¡Á")
expect_refusal("own_text.txt\" has 24 letters; at least 1000 are needed" --text ${file})
string(REPEAT "a word " 200 text)
string(ASCII 255 wrong)
file(WRITE ${file} "${text}${wrong}")
expect_refusal("own_text.txt\" is not UTF-8, from byte 1400 on" --text ${file})

if(TRAIN)
  file(WRITE ${file} "${text}")
  expect(0 output "1400 letters of 6 kinds.*pairs, counted +[0-9.]+\n.*GPT, step 450 +0[.]0" --text ${file})
endif()
