// Answers to 12.4, in the form learners and careless engineers write them.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_12.h"

#include "nn/heed.h"

#include <cmath>
#include <limits>

using namespace heed;
using namespace exercise;

namespace {
using V = const Variable&;

Variable norm_along(int axis_of_mean, int axis_of_variance, V x, V gamma, V beta) {
    const Variable centred = x - mean(x, axis_of_mean, keepdim);
    const Variable variance = mean(centred * centred, axis_of_variance, keepdim);
    return gamma * centred / sqrt(variance + 1e-5) + beta;
}

Variable right_norm(V x, V gamma, V beta) { return norm_along(-1, -1, x, gamma, beta); }
Variable norm_of_positions(V x, V gamma, V beta) { return norm_along(1, 1, x, gamma, beta); }

Variable right_dropout(V x, const Tensor& kept, const Dropping& dropping) {
    return dropping.training ? x * kept / (1 - dropping.p) : x;
}
Variable dropout_always(V x, const Tensor& kept, const Dropping& dropping) {
    return x * kept / (1 - dropping.p);
}

constexpr double infinite = std::numeric_limits<double>::infinity();
Variable scores_of(V Q, V K) { return matmul(Q, transpose(K)) / std::sqrt(double(K.dim(-1))); }
Variable right_weights(V Q, V K) {
    return softmax(masked_fill(scores_of(Q, K), Mask::causal(Q.dim(1)).blocked(), -infinite), -1);
}

// The program, right unless told otherwise.
struct Program {
    std::function<Variable(V x, V gamma, V beta)> norm = right_norm;
    std::function<Variable(V x, const Tensor& kept, const Dropping&)> dropout = right_dropout;
    std::function<Variable(V x, V normed, V found)> first_stream = [](V x, V, V found) {
        return x + found;
    };
    std::function<Variable(V x, V stream, V normed, V found)> second_stream =
        [](V, V stream, V, V found) { return stream + found; };
    std::function<Variable(V Q, V K)> weights = right_weights;
    std::function<Variable(V z)> activation = [](V z) { return gelu(z); };
    std::function<Variable(V x)> at_the_start = [](V x) { return x; };
    bool gamma_is_shared = false, beta_is_shared = false, draws_once = false;
    using End = std::function<void(BlockStages&, const BlockParameters&, const Dropping&)>;
    End at_the_end = [](BlockStages&, const BlockParameters&, const Dropping&) {};

