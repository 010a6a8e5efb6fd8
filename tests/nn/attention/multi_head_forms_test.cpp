// One layer in three forms: the same bits forward, the same gradients, and conversion of their
// parameters in both directions without losing a bit.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

using namespace heed;

namespace {
Tensor drawn(const Shape& shape, std::uint64_t seed) {
    Random random(seed);
    return tensor::normal(shape, random);
}

using Masked = std::optional<Mask>;

struct Sizes {
    const char* name;
    std::int64_t num_heads;
    MultiHeadOptions options;
};

const Sizes all_sizes[] = {
    {"d_model / h", 3, {}},
    {"one head", 1, {}},
    {"without bias", 2, {.bias = false}},
    {"wide heads", 4, {.d_head = 5}},
    {"other values", 2, {.bias = false, .d_head = 2, .d_v = 5}},
    {"other sources", 3, {.d_v = 1, .kdim = 4, .vdim = 7}},
};

// Draws the biases, too.
MultiHeadAttention made(const Sizes& sizes) {
    Random random(1);
    MultiHeadAttention layer(6, sizes.num_heads, random, sizes.options);
    for (const NamedParameter& one : parameters(layer)) {
        Tensor numbers = one.parameter.value();
        tensor::overwrite(numbers, tensor::normal(numbers.shape(), random, 0, 0.5));
    }
    return layer;
}

// Query, key, value for a batch of two.
std::vector<Tensor> sources(const Sizes& sizes) {
    const auto or_six = [](std::int64_t size) { return size == 0 ? 6 : size; };
    return {drawn({2, 4, 6}, 2), drawn({2, 5, or_six(sizes.options.kdim)}, 3),
            drawn({2, 5, or_six(sizes.options.vdim)}, 4)};
}

bool same_state(const Module& a, const Module& b) {
    const StateDict first = state_dict(a), second = state_dict(b);
    if (first.size() != second.size()) return false;
    for (const StateDict::Entry& one : first) {
        if (!second.contains(one.name)) return false;
        if (!tensor::same_bits(one.value, second.at(one.name))) return false;
    }
    return true;
}

// The gradients of a layer's parameters under the same names, as a layer of the same form.
template <class Layer>
Layer gradients_of(Layer& layer) {
    Layer gradients = layer;
    StateDict state;
    for (const NamedParameter& one : parameters(layer)) state.add(one.name, one.parameter.grad());
    load_state_dict(gradients, state);
    return gradients;
}

struct Outcome {
    Attention result;
    std::vector<Tensor> of_sources;
};

Outcome run(const AttentionLayer& layer, const std::vector<Tensor>& inputs, const Masked& mask) {
    std::vector<Variable> leaves;
    for (const Tensor& input : inputs) leaves.emplace_back(input, requires_grad);
    const Attention result = layer.with_weights(leaves[0], leaves[1], leaves[2], mask);
    result.output.backward({.upstream = drawn(result.output.shape(), 5)});
    return {result, {leaves[0].grad(), leaves[1].grad(), leaves[2].grad()}};
}

bool close(const Tensor& a, const Tensor& b) { return tensor::all_close(a, b, 1e-5, 5e-6); }

void check_same(const Outcome& a, const Outcome& b) {
    CHECK(tensor::same_bits(a.result.output.value(), b.result.output.value()));
    CHECK(tensor::same_bits(a.result.weights.value(), b.result.weights.value()));
    for (std::size_t i = 0; i < 3; ++i) CHECK(close(a.of_sources[i], b.of_sources[i]));
}

bool close_states(const Module& a, const Module& b) {
    const StateDict first = state_dict(a), second = state_dict(b);
    for (const StateDict::Entry& one : first) {
        if (!close(one.value, second.at(one.name))) return false;
    }
    return first.size() == second.size();
}

}  // namespace

