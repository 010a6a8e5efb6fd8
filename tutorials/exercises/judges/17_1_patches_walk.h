// The walk of exercise 17.1, and its mistakes.
#pragma once

#include "autograd/variable.h"
#include "tutorials/exercises/judging/gradients.h"
#include "tutorials/exercises/judging/mistake.h"

#include <cstdint>
#include <vector>

namespace exercise::patches_of_pictures {

struct Learned {
    heed::Variable E, x_class, positions;

    std::vector<Leaf> leaves() const {
        return {{"E", E}, {"x_class", x_class}, {"positions", positions}};
    }
};

heed::Tensor patches_walk(const heed::Tensor& pixels, std::int64_t p, const Slips& slip);
heed::Variable tokens_walk(const heed::Tensor& patches, const Learned& in, const Slips& slip);
std::vector<Mistake> patches_mistakes();
std::vector<Mistake> tokens_mistakes();

}  // namespace exercise::patches_of_pictures
