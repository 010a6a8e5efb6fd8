// Elementwise arithmetic on variables, broadcast as on tensors (tensor/ops/arithmetic.h states
// shapes and errors), each operation with its derivative.
#pragma once

#include "../../tensor/ops/arithmetic.h"
#include "../operation.h"

#include <optional>

namespace heed { inline namespace HEED_PRECISION {

Variable add(const Variable& a, const Variable& b, CallSite site = CallSite::here());
Variable subtract(const Variable& a, const Variable& b, CallSite site = CallSite::here());
Variable multiply(const Variable& a, const Variable& b, CallSite site = CallSite::here());
Variable divide(const Variable& a, const Variable& b, CallSite site = CallSite::here());
Variable negate(const Variable& x, CallSite site = CallSite::here());
// a^b. The derivative with respect to b is a^b·ln a, and 0 where a is 0 and b is not negative.
Variable pow(const Variable& a, const Variable& b, CallSite site = CallSite::here());
Variable pow(const Variable& a, double exponent, CallSite site = CallSite::here());
Variable pow(double base, const Variable& exponent, CallSite site = CallSite::here());
// Where a and b are equal, each gets half of the gradient; if one is NaN, both get all of it.
Variable minimum(const Variable& a, const Variable& b, CallSite site = CallSite::here());
Variable minimum(const Variable& a, double b, CallSite site = CallSite::here());
Variable minimum(double a, const Variable& b, CallSite site = CallSite::here());
Variable maximum(const Variable& a, const Variable& b, CallSite site = CallSite::here());
Variable maximum(const Variable& a, double b, CallSite site = CallSite::here());
Variable maximum(double a, const Variable& b, CallSite site = CallSite::here());
// The derivative is 1 between the bounds and at them, as in PyTorch, and 0 outside. At NaN it is 1,
// in PyTorch 0.
Variable clamp(const Variable& x, const Bounds& bounds, CallSite site = CallSite::here());

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

// With a tensor on one side, which is a constant. Each side has an operand type of its own, so that
// a tensor and a number, or two tensors, give a tensor.
struct VariableOperand {
    VariableOperand(const Variable& x, CallSite caller = CallSite::here())
        : variable(x), site(caller) {}

    const Variable& variable;
    CallSite site;
};
struct ConstantOperand {
    ConstantOperand(const Tensor& x, CallSite caller = CallSite::here())
        : variable(x), site(caller) {}

    const Variable variable;
    CallSite site;
};
Variable operator+(const VariableOperand& a, const ConstantOperand& b);
Variable operator-(const VariableOperand& a, const ConstantOperand& b);
Variable operator*(const VariableOperand& a, const ConstantOperand& b);
Variable operator/(const VariableOperand& a, const ConstantOperand& b);
Variable operator+(const ConstantOperand& a, const VariableOperand& b);
Variable operator-(const ConstantOperand& a, const VariableOperand& b);
Variable operator*(const ConstantOperand& a, const VariableOperand& b);
Variable operator/(const ConstantOperand& a, const VariableOperand& b);

// x += y makes x a handle to a new, recorded variable x + y; other handles keep the old one.
// Errors: y does not broadcast to the shape of x (ShapeError); x is a leaf that requires grad,
// which would lose its gradient to a variable that no optimizer knows (std::runtime_error).
Variable& operator+=(Variable& x, const Operand& y);
Variable& operator-=(Variable& x, const Operand& y);
Variable& operator*=(Variable& x, const Operand& y);
Variable& operator/=(Variable& x, const Operand& y);
Variable& operator+=(Variable& x, const ConstantOperand& y);
Variable& operator-=(Variable& x, const ConstantOperand& y);
Variable& operator*=(Variable& x, const ConstantOperand& y);
Variable& operator/=(Variable& x, const ConstantOperand& y);

}}  // namespace heed
