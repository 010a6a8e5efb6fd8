// Losses with their options, and their gradients, against numbers that PyTorch computed in float64
// (tests/nn/reference/losses.safetensors).
#include "nn/heed.h"
#include "tests/catch.h"
#include "tests/nn/reference/reference.h"

#include <algorithm>
#include <functional>

using namespace heed;

namespace {
constexpr double tolerance = sizeof(Scalar) == 8 ? 1e-13 : 2e-6;

Tensor frozen(const std::string& name) { return reference_tensors("losses").at(name); }

const IndexTensor ids({2, 0, -100, 1, 2});
const Tensor weights = tensor::of({0.5, 2, 1.25});

// The largest difference of the loss and of the gradients of its inputs x and, if it has them, p.
double distance(const std::string& name, bool has_p,
                const std::function<Variable(const Variable& x, const Variable& p)>& loss_of) {
    const Variable x(frozen(name + ": x"), requires_grad);
    const Variable p =
        has_p ? Variable(frozen(name + ": p"), requires_grad) : Variable(tensor::of(0));
    const Variable loss = loss_of(x, p);
    loss.backward({.upstream = frozen(name + ": upstream")});
    double found = std::max(tensor::max_difference(loss.value(), frozen(name + ": loss")),
                            tensor::max_difference(x.grad(), frozen(name + ": grad x")));
    if (has_p) found = std::max(found, tensor::max_difference(p.grad(), frozen(name + ": grad p")));
    return found;
}

struct Named {
    const char* name;
    Reduction reduction;
};
const Named reductions[] = {
    {"mean", Reduction::mean}, {"sum", Reduction::sum}, {"none", Reduction::none}};

}  // namespace

TEST_CASE("class weights, soft targets and smoothing are PyTorch's", "[nn][losses][reference]") {
    for (const Named& one : reductions) {
        INFO(one.name);
        CrossEntropyOptions weighted = {.reduction = one.reduction, .class_weights = weights};
        CrossEntropyOptions plain = {.reduction = one.reduction};
        CHECK(distance(text("cross entropy, weights, ", one.name), false,
                       [&](const Variable& x, const Variable&) {
                           return cross_entropy(x, ids, weighted);
                       }) <= tolerance);
        CHECK(distance(text("soft targets, ", one.name), true,
                       [&](const Variable& x, const Variable& p) {
                           return cross_entropy(x, p, plain);
                       }) <= tolerance);
        weighted.label_smoothing = 0.2;
        CHECK(distance(text("cross entropy, weights, smoothing, ", one.name), false,
                       [&](const Variable& x, const Variable&) {
                           return cross_entropy(x, ids, weighted);
                       }) <= tolerance);
        CHECK(distance(text("soft targets, weights, smoothing, ", one.name), true,
                       [&](const Variable& x, const Variable& p) {
                           return cross_entropy(x, p, weighted);
                       }) <= tolerance);
    }
    CHECK(distance("soft targets on axis 1", true, [](const Variable& x, const Variable& p) {
              return cross_entropy(x, transpose(p, 1, 2),
                                   {.reduction = Reduction::none, .class_axis = 1});
          }) <= tolerance);
}

TEST_CASE("negative log-likelihood and binary cross entropy are PyTorch's",
          "[nn][losses][reference]") {
    for (const Named& one : reductions) {
        INFO(one.name);
        CHECK(distance(text("nll, weights, ", one.name), false,
                       [&](const Variable& x, const Variable&) {
                           return nll_loss(log_softmax(x, -1), ids,
                                           {.reduction = one.reduction, .class_weights = weights});
                       }) <= tolerance);
        CHECK(distance(text("binary, ", one.name), true, [&](const Variable& x, const Variable& p) {
                  return binary_cross_entropy_with_logits(x, p, one.reduction);
              }) <= tolerance);
    }
}

TEST_CASE("the comparison with PyTorch's losses notices each misreading",
          "[nn][losses][reference]") {
    const auto far = [](const std::string& name, bool has_p, const auto& loss) {
        return distance(name, has_p, loss) > 1e-3;
    };
    CHECK(far("cross entropy, weights, mean", false,
              [](const Variable& x, const Variable&) { return cross_entropy(x, ids); }));
    // The mean over the number of targets.
    CHECK(far("cross entropy, weights, mean", false, [](const Variable& x, const Variable&) {
        return cross_entropy(x, ids, {.reduction = Reduction::sum, .class_weights = weights}) / 4;
    }));
    CHECK(far("soft targets, weights, smoothing, mean", true,
              [](const Variable& x, const Variable& p) {
                  return cross_entropy(x, p, {.class_weights = weights});
              }));
    CHECK(far("binary, mean", true, [](const Variable& x, const Variable& p) {
        return binary_cross_entropy_with_logits(x, 1 - p);
    }));
}
