# Each layer that a header of nn/ declares, a class that derives from Module and is no base of
# others, must be called in tests/nn/every_layer_test.cpp, which sees whether its call ends with
# Running::gives. Run as: cmake -D ROOT=folder -P check_layers.cmake
cmake_minimum_required(VERSION 3.25)

# "Score : Module" for each class with a base, in one list.
file(GLOB_RECURSE headers ${ROOT}/nn/*.h)
set(derived)
foreach(header IN LISTS headers)
  file(READ ${header} text)
  string(REGEX MATCHALL "\n(struct|class) [A-Za-z0-9_]+( final)? : (public )?[A-Za-z0-9_]+" found "${text}")
  list(TRANSFORM found REPLACE "^\n(struct|class) " "")
  list(TRANSFORM found REPLACE "( final)? : (public )?" ":")
  list(APPEND derived ${found})
endforeach()

# Those that derive from Module, directly or not.
set(layers Module)
foreach(round RANGE 3)
  foreach(one IN LISTS derived)
    string(REGEX REPLACE ":.*" "" class ${one})
    string(REGEX REPLACE ".*:" "" base ${one})
    if(base IN_LIST layers AND NOT class IN_LIST layers)
      list(APPEND layers ${class})
      list(APPEND bases ${base})
    endif()
  endforeach()
endforeach()
list(REMOVE_ITEM layers ${bases})

file(READ ${ROOT}/tests/nn/every_layer_test.cpp test)
foreach(layer IN LISTS layers)
  string(FIND "${test}" "{\"${layer}\", " place)
  if(place EQUAL -1)
    message(SEND_ERROR "tests/nn/every_layer_test.cpp does not call ${layer}")
  endif()
endforeach()
list(LENGTH layers count)
if(count LESS 10)
  message(SEND_ERROR "only ${count} layers were found in nn/")
endif()
message(STATUS "${count} layers of nn/ were looked for")
