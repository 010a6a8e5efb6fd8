// Answers to 12.4, in the form learners and careless engineers write them.
#include "tutorials/exercises/judges/12_4_broken_block.h"
#include "tests/tutorials/exercises/answers/answers.h"

#include "heed/autograd/ops/arithmetic.h"
#include "heed/autograd/ops/choose.h"
#include "heed/autograd/ops/functions.h"
#include "heed/autograd/ops/join.h"
#include "heed/autograd/ops/matmul.h"
#include "heed/autograd/ops/reduce.h"
#include "heed/autograd/ops/softmax.h"
#include "heed/autograd/ops/views.h"
#include "heed/tensor/factories.h"
#include "heed/tensor/mask.h"
#include "heed/tensor/ops/arithmetic.h"
#include "heed/tensor/ops/compare.h"
#include "heed/tensor/views.h"

#include <cmath>
#include <limits>

using namespace heed;
using namespace exercise;

namespace exercise {
Answers answers_12_4();
}

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

// The program, right unless told otherwise.
struct Program {
    std::function<Variable(V x, V gamma, V beta)> norm = right_norm;
    std::function<Variable(V x, const Tensor& kept, const Dropping&)> dropout = right_dropout;
    std::function<Variable(V x, V normed, V found)> first_stream = [](V x, V, V found) {
        return x + found;
    };
    std::function<Variable(V x, V stream, V normed, V found)> second_stream =
        [](V, V stream, V, V found) { return stream + found; };
    bool gamma_is_shared = false, beta_is_shared = false, draws_once = false;
    std::function<void(BlockStages&)> at_the_end = [](BlockStages&) {};
    BoolTensor blocked(std::int64_t T) const { return Mask::causal(T).blocked(); }

    BlockStages operator()(const BlockParameters& w, V x, const Dropping& dropping) const {
        BlockStages s;
        s.normed1 = norm(x, w.gamma1, w.beta1);
        const Variable Q = matmul(s.normed1, w.W_Q), K = matmul(s.normed1, w.W_K);
        const Variable values = matmul(s.normed1, w.W_V);
        const Variable scores = matmul(Q, transpose(K)) / std::sqrt(double(K.dim(-1)));
        const double infinity = std::numeric_limits<double>::infinity();
        s.weights = softmax(masked_fill(scores, blocked(x.dim(1)), -infinity), -1);
        s.attended = matmul(matmul(s.weights, values), w.W_O);
        s.after_attention =
            first_stream(x, s.normed1, dropout(s.attended, dropping.kept1, dropping));
        s.normed2 = norm(s.after_attention, gamma_is_shared ? w.gamma1 : w.gamma2,
                         beta_is_shared ? w.beta1 : w.beta2);
        s.hidden = gelu(matmul(s.normed2, w.W_1) + w.b_1);
        s.found = matmul(s.hidden, w.W_2) + w.b_2;
        s.y =
            second_stream(x, s.after_attention, s.normed2,
                          dropout(s.found, draws_once ? dropping.kept1 : dropping.kept2, dropping));
        at_the_end(s);
        return s;
    }
};

std::function<Exercise()> with(const std::function<void(Program&)>& change) {
    return [change] {
        Program program;
        change(program);
        return broken_block(program);
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

// Unusual and right.

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

}  // namespace

Answers exercise::answers_12_4() {
    Answers answers;
    answers.number = "12.4";
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
             p.at_the_end = [](BlockStages& s) { s.found = s.y - s.after_attention; };
         })},
    };
    answers.right = {
        {"var, and a power", with([](Program& p) { p.norm = by_expansion; })},
        {"p is 0 outside training", with([](Program& p) { p.dropout = by_zero_p; })},
    };
    return answers;
}
