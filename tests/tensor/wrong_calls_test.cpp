// Wrong shapes, indices and axes, given to each function of tensor/ (see wrong_calls.h).
#include "tests/wrong_calls.h"

#include "heed/tensor/fused/attention.h"
#include "heed/tensor/ops.h"

using namespace wrong_calls;

namespace {

// clang-format off
const Calls of_making = {
    {"a negative length", [] { Shape({2, -1}); }},
    {"nine axes", [] { Shape({1, 1, 1, 1, 1, 1, 1, 1, 1}); }},
    {"nine dims", [] { Dims({1, 1, 1, 1, 1, 1, 1, 1, 1}); }},
    {"too many entries", [] { Shape({huge, 2}); }},
    {"dim", [] { Shape({2}).dim(1); }},
    {"of", [] { tensor::of({{1, 2}, {3}}); }},
    {"from_vector", [] { tensor::from_vector({1, 2}, Shape{3}); }},
    {"eye", [] { tensor::eye(-1); }},
    {"eye, huge", [] { tensor::eye(huge); }},
    {"arange", [] { tensor::arange(0, 1, 0); }},
    {"arange, huge", [] { tensor::arange(0, 1e300, 1); }},
    {"linspace", [] { tensor::linspace(0, 1, -1); }},
    {"linspace, huge", [] { tensor::linspace(0, 1, huge); }},
    {"uniform", [] { tensor::uniform({2}, dice, 1, 0); }},
    {"normal", [] { tensor::normal({2}, dice, 0, -1); }},
    {"Random::below", [] { dice.below(0); }},
    {"Random::permutation", [] { dice.permutation(-1); }},
    {"Random::permutation, huge", [] { dice.permutation(huge); }},
    {"IndexTensor", [] { IndexTensor({1, 2}, Shape{3}); }},
    {"IndexTensor, ragged", [] { IndexTensor({{1, 2}, {3}}); }},
    {"IndexTensor::arange", [] { IndexTensor::arange(-1); }},
    {"IndexTensor::arange, huge", [] { IndexTensor::arange(huge); }},
    {"IndexTensor::at", [] { ids({1, 2}).at(2); }},
    {"IndexTensor()", [] { ids({1, 2})(0, 0); }},
    {"IndexTensor::item", [] { ids({1, 2}).item(); }},
    {"IndexTensor::reshape", [] { ids({1, 2}).reshape(3); }},
    {"IndexTensor::select", [] { ids({1, 2}).select(2); }},
    {"BoolTensor", [] { BoolTensor({true}, Shape{2}); }},
    {"BoolTensor::full, huge", [] { BoolTensor::full(Shape{huge / 16}, true); }},
    {"BoolTensor &", [] { B({2}) & B({3}); }},
    {"BoolTensor &, huge", [] { B({1}) & BoolTensor::full(Shape{huge / 16}, true); }},
    {"BoolTensor::reshape", [] { B({2}).reshape(3); }},
    {"BoolTensor()", [] { B({2}) (2); }},
    {"Mask::causal", [] { Mask::causal(-1); }},
    {"Mask::causal, huge", [] { Mask::causal(huge); }},
    {"Mask::causal, long", [] { Mask::causal(huge / 16, 1); }},
    {"Mask::padding", [] { Mask::padding({3}, 2); }},
    {"Mask::padding, huge", [] { Mask::padding({1}, huge / 16); }},
    {"Mask::all_allowed", [] { Mask::all_allowed(2, -1); }},
    {"Mask::all_allowed, huge", [] { Mask::all_allowed(1, huge / 16); }},
    {"Mask::allowing", [] { Mask::allowing(B({2})); }},
    {"Mask::allows", [] { Mask::causal(2).allows(2, 0); }},
    {"Mask &", [] { Mask::causal(2) & Mask::causal(3); }},
};
// clang-format on

// clang-format off
const Calls of_operations = {
    {"at", [] { T({2, 3}).at({0, 3}); }},
    {"()", [] { T({2, 3})(2, 0); }},
    {"item", [] { T({2}).item(); }},
    {"overwrite", [] { Tensor x = tensor::ones({2}); tensor::overwrite(x, T({3})); }},
    {"+", [] { T({2}) + T({3}); }},
    {"+, rows", [] { T({2, 3}) + T({2}); }},
    {"+, huge", [] { T({huge / 16, 1}) + T({1, huge / 16}); }},
    {"pow", [] { tensor::pow(T({2}), T({3})); }},
    {"==", [] { (void)(T({2}) == T({3})); }},
    {"max_difference", [] { tensor::max_difference(T({2}), T({3})); }},
    {"matmul", [] { tensor::matmul(T({2, 3}), T({2, 3})); }},
    {"matmul, numbers", [] { tensor::matmul(tensor::of(1), T({2})); }},
    {"matmul, batches", [] { tensor::matmul(T({2, 3, 4}), T({3, 4, 5})); }},
    {"matmul, huge", [] { tensor::matmul(T({huge / 16, 1}), T({1, huge / 16})); }},
    {"linear", [] { tensor::linear(T({2, 3}), T({4, 4}), T({4})); }},
    {"einsum", [] { tensor::einsum("ij,jk->ik", T({2, 3}), T({4, 5})); }},
    {"einsum, huge", [] { tensor::einsum("i,j->ij", T({huge / 16}), T({huge / 16})); }},
    {"transpose", [] { tensor::transpose(T({2})); }},
    {"transpose, axes", [] { tensor::transpose(T({2, 3}), 0, 2); }},
    {"permute", [] { tensor::permute(T({2, 3}), {0, 0}); }},
    {"view", [] { tensor::view(T({2, 3}), {5}); }},
    {"reshape", [] { tensor::reshape(T({2, 3}), {4, -1}); }},
    {"flatten", [] { tensor::flatten(T({2, 3}), 1, 0); }},
    {"slice", [] { tensor::slice(T({2, 3}), 2, 0); }},
    {"slice, step", [] { tensor::slice(T({2, 3}), 0, 0, 2, 0); }},
    {"select", [] { tensor::select(T({2, 3}), 0, 2); }},
    {"expand", [] { tensor::expand(T({2, 3}), {4, 3}); }},
    {"expand, huge", [] { tensor::expand(tensor::ones({1, 1}), {huge, huge}); }},
    {"unsqueeze", [] { tensor::unsqueeze(T({2}), 3); }},
    {"unsqueeze, a ninth axis", [] { tensor::unsqueeze(T(eight_axes), 0); }},
    {"squeeze", [] { tensor::squeeze(T({2, 3}), 0); }},
    {"sum", [] { tensor::sum(T({2, 3}), 2); }},
    {"sum, twice", [] { tensor::sum(T({2, 3}), {0, -2}); }},
    {"mean", [] { tensor::mean(T({2, 3}), -3); }},
    {"var", [] { tensor::var(T({2, 3}), 5); }},
    {"max", [] { tensor::max(tensor::ones({0})); }},
    {"min", [] { tensor::min(T({2, 3}), 2); }},
    {"argmax", [] { tensor::argmax(T({2, 3}), 2); }},
    {"argmin", [] { tensor::argmin(tensor::ones({0})); }},
    {"sum_to", [] { tensor::sum_to(T({2, 3}), Shape{2}); }},
    {"softmax", [] { tensor::softmax(T({2, 3}), 2); }},
    {"log_softmax", [] { tensor::log_softmax(T({2, 3}), -3); }},
    {"logsumexp", [] { tensor::logsumexp(T({2, 3}), 2); }},
    {"concatenate", [] { tensor::concatenate({T({2, 3}), T({2, 4})}, 0); }},
    {"concatenate, none", [] { tensor::concatenate(std::vector<Tensor>(), 0); }},
    {"concatenate, huge",
     [] { const Tensor x = T({huge / 16, 2}); tensor::concatenate({x, x, x}, 1); }},
    {"stack", [] { tensor::stack({T({2}), T({3})}); }},
    {"stack, a ninth axis", [] { tensor::stack({T(eight_axes)}); }},
    {"split_sizes", [] { tensor::split_sizes(T({2, 3}), {1, 1}, 1); }},
    {"index_select", [] { tensor::index_select(T({2, 3}), 0, ids({2})); }},
    {"index_select, axis", [] { tensor::index_select(T({2, 3}), 2, ids({0})); }},
    {"gather", [] { tensor::gather(T({2, 3}), 0, ids({0})); }},
    {"index_add", [] { tensor::index_add(T({2}), 0, ids({0, 3}), Shape{3}); }},
    {"scatter_add", [] { tensor::scatter_add(T({2}), 0, ids({0, 3}), Shape{3}); }},
    {"where", [] { tensor::where(B({2}), T({3}), T({2})); }},
    {"masked_fill", [] { tensor::masked_fill(T({2, 3}), B({2}), 0); }},
    {"tril", [] { tensor::tril(T({2})); }},
    {"triu", [] { tensor::triu(T({2})); }},
    {"fused_attention", [] { tensor::fused_attention(T({2, 3}), T({2, 4}), T({2, 3})); }},
    {"fused_attention, batch",
     [] { tensor::fused_attention(T({2, 2, 3}), T({3, 2, 3}), T({3, 2, 3})); }},
};
// clang-format on

}  // namespace

TEST_CASE("wrong shapes and factories name the caller's line", "[tensor][wrong]") {
    check_all(of_making);
}

TEST_CASE("wrong operations on tensors name the caller's line", "[tensor][wrong]") {
    check_all(of_operations);
}
