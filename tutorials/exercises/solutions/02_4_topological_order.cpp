// 02.4 Topological order                                     fill · 15 minutes · about 10 lines
//
// Backward may pass a node's gradient on only when it is complete: after every node that uses it.
// So the nodes are sorted such that each comes after all its inputs, and backward walks that order
// from the end. Lesson 02.2 shows what goes wrong otherwise.
//
// inputs[n] lists the nodes from which node n was made; a node may appear there twice (x·x), and
// node numbers say nothing about the order. Return `output` and all nodes it was made from,
// directly or indirectly: each once, each after all its inputs, and no other nodes. There are no
// cycles. Any such order is right, as long as the same graph always gives the same one. A node may
// have any number of inputs. A graph has at most a thousand nodes: recursion is fine.
#include "tutorials/exercises/judges/lesson_02.h"

using exercise::Graph;

// begin stub
// begin solution
// Appends node and all nodes it was made from to `order`, skipping visited ones.
void visit(const Graph& inputs, int node, std::vector<bool>& visited, std::vector<int>& order) {
    const std::size_t n = static_cast<std::size_t>(node);
    if (visited[n]) return;
    visited[n] = true;
    for (const int input : inputs[n]) visit(inputs, input, visited, order);
    order.push_back(node);
}

// end
std::vector<int> in_topological_order(const Graph& inputs, int output) {
    // begin stub, stop in in_topological_order
    //     exercise::not_done("02.4");
    // begin solution
    std::vector<bool> visited(inputs.size(), false);
    std::vector<int> order;
    visit(inputs, output, visited, order);
    return order;
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_02_4(in_topological_order), argc, argv);
}
