# The target live_programs builds in build/live, with Emscripten, all that tutorials/live/programs.cmake
# lists. Where Emscripten is missing there is a target that says so, and fails.
find_program(EMSCRIPTEN_CONFIG em-config)
mark_as_advanced(EMSCRIPTEN_CONFIG)
if(NOT EMSCRIPTEN_CONFIG)
  add_custom_target(live_programs
    COMMAND ${CMAKE_COMMAND} -E echo
            "Pages that run need Emscripten, which was not found. On Debian: apt-get install emscripten"
    COMMAND ${CMAKE_COMMAND} -E false VERBATIM)
  return()
endif()
execute_process(COMMAND ${EMSCRIPTEN_CONFIG} EMSCRIPTEN_ROOT OUTPUT_VARIABLE emscripten
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)

# heed_build_nested(variable targets...): the command that builds these there. Tests call it, too.
set(live_build ${book_folder}/live)
set_property(GLOBAL PROPERTY HEED_LIVE_BUILD ${live_build})
set_property(GLOBAL PROPERTY HEED_EMSCRIPTEN ${emscripten})
function(heed_build_nested variable)
  get_property(live_build GLOBAL PROPERTY HEED_LIVE_BUILD)
  get_property(emscripten GLOBAL PROPERTY HEED_EMSCRIPTEN)
  list(JOIN ARGN "," targets)
  set(${variable} ${CMAKE_COMMAND} -D SOURCE=${PROJECT_SOURCE_DIR} -D BUILD=${live_build}
      -D GENERATOR=${CMAKE_GENERATOR} -D EMSCRIPTEN=${emscripten} -D TARGETS=${targets}
      -P ${PROJECT_SOURCE_DIR}/tutorials/live/build_nested.cmake PARENT_SCOPE)
endfunction()
heed_build_nested(command live_programs)
add_custom_target(live_programs COMMAND ${command} USES_TERMINAL VERBATIM)
