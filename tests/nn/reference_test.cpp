// Attention and all its gradients against numbers that PyTorch computed in float64
// (tests/nn/reference/attention.safetensors).
//     heed_tests_double "[worst]"    prints the largest distances
#include "tensor/ops.h"
#include "tensor/quote.h"
#include "tests/catch.h"
#include "tests/message_of.h"
#include "tests/nn/reference/calls.h"
#include "tests/nn/reference/reference.h"

#include <iostream>

using namespace heed;
using namespace heed::reference;

namespace {
constexpr bool is_double = sizeof(Scalar) == 8;
constexpr double forward_tolerance = is_double ? 1e-12 : 2e-6;
constexpr double gradient_tolerance = is_double ? 1e-10 : 2e-5;

Attention right_product(const Variable& Q, const Variable& K, const Variable& V, Masked mask) {
    return scaled_dot_product_attention(Q, K, V, mask);
}

Distances all_distances() {
    Distances distances;
    for (const Product& product : products()) {
        distances.see(product.name, parts_of(product, product.mask, right_product));
    }
    for (const Call& call : calls()) {
        distances.see(call.name, parts_of(loaded(call), call, call.mask));
    }
    return distances;
}

void check(const Distances& distances) {
    INFO(distances.forward.site << "; " << distances.gradient.site);
    CHECK(distances.forward.error <= forward_tolerance);
    CHECK(distances.gradient.error <= gradient_tolerance);
}

struct Block : Module {
    explicit Block(const MultiHeadAttention& its) : attention(its) {}
    void members(MemberVisitor& visit) override { visit("attention", attention); }

    MultiHeadAttention attention;
};

struct Model : Module {
    void members(MemberVisitor& visit) override { visit("blocks", blocks); }

    std::vector<Block> blocks;
};

// The mask with queries and keys exchanged or, if that has another shape, the inverted mask.
Mask turned(const Mask& mask) {
    const Tensor allowed = tensor::to_tensor(mask.allowed());
    const Tensor flipped = tensor::transpose(allowed);
    if (flipped.shape() == allowed.shape()) return Mask::allowing(flipped > 0);
    return Mask::allowing(mask.blocked());
}

}  // namespace

TEST_CASE("attention and its gradients are PyTorch's", "[nn][attention][reference]") {
    Distances distances;
    for (const Product& product : products()) {
        distances.see(product.name, parts_of(product, product.mask, right_product));
    }
    check(distances);
}

TEST_CASE("multi-head attention and its gradients are PyTorch's", "[nn][multi_head][reference]") {
    Distances distances;
    for (const Call& call : calls()) {
        distances.see(call.name, parts_of(loaded(call), call, call.mask));
    }
    check(distances);
}

TEST_CASE("a reference that is missing fails the test by its name", "[nn][reference]") {
    CHECK(message_of<std::runtime_error>([] { reference_tensors("none"); }) ==
          "read: " + in_quotes(reference_file("none")) + ": there is no such file");
}

TEST_CASE("no result in the file is left out", "[nn][reference]") {
    CHECK(all_distances().compared == results_in_file());
    CHECK(results_in_file() > 80);
}

TEST_CASE("a layer deep in a model takes PyTorch's numbers by name",
          "[nn][multi_head][reference]") {
    const Call& other = calls()[5];
    const Call& call = calls()[1];
    Random random(2);
    Model model;
    model.blocks.push_back(Block(MultiHeadAttention(other.d_model, other.num_heads, random)));
    model.blocks.push_back(Block(MultiHeadAttention(call.d_model, call.num_heads, random)));
    StateDict state;
    add_state(state, call, "blocks.1.attention.");
    add_state(state, other, "blocks.0.attention.");
    load_state_dict(model, state);
    Distances distances;
    distances.see(other.name, parts_of(model.blocks[0].attention, other, other.mask));
    distances.see(call.name, parts_of(model.blocks[1].attention, call, call.mask));
    check(distances);
}

TEST_CASE("wrong versions of attention are far from the file", "[nn][attention][reference]") {
    const Function no_scale = [](const auto& Q, const auto& K, const auto& V, const Masked& mask) {
        return dot_product_attention(Q, K, V, mask);
    };
    const Function divided_by_d_k = [](const auto& Q, const auto& K, const auto& V,
                                       const Masked& mask) {
        const double d_k = static_cast<double>(Q.dim(-1));
        return attend(DotScore(), Q, K, V, {.mask = mask, .temperature = d_k});
    };
    for (const Product& product : products()) {
        INFO(product.name);
        CHECK(nearest(product.name, parts_of(product, product.mask, no_scale)) > 1e-3);
        CHECK(nearest(product.name, parts_of(product, product.mask, divided_by_d_k)) > 1e-3);
        if (!product.mask) continue;
        CHECK(nearest(product.name, parts_of(product, {}, right_product)) > 1e-3);
        CHECK(nearest(product.name, parts_of(product, turned(*product.mask), right_product)) >
              1e-3);
    }
}

TEST_CASE("wrong versions of multi-head attention are far from the file",
          "[nn][multi_head][reference]") {
    for (const Call& call : calls()) {
        INFO(call.name);
        Call other_heads = call;
        other_heads.num_heads = 1;
        if (call.num_heads == 3) {
            // The weights then have another shape, so the output is compared.
            const Parts wrong = parts_of(loaded(other_heads), call, call.mask);
            CHECK(nearest(call.name, {wrong[0]}) > 1e-3);
        }
        if (call.options.kdim == 0) {
            MultiHeadAttention exchanged = loaded(call);
            const Linear W_Q = exchanged.W_Q;
            exchanged.W_Q = exchanged.W_K;
            exchanged.W_K = W_Q;
            CHECK(nearest(call.name, source_parts(exchanged, call, call.mask)) > 1e-3);
        }
        if (!call.mask) continue;
        const MultiHeadAttention layer = loaded(call);
        CHECK(nearest(call.name, source_parts(layer, call, {})) > 1e-3);
        CHECK(nearest(call.name, source_parts(layer, call, turned(*call.mask))) > 1e-3);
    }
}

TEST_CASE("the worst distances from the reference", "[.][worst]") {
    const Distances distances = all_distances();
    std::cout << "worst distance from PyTorch, forward: " << distances.forward.error << " ("
              << distances.forward.site << "), gradients: " << distances.gradient.error << " ("
              << distances.gradient.site << "), of " << distances.compared << " tensors\n";
}
