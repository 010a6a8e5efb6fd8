#include "variable.h"

#include "../tensor/errors.h"
#include "../tensor/ops/arithmetic.h"
#include "../tensor/views.h"
#include "engine.h"
#include "node.h"
#include "observer.h"

#include <mutex>
#include <ostream>

namespace heed { inline namespace HEED_PRECISION {
namespace {
// Leaves may be shared between threads that each run a backward pass. Recursive, since an observer
// that is notified under the lock may run one.
std::recursive_mutex accumulating;

// The gradient, contiguous in a storage of its own: it may be a broadcast view, or the very tensor
// that the caller passed as upstream.
Tensor owned(Tensor&& gradient) {
    const bool alone = gradient.storage().use_count() == 1;
    return alone && gradient.is_contiguous() ? std::move(gradient) : tensor::clone(gradient);
}

// The observers are notified first, so that one that throws leaves every .grad as it was.
void accumulate(BackwardPass& pass) {
    const std::lock_guard<std::recursive_mutex> lock(accumulating);
    for (std::int64_t i = 0; i < pass.size(); ++i) {
        if (!pass.wanted(i) || !pass.gradient(i)) continue;
        each_observer(observers(), [&](Observer& each) {
            each.accumulates(pass, pass.node(i), pass.gradient(i)->value());
        });
    }
    for (std::int64_t i = 0; i < pass.size(); ++i) {
        if (!pass.wanted(i) || !pass.gradient(i)) continue;
        Tensor gradient = pass.gradient(i)->value();
        pass.gradient(i).reset();  // so that `gradient` may be the only owner of its storage
        std::optional<Tensor>& grad = pass.node(i).grad;
        if (grad) {
            tensor::add_to(*grad, gradient);
        } else {
            grad = owned(std::move(gradient));
        }
    }
}

void report_forgotten_gradient(Node& node) {
    each_observer(observers(), [&node](Observer& each) { each.forgets(node); });
}

}  // namespace

void HookHandle::remove() {
    const std::shared_ptr<Node> node = node_.lock();
    const std::shared_ptr<RegisteredHook> hook = hook_.lock();  // its end may change the list
    if (!node || !hook) return;
    hook->removed = true;
    std::erase(node->hooks, hook);
}

Variable::Variable(const Tensor& value, RequiresGrad recorded) : value_(value) {
    if (recorded == RequiresGrad::no) return;
    node_ = std::allocate_shared<Node>(memory::Allocator<Node>(), value.shape());
    node_->is_leaf = true;
}

bool Variable::requires_grad() const { return node_ && node_->requires_grad; }

bool Variable::is_leaf() const { return !node_ || node_->is_leaf; }

Node& Variable::recorded_node(const char* operation, const CallSite& site) const {
    if (!node_) {
        fail_runtime(operation, site, "this value of shape ", shape(),
                     " is a constant; make it with Variable(value, requires_grad), or compute it "
                     "outside NoGrad");
    }
    return *node_;
}

void Variable::set_requires_grad(bool required, CallSite site) {
    Node& node = recorded_node("set_requires_grad", site);
    if (!node.is_leaf) {
        fail_runtime("set_requires_grad", site, "this value was made by ", node.description(),
                     "; only a leaf can be frozen; use detach() for a constant copy");
    }
    node.requires_grad = required;
}

void Variable::backward(const BackwardOptions& options, CallSite site) const {
    const Variable upstream = upstream_or_one(*this, options.upstream, "backward", site).detach();

    BackwardPass pass(*this, {.retain_graph = options.retain_graph}, site);
    pass.want_leaves();
    pass.run(upstream);
    accumulate(pass);
}

const Tensor& Variable::grad(CallSite site) const {
    if (!has_grad()) {
        fail_runtime("grad", site, "this value of shape ", shape(),
                     " has no gradient: backward() was not called on anything made from it, or it "
                     "is not a leaf (see retain_grad)");
    }
    return *node_->grad;
}

bool Variable::has_grad() const { return node_ && node_->grad; }

void Variable::zero_grad() {
    if (!node_) return;
    node_->grad.reset();
    report_forgotten_gradient(*node_);
}

void Variable::set_grad(const Tensor& grad, CallSite site) {
    Node& node = recorded_node("set_grad", site);
    check_equal_shapes("set_grad", "the gradient", grad.shape(), "the value", shape(), site);
    node.grad = grad;
    report_forgotten_gradient(node);
}

void Variable::retain_grad(CallSite site) {
    recorded_node("retain_grad", site).retains_grad = true;
}

HookHandle Variable::register_hook(Hook hook, CallSite site) {
    Node& node = recorded_node("register_hook", site);
    if (!hook) {
        fail_argument("register_hook", site,
                      "the hook is an empty std::function; give it a function that takes and "
                      "returns a Variable");
    }
    node.hooks.push_back(std::make_shared<RegisteredHook>(RegisteredHook{std::move(hook)}));
    return HookHandle(node_, node.hooks.back());
}

void Variable::set_name(const std::string& name, CallSite site) {
    recorded_node("set_name", site).name = name;
}

std::ostream& operator<<(std::ostream& out, const Variable& x) {
    out << x.value();
    if (!x.node()) return out;
    if (!x.is_leaf()) return out << "  from " << x.node()->description();
    return out << (x.requires_grad() ? "  requires grad" : "  frozen");
}

}}  // namespace heed
