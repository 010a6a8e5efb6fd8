# The lists that the pages of lessons have: lessons in reading order, and exercises.

# heed_list_lessons(CMAKE_FILE LIST): the names of all heed_tutorial(...), a line each.
function(heed_list_lessons file list)
  file(STRINGS ${file} lines REGEX "^heed_tutorial[(][0-9]")
  set(names "")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^heed_tutorial[(]([0-9a-z_]+).*" "\\1" name "${line}")
    string(APPEND names "${name}\n")
  endforeach()
  file(CONFIGURE OUTPUT ${list} CONTENT "${names}" @ONLY)
endfunction()

# heed_list_exercises(FILES LIST): "08.1|The causal mask|fill|10|08.1" a line: number, title, kind,
# minutes, and the section of the lesson that the file names.
function(heed_list_exercises files list)
  set(entries "")
  foreach(file IN LISTS files)
    file(READ ${file} text)
    if(NOT text MATCHES "^// ([0-9][0-9][.][0-9]+) ([^\n]*[^ \n])  +([a-z]+) · ([0-9]+) minutes · ")
      message(FATAL_ERROR "${file}: its first line is not that of an exercise")
    endif()
    set(number ${CMAKE_MATCH_1})
    set(entry "${CMAKE_MATCH_1}|${CMAKE_MATCH_2}|${CMAKE_MATCH_3}|${CMAKE_MATCH_4}")
    string(SUBSTRING ${number} 0 2 lesson)
    set(section "")
    if(text MATCHES "[Ll]essons?[ \n/]+(${lesson}[.][0-9]+)")
      set(section ${CMAKE_MATCH_1})
    endif()
    string(APPEND entries "${entry}|${section}\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  endforeach()
  file(CONFIGURE OUTPUT ${list} CONTENT "${entries}" @ONLY)
endfunction()
