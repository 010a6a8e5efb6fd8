// Conversion of the parameters of multi-head attention. Between its forms: head n has rows n·d to
// (n + 1)·d of Linear's weight [h·d, in], and W_n [in, d] is the transpose of these rows. And to
// and from PyTorch's nn.MultiheadAttention, which packs the three projections into one matrix when
// their inputs have the same size:
//     in_proj_weight = W_Q, W_K and W_V stacked, [3·d_model, d_model]
#include "../../tensor/errors.h"
#include "../../tensor/ops/gather.h"
#include "../../tensor/ops/join.h"
#include "../../tensor/views.h"
#include "multi_head_forms.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
void set_values(Parameter& parameter, const Tensor& numbers) {
    Tensor window = parameter.value();
    tensor::overwrite(window, numbers);
}

Tensor rows_of_head(const Parameter& parameter, std::int64_t head, std::int64_t d) {
    return tensor::slice(parameter.value(), 0, head * d, (head + 1) * d);
}

// Linear's weight [h·d, in] as [h, in, d]; one_matrix() is the inverse.
Tensor matrices(const Parameter& weight, std::int64_t h) {
    const std::int64_t in = weight.dim(1);
    return tensor::transpose(tensor::view(weight.value(), {h, weight.dim(0) / h, in}));
}

// A bias [h·d] as [h, d].
Tensor rows(const Parameter& bias, std::int64_t h) {
    return tensor::view(bias.value(), {h, bias.dim(0) / h});
}

// [h_kv, ...] -> [h, ...]: a copy for each head of what several heads share.
Tensor for_each_head(const Tensor& shared, std::int64_t h) {
    std::vector<std::int64_t> places;
    for (std::int64_t n = 0; n < h; ++n) places.push_back(n * shared.dim(0) / h);
    return tensor::index_select(shared, 0, IndexTensor(places));
}

Tensor one_matrix(const Parameter& W) {
    return tensor::reshape(tensor::transpose(W.value()), {W.dim(0) * W.dim(2), W.dim(1)});
}

MultiHeadOptions options_of(const MultiHeadAttention& layer) {
    return {.bias = layer.W_Q.bias.is_set(),
            .output_bias = layer.W_O.bias.is_set(),
            .d_head = layer.W_Q.weight.dim(0) / layer.num_heads,
            .d_v = layer.W_V.weight.dim(0) / layer.num_kv_heads(),
            .kdim = layer.W_K.weight.dim(1),
            .vdim = layer.W_V.weight.dim(1),
            .dropout = layer.dropout.p(),
            .scale = layer.scale,
            .soft_cap = layer.soft_cap,
            .positions = layer.positions};
}

void copy_head(AttentionHead& head, const MultiHeadAttention& layer, std::int64_t n) {
    Linear* const of_head[] = {&head.W_Q, &head.W_K, &head.W_V};
    const Linear* const of_all[] = {&layer.W_Q, &layer.W_K, &layer.W_V};
    const std::int64_t group = n / (layer.num_heads / layer.num_kv_heads());
    const std::int64_t place[] = {n, group, group};
    for (int i = 0; i < 3; ++i) {
        const std::int64_t d = of_head[i]->weight.dim(0);
        set_values(of_head[i]->weight, rows_of_head(of_all[i]->weight, place[i], d));
        if (!of_head[i]->bias.is_set()) continue;
        set_values(of_head[i]->bias, rows_of_head(of_all[i]->bias, place[i], d));
    }
}

// Stacks the rows of the heads' projections into one.
void stack_rows(Linear& all, const std::vector<const Linear*>& heads) {
    std::vector<Tensor> weights, biases;
    for (const Linear* one : heads) {
        weights.push_back(one->weight.value());
        if (one->bias.is_set()) biases.push_back(one->bias.value());
    }
    set_values(all.weight, tensor::concatenate(weights, 0));
    if (all.bias.is_set()) set_values(all.bias, tensor::concatenate(biases, 0));
}

void check_equal_heads(const ListOfHeadsAttention& layer, const CallSite& site) {
    if (layer.heads.empty()) {
        fail_shape("as_one_projection", site, "the list has no heads; it needs at least one");
    }
    for (const AttentionHead& head : layer.heads) {
        check_parameter("as_one_projection", "W_Q.weight", head.W_Q.weight, 2, site);
        check_parameter("as_one_projection", "W_K.weight", head.W_K.weight, 2, site);
        check_parameter("as_one_projection", "W_V.weight", head.W_V.weight, 2, site);
    }
    check_parameter("as_one_projection", "W_O.weight", layer.W_O.weight, 2, site);
    const auto sizes = [](const AttentionHead& head) {
        return text("W_Q ", head.W_Q.weight.shape(), ", W_K ", head.W_K.weight.shape(), ", W_V ",
                    head.W_V.weight.shape(), head.W_Q.bias.is_set() ? " with bias" : "",
                    head.scale ? text(", scale ", *head.scale) : "",
                    head.soft_cap ? text(", soft cap ", *head.soft_cap) : "");
    };
    for (std::size_t n = 1; n < layer.heads.size(); ++n) {
        if (sizes(layer.heads[n]) == sizes(layer.heads[0])) continue;
        fail_shape("as_one_projection", site, "head 0 has ", sizes(layer.heads[0]), ", but head ",
                   n, " has ", sizes(layer.heads[n]), "; all heads must have the same size");
    }
}

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

