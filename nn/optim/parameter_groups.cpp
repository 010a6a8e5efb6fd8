#include "parameter_groups.h"

#include "../../autograd/node.h"
#include "../../tensor/errors.h"
#include "../embedding.h"

#include <set>

namespace heed { inline namespace HEED_PRECISION {
namespace {
// By the last part of its name: "layers.0.bias", "in_proj_bias", "b_Q".
bool is_named_bias(const std::string& full_name) {
    const std::string name = full_name.substr(full_name.rfind('.') + 1);
    return name.ends_with("bias") || name.starts_with("b_");
}

bool is_exempt(const Module& layer, DecayEmbeddings embeddings) {
    if (type_name(layer).ends_with("Norm")) return true;
    return embeddings == DecayEmbeddings::no && dynamic_cast<const Embedding*>(&layer) != nullptr;
}

// The parameters that are members of norms, or of embeddings.
void collect_exempt(const Member& tree, DecayEmbeddings embeddings, std::set<const Node*>& exempt) {
    const bool exempts = tree.module && is_exempt(*tree.module, embeddings);
    for (const Member& inner : tree.members) {
        if (inner.parameter && exempts) exempt.insert(inner.parameter->node().get());
        collect_exempt(inner, embeddings, exempt);
    }
}

}  // namespace

std::vector<ParameterGroup> decay_groups(const LayerRef& network, DecayEmbeddings embeddings,
                                         CallSite site) {
    check_enum("decay_groups", "embeddings", embeddings, DecayEmbeddings::yes, site);
    std::set<const Node*> exempt;
    collect_exempt(member_tree(network, site), embeddings, exempt);
    ParameterGroup decaying, others = {.weight_decay = 0};
    for (const NamedParameter& named : parameters(network, site)) {
        const bool decays = named.parameter.rank() >= 2 && !is_named_bias(named.name) &&
                            exempt.count(named.parameter.node().get()) == 0;
        ParameterGroup& group = decays ? decaying : others;
        group.parameters.push_back(named);
    }
    return {decaying, others};
}

}}  // namespace heed
