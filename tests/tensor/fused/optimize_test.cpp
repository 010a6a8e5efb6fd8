// Optimizer steps give the bits of their formulas written as tensor operations, in any layout.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

#include <utility>

using namespace heed;

namespace {
Tensor drawn(const Shape& shape, std::uint64_t seed) {
    Random random(seed);
    return tensor::normal(shape, random);
}

struct State {
    Tensor w, m, v;
};

const tensor::AdamStep adam_steps[] = {
    {.lr = 0.1, .beta1 = 0.9, .beta2 = 0.99, .eps = 1e-8, .beta1_to_t = 0.81, .beta2_to_t = 0.98},
    {.lr = 0.1,
     .beta1 = 0.8,
     .beta2 = 0.9,
     .eps = 1e-3,
     .beta1_to_t = 0.8,
     .beta2_to_t = 0.9,
     .w_kept = 0.97,
     .w_in_g = 0},
    {.lr = 0.1,
     .beta1 = 0.8,
     .beta2 = 0.9,
     .eps = 1e-3,
     .beta1_to_t = 0.8,
     .beta2_to_t = 0.9,
     .w_kept = 1,
     .w_in_g = 0.3},
    {.lr = 0.1,
     .beta1 = 0.8,
     .beta2 = 0.9,
     .eps = 1e-3,
     .beta1_to_t = 0.8,
     .beta2_to_t = 0.9,
     .w_kept = 0.9,
     .w_in_g = 0.3},  // the decay reads what was kept
};

State adam_written_out(const tensor::AdamStep& step, const State& before, const Tensor& gradient) {
    const Tensor w = step.w_kept * before.w;
    const Tensor g = step.w_in_g == 0 ? gradient : gradient + step.w_in_g * w;
    const Tensor m = step.beta1 * before.m + (1 - step.beta1) * g;
    const Tensor v = step.beta2 * before.v + (1 - step.beta2) * (g * g);
    const Tensor m_hat = m / (1 - step.beta1_to_t);
    const Tensor v_hat = v / (1 - step.beta2_to_t);
    return {w - step.lr * m_hat / (tensor::sqrt(v_hat) + step.eps), m, v};
}

// Compares a step on these tensors with the same step written out.
void check_adam(State state, const Tensor& g) {
    for (const tensor::AdamStep& step : adam_steps) {
        const State before = {tensor::clone(state.w), tensor::clone(state.m),
                              tensor::clone(state.v)};
        const State expected = adam_written_out(step, before, tensor::clone(g));
        const std::uint64_t version = state.w.version();
        tensor::adam_step(step, state.w, g, state.m, state.v);
        CHECK(tensor::same_bits(state.w, expected.w));
        CHECK(tensor::same_bits(state.m, expected.m));
        CHECK(tensor::same_bits(state.v, expected.v));
        CHECK(state.w.version() > version);
    }
}

State some_state(const Shape& shape) {
    const Tensor root = drawn(shape, 3);
    return {drawn(shape, 1), drawn(shape, 2), root * root};
}

}  // namespace

TEST_CASE("a step of Adam gives the bits of its formula", "[tensor][optimize]") {
    check_adam(some_state({7, 11}), drawn({7, 11}, 4));
    check_adam(some_state({}), drawn({}, 4));
    check_adam(some_state({0, 3}), drawn({0, 3}, 4));
    check_adam(some_state({300, 131}), drawn({300, 131}, 4));  // several pieces
}

TEST_CASE("parameters and gradients may be views", "[tensor][optimize]") {
    State state = some_state({5, 4});
    const Tensor whole = drawn({4, 6}, 5);
    const Tensor untouched = tensor::clone(tensor::slice(whole, 1, 5, 6));
    state.w = tensor::transpose(tensor::slice(whole, 1, 0, 5));
    check_adam(state, tensor::transpose(drawn({4, 5}, 6)));
    CHECK(tensor::same_bits(tensor::slice(whole, 1, 5, 6), untouched));
    check_adam(some_state({5, 4}), tensor::expand(drawn({4}, 7), {5, 4}));

    // Even views of the memory that is written to.
    State own = some_state({8});
    const Tensor line = drawn({9}, 8);
    own.w = tensor::slice(line, 0, 0, 8);
    const Tensor g = tensor::clone(tensor::slice(line, 0, 1, 9));
    const State expected = adam_written_out(
        adam_steps[0], {tensor::clone(own.w), tensor::clone(own.m), tensor::clone(own.v)}, g);
    tensor::adam_step(adam_steps[0], own.w, tensor::slice(line, 0, 1, 9), own.m, own.v);
    CHECK(tensor::same_bits(own.w, expected.w));
}

