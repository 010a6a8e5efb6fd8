#include "tutorials/exercises/judges/12_2_feed_forward.h"

#include "tutorials/exercises/judges/12_2_feed_forward_mistakes.h"
#include "tutorials/exercises/judges/common_holes.h"
#include "tutorials/exercises/judges/common_steps.h"
#include "tutorials/exercises/judging/compare.h"
#include "tutorials/exercises/judging/gradients.h"
#include "tutorials/exercises/judging/inputs.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/join.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/views.h"
#include "tensor/factories.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/functions.h"
#include "tensor/ops/join.h"
#include "tensor/ops/reduce.h"
#include "tensor/print.h"
#include "tensor/views.h"

#include <cmath>
#include <numbers>

using namespace heed;

namespace exercise {

namespace {

using Answer = FeedForwardFunctions;
using W = FeedForwardParameters;

Variable gelu_walk(const Variable& z, const Slips& slip) {
    if (slip("gelu.tanh")) return gelu_tanh(z);
    if (slip("gelu.relu")) return relu(z);
    if (slip("gelu.silu")) return z * sigmoid(z);
    if (slip("gelu.sigmoid")) return z * sigmoid(1.702 * z);
    if (slip("gelu.density")) return z * exp(z * z / -2) / std::sqrt(2 * std::numbers::pi);
    const double root = std::sqrt(2.0);
    const double factor = slip("gelu.no-root") ? 1 : slip("gelu.times-root") ? root : 1 / root;
    const double one = slip("gelu.no-one") ? 0 : 1;
    Variable Phi = (one + erf(z * factor)) / (slip("gelu.no-half") ? 1 : 2);
    if (slip("gelu.const-Phi")) Phi = Phi.detach();
    return slip("gelu.Phi") ? Phi : z * Phi;
}

Variable constant_if(bool constant, const Variable& x) { return constant ? x.detach() : x; }

FeedForwardStages walk(const W& w, const Variable& in, const Slips& slip) {
    const Variable x = constant_if(slip("ff.const-x"), in);
    Variable W_1 = constant_if(slip("ff.const-W_1"), w.W_1);
    Variable W_2 = constant_if(slip("ff.const-W_2"), w.W_2);
    if (slip("ff.transposed")) {
        W_1 = transpose(W_1);
        W_2 = transpose(W_2);
    }
    const Variable b_1 = constant_if(slip("ff.const-b_1"), w.b_1);
    const Variable product = matmul(slip("ff.activation-first") ? gelu_walk(x, slip) : x, W_1);
    const bool late = slip("ff.b1-after") || slip("ff.no-b1");
    const Variable wide = late ? product : product + b_1;  // [..., d_ff]
    Variable hidden = gelu_walk(wide, slip);
    if (slip("ff.no-activation") || slip("ff.activation-first")) hidden = wide;
    if (slip("ff.relu")) hidden = relu(wide);
    if (slip("ff.gelu-tanh")) hidden = gelu_tanh(wide);
    if (slip("ff.b1-after")) hidden = hidden + b_1;
    Variable y = matmul(constant_if(slip("ff.const-hidden"), hidden), W_2);
    if (!slip("ff.no-b2")) y = y + constant_if(slip("ff.const-b_2"), w.b_2);
    if (slip("ff.activation-last")) y = gelu_walk(y, slip);
    if (slip("ff.residual")) y = y + x;
    return {slip("ff.hidden-before") ? wide : hidden, y};
}

Case gelu_case(const std::string& name, const Tensor& numbers, const Answer& answer) {
    const std::vector<Leaf> leaves = {{"z", Variable(numbers, requires_grad)}};
    const auto stages = [=](const std::function<Variable(const Variable&)>& function) {
        const Variable found = function(leaves[0].variable);
        return with_gradients({{"gelu(z)", found.value()}}, found, leaves);
    };
    return {"gelu_of, " + name,
            [=](const Slips& slip) {
                return stages([&](const Variable& z) { return gelu_walk(z, slip); });
            },
            [=] { return stages(answer.gelu_of); }, values_of(leaves)};
}

std::vector<Case> gelu_cases(const Answer& answer) {
    return {
        gelu_case("2 rows of 5 numbers", random({2, 5}, 1, 2), answer),
        gelu_case("2 other rows of 5 numbers", random({2, 5}, 2, 2), answer),
        gelu_case("from -5 to 5", tensor::linspace(-5, 5, 41), answer),
        gelu_case("numbers that are far from 0", tensor::of({-1000, -40, -9, 9, 40, 1000}), answer),
        gelu_case("a single number, of rank 0", tensor::of(-0.7), answer),
        gelu_case("4 axes, a view", tensor::transpose(random({2, 3, 4, 2}, 3)), answer),
    };
}

struct Input {
    std::string name;
    W w;
    Variable x;

