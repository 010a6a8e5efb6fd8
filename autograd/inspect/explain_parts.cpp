#include "explain_parts.h"

#include "../../tensor/errors.h"
#include "../../tensor/ops/reduce.h"
#include "../../tensor/views.h"
#include "../node.h"
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
    : node_(node), entry_(entry) {
    if (!repeated) return;
    for (const HookedGradient& hooked : repeated->hooked) hooked_[hooked.node] = hooked.gradient;
}

void ContributionsTo::begin_with(const Tensor& upstream, const CallSite& site) {
    Use use{nullptr, 0, upstream, {}};
    use.contribution.operation = "backward";
    use.contribution.site = site;
    use.contribution.output = upstream.shape();
    use.contribution.value = upstream.to_vector()[static_cast<std::size_t>(entry_)];
    use.contribution.sum_of_terms = static_cast<double>(use.contribution.value);
    use.contribution.remark = "the upstream gradient that the pass began with";
    uses_.push_back(use);
}

void ContributionsTo::received(const Node& by, int input, const Variable& gradient,
                               const Variable& G) {
    const Edge& edge = by.inputs[static_cast<std::size_t>(input)];
    if (edge.node.get() != &node_) return;
    const Tensor given = tensor::sum_to(gradient.value(), edge.shape);
    Use use{&by, input, tensor::clone(G.value()), {}};
    use.contribution.operation = by.operation_name;
    use.contribution.input = input;
    use.contribution.site = by.site;
    use.contribution.scope = text_of(by.scope.get());
    use.contribution.output = by.shape;
    use.contribution.value = given.to_vector()[static_cast<std::size_t>(entry_)];
    uses_.push_back(use);
}

bool ContributionsTo::replays_hooks(const Node& node, Variable& gradient) {
    const std::unordered_map<const Node*, Tensor>::const_iterator found = hooked_.find(&node);
    if (found != hooked_.end()) gradient = Variable(found->second);
    return true;
}

Scalar ContributionsTo::sum() const {
    if (uses_.empty()) return 0;
    Scalar sum = uses_.front().contribution.value;
    for (std::size_t i = 1; i < uses_.size(); ++i) sum += uses_[i].contribution.value;
    return sum;
}

std::vector<ExplainedPart> ContributionsTo::with_terms(std::int64_t most) const {
    std::vector<ExplainedPart> contributions;
    for (const Use& use : uses_) {
        ExplainedPart contribution = use.contribution;
        if (use.by) {
            const LocalDerivative local =
                local_derivative(*use.by, use.input, entry_, use.G, contribution.value);
            contribution.remark = local.remark;
            if (local.of_output) add_terms(use.G, *local.of_output, most, contribution);
        }
        contributions.push_back(contribution);
    }
    return contributions;
}

}}  // namespace heed
