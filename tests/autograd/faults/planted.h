// A fault in a formula of a derivative, to be switched on by name.
#pragma once

#include "heed/autograd/variable.h"

#include <initializer_list>
#include <set>
#include <string>

namespace faults {

// All that plant_faults has planted.
const std::set<std::string>& all();
bool declare(std::initializer_list<const char*> names);

// The one that is on; "" for none.
void switch_on(const std::string& name);
// Those whose line has run since the last call of switch_on.
const std::set<std::string>& reached();

// What the formula gives, and that plus 1/8 where this fault is on.
heed::Variable planted(const char* name, const heed::Variable& right);

}  // namespace faults
