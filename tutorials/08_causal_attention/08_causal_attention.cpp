// 08 Causal attention: the mask, what it is for, that nothing leaks, and other masks.
#include "autograd/ops.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/08_causal_attention/parts.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"

#include <cmath>
#include <iostream>
#include <string>

using namespace heed;
using tutorial::check;
using tutorial::row;
using tutorial::same;
using tutorial::say;
using tutorial::section;

void notes_matrix() {
    section("08.1 Looking backwards");
    say("$y_i = Σ_{j≤i} a_ij·x_j$ with $a_ij$ = softmax over $j ≤ i$ of $s_ij$: word i looks at "
        "itself and the words before it. As matrices: the scores with $j > i$ become $-∞$, and "
        "$exp(-∞) = 0$ is their weight. Three words of five numbers each, with $Q = K = V = X$:");
    const Variable X(tensor::of({{0.8505, 0.4000, 0.3561, 0.2708, 0.9474},
                                 {0.6939, 0.9952, 0.3525, 0.0898, 0.2699},
                                 {0.1606, 0.4863, 0.0489, 0.7793, 0.2100}}),
                     requires_grad);  // [3, 5]
    const Tensor printed_weights =
        tensor::of({{1, 0, 0}, {0.4684, 0.5316, 0}, {0.3263, 0.3235, 0.3502}});
    const Tensor printed_output = tensor::of({{0.8505, 0.4000, 0.3561, 0.2708, 0.9474},
                                              {0.7673, 0.7164, 0.3542, 0.1746, 0.5872},
                                              {0.5583, 0.6228, 0.2474, 0.3903, 0.4700}});
    const Mask mask = Mask::causal(3);                                 // [3, 3]
    const Variable scores = matmul(X, transpose(X)) / std::sqrt(5.0);  // [3, 3]
    stop("08.1 the scores", {{"X", X}, {"scores", scores}});
    const Variable allowed = masked_fill(scores, mask.blocked(), -infinity);  // [3, 3]
    stop("08.1 after the mask", {{"mask", mask}, {"allowed", allowed}});
    const Variable weights = softmax(allowed, -1);  // [3, 3]
    const Variable output = matmul(weights, X);     // [3, 5]
    tutorial::predict_largest("Which of the words 0, 1 and 2 has most of the last one's weight?",
                              {"0", "1", "2"}, row(weights.value(), 2),
                              "Each of these three is most like itself, but not by much.");
    stop("08.1 weights and output", {{"weights", weights}, {"output", output}});
    std::cout << "mask, a row for each query =\n"
              << mask << "\nmasked scores =\n"
              << allowed.value() << "\nweights =\n"
              << weights.value() << "\noutput =\n"
              << output.value() << "\n\n";
    check(tensor::all_close(weights.value(), printed_weights, 0, 1e-4),
          "the weights are those PyTorch printed, within 0.0001");
    check(tensor::all_close(output.value(), printed_output, 0, 1e-4), "and so is the output");

    say("Softmax over the first i scores alone, which is what a loop over $j ≤ i$ computes, gives "
        "the same:");
    bool as_loop = true;
    for (std::int64_t i = 0; i < 3; ++i) {
        const Tensor backward = tensor::slice(row(scores.value(), i), 0, 0, i + 1);  // [i+1]
        const Tensor kept = tensor::slice(row(weights.value(), i), 0, 0, i + 1);     // [i+1]
        as_loop = as_loop && same(tensor::softmax(backward, -1), kept);
    }
    check(as_loop, "the loop has the same weights, to the last bit");
}

void which_triangle() {
    say("Which triangle is left? The lower one, with the diagonal; what is strictly above is "
        "masked. The other one is a slip easily made:");
    const Tensor scores = tensor::of({{1, 2, 3}, {4, 5, 6}, {7, 8, 9}});
    const Tensor copy = tensor::clone(scores);
    const BoolTensor strict_upper = tensor::triu(tensor::ones({3, 3}), 1) == 1;
    const BoolTensor strict_lower = tensor::tril(tensor::ones({3, 3}), -1) == 1;
    const Tensor lower_left = tensor::masked_fill(scores, strict_upper, -infinity);
    const Tensor upper_left = tensor::masked_fill(scores, strict_lower, -infinity);
    const Tensor right = tensor::softmax(lower_left, -1);
    const Tensor wrong = tensor::softmax(upper_left, -1);
    std::cout << "lower triangle left =\n"
              << lower_left << "\nthe slip, upper triangle left =\n"
              << upper_left << "\n\n";
    const Tensor expected = tensor::of({{1, -infinity, -infinity}, {4, 5, -infinity}, {7, 8, 9}});
    check(same(lower_left, expected),
          "with the lower one 1, then 4 and 5, then 7, 8 and 9 are left");
    check(right(0, 0) == 1 && right(2, 0) > 0,
          "then the first word sees itself, and the last one all");
    check(wrong(0, 2) > 0.5 && wrong(2, 2) == 1,
          "with the upper one, the first word looks most at the last, and the last only at itself");
    check(same(scores, copy), "masked_fill leaves its input as it was");
    tutorial::in_the_notes(
        "000 prints these three words, their weights and their output. 003 has the 3×3 case; it "
        "says that \"only the upper triangular values\" are left, and its code and test leave the "
        "lower ones (003-1). Its masked_fill_ writes into the tensor it is given, so the scores "
        "before the mask are lost to whoever wants to see them (003-2). And it has self-attention "
        "look backwards: only causal self-attention does, as 001 knows (003-4).");
}