TEST_CASE("three forms give the same bits, and the same gradients of all", "[nn][multi_head]") {
    for (const Sizes& sizes : all_sizes) {
        INFO(sizes.name);
        const std::vector<Tensor> inputs = sources(sizes);
        const Mask per_head = Mask::allowing(drawn({2, sizes.num_heads, 4, 5}, 6) > -0.5);
        for (const Masked& mask : {Masked(), Masked(Mask::causal(4, 5)),
                                   Masked(Mask::padding({3, 5}, 5)), Masked(per_head)}) {
            MultiHeadAttention one = made(sizes);
            ListOfHeadsAttention list = as_list_of_heads(one);
            EinsumAttention einsum = as_einsum(one);
            const Outcome of_one = run(one, inputs, mask);
            check_same(run(list, inputs, mask), of_one);
            check_same(run(einsum, inputs, mask), of_one);
            const MultiHeadAttention expected = gradients_of(one);
            CHECK(close_states(as_one_projection(gradients_of(list)), expected));
            CHECK(close_states(as_one_projection(gradients_of(einsum)), expected));
        }
    }
}

TEST_CASE("parameters go from form to form and back without losing a bit", "[nn][multi_head]") {
    for (const Sizes& sizes : all_sizes) {
        INFO(sizes.name);
        const MultiHeadAttention one = made(sizes);
        const ListOfHeadsAttention list = as_list_of_heads(one);
        const EinsumAttention einsum = as_einsum(one);
        CHECK(same_state(as_one_projection(list), one));
        CHECK(same_state(as_one_projection(einsum), one));
        CHECK(same_state(as_list_of_heads(as_one_projection(einsum)), list));
        CHECK(same_state(as_einsum(as_one_projection(list)), einsum));
        CHECK(count_parameters(list) == count_parameters(one));
        CHECK(count_parameters(einsum) == count_parameters(one));
        CHECK(as_one_projection(list).num_heads == sizes.num_heads);
        CHECK(as_one_projection(einsum).num_heads == sizes.num_heads);
    }
}

TEST_CASE("where a head's parameters are in each form", "[nn][multi_head]") {
    const MultiHeadAttention one = made({"", 2, {.d_head = 3, .d_v = 2}});
    const ListOfHeadsAttention list = as_list_of_heads(one);
    const EinsumAttention einsum = as_einsum(one);
    bool right = true;
    for (std::int64_t n = 0; n < 2; ++n) {
        const AttentionHead& head = list.heads[static_cast<std::size_t>(n)];
        for (std::int64_t i = 0; i < 6; ++i) {
            for (std::int64_t c = 0; c < 3; ++c) {
                const Scalar w = one.W_K.weight(3 * n + c, i);
                right = right && head.W_K.weight(c, i) == w && einsum.W_K(n, i, c) == w;
                const Scalar b = one.W_Q.bias(3 * n + c);
                right = right && head.W_Q.bias(c) == b && einsum.b_Q(n, c) == b;
            }
            for (std::int64_t c = 0; c < 2; ++c) {
                right = right && einsum.W_O(n, c, i) == one.W_O.weight(i, 2 * n + c);
                right = right && einsum.W_V(n, i, c) == one.W_V.weight(2 * n + c, i);
            }
        }
    }
    CHECK(right);
}

TEST_CASE("a converted form is a separate layer in the same mode", "[nn][multi_head]") {
    MultiHeadAttention one = made({"", 3, {.dropout = 0.25}});
    one.eval();
    ListOfHeadsAttention list = as_list_of_heads(one);
    EinsumAttention einsum = as_einsum(one);
    CHECK(list.heads[2].dropout.p() == 0.25);
    CHECK(einsum.dropout.p() == 0.25);
    CHECK_FALSE(list.heads[2].dropout.training());
    CHECK_FALSE(einsum.dropout.training());
    CHECK(as_one_projection(list).dropout.p() == 0.25);
    CHECK(as_one_projection(einsum).dropout.p() == 0.25);
    CHECK_FALSE(as_one_projection(list).dropout.training());
    CHECK_FALSE(as_one_projection(einsum).dropout.training());
    one.train();
    CHECK(as_list_of_heads(one).heads[0].dropout.training());
    CHECK(as_einsum(one).dropout.training());

    const StateDict before = state_dict(list);
    Tensor numbers = one.W_Q.weight.value();
    tensor::overwrite(numbers, tensor::zeros({1}));
    CHECK(tensor::same_bits(list.heads[0].W_Q.weight.value(), before.at("heads.0.W_Q.weight")));
    CHECK_FALSE((einsum.W_Q.value() == tensor::zeros({1})).any());
}

