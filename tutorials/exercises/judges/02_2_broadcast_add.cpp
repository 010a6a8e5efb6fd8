#include "tutorials/exercises/judges/02_2_broadcast_add.h"

#include "tutorials/exercises/judges/common_gradients.h"
#include "tutorials/exercises/judges/common_steps.h"
#include "tutorials/exercises/judging/inputs.h"

#include "heed/autograd/ops/arithmetic.h"
#include "heed/autograd/variable.h"
#include "heed/tensor/factories.h"
#include "heed/tensor/ops/reduce.h"
#include "heed/tensor/views.h"

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

Stages row_stages(const BroadcastAddByHand& f, const Tensor& G) {
    const BiasGradients gradients = f.of_row(G);
    return {{"∂L/∂x of row_gradient", gradients.x}, {"∂L/∂b of row_gradient", gradients.b}};
}

Stages column_stages(const BroadcastAddByHand& f, const Tensor& G) {
    const BiasGradients gradients = f.of_column(G);
    return {{"∂L/∂x of column_gradient", gradients.x}, {"∂L/∂b of column_gradient", gradients.b}};
}

struct Input {
    std::string name;
    Tensor of_row, of_column;
};

Steps steps(const BroadcastAddByHand& f, const Input& in) {
    return {[=] { return row_stages(f, in.of_row); },
            [=] { return column_stages(f, in.of_column); }};
}

Case on(const Input& in, const BroadcastAddByHand& f) {
    return in_order(
        in.name, [=](const Slips& slip) { return steps(slipping(slip), in); }, steps(f, in));
}

std::vector<Mistake> mistakes() {
    return {
        {"ag.bias-unsummed",
         "the gradient of b was handed back in the shape of y, not summed",
         {"How many numbers has b, and how many has its gradient?", "Print the shape of ∂L/∂b."}},
        {"ag.bias-first-row",
         "only what came back from the first place counted",
         {"How often was each number of b used?", "Which entries of G reach ∂L/∂b?"}},
        {"ag.bias-last-row",
         "only what came back from the last place counted, as if each wrote over the one before",
         {"How often was each number of b used?", "Is it = or += ?"}},
        {"ag.bias-mean",
         "the mean was taken and not the sum",
         {"If b moves by h and is used in 5 places, how many entries of y move by h?",
          "Look at what you do over the axis that was repeated."}},
        {"ag.bias-wrong-axis",
         "the sum went over the axis that belongs to b",
         {"Along which axis was b repeated?", "Look at the shape of ∂L/∂b."}},
        {"ag.bias-one-axis",
         "the sum went over the first axis only, whatever others stand before the last",
         {"Along how many axes is a bias [3] repeated in [2, 5, 3]?",
          "Look at the shape of ∂L/∂b for G [2, 5, 3]."}},
        {"ag.bias-all",
         "everything was summed into one number",
         {"How many numbers has b?", "Print the shape of ∂L/∂b."}},
        {"ag.bias-shape",
         "the sums for the row are right and kept axes of length 1",
         {"What is the shape of b?", "Print the shape of ∂L/∂b, and look at keepdim."}},
        {"ag.bias-column-shape",
         "the sums for the column are right and lost their axis of length 1",
         {"What is the shape of b?", "Look at keepdim."}},
        {"ag.x-summed",
         "the gradient of x was summed too",
         {"How often is each number of x used?", "Print the shape of ∂L/∂x."}},
        {"ag.no-upstream",
         "G was left out, as if L were the sum of the results",
         {"How much does L change when y does?", "Does ∂L/∂x depend on G?"}},
    };
}

}  // namespace

Exercise broadcast_add(const BroadcastAddByHand& f) {
    Exercise exercise;
    exercise.number = "02.2";
    exercise.title = "The derivative of a broadcast sum";
    exercise.cases = {
        on({"G [5, 3]", random({5, 3}, 1), random({5, 3}, 2)}, f),
        on({"G [2, 5, 3], and [4, 6] for the column", random({2, 5, 3}, 3), random({4, 6}, 4)}, f),
        on({"a G that is a transposed view", tensor::transpose(random({2, 3, 4}, 5)),
            tensor::transpose(random({3, 4}, 6))},
           f),
        on({"a single row", random({1, 3}, 7), random({2, 1}, 8)}, f),
    };
    exercise.laws = {
        doubles_with_upstream(
            "row_gradient", [=](const Tensor& G) { return row_stages(f, G); }, random({5, 3}, 9)),
        doubles_with_upstream(
            "column_gradient", [=](const Tensor& G) { return column_stages(f, G); },
            random({5, 3}, 10)),
    };
    const std::vector<Mistake> of_both = chosen(
        mistakes(), {"ag.bias-unsummed", "ag.bias-first-row", "ag.bias-last-row", "ag.bias-mean",
                     "ag.bias-wrong-axis", "ag.bias-all", "ag.x-summed", "ag.no-upstream"});
    exercise.mistakes = joined(mistakes(), made_in("column_gradient", of_both));
    exercise.hints = {"Which entries of y change when b[0] moves a little?",
                      "Print the shape of what you return for b beside the shape of b",
                      "∂L/∂x = G; ∂L/∂b = Σ of G over each axis along which b was repeated",
                      "row: tensor::sum(tensor::reshape(G, {-1, G.dim(-1)}), 0); column: "
                      "tensor::sum(G, 1, keepdim)"};
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
