#include "tutorials/support/gpt2_attention.h"

#include "tensor/factories.h"
#include "tensor/views.h"

namespace tutorial {
namespace {

const std::int64_t layers = 12, heads = 12, T = 6;

const int millionths[] = {
#include "tutorials/support/gpt2_attention.inc"
};
static_assert(sizeof millionths / sizeof *millionths == layers * heads * T * (T + 1) / 2);

heed::Tensor recorded_weights() {
    std::vector<heed::Scalar> weights;
    const int* next = millionths;
    for (std::int64_t row = 0; row < layers * heads * T; ++row) {
        const std::int64_t query = row % T;
        for (std::int64_t key = 0; key < T; ++key) {
            weights.push_back(key <= query ? static_cast<heed::Scalar>(*next++ / 1e6) : 0);
        }
    }
    return heed::tensor::from_vector(weights, {layers, heads, T, T});
}

}  // namespace

heed::Tensor Gpt2Attention::head(std::int64_t layer, std::int64_t number) const {
    return heed::tensor::select(heed::tensor::select(weights, 0, layer), 0, number);
}

std::vector<heed::AttentionRecord> Gpt2Attention::records() const {
    std::vector<heed::AttentionRecord> all;
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        all.push_back({.name = "layer " + std::to_string(layer),
                       .query_tokens = {words},
                       .key_tokens = {words},
                       .mask = heed::Mask::causal(T),
                       .weights = heed::tensor::select(weights, 0, layer)});
    }
    return all;
}

const Gpt2Attention& recorded_gpt2_attention() {
    static const Gpt2Attention recorded = {
        {"As", " the", " spaceship", " was", " approaching", " the"},
        {"As", "the", "spaceship", "was", "approaching", "the"},
        recorded_weights()};
    return recorded;
}

}  // namespace tutorial
