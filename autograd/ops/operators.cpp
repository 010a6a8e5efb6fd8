// The operators + − × ÷ and their assignments: each calls the function of the same name.
#include "../../tensor/errors.h"
#include "../../tensor/factories.h"
#include "arithmetic.h"

namespace heed { inline namespace HEED_PRECISION {

Operand::Operand(double x, CallSite caller)
    : made(tensor::full(Shape{}, x)), variable(*made), site(caller) {}

Variable operator+(const Operand& a, const Operand& b) {
    return add(a.variable, b.variable, a.site);
}

Variable operator-(const Operand& a, const Operand& b) {
    return subtract(a.variable, b.variable, a.site);
}

Variable operator*(const Operand& a, const Operand& b) {
    return multiply(a.variable, b.variable, a.site);
}

Variable operator/(const Operand& a, const Operand& b) {
    return divide(a.variable, b.variable, a.site);
}

Variable operator-(const Operand& x) { return negate(x.variable, x.site); }

Variable operator+(const VariableOperand& a, const ConstantOperand& b) {
    return add(a.variable, b.variable, a.site);
}

Variable operator-(const VariableOperand& a, const ConstantOperand& b) {
    return subtract(a.variable, b.variable, a.site);
}

Variable operator*(const VariableOperand& a, const ConstantOperand& b) {
    return multiply(a.variable, b.variable, a.site);
}

Variable operator/(const VariableOperand& a, const ConstantOperand& b) {
    return divide(a.variable, b.variable, a.site);
}

Variable operator+(const ConstantOperand& a, const VariableOperand& b) {
    return add(a.variable, b.variable, a.site);
}

Variable operator-(const ConstantOperand& a, const VariableOperand& b) {
    return subtract(a.variable, b.variable, a.site);
}

Variable operator*(const ConstantOperand& a, const VariableOperand& b) {
    return multiply(a.variable, b.variable, a.site);
}

Variable operator/(const ConstantOperand& a, const VariableOperand& b) {
    return divide(a.variable, b.variable, a.site);
}

namespace {
// x `operation` y gives x a new node.
void check_may_change(const Variable& x, const Variable& y, const char* operation,
                      const CallSite& site) {
    tensor::check_keeps_shape(x.shape(), y.shape(), operation, site);
    if (!x.requires_grad() || !x.is_leaf()) return;
    fail_runtime(operation, site, "the left side, of shape ", x.shape(),
                 ", is a leaf that requires grad; the result would be another variable, and the "
                 "leaf would not change. Write y = x + ..., or the corresponding operator, for a "
                 "new variable; overwrite() or an optimizer changes the leaf's numbers");
}
}  // namespace

Variable& operator+=(Variable& x, const Operand& y) {
    check_may_change(x, y.variable, "operator+=", y.site);
    return x = add(x, y.variable, y.site);
}

Variable& operator-=(Variable& x, const Operand& y) {
    check_may_change(x, y.variable, "operator-=", y.site);
    return x = subtract(x, y.variable, y.site);
}

Variable& operator*=(Variable& x, const Operand& y) {
    check_may_change(x, y.variable, "operator*=", y.site);
    return x = multiply(x, y.variable, y.site);
}

Variable& operator/=(Variable& x, const Operand& y) {
    check_may_change(x, y.variable, "operator/=", y.site);
    return x = divide(x, y.variable, y.site);
}

Variable& operator+=(Variable& x, const ConstantOperand& y) { return x += {y.variable, y.site}; }
Variable& operator-=(Variable& x, const ConstantOperand& y) { return x -= {y.variable, y.site}; }
Variable& operator*=(Variable& x, const ConstantOperand& y) { return x *= {y.variable, y.site}; }
Variable& operator/=(Variable& x, const ConstantOperand& y) { return x /= {y.variable, y.site}; }

}}  // namespace heed
