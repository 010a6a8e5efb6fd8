# Plants one fault at a time in a small tree of its own, and asks check_pages.cmake to find it.
# Run as: cmake -D FOLDER=scratch -P check_the_page_checker.cmake
cmake_minimum_required(VERSION 3.25)

# A tree in which every page is right.
function(plant_right_tree)
  file(REMOVE_RECURSE ${FOLDER})
  foreach(file tensor/tensor.h tensor/tensor.cpp tensor/ops/sum.h tensor/fast/fast.inc
          tensor/fast/sum.h tensor/fast/plain.cpp autograd/node.h nn/text/words.h
          tutorials/00_look.cpp tutorials/support/say.h tutorials/exercises/01_fill.cpp
          tests/check.cmake tests/benchmarks/gpt.cpp)
    file(WRITE ${FOLDER}/${file} "")
  endforeach()
  file(WRITE ${FOLDER}/tensor/README.md "- `tensor.h`: windows\n## ops/: operations\n- `sum.h`: sums\n"
       "## fast/\n- `fast.inc`, `plain.cpp`: loops[1]\; `sum.h`\n## Else\nsee `autograd/node.h`\n")
  file(WRITE ${FOLDER}/autograd/README.md "- `node.h`: nodes of [tensors](../tensor/README.md)\n")
  file(WRITE ${FOLDER}/nn/README.md "## text/\n- `words.h`: words\n")
  file(WRITE ${FOLDER}/tutorials/README.md "- `00_look.cpp`: first\n- `support/say.h`: says\n")
  file(WRITE ${FOLDER}/tests/README.md "- `check.cmake`: checks\n")
  file(WRITE ${FOLDER}/README.md "`gpt.cpp`, `00_look.cpp`, `tensor/tensor.h`, [page](tests/README.md)\n")
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
refuse(tutorials/01_next.cpp "" "does not say what tutorials/01_next.cpp is for")
# Of the same name as one that is named, in another room.
refuse(tensor/node.h "" "does not say what tensor/node.h is for")
refuse(tensor/sum.h "" "does not say what tensor/sum.h is for")

# A name, or a link, of what is gone.
foreach(page tensor autograd nn tutorials tests)
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
