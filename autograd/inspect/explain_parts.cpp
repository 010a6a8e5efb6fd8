#include "explain_parts.h"

#include "../../tensor/errors.h"
#include "local_derivative.h"

#include <algorithm>
#include <cmath>

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

}}  // namespace heed
