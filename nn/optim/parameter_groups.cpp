#include "parameter_groups.h"

#include "../../autograd/node.h"
#include "../../tensor/errors.h"
#include "../embedding.h"

#include <set>

namespace heed { inline namespace HEED_PRECISION {
namespace {
bool ends_in(const std::string& text, const std::string& end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// By the last part of its name: "layers.0.bias", "in_proj_bias", "b_Q".
bool is_named_bias(const std::string& full_name) {
    const std::string name = full_name.substr(full_name.rfind('.') + 1);
    return ends_in(name, "bias") || name.substr(0, 2) == "b_";
}

bool is_exempt(const Module& layer, DecayEmbeddings embeddings) {
    if (ends_in(type_name(layer), "Norm")) return true;
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

std::vector<ParameterGroup> decay_groups_of(const Member& tree, DecayEmbeddings embeddings,
                                            const CallSite& site) {
    check_enum("decay_groups", "embeddings", embeddings, DecayEmbeddings::yes, site);
    std::set<const Node*> exempt;
    collect_exempt(tree, embeddings, exempt);
    ParameterGroup decaying, others = {.weight_decay = 0};
    for (const NamedParameter& named : parameters_of(tree, site)) {
        const bool decays = named.parameter.rank() >= 2 && !is_named_bias(named.name) &&
                            exempt.count(named.parameter.node().get()) == 0;
        ParameterGroup& group = decays ? decaying : others;
        group.parameters.push_back(named);
    }
    return {decaying, others};
}

}}  // namespace heed
