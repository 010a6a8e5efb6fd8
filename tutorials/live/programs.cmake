# In the nested build: programs for pages, each one script that holds its WebAssembly.

# heed_live_program(target name [exports...]): a page calls `name(settings)`, which gives a promise of
# the program. It can be run again and again, and grows as it needs memory. `exports`: functions that
# the page calls, by their C names; without them it calls main, which reads and writes files.
function(heed_live_program target name)
  set(exports "_main")
  set(methods "callMain,FS,ENV")
  set(files -sFORCE_FILESYSTEM=1)
  if(ARGN)
    set(methods "ccall")
    list(TRANSFORM ARGN PREPEND _ OUTPUT_VARIABLE exports)
    list(JOIN exports "," exports)
    set(files)
  endif()
  target_link_options(${target} PRIVATE
    -O2 -sSINGLE_FILE=1 -sMODULARIZE=1 -sEXPORT_NAME=${name} -sINVOKE_RUN=0 -sEXIT_RUNTIME=1
    -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB -sINITIAL_MEMORY=64MB -sTOTAL_STACK=4MB
    -sENVIRONMENT=web,worker,node -sEXPORTED_FUNCTIONS=${exports},_malloc,_free
    -sEXPORTED_RUNTIME_METHODS=${methods} ${files})
endfunction()

get_property(lessons GLOBAL PROPERTY HEED_TUTORIAL_PROGRAMS)
foreach(lesson IN LISTS lessons)
  heed_live_program(${lesson} lesson)
endforeach()
add_custom_target(live_programs DEPENDS ${lessons})

# For a test: has WebAssembly the bits of this machine where it has no instruction?
add_executable(fma_bits ${PROJECT_SOURCE_DIR}/tests/live/fma_bits.cpp)
target_link_libraries(fma_bits PRIVATE heed)
target_include_directories(fma_bits PRIVATE ${PROJECT_SOURCE_DIR})
heed_live_program(fma_bits lesson)
