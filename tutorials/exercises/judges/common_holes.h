// The cases of exercises with several holes, and of functions that are called more than once.
#pragma once

#include "tutorials/exercises/judging/exercise.h"

#include "tensor/ops/arithmetic.h"

#include <string>
#include <vector>

namespace exercise {

// All cases of the first hole, then those of the second, and so on.
inline std::vector<Case> hole_by_hole(const std::vector<std::vector<Case>>& holes) {
    std::vector<Case> cases;
    for (const std::vector<Case>& its : holes) {
        cases.insert(cases.end(), its.begin(), its.end());
    }
    return cases;
}

// The stages of one call, named as such: "the second: ∂L/∂W".
inline Stages called(const std::string& call, Stages stages) {
    for (Stage& stage : stages) stage.name = call + ": " + stage.name;
    return stages;
}

// Three calls one after the other, the third with the input of the first: `of` gives the stages of
// one call for an input. They are looked at after the last call, so that results that share memory
// are seen, and so is what a call leaves behind for the next.
template <class Input, class Of>
Stages three_calls(const Input& first, const Input& second, const Of& of) {
    const Stages one = called("the first call", of(first));
    const Stages two = called("the second call", of(second));
    Stages all = called("the first call again", of(first));
    all.insert(all.begin(), two.begin(), two.end());
    all.insert(all.begin(), one.begin(), one.end());
    return all;
}

// Multiplied by 1e16: numbers near 1e-16 would be equal to any others as small.
inline Stages enlarged(Stages stages) {
    for (Stage& stage : stages) stage = {stage.name + " · 1e16", stage.value * 1e16};
    return stages;
}

// The names of stages alone, enlarged and in each of three calls: for Hole::stages.
inline std::vector<std::string> in_all_calls(const std::vector<std::string>& names) {
    std::vector<std::string> all = names;
    for (const std::string& name : names) {
        all.push_back(name + " · 1e16");
        for (const char* call : {"the first call", "the second call", "the first call again"}) {
            all.push_back(std::string(call) + ": " + name);
        }
    }
    return all;
}

}  // namespace exercise
