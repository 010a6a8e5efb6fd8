#include "tutorials/exercises/judges/lesson_12.h"
#include "tutorials/exercises/judging/kit.h"
#include "tutorials/exercises/judging/leaves.h"
#include "tutorials/exercises/judging/operations.h"

#include "tensor/print.h"

#include <numbers>

using namespace heed;

namespace exercise {
namespace {
using W = FeedForwardParameters;

Variable gelu_walk(const Variable& z, const Slips& slip) {
    if (slip("gelu.library")) return gelu(z);
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
    if (slip("ff.library")) hidden = gelu(wide);
    if (slip("ff.gelu-tanh")) hidden = gelu_tanh(wide);
    if (slip("ff.b1-after")) hidden = hidden + b_1;
    Variable y = matmul(constant_if(slip("ff.const-hidden"), hidden), W_2);
    if (!slip("ff.no-b2")) y = y + constant_if(slip("ff.const-b_2"), w.b_2);
    if (slip("ff.activation-last")) y = gelu_walk(y, slip);
    if (slip("ff.residual")) y = y + x;
    return {slip("ff.hidden-before") ? wide : hidden, y};
}

std::vector<Mistake> gelu_mistakes() {
    const std::string three = "What are gelu(-100), gelu(0) and gelu(100), and what are yours?";
    const std::string at_1 = "Compute gelu(1) by hand: Φ(1) is 0.8413.";
    return {
        {"gelu.tanh", "gelu_of was the approximation by tanh",
         "Which of the two formulas in use is exact?", "Look for tanh in your code."},
        {"gelu.relu", "gelu_of was relu", "What is gelu(-1)?", at_1},
        {"gelu.silu", "gelu_of was z·sigmoid(z), which is SiLU", "What is Φ?", at_1},
        {"gelu.sigmoid", "gelu_of was the approximation z·sigmoid(1.702·z)",
         "Which of the formulas in use is exact?", at_1},
        {"gelu.Phi", "gelu_of was Φ(z), without the factor z", three, at_1},
        {"gelu.no-half", "Φ was not divided by 2", three, at_1},
        {"gelu.no-one", "the 1 was missing in Φ", three, at_1},
        {"gelu.no-root", "erf was given z and not z/√2", "What does erf integrate?", at_1},
        {"gelu.times-root", "erf was given z·√2 and not z/√2",
         "Which is wider: the bell of erf, e^(-t²), or the normal one, e^(-t²/2)?", at_1},
        {"gelu.density", "the density of the normal distribution took the place of Φ", three, at_1},
        {"gelu.library", "the library's gelu did the work", "What is gelu made of?",
         "Take the call of gelu, or the layer that has it, out of your code."},
        {"gelu.const-Phi", "no gradient passed through Φ", "In how many places is z in z·Φ(z)?",
         "Look for value() and detach() in your code."},
    };
}

std::vector<Mistake> activation_mistakes() {
    const std::string one_by_one = "Which are the three steps, in order?";
    return {
        {"ff.no-activation", "nothing stood between the two linear maps, so that they were one",
         "What are two linear maps, one after the other?", one_by_one},
        {"ff.relu", "relu stood between the two linear maps, as in 2017, and not gelu",
         "Which function does this exercise ask for?", "The line of hidden."},
        {"ff.gelu-tanh", "hidden was made with the approximation by tanh, and not with gelu_of",
         "Which function does this exercise ask for?", "The line of hidden."},
        {"ff.library", "hidden was made with the library's gelu, and not with gelu_of",
         "Which of your two functions is gelu?", "The line of hidden."},
        {"ff.activation-first", "gelu was applied to x, before the first linear map",
         "What is gelu applied to?", one_by_one},
        {"ff.activation-last", "gelu was applied to y, too", "Can your y be -3?", one_by_one},
        {"ff.b1-after", "b_1 was added after gelu", "What is gelu applied to?",
         "The line of hidden."},
        {"ff.hidden-before", "hidden was returned as it is before gelu",
         "Which numbers does W_2 multiply?", "Look at what you return."},
    };
}

std::vector<Mistake> sum_mistakes() {
    return {
        {"ff.no-b1", "b_1 was left out", "What is hidden if x is 0?", "The line of hidden."},
        {"ff.no-b2", "b_2 was left out", "What is y if hidden is 0?", "The line of y."},
        {"ff.residual", "x was added to y", "Whose business is the residual connection?",
         "The line of y."},
        {"ff.transposed", "both matrices were transposed, as in PyTorch's Linear",
         "Which axis of W_1 is d?", "Write the shapes beside your products."},
    };
}

std::vector<Mistake> gradient_mistakes() {
    const std::string look = "Look for value() and detach() in your code.";
    const auto unreached = [&](const std::string& id, const std::string& what) {
        return Mistake{id,
                       "no gradient reached " + what,
                       {"Which way does a gradient take from y to " + what + "?", look}};
    };
    return {
        unreached("ff.const-x", "x"),
        unreached("ff.const-W_1", "W_1"),
        unreached("ff.const-b_1", "b_1"),
        unreached("ff.const-W_2", "W_2"),
        unreached("ff.const-b_2", "b_2"),
        {"ff.const-hidden", "no gradient passed through hidden",
         "Which way does a gradient take from y to W_1?", look},
    };
}

Variable leaf(const Tensor& numbers) { return Variable(numbers, requires_grad); }

struct Numbers {
    Variable z;
};
Stages given(const Numbers& in) { return {{"z", in.z.value()}}; }

Stages of_gelu(const FeedForwardFunctions& answer, const Numbers& in) {
    const Variable found = answer.gelu_of(in.z);
    return with_gradients({{"gelu(z)", found.value()}}, found, {{"z", in.z}});
}

Inputs<Numbers> numbers_for_gelu() {
    return {
        {"gelu_of, 2 rows of 5 numbers", {leaf(random({2, 5}, 1, 2))}},
        {"gelu_of, 2 other rows of 5 numbers", {leaf(random({2, 5}, 2, 2))}},
        {"gelu_of, from -5 to 5", {leaf(tensor::linspace(-5, 5, 41))}},
        {"gelu_of, numbers that are far from 0", {leaf(tensor::of({-1000, -40, -9, 9, 40, 1000}))}},
        {"gelu_of, a single number, of rank 0", {leaf(tensor::of(-0.7))}},
        {"gelu_of, 4 axes, a view", {leaf(tensor::transpose(random({2, 3, 4, 2}, 3)))}},
    };
}

Stages by_whom(const FeedForwardFunctions& answer, const Numbers& in) {
    const bool library = calls("gelu", [&] { answer.gelu_of(in.z); });
    return {{"who computed gelu_of (0: you, 1: the library)", numbers(std::vector{+library})}};
}

struct Input {
    W w;
    Variable x;
};
std::vector<Leaf> leaves(const Input& in) {
    return {
        {"x", in.x}, {"W_1", in.w.W_1}, {"b_1", in.w.b_1}, {"W_2", in.w.W_2}, {"b_2", in.w.b_2}};
}

Stages given(const Input& in) { return values_of(leaves(in)); }

Stages of_layer(const FeedForwardFunctions& answer, const Input& in) {
    const auto [hidden, y] = answer.feed_forward(in.w, in.x);
    return with_gradients({{"hidden", hidden.value()}, {"y", y.value()}}, y, learning(leaves(in)));
}

Stages layer_by_whom(const FeedForwardFunctions& answer, const Input& in) {
    const bool library = calls("gelu", [&] { answer.feed_forward(in.w, in.x); });
    return {{"who computed feed_forward (0: you, 1: the library)", numbers(std::vector{+library})}};
}

Input with(const Tensor& x, std::int64_t d_ff, std::uint64_t seed, double of_W_2 = 1) {
    const std::int64_t d = x.dim(-1);
    return {{leaf(random({d, d_ff}, seed)), leaf(random({d_ff}, seed + 1)),
             leaf(random({d_ff, d}, seed + 2, of_W_2)), leaf(random({d}, seed + 3))},
            leaf(x)};
}

Input of_views() {
    const auto turned = [](const Shape& shape, std::uint64_t seed) {
        return leaf(tensor::transpose(random(shape, seed)));
    };
    const Tensor columns = random({3, 2}, 91);
    return {{turned({5, 3}, 92), leaf(random({5}, 93)), turned({3, 5}, 94),
             leaf(tensor::select(columns, 1, 1))},
            turned({2, 3, 4}, 95)};
}

Input of_a_constant() {
    Input in = with(random({2, 4}, 96), 3, 97);
    in.x = in.x.detach();
    return in;
}

Inputs<Input> inputs() {
    return {
        {"feed_forward, 3 positions of 4, d_ff 6", with(random({3, 4}, 11), 6, 12)},
        {"feed_forward, 3 other positions of 4, d_ff 6", with(random({3, 4}, 21), 6, 22)},
        {"feed_forward, 2 texts, d_ff 12", with(random({2, 4, 3}, 31), 12, 32)},
        {"feed_forward, a single position, d_ff 2", with(random({5}, 41), 2, 42)},
        {"feed_forward, 4 axes", with(random({2, 1, 3, 2}, 51), 5, 52)},
        {"feed_forward, d_ff, d and T the same", with(random({2, 3, 3}, 61), 3, 62)},
        {"feed_forward, d_ff 70, a W_2 of large numbers", with(random({2, 3}, 71), 70, 72, 30)},
        {"feed_forward, an x of large numbers", with(random({2, 4}, 81, 300), 3, 82)},
        {"feed_forward, d = 1", with(random({4, 1}, 86), 2, 87)},
        {"feed_forward, x and parameters that are views", of_views()},
        {"feed_forward, an x that needs no gradient", of_a_constant()},
    };
}

std::string inexact(const FeedForwardFunctions& answer) {
    const Tensor z = tensor::linspace(-6, 6, 121);
    const Tensor yours = answer.gelu_of(Variable(z)).value(), right = tensor::gelu(z);
    for (std::int64_t i = 0; i < z.numel(); ++i) {
        if (std::fabs(yours(i) - right(i)) <= 1e-8) continue;
        return "gelu(" + fixed(z(i), 1) + ") is " + fixed(right(i), 10) + ", yours is " +
               fixed(yours(i), 10) + ".";
    }
    return "";
}

std::string another_position(const FeedForwardFunctions& answer) {
    const Input in = with(random({1, 3, 4}, 101), 5, 102);
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
         {"gelu(z)", "the gradient of z", "who computed gelu_of (0: you, 1: the library)"},
         {"What are gelu(-100), gelu(0) and gelu(100)?",
          "autograd/ops/functions.h has erf, and std::sqrt(2.0) is the root of 2",
          "z·(1 + erf(z/√2))/2", "z * (1 + erf(z / std::sqrt(2.0))) / 2"}},
        {"feed_forward",
         {"hidden", "y", "the gradient of x", "the gradient of W_1", "the gradient of b_1",
          "the gradient of W_2", "the gradient of b_2",
          "who computed feed_forward (0: you, 1: the library)"},
         {"In which order do the two linear maps and gelu come?",
          "Write the shape beside each line, for x [2, 3, 4] and d_ff = 6; matmul takes any number "
          "of leading axes",
          "x [..., d] times W_1 [d, d_ff], plus b_1, gelu; times W_2 [d_ff, d], plus b_2",
          "hidden is gelu_of(matmul(x, w.W_1) + w.b_1); y is made of hidden in the same way, "
          "without gelu"}},
    };
}

