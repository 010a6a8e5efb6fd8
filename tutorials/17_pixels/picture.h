// The pictures of lesson 17, drawn by the program: a dog's red nose, its poncho, and something
// yellow, somewhere.
#pragma once

#include "nn/heed.h"

#include <string>
#include <vector>

// Patches of 8 by 8 pixels, in 8 rows of 8, numbered row by row.
struct Pictures {
    heed::Tensor pixels;      // [B, 64, 64, 3]: red, green, blue, from 0 to 1 and some noise
    heed::IndexTensor red;    // [B]: the number of the red patch, which is plain
    heed::IndexTensor kinds;  // [B]: the class of the red patch: the pattern of the yellow one
    // [B] of 64 letters: R, Y, P for the six of the poncho, each with a colour and a pattern of its
    // own, and . for the others
    std::vector<std::string> letters;
};

inline constexpr std::int64_t num_kinds = 4;  // stripes along, across and aslant; a chequerboard

Pictures random_pictures(std::int64_t B, heed::Random& random);

// The same pictures cut into their patches and put together in another order: patch order(k) comes
// to place k.
Pictures reordered(const Pictures& pictures, const heed::IndexTensor& order);

// Is this pixel of a patch dark in a pattern of this kind?
bool is_dark(std::int64_t kind, std::int64_t row, std::int64_t column);

// drawn.cpp. The first picture: its letters, and with colours its pixels, two to a character.
void print_picture(const Pictures& pictures);
// With `weights` [64]: the letters with per cent, and with colours the pixels of each patch as
// strong as its weight.
void print_picture(const Pictures& pictures, const heed::Tensor& weights);
// The patterns of the four kinds, pixel by pixel.
void print_patterns();
