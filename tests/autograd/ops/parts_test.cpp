// Taking a variable apart: what its parts receive is added to one gradient in place, with the bits
// of adding gradients that are zero everywhere else, and in a time that grows with the parts.
#include "autograd/node.h"
#include "autograd/record.h"
#include "nn/heed.h"
#include "tensor/kernels/kernels.h"
#include "tests/autograd/gradients.h"
#include "tests/catch.h"
#include "tests/message_of.h"

#include <functional>
#include <string>

using namespace heed;
using tensor::of;
using tensor::same_bits;

namespace {
using Parts = std::vector<Variable>;
using Taking = std::function<Parts(const Variable&)>;

// Ways to take apart an x with axes of 5 and 6 entries.
const std::vector<std::pair<std::string, Taking>>& ways() {
    static const std::vector<std::pair<std::string, Taking>> all = {
        {"unbind", [](const Variable& x) { return unbind(x, 1); }},
        {"split", [](const Variable& x) { return split(x, 4, -1); }},
        {"chunk", [](const Variable& x) { return chunk(x, 3, 1); }},
        {"split_sizes",
         [](const Variable& x) {
             return split_sizes(x, {2, 0, 3}, 0);
         }},
        {"select twice",
         [](const Variable& x) {
             return Parts{select(x, -2, -1), select(x, 0, 4)};
         }},
        {"one slice", [](const Variable& x) { return Parts{slice(x, 1, 1, 5)}; }},
        {"overlapping slices",
         [](const Variable& x) {
             return Parts{slice(x, 1, 0, 4), slice(x, 1, 1, tensor::to_the_end, 2),
                          slice(x, 1, -3)};
         }},
        {"rows by index",
         [](const Variable& x) {
             return Parts{index_select(x, 0, IndexTensor({1, 1, 3})),
                          index_select(x, 0, IndexTensor({1})),
                          index_select(x, -1, IndexTensor({{0, 5}, {0, 0}}))};
         }},
        {"x itself, and -0 in what it receives, before its parts",
         [](const Variable& x) {
             return Parts{select(x, 0, 1), slice(x, 1, 2, 3), x * 3};
         }},
        {"parts beside x itself",
         [](const Variable& x) {
             return Parts{x * x, select(x, 0, 1), x * 3, slice(x, 1, 2, 3)};
         }},
    };
    return all;
}

// Σ G ⊙ part over all parts, where the G are random numbers; some are -0.
Variable weighted(const Parts& parts) {
    Variable total(of(0));
    std::uint64_t seed = 1;
    for (const Variable& part : parts) {
        const Tensor G = random(part.shape(), ++seed);
        total = total + sum(part * tensor::where(G < -1, -0.0, G));
    }
    return total;
}

Tensor gradient_of(const Taking& take, const Variable& x, bool recorded) {
    return grad(weighted(take(x)), x, {.create_graph = recorded}).value();
}

}  // namespace

TEST_CASE("gradients of parts have the bits of gradients that are zero elsewhere",
          "[autograd][parts]") {
    const Variable x = leaf(Shape{5, 6}, 3);
    for (const auto& [name, take] : ways()) {
        INFO(name);
        const Tensor in_place = gradient_of(take, x, false);
        const Tensor written_out = gradient_of(take, x, true);  // the formulas run
        CHECK(same_bits(in_place, written_out));
        weighted(take(x)).backward();
        CHECK(same_bits(x.grad(), written_out));
        Variable handle = x;
        handle.zero_grad();
        // The input of the parts is itself computed, expanded, and received -0 before.
        const Variable row = leaf(Shape{6}, 4);
        const auto& taken = take;  // clang 14 captures no structured binding
        const auto of_expanded = [&](const Variable& r) { return taken(expand(r, {5, 6}) * -0.0); };
        CHECK(same_bits(gradient_of(of_expanded, row, false), gradient_of(of_expanded, row, true)));
    }
}

TEST_CASE("the parts of a variable pass their gradients to their places", "[autograd][parts]") {
    const Variable x = leaf({{1, 2, 3}, {4, 5, 6}});
    const Parts columns = unbind(x, -1);
    REQUIRE(columns.size() == 3);
    CHECK(close(columns[1].value(), of({2, 5})));
    CHECK(columns[1].value().shares_storage_with(x.value()));
    const Variable y = columns[0] * 10 + columns[2] * of({100, 200});
    CHECK(close(gradient(y, x, of({1, 2})), of({{10, 0, 100}, {20, 0, 400}})));
    const Parts parts = split(leaf({1, 2, 3, 4, 5}), 2);
    REQUIRE(parts.size() == 3);
    CHECK(close(parts[2].value(), of({5})));
    CHECK(unbind(leaf(Shape{0, 3}, 1)).empty());
    CHECK(close(gradient(stack(unbind(x)), x, of({{1, 2, 3}, {4, 5, 6}})),
                of({{1, 2, 3}, {4, 5, 6}})));
}

