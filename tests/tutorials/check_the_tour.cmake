# The tour says of each lesson whether its claims held, runs all, and fails if one did.
# Run as: cmake -D TOUR=tour.cmake -D FOLDER=folder -P check_the_tour.cmake
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${FOLDER})
foreach(lesson "00_good:echo '  checked: a [0, 1); b'; echo '  checked: c'"
               "01_wrong:echo '  checked: a'; echo '  FALSE: 1 [0, 1)'; echo '         of 2'; exit 1"
               "02_ended:echo '  checked: a'; exit 2" "03_warns:echo '  checked: a'; echo careful >&2"
               "04_denies:echo '  FALSE: a'")
  string(REGEX MATCH "^([^:]*):(.*)$" all "${lesson}")
  file(WRITE ${FOLDER}/${CMAKE_MATCH_1} "#!/bin/sh\n${CMAKE_MATCH_2}\n")
  file(CHMOD ${FOLDER}/${CMAKE_MATCH_1} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endforeach()

# expect_tour(CODE NAMES PATTERNS...): of lessons NAMES, with exit code CODE.
function(expect_tour code names)
  execute_process(COMMAND ${CMAKE_COMMAND} -D NAMES=${names} -D PROGRAMS=${FOLDER} -D ROOT=${root}
                          -D TRANSCRIPTS=${FOLDER}/transcripts -P ${TOUR}
                  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE ended)
  if(NOT ended EQUAL code)
    message(SEND_ERROR "the tour of ${names} ends with ${ended}, not ${code}:\n${output}")
  endif()
  foreach(pattern IN LISTS ARGN)
    if(NOT output MATCHES "${pattern}")
      message(SEND_ERROR "the tour of ${names} does not say ${pattern}:\n${output}")
    endif()
  endforeach()
endfunction()

cmake_path(GET FOLDER FILENAME here)
cmake_path(GET FOLDER PARENT_PATH root)
expect_tour(0 00_good "00_good +all 2 claims held, [0-9]+ s: ${here}/transcripts/00.txt\n"
            "Next, .*\n  ${here}/00_first_look fruit flies")
expect_tour(1 01_wrong,00_good "01_wrong +FAILED, exit code 1, false claims 1, .*/01.txt\n"
            "\n  FALSE: 1  0, 1\\)\n         of 2\n00_good +all 2" "lessons failed: 01\n")
expect_tour(1 02_ended,00_good "02_ended +FAILED, exit code 2, false claims 0" "00_good +all 2")
expect_tour(1 03_warns "03_warns +FAILED, exit code 0.*\ncareful\n")
expect_tour(1 04_denies "04_denies +FAILED, exit code 0, false claims 1.*\n  FALSE: a\n")
expect_tour(1 00_good,05_missing "05_missing +FAILED, exit code " "lessons failed: 05\n")

file(READ ${FOLDER}/transcripts/00.txt transcript)
if(NOT transcript STREQUAL "  checked: a [0, 1); b\n  checked: c\n")
  message(SEND_ERROR "the transcript is not what the lesson printed:\n${transcript}")
endif()
