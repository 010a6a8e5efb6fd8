# The target `api`: pages of all public headers, made by Doxygen of the comments that are there, in
# api/html of the build. Doxygen's warnings are errors.
find_package(Doxygen QUIET)
if(NOT DOXYGEN_FOUND)
  add_custom_target(api COMMAND ${CMAKE_COMMAND} -E echo
                    "skipped, since there is no doxygen: apt-get install doxygen" VERBATIM)
  return()
endif()

set(DOXYGEN_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/api)
set(DOXYGEN_INPUT_FILTER "sed -f ${CMAKE_CURRENT_LIST_DIR}/comments.sed")
set(DOXYGEN_FILE_PATTERNS *.h)
set(DOXYGEN_RECURSIVE YES)
set(DOXYGEN_EXCLUDE_PATTERNS */kernels/* */attention_heads.h)
set(DOXYGEN_STRIP_FROM_PATH ${PROJECT_SOURCE_DIR})
set(DOXYGEN_EXTRACT_ALL YES)
set(DOXYGEN_HIDE_FRIEND_COMPOUNDS YES)
set(DOXYGEN_PREDEFINED "HEED_PRECISION=f32")
set(DOXYGEN_MACRO_EXPANSION YES)
set(DOXYGEN_EXPAND_ONLY_PREDEF YES)
set(DOXYGEN_AUTOLINK_SUPPORT NO)
set(DOXYGEN_WARN_AS_ERROR FAIL_ON_WARNINGS)
set(DOXYGEN_QUIET YES)
set(DOXYGEN_GENERATE_LATEX NO)
set(DOXYGEN_HAVE_DOT NO)
doxygen_add_docs(api ${PROJECT_SOURCE_DIR}/tensor ${PROJECT_SOURCE_DIR}/autograd
                 ${PROJECT_SOURCE_DIR}/nn COMMENT "Pages of the API, in ${PROJECT_BINARY_DIR}/api/html")
