#include "engine.h"

#include "../tensor/errors.h"
#include "../tensor/factories.h"
#include "../tensor/kernels/kernels.h"
#include "../tensor/ops/arithmetic.h"
#include "grad_mode.h"
#include "observer.h"
#include "ops/arithmetic.h"
#include "ops/reduce.h"
#include "running_pass.h"

#include <utility>

namespace heed { inline namespace HEED_PRECISION {

// From the output to the leaves. A node's gradient is complete when the node is reached.
void BackwardPass::run(const Variable& upstream) {
    const GradMode recording(create_graph_);
    mark_needed();
    RunningPass running(order_, derived_, retain_graph_, site_);
    upstream_ = upstream;
    gradients_.back() = upstream;  // the root is last in the order
    for (std::int64_t position = size() - 1; position >= 0; --position) walk(position, running);
}

void BackwardPass::walk(std::int64_t position, RunningPass& running) {
    const std::size_t i = static_cast<std::size_t>(position);
    std::optional<Variable>& gradient = gradients_[i];
    if (!needed_[i] || !gradient) return;

    Node& node = order_.node(position);
    if (!is_end(position)) call_hooks(node, *gradient);
    if (derived_[i]) {
        check_not_freed(node);
        const Variable G = wanted_[i] ? *gradient : std::move(*gradient);
        if (!wanted_[i]) gradient.reset();
        derive(position, G);
        if (!retain_graph_) running.free(node);
        if (!keeps_operations_) node.operation.reset();
    }
}

// Uses the formula if the derivative is recorded (create_graph), and with the plain kernels, so
// that a debugger can step through it. Otherwise a fused pass, if there is one, gives the same bits
// faster.
void BackwardPass::derive(std::int64_t position, const Variable& G) {
    const Node& node = order_.node(position);
    const Scope scope(node.operation_name, node.site, "the derivative of ", node.scope.get());
    const ComputingDerivative computing;
    if (may_be_fused_ && derive_fused(position, G)) return;
    const std::int64_t* const inputs = order_.inputs(position);
    std::vector<std::optional<Variable>> all = node.operation->gradients(G);
    for (int input = 0; input < static_cast<int>(node.inputs.size()); ++input) {
        if (!is_needed(inputs[input])) continue;
        if (all.empty()) {
            receive(position, input, node.operation->gradient(input, G), G);
        } else if (std::optional<Variable>& gradient = all[static_cast<std::size_t>(input)]) {
            receive(position, input, std::move(*gradient), G);
        }
    }
}

void BackwardPass::receive(std::int64_t position, int input, Variable&& gradient,
                           const Variable& G) {
    const Node& node = order_.node(position);
    const Shape& shape = node.inputs[static_cast<std::size_t>(input)].shape;
    const bool was_broadcast = !(gradient.shape() == shape);
    if (was_broadcast) check_shape(node, input, gradient);
    each_observer(observers_here(),
                  [&](Observer& each) { each.received(node, input, gradient, G); });
    if (was_broadcast) gradient = sum_to(gradient, shape, node.site);
    const std::size_t to = static_cast<std::size_t>(order_.inputs(position)[input]);
    add_to(gradients_[to], std::move(gradient), node.site);
}

void BackwardPass::add_to(std::optional<Variable>& total, Variable&& gradient,
                          const CallSite& site) const {
    if (!total) {
        total.emplace(std::move(gradient));
    } else if (create_graph_) {
        total = add(*total, gradient, site);
    } else {
        Tensor numbers = total->value();
        total.reset();  // so that `numbers` may be the only owner of its storage
        tensor::add_to(numbers, gradient.value(), site);
        total.emplace(std::move(numbers));
    }
}

namespace {
bool any_needs_received() {
    return any_observer(observers_here(), [](Observer& each) { return each.needs_received(); });
}

bool any_keeps_graphs() {
    return any_observer(observers(), [](Observer& each) { return each.keeps_graphs(); });
}

}  // namespace

void BackwardPass::call_hooks(Node& node, Variable& gradient) {
    const bool replayed = any_observer(
        observers_here(), [&](Observer& each) { return each.replays_hooks(node, gradient); });
    if (replayed || node.hooks.empty()) return;
    const Tensor before = gradient.value();
    const std::vector<std::shared_ptr<RegisteredHook>> hooks = node.hooks;  // they may change it
    for (const std::shared_ptr<RegisteredHook>& hook : hooks) {
        if (hook->removed) continue;
        const Tensor given = gradient.value();
        const std::uint64_t version = given.version();
        const Variable replaced = hook->call(gradient);
        if (given.version() != version) {
            fail_runtime("hook", site_, "the hook on ", node.description(),
                         " wrote to the gradient that it was given, which may be that of other "
                         "variables as well; return a new gradient");
        }
        if (!(replaced.shape() == node.shape)) {
            fail_shape("hook", site_, "the hook on ", node.description(),
                       " returned a gradient of shape ", replaced.shape(), "; it must be ",
                       node.shape, ", the shape of its value");
        }
        gradient = replaced;
    }
    each_observer(observers(),
                  [&](Observer& each) { each.hooked(*this, node, before, gradient.value()); });
}

// Receives the gradients of a fused pass: passes them on, or lends the sum they are added to.
class FusedGradients final : public Gradients {
  public:
    FusedGradients(BackwardPass& pass, std::int64_t position, const Variable& G)
        : pass_(pass), position_(position), to_(pass.order_.inputs(position)), G_(G) {}
    ~FusedGradients() {
        if (sum_of_) sum_of_->emplace(std::move(*sum_));
    }
    FusedGradients(const FusedGradients&) = delete;
    FusedGradients& operator=(const FusedGradients&) = delete;

