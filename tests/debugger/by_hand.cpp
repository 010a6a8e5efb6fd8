// A program that somebody compiles and links without CMake, as check_surroundings.py does.
#include "nn/heed.h"

#include <cstdio>

using namespace heed;

int main() {
    Random dice(1);
    const Linear linear(2, 3, dice);
    Gpt gpt({.vocab_size = 5, .limit = 8, .d_model = 4, .num_layers = 2, .num_heads = 2}, dice);
    const Tensor x = tensor::of({{1, 2, 3}, {4, 5, 6}});
    const Variable W(tensor::of({{0.5, 1}, {2, 3}, {4, 5}}), requires_grad);
    const Variable y = softmax(matmul(Variable(x), W), -1);
    const Variable loss = sum(y * y);
    const Mask causal = Mask::causal(3);
    std::puts("here");
    return loss.numel() == 1 && linear(y).rank() == 2 ? 0 : 1;
}
