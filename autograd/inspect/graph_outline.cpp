#include "graph_outline.h"

#include "../../tensor/errors.h"

#include <algorithm>
#include <unordered_set>

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

std::string count_of_operations(const OutlineEntry& entry) {
    return text(entry.operations, entry.operations == 1 ? " operation" : " operations");
}

std::string place_of(const OutlineEntry& entry) {
    return entry.closed ? entry.closed->site.text() : entry.node->site.text();
}

Outline::Outline(const Node& root, int open_scopes) : open_scopes_(open_scopes) {
    entry_of(root);
    std::vector<Visit> stack{{&root, 0}};
    std::unordered_set<const Node*> visited{&root};
    while (!stack.empty()) {
        Visit& top = stack.back();
        if (top.next_input == top.node->inputs.size()) {
            stack.pop_back();
            continue;
        }
        const Edge& edge = top.node->inputs[top.next_input++];
        const std::int64_t from = entry_of(*top.node);
        connect(from, edge);
        if (edge.node && visited.insert(edge.node.get()).second) {
            stack.push_back({edge.node.get(), 0});
        }
    }
}

std::int64_t Outline::entry_of(const Node& node) {
    const auto known = entry_of_.find(&node);
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

namespace {

const std::int64_t most_leaves = 9;  // of one scope that are drawn one by one

GraphBox box_of(const OutlineEntry& entry) {
    const Node& node = *entry.node;
    const std::string shape = node.shape.text();
    if (entry.closed) {
        return {label_of(entry), shape + " · " + count_of_operations(entry),
                label_of(entry) + " at " + place_of(entry), GraphBox::Look::scope};
    }
    if (node.is_leaf) {
        const std::string kind = node.requires_grad ? "requires grad" : "frozen";
        return {label_of(entry), shape, label_of(entry) + " " + shape + ", " + kind,
                GraphBox::Look::leaf};
    }
    return {label_of(entry), shape, label_of(entry) + " " + shape + " at " + place_of(entry),
            GraphBox::Look::operation};
}

class Collector {
  public:
    Collector(const GraphLevel& level, const ScopeFrame* scope, std::int64_t most)
        : level_(level), scope_(scope), most_(most) {}

    GraphContents collected() {
        std::vector<std::int64_t> entries;
        for (std::int64_t i = 0; i < level_.outline.size(); ++i) {
            if (is_inside(i)) entries.push_back(i);
        }
        const std::size_t most = static_cast<std::size_t>(std::max<std::int64_t>(most_, 1));
        if (entries.size() > most) {
            contents_.left_out = static_cast<std::int64_t>(entries.size() - most);
            entries.resize(most);
        }
        for (const std::int64_t entry : entries) {
            box_of_entry_[entry] = add(box_of(level_.outline[entry]));
        }
        for (const std::int64_t entry : entries) {
            for (const OutlineInput& input : level_.outline[entry].inputs) {
                add_input(input, box_of_entry_.at(entry));
            }
        }
        if (scope_) add_ways_out(entries);
        join_leaves();
        return contents_;
    }

  private:
    bool is_inside(std::int64_t entry) const {
        return scope_ == nullptr || level_.outline[entry].around == scope_;
    }

    void add_input(const OutlineInput& input, std::int64_t user) {
        if (input.entry < 0) {
            if (input.shape.rank() == 0) return;
            const std::string shape = input.shape.text();
            const std::int64_t box =
                add({"constant", shape, "constant " + shape, GraphBox::Look::constant});
            contents_.arrows.push_back({box, user});
            return;
        }
        const auto known = box_of_entry_.find(input.entry);
        if (known != box_of_entry_.end()) {
            contents_.arrows.push_back({known->second, user});
            return;
        }
        if (is_inside(input.entry)) return;  // one of those left out
        GraphBox outside = box_of(level_.outline[input.entry]);
        if (outside.look != GraphBox::Look::leaf) {
            outside.look = GraphBox::Look::outside;
            outside.below = input.shape.text();
        }
        const std::int64_t box = add(outside);
        box_of_entry_[input.entry] = box;
        contents_.arrows.push_back({box, user});
    }

    void add_ways_out(const std::vector<std::int64_t>& entries) {
        for (const std::int64_t entry : entries) {
            const std::vector<std::int64_t>& users = level_.users[static_cast<std::size_t>(entry)];
            const bool goes_out = std::any_of(users.begin(), users.end(),
                                              [&](std::int64_t user) { return !is_inside(user); });
            if (!goes_out) continue;
            const std::string shape = level_.outline[entry].node->shape.text();
            const std::int64_t box = add(
                {"result", shape, text("what ", scope_->name, " gives"), GraphBox::Look::outside});
            contents_.arrows.push_back({box_of_entry_.at(entry), box});
        }
    }

    // Leaves that one scope alone uses are one box if there are many, such as a model's parameters.
    void join_leaves() {
        const std::size_t count = contents_.boxes.size();
        std::vector<std::int64_t> user(count, -1), leaves_of(count, 0);
        for (const ArrowOf& arrow : contents_.arrows) {
            std::int64_t& of_from = user[static_cast<std::size_t>(arrow.from)];
            of_from = of_from == -1 || of_from == arrow.to ? arrow.to : -2;
        }
        const auto leaves_beside = [&](std::size_t box) -> std::int64_t {
            if (contents_.boxes[box].look != GraphBox::Look::leaf || user[box] < 0) return 0;
            const std::size_t of = static_cast<std::size_t>(user[box]);
            return contents_.boxes[of].look == GraphBox::Look::scope ? leaves_of[of] : 0;
        };
        for (std::size_t box = 0; box < count; ++box) {
            if (contents_.boxes[box].look == GraphBox::Look::leaf && user[box] >= 0) {
                ++leaves_of[static_cast<std::size_t>(user[box])];
            }
        }
        GraphContents joined;
        joined.left_out = contents_.left_out;
        std::vector<std::int64_t> place(count, -1), joined_for(count, -1);
        for (std::size_t box = 0; box < count; ++box) {
            const std::int64_t beside = leaves_beside(box);
            std::int64_t* const joint =
                beside > most_leaves ? &joined_for[static_cast<std::size_t>(user[box])] : nullptr;
            if (joint && *joint >= 0) continue;
            place[box] = static_cast<std::int64_t>(joined.boxes.size());
            joined.boxes.push_back(contents_.boxes[box]);
            if (!joint) continue;
            *joint = place[box];
            joined.boxes.back() = {text(beside, " leaves"), "folded", "shown where they are used",
                                   GraphBox::Look::leaf};
        }
        for (const ArrowOf& arrow : contents_.arrows) {
            const std::int64_t from = place[static_cast<std::size_t>(arrow.from)];
            if (from >= 0)
                joined.arrows.push_back({from, place[static_cast<std::size_t>(arrow.to)]});
        }
        contents_ = joined;
    }

    std::int64_t add(const GraphBox& box) {
        contents_.boxes.push_back(box);
        return static_cast<std::int64_t>(contents_.boxes.size()) - 1;
    }

    const GraphLevel& level_;
    const ScopeFrame* scope_;
    std::int64_t most_;
    GraphContents contents_;
    std::unordered_map<std::int64_t, std::int64_t> box_of_entry_;  // never iterated
};

}  // namespace

GraphLevel::GraphLevel(const Node& root, int open_scopes)
    : outline(root, open_scopes), users(static_cast<std::size_t>(outline.size())) {
    for (std::int64_t i = 0; i < outline.size(); ++i) {
        for (const OutlineInput& input : outline[i].inputs) {
            if (input.entry >= 0) users[static_cast<std::size_t>(input.entry)].push_back(i);
        }
    }
}

GraphContents graph_contents(const GraphLevel& level, const ScopeFrame* scope, std::int64_t most) {
    return Collector(level, scope, most).collected();
}

}}  // namespace heed