struct Leak {
    double weight;    // mean weight on future words, over all words but the last
    double change;    // largest change of an earlier output when the last word changes
    double gradient;  // largest norm of an output's gradient at a future word
};

Leak leak_of(const Model& model, Keep keep) {
    const Attention as_is = attend(model, keys_sentence, keep);
    const Attention changed = attend(model, changed_sentence, keep);
    const Tensor on_future = tensor::sum(of_the_future(as_is.weights.value()), -1);  // [T]
    const double weight = tensor::mean(earlier(on_future)).item();
    const double change =
        tensor::max_difference(earlier(as_is.output.value()), earlier(changed.output.value()));
    const double gradient = largest(of_the_future(influence(model, keep)));
    return {weight, change, gradient};
}

void print_leak(const std::string& what, const Leak& leak) {
    std::cout << what << fixed(leak.weight) << "     " << fixed(leak.change) << "     "
              << fixed(leak.gradient) << "\n";
}

void leaks(const Model& model) {
    section("08.5 Zeros do not mask");
    say("A common slip: the scores of future words are set to 0. Their weights become 0 if the "
        "scores become $-∞$; a score of 0 counts $exp(0) = 1$ in the sum, like any other score. "
        "The other zero that suggests itself, weights set to 0 after the softmax, leaves rows that "
        "do not sum to 1, and the future still stands in the denominator. Three masks and three "
        "measures, over all words but the last: the mean weight on the future, the largest change "
        "of an output when \"table\" becomes \"floor\", and the largest norm of a gradient at a "
        "future word.");
    const Leak masked = leak_of(model, Keep::masked);
    const Leak scores = leak_of(model, Keep::zero_scores);
    const Leak weights = leak_of(model, Keep::zero_weights);
    std::cout << "                      weight     change     gradient\n";
    print_leak("scores -∞             ", masked);
    print_leak("scores 0              ", scores);
    print_leak("weights 0 afterwards  ", weights);
    std::cout << "\n";
    check(masked.weight == 0 && masked.change == 0 && masked.gradient == 0,
          "with $-∞$ all three are exactly 0");
    check(
        scores.weight > 0.2 && scores.change > 0.01 && scores.gradient > 0.01,
        "with scores of 0 the future has a fifth of the weight or more, and outputs depend on it");
    check(weights.weight == 0 && weights.change > 1e-4 && weights.gradient > 1e-4,
          "with weights of 0 afterwards they depend on it, too");

    const Tensor late = attend(model, keys_sentence, Keep::zero_weights).weights.value();  // [T, T]
    const Tensor causal = attend(model, keys_sentence, Keep::masked).weights.value();      // [T, T]
    const Tensor sums = tensor::sum(late, -1, keepdim);                                    // [T, 1]
    std::cout << "\nsums of the rows with weights 0 afterwards =\n"
              << to_string(tensor::squeeze(sums), {.decimals = 2}) << "\n\n";
    check(sums(0, 0) < 0.9, "the first word's row sums to less than 1");
    check(tensor::all_close(late / sums, causal, 0, 1e-6),
          "divided by their sums, the rows are those of $-∞$");
    tutorial::in_the_notes(
        "000 says to make the scores of future words 0; its code sets them to $-∞$ (000-5).");
}

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    const Model model = make_model(random);
    say("Lesson 08: causal attention. A language model is trained to predict the next word, at "
        "every position of a text at once. But each of these words stands in its input, one place "
        "further on, and in lessons 05 to 07 every word could look at all others: $y_i$ could copy "
        "the answer $x_{i+1}$, and nothing would be learned. So each word is made to look only "
        "backwards, at itself and at those before it.");
    notes_matrix();                  // 08.1
    which_triangle();                // 08.1
    one_pass(model, random);         // 08.2, one_pass.cpp
    change_the_future(model);        // 08.3, tests.cpp
    every_word_changes(model);       // 08.3
    ask_the_gradient(model);         // 08.4
    random_upstream(model, random);  // 08.4
    leaks(model);                    // 08.5
    nothing_to_see(random);          // 08.6, other_masks.cpp
    batches(model);                  // 08.7
    fewer_queries(model);            // 08.8
    the_same_by_nn(model, random);   // 08.9
}

int main(int argc, char** argv) {
    return tutorial::run({"08_causal_attention",
                          "Causal attention: the mask, what it is for, and that nothing leaks."},
                         argc, argv, lesson);
}
