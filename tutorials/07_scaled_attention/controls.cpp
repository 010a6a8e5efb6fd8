// Lesson 07: the lookup without projections, with one matrix for both sides, and with fewer
// dimensions (07.7).
#include "tutorials/07_scaled_attention/parts.h"

#include "autograd/ops.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tensor/runtime/fast_kernels.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <cmath>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::print_row;
using tutorial::say;
using tutorial::section;

struct Control {
    std::string what;
    Projections W;
};

// M = W^Q·W^Kᵀ is 0: no scores, so every weight is 1/4.
Projections no_scores(Random& random) {
    const Variable zero(tensor::zeros({d, 1}));
    const Variable W_V = random_matrix(d_v, random);
    return {zero, zero, W_V, {W_V}};
}

// M is the identity matrix: Q = K = X.
Projections no_projections(Random& random) {
    const Variable identity(tensor::eye(d));
    const Variable W_V = random_matrix(d_v, random);
    return {identity, identity, W_V, {W_V}};
}

// M = W·Wᵀ: one matrix for queries and keys.
Projections tied_projections(Random& random) {
    const Variable W = random_matrix(4, random);
    const Variable W_V = random_matrix(d_v, random);
    return {W, W, W_V, {W, W_V}};
}

// The loss, and mean weights where the three items differ.
struct Found {
    double loss;
    double right;   // on the item asked for
    double asker;   // on the item that asks for this one
    double itself;  // on the item itself
};

// Trains it on the batches that `random` would draw next, without advancing `random`.
Found trained(const Projections& W, const Examples& test, const Random& random) {
    Random same_batches = random;
    train(W, same_batches, Print::nothing);
    const Tensor right = pairs_of(test);                                     // [B, n, n]
    const Tensor asker = tensor::transpose(right);                           // [B, n, n]
    const Tensor three = 1 - tensor::sum(right * asker, -1);                 // [B, n]
    const Tensor count = tensor::sum(three);                                 // []
    const Tensor on_right = tensor::sum(weight_on(right, W, test) * three);  // []
    const Tensor on_asker = tensor::sum(weight_on(asker, W, test) * three);  // []
    const Tensor on_itself = tensor::sum(weight_on(tensor::eye(n), W, test) * three);
    return {loss_on(W, test), (on_right / count).item(), (on_asker / count).item(),
            (on_itself / count).item()};
}

void print_found(const Control& control, const Found& found) {
    std::int64_t numbers = 0;
    for (const NamedParameter& matrix : control.W.learned) numbers += matrix.parameter.numel();
    print_row(std::cout, control.what,
              {std::to_string(numbers), fixed(found.loss), fixed(found.right, 2),
               fixed(found.asker, 2), fixed(found.itself, 2)},
              20, 7);
}

void check_found(const std::vector<Found>& found) {
    const Found &alike = found[0], &as_is = found[1], &tied = found[2];
    say("With all weights 1/4 the loss is 1 - 1/4 at best: the values have variance 1, and a "
        "quarter "
        "of each answer is in the mean of the four. Attending to oneself is worse. With one "
        "matrix for both sides, what an item asks for can be compared with what another is, but "
        "only both ways at once: the one that asks for it scores as high as the one it asks for.");
    check(as_is.itself > 0.4 && as_is.right < 0.35 && as_is.loss > alike.loss + 0.01,
          "with $Q = K = X$ each item attends to itself, which is worse than equal weights");
    check(tied.loss > 0.2 && std::fabs(tied.right - tied.asker) < 0.05,
          "with one matrix for both the loss stays above 0.2, and the asker gets as much as the "
          "right item");
    check(found[5].loss < 0.01, "with two matrices the loss falls below 0.01");
    check(found[4].loss < 0.05, "two dimensions are enough: the loss falls below 0.05");
    check(found[3].loss > 0.15, "one dimension is not: the loss stays above 0.15");
    say("In two dimensions the keys of the four markers can lie on a circle, where each is the "
        "farthest in its own direction. In one they lie on a line, and a query, which is a number "
        "there, finds one of its two ends. That is what $d_k$ buys: room for what there is to "
        "ask.");
}

void why_projections(Random& random) {
    section("07.7 Why there are projections");
    say("Lesson 05 had no $W^Q$ and $W^K$: $Q = K = X$, so M is the identity matrix. Then $x_i·x_j "
        "= x_j·x_i$: the scores are symmetric. And $x_i·x_i = ‖x_i‖²$ is usually the largest of "
        "its row: each item attends to itself. One matrix W for both sides leaves the scores "
        "symmetric, since $M = W·Wᵀ$. Here are both, beside separate matrices of 1, 2 and 4 "
        "columns and a head without scores. All learn $W^V$, on the same batches, and are tested "
        "on 200 new examples. Mean weights on the right item, on the item that asks for this one, "
        "and on itself, where these are three different items:");
    tutorial::predict_choice("$Q = K = X$: which item gets most of an item's weight?",
                             {"the one it asks for", "itself", "none"}, "itself",
                             "Its score with itself is $‖x_i‖²$: both of its 1s meet.");
    const FastKernels fast;  // also in a Debug build, for six trainings
    const Examples test = make_examples(200, random);
    const std::vector<Control> controls = {{"all weights 1/4", no_scores(random)},
                                           {"Q = K = X", no_projections(random)},
                                           {"W^Q = W^K, d_k = 4", tied_projections(random)},
                                           {"separate, d_k = 1", separate_projections(1, random)},
                                           {"separate, d_k = 2", separate_projections(2, random)},
                                           {"separate, d_k = 4", separate_projections(4, random)}};
    std::vector<Found> found;
    print_row(std::cout, "", {"numbers", "loss", "right", "asker", "itself"}, 20, 7);
    for (const Control& control : controls) {
        found.push_back(trained(control.W, test, random));
        print_found(control, found.back());
    }
    std::cout << "\nQ = K = X, one example\n";
    draw(controls[1].W, test);
    const Variable X(test.X);                                         // [B, n, d]
    const Tensor as_is = scaled_scores(controls[1].W, X).value();     // [B, n, n]
    const Tensor tied = scaled_scores(controls[2].W, X).value();      // [B, n, n]
    const Tensor separate = scaled_scores(controls[5].W, X).value();  // [B, n, n]
    stop("07.7 three scores", {{"as_is", as_is}, {"tied", tied}, {"separate", separate}});
    check(tensor::same_bits(as_is, tensor::transpose(as_is)) &&
              tensor::same_bits(tied, tensor::transpose(tied)),
          "without projections, and with one for both, scores are symmetric to the last bit");
    check(tensor::max_difference(separate, tensor::transpose(separate)) > 1,
          "with two they are not");
    check_found(found);
}
