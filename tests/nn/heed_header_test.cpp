// heed/heed.h is enough for any program: it includes no other header of ours.
#include "nn/heed.h"

#include "tests/catch.h"

#include <sstream>

TEST_CASE("heed.h brings tensors, derivatives, layers and instruments", "[nn]") {
    heed::Random random(1);
    heed::Linear layer(2, 1, random);
    heed::SGD sgd(heed::parameters(layer), {.lr = 0.1});
    const heed::Variable X(heed::tensor::of({{0, 1}, {1, 0}}), heed::requires_grad);
    const heed::Variable loss = heed::mean(layer(X) * layer(X));
    const heed::Variable dX = heed::grad(loss, X, {.retain_graph = true});
    loss.backward();
    sgd.step();
    CHECK(heed::tensor::same_bits(dX.value(), X.grad()));
    CHECK_THROWS_AS(heed::tensor::matmul(X.value(), heed::tensor::zeros({3})), heed::ShapeError);
    CHECK(heed::thread_count() >= 1);
    CHECK(heed::memory_use().peak >= 0);
}
