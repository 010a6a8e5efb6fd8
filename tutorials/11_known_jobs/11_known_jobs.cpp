// 11 A head with a known job: heads whose weights we can write down beforehand, set by hand: the
// word before, the first word, the same word, sorting. Then what one row of weights cannot do.
#include "autograd/ops.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/11_known_jobs/parts.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/heat_map.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/table.h"

#include <algorithm>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::print_heat_map;
using tutorial::row;
using tutorial::say;
using tutorial::section;
using tutorial::Words;

const double sharp = 20;  // what one-hot products are multiplied by, so that softmax nearly chooses

// The weights of a head whose queries and keys are set by hand: [T_q, T_k].
Tensor weights_of(const Tensor& Q, const Tensor& K) {
    const Tensor scores = sharp * tensor::matmul(Q, tensor::transpose(K));  // [T_q, T_k]
    return tensor::softmax(scores, -1);
}

// For each position, the one-hot row of the position `back` places before it; zeros where there is
// none: [T, T].
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
    say("A query that is the one-hot row of the position before, and keys that are the one-hot "
        "rows of their own positions: the product is 1 at one place and 0 elsewhere. Times 20, "
        "softmax puts nearly everything there:");
    const Tensor P = tensor::eye(5);                         // keys, [5, 5]
    const Tensor before = weights_of(places_back(5, 1), P);  // [5, 5]
    stop("11.1 the word before", {{"before", before}});
    print_heat_map(std::cout, cabinet, cabinet, before);
    check(least_at(before, 1, {0, 1, 2, 3}) > 0.99, "each word looks at the one before");
    tutorial::predict_number("What weight does the first word give to each, with none before it?",
                             0.2, 0.001, "Its scores are all 0, so its row is uniform.");
    check(tensor::all_close(row(before, 0), tensor::full({5}, 0.2)),
          "but the first, which has none before it, cannot look at nothing: its row is uniform");
    say("The first word is found by all if every query is the first position's row. Heads of "
        "trained models do this often; 11.6 shows what for.");
    const Tensor to_first = tensor::expand(tensor::slice(P, 0, 0, 1), {5, 5});
    const Tensor first = weights_of(to_first, P);  // [5, 5]
    check(least_at(first, 0, {0, 0, 0, 0, 0}) > 0.99, "every word looks at the first");
}

void by_content() {
    section("11.2 The same word");
    say("With one-hot rows for words in place of positions, query and key agree where the words "
        "do. \"the\" stands twice, so it shares its row:");
    const Tensor words = one_hot_words(cabinet);        // [5, 4]
    const Tensor same_word = weights_of(words, words);  // [5, 5]
    stop("11.2 the same word", {{"words", words}, {"same_word", same_word}});
    print_heat_map(std::cout, cabinet, cabinet, same_word);
    check(tensor::all_close(tensor::select(row(same_word, 0), 0, 3), tensor::of(0.5), 0, 1e-3),
          "both \"the\" look at both, half and half");
    check(least_at(same_word, 1, {1, 2}) > 0.99, "the others look at themselves");
}

void sorting() {
    section("11.3 Sorting");
    say("Values 0 to 6, some of them present. Output place v asks for the smallest present value "
        "that is v or more. Score M[v, u] for a key u: the less the further u is above v, and -∞ "
        "below it. Present: 6, 1, 4.");
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
          "in order, each as often as there are places up to it");
}

const Words mary = {"mary", "gave", "roses", "to", "susan"};
const Words susan = {"susan", "gave", "roses", "to", "mary"};

// The rows of "gave", word 1, of three heads: one place back, one and three places ahead. [3, 5]
Tensor three_rows() {
    std::vector<Tensor> rows;
    for (const std::int64_t back : {1, -1, -3}) {
        rows.push_back(row(weights_of(places_back(5, back), tensor::eye(5)), 1));
    }
    return tensor::stack(rows);
}

// The share of each word of `mary` in what rows of weights take from a sentence: [rows, 5].
Tensor taken(const Tensor& weights, const Words& sentence) {
    std::vector<std::int64_t> ids;
    for (const std::string& word : sentence) {
        ids.push_back(std::find(mary.begin(), mary.end(), word) - mary.begin());
    }
    return tensor::matmul(weights, tensor::one_hot(IndexTensor(ids), 5));
}

void print_taken(const Tensor& three, const Tensor& one) {
    tutorial::Table table{.corner = "\"gave\" takes",
                          .what_columns = "words",
                          .rows = {"who", "what", "to whom", "one head"},
                          .columns = mary,
                          .cells = {}};
    for (const Scalar share : tensor::concatenate({three, one}, 0).to_vector()) {
        table.cells.push_back({fixed(share, 2), static_cast<double>(share)});
    }
    tutorial::print_table(std::cout, table);
}

void roses() {
    section("11.4 Mary gave roses to Susan");
    say("Who gave what to whom? \"gave\" needs three words. Three heads have a row of weights for "
        "each: one place back, one and three places ahead. One head alone has one row, and has to "
        "share it:");
    const Tensor three_heads = three_rows();                        // [3, 5]
    const Tensor one_head = tensor::mean(three_heads, 0, keepdim);  // [1, 5]
    print_heat_map(std::cout, {"who", "what", "to whom"}, mary, three_heads);
    print_heat_map(std::cout, {"one head"}, mary, one_head);
    const Tensor three = taken(three_heads, mary), one = taken(one_head, mary);
    const Tensor three_turned = taken(three_heads, susan), one_turned = taken(one_head, susan);
    stop("11.4 who gave what", {{"three", three}, {"one", one}});
    std::cout << "mary gave roses to susan:\n\n";
    print_taken(three, one);
    std::cout << "susan gave roses to mary:\n\n";
    print_taken(three_turned, one_turned);
    check(tensor::max_difference(one, one_turned) < 1e-6,
          "for the one head both sentences are the same: an average of the three words");
    check(tensor::max_difference(three, three_turned) > 0.99,
          "the three heads tell who gave and who received");
    say("That is why layers have several heads (lesson 09): a row sums to 1, so what one head "
        "looks at, it averages.");
}

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    say("Lesson 11: heads whose job is known, and what one row of weights cannot do.");
    by_position();         // 11.1
    by_content();          // 11.2
    sorting();             // 11.3
    roses();               // 11.4
    absent_items(random);  // 11.5 and 11.6, absent.cpp
}

int main(int argc, char** argv) {
    return tutorial::run({.name = "11_known_jobs",
                          .subject = "Heads whose job is known; what one row cannot do.",
                          .trains = true},
                         argc, argv, lesson);
}
