// Answers to 02.4.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_02.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <random>
#include <utility>

using namespace exercise;

namespace {
using Nodes = std::vector<int>;
using Flags = std::vector<bool>;

void visit(const Graph& inputs, int n, Flags& seen, Nodes& order) {
    if (seen[n]) return;
    seen[n] = true;
    for (int input : inputs[n]) visit(inputs, input, seen, order);
    order.push_back(n);
}

// A right one, which the others take what they need from.
Nodes depth_first(const Graph& inputs, int output) {
    Flags seen(inputs.size(), false);
    Nodes order;
    visit(inputs, output, seen, order);
    return order;
}

Nodes reversed(Nodes order) {
    std::reverse(order.begin(), order.end());
    return order;
}

Nodes by_number(const Graph& inputs, int output) {
    Nodes order = depth_first(inputs, output);
    std::sort(order.begin(), order.end());
    return order;
}

Nodes output_first(const Graph& inputs, int output) {
    return reversed(depth_first(inputs, output));
}

void visit_before_inputs(const Graph& inputs, int n, Flags& seen, Nodes& order) {
    if (seen[n]) return;
    seen[n] = true;
    order.push_back(n);
    for (int input : inputs[n]) visit_before_inputs(inputs, input, seen, order);
}

Nodes preorder_reversed(const Graph& inputs, int output) {
    Flags seen(inputs.size(), false);
    Nodes order;
    visit_before_inputs(inputs, output, seen, order);
    return reversed(order);
}

Nodes breadth_first_reversed(const Graph& inputs, int output) {
    Flags seen(inputs.size(), false);
    Nodes order = {output};
    seen[output] = true;
    for (std::size_t i = 0; i < order.size(); ++i) {
        for (int input : inputs[order[i]]) {
            if (!seen[input]) order.push_back(input);
            seen[input] = true;
        }
    }
    return reversed(order);
}

// Marks what it pushes, and takes "marked" for "already in the order".
Nodes marked_when_pushed(const Graph& inputs, int output) {
    Flags seen(inputs.size(), false);
    Nodes stack = {output}, order;
    seen[output] = true;
    while (!stack.empty()) {
        const int n = stack.back();
        bool ready = true;
        for (int input : inputs[n]) {
            if (seen[input]) continue;
            seen[input] = true;
            stack.push_back(input);
            ready = false;
        }
        if (!ready) continue;
        stack.pop_back();
        order.push_back(n);
    }
    return order;
}

enum class Depth { of_first_input, least, greatest };

// depth_first() comes to the inputs of a node first, so their depths are known.
std::map<int, int> depths(const Graph& inputs, int output, Depth which) {
    std::map<int, int> depth;
    for (int n : depth_first(inputs, output)) {
        int below = -1;
        for (int input : inputs[n]) {
            if (below == -1) below = depth[input];
            if (which == Depth::least) below = std::min(below, depth[input]);
            if (which == Depth::greatest) below = std::max(below, depth[input]);
        }
        depth[n] = below + 1;
    }
    return depth;
}

Nodes sorted_by(const std::map<int, int>& depth) {
    std::vector<std::pair<int, int>> pairs;
    for (const auto& [n, d] : depth) pairs.push_back({d, n});
    std::sort(pairs.begin(), pairs.end());
    Nodes order;
    for (const auto& [d, n] : pairs) order.push_back(n);
    return order;
}

Nodes by_depth_of_first_input(const Graph& inputs, int output) {
    return sorted_by(depths(inputs, output, Depth::of_first_input));
}
Nodes by_shortest_path(const Graph& inputs, int output) {
    return sorted_by(depths(inputs, output, Depth::least));
}
Nodes by_longest_path(const Graph& inputs, int output) {
    return sorted_by(depths(inputs, output, Depth::greatest));
}

Nodes one_node_per_depth(const Graph& inputs, int output) {
    std::map<int, int> node_at;
    for (const auto& [n, d] : depths(inputs, output, Depth::greatest)) node_at[d] = n;
    Nodes order;
    for (const auto& [d, n] : node_at) order.push_back(n);
    return order;
}

Nodes whole_graph(const Graph& inputs, int) {
    Flags seen(inputs.size(), false);
    Nodes order;
    for (std::size_t n = 0; n < inputs.size(); ++n) {
        visit(inputs, static_cast<int>(n), seen, order);
    }
    return order;
}

Nodes whole_graph_up_to_output(const Graph& inputs, int output) {
    Nodes order = whole_graph(inputs, output);
    order.erase(std::find(order.begin(), order.end(), output) + 1, order.end());
    return order;
}

// From the output down: a node's turn comes when all its users have had theirs.
template <class Count = int>
Nodes after_its_users(const Graph& inputs, int output, const Nodes& users_among, bool twice) {
    std::vector<Count> waiting_for(inputs.size(), 0);
    for (int n : users_among) {
        for (int input : inputs[n]) ++waiting_for[input];
    }
    Nodes order = {output};
    for (std::size_t i = 0; i < order.size(); ++i) {
        Nodes used = inputs[order[i]];
        std::sort(used.begin(), used.end());
        if (!twice) used.erase(std::unique(used.begin(), used.end()), used.end());
        for (int input : used) {
            if (--waiting_for[input] == 0) order.push_back(input);
        }
    }
    return reversed(order);
}

Nodes waits_for_users_outside(const Graph& inputs, int output) {
    return after_its_users(inputs, output, whole_graph(inputs, output), true);
}
Nodes square_released_once(const Graph& inputs, int output) {
    return after_its_users(inputs, output, depth_first(inputs, output), false);
}
Nodes users_first(const Graph& inputs, int output) {
    return after_its_users(inputs, output, depth_first(inputs, output), true);
}

// "Is it there already?" is asked of the order, and after the inputs: right, after 2^n visits.
void visit_again(const Graph& inputs, int n, Nodes& order) {
    for (int input : inputs[n]) visit_again(inputs, input, order);
    if (std::count(order.begin(), order.end(), n) == 0) order.push_back(n);
}

Nodes without_a_mark(const Graph& inputs, int output) {
    Nodes order;
    visit_again(inputs, output, order);
    return order;
}

Nodes users_counted_in_a_byte(const Graph& inputs, int output) {
    return after_its_users<std::uint8_t>(inputs, output, depth_first(inputs, output), true);
}

Graph without_repeats(Graph inputs) {
    for (Nodes& of_node : inputs) {
        std::sort(of_node.begin(), of_node.end());
        of_node.erase(std::unique(of_node.begin(), of_node.end()), of_node.end());
    }
    return inputs;
}

Nodes square_counted_once(const Graph& inputs, int output) {
    return users_first(without_repeats(inputs), output);
}

Nodes without(const Nodes& order, const std::function<bool(int)>& left_out) {
    Nodes kept;
    std::copy_if(order.begin(), order.end(), std::back_inserter(kept),
                 [&](int n) { return !left_out(n); });
    return kept;
}

Nodes without_leaves(const Graph& inputs, int output) {
    return without(depth_first(inputs, output), [&](int n) { return inputs[n].empty(); });
}
Nodes without_output(const Graph& inputs, int output) {
    return without(depth_first(inputs, output), [&](int n) { return n == output; });
}
Nodes none_numbered_above_output(const Graph& inputs, int output) {
    return without(depth_first(inputs, output), [&](int n) { return n > output; });
}
Nodes nothing_for_a_leaf(const Graph& inputs, int output) {
    return inputs[output].empty() ? Nodes() : depth_first(inputs, output);
}

Nodes inputs_up_to(std::size_t most, const Graph& inputs, int output) {
    Graph cut = inputs;
    for (Nodes& of_node : cut) of_node.resize(std::min(of_node.size(), most));
    return depth_first(cut, output);
}

Nodes two_inputs_at_most(const Graph& inputs, int output) {
    return inputs_up_to(2, inputs, output);
}
Nodes eight_inputs_at_most(const Graph& inputs, int output) {
    return inputs_up_to(8, inputs, output);
}

Nodes node_0_is_none(const Graph& inputs, int output) {
    return without(depth_first(inputs, output), [](int n) { return n == 0; });
}

// "Is an input of" is no order to sort by: it says nothing of nodes further apart.
Nodes sorted_by_being_an_input(const Graph& inputs, int output) {
    Nodes order = by_number(inputs, output);
    for (std::size_t i = 0; i < order.size(); ++i) {
        for (std::size_t j = i + 1; j < order.size(); ++j) {
            const Nodes& of_first = inputs[order[i]];
            const bool late = std::count(of_first.begin(), of_first.end(), order[j]) > 0;
            if (late) std::swap(order[i], order[j]);
        }
    }
    return order;
}

Nodes leaves_then_numbers(const Graph& inputs, int output) {
    Nodes order = without(by_number(inputs, output), [&](int n) { return n == output; });
    std::stable_partition(order.begin(), order.end(), [&](int n) { return inputs[n].empty(); });
    order.push_back(output);
    return order;
}

// A pass over the nodes in the order of their numbers carries a depth one step or more.
Nodes by_depth_after(int passes, const Graph& inputs, int output) {
    std::map<int, int> depth;
    const Nodes needed = by_number(inputs, output);
    for (const int n : needed) depth[n] = 0;
    for (int pass = 0; pass < passes; ++pass) {
        for (const int n : needed) {
            for (const int input : inputs[n]) depth[n] = std::max(depth[n], depth[input] + 1);
        }
    }
    return sorted_by(depth);
}

Nodes by_depth_after_a_hundred_passes(const Graph& inputs, int output) {
    return by_depth_after(100, inputs, output);
}

Nodes shuffled_inputs(const Graph& inputs, int output) {
    static std::mt19937 generator(7);
    Graph shuffled = inputs;
    for (Nodes& of_node : shuffled) std::shuffle(of_node.begin(), of_node.end(), generator);
    return depth_first(shuffled, output);
}

// Depth-first without recursion: each node on the stack with the number of inputs it has visited.
Nodes with_a_stack(const Graph& inputs, int output) {
    Flags seen(inputs.size(), false);
    std::vector<std::pair<int, std::size_t>> stack = {{output, 0}};
    Nodes order;
    seen[output] = true;
    while (!stack.empty()) {
        auto& [n, visited] = stack.back();
        if (visited == inputs[n].size()) {
            order.push_back(n);
            stack.pop_back();
            continue;
        }
        const int input = inputs[n][visited++];
        if (!seen[input]) stack.push_back({input, 0});
        seen[input] = true;
    }
    return order;
}

Nodes remembers_what_it_saw(const Graph& inputs, int output) {
    static Flags seen;
    seen.resize(std::max(seen.size(), inputs.size()), false);
    Nodes order;
    visit(inputs, output, seen, order);
    return order;
}

Nodes another_order_each_time(const Graph& inputs, int output) {
    static bool odd = false;
    odd = !odd;
    return odd ? depth_first(inputs, output) : by_longest_path(inputs, output);
}

Nodes by_depth_of_last_input(const Graph& inputs, int output) {
    Graph turned = inputs;
    for (Nodes& of_node : turned) std::reverse(of_node.begin(), of_node.end());
    return by_depth_of_first_input(turned, output);
}

// Visited nodes are bits of one number.
Nodes sixty_four_bits(const Graph& inputs, int output) {
    unsigned long long seen = 0;
    Nodes order;
    const std::function<void(int)> add = [&](int n) {
        const unsigned long long bit = 1ULL << (n % 64);
        if (seen & bit) return;
        seen |= bit;
        for (int input : inputs[n]) add(input);
        order.push_back(n);
    };
    add(output);
    return order;
}

Nodes a_hundred_deep(const Graph& inputs, int output) {
    Flags seen(inputs.size(), false);
    Nodes order;
    const std::function<void(int, int)> add = [&](int n, int depth) {
        if (seen[n] || depth > 100) return;
        seen[n] = true;
        for (int input : inputs[n]) add(input, depth + 1);
        order.push_back(n);
    };
    add(output, 0);
    return order;
}

Nodes remembered_by_size(const Graph& inputs, int output) {
    static std::map<std::pair<std::size_t, int>, Nodes> known;
    Nodes& order = known[{inputs.size(), output}];
    if (order.empty()) order = depth_first(inputs, output);
    return order;
}

// Levels from the output; where an input stands too late, it is moved, but only once.
Nodes repaired_once(const Graph& inputs, int output) {
    Nodes order = breadth_first_reversed(inputs, output);
    for (std::size_t i = 0; i < order.size(); ++i) {
        for (int input : inputs[order[i]]) {
            const auto late = std::find(order.begin() + static_cast<int>(i), order.end(), input);
            if (late == order.end()) continue;
            order.erase(late);
            order.insert(order.begin() + static_cast<int>(i), input);
        }
    }
    return order;
}

Nodes same_input_twice_only_if_adjacent(const Graph& inputs, int output) {
    Nodes order;
    const std::function<void(int)> add = [&](int n) {
        int before = -1;
        for (int input : inputs[n]) {
            if (input != before) add(input);
            before = input;
        }
        order.push_back(n);
    };
    add(output);
    return order;
}

// Looks at all nodes again and again, the last first, and takes those whose inputs it has.
Nodes in_rounds(const Graph& inputs, int output) {
    const Nodes needed = reversed(by_number(inputs, output));
    Flags taken(inputs.size(), false);
    Nodes order;
    while (order.size() < needed.size()) {
        for (int n : needed) {
            const bool ready = std::all_of(inputs[n].begin(), inputs[n].end(),
                                           [&](int input) { return taken[input]; });
            if (!ready || taken[n]) continue;
            taken[n] = true;
            order.push_back(n);
        }
    }
    return order;
}

// Depths from the output, raised until each input is deeper than all its users.
Nodes by_depths_until_nothing_changes(const Graph& inputs, int output) {
    std::vector<int> depth(inputs.size(), -1);
    depth[output] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t n = 0; n < inputs.size(); ++n) {
            if (depth[n] < 0) continue;
            for (int input : inputs[n]) {
                if (depth[input] > depth[n]) continue;
                depth[input] = depth[n] + 1;
                changed = true;
            }
        }
    }
    Nodes order = by_number(inputs, output);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return depth[a] > depth[b]; });
    return order;
}

