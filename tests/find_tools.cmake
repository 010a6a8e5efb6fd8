# find_python(MODULES): sets `python` to a Python that can import them ("torch, numpy"), or to "".
# Debian's modules are only in its own Python, which need not be the first one in PATH.
function(find_python modules)
  set(python "" PARENT_SCOPE)
  foreach(candidate python3 /usr/bin/python3)
    execute_process(COMMAND ${candidate} -c "import ${modules}" RESULT_VARIABLE code OUTPUT_QUIET
                    ERROR_QUIET)
    if(code EQUAL 0)
      set(python ${candidate} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# The programs of a package that have another name than the package, or come before it.
set(programs_chromium chromium chromium-browser google-chrome)
set(programs_nodejs node)
set(programs_make gmake)

# need(PACKAGE [MODULES modules] [COMMAND command]): sets the variable PACKAGE to the package's program
# or, with MODULES, `python` to a Python that can import them. If this fails, prints that the test is
# skipped and the command that installs the package, and returns from the caller.
macro(need package)
  cmake_parse_arguments(need "" "MODULES;COMMAND" "" COMMAND "apt-get install ${package}" ${ARGN})
  if(need_MODULES)
    find_python("${need_MODULES}")
    set(tool ${python})
  else()
    find_program(${package} NAMES ${programs_${package}} ${package})
    set(tool ${${package}})
  endif()
  if(NOT tool)
    message("skipped: needs ${package} (${need_COMMAND})")
    return()
  endif()
endmacro()
