#include "check.h"

#include "../../tensor/factories.h"
#include "../../tensor/ops/arithmetic.h"
#include "../../tensor/ops/join.h"
#include "../grad.h"
#include "../node.h"

#include <cmath>
#include <limits>

namespace heed { inline namespace HEED_PRECISION {
namespace {
constexpr std::int64_t largest_jacobian = 4'000'000;  // kept for the diagnosis

bool same_number(double a, double b) { return a == b || (a != a && b != b); }

}  // namespace

std::vector<Variable> Check::call_and_watch(std::vector<Tensor>& copies) {
    copies.clear();
    std::vector<std::uint64_t> versions;
    for (const Tensor& input : inputs_) {
        copies.push_back(copy_with_strides(input));
        versions.push_back(copies.back().version());
    }
    const std::vector<Variable> outputs = f_(as_leaves(copies));
    for (std::size_t i = 0; i < copies.size(); ++i) {
        if (copies[i].version() == versions[i]) continue;
        result_.problem = "the function writes to " + names_[i] + "; it must only read its inputs";
    }
    return outputs;
}

bool Check::check_function() {
    std::vector<Tensor> copies;
    const std::vector<Variable> outputs = call_and_watch(copies);
    if (!result_.problem.empty()) return false;
    const std::vector<Variable> again = call_and_watch(copies);
    output_shapes_ = tensor::shapes_of(outputs);
    const Numbers first = numbers_of(outputs);
    const Numbers second = numbers_of(again);
    bool same = output_shapes_ == tensor::shapes_of(again);
    for (std::size_t i = 0; i < first.size() && same; ++i) same = same_number(first[i], second[i]);
    if (!same) {
        result_.problem = "two calls with the same inputs gave different results; the function "
                          "must be deterministic (make a random generator inside it, from a seed)";
        return false;
    }
    for (const Variable& output : outputs) {
        if (!output.requires_grad()) continue;
        recorded_ = true;
        operation_ = output.node()->description();
        break;
    }
    return true;
}

void Check::draw_upstream(Random& random) {
    for (const Shape& shape : output_shapes_) upstream_.push_back(tensor::normal(shape, random));
}

void Check::use(const std::vector<Tensor>& upstream, const std::vector<Tensor>& received) {
    upstream_ = upstream;
    received_.clear();
    for (const Tensor& gradient : received) received_.push_back(numbers_of(std::vector{gradient}));
}

void Check::differentiate(bool create_graph, const CallSite& site) {
    created_graph_ = create_graph;
    std::vector<Tensor> copies;
    for (const Tensor& input : inputs_) copies.push_back(copy_with_strides(input));
    const std::vector<Variable> leaves = as_leaves(copies);
    const std::vector<Variable> outputs = f_(leaves);
    std::vector<Tensor> totals;
    for (const Tensor& input : inputs_) totals.push_back(tensor::zeros(input.shape()));
    for (std::size_t k = 0; k < outputs.size(); ++k) {
        if (!outputs[k].requires_grad()) continue;
        const GradOptions options{
            .create_graph = create_graph, .retain_graph = true, .upstream = Variable(upstream_[k])};
        const std::vector<Variable> gradients = grad(outputs[k], leaves, options, site);
        for (std::size_t i = 0; i < totals.size(); ++i) {
            totals[i] = tensor::add(totals[i], gradients[i].value());
        }
    }
    use(upstream_, totals);
}

void Check::compare() {
    // All are computed before any is judged: one input may have received another's gradient.
    const int inputs = static_cast<int>(inputs_.size());
    if (expected_.empty()) {
        jacobians_.resize(inputs_.size());
        for (int i = 0; i < inputs; ++i) expect(i);
    }
    for (int i = 0; i < inputs; ++i) judge(i);
}

void Check::expect(int input) {
    const Numbers upstream = numbers_of(upstream_);
    std::vector<Numbers>& jacobian = jacobians_[static_cast<std::size_t>(input)];
    expected_.push_back(
        Numbers(static_cast<std::size_t>(inputs_[static_cast<std::size_t>(input)].numel())));
    Numbers& expected = expected_.back();
    const std::size_t size = expected.size() * upstream.size();
    const bool keep = static_cast<std::int64_t>(size) <= largest_jacobian;
    Differences differences(f_, inputs_, input, options_.step);
    for (std::size_t entry = 0; entry < expected.size(); ++entry) {
        const Numbers change = differences.by(static_cast<std::int64_t>(entry));
        for (std::size_t o = 0; o < upstream.size(); ++o)
            expected[entry] += upstream[o] * change[o];
        if (keep) jacobian.push_back(change);
    }
}

void Check::judge(int input) {
    const Numbers& received = received_[static_cast<std::size_t>(input)];
    const Numbers& expected = expected_[static_cast<std::size_t>(input)];
    std::size_t worst_entry = 0;
    double worst = -1;
    std::int64_t wrong = 0;
    for (std::size_t entry = 0; entry < received.size(); ++entry) {
        const double difference = std::fabs(received[entry] - expected[entry]);
        double error = difference / (1 + std::fabs(expected[entry]));
        if (error != error) error = std::numeric_limits<double>::infinity();
        if (error > worst) worst_entry = entry;
        if (error > worst) worst = error;
        const bool right =
            is_right(received[entry], expected[entry], options_.absolute, options_.relative);
        if (!right) ++wrong;
    }
    if (!created_graph_) result_.checked += static_cast<std::int64_t>(received.size());
    if (!created_graph_ && worst > result_.worst) result_.worst = worst;
    if (wrong == 0) return;

    GradcheckFailure failure = failure_at(input, worst_entry);
    failure.wrong = wrong;
    const Diagnosis diagnosis = diagnose(evidence(input));
    failure.fault = diagnosis.fault;
    failure.looks_like = diagnosis.words;
    failure.blamed = blamed_operation(f_, inputs_, options_.step, options_.seed);
    result_.failures.push_back(failure);
}

GradcheckFailure Check::failure_at(int input, std::size_t entry) const {
    const std::size_t i = static_cast<std::size_t>(input);
    const Shape& shape = inputs_[i].shape();
    GradcheckFailure failure;
    failure.order = order_;
    failure.input = input;
    failure.input_name = names_[i];
    failure.only_formula = created_graph_;
    failure.operation = operation_;
    failure.index = unravelled(static_cast<std::int64_t>(entry), shape);
    failure.received = received_[i][entry];
    failure.expected = expected_[i][entry];
    failure.entries = shape.numel();
    return failure;
}

Evidence Check::evidence(int input) const {
    Evidence evidence;
    evidence.input = input;
    evidence.received = received_;
    evidence.expected = expected_;
    for (const Tensor& x : inputs_) evidence.input_shapes.push_back(x.shape());
    evidence.input_names = names_;
    for (const Tensor& x : inputs_) evidence.input_values.push_back(numbers_of(std::vector{x}));
    evidence.output_shapes = output_shapes_;
    evidence.output_values = numbers_of(f_(as_leaves(inputs_)));
    evidence.upstream = numbers_of(upstream_);
    evidence.jacobian = jacobians_[static_cast<std::size_t>(input)];
    if (recorded_) evidence.contributions = contributions_to(f_, inputs_, input, upstream_);
    evidence.recorded = recorded_;
    evidence.absolute = options_.absolute;
    evidence.relative = options_.relative;
    return evidence;
}

}}  // namespace heed
