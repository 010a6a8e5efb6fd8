// What the exercises of lesson 17 ask for.
#pragma once

#include "autograd/variable.h"
#include "tensor/shape.h"
#include "tutorials/exercises/judging/rules.h"

#include <cstdint>
#include <functional>

namespace exercise {

struct Patches {
    std::function<heed::Tensor(const heed::Tensor& pixels, std::int64_t p)> patches_of;
    std::function<heed::Variable(const heed::Tensor& patches, const heed::Variable& E,
                                 const heed::Variable& x_class, const heed::Variable& positions)>
        tokens_of;
};
extern const Judge<Patches> judge_17_1;

// The learner's predictions, in the order of the questions.
struct PixelPredictions {
    std::function<heed::Shape()> patches, tokens;
    std::function<std::int64_t()> patch_of_a_pixel, of_the_embedding, of_positions_and_class,
        weights_of_a_head, times_as_many_weights, logits_that_change, patches_of_a_new_pixel;
};
extern const Judge<PixelPredictions> judge_17_2;

}  // namespace exercise
