#include "tutorials/exercises/judges/19_2_key_value_cache_mistakes.h"

#include "autograd/ops.h"
#include "tensor/ops.h"
#include "tensor/ops/compare.h"

#include <cmath>

using namespace heed;

namespace exercise {

namespace {

// The positions of T tokens after t others.
Variable places(const Variable& P, std::int64_t t, std::int64_t T, const Slips& slip) {
    if (slip("kv.no-positions")) return slice(P, 0, 0, T) * 0;
    if (slip("kv.one-position")) return slice(P, 0, t, t + 1);
    if (slip("kv.positions-restart")) return slice(P, 0, 0, T);
    if (slip("kv.positions-one-on")) return slice(P, 0, t + 1, t + T + 1);
    return slice(P, 0, t, t + T);
}

// [T, t + T], true where a query must not look.
BoolTensor blocked(std::int64_t t, std::int64_t T, const Slips& slip) {
    std::int64_t last = t;  // the last key that query 0 may see
    if (slip("kv.mask-from-the-left")) last = 0;
    if (slip("mask.strict")) last = t - 1;
    if (slip("mask.plus1")) last = t + 1;
    if (slip("mask.absent")) last = t + T;
    return tensor::triu(tensor::ones({T, t + T}), last + 1) == 1;
}

double root(std::int64_t n) { return std::sqrt(static_cast<double>(n)); }

double scale(const Variable& K, std::int64_t d_v, const Slips& slip) {
    if (slip("att.no-scale")) return 1;
    if (slip("att.scale-dk")) return 1 / static_cast<double>(K.dim(-1));
    if (slip("att.scale-T")) return 1 / root(K.dim(1));
    if (slip("att.scale-dv")) return 1 / root(d_v);
    return 1 / root(K.dim(-1));
}

Variable shares_of(const Variable& scores, const Slips& slip) {
    if (!slip("sm.no-max")) return softmax(scores, -1);
    return exp(scores) / sum(exp(scores), -1, keepdim);
}

}  // namespace

Continued continued_walk(const Variable& X, const KeysValues& past, const HeadWeights& weights,
                         const Slips& slip) {
    const std::int64_t t = past.K.dim(1), T = X.dim(1);
    const Variable placed = X + places(weights.P, t, T, slip);
    const Variable Q = matmul(slip("kv.queries-unplaced") ? X : placed, weights.W_Q);
    const Variable keys = matmul(slip("kv.keys-unplaced") ? X : placed, weights.W_K);
    const Variable values = matmul(slip("kv.values-unplaced") ? X : placed, weights.W_V);
    const bool cut = slip("kv.past-constant"), behind = slip("kv.new-first");
    const Variable old_K = cut ? past.K.detach() : past.K;
    const Variable old_V = cut ? past.V.detach() : past.V;
    const Variable K = behind ? concatenate({keys, old_K}, 1) : concatenate({old_K, keys}, 1);
    const Variable V = behind ? concatenate({values, old_V}, 1) : concatenate({old_V, values}, 1);
    const bool alone = slip("kv.past-unused");
    const Variable& seen_K = alone ? keys : K;
    const Variable& seen_V = alone ? values : V;
    const Variable scores = matmul(Q, transpose(seen_K)) * scale(seen_K, V.dim(-1), slip);
    const BoolTensor future = blocked(alone ? 0 : t, T, slip);
    const Variable shares = shares_of(masked_fill(scores, future, -infinity), slip);
    Continued result{matmul(shares, seen_V), {K, V}};
    if (slip("kv.past-handed-on")) result.now = past;
    if (slip("kv.new-handed-on")) result.now = {keys, values};
    return result;
}

std::vector<Mistake> key_value_cache_mistakes() {
    const std::string place = "Read a text of 2 tokens in two pieces: which row of P is added?";
    const std::string mask = "Write down the mask for t = 3 and T = 2, row by row.";
    const std::string now = "The shape of now.K after each piece.";
    return {
        {"kv.positions-restart",
         "the positions began again at 0 in each piece",
         {"Which position has the first token of the second piece?", place}},
        {"kv.positions-one-on",
         "the positions were one too far",
         {"Which position has the first token of all?", place}},
        {"kv.one-position",
         "all tokens of a piece had the position of its first",
         {"Which position has the second token of a piece?", place}},
        {"kv.no-positions", "no position was added", {"What is P for?", place}},
        {"kv.keys-unplaced",
         "the keys were those of X without its positions",
         {"To what is the position added: to X, or to the queries?", "What W_K multiplies."}},
        {"kv.values-unplaced",
         "the values were those of X without its positions",
         {"To what is the position added: to X, or to queries and keys?", "What W_V multiplies."}},
        {"kv.queries-unplaced",
         "the queries were those of X without its positions",
         {"To what is the position added: to X, or to the keys?", "What W_Q multiplies."}},
        {"kv.past-unused",
         "the tokens of a piece saw each other only, and nothing of the past",
         {"Which keys does a query meet?", "The shape of the scores: how many columns?"}},
        {"kv.new-first",
         "the new keys and values stood before those of the past",
         {"In which order does the text stand?", "The order in your concatenate."}},
        {"mask.absent",
         "a token saw those after it in the same piece",
         {"May a token of the piece see the next one?", mask}},
        {"kv.mask-from-the-left",
         "the mask began at the first key of the past, so that query i saw keys 0 to i only",
         {"How many keys does the first query of X see, after 3 tokens?", mask}},
        {"mask.strict", "a token did not see itself", {"May a token see itself?", mask}},
        {"mask.plus1", "a token saw the next one too", {"May a token see the next one?", mask}},
        {"kv.past-handed-on",
         "what was handed on was the past as it came, without the new tokens",
         {"What does the next piece need?", now}},
        {"kv.new-handed-on",
         "what was handed on were the new keys and values only",
         {"What does the piece after the next need?", now}},
        {"kv.past-constant",
         "the past entered as a constant, so that no gradient reached the earlier pieces",
         {"Does the graph know past.K and past.V?", "Look for value() or detach()."}},
        {"att.no-scale",
         "the scores were not divided by √d_k",
         {"What keeps the spread of scores at 1?", "The line with the scores."}},
        {"att.scale-dk",
         "the scores were divided by d_k and not by its root",
         {"Is it d_k, or its root?", "The line with the scores."}},
        {"att.scale-T",
         "the scores were divided by the root of the number of keys",
         {"Over which axis does a score sum?", "Which number is under your root?"}},
        {"att.scale-dv",
         "the scores were divided by √d_v",
         {"Over which axis does a score sum?", "Which number is under your root?"}},
        {"sm.no-max",
         "exp was taken of the scores as they are, which overflows where they are large",
         {"What is exp(1000)?", "The case with large scores."}},
    };
}

}  // namespace exercise
