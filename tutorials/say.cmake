# What the scripts that run all lessons say while they do.

# To standard output, where message() would put dashes before it, or write to the error stream.
function(print line)
  execute_process(COMMAND ${CMAKE_COMMAND} -E echo "${line}")
endfunction()

# The name of a lesson, at the beginning of its line.
function(begin_line name)
  string(LENGTH ${name} length)
  math(EXPR gap "26 - ${length}")
  if(gap LESS 1)
    set(gap 1)
  endif()
  string(REPEAT " " ${gap} gap)
  execute_process(COMMAND ${CMAKE_COMMAND} -E echo_append "${name}${gap}")
endfunction()
