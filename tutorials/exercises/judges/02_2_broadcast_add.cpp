#include "tutorials/exercises/judges/02_2_broadcast_add.h"

#include "tutorials/exercises/judges/common_holes.h"
#include "tutorials/exercises/judges/common_steps.h"
#include "tutorials/exercises/judging/inputs.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/variable.h"
#include "tensor/factories.h"
#include "tensor/ops/reduce.h"
#include "tensor/views.h"

using namespace heed;

namespace exercise {

namespace {

// Reduces the gradients from each place where b was used, [places, entries of b], to one.
Tensor gathered(const Tensor& places, const Slips& slip) {
    if (slip("ag.bias-first-row")) return tensor::select(places, 0, 0);
    if (slip("ag.bias-last-row")) return tensor::select(places, 0, -1);
    if (slip("ag.bias-mean")) return tensor::mean(places, 0);
    return tensor::sum(places, 0);
}

BiasGradients of_row(const Tensor& upstream, const Slips& slip) {
    const Tensor G = slip("ag.no-upstream") ? tensor::ones_like(upstream) : upstream;
    const Tensor of_x = slip("ag.x-summed") ? tensor::sum(G, 0) : G;
    if (slip("ag.bias-unsummed")) return {of_x, G};
    if (slip("ag.bias-wrong-axis")) return {of_x, tensor::sum(G, -1)};
    if (slip("ag.bias-one-axis")) return {of_x, tensor::sum(G, 0)};
    if (slip("ag.bias-all")) return {of_x, tensor::sum(G)};
    if (slip("ag.bias-shape")) {
        Tensor sum = G;
        for (int axis = 0; axis + 1 < G.rank(); ++axis) sum = tensor::sum(sum, axis, keepdim);
        return {of_x, sum};
    }
    return {of_x, gathered(tensor::reshape(G, {-1, G.dim(-1)}), slip)};
}

BiasGradients of_column(const Tensor& upstream, const Slips& slip) {
    const Tensor G = slip("ag.no-upstream") ? tensor::ones_like(upstream) : upstream;
    const Tensor of_x = slip("ag.x-summed") ? tensor::sum(G, 0) : G;
    if (slip("ag.bias-unsummed")) return {of_x, G};
    if (slip("ag.bias-wrong-axis")) return {of_x, tensor::sum(G, 0, keepdim)};
    if (slip("ag.bias-all")) return {of_x, tensor::sum(G)};
    const Tensor sum = gathered(tensor::transpose(G), slip);
    if (slip("ag.bias-column-shape")) return {of_x, sum};
    return {of_x, tensor::reshape(sum, {G.dim(0), 1})};
}

BroadcastAddByHand slipping(const Slips& slip) {
    return {[=](const Tensor& G) { return of_row(G, slip); },
            [=](const Tensor& G) { return of_column(G, slip.in("column_gradient")); }};
}

using Member = BiasGradient BroadcastAddByHand::*;

// One of the two holes.
struct Asking {
    std::string function;
    Member gradient;
    BroadcastAddByHand by_hand;

    Stages stages(const BroadcastAddByHand& by, const Tensor& G) const {
        const BiasGradients gradients = (by.*gradient)(G);
        return {{"∂L/∂x of " + function, gradients.x}, {"∂L/∂b of " + function, gradients.b}};
    }

    Case on(const std::string& what, const Tensor& G) const {
        const auto of = [=, self = *this](const BroadcastAddByHand& by) {
            return self.stages(by, G);
        };
        return of_stages(what + G.shape().text(), of, {{"G", G}});
    }

    Case on_tiny(const Tensor& G) const {
        const auto of = [=, self = *this](const BroadcastAddByHand& by) {
            return enlarged(self.stages(by, G));
        };
        return of_stages("a tiny G " + G.shape().text(), of, {{"G", G}});
    }

    Case three_on(const Tensor& first, const Tensor& second) const {
        const auto of = [=, self = *this](const BroadcastAddByHand& by) {
            return three_calls(first, second, [&](const Tensor& G) { return self.stages(by, G); });
        };
        return of_stages("three calls, looked at after the last, G " + first.shape().text(), of,
                         {{"G", first}, {"G", second}});
    }

