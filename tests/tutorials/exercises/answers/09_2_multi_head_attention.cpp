// Answers to 09.2.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_09.h"

#include "nn/heed.h"

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

HeadsStages queries_keys_values(const Variable& X, const P& p, std::int64_t h) {
    HeadsStages s;
    s.Q = projected(X, p.W_Q, p.b_Q, h);
    s.K = projected(X, p.W_K, p.b_K, h);
    s.V = projected(X, p.W_V, p.b_V, h);
    return s;
}

Variable scaled(const Variable& Q, const Variable& K) {
    return matmul(Q, transpose(K)) / root(Q.dim(-1));
}

Variable allowed_weights(const Variable& scores, const Mask& mask) {
    return softmax(masked_fill(scores, mask.blocked(), -infinity), -1);
}

// The mask as numbers to be added: 0, and -∞ where it blocks.
Variable to_add(const Mask& mask) {
    return Variable(tensor::masked_fill(tensor::zeros(mask.shape()), mask.blocked(), -infinity));
}

HeadsStages& mix(HeadsStages& s, const P& p) {
    s.heads = matmul(s.weights, s.V);
    s.concat = merge_heads(s.heads);
    s.output = matmul(s.concat, p.W_O) + p.b_O;
    return s;
}

HeadsStages all_right(const Variable& X, const P& p, std::int64_t h, const Mask& mask) {
    HeadsStages s = queries_keys_values(X, p, h);
    s.scores = scaled(s.Q, s.K);
    s.weights = allowed_weights(s.scores, mask);
    return mix(s, p);
}

// All right but for the weights, or but for the scores.
using WeightsOf = std::function<Variable(const Variable& scores, const Mask&)>;
using ScoresOf = std::function<Variable(const HeadsStages&, const Variable& X)>;

MultiHead with_weights(const WeightsOf& weights) {
    return [=](const Variable& X, const P& p, std::int64_t h, const Mask& mask) {
        HeadsStages s = queries_keys_values(X, p, h);
        s.scores = scaled(s.Q, s.K);
        s.weights = weights(s.scores, mask);
        return mix(s, p);
    };
}

MultiHead with_scores(const ScoresOf& scores) {
    return [=](const Variable& X, const P& p, std::int64_t h, const Mask& mask) {
        HeadsStages s = queries_keys_values(X, p, h);
        s.scores = scores(s, X);
        s.weights = allowed_weights(s.scores, mask);
        return mix(s, p);
    };
}

// All right, and then one of the stages is changed that is returned.
MultiHead then(const std::function<void(HeadsStages&, const P&, const Mask&)>& change) {
    return [=](const Variable& X, const P& p, std::int64_t h, const Mask& mask) {
        HeadsStages s = all_right(X, p, h, mask);
        change(s, p, mask);
        return s;
    };
}

// All right for other parameters.
MultiHead with_parameters(const std::function<void(P&)>& change) {
    return [=](const Variable& X, const P& p, std::int64_t h, const Mask& mask) {
        P changed = p;
        change(changed);
        return all_right(X, changed, h, mask);
    };
}

// ----- scores

Variable by_d_model(const HeadsStages& s, const Variable& X) {
    return matmul(s.Q, transpose(s.K)) / root(X.dim(2));
}

Variable by_all_heads(const HeadsStages& s, const Variable&) {
    return matmul(s.Q, transpose(s.K)) / root(s.Q.dim(1) * s.Q.dim(3));
}

Variable by_d_model_over_h(const HeadsStages& s, const Variable& X) {
    return matmul(s.Q, transpose(s.K)) / root(X.dim(2) / s.Q.dim(1));
}

Variable by_whole_root(const HeadsStages& s, const Variable&) {
    return matmul(s.Q, transpose(s.K)) / std::floor(root(s.Q.dim(3)));
}

Variable keys_of_first_text(const HeadsStages& s, const Variable&) {
    return scaled(s.Q, slice(s.K, 0, 0, 1));
}

Variable no_gradient_for_keys(const HeadsStages& s, const Variable&) {
    return scaled(s.Q, s.K.detach());
}

// ----- weights

Variable ten_thousand(const Variable& scores, const Mask& mask) {
    return softmax(masked_fill(scores, mask.blocked(), -1e4), -1);
}

Variable masked_afterwards(const Variable& scores, const Mask& mask) {
    return masked_fill(softmax(scores, -1), mask.blocked(), 0);
}

