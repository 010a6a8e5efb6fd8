// The sections of lesson 11 that are in the other files, and what sets a head by hand.
#pragma once

#include "tensor/random.h"
#include "tensor/tensor.h"

#include <cstdint>

void three_words(heed::Random& random);   // 11.4
void absent_items(heed::Random& random);  // 11.5 and 11.6
void in_gpt2();                           // 11.7

// The weights of a head whose queries and keys are set by hand, softmax(20·Q·Kᵀ): [T_q, T_k].
heed::Tensor weights_of(const heed::Tensor& Q, const heed::Tensor& K);

// For each position, the one-hot row of the position `back` places before it; zeros where there is
// none: [T, T].
heed::Tensor places_back(std::int64_t T, std::int64_t back);
