# The kernels are compiled to the same code, whatever a surrounding project's flags say about
# arithmetic. Run as: cmake -D COMPILER=c++ -D OPTIONS=ours,... -D INCLUDE=folder -D ROOT=folder
#                           -P check_fast_math.cmake
cmake_minimum_required(VERSION 3.25)

string(REPLACE "," ";" OPTIONS "${OPTIONS}")

# The assembly text of `file`, compiled after the flags of another project.
function(compile result file)
  execute_process(COMMAND ${COMPILER} -std=c++20 -O3 ${ARGN} -w -I ${INCLUDE} -S -o - ${ROOT}/${file}
                  RESULT_VARIABLE code OUTPUT_VARIABLE assembly ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${file} with ${ARGN} was not compiled:\n${output}")
  endif()
  string(SHA1 hash "${assembly}")
  set(${result} ${hash} PARENT_SCOPE)
endfunction()

foreach(file tensor/kernels/plain_softmax.cpp tensor/kernels/plain_rows.cpp)
  compile(expected ${file} ${OPTIONS})
  foreach(theirs "-ffast-math" "-Ofast" "-funsafe-math-optimizations;-ffinite-math-only"
                 "-fassociative-math;-freciprocal-math;-fno-signed-zeros;-fno-trapping-math"
                 "-ffp-contract=fast")
    compile(received ${file} ${theirs} ${OPTIONS})
    if(NOT received STREQUAL expected)
      message(SEND_ERROR "${file} is compiled to other code after ${theirs}")
    endif()
  endforeach()
endforeach()

# This would notice a difference: without our options there is one.
compile(expected tensor/kernels/plain_rows.cpp)
compile(received tensor/kernels/plain_rows.cpp -funsafe-math-optimizations)
if(received STREQUAL expected)
  message(SEND_ERROR "-funsafe-math-optimizations makes no difference, so this test sees none")
endif()