    bool needed(int input) const override { return pass_.is_needed(to_[input]); }
    void set(int input, Tensor gradient) override {
        if (needed(input)) pass_.receive(position_, input, Variable(std::move(gradient)), G_);
    }
    Tensor* sum_so_far(int input) override {
        if (!needed(input) || any_needs_received()) return nullptr;
        const Edges& inputs = pass_.order_.node(position_).inputs;
        sum_ = pass_.taken_sum(to_[input], inputs[static_cast<std::size_t>(input)].shape);
        sum_of_ = &pass_.gradients_[static_cast<std::size_t>(to_[input])];
        return &*sum_;
    }

  private:
    BackwardPass& pass_;
    std::int64_t position_;
    const std::int64_t* to_;  // the positions of the inputs
    const Variable& G_;
    std::optional<Tensor> sum_;                  // what sum_so_far() returned, until it is put back
    std::optional<Variable>* sum_of_ = nullptr;  // where it is put back
};

bool BackwardPass::derive_fused(std::int64_t position, const Variable& G) {
    FusedGradients to(*this, position, G);
    return order_.node(position).operation->fused_gradients(G.value(), to);
}

// Takes the sum of gradients from the node at `to`: the caller adds to some entries and puts it
// back. Adding a gradient that is zero elsewhere would turn each -0 there into 0, so this is done
// first, once: 0 stays 0 when ±0 is added.
Tensor BackwardPass::taken_sum(std::int64_t to, const Shape& shape) {
    const std::size_t i = static_cast<std::size_t>(to);
    std::optional<Variable>& total = gradients_[i];
    Tensor sum = total ? total->value() : tensor::zeros(shape);
    const bool has_minus_zero = total && !without_minus_zero_[i];
    total.reset();  // so that `sum` may be the only owner of its storage
    without_minus_zero_[i] = true;
    return has_minus_zero ? sum + 0 : sum;
}

void BackwardPass::check_not_freed(const Node& node) const {
    if ((!node.freed || repeat_) && node.operation) return;
    fail_runtime("backward", site_, "the graph was freed by an earlier backward, at ",
                 node.description(),
                 "; pass {.retain_graph = true} to that one, or compute the value again");
}

void BackwardPass::check_shape(const Node& node, int input, const Variable& gradient) const {
    const Shape& shape = node.inputs[static_cast<std::size_t>(input)].shape;
    if (broadcasts_to(shape, gradient.shape())) return;
    fail_shape("backward", site_, "the derivative of ", node.operation_name, " for input ", input,
               " has shape ", gradient.shape(), ", but that input has shape ", shape);
}

BackwardPass::BackwardPass(const Variable& output, const PassOptions& options, const CallSite& site)
    : order_(*output.node()), root_(output.node()),
      retain_graph_(options.retain_graph || options.create_graph),
      keeps_operations_(retain_graph_ || any_keeps_graphs()), create_graph_(options.create_graph),
      may_be_fused_(!options.create_graph && kernels::are_fast()), repeat_(options.repeat),
      nested_(options.nested), site_(site) {
    const std::size_t nodes = static_cast<std::size_t>(order_.size());
    wanted_.resize(nodes, false);
    needed_.resize(nodes, false);
    derived_.resize(nodes, false);
    gradients_.resize(nodes);
    without_minus_zero_.resize(nodes, false);
}

void BackwardPass::want(const Node& node) {
    const std::int64_t position = order_.find(node);
    if (position >= 0) wanted_[static_cast<std::size_t>(position)] = true;
}

std::vector<std::int64_t> BackwardPass::want(const std::vector<const Node*>& nodes) {
    const std::vector<std::int64_t> positions = order_.find(nodes);
    for (const std::int64_t position : positions) {
        if (position >= 0) wanted_[static_cast<std::size_t>(position)] = true;
    }
    return positions;
}

void BackwardPass::want_leaves() {
    std::size_t i = 0;
    for (const Node* node : order_.nodes()) {
        // A frozen leaf gets none, even if it was frozen after the forward pass.
        wanted_[i++] = node->requires_grad && (node->is_leaf || node->retains_grad);
    }
}

void BackwardPass::mark_needed() {
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
        const std::int64_t position = static_cast<std::int64_t>(i);
        const std::int64_t* const inputs = order_.inputs(position);
        const Node& node = order_.node(position);
        const std::size_t count = node.inputs.size();
        needed_[i] = wanted_[i];
        for (std::size_t k = 0; k < count && !needed_[i]; ++k) needed_[i] = is_needed(inputs[k]);
        derived_[i] = needed_[i] && !node.is_leaf && !is_end(position);
    }
    if (nested_) unmark_unreached();
}

// A nested pass goes no further than its ends: the outer pass walks the nodes below them.
void BackwardPass::unmark_unreached() {
    std::vector<bool> reached(derived_.size(), false);
    reached.back() = true;
    for (std::int64_t position = size() - 1; position >= 0; --position) {
        const std::size_t i = static_cast<std::size_t>(position);
        derived_[i] = derived_[i] && reached[i];
        if (!derived_[i]) continue;
        const std::int64_t* const inputs = order_.inputs(position);
        for (std::size_t k = 0; k < order_.node(position).inputs.size(); ++k) {
            if (inputs[k] >= 0) reached[static_cast<std::size_t>(inputs[k])] = true;
        }
    }
}

std::optional<Variable>& BackwardPass::gradient(const Node& node) {
    const std::int64_t position = order_.find(node);
    return position < 0 ? no_gradient_ : gradients_[static_cast<std::size_t>(position)];
}

Variable upstream_or_one(const Variable& output, const std::optional<Upstream>& upstream,
                         const char* operation, const CallSite& site) {
    if (!output.requires_grad()) {
        fail_runtime(operation, site, "nothing was recorded for this value of shape ",
                     output.shape(),
                     ": it was not made from a variable that requires grad, or "
                     "was made while NoGrad was alive");
    }
    if (!upstream) {
        if (output.numel() != 1) {
            fail_shape(
                operation, site, "the output has shape ", output.shape(), " and ", output.numel(),
                " entries; a gradient needs one number: sum it, or give an upstream gradient");
        }
        return Variable(tensor::full(output.shape(), 1));
    }
    const Variable gradient = upstream->variable();
    check_equal_shapes(operation, "the upstream gradient", gradient.shape(), "the output",
                       output.shape(), site);
    return gradient;
}

}}  // namespace heed
