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
