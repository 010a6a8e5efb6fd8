// The dictionary of lesson 06, and its sections that are in curve.cpp and other_scores.cpp.
#pragma once

#include "tensor/factories.h"
#include "tensor/random.h"
#include "tutorials/support/terminal.h"

// Four animals. A key describes how an animal looks: furry, feathered or flying, with many legs;
// keys have norm 1. The value is what the dictionary knows about it: legs and wings.
inline const tutorial::Words animals = {"cat", "hen", "bee", "spider"};
inline const heed::NestedList keys = {{1, 0, 0}, {0, 1, 0}, {0, 0.6, 0.8}, {0, 0, 1}};
inline const heed::NestedList values = {{4, 0}, {2, 2}, {6, 4}, {8, 0}};
inline const heed::NestedList bat = {0.8, 0.6, 0};

// softmax(scores / temperature) of each row. As the temperature goes to 0, all weight goes to the
// row's largest score, shared equally in a tie: this limit is the result for 0.
heed::Tensor weights_at(const heed::Tensor& scores, double temperature);

void kernel_regression();                     // 06.4
void on_the_same_keys(heed::Random& random);  // 06.5
void which_score(heed::Random& random);       // 06.6
void by_nn(heed::Random& random);             // 06.7
