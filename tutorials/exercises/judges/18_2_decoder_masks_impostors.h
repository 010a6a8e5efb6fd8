// The impostors of exercise 18.2, and what lets them pass.
#pragma once

#include "tutorials/exercises/judges/18_2_decoder_masks.h"

#include <set>
#include <string>
#include <vector>

namespace exercise {

struct DecoderImpostor {
    std::string slip, who;
};

const std::vector<DecoderImpostor>& decoder_impostors();

// The slips of the impostors that are not caught on these translations.
using Uncaught = std::set<std::string>;
Uncaught uncaught(const Translations& texts);

// What is wrong with the translations, and whom that lets pass; nobody if they are not so.
struct DecoderFlaw {
    Mistake mistake;
    std::function<Uncaught(const Translations&)> lets_pass;
};

std::vector<DecoderFlaw> decoder_flaws();

}  // namespace exercise
