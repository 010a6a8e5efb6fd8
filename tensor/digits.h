// The decimal digits of a number, whatever the locale.
#pragma once

#include "scalar.h"

#include <string>

namespace heed { inline namespace HEED_PRECISION {

enum class Notation { fixed, scientific };  // 12.5000, 1.2500e+01

// `number` is not NaN, and 0 <= decimals <= 100. The exact number, rounded to this many decimals;
// exactly between two, to the even one.
std::string written_digits(double number, Notation notation, int decimals);
// The same by snprintf, for standard libraries without std::to_chars of fractions, such as libc++
// before version 14.
std::string digits_by_snprintf(double number, Notation notation, int decimals);

}}  // namespace heed
