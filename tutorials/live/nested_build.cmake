# The target live_programs builds in build/live, with Emscripten, what tutorials/live/programs.cmake
# lists. Where Emscripten is missing there is a target that says so, and fails.
find_program(EMSCRIPTEN_CXX em++)
find_program(EMSCRIPTEN_CONFIG em-config)
mark_as_advanced(EMSCRIPTEN_CXX EMSCRIPTEN_CONFIG)
if(NOT EMSCRIPTEN_CXX OR NOT EMSCRIPTEN_CONFIG)
  add_custom_target(live_programs
    COMMAND ${CMAKE_COMMAND} -E echo
            "Pages that run need Emscripten, which was not found. On Debian: apt-get install emscripten"
    COMMAND ${CMAKE_COMMAND} -E false VERBATIM)
  return()
endif()

set(live_build ${book_folder}/live)
execute_process(COMMAND ${EMSCRIPTEN_CONFIG} EMSCRIPTEN_ROOT OUTPUT_VARIABLE emscripten
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
cmake_host_system_information(RESULT jobs QUERY NUMBER_OF_LOGICAL_CORES)
# Debian's Emscripten has its optimiser's parser among Debian's modules of Node, wherever node is.
set(with_emscripten ${CMAKE_COMMAND} -E env --unset=MAKEFLAGS --unset=CXXFLAGS --unset=LDFLAGS
                    NODE_PATH=/usr/share/nodejs)
add_custom_target(live_programs
  COMMAND ${with_emscripten} ${CMAKE_COMMAND} -G ${CMAKE_GENERATOR} -S ${PROJECT_SOURCE_DIR}
          -B ${live_build}
          -D CMAKE_TOOLCHAIN_FILE=${emscripten}/cmake/Modules/Platform/Emscripten.cmake
          -D CMAKE_BUILD_TYPE=Release -D "CMAKE_CXX_FLAGS=-fwasm-exceptions"
          -D CMAKE_POSITION_INDEPENDENT_CODE=OFF
          -D HEED_TESTS=OFF -D HEED_INSTALL=OFF -D HEED_TUTORIALS=ON --log-level=WARNING
  COMMAND ${with_emscripten} ${CMAKE_COMMAND} --build ${live_build} --target live_programs
          --parallel ${jobs}
  USES_TERMINAL VERBATIM)