    BlockStages operator()(const BlockParameters& w, V given, const Dropping& dropping) const {
        const Variable x = at_the_start(given);
        BlockStages s;
        s.normed1 = norm(x, w.gamma1, w.beta1);
        const Variable Q = matmul(s.normed1, w.W_Q), K = matmul(s.normed1, w.W_K);
        const Variable values = matmul(s.normed1, w.W_V);
        s.weights = weights(Q, K);
        s.attended = matmul(matmul(s.weights, values), w.W_O);
        s.after_attention =
            first_stream(x, s.normed1, dropout(s.attended, dropping.kept1, dropping));
        s.normed2 = norm(s.after_attention, gamma_is_shared ? w.gamma1 : w.gamma2,
                         beta_is_shared ? w.beta1 : w.beta2);
        s.hidden = activation(matmul(s.normed2, w.W_1) + w.b_1);
        s.found = matmul(s.hidden, w.W_2) + w.b_2;
        s.y =
            second_stream(x, s.after_attention, s.normed2,
                          dropout(s.found, draws_once ? dropping.kept1 : dropping.kept2, dropping));
        at_the_end(s, w, dropping);
        return s;
    }
};

std::function<Exercise()> with(const std::function<void(Program&)>& change) {
    return [change] {
        Program program;
        change(program);
        return judge_12_4(program);
    };
}

Variable normed_runs_on(V, V normed, V found) { return normed + found; }
Variable detached_runs_on(V x, V, V found) { return x.detach() + found; }
Variable both_run_on(V x, V normed, V found) { return x + normed + found; }
Variable mean_runs_on(V x, V normed, V found) { return (x + normed) / 2 + found; }

Variable unbiased(V x, V gamma, V beta) {
    const Variable variance = var(x, -1, keepdim);
    return gamma * (x - mean(x, -1, keepdim)) / sqrt(variance + 1e-5) + beta;
}

Variable eps_outside(V x, V gamma, V beta) {
    const Variable centred = x - mean(x, -1, keepdim);
    return gamma * centred / (sqrt(mean(centred * centred, -1, keepdim)) + 0.01) + beta;
}

Variable no_eps(V x, V gamma, V beta) {
    const Variable centred = x - mean(x, -1, keepdim);
    return gamma * centred / sqrt(mean(centred * centred, -1, keepdim)) + beta;
}

Variable both_axes(V x, V gamma, V beta) {
    const Variable centred = x - mean(x, {1, 2}, keepdim);
    return gamma * centred / sqrt(mean(centred * centred, {1, 2}, keepdim) + 1e-5) + beta;
}

Variable first_word_mean(V x, V gamma, V beta) {
    const Variable centred = x - mean(slice(x, 1, 0, 1), -1, keepdim);
    return gamma * centred / sqrt(mean(centred * centred, -1, keepdim) + 1e-5) + beta;
}

Variable constant_statistics(V x, V gamma, V beta) {
    const Variable centred = x - mean(x, -1, keepdim).detach();
    return gamma * centred / sqrt(mean(centred * centred, -1, keepdim) + 1e-5).detach() + beta;
}

Variable never(V x, const Tensor&, const Dropping&) { return x; }

Variable only_outside_training(V x, const Tensor& kept, const Dropping& dropping) {
    return dropping.training ? x : x * kept / (1 - dropping.p);
}

Variable if_p_is_small(V x, const Tensor& kept, const Dropping& dropping) {
    return dropping.training && dropping.p < 0.3 ? x * kept / (1 - dropping.p) : x;
}

Variable not_rescaled(V x, const Tensor& kept, const Dropping& dropping) {
    return dropping.training ? x * kept : x;
}

Variable rescaled_outside(V x, const Tensor& kept, const Dropping& dropping) {
    return dropping.training ? x * kept : x * (1 - dropping.p);
}

Variable divided_by_p(V x, const Tensor& kept, const Dropping& dropping) {
    return dropping.training ? x * kept / dropping.p : x;
}

Variable without_gradient(V x, const Tensor& kept, const Dropping& dropping) {
    return dropping.training ? Variable(x.value() * kept / (1 - dropping.p)) : x;
}

Variable kept_in_place(V x, const Tensor& kept, const Dropping& dropping) {
    if (dropping.training) return x * kept / (1 - dropping.p);
    Tensor all = kept;
    tensor::overwrite(all, tensor::ones_like(kept));
    return x * all;
}

Variable once_in_training(V x, const Tensor& kept, const Dropping& dropping) {
    static bool training = dropping.training;
    training = training || dropping.training;
    return training ? x * kept / (1 - dropping.p) : x;
}

Variable norm_eps_outside(V x, V gamma, V beta) {
    const Variable c = x - mean(x, -1, keepdim);
    return gamma * c / (sqrt(mean(c * c, -1, keepdim)) + 1e-5) + beta;
}

Variable norm_1e6(V x, V gamma, V beta) {
    const Variable c = x - mean(x, -1, keepdim);
    return gamma * c / sqrt(mean(c * c, -1, keepdim) + 1e-6) + beta;
}

Variable norm_constant(V x, V gamma, V beta) {
    const Variable c = x - mean(x, -1, keepdim);
    return gamma * c / sqrt(mean(c * c, -1, keepdim).detach() + 1e-5) + beta;
}

Variable dropout_by_p(V x, const Tensor& kept, const Dropping& dropping) {
    if (dropping.p == 0) return x;
    return x * kept / (1 - dropping.p);
}

Variable dropout_still_divided(V x, const Tensor& kept, const Dropping& dropping) {
    return (dropping.training ? x * kept : x) / (1 - dropping.p);
}

Variable dropout_undivided_outside(V x, const Tensor& kept, const Dropping& dropping) {
    return x * kept / (dropping.training ? 1 - dropping.p : 1);
}

Variable dropout_inverted(V x, const Tensor& kept, const Dropping& dropping) {
    if (!dropping.training) return x;
    return x * (1 - kept) / (1 - dropping.p);
}

Variable dropout_half(V x, const Tensor& kept, const Dropping& dropping) {
    if (!dropping.training) return x;
    return x * kept * 2;
}

Variable dropout_as_first_told(V x, const Tensor& kept, const Dropping& dropping) {
    static const bool training = dropping.training;
    if (!training) return x;
    return x * kept / (1 - dropping.p);
}

// By the share that was really kept.
Variable dropout_by_count(V x, const Tensor& kept, const Dropping& dropping) {
    if (!dropping.training) return x;
    return x * kept / tensor::mean(kept).item();
}

Variable weights_unmasked(V Q, V K) {
    return softmax(matmul(Q, transpose(K)) / std::sqrt(static_cast<double>(K.dim(-1))), -1);
}

Variable weights_axis_1(V Q, V K) {
    const Variable scores = matmul(Q, transpose(K)) / std::sqrt(static_cast<double>(K.dim(-1)));
    const BoolTensor future = Mask::causal(Q.dim(1)).blocked();
    return softmax(masked_fill(scores, future, -infinite), 1);
}

Variable weights_fill_10(V Q, V K) {
    const Variable scores = matmul(Q, transpose(K)) / std::sqrt(static_cast<double>(K.dim(-1)));
    return softmax(masked_fill(scores, Mask::causal(Q.dim(1)).blocked(), -10), -1);
}

Variable weights_by_T(V Q, V K) {
    const Variable scores = matmul(Q, transpose(K)) / std::sqrt(static_cast<double>(K.dim(1)));
    const BoolTensor future = Mask::causal(Q.dim(1)).blocked();
    return softmax(masked_fill(scores, future, -infinite), -1);
}

void attended_after_dropout(BlockStages& s, const BlockParameters&, const Dropping& d) {
    s.attended = right_dropout(s.attended, d.kept1, d);
}
void stream_is_dropped(BlockStages& s, const BlockParameters&, const Dropping& d) {
    s.y = right_dropout(s.after_attention + s.found, d.kept2, d);
}
void dropped_twice(BlockStages& s, const BlockParameters&, const Dropping& d) {
    s.y = s.after_attention + right_dropout(right_dropout(s.found, d.kept2, d), d.kept2, d);
}
void norm_at_the_end(BlockStages& s, const BlockParameters& w, const Dropping&) {
    s.y = right_norm(s.y, w.gamma2, w.beta2);
}
void b_2_twice(BlockStages& s, const BlockParameters& w, const Dropping&) {
    s.y = s.y + (w.b_2 - w.b_2.detach());
}
Variable new_leaf(V x) { return Variable(x.value(), requires_grad); }

// Unusual and right.

Variable weights_fill_1e5(V Q, V K) {
    const Variable scores = matmul(Q, transpose(K)) / std::sqrt(static_cast<double>(K.dim(-1)));
    return softmax(masked_fill(scores, Mask::causal(Q.dim(1)).blocked(), -1e5), -1);
}

Variable dropout_where_recorded(V x, const Tensor& kept, const Dropping& dropping) {
    return grad_enabled() ? x * kept / (1 - dropping.p) : x;
}

Variable dropout_by_the_share(V x, const Tensor& kept, const Dropping& dropping) {
    return dropping.training ? x * kept / tensor::mean(kept) : x;
}

Variable dropout_over_p(V x, const Tensor& kept, const Dropping& dropping) {
    return dropping.training ? x * kept / dropping.p : x;
}

Variable weights_fill_1e9(V Q, V K) {
    const Variable scores = matmul(Q, transpose(K)) / std::sqrt(static_cast<double>(K.dim(-1)));
    return softmax(masked_fill(scores, Mask::causal(Q.dim(1)).blocked(), -1e9), -1);
}

// Right ones.
Variable norm_by_rows(V x, V gamma, V beta) {
    std::vector<Variable> rows;
    for (const Variable& row : unbind(reshape(x, -1, x.dim(2)), 0)) {
        const Variable c = row - mean(row);
        rows.push_back(gamma * c / sqrt(mean(c * c) + 1e-5) + beta);
    }
    return reshape(stack(rows), x.shape());
}

Variable dropout_by_where(V x, const Tensor& kept, const Dropping& dropping) {
    const BoolTensor gone = kept == 0;
    const Variable dropped = masked_fill(x / (1 - dropping.p), gone, 0);
    return dropping.training ? dropped : x;
}

Variable by_expansion(V x, V gamma, V beta) {
    const Variable m = mean(x, 2, keepdim);
    const Variable variance = var(x, 2, 0, keepdim);
    return (x - m) * pow(variance + 1e-5, -0.5) * gamma + beta;
}

Variable by_zero_p(V x, const Tensor& kept, const Dropping& dropping) {
    const double p = dropping.training ? dropping.p : 0;
    const BoolTensor dropped = kept == 0;
    return (p > 0 ? masked_fill(x, dropped, 0) : x) / (1 - p);
}

BlockStages in_other_words(const BlockParameters& w, V x, const Dropping& dropping) {
    const auto dropout = [&](V found, const Tensor& kept) {
        const Variable grown = found / (1 - dropping.p);
        return dropping.training ? masked_fill(grown, kept == 0, 0) : found;
    };
    BlockStages s;
    s.normed1 = layer_norm(x, w.gamma1, w.beta1, 1e-5);
    const double root = std::sqrt(static_cast<double>(w.W_K.dim(-1)));
    const Variable Q = matmul(s.normed1 / root, w.W_Q);
    const Variable scores = matmul(Q, transpose(matmul(s.normed1, w.W_K)));
    const Variable past = masked_fill(scores, Mask::causal(x.dim(1)).blocked(), -infinite);
    const Variable e = exp(past - max(past, -1, keepdim));
    s.weights = e / sum(e, -1, keepdim);
    s.attended = matmul(s.weights, matmul(s.normed1, matmul(w.W_V, w.W_O)));
    s.after_attention = dropout(s.attended, dropping.kept1) + x;
    s.normed2 = layer_norm(s.after_attention, w.gamma2, w.beta2, 1e-5);
    const Variable wide = matmul(s.normed2, w.W_1) + w.b_1;
    s.hidden = wide * (erf(wide / std::sqrt(2.0)) + 1) / 2;
    s.found = w.b_2 + matmul(s.hidden, w.W_2);
    s.y = dropout(s.found, dropping.kept2) + s.after_attention;
    return s;
}

// Outside training dropout is one that keeps all.
BlockStages keeping_all(const BlockParameters& w, V x, Dropping dropping) {
    if (!dropping.training) {
        dropping = {true, 0, tensor::ones_like(dropping.kept1), tensor::ones_like(dropping.kept2)};
    }
    return Program()(w, x, dropping);
}

}  // namespace

