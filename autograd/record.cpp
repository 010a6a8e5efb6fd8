// Whether operations are recorded, and how; and who is told of it.
#include "record.h"

#include "node.h"
#include "observer.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
thread_local bool enabled_here = true;

// A thread's list ends with the list for all threads. Neither has a destructor, since objects that
// are destroyed later may still run operations.
Observing* in_every_thread = nullptr;
thread_local Observing* in_this_thread = nullptr;

}  // namespace

bool grad_enabled() { return enabled_here; }

GradMode::GradMode(bool enabled) : before_(enabled_here) { enabled_here = enabled; }

GradMode::~GradMode() { enabled_here = before_; }

Observing* observers() { return in_this_thread ? in_this_thread : in_every_thread; }

Observing* observers_here() { return in_this_thread; }

Observing::Observing(Observer& notified, bool in_all_threads)
    : observer(notified), next(observers()), in_all_threads_(in_all_threads) {
    (in_all_threads ? in_every_thread : in_this_thread) = this;
}

// Searches the list, since guards on the heap may end in any order.
Observing::~Observing() {
    Observing** link = in_all_threads_ ? &in_every_thread : &in_this_thread;
    while (*link && *link != this) link = &(*link)->next;
    if (*link) *link = next;
}

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
    for (Observing* each = observers_here(); each; each = each->next) {
        each->observer.computed(operation, value, inputs, site);
    }
    return Variable(std::move(value));
}

Variable attach(Tensor&& value, std::unique_ptr<Operation> operation, const OperationInputs& inputs,
                const CallSite& site) {
    for (Observing* each = observers_here(); each; each = each->next) {
        each->observer.computed(*operation, value, inputs, site);
    }
    std::shared_ptr<Node> node = std::allocate_shared<Node>(
        memory::Allocator<Node>(), value.shape(), std::move(operation), site, Scope::current());
    const int size = inputs.size();
    node->inputs.reserve(static_cast<std::size_t>(size));
    for (int i = 0; i < size; ++i) {
        const Variable& input = inputs.variable(i);
        node->inputs.emplace_back(input.requires_grad() ? input.node() : nullptr, input.shape());
    }
    node->operation->keep_output(value, node);
    for (Observing* each = observers(); each; each = each->next) {
        each->observer.recorded(node, value, inputs);
    }
    return Variable(std::move(value), std::move(node));
}

}}  // namespace heed
