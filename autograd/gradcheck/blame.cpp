// Finds the operation to blame for a wrong gradient by testing each recorded operation alone.
#include "diagnosis.h"

#include "../../tensor/errors.h"
#include "../../tensor/factories.h"
#include "../../tensor/ops/arithmetic.h"
#include "../../tensor/ops/reduce.h"
#include "../grad.h"
#include "../grad_mode.h"
#include "../inspect/uses.h"
#include "../node.h"
#include "tape.h"

#include <cmath>
#include <optional>

namespace heed { inline namespace HEED_PRECISION {
namespace {
// The gradients that one operation computes for its inputs, outside any backward pass.
using OwnGradients = std::vector<std::optional<Tensor>>;

OwnGradients own_gradients(const Node& node, const Tensor& G) {
    const NoGrad no_grad;
    OwnGradients own(node.inputs.size());
    for (std::size_t i = 0; i < own.size(); ++i) {
        if (!node.inputs[i].node) continue;
        own[i] = node.operation->gradient(static_cast<int>(i), Variable(G)).value();
    }
    return own;
}

class OwnFusedGradients final : public Gradients {
  public:
    explicit OwnFusedGradients(const Node& node) : found(node.inputs.size()), node_(node) {}

    bool needed(int input) const override {
        return node_.inputs[static_cast<std::size_t>(input)].node != nullptr;
    }
    void set(int input, Tensor gradient) override {
        if (needed(input)) found[static_cast<std::size_t>(input)] = std::move(gradient);
    }

    OwnGradients found;

  private:
    const Node& node_;
};

// The same from the fused pass, or from the formula if the operation has none.
OwnGradients own_fused_gradients(const Node& node, const Tensor& G) {
    const NoGrad no_grad;
    OwnFusedGradients own(node);
    return node.operation->fused_gradients(G, own) ? own.found : own_gradients(node, G);
}

double dot(const Tensor& a, const Tensor& b) {
    return static_cast<double>(tensor::sum(tensor::multiply(a, b)).item());
}

std::vector<Tensor> moved(const std::vector<Tensor>& inputs, const std::vector<Tensor>& direction,
                          double distance) {
    std::vector<Tensor> result;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const Tensor way = tensor::multiply(direction[i], tensor::full(Shape{}, distance));
        result.push_back(tensor::add(inputs[i], way));
    }
    return result;
}

std::vector<TapeEntry> recorded(const CheckedOutputs& f, const std::vector<Tensor>& inputs) {
    const Tape tape;
    const std::vector<Variable> outputs = f(as_leaves(inputs));
    return tape.entries();
}

// Runs the function at the point and at the steps around it, and keeps the recorded operations.
class Probe {
  public:
    Probe(const CheckedOutputs& f, const std::vector<Tensor>& inputs, double step, Random& random)
        : at_point_(recorded(f, inputs)), step_(step) {
        std::vector<Tensor> direction;
        for (const Tensor& x : inputs) direction.push_back(tensor::normal(x.shape(), random));
        for (int i = 0; i < sampled; ++i) {
            around_[i] = recorded(f, moved(inputs, direction, step_at[i] * step));
        }
    }

    std::size_t size() const { return at_point_.size(); }
    const Node& node(std::size_t k) const { return *at_point_[k].node; }
    std::size_t inputs(std::size_t k) const { return at_point_[k].inputs.size(); }
    bool same_operations_everywhere() const;

    // The derivative of a value along the direction.
    Tensor change_of_value(std::size_t k) const {
        return change(k, [](const TapeEntry& entry) { return entry.value; });
    }
    Tensor change_of_input(std::size_t k, std::size_t input) const {
        return change(k, [input](const TapeEntry& entry) { return entry.inputs[input]; });
    }

