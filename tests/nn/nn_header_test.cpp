// nn/nn.h is enough for a program with layers: it includes no other header of ours.
#include "nn/nn.h"

#include "tests/catch.h"

TEST_CASE("nn.h brings the operations on tensors and on variables", "[nn]") {
    heed::Random random(1);
    const heed::Linear layer(2, 3, random);
    const heed::Tensor X = heed::tensor::exp(heed::tensor::of({{0, 1}, {1, 0}}));
    const heed::Variable y = heed::sum(heed::relu(layer(heed::Variable(X))) * 2.0);
    CHECK(heed::tensor::maximum(y.value(), heed::tensor::zeros({})).item() >= 0);
}
