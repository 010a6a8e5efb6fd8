// Implements --predict: asks the reader before a lesson shows a result. A page of the lesson
// (--html) asks, too. Without either these functions do nothing.
// Prints a question and reads a line: a bare Enter means "tell me", q throws Quit (reader.h), and
// anything that is not an answer is asked again. Then prints whether the answer was right, the true
// answer, and why. At end of input no more questions are asked.
#pragma once

#include "tensor/tensor.h"
#include "tutorials/support/terminal.h"

#include <string>

namespace tutorial {

void ask_for_predictions();
void no_predictions();  // also resets the counts
// Prints "you predicted 4 of 6" after an empty line; nothing if nothing was asked.
void print_score();

// The answer is the lengths of the axes: 2, 3 or [2, 3] or 2x3; [] for a scalar.
void predict_shape(const std::string& question, const heed::Shape& shape, const std::string& why);
// The answer may differ from `value` by `tolerance`.
void predict_number(const std::string& question, double value, double tolerance,
                    const std::string& why);
// The answer is one of `choices`, case-insensitive. Error: `right` is not one of them
// (std::invalid_argument).
void predict_choice(const std::string& question, const Words& choices, const std::string& right,
                    const std::string& why, heed::CallSite site = heed::CallSite::here());
// The answer is the name of the largest entry of x [T], or of any largest entry in a tie. Error:
// there are not T names (ShapeError).
void predict_largest(const std::string& question, const Words& names, const heed::Tensor& x,
                     const std::string& why, heed::CallSite site = heed::CallSite::here());

}  // namespace tutorial
