# The tour. Its first part builds the first lesson. Its second part builds the other lessons, then runs
# all of them in reading order: the output of a lesson goes to a file, and a line reports whether its
# claims held. A lesson that fails does not keep the others from running, but the tour then fails.
# Run as: cmake -D PART=1 -D NAMES=00_first_look,01_tensors -D BUILD=folder -D PROGRAMS=folder
#         -D ROOT=folder -P tour.cmake
# then run the first lesson, and then again with -D PART=2 -D TRANSCRIPTS=folder.
cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/say.cmake)

# The path as one types it in ROOT.
function(from_root path result)
  cmake_path(IS_PREFIX ROOT ${path} NORMALIZE inside)
  if(inside)
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${ROOT})
  endif()
  set(${result} ${path} PARENT_SCOPE)
endfunction()

# The claims that a lesson printed as `kind`, and how many. Brackets and semicolons mean something in
# a CMake list, and nothing here.
function(claims_of text kind claims count)
  string(REGEX REPLACE "[][;]" " " text "\n${text}")
  string(REGEX MATCHALL "\n  ${kind}: [^\n]*(\n         [^\n]*)*" found "${text}")
  list(LENGTH found number)
  list(JOIN found "" found)
  set(${claims} "${found}" PARENT_SCOPE)
  set(${count} ${number} PARENT_SCOPE)
endfunction()

# In `result`, the number of files of these targets that are not compiled yet.
function(count_uncompiled result)
  list(JOIN ARGN "|" targets)
  file(STRINGS ${BUILD}/compile_commands.json lines REGEX "^  \"(directory|command)\": ")
  set(count 0)
  foreach(line IN LISTS lines)
    if(line MATCHES "^  \"directory\": \"(.*)\"")
      set(directory "${CMAKE_MATCH_1}")
    elseif(line MATCHES " -o ([^ ]*CMakeFiles/(${targets})[.]dir/[^ ]+)")
      if(NOT EXISTS "${directory}/${CMAKE_MATCH_1}")
        math(EXPR count "${count} + 1")
      endif()
    endif()
  endforeach()
  set(${result} ${count} PARENT_SCOPE)
endfunction()

# Builds these targets. A terminal shows how many of `count` files were compiled, in one line that is
# then erased; the compiler's output is shown only if the build fails.
function(build_quietly count)
  unset(ENV{MAKEFLAGS})  # of the outer build
  cmake_host_system_information(RESULT jobs QUERY NUMBER_OF_LOGICAL_CORES)
  set(show_progress [[
    terminal=/dev/null
    if (: > /dev/tty) 2> /dev/null; then terminal=/dev/tty; fi
    compiled=0
    while read -r line; do
      case $line in
        *'Building CXX'*)
          compiled=$((compiled + 1))
          printf '\r  compiling file %d of %d ' $compiled $1 > $terminal ;;
      esac
    done
    printf '\r%40s\r' '' > $terminal]])
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${BUILD} --parallel ${jobs} --target ${ARGN}
                  COMMAND sh -c "${show_progress}" sh ${count}
                  ERROR_VARIABLE errors RESULTS_VARIABLE codes)
  list(GET codes 0 code)
  if(NOT code EQUAL 0)
    print("${errors}")
    message(FATAL_ERROR "The build failed")
  endif()
endfunction()

string(REPLACE "," ";" names "${NAMES}")
list(LENGTH names count)
list(GET names 0 first)
from_root(${PROGRAMS} programs)
set(speed ${BUILD}/first_part_of_the_tour.txt)  # files, and the seconds they took

if(PART EQUAL 1)
  count_uncompiled(files heed tutorial_support ${first})
  if(files GREATER 0)
    print("\nLesson 00 needs ${files} files, which are compiled first.\n")
  endif()
  string(TIMESTAMP start %s)
  build_quietly(${files} ${first})
  string(TIMESTAMP end %s)
  math(EXPR seconds "${end} - ${start}")
  count_uncompiled(left heed tutorial_support ${first})
  math(EXPR files "${files} - ${left}")
  file(WRITE ${speed} "${files};${seconds}")
  return()
endif()

print("\nThat was lesson 00. To run it again, on your own words:\n")
print("  ${programs}/${first} fruit flies like a banana\n")
count_uncompiled(files heed heed_double tutorial_support tutorial_support_double ${names})
if(files GREATER 0)
  file(READ ${speed} measured)
  list(GET measured 0 files_before)
  list(GET measured 1 seconds)
  set(time)
  if(files_before GREATER 20)  # the time of fewer files says little
    math(EXPR seconds "${seconds} * ${files} / ${files_before}")
    math(EXPR minutes "(${seconds} + 59) / 60")
    set(time "less than a minute")
    if(minutes GREATER 1)
      set(time "about ${minutes} minutes")
    endif()
    set(time ", ${time} at the speed of the first ${files_before}")
  endif()
  print("Now the other lessons are built: ${files} files${time}.")
endif()
build_quietly(${files} ${names})
file(MAKE_DIRECTORY ${TRANSCRIPTS})
print("Now all ${count} lessons run, some for half a minute. Their output goes to files.\n")

set(failed)
foreach(name IN LISTS names)
  string(SUBSTRING ${name} 0 2 number)
  set(transcript ${TRANSCRIPTS}/${number}.txt)
  from_root(${transcript} shown)
  begin_line(${name})

  string(TIMESTAMP start %s)
  execute_process(COMMAND ${PROGRAMS}/${name} --color never OUTPUT_FILE ${transcript}
                  ERROR_VARIABLE errors RESULT_VARIABLE code)
  string(TIMESTAMP end %s)
  math(EXPR seconds "${end} - ${start}")
  file(READ ${transcript} text)
  claims_of("${text}" checked held_claims held)
  claims_of("${text}" FALSE false_claims false)

  if(code EQUAL 0 AND NOT errors AND false EQUAL 0)
    print("all ${held} claims held, ${seconds} s: ${shown}")
    continue()
  endif()
  list(APPEND failed ${number})
  print("FAILED, exit code ${code}, false claims ${false}, ${seconds} s: ${shown}${false_claims}")
  if(errors)
    string(STRIP "${errors}" errors)
    print("${errors}")
  endif()
endforeach()

if(failed)
  list(JOIN failed ", " failed)
  message(FATAL_ERROR "These lessons failed: ${failed}")
endif()
print("\nAll claims of all ${count} lessons held. Next, lesson 01, which asks you before it shows a result:\n")
print("  ${programs}/01_tensors --predict\n")
print("All lessons as pages, the exercises, and a lesson in a debugger:\n")
print("  cmake --workflow --preset book")
print("  cmake --workflow --preset exercises && build/debug/tutorials/exercises/exercises")
print("  cmake --preset debug && cmake --build --preset debug --target 08_causal_attention")
print("  gdb -x tutorials/debugger/init.gdb build/debug/tutorials/08_causal_attention\n")
