#include "tutorials/exercises/judges/lesson_19.h"
#include "tutorials/exercises/judging/kit.h"

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

std::vector<Mistake> mistakes() {
    const std::string place = "Read a text of 2 tokens in two pieces: which row of P is added?";
    const std::string mask = "Write down the mask for t = 3 and T = 2, row by row.";
    const std::string now = "The shape of now.K after each piece.";
    return {
        {"kv.positions-restart", "the positions began again at 0 in each piece",
         "Which position has the first token of the second piece?", place},
        {"kv.positions-one-on", "the positions were one too far",
         "Which position has the first token of all?", place},
        {"kv.one-position", "all tokens of a piece had the position of its first",
         "Which position has the second token of a piece?", place},
        {"kv.no-positions", "no position was added", "What is P for?", place},
        {"kv.keys-unplaced", "the keys were those of X without its positions",
         "To what is the position added: to X, or to the queries?", "What W_K multiplies."},
        {"kv.values-unplaced", "the values were those of X without its positions",
         "To what is the position added: to X, or to queries and keys?", "What W_V multiplies."},
        {"kv.queries-unplaced", "the queries were those of X without its positions",
         "To what is the position added: to X, or to the keys?", "What W_Q multiplies."},
        {"kv.past-unused", "the tokens of a piece saw each other only, and nothing of the past",
         "Which keys does a query meet?", "The shape of the scores: how many columns?"},
        {"kv.new-first", "the new keys and values stood before those of the past",
         "In which order does the text stand?", "The order in your concatenate."},
        {"mask.absent", "a token saw those after it in the same piece",
         "May a token of the piece see the next one?", mask},
        {"kv.mask-from-the-left",
         "the mask began at the first key of the past, so that query i saw keys 0 to i only",
         "How many keys does the first query of X see, after 3 tokens?", mask},
        {"mask.strict", "a token did not see itself", "May a token see itself?", mask},
        {"mask.plus1", "a token saw the next one too", "May a token see the next one?", mask},
        {"kv.past-handed-on", "what was handed on was the past as it came, without the new tokens",
         "What does the next piece need?", now},
        {"kv.new-handed-on", "what was handed on were the new keys and values only",
         "What does the piece after the next need?", now},
        {"kv.past-constant",
         "the past entered as a constant, so that no gradient reached the earlier pieces",
         "Does the graph know past.K and past.V?", "Look for value() or detach()."},
        {"att.no-scale", "the scores were not divided by √d_k",
         "What keeps the spread of scores at 1?", "The line with the scores."},
        {"att.scale-dk", "the scores were divided by d_k and not by its root",
         "Is it d_k, or its root?", "The line with the scores."},
        {"att.scale-T", "the scores were divided by the root of the number of keys",
         "Over which axis does a score sum?", "Which number is under your root?"},
        {"att.scale-dv", "the scores were divided by √d_v", "Over which axis does a score sum?",
         "Which number is under your root?"},
        {"sm.no-max",
         "exp was taken of the scores as they are, which overflows where they are large",
         "What is exp(1000)?", "The case with large scores."},
    };
}

struct Sizes {
    std::int64_t B, d_model, d_k, d_v;
};

// All that a head is given: the text, what was read before, the weights.
struct Given {
    Variable X;
    KeysValues past;
    HeadWeights weights;
};

std::vector<Leaf> leaves_of(const Given& in) {
    std::vector<Leaf> all = {{"X", in.X},
                             {"P", in.weights.P},
                             {"W_Q", in.weights.W_Q},
                             {"W_K", in.weights.W_K},
                             {"W_V", in.weights.W_V}};
    if (!in.past.K.requires_grad()) return all;
    return joined(all, std::vector<Leaf>{{"past.K", in.past.K}, {"past.V", in.past.V}});
}

// A text and the pieces in which it is read.
using Pieces = std::vector<std::int64_t>;
struct Input {
    Given text;
    Pieces pieces;
};
Stages given(const Input& in) { return values_of(leaves_of(in.text)); }

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

