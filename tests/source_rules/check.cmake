# Project rules that no compiler checks, over the sources below ROOT: no floor includes a higher one,
# the core of autograd no instrument, every include names a file of this tree, a derivative has one
# formula, namespace lines are plain, no result comes from a libm function that is not exact, and
# nothing asks the locale.
# What is forgotten in a list would go unseen: each source of the library and each test stands in a
# CMakeLists.txt, and a header is included by another file than its own source.
# Run as: cmake -D ROOT=folder -P check.cmake
cmake_minimum_required(VERSION 3.25)

set(tensor_may_see tensor)
set(autograd_may_see tensor autograd)
set(nn_may_see tensor autograd nn)
set(tutorials_may_see tensor autograd nn tutorials)

# Each machine and compiler rounds these differently. Ours have the same names in namespace heed, so
# unqualified names are matched only with the suffix of C's float and long double versions.
set(inexact "exp|exp2|expm1|log|log2|log10|log1p|pow|cbrt|hypot|sin|cos|tan|asin|acos|atan|atan2")
string(APPEND inexact "|sinh|cosh|tanh|asinh|acosh|atanh|erf|erfc|tgamma|lgamma")
set(libm_call "(std *::|(^|[^A-Za-z0-9_)>]) *::|__builtin_)[ ]*(${inexact})[fl]?[ ]*\\(")
set(libm_suffixed "(^|[^A-Za-z0-9_:.])(${inexact})[fl][ ]*\\(")
set(random_distribution "std *::[a-z_]+_distribution")
# These ask the locale, which is the user's to set: a Turkish one makes another letter of i, many
# write 1,5 for 1.5. Use tensor/errors.h's text(), tensor/print.h's fixed() and std::from_chars.
set(asks "toupper|tolower|is(alnum|alpha|blank|cntrl|digit|graph|lower|print|punct|space|upper|xdigit)")
string(APPEND asks "|v?[fsd]?n?printf|[fs]?scanf|strto(d|f|ld)|sto(d|f|ld)|atof|setlocale|localeconv")
set(locale_call "(^|[^A-Za-z0-9_.>])(std *::)? *(${asks}) *\\(")
set(locale_object "std *:: *locale *([^: ]|:: *[^c])")
set(locale_suspect "(${asks}) *[(]|std *:: *locale")
# A stream that is made has the global locale until it is given the classic one.
set(stream_made "std::[io]?(string|f)stream +([a-z_]+)")

set(suspect "(${inexact})[fl]?[ ]*[(]|_distribution")

set(found 0)
macro(complain line)
  message(SEND_ERROR "${file}: ${line}")
  math(EXPR found "${found} + 1")
endmacro()

