# Runs the lessons in reading order: what each prints goes to a file, and a line says whether its
# claims held. A lesson that fails does not keep the others from running, but the tour then fails.
# Run as: cmake -D NAMES=00_first_look,01_tensors -D PROGRAMS=folder -D TRANSCRIPTS=folder
#         -D ROOT=folder -P tour.cmake
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

string(REPLACE "," ";" names "${NAMES}")
list(LENGTH names count)
from_root(${PROGRAMS} programs)
file(MAKE_DIRECTORY ${TRANSCRIPTS})
print("\nNow the lessons run, some for half a minute. What they print is written to files.\n")

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
print("\nAll claims of all ${count} lessons held. Next, lesson 00 on your own words:\n")
print("  ${programs}/00_first_look fruit flies like a banana\n")
print("and lesson 01, which asks you before it shows a result:\n")
print("  ${programs}/01_tensors --predict\n")