Variable mask_on_its_side(const Variable& scores, const Mask& mask) {
    return softmax(scores + transpose(to_add(mask)), -1);
}

Variable mask_of_first_text(const Variable& scores, const Mask& mask) {
    const Variable added = to_add(mask);
    return softmax(scores + (added.rank() == 4 ? slice(added, 0, 0, 1) : added), -1);
}

Variable mask_of_head_0_only(const Variable& scores, const Mask& mask) {
    const Variable masked = masked_fill(scores, mask.blocked(), -infinity);
    if (scores.dim(1) == 1) return softmax(masked, -1);
    return softmax(concatenate({slice(masked, 1, 0, 1), slice(scores, 1, 1)}, 1), -1);
}

Variable always_causal(const Variable& scores, const Mask&) {
    return allowed_weights(scores, Mask::causal(scores.dim(-1)));
}

Variable over_queries(const Variable& scores, const Mask& mask) {
    return softmax(masked_fill(scores, mask.blocked(), -infinity), -2);
}

Variable without_maximum(const Variable& scores, const Mask& mask) {
    const Variable powers = exp(masked_fill(scores, mask.blocked(), -infinity));
    return powers / sum(powers, -1, keepdim);
}

Variable maximum_from_0(const Variable& scores, const Mask& mask) {
    const Variable masked = masked_fill(scores, mask.blocked(), -infinity);
    const Variable largest = maximum(max(masked, -1, keepdim), 0.0).detach();
    const Variable powers = exp(masked - largest);
    return powers / sum(powers, -1, keepdim);
}

Variable one_maximum_for_all(const Variable& scores, const Mask& mask) {
    const Variable masked = masked_fill(scores, mask.blocked(), -infinity);
    const Variable powers = exp(masked - max(masked).detach());
    return powers / sum(powers, -1, keepdim);
}

Variable a_score_of_0_is_masked(const Variable& scores, const Mask& mask) {
    const Variable kept = masked_fill(scores, mask.blocked(), 0);
    return softmax(masked_fill(kept, kept.value() == 0, -infinity), -1);
}

Variable first_mask_of_its_shape(const Variable& scores, const Mask& mask) {
    static Mask kept = mask;
    if (!(kept.shape() == mask.shape())) kept = mask;
    return allowed_weights(scores, kept);
}

// ----- stages

// Q, K and V are right, and so is the output: the weights of a row sum to 1.
HeadsStages value_bias_at_the_end(const Variable& X, const P& p, std::int64_t h, const Mask& mask) {
    HeadsStages s = queries_keys_values(X, p, h);
    s.V = split_heads(matmul(X, p.W_V), h);
    s.scores = scaled(s.Q, s.K);
    s.weights = allowed_weights(s.scores, mask);
    mix(s, p);
    s.concat = s.concat + p.b_V;
    s.heads = split_heads(s.concat, h);
    s.output = matmul(s.concat, p.W_O) + p.b_O;
    return s;
}

void scaled_queries(HeadsStages& s, const P&, const Mask&) { s.Q = s.Q / root(s.Q.dim(3)); }

void scores_before_scaling(HeadsStages& s, const P&, const Mask&) {
    s.scores = s.scores * root(s.Q.dim(3));
}

void scores_after_the_mask(HeadsStages& s, const P&, const Mask& mask) {
    s.scores = masked_fill(s.scores, mask.blocked(), -infinity);
}

void concat_by_view_alone(HeadsStages& s, const P&, const Mask&) {
    s.concat = reshape(s.heads, s.concat.shape());
}

void weights_off_the_graph(HeadsStages& s, const P& p, const Mask&) {
    s.heads = matmul(s.weights.detach(), s.V);
    s.concat = merge_heads(s.heads);
    s.output = matmul(s.concat, p.W_O) + p.b_O;
}

void no_output_bias(HeadsStages& s, const P& p, const Mask&) { s.output = matmul(s.concat, p.W_O); }

Variable mask_of_head_0_for_all(const Variable& scores, const Mask& mask) {
    const Variable added = to_add(mask);
    return softmax(scores + (added.rank() == 4 ? slice(added, 1, 0, 1) : added), -1);
}

Variable at_most_50(const Variable& scores, const Mask& mask) {
    return allowed_weights(minimum(scores, 50.0), mask);
}

