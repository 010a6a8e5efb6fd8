// Functions with derivatives right and wrong, for exercise 02.9. Each wrong one is hidden from some
// way of checking: with ones upstream, by a sum, by the largest entry.
#pragma once

#include "tutorials/exercises/judges/02_9_write_a_gradcheck.h"

#include <string>
#include <vector>

namespace exercise {

struct Planted {
    std::string what;  // "zeros in its place"
    TensorGradients gradients;
    std::vector<bool> is_right;  // for each input
};

struct Differentiated {
    std::string name;  // "softmax"
    TensorFunction f;
    std::vector<std::string> names;  // of the inputs
    std::vector<heed::Tensor> inputs;
    std::vector<Planted> planted;  // none: only its slopes are asked for
    heed::Tensor G = {};           // for its slopes; without entries: a random one
};

std::vector<Differentiated> differentiated_functions();

}  // namespace exercise
