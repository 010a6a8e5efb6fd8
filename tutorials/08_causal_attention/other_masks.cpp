// Lesson 08: fully masked rows (08.6), masks for a batch (08.7), the causal mask with fewer queries
// than keys (08.8), and all of it by nn (08.9).
#include "tutorials/08_causal_attention/parts.h"

#include "autograd/grad.h"
#include "autograd/ops.h"
#include "nn/attention/attention_head.h"
#include "nn/pages/heat_map.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/mask_drawing.h"
#include "tutorials/support/page.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <algorithm>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::row;
using tutorial::rows_that_differ;
using tutorial::same;
using tutorial::say;
using tutorial::section;
using tutorial::Words;

// The largest entry of the gradients of Σ_c y_ic.
double largest_gradient(const Variable& y, std::int64_t i, const std::vector<Variable>& inputs) {
    double found = 0;
    for (const Variable& gradient : grad(sum(select(y, 0, i)), inputs, {.retain_graph = true})) {
        found = std::max(found, largest(gradient.value()));
    }
    return found;
}

void nothing_to_see(Random& random) {
    section("08.6 A query that may attend to nothing");
    say("Masks can leave a query without any key. The formula then has $-∞ - (-∞)$ and 0/0, and "
        "PyTorch gives NaN, which spreads. heed defines it: the weights are 0, and so are the "
        "output and the gradient. Here the second of three queries:");
    const Tensor allowed = tensor::of({{1, 0, 0}, {0, 0, 0}, {1, 0, 1}});
    const Mask mask = Mask::allowing(allowed == 1);
    const Variable Q(tensor::normal({3, d_k}, random), requires_grad);  // [T_q, d_k]
    const Variable K(tensor::normal({3, d_k}, random), requires_grad);  // [T_k, d_k]
    const Variable V(tensor::normal({3, d_k}, random), requires_grad);  // [T_k, d_v]
    const Attention defined = attend(Q, K, V, mask);
    stop("08.6 nothing to see",
         {{"defined.weights", defined.weights}, {"defined.output", defined.output}});
    std::cout << "mask =\n"
              << mask << "\nweights =\n"
              << defined.weights.value() << "\noutput =\n"
              << defined.output.value() << "\n\n";
    check(largest(row(defined.weights.value(), 1)) == 0 &&
              largest(row(defined.output.value(), 1)) == 0 &&
              largest_gradient(defined.output, 1, {Q, K, V}) == 0,
          "for the second query the weights, the output and its gradients are 0");
    check(largest_gradient(defined.output, 0, {Q, K, V}) > 0,
          "for the first the gradients are not");
    const Tensor dL_dQ = grad(sum(defined.output * defined.output), Q).value();
    std::cout << "\nL = the sum of all squares of the output, ∂L/∂Q =\n" << dL_dQ << "\n\n";
    check(tensor::is_finite(dL_dQ).all() && largest(row(dL_dQ, 2)) > 0,
          "all of it is finite, and the third query's row is not 0");

    say("Instead of $-∞$ a large negative score is often taken, such as $-10⁶$. As long as one key "
        "is allowed, that makes no difference here. If none is, all scores are equal:");
    const Variable large = masked_fill(scaled_scores(Q, K), mask.blocked(), -1e6);  // [T_q, T_k]
    const Variable weights = softmax(large, -1);                                    // [T_q, T_k]
    const Variable output = matmul(weights, V);                                     // [T_q, d_v]
    std::cout << "weights with -10⁶ =\n" << weights.value() << "\n\n";
    check(same(row(weights.value(), 0), row(defined.weights.value(), 0)) &&
              same(row(weights.value(), 2), row(defined.weights.value(), 2)),
          "the first and third query have the same bits");
    check(tensor::all_close(row(weights.value(), 1), tensor::full({3}, 1.0 / 3), 1e-6, 0) &&
              tensor::all_close(row(output.value(), 1), tensor::mean(V.value(), {0}), 0, 1e-5),
          "the second one takes the mean of all that it must not see");
    tutorial::in_the_notes("002 sets masked scores to $-10⁶$ (002-12).");
}

struct Batch {
    Variable Q, K, V;                   // [B, 1, T, d_k]
    std::vector<std::int64_t> lengths;  // [B]
};

Batch make_batch(const Model& model) {
    const TokenBatch batch = model.tokenizer.encode_batch({keys_sentence, time_sentence}, 0);
    const Variable X = unsqueeze(model.embedding(batch.ids), 1);  // [B, 1, T, d]
    return {matmul(X, Variable(model.W_Q)), matmul(X, Variable(model.W_K)),
            matmul(X, Variable(model.W_V)), batch.lengths};
}

// The words of the second, shorter sentence alone: [5, d_k].
Tensor of_the_second(const Variable& output) {
    return tensor::slice(row(row(output.value(), 1), 0), 0, 0, 5);
}