Variable the_word_itself_always(const Variable& scores, const Mask& mask) {
    const BoolTensor itself = tensor::eye(scores.dim(-1)) == 1;
    return softmax(masked_fill(scores, mask.blocked() & !itself, -infinity), -1);
}

Variable a_little_in_the_sum(const Variable& scores, const Mask& mask) {
    const Variable masked = masked_fill(scores, mask.blocked(), -infinity);
    const Variable exponentials = exp(masked - max(masked, -1, keepdim).detach());
    return exponentials / (sum(exponentials, -1, keepdim) + 1e-3);
}

Variable sum_off_the_graph(const Variable& scores, const Mask& mask) {
    const Variable masked = masked_fill(scores, mask.blocked(), -infinity);
    const Variable exponentials = exp(masked - max(masked, -1, keepdim).detach());
    return exponentials / sum(exponentials, -1, keepdim).detach();
}

void scores_off_the_graph(HeadsStages& s, const P&, const Mask&) { s.scores = s.scores.detach(); }

void output_matrix_changed(HeadsStages&, const P& p, const Mask&) {
    Tensor W = p.W_O.value();
    W.writable_data()[0] += 1;
}

// A mask in which the first word does not see the last is taken for the causal one.
Variable causal_if_its_corner_is_blocked(const Variable& scores, const Mask& mask) {
    const std::int64_t T = mask.T_q();
    const bool causal = !tensor::reshape(mask.allowed(), {-1, T, T})(0, 0, -1);
    return allowed_weights(scores, causal ? Mask::causal(T) : mask);
}

Variable a_billion_less(const Variable& scores, const Mask& mask) {
    return softmax(scores - tensor::to_tensor(mask.blocked()) * 1e9, -1);
}

// As many texts as heads: the axis of the texts is taken for that of the heads.
Variable texts_taken_for_heads(const Variable& scores, const Mask& mask) {
    BoolTensor blocked = mask.blocked();
    const bool for_each_text = blocked.rank() == 4 && blocked.dim(1) == 1;
    if (for_each_text && blocked.dim(0) == scores.dim(1)) {
        blocked = tensor::transpose(blocked, 0, 1);
    }
    return softmax(masked_fill(scores, blocked, -infinity), -1);
}

Variable no_maximum_without_a_mask(const Variable& scores, const Mask& mask) {
    if (!mask.allowed().all()) return allowed_weights(scores, mask);
    return exp(scores) / sum(exp(scores), -1, keepdim);
}

Variable keys_left_if_square(const HeadsStages& s, const Variable&) {
    const bool square = s.K.dim(-1) == s.K.dim(-2);
    return matmul(s.Q, square ? s.K : transpose(s.K)) / root(s.Q.dim(-1));
}

// As a cache of keys, which forgets that the words have changed.
HeadsStages keys_kept_for_their_matrix(const Variable& X, const P& p, std::int64_t h,
                                       const Mask& mask) {
    static std::map<std::shared_ptr<Node>, Variable> kept;
    HeadsStages s = queries_keys_values(X, p, h);
    Variable& keys = kept[p.W_K.node()];
    if (keys.shape() != s.K.shape()) keys = s.K;
    s.K = keys;
    s.scores = scaled(s.Q, s.K);
    s.weights = allowed_weights(s.scores, mask);
    return mix(s, p);
}

void frozen_queries(HeadsStages&, const P& p, const Mask&) {
    Variable W = p.W_Q;
    if (W.requires_grad()) W.set_requires_grad(false);
}

// ----- right

// The weight of an only key is 1, whatever its score.
Variable an_only_key_as_a_constant(const Variable& scores, const Mask& mask) {
    const Variable weights = allowed_weights(scores, mask);
    const BoolTensor alone = tensor::sum(tensor::to_tensor(mask.allowed()), -1, keepdim) == 1;
    return where(alone, weights.detach(), weights);
}

