#include "explain.h"

#include "../../tensor/errors.h"
#include "../engine.h"
#include "../grad_mode.h"
#include "anomaly.h"
#include "explain_parts.h"
#include "keep.h"
#include "replay.h"

#include <exception>
#include <stdexcept>

namespace heed { inline namespace HEED_PRECISION {
namespace {
Scalar number_at(const Tensor& x, std::int64_t entry) {
    return x.to_vector()[static_cast<std::size_t>(entry)];
}

// Bit for bit, but all NaNs are equal.
bool same_number(Scalar a, Scalar b) {
    if (a != a && b != b) return true;
    return a == b && __builtin_signbit(a) == __builtin_signbit(b);
}

int hooks_in(const BackwardPass& pass) {
    int hooks = 0;
    for (std::int64_t position = 0; position < pass.size(); ++position) {
        hooks += static_cast<int>(pass.node(position).hooks.size());
    }
    return hooks;
}

// Explains one entry of one variable.
class Explainer {
  public:
    Explainer(const Variable& variable, std::int64_t entry, const ExplainOptions& options,
              const CallSite& site)
        : variable_(variable), node_(*variable.node()), entry_(entry), options_(options),
          site_(site) {}

    void explain_stored(Explanation& all) const {
        all.value = number_at(*node_.grad, entry_);
        const std::vector<Addition>& additions = kept_with(node_)->additions;
        bool known = false;
        bool begun = false;
        if (kept_with(node_)->before) {
            all.before = number_at(*kept_with(node_)->before, entry_);
            all.sum = *all.before;
            begun = true;
        }
        all.exact = true;
        for (const Addition& addition : additions) {
            all.passes.push_back(explained(addition));
            const ExplainedPass& pass = all.passes.back();
            all.sum = begun ? all.sum + pass.value : pass.value;
            begun = true;
            known = known || pass.remark.empty();
            all.exact = all.exact && (pass.exact || !pass.remark.empty());
        }
        all.exact = all.exact && same_number(all.sum, all.value);
        if (!known) {
            fail_runtime("explain", site_,
                         "the backward pass that gave this gradient cannot be repeated: ",
                         all.passes.back().remark, "\n  put KeepGraph keep; before the ",
                         "computation, and explain before its numbers are overwritten");
        }
        measure_stored(all);
    }

    void explain_derivative(Explanation& all) const {
        const Variable& of = *options_.of;
        const Variable upstream = upstream_or_one(of, options_.upstream, "explain", site_);
        all.stored = false;
        all.passes.push_back(parts_of(of.node(), upstream.value(), nullptr));
        all.passes.back().site = of.node()->site;
        all.value = all.passes.back().value;
        all.sum = all.value;
        all.exact = all.passes.back().exact;
        add_slope(of.node(), upstream.value(), all);
    }

  private:
    void measure_stored(Explanation& all) const {
        if (all.before) all.not_measured = "the graph of a part of it is gone";
        for (const ExplainedPass& pass : all.passes) {
            if (!pass.remark.empty()) all.not_measured = "the graph of a part of it is gone";
        }
        for (const Addition& addition : kept_with(node_)->additions) {
            if (!all.not_measured.empty()) return;
            const std::shared_ptr<Node> root = addition.pass->root.lock();
            if (root) add_slope(root, addition.pass->upstream, all);
        }
    }

    // Repeats the pass as it ran, and collects what each operation contributes.
    ExplainedPass parts_of(const std::shared_ptr<Node>& root, const Tensor& upstream,
                           const KeptPass* repeated) const {
        ContributionsTo contributions(node_, entry_, repeated);
        const Observing watching(contributions);
        BackwardPass walk(Variable(Tensor(), root), {.retain_graph = true, .repeat = true}, site_);
        if (repeated) walk.want_leaves();
        walk.want(node_);
        if (root.get() == &node_)
            contributions.begin_with(upstream, repeated ? repeated->site : site_);
        walk.run(Variable(upstream));

        ExplainedPass pass;
        pass.contributions = contributions.with_terms(options_.terms);
        pass.sum = contributions.sum();
        const std::optional<Variable>& gradient = walk.gradient(node_);
        if (gradient) pass.value = number_at(gradient->value(), entry_);
        if (!repeated) pass.hooks_left_out = hooks_in(walk);
        if (repeated) {
            for (const HookedGradient& each : repeated->hooked) {
                if (each.node == &node_) {
                    pass.hooked = number_at(each.gradient, entry_);
                } else {
                    ++pass.hooks_above;
                }
            }
        }
        pass.exact = same_number(pass.value, pass.hooked ? *pass.hooked : pass.sum);
        return pass;
    }

