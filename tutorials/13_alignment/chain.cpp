#include "tutorials/13_alignment/chain.h"

#include "autograd/node.h"

#include <algorithm>
#include <map>

using namespace heed;

namespace {

std::int64_t chain_to(const Node* node, std::map<const Node*, std::int64_t>& known) {
    if (!node || node->is_leaf) return 0;
    const auto found = known.find(node);
    if (found != known.end()) return found->second;
    std::int64_t longest = 0;
    for (const Edge& input : node->inputs) {
        longest = std::max(longest, chain_to(input.node.get(), known));
    }
    return known[node] = longest + 1;
}

}  // namespace

std::int64_t longest_chain(const Variable& x) {
    std::map<const Node*, std::int64_t> known;
    return chain_to(x.node().get(), known);
}
