#include "operation.h"

#include "../tensor/errors.h"

#include <stdexcept>

namespace heed { inline namespace HEED_PRECISION {
namespace {
void check_version(std::uint64_t saved, const Tensor& value) {
    if (saved != value.version()) {
        throw std::runtime_error(text(
            "backward: a value of shape ", value.shape(),
            " that this derivative needs was overwritten after it was recorded (version ", saved,
            " was saved, it is now at ", value.version(),
            "); take the gradient before writing, or record the operation again", Scope::trail()));
    }
}

}  // namespace

void Saved::keep(const Variable& x) {
    variable_ = x;
    version_ = x.value().version();
}

const Variable& Saved::get() const {
    if (!variable_) {
        throw std::logic_error("backward: a derivative uses an input that it did not say it needs" +
                               Scope::trail());
    }
    check_version(version_, variable_->value());
    return *variable_;
}

SavedOutput::SavedOutput(const Tensor& value, std::weak_ptr<Node> node)
    : value_(value), node_(std::move(node)), version_(value.version()) {}

const Tensor& SavedOutput::value() const {
    check_version(version_, value_);
    return value_;
}

Variable SavedOutput::get() const { return Variable(value(), node_.lock()); }

std::vector<std::optional<Variable>> Operation::gradients(const Variable&) const { return {}; }

bool Operation::fused_gradients(const Tensor&, Gradients&) const { return false; }

void Operation::keep_output(const Tensor&, const std::weak_ptr<Node>&) {}

}}  // namespace heed
