// Lesson 08: why a language model is masked. All beginnings of a text in one pass, and a head that
// cheats where there is no mask (08.2).
#include "tutorials/08_causal_attention/parts.h"

#include "autograd/ops.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::print_row;
using tutorial::row;
using tutorial::rows_that_differ;
using tutorial::same;
using tutorial::say;
using tutorial::section;
using tutorial::Words;

// The first t rows.
Tensor beginning(const Tensor& X, std::int64_t t) { return tensor::slice(X, 0, 0, t); }

// The last output of each beginning of X [T, d], read by itself and without a mask: [T, d_k].
Tensor read_one_by_one(const Model& model, const Tensor& X) {
    std::vector<Tensor> last;
    for (std::int64_t t = 1; t <= X.dim(0); ++t) {
        const Variable X_t(beginning(X, t));                                 // [t, d]
        const Tensor y = attend(model, X_t, Keep::unmasked).output.value();  // [t, d_k]
        last.push_back(row(y, t - 1));                                       // [d_k]
    }
    return tensor::stack(last);
}

void all_beginnings(const Model& model) {
    say("What is the mask for? A text is its own teacher: each of its beginnings is an example, "
        "and the word that follows is the answer. One could read them one by one, without a mask: "
        "the next word is predicted from the last output of each.");
    const Words words = model.tokenizer.words(keys_sentence);
    const Tensor X = embed(model, keys_sentence);                                       // [9, d]
    const Tensor apart = read_one_by_one(model, X);                                     // [9, d_k]
    const Tensor together = attend(model, Variable(X), Keep::masked).output.value();    // [9, d_k]
    const Tensor unmasked = attend(model, Variable(X), Keep::unmasked).output.value();  // [9, d_k]
    stop("08.2 one pass", {{"apart", apart}, {"together", together}, {"unmasked", unmasked}});
    std::string text;
    for (std::size_t t = 0; t + 1 < words.size(); ++t) {
        text += (t == 0 ? "" : " ") + words[t];
        print_row(std::cout, text, {"-> " + words[t + 1]}, 34, 10);
    }
    std::cout << "\nthe last outputs of these eight, and of the whole =\n" << apart << "\n\n";
    say("That is nine passes over 45 words in all. One masked pass over nine words has all of it:");
    std::cout << "the outputs of one masked pass =\n" << together << "\n\n";
    check(same(together, apart), "row by row the same, to the last bit");
    check(rows_that_differ(unmasked, apart) == 8,
          "without a mask only the last row is: the others have seen more than they should");
}

// A head that is set by hand and knows no language: place i asks for place i + 1 and returns the
// word there. The first t of T places and words: [t, kinds].
Tensor look_ahead(const Tensor& words, std::int64_t t, const Mask& mask) {
    const Tensor places = tensor::eye(words.dim(0) + 1);                            // [T+1, T+1]
    const Tensor Q = tensor::slice(places, 0, 1, t + 1);                            // [t, T+1]
    const Tensor K = tensor::slice(places, 0, 0, t);                                // [t, T+1]
    const Tensor scores = 50 * tensor::matmul(Q, tensor::transpose(K));             // [t, t]
    const Tensor allowed = tensor::masked_fill(scores, mask.blocked(), -infinity);  // [t, t]
    const Tensor weights = tensor::softmax(allowed, -1);                            // [t, t]
    return tensor::matmul(weights, beginning(words, t));                            // [t, kinds]
}

// How many of the first T - 1 outputs have their largest entry at the next word.
std::int64_t count_right(const Tensor& outputs, const IndexTensor& ids) {
    const IndexTensor said = tensor::argmax(outputs, {-1});  // [T]
    std::int64_t right = 0;
    for (std::int64_t t = 0; t + 1 < ids.dim(0); ++t) right += said(t) == ids(t + 1);
    return right;
}

void cheating(Random& random) {
    say("And for those others the answer is in the input. Here is a head, set by hand, in which "
        "place i asks for place $i + 1$ and returns the word it finds there. The text is 100 "
        "words, drawn at random from ten, so nobody can predict a next word better than by chance. "
        "In training the whole text is there; in use only its beginning is, and the next word is "
        "not there yet.");
    const std::int64_t T = 100, kinds = 10;
    std::vector<std::int64_t> drawn;
    for (std::int64_t t = 0; t < T; ++t) drawn.push_back(random.below(kinds));
    const IndexTensor ids(drawn);                                           // [T]
    const Tensor words = tensor::one_hot(ids, kinds);                       // [T, kinds]
    const Tensor unmasked = look_ahead(words, T, Mask::all_allowed(T, T));  // [T, kinds]
    const Tensor masked = look_ahead(words, T, Mask::causal(T));            // [T, kinds]
    std::vector<Tensor> last;
    for (std::int64_t t = 1; t <= T; ++t) {
        last.push_back(row(look_ahead(words, t, Mask::all_allowed(t, t)), t - 1));
    }
    const Tensor in_use = tensor::stack(last);  // [T, kinds]
    const std::int64_t cheated = count_right(unmasked, ids), guessed = count_right(in_use, ids);
    tutorial::predict_number("In training, without a mask: how many of 99 next words are right?",
                             static_cast<double>(cheated), 0,
                             "Each answer stands in the input, one place further on.");
    print_row(std::cout, "", {"right of 99"}, 28, 11);
    print_row(std::cout, "in training, without a mask", {std::to_string(cheated)}, 28, 11);
    print_row(std::cout, "in use", {std::to_string(guessed)}, 28, 11);
    print_row(std::cout, "in training, with the mask", {std::to_string(count_right(masked, ids))},
              28, 11);
    std::cout << "\n";
    check(cheated == T - 1, "without a mask all are right in training, which nobody can be");
    check(guessed < 30, "in use that head guesses");
    check(same(masked, in_use), "with the mask, training has the outputs of use, to the last bit");
}

void one_pass(const Model& model, Random& random) {
    section("08.2 Every next word in one pass");
    all_beginnings(model);
    cheating(random);
}
