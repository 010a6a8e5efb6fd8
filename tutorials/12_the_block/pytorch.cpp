// Lesson 12: PyTorch's layer, with PyTorch's names for its parts (12.9). The expected output is
// what PyTorch 1.13 printed for
//
//     layer = torch.nn.TransformerEncoderLayer(4, 2, 8, dropout=0, batch_first=True,
//                                              norm_first=False)  # then True
//     for k, p in enumerate(layer.parameters()):
//         p.data = ((7 * torch.arange(p.numel()) + 3 * k) % 11 - 5).reshape(p.shape) / 10
//     layer((5 * torch.arange(12) % 7 - 3).reshape(1, 3, 4) / 2)
#include "tutorials/12_the_block/parts.h"

#include "nn/transformer/transformer_layers.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"

#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::say;
using tutorial::section;

namespace {

// (a·i + b) % n - shift, for i = 0, 1, 2 ...
Tensor pattern(const Shape& shape, std::int64_t a, std::int64_t b, std::int64_t n, double shift) {
    std::vector<Scalar> numbers;
    for (std::int64_t i = 0; i < shape.numel(); ++i) {
        numbers.push_back(static_cast<Scalar>(static_cast<double>((a * i + b) % n) - shift));
    }
    return tensor::from_vector(numbers, shape);
}

// The parts of PyTorch's layer with d_model 4, 2 heads and a feed-forward layer of 8, in its order.
StateDict pytorch_state() {
    const std::vector<std::pair<std::string, Shape>> parts = {
        {"self_attn.in_proj_weight", {12, 4}},  // W_Q, W_K and W_V, one below the other
        {"self_attn.in_proj_bias", {12}},
        {"self_attn.out_proj.weight", {4, 4}},
        {"self_attn.out_proj.bias", {4}},
        {"linear1.weight", {8, 4}},
        {"linear1.bias", {8}},
        {"linear2.weight", {4, 8}},
        {"linear2.bias", {4}},
        {"norm1.weight", {4}},
        {"norm1.bias", {4}},
        {"norm2.weight", {4}},
        {"norm2.bias", {4}}};
    StateDict state;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const std::int64_t b = 3 * static_cast<std::int64_t>(k);
        state.add(parts[k].first, pattern(parts[k].second, 7, b, 11, 5) / 10);
    }
    return state;
}

// What PyTorch 1.13 gives for it, printed to six decimals.
Tensor pytorch_output(NormPlace norm) {  // [T, d]
    if (norm == NormPlace::after) {
        return tensor::of({{-0.146447, 0.230637, 0.534820, 0.619500},
                           {-0.523124, 0.294328, 0.113161, 0.829337},
                           {-0.087294, 0.344905, -0.242454, 0.497691}});
    }
    return tensor::of({{-0.341441, 0.668545, -0.605023, -0.550421},
                       {2.536013, 0.204818, -1.186961, -1.124819},
                       {1.964103, -0.282479, -1.597566, 1.953532}});
}

}  // namespace

void in_pytorch(Random& random) {
    section("12.9 The same layer in PyTorch");
    say("PyTorch's nn.TransformerEncoderLayer is this block. Its weights have other names: "
        "queries, keys and values are projected by one matrix, in_proj_weight. nn's layer takes "
        "them as they are. What PyTorch computes, and what the layer here does, loaded with the "
        "same numbers:");
    tutorial::predict_choice("Where does PyTorch put the norm by default?", {"before", "after"},
                             "after", "norm_first is False by default, as in the paper of 2017.");
    const Variable X(pattern({3, 4}, 5, 0, 7, 3) / 2);  // [T, d]
    for (const NormPlace norm : {NormPlace::after, NormPlace::before}) {
        TransformerEncoderLayer layer(4, 2, 8, random, {.norm = norm});
        load_state_dict(layer, pytorch_state());
        const Tensor y = layer(X).value();  // [T, d]
        const Tensor pytorch = pytorch_output(norm);
        if (norm == NormPlace::after) {
            stop("12.9 norm after", {{"y", y}, {"pytorch", pytorch}});
        } else {
            stop("12.9 norm before", {{"y", y}, {"pytorch", pytorch}});
        }
        std::cout << (norm == NormPlace::after ? "norm after" : "\nnorm before (norm_first=True)")
                  << ", PyTorch:\n"
                  << pytorch << "\nhere:\n"
                  << y << "\n\n";
        check(tutorial::difference(Variable(y), Variable(pytorch)) < 2e-6,
              "both are equal to six decimals");
    }
}
