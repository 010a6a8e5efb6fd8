# The playground natively; as WebAssembly in its page it is tested beside the lessons.
set(about_playground -D PROGRAM=$<TARGET_FILE:playground> -D FOLDER=${scratch}/playground)
heed_script_test(playground.numbers pages 120 check_playground.cmake -D CHECK=numbers
                 ${about_playground})
heed_may_skip(playground.numbers)
if(thorough)
  separate_arguments(compile NATIVE_COMMAND "${CMAKE_CXX_COMPILER_LAUNCHER} ${CMAKE_CXX_COMPILER} ${CMAKE_CXX_FLAGS}")
  list(APPEND compile -std=c++20 -Wall -Wextra -Wpedantic -Werror -I ${heed_include} {source}
       $<TARGET_FILE:heed> -pthread -o {program})
  list(JOIN compile "," compile)
  heed_script_test(playground.programs pages 600 check_playground.cmake -D CHECK=programs
                   ${about_playground} -D COMPILE=${compile})
  heed_may_skip(playground.programs)
endif()
