#include "save.h"

#include "../../tensor/quote.h"
#include "checkpoint.h"

#include <set>

namespace heed { inline namespace HEED_PRECISION {

StateDict written_state(const Member& tree, const CallSite& site) {
    check_complete(tree, site);
    StateDict state;
    std::set<const Node*> written;
    for (const ParameterMember& one : parameter_members(tree)) {
        if (!written.insert(one.parameter->node().get()).second) continue;
        state.add_shared(one.name, one.parameter->value(), site);
    }
    return state;
}

void save(const std::string& path, const ConstLayerRef& layer, const SafetensorsOptions& options,
          CallSite site) {
    write_safetensors(path, written_state(readable_member_tree(layer, site), site), options, site);
}

void load(const std::string& path, const LayerRef& layer, CallSite site) {
    const Member tree = member_tree(layer, site);
    const bool is_index = path.ends_with(".json");
    const std::optional<StateDict> network = is_index ? std::nullopt : network_of(path, site);
    const StateDict state = network ? *network : read_safetensors(path, site);
    load_into(tree, state, site, {"load", in_quotes(path), true, true});
}

}}  // namespace heed