Rules<FeedForwardFunctions> rules() {
    return {
        .number = "12.2",
        .title = "The feed-forward layer",
        .reference = [](const Slips& slip) -> FeedForwardFunctions {
            return {[=](const Variable& z) { return gelu_walk(z, slip); },
                    [=](const W& w, const Variable& x) { return walk(w, x, slip); }};
        },
        .cases = joined(
            on_each(of_gelu, numbers_for_gelu()),
            on_each(by_whom, {{"gelu_of, 2 rows of 5 numbers again", numbers_for_gelu()[0].in}}),
            on_each(of_layer, inputs()),
            on_each(layer_by_whom, {{"feed_forward, 3 positions again", inputs()[0].in}})),
        .laws = {{"gelu_of is right to eight decimals", inexact},
                 {"y at a position depends on x at that position only", another_position}},
        .mistakes =
            joined(gelu_mistakes(), activation_mistakes(), sum_mistakes(), gradient_mistakes()),
        .hints = {"Which of the two functions is wrong?",
                  "Try gelu_of by itself, at -100, 0 and 100, and then hidden and y for one "
                  "position",
                  "The gelu of a number far above 0 is the number, far below 0 it is 0",
                  "hidden has x·W_1 + b_1 in it, y has hidden·W_2 + b_2"},
        .holes = holes(),
    };
}

}  // namespace

const Judge<FeedForwardFunctions> judge_12_2(rules);

}  // namespace exercise