// A head after the other, each with its columns.
HeadsStages list_of_heads(const Variable& X, const P& p, std::int64_t h, const Mask& mask) {
    const std::int64_t d = p.W_Q.dim(1) / h;
    std::vector<Variable> Q, K, V, scores;
    for (std::int64_t first = 0; first < h * d; first += d) {
        const auto columns = [=](const Variable& W, const Variable& b) {
            return matmul(X, slice(W, 1, first, first + d)) + slice(b, 0, first, first + d);
        };
        Q.push_back(columns(p.W_Q, p.b_Q));
        K.push_back(columns(p.W_K, p.b_K));
        V.push_back(columns(p.W_V, p.b_V));
        scores.push_back(scaled(Q.back(), K.back()));
    }
    HeadsStages s;
    s.Q = stack(Q, 1);
    s.K = stack(K, 1);
    s.V = stack(V, 1);
    s.scores = stack(scores, 1);
    s.weights = allowed_weights(s.scores, mask);
    s.heads = matmul(s.weights, s.V);
    s.concat = concatenate(unbind(s.heads, 1), -1);
    s.output = matmul(s.concat, p.W_O) + p.b_O;
    return s;
}

// Each head is multiplied by its own rows of W_O.
HeadsStages sum_over_heads(const Variable& X, const P& p, std::int64_t h, const Mask& mask) {
    HeadsStages s = all_right(X, p, h, mask);
    const std::int64_t d = s.heads.dim(3);
    Variable total = p.b_O;
    for (std::int64_t n = 0; n < h; ++n) {
        const Variable rows = slice(p.W_O, 0, n * d, (n + 1) * d);
        total = total + matmul(select(s.heads, 1, n), rows);
    }
    s.output = total;
    return s;
}

Variable mask_added(const Variable& scores, const Mask& mask) {
    return softmax(scores + to_add(mask), -1);
}

Variable a_fourth_root_each(const HeadsStages& s, const Variable&) {
    const double fourth = std::sqrt(root(s.Q.dim(3)));
    return matmul(s.Q / fourth, transpose(s.K / fourth));
}

// ----- the lists

// The least score less 50: the weight is small, not 0.
Variable far_below(const Variable& scores, const Mask& mask) {
    const double low = static_cast<double>(tensor::min(scores.value()).item()) - 50;
    return softmax(masked_fill(scores, mask.blocked(), low), -1);
}

// q·b_K is the same for all keys of a query, which a softmax does not notice.
void keys_unbiased_for_weights(HeadsStages& s, const P& p, const Mask& mask) {
    const Variable b_K = split_heads(reshape(p.b_K, {1, 1, -1}), s.K.dim(1));
    s.weights = allowed_weights(scaled(s.Q, s.K - b_K), mask);
    mix(s, p);
}

Answer answer(const std::string& what, const MultiHead& attention,
              const std::vector<std::string>& names = {}) {
    return {what, [=] { return judge_09_2(attention); }, names};
}

std::vector<Answer> wrong_scores() {
    return {
        answer("the root of d_model", with_scores(by_d_model), {"att.scale-dmodel"}),
        answer("the root of h·d_head", with_scores(by_all_heads)),
        answer("the root of d_model / h", with_scores(by_d_model_over_h)),
        answer("the root is a whole number", with_scores(by_whole_root)),
        answer("every text has the keys of the first", with_scores(keys_of_first_text)),
        answer("keys are cut off the graph", with_scores(no_gradient_for_keys)),
        answer("K is not transposed if it is square", with_scores(keys_left_if_square)),
    };
}

std::vector<Answer> wrong_weights() {
    return {
        answer("-1e4 for -∞", with_weights(ten_thousand)),
        answer("masked after the softmax", with_weights(masked_afterwards), {"mask.after"}),
        answer("the mask is on its side", with_weights(mask_on_its_side)),
        answer("every text has the mask of the first", with_weights(mask_of_first_text)),
        answer("only head 0 is masked", with_weights(mask_of_head_0_only)),
        answer("causal, whatever the mask", with_weights(always_causal)),
        answer("softmax over the queries", with_weights(over_queries), {"sm.cols"}),
        answer("softmax without a maximum", with_weights(without_maximum), {"sm.no-max"}),
        answer("the maximum begins at 0", with_weights(maximum_from_0)),
        answer("one maximum for all rows", with_weights(one_maximum_for_all), {"sm.global-max"}),
        answer("a score of 0 is taken for masked", with_weights(a_score_of_0_is_masked)),
        answer("the first mask of a shape is kept", with_weights(first_mask_of_its_shape)),
        answer("causal if the corner is blocked", with_weights(causal_if_its_corner_is_blocked)),
        answer("blocked scores are 1e9 less", with_weights(a_billion_less)),
        answer("texts are taken for heads if as many", with_weights(texts_taken_for_heads)),
        answer("no maximum without a mask", with_weights(no_maximum_without_a_mask)),
        answer("the least score less 50 for -∞", with_weights(far_below)),
    };
}

