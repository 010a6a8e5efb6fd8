# Installs heed into a scratch folder and builds the projects beside this file against it.
# Run as: cmake -D BUILD=build -D SOURCE=source -D FOLDER=scratch -D COMPILER=c++ -D FLAGS=...
#               -D LAUNCHER=... -P check.cmake
cmake_minimum_required(VERSION 3.25)

set(here ${CMAKE_CURRENT_LIST_DIR})
set(prefix ${FOLDER}/prefix)
file(REMOVE_RECURSE ${FOLDER})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    list(JOIN ARGN " " command)
    message("${output}")
    message(FATAL_ERROR "failed: ${command}")
  endif()
endfunction()

set(options -D CMAKE_CXX_COMPILER=${COMPILER} "-DCMAKE_CXX_FLAGS=${FLAGS} -O0"
            -D CMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} -D CMAKE_PREFIX_PATH=${prefix}
            -D HEED_INCLUDE=${prefix}/include/heed -D HEED_FOLDER=${SOURCE})

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
if(NOT EXISTS ${prefix}/share/doc/heed/LICENSE)
  message(FATAL_ERROR "the licence was not installed")
endif()
if(EXISTS ${prefix}/include/heed/tensor/kernels OR NOT EXISTS ${prefix}/include/heed/tensor/tensor.h)
  message(FATAL_ERROR "the wrong headers were installed")
endif()

find_program(gdb gdb)
if(gdb)
  execute_process(COMMAND ${gdb} -nx -batch -x ${prefix}/share/heed/debugger/init.gdb -ex "help tensor"
                  OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT said MATCHES "^tensor X: ")
    message(FATAL_ERROR "the installed init.gdb says ${said}")
  endif()
endif()

# Debian's lldb looks for its own module in a folder that is not there.
find_program(lldb NAMES lldb lldb-14)
file(GLOB modules /usr/lib/llvm-*/lib/python3*/dist-packages)
list(JOIN modules ":" modules)
if(lldb)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${modules} PATH=/usr/bin:/bin
                          ${lldb} -x -b -s ${prefix}/share/heed/debugger/init.lldb
                          -o "tensor x"
                  OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(said MATCHES "No module named 'lldb")
    message("skipped in part: needs python3-lldb-14 (apt-get install python3-lldb-14)")
  elseif(NOT said MATCHES "error: The program is not running")
    message(FATAL_ERROR "the installed init.lldb says ${said}")
  endif()
else()
  message("skipped in part: needs lldb (apt-get install lldb)")
endif()

# With add_subdirectory the library would be compiled again, which takes a minute and tests nothing
# new: there the program is only compiled; it is linked and run against the installed library.
foreach(project find_package add_subdirectory)
  run(${CMAKE_COMMAND} -S ${here}/${project} -B ${FOLDER}/${project} ${options})
  run(${CMAKE_COMMAND} --build ${FOLDER}/${project} --parallel 2 --target programs)
  message(STATUS "${project} works")
endforeach()

# expect_optimization(FLAG options...): in a project configured so, heed's files are compiled with this
# flag, or without optimization if FLAG is "".
function(expect_optimization flag)
  set(build ${FOLDER}/optimization)
  file(REMOVE_RECURSE ${build})
  run(${CMAKE_COMMAND} -S ${here}/add_subdirectory -B ${build} -D CMAKE_CXX_COMPILER=${COMPILER}
      -D HEED_FOLDER=${SOURCE} ${ARGN})
  file(STRINGS ${build}/compile_commands.json commands REGEX "\"command\": .*-c [^ ]*/[Uu]nity_nn_cxx")
  string(REGEX MATCHALL " -O[^ ]*" flags "${commands}")
  list(REMOVE_DUPLICATES flags)
  if(NOT commands OR NOT "${flags}" STREQUAL "${flag}")
    message(FATAL_ERROR "with '${ARGN}' heed is compiled with '${flags}', not '${flag}':\n${commands}")
  endif()
endfunction()
expect_optimization(" -O2")
expect_optimization(" -O3" -D CMAKE_BUILD_TYPE=Release)
expect_optimization("" -D CMAKE_BUILD_TYPE=Debug)
expect_optimization(" -O0" "-D CMAKE_CXX_FLAGS=-g -O0")
message(STATUS "without a build type heed is optimized")