// A text from its beginning, and more positions than it has tokens.
Given text_of(const Sizes& sizes, std::int64_t length, std::uint64_t seed, double deviation = 0.6,
              std::int64_t more = 3) {
    const auto nothing = [&](std::int64_t d) { return Variable(tensor::zeros({sizes.B, 0, d})); };
    return {leaf({sizes.B, length, sizes.d_model}, seed),
            {nothing(sizes.d_k), nothing(sizes.d_v)},
            random_weights(sizes, length + more, seed + 1, deviation)};
}

// `length` tokens after t others, whose keys and values are anything.
Given after(const Sizes& sizes, std::int64_t t, std::int64_t length, std::uint64_t seed,
            double deviation = 0.6) {
    return {leaf({sizes.B, length, sizes.d_model}, seed),
            {leaf({sizes.B, t, sizes.d_k}, seed + 1), leaf({sizes.B, t, sizes.d_v}, seed + 2)},
            random_weights(sizes, t + length + 3, seed + 3, deviation)};
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

Inputs<Input> inputs() {
    const Sizes sizes{2, 5, 3, 4};
    const Given text = text_of(sizes, 6, 1);
    return {
        {"2 texts of 6 tokens, read at once", {text, {6}}},
        {"the same texts, a token at a time", {text, {1, 1, 1, 1, 1, 1}}},
        {"the same texts in pieces of 2, 3 and 1", {text, {2, 3, 1}}},
        {"the same texts in pieces of 1 and 5", {text, {1, 5}}},
        {"3 tokens after a past of 4", {after({3, 4, 2, 5}, 4, 3, 11), {3}}},
        {"one token after a past of 5", {after({2, 3, 6, 2}, 5, 1, 21), {1}}},
        {"4 tokens after a past of 2, in halves", {after({1, 6, 4, 3}, 2, 4, 31), {2, 2}}},
        {"a single token, nothing before it", {text_of({1, 3, 2, 2}, 1, 41), {1}}},
        {"2 tokens after a past of 70", {after({2, 4, 3, 2}, 70, 2, 51), {1, 1}}},
        {"large scores", {after({2, 5, 3, 4}, 3, 4, 61, 40), {3, 1}}},
        {"large scores, nothing before", {text_of({4, 5, 3, 2}, 4, 111, 40), {3, 1}}},
        {"scores far below 0", {far_below_0(), {3, 1}}},
        {"as many tokens as positions", {text_of({2, 4, 3, 2}, 5, 141, 0.6, 0), {3, 2}}},
        {"2 other texts of 6 tokens, with other weights", {text_of(sizes, 6, 121), {4, 2}}},
        {"d_model, d_k, d_v, B and T all 3", {text_of({3, 3, 3, 3}, 3, 71), {3}}},
    };
}

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

Stages stages(const AttendFrom& attend, const Input& in) {
    const Continued read = in_pieces(attend, in.text, in.pieces);
    return with_gradients({{"output", read.output.value()},
                           {"now.K", read.now.K.value()},
                           {"now.V", read.now.V.value()}},
                          read.output, leaves_of(in.text));
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

Rules<AttendFrom> rules() {
    return {
        .number = "19.2",
        .title = "A key/value cache",
        .reference =
            [](const Slips& slip) {
                return [=](const Variable& X, const KeysValues& past, const HeadWeights& weights) {
                    return continued_walk(X, past, weights, slip);
                };
            },
        .cases = on_each(stages, inputs()),
        .laws = {{"a text in pieces has the outputs of the whole", pieces_differ},
                 {"several texts can go on from the same past", past_serves_once},
                 {"later tokens change nothing", later_tokens_matter}},
        .mistakes = mistakes(),
        .hints = {"How many keys does token i of X see, if there were t tokens before X?",
                  "Lesson 19.1 has a head with a cache that reads one token at a time; "
                  "tensor/mask.h has a causal mask for more keys than queries",
                  "K and V are those of the past, followed by those of X + P[t ... t + T - 1]; "
                  "scores are [B, T, t + T], and query i sees keys 0 to t + i",
                  "slice(weights.P, 0, t, t + T) for the positions, concatenate({past.K, ...}, 1) "
                  "for the keys, Mask::causal(T, t + T) for the future"},
        .factors = {{"√3", 1.7320508075688772}, {"1/√3", 0.5773502691896258}},
    };
}

}  // namespace

const Judge<AttendFrom> judge_19_2(rules);

}  // namespace exercise
