// Judges exercise 02.4.
#pragma once

#include "tutorials/exercises/judging/exercise.h"
#include "tutorials/exercises/judging/trials.h"

#include <functional>
#include <vector>

namespace exercise {

// inputs[n] lists the nodes from which node n was made.
using Graph = std::vector<std::vector<int>>;
using TopologicalOrder = std::function<std::vector<int>(const Graph& inputs, int output)>;

Exercise topological_order(const TopologicalOrder& order);
Trials topological_order_trials();

}  // namespace exercise
