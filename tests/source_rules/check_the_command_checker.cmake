# Plants one fault at a time in a small tree, and asks check_commands.cmake or run_commands.cmake to
# find it.
# Run as: cmake -D FOLDER=scratch -P check_the_command_checker.cmake
cmake_minimum_required(VERSION 3.25)

set(table tests/source_rules/commands.txt)

# A tree in which everything is right.
function(plant_right_tree)
  file(REMOVE_RECURSE ${FOLDER})
  file(WRITE ${FOLDER}/README.md "`HEED_TESTS` builds `tests/a_test.cpp` with `g++`\n\n"
       "```sh\ncmake --workflow \\\n    --preset all    # all\nown \"[b];c\"\n```\n```\ngdb a\nnothing\n```\n```c++ b\nc\n```\n"
       "`cmake --build --preset all\n-D HEED_TESTS=ON`, `./a --old`\n")
  file(WRITE ${FOLDER}/CHANGELOG.md "`./a --gone`\n")
  file(WRITE ${FOLDER}/CMakeLists.txt "option(HEED_TESTS \"Build\" ON)\n")
  file(WRITE ${FOLDER}/tutorials/CMakeLists.txt "set(HEED_DIR \"\" CACHE PATH \"A\")\nset(HEED_A b)\n")
  file(WRITE ${FOLDER}/tests/CMakeLists.txt "heed_test(a.b)\nadd_test(NAME c.\${number}.d COMMAND e)\n"
       "function(g name)\nadd_test(NAME f.\${name} COMMAND h)\nendfunction()\ng(i\n)\n")
  file(WRITE ${FOLDER}/.ci/run "# cmake --comment\nsay a\ncmake --workflow --preset all\n")
  set(preset "[{\"name\": \"base\", \"hidden\": true}, {\"name\": \"all\"}]")
  file(WRITE ${FOLDER}/CMakePresets.json "{\"configurePresets\": ${preset}, \"buildPresets\": ${preset},
    \"testPresets\": ${preset}, \"workflowPresets\": [{\"name\": \"all\", \"steps\": [
    {\"type\": \"configure\", \"name\": \"all\"}]}]}\n")
  file(WRITE ${FOLDER}/${table} "# rows\n## README.md
cmake --workflow --preset all => .ci/run: cmake --workflow
own \"[b];c\" => run in test: [b]
gdb a => a.b
cmake --build --preset all -D HEED_TESTS=ON => c.08.d
./a --old => not run: it is old

## presets and options
cmake --preset all => f.i
cmake --build --preset all => f.i
ctest --preset all => f.i => no page: nobody tests
cmake --workflow --preset all => f.i
-D HEED_TESTS => f.i
-D HEED_DIR => f.i => no page: the runner sets it\n")
endfunction()

# expect(CODE WORDS): the planted tree is judged so by ${script}.
set(script check_commands.cmake)
function(expect expected words)
  execute_process(COMMAND ${CMAKE_COMMAND} -D ROOT=${FOLDER} -D BUILD=${FOLDER}/build/any -D PRESET=test
                          -D FOLDER=${FOLDER}/build/scratch -P ${CMAKE_CURRENT_LIST_DIR}/${script}
                  RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " said "${output}")
  string(FIND "${said}" "${words}" place)
  if(NOT code EQUAL expected OR place EQUAL -1)
    message(SEND_ERROR "the tree was judged with ${code}, not ${expected} and '${words}':\n${output}")
  endif()
endfunction()

# refuse(FILE FROM TO WORDS): the right tree with TO in place of FROM.
function(refuse file from to words)
  plant_right_tree()
  file(READ ${FOLDER}/${file} text)
  string(REPLACE "${from}" "${to}" changed "${text}")
  if(changed STREQUAL text)
    message(SEND_ERROR "${file} does not have '${from}'")
  endif()
  file(WRITE ${FOLDER}/${file} "${changed}")
  expect(1 "${words}")
endfunction()

plant_right_tree()
expect(0 "11 rows")
set(no_row "commands.txt does not say who runs this, or it is misspelled:")
set(gone "is no longer there")
set(no_test "this is no test, no line of .ci/ and no reason:")
# A command that is misspelled or new, in a block, over two lines, in backticks.
refuse(README.md "own \"" "owns \"" "${no_row} README.md: owns \"[b];c\"")
refuse(README.md "gdb a" "gdb b" "${no_row} README.md: gdb b")
refuse(README.md "./a --old" "./a --odl" "${no_row} README.md: ./a --odl")
refuse(README.md "./a --old" "./a --odl" "commands.txt, README.md: `./a --old` ${gone}")
refuse(README.md "`g++`" "`g++ a`, `.ci/run`" "${no_row} README.md: .ci/run")
refuse(README.md "gdb a" "gbd a" "`gdb a` ${gone}")
refuse(README.md "with `g++`" "with `g++" "README.md: a block or a backtick is not closed")
refuse(README.md "nothing\n```" "nothing" "README.md: a block or a backtick is not closed")
# A preset or an option that does not exist, or has no row.
refuse(README.md "--preset all " "--preset al "
       "a page shows `cmake --workflow --preset al`, and there is no such preset or option")
refuse(README.md "HEED_TESTS=ON" "HEED_TEST=ON" "a page shows `-D HEED_TEST`, and there is no such")
refuse(CMakePresets.json "{\"name\": \"all\"}" "{\"name\": \"new\"}, {\"name\": \"all\"}"
       "${no_row} presets and options: ctest --preset new")
refuse(CMakeLists.txt "option" "option(HEED_NEW \"New\" ON)\noption"
       "${no_row} presets and options: -D HEED_NEW")
refuse(tutorials/CMakeLists.txt "HEED_DIR" "HEED_DIRS" "`-D HEED_DIR` ${gone}")
refuse(README.md "HEED_TESTS" "tests" "`-D HEED_TESTS`: no page shows it, and the row does not say")
refuse(${table} "no page: nobody tests" "no page:" "`ctest --preset all`: no page shows it, and the row")
refuse(${table} " => no page: nobody tests" "" "`ctest --preset all`: no page shows it, and the row")
refuse(README.md "./a --old" "ctest --preset all" "`ctest --preset all`: a page shows it, so `no page`")
refuse(${table} "it is old" "it is old => no page: it is old" "`./a --old`: a page shows it, so")
# Somebody who does not run it.
refuse(${table} ": cmake --workflow" ": cmake --comment" "no line of the script has this: .ci/run: cmake")
refuse(${table} ".ci/run: cmake" ".ci/ran: cmake" "no line of the script has this: .ci/ran: cmake")
refuse(${table} "a.b" "a.c" "`gdb a`: ${no_test} a.c")
refuse(${table} "c.08.d" "c.8.d" "${no_test} c.8.d")
refuse(${table} "-D HEED_TESTS => f.i" "-D HEED_TESTS => g.i" "${no_test} g.i")
refuse(${table} "-D HEED_TESTS => f.i" "-D HEED_TESTS => f.j" "${no_test} f.j")
refuse(${table} "not run: it is old" "not run:" "${no_test} not run:")
refuse(${table} "run in test: [b]" "run in tset: [b]" "${no_test} run in tset: [b]")
refuse(${table} "gdb a => a.b" "gdb a: a.b" "commands.txt: this is not COMMAND => WHO RUNS IT: gdb a: a.b")

# run(CODE ROW WORDS): this row is run so.
set(script run_commands.cmake)
function(run code row words)
  file(REMOVE_RECURSE ${FOLDER})
  file(WRITE ${FOLDER}/build/any/b "[b];")
  file(WRITE ${FOLDER}/${table} "${row}\n")
  expect(${code} "${words}")
endfunction()
run(0 "cat build/tour/b => run in test: [b];" "1 commands")
run(0 "touch a => run in test: a" "1 commands")
run(0 "nowhere b => run in test: a" "skipped in part: needs nowhere (apt-get install nowhere)")
run(1 "sh -c 'echo b' => run in test: a" "`sh -c 'echo b'` must exit with 0 and print `a`; it exits with 0: b")
run(1 "sh -c 'echo a; exit 3' => run in test: a" "it exits with 3: a")
run(1 "cat b => run in debug: a" "commands.txt has no command to run in test")
file(REMOVE_RECURSE ${FOLDER})
