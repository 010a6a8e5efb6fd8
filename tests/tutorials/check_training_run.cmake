# What --save, --resume and --load do in a lesson that trains: the output is always the same, also of
# a run that was killed again and again.
# Run as: cmake -D PROGRAM=program -D TRANSCRIPT=file -D FOLDER=folder -D LONG=ON or OFF
#               -P check_training_run.cmake
# LONG: not killed, and with another seed, so that its claims are tried with a second one, too.
cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/expect.cmake)

set(runs ${FOLDER}/runs)
file(REMOVE_RECURSE ${runs})
set(seed)
if(LONG)
  set(seed --seed 2)
  output_with(expected "" ${seed} --save ${runs})
else()
  file(READ ${TRANSCRIPT} expected)
endif()

function(expect_the_same)
  execute_process(COMMAND ${PROGRAM} ${seed} ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output
                  ERROR_VARIABLE errors)
  if(NOT code EQUAL 0 OR NOT output STREQUAL expected)
    message(SEND_ERROR "${PROGRAM} ${seed} ${ARGN} ended with ${code}, or not as ever:\n${errors}")
  endif()
endfunction()

if(NOT LONG)
  expect_the_same(--save ${runs})
endif()
expect_the_same(--load ${runs})
expect_the_same(--resume ${runs})
output_with(colored "" ${seed} --load ${runs} --color always)
expect_drawn_in_colors("${colored}" "${expected}")

# From the files of a run killed ever later, and at the last not at all.
if(NOT LONG)
  set(killed ${FOLDER}/killed)
  file(REMOVE_RECURSE ${killed})
  file(MAKE_DIRECTORY ${killed})
  set(kills 0)
  foreach(hundredths RANGE 2 102 5)
    set(limit 600)
    if(hundredths LESS 10)
      set(limit 0.0${hundredths})
    elseif(hundredths LESS 100)
      set(limit 0.${hundredths})
    endif()
    execute_process(COMMAND ${PROGRAM} --resume ${killed} TIMEOUT ${limit} RESULT_VARIABLE code
                    OUTPUT_VARIABLE output ERROR_VARIABLE errors)
    if(code EQUAL 0)
      break()
    endif()
    math(EXPR kills "${kills} + 1")
  endforeach()
  if(NOT code EQUAL 0 OR NOT output STREQUAL expected)
    message(SEND_ERROR "after ${kills} kills it ended with ${code}, or not as ever:\n${errors}")
  endif()
  if(kills EQUAL 0)
    message(SEND_ERROR "it was never killed")
  endif()
  message(STATUS "killed ${kills} times")
endif()

expect_refusal("give one of --save and --load" --save ${runs} --load ${runs})
expect_refusal("--load: the folder \"/no/such\" is not there" --load /no/such)
expect_refusal("--resume: the folder \"/no/such\" is not there" --resume /no/such)
file(WRITE ${FOLDER}/no_folder "")
expect_refusal("--save: the folder \".*/no_folder/runs\" cannot be made: " --save ${FOLDER}/no_folder/runs)
expect(2 errors "safetensors\": there is no such file" --load ${FOLDER})
# The runs of a lesson that lacks one of them, or whose file is cut off.
file(GLOB files ${runs}/*.safetensors)
foreach(file IN LISTS files)
  file(WRITE ${file} "cut off")
endforeach()
expect(2 errors "safetensors: \".*safetensors\": it has 7 bytes" --load ${runs})
