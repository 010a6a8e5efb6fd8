// Calls that must fail, in tables: whatever is called wrongly, the error names the caller's line,
// which here is a line of the test. To add a call, add a line to a table: a name, and a lambda that
// must fail.
#pragma once

#include "tests/catch.h"

#include "autograd/variable.h"
#include "tensor/bool_tensor.h"
#include "tensor/factories.h"
#include "tensor/index_tensor.h"
#include "tensor/views.h"

#include <cstdint>
#include <exception>
#include <limits>
#include <string>
#include <vector>

namespace wrong_calls {

using namespace heed;

struct WrongCall {
    const char* what;
    void (*call)();
};

using Calls = std::vector<WrongCall>;

// Fails for a call that succeeds, for an error that names another file first, and for one in the
// words of the standard library.
inline void check_all(const Calls& calls, CallSite here = CallSite::here()) {
    const std::string file = "\n  at " + here.text().substr(0, here.text().rfind(':') + 1);
    for (const WrongCall& wrong : calls) {
        std::string message = "nothing was thrown";
        try {
            wrong.call();
        } catch (const std::exception& error) {
            message = error.what();
        }
        INFO(wrong.what << ": " << message);
        const std::size_t at = message.find("\n  at ");
        const bool names_the_caller =
            at != std::string::npos && message.compare(at, file.size(), file) == 0;
        CHECK(names_the_caller);
    }
}

constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
inline const Dims eight_axes = {1, 1, 1, 1, 1, 1, 1, 1};
inline Random dice(1);

// Ones in this shape, which take no memory however many they are.
inline Tensor T(const Dims& lengths) {
    const std::vector<std::int64_t> one_each(static_cast<std::size_t>(lengths.size()), 1);
    return tensor::expand(tensor::ones(Shape(one_each)), lengths);
}

inline Variable V(const Dims& lengths) { return Variable(T(lengths), requires_grad); }

inline IndexTensor ids(const std::vector<std::int64_t>& numbers) { return IndexTensor(numbers); }

inline BoolTensor B(const Dims& lengths) { return BoolTensor::full(Shape(lengths), true); }

}  // namespace wrong_calls
