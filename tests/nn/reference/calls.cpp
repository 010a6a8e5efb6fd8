// Our layers, loaded with PyTorch's numbers.
#include "tests/nn/reference/calls.h"

#include "nn/heed.h"
#include "tests/nn/reference/reference.h"

namespace heed { inline namespace HEED_PRECISION { namespace reference {
namespace {
const StateDict& entries() { return reference_tensors("attention"); }

Tensor joined(const Variable& a, const Variable& b, const Variable& c) {
    return tensor::concatenate({a.grad(), b.grad(), c.grad()}, 0);
}

void add_gradients(Parts& parts, const MultiHeadAttention& layer) {
    const Linear &W_Q = layer.W_Q, &W_K = layer.W_K, &W_V = layer.W_V, &W_O = layer.W_O;
    if (W_K.weight.dim(1) == W_Q.weight.dim(1)) {
        parts.push_back({"grad in_proj_weight", joined(W_Q.weight, W_K.weight, W_V.weight)});
    } else {
        parts.push_back({"grad q_proj_weight", W_Q.weight.grad()});
        parts.push_back({"grad k_proj_weight", W_K.weight.grad()});
        parts.push_back({"grad v_proj_weight", W_V.weight.grad()});
    }
    parts.push_back({"grad out_proj.weight", W_O.weight.grad()});
    if (!W_O.bias.is_set()) return;
    parts.push_back({"grad in_proj_bias", joined(W_Q.bias, W_K.bias, W_V.bias)});
    parts.push_back({"grad out_proj.bias", W_O.bias.grad()});
}

// Sources or upstream: the call's own, or those that several calls share.
std::string input(const Call& call, const std::string& part) {
    const std::string own = call.name + ": " + part;
    return entries().contains(own) ? own : call.state + ": " + part;
}

}  // namespace

Tensor frozen(const std::string& name) { return entries().at(name); }

int results_in_file() {
    int count = 0;
    for (const StateDict::Entry& entry : entries()) {
        const std::string part = entry.name.substr(entry.name.rfind(": ") + 2);
        count += part == "output" || part == "weights" || part.rfind("grad ", 0) == 0;
    }
    return count;
}

void Worst::see(const Tensor& ours, const std::string& name) {
    const double distance = tensor::max_difference(ours, frozen(name));
    const double finite = distance >= 0 ? distance : infinity;
    if (finite < error) return;
    error = finite;
    site = name;
}

void Distances::see(const std::string& name, const Parts& parts) {
    for (const auto& [part, ours] : parts) {
        Worst& worst = part.rfind("grad ", 0) == 0 ? gradient : forward;
        worst.see(ours, name + ": " + part);
        ++compared;
    }
}

double nearest(const std::string& name, const Parts& parts) {
    double least = infinity;
    for (const auto& [part, wrong] : parts) {
        const double distance = tensor::max_difference(wrong, frozen(name + ": " + part));
        if (!(distance >= least)) least = distance;
    }
    return least;
}

const std::vector<Product>& products() {
    static const std::vector<Product> list = {
        {"unmasked"},
        {"causal", Mask::causal(5)},
        {"causal, 3 queries and 5 keys", Mask::causal(3, 5)},
        {"padding, lengths 4, 2", Mask::padding({4, 2}, 5)},
        {"more queries than keys"},
        {"two leading axes"},
    };
    return list;
}

Parts parts_of(const Product& product, const Masked& mask, const Function& function) {
    const Variable Q(frozen(product.name + ": Q"), requires_grad);
    const Variable K(frozen(product.name + ": K"), requires_grad);
    const Variable V(frozen(product.name + ": V"), requires_grad);
    const Attention result = function(Q, K, V, mask);
    result.output.backward({.upstream = frozen(product.name + ": upstream")});
    return {{"output", result.output.value()},
            {"weights", result.weights.value()},
            {"grad Q", Q.grad()},
            {"grad K", K.grad()},
            {"grad V", V.grad()}};
}

const std::vector<Call>& calls() {
    static const std::vector<Call> list = {
        {"self", "self", 6, 3},
        {"self, causal", "self", 6, 3, {}, Mask::causal(5)},
        {"self, lengths 5, 3", "self", 6, 3, {}, Mask::padding({5, 3}, 5)},
        {"self, causal and lengths 5, 3",
         "self",
         6,
         3,
         {},
         Mask::causal(5) & Mask::padding({5, 3}, 5)},
        {"self, unbatched", "self", 6, 3},
        {"cross", "cross", 6, 2},
        {"other sizes", "other sizes", 4, 2, {.kdim = 3, .vdim = 5}, Mask::padding({3, 5}, 5)},
        {"no bias", "no bias", 4, 2, {.bias = false}, Mask::causal(4)},
    };
    return list;
}

void add_state(StateDict& state, const Call& call, const std::string& prefix) {
    for (const char* name : {"in_proj_weight", "q_proj_weight", "k_proj_weight", "v_proj_weight",
                             "in_proj_bias", "out_proj.weight", "out_proj.bias"}) {
        const std::string stored = call.state + ": " + name;
        if (entries().contains(stored)) state.add(prefix + name, frozen(stored));
    }
}

MultiHeadAttention loaded(const Call& call) {
    Random random(1);
    MultiHeadAttention layer(call.d_model, call.num_heads, random, call.options);
    StateDict state;
    add_state(state, call, "");
    load_state_dict(layer, state);
    return layer;
}

Parts source_parts(const AttentionLayer& layer, const Call& call, const Masked& mask) {
    const Variable query(frozen(input(call, "query")), requires_grad);
    const Tensor upstream = frozen(input(call, "upstream"));
    if (!entries().contains(call.name + ": key")) {
        const Attention result = layer.with_weights(query, mask);
        result.output.backward({.upstream = upstream});
        return {{"output", result.output.value()},
                {"weights", result.weights.value()},
                {"grad query", query.grad()}};
    }
    const Variable key(frozen(call.name + ": key"), requires_grad);
    const Variable value(frozen(call.name + ": value"), requires_grad);
    const Attention result = layer.with_weights(query, key, value, mask);
    result.output.backward({.upstream = upstream});
    return {{"output", result.output.value()},
            {"weights", result.weights.value()},
            {"grad query", query.grad()},
            {"grad key", key.grad()},
            {"grad value", value.grad()}};
}

Parts parts_of(const MultiHeadAttention& layer, const Call& call, const Masked& mask) {
    Parts parts = source_parts(layer, call, mask);
    add_gradients(parts, layer);
    return parts;
}

}}}  // namespace heed::reference
