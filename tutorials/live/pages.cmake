# The target live makes the pages in which lessons run, then the book, whose pages link to them.
get_property(lessons GLOBAL PROPERTY HEED_TUTORIAL_PROGRAMS)
list(JOIN lessons "," names)
add_custom_target(run_pages
  COMMAND ${CMAKE_COMMAND} -D NAMES=${names} -D PROGRAMS=$<TARGET_FILE_DIR:00_first_look>
          -D SCRIPTS=${live_build}/tutorials -D TRANSCRIPTS=${PROJECT_SOURCE_DIR}/tests/transcripts
          -D BOOK=${book_folder}/book -P ${CMAKE_CURRENT_SOURCE_DIR}/lesson/make_pages.cmake
  DEPENDS ${lessons} USES_TERMINAL VERBATIM)
add_dependencies(run_pages live_programs)
add_custom_target(live ${make_book} DEPENDS write_book_index USES_TERMINAL VERBATIM)
add_dependencies(live run_pages)