  private:
    template <class Pick>
    Tensor change(std::size_t k, Pick pick) const {
        Numbers at[sampled];
        for (int i = 0; i < sampled; ++i) at[i] = numbers_of(std::vector{pick(around_[i][k])});
        const Numbers derivative = derivative_from(at, step_);
        const std::vector<Scalar> numbers(derivative.begin(), derivative.end());
        return tensor::from_vector(numbers, pick(at_point_[k]).shape());
    }

    std::vector<TapeEntry> at_point_;
    std::vector<TapeEntry> around_[sampled];
    double step_;
};

bool Probe::same_operations_everywhere() const {
    for (const std::vector<TapeEntry>& entries : around_) {
        if (entries.size() != at_point_.size()) return false;
        for (std::size_t k = 0; k < entries.size(); ++k) {
            if (!(entries[k].node->shape == at_point_[k].node->shape)) return false;
            if (entries[k].inputs.size() != at_point_[k].inputs.size()) return false;
        }
    }
    return true;
}

// The input that is a constant in the graph but changes with the function's inputs, or -1.
int cut_input(const Probe& probe, std::size_t k) {
    for (std::size_t i = 0; i < probe.inputs(k); ++i) {
        if (probe.node(k).inputs[i].node) continue;
        const Tensor change = probe.change_of_input(k, i);
        if (dot(change, change) > 1e-12) return static_cast<int>(i);
    }
    return -1;
}

bool fits_the_differences(const OwnGradients& own, const Tensor& G, const Probe& probe,
                          std::size_t k) {
    double by_inputs = 0;
    double size = 1;
    for (std::size_t i = 0; i < probe.inputs(k); ++i) {
        if (!own[i]) continue;
        const double part = dot(*own[i], probe.change_of_input(k, i));
        by_inputs += part;
        size += std::fabs(part);
    }
    const double by_output = dot(G, probe.change_of_value(k));
    const double difference = std::fabs(by_inputs - by_output);
    const double most = 1e-8 * (size + std::fabs(by_output));
    return difference <= most && most - most == 0;  // false for NaN and infinity
}

bool own_derivative_is_right(const Probe& probe, std::size_t k, Random& random) {
    const Node& node = probe.node(k);
    const Tensor G = tensor::normal(node.shape, random);
    return fits_the_differences(own_gradients(node, G), G, probe, k) &&
           fits_the_differences(own_fused_gradients(node, G), G, probe, k);
}

}  // namespace

std::string blamed_operation(const CheckedOutputs& f, const std::vector<Tensor>& inputs,
                             double step, std::uint64_t seed) {
    Random random(seed);
    const Probe probe(f, inputs, step, random);
    if (!probe.same_operations_everywhere()) return "";
    std::string cut;
    for (std::size_t k = 0; k < probe.size(); ++k) {
        const int constant = cut_input(probe, k);
        if (constant < 0 && !own_derivative_is_right(probe, k, random)) {
            return probe.node(k).description() + ", whose own derivative is wrong";
        }
        if (constant >= 0 && cut.empty()) {
            cut = text(probe.node(k).description(), ", whose input ", constant,
                       " depends on the inputs but was passed as a constant: "
                       "value(), detach() or NoGrad cuts the graph there");
        }
    }
    return cut;
}

std::vector<Contribution> contributions_to(const CheckedOutputs& f,
                                           const std::vector<Tensor>& inputs, int input,
                                           const std::vector<Tensor>& upstream) {
    const std::vector<Variable> leaves = as_leaves(inputs);
    const std::vector<Variable> outputs = f(leaves);
    const Variable& leaf = leaves[static_cast<std::size_t>(input)];
    UsesOf observer(*leaf.node());
    const Observing observing(observer);
    for (std::size_t k = 0; k < outputs.size(); ++k) {
        if (!outputs[k].requires_grad()) continue;
        grad(outputs[k], leaf, {.create_graph = true, .upstream = Variable(upstream[k])});
    }
    std::vector<Contribution> contributions;
    for (const Use& use : observer.uses()) {
        contributions.push_back({use.by->description(), numbers_of(std::vector{use.gradient})});
    }
    return contributions;
}

}}  // namespace heed
