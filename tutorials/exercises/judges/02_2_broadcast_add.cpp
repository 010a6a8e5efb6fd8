#include "tutorials/exercises/judges/lesson_02.h"
#include "tutorials/exercises/judging/kit.h"

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

std::vector<Mistake> mistakes() {
    return {
        {"ag.bias-unsummed", "the gradient of b was returned in the shape of y, not summed",
         "How many numbers are in b, and how many in its gradient?", "Print the shape of ∂L/∂b."},
        {"ag.bias-first-row", "only the gradient from the first place was used",
         "How often was each number of b used?", "Which entries of G reach ∂L/∂b?"},
        {"ag.bias-last-row",
         "only the gradient from the last place was used, as if each wrote over the one before",
         "How often was each number of b used?", "Is it = or += ?"},
        {"ag.bias-mean", "the mean was taken and not the sum",
         "If b moves by h and is used in 5 places, how many entries of y move by h?",
         "Look at what you do over the axis that was repeated."},
        {"ag.bias-wrong-axis", "the sum ran over the axis along which b was not repeated",
         "Along which axis was b repeated?", "Look at the shape of ∂L/∂b."},
        {"ag.bias-one-axis",
         "the sum ran over the first axis only, however many come before the last",
         "Along how many axes is a bias [3] repeated in [2, 5, 3]?",
         "Look at the shape of ∂L/∂b for G [2, 5, 3]."},
        {"ag.bias-all", "everything was summed into one number", "How many numbers are in b?",
         "Print the shape of ∂L/∂b."},
        {"ag.bias-shape", "the sums for the row were right, but kept axes of length 1",
         "What is the shape of b?", "Print the shape of ∂L/∂b, and look at keepdim."},
        {"ag.bias-column-shape",
         "the sums for the column were right, but lost their axis of length 1",
         "What is the shape of b?", "Look at keepdim."},
        {"ag.x-summed", "the gradient of x was summed too", "How often is each number of x used?",
         "Print the shape of ∂L/∂x."},
        {"ag.no-upstream", "G was left out, as if L were the sum of the results",
         "How much does L change when y does?", "Does ∂L/∂x depend on G?"},
    };
}

struct Upstream {
    Tensor G;
};
Stages given(const Upstream& in) { return {{"G", in.G}}; }

Stages of_row(const BroadcastAddByHand& by, const Upstream& in) {
    const BiasGradients gradients = by.of_row(in.G);
    return {{"∂L/∂x of row_gradient", gradients.x}, {"∂L/∂b of row_gradient", gradients.b}};
}

Stages of_column(const BroadcastAddByHand& by, const Upstream& in) {
    const BiasGradients gradients = by.of_column(in.G);
    return {{"∂L/∂x of column_gradient", gradients.x}, {"∂L/∂b of column_gradient", gradients.b}};
}

Named<Upstream> upstream(const std::string& what, const Tensor& G) {
    return {what + G.shape().text(), {G}};
}

using StagesOf = Stages (*)(const BroadcastAddByHand&, const Upstream&);

Cases<BroadcastAddByHand> on_all(StagesOf stages, const std::vector<Shape>& shapes) {
    Inputs<Upstream> inputs;
    std::uint64_t seed = 1;
    for (const Shape& shape : shapes) inputs.push_back(upstream("G ", random(shape, seed++)));
    // Sums that a float cannot hold.
    inputs.push_back(
        upstream("a large G ", tensor::of({{1e8 + 1, -1e8, 1e100}, {-1e8, 1e8, 0.25}})));
    const Inputs<Upstream> tiny = {upstream("a tiny G ", 1e-16 * random({2, 3}, 41))};
    const Inputs<Upstream> others = {
        upstream("a transposed G ", tensor::transpose(random({3, 4}, 42))),
        upstream("a G that is every second column, ",
                 tensor::slice(random({3, 8}, 43), 1, 1, 8, 2)),
        upstream("equal entries side by side, G ",
                 tensor::of({{1, 1, 2, 0}, {1, 3, 3, 3}, {0, 3, 0, 0}})),
    };
    return joined(on_each(stages, inputs), enlarged(on_each(stages, tiny)), on_each(stages, others),
                  three_calls_on_each(stages, upstream("G ", random({4, 3}, 44)),
                                      {{"", {random({4, 3}, 45)}}}));
}

Cases<BroadcastAddByHand> on_rows() {
    const std::vector<Shape> shapes = {
        {5, 3}, {2, 5, 3}, {3},    {4, 4}, {2, 3, 4, 5}, {2, 3, 2, 2, 4}, {2, 1, 2, 2, 1, 2, 1, 3},
        {1, 3}, {5, 1},    {1, 1}, {1},    {1, 4, 3},    {5, 1, 1, 3},    {67, 2}};
    const Tensor permuted = tensor::permute(random({4, 2, 3}, 51), {1, 2, 0});
    const Tensor cannot_merge = tensor::permute(random({4, 2, 3}, 52), {1, 0, 2});
    return joined(
        on_all(of_row, shapes),
        on_each(of_row, {upstream("a permuted G ", permuted),
                         upstream("a G whose leading axes no view can merge, ", cannot_merge)}));
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

Rules<BroadcastAddByHand> rules() {
    const std::vector<Mistake> of_both = chosen(
        mistakes(), {"ag.bias-unsummed", "ag.bias-first-row", "ag.bias-last-row", "ag.bias-mean",
                     "ag.bias-wrong-axis", "ag.bias-all", "ag.x-summed", "ag.no-upstream"});
    return {
        .number = "02.2",
        .title = "The derivative of a broadcast sum",
        .reference = slipping,
        .cases = joined(
            on_rows(),
            on_all(of_column, {{5, 3}, {4, 6}, {4, 4}, {1, 4}, {4, 1}, {1, 1}, {2, 67}, {67, 2}})),
        .mistakes = joined(mistakes(), made_in("column_gradient", of_both)),
        .hints = {"Which entries of y change when b[0] moves a little?",
                  "Print the shape of what you return for b beside the shape of b",
                  "∂L/∂x = G; ∂L/∂b = Σ of G over each axis along which b was repeated",
                  "Look at one function at a time, on a G [2, 3] whose sums you know"},
        .holes = holes(),
    };
}

}  // namespace

const Judge<BroadcastAddByHand> judge_02_2(rules);

}  // namespace exercise