run(${FOLDER}/find_package/consumer)
run(${FOLDER}/find_package/consumer_double)

# The project that readers copy.
run(${CMAKE_COMMAND} -S ${here}/example -B ${FOLDER}/example ${options})
run(${CMAKE_COMMAND} --build ${FOLDER}/example)
run(${FOLDER}/example/example)

# What README.md says `trains` prints.
execute_process(COMMAND ${FOLDER}/example/trains OUTPUT_VARIABLE printed)
file(READ ${SOURCE}/README.md readme)
string(FIND "${readme}" "```\n${printed}```\n" place)
if(printed STREQUAL "" OR place EQUAL -1)
  message(FATAL_ERROR "README.md does not show what trains prints:\n${printed}")
endif()

# What `looks` writes, and that a program that sets no colours has those of its environment.
run(${CMAKE_COMMAND} -E chdir ${FOLDER}/example ${FOLDER}/example/looks)
foreach(file attention.html head_2.svg attention.safetensors)
  if(NOT EXISTS ${FOLDER}/example/${file})
    message(FATAL_ERROR "looks did not write ${file}")
  endif()
endforeach()
execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=NO_COLOR FORCE_COLOR=3 ${FOLDER}/example/looks
                WORKING_DIRECTORY ${FOLDER}/example OUTPUT_VARIABLE colored)
execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=FORCE_COLOR NO_COLOR=1 ${FOLDER}/example/looks
                WORKING_DIRECTORY ${FOLDER}/example OUTPUT_VARIABLE plain)
string(ASCII 27 escape)
if(NOT colored MATCHES "${escape}" OR plain MATCHES "${escape}" OR
   NOT plain MATCHES "arrow +0\\.[0-9][0-9]" OR NOT plain MATCHES "[0-9]+ bytes were recorded")
  message(FATAL_ERROR "looks printed\n${plain}and with colours\n${colored}")
endif()
# expect(WORDS command...): it fails, and says why.
function(expect words)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(code EQUAL 0 OR NOT output MATCHES "${words}")
    message("${output}")
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "not refused with '${words}': ${command}")
  endif()
endfunction()

expect("config.json.: there is no such file" ${FOLDER}/example/writes_on ${FOLDER} "time flies")
message(STATUS "the example works")

# A learner's project: an operation and a layer of one's own, trained, looked at, kept, read again.
# Also what CONTRIBUTING.md shows, as it is printed there, but for the tests, which need Catch2.
file(READ ${SOURCE}/CONTRIBUTING.md rest)
set(shown "#include \"heed/heed.h\"\n\nusing namespace heed;\n\n")
set(blocks 0)
string(FIND "${rest}" "\n```cpp\n" begin)
while(NOT begin EQUAL -1)
  math(EXPR begin "${begin} + 8")
  string(SUBSTRING "${rest}" ${begin} -1 rest)
  string(FIND "${rest}" "\n```" end)
  string(SUBSTRING "${rest}" 0 ${end} block)
  if(NOT block MATCHES "^TEST_CASE")
    string(APPEND shown "${block}\n\n")
    math(EXPR blocks "${blocks} + 1")
  endif()
  string(FIND "${rest}" "\n```cpp\n" begin)
