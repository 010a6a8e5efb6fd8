// The layer learns to say which word stood before and which was first; then it is looked at, kept
// and read again.
#include "two_looks.h"

#include <iostream>

using namespace heed;

int main() {
    Random random(1);
    learner::TwoLooks layer(8, random);
    Adam adam(parameters(layer), {.lr = 0.02});

    const Variable X(tensor::normal({5, 8}, random));  // 5 words of 8 numbers
    const Tensor shifted =
        tensor::concatenate({tensor::zeros({1, 8}), tensor::slice(X.value(), 0, 0, 4)}, 0);
    const Variable target(0.5 * shifted + 0.25 * X.value()[0]);
    Scalar first = 0, last = 0;
    for (int step = 0; step < 300; ++step) {
        adam.zero_grad();
        const Variable loss = mse_loss(layer(X), target);
        loss.backward();
        adam.step();
        last = loss.item();
        if (step == 0) first = last;
    }
    std::cout << "the loss fell to " << fixed(100 * last / first, 0) << " % of what it was\n";

    {
        RecordAttention recording(layer);
        recording.set_tokens({"time", "flies", "like", "an", "arrow"});
        layer(X);
        print_heat_map(std::cout, recording.at("backward"), {0});
        print_heat_map(std::cout, recording.at("everywhere"), {0});
        save_attention_page("learner.html", recording);
    }
    {
        const ForwardHook hook(layer, [](const LayerCall& call) {
            std::cout << "called: " << (call.name.empty() ? call.type : call.name) << "\n";
        });
        layer(X);
    }

    save("learner.safetensors", layer);
    learner::TwoLooks read(8, random);
    load("learner.safetensors", read);
    const bool same = tensor::same_bits(read(X).value(), layer(X).value());
    std::cout << (same ? "what was read gives the same bits\n" : "what was read is another\n");

    try {
        layer(Variable(tensor::zeros({5, 7})));
    } catch (const ShapeError& error) {
        std::cout << error.what() << "\n";
    }
    return same && last < first / 4 ? 0 : 1;
}
