// Answers to 19.2, in the form learners and careless engineers write them.
#include "tutorials/exercises/judges/19_2_key_value_cache.h"
#include "tests/tutorials/exercises/answers/answers.h"

#include "heed/autograd/ops.h"
#include "heed/nn/attention/attention.h"
#include "heed/tensor/ops.h"

#include <algorithm>
#include <cmath>

using namespace heed;
using namespace exercise;

namespace exercise {
Answers answers_19_2();
}

namespace {

using Past = KeysValues;
using Weights = HeadWeights;

double root(std::int64_t n) { return std::sqrt(static_cast<double>(n)); }

Variable placed_at(const Variable& X, const Weights& weights, std::int64_t first) {
    return X + slice(weights.P, 0, first, first + X.dim(1));
}

Past appended(const Variable& placed, const Past& past, const Weights& weights) {
    return {concatenate({past.K, matmul(placed, weights.W_K)}, 1),
            concatenate({past.V, matmul(placed, weights.W_V)}, 1)};
}

Variable scores_of(const Variable& placed, const Past& now, const Weights& weights) {
    return matmul(matmul(placed, weights.W_Q), transpose(now.K)) / root(now.K.dim(-1));
}

Variable masked(const Variable& scores, double fill = -infinity) {
    return masked_fill(scores, Mask::causal(scores.dim(1), scores.dim(2)).blocked(), fill);
}

Continued from_placed(const Variable& placed, const Past& past, const Weights& weights) {
    const Past now = appended(placed, past, weights);
    return {matmul(softmax(masked(scores_of(placed, now, weights)), -1), now.V), now};
}

Continued right(const Variable& X, const Past& past, const Weights& weights) {
    return from_placed(placed_at(X, weights, past.K.dim(1)), past, weights);
}

Continued masked_without_past_only(const Variable& X, const Past& past, const Weights& weights) {
    const std::int64_t t = past.K.dim(1);
    const Variable placed = placed_at(X, weights, t);
    const Past now = appended(placed, past, weights);
    const Variable scores = scores_of(placed, now, weights);
    return {matmul(softmax(t == 0 ? masked(scores) : scores, -1), now.V), now};
}

Continued square_mask_in_front(const Variable& X, const Past& past, const Weights& weights) {
    const Variable placed = placed_at(X, weights, past.K.dim(1));
    const Past now = appended(placed, past, weights);
    const Variable scores = scores_of(placed, now, weights);
    const std::int64_t T = scores.dim(1), t = scores.dim(2) - T;
    const Tensor future = tensor::triu(tensor::ones({T, T}), 1);
    const BoolTensor blocked = tensor::concatenate({future, tensor::zeros({T, t})}, 1) == 1;
    return {matmul(softmax(masked_fill(scores, blocked, -infinity), -1), now.V), now};
}

Continued past_of_text_0(const Variable& X, const Past& past, const Weights& weights) {
    const Dims like{X.dim(0), -1, -1};
    return right(X, {expand(slice(past.K, 0, 0, 1), like), expand(slice(past.V, 0, 0, 1), like)},
                 weights);
}

Continued counts_calls(const Variable& X, const Past& past, const Weights& weights) {
    static std::int64_t calls = 0;
    if (past.K.dim(1) == 0) calls = 0;
    const std::int64_t first = std::min(calls++, weights.P.dim(0) - X.dim(1));
    return from_placed(placed_at(X, weights, first), past, weights);
}

Continued constant_norm(const Variable& X, const Past& past, const Weights& weights) {
    const Variable placed = placed_at(X, weights, past.K.dim(1));
    const Past now = appended(placed, past, weights);
    const Variable scores = masked(scores_of(placed, now, weights));
    const Variable m(tensor::max(scores.value(), -1, keepdim));
    const Variable powers = exp(scores - m);
    return {matmul(powers / sum(powers, -1, keepdim).detach(), now.V), now};
}

Continued writes_to_the_past(const Variable& X, const Past& past, const Weights& weights) {
    const Continued result = right(X, past, weights);
    Tensor V = past.V.value();
    if (V.numel() > 0) tensor::overwrite(V, V * 2);
    return result;
}

Continued the_last_50(const Variable& X, const Past& past, const Weights& weights) {
    const std::int64_t t = past.K.dim(1);
    const Past late{slice(past.K, 1, std::max<std::int64_t>(t - 50, 0)),
                    slice(past.V, 1, std::max<std::int64_t>(t - 50, 0))};
    return {from_placed(placed_at(X, weights, t), late, weights).output,
            right(X, past, weights).now};
}

Continued filled_with(const Variable& X, const Past& past, const Weights& weights, double fill) {
    const Variable placed = placed_at(X, weights, past.K.dim(1));
    const Past now = appended(placed, past, weights);
    return {matmul(softmax(masked(scores_of(placed, now, weights), fill), -1), now.V), now};
}

Continued filled_with_minus_100(const Variable& X, const Past& past, const Weights& weights) {
    return filled_with(X, past, weights, -100);
}

Continued filled_with_0(const Variable& X, const Past& past, const Weights& weights) {
    return filled_with(X, past, weights, 0);
}

Continued values_handed_on_as_numbers(const Variable& X, const Past& past, const Weights& weights) {
    const Continued result = right(X, past, weights);
    return {result.output, {result.now.K, result.now.V.detach()}};
}

Continued scaled_keys_kept(const Variable& X, const Past& past, const Weights& weights) {
    const double scale = root(past.K.dim(-1));
    const Continued result = right(X, {past.K * scale, past.V}, weights);
    return {result.output, {result.now.K / scale, result.now.V}};
}

Continued the_last_output(const Variable& X, const Past& past, const Weights& weights) {
    const Continued result = right(X, past, weights);
    return {slice(result.output, 1, -1), result.now};
}

Continued fixed_positions(const Variable& X, const Past& past, const Weights& weights) {
    Weights other = weights;
    other.P = weights.P.detach();
    return right(X, past, other);
}

Continued root_of_d_model(const Variable& X, const Past& past, const Weights& weights) {
    const double factor = root(past.K.dim(-1)) / root(X.dim(-1));
    Weights other = weights;
    other.W_Q = weights.W_Q * factor;
    return right(X, past, other);
}

Continued keys_by_W_Q(const Variable& X, const Past& past, const Weights& weights) {
    Weights other = weights;
    other.W_K = weights.W_Q;
    return right(X, past, other);
}

Continued a_cache_of_its_own(const Variable& X, const Past& past, const Weights& weights) {
    static Past kept;
    if (past.K.dim(1) == 0 || kept.K.rank() != 3 || !(kept.K.shape() == past.K.shape())) {
        kept = past;
    }
    const Continued result = right(X, kept, weights);
    kept = result.now;
    return result;
}

Continued positions_of_the_queries_only(const Variable& X, const Past& past,
                                        const Weights& weights) {
    const Past now = appended(X, past, weights);
    const Variable placed = placed_at(X, weights, past.K.dim(1));
    return {matmul(softmax(masked(scores_of(placed, now, weights)), -1), now.V), now};
}

Continued keys_and_values_exchanged(const Variable& X, const Past& past, const Weights& weights) {
    const Continued result = right(X, past, weights);
    const bool fit = result.now.K.shape() == result.now.V.shape();
    return fit ? Continued{result.output, {result.now.V, result.now.K}} : result;
}

Continued masked_after_the_softmax(const Variable& X, const Past& past, const Weights& weights) {
    const Variable placed = placed_at(X, weights, past.K.dim(1));
    const Past now = appended(placed, past, weights);
    const Variable shares = softmax(scores_of(placed, now, weights), -1);
    return {matmul(masked(shares, 0), now.V), now};
}

std::function<Exercise()> by(Continued (*way)(const Variable&, const Past&, const Weights&)) {
    return [way] { return key_value_cache(way); };
}

Continued with_the_library(const Variable& X, const Past& past, const Weights& weights) {
    const Variable placed = placed_at(X, weights, past.K.dim(1));
    const Past now = appended(placed, past, weights);
    const Mask mask = Mask::causal(X.dim(1), now.K.dim(1));
    return {scaled_dot_product_attention(matmul(placed, weights.W_Q), now.K, now.V, mask).output,
            now};
}

Continued text_by_text(const Variable& X, const Past& past, const Weights& weights) {
    std::vector<Variable> outputs, K, V;
    for (std::int64_t b = 0; b < X.dim(0); ++b) {
        const auto own = [b](const Variable& x) { return slice(x, 0, b, b + 1); };
        const Continued one = right(own(X), {own(past.K), own(past.V)}, weights);
        outputs.push_back(one.output);
        K.push_back(one.now.K);
        V.push_back(one.now.V);
    }
    return {concatenate(outputs, 0), {concatenate(K, 0), concatenate(V, 0)}};
}

}  // namespace

