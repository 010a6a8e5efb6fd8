// Inputs with what a right answer gives for each, so that gradients are asked for only where the
// values are right: most mistakes show in the values, and then none needs to be computed.
#pragma once

#include "tutorials/exercises/judging/cases.h"

namespace exercise {

template <class Input>
struct Solved {
    Input in;
    Stages right;
};

template <class Input>
Stages given(const Solved<Input>& solved) {
    return inputs_of(solved.in);
}

// `right(input)`: the stages of a right answer.
template <class Input, class Of>
Inputs<Solved<Input>> solved(const Inputs<Input>& inputs, const Of& right) {
    Inputs<Solved<Input>> all;
    for (const auto& [name, in] : inputs) all.push_back({name, {in, right(in)}});
    return all;
}

}  // namespace exercise
