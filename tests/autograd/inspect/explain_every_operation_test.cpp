// For all operations, shapes and strides: explained gradients add up to the last bit, terms are
// those of unit upstream gradients, and a recorded graph can be computed again.
#include "autograd/gradcheck/tape.h"
#include "autograd/inspect/explain_parts.h"
#include "autograd/inspect/keep.h"
#include "autograd/node.h"
#include "nn/heed.h"
#include "tests/autograd/ops/every_operation.h"
#include "tests/catch.h"

#include <cmath>
#include <functional>

using namespace heed;

namespace {
constexpr bool in_double = sizeof(Scalar) == 8;

enum class Layout { contiguous, transposed, expanded };

// Values that suit the operation; no two inputs get the same.
Tensor drawn(const Shape& shape, ::Inputs kind, std::uint64_t seed) {
    Random numbers(seed);
    const Tensor x = tensor::normal(shape, numbers);
    return kind == ::Inputs::positive ? tensor::abs(x) + 0.7 : x;
}

Tensor laid_out(const Shape& shape, Layout layout, ::Inputs kind, std::uint64_t seed) {
    if (layout == Layout::expanded && shape.rank() > 0) {
        return tensor::expand(drawn(shape.with(0, 1), kind, seed), shape);
    }
    if (layout == Layout::contiguous || shape.rank() < 2) return drawn(shape, kind, seed);
    const Tensor x = drawn(shape, kind, seed);
    return tensor::transpose(tensor::contiguous(tensor::transpose(x)));
}

struct Try {
    std::string place;
    In inputs;
    Variable y;
};

// Calls `check` for each operation with each of its shapes and layouts.
void for_each_try(const std::function<void(const Try&)>& check) {
    std::vector<CheckedOperation> all = entrywise_operations();
    for (const CheckedOperation& more : rearranging_operations()) all.push_back(more);
    for (const CheckedOperation& more : summing_operations()) all.push_back(more);
    for (const CheckedOperation& operation : all) {
        for (const Shapes& shapes : operation.tries) {
            for (const Layout layout : {Layout::contiguous, Layout::transposed, Layout::expanded}) {
                if (layout != Layout::contiguous && operation.inputs == ::Inputs::contiguous)
                    continue;
                if (layout == Layout::expanded && operation.inputs == ::Inputs::no_repeats)
                    continue;
                Try now;
                now.place = operation.name + ", layout " + std::to_string(static_cast<int>(layout));
                for (const Shape& shape : shapes) {
                    const Tensor x =
                        laid_out(shape, layout, operation.inputs, now.inputs.size() + 7);
                    now.inputs.push_back(Variable(x, requires_grad));
                    now.place += " " + shape.text();
                }
                now.y = operation.f(now.inputs);
                check(now);
            }
        }
    }
}

// Adds the parts in their order; "" if they give the gradient, bit for bit.
std::string wrong_in(const Explanation& said, Scalar stored) {
    if (said.value != stored || said.passes.size() != 1) return "not what is stored";
    Scalar sum = 0;
    bool begun = false;
    for (const ExplainedPart& part : said.passes[0].contributions) {
        sum = begun ? sum + part.value : part.value;
        begun = true;
        double sizes = std::fabs(part.value);
        for (const ExplainedTerm& term : part.terms) sizes += std::fabs(term.product);
        const double off = std::fabs(part.sum_of_terms - part.value);
        if (!(off <= (in_double ? 1e-13 : 2e-5) * (1e-2 + sizes)))
            return "terms of " + part.operation;
        if (!part.remark.empty() && !part.terms.empty()) return "remark: " + part.remark;
    }
    if (!said.exact || sum != stored || said.sum != stored) return "the sum";
    if (!said.measured) return "not measured: " + said.not_measured;
    // In float a kink may lie within the step; the expected error then shows it.
    const double expected = 10 * said.measured->error + (in_double ? 1e-9 : 1e-5);
    const double off = std::fabs(said.measured->value - stored);
    if (off > expected) return "the error one may expect";
    if (in_double && off > 1e-6 * (1 + std::fabs(stored))) return "measured";
    return "";
}

}  // namespace

TEST_CASE("each operation computes its recorded value again, to the last bit",
          "[autograd][explain]") {
    int compared = 0;
    std::string wrong;
    const std::function<void(const TapeEntry&)> compare = [&](const TapeEntry& entry) {
        std::vector<Variable> inputs;
        for (const Tensor& value : entry.inputs) inputs.push_back(Variable(value));
        const Tensor again = entry.node->operation->forward(inputs, CallSite());
        ++compared;
        if (!tensor::same_bits(again, entry.value)) wrong += entry.node->description() + "; ";
    };
    {
        const Tape tape;
        for_each_try([&](const Try&) {});
        for (const TapeEntry& entry : tape.entries()) compare(entry);
    }
    CHECK(wrong == "");
    CHECK(compared > 1000);
}

TEST_CASE("the explained gradient of every operation adds up to the last bit",
          "[autograd][explain]") {
    const KeepGraph keep;
    int explained = 0;
    for_each_try([&](const Try& now) {
        Random numbers(3);
        now.y.backward({.upstream = tensor::normal(now.y.shape(), numbers)});
        for (const Variable& x : now.inputs) {
            const std::int64_t entries = x.numel();
            for (std::int64_t entry = 0; entry < entries; entry += 1 + entries / 3) {
                const Dims index = unravelled(entry, x.shape());
                const Explanation said = explain(x, index, {.terms = 1000});
                const std::string wrong = wrong_in(said, x.grad().at(index));
                ++explained;
                if (!wrong.empty()) FAIL_CHECK(now.place << ": " << wrong << "\n" << said);
            }
        }
    });
    CHECK(explained > 1500);
}

TEST_CASE("local derivatives are what unit upstream gradients give", "[autograd][explain]") {
    int compared = 0;
    for_each_try([&](const Try& now) {
        if (now.place.find("pow(x, 0)") == 0) return;  // gives a constant 0, whatever U is
        const std::shared_ptr<Node>& node = now.y.node();
        Random numbers(4);
        const Tensor G = tensor::normal(node->shape, numbers);
        for (int input = 0; input < static_cast<int>(node->inputs.size()); ++input) {
            const Edge& edge = node->inputs[static_cast<std::size_t>(input)];
            if (!edge.node || edge.shape.numel() == 0) continue;
            const std::int64_t entry = edge.shape.numel() - 1;
            const LocalDerivative units = local_derivative_by_units(*node, input, entry, G);
            const double given = tensor::sum(G * *units.of_output).item();
            const LocalDerivative found =
                local_derivative(*node, input, entry, G, static_cast<Scalar>(given), 0);
            ++compared;
            const bool same = found.remark.empty() &&
                              tensor::all_close(*found.of_output, *units.of_output, 1e-4, 1e-5);
            if (!same) FAIL_CHECK(now.place << ", input " << input << ": " << found.remark);
        }
    });
    CHECK(compared > 400);
}
