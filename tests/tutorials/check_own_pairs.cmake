# What 13_alignment and 18_translation do with pairs of the reader's.
# Run as: cmake -D PROGRAM=program -D FOLDER=folder [-D TRAIN=ON] -P check_own_pairs.cmake
cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/expect.cmake)

expect_refusal("--data needs a value" --data)
expect_refusal("the file \"/no/such/file\" cannot be read: there is no such file" --data /no/such/file)
expect_refusal("the file \"${CMAKE_CURRENT_LIST_DIR}\" cannot be read: it is a directory"
               --data ${CMAKE_CURRENT_LIST_DIR})
set(file ${FOLDER}/own_pairs.txt)
file(WRITE ${file} "uno\tone\ndos two\n")
expect_refusal("own_pairs.txt, line 2: a sentence, a tab and its translation are expected, no tab found"
               --data ${file})
string(REPEAT "uno dos tres\tone two three\ncuatro\tfour\n" 10 pairs)
string(REPEAT "uno " 61 long)
file(WRITE ${file} "uno dos tres\tone two three\n${long}\tone\n")
expect_refusal("own_pairs.txt\" has 1 pair of at most 60 words; at least 20 are needed"
               --data ${file})

if(TRAIN)
  file(WRITE ${file} "${pairs}${long}\tone\n")
  string(CONCAT words "18 pairs to learn from, of 4 and 4 different words, 2 held out "
                      "[(]2 of them also.learned: a line repeated[)], 1 left out as"
                      ".*held out: 100 % right in every word, 100 % of the next words right"
                      ".*it says +four.*the file has four.*cuatro.*four +[0-9.]+")
  expect(0 output "${words}" --data ${file})
endif()