    Case of_stages(const std::string& name,
                   const std::function<Stages(const BroadcastAddByHand&)>& stages,
                   const Stages& inputs) const {
        return {name, [=](const Slips& slip) { return stages(slipping(slip)); },
                [=, f = by_hand] { return stages(f); }, inputs};
    }
};

std::vector<Case> on_all(const Asking& ask, const std::vector<Shape>& shapes) {
    std::vector<Case> cases;
    std::uint64_t seed = 1;
    for (const Shape& shape : shapes) cases.push_back(ask.on("G ", random(shape, seed++)));
    // Sums that a float cannot hold.
    const Tensor large = tensor::of({{1e8 + 1, -1e8, 1e100}, {-1e8, 1e8, 0.25}});
    cases.push_back(ask.on("a large G ", large));
    cases.push_back(ask.on_tiny(1e-16 * random({2, 3}, 41)));
    cases.push_back(ask.on("a transposed G ", tensor::transpose(random({3, 4}, 42))));
    cases.push_back(
        ask.on("a G that is every second column, ", tensor::slice(random({3, 8}, 43), 1, 1, 8, 2)));
    cases.push_back(ask.on("equal entries side by side, G ",
                           tensor::of({{1, 1, 2, 0}, {1, 3, 3, 3}, {0, 3, 0, 0}})));
    cases.push_back(ask.three_on(random({4, 3}, 44), random({4, 3}, 45)));
    return cases;
}

std::vector<Case> of_rows(const BroadcastAddByHand& f) {
    const Asking ask = {"row_gradient", &BroadcastAddByHand::of_row, f};
    std::vector<Case> cases = on_all(ask, {{5, 3},
                                           {2, 5, 3},
                                           {3},
                                           {4, 4},
                                           {2, 3, 4, 5},
                                           {2, 3, 2, 2, 4},
                                           {2, 1, 2, 2, 1, 2, 1, 3},
                                           {1, 3},
                                           {5, 1},
                                           {1, 1},
                                           {1},
                                           {1, 4, 3},
                                           {5, 1, 1, 3},
                                           {67, 2}});
    cases.push_back(ask.on("a permuted G ", tensor::permute(random({4, 2, 3}, 51), {1, 2, 0})));
    cases.push_back(ask.on("a G whose leading axes no view can merge, ",
                           tensor::permute(random({4, 2, 3}, 52), {1, 0, 2})));
    return cases;
}

std::vector<Case> of_columns(const BroadcastAddByHand& f) {
    const Asking ask = {"column_gradient", &BroadcastAddByHand::of_column, f};
    return on_all(ask, {{5, 3}, {4, 6}, {4, 4}, {1, 4}, {4, 1}, {1, 1}, {2, 67}, {67, 2}});
}

std::vector<Mistake> mistakes() {
    return {
        {"ag.bias-unsummed",
         "the gradient of b was returned in the shape of y, not summed",
         {"How many numbers are in b, and how many in its gradient?", "Print the shape of ∂L/∂b."}},
        {"ag.bias-first-row",
         "only the gradient from the first place was used",
         {"How often was each number of b used?", "Which entries of G reach ∂L/∂b?"}},
        {"ag.bias-last-row",
         "only the gradient from the last place was used, as if each wrote over the one before",
         {"How often was each number of b used?", "Is it = or += ?"}},
        {"ag.bias-mean",
         "the mean was taken and not the sum",
         {"If b moves by h and is used in 5 places, how many entries of y move by h?",
          "Look at what you do over the axis that was repeated."}},
        {"ag.bias-wrong-axis",
         "the sum ran over the axis along which b was not repeated",
         {"Along which axis was b repeated?", "Look at the shape of ∂L/∂b."}},
        {"ag.bias-one-axis",
         "the sum ran over the first axis only, however many come before the last",
         {"Along how many axes is a bias [3] repeated in [2, 5, 3]?",
          "Look at the shape of ∂L/∂b for G [2, 5, 3]."}},
        {"ag.bias-all",
         "everything was summed into one number",
         {"How many numbers are in b?", "Print the shape of ∂L/∂b."}},
        {"ag.bias-shape",
         "the sums for the row were right, but kept axes of length 1",
         {"What is the shape of b?", "Print the shape of ∂L/∂b, and look at keepdim."}},
        {"ag.bias-column-shape",
         "the sums for the column were right, but lost their axis of length 1",
         {"What is the shape of b?", "Look at keepdim."}},
        {"ag.x-summed",
         "the gradient of x was summed too",
         {"How often is each number of x used?", "Print the shape of ∂L/∂x."}},
        {"ag.no-upstream",
         "G was left out, as if L were the sum of the results",
         {"How much does L change when y does?", "Does ∂L/∂x depend on G?"}},
    };
}

std::vector<Hole> holes() {
    return {
        {"row_gradient",
         in_all_calls({"∂L/∂x of row_gradient", "∂L/∂b of row_gradient"}),
         {"Which entries of y change when b[0] moves a little?",
          "Print the shape of what you return for b beside the shape of b, for G [2, 5, 3]",
          "∂L/∂x = G; ∂L/∂b[j] = Σ of G[..., j] over all leading axes",
          "tensor::sum(tensor::reshape(G, {-1, G.dim(-1)}), 0)"}},
        {"column_gradient",
         in_all_calls({"∂L/∂x of column_gradient", "∂L/∂b of column_gradient"}),
         {"Which entries of y change when b[0, 0] moves a little?",
          "Print the shape of what you return for b beside the shape of b, [T, 1]",
          "∂L/∂x = G; ∂L/∂b[i, 0] = Σ_j G[i, j]", "tensor::sum(G, 1, keepdim)"}},
    };
}

}  // namespace

Exercise broadcast_add(const BroadcastAddByHand& f) {
    Exercise exercise;
    exercise.number = "02.2";
    exercise.title = "The derivative of a broadcast sum";
    exercise.cases = hole_by_hole({of_rows(f), of_columns(f)});
    const std::vector<Mistake> of_both = chosen(
        mistakes(), {"ag.bias-unsummed", "ag.bias-first-row", "ag.bias-last-row", "ag.bias-mean",
                     "ag.bias-wrong-axis", "ag.bias-all", "ag.x-summed", "ag.no-upstream"});
    exercise.mistakes = joined(mistakes(), made_in("column_gradient", of_both));
    exercise.holes = holes();
    exercise.hints = {"Which entries of y change when b[0] moves a little?",
                      "Print the shape of what you return for b beside the shape of b",
                      "∂L/∂x = G; ∂L/∂b = Σ of G over each axis along which b was repeated",
                      "Look at one function at a time, on a G [2, 3] whose sums you know"};
    return exercise;
}

Trials broadcast_add_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) { return broadcast_add(slipping(slip)); };
    trials.right["by the library's backward"] = [] {
        const auto gradients = [](const Tensor& G, const Shape& of_b) -> BiasGradients {
            const Variable x(random(G.shape(), 11), requires_grad);
            const Variable b(random(of_b, 12), requires_grad);
            (x + b).backward({.upstream = G});
            return {x.grad(), b.grad()};
        };
        return broadcast_add({[=](const Tensor& G) { return gradients(G, {G.dim(-1)}); },
                              [=](const Tensor& G) {
                                  return gradients(G, {G.dim(0), 1});
                              }});
    };
    trials.right["by loops"] = [] {
        BroadcastAddByHand f = slipping({});
        f.of_column = [](const Tensor& G) -> BiasGradients {
            std::vector<Scalar> of_b;
            for (std::int64_t i = 0; i < G.dim(0); ++i) {
                Scalar sum = 0;
                for (std::int64_t j = 0; j < G.dim(1); ++j) sum += G(i, j);
                of_b.push_back(sum);
            }
            return {G, tensor::from_vector(of_b, {G.dim(0), 1})};
        };
        return broadcast_add(f);
    };
    return trials;
}

}  // namespace exercise
