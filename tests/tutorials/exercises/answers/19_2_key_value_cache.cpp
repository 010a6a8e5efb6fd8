// Answers to 19.2, in the form learners and careless engineers write them.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_19.h"

#include "nn/heed.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

using namespace heed;
using namespace exercise;

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

Continued filled_with_minus_a_billion(const Variable& X, const Past& past, const Weights& weights) {
    return filled_with(X, past, weights, -1e9);
}

// The table of positions is taken to be longer than any text.
Continued last_position_unused(const Variable& X, const Past& past, const Weights& weights) {
    const std::int64_t first = std::min(past.K.dim(1), weights.P.dim(0) - X.dim(1) - 1);
    return from_placed(placed_at(X, weights, first), past, weights);
}

// What is read last is looked at by itself, and what was read before, too.
Continued two_softmaxes(const Variable& X, const Past& past, const Weights& weights) {
    const Continued result = right(X, past, weights);
    const std::int64_t t = past.K.dim(1);
    if (t == 0) return result;
    const Variable placed = placed_at(X, weights, t);
    const Past own = {slice(result.now.K, 1, t), slice(result.now.V, 1, t)};
    const Variable before = matmul(softmax(scores_of(placed, past, weights), -1), past.V);
    const Variable after = matmul(softmax(masked(scores_of(placed, own, weights)), -1), own.V);
    return {(before + after) / 2, result.now};
}

Continued masked_by_factors(const Variable& X, const Past& past, const Weights& weights) {
    const Variable placed = placed_at(X, weights, past.K.dim(1));
    const Past now = appended(placed, past, weights);
    const Variable shares = masked_fill(softmax(scores_of(placed, now, weights), -1),
                                        Mask::causal(X.dim(1), now.K.dim(1)).blocked(), 0);
    return {matmul(shares / (sum(shares, -1, keepdim) + 1e-9), now.V), now};
}

Continued one_token_without_its_axis(const Variable& X, const Past& past, const Weights& weights) {
    const Continued result = right(X, past, weights);
    return {X.dim(1) == 1 ? squeeze(result.output, 1) : result.output, result.now};
}

