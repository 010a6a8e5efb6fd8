# A function of libm that slipped past the eye is still in the library's list of missing symbols.
# Run as: cmake -D NM=nm -D LIBRARIES=a,b -P check_symbols.cmake
cmake_minimum_required(VERSION 3.25)

set(inexact "exp|exp2|expm1|log|log2|log10|log1p|pow|cbrt|hypot|sin|cos|sincos|tan|asin|acos|atan")
string(APPEND inexact "|atan2|sinh|cosh|tanh|asinh|acosh|atanh|erf|erfc|tgamma|lgamma")
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
endforeach()
