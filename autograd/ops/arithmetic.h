// Elementwise arithmetic on variables, broadcast as on tensors (tensor/ops/arithmetic.h states
// shapes and errors), each operation with its derivative.
#pragma once

#include "heed/autograd/operation.h"
#include "heed/autograd/variable.h"

#include <optional>

namespace heed {
inline namespace HEED_PRECISION {

Variable add(const Variable& a, const Variable& b, CallSite site = CallSite::here());
Variable subtract(const Variable& a, const Variable& b, CallSite site = CallSite::here());
Variable multiply(const Variable& a, const Variable& b, CallSite site = CallSite::here());
Variable divide(const Variable& a, const Variable& b, CallSite site = CallSite::here());
Variable negate(const Variable& x, CallSite site = CallSite::here());
// a^b. The derivative with respect to b is a^b·ln a, and 0 where a is 0 and b is not negative.
Variable pow(const Variable& a, const Variable& b, CallSite site = CallSite::here());
Variable pow(const Variable& a, double exponent, CallSite site = CallSite::here());
// Where a and b are equal, each gets half of the gradient.
Variable minimum(const Variable& a, const Variable& b, CallSite site = CallSite::here());
Variable maximum(const Variable& a, const Variable& b, CallSite site = CallSite::here());

// One operand of + - * /: a variable, an input or output saved by an operation, or a number.
struct Operand {
    Operand(const Variable& x, CallSite caller = CallSite::here()) : variable(x), site(caller) {}
    Operand(const Saved& x, CallSite caller = CallSite::here()) : variable(x.get()), site(caller) {}
    Operand(const SavedOutput& x, CallSite caller = CallSite::here())
        : made(x.get()), variable(*made), site(caller) {}
    Operand(double x, CallSite caller = CallSite::here());
    Operand(const Operand&) = delete;
    Operand& operator=(const Operand&) = delete;

    const std::optional<Variable> made;  // `variable` refers to it if it was created here
    const Variable& variable;
    CallSite site;
};

// Errors and graphs name the line of the left operand.
Variable operator+(const Operand& a, const Operand& b);
Variable operator-(const Operand& a, const Operand& b);
Variable operator*(const Operand& a, const Operand& b);
Variable operator/(const Operand& a, const Operand& b);
Variable operator-(const Operand& x);

}  // namespace HEED_PRECISION
}  // namespace heed
