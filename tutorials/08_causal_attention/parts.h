// The sections of lesson 08 that are in one_pass.cpp, tests.cpp and other_masks.cpp.
#pragma once

#include "tutorials/08_causal_attention/by_hand.h"

void one_pass(const Model& model, heed::Random& random);         // 08.2
void change_the_future(const Model& model);                      // 08.3
void every_word_changes(const Model& model);                     // 08.3
void ask_the_gradient(const Model& model);                       // 08.4
void random_upstream(const Model& model, heed::Random& random);  // 08.4
void nothing_to_see(heed::Random& random);                       // 08.6
void batches(const Model& model);                                // 08.7
void fewer_queries(const Model& model);                          // 08.8
void the_same_by_nn(const Model& model, heed::Random& random);   // 08.9

// The norm of ∂(sum of y_i)/∂x_j, for all i and j: [T, T].
Tensor influence(const Model& model, Keep keep);
// The entries above the diagonal of [T, T].
Tensor of_the_future(const Tensor& x);
// All words except the last: these must not change when the last one does.
Tensor earlier(const Tensor& y);
