# Plants one fault at a time in a small tree of its own, and asks check_pages.cmake to find it.
# Run as: cmake -D FOLDER=scratch -P check_the_page_checker.cmake
cmake_minimum_required(VERSION 3.25)

# A tree in which every page is right.
function(plant_right_tree)
  file(REMOVE_RECURSE ${FOLDER})
  foreach(file tensor/tensor.h tensor/tensor.cpp tensor/ops/sum.h tensor/fast/fast.inc
          tensor/fast/sum.h tensor/fast/plain.cpp autograd/node.h nn/text/words.h
          tutorials/00_look/part.h tutorials/support/say.h
          tutorials/exercises/solutions/00_1_fill_in.cpp
          tests/check.cmake tests/benchmarks/gpt.cpp)
    file(WRITE ${FOLDER}/${file} "")
  endforeach()
  file(WRITE ${FOLDER}/tensor/README.md "- `tensor.h`: windows\n## ops/: operations\n- `sum.h`: sums\n"
       "## fast/\n- `fast.inc`, `plain.cpp`: loops[1]\; `sum.h`\n## Else\nsee `autograd/node.h`\n")
  file(WRITE ${FOLDER}/autograd/README.md "- `node.h`: nodes of [tensors](../tensor/README.md)\n")
  file(WRITE ${FOLDER}/nn/README.md "## text/\n- `words.h`: words\n")
  file(WRITE ${FOLDER}/tutorials/README.md
       "# lessons\n| 00 [look](00_look/README.md) | 5 | 0.1 s | 01, 02 | more |\n- `support/say.h`: says\n")
  file(WRITE ${FOLDER}/tutorials/00_look/00_look.cpp
       "// stop(\"00.9 no\")\nheed::stop(\n  \"00.1 a, b\", {}); nonstop(\"00.8 no\");\n")
  file(WRITE ${FOLDER}/tutorials/00_look/README.md "5 minutes;\nneeds 01, 02.\n- `00_look.cpp`, `part.h`\n"
       "\nExercises: 00.1 fill\nin.\n\nStops: `00.1 a, b`.\n")
  file(WRITE ${FOLDER}/tests/README.md "- `check.cmake`: checks\n")
  file(WRITE ${FOLDER}/README.md "`00_look/part.h`, `tensor/tensor.h`, [page](tests/README.md)\n"
       "\n- 00 [look](tutorials/00_look/README.md): all\n")
  file(WRITE ${FOLDER}/nn/IN_A_PROGRAM.md "`text/words.h`\n")
  file(WRITE ${FOLDER}/tests/benchmarks/README.md "`gpt.cpp`\n")
  file(WRITE ${FOLDER}/CONTRIBUTING.md "`README.md`\n```cpp\nint a[2]\;\n```\n```cpp\nint b\;\n```\n")
  file(WRITE ${FOLDER}/tests/autograd/contributing_test.cpp "int a[2]\;\n\nint b\;\n")
endfunction()

