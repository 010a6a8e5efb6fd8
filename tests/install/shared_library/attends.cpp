// A plugin for programs that know nothing of heed.
#include "heed/heed.h"

using namespace heed;

// The weight that the first of two equal words has for itself.
extern "C" double weight_of_itself() {
    const Variable X(tensor::ones({2, 4}));
    return scaled_dot_product_attention(X, X, X).weights(0, 0);
}