set(count 0)
set(headers)
set(included)
foreach(floor tensor autograd nn tutorials)
  set(listed "")
  if(EXISTS ${ROOT}/${floor}/CMakeLists.txt)
    file(READ ${ROOT}/${floor}/CMakeLists.txt listed)
  endif()
  file(GLOB_RECURSE files RELATIVE ${ROOT}
       ${ROOT}/${floor}/*.h ${ROOT}/${floor}/*.cpp ${ROOT}/${floor}/*.inc)
  # These are for other projects and do not depend on this one.
  list(FILTER files EXCLUDE REGEX "^tutorials/exercises/passport/attention_[a-z]+\\.h$")
  list(FILTER files EXCLUDE REGEX "^tutorials/exercises/[0-9][^/]*$")  # a learner's
  foreach(file IN LISTS files)
    math(EXPR count "${count} + 1")
    cmake_path(REMOVE_EXTENSION file OUTPUT_VARIABLE stem)
    if(floor MATCHES "^(tensor|autograd|nn)$")
      cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${floor} OUTPUT_VARIABLE name)
      if(NOT file MATCHES "\\.cpp$")
        list(APPEND headers ${file})
      elseif(NOT listed MATCHES "[ (]${name}[ )\n]")
        complain("it is not in ${floor}/CMakeLists.txt, so it is not compiled")
      endif()
    endif()
    file(STRINGS ${ROOT}/${file} includes REGEX "^[ ]*#[ ]*include[ ]*\"")
    foreach(include IN LISTS includes)
      # The library's includes are relative, so that they are found in a fresh checkout and in an
      # installed heed alike, and never in a user's folder of the same name. Programs of this tree
      # include from its root.
      string(REGEX REPLACE "^[^\"]*\"([^\"]*)\".*" "\\1" seen "${include}")
      if(floor MATCHES "^(tensor|autograd|nn)$")
        cmake_path(GET file PARENT_PATH seen_from)
        cmake_path(SET seen NORMALIZE "${seen_from}/${seen}")
      endif()
      if(NOT EXISTS ${ROOT}/${seen})
        complain("${include} names no file of this tree")
      endif()
      if(NOT seen MATCHES "^${stem}\\.")
        list(APPEND included ${seen})
      endif()
      string(REGEX REPLACE "/.*" "" seen_floor "${seen}")
      if(NOT seen_floor IN_LIST ${floor}_may_see)
        complain("${include} points upward")
      endif()
      # The core of autograd and its operations know none of the instruments that observe them.
      if(file MATCHES "^autograd/([a-z_]+\\.|ops/)" AND seen MATCHES "^autograd/(inspect|gradcheck)/")
        complain("${include}: an instrument, which the core knows only as an Observer")
      endif()
    endforeach()
    file(STRINGS ${ROOT}/${file} lines REGEX "^ *namespace .*::inline ")
    foreach(line IN LISTS lines)
      complain("${line}: ctags and editors find nothing in such a namespace; open each by itself")
    endforeach()
    # One formula a derivative: a function that asks how it is called could have two.
    file(STRINGS ${ROOT}/${file} lines REGEX "grad_enabled\\(\\)")
    foreach(line IN LISTS lines)
      if(NOT file MATCHES "^autograd/(grad_mode|operation|record)\\.")
        complain("${line}: only recording asks whether it is on")
      endif()
    endforeach()
    # Only suspect lines are examined: three expressions for each line would take most of the time.
    # Brackets and semicolons have a meaning in a CMake list, which must not apply here.
    file(STRINGS ${ROOT}/${file} lines REGEX "${suspect}" ENCODING UTF-8)
    string(REPLACE "\\;" " " lines "${lines}")
    string(REGEX REPLACE "[][\\\\]" " " lines "${lines}")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "//.*" "" line "${line}")
      if(line MATCHES "${libm_call}" OR line MATCHES "${libm_suffixed}"
         OR line MATCHES "${random_distribution}")
        complain("${line}: libm's or the library's result differs by machine")
      endif()
    endforeach()
    file(STRINGS ${ROOT}/${file} lines REGEX "${locale_suspect}" ENCODING UTF-8)
    string(REPLACE "\\;" " " lines "${lines}")
    string(REGEX REPLACE "[][\\\\]" " " lines "${lines}")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "//.*" "" line "${line}")
      if((line MATCHES "${locale_call}" AND NOT file STREQUAL "tensor/digits.cpp")
         OR line MATCHES "${locale_object}")
        complain("${line}: asks or sets the locale")
      endif()
    endforeach()
    # No program here sets a locale, so a program's streams that only read are classic.
    if(floor STREQUAL "tutorials")
      file(STRINGS ${ROOT}/${file} lines REGEX "std::(o?string)stream +[a-z_]+")
    else()
      file(STRINGS ${ROOT}/${file} lines REGEX "${stream_made}")
    endif()
    foreach(line IN LISTS lines)
      string(REGEX MATCH "${stream_made}" made "${line}")
      file(STRINGS ${ROOT}/${file} imbued
           REGEX "(^|[^a-z_])${CMAKE_MATCH_2}\\.imbue\\(std::locale::classic\\(\\)\\)")
      if(imbued STREQUAL "")
        complain("${line}: has the program's locale; imbue the classic one, or use text()")
      endif()
    endforeach()
  endforeach()
endforeach()

foreach(file IN LISTS headers)
  if(NOT file IN_LIST included)
    complain("no file but its own source includes it")
  endif()
endforeach()

set(listed "")
file(GLOB_RECURSE lists ${ROOT}/tests/CMakeLists.txt ${ROOT}/tests/faults.cmake)
foreach(list IN LISTS lists)
  file(READ ${list} text)
  string(APPEND listed "${text}")
endforeach()
file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/tests/*_test.cpp)
foreach(file IN LISTS files)
  cmake_path(GET file FILENAME name)
  if(NOT listed MATCHES "[ (/]${name}[ )\n]")
    complain("it is in no CMakeLists.txt, so it is not run")
  endif()
endforeach()

if(count EQUAL 0)
  message(SEND_ERROR "there is no source below ${ROOT}")
endif()
message(STATUS "${count} files read, ${found} lines against the rules")