    // What one call of backward() added; with a remark instead of parts if these are not known.
    ExplainedPass explained(const Addition& addition) const {
        const Scalar added = number_at(addition.gradient, entry_);
        ExplainedPass pass;
        try {
            if (!addition.pass) throw std::runtime_error("its graph was freed");
            const std::shared_ptr<Node> root = addition.pass->root.lock();
            if (!root) throw std::runtime_error("its output is gone, and the graph with it");
            pass = parts_of(root, addition.pass->upstream, addition.pass.get());
            pass.exact = pass.exact && same_number(pass.value, added);
        } catch (const std::exception& error) {
            pass.remark = error.what();
        }
        if (addition.pass) pass.site = addition.pass->site;
        pass.value = added;
        return pass;
    }

    void add_slope(const std::shared_ptr<Node>& root, const Tensor& upstream,
                   Explanation& all) const {
        try {
            if (!all.measured) all.measured = MeasuredSlope{};
            const Replay replay(*root, node_);
            if (!replay.reaches_root()) return;
            const MeasuredSlope slope = measured_slope(replay, variable_.value(), entry_, upstream);
            all.measured->value += slope.value;
            all.measured->error += slope.error;
            all.measured->h = slope.h;
        } catch (const std::exception& error) {
            all.not_measured = error.what();
        }
    }

    const Variable& variable_;
    const Node& node_;
    std::int64_t entry_;
    const ExplainOptions& options_;
    CallSite site_;
};

void check_can_explain(const Variable& variable, const ExplainOptions& options,
                       const CallSite& site) {
    if (!variable.node()) {
        fail_runtime("explain", site, "this value of shape ", variable.shape(),
                     " is a constant, so nothing was ",
                     "recorded for it; make it with Variable(value, requires_grad)");
    }
    if (options.of) return;
    const Node& node = *variable.node();
    if (!node.grad) {
        fail_runtime("explain", site, "this value of shape ", variable.shape(),
                     " has no gradient: backward() ",
                     "was not called on anything made from it, or it is not a leaf; name ",
                     "the output to differentiate, {.of = loss}");
    }
    if (!kept_with(node) || kept_with(node)->additions.empty()) {
        fail_runtime("explain", site, "the graph that gave this gradient of shape ",
                     variable.shape(), " was freed by backward(), or it was set by hand; put ",
                     "KeepGraph keep; before the computation, or call ",
                     "backward({.retain_graph = true}) and keep its output");
    }
}

std::string name_of(const Variable& variable, const Dims& index, const ExplainOptions& options) {
    std::string name = options.name;
    if (name.empty()) name = variable.node()->name;
    if (name.empty()) name = variable.is_leaf() ? "x" : variable.node()->description();
    Dims counted = index;  // from the start of each axis
    for (int axis = 0; axis < index.size(); ++axis) {
        if (index[axis] < 0) counted.set(axis, index[axis] + variable.shape()[axis]);
    }
    return index.empty() ? name : name + counted.text();
}

}  // namespace

Explanation explain(const Variable& variable, const Dims& index, const ExplainOptions& options,
                    CallSite site) {
    check_can_explain(variable, options, site);
    const Shape& shape = variable.shape();
    const std::int64_t entry =
        checked_offset(index, shape, contiguous_strides(shape), "explain", site);
    const SuspendKeeping suspend;
    const DetectAnomaly off(false);
    const NoGrad no_grad;
    Explanation all;
    all.name = name_of(variable, index, options);
    const Explainer explainer(variable, entry, options, site);
    if (options.of) {
        explainer.explain_derivative(all);
    } else {
        explainer.explain_stored(all);
    }
    if (!all.not_measured.empty()) all.measured.reset();
    return all;
}

}}  // namespace heed
