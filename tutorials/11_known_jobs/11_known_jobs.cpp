// 11 A head with a known job: heads whose weights we can write down beforehand, set by hand: the
// word before, the first word, the same word, sorting. Then what one row of weights cannot do, and
// which of these heads GPT-2 has.
#include "autograd/ops.h"
#include "nn/pages/heat_map.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/11_known_jobs/parts.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <algorithm>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::row;
using tutorial::say;
using tutorial::section;
using tutorial::Words;

const double sharp = 20;  // what one-hot products are multiplied by, so that softmax nearly chooses

Tensor weights_of(const Tensor& Q, const Tensor& K) {
    const Tensor scores = sharp * tensor::matmul(Q, tensor::transpose(K));  // [T_q, T_k]
    return tensor::softmax(scores, -1);
}

Tensor places_back(std::int64_t T, std::int64_t back) {
    const Tensor P = tensor::eye(T);
    const Tensor none = tensor::zeros({std::min(std::abs(back), T), T});
    if (back >= 0) return tensor::concatenate({none, tensor::slice(P, 0, 0, T - back)}, 0);
    return tensor::concatenate({tensor::slice(P, 0, -back, T), none}, 0);
}

const Words cabinet = {"the", "keys", "to", "the", "cabinet"};

// Each word's one-hot row, [T, distinct words].
Tensor one_hot_words(const Words& words) {
    Words distinct;
    std::vector<std::int64_t> ids;
    for (const std::string& word : words) {
        const auto found = std::find(distinct.begin(), distinct.end(), word);
        ids.push_back(found - distinct.begin());
        if (found == distinct.end()) distinct.push_back(word);
    }
    return tensor::one_hot(IndexTensor(ids), static_cast<std::int64_t>(distinct.size()));
}

// The smallest weight of the queries from `first_query` on, each at its own key of `keys`.
Scalar least_at(const Tensor& weights, std::int64_t first_query,
                const std::vector<std::int64_t>& keys) {
    Scalar least = 1;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        least = std::min(least, weights(first_query + static_cast<std::int64_t>(i), keys[i]));
    }
    return least;
}

void by_position() {
    section("11.1 The word before, and the first word");
    say("A head weighs key j for query i by $softmax_j(q_i·k_j)$. So far Q and K were learned. "
        "Here they are written down: P[t] is the one-hot row of position t, and");
    tutorial::formula(
        "$q_i = 20·P[i - 1]$, $k_j = P[j]$: the score $q_i·k_j$ is 20 if $j = i - 1$, else 0");
    say("With 5 keys the one at $i - 1$ gets $e²⁰ / (e²⁰ + 4)$, and $4 / e²⁰ = 8·10⁻⁹$, so all but "
        "nothing is left for the others. The factor 20 stands for the long queries and keys that "
        "training would have to find.");
    const Tensor P = tensor::eye(5);                         // keys, [5, 5]
    const Tensor before = weights_of(places_back(5, 1), P);  // [5, 5]
    stop("11.1 the word before", {{"before", before}});
    print_heat_map(std::cout, cabinet, cabinet, before);
    check(least_at(before, 1, {0, 1, 2, 3}) > 0.99, "each word but the first looks at the one "
                                                    "before");
    tutorial::predict_number("What weight does the first word give to each, with none before it?",
                             0.2, 0.001, "Its scores are all 0, so its row is uniform.");
    check(tensor::all_close(row(before, 0), tensor::full({5}, 0.2)),
          "the first word has none before it, and looks at all five alike");
    say("The query of the first word is a row of zeros. One would like it to look at nothing, but "
        "$e⁰ / (5·e⁰)$ = 1/5: a row of weights always sums to 1. Sections 11.5 and 11.6 are about "
        "what that costs.");
    say("Another head looks at the first word from everywhere, $q_i = 20·P[0]$:");
    const Tensor to_first = tensor::expand(tensor::slice(P, 0, 0, 1), {5, 5});
    const Tensor first = weights_of(to_first, P);  // [5, 5]
    check(least_at(first, 0, {0, 0, 0, 0, 0}) > 0.99, "every word looks at the first");
}

