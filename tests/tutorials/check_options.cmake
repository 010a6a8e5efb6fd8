# How every tutorial responds to --help and to unknown options, and that colours change nothing
# else.
# Run as: cmake -D PROGRAM=program -D LONG=ON or OFF -P check_options.cmake
# LONG: without runs from which nothing of this lesson's own is learned.
cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/expect.cmake)

expect(0 output "--seed" --help)
expect(0 output "--color WHEN" --help)
expect(0 output "--stop  .*--predict  " --help)
expect(2 errors "--stop takes no value" --stop=08.3)
expect(2 errors "--predict takes no value" --predict=all)
expect(2 errors "--nonsense" --nonsense)
expect(2 errors "--seed" --seed)
expect(2 errors "minus" --seed minus)
expect(2 errors "-1" --seed -1)
expect(2 errors "--color takes auto, always or never, not \"blue\"" --color blue)
expect(2 errors "--color needs a value" --color)

# Settings that are not understood are reported before anything is printed.
foreach(setting HEED_THREADS=many HEED_KERNELS=fastest HEED_KEEP_MEMORY=2)
  string(REGEX REPLACE "=.*" "" name ${setting})
  execute_process(COMMAND ${CMAKE_COMMAND} -E env ${setting} ${PROGRAM} RESULT_VARIABLE code
                  OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  if(NOT code EQUAL 2 OR NOT output STREQUAL "" OR NOT errors MATCHES "${name} is \"")
    message(SEND_ERROR "${setting}: ended with ${code}\n${output}\n${errors}")
  endif()
endforeach()

# A full disk is reported; a reader who has gone is not.
if(EXISTS /dev/full)
  set(runs "--help")
  if(NOT LONG)
    list(APPEND runs "")
  endif()
  foreach(arguments IN LISTS runs)
    execute_process(COMMAND ${PROGRAM} ${arguments} RESULT_VARIABLE code OUTPUT_FILE /dev/full
                    ERROR_VARIABLE errors)
    if(NOT code EQUAL 2 OR NOT errors MATCHES ": the output could not be written\n$")
      message(SEND_ERROR "'${arguments}' to a full disk: ended with ${code}\n${errors}")
    endif()
  endforeach()
endif()
if(UNIX)
  foreach(first "" "trap '' PIPE; ")
    execute_process(COMMAND sh -c "${first}'${PROGRAM}' --help | exec true"
                    RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE errors)
    if(NOT code EQUAL 0 OR NOT "${output}${errors}" STREQUAL "")
      message(SEND_ERROR "${first}into a closed pipe: ended with ${code}\n${output}\n${errors}")
    endif()
  endforeach()
endif()

# A long lesson's colours are compared where its models are loaded (check_training_run.cmake).
if(NOT LONG)
  output_with(plain "")
  output_with(always "" --color always)
  expect_colors(FALSE "in a pipe" "${plain}" "${plain}")
  expect_drawn_in_colors("${always}" "${plain}")
  output_with(never FORCE_COLOR=3 --color=never)
  expect_colors(FALSE "--color never" "${never}" "${plain}")
endif()
