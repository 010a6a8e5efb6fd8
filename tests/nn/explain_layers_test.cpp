// Explained gradients of whole layers: every parameter of a small model, including dropout.
#include "autograd/inspect/keep.h"
#include "nn/heed.h"
#include "tests/autograd/inspect/explained.h"
#include "tests/autograd/inspect/what_is_said.h"
#include "tests/catch.h"

using namespace heed;

namespace {
struct Small : Module {
    Embedding embedding;
    MultiHeadAttention attention;
    Dropout dropout;
    LayerNorm norm;
    Linear out;

    explicit Small(Random& random)
        : embedding(7, 6, random), attention(6, 2, random, {.dropout = 0.3}), dropout(0.25, random),
          norm(6), out(6, 7, random) {}

    void members(MemberVisitor& visit) override {
        visit("embedding", embedding);
        visit("attention", attention);
        visit("dropout", dropout);
        visit("norm", norm);
        visit("out", out);
    }

    Variable operator()(const IndexTensor& ids, CallSite site = CallSite::here()) const {
        const Scope scope("Small", site);
        const Variable x = embedding(ids);                    // [B, T, d]
        const Variable y = attention(x, Mask::causal(4, 4));  // [B, T, d]
        return out(norm(x + dropout(y)));                     // [B, T, C]
    }
};

const IndexTensor ids({{3, 1, 3, 6}, {0, 2, 5, 1}});
const IndexTensor next({{1, 3, 6, 2}, {2, 5, 1, 0}});

Dims middle_of(const Shape& shape) {
    Dims index(shape);
    for (int axis = 0; axis < shape.rank(); ++axis) index.set(axis, shape[axis] / 2);
    return index;
}

}  // namespace

TEST_CASE("every parameter of a model is explained, with the dropout that was drawn",
          "[nn][explain]") {
    const KeepGraph keep;
    Random random(3);
    Small model(random);
    cross_entropy(model(ids), next).backward();
    int explained = 0;
    for (const NamedParameter& named : parameters(model)) {
        const Dims index = middle_of(named.parameter.shape());
        const Explanation said = explain(named.parameter, index, {.name = named.name});
        INFO(said.text());
        CHECK(adds_up(said, named.parameter, index));
        REQUIRE(said.measured);
        const double closeness = sizeof(Scalar) == 8 ? 1e-6 : 5e-2;
        const double margin = 3 * said.measured->error;
        CHECK(said.measured->value == Approx(said.value).epsilon(closeness).margin(margin));
        CHECK(margin < (sizeof(Scalar) == 8 ? 1e-7 : 1e-1));
        CHECK_THAT(said.passes[0].contributions[0].scope, Contains("in Small, called at"));
        ++explained;
    }
    CHECK(explained == 13);
}

TEST_CASE("after an optimizer's step, explain() reports that the values were overwritten",
          "[nn][explain]") {
    const KeepGraph keep;
    Random random(4);
    Small model(random);
    SGD optimizer(parameters(model), {.lr = 0.1});
    cross_entropy(model(ids), next).backward();
    optimizer.step();
    const std::string said = what_is_said([&] { explain(model.out.weight, {0, 0}); });
    CHECK_THAT(said, Contains("the backward pass that gave this gradient cannot be repeated"));
    CHECK_THAT(said, Contains("was overwritten after it was recorded"));
}
