# Checks that the programs run and report wrong options; nothing is measured.
# Run as: cmake -D BENCHMARKS=program -D WALK=program -D FIGURES=program -D FOLDER=folder -P check.cmake
# With -D TWINS=ON: checks that PyTorch, if installed, computes what heed computes.
cmake_minimum_required(VERSION 3.25)

# expect(status text command...): the command exits with this status and prints this text.
function(expect status text)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output
                  ERROR_VARIABLE errors)
  if(NOT result STREQUAL status)
    message(SEND_ERROR "${ARGN}: ended with ${result}, not ${status}\n${output}${errors}")
  endif()
  string(FIND "${output}${errors}" "${text}" place)
  if(place EQUAL -1)
    message(SEND_ERROR "${ARGN}: does not say \"${text}\"\n${output}${errors}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# check_json(file count sides...): the file parses and has this many results with these sides.
function(check_json file count)
  file(READ ${file} json)
  string(JSON found LENGTH "${json}" results)
  if(NOT found EQUAL count)
    message(SEND_ERROR "${file} has ${found} results, not ${count}")
  endif()
  foreach(side IN LISTS ARGN)
    string(JSON median GET "${json}" results 0 sides ${side} median)
    if(NOT median GREATER 0)
      message(SEND_ERROR "${file}: the median of ${side} is ${median}")
    endif()
  endforeach()
endfunction()

set(file ${FOLDER}/smoke.json)
if(TWINS)
  # The exit code is 1 if results differ.
  expect(0 "gpt tiny" ${BENCHMARKS} --quick --twins)
  return()
endif()

expect(0 "--only PATTERN" ${BENCHMARKS} --help)
expect(0 "GPT step S" ${BENCHMARKS} --list)
expect(0 "64 x 64 x 64" ${BENCHMARKS} --quick --no-peers --only "64 x 64" --output ${file})
check_json(${file} 1 heed peak)
expect(0 "start, add" ${BENCHMARKS} --quick --no-peers --only "start, add")
expect(0 "2-16-16-1" ${BENCHMARKS} --quick --only "2-16-16-1" --python no-such-python)
expect(0 "ONNX Runtime: no node on this machine" ${CMAKE_COMMAND} -E env PATH=/nowhere
       ${BENCHMARKS} --quick --only "S forward" --python no-such-python)
find_program(NODE node)
if(NODE)
  foreach(package onnxruntime-node node-llama-cpp)
    expect(0 "npm's package ${package} is not in /nowhere" ${BENCHMARKS} --quick --twins
           --only "forward tiny" --only "llama_prompt tiny" --python no-such-python
           --npm-peers /nowhere)
  endforeach()
endif()
expect(0 "OpenBLAS's core type: " ${BENCHMARKS} --quick --only "2-16-16-1")
expect(0 "OpenBLAS's core type: none" ${BENCHMARKS} --quick --only "2-16-16-1" --python no-such-python)
expect(2 "HEED_KERNELS is \"fastest\"" ${CMAKE_COMMAND} -E env HEED_KERNELS=fastest ${BENCHMARKS} --list)
expect(2 "HEED_THREADS is \"many\"" ${CMAKE_COMMAND} -E env HEED_THREADS=many ${WALK} --size 192)
expect(2 "there is no option \"--nonsense\"" ${BENCHMARKS} --nonsense)
expect(2 "--only needs a value" ${BENCHMARKS} --only)
expect(2 "no work has \"nonsense\" in its name" ${BENCHMARKS} --only nonsense)
expect(2 "cannot write to" ${BENCHMARKS} --only "64 x" --output /no/such/folder/file)

# The page has the points that were measured, and the README's table.
set(readme ${CMAKE_CURRENT_LIST_DIR}/README.md)
set(growth ${FOLDER}/growth.json)
set(page ${FOLDER}/figures.html)
expect(0 "by layers: 1" ${BENCHMARKS} --quick --no-peers --growth --only "by tokens: 64"
       --only "by layers: 1" --output ${growth})
expect(0 "figures.html" ${FIGURES} ${growth} ${readme} ${page})
file(READ ${page} html)
foreach(part "attention, time by tokens" "GPT step, memory by layers" "GPT step S   ")
  string(FIND "${html}" "${part}" place)
  if(place EQUAL -1)
    message(SEND_ERROR "${page} does not have \"${part}\"")
  endif()
endforeach()
expect(0 "RESULTS README PAGE" ${FIGURES} --help)
expect(2 "it takes RESULTS README PAGE" ${FIGURES} ${growth})
expect(2 "has no points of figures" ${FIGURES} ${file} ${readme} ${page})
expect(2 "no table that begins with \"work\"" ${FIGURES} ${growth} ${growth} ${page})
expect(2 "cannot write to /no/such/folder/page" ${FIGURES} ${growth} ${readme} /no/such/folder/page)

expect(0 "All give the same bits." ${WALK} --size 192)
expect(0 "--size N" ${WALK} --help)
expect(2 "--size takes a multiple of 96" ${WALK} --size 100)
expect(2 "--size takes a multiple of 96" ${WALK} --size many)
expect(2 "--size needs a value" ${WALK} --size)
expect(2 "there is no option \"--nonsense\"" ${WALK} --nonsense)
