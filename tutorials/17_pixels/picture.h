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

// drawn.cpp. The first picture, a character for each pixel of half of its rows: the patch's letter,
// or # where it is dark, and where there are colours on the pixel's own.
void print_picture(const Pictures& pictures);
// Its letters, each with its patch's weight [64] in per cent.
void print_picture(const Pictures& pictures, const heed::Tensor& weights);
// The first picture for the lesson's page, with the weights [64] in per cent, if there are any.
std::string picture_svg(const std::string& title, const Pictures& pictures,
                        const heed::Tensor& weights = {});