ListOfHeadsAttention as_list_of_heads(const MultiHeadAttention& layer, CallSite site) {
    layer.check_parts("as_list_of_heads", site);
    Random unused(0);
    ListOfHeadsAttention list(layer.W_O.weight.dim(0), layer.num_heads, unused, options_of(layer));
    for (std::int64_t n = 0; n < layer.num_heads; ++n) {
        copy_head(list.heads[static_cast<std::size_t>(n)], layer, n);
    }
    list.W_O = layer.W_O;
    list.train(layer.training());
    return list;
}

EinsumAttention as_einsum(const MultiHeadAttention& layer, CallSite site) {
    layer.check_parts("as_einsum", site);
    const std::int64_t h = layer.num_heads;
    Random unused(0);
    EinsumAttention form(layer.W_O.weight.dim(0), h, unused, options_of(layer), site);
    set_values(form.W_Q, matrices(layer.W_Q.weight, h));
    set_values(form.W_K, for_each_head(matrices(layer.W_K.weight, layer.num_kv_heads()), h));
    set_values(form.W_V, for_each_head(matrices(layer.W_V.weight, layer.num_kv_heads()), h));
    set_values(form.W_O,
               tensor::reshape(tensor::transpose(layer.W_O.weight.value()), form.W_O.shape()));
    if (layer.W_O.bias.is_set()) {
        set_values(form.b_Q, tensor::view(layer.W_Q.bias.value(), form.b_Q.shape()));
        set_values(form.b_K, for_each_head(rows(layer.W_K.bias, layer.num_kv_heads()), h));
        set_values(form.b_V, for_each_head(rows(layer.W_V.bias, layer.num_kv_heads()), h));
        set_values(form.b_O, layer.W_O.bias.value());
    }
    form.train(layer.training());
    return form;
}

MultiHeadAttention as_one_projection(const ListOfHeadsAttention& layer, CallSite site) {
    check_equal_heads(layer, site);
    const AttentionHead& first = layer.heads[0];
    const MultiHeadOptions options{.bias = first.W_Q.bias.is_set(),
                                   .output_bias = layer.W_O.bias.is_set(),
                                   .d_head = first.W_Q.weight.dim(0),
                                   .d_v = first.W_V.weight.dim(0),
                                   .kdim = first.W_K.weight.dim(1),
                                   .vdim = first.W_V.weight.dim(1),
                                   .dropout = first.dropout.p(),
                                   .scale = first.scale,
                                   .soft_cap = first.soft_cap,
                                   .positions = layer.positions};
    const std::int64_t h = static_cast<std::int64_t>(layer.heads.size());
    Random unused(0);
    MultiHeadAttention all(layer.W_O.weight.dim(0), h, unused, options, site);
    std::vector<const Linear*> queries, keys, values;
    for (const AttentionHead& head : layer.heads) {
        queries.push_back(&head.W_Q);
        keys.push_back(&head.W_K);
        values.push_back(&head.W_V);
    }
    stack_rows(all.W_Q, queries);
    stack_rows(all.W_K, keys);
    stack_rows(all.W_V, values);
    all.W_O = layer.W_O;
    all.train(layer.training());
    return all;
}

MultiHeadAttention as_one_projection(const EinsumAttention& layer, CallSite site) {
    layer.check_parts("as_one_projection", site);
    const MultiHeadOptions options{.bias = layer.b_O.is_set(),
                                   .d_head = layer.W_Q.dim(2),
                                   .d_v = layer.W_V.dim(2),
                                   .kdim = layer.W_K.dim(1),
                                   .vdim = layer.W_V.dim(1),
                                   .dropout = layer.dropout.p(),
                                   .scale = layer.scale,
                                   .soft_cap = layer.soft_cap,
                                   .positions = layer.positions};
    Random unused(0);
    MultiHeadAttention all(layer.W_O.dim(2), layer.W_Q.dim(0), unused, options, site);
    set_values(all.W_Q.weight, one_matrix(layer.W_Q));
    set_values(all.W_K.weight, one_matrix(layer.W_K));
    set_values(all.W_V.weight, one_matrix(layer.W_V));
    const std::int64_t d_model = layer.W_O.dim(2);
    set_values(all.W_O.weight,
               tensor::transpose(tensor::reshape(layer.W_O.value(), {-1, d_model})));
    if (layer.b_O.is_set()) {
        set_values(all.W_Q.bias, tensor::flatten(layer.b_Q.value()));
        set_values(all.W_K.bias, tensor::flatten(layer.b_K.value()));
        set_values(all.W_V.bias, tensor::flatten(layer.b_V.value()));
        set_values(all.W_O.bias, layer.b_O.value());
    }
    all.train(layer.training());
    return all;
}

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
