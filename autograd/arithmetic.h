// Arithmetic on variables, entry by entry, broadcast as on the tensor floor (tensor/arithmetic.h
// states shapes and errors), each operation with its derivative.
#pragma once

#include "autograd/operation.h"
#include "autograd/variable.h"

#include <optional>

namespace heed::inline HEED_PRECISION {

Variable add(const Variable& a, const Variable& b, Where where = Where::here());
Variable subtract(const Variable& a, const Variable& b, Where where = Where::here());
Variable multiply(const Variable& a, const Variable& b, Where where = Where::here());
Variable divide(const Variable& a, const Variable& b, Where where = Where::here());
Variable negate(const Variable& x, Where where = Where::here());
// a^b. The derivative for b is a^b·ln a, and 0 where a is 0 and b is not negative.
Variable pow(const Variable& a, const Variable& b, Where where = Where::here());
Variable pow(const Variable& a, double exponent, Where where = Where::here());
// Where both are equal, each gets half of the gradient.
Variable minimum(const Variable& a, const Variable& b, Where where = Where::here());
Variable maximum(const Variable& a, const Variable& b, Where where = Where::here());

// One side of + - * /: a variable, what an operation saved, or a number.
struct Operand {
    Operand(const Variable& x, Where caller = Where::here()) : variable(x), where(caller) {}
    Operand(const Saved& x, Where caller = Where::here()) : variable(x.get()), where(caller) {}
    Operand(const SavedOutput& x, Where caller = Where::here())
        : made(x.get()), variable(*made), where(caller) {}
    Operand(double x, Where caller = Where::here());
    Operand(const Operand&) = delete;
    Operand& operator=(const Operand&) = delete;

    const std::optional<Variable> made;  // what `variable` is, where it was made here
    const Variable& variable;
    Where where;
};

// The line of an error or a graph is that of the left operand.
Variable operator+(const Operand& a, const Operand& b);
Variable operator-(const Operand& a, const Operand& b);
Variable operator*(const Operand& a, const Operand& b);
Variable operator/(const Operand& a, const Operand& b);
Variable operator-(const Operand& x);

}  // namespace heed::inline HEED_PRECISION
