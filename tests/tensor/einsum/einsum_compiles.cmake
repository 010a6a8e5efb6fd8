# Tests what the compiler makes of an einsum pattern for two operands. It runs separately and writes
# no object file; a wrong pattern must stop it at the function whose name is the error.
function(heed_einsum_compiles name pattern expected)
  add_test(NAME einsum.compiles.${name}
           COMMAND ${CMAKE_CXX_COMPILER} -std=c++20 -fsyntax-only -I${PROJECT_SOURCE_DIR}
                   "-DPATTERN=\"${pattern}\"" ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/einsum_compiles.cpp)
  set_tests_properties(einsum.compiles.${name} PROPERTIES LABELS tensor TIMEOUT 120)
  if(expected)
    set_tests_properties(einsum.compiles.${name} PROPERTIES
                         PASS_REGULAR_EXPRESSION "error: .*constexpr.*einsum_${expected}[(' ]")
  endif()
endfunction()

heed_einsum_compiles(letters "ij,jk->ik" "")
heed_einsum_compiles(names "row d_k, d_k column -> row column" "")
heed_einsum_compiles(unknown_axis "ij,jk->iz" output_names_an_axis_that_no_input_has)
heed_einsum_compiles(repeated_axis "ij,jk->ii" output_names_an_axis_twice)
heed_einsum_compiles(no_arrow "i j, j k" pattern_with_names_needs_an_arrow)
heed_einsum_compiles(third_term "ij,jk,kl->il"
                     pattern_has_a_different_number_of_terms_than_operands)
heed_einsum_compiles(missing_term "ij->i"
                     pattern_has_a_different_number_of_terms_than_operands)
heed_einsum_compiles(character "ij+jk->ik"
                     pattern_has_a_character_other_than_letters_digits_and_underscores)
heed_einsum_compiles(half_arrow "ij,jk>ik" pattern_has_only_half_of_an_arrow)
heed_einsum_compiles(forgotten_ellipsis "...ij,jk->ik" output_leaves_out_the_ellipsis)