    std::vector<Leaf> leaves() const {
        std::vector<Leaf> all = {{"W_1", w.W_1}, {"b_1", w.b_1}, {"W_2", w.W_2}, {"b_2", w.b_2}};
        // It may be a constant, as what a model is given is; the parameters learn all the same.
        if (x.requires_grad()) all.insert(all.begin(), {"x", x});
        return all;
    }
    Stages values() const {
        Stages all = values_of(leaves());
        if (!x.requires_grad()) all.push_back({"x", x.value()});
        return all;
    }
};

Stages stages(const Input& in, const FeedForwardStages& found) {
    return with_gradients({{"hidden", found.hidden.value()}, {"y", found.y.value()}}, found.y,
                          in.leaves());
}

Case feed_forward_case(const Input& in, const Answer& answer) {
    return {"feed_forward, " + in.name,
            [=](const Slips& slip) { return stages(in, walk(in.w, in.x, slip)); },
            [=] { return stages(in, answer.feed_forward(in.w, in.x)); }, in.values()};
}

Variable leaf(const Tensor& numbers) { return Variable(numbers, requires_grad); }

Input with(const std::string& name, const Tensor& x, std::int64_t d_ff, std::uint64_t seed,
           double of_W_2 = 1) {
    const std::int64_t d = x.dim(-1);
    return {name,
            {leaf(random({d, d_ff}, seed)), leaf(random({d_ff}, seed + 1)),
             leaf(random({d_ff, d}, seed + 2, of_W_2)), leaf(random({d}, seed + 3))},
            leaf(x)};
}

Input of_views() {
    const auto turned = [](const Shape& shape, std::uint64_t seed) {
        return leaf(tensor::transpose(random(shape, seed)));
    };
    const Tensor columns = random({3, 2}, 91);
    return {"x and parameters that are views",
            {turned({5, 3}, 92), leaf(random({5}, 93)), turned({3, 5}, 94),
             leaf(tensor::select(columns, 1, 1))},
            turned({2, 3, 4}, 95)};
}

Input of_a_constant() {
    Input in = with("an x that needs no gradient", random({2, 4}, 96), 3, 97);
    in.x = in.x.detach();
    return in;
}

std::vector<Case> feed_forward_cases(const Answer& answer) {
    const std::vector<Input> inputs = {
        with("3 positions of 4, d_ff 6", random({3, 4}, 11), 6, 12),
        with("3 other positions of 4, d_ff 6", random({3, 4}, 21), 6, 22),
        with("2 texts, d_ff 12", random({2, 4, 3}, 31), 12, 32),
        with("a single position, d_ff 2", random({5}, 41), 2, 42),
        with("4 axes", random({2, 1, 3, 2}, 51), 5, 52),
        with("d_ff, d and T the same", random({2, 3, 3}, 61), 3, 62),
        with("d_ff 70, a W_2 of large numbers", random({2, 3}, 71), 70, 72, 30),
        with("an x of large numbers", random({2, 4}, 81, 300), 3, 82),
        with("d = 1", random({4, 1}, 86), 2, 87),
        of_views(),
        of_a_constant(),
    };
    std::vector<Case> cases;
    for (const Input& in : inputs) cases.push_back(feed_forward_case(in, answer));
    return cases;
}

std::string inexact(const Answer& answer) {
    const Tensor z = tensor::linspace(-6, 6, 121);
    const Tensor yours = answer.gelu_of(Variable(z)).value(), right = tensor::gelu(z);
    for (std::int64_t i = 0; i < z.numel(); ++i) {
        if (std::fabs(yours(i) - right(i)) <= 1e-8) continue;
        return "gelu(" + fixed(z(i), 1) + ") is " + fixed(right(i), 10) + ", yours is " +
               fixed(yours(i), 10) + ".";
    }
    return "";
}

std::string another_position(const Answer& answer) {
    const Input in = with("", random({1, 3, 4}, 101), 5, 102);
    const Tensor x = in.x.value();
    const Tensor other =
        tensor::concatenate({tensor::slice(x, 1, 0, 2), random({1, 1, 4}, 103)}, 1);
    const Tensor before = tensor::slice(answer.feed_forward(in.w, in.x).y.value(), 1, 0, 2);
    const Tensor after =
        tensor::slice(answer.feed_forward(in.w, Variable(other)).y.value(), 1, 0, 2);
    if (same(after, before)) return "";
    return "Another x at position 2 changed y elsewhere, " + worst_entry(after, before) + ".";
}

std::vector<Hole> holes() {
    return {
        {"gelu_of",
         {"gelu(z)", "the gradient of z"},
         {"What are gelu(-100), gelu(0) and gelu(100)?",
          "autograd/ops/functions.h has erf, and std::sqrt(2.0) is the root of 2",
          "z·(1 + erf(z/√2))/2", "z * (1 + erf(z / std::sqrt(2.0))) / 2"}},
        {"feed_forward",
         {"hidden", "y", "the gradient of x", "the gradient of W_1", "the gradient of b_1",
          "the gradient of W_2", "the gradient of b_2"},
         {"In which order do the two linear maps and gelu come?",
          "Write the shape beside each line, for x [2, 3, 4] and d_ff = 6; matmul takes any number "
          "of leading axes",
          "x [..., d] times W_1 [d, d_ff], plus b_1, gelu; times W_2 [d_ff, d], plus b_2",
          "hidden is gelu_of(matmul(x, w.W_1) + w.b_1); y is made of hidden in the same way, "
          "without gelu"}},
    };
}

}  // namespace

Exercise feed_forward_layer(const Answer& answer) {
    Exercise exercise;
    exercise.number = "12.2";
    exercise.title = "The feed-forward layer";
    exercise.cases = hole_by_hole({gelu_cases(answer), feed_forward_cases(answer)});
    exercise.laws = {
        {"gelu_of is right to eight decimals", [=] { return inexact(answer); }},
        {"y at a position depends on x at that position only",
         [=] { return another_position(answer); }},
    };
    exercise.mistakes = joined(gelu_mistakes(), feed_forward_mistakes());
    exercise.holes = holes();
    exercise.hints = {"Which of the two functions is wrong?",
                      "Try gelu_of by itself, at -100, 0 and 100, and then hidden and y for one "
                      "position",
                      "The gelu of a number far above 0 is the number, far below 0 it is 0",
                      "hidden has x·W_1 + b_1 in it, y has hidden·W_2 + b_2"};
    return exercise;
}

namespace {

FeedForwardStages by_the_library(const W& w, const Variable& x) {
    const Variable hidden = gelu(linear(x, transpose(w.W_1), w.b_1));
    return {hidden, linear(hidden, transpose(w.W_2), w.b_2)};
}

// Hidden unit by hidden unit, each with a part of its own in y.
FeedForwardStages unit_by_unit(const W& w, const Variable& x) {
    std::vector<Variable> hidden;
    Variable y = w.b_2;
    for (std::int64_t i = 0; i < w.b_1.dim(0); ++i) {
        const Variable unit =
            gelu(sum(x * select(w.W_1, 1, i), -1, keepdim) + slice(w.b_1, 0, i, i + 1));
        hidden.push_back(unit);
        y = y + unit * select(w.W_2, 0, i);
    }
    return {concatenate(hidden, -1), y};
}

}  // namespace

Trials feed_forward_layer_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return feed_forward_layer(
            {[=](const Variable& z) { return gelu_walk(z, slip); },
             [=](const W& w, const Variable& x) { return walk(w, x, slip); }});
    };
    trials.right["by the library"] = [] {
        return feed_forward_layer({[](const Variable& z) { return gelu(z); }, by_the_library});
    };
    trials.right["unit by unit, gelu from below"] = [] {
        const auto from_below = [](const Variable& z) {
            return z - z * (1 - erf(z * std::sqrt(0.5))) / 2;
        };
        return feed_forward_layer({from_below, unit_by_unit});
    };
    return trials;
}

}  // namespace exercise
