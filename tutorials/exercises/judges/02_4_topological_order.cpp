#include "tutorials/exercises/judges/lesson_02.h"
#include "tutorials/exercises/judging/kit.h"

#include "tensor/random.h"

#include <ctime>
#include <iterator>
#include <numeric>

using namespace heed;

namespace exercise {
namespace {
const std::vector<int>& inputs_of(const Graph& graph, int node) {
    return graph[static_cast<std::size_t>(node)];
}

bool contains(const std::vector<int>& list, int node) {
    return std::find(list.begin(), list.end(), node) != list.end();
}

// Depth-first: each node is placed after its inputs, or before them, and visited once, or each time
// an edge leads to it.
void depth_first(const Graph& graph, int node, bool before, bool again, std::vector<bool>& visited,
                 std::vector<int>& order) {
    if (visited[static_cast<std::size_t>(node)] && !again) return;
    visited[static_cast<std::size_t>(node)] = true;
    if (before) order.push_back(node);
    for (const int input : inputs_of(graph, node)) {
        depth_first(graph, input, before, again, visited, order);
    }
    if (!before) order.push_back(node);
}

std::vector<int> depth_first(const Graph& graph, const std::vector<int>& outputs, bool before,
                             bool again) {
    std::vector<bool> visited(graph.size(), false);
    std::vector<int> order;
    for (const int output : outputs) {
        depth_first(graph, output, before, again, visited, order);
    }
    return order;
}

// The same order as depth_first(), but down every path: a node is asked for only when all below it
// have been walked again.
void down_every_path(const Graph& graph, int node, std::vector<int>& order) {
    for (const int input : inputs_of(graph, node)) down_every_path(graph, input, order);
    if (!contains(order, node)) order.push_back(node);
}

std::vector<int> breadth_first(const Graph& graph, int output) {
    std::vector<int> order = {output};
    for (std::size_t next = 0; next < order.size(); ++next) {
        for (const int input : inputs_of(graph, order[next])) {
            if (!contains(order, input)) order.push_back(input);
        }
    }
    return order;
}

std::vector<int> counted(std::size_t nodes) {
    std::vector<int> all(nodes);
    std::iota(all.begin(), all.end(), 0);
    return all;
}

std::vector<int> order_of(const Graph& graph, int output, const Slips& slip) {
    const bool before = slip("ag.no-topo") || slip("ag.topo-preorder");
    std::vector<int> outputs = {output};
    if (slip("ag.topo-unneeded")) outputs = counted(graph.size());
    std::vector<int> order = depth_first(graph, outputs, before, slip("ag.topo-twice"));
    if (slip("ag.topo-breadth") || slip("ag.topo-breadth-reversed")) {
        order = breadth_first(graph, output);
    }
    if (slip("ag.topo-every-path")) {
        order.clear();
        down_every_path(graph, output, order);
    }
    if (slip("ag.topo-numbers")) std::sort(order.begin(), order.end());
    if (slip("ag.topo-all-numbers")) order = counted(graph.size());
    if (slip("ag.topo-no-leaves")) {
        order.erase(std::remove_if(order.begin(), order.end(),
                                   [&](int node) { return inputs_of(graph, node).empty(); }),
                    order.end());
    }
    if (slip("ag.topo-no-output")) order.pop_back();
    if (slip("ag.no-topo") || slip("ag.topo-reversed") || slip("ag.topo-breadth-reversed")) {
        std::reverse(order.begin(), order.end());
    }
    return order;
}

// Does `order` contain each needed node once, after its inputs?
bool is_right(const Graph& graph, int output, const std::vector<int>& order) {
    std::vector<int> sorted = order;
    std::vector<int> needed = order_of(graph, output, {});
    std::sort(sorted.begin(), sorted.end());
    std::sort(needed.begin(), needed.end());
    if (sorted != needed) return false;
    std::vector<bool> placed(graph.size(), false);
    for (const int node : order) {
        for (const int input : inputs_of(graph, node)) {
            if (!placed[static_cast<std::size_t>(input)]) return false;
        }
        placed[static_cast<std::size_t>(node)] = true;
    }
    return true;
}

std::vector<Mistake> mistakes() {
    return {
        {"ag.topo-preorder",
         "each node was put into the order when it was reached, before its inputs",
         "What must already stand in the order when a node is added?",
         "Where in your function does the node get into the order?"},
        {"ag.no-topo",
         "each node was put into the list when it was reached, before its inputs, and the list was "
         "then reversed",
         "In the diamond, x is reached first by q. What else uses x?",
         "Stop where a node gets into the order: which of its inputs are there?"},
        {"ag.topo-reversed", "the right order was reversed",
         "Which node comes first, a leaf or the output?", "Print the first node of your order."},
        {"ag.topo-breadth", "the nodes were taken level by level from the output",
         "Which node comes first, a leaf or the output?", "Print the first node of your order."},
        {"ag.topo-breadth-reversed",
         "the nodes were taken level by level from the output, and the list was then reversed",
         "On which level is a node that is used both near the output and far from it?",
         "Look at x in the diamond."},
        {"ag.topo-twice", "a node was added each time something led to it",
         "If two nodes use the same input, how often does the order contain it?",
         "Where does your code ask whether a node was visited?"},
        {"ag.topo-every-path",
         "your function went down every path from the output, and not once to each node",
         "How many paths lead down through twenty diamonds, and how many nodes are there?",
         "Where does your code ask whether a node was visited: before its inputs, or after?"},
        {"ag.topo-unneeded", "nodes that the output does not need were put into the order too",
         "From which node do you begin?", "Look at the case with more than the output needs."},
        {"ag.topo-numbers", "the needed nodes were sorted by their numbers",
         "Do the numbers say which node was made first?", "Look at inputs[0] in the diamond."},
        {"ag.topo-all-numbers", "all nodes were listed by their numbers",
         "Do the numbers say which node was made first?", "Where does your code use inputs?"},
        {"ag.topo-no-leaves", "the leaves were left out",
         "Does a node without inputs belong to the order?",
         "Where does your function return early?"},
        {"ag.topo-no-output", "the output itself was left out",
         "Which node does backward begin with?", "Look at the last node of your order."},
    };
}

struct Input {
    Graph graph;
    int output;
};

// Any right order is replaced by the reference's, so that the two compare equal.
Stages stages(const TopologicalOrder& f, const Input& in) {
    std::vector<int> order = f(in.graph, in.output);
    if (is_right(in.graph, in.output, order)) order = order_of(in.graph, in.output, {});
    return {{"the order", numbers(order)}};
}

// Nodes made one after another, each from up to `most` earlier ones, or from just the one before.
// Their numbers are shuffled. The output is the last but two, so that some are not needed.
Input made_at_random(std::int64_t nodes, std::int64_t most, std::uint64_t seed) {
    heed::Random random(seed);
    const std::vector<std::int64_t> number = random.permutation(nodes);
    const auto at = [&](std::int64_t place) { return number[static_cast<std::size_t>(place)]; };
    Graph graph(number.size());
    for (std::int64_t place = 1; place < nodes; ++place) {
        std::vector<int>& inputs = graph[static_cast<std::size_t>(at(place))];
        const std::int64_t count = most == 1 ? 1 : random.below(most + 1);
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t back = 1 + (most == 1 ? 0 : random.below(std::min(place, most + 3)));
            inputs.push_back(static_cast<int>(at(place - back)));
        }
    }
    return {graph, static_cast<int>(at(nodes - 3))};
}

// Made from node 0 so often that a byte cannot count it, and then from node 2.
Graph made_from_many() {
    std::vector<int> many(300, 0);
    many.push_back(2);
    return {{}, many, {0}};
}

Inputs<Input> inputs() {
    return {
        {"a chain 2 -> 0 -> 1", {{{2}, {0}, {}}, 1}},
        {"the diamond p = x·x, q = x + p, y = p·q (x is 2, p 3, q 0, y 1)",
         {{{2, 3}, {3, 0}, {}, {2, 2}}, 1}},
        {"q = x + x, p = -x, y = p·q (x is 3, p 0, q 2, y 1)", {{{3}, {0, 2}, {3, 3}, {}}, 1}},
        {"two leaves, a long way and a short one",
         {{{4, 1}, {3, 5}, {0, 6, 3}, {}, {3}, {}, {1, 0}}, 2}},
        {"a graph with more than the output needs", {{{3}, {}, {1, 3}, {1}, {2, 0}, {3, 1}}, 5}},
        {"a node made from five, one of them twice", {{{}, {}, {4, 0, 4, 3, 1}, {0}, {3}}, 2}},
        {"a node made from 301, the first 300 of them node 0", {made_from_many(), 1}},
        {"a leaf", {{{}, {0}}, 0}},
        {"a single node", {{{}}, 0}},
        {"a graph of 30 nodes", made_at_random(30, 4, 26)},
        {"another graph of 30 nodes", made_at_random(30, 4, 42)},
        {"a chain of 1000 nodes", made_at_random(1000, 1, 6)},
    };
}

std::string misplaced(const TopologicalOrder& f) {
    for (const auto& [name, in] : inputs()) {
        const std::vector<int> order = f(in.graph, in.output);
        for (auto node = order.begin(); node != order.end(); ++node) {
            if (*node < 0 || *node >= static_cast<int>(in.graph.size())) {
                return "There is no node " + std::to_string(*node) + ".";
            }
            for (const int input : inputs_of(in.graph, *node)) {
                if (std::find(order.begin(), node, input) != node) continue;
                return "On " + name + ": when your order comes to node " + std::to_string(*node) +
                       ", its input " + std::to_string(input) + " has not been there yet.";
            }
        }
    }
    return "";
}

// Diamonds on top of each other: n of them have 3n + 1 nodes, and 2^n paths from the output to the
// leaf.
Input stacked(int diamonds) {
    Graph graph = {{}};
    for (int top = 0; top < 3 * diamonds; top += 3) {
        graph.push_back({top});
        graph.push_back({top});
        graph.push_back({top + 1, top + 2});
    }
    return {graph, 3 * diamonds};
}

// The processor's time for one call, in seconds: the least of three, which no other program
// lengthens.
double time_of(const TopologicalOrder& f, const Input& in) {
    std::clock_t least = 0;
    for (int i = 0; i < 3; ++i) {
        const std::clock_t began = std::clock();
        f(in.graph, in.output);
        const std::clock_t took = std::clock() - began;
        least = i == 0 ? took : std::min(least, took);
    }
    return static_cast<double>(least) / CLOCKS_PER_SEC;
}

// Twice as many nodes take 4 or 8 times as long, or 16 if need be; 2^10 as many paths 1000 times.
bool walks_every_path(const TopologicalOrder& f) {
    constexpr double a_moment = 5e-5, most = 40;
    const double of_ten = std::max(time_of(f, stacked(10)), a_moment);
    for (int diamonds = 14; diamonds <= 20; diamonds += 2) {
        if (time_of(f, stacked(diamonds)) > most * of_ten) return true;
    }
    return false;
}

// Only of a function that lists each node once: else its order says enough.
Stages paths(const TopologicalOrder& f, const Input& in) {
    const bool once = f(in.graph, in.output).size() == in.graph.size();
    return {{"the walk (0: once to each node, 1: down every path)",
             numbers(std::vector{once && walks_every_path(f) ? 1 : 0})}};
}

std::string repeated(const TopologicalOrder& f) {
    const auto [graph, output] = stacked(15);
    const std::size_t ordered = f(graph, output).size();
    if (ordered == graph.size()) return "";
    return "Fifteen diamonds on top of each other have " + std::to_string(graph.size()) +
           " nodes; your order has " + std::to_string(ordered) + ".";
}

// The same order for the same graph, whatever was asked for before.
std::string changing(const TopologicalOrder& f) {
    std::vector<std::vector<int>> first;
    for (const auto& [name, in] : inputs()) first.push_back(f(in.graph, in.output));
    std::size_t n = 0;
    for (const auto& [name, in] : inputs()) {
        for (int again = 0; again < 2; ++again) {
            if (f(in.graph, in.output) == first[n]) continue;
            return "On " + name + ", your function gave two different orders.";
        }
        ++n;
    }
    return "";
}

Rules<TopologicalOrder> rules() {
    return {
        .number = "02.4",
        .title = "Topological order",
        .reference =
            [](const Slips& slip) {
                return
                    [=](const Graph& graph, int output) { return order_of(graph, output, slip); };
            },
        .cases = joined(on_each(stages, inputs()),
                        on_each(paths, {{"diamonds on top of each other", stacked(10)}})),
        .laws = {{"every node comes after its inputs", misplaced},
                 {"each node is there once, however many paths lead to it", repeated},
                 {"the same graph gives the same order", changing}},
        .mistakes = mistakes(),
        .hints =
            {"Which nodes must be in the order before a node may be added?",
             "Work the diamond out on paper, then stop where a node is added and look at the order",
             "to visit a node: if it was visited, nothing; else mark it, visit each of its inputs, "
             "then add it",
             "mark the node, visit(input) for each of inputs[node], and only then "
             "order.push_back(node)"},
    };
}

}  // namespace

const Judge<TopologicalOrder> judge_02_4(rules);

}  // namespace exercise
