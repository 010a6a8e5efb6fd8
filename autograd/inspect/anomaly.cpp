#include "anomaly.h"

#include "../../tensor/errors.h"
#include "../node.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
thread_local bool detecting = false;
thread_local int depth_before = 0;  // of derivatives, when the detection began

struct NonFinite {
    std::int64_t nan = 0;
    std::int64_t infinite = 0;

    bool none() const { return nan == 0 && infinite == 0; }
    std::string text() const {  // "2 NaN and 1 infinite"
        std::string found;
        if (nan > 0) found += std::to_string(nan) + " NaN";
        if (nan > 0 && infinite > 0) found += " and ";
        if (infinite > 0) found += std::to_string(infinite) + " infinite";
        return found;
    }
};

NonFinite count_non_finite(const Tensor& x) {
    NonFinite found;
    for (const Scalar entry : x.to_vector()) {
        if (entry != entry) {
            ++found.nan;
        } else if (entry - entry != 0) {
            ++found.infinite;
        }
    }
    return found;
}

// Does the anomaly start here? NaN from inputs without NaN, or infinity from finite inputs.
bool is_first(const NonFinite& in_result, const NonFinite& in_inputs, bool may_be_infinite) {
    if (in_result.nan > 0) return in_inputs.nan == 0;
    return in_result.infinite > 0 && !may_be_infinite && in_inputs.none();
}

void check_forward(const Operation& operation, const Tensor& value, const OperationInputs& inputs,
                   const CallSite& site) {
    const NonFinite in_result = count_non_finite(value);
    if (in_result.none()) return;
    NonFinite in_inputs;
    std::string shapes;
    for (int i = 0; i < inputs.size(); ++i) {
        const NonFinite found = count_non_finite(inputs[i]);
        in_inputs.nan += found.nan;
        in_inputs.infinite += found.infinite;
        shapes += (i > 0 ? ", " : "") + inputs[i].shape().text();
    }
    if (!is_first(in_result, in_inputs, operation.may_be_infinite())) return;
    throw AnomalyError(
        error_text(operation.name(),
                   text("the first operation to produce NaN or infinity: ", in_result.text(),
                        " of ", value.numel(), " entries, from inputs ", shapes, " without ",
                        in_result.nan > 0 ? "any NaN" : "any"),
                   site));
}

void check_backward(const Node& node, int input, const Variable& gradient, const Variable& G) {
    const NonFinite found = count_non_finite(gradient.value());
    if (!is_first(found, count_non_finite(G.value()), false)) return;
    throw AnomalyError(error_text(
        text("the derivative of ", node.operation_name),
        text("the first to produce NaN or infinity: ", found.text(), " of ", gradient.numel(),
             " entries of the gradient for input ", input, ", from an upstream gradient ",
             found.nan > 0 ? "without NaN" : "of finite numbers"),
        node.site));
}

// A derivative is checked as a whole, when its gradient is received.
class AnomalyObserver final : public Observer {
  public:
    void computed(const Operation& operation, const Tensor& value, const OperationInputs& inputs,
                  const CallSite& site) override {
        if (!detecting || ComputingDerivative::depth() > depth_before) return;
        check_forward(operation, value, inputs, site);
    }
    void received(const Node& by, int input, const Variable& gradient, const Variable& G) override {
        if (detecting) check_backward(by, input, gradient, G);
    }
};

}  // namespace

bool anomaly_detection_enabled() { return detecting; }

DetectAnomaly::DetectAnomaly(bool enabled) : before_(detecting) {
    static AnomalyObserver& observer = *new AnomalyObserver;
    if (enabled && !detecting) {
        depth_before = ComputingDerivative::depth();
        observing_.emplace(observer);
    }
    detecting = enabled;
}

DetectAnomaly::~DetectAnomaly() { detecting = before_; }

}}  // namespace heed