Nodes by_how_much_is_below(const Graph& inputs, int output) {
    Nodes order = by_number(inputs, output);
    std::map<int, std::size_t> below;
    for (int n : order) below[n] = depth_first(inputs, n).size();
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return below[a] < below[b]; });
    return order;
}

// As above, but by the numbers of inputs.
Nodes by_how_many_inputs(const Graph& inputs, int output) {
    Nodes order = by_number(inputs, output);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return inputs[a].size() < inputs[b].size(); });
    return order;
}

void reached(const Graph& inputs, int node, Nodes& found) {
    if (std::find(found.begin(), found.end(), node) != found.end()) return;
    found.push_back(node);
    for (const int input : inputs[static_cast<std::size_t>(node)]) reached(inputs, input, found);
}

Nodes whatever_is_ready(const Graph& inputs, int output) {
    Nodes waiting, order;
    reached(inputs, output, waiting);
    Flags taken(inputs.size(), false);
    while (!waiting.empty()) {
        const auto ready = std::find_if(waiting.rbegin(), waiting.rend(), [&](int node) {
            const Nodes& its = inputs[static_cast<std::size_t>(node)];
            return std::all_of(its.begin(), its.end(),
                               [&](int input) { return taken[static_cast<std::size_t>(input)]; });
        });
        order.push_back(*ready);
        taken[static_cast<std::size_t>(*ready)] = true;
        waiting.erase(std::prev(ready.base()));
    }
    return order;
}

