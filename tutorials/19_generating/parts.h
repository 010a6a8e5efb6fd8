// The sections of lesson 19 in which a trained model speaks.
#pragma once

#include "nn/models/gpt.h"

#include <vector>

// A GPT that has learned the sentences of lesson 14.
heed::Gpt trained(heed::Random& random);

void same_bits(const heed::Gpt& gpt);                                     // 19.3
void choosing(const std::vector<heed::Gpt>& gpts, heed::Random& random);  // 19.4
void shared_beginning(const heed::Gpt& gpt);                              // 19.5
void restarted_positions(const heed::Gpt& gpt, heed::Random& random);     // 19.6
