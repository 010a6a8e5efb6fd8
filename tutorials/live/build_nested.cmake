# Builds with Emscripten, in a build of its own, what tutorials/live/programs.cmake lists.
# Run as: cmake -D SOURCE=folder -D BUILD=folder -D GENERATOR=Ninja -D EMSCRIPTEN=folder
#         -D TARGETS=08_causal_attention,... -P build_nested.cmake
cmake_minimum_required(VERSION 3.25)

# Debian's Emscripten has its optimiser's parser among Debian's modules of Node, wherever node is.
set(ENV{NODE_PATH} /usr/share/nodejs)
foreach(variable MAKEFLAGS CXXFLAGS LDFLAGS)  # meant for the outer build
  unset(ENV{${variable}})
endforeach()
cmake_host_system_information(RESULT jobs QUERY NUMBER_OF_LOGICAL_CORES)
string(REPLACE "," ";" targets "${TARGETS}")
foreach(command
        "-G;${GENERATOR};-S;${SOURCE};-B;${BUILD};--log-level=WARNING;-D;CMAKE_TOOLCHAIN_FILE=${EMSCRIPTEN}/cmake/Modules/Platform/Emscripten.cmake;-D;CMAKE_BUILD_TYPE=Release;-D;CMAKE_CXX_FLAGS=-fwasm-exceptions;-D;CMAKE_POSITION_INDEPENDENT_CODE=OFF;-D;HEED_TESTS=OFF;-D;HEED_INSTALL=OFF"
        "--build;${BUILD};--parallel;${jobs};--target;${targets}")
  execute_process(COMMAND ${CMAKE_COMMAND} ${command} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
