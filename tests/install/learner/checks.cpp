// The operation's derivative and the layer's, first and second, against finite differences.
#include "two_looks.h"

#include <iostream>

using namespace heed;

int main() {
    Random random(1);
    const Tensor X = tensor::normal({3, 4}, random);
    const learner::TwoLooks layer(4, random);
    const auto operation = [](const std::vector<Variable>& in) { return learner::softsign(in[0]); };
    const auto of_layer = [&layer](const std::vector<Variable>& in) { return layer(in[0]); };
    std::cout << gradcheck(operation, {X}, {.order = 2}).text() << "\n";
    std::cout << gradcheck(of_layer, {X}, {.order = 2}).text() << "\n";
    require_gradcheck(operation, {X}, {.order = 2});
    require_gradcheck(of_layer, {X}, {.order = 2});

    // A slip is named.
    const auto slip = [](const std::vector<Variable>& in) {
        return in[0].detach() * learner::softsign(in[0]);
    };
    const GradcheckResult found = gradcheck(slip, {X});
    std::cout << found.text() << "\n";
    return found.ok() ? 1 : 0;
}
