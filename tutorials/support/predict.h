// What --predict does: it asks before a lesson tells. Without it these functions do nothing.
// A question is printed, a line read: Enter alone means "tell me", q throws Quit (reader.h), and
// what is no answer to the question is asked for again. Then it is said whether the answer was
// right, what is true, and why. At the end of the input nothing is asked any more.
#pragma once

#include "heed/tensor/tensor.h"
#include "tutorials/support/display.h"

#include <string>

namespace tutorial {

void ask_for_predictions();
void no_predictions();  // and forget those there were
// "you foresaw 4 of 6", and an empty line before; nothing if nothing was asked.
void print_foreseen();

// The answer is the lengths of the axes: 2, 3 or [2, 3] or 2x3; [] for a single number.
void predict_shape(const std::string& question, const heed::Shape& shape, const std::string& why);
// The answer may differ from `value` by `tolerance`.
void predict_number(const std::string& question, double value, double tolerance,
                    const std::string& why);
// The answer is one of `choices`, in any case of letters.
// Error: `right` is none of them (std::invalid_argument).
void predict_choice(const std::string& question, const Words& choices, const std::string& right,
                    const std::string& why, heed::CallSite site = heed::CallSite::here());
// The answer is the name of the largest entry of x [T], or of any of them where several are equal.
// Error: there are not T names (ShapeError).
void predict_largest(const std::string& question, const Words& names, const heed::Tensor& x,
                     const std::string& why, heed::CallSite site = heed::CallSite::here());

}  // namespace tutorial
