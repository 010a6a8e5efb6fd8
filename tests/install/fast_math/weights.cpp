// Lesson 08's weights, in a project that asked for fast arithmetic: still 1, 0, 0 in the first row.
#include "heed/heed.h"

#include <exception>
#include <iostream>

using namespace heed;

int main() {
    try {
        const Variable scores(tensor::of({{1, 2, 3}, {4, 4, 6}, {7, 7, 7}}));
        const Mask mask = Mask::causal(3, 3);
        const Tensor weights = softmax(masked_fill(scores, mask.blocked(), -infinity), -1).value();
        std::cout << weights << "\n";
        if (weights(0, 0) != 1 || weights(0, 1) != 0 || weights(1, 0) != 0.5 ||
            weights(1, 2) != 0) {
            std::cout << "the mask was lost\n";
            return 1;
        }
        const Tensor least = tensor::of({1e-38, 3}) / 16;
        std::cout << (least(0) > 0 ? "small numbers are kept\n" : "small numbers are lost\n");
        return least(0) > 0 ? 0 : 1;
    } catch (const std::exception& error) {
        std::cout << error.what() << "\n";
        return 2;
    }
}