TEST_CASE("the other forms' parameters are named, and drawn like Linear's", "[nn][multi_head]") {
    Random random(7);
    ListOfHeadsAttention list(6, 2, random, {.d_v = 5});
    EinsumAttention einsum(50, 2, random, {.d_v = 40});
    std::string said;
    for (const NamedParameter& one : parameters(einsum)) {
        said += one.name + " " + one.parameter.shape().text() + "; ";
    }
    CHECK(said == "W_Q [2, 50, 25]; W_K [2, 50, 25]; W_V [2, 50, 40]; W_O [2, 40, 50]; "
                  "b_Q [2, 25]; b_K [2, 25]; b_V [2, 40]; b_O [50]; ");
    CHECK(parameters(list)[6].name == "heads.1.W_Q.weight");
    CHECK(parameters(list).back().name == "W_O.bias");
    const auto bound = [](const Parameter& x) {
        return static_cast<double>(tensor::max(tensor::abs(x.value())).item());
    };
    CHECK(bound(einsum.W_Q) == Approx(1 / __builtin_sqrt(50.0)).epsilon(0.02));
    CHECK(bound(einsum.W_O) == Approx(1 / __builtin_sqrt(80.0)).epsilon(0.02));
    const EinsumAttention other(8, 2, random, {.d_head = 200, .d_v = 100, .kdim = 40, .vdim = 3});
    CHECK(bound(other.W_K) == Approx(1 / __builtin_sqrt(40.0)).epsilon(0.02));
    CHECK(bound(other.W_V) == Approx(1 / __builtin_sqrt(3.0)).epsilon(0.02));
    CHECK(bound(other.b_Q) == Approx(1 / __builtin_sqrt(8.0)).epsilon(0.02));
    CHECK(bound(other.b_K) == Approx(1 / __builtin_sqrt(40.0)).epsilon(0.02));
    CHECK(bound(other.b_V) == Approx(1 / __builtin_sqrt(3.0)).epsilon(0.02));
    CHECK(state_dict(EinsumAttention(6, 2, random, {.bias = false})).size() == 4);
}

TEST_CASE("dropout of the other forms", "[nn][multi_head]") {
    MultiHeadAttention one = made({"", 2, {.dropout = 0.5}});
    ListOfHeadsAttention list = as_list_of_heads(one);
    EinsumAttention einsum = as_einsum(one);
    const Variable X(drawn({2, 4, 6}, 8));
    one.eval();
    const Attention plain = one.with_weights(X);
    for (AttentionLayer* layer : std::vector<AttentionLayer*>{&list, &einsum}) {
        const Attention first = layer->with_weights(X);
        CHECK(tensor::max_difference(first.output.value(), plain.output.value()) > 1e-2);
        CHECK(tensor::same_bits(first.weights.value(), plain.weights.value()));
        CHECK_FALSE(tensor::same_bits((*layer)(X).value(), first.output.value()));
        layer->eval();
        CHECK(tensor::same_bits((*layer)(X).value(), plain.output.value()));
    }
}

TEST_CASE("heads that do not fit into one matrix are refused", "[nn][multi_head]") {
    Random random(9);
    ListOfHeadsAttention list(6, 2, random);
    list.heads[1] = AttentionHead(6, 4, random);
    CHECK(message_of<ShapeError>([&] { as_one_projection(list); }) ==
          "as_one_projection: head 0 has W_Q [3, 6], W_K [3, 6], W_V [3, 6] with bias, but head 1 "
          "has W_Q [4, 6], W_K [4, 6], W_V [4, 6] with bias; all heads must have the same size");
    list.heads[1] = AttentionHead(6, 3, random, {.bias = false});
    CHECK_THAT(message_of<ShapeError>([&] { as_one_projection(list); }),
               Contains("head 1 has W_Q [3, 6], W_K [3, 6], W_V [3, 6]; all heads"));
    list.heads.clear();
    CHECK(message_of<ShapeError>([&] { as_one_projection(list); }) ==
          "as_one_projection: the list has no heads; it needs at least one");
}
