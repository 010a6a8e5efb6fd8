# Lessons linked with an answer to exercise 08.3 as nn's attention, made from the object files of
# the lessons' own programs, and the results each must have.
if(HEED_OWN_ATTENTION)
  return()
endif()

set(own_programs)
# heed_own_lesson(answer NN code output errors [transcript])
function(heed_own_lesson answer number code output errors)
  get_property(lessons GLOBAL PROPERTY HEED_TUTORIAL_PROGRAMS)
  list(FILTER lessons INCLUDE REGEX "^${number}_")
  set(program own_${number}_${answer})
  add_executable(${program} EXCLUDE_FROM_ALL $<TARGET_OBJECTS:${lessons}>
                 $<TARGET_OBJECTS:own_${answer}> $<TARGET_OBJECTS:own_${answer}_learner>)
  target_link_libraries(${program} PRIVATE tutorial_support)
  set(own_programs ${own_programs} ${program} PARENT_SCOPE)
  set(transcript)
  if(ARGN)
    set(transcript -D TRANSCRIPT=${PROJECT_SOURCE_DIR}/tests/transcripts/${number}.txt)
  endif()
  add_test(NAME exercises.own.${number}.${answer}
           COMMAND ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:${program}> -D CODE=${code}
                   "-DOUTPUT=${output}" "-DERRORS=${errors}" ${transcript}
                   -P ${CMAKE_CURRENT_SOURCE_DIR}/check_own_attention.cmake)
  set_tests_properties(exercises.own.${number}.${answer} PROPERTIES LABELS exercises TIMEOUT 120)
endfunction()

heed_own_attention(own_solution ${sources}/08_3_padding_and_causal.cpp)
foreach(answer another_order no_scale not_done strict_mask wrong_shape)
  heed_own_attention(own_${answer} ${CMAKE_CURRENT_SOURCE_DIR}/own_attention_answers.cpp)
  target_compile_definitions(own_${answer}_learner PRIVATE ANSWER="${answer}")
endforeach()

# With Q scaled by √d_k and back, lesson 05 differs in its last bits; the others do not.
set(close "\\(yours:[ \n]+within[ \n]+0.00001")
heed_own_lesson(solution 05 0 "${close}" "08_3_padding_and_causal.cpp")
foreach(number 06 07 08 09)
  heed_own_lesson(solution ${number} 0 "checked" "08_3_padding_and_causal.cpp" same_as_ever)
endforeach()
heed_own_lesson(another_order 09 0 "${close}" "own_attention_answers.cpp")
heed_own_lesson(no_scale 05 1 "FALSE: every word on every word" "claims? found false")
heed_own_lesson(no_scale 07 1 "FALSE: scaled_dot_product_attention gives" "2 claims found false")
heed_own_lesson(no_scale 08 1 "FALSE: scaled_dot_product_attention with" "2 claims found false")
heed_own_lesson(no_scale 09 1 "FALSE: nn's ListOfHeadsAttention" "1 claim found false")
heed_own_lesson(strict_mask 05 0 "checked" "own_attention_answers.cpp")
heed_own_lesson(strict_mask 07 0 "checked" "own_attention_answers.cpp")
heed_own_lesson(strict_mask 08 1 "FALSE: scaled_dot_product_attention with" "2 claims found false")
heed_own_lesson(strict_mask 09 1 "FALSE: nn's ListOfHeadsAttention" "1 claim found false")
heed_own_lesson(not_done 07 2 "checked" "not done yet: 08.3, at own_attention_answers.cpp:")
heed_own_lesson(wrong_shape 05 2 "checked" "your attention returns weights of shape")

add_custom_target(own_attention_programs DEPENDS ${own_programs})
add_dependencies(exercise_programs own_attention_programs)
