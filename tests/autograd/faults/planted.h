// Faults in gradient formulas, switched on by name.
#pragma once

#include "autograd/variable.h"

#include <initializer_list>
#include <set>
#include <string>

namespace faults {

// The names of all faults planted by plant_faults.
const std::set<std::string>& all();
bool declare(std::initializer_list<const char*> names);

// Switches this fault on and any other off; "" for none.
void switch_on(const std::string& name);
// The faults whose line has run since the last call of switch_on.
const std::set<std::string>& reached();

// The result of the formula, plus 1/8 if this fault is on.
heed::Variable planted(const char* name, const heed::Variable& right);

}  // namespace faults
