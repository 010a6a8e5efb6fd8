#include "tutorials/exercises/judging/laws.h"

#include "tensor/factories.h"
#include "tensor/ops/reduce.h"
#include "tensor/views.h"

using namespace heed;

namespace exercise {

std::string same_or(const Tensor& a, const Tensor& b, const std::string& otherwise) {
    return same(a, b) ? "" : otherwise;
}

std::string rows_sum_to_1(const Tensor& weights) {
    const Tensor sums = tensor::sum(weights, -1);
    const std::string off = difference(sums, tensor::ones_like(sums));
    return off.empty() ? "" : "Their sum " + off + ".";
}

std::string rows_sum_to_0(const Tensor& gradient) {
    const Tensor sums = tensor::sum(gradient, -1), zeros = tensor::zeros_like(sums);
    return same(sums, zeros) ? "" : "The sum of a row, " + worst_entry(sums, zeros) + ".";
}

std::string earlier_results_change(const std::function<Stages()>& first,
                                   const std::function<Stages()>& next) {
    const Stages results = first();
    Stages before = results;
    for (Stage& one : before) one.value = tensor::clone(one.value);
    next();
    for (std::size_t i = 0; i < results.size(); ++i) {
        const std::string change = first_change(before[i].value, results[i].value);
        if (!change.empty()) return "Of " + results[i].name + ", " + change + ".";
    }
    return "";
}

}  // namespace exercise