std::vector<Answer> wrong_stages() {
    return {
        answer("b_V is added to the heads, not to V", value_bias_at_the_end),
        answer("Q is returned scaled", then(scaled_queries)),
        answer("scores are returned before scaling", then(scores_before_scaling)),
        answer("scores are returned after the mask", then(scores_after_the_mask)),
        answer("concat is returned by a view alone", then(concat_by_view_alone)),
        answer("weights are cut off the graph", then(weights_off_the_graph),
               {"train.weights-detached"}),
        answer("b_O is forgotten", then(no_output_bias), {"mha.no-bO"}),
        answer("W_O learns nothing", with_parameters([](P& p) { p.W_O = p.W_O.detach(); })),
        answer("b_Q learns nothing", with_parameters([](P& p) { p.b_Q = p.b_Q.detach(); })),
        answer("all heads have the mask of head 0", with_weights(mask_of_head_0_for_all)),
        answer("a word always sees itself", with_weights(the_word_itself_always)),
        answer("scores above 50 are 50", with_weights(at_most_50)),
        answer("0.001 more in the sum", with_weights(a_little_in_the_sum)),
        answer("the sum is cut off the graph", with_weights(sum_off_the_graph),
               {"sm.sum-detached"}),
        answer("scores are returned without a graph", then(scores_off_the_graph)),
        answer("W_O is changed", then(output_matrix_changed)),
        answer("keys are kept for their matrix", keys_kept_for_their_matrix),
        answer("W_Q is frozen", then(frozen_queries)),
        answer("b_K learns nothing", with_parameters([](P& p) { p.b_K = p.b_K.detach(); })),
        answer("b_K is that of the queries", with_parameters([](P& p) { p.b_K = p.b_Q; })),
    };
}

HeadsStages head_by_head(const Variable& X, const P& p, std::int64_t h, const Mask& mask) {
    HeadsStages s;
    std::vector<Variable> Q, K, V, scores, weights, heads;
    const std::int64_t d = p.W_Q.dim(1) / h;
    const auto of_head = [&](const Variable& W, const Variable& b, std::int64_t n) {
        return matmul(X, slice(W, 1, n * d, (n + 1) * d)) + slice(b, 0, n * d, (n + 1) * d);
    };
    for (std::int64_t n = 0; n < h; ++n) {
        Q.push_back(of_head(p.W_Q, p.b_Q, n));
        K.push_back(of_head(p.W_K, p.b_K, n));
        V.push_back(of_head(p.W_V, p.b_V, n));
        scores.push_back(matmul(Q.back() / root(d), transpose(K.back())));
    }
    const BoolTensor allowed = mask.allowed() & BoolTensor::full({X.dim(0), h, X.dim(1), 1}, true);
    for (std::int64_t n = 0; n < h; ++n) {
        const Tensor its = tensor::select(tensor::to_tensor(allowed), 1, n);  // [B, T, T]
        const Variable& row = scores[static_cast<std::size_t>(n)];
        weights.push_back(softmax(where(its == 1, row, -infinity), -1));
        heads.push_back(matmul(weights.back(), V[static_cast<std::size_t>(n)]));
    }
    s.Q = stack(Q, 1), s.K = stack(K, 1), s.V = stack(V, 1);
    s.scores = stack(scores, 1), s.weights = stack(weights, 1), s.heads = stack(heads, 1);
    s.concat = concatenate(heads, -1);
    s.output = matmul(s.concat, p.W_O) + p.b_O;
    return s;
}

}  // namespace

Answers answers_09_2() {
    Answers answers;
    answers.number = "09.2";
    answers.slipping = slipping(judge_09_2);
    for (const std::vector<Answer>& some : {wrong_scores(), wrong_weights(), wrong_stages()}) {
        answers.wrong.insert(answers.wrong.end(), some.begin(), some.end());
    }
    answers.right = {
        answer("a list of heads", list_of_heads),
        answer("the heads' outputs are summed", sum_over_heads),
        answer("the mask is added", with_weights(mask_added)),
        answer("queries and keys share the scale", with_scores(a_fourth_root_each)),
        answer("the weight of an only key is a constant", with_weights(an_only_key_as_a_constant)),
        answer("the weights are without b_K", then(keys_unbiased_for_weights)),
        answer("head by head", head_by_head),
    };
    return answers;
}
