# What 16_which_bar does with labelled sentences of the reader's.
# Run as: cmake -D PROGRAM=program -D FOLDER=folder [-D TRAIN=ON] -P check_own_sentences.cmake
cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/expect.cmake)

expect_refusal("--data needs a value" --data)
expect_refusal("the file \"/no/such/file\" cannot be read: there is no such file" --data /no/such/file)
set(file ${FOLDER}/own_sentences.txt)
file(WRITE ${file} "good\twhat a day\nbad day\n")
expect_refusal("own_sentences.txt, line 2: a label, a tab and a sentence are expected, no tab found"
               --data ${file})
file(WRITE ${file} "good\twhat a day\n")
expect_refusal("own_sentences.txt\" has 1 sentence; at least 10 are needed" --data ${file})
string(REPEAT "good\twhat a day\n" 10 lines)
file(WRITE ${file} "${lines}")
expect_refusal("own_sentences.txt\" has only the label \"good\" in the lines to learn from"
               --data ${file})

if(TRAIN)
  string(REPEAT "good\twhat a fine day\nbad\twhat a rainy day it is\ngood\tfine\n" 10 lines)
  file(WRITE ${file} "${lines}")
  expect(0 output "30 sentences, 2 labels.*6 of the sentences held out are also among those to learn from.*always the commonest label +0[.]67\n.*step 450 +0[.]0[0-9] +1[.]00" --data ${file})
  file(APPEND ${file} "good\tone\ngood\ttwo\ngood\tthree\ngood\tfour\nrare\tnever seen\n")
  expect(0 output "35 sentences, 3 labels.*Only lines held out have the label rare, so none of them can"
         --data ${file})
endif()