TEST_CASE("a gradient handed out is not changed by those that come after", "[autograd][parts]") {
    const Variable x = leaf({1, 2, 3});
    std::vector<Tensor> seen;
    Variable middle = x * 1;
    middle.register_hook([&](const Variable& G) {
        seen.push_back(G.value());
        return G;
    });
    const Tensor G = of({7, 8, 9});
    // `middle` first receives G itself, then a part.
    const Variable y = slice(middle, 0, 0, 1) * 100 + middle;
    y.backward({.retain_graph = true, .upstream = G});
    CHECK(G.to_vector() == std::vector<Scalar>{7, 8, 9});
    CHECK(seen[0].to_vector() == x.grad().to_vector());
    const Tensor first = tensor::clone(x.grad());
    y.backward({.upstream = G});
    CHECK(seen[0].to_vector() == first.to_vector());
    CHECK(close(x.grad(), first * 2));
}

TEST_CASE("parts add to the sum of what their input has received, and set nothing",
          "[autograd][parts]") {
    // What an operation is offered: a sum, or none.
    class Offer final : public Gradients {
      public:
        Tensor sum = tensor::ones({5, 6});
        bool offers = true;
        int sets = 0;

        bool needed(int) const override { return true; }
        void set(int, Tensor) override { ++sets; }
        Tensor* sum_so_far(int) override { return offers ? &sum : nullptr; }
    };
    const Variable x = leaf(Shape{5, 6}, 3);
    for (const Variable& part : {select(x, 1, 2), slice(x, 0, 1, 3), unbind(x)[4],
                                 chunk(x, 2, 1)[1], index_select(x, 0, IndexTensor({2, 2}))}) {
        Offer offer;
        const Scalar* const place = offer.sum.data();
        const Tensor G = random(part.shape(), 8);
        INFO(part.node()->operation_name);
        REQUIRE(part.node()->operation->fused_gradients(G, offer));
        CHECK(offer.sum.data() == place);
        CHECK(same_bits(offer.sum, tensor::ones({5, 6}) + gradient(part, x, G)));
        CHECK(offer.sets == 0);
        offer.offers = false;  // then the formula is asked for
        CHECK_FALSE(part.node()->operation->fused_gradients(G, offer));
    }
}

namespace {
// Notes the sum that the engine offers it.
struct Probe final : Operation {
    std::vector<const Scalar*>& offered;

    explicit Probe(std::vector<const Scalar*>* seen) : offered(*seen) {}
    const char* name() const override { return "probe"; }
    Tensor forward(const Inputs& in, const CallSite&) const override { return in[0] * 1; }
    Variable gradient(int, const Variable& G) const override { return G * 1; }
    bool fused_gradients(const Tensor& G, Gradients& to) const override {
        Tensor* const sum = to.sum_so_far(0);
        offered.push_back(sum ? sum->data() : nullptr);
        if (!sum) return false;
        tensor::add_to_slice(*sum, G, 0, 0, 1);
        return true;
    }
};

struct Receiving final : Observer {
    void received(const Node&, int, const Variable&, const Variable&) override { ++times; }
    int times = 0;
};
}  // namespace

TEST_CASE("the engine offers one sum to all who add to it, unless an observer looks at gradients",
          "[autograd][parts]") {
    if (!kernels::are_fast()) return;  // with the plain kernels the formulas run
    const Variable x = leaf({1, 2, 3});
    std::vector<const Scalar*> offered;
    std::vector<const Scalar*>* const to = &offered;
    const auto probe = [&] { return record<Probe>({&x}, CallSite::here(), to); };
    const Variable y = probe() + probe() + probe() + x * 2;
    CHECK(close(gradient(y, x, of({1, 10, 100})), of({5, 50, 500})));
    REQUIRE(offered.size() == 3);
    CHECK(offered[0] != nullptr);
    CHECK(offered[1] == offered[0]);
    CHECK(offered[2] == offered[0]);
    offered.clear();
    Receiving receiving;
    const Observing observing(receiving);
    CHECK(close(gradient(y, x, of({1, 10, 100})), of({5, 50, 500})));
    CHECK(offered == std::vector<const Scalar*>(3, nullptr));
    CHECK(receiving.times > 3);
}

TEST_CASE("second derivatives through many parts are right, and kept in little memory",
          "[autograd][parts]") {
    const std::int64_t T = 200;
    const Variable x(tensor::ones({T, 300}) * 2, requires_grad);
    Variable loss(of(0));
    for (const Variable& row : unbind(x)) loss += sum(row * row * row);
    const std::int64_t before = memory_use().in_use;
    const std::int64_t size = sizeof(Scalar) * T * 300;  // of x, in bytes
    const Variable dx = grad(loss, x, {.create_graph = true});
    // 3x² = 12 at 2; its derivative 6x = 12. A tensor of x's size for each part would be 48 MB.
    CHECK(same_bits(dx.value(), tensor::full({T, 300}, 12)));
    CHECK(memory_use().in_use < before + 10 * size + (1 << 20));
    CHECK(same_bits(grad(sum(dx), x).value(), tensor::full({T, 300}, 12)));
}
