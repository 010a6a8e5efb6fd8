#include "heed/autograd/record.h"

#include "heed/autograd/gradcheck/tape.h"
#include "heed/autograd/inspect/keep.h"
#include "heed/autograd/inspect/kept.h"
#include "heed/autograd/node.h"

namespace heed {
inline namespace HEED_PRECISION {

bool needs_recording(const Inputs& inputs) {
    if (!grad_enabled()) return false;
    for (int i = 0; i < inputs.size(); ++i) {
        const Node* const node = inputs[i].node().get();
        if (node && node->requires_grad) return true;
    }
    return false;
}

Variable attach(const Tensor& value, std::unique_ptr<Operation> operation, const Inputs& inputs,
                const CallSite& site) {
    std::shared_ptr<Node> node = std::allocate_shared<Node>(
        memory::Allocator<Node>(), value.shape(), std::move(operation), site, Scope::current());
    node->inputs.reserve(static_cast<std::size_t>(inputs.size()));
    for (int i = 0; i < inputs.size(); ++i) {
        const Variable& input = inputs[i];
        node->inputs.emplace_back(input.requires_grad() ? input.node() : nullptr, input.shape());
    }
    node->operation->keep_output(value, node);
    Tape::note(node, value, inputs);
    if (graphs_are_kept()) keep_inputs(*node, inputs);
    return Variable(value, std::move(node));
}

}  // namespace HEED_PRECISION
}  // namespace heed
