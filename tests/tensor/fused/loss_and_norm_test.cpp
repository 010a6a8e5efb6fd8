// tensor::cross_entropy_losses, tensor::layer_norm and their gradients: operands of any layout, and
// errors. one_pass_test.cpp in tests/autograd compares their bits with the formulas'.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

using namespace heed;
using tensor::same_bits;

namespace {
Tensor drawn(const Shape& shape, std::uint64_t seed) {
    Random random(seed);
    return tensor::normal(shape, random);
}

// The same numbers, with others between those of the last axis.
Tensor spread(const Tensor& x) {
    const Tensor twice = tensor::stack({x, tensor::full(x.shape(), 77)}, -1);  // [..., n, 2]
    return tensor::select(twice, -1, 0);
}

template <class Call>
std::string wrong(const Call& call) {
    return message_of<ShapeError>([&] { call(); });
}

}  // namespace

TEST_CASE("cross-entropy and its gradient take operands of any layout", "[tensor][cross_entropy]") {
    const Tensor x = drawn({5, 7}, 1), G = drawn({5}, 2);
    const IndexTensor classes({3, 0, no_class, 6, 2});
    const tensor::CrossEntropy plain = tensor::cross_entropy_losses(x, classes);
    const tensor::CrossEntropy other = tensor::cross_entropy_losses(spread(x), classes);
    CHECK(same_bits(other.losses, plain.losses));
    CHECK(same_bits(other.max_and_log_sum, plain.max_and_log_sum));
    CHECK(plain.losses(2) == 0);
    const Tensor dx = tensor::cross_entropy_gradient(x, classes, plain.max_and_log_sum, G);
    CHECK(same_bits(dx, tensor::cross_entropy_gradient(spread(x), classes,
                                                       spread(plain.max_and_log_sum), spread(G))));
    CHECK(same_bits(tensor::select(dx, 0, 2), tensor::zeros({7})));
}

TEST_CASE("cross-entropy says what does not fit", "[tensor][cross_entropy]") {
    const Tensor x = tensor::zeros({2, 3}), known = tensor::zeros({2, 2}), G = tensor::zeros({2});
    const IndexTensor classes({0, 2});
    CHECK(wrong([&] { tensor::cross_entropy_losses(x, IndexTensor({1})); }) ==
          "cross_entropy_losses: x has shape [2, 3] and the classes [1]; they must be [N, C] and "
          "[N]");
    CHECK(wrong([&] {
              tensor::cross_entropy_losses(x, IndexTensor({1, 1, 1}));
          }).starts_with("cross_entropy_losses: x has shape [2, 3] and the classes [3];"));
    for (const std::int64_t outside : {3, -7}) {
        CHECK(message_of<std::out_of_range>([&] {
                  tensor::cross_entropy_losses(x, IndexTensor({0, outside}));
              }) == text("cross_entropy_losses: class ", outside,
                         " of row 1 is out of range: there are 3 classes, numbered 0 to 2"));
    }
    const std::string rule = "; they must be [N, C], [N] and [N, 2]";
    CHECK(wrong([&] { tensor::cross_entropy_gradient(x, classes, known, tensor::zeros({3})); }) ==
          "cross_entropy_gradient: x has shape [2, 3], G [3], max_and_log_sum [2, 2]" + rule);
    CHECK(wrong([&] { tensor::cross_entropy_gradient(x, classes, G, G); }) ==
          "cross_entropy_gradient: x has shape [2, 3], G [2], max_and_log_sum [2]" + rule);
}

TEST_CASE("layer norm and its gradient take operands of any layout", "[tensor][layer_norm]") {
    const Tensor x = drawn({37, 6}, 3), G = drawn({37, 6}, 4);
    const Tensor weight = drawn({6}, 5), bias = drawn({6}, 6);
    const tensor::LayerNorm plain = tensor::layer_norm(x, weight, bias, 1e-5);
    const tensor::LayerNorm other =
        tensor::layer_norm(spread(x), spread(weight), spread(bias), 1e-5);
    CHECK(same_bits(other.y, plain.y));
    CHECK(same_bits(other.mean_and_deviation, plain.mean_and_deviation));
    const tensor::LayerNormGradients expected =
        tensor::layer_norm_gradient(x, weight, plain.mean_and_deviation, G);
    const tensor::LayerNormGradients got = tensor::layer_norm_gradient(
        spread(x), spread(weight), spread(plain.mean_and_deviation), spread(G));
    CHECK(same_bits(got.x, expected.x));
    CHECK(same_bits(got.weight, expected.weight));
    CHECK(same_bits(got.bias, expected.bias));
    CHECK(same_bits(got.bias, tensor::sum(G, 0)));  // in the order of sum, over 37 rows
}

TEST_CASE("layer norm's gradients of long columns have the order of sum", "[tensor][layer_norm]") {
    const Tensor weight = tensor::ones({3}), bias = tensor::zeros({3});
    for (const std::int64_t rows : {256, 257, 700, 40000}) {
        INFO(rows);
        const Tensor x = drawn({rows, 3}, 3), G = drawn({rows, 3}, 4);
        const tensor::LayerNorm normed = tensor::layer_norm(x, weight, bias, 1e-5);
        const tensor::LayerNormGradients got =
            tensor::layer_norm_gradient(x, weight, normed.mean_and_deviation, G);
        CHECK(same_bits(got.bias, tensor::sum(G, 0)));
        CHECK(same_bits(got.weight, tensor::sum(G * normed.y, 0)));  // y is x̂ here
    }
}

TEST_CASE("layer norm says what does not fit", "[tensor][layer_norm]") {
    const Tensor x = tensor::of({{1, 2, 4}, {3, 5, 4}}), three = tensor::ones({3});
    const std::string last = "; the last axes of x must be those of the weight, at least one";
    CHECK(wrong([&] { tensor::layer_norm(x, tensor::of(1), tensor::of(1), 1e-5); }) ==
          "layer_norm: x has shape [2, 3] and the weight []" + last);
    CHECK(wrong([&] { tensor::layer_norm(x, tensor::ones({2}), tensor::ones({2}), 1e-5); }) ==
          "layer_norm: x has shape [2, 3] and the weight [2]" + last);
    CHECK(wrong([&] { tensor::layer_norm(x, three, tensor::ones({1}), 1e-5); }) ==
          "layer_norm: the bias has shape [1] and the weight [3]; they must be equal");
    CHECK(message_of<std::invalid_argument>([&] { tensor::layer_norm(x, three, three, -1); }) ==
          "layer_norm: eps is -1; it must be finite and not negative");
    const tensor::LayerNorm known = tensor::layer_norm(x, three, three, 0);  // 0 will do
    CHECK(wrong([&] { tensor::layer_norm_gradient(x, three, known.mean_and_deviation, three); }) ==
          "layer_norm_gradient: G has shape [3] and x [2, 3]; they must be equal");
    CHECK(wrong([&] {
              tensor::layer_norm_gradient(x, three, tensor::zeros({1, 2}), x);
          }) == "layer_norm_gradient: mean_and_deviation has shape [1, 2] and those of x [2, 2]; "
                "they must be equal");
}
