#include "explain_debugger.h"

#include "../../tensor/errors.h"
#include "../../tensor/factories.h"
#include "../engine.h"
#include "../grad_mode.h"
#include "anomaly.h"
#include "explain.h"
#include "keep.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <set>
#include <string>

namespace heed { inline namespace HEED_PRECISION {
namespace {
using Frames = std::set<const ScopeFrame*>;

Frames frames_around(const Node& node) {
    Frames frames;
    for (const ScopeFrame* frame = node.scope.get(); frame; frame = frame->parent.get()) {
        frames.insert(frame);
    }
    return frames;
}

// The outermost layer that a node is in and the result is not; null if there is none.
const ScopeFrame* layer_beside(const Node& node, const Frames& around_result) {
    const ScopeFrame* found = nullptr;
    for (const ScopeFrame* frame = node.scope.get(); frame; frame = frame->parent.get()) {
        if (!around_result.count(frame)) found = frame;
    }
    return found;
}

StepBack step_to(const Node& node, const ScopeFrame* layer, const Tensor& gradient) {
    const std::vector<Scalar> numbers = gradient.to_vector();
    const auto largest = std::max_element(numbers.begin(), numbers.end(), [](Scalar a, Scalar b) {
        return std::fabs(a) < std::fabs(b);
    });
    return {&node, layer, unravelled(largest - numbers.begin(), gradient.shape()), *largest};
}

// Nodes worth a step: the first of each layer on the way back, which is its output, and leaves.
struct Candidates {
    std::vector<const Node*> nodes;
    std::vector<const ScopeFrame*> layers;
    std::set<const Node*> looked_up;
};

Candidates candidates(const BackwardPass& walk) {
    const Frames around_result = frames_around(*walk.root());
    Candidates found;
    Frames seen;
    for (std::int64_t position = walk.size() - 1; position >= 0; --position) {
        const Node& node = walk.node(position);
        const ScopeFrame* layer = node.is_leaf ? nullptr : layer_beside(node, around_result);
        const bool is_output = layer && seen.insert(layer).second;
        if (is_output || (node.is_leaf && node.requires_grad)) {
            found.nodes.push_back(&node);
            found.layers.push_back(layer);
        }
        if (node.operation_name == std::string("index_select")) {
            found.looked_up.insert(node.inputs[0].node.get());
        }
    }
    return found;
}

// Of the leaves, those that were looked up in; else the one that matters most.
void keep_leaves(std::vector<StepBack>& steps, const std::set<const Node*>& looked_up) {
    const auto matters_less = [](const StepBack& a, const StepBack& b) {
        return std::fabs(a.derivative) < std::fabs(b.derivative);
    };
    std::vector<StepBack> kept, leaves;
    for (const StepBack& step : steps) {
        if (step.layer || looked_up.count(step.node)) {
            kept.push_back(step);
        } else {
            leaves.push_back(step);
        }
    }
    if (!leaves.empty() && std::all_of(kept.begin(), kept.end(), [](auto& s) { return s.layer; })) {
        kept.push_back(*std::max_element(leaves.begin(), leaves.end(), matters_less));
    }
    steps = std::move(kept);
}

}  // namespace

std::vector<StepBack> way_back(const Variable& of, const Tensor& upstream, const CallSite& site) {
    if (!of.node()) fail_runtime("way_back", site, "nothing was recorded for a constant");
    const SuspendKeeping suspend;
    const DetectAnomaly off(false);
    const NoGrad no_grad;
    BackwardPass walk(of, {.retain_graph = true, .repeat = true}, site);
    const Candidates found = candidates(walk);
    walk.want(found.nodes);
    walk.run(Variable(upstream));
    std::vector<StepBack> steps;
    for (std::size_t i = 0; i < found.nodes.size(); ++i) {
        const std::optional<Variable>& gradient = walk.gradient(*found.nodes[i]);
        if (!gradient || gradient->numel() == 0) continue;
        steps.push_back(step_to(*found.nodes[i], found.layers[i], gradient->value()));
    }
    keep_leaves(steps, found.looked_up);
    return steps;
}

WhyQuestion why_question = {};

namespace {
// dL/d(of), where L is one entry of `of`.
Tensor one_at(const WhyQuestion& question, const Shape& shape) {
    const std::vector<std::int64_t> index(question.of_index, question.of_index + question.of_rank);
    const Dims strides = contiguous_strides(shape);
    Tensor upstream = tensor::zeros(shape);
    upstream.writable_data()[checked_offset(Dims(index), shape, strides, "why", CallSite())] = 1;
    return upstream;
}

// A line for each step: addresses of the node and of the layer's frame, derivative, index.
std::string answer_way_back(const WhyQuestion& question) {
    const Variable& of = *static_cast<const Variable*>(question.of);
    TextBuilder lines;
    lines.out().precision(9);
    for (const StepBack& step : way_back(of, one_at(question, of.shape()), CallSite())) {
        lines.out() << reinterpret_cast<std::uintptr_t>(step.node) << ' '
                    << reinterpret_cast<std::uintptr_t>(step.layer) << ' ' << step.derivative << ' '
                    << step.index.text() << '\n';
    }
    return lines.text();
}

std::string answer() {
    const WhyQuestion& question = why_question;
    if (!question.variable) return answer_way_back(question);
    const std::vector<std::int64_t> index(question.index, question.index + question.rank);
    ExplainOptions options;
    options.name = question.name;
    if (question.of) {
        const Variable& of = *static_cast<const Variable*>(question.of);
        options.of = of;
        if (question.of_rank > 0) options.upstream = one_at(question, of.shape());
    }
    const Variable& variable = *static_cast<const Variable*>(question.variable);
    return explain(variable, Dims(index), options, CallSite()).text();
}

}  // namespace

[[gnu::used, gnu::noinline]] const char* why_at_breakpoint() {
    static std::string& said = *new std::string;
    try {
        said = answer();
    } catch (const std::exception& error) {
        const std::string all = error.what();
        said = all.substr(0, all.find("\n  at :0"));  // the call has no line in the program
    }
    why_question.answer = said.c_str();
    return why_question.answer;
}

}}  // namespace heed
