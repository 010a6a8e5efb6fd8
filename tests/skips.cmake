# Tests that need a package. A test that was skipped, or a part of one, says so in one form, which
# skipped.cmake collects:
#   skipped: needs gdb (apt-get install gdb), PyTorch (pip install torch)
#   skipped in part: needs chromium (apt-get install chromium)
find_package(Python3 COMPONENTS Interpreter QUIET)
find_program(HEED_GDB gdb)
find_program(HEED_LLDB NAMES lldb lldb-14)
set(tool_python3 ${Python3_EXECUTABLE})
set(tool_gdb ${HEED_GDB})
set(tool_lldb ${HEED_LLDB})

# heed_may_skip(tests...): these tests may print "skipped: needs ...". CTest then asks no more whether
# they failed, so a skipped part must not be taken for a skipped test.
function(heed_may_skip)
  set_tests_properties(${ARGN} PROPERTIES SKIP_REGULAR_EXPRESSION "skipped: needs ")
endfunction()

# heed_test_with(packages name command...): a test that runs this command, or that says which of the
# packages is missing. The variable tool_PACKAGE is what the test needs of a package.
function(heed_test_with packages name)
  set(missing)
  foreach(package IN LISTS packages)
    if(NOT tool_${package})
      list(APPEND missing "${package} (apt-get install ${package})")
    endif()
  endforeach()
  if(missing)
    list(JOIN missing ", " missing)
    add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -E echo "skipped: needs ${missing}")
  else()
    add_test(NAME ${name} COMMAND ${ARGN})
  endif()
  heed_may_skip(${name})
endfunction()
