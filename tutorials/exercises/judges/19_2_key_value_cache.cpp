#include "tutorials/exercises/judges/19_2_key_value_cache.h"

#include "tutorials/exercises/judges/19_2_key_value_cache_mistakes.h"
#include "tutorials/exercises/judging/compare.h"
#include "tutorials/exercises/judging/gradients.h"
#include "tutorials/exercises/judging/inputs.h"

#include "autograd/ops.h"
#include "nn/attention/attention.h"
#include "tensor/ops.h"

#include <cmath>

using namespace heed;

namespace exercise {

namespace {

using Pieces = std::vector<std::int64_t>;

struct Sizes {
    std::int64_t B, d_model, d_k, d_v;
};

Variable leaf(const Shape& shape, std::uint64_t seed, double deviation = 1) {
    return Variable(random(shape, seed, deviation), requires_grad);
}

HeadWeights random_weights(const Sizes& sizes, std::int64_t limit, std::uint64_t seed,
                           double deviation = 0.6) {
    return {leaf({limit, sizes.d_model}, seed),
            leaf({sizes.d_model, sizes.d_k}, seed + 1, deviation),
            leaf({sizes.d_model, sizes.d_k}, seed + 2, deviation),
            leaf({sizes.d_model, sizes.d_v}, seed + 3)};
}

KeysValues nothing_read(const Sizes& sizes) {
    return {Variable(tensor::zeros({sizes.B, 0, sizes.d_k})),
            Variable(tensor::zeros({sizes.B, 0, sizes.d_v}))};
}

// All that a head is given: the text, what was read before, the weights.
struct Given {
    Variable X;
    KeysValues past;
    HeadWeights weights;

