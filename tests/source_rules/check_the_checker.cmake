# Plants one fault at a time in a scratch folder, which check.cmake must find.
# Run as: cmake -D FOLDER=scratch -P check_the_checker.cmake
cmake_minimum_required(VERSION 3.25)

# expect(RESULT FILE TEXT WORDS): a tree with this file is `refused` or `passed`, with these words.
function(expect result file text words)
  file(REMOVE_RECURSE ${FOLDER})
  file(WRITE ${FOLDER}/${file} "${text}\n")
  execute_process(COMMAND ${CMAKE_COMMAND} -D ROOT=${FOLDER}
                          -P ${CMAKE_CURRENT_LIST_DIR}/check.cmake
                  RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if((code EQUAL 0 AND result STREQUAL "refused") OR (NOT code EQUAL 0 AND result STREQUAL "passed")
     OR NOT output MATCHES "${words}")
    message(SEND_ERROR "'${text}' in ${file} was not ${result} with '${words}':\n${output}")
  endif()
endfunction()

expect(refused tensor/a.h "#include \"heed/autograd/ops.h\"" "points upward")
expect(refused autograd/a.cpp "#include \"heed/nn/linear.h\"" "points upward")
expect(refused nn/a.cpp "#include \"tutorials/support/grid.h\"" "points upward")
expect(refused nn/a.cpp "#include \"linear.h\"" "does not begin with heed/")
expect(refused nn/a.cpp "#include \"tensor/a.h\"" "does not begin with heed/")
expect(refused tensor/a.cpp "double y = std::exp(x)\;" "libm")
expect(refused tensor/a.cpp "return a[i]\; y = std::tanhf(x)" "libm")
expect(refused nn/a.cpp "y = ::pow(x, 2)" "libm")
expect(refused nn/a.cpp "y = expf(x)" "libm")
expect(refused nn/a.cpp "y = __builtin_sin(x)" "libm")
expect(refused tensor/a.cpp "std::normal_distribution<double> d\;" "libm")
expect(refused elsewhere/a.cpp "" "no source")
expect(passed tensor/a.cpp "#include \"heed/tensor/a.h\"" "1 files read, 0 lines")
expect(passed nn/a.cpp "#include <vector>" "0 lines")
expect(passed nn/a.cpp "y = tensor::exp(x)\; z = heed::tanh(x)\; w = sin(x)" "0 lines")
expect(passed tensor/a.cpp "// unlike std::exp(x)" "0 lines")
expect(passed tensor/a.cpp "y = __builtin_fma(a, b, c) + std::sqrt(x)\; my_expf(x)\; t.expl(x)" "0 lines")
file(REMOVE_RECURSE ${FOLDER})
