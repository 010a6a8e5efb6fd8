// Laws that hold for many an answer.
#pragma once

#include "tutorials/exercises/judging/cases.h"
#include "tutorials/exercises/judging/compare.h"

#include "tensor/ops/arithmetic.h"

#include <functional>
#include <string>

namespace exercise {

// Laws return their finding, or "" if they hold.
// "" if the two are equal within the tolerance, else `otherwise`.
std::string same_or(const heed::Tensor& a, const heed::Tensor& b, const std::string& otherwise);
std::string rows_sum_to_1(const heed::Tensor& weights);
std::string rows_sum_to_0(const heed::Tensor& gradient);

// Calls `first`, then `next`, and asks whether the result of the first call is still the same: it
// may not share storage with what a later call writes.
std::string earlier_results_change(const std::function<Stages()>& first,
                                   const std::function<Stages()>& next);
// The same of `stages(answer, input)`, for two inputs.
template <class Answer, class Input>
LawOf<Answer> earlier_results_stay(Stages (*stages)(const Answer&, const Input&),
                                   const std::type_identity_t<Input>& first,
                                   const std::type_identity_t<Input>& next) {
    return {"a second call leaves the result of the first as it was", [=](const Answer& answer) {
                return earlier_results_change([&] { return stages(answer, first); },
                                              [&] { return stages(answer, next); });
            }};
}

// Gradients are linear in the upstream gradient G: `gradients(answer, G)` are those of `of`.
template <class Answer, class Gradients>
LawOf<Answer> doubles_with_upstream(const std::string& of, const Gradients& gradients,
                                    const heed::Tensor& G) {
    return {"with twice the upstream gradient, " + of + " hands on twice as much",
            [=](const Answer& answer) -> std::string {
                const Stages once = gradients(answer, G);
                const Stages twice = gradients(answer, 2 * G);
                for (const Stage& one : once) {
                    if (same(stage(twice, one.name), 2 * one.value)) continue;
                    return one.name + " did not become twice as large when G did.";
                }
                return "";
            }};
}

}  // namespace exercise
