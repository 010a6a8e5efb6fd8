// A layer of attention learns to copy the word before: one header, and no line of another library.
#include "heed/heed.h"

#include <iostream>

using namespace heed;

int main() {
    Random random(1);
    MultiHeadAttention attention(8, 2, random);
    Adam adam(parameters(attention), {.lr = 0.02});

    const Variable X(tensor::normal({6, 8}, random));  // 6 words of 8 numbers
    const Tensor before =
        tensor::concatenate({tensor::zeros({1, 8}), tensor::slice(X.value(), 0, 0, 5)}, 0);
    const Mask mask = Mask::causal(6, 6);

    Scalar first = 0, last = 0;
    for (int step = 0; step < 300; ++step) {
        const Variable Y = attention(X, mask);  // [6, 8]
        const Variable loss = mse_loss(Y, Variable(before));
        adam.zero_grad();
        loss.backward();
        adam.step();
        last = loss.item();
        if (step == 0) first = last;
    }
    std::cout << "the loss fell from " << first << " to " << last << "\n";
    return last < first / 4 ? 0 : 1;
}
