#include "autograd/variable.h"

#include "autograd/engine.h"
#include "autograd/grad_mode.h"
#include "autograd/kept.h"
#include "autograd/node.h"
#include "tensor/arithmetic.h"
#include "tensor/errors.h"
#include "tensor/views.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <ostream>

namespace heed::inline HEED_PRECISION {

namespace {

// Leaves may be shared between threads that each run a backward pass.
std::mutex accumulating;

// The numbers in a storage that nobody else looks at: a gradient may be a broadcast view, or the
// very tensor the caller passed as upstream.
Tensor owned(Tensor&& gradient) {
    const bool alone = gradient.storage().use_count() == 1;
    return alone && gradient.is_contiguous() ? std::move(gradient) : tensor::clone(gradient);
}

void accumulate(Node& node, Tensor&& gradient, const std::shared_ptr<const KeptPass>& pass) {
    const std::lock_guard<std::mutex> lock(accumulating);
    if (pass || node.kept) note_addition(node, gradient, pass);
    if (node.grad) {
        tensor::add_to(*node.grad, gradient);
    } else {
        node.grad = owned(std::move(gradient));
    }
}

}  // namespace

void HookHandle::remove() {
    const std::shared_ptr<Node> node = node_.lock();
    if (!node) return;
    for (std::size_t i = 0; i < node->hooks.size(); ++i) {
        if (node->hooks[i].id != id_) continue;
        node->hooks.erase(node->hooks.begin() + static_cast<std::ptrdiff_t>(i));
        return;
    }
}

Variable::Variable(const Tensor& value, bool recorded) : value_(value) {
    if (!recorded) return;
    node_ = std::allocate_shared<Node>(memory::Allocator<Node>(), value.shape());
    node_->is_leaf = true;
}

bool Variable::requires_grad() const { return node_ && node_->requires_grad; }

bool Variable::is_leaf() const { return !node_ || node_->is_leaf; }

Node& Variable::recorded_node(const char* operation, const Where& where) const {
    if (!node_) {
        fail_runtime(operation,
                     text("this value of shape ", shape(),
                          " is a constant; make it with "
                          "Variable(value, requires_grad)"),
                     where);
    }
    return *node_;
}

void Variable::set_requires_grad(bool required, Where where) {
    Node& node = recorded_node("set_requires_grad", where);
    if (!node.is_leaf) {
        fail_runtime("set_requires_grad",
                     text("this was made by ", node.description(),
                          "; only a leaf can be frozen, "
                          "use detach() for a constant copy"),
                     where);
    }
    node.requires_grad = required;
}

void Variable::backward(const BackwardOptions& options, Where where) const {
    std::optional<Variable> given;
    if (options.upstream) given = Variable(*options.upstream);
    const Variable upstream = upstream_or_one(*this, given, "backward", where);

    const NoGrad no_grad;
    BackwardPass pass(*this, options.retain_graph, where);
    pass.want_leaves();
    pass.run(upstream);
    std::shared_ptr<const KeptPass> kept;
    if (!pass.frees_graph()) kept = remember_pass(node_, upstream.value(), where, pass.hooked());
    for (std::int64_t position = 0; position < pass.size(); ++position) {
        std::optional<Variable>& gradient = pass.gradient(position);
        if (!pass.wanted(position) || !gradient) continue;
        Tensor numbers = gradient->value();
        gradient.reset();
        accumulate(pass.node(position), std::move(numbers), kept);
    }
}

const Tensor& Variable::grad(Where where) const {
    if (!has_grad()) {
        fail_runtime("grad",
                     text("this value of shape ", shape(),
                          " has no gradient: backward() "
                          "was not called on anything made from it, or it is not a leaf "
                          "(see retain_grad)"),
                     where);
    }
    return *node_->grad;
}

bool Variable::has_grad() const { return node_ && node_->grad; }

void Variable::zero_grad() {
    if (!node_) return;
    node_->grad.reset();
    forget_additions(*node_);
}

void Variable::set_grad(const Tensor& grad, Where where) {
    Node& node = recorded_node("set_grad", where);
    if (!(grad.shape() == shape())) {
        fail_shape("set_grad",
                   text("a gradient of shape ", grad.shape(),
                        " was given for a value "
                        "of shape ",
                        shape(), "; they must be equal"),
                   where);
    }
    node.grad = grad;
    forget_additions(node);
}

void Variable::retain_grad(Where where) { recorded_node("retain_grad", where).retains_grad = true; }

HookHandle Variable::register_hook(Hook hook, Where where) {
    Node& node = recorded_node("register_hook", where);
    static std::atomic<std::uint64_t> last_id{0};
    const std::uint64_t id = ++last_id;
    node.hooks.push_back({id, std::move(hook)});
    return HookHandle(node_, id);
}

void Variable::set_name(const std::string& name, Where where) {
    recorded_node("set_name", where).name = name;
}

std::ostream& operator<<(std::ostream& out, const Variable& x) {
    out << x.value();
    if (!x.node()) return out;
    if (!x.is_leaf()) return out << "  from " << x.node()->description();
    return out << (x.requires_grad() ? "  requires grad" : "  frozen");
}

}  // namespace heed::inline HEED_PRECISION