# expect(RESULT WORDS): how the planted tree is judged.
function(expect result words)
  execute_process(COMMAND ${CMAKE_COMMAND} -D ROOT=${FOLDER}
                          -P ${CMAKE_CURRENT_LIST_DIR}/check_pages.cmake
                  RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " said "${output}")
  string(FIND "${said}" "${words}" found)
  if((code EQUAL 0 AND result STREQUAL "refused") OR (NOT code EQUAL 0 AND result STREQUAL "passed")
     OR found EQUAL -1)
    message(SEND_ERROR "the tree was not ${result} with '${words}':\n${output}")
  endif()
endfunction()

# refuse(FILE TEXT WORDS): the right tree with TEXT in place of FILE, or at the end of a page.
function(refuse file text words)
  plant_right_tree()
  if(file MATCHES "\\.md$")
    file(APPEND ${FOLDER}/${file} "${text}\n")
  else()
    file(WRITE ${FOLDER}/${file} "${text}\n")
  endif()
  expect(refused "${words}")
endfunction()

plant_right_tree()
expect(passed "")

# A file that no page names.
refuse(tensor/shape.h "" "tensor/README.md does not say what tensor/shape.h is for")
refuse(tensor/fast/tile.inc "" "does not say what tensor/fast/tile.inc is for")
refuse(autograd/ops/text.cpp "" "does not say what autograd/ops/text.cpp is for")
refuse(nn/text/deep/ids.h "" "does not say what nn/text/deep/ids.h is for")
refuse(tutorials/support/draw.h "" "does not say what tutorials/support/draw.h is for")
refuse(tutorials/00_look/next.cpp "" "00_look/README.md does not say what tutorials/00_look/next.cpp is")
refuse(tutorials/00_look/part.cpp "" "00_look/README.md does not say what tutorials/00_look/part.cpp is")
# A lesson without a page, or with one that nobody finds.
plant_right_tree()
file(WRITE ${FOLDER}/tutorials/README.md
     "# lessons\n| 00 [look](../nn/README.md) | 5 | 0.1 s | 01, 02 | more |\n- `support/say.h`: says\n")
expect(refused "tutorials/README.md does not link to tutorials/00_look/README.md")
plant_right_tree()
file(WRITE ${FOLDER}/README.md "no lesson\n")
expect(refused "README.md does not link to tutorials/00_look/README.md")
refuse(nn/IN_A_PROGRAM.md "`gone.h`" "nn/IN_A_PROGRAM.md names gone.h, which is not there")
refuse(tests/benchmarks/README.md "`gone.h`" "tests/benchmarks/README.md names gone.h, which is not")
plant_right_tree()
file(REMOVE ${FOLDER}/tutorials/00_look/README.md)
expect(refused "tutorials/README.md links to 00_look/README.md, which is not there")
plant_right_tree()
file(REMOVE_RECURSE ${FOLDER}/tutorials/00_look)
expect(refused "there is no lesson")
# A stop or an exercise that a lesson's page does not name.
refuse(tutorials/00_look/part.h "stop(\"00.2 c\");" "00_look/README.md does not name the stop 00.2 c")
refuse(tutorials/exercises/solutions/00_2_next.cpp "" "does not name the exercise 00.2 next")
# Minutes and needs that are not those of the table, and a table without the lesson.
plant_right_tree()
file(READ ${FOLDER}/tutorials/README.md page)
string(REPLACE "| 5 | 0.1 s | 01, 02 |" "| 5 | 0.1 s | 01 |" page "${page}")
file(WRITE ${FOLDER}/tutorials/README.md "${page}")
expect(refused "00_look/README.md does not say what tutorials/README.md does: 5 minutes; needs 01.")
plant_right_tree()
string(REPLACE "| 00 [look]" "| 01 [look]" page "${page}")
file(WRITE ${FOLDER}/tutorials/README.md "${page}")
expect(refused "README.md has no line for lesson 00")
# Of the same name as one that is named, in another room.
refuse(tensor/node.h "" "does not say what tensor/node.h is for")
refuse(tensor/sum.h "" "does not say what tensor/sum.h is for")

# A name, or a link, of what is gone.
refuse(tutorials/00_look/README.md "`00.3 d`" "names the stop 00.3 d, which is not there")
refuse(tutorials/00_look/00_look.cpp "" "names the stop 00.1 a, b, which is not there")
plant_right_tree()
file(REMOVE ${FOLDER}/tutorials/exercises/solutions/00_1_fill_in.cpp)
file(WRITE ${FOLDER}/tutorials/exercises/solutions/01_1_fill_in.cpp "")
expect(refused "names the exercise 00.1 fill in, which is not there")
foreach(page tensor autograd nn tutorials tutorials/00_look tests)
  refuse(${page}/README.md "- `old.h`: gone" "${page}/README.md names old.h, which is not there")
endforeach()
refuse(README.md "`nn/old.cpp`" "README.md names nn/old.cpp, which is not there")
refuse(CONTRIBUTING.md "- [`old.inc`]; `old.md`" "CONTRIBUTING.md names old.inc")
refuse(CONTRIBUTING.md "- [`old.inc`]; `old.md`" "CONTRIBUTING.md names old.md")
refuse(tests/README.md "`old.cmake`" "tests/README.md names old.cmake")
refuse(nn/README.md "[words](words.md)" "nn/README.md links to words.md, which is not there")
# Right in one room, and named in another.
refuse(tensor/README.md "## ops/\n- `fast.inc`" "tensor/README.md names fast.inc")

# C++ that no test runs, and none at all.
refuse(CONTRIBUTING.md "```cpp\nint c\;\n```" "no test runs: int c")
refuse(tests/autograd/contributing_test.cpp "int a[2]\;" "no test runs: int b")
plant_right_tree()
file(WRITE ${FOLDER}/CONTRIBUTING.md "nothing\n")
expect(refused "CONTRIBUTING.md shows no C++")
file(REMOVE_RECURSE ${FOLDER})
