#include "graph_outline.h"

#include <algorithm>

namespace heed { inline namespace HEED_PRECISION {
namespace {
// The scopes a node was recorded in, outermost first.
std::vector<const ScopeFrame*> scopes_of(const Node& node) {
    std::vector<const ScopeFrame*> scopes;
    for (const ScopeFrame* frame = node.scope.get(); frame; frame = frame->parent.get()) {
        scopes.push_back(frame);
    }
    std::reverse(scopes.begin(), scopes.end());
    return scopes;
}

struct Visit {
    const Node* node;
    std::size_t next_input;
};

}  // namespace

std::string label_of(const OutlineEntry& entry) {
    if (entry.closed) return entry.closed->name;
    const Node& node = *entry.node;
    if (node.name.empty()) return node.operation_name;
    return node.is_leaf ? node.name : node.name + " = " + node.operation_name;
}

std::string place_of(const OutlineEntry& entry) {
    return entry.closed ? entry.closed->site.text() : entry.node->site.text();
}

Outline::Outline(const Node& root, int open_scopes) : open_scopes_(open_scopes) {
    entry_of(root);
    std::vector<Visit> stack{{&root, 0}};
    std::unordered_map<const Node*, bool> visited{{&root, true}};
    while (!stack.empty()) {
        Visit& top = stack.back();
        if (top.next_input == top.node->inputs.size()) {
            stack.pop_back();
            continue;
        }
        const Edge& edge = top.node->inputs[top.next_input++];
        const std::int64_t from = entry_of(*top.node);
        if (edge.node && !visited[edge.node.get()]) {
            visited[edge.node.get()] = true;
            connect(from, edge);
            stack.push_back({edge.node.get(), 0});
        } else {
            connect(from, edge);
        }
    }
}

std::int64_t Outline::entry_of(const Node& node) {
    const std::unordered_map<const void*, std::int64_t>::const_iterator known =
        entry_of_.find(&node);
    if (known != entry_of_.end()) return known->second;

    const std::vector<const ScopeFrame*> scopes = scopes_of(node);
    const std::size_t open =
        std::min(scopes.size(), static_cast<std::size_t>(std::max(open_scopes_, 0)));
    const ScopeFrame* const closed = open < scopes.size() ? scopes[open] : nullptr;
    std::int64_t entry = size();
    if (closed) entry = entry_of_.try_emplace(closed, entry).first->second;
    entry_of_[&node] = entry;
    if (entry == size()) {
        OutlineEntry made;
        made.node = &node;
        made.closed = closed;
        made.around = open > 0 ? scopes[open - 1] : nullptr;
        entries_.push_back(made);
    }
    if (!node.is_leaf) ++entries_[static_cast<std::size_t>(entry)].operations;
    return entry;
}

void Outline::connect(std::int64_t from, const Edge& edge) {
    const std::int64_t to = edge.node ? entry_of(*edge.node) : -1;
    OutlineEntry& entry = entries_[static_cast<std::size_t>(from)];
    if (to == from) return;
    if (entry.closed) {
        // A closed scope shows each input from outside once, and no scalar constants.
        if (to < 0 && edge.shape.rank() == 0) return;
        if (to >= 0 && !inputs_of_closed_.insert({from, to}).second) return;
    }
    entry.inputs.push_back({to, edge.shape});
    if (to >= 0) ++entries_[static_cast<std::size_t>(to)].uses;
}

}}  // namespace heed