Answer answer(const std::string& what, const TopologicalOrder& order,
              const std::vector<std::string>& names = {}) {
    return {what, [order] { return judge_02_4(order); }, names};
}

}  // namespace

Answers answers_02_4() {
    Answers answers;
    answers.number = "02.4";
    answers.slipping = slipping(judge_02_4);
    answers.wrong = {
        answer("node numbers are taken for the order", by_number, {"ag.topo-numbers"}),
        answer("the output comes first", output_first, {"ag.topo-reversed"}),
        answer("preorder, reversed", preorder_reversed, {"ag.no-topo"}),
        answer("breadth first, reversed", breadth_first_reversed, {"ag.topo-breadth-reversed"}),
        answer("a node on the stack counts as done", marked_when_pushed),
        answer("depth by the first input only", by_depth_of_first_input),
        answer("depth by the shortest path", by_shortest_path),
        answer("of nodes of one depth the last stays", one_node_per_depth),
        answer("all nodes of the graph", whole_graph, {"ag.topo-unneeded"}),
        answer("all nodes of the graph until the output is there", whole_graph_up_to_output),
        answer("waits for users outside the output's graph", waits_for_users_outside),
        answer("x·x is counted twice and released once", square_released_once),
        answer("leaves are left out", without_leaves, {"ag.topo-no-leaves"}),
        answer("the output is left out", without_output, {"ag.topo-no-output"}),
        answer("nodes numbered above the output are left out", none_numbered_above_output),
        answer("nothing for an output that is a leaf", nothing_for_a_leaf),
        answer("a third input is not looked at", two_inputs_at_most),
        answer("a ninth input is not looked at", eight_inputs_at_most),
        answer("users are counted in a byte", users_counted_in_a_byte),
        answer("node 0 is taken for none", node_0_is_none),
        answer("sorted by being an input of the other", sorted_by_being_an_input),
        answer("leaves, then all others by number", leaves_then_numbers),
        answer("depths after a hundred passes", by_depth_after_a_hundred_passes),
        answer("inputs are visited in random order", shuffled_inputs),
        answer("what an earlier call saw is left out", remembers_what_it_saw),
        answer("every second call gives another order", another_order_each_time),
        answer("depth by the last input only", by_depth_of_last_input),
        answer("visited nodes in 64 bits", sixty_four_bits),
        answer("no deeper than 100", a_hundred_deep),
        answer("orders are remembered by size and output", remembered_by_size),
        answer("one pass of repairs", repaired_once),
        answer("sorted by the number of inputs", by_how_many_inputs),
        answer("no mark: every path is walked", without_a_mark, {"ag.topo-every-path"}),
        answer("only x·x counts as visited", same_input_twice_only_if_adjacent),
    };
    answers.right = {
        answer("from the output down by counts of users", users_first),
        answer("the same, x·x counted once and released once", square_counted_once),
        answer("with a stack of its own", with_a_stack),
        answer("sorted by the longest path", by_longest_path),
        answer("in rounds, the highest number first", in_rounds),
        answer("depths, raised until nothing changes", by_depths_until_nothing_changes),
        answer("sorted by how many nodes are below", by_how_much_is_below),
        answer("by taking whatever has all its inputs", whatever_is_ready),
    };
    return answers;
}
