#include "explain_parts.h"

#include "../../tensor/errors.h"
#include "../../tensor/factories.h"
#include "../grad.h"
#include "../grad_mode.h"
#include "../ops/reduce.h"
#include "../ops/views.h"
#include "anomaly.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <numeric>

namespace heed { inline namespace HEED_PRECISION {
namespace {
std::string text_of(const ScopeFrame* scope) {
    std::string all;
    for (; scope; scope = scope->parent.get()) {
        if (!all.empty()) all += ", ";
        all += "in " + scope->name + ", called at " + scope->site.text();
    }
    return all;
}

// NaN first, then the largest.
bool comes_before(const ExplainedTerm& a, const ExplainedTerm& b) {
    const bool a_is_nan = a.product != a.product;
    const bool b_is_nan = b.product != b.product;
    if (a_is_nan || b_is_nan) return a_is_nan && !b_is_nan;
    return std::fabs(a.product) > std::fabs(b.product);
}

void add_terms(const Tensor& G, const Tensor& local, std::int64_t most, ExplainedPart& to) {
    const std::vector<Scalar> upstream = G.to_vector();
    const std::vector<Scalar> of_output = local.to_vector();
    std::vector<ExplainedTerm> terms;
    for (std::size_t k = 0; k < upstream.size(); ++k) {
        if (of_output[k] == 0) continue;
        ExplainedTerm term;
        term.index = unravelled(static_cast<std::int64_t>(k), G.shape());
        term.upstream = upstream[k];
        term.local = of_output[k];
        term.product = static_cast<double>(upstream[k]) * static_cast<double>(of_output[k]);
        to.sum_of_terms += term.product;
        terms.push_back(term);
    }
    std::stable_sort(terms.begin(), terms.end(), comes_before);
    const std::size_t shown = std::min(terms.size(), static_cast<std::size_t>(most));
    for (std::size_t k = shown; k < terms.size(); ++k) {
        if (terms[k].product == 0) continue;
        ++to.more;
        to.rest += terms[k].product;
    }
    terms.resize(shown);
    to.terms = std::move(terms);
    if (to.terms.empty() && to.remark.empty()) {
        to.remark = "no entry of its output depends on this one";
    }
}

// The operation's gradient at x[entry], as a scalar.
Variable given_to(const Node& by, int input, std::int64_t entry, const Variable& U) {
    const Shape& shape = by.inputs[static_cast<std::size_t>(input)].shape;
    const Variable gradient = sum_to(by.operation->gradient(input, U), shape);
    return select(reshape(gradient, {-1}), 0, entry);
}

double size_of(Scalar x) { return std::fabs(static_cast<double>(x)); }

// Whether the terms add up to `given`, up to rounding.
bool adds_up(const Tensor& G, const Tensor& local, Scalar given) {
    constexpr double tolerance = sizeof(Scalar) == 4 ? 1e-4 : 1e-11;
    const std::vector<Scalar> upstream = G.to_vector();
    const std::vector<Scalar> of_output = local.to_vector();
    double sum = 0;
    double sizes = size_of(given);
    for (std::size_t k = 0; k < upstream.size(); ++k) {
        if (upstream[k] == 0) continue;
        sizes += 1e-3 * size_of(upstream[k]);  // a slope of 0 may have come out as noise
        const double term = static_cast<double>(upstream[k]) * static_cast<double>(of_output[k]);
        sum += term;
        sizes += std::fabs(term);
    }
    return std::fabs(sum - static_cast<double>(given)) <= tolerance * sizes;
}

std::optional<Tensor> by_differentiating(const Node& by, int input, std::int64_t entry,
                                         const Tensor& G) {
    const GradMode recording(true);
    const Variable U(tensor::clone(G), requires_grad);
    const Variable given = given_to(by, input, entry, U);
    if (!given.requires_grad()) return std::nullopt;
    return grad(given, U).value();
}

}  // namespace

ContributionsTo::ContributionsTo(const Node& node, std::int64_t entry, const KeptPass* repeated)
    : UsesOf(node), entry_(entry) {
    if (!repeated) return;
    for (const HookedGradient& hooked : repeated->hooked) hooked_[hooked.node] = hooked.gradient;
}

void ContributionsTo::begin_with(const Tensor& upstream, const CallSite& site) {
    ExplainedPart part;
    part.operation = "backward";
    part.site = site;
    part.output = upstream.shape();
    part.value = upstream.to_vector()[static_cast<std::size_t>(entry_)];
    part.sum_of_terms = static_cast<double>(part.value);
    part.remark = "the upstream gradient that the pass began with";
    upstream_ = part;
}

bool ContributionsTo::replays_hooks(const Node& node, Variable& gradient) {
    const std::unordered_map<const Node*, Tensor>::const_iterator found = hooked_.find(&node);
    if (found != hooked_.end()) gradient = Variable(found->second);
    return true;
}

Scalar ContributionsTo::value_of(const Use& use) const {
    return use.gradient.to_vector()[static_cast<std::size_t>(entry_)];
}

Scalar ContributionsTo::sum() const {
    std::optional<Scalar> sum;
    if (upstream_) sum = upstream_->value;
    for (const Use& use : uses()) sum = sum ? *sum + value_of(use) : value_of(use);
    return sum.value_or(0);
}

ExplainedPart ContributionsTo::part_of(const Use& use, std::int64_t most) const {
    ExplainedPart part;
    part.operation = use.by->operation_name;
    part.input = use.input;
    part.site = use.by->site;
    part.scope = text_of(use.by->scope.get());
    part.output = use.by->shape;
    part.value = value_of(use);
    const LocalDerivative local = local_derivative(*use.by, use.input, entry_, use.G, part.value);
    part.remark = local.remark;
    if (local.of_output) add_terms(use.G, *local.of_output, most, part);
    return part;
}

std::vector<ExplainedPart> ContributionsTo::with_terms(std::int64_t most) const {
    std::vector<ExplainedPart> contributions;
    if (upstream_) contributions.push_back(*upstream_);
    for (const Use& use : uses()) contributions.push_back(part_of(use, most));
    return contributions;
}

LocalDerivative local_derivative_by_units(const Node& by, int input, std::int64_t entry,
                                          const Tensor& G, std::int64_t most_calls) {
    const NoGrad no_grad;
    const DetectAnomaly off(false);
    const std::vector<Scalar> upstream = G.to_vector();
    std::vector<std::size_t> order(upstream.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&upstream](std::size_t a, std::size_t b) {
        return size_of(upstream[a]) > size_of(upstream[b]);
    });
    LocalDerivative local;
    if (static_cast<std::int64_t>(order.size()) > most_calls) {
        local.remark =
            text("only for the ", most_calls, " largest of ", order.size(), " upstream gradients");
        order.resize(static_cast<std::size_t>(most_calls));
    }
    Tensor found = tensor::zeros(G.shape());
    for (const std::size_t k : order) {
        Tensor unit = tensor::zeros(G.shape());
        unit.writable_data()[k] = 1;
        found.writable_data()[k] = given_to(by, input, entry, Variable(unit)).item();
    }
    local.of_output = found;
    return local;
}

LocalDerivative local_derivative(const Node& by, int input, std::int64_t entry, const Tensor& G,
                                 Scalar given, std::int64_t most_calls) {
    const DetectAnomaly off(false);
    try {
        const std::optional<Tensor> local = by_differentiating(by, input, entry, G);
        if (local && adds_up(G, *local, given)) return {*local, ""};
        return local_derivative_by_units(by, input, entry, G, most_calls);
    } catch (const std::exception& error) {
        return {std::nullopt, error.what()};
    }
}

}}  // namespace heed
