// Cases from inputs: an answer is asked the same on each.
#pragma once

#include "tutorials/exercises/judging/rules.h"

#include "autograd/variable.h"
#include "tensor/factories.h"
#include "tensor/ops/arithmetic.h"

#include <cstdint>
#include <string>
#include <vector>

namespace exercise {

template <class Input>
struct Named {
    std::string name;  // "4 rows of 7 scores"
    Input in;
};
template <class Input>
using Inputs = std::vector<Named<Input>>;

template <class Answer>
using Cases = std::vector<Asked<Answer>>;

// Under which name an answer is given a tensor. A judge with inputs of its own says likewise what
// an answer is given with them; it must be declared before its cases.
inline Stages given(const heed::Tensor& x) { return {{"x", x}}; }
inline Stages given(const heed::Variable& x) { return {{"x", x.value()}}; }

// What an answer is given and must leave as it is.
template <class Input>
Stages inputs_of(const Input& in) {
    if constexpr (requires { given(in); }) {
        return given(in);
    } else {
        return {};
    }
}

// A case for each input: `stages(answer, input)`.
template <class Answer, class Input, class Of>
Cases<Answer> on_each(const Of& stages, const Inputs<Input>& inputs) {
    Cases<Answer> cases;
    for (const auto& [name, in] : inputs) {
        cases.push_back({name,
                         [stages, in = in](const Answer& answer) { return stages(answer, in); },
                         inputs_of(in)});
    }
    return cases;
}
template <class Answer, class Input>
Cases<Answer> on_each(Stages (*stages)(const Answer&, const Input&), const Inputs<Input>& inputs) {
    return on_each<Answer, Input, decltype(stages)>(stages, inputs);
}

// Integers as a stage: [n].
inline heed::Tensor numbers(const std::vector<std::int64_t>& list) {
    const std::vector<heed::Scalar> entries(list.begin(), list.end());
    return heed::tensor::from_vector(entries, {std::ssize(entries)});
}
// The same of any numbers.
template <class Number>
heed::Tensor numbers(const std::vector<Number>& list) {
    const std::vector<heed::Scalar> entries(list.begin(), list.end());
    return heed::tensor::from_vector(entries, {std::ssize(entries)});
}

// All stages multiplied by 1e16: numbers near 1e-16 would be equal to any others as small.
inline Stages enlarged(Stages stages) {
    for (Stage& stage : stages) stage = {stage.name + " · 1e16", stage.value * 1e16};
    return stages;
}
template <class Answer>
Cases<Answer> enlarged(Cases<Answer> cases) {
    for (Asked<Answer>& one : cases) {
        one.stages = [stages = one.stages](const Answer& answer) {
            return enlarged(stages(answer));
        };
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
    return joined(one, two, called("the first call again", of(first)));
}

// A case of three calls for each of `others`, which is the input of the second call, and whose name
// says in what it differs: "", or ", the second with another G".
template <class Answer, class Input, class Of>
Cases<Answer> three_calls_on_each(const Of& stages, const Named<Input>& first,
                                  const Inputs<Input>& others) {
    Cases<Answer> cases;
    for (const Named<Input>& other : others) {
        cases.push_back({"three calls, looked at after the last, " + first.name + other.name,
                         [=](const Answer& answer) {
                             const auto of = [&](const Input& in) { return stages(answer, in); };
                             return three_calls(first.in, other.in, of);
                         },
                         joined(inputs_of(first.in), inputs_of(other.in))});
    }
    return cases;
}
template <class Answer, class Input>
Cases<Answer> three_calls_on_each(Stages (*stages)(const Answer&, const Input&),
                                  const Named<Input>& first, const Inputs<Input>& others) {
    return three_calls_on_each<Answer, Input, decltype(stages)>(stages, first, others);
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
