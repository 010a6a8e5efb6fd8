// The sections of lesson 03 that are in clearing.cpp, cross_entropy.cpp and classification.cpp.
#pragma once

#include "tutorials/03_training/moons.h"

void forgetting_to_clear(heed::Random& random, const Moons& moons);  // 03.3
void softmax_of_logits();                                            // 03.4
void loss_and_derivative();                                          // 03.5
void adam(heed::Random& random, const Moons& moons);                 // 03.6
void minibatches(heed::Random& random, const Moons& training);       // 03.7
heed::Sequential learning(heed::Random& random, const Moons& training,
                          const Moons& held_out);  // 03.7
void what_it_learned(const heed::Sequential& network, const Moons& training,
                     const Moons& held_out);  // 03.8