Answers answers_12_4() {
    Answers answers;
    answers.number = "12.4";
    answers.slipping = slipping(judge_12_4);
    answers.wrong = {
        {"the norm still over the positions",
         with([](Program& p) { p.norm = norm_of_positions; }),
         {"ln.batch-axis"}},
        {"only the mean's axis mended",
         with([](Program& p) {
             p.norm = [](V x, V gamma, V beta) { return norm_along(-1, 1, x, gamma, beta); };
         }),
         {"ln.variance-axis"}},
        {"only the variance's axis mended",
         with([](Program& p) {
             p.norm = [](V x, V gamma, V beta) { return norm_along(1, -1, x, gamma, beta); };
         }),
         {"ln.mean-axis"}},
        {"the normalized x still runs on",
         with([](Program& p) { p.first_stream = normed_runs_on; }),
         {"block.residual-normed"}},
        {"one norm still for both",
         with([](Program& p) { p.gamma_is_shared = p.beta_is_shared = true; }),
         {"block.norm-shared"}},
        {"dropout still outside training",
         with([](Program& p) { p.dropout = dropout_always; }),
         {"train.eval-dropout"}},
        {"β still shared",
         with([](Program& p) { p.beta_is_shared = true; }),
         {"block.beta-shared"}},
        {"norm and dropout not mended",
         with([](Program& p) {
             p.norm = norm_of_positions;
             p.dropout = dropout_always;
         }),
         {"ln.batch-axis", "train.eval-dropout"}},
        {"only the residual stream mended",
         with([](Program& p) {
             p.norm = norm_of_positions;
             p.dropout = dropout_always;
             p.gamma_is_shared = p.beta_is_shared = true;
         }),
         {"hunt.only-residual"}},
        {"x and the normalized x run on", with([](Program& p) { p.first_stream = both_run_on; })},
        {"the mean of x and the normalized x runs on",
         with([](Program& p) { p.first_stream = mean_runs_on; })},
        {"x runs on without its gradient",
         with([](Program& p) { p.first_stream = detached_runs_on; }),
         {"block.residual-detached"}},
        {"the variance divided by d - 1",
         with([](Program& p) { p.norm = unbiased; }),
         {"ln.unbiased"}},
        {"eps outside of the root, larger", with([](Program& p) { p.norm = eps_outside; })},
        {"eps dropped on the way", with([](Program& p) { p.norm = no_eps; })},
        {"one drawing for both dropouts", with([](Program& p) { p.draws_once = true; })},
        {"the norm over both axes", with([](Program& p) { p.norm = both_axes; })},
        {"the mean of the first word", with([](Program& p) { p.norm = first_word_mean; })},
        {"statistics without gradient", with([](Program& p) { p.norm = constant_statistics; })},
        {"no dropout at all", with([](Program& p) { p.dropout = never; }), {"train.no-dropout"}},
        {"dropout outside training only",
         with([](Program& p) { p.dropout = only_outside_training; }),
         {"train.dropout-inverted"}},
        {"dropout for small p only", with([](Program& p) { p.dropout = if_p_is_small; })},
        {"no division by 1 - p",
         with([](Program& p) { p.dropout = not_rescaled; }),
         {"train.no-rescale"}},
        {"the factor 1 - p outside training, as in the paper",
         with([](Program& p) { p.dropout = rescaled_outside; }),
         {"train.no-rescale", "train.eval-rescale"}},
        {"divided by p", with([](Program& p) { p.dropout = divided_by_p; })},
        {"dropout on numbers", with([](Program& p) { p.dropout = without_gradient; })},
        {"sets all of kept to 1", with([](Program& p) { p.dropout = kept_in_place; })},
        {"dropout for ever after the first training",
         with([](Program& p) { p.dropout = once_in_training; })},
        {"the normalized stream runs on at the end", with([](Program& p) {
             p.second_stream = [](V, V, V normed, V found) { return normed + found; };
         })},
        {"x itself added at the end",
         with([](Program& p) { p.second_stream = [](V x, V, V, V found) { return x + found; }; }),
         {"block.residual-of-x"}},
        {"a stage given after dropout", with([](Program& p) {
             p.at_the_end = [](BlockStages& s, const BlockParameters&, const Dropping&) {
                 s.found = s.y - s.after_attention;
             };
         })},
        {"eps outside of the root", with([](Program& p) { p.norm = norm_eps_outside; })},
        {"eps is 1e-6", with([](Program& p) { p.norm = norm_1e6; })},
        {"the variance a constant", with([](Program& p) { p.norm = norm_constant; })},
        {"dropout unless p is 0",
         with([](Program& p) { p.dropout = dropout_by_p; }),
         {"train.eval-dropout"}},
        {"still divided outside training",
         with([](Program& p) { p.dropout = dropout_still_divided; }),
         {"train.eval-divides"}},
        {"still dropped outside training",
         with([](Program& p) { p.dropout = dropout_undivided_outside; })},
        {"kept are dropped", with([](Program& p) { p.dropout = dropout_inverted; })},
        {"twice what is kept", with([](Program& p) { p.dropout = dropout_half; })},
        {"training as told in the first call",
         with([](Program& p) { p.dropout = dropout_as_first_told; }),
         {"train.no-dropout"}},
        {"divided by the share that was kept",
         with([](Program& p) { p.dropout = dropout_by_count; })},
        {"no mask", with([](Program& p) { p.weights = weights_unmasked; }), {"mask.absent"}},
        {"softmax over queries", with([](Program& p) { p.weights = weights_axis_1; })},
        {"the mask fills in -10", with([](Program& p) { p.weights = weights_fill_10; })},
        {"the mask fills in -1e5", with([](Program& p) { p.weights = weights_fill_1e5; })},
        {"dropout wherever a graph is recorded",
         with([](Program& p) { p.dropout = dropout_where_recorded; }),
         {"train.eval-dropout"}},
        {"over the share that was kept",
         with([](Program& p) { p.dropout = dropout_by_the_share; })},
        {"over p", with([](Program& p) { p.dropout = dropout_over_p; })},
        {"the root of T", with([](Program& p) { p.weights = weights_by_T; })},
        {"attended after dropout", with([](Program& p) { p.at_the_end = attended_after_dropout; })},
        {"the stream is dropped too", with([](Program& p) { p.at_the_end = stream_is_dropped; })},
        {"dropped twice", with([](Program& p) { p.at_the_end = dropped_twice; })},
        {"a norm at the end", with([](Program& p) { p.at_the_end = norm_at_the_end; })},
        {"b_2's gradient twice", with([](Program& p) { p.at_the_end = b_2_twice; })},
        {"gelu by tanh", with([](Program& p) { p.activation = [](V z) { return gelu_tanh(z); }; })},
        {"x a new leaf", with([](Program& p) { p.at_the_start = new_leaf; })},
        {"the second stream a constant", with([](Program& p) {
             p.second_stream = [](V, V stream, V, V found) { return stream.detach() + found; };
         })},
        {"no graph where x needs none",
         [] {
             return judge_12_4([](const BlockParameters& w, V x, const Dropping& dropping) {
                 const GradMode recorded(x.requires_grad());
                 return Program()(w, x, dropping);
             });
         }},
    };
    answers.right = {
        {"var, and a power", with([](Program& p) { p.norm = by_expansion; })},
        {"p is 0 outside training", with([](Program& p) { p.dropout = by_zero_p; })},
        {"row by row", with([](Program& p) { p.norm = norm_by_rows; })},
        {"dropped by masked_fill, masked by -1e9", with([](Program& p) {
             p.dropout = dropout_by_where;
             p.weights = weights_fill_1e9;
         })},
        {"in other words", [] { return judge_12_4(in_other_words); }},
        {"dropout that keeps all", [] { return judge_12_4(keeping_all); }},
    };
    return answers;
}
