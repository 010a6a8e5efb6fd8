// From the text of a state to all that the page shows, as JSON.
#pragma once

#include <string>
#include <string_view>

namespace tutorial {

// {"program": C++, "printed": what that program prints, "tables": [{"name": "scores", "shape": [3,
// 3], "numbers": [...], "shown": ["0.5000", ...]}, ...]}. Each number is exact; "nan", "inf" and
// "-inf" are strings.
// If heed refuses what the program computes: {"error": text, "program": C++}, in whose lines the
// error is; if a number is none: {"error": text}; if the text is no state: {"broken": text}.
std::string answer(std::string_view state);

}  // namespace tutorial
