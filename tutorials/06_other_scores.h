// The dictionary of lesson 06: 06_soft_dictionary_lookup.cpp asks it with dot products, and
// 06_other_scores.cpp with other scores.
#pragma once

#include "heed/tensor/factories.h"
#include "heed/tensor/random.h"
#include "tutorials/support/display.h"

// Four animals. A key says how an animal looks: furry, feathered or flying, with many legs; the
// keys have length 1. Its value is what the dictionary knows of it: legs and wings.
inline const tutorial::Words animals = {"cat", "hen", "bee", "spider"};
inline const heed::NestedList keys = {{1, 0, 0}, {0, 1, 0}, {0, 0.6, 0.8}, {0, 0, 1}};
inline const heed::NestedList values = {{4, 0}, {2, 2}, {6, 4}, {8, 0}};
inline const heed::NestedList bat = {0.8, 0.6, 0};

// softmax(scores / temperature) of each row. As the temperature goes to 0, all the weight goes to
// the row's largest score, and is shared among equals: that is what 0 means here.
heed::Tensor weights_at(const heed::Tensor& scores, double temperature);

// Sections 06.5 to 06.7.
void other_scores(heed::Random& random);
