#include "record.h"

#include "node.h"
#include "observer.h"

namespace heed { inline namespace HEED_PRECISION {

bool needs_recording(const OperationInputs& inputs) {
    if (!grad_enabled()) return false;
    const int size = inputs.size();
    for (int i = 0; i < size; ++i) {
        if (inputs.variable(i).requires_grad()) return true;
    }
    return false;
}

Variable constant(Tensor&& value, const Operation& operation, const OperationInputs& inputs,
                  const CallSite& site) {
    each_observer(observers_here(),
                  [&](Observer& each) { each.computed(operation, value, inputs, site); });
    return Variable(std::move(value));
}

Variable attach(Tensor&& value, std::unique_ptr<Operation> operation, const OperationInputs& inputs,
                const CallSite& site) {
    each_observer(observers_here(),
                  [&](Observer& each) { each.computed(*operation, value, inputs, site); });
    std::shared_ptr<Node> node = std::allocate_shared<Node>(
        memory::Allocator<Node>(), value.shape(), std::move(operation), site, Scope::current());
    const int size = inputs.size();
    node->inputs.reserve(static_cast<std::size_t>(size));
    for (int i = 0; i < size; ++i) {
        const Variable& input = inputs.variable(i);
        node->inputs.emplace_back(input.requires_grad() ? input.node() : nullptr, input.shape());
    }
    node->operation->keep_output(value, node);
    each_observer(observers(), [&](Observer& each) { each.recorded(node, value, inputs); });
    return Variable(std::move(value), std::move(node));
}

}}  // namespace heed
