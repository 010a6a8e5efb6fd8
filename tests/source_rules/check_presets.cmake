# A preset's build runs one job a processor, also where the environment is nearly empty, as in a
# container. Without SHELL, make 4.3 expands $(shell nproc) in MAKEFLAGS to nothing, and a bare -j
# starts every compilation at once.
# Run as: cmake -D ROOT=folder -D FOLDER=folder -P check_presets.cmake
cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/../find_tools.cmake)
need(make)

file(READ ${ROOT}/CMakePresets.json presets)
string(JSON environment GET "${presets}" configurePresets 0 environment)
string(JSON count LENGTH "${environment}")
math(EXPR last "${count} - 1")
set(settings)
foreach(index RANGE ${last})
  string(JSON name MEMBER "${environment}" ${index})
  string(JSON value GET "${environment}" ${name})
  list(APPEND settings "${name}=${value}")
endforeach()

file(WRITE ${FOLDER}/jobs.make "all: ; @echo flags: $(MAKEFLAGS)\n")
execute_process(COMMAND env -i "PATH=$ENV{PATH}" ${settings} ${make} -f ${FOLDER}/jobs.make
                OUTPUT_VARIABLE received ERROR_VARIABLE received)
if(NOT received MATCHES "flags:.* -j[1-9]")
  message(SEND_ERROR "make should run one job a processor, and its flags are: ${received}")
endif()
