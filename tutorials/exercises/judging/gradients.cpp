#include "tutorials/exercises/judging/gradients.h"

#include "tutorials/exercises/judging/inputs.h"

#include "autograd/grad.h"
#include "tensor/factories.h"

#include <stdexcept>

namespace exercise {

using heed::Variable;

namespace {
constexpr std::uint64_t seed_of_upstream = 4099;

// The names of the leaves that the learner's code froze. They learn again, so that the reference's
// walks are not found to end in the same error.
std::string unfrozen(const std::vector<Leaf>& leaves) {
    std::string names;
    for (const Leaf& leaf : leaves) {
        if (leaf.variable.requires_grad() || !leaf.variable.node()) continue;
        Variable frozen = leaf.variable;
        frozen.set_requires_grad(true);
        names += (names.empty() ? "" : ", ") + leaf.name;
    }
    return names;
}

std::vector<Variable> gradients(const Variable& output, const std::vector<Leaf>& leaves) {
    const std::string frozen = unfrozen(leaves);
    if (!frozen.empty() && output.requires_grad()) {
        throw std::runtime_error("set_requires_grad(false) was called on " + frozen +
                                 ", which needs a gradient");
    }
    std::vector<Variable> inputs, zeros;
    for (const Leaf& leaf : leaves) {
        inputs.push_back(leaf.variable);
        zeros.emplace_back(heed::tensor::zeros_like(leaf.variable.value()));
    }
    if (!output.requires_grad()) return zeros;
    // The graph is kept, as several outputs may share it.
    const heed::Tensor upstream = random(output.shape(), seed_of_upstream);
    return heed::grad(output, inputs, {.retain_graph = true, .upstream = upstream});
}

}  // namespace

Stages with_gradients(Stages stages, const Variable& output, const std::vector<Leaf>& leaves) {
    const std::vector<Variable> found = gradients(output, leaves);
    for (std::size_t i = 0; i < leaves.size(); ++i) {
        stages.push_back({"the gradient of " + leaves[i].name, found[i].value()});
    }
    return stages;
}

Stages values_of(const std::vector<Leaf>& leaves) {
    Stages values;
    for (const Leaf& leaf : leaves) values.push_back({leaf.name, leaf.variable.value()});
    return values;
}

}  // namespace exercise
