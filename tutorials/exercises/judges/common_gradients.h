// Laws that hold for every derivative, whatever the function.
#pragma once

#include "tutorials/exercises/judging/compare.h"
#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/not_done.h"

#include "tensor/ops/arithmetic.h"

#include <functional>
#include <string>

namespace exercise {

// The gradients for the upstream gradient G.
using GradientsOf = std::function<Stages(const heed::Tensor& G)>;

// Gradients are linear in the upstream gradient G.
inline Law doubles_with_upstream(const std::string& of, const GradientsOf& gradients,
                                 const heed::Tensor& G) {
    const auto finding = [=]() -> std::string {
        try {
            const Stages once = gradients(G);
            const Stages twice = gradients(2 * G);
            for (const Stage& stage : once) {
                const heed::Tensor& doubled = exercise::stage(twice, stage.name);
                if (same(doubled, 2 * stage.value)) continue;
                return stage.name + " did not become twice as large when G did.";
            }
        } catch (const NotDone&) {  // a later hole is open; a case reports what is wrong
        }
        return "";
    };
    return {"with twice the upstream gradient, " + of + " hands on twice as much", finding};
}

}  // namespace exercise