Answers exercise::answers_19_2() {
    Answers answers;
    answers.number = "19.2";
    answers.wrong = {
        {"a mask only where there is no past", by(masked_without_past_only)},
        {"a square mask on the first T keys", by(square_mask_in_front)},
        {"the past of text 0 for all texts", by(past_of_text_0)},
        {"the number of calls as the position", by(counts_calls)},
        {"softmax's norm as a constant", by(constant_norm)},
        {"writes to the past", by(writes_to_the_past)},
        {"the last 50 tokens only", by(the_last_50)},
        {"masked scores are -100", by(filled_with_minus_100)},
        {"masked scores are 0", by(filled_with_0)},
        {"values handed on as numbers", by(values_handed_on_as_numbers)},
        {"keys kept already scaled", by(scaled_keys_kept)},
        {"the output of the last token only", by(the_last_output)},
        {"positions as constants", by(fixed_positions)},
        {"the root of d_model", by(root_of_d_model)},
        {"keys by W_Q", by(keys_by_W_Q)},
        {"a static cache of its own", by(a_cache_of_its_own)},
        {"positions for queries only",
         by(positions_of_the_queries_only),
         {"kv.keys-unplaced", "kv.values-unplaced"}},
        {"keys and values exchanged where they fit", by(keys_and_values_exchanged)},
        {"weights masked after the softmax", by(masked_after_the_softmax)},
    };
    answers.right = {
        {"with the library's attention", by(with_the_library)},
        {"text by text", by(text_by_text)},
    };
    return answers;
}
