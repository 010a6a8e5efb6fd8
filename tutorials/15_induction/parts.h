// The sections of lesson 15 that are in the other files.
#pragma once

#include "tutorials/15_induction/repeats.h"

std::vector<Trained> found_by_training(heed::Random& random);  // 15.3, five models of two layers
void right_without(const std::vector<Trained>& models, heed::Random& random);  // 15.4
void knocked_out(const std::vector<Trained>& models, heed::Random& random);    // 15.5
void in_gpt2();                                                                // 15.6
