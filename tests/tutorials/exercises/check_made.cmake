# What is made of an exercise's solution: the stub, the solution without marks, the list, and a
# learner's file where it is missing; and what is refused.
# Run as: cmake -D FOLDER=scratch -P check_made.cmake
cmake_minimum_required(VERSION 3.25)

set(rules ${CMAKE_CURRENT_LIST_DIR}/../../../tutorials/exercises/exercises.cmake)
include(${rules})
file(REMOVE_RECURSE ${FOLDER})

function(expect_text file text)
  file(READ ${FOLDER}/${file} found)
  if(NOT found STREQUAL text)
    message(SEND_ERROR "${file} has\n${found}\nand not\n${text}")
  endif()
endfunction()

set(first "// 08.1 The causal mask; [a]         fill · 10 minutes · about 3 lines\n")
set(hole "// begin stub, stop in Mask::make\n//     f();\n// begin solution\ng();\n// end\n")

file(WRITE ${FOLDER}/from/08_1_mask.cpp "${first}//\nint f() {
    // begin stub, stop in Mask::make, without Mask::causal ops.h
    //     const int a[] = {1};  // \\n
    //
    //     f();
    // begin solution
    return 1;  // [1; 2]
    // end
    // begin stub
    // begin solution
    g();
    // end
}
")
file(WRITE ${FOLDER}/from/09_1_heads.cpp "// 09.1 Heads   hunt · 5 minutes · a line\r\n${hole}")
file(GLOB files ${FOLDER}/from/*.cpp)
heed_make_exercises(${FOLDER} ${files})
expect_text(stubs/08_1_mask.cpp
            "${first}//\nint f() {\n    const int a[] = {1};  // \\n\n\n    f();\n}\n")
expect_text(solutions/08_1_mask.cpp
            "${first}//\nint f() {\n    return 1;  // [1; 2]\n    g();\n}\n")
expect_text(stubs/09_1_heads.cpp "// 09.1 Heads   hunt · 5 minutes · a line\nf();\n")
expect_text(list.txt "08.1 08_1_mask fill 10 Mask::make The causal mask; [a]\n\
09.1 09_1_heads hunt 5 Mask::make Heads\n")
expect_text(without.txt "08.1 Mask::causal ops.h\n")

# What a learner has stays, and only what is missing is made.
file(WRITE ${FOLDER}/mine/08_1_mask.cpp "mine")
heed_make_missing(${FOLDER}/stubs ${FOLDER}/mine problem)
expect_text(mine/08_1_mask.cpp "mine")
file(READ ${FOLDER}/stubs/09_1_heads.cpp stub)
expect_text(mine/09_1_heads.cpp "${stub}")
if(problem)
  message(SEND_ERROR "making the files failed: ${problem}")
endif()
heed_make_missing(${FOLDER}/stubs ${FOLDER}/mine/08_1_mask.cpp problem)
if(NOT problem)
  message(SEND_ERROR "files are made in what is not a folder")
endif()

# refuse(TEXT WORDS [BESIDE]): a solution with this text is refused with these words; BESIDE names
# the directory of the solution in the directory of what is made.
function(refuse text words)
  set(file ${FOLDER}/wrong/${ARGN}/01_1_wrong.cpp)
  file(WRITE ${file} "${text}")
  file(WRITE ${FOLDER}/wrong.cmake "include(${rules})\nheed_make_exercises(${FOLDER}/wrong ${file})")
  execute_process(COMMAND ${CMAKE_COMMAND} -P ${FOLDER}/wrong.cmake RESULT_VARIABLE code
                  ERROR_VARIABLE output OUTPUT_QUIET)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  string(FIND "${output}" "${words}" found)
  if(code EQUAL 0 OR found EQUAL -1)
    message(SEND_ERROR "this is not refused with '${words}': ${output}\n${text}")
  endif()
endfunction()

refuse("// The causal mask\n${hole}" "its first line is not")
refuse("// 08.1 The causal mask fill · 10 minutes · three lines\n${hole}" "its first line is not")
refuse("${first}${hole}" "would overwrite this file" solutions)
file(READ ${FOLDER}/wrong/solutions/01_1_wrong.cpp kept)
if(NOT kept STREQUAL "${first}${hole}")
  message(SEND_ERROR "a solution was overwritten:\n${kept}")
endif()
file(REMOVE_RECURSE ${FOLDER}/wrong/solutions)
refuse("${first}int f();\n" "no hole says `// begin stub, stop in FUNCTION`")
refuse("${first}${hole}// begin stub\n// begin solution\n" "its marks are not")
refuse("${first}${hole}// end\n" "its marks are not")
refuse("${first}${hole}// begin stub\n// begin stub\n// begin solution\n// end\n" "its marks are")
refuse("${first}// begin stub, stop in f\nf();\n// begin solution\n// end\n" "is not a comment")
refuse("${first}// begin stub, stop in f\n// f();\n// begin solution\n// end\n" "indented by five")
file(REMOVE_RECURSE ${FOLDER})