TEST_CASE("the gradient may be in the memory of a moment", "[tensor][optimize]") {
    const tensor::AdamStep step{
        .lr = 0.1, .beta1 = 0.9, .beta2 = 0.99, .eps = 1e-8, .beta1_to_t = 0.9, .beta2_to_t = 0.99};
    Tensor w = tensor::ones({40}), m = tensor::arange(1, 41), v = tensor::ones({40});
    Tensor w2 = tensor::clone(w), m2 = tensor::clone(m), v2 = tensor::clone(v);
    tensor::adam_step(step, w, m, m, v);
    tensor::adam_step(step, w2, tensor::clone(m2), m2, v2);
    CHECK(tensor::same_bits(w, w2));
    CHECK(tensor::same_bits(m, m2));

    // One place further on, where a step in order would read what it has just written.
    const auto first_40 = [](const Tensor& line) { return tensor::slice(line, 0, 0, 40); };
    const auto last_40 = [](const Tensor& line) { return tensor::slice(line, 0, 1, 41); };
    for (const bool of_v : {false, true}) {
        const Tensor line = tensor::abs(drawn({41}, 16));
        Tensor other = tensor::abs(drawn({40}, 17)), moment = last_40(line);
        Tensor w3 = drawn({40}, 18);
        Tensor other2 = tensor::clone(other), moment2 = tensor::clone(moment);
        Tensor w4 = tensor::clone(w3);
        const Tensor g = tensor::clone(first_40(line));
        tensor::adam_step(step, w3, first_40(line), of_v ? other : moment, of_v ? moment : other);
        tensor::adam_step(step, w4, g, of_v ? other2 : moment2, of_v ? moment2 : other2);
        CHECK(tensor::same_bits(w3, w4));
        CHECK(tensor::same_bits(moment, moment2));
        CHECK(tensor::same_bits(other, other2));
    }
    const Tensor line = drawn({41}, 19);
    Tensor b = last_40(line), w5 = drawn({40}, 20);
    Tensor b2 = tensor::clone(b), w6 = tensor::clone(w5);
    const Tensor g = tensor::clone(first_40(line));
    tensor::sgd_step({.lr = 0.1, .momentum = 0.9}, w5, first_40(line), b);
    tensor::sgd_step({.lr = 0.1, .momentum = 0.9}, w6, g, b2);
    CHECK(tensor::same_bits(w5, w6));
    CHECK(tensor::same_bits(b, b2));
}

TEST_CASE("moments may be views, and nothing beside them is written", "[tensor][optimize]") {
    const auto view = [](const Tensor& whole) {
        return tensor::transpose(tensor::slice(whole, 1, 1, 6));
    };
    const Tensor m = drawn({4, 7}, 9), v = tensor::abs(drawn({4, 7}, 10));
    const Tensor m_before = tensor::clone(m), v_before = tensor::clone(v);
    check_adam({drawn({5, 4}, 11), view(m), view(v)}, drawn({5, 4}, 12));
    for (const auto& [after, before] : {std::pair(m, m_before), std::pair(v, v_before)}) {
        CHECK_FALSE(tensor::same_bits(after, before));
        CHECK(tensor::same_bits(tensor::slice(after, 1, 0, 1), tensor::slice(before, 1, 0, 1)));
        CHECK(tensor::same_bits(tensor::slice(after, 1, 6, 7), tensor::slice(before, 1, 6, 7)));
    }
    // SGD's, and its gradient in the memory of b.
    const Tensor g = drawn({5, 4}, 13), b_whole = drawn({4, 7}, 14);
    Tensor w = drawn({5, 4}, 15), b = view(b_whole);
    Tensor w2 = tensor::clone(w), b2 = tensor::clone(b);
    const tensor::SgdStep step{.lr = 0.1, .w_in_g = 0.2, .momentum = 0.9};
    tensor::sgd_step(step, w, g, b);
    tensor::sgd_step(step, w2, g, b2);
    CHECK(tensor::same_bits(w, w2));
    CHECK(tensor::same_bits(b, b2));
    const std::uint64_t version = b.version();
    tensor::sgd_step({.lr = 0.1}, w2, g, b);  // without momentum b is not written to
    CHECK(b.version() == version);
    w2 = tensor::clone(w);
    const Tensor g_of_b = tensor::clone(b);
    tensor::sgd_step(step, w, b, b);
    tensor::sgd_step(step, w2, g_of_b, b2);
    CHECK(tensor::same_bits(w, w2));
    CHECK(tensor::same_bits(b, b2));
}

