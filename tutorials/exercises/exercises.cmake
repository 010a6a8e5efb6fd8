# An exercise is one file, solutions/NN_N_name.cpp. Its first line has its number, title, kind and
# minutes. Each hole has what the learner finds there, in comments, then our answer; the mark of one
# of them names the function in which a debugger stops:
#     // 08.1 The causal mask                                       fill · 10 minutes · about 3 lines
#     ...
#         // begin stub, stop in apply_causal_mask
#         //     exercise::not_done("08.1");
#         // begin solution
#         return masked;
#         // end
# The mark may go on with names of the library that the answer must not use, since it does what they
# do: `stop in mask_of_batch, without Mask::causal Mask::padding`.
# From these files are made: the list of exercises, the stubs and the solutions without marks, in a
# folder of the build; and the learner's own files, where they are missing.

# heed_read_exercise(FILE): sets stub, solution and entry, its line of the list: number, file, kind,
# minutes, function, title; and without, a line with its number and such names, or "".
function(heed_read_exercise file)
  cmake_path(GET file STEM name)
  file(READ ${file} text)  # with \n alone at the end of lines
  if(NOT text MATCHES "^// ([0-9][0-9][.][0-9]+) ([^\n]*[^ \n])  +([a-z]+) · ([0-9]+) minutes · ")
    message(FATAL_ERROR "${file}: its first line is not `// 08.1 Title  kind · 10 minutes · lines`")
  endif()
  set(number ${CMAKE_MATCH_1})
  set(before "${number} ${name} ${CMAKE_MATCH_3} ${CMAKE_MATCH_4}")
  set(title "${CMAKE_MATCH_2}")
  if(NOT text MATCHES "// begin stub, stop in ([^,\n]+)(, without ([^\n]+))?\n")
    message(FATAL_ERROR "${file}: no hole says `// begin stub, stop in FUNCTION`")
  endif()
  set(entry "${before} ${CMAKE_MATCH_1} ${title}\n" PARENT_SCOPE)
  set(without "" PARENT_SCOPE)
  if(CMAKE_MATCH_3)
    set(without "${number} ${CMAKE_MATCH_3}\n" PARENT_SCOPE)
  endif()

  # One character for each kind of mark, since a regular expression has no "up to this word".
  string(ASCII 1 begin)
  string(ASCII 2 middle)
  string(ASCII 3 end)
  string(REGEX REPLACE " *// begin stub[^\n]*\n" "${begin}" text "${text}")
  string(REGEX REPLACE " *// begin solution\n" "${middle}" text "${text}")
  string(REGEX REPLACE " *// end\n" "${end}" text "${text}")
  set(lines "[^${begin}${middle}${end}]*")
  string(REGEX REPLACE "${begin}${lines}${middle}(${lines})${end}" "\\1" solution "${text}")
  set(stub "${text}")
  while(stub MATCHES "${begin}(${lines})${middle}${lines}${end}")
    set(hole "${CMAKE_MATCH_0}")
    set(commented "${CMAKE_MATCH_1}")
    if(NOT commented MATCHES "^( *//(     [^\n]*)?\n)*$")
      message(FATAL_ERROR "${file}: a line of a stub is not a comment indented by five:\n${commented}")
    endif()
    string(REGEX REPLACE " *//\n" "\n" lines_of_stub "${commented}")
    string(REGEX REPLACE "( *)//     ([^\n]*\n)" "\\1\\2" lines_of_stub "${lines_of_stub}")
    string(REPLACE "${hole}" "${lines_of_stub}" stub "${stub}")
  endwhile()
  if(stub MATCHES "[${begin}${middle}${end}]")
    message(FATAL_ERROR "${file}: its marks are not `// begin stub`, `// begin solution`, `// end`")
  endif()
  set(stub "${stub}" PARENT_SCOPE)
  set(solution "${solution}" PARENT_SCOPE)
endfunction()

# Leaves a file alone that has this text already, so that nothing is built again for it.
function(heed_write_changed file text)
  set(now "")
  if(EXISTS ${file})
    file(READ ${file} now)
  endif()
  if(NOT now STREQUAL text)
    file(WRITE ${file} "${text}")
  endif()
endfunction()

# heed_make_exercises(FOLDER FILES...): makes FOLDER/list.txt, FOLDER/without.txt, FOLDER/stubs/ and
# FOLDER/solutions/ from the files of solutions/, in their order.
function(heed_make_exercises folder)
  set(list "")
  set(all_without "")
  foreach(file IN LISTS ARGN)
    cmake_path(GET file FILENAME name)
    file(REAL_PATH ${file} original)
    file(REAL_PATH ${folder}/solutions/${name} made)
    if(made STREQUAL original)
      message(FATAL_ERROR "${file}: the solution without marks would overwrite this file")
    endif()
    heed_read_exercise(${file})
    heed_write_changed(${folder}/stubs/${name} "${stub}")
    heed_write_changed(${folder}/solutions/${name} "${solution}")
    string(APPEND list "${entry}")
    string(APPEND all_without "${without}")
  endforeach()
  heed_write_changed(${folder}/list.txt "${list}")
  heed_write_changed(${folder}/without.txt "${all_without}")
endfunction()

# heed_make_missing(STUBS FOLDER PROBLEM): copies each file of STUBS into FOLDER that it lacks; what
# is there stays as it is. PROBLEM is then why that failed, or "".
function(heed_make_missing stubs folder problem)
  set(${problem} "" PARENT_SCOPE)
  file(GLOB names RELATIVE ${stubs} ${stubs}/*.cpp)
  execute_process(COMMAND ${CMAKE_COMMAND} -E make_directory ${folder} OUTPUT_QUIET ERROR_QUIET)
  foreach(name IN LISTS names)
    if(NOT EXISTS ${folder}/${name} AND NOT IS_SYMLINK ${folder}/${name})
      file(COPY_FILE ${stubs}/${name} ${folder}/${name} RESULT result)
      if(NOT result EQUAL 0)
        set(${problem} "${result}" PARENT_SCOPE)
        return()
      endif()
    endif()
  endforeach()
endfunction()
