// Conversion of the parameters of multi-head attention to and from PyTorch's nn.MultiheadAttention,
// which packs the three projections into one matrix when their inputs have the same size:
//     in_proj_weight = W_Q, W_K and W_V stacked, [3·d_model, d_model]
#include "../../tensor/errors.h"
#include "../../tensor/ops/join.h"
#include "../../tensor/views.h"
#include "multi_head_attention.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
struct Renamed {
    const char* theirs;
    const char* ours;
};

struct Part {
    const char* projection;
    std::int64_t first, end;  // rows
};

// Splits a packed tensor into blocks of rows for W_Q, W_K and W_V, under our names. Returns a
// description of what is wrong, or "".
std::string split_packed(StateDict& state, const std::string& prefix, const char* theirs,
                         const char* ours, const Shape& W_Q, const Shape& W_K, const Shape& W_V) {
    if (!state.contains(prefix + theirs)) return "";
    const Tensor packed = state.at(prefix + theirs);
    const bool one_size = W_Q.without(0) == W_K.without(0) && W_Q.without(0) == W_V.without(0);
    const std::int64_t rows = W_Q.dim(0) + W_K.dim(0) + W_V.dim(0);
    const bool fits = one_size && packed.rank() == W_Q.rank() && packed.dim(0) == rows &&
                      packed.shape().without(0) == W_Q.without(0);
    if (!fits) {
        return text("\n  wrong shape: '", prefix, theirs, "' is ", packed.shape(),
                    " in the state; it must be three parts below each other, W_Q ", W_Q, ", W_K ",
                    W_K, " and W_V ", W_V);
    }
    const std::int64_t keys = W_Q.dim(0);
    const std::int64_t values = keys + W_K.dim(0);
    const Part parts[] = {{"W_Q.", 0, keys}, {"W_K.", keys, values}, {"W_V.", values, rows}};
    std::string problems;
    for (const Part& part : parts) {
        const std::string name = prefix + part.projection + ours;
        if (state.contains(name)) {
            problems += given_twice(prefix + theirs, name);
        } else {
            state.add(name, tensor::slice(packed, 0, part.first, part.end));
        }
    }
    state.take(prefix + theirs);
    return problems;
}

}  // namespace

std::string MultiHeadAttention::adopt(StateDict& state, const std::string& prefix) const {
    constexpr Renamed names[] = {{"q_proj_weight", "W_Q.weight"},
                                 {"k_proj_weight", "W_K.weight"},
                                 {"v_proj_weight", "W_V.weight"},
                                 {"out_proj.weight", "W_O.weight"},
                                 {"out_proj.bias", "W_O.bias"}};
    std::string problems;
    for (const Renamed& name : names) {
        problems += rename(state, prefix + name.theirs, prefix + name.ours);
    }
    problems += split_packed(state, prefix, "in_proj_weight", "weight", W_Q.weight.shape(),
                             W_K.weight.shape(), W_V.weight.shape());
    if (W_Q.bias.is_set()) {
        problems += split_packed(state, prefix, "in_proj_bias", "bias", W_Q.bias.shape(),
                                 W_K.bias.shape(), W_V.bias.shape());
    }
    return problems;
}

StateDict pytorch_state(const MultiHeadAttention& layer, CallSite site) {
    layer.check_parts("pytorch_state", site);
    const std::int64_t d_model = layer.W_O.weight.dim(0);
    if (layer.num_kv_heads() != layer.num_heads) {
        fail_argument("pytorch_state", site, "num_heads is ", layer.num_heads,
                      " and num_kv_heads is ", layer.num_kv_heads(),
                      "; in PyTorch's layer each head has its own keys");
    }
    if (layer.W_Q.weight.dim(0) != d_model || layer.W_V.weight.dim(0) != d_model) {
        fail_argument("pytorch_state", site, "together the heads have ", layer.W_Q.weight.dim(0),
                      " features for queries and ", layer.W_V.weight.dim(0),
                      " for values; PyTorch's layer has d_model = ", d_model, " for both");
    }
    if (layer.W_Q.bias.is_set() != layer.W_O.bias.is_set()) {
        fail_argument("pytorch_state", site, layer.W_Q.bias.is_set() ? "W_Q has" : "W_O has",
                      " a bias, and ", layer.W_Q.bias.is_set() ? "W_O" : "W_Q",
                      " has none; in PyTorch's layer all projections have one, or none");
    }
    StateDict state;
    std::vector<Tensor> weights, biases;
    for (const Linear* one : {&layer.W_Q, &layer.W_K, &layer.W_V}) {
        weights.push_back(one->weight.value());
        if (one->bias.is_set()) biases.push_back(one->bias.value());
    }
    const bool one_size = layer.W_K.weight.dim(1) == d_model && layer.W_V.weight.dim(1) == d_model;
    if (one_size) {
        state.add("in_proj_weight", tensor::concatenate(weights, 0));
    } else {
        const char* const names[] = {"q_proj_weight", "k_proj_weight", "v_proj_weight"};
        for (std::size_t i = 0; i < 3; ++i) state.add(names[i], weights[i]);
    }
    if (!biases.empty()) state.add("in_proj_bias", tensor::concatenate(biases, 0));
    state.add("out_proj.weight", layer.W_O.weight.value());
    if (layer.W_O.bias.is_set()) state.add("out_proj.bias", layer.W_O.bias.value());
    return state;
}

}}  // namespace heed
