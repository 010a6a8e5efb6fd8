// The sections of lesson 07 that are in spread.cpp, projections.cpp, learned_lookup.cpp and
// controls.cpp.
#pragma once

#include "tutorials/07_scaled_attention/lookup.h"

inline const std::vector<std::int64_t> sizes = {1, 4, 16, 64, 256, 1024};  // of d_k

void the_spread(heed::Random& random);                            // 07.1
void projections(heed::Random& random);                           // 07.4
Projections learning(heed::Random& random);                       // 07.5
void what_was_learned(const Projections& W);                      // 07.6
void why_projections(heed::Random& random);                       // 07.7
void the_same_by_nn(const Projections& W, heed::Random& random);  // 07.8
