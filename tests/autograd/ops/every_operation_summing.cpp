// Operations that sum: reductions, running sums and products, softmax and the matrix product.
#include "tests/autograd/ops/every_operation.h"

using namespace heed;

namespace {
const std::vector<Shapes> full = {{{2, 3, 4}}, {{3, 3}}, {{1, 3}}, {{3, 1}}, {{1}}, {{}}};
const std::vector<Shapes> full_or_empty = {{{2, 3, 4}}, {{3, 3}}, {{1}}, {{}}, {{0, 3}}, {{0}}};
const std::vector<Shapes> rank_2 = {{{2, 4}}, {{4, 3}}, {{3, 3}}, {{2, 1}}};
const std::vector<Shapes> rank_2_or_empty = {{{2, 4}}, {{3, 3}}, {{2, 1}}, {{0, 3}}, {{3, 0}}};
const std::vector<Shapes> rank_3 = {{{2, 3, 4}}, {{3, 3, 3}}, {{1, 2, 2}}};

void add_sums(std::vector<CheckedOperation>& list) {
    list.push_back({"sum", [](const In& in) { return sum(in[0]); }, full_or_empty});
    list.push_back({"sum, 0", [](const In& in) { return sum(in[0], 0); }, rank_2_or_empty});
    list.push_back(
        {"sum, -1", [](const In& in) { return sum(in[0], -1, keepdim); }, rank_2_or_empty});
    list.push_back({"sum, 2 and 0", [](const In& in) { return sum(in[0], {2, 0}); }, rank_3});
    list.push_back({"sum, 1 and -1",
                    [](const In& in) {
                        return sum(in[0], {1, -1}, keepdim);
                    },
                    rank_3});
    list.push_back({"sum_to [3, 1]",
                    [](const In& in) {
                        return sum_to(in[0], {3, 1});
                    },
                    {{{2, 3, 4}}, {{3, 3}}, {{3, 1}}, {{0, 3, 2}}, {{3, 0}}}});
    list.push_back({"sum_to []", [](const In& in) { return sum_to(in[0], {}); }, full_or_empty});
    list.push_back({"mean", [](const In& in) { return mean(in[0]); }, full});
    list.push_back({"mean, 0", [](const In& in) { return mean(in[0], 0); }, rank_2});
    list.push_back({"mean, -1",
                    [](const In& in) { return mean(in[0], -1, keepdim); },
                    {{{2, 4}}, {{3, 3}}, {{0, 3}}}});
    list.push_back({"mean, 0 and 2", [](const In& in) { return mean(in[0], {0, 2}); }, rank_3});
}

void add_running(std::vector<CheckedOperation>& list) {
    const std::vector<Shapes> shapes = {{{2, 3, 4}}, {{3, 3}}, {{1, 4}},
                                        {{4, 1}},    {{0, 3}}, {{3, 0}}};
    list.push_back({"cumsum, 0", [](const In& in) { return cumsum(in[0], 0); }, shapes});
    list.push_back({"cumsum, 1", [](const In& in) { return cumsum(in[0], 1); }, shapes});
    list.push_back({"cumsum, -1", [](const In& in) { return cumsum(in[0], -1); }, {{{5}}, {{1}}}});
    list.push_back({"cumprod, 0", [](const In& in) { return cumprod(in[0], 0); }, shapes});
    list.push_back({"cumprod, 1", [](const In& in) { return cumprod(in[0], 1); }, shapes});
    list.push_back(
        {"cumprod, -1", [](const In& in) { return cumprod(in[0], -1); }, {{{5}}, {{1}}}});
}

void add_statistics(std::vector<CheckedOperation>& list) {
    const std::vector<Shapes> several = {{{2, 3, 4}}, {{3, 3}}, {{2}}, {{5}}};
    list.push_back({"var", [](const In& in) { return var(in[0]); }, several});
    list.push_back(
        {"var, 1", [](const In& in) { return var(in[0], 1); }, {{{2, 4}}, {{3, 3}}, {{0, 2}}}});
    list.push_back(
        {"var, -1, all of n", [](const In& in) { return var(in[0], -1, 0, keepdim); }, rank_2});
    list.push_back({"var, 2 and 0, n - 3",
                    [](const In& in) {
                        return var(in[0], {2, 0}, 3);
                    },
                    {{{2, 3, 4}}, {{3, 3, 3}}}});
    list.push_back(
        {"var, rank 0", [](const In& in) { return var(reshape(in[0], {1}), 0, 0); }, {{{}}}});
    list.push_back({"max", [](const In& in) { return max(in[0]); }, full, Inputs::no_repeats});
    list.push_back({"max, 0",
                    [](const In& in) { return max(in[0], 0); },
                    {{{2, 4}}, {{3, 3}}, {{1, 2}}, {{2, 0}}},
                    Inputs::no_repeats});
    list.push_back({"max, -1",
                    [](const In& in) { return max(in[0], -1, keepdim); },
                    {{{2, 4}}, {{3, 3}}, {{0, 2}}},
                    Inputs::no_repeats});
    list.push_back({"min", [](const In& in) { return min(in[0]); }, full, Inputs::no_repeats});
    list.push_back({"min, 2 and 0",
                    [](const In& in) {
                        return min(in[0], {2, 0});
                    },
                    rank_3, Inputs::no_repeats});
    list.push_back({"min, 1", [](const In& in) { return min(in[0], 1, keepdim); }, rank_2,
                    Inputs::no_repeats});
}

// Scores with some entries blocked, and all entries of one row.
Variable blocked(const Variable& scores) {
    const BoolTensor pattern({true, true, true, false, true, false, false, false, false}, {3, 3});
    return masked_fill(scores, pattern, -infinity);
}

void add_softmaxes(std::vector<CheckedOperation>& list) {
    list.push_back({"softmax, 0", [](const In& in) { return softmax(in[0], 0); }, rank_2_or_empty});
    list.push_back({"softmax, 1 of 3", [](const In& in) { return softmax(in[0], 1); }, rank_3});
    list.push_back({"softmax, -1",
                    [](const In& in) { return softmax(in[0], -1); },
                    {{{2, 3, 4}}, {{3, 3}}, {{1}}, {{5}}}});
    list.push_back(
        {"softmax, large scores", [](const In& in) { return softmax(in[0] + 1e3, -1); }, rank_2});
    list.push_back({"softmax, blocked",
                    [](const In& in) { return softmax(blocked(in[0]), 1); },
                    {{{3, 3}}, {{2, 3, 3}}}});
    list.push_back(
        {"log_softmax, 0", [](const In& in) { return log_softmax(in[0], 0); }, rank_2_or_empty});
    list.push_back({"log_softmax, -1",
                    [](const In& in) { return log_softmax(in[0], -1); },
                    {{{2, 3, 4}}, {{3, 3}}, {{1}}}});
    list.push_back({"logsumexp, 0",
                    [](const In& in) { return logsumexp(in[0], 0); },
                    {{{2, 4}}, {{3, 3}}, {{1, 2}}, {{3, 0}}}});
    list.push_back({"logsumexp, -1",
                    [](const In& in) { return logsumexp(in[0], -1, keepdim); },
                    {{{2, 3, 4}}, {{3, 3}}, {{1}}}});
    list.push_back({"logsumexp, -2", [](const In& in) { return logsumexp(in[0], -2); }, rank_3});
    list.push_back({"logsumexp, two axes",
                    [](const In& in) {
                        return logsumexp(in[0], {0, -1});
                    },
                    {{{2, 3, 4}}, {{3, 3}}, {{2, 2, 1}}, {{3, 0, 2}}}});
    list.push_back({"logsumexp, two axes, kept",
                    [](const In& in) {
                        return logsumexp(in[0], {2, 1}, keepdim) * in[0];
                    },
                    {{{2, 3, 4}}}});
    list.push_back({"exp of logsumexp, blocked",
                    [](const In& in) { return exp(logsumexp(blocked(in[0]), -1)); },
                    {{{3, 3}}, {{2, 3, 3}}}});
    list.push_back({"layer_norm",
                    [](const In& in) { return layer_norm(in[0], in[1], in[2], 0.1); },
                    {{{2, 4}, {4}, {4}},
                     {{3, 3}, {3}, {3}},
                     {{2, 2, 3}, {2, 3}, {2, 3}},
                     {{3}, {3}, {3}},
                     {{2, 1}, {1}, {1}},
                     {{0, 3}, {3}, {3}}}});
    list.push_back({"layer_norm(X, b, b)",
                    [](const In& in) { return layer_norm(in[0], in[1], in[1], 0.1); },
                    {{{3, 4}, {4}}}});
    list.push_back({"cross_entropy_losses",
                    [](const In& in) {
                        return cross_entropy_losses(in[0], IndexTensor({2, no_class, 0}));
                    },
                    {{{3, 4}}, {{3, 3}}}});
    list.push_back({"cross_entropy_losses, blocked",
                    [](const In& in) {
                        return cross_entropy_losses(blocked(in[0]), IndexTensor({no_class, 2, 1}));
                    },
                    {{{3, 3}}}});
}

void add_products(std::vector<CheckedOperation>& list) {
    list.push_back({"matmul",
                    [](const In& in) { return matmul(in[0], in[1]); },
                    {{{2, 3}, {3, 4}},
                     {{3, 3}, {3, 3}},
                     {{1, 3}, {3, 1}},
                     {{2, 0}, {0, 3}},
                     {{0, 3}, {3, 2}}}});
    list.push_back({"matmul of vectors",
                    [](const In& in) { return matmul(in[0], in[1]); },
                    {{{3}, {3}},
                     {{1}, {1}},
                     {{0}, {0}},
                     {{3}, {3, 4}},
                     {{2, 3}, {3}},
                     {{2, 4, 3}, {3}},
                     {{3}, {2, 3, 4}},
                     {{2, 0, 3}, {3}}}});
    list.push_back({"matmul of batches",
                    [](const In& in) { return matmul(in[0], in[1]); },
                    {{{2, 2, 3}, {2, 3, 4}},
                     {{4, 2, 3}, {3, 2}},
                     {{2, 3, 3}, {3, 3}},
                     {{2, 0, 3}, {3, 2}},
                     {{0, 2, 3}, {3, 2}}}});
    list.push_back({"matmul of broadcast batches",
                    [](const In& in) { return matmul(in[0], in[1]); },
                    {{{2, 3}, {4, 3, 2}},
                     {{1, 2, 3}, {3, 3, 2}},
                     {{2, 1, 2, 3}, {3, 3, 2}},
                     {{1, 2, 2, 1}, {1, 3}},
                     {{0, 2, 3}, {1, 3, 2}}}});
    list.push_back({"linear",
                    [](const In& in) { return linear(in[0], in[1], in[2]); },
                    {{{2, 3}, {4, 3}, {4}},
                     {{3, 3}, {3, 3}, {3}},
                     {{2, 2, 3}, {1, 3}, {1}},
                     {{3}, {2, 3}, {2}},
                     {{0, 3}, {2, 3}, {2}},
                     {{2, 0}, {3, 0}, {3}}}});
    list.push_back({"linear(X, X, b)",
                    [](const In& in) { return linear(in[0], in[0], in[1]); },
                    {{{3, 2}, {3}}}});
    list.push_back({"fused_attention",
                    [](const In& in) { return fused_attention(in[0], in[1], in[2]); },
                    {{{2, 3}, {4, 3}, {4, 2}},
                     {{3, 3}, {3, 3}, {3, 3}},
                     {{1, 2}, {1, 2}, {1, 1}},
                     {{2, 1}, {0, 1}, {0, 2}},
                     {{0, 2}, {3, 2}, {3, 2}}}});
    list.push_back({"fused_attention of broadcast batches, causal",
                    [](const In& in) {
                        const Mask mask = Mask::causal(in[0].dim(-2), in[1].dim(-2));
                        return fused_attention(in[0], in[1], in[2], mask);
                    },
                    {{{2, 3, 2}, {3, 2}, {2, 3, 2}},
                     {{2, 2}, {2, 3, 2}, {3, 1}},
                     {{2, 1, 2, 2}, {2, 3, 2}, {3, 4}}}});
    list.push_back({"fused_attention, capped, with a bias",
                    [](const In& in) {
                        return fused_attention(in[0], in[1], in[2], Mask::causal(2, 3),
                                               {.bias = in[3], .scale = 0.8, .soft_cap = 1.5});
                    },
                    {{{2, 2, 2}, {2, 3, 2}, {3, 1}, {2, 3}},
                     {{2, 1}, {3, 1}, {3, 2}, {2, 1}},
                     {{2, 2}, {3, 2}, {3, 2}, {3}},
                     {{3, 2, 2}, {3, 3, 2}, {3, 3, 1}, {3, 1, 1}}}});
    list.push_back({"fused_attention(X, X, X)",
                    [](const In& in) { return fused_attention(in[0], in[0], in[0]); },
                    {{{3, 3}}, {{2, 3, 2}}}});
    list.push_back(
        {"changed_scores",
         [](const In& in) { return changed_scores(in[0], {.bias = in[1], .soft_cap = 1.5}); },
         {{{2, 3}, {2, 3}}, {{2, 3, 3}, {3}}, {{1, 1}, {2, 1}}, {{0, 3}, {3}}}});
    list.push_back({"einsum",
                    [](const In& in) { return einsum("...ik,...kj->...ij", in[0], in[1]); },
                    {{{2, 3}, {3, 4}}, {{3, 3}, {3, 3}}, {{2, 1, 3}, {3, 2}}, {{0, 2}, {2, 1}}}});
    list.push_back({"matmul(X, X)",
                    [](const In& in) { return matmul(in[0], in[0]); },
                    {{{3, 3}}, {{2, 3, 3}}, {{4}}}});
    list.push_back({"matmul(X, Xᵀ)",
                    [](const In& in) { return matmul(in[0], transpose(in[0])); },
                    {{{2, 3}}, {{3, 3}}, {{2, 2, 3}}}});
}

}  // namespace

std::vector<CheckedOperation> summing_operations() {
    std::vector<CheckedOperation> list;
    add_sums(list);
    add_running(list);
    add_statistics(list);
    add_softmaxes(list);
    add_products(list);
    return list;
}