TEST_CASE("a step of SGD gives the bits of its formula", "[tensor][optimize]") {
    const Tensor g = drawn({3, 37}, 1);
    for (const double momentum : {0.0, 0.9}) {
        for (const double w_in_g : {0.0, 0.2}) {
            for (const bool first : {true, false}) {
                for (const bool nesterov : {false, true}) {
                    Tensor w = drawn({3, 37}, 2);
                    Tensor b = drawn({3, 37}, 3);
                    const Tensor g_w = w_in_g == 0 ? g : g + w_in_g * w;
                    Tensor b_next = b;
                    Tensor direction = g_w;
                    if (momentum != 0) {
                        b_next = first ? g_w : momentum * b + (1 - 0.25) * g_w;
                        direction = nesterov ? g_w + momentum * b_next : b_next;
                    }
                    const Tensor w_next = w - 0.1 * direction;
                    b_next = tensor::clone(b_next);
                    tensor::sgd_step({.lr = 0.1,
                                      .w_in_g = w_in_g,
                                      .momentum = momentum,
                                      .dampening = 0.25,
                                      .first = first,
                                      .nesterov = nesterov},
                                     w, g, b);
                    CHECK(tensor::same_bits(w, w_next));
                    CHECK(tensor::same_bits(b, b_next));
                }
            }
        }
    }
}

TEST_CASE("error messages of optimizer steps", "[tensor][optimize]") {
    State state = some_state({2, 3});
    const Tensor g = drawn({3}, 1);
    CHECK(message_of<ShapeError>(
              [&] { tensor::adam_step(adam_steps[0], state.w, g, state.m, state.v); }) ==
          "adam_step: the parameter has shape [2, 3] and the gradient [3]; they must be equal");
    Tensor b = drawn({2}, 1);
    CHECK(message_of<ShapeError>([&] {
              tensor::adam_step(adam_steps[0], state.w, state.w, b, state.v);
          }) == "adam_step: the parameter has shape [2, 3] and m [2]; they must be equal");
    CHECK(message_of<ShapeError>([&] {
              tensor::adam_step(adam_steps[0], state.w, state.w, state.m, b);
          }) == "adam_step: the parameter has shape [2, 3] and v [2]; they must be equal");
    CHECK(message_of<ShapeError>([&] { tensor::sgd_step({.lr = 0.1}, state.w, b, b); }) ==
          "sgd_step: the parameter has shape [2, 3] and the gradient [2]; they must be equal");
    CHECK(message_of<ShapeError>([&] {
              tensor::sgd_step({.lr = 0.1, .momentum = 0.5}, state.w, state.w, b);
          }) == "sgd_step: the parameter has shape [2, 3] and b [2]; they must be equal");
    const Tensor row = drawn({3}, 2), before = tensor::clone(row);
    Tensor one_place = tensor::expand(row, {2, 3});
    const State kept = {tensor::clone(state.w), tensor::clone(state.m), tensor::clone(state.v)};
    const std::string rule = ": all entries along axis 0 of the target [2, 3] share one place in "
                             "memory (it was expanded); write to the tensor it was expanded from";
    CHECK(message_of<std::invalid_argument>([&] {
              tensor::adam_step(adam_steps[0], one_place, state.w, state.m, state.v);
          }) == "adam_step" + rule);
    CHECK(message_of<std::invalid_argument>([&] {
              tensor::adam_step(adam_steps[0], state.w, state.w, state.m, one_place);
          }) == "adam_step" + rule);
    CHECK(message_of<std::invalid_argument>([&] {
              tensor::sgd_step({.lr = 0.1, .momentum = 0.5}, state.w, state.w, one_place);
          }) == "sgd_step" + rule);
    CHECK(tensor::same_bits(row, before));  // nothing is changed by any of them
    CHECK(tensor::same_bits(state.w, kept.w));
    CHECK(tensor::same_bits(state.m, kept.m));
    CHECK(tensor::same_bits(state.v, kept.v));
}