Continued newest_first_in_now(const Variable& X, const Past& past, const Weights& weights) {
    const Continued result = right(X, past, weights);
    const std::int64_t t = past.K.dim(1);
    const auto turned = [t](const Variable& x) {
        return concatenate({slice(x, 1, t), slice(x, 1, 0, t)}, 1);
    };
    return {result.output, {turned(result.now.K), turned(result.now.V)}};
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

Continued weights_of_the_first_call(const Variable& X, const Past& past, const Weights& weights) {
    static const Weights first = weights;
    const bool fit = first.P.shape() == weights.P.shape() &&
                     first.W_K.shape() == weights.W_K.shape() &&
                     first.W_V.shape() == weights.W_V.shape();
    return right(X, past, fit ? first : weights);
}

Continued as_many_as_texts(const Variable& X, const Past& past, const Weights& weights) {
    return from_placed(placed_at(X, weights, past.K.dim(0)), past, weights);
}

Continued eight_positions(const Variable& X, const Past& past, const Weights& weights) {
    const std::int64_t t = past.K.dim(1);
    return from_placed(placed_at(X, weights, t + X.dim(1) > 8 ? 0 : t), past, weights);
}

Continued one_position(const Variable& X, const Past& past, const Weights& weights) {
    const std::int64_t t = past.K.dim(1);
    return from_placed(X + slice(weights.P, 0, t, t + 1), past, weights);
}

// The value of x, and its gradient twice.
Variable counted_twice(const Variable& x) { return x + x - x.detach(); }

Continued past_counts_twice(const Variable& X, const Past& past, const Weights& weights) {
    return right(X, {counted_twice(past.K), past.V}, weights);
}

Continued new_part_as_numbers(const Variable& X, const Past& past, const Weights& weights) {
    const Continued result = right(X, past, weights);
    const std::int64_t t = past.K.dim(1);
    const auto kept = [t](const Variable& old, const Variable& all) {
        return concatenate({old, slice(all, 1, t).detach()}, 1);
    };
    return {result.output, {kept(past.K, result.now.K), kept(past.V, result.now.V)}};
}

Continued nothing_recorded(const Variable& X, const Past& past, const Weights& weights) {
    const NoGrad while_generating;
    return right(X, past, weights);
}

Continued W_V_as_numbers(const Variable& X, const Past& past, const Weights& weights) {
    Weights other = weights;
    other.W_V = weights.W_V.detach();
    return right(X, past, other);
}

Continued outputs_of_all(const Variable& X, const Past& past, const Weights& weights) {
    const Continued result = right(X, past, weights);
    return {concatenate({past.V, result.output}, 1), result.now};
}

Continued one_text_without_its_axis(const Variable& X, const Past& past, const Weights& weights) {
    const Continued result = right(X, past, weights);
    return {X.dim(0) == 1 ? squeeze(result.output, 0) : result.output, result.now};
}

Continued past_becomes_now(const Variable& X, const Past& past, const Weights& weights) {
    const Continued result = right(X, past, weights);
    const_cast<Past&>(past) = result.now;
    return result;
}

Continued positions_again(const Variable& X, const Past& past, const Weights& weights) {
    const Variable P = slice(weights.P, 0, 0, past.K.dim(1));
    return {right(X, {past.K + matmul(P, weights.W_K), past.V}, weights).output,
            right(X, past, weights).now};
}

Continued halves_of_one_tensor(const Variable& X, const Past& past, const Weights& weights) {
    const Continued result = right(X, past, weights);
    const auto halves = chunk(concatenate({result.now.K, result.now.V}, -1), 2, -1);
    return {result.output, {halves[0], halves[1]}};
}

Continued largest_key_so_far(const Variable& X, const Past& past, const Weights& weights) {
    return right(X, {past.K + 0 * max(past.K), past.V}, weights);  // of none there is no largest
}

std::function<Exercise()> by(Continued (*way)(const Variable&, const Past&, const Weights&)) {
    return [way] { return judge_19_2(way); };
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

// Positions and tokens are projected apart, and the weights are exponentials of logarithms.
Continued projected_apart(const Variable& X, const Past& past, const Weights& weights) {
    const Variable P = slice(weights.P, 0, past.K.dim(1), past.K.dim(1) + X.dim(1));
    const auto by_W = [&](const Variable& W) { return matmul(X, W) + matmul(P, W); };
    const Past now = {concatenate({past.K, by_W(weights.W_K)}, 1),
                      concatenate({past.V, by_W(weights.W_V)}, 1)};
    const Variable scores = matmul(by_W(weights.W_Q), transpose(now.K)) / root(now.K.dim(-1));
    return {matmul(exp(log_softmax(masked(scores), -1)), now.V), now};
}

// The mask depends on T and t only, so it is kept.
Continued remembered_masks(const Variable& X, const Past& past, const Weights& weights) {
    static std::map<std::pair<std::int64_t, std::int64_t>, BoolTensor> masks;
    const Variable placed = placed_at(X, weights, past.K.dim(1));
    const Past now = appended(placed, past, weights);
    const Variable scores = scores_of(placed, now, weights);
    BoolTensor& blocked = masks[{scores.dim(1), scores.dim(2)}];
    if (blocked.numel() == 0) blocked = Mask::causal(scores.dim(1), scores.dim(2)).blocked();
    return {matmul(softmax(masked_fill(scores, blocked, -infinity), -1), now.V), now};
}

// Token by token, also within a piece: no mask is needed.
Continued token_by_token(const Variable& X, const Past& past, const Weights& weights) {
    Past now = past;
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
Continued two_parts(const Variable& X, const Past& past, const Weights& weights) {
    const std::int64_t t = past.K.dim(1), T = X.dim(1);
    const Variable x = X + slice(weights.P, 0, t, t + T);
    const Variable q = matmul(x, weights.W_Q) / root(past.K.dim(-1));
    const Variable K = matmul(x, weights.W_K), V = matmul(x, weights.W_V);
    const Variable own = masked_fill(matmul(q, transpose(K)), Mask::causal(T).blocked(), -infinity);
    const Variable shares =
        softmax(concatenate({matmul(q, transpose(past.K)), own}, -1), -1);  // [B, T, t + T]
    const Variable output =
        matmul(slice(shares, -1, 0, t), past.V) + matmul(slice(shares, -1, t), V);
    return {output, {concatenate({past.K, K}, 1), concatenate({past.V, V}, 1)}};
}

}  // namespace

Answers answers_19_2() {
    Answers answers;
    answers.number = "19.2";
    answers.slipping = slipping(judge_19_2);
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
        {"masked scores are -10^9", by(filled_with_minus_a_billion)},
        {"the last position is never used", by(last_position_unused)},
        {"past and X each with a softmax", by(two_softmaxes)},
        {"weights masked after the softmax, and normed again", by(masked_by_factors)},
        {"one token loses its axis", by(one_token_without_its_axis)},
        {"the newest tokens first in now", by(newest_first_in_now)},
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
        {"the weights of the first call", by(weights_of_the_first_call)},
        {"the number of texts as the position", by(as_many_as_texts)},
        {"positions from 0 after eight tokens", by(eight_positions)},
        {"one position for all of X", by(one_position), {"kv.one-position"}},
        {"the gradient of the past's keys twice", by(past_counts_twice)},
        {"the new part of now as numbers", by(new_part_as_numbers)},
        {"nothing is recorded", by(nothing_recorded)},
        {"W_V as numbers", by(W_V_as_numbers)},
        {"an output for each token of the past too", by(outputs_of_all)},
        {"one text loses its axis", by(one_text_without_its_axis)},
        {"past becomes now", by(past_becomes_now)},
        {"the past's keys get their positions again", by(positions_again)},
        {"keys and values as halves of one tensor", by(halves_of_one_tensor)},
        {"asks for the largest of the past's keys", by(largest_key_so_far)},
    };
    answers.right = {
        {"with the library's attention", by(with_the_library)},
        {"text by text", by(text_by_text)},
        {"positions projected apart", by(projected_apart)},
        {"remembered masks", by(remembered_masks)},
        {"token by token", by(token_by_token)},
        {"past and piece by themselves", by(two_parts)},
    };
    return answers;
}
