# Checks the libraries' symbols for three mistakes that are easy to overlook: a call of a libm
# function that is not exact; a call that asks the locale (vsnprintf is in std::to_string of a
# fraction); and an inline function in a file of fast kernels that the linker may
# pick for the whole program, which then dies of an illegal instruction on an older machine.
# Run as: cmake -D NM=nm -D LIBRARIES=a,b -P check_symbols.cmake
cmake_minimum_required(VERSION 3.25)

set(inexact "exp|exp2|expm1|log|log2|log10|log1p|pow|cbrt|hypot|sin|cos|sincos|tan|asin|acos|atan")
string(APPEND inexact "|atan2|sinh|cosh|tanh|asinh|acosh|atanh|erf|erfc|tgamma|lgamma")
set(asks "toupper|tolower|is(alnum|alpha|blank|cntrl|digit|graph|lower|print|punct|space|upper|xdigit)")
string(APPEND asks "|strto(d|f|ld)|atof|(__)?vsnprintf(_chk)?|setlocale|localeconv")
string(REPLACE "," ";" LIBRARIES "${LIBRARIES}")
foreach(library IN LISTS LIBRARIES)
  execute_process(COMMAND ${NM} --undefined-only ${library} OUTPUT_VARIABLE symbols
                  ERROR_QUIET COMMAND_ERROR_IS_FATAL ANY)
  if(NOT symbols MATCHES " U ")
    message(SEND_ERROR "${NM} lists no symbols of ${library}")
  endif()
  string(REGEX MATCHALL " U (${inexact})[fl]?(@[^\n]*)?\n" wrong "${symbols}")
  if(wrong)
    list(REMOVE_DUPLICATES wrong)
    message(SEND_ERROR "${library} calls libm, whose results differ by machine:\n${wrong}")
  endif()
  string(REGEX MATCHALL " U (${asks})(@[^\n]*)?\n" wrong "${symbols}")
  if(wrong)
    list(REMOVE_DUPLICATES wrong)
    message(SEND_ERROR "${library} asks the locale, which is the user's to set:\n${wrong}")
  endif()

  execute_process(COMMAND ${NM} -A --defined-only ${library} OUTPUT_VARIABLE symbols
                  ERROR_QUIET COMMAND_ERROR_IS_FATAL ANY)
  if(NOT symbols MATCHES "fast_portable")
    message(SEND_ERROR "${library} has no fast kernels")
  endif()
  # llvm-nm writes a space before the address. Type names are not code (a sanitizer adds them).
  string(REGEX MATCHALL "fast_[a-z0-9]+\\.cpp\\.o: ?[0-9a-f]+ [WVu] [^\n]*\n" shared "${symbols}")
  list(FILTER shared EXCLUDE REGEX " V _ZT[IS]")
  if(shared)
    message(SEND_ERROR "${library}: kernels that other files may get by accident:\n${shared}")
  endif()
endforeach()
