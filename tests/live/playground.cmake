# The tests of tutorials/live/playground.
set(about_playground -D PROGRAM=$<TARGET_FILE:playground> -D FOLDER=${scratch}/playground)
heed_script_test(playground.numbers pages 120 live/check_playground.cmake -D CHECK=numbers
                 ${about_playground})
if(thorough)
  separate_arguments(compile NATIVE_COMMAND "${CMAKE_CXX_COMPILER_LAUNCHER} ${CMAKE_CXX_COMPILER} ${CMAKE_CXX_FLAGS}")
  list(APPEND compile -std=c++20 -Wall -Wextra -Wpedantic -Werror -I ${heed_include} {source}
       $<TARGET_FILE:heed> -pthread -o {program})
  list(JOIN compile "," compile)
  heed_script_test(playground.programs pages 600 live/check_playground.cmake -D CHECK=programs
                   ${about_playground} -D COMPILE=${compile})
endif()
cmake_path(GET PROJECT_BINARY_DIR PARENT_PATH builds)
heed_script_test(playground.page pages 600 live/check_playground.cmake -D CHECK=page
                 ${about_playground}
                 -D SCRIPT=${builds}/live/tutorials/live/playground/playground.js)
set_tests_properties(playground.numbers playground.page PROPERTIES
                     SKIP_REGULAR_EXPRESSION "skipped, since there is no")
