// Wrong shapes, indices and axes, given to each operation on variables (see wrong_calls.h).
#include "tests/wrong_calls.h"

#include "nn/heed.h"

using namespace wrong_calls;

namespace {
// clang-format off
const Calls of_operations = {
    {"item", [] { V({2}).item(); }},
    {"()", [] { V({2, 3})(2, 0); }},
    {"dim", [] { V({2}).dim(1); }},
    {"grad, none", [] { V({2}).grad(); }},
    {"backward, a vector", [] { V({2}).backward(); }},
    {"backward, nothing recorded", [] { Variable(T({1})).backward(); }},
    {"backward, upstream", [] { (V({2}) * 2).backward({.upstream = T({3})}); }},
    {"backward, twice", [] { const Variable y = sum(exp(V({2}))); y.backward(); y.backward(); }},
    {"set_grad", [] { V({2}).set_grad(T({3})); }},
    {"register_hook", [] { Variable(T({2})).register_hook([](const Variable& g) { return g; }); }},
    {"retain_grad", [] { Variable(T({2})).retain_grad(); }},
    {"set_name", [] { Variable(T({2})).set_name("x"); }},
    {"set_requires_grad", [] { exp(V({2})).set_requires_grad(false); }},
    {"grad()", [] { grad(V({2}), V({2})); }},
    {"grad(), a list", [] { const Variable x = V({2}); grad(x * 2, std::vector<Variable>{x}); }},
    {"+", [] { V({2}) + V({3}); }},
    {"+ of a tensor's shape", [] { V({2, 3}) + V({2}); }},
    {"+, huge", [] { V({huge / 16, 1}) + V({1, huge / 16}); }},
    {"- * /", [] { V({2}) - V({3}); }},
    {"*", [] { V({2}) * V({3}); }},
    {"/", [] { V({2}) / V({3}); }},
    {"add", [] { add(V({2}), V({3})); }},
    {"pow", [] { pow(V({2}), V({3})); }},
    {"minimum", [] { minimum(V({2}), V({3})); }},
    {"maximum", [] { maximum(V({2}), V({3})); }},
    {"matmul", [] { matmul(V({2, 3}), V({2, 3})); }},
    {"matmul, batches", [] { matmul(V({2, 3, 4}), V({3, 4, 5})); }},
    {"matmul, huge", [] { matmul(V({huge / 16, 1}), V({1, huge / 16})); }},
    {"linear", [] { linear(V({2, 3}), V({4, 4}), V({4})); }},
    {"einsum", [] { einsum("ij,jk->ik", V({2, 3}), V({4, 5})); }},
    {"einsum, rank", [] { einsum("ij->ji", V({2})); }},
    {"einsum, huge", [] { einsum("i,j->ij", V({huge / 16}), V({huge / 16})); }},
    {"transpose", [] { transpose(V({2})); }},
    {"transpose, axes", [] { transpose(V({2, 3}), 0, 2); }},
    {"permute", [] { permute(V({2, 3}), {0, 0}); }},
    {"view", [] { view(V({2, 3}), {5}); }},
    {"reshape", [] { reshape(V({2, 3}), {4, -1}); }},
    {"flatten", [] { flatten(V({2, 3}), 1, 0); }},
    {"slice", [] { slice(V({2, 3}), 2, 0); }},
    {"x[i]", [] { V({2, 3})[2]; }},
    {"select", [] { select(V({2, 3}), 0, 2); }},
    {"expand", [] { expand(V({2, 3}), {4, 3}); }},
    {"unsqueeze", [] { unsqueeze(V(eight_axes), 0); }},
    {"squeeze", [] { squeeze(V({2, 3}), 0); }},
    {"sum", [] { sum(V({2, 3}), 2); }},
    {"mean", [] { mean(V({2, 3}), -3); }},
    {"var", [] { var(V({2, 3}), 5); }},
    {"max", [] { max(V({2, 3}), 2); }},
    {"min", [] { min(Variable(tensor::ones({0}))); }},
    {"sum_to", [] { sum_to(V({2, 3}), Shape{2}); }},
    {"cumsum", [] { cumsum(V({2, 3}), 2); }},
    {"cumprod", [] { cumprod(V({2, 3}), -3); }},
    {"clamp", [] { clamp(V({2}), {1, 0}); }},
    {"repeat", [] { repeat(V({2, 3}), 2); }},
    {"repeat, huge", [] { repeat(V({2, 3}), {huge, huge}); }},
    {"repeat_interleave", [] { repeat_interleave(V({2, 3}), -1, 0); }},
    {"sort", [] { sort(V({2, 3}), 2); }},
    {"topk", [] { topk(V({2, 3}), 4, 1); }},
    {"softmax", [] { softmax(V({2, 3}), 2); }},
    {"log_softmax", [] { log_softmax(V({2, 3}), 2); }},
    {"logsumexp", [] { logsumexp(V({2, 3}), 2); }},
    {"concatenate", [] { concatenate({V({2, 3}), V({2, 4})}, 0); }},
    {"stack", [] { stack({V({2}), V({3})}); }},
    {"stack, a ninth axis", [] { stack({V(eight_axes)}); }},
    {"split_sizes", [] { split_sizes(V({2, 3}), {1, 1}, 1); }},
    {"index_select", [] { index_select(V({2, 3}), 0, ids({2})); }},
    {"gather", [] { gather(V({2, 3}), 0, ids({0})); }},
    {"index_add", [] { index_add(V({2}), 0, ids({0, 3}), Shape{3}); }},
    {"scatter_add", [] { scatter_add(V({2}), 0, ids({0, 3}), Shape{3}); }},
    {"where", [] { where(B({2}), V({3}), V({2})); }},
    {"masked_fill", [] { masked_fill(V({2, 3}), B({2}), 0); }},
    {"tril", [] { tril(V({2})); }},
    {"layer_norm", [] { layer_norm(V({2, 3}), V({4}), V({4}), 1e-5); }},
    {"cross_entropy_losses", [] { cross_entropy_losses(V({2, 3}), ids({0, 3})); }},
    {"fused_attention", [] { fused_attention(V({2, 3}), V({2, 4}), V({2, 3})); }},
};
// clang-format on

}  // namespace

TEST_CASE("wrong operations on variables name the caller's line", "[autograd][wrong]") {
    check_all(of_operations);
}
