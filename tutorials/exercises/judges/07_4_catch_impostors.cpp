#include "tutorials/exercises/judges/common_impostors.h"
#include "tutorials/exercises/judges/common_qkv.h"
#include "tutorials/exercises/judges/lesson_07.h"
#include "tutorials/exercises/judging/kit.h"

using namespace heed;
using namespace exercise::impostors;

namespace exercise {
namespace {
std::vector<Impostor> impostors_here() {
    return {
        {"att.no-scale", "one that does not divide the scores by √d_k"},
        {"att.scale-dk", "one that divides the scores by d_k, and not by its root"},
        {"att.scale-mul", "one that multiplies the scores by √d_k"},
        {"att.scale-T", "one that divides the scores by the root of the number of keys"},
        {"att.scale-after", "one that divides the weights by √d_k, and not the scores"},
        {"att.keys-from-queries", "one that compares queries with queries, and not with keys"},
        {"att.q-from-keys", "one that compares keys with keys, and uses no query"},
        {"att.kq", "one that computes K·Qᵀ for Q·Kᵀ"},
        {"att.keys-from-values", "one that compares queries with values, and not with keys"},
        {"att.values-from-keys", "one that adds up weighted keys, and not values"},
        {"att.weights-T", "one that transposes the weights before it applies them to the values"},
        {"sm.cols", "one whose softmax runs along the columns"},
        {"sm.all", "one whose softmax divides by the sum of all rows"},
        {"sm.exp-only", "one that does not divide the exponentials by their sum"},
        {"sm.sum-norm", "one that divides the scores by their sum, without exp"},
    };
}

Tensor output_of(const Input& in, const Slips& slip) {
    const QueriesKeysValues variables = {Variable(in.Q), Variable(in.K), Variable(in.V)};
    return attention(variables, {}, slip).output.value();
}

bool differ(const Tensor& a, const Tensor& b) { return !same(a, b); }

std::string does_not_fit(const Input& in) {
    for (const auto& [name, x] :
         {std::pair("Q", in.Q), std::pair("K", in.K), std::pair("V", in.V)}) {
        const std::string it = name;
        if (x.rank() != 2) return it + " has shape " + x.shape().text() + ", and needs two axes.";
        if (x.numel() == 0) return it + " has shape " + x.shape().text() + ": an axis is empty.";
        if (!tensor::is_finite(x).all()) return it + " has an entry that is infinite or NaN.";
    }
    const std::string shapes = "Q " + in.Q.shape().text() + ", K " + in.K.shape().text() + ", V " +
                               in.V.shape().text() + ": ";
    if (in.Q.dim(1) != in.K.dim(1)) return shapes + "queries and keys must be of one length.";
    if (in.K.dim(0) != in.V.dim(0)) return shapes + "each key must have one value.";
    if (!tensor::is_finite(output_of(in, {})).all()) {
        return "The correct output has an entry that is infinite or NaN: the scores or the values "
               "are too large.";
    }
    return "";
}

bool constant(const Tensor& x) { return tensor::max(x).item() == tensor::min(x).item(); }

bool all_constant(const Input& in) { return constant(in.Q) && constant(in.K) && constant(in.V); }

bool all_the_same(const Input& in) { return same(in.Q, in.K) && same(in.K, in.V); }

bool all_the_same_number(const Input& in) {
    return all_constant(in) && tensor::max(in.Q).item() == tensor::max(in.K).item() &&
           tensor::max(in.K).item() == tensor::max(in.V).item();
}

bool keys_are_queries(const Input& in) { return same(in.Q, in.K) && !same(in.K, in.V); }

bool values_are_keys(const Input& in) { return !same(in.Q, in.K) && same(in.K, in.V); }

bool one_key(const Input& in) { return in.K.dim(0) == 1; }

bool equal_values(const Input& in) {
    const Tensor first = tensor::slice(in.V, 0, 0, 1);
    return in.V.dim(0) > 1 && (in.V == first).all() && !all_constant(in);
}

bool equal_keys(const Input& in) {
    const Tensor first = tensor::slice(in.K, 0, 0, 1);
    return in.K.dim(0) > 1 && (in.K == first).all() && !all_constant(in);
}

bool as_many_as_long(const Input& in) { return in.K.dim(0) == in.K.dim(1) && in.K.dim(0) > 1; }

bool one_feature(const Input& in) { return in.K.dim(1) == 1; }

bool hard(const Input& in) {
    const Tensor scores = tensor::matmul(in.Q, tensor::transpose(in.K));
    const Tensor weights = tensor::softmax(scores / static_cast<double>(in.K.dim(1)), -1);
    return in.K.dim(0) > 1 && tensor::min(tensor::max(weights, {-1})).item() > 0.9999;
}

bool weak(const Input& in) {
    const Tensor scores = tensor::matmul(in.Q, tensor::transpose(in.K));
    return tensor::max(tensor::abs(scores)).item() < 1e-3;
}

Tensor rows_like_the_first(const Tensor& x) {
    return tensor::contiguous(tensor::expand(tensor::slice(x, 0, 0, 1), x.shape()));
}

Tensor full_like(const Tensor& x, double number) { return tensor::full(x.shape(), number); }

// Constants that differ, as equal ones are three flaws more.
Input with_constants(const Input& x) {
    return {full_like(x.Q, 0.3), full_like(x.K, 0.7), full_like(x.V, 1.1)};
}
Input with_ones(const Input& x) {
    return {full_like(x.Q, 1), full_like(x.K, 1), full_like(x.V, 1)};
}
Input with_equal_values(const Input& x) { return {x.Q, x.K, rows_like_the_first(x.V)}; }
Input with_equal_keys(const Input& x) { return {x.Q, rows_like_the_first(x.K), x.V}; }
Input with_large_scores(const Input& x) { return {x.Q * 1e5, x.K, x.V}; }
Input with_small_scores(const Input& x) { return {x.Q * 1e-6, x.K, x.V}; }

Flaw flaw(const std::string& id, bool (*seen)(const Input&), Input (*imposed)(const Input&),
          const std::string& says, const std::string& site) {
    return {{id, says, "Which impostors give the correct output on it?", site}, seen, imposed};
}

std::vector<Flaw> flaws() {
    return {
        flaw("in.ones", all_the_same_number, with_ones, "all numbers of Q, K and V were the same",
             "With equal numbers all scores of a query are equal. What is softmax of them?"),
        flaw("in.constant", all_constant, with_constants,
             "all numbers of Q were equal, those of K too, and those of V",
             "With equal numbers all scores of a query are equal. What is softmax of them?"),
        flaw("in.q=k=v", all_the_same, with_one_for_all,
             "queries, keys and values were the same numbers",
             "Who takes one of them for another, and so gives the correct output?"),
        flaw("in.q=k", keys_are_queries, with_queries_for_keys,
             "queries and keys were the same numbers",
             "Who takes one of them for another, and so gives the correct output?"),
        flaw("in.k=v", values_are_keys, with_keys_for_values,
             "keys and values were the same numbers",
             "Who takes one of them for another, and so gives the correct output?"),
        flaw("in.one-key", one_key, as_it_is, "there was only one key, which gets all the weight",
             "What is softmax of a single score?"),
        flaw("in.equal-values", equal_values, with_equal_values,
             "all values were equal, so that their weights do not matter",
             "What is a weighted sum of equal rows, if the weights sum to 1?"),
        flaw("in.equal-keys", equal_keys, with_equal_keys,
             "all keys were equal, so that all weights are", "What is softmax of equal scores?"),
        flaw("in.hard", hard, with_large_scores,
             "scores were so far apart that one key has all the weight",
             "What does a scale change where one weight is 1?"),
        flaw("in.weak", weak, with_small_scores, "scores were so small that all weights are equal",
             "What is softmax of numbers near 0?"),
        flaw("in.d_k=1", one_feature, as_it_is, "a key had a single number, so that √d_k is 1",
             "What are √d_k and d_k for your keys?"),
        flaw("in.T=d", as_many_as_long, as_it_is, "there were as many keys as a key has numbers",
             "Compare √d_k with the root of the number of keys."),
    };
}

Lineup lineup() { return {impostors_here(), output_of, differ, flaws(), does_not_fit}; }

CatchingInput reference(const Slips& slip) {
    Input in = {random({3, 6}, 4), random({5, 6}, 5), random({5, 2}, 6)};
    if (slip("in.one-key")) in = {random({4, 4}, 1), random({1, 4}, 2), random({1, 4}, 3)};
    if (slip("in.d_k=1")) in = {random({3, 1}, 1), random({5, 1}, 2), random({5, 2}, 3)};
    if (slip("in.T=d")) in = {random({4, 4}, 1), random({4, 4}, 2), random({4, 4}, 3)};
    for (const std::string of_square : {"in.ones", "in.constant", "in.q=k=v", "in.q=k", "in.k=v"}) {
        if (slip(of_square)) in = {random({5, 3}, 1), random({5, 3}, 2), random({5, 3}, 3)};
    }
    in = flawed(in, lineup(), slip);
    return [=] { return AttentionInput{in.Q, in.K, in.V}; };
}

Rules<CatchingInput> rules() {
    return {
        .number = "07.4",
        .title = "Catch the impostors",
        .reference = reference,
        .hints = {"What must an input have, so that an exchange of two things is seen?",
                  "Take one of those that still pass, and work out what it does to your input",
                  "random numbers, Q, K and V all different, and T_q, T_k, d_k, d_v too",
                  "normal({3, 6}, random), normal({5, 6}, random), normal({5, 2}, random)"},
        .more =
            [](Exercise& exercise, const CatchingInput& input) {
                add_to(exercise, lineup(), [=]() -> Input {
                    const AttentionInput its = input();
                    return {its.Q, its.K, its.V};
                });
            },
    };
}

}  // namespace

const Judge<CatchingInput> judge_07_4(rules);

}  // namespace exercise
