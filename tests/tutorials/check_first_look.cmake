# What 00_first_look does with words, files and settings for colours.
# Run as: cmake -D PROGRAM=program -P check_first_look.cmake
cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/expect.cmake)

set(words --color never King Wibble "queen")
expect(0 output "no vector, so left out as if it were not in the sentence: Wibble.*202 words.*king +1[.]00 +·.*queen +0[.]30 +0[.]70" ${words})
expect(0 output "sentence: a\n.*fruit +flies +like +banana" fruit flies like a banana)
expect(2 errors "none of these words has a vector" Wibble)
expect(2 errors "file \"/no/such/file\" cannot be read" --file /no/such/file)
expect(2 errors "give words or --file, not both" --file /no/such/file king)
expect(2 errors "file \"/no/such/file\" cannot be read" --vectors /no/such/file king)
expect(2 errors "--vectors needs words or --file" --vectors /no/such/file)
expect(2 errors "check_first_look.cmake, line 1: " --vectors ${CMAKE_CURRENT_LIST_FILE} king)

# Answers a question about the user's own words.
execute_process(COMMAND ${CMAKE_COMMAND} -E echo "QUEEN"
                COMMAND ${PROGRAM} --color never --predict king queen
                OUTPUT_VARIABLE output RESULT_VARIABLE code)
if(NOT code EQUAL 0 OR NOT output MATCHES "look most.*king or queen.*Right: queen.*predicted 1 of 1")
  message(SEND_ERROR "--predict ends with ${code}, and says\n${output}")
endif()

output_with(plain "" king queen)
foreach(setting "FORCE_COLOR=1" "FORCE_COLOR=3" "FORCE_COLOR=yes" "NO_COLOR=;FORCE_COLOR=1"
                "FORCE_COLOR=2;TERM=dumb")
  output_with(output "${setting}" king queen)
  expect_colors(TRUE "${setting}" "${output}" "${plain}")
endforeach()
foreach(setting "NO_COLOR=1;FORCE_COLOR=3" "FORCE_COLOR=0" "FORCE_COLOR=false" "FORCE_COLOR="
                "COLORTERM=truecolor;TERM=xterm-256color")
  output_with(output "${setting}" king queen)
  expect_colors(FALSE "${setting}" "${output}" "${plain}")
endforeach()

output_with(output "NO_COLOR=1;COLORTERM=24bit;TERM=dumb" --color always king queen)
expect_colors(TRUE "--color always" "${output}" "${plain}")
if(NOT output MATCHES ";48;2;8;50;110m")
  message(SEND_ERROR "COLORTERM=24bit does not give truecolor")
endif()
output_with(output COLORTERM=no --color always king queen)
if(NOT output MATCHES ";48;5;18m")
  message(SEND_ERROR "--color always does not give 256 colours where nothing more is known")
endif()
