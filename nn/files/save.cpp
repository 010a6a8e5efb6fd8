#include "save.h"

#include "../../tensor/quote.h"

#include <set>

namespace heed { inline namespace HEED_PRECISION {

void save(const std::string& path, const Module& module, const SafetensorsOptions& options,
          CallSite site) {
    StateDict state;
    std::set<const Node*> written;
    for (const ParameterMember& one : parameter_members(readable_member_tree(module, site))) {
        if (!written.insert(one.parameter->node().get()).second) continue;
        state.add_shared(one.name, one.parameter->value(), site);
    }
    write_safetensors(path, state, options, site);
}

void load_file(const Member& tree, const std::string& path, const CallSite& site) {
    load_into(tree, read_safetensors(path, site), site, {"load", heed::quoted(path), true});
}

}}  // namespace heed
