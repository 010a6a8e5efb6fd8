// way_back(): from one number back to the leaves, layer by layer.
#include "autograd/inspect/explain_debugger.h"

#include "autograd/ops.h"
#include "nn/heed.h"
#include "tests/autograd/gradients.h"
#include "tests/catch.h"

using namespace heed;

namespace {
Tensor one_at(const Shape& shape, std::int64_t entry) {
    Tensor upstream = tensor::zeros(shape);
    upstream.writable_data()[entry] = 1;
    return upstream;
}

std::vector<std::string> names_of(const std::vector<StepBack>& steps) {
    std::vector<std::string> names;
    for (const StepBack& step : steps) names.push_back(step.layer ? step.layer->name : "leaf");
    return names;
}

}  // namespace

TEST_CASE("the way back goes through layers to the table that was looked up",
          "[autograd][explain]") {
    const Variable table = leaf({{1, 2}, {3, 4}, {5, 6}});
    const Variable W = leaf({{1, 10}, {0, 1}});
    Variable looked_up, product;
    {
        const Scope outer("Model");
        {
            const Scope scope("Embedding");
            looked_up = index_select(table, 0, IndexTensor({2, 0}));
        }
        {
            const Scope scope("Linear");
            product = matmul(looked_up, W);
        }
    }
    const Variable y = product * product;  // outside all layers
    const std::vector<StepBack> steps = way_back(y, one_at({2, 2}, 1), CallSite::here());
    // Outside, the model is one step; d(y[0, 1])/d(product[0, 1]) = 2·(10·5 + 6) = 112.
    REQUIRE(names_of(steps) == std::vector<std::string>{"Model", "leaf"});
    CHECK(steps[0].index.text() == "[0, 1]");
    CHECK(steps[0].derivative == 112);
    CHECK(steps[1].index.text() == "[2, 0]");  // the 5, which counts ten times
    CHECK(steps[1].derivative == 1120);
}

TEST_CASE("from inside a layer the layers beside it are steps", "[autograd][explain]") {
    const Variable x = leaf({1, -2});
    Variable doubled, y;
    {
        const Scope outer("Model");
        {
            const Scope scope("Doubling");
            doubled = x * 2;
        }
        const Scope scope("Squaring");
        y = doubled * doubled;
    }
    const std::vector<StepBack> steps = way_back(y, one_at({2}, 1), CallSite::here());
    REQUIRE(names_of(steps) == std::vector<std::string>{"Doubling", "leaf"});
    CHECK(steps[0].derivative == -8);  // 2·(-4)
    CHECK(steps[1].derivative == -16);
    CHECK(steps[1].index.text() == "[1]");
}

TEST_CASE("a constant has no way back", "[autograd][explain]") {
    CHECK_THROWS_WITH(way_back(Variable(tensor::of({1, 2})), tensor::of({1, 0}), CallSite::here()),
                      Contains("way_back: nothing was recorded for a constant"));
}
