// Answers to 09.3.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_09.h"

#include "nn/heed.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

using namespace heed;
using namespace exercise;

namespace {
using P = HeadsParameters;

double root(std::int64_t n) { return std::sqrt(static_cast<double>(n)); }

Variable projected(const Variable& X, const Variable& W, const Variable& b, std::int64_t h) {
    return split_heads(matmul(X, W) + b, h);
}

Variable scaled(const Variable& Q, const Variable& K) {
    return matmul(Q, transpose(K)) / root(Q.dim(-1));
}

// [B, T_k] -> [B, 1, 1, T_k]
BoolTensor for_scores(const BoolTensor& is_padding) {
    return is_padding.reshape({is_padding.dim(0), 1, 1, is_padding.dim(1)});
}

Variable masked(const Variable& scores, const BoolTensor& is_padding) {
    return masked_fill(scores, for_scores(is_padding), -infinity);
}

HeadsStages& mix(HeadsStages& s, const P& p) {
    s.heads = matmul(s.weights, s.V);
    s.concat = merge_heads(s.heads);
    s.output = matmul(s.concat, p.W_O) + p.b_O;
    return s;
}

HeadsStages as_far_as_scores(const Variable& decoder, const Variable& encoder, const P& p,
                             std::int64_t h) {
    HeadsStages s;
    s.Q = projected(decoder, p.W_Q, p.b_Q, h);
    s.K = projected(encoder, p.W_K, p.b_K, h);
    s.V = projected(encoder, p.W_V, p.b_V, h);
    s.scores = scaled(s.Q, s.K);
    return s;
}

HeadsStages all_right(const Variable& decoder, const Variable& encoder, const P& p, std::int64_t h,
                      const BoolTensor& is_padding) {
    HeadsStages s = as_far_as_scores(decoder, encoder, p, h);
    s.weights = softmax(masked(s.scores, is_padding), -1);
    return mix(s, p);
}

// All right but for the weights.
CrossAttention with_weights(
    const std::function<Variable(const Variable& scores, const BoolTensor& is_padding)>& weights) {
    return [=](const Variable& decoder, const Variable& encoder, const P& p, std::int64_t h,
               const BoolTensor& is_padding) {
        HeadsStages s = as_far_as_scores(decoder, encoder, p, h);
        s.weights = weights(s.scores, is_padding);
        return mix(s, p);
    };
}

// All right for another idea of what is padding.
CrossAttention with_padding(
    const std::function<BoolTensor(const Variable& encoder, const BoolTensor& is_padding)>& find) {
    return [=](const Variable& decoder, const Variable& encoder, const P& p, std::int64_t h,
               const BoolTensor& is_padding) {
        return all_right(decoder, encoder, p, h, find(encoder, is_padding));
    };
}

// All right, and then something is changed.
using Change = std::function<void(HeadsStages&, const P&, const BoolTensor& is_padding)>;

CrossAttention then(const Change& change) {
    return [=](const Variable& decoder, const Variable& encoder, const P& p, std::int64_t h,
               const BoolTensor& is_padding) {
        HeadsStages s = all_right(decoder, encoder, p, h, is_padding);
        change(s, p, is_padding);
        return s;
    };
}

// ----- what is padding

BoolTensor words_of_zeros(const Variable& encoder, const BoolTensor&) {
    return tensor::sum(tensor::abs(encoder.value()), -1) == 0;
}

// As many words at the end as there is padding anywhere; or the same at the front.
BoolTensor counted(const BoolTensor& is_padding, bool at_the_end) {
    const std::int64_t B = is_padding.dim(0), T = is_padding.dim(1);
    std::vector<bool> padding;
    for (std::int64_t b = 0; b < B; ++b) {
        std::int64_t count = 0;
        for (std::int64_t t = 0; t < T; ++t) count += is_padding(b, t);
        for (std::int64_t t = 0; t < T; ++t) {
            padding.push_back(at_the_end ? t >= T - count : t < count);
        }
    }
    return BoolTensor(padding, {B, T});
}

BoolTensor at_the_end(const Variable&, const BoolTensor& is_padding) {
    return counted(is_padding, true);
}

BoolTensor at_the_front(const Variable&, const BoolTensor& is_padding) {
    return counted(is_padding, false);
}

// A text is taken to end with its first padding.
BoolTensor from_the_first_on(const Variable&, const BoolTensor& is_padding) {
    std::vector<bool> padding;
    for (std::int64_t b = 0; b < is_padding.dim(0); ++b) {
        bool begun = false;
        for (std::int64_t t = 0; t < is_padding.dim(1); ++t) {
            begun = begun || is_padding(b, t);
            padding.push_back(begun);
        }
    }
    return BoolTensor(padding, is_padding.shape());
}

BoolTensor of_the_first_text(const Variable&, const BoolTensor& is_padding) {
    std::vector<bool> padding;
    for (std::int64_t b = 0; b < is_padding.dim(0); ++b) {
        for (std::int64_t t = 0; t < is_padding.dim(1); ++t) padding.push_back(is_padding(0, t));
    }
    return BoolTensor(padding, is_padding.shape());
}

BoolTensor of_the_first_call(const Variable&, const BoolTensor& is_padding) {
    static BoolTensor kept = is_padding;
    if (!(kept.shape() == is_padding.shape())) kept = is_padding;
    return kept;
}

BoolTensor turned_round(const Variable&, const BoolTensor& is_padding) { return !is_padding; }

// ----- weights

Variable ten_thousand(const Variable& scores, const BoolTensor& is_padding) {
    return softmax(masked_fill(scores, for_scores(is_padding), -1e4), -1);
}

Variable masked_afterwards(const Variable& scores, const BoolTensor& is_padding) {
    return masked_fill(softmax(scores, -1), for_scores(is_padding), 0);
}

Variable causal_too(const Variable& scores, const BoolTensor& is_padding) {
    const Mask causal = Mask::causal(scores.dim(-2), scores.dim(-1));
    return softmax(masked_fill(masked(scores, is_padding), causal.blocked(), -infinity), -1);
}

// A text of the same length is taken for the decoder's own.
Variable causal_if_equally_long(const Variable& scores, const BoolTensor& is_padding) {
    if (scores.dim(-2) == scores.dim(-1)) return causal_too(scores, is_padding);
    return softmax(masked(scores, is_padding), -1);
}

Variable last_head_unmasked(const Variable& scores, const BoolTensor& is_padding) {
    const std::int64_t h = scores.dim(1);
    const Variable right = softmax(masked(scores, is_padding), -1);
    if (h == 1) return right;
    return concatenate({slice(right, 1, 0, h - 1), softmax(slice(scores, 1, h - 1), -1)}, 1);
}

Variable without_maximum(const Variable& scores, const BoolTensor& is_padding) {
    const Variable powers = exp(masked(scores, is_padding));
    return powers / sum(powers, -1, keepdim);
}

// Beside a large score of padding all others become 0, and then 0/0.
Variable maximum_of_padding_too(const Variable& scores, const BoolTensor& is_padding) {
    const Variable powers = exp(scores - max(scores, -1, keepdim).detach());
    const Variable kept = masked_fill(powers, for_scores(is_padding), 0);
    return kept / sum(kept, -1, keepdim);
}

Variable a_score_of_0_is_masked(const Variable& scores, const BoolTensor& is_padding) {
    const Variable kept = masked_fill(scores, for_scores(is_padding), 0);
    return softmax(masked_fill(kept, kept.value() == 0, -infinity), -1);
}

// ----- stages

HeadsStages first_text_for_all(const Variable& decoder, const Variable& encoder, const P& p,
                               std::int64_t h, const BoolTensor& is_padding) {
    return all_right(decoder, expand(slice(encoder, 0, 0, 1), encoder.shape()), p, h, is_padding);
}

HeadsStages frozen_encoder(const Variable& decoder, const Variable& encoder, const P& p,
                           std::int64_t h, const BoolTensor& is_padding) {
    return all_right(decoder, encoder.detach(), p, h, is_padding);
}

HeadsStages encoder_learns_by_keys(const Variable& decoder, const Variable& encoder, const P& p,
                                   std::int64_t h, const BoolTensor& is_padding) {
    HeadsStages s = as_far_as_scores(decoder, encoder, p, h);
    s.V = projected(encoder.detach(), p.W_V, p.b_V, h);
    s.weights = softmax(masked(s.scores, is_padding), -1);
    return mix(s, p);
}

HeadsStages by_source_size(const Variable& decoder, const Variable& encoder, const P& p,
                           std::int64_t h, const BoolTensor& is_padding) {
    HeadsStages s = as_far_as_scores(decoder, encoder, p, h);
    s.scores = matmul(s.Q, transpose(s.K)) / root(encoder.dim(2) / h);
    s.weights = softmax(masked(s.scores, is_padding), -1);
    return mix(s, p);
}

void scores_after_the_mask(HeadsStages& s, const P&, const BoolTensor& is_padding) {
    s.scores = masked(s.scores, is_padding);
}

// Their weights are 0 anyway.
void values_of_padding_are_0(HeadsStages& s, const P&, const BoolTensor& is_padding) {
    const BoolTensor rows = is_padding.reshape({is_padding.dim(0), 1, is_padding.dim(1), 1});
    s.V = masked_fill(s.V, rows, 0);
}

void weights_off_the_graph(HeadsStages& s, const P& p, const BoolTensor&) {
    s.weights = s.weights.detach();
    mix(s, p);
}

void weights_masked_afterwards(HeadsStages& s, const P&, const BoolTensor& is_padding) {
    s.weights = masked_fill(softmax(s.scores, -1), for_scores(is_padding), 0);
}

BoolTensor of_any_text(const Variable&, const BoolTensor& is_padding) {
    std::vector<bool> padding;
    for (std::int64_t b = 0; b < is_padding.dim(0); ++b) {
        for (std::int64_t t = 0; t < is_padding.dim(1); ++t) {
            bool any = false;
            for (std::int64_t c = 0; c < is_padding.dim(0); ++c) any = any || is_padding(c, t);
            padding.push_back(any && t > 0);
        }
    }
    return BoolTensor(padding, is_padding.shape());
}

Variable rows_too_if_equally_long(const Variable& scores, const BoolTensor& is_padding) {
    const Variable weights = softmax(masked(scores, is_padding), -1);
    if (scores.dim(-2) != scores.dim(-1)) return weights;
    return masked_fill(weights, is_padding.reshape({is_padding.dim(0), 1, scores.dim(-2), 1}), 0);
}

Variable sum_off_the_graph(const Variable& scores, const BoolTensor& is_padding) {
    const Variable hidden = masked(scores, is_padding);
    const Variable exponentials = exp(hidden - max(hidden, -1, keepdim).detach());
    return exponentials / sum(exponentials, -1, keepdim).detach();
}

HeadsStages frozen_decoder(const Variable& decoder, const Variable& encoder, const P& p,
                           std::int64_t h, const BoolTensor& is_padding) {
    return all_right(decoder.detach(), encoder, p, h, is_padding);
}

HeadsStages padding_is_erased(const Variable& decoder, const Variable& encoder, const P& p,
                              std::int64_t h, const BoolTensor& is_padding) {
    Tensor text = encoder.value();
    for (std::int64_t b = 0; b < text.dim(0); ++b) {
        for (std::int64_t t = 0; t < text.dim(1); ++t) {
            Tensor word = tensor::select(tensor::select(text, 0, b), 0, t);
            if (is_padding(b, t)) tensor::overwrite(word, tensor::zeros(word.shape()));
        }
    }
    return all_right(decoder, encoder, p, h, is_padding);
}

void concat_off_the_graph(HeadsStages& s, const P& p, const BoolTensor&) {
    s.output = matmul(s.concat.detach(), p.W_O) + p.b_O;
}

Variable a_billion_less(const Variable& scores, const BoolTensor& is_padding) {
    return softmax(scores - tensor::to_tensor(for_scores(is_padding)) * 1e9, -1);
}

Variable constant_without_padding(const Variable& scores, const BoolTensor& is_padding) {
    const Variable weights = softmax(masked(scores, is_padding), -1);
    return is_padding.any() ? weights : weights.detach();
}

Variable no_maximum_without_padding(const Variable& scores, const BoolTensor& is_padding) {
    if (is_padding.any()) return softmax(masked(scores, is_padding), -1);
    return exp(scores) / sum(exp(scores), -1, keepdim);
}

// [B, T_k] broadcasts to the scores as [T_q, T_k] if there are as many texts as queries.
Variable texts_taken_for_queries(const Variable& scores, const BoolTensor& is_padding) {
    const bool as_many = is_padding.dim(0) == scores.dim(2);
    return softmax(masked_fill(scores, as_many ? is_padding : for_scores(is_padding), -infinity),
                   -1);
}

// As while a translation is written, where the source stays the same.
HeadsStages keys_kept_for_their_matrix(const Variable& decoder, const Variable& encoder, const P& p,
                                       std::int64_t h, const BoolTensor& is_padding) {
    static std::map<std::shared_ptr<Node>, Variable> kept;
    HeadsStages s = as_far_as_scores(decoder, encoder, p, h);
    Variable& keys = kept[p.W_K.node()];
    if (keys.shape() != s.K.shape()) keys = s.K;
    s.K = keys;
    s.scores = scaled(s.Q, s.K);
    s.weights = softmax(masked(s.scores, is_padding), -1);
    return mix(s, p);
}

// ----- right

// A text after the other, with a mask of its own.
Variable one_text_at_a_time(const Variable& scores, const BoolTensor& is_padding) {
    std::vector<Variable> all;
    for (std::int64_t b = 0; b < scores.dim(0); ++b) {
        std::vector<bool> row;
        for (std::int64_t t = 0; t < scores.dim(3); ++t) row.push_back(is_padding(b, t));
        const BoolTensor blocked(row, {1, 1, scores.dim(3)});
        all.push_back(softmax(masked_fill(select(scores, 0, b), blocked, -infinity), -1));
    }
    return stack(all);
}

Variable by_a_mask(const Variable& scores, const BoolTensor& is_padding) {
    const BoolTensor blocked = Mask::blocking_keys(is_padding).blocked();
    return softmax(where(blocked, -infinity, scores), -1);
}

// ----- the lists

Answer answer(const std::string& what, const CrossAttention& attention,
              const std::vector<std::string>& names = {}) {
    return {what, [=] { return judge_09_3(attention); }, names};
}

std::vector<Answer> wrong_padding() {
    return {
        answer("padding is known by its zeros", with_padding(words_of_zeros)),
        answer("padding is counted, at the end", with_padding(at_the_end)),
        answer("padding is counted, at the front", with_padding(at_the_front)),
        answer("all behind the first padding is padding", with_padding(from_the_first_on)),
        answer("every text has the padding of the first", with_padding(of_the_first_text),
               {"mask.first-text"}),
        answer("the first padding of a shape is kept", with_padding(of_the_first_call)),
        answer("only padding is attended to", with_padding(turned_round), {"mask.inverted"}),
    };
}

// The least score less 50: the weight is small, not 0.
Variable far_below(const Variable& scores, const BoolTensor& is_padding) {
    const double low = static_cast<double>(tensor::min(scores.value()).item()) - 50;
    return softmax(masked_fill(scores, for_scores(is_padding), low), -1);
}

// Nothing is left if padding has all of the weight.
Variable divided_by_what_is_left(const Variable& scores, const BoolTensor& is_padding) {
    const Variable left = masked_fill(softmax(scores, -1), for_scores(is_padding), 0);
    return left / sum(left, -1, keepdim);
}

void one_query_loses_its_axis(HeadsStages& s, const P&, const BoolTensor& is_padding) {
    if (s.output.dim(1) == 1 && is_padding.dim(1) > 1) s.output = squeeze(s.output, 1);
}

// log(1) is 0, log(0) is -∞.
Variable plus_log_of_words(const Variable& scores, const BoolTensor& is_padding) {
    const Tensor words = tensor::to_tensor(!for_scores(is_padding));
    return softmax(scores + tensor::log(words), -1);
}

std::vector<Answer> wrong_weights() {
    return {
        answer("-1e4 for -∞", with_weights(ten_thousand), {"mask.fill-large"}),
        answer("masked after the softmax", with_weights(masked_afterwards), {"mask.after"}),
        answer("causal besides", with_weights(causal_too), {"cross.causal"}),
        answer("causal if T_q = T_k", with_weights(causal_if_equally_long)),
        answer("the last head is not masked", with_weights(last_head_unmasked)),
        answer("softmax without a maximum", with_weights(without_maximum), {"sm.no-max"}),
        answer("the maximum is that of padding too", with_weights(maximum_of_padding_too)),
        answer("a score of 0 is taken for padding", with_weights(a_score_of_0_is_masked)),
        answer("scores of padding are 1e9 less", with_weights(a_billion_less)),
        answer("weights are a constant without padding", with_weights(constant_without_padding)),
        answer("no maximum without padding", with_weights(no_maximum_without_padding)),
        answer("texts are taken for queries if as many", with_weights(texts_taken_for_queries)),
        answer("the least score less 50 for -∞", with_weights(far_below)),
        answer("divided by what is left of a softmax", with_weights(divided_by_what_is_left)),
        answer("a single query loses its axis", then(one_query_loses_its_axis)),
    };
}

std::vector<Answer> wrong_stages() {
    return {
        answer("padding in any text is padding in all", with_padding(of_any_text)),
        answer("rows are masked too if T_q = T_k", with_weights(rows_too_if_equally_long)),
        answer("the sum is cut off the graph", with_weights(sum_off_the_graph),
               {"sm.sum-detached"}),
        answer("the decoder is cut off the graph", frozen_decoder),
        answer("padding is erased in the text given", padding_is_erased),
        answer("concat is cut off the graph", then(concat_off_the_graph)),
        answer("every text has the source of the first", first_text_for_all),
        answer("the encoder is cut off the graph", frozen_encoder, {"train.encoder-detached"}),
        answer("the encoder learns by its keys alone", encoder_learns_by_keys),
        answer("the root of d_source / h", by_source_size),
        answer("scores are returned after the mask", then(scores_after_the_mask)),
        answer("V is returned with 0 for padding", then(values_of_padding_are_0)),
        answer("weights are cut off the graph", then(weights_off_the_graph),
               {"train.weights-detached"}),
        answer("weights are not those of the output", then(weights_masked_afterwards)),
        answer("keys are kept for their matrix", keys_kept_for_their_matrix),
    };
}

HeadsStages masked_after_exp(const Variable& decoder, const Variable& encoder, const P& p,
                             std::int64_t h, const BoolTensor& is_padding) {
    const auto cut = [&](const Variable& x) { return stack(chunk(x, h, -1), 1); };
    HeadsStages s;
    s.Q = cut(matmul(decoder, p.W_Q) + p.b_Q);
    s.K = cut(matmul(encoder, p.W_K) + p.b_K);
    s.V = cut(matmul(encoder, p.W_V) + p.b_V);
    s.scores = einsum("bhqd,bhkd->bhqk", s.Q / root(s.Q.dim(-1)), s.K);
    const BoolTensor unseen = for_scores(is_padding);
    const Variable largest = max(masked_fill(s.scores, unseen, -infinity), -1, keepdim);
    const Variable lower = masked_fill(s.scores - largest, unseen, 0);
    const Variable exponentials = masked_fill(exp(lower), unseen, 0);
    s.weights = exponentials / sum(exponentials, -1, keepdim);
    s.heads = einsum("bhqk,bhkd->bhqd", s.weights, s.V);
    s.concat = reshape(transpose(s.heads, 1, 2), {decoder.dim(0), decoder.dim(1), -1});
    s.output = matmul(s.concat, p.W_O) + p.b_O;
    return s;
}

}  // namespace

Answers answers_09_3() {
    Answers answers;
    answers.number = "09.3";
    answers.slipping = slipping(judge_09_3);
    for (const std::vector<Answer>& some : {wrong_padding(), wrong_weights(), wrong_stages()}) {
        answers.wrong.insert(answers.wrong.end(), some.begin(), some.end());
    }
    answers.right = {
        answer("a text after the other", with_weights(one_text_at_a_time)),
        answer("by a Mask", with_weights(by_a_mask)),
        answer("log of words, 1 or 0, is added", with_weights(plus_log_of_words)),
        answer("masked after exp, and divided by what is left", masked_after_exp),
    };
    return answers;
}