void by_content() {
    section("11.2 The same word");
    say("Now let $q_i$ and $k_j$ be one-hot rows of words, not of positions: the score is 20 where "
        "both words are the same, and 0 elsewhere. \"the\" stands twice. For it two scores are 20 "
        "and share the weight: $2·e²⁰ / (2·e²⁰ + 3)$ is all but 1, so each has 1/2.");
    const Tensor words = one_hot_words(cabinet);        // [5, 4]
    const Tensor same_word = weights_of(words, words);  // [5, 5]
    stop("11.2 the same word", {{"words", words}, {"same_word", same_word}});
    print_heat_map(std::cout, cabinet, cabinet, same_word);
    check(tensor::all_close(tensor::select(row(same_word, 0), 0, 3), tensor::of(0.5), 0, 1e-3),
          "both \"the\" look at both, half and half");
    check(least_at(same_word, 1, {1, 2}) > 0.99, "the other words look at themselves");
}

void sorting() {
    section("11.3 Sorting");
    say("A head can sort. The keys are numbers u from 0 to 6, some of them present: 6, 1 and 4. "
        "Output place v, from 0 to 6, asks for the smallest number that is at least v. So the "
        "score M[v, u] is lower the further u lies above v, and $-∞$ if u lies below it:");
    std::cout << "M[v, u] = -20·(u - v) if u ≥ v, else -∞\n\n";
    say("Place 2, by hand: the scores of 6, 1 and 4 are -80, $-∞$ and -40. The weight of 4 is "
        "$e⁻⁴⁰ / (e⁻⁸⁰ + 0 + e⁻⁴⁰) = 1 / (e⁻⁴⁰ + 1)$, all but 1.");
    const std::vector<std::int64_t> present = {6, 1, 4};
    const Tensor places = tensor::unsqueeze(tensor::arange(7), -1);  // v, [7, 1]
    const Tensor values = tensor::of({{6, 1, 4}});                   // u, [1, 3]
    const Tensor above = values - places;                            // [7, 3]
    const Tensor scores = tensor::masked_fill(-sharp * above, above < 0, -infinity);
    const Tensor weights = tensor::softmax(scores, -1);                       // [7, 3]
    const Tensor found = tensor::matmul(weights, tensor::transpose(values));  // [7, 1]
    stop("11.3 sorting", {{"scores", scores}, {"weights", weights}, {"found", found}});
    print_heat_map(std::cout, {"0", "1", "2", "3", "4", "5", "6"}, {"6", "1", "4"}, weights);
    std::cout << "values found = " << tensor::transpose(found) << "\n\n";
    check(tensor::all_close(tensor::squeeze(found), tensor::of({1, 1, 4, 4, 4, 6, 6}), 0, 1e-3),
          "the numbers come out in order, each once for every place it serves");
    say("A place 7 would find nothing at or above it, and all its scores would be $-∞$. A job set "
        "by hand needs an answer for that case, too.");
}

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    say("Lesson 11: heads whose job is known. After training one has to guess what a head is for. "
        "Here the job comes first and the weights are written down for it; then two jobs that one "
        "row of weights cannot do; and at the end the same heads in GPT-2.");
    by_position();         // 11.1
    by_content();          // 11.2
    sorting();             // 11.3
    three_words(random);   // 11.4, three_words.cpp
    absent_items(random);  // 11.5 and 11.6, absent.cpp
    in_gpt2();             // 11.7, gpt2.cpp
}

int main(int argc, char** argv) {
    return tutorial::run({.name = "11_known_jobs",
                          .subject = "Heads whose job is known; what one row cannot do.",
                          .trains = true},
                         argc, argv, lesson);
}