void batches(const Model& model) {
    section("08.7 Causal and padding masks together");
    say("A mask is an argument of the call, not a part of the head, and the input is a batch. Two "
        "sentences of 9 and 5 words, the second filled up to 9. Nobody may attend to the padding, "
        "and nobody to the future: both masks are joined by &. (The axis of 1 is for the heads of "
        "lesson 09. The last four outputs of the second sentence belong to no word, and nobody "
        "reads them.)");
    const Batch batch = make_batch(model);
    const Mask causal = Mask::causal(9);                   // [T, T]
    const Mask padding = Mask::padding(batch.lengths, 9);  // [B, 1, 1, T]
    const Mask both = causal & padding;                    // [B, 1, T, T]
    tutorial::predict_shape(
        "Causal [9, 9] and padding [2, 1, 1, 9]: what is the shape of both together?", both.shape(),
        "The causal mask is repeated for both sentences, the padding for every query.");
    stop("08.7 both masks", {{"causal", causal}, {"padding", padding}, {"both", both}});
    std::cout << "Q " << batch.Q.shape() << ", causal " << causal.shape() << " & padding "
              << padding.shape() << " = " << both.shape() << "\n\nboth =\n"
              << both << "\n\n";
    if (tutorial::page_is_written()) {
        tutorial::draw(
            tutorial::masks_svg("A filled cell: this query (row) may attend to this key (column)",
                                {{"causal", causal}, {"padding", padding}, {"both", both}}));
    }
    const Attention together = attend(batch.Q, batch.K, batch.V, both);
    const Attention long_one = attend(model, keys_sentence, Keep::masked);
    const Attention short_one = attend(model, time_sentence, Keep::masked);
    check(same(row(row(together.output.value(), 0), 0), long_one.output.value()) &&
              same(of_the_second(together.output), short_one.output.value()),
          "each sentence has the same bits in the batch as alone");

    say("The padding stands at the end, in the future of all words, so that the causal mask alone "
        "would do for them. Without it, the padding mask is all there is:");
    const Tensor alone = attend(model, time_sentence, Keep::unmasked).output.value();  // [5, d_k]
    const Attention hidden = attend(batch.Q, batch.K, batch.V, padding);
    const Attention seen = attend(batch.Q, batch.K, batch.V, Mask::all_allowed(9, 9));
    check(same(of_the_second(attend(batch.Q, batch.K, batch.V, causal).output),
               short_one.output.value()),
          "the causal mask alone gives the same bits again");
    check(same(of_the_second(hidden.output), alone),
          "the padding mask alone gives the bits of the unpadded sentence without a mask");
    std::cout << "\nwithout any mask the outputs change by up to "
              << fixed(tensor::max_difference(of_the_second(seen.output), alone)) << "\n\n";
    check(rows_that_differ(of_the_second(seen.output), alone) == 5,
          "with neither, padding changes all five words");
    tutorial::in_the_notes("000 builds the mask into its head, which takes one sentence (000-8).");
}

void fewer_queries(const Model& model) {
    section("08.8 Fewer queries than keys");
    say("For the last two of five outputs, two queries suffice. The last query is the "
        "last word and sees all five keys: Mask::causal(2, 5).");
    const Variable X = model.embedding(model.tokenizer.encode(time_sentence));  // [5, d]
    const Variable Q = slice(matmul(X, Variable(model.W_Q)), 0, 3);             // [2, d_k]
    const Variable K = matmul(X, Variable(model.W_K));                          // [5, d_k]
    const Variable V = matmul(X, Variable(model.W_V));                          // [5, d_k]
    const Attention two = attend(Q, K, V, Mask::causal(2, 5));
    const Attention five = attend(model, time_sentence, Keep::masked);
    const Words words = model.tokenizer.words(time_sentence);
    print_heat_map(std::cout, {words[3], words[4]}, words, two.weights.value(), Mask::causal(2, 5));
    if (tutorial::page_is_written()) {
        tutorial::draw(tutorial::masks_svg(
            "Two queries are the last two of five",
            {{"causal", Mask::causal(2, 5)}, {"of all five", Mask::causal(5)}}));
    }
    check(same(two.output.value(), tensor::slice(five.output.value(), 0, 3)),
          "these are the last two rows of all five, to the last bit");
}

void the_same_by_nn(const Model& model, Random& random) {
    section("08.9 The same by nn");
    const Batch batch = make_batch(model);
    const Mask mask = Mask::causal(9) & Mask::padding(batch.lengths, 9);  // [B, 1, T, T]
    const Attention by_hand = attend(batch.Q, batch.K, batch.V, mask);
    const Attention by_function = scaled_dot_product_attention(batch.Q, batch.K, batch.V, mask);
    AttentionHead head(d, d_k, random, {.bias = false});
    head.W_Q.weight = Parameter(tensor::transpose(model.W_Q));  // [d_k, d]
    head.W_K.weight = Parameter(tensor::transpose(model.W_K));  // [d_k, d]
    head.W_V.weight = Parameter(tensor::transpose(model.W_V));  // [d_k, d]
    const TokenBatch ids = model.tokenizer.encode_batch({keys_sentence, time_sentence}, 0);
    const Attention by_head = head.with_weights(model.embedding(ids.ids), mask);
    std::cout << "weights " << by_head.weights.shape() << ", output " << by_head.output.shape()
              << "\n\n";
    check(same(by_function, by_hand),
          "scaled_dot_product_attention with this mask gives the same bits");
    check(same(by_head, {squeeze(by_hand.output, 1), squeeze(by_hand.weights, 1)}),
          "and so does AttentionHead");
}