endwhile()
file(WRITE ${FOLDER}/shown.cpp "${shown}
int main() {
    Random random(1);
    const PositiveLinear layer(2, 3, random);
    int seen = 0;
    const ForwardHook hook(layer, [&](const LayerCall& call) { seen += call.type == \"PositiveLinear\"; });
    const Variable x(tensor::of({{1, -2}}), requires_grad);
    const Variable y = layer(x);
    sum(y).backward();
    return seen == 1 && (y.value() > 0).all() && x.has_grad() ? 0 : 1;
}
")
if(NOT blocks EQUAL 2)
  message(FATAL_ERROR "CONTRIBUTING.md shows ${blocks} pieces of a program")
endif()
run(${CMAKE_COMMAND} -S ${here}/learner -B ${FOLDER}/learner -D SHOWN=${FOLDER}/shown.cpp ${options})
run(${CMAKE_COMMAND} --build ${FOLDER}/learner)
run(${FOLDER}/learner/shown)
# says(COMMAND words...): it succeeds, and says all of this in this order.
function(says command)
  execute_process(COMMAND ${command} WORKING_DIRECTORY ${FOLDER}/learner RESULT_VARIABLE code
                  OUTPUT_VARIABLE output ERROR_VARIABLE output)
  list(JOIN ARGN ".*" words)
  if(NOT code EQUAL 0 OR NOT output MATCHES "${words}")
    message(FATAL_ERROR "${command} gave ${code} and did not say '${words}':\n${output}")
  endif()
endfunction()
says(${FOLDER}/learner/learns
     "the loss fell to [0-9] % of what it was" "arrow +[01][.0-9]+" "called: backward.W_Q"
     "called: everywhere" "called: TwoLooks" "what was read gives the same bits"
     "TwoLooks: X has shape .5, 7.; it must be .[.][.][.], T, 8.\n  at learns.cpp:[0-9]+, in main")
says(${FOLDER}/learner/checks
     "gradcheck: right; 36 derivatives" "gradcheck: right; 36 derivatives" "gradcheck: wrong")
foreach(file learner.html learner.safetensors)
  if(NOT EXISTS ${FOLDER}/learner/${file})
    message(FATAL_ERROR "learns did not write ${file}")
  endif()
endforeach()
message(STATUS "a learner's project works")

# In gdb, with what was installed: a layer and variables of one's own are shown.
find_program(gdb gdb)
if(gdb)
  run(${CMAKE_COMMAND} -S ${here}/learner -B ${FOLDER}/debugged -D SHOWN=${FOLDER}/shown.cpp ${options}
      -D CMAKE_BUILD_TYPE=Debug)
  run(${CMAKE_COMMAND} --build ${FOLDER}/debugged --target learns)
  execute_process(
    COMMAND ${gdb} -nx -q -batch -x ${prefix}/share/heed/debugger/init.gdb
            -ex "break learner::TwoLooks::operator()" -ex "run > shown.txt" -ex next -ex next -ex next
            -ex next -ex shapes -ex "print X.dim(0)" ${FOLDER}/debugged/learns
    WORKING_DIRECTORY ${FOLDER}/debugged OUTPUT_VARIABLE said ERROR_VARIABLE said)
  # Without its debug information the library's part of an answer is missing, in words.
  set(unknown "heed was built without debug information")
  foreach(words "this +learner::TwoLooks +(TwoLooks, 648 parameters|.*${unknown})"
                "before +Variable +.5, 8. ([a-z]+ at .*, in TwoLooks at learns.cpp|graph unknown: ${unknown})"
                "X +Variable +.5, 8. constant" "y +Variable +<not constructed yet>" "1 = 5\n")
    if(NOT said MATCHES "${words}")
      message("${said}")
      message(FATAL_ERROR "gdb did not say ${words}")
    endif()
  endforeach()
  message(STATUS "a debugger shows the learner's layer")
  include(${here}/../find_tools.cmake)
  find_python("json")
  if(python)  # and a walk through the layer is recorded
    run(${python} ${prefix}/share/heed/live/walk/record.py ${FOLDER}/debugged/learns
        ${FOLDER}/debugged/walk.html --gdb ${gdb} --from "learner::TwoLooks::operator()"
        --to "learns.cpp: loss.backward()")
    file(READ ${FOLDER}/debugged/walk.html page)
    if(NOT page MATCHES "two_looks.h" OR NOT page MATCHES "class Player")
      message(FATAL_ERROR "the page of the walk does not show two_looks.h, or cannot play")
    endif()
  else()
    message("skipped in part: needs python3 (apt-get install python3)")
  endif()
else()
  message("skipped in part: needs gdb (apt-get install gdb)")
endif()

# A shared library of a user's own contains heed.
run(${CMAKE_COMMAND} -S ${here}/shared_library -B ${FOLDER}/shared_library ${options})
run(${CMAKE_COMMAND} --build ${FOLDER}/shared_library)
run(${FOLDER}/shared_library/program)
message(STATUS "a shared library contains heed")

# A compiler called by hand, as pkg-config says, in a folder that was moved.
file(GLOB_RECURSE pc ${prefix}/*/heed.pc)
find_program(pkg_config NAMES pkgconf pkg-config)
if(pkg_config)
  cmake_path(GET pc PARENT_PATH pc)
  string(REPLACE " " ";" flags "${FLAGS}")
  foreach(library heed heed_double)
    foreach(what modversion cflags libs)
      execute_process(COMMAND ${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${pc} ${pkg_config} --${what}
                              ${library}
                      RESULT_VARIABLE code OUTPUT_VARIABLE ${what} ERROR_VARIABLE said
                      OUTPUT_STRIP_TRAILING_WHITESPACE)
      if(NOT code EQUAL 0)
        message(FATAL_ERROR "pkg-config --${what} ${library}: ${said}")
      endif()
    endforeach()
    separate_arguments(cflags UNIX_COMMAND "${cflags}")
    separate_arguments(libs UNIX_COMMAND "${libs}")
    run(${COMPILER} -std=c++20 ${flags} "-DVERSION=\"${modversion}\"" ${cflags} ${here}/version.cpp
        -o ${FOLDER}/${library}_by_hand ${libs})
    run(${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${pc}/.. ${FOLDER}/${library}_by_hand)
  endforeach()
  message(STATUS "pkg-config ${modversion} works")
else()
  message("skipped in part: needs pkg-config (apt-get install pkg-config)")
endif()

# A program may say which folder it looks in; no path of ours depends on where it is run.
file(GLOB_RECURSE targets ${prefix}/*/heed-targets.cmake)
file(STRINGS ${targets} includes REGEX "INCLUDE_DIRECTORIES")
foreach(line IN LISTS includes)
  if(NOT line MATCHES "_IMPORT_PREFIX")
    message(FATAL_ERROR "heed-targets.cmake has a relative path: ${line}")
  endif()
endforeach()

# A project with -ffast-math in its flags is told so, and with one more flag has the same numbers.
run(${CMAKE_COMMAND} -S ${here}/fast_math -B ${FOLDER}/fast_math ${options})
run(${CMAKE_COMMAND} --build ${FOLDER}/fast_math --target programs)
run(${FOLDER}/fast_math/taken)
expect("heed needs infinities" ${CMAKE_COMMAND} --build ${FOLDER}/fast_math --target refused)
expect("this thread rounds the smallest numbers to zero" ${FOLDER}/fast_math/flushing)
message(STATUS "-ffast-math changes nothing")

# What programs need to run, and what is needed to compile them.
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${FOLDER}/runtime --component heed_runtime)
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${FOLDER}/development
    --component heed_development)
file(GLOB_RECURSE all RELATIVE ${prefix} ${prefix}/*)
file(GLOB_RECURSE runtime RELATIVE ${FOLDER}/runtime ${FOLDER}/runtime/*)
file(GLOB_RECURSE development RELATIVE ${FOLDER}/development ${FOLDER}/development/*)
set(both ${runtime} ${development})
list(SORT both)
list(SORT all)
if(NOT both STREQUAL all OR "include/heed/heed.h" IN_LIST runtime
   OR NOT "include/heed/heed.h" IN_LIST development)
  message(FATAL_ERROR "the components are not the whole: ${runtime} and ${development}")
endif()
message(STATUS "the two components are all there is")

expect("a_program_links_heed_or_heed_double_not_both"
       ${CMAKE_COMMAND} -S ${here}/both_precisions -B ${FOLDER}/both_precisions ${options})
message(STATUS "both precisions in one program are refused")

# `uninstall` leaves nothing behind, but for what is not ours.
file(WRITE ${prefix}/include/own.h "// of another package\n")
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
run(${CMAKE_COMMAND} --build ${BUILD} --target uninstall)
file(GLOB_RECURSE left RELATIVE ${prefix} ${prefix}/*)
if(NOT left STREQUAL "include/own.h" OR EXISTS ${prefix}/include/heed)
  message(FATAL_ERROR "uninstall left ${left}")
endif()
expect("nothing was installed from" ${CMAKE_COMMAND} -D BUILD=${BUILD}
       -P ${SOURCE}/nn/packaging/uninstall.cmake)
message(STATUS "uninstall leaves nothing")