    std::vector<Leaf> leaves() const {
        std::vector<Leaf> all = {{"X", X},
                                 {"P", weights.P},
                                 {"W_Q", weights.W_Q},
                                 {"W_K", weights.W_K},
                                 {"W_V", weights.W_V}};
        if (!past.K.requires_grad()) return all;
        all.push_back({"past.K", past.K});
        all.push_back({"past.V", past.V});
        return all;
    }
};

Continued in_pieces(const AttendFrom& attend, const Given& in, const Pieces& pieces) {
    Continued last{Variable(), in.past};
    std::vector<Variable> outputs;
    std::int64_t first = 0;
    for (const std::int64_t T : pieces) {
        last = attend(slice(in.X, 1, first, first + T), last.now, in.weights);
        outputs.push_back(last.output);
        first += T;
    }
    return {concatenate(outputs, 1), last.now};
}

Case reading(const std::string& name, const Given& in, const Pieces& pieces,
             const AttendFrom& attend) {
    const auto stages = [=](const AttendFrom& way) {
        const Continued read = in_pieces(way, in, pieces);
        return with_gradients({{"output", read.output.value()},
                               {"now.K", read.now.K.value()},
                               {"now.V", read.now.V.value()}},
                              read.output, in.leaves());
    };
    Stages inputs = values_of(in.leaves());
    return {name,
            [=](const Slips& slip) {
                return stages(
                    [=](const Variable& X, const KeysValues& past, const HeadWeights& weights) {
                        return continued_walk(X, past, weights, slip);
                    });
            },
            [=] { return stages(attend); }, inputs};
}

// A text from its beginning.
Given text_of(const Sizes& sizes, std::int64_t length, std::uint64_t seed) {
    return {leaf({sizes.B, length, sizes.d_model}, seed), nothing_read(sizes),
            random_weights(sizes, length + 3, seed + 1)};
}

// `length` tokens after t others, whose keys and values are anything.
Given after(const Sizes& sizes, std::int64_t t, std::int64_t length, std::uint64_t seed,
            double deviation = 0.6) {
    return {leaf({sizes.B, length, sizes.d_model}, seed),
            {leaf({sizes.B, t, sizes.d_k}, seed + 1), leaf({sizes.B, t, sizes.d_v}, seed + 2)},
            random_weights(sizes, t + length + 3, seed + 3, deviation)};
}

Given large_text() {
    Given in = text_of({4, 5, 3, 2}, 4, 111);
    in.weights = random_weights({4, 5, 3, 2}, 7, 112, 40);
    return in;
}

// Scores far below any number that may stand for -∞.
Given far_below_0() {
    const auto of_one_sign = [](const Variable& x, double factor) {
        return Variable(tensor::abs(x.value()) * factor, requires_grad);
    };
    Given in = after({2, 4, 3, 2}, 2, 4, 131);
    in.X = of_one_sign(in.X, 1);
    in.past.K = of_one_sign(in.past.K, -1e6);
    in.weights.P = of_one_sign(in.weights.P, 1);
    in.weights.W_Q = of_one_sign(in.weights.W_Q, 1e6);
    in.weights.W_K = of_one_sign(in.weights.W_K, -1e6);
    return in;
}

// As many tokens as there are positions.
Given up_to_the_limit() {
    Given in = text_of({2, 4, 3, 2}, 5, 141);
    in.weights = random_weights({2, 4, 3, 2}, 5, 142);
    return in;
}

std::vector<Case> cases(const AttendFrom& attend) {
    const Sizes sizes{2, 5, 3, 4};
    const Given text = text_of(sizes, 6, 1);
    return {
        reading("2 texts of 6 tokens, read at once", text, {6}, attend),
        reading("the same texts, a token at a time", text, {1, 1, 1, 1, 1, 1}, attend),
        reading("the same texts in pieces of 2, 3 and 1", text, {2, 3, 1}, attend),
        reading("the same texts in pieces of 1 and 5", text, {1, 5}, attend),
        reading("3 tokens after a past of 4", after({3, 4, 2, 5}, 4, 3, 11), {3}, attend),
        reading("one token after a past of 5", after({2, 3, 6, 2}, 5, 1, 21), {1}, attend),
        reading("4 tokens after a past of 2, in halves", after({1, 6, 4, 3}, 2, 4, 31), {2, 2},
                attend),
        reading("a single token, nothing before it", text_of({1, 3, 2, 2}, 1, 41), {1}, attend),
        reading("2 tokens after a past of 70", after({2, 4, 3, 2}, 70, 2, 51), {1, 1}, attend),
        reading("large scores", after({2, 5, 3, 4}, 3, 4, 61, 40), {3, 1}, attend),
        reading("large scores, nothing before", large_text(), {3, 1}, attend),
        reading("scores far below 0", far_below_0(), {3, 1}, attend),
        reading("as many tokens as positions", up_to_the_limit(), {3, 2}, attend),
        reading("2 other texts of 6 tokens, with other weights", text_of(sizes, 6, 121), {4, 2},
                attend),
        reading("d_model, d_k, d_v, B and T all 3", text_of({3, 3, 3, 3}, 3, 71), {3}, attend),
    };
}

// "has shape ..." or "differs in ..."; empty if they are the same
std::string seen(const Tensor& yours, const Tensor& expected) {
    const std::string shape = wrong_shape(yours, expected);
    if (!shape.empty()) return "has shape " + shape;
    return same(yours, expected) ? "" : difference(yours, expected);
}

std::string pieces_differ(const AttendFrom& attend) {
    const Given text = text_of({2, 4, 3, 5}, 7, 81);
    const Tensor at_once = in_pieces(attend, text, {7}).output.value();
    for (const Pieces& pieces : {Pieces{3, 4}, Pieces{1, 1, 1, 1, 1, 1, 1}, Pieces{5, 1, 1}}) {
        const Tensor output = in_pieces(attend, text, pieces).output.value();
        const std::string differs = seen(output, at_once);
        if (differs.empty()) continue;
        std::string named;
        for (const std::int64_t T : pieces)
            named += (named.empty() ? "" : ", ") + std::to_string(T);
        return "Read in pieces of " + named + " the output of 7 tokens " + differs +
               " (expected: as read at once).";
    }
    return "";
}

// Two texts go on from the same past; then the first of them reads its next token.
std::string past_serves_once(const AttendFrom& attend) {
    const Given in = after({2, 4, 3, 5}, 3, 2, 91);
    const Variable one = slice(in.X, 1, 0, 1), next = slice(in.X, 1, 1, 2);
    const Variable other(random({2, 1, 4}, 95));
    const KeysValues now = attend(one, in.past, in.weights).now;
    const Tensor alone = tensor::clone(attend(next, now, in.weights).output.value());
    attend(other, in.past, in.weights);
    const std::string differs = seen(attend(next, now, in.weights).output.value(), alone);
    if (differs.empty()) return "";
    return "After another text has gone on from the same past, the output of a text's next token " +
           differs + " (expected: as if there were no other text).";
}

std::string later_tokens_matter(const AttendFrom& attend) {
    const Given in = after({1, 4, 3, 5}, 3, 4, 101);
    const Given cut{slice(in.X, 1, 0, 3), in.past, in.weights};
    const Tensor output = attend(in.X, in.past, in.weights).output.value();
    const Tensor shorter = attend(cut.X, cut.past, cut.weights).output.value();
    const Tensor first = tensor::slice(output, 1, 0, 3);
    const std::string differs = seen(shorter, first);
    if (differs.empty()) return "";
    return "Without the last of 4 tokens, the output of the first 3 " + differs +
           " (expected: as with it).";
}

}  // namespace

Exercise key_value_cache(const AttendFrom& attend) {
    Exercise exercise;
    exercise.number = "19.2";
    exercise.title = "A key/value cache";
    exercise.cases = cases(attend);
    exercise.laws = {
        {"a text in pieces has the outputs of the whole", [=] { return pieces_differ(attend); }},
        {"several texts can go on from the same past", [=] { return past_serves_once(attend); }},
        {"later tokens change nothing", [=] { return later_tokens_matter(attend); }}};
    exercise.mistakes = key_value_cache_mistakes();
    exercise.hints = {
        "How many keys does token i of X see, if there were t tokens before X?",
        "Lesson 19.1 has a head with a cache that reads one token at a time; tensor/mask.h has a "
        "causal mask for more keys than queries",
        "K and V are those of the past, followed by those of X + P[t ... t + T - 1]; scores are "
        "[B, T, t + T], and query i sees keys 0 to t + i",
        "slice(weights.P, 0, t, t + T) for the positions, concatenate({past.K, ...}, 1) for the "
        "keys, Mask::causal(T, t + T) for the future"};
    exercise.factors = {{"√3", 1.7320508075688772}, {"1/√3", 0.5773502691896258}};
    return exercise;
}

namespace {

// Token by token, also within a piece: no mask is needed.
Continued token_by_token(const Variable& X, const KeysValues& past, const HeadWeights& weights) {
    KeysValues now = past;
    std::vector<Variable> outputs;
    for (std::int64_t i = 0; i < X.dim(1); ++i) {
        const Variable x = slice(X, 1, i, i + 1) + select(weights.P, 0, past.K.dim(1) + i);
        now = {concatenate({now.K, matmul(x, weights.W_K)}, 1),
               concatenate({now.V, matmul(x, weights.W_V)}, 1)};
        const Variable q = matmul(x, weights.W_Q);
        outputs.push_back(scaled_dot_product_attention(q, now.K, now.V).output);
    }
    return {concatenate(outputs, 1), now};
}

// The past and the piece by themselves, joined in the softmax only.
Continued two_parts(const Variable& X, const KeysValues& past, const HeadWeights& weights) {
    const std::int64_t t = past.K.dim(1), T = X.dim(1);
    const Variable x = X + slice(weights.P, 0, t, t + T);
    const Variable q = matmul(x, weights.W_Q) / std::sqrt(static_cast<double>(past.K.dim(-1)));
    const Variable K = matmul(x, weights.W_K), V = matmul(x, weights.W_V);
    const Variable own = masked_fill(matmul(q, transpose(K)), Mask::causal(T).blocked(), -infinity);
    const Variable shares =
        softmax(concatenate({matmul(q, transpose(past.K)), own}, -1), -1);  // [B, T, t + T]
    const Variable output =
        matmul(slice(shares, -1, 0, t), past.V) + matmul(slice(shares, -1, t), V);
    return {output, {concatenate({past.K, K}, 1), concatenate({past.V, V}, 1)}};
}

}  // namespace

Trials key_value_cache_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return key_value_cache(
            [=](const Variable& X, const KeysValues& past, const HeadWeights& weights) {
                return continued_walk(X, past, weights, slip);
            });
    };
    trials.right["token by token"] = [] { return key_value_cache(token_by_token); };
    trials.right["past and piece by themselves"] = [] { return key_value_cache(two_parts); };
    return trials;
}

}  // namespace exercise
