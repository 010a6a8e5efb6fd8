// Exercises in which the learner writes queries, keys and values that expose impostors, 07.4 and
// 08.4.
#pragma once

#include "tensor/tensor.h"
#include "tutorials/exercises/judging/exercise.h"

#include <functional>
#include <string>
#include <vector>

namespace exercise::impostors {

struct Input {
    heed::Tensor Q, K, V;
};

struct Impostor {
    std::string slip, who;  // "att.no-scale", "one that does not divide by √d"
};

// An input with this flaw lets some impostors pass, whatever its numbers.
struct Flaw {
    Mistake mistake;
    bool (*seen)(const Input&);
    // The input with this flaw, for one that has no other than those of its shape.
    Input (*imposed)(const Input&);
};

struct Lineup {
    std::vector<Impostor> impostors;
    heed::Tensor (*output)(const Input&, const Slips&);
    bool (*differ)(const heed::Tensor&, const heed::Tensor&);
    std::vector<Flaw> flaws;
    // What is against the rules, or "".
    std::string (*unusable)(const Input&);
};

// Flaws of shape are imposed by choosing another input.
inline Input as_it_is(const Input& x) { return x; }
inline Input with_queries_for_keys(const Input& x) { return {x.Q, x.Q, x.V}; }
inline Input with_keys_for_values(const Input& x) { return {x.Q, x.K, x.K}; }
inline Input with_one_for_all(const Input& x) { return {x.Q, x.Q, x.Q}; }

// Adds the case, the laws and the mistakes. The learner's function is called once. A flaw is named
// if the impostors that pass are those that it lets pass, and no others.
void add_to(Exercise& exercise, const Lineup& lineup, const std::function<Input()>& input);

// An input with these flaws, for one without.
Input flawed(Input input, const Lineup& lineup, const Slips& slip);

}  // namespace exercise::impostors
