// The graph as text and for Graphviz.
#include "nn/heed.h"

#include "tests/catch.h"

#include <sstream>
#include <string>

using namespace heed;

namespace {
std::string here(int line) { return "graph_test.cpp:" + std::to_string(line); }

Variable leaf(const Shape& shape, const char* name) {
    Variable x(tensor::ones(shape), requires_grad);
    x.set_name(name);
    return x;
}

int linear_line = 0;  // line of the matmul inside; the add is on the next

Variable affine(const Variable& x, const Variable& W, const Variable& b, CallSite site) {
    const Scope scope("Linear", site);
    linear_line = __LINE__ + 1;
    const Variable y = matmul(x, W);
    return y + b;
}

std::int64_t count(const std::string& text, const std::string& part) {
    std::int64_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++found;
    }
    return found;
}

}  // namespace

TEST_CASE("a graph is printed as a tree, a shared node only once", "[autograd][graph]") {
    const Variable a = leaf({2, 3}, "a");
    Variable b = leaf({3}, "b");
    const int line = __LINE__ + 1;
    const Variable u = a * b;
    const Variable v = u + 1.0;
    const Variable w = v * u;
    b.set_requires_grad(false);
    const std::string expected = "multiply [2, 3] at " + here(line + 2) +
                                 "\n"
                                 "  add [2, 3] at " +
                                 here(line + 1) +
                                 "\n"
                                 "    #1 multiply [2, 3] at " +
                                 here(line) +
                                 "\n"
                                 "      a [2, 3] (requires grad)\n"
                                 "      b [3] (frozen)\n"
                                 "    constant []\n"
                                 "  #1 multiply [2, 3], above\n";
    CHECK(graph_text(w) == expected);
    sum(w).backward();
    CHECK(graph_text(w) == expected);  // even after it is freed
}

TEST_CASE("leaves and constants are graphs, too", "[autograd][graph]") {
    CHECK(graph_text(leaf({2}, "x")) == "x [2] (requires grad)\n");
    CHECK(graph_text(Variable(tensor::ones({2}), requires_grad)) == "leaf [2] (requires grad)\n");
    CHECK(graph_text(Variable(tensor::ones({2, 3}))) == "constant [2, 3]\n");
    CHECK_THAT(graph_dot(Variable(tensor::ones({2, 3}))), Contains("constant [2, 3]"));
}

TEST_CASE("operations in a scope are one line, until it is opened", "[autograd][graph]") {
    const Variable x(tensor::ones({4, 2}));
    const Variable W = leaf({2, 3}, "W");
    const Variable b = leaf({3}, "b");
    const int line = __LINE__ + 1;
    const Variable y = affine(x, W, b, CallSite::here());
    Variable z = tanh(y);
    z.set_name("z");
    CHECK(graph_text(z) == "z = tanh [4, 3] at " + here(line + 1) +
                               "\n"
                               "  Linear [4, 3] at " +
                               here(line) +
                               " (2 operations)\n"
                               "    constant [4, 2]\n"
                               "    W [2, 3] (requires grad)\n"
                               "    b [3] (requires grad)\n");
    CHECK(graph_text(z, {.open_scopes = 1}) == "z = tanh [4, 3] at " + here(line + 1) +
                                                   "\n"
                                                   "  add [4, 3] at " +
                                                   here(linear_line + 1) +
                                                   ", in Linear\n"
                                                   "    matmul [4, 3] at " +
                                                   here(linear_line) +
                                                   ", in Linear\n"
                                                   "      constant [4, 2]\n"
                                                   "      W [2, 3] (requires grad)\n"
                                                   "    b [3] (requires grad)\n");
}

TEST_CASE("scopes in scopes are opened level by level, calls are kept apart", "[autograd][graph]") {
    const Variable W = leaf({3, 3}, "W");
    const Variable b = leaf({3}, "b");
    Variable y(tensor::ones({4, 3}));
    {
        const Scope outer("Block");
        for (int layer = 0; layer < 2; ++layer) y = tanh(affine(y, W, b, CallSite::here()));
    }
    const std::string closed = graph_text(y);
    CHECK(count(closed, "\n") == 4);
    CHECK(graph_text(y, {.open_scopes = -1}) == closed);
    CHECK_THAT(closed, Contains("Block [4, 3] at graph_test.cpp"));
    CHECK_THAT(closed, Contains("(6 operations)"));
    const std::string open = graph_text(y, {.open_scopes = 1});
    CHECK(count(open, "Linear [4, 3] at") == 2);
    CHECK(count(open, "(2 operations)") == 2);
    CHECK(count(open, "tanh [4, 3] at") == 2);
    CHECK(count(open, ", in Block") == 4);
    CHECK(count(open, "W [3, 3], above") == 1);
    const std::string all = graph_text(y, {.open_scopes = 2});
    CHECK(count(all, ", in Linear") == 4);
    CHECK(count(all, "operations") == 0);
}

TEST_CASE("a scope with two results is one entry", "[autograd][graph]") {
    const Variable x = leaf({4, 2}, "x");
    Variable a;
    Variable b;
    {
        const Scope scope("Split");
        a = exp(x);
        b = sum(a, 1);
    }
    const std::string text = graph_text(sum(a) + sum(b));
    CHECK(count(text, "Split [4, 2] at") == 1);
    CHECK_THAT(text, Contains("(2 operations)"));
    CHECK_THAT(text, Contains("#1 Split [4], above"));
}

TEST_CASE("deep and large graphs are cut with a line that says so", "[autograd][graph]") {
    Variable y = leaf({}, "x");
    for (int i = 0; i < 20'000; ++i) y = y * 1.0;
    const std::string deep = graph_text(y, {.max_depth = 5});
    CHECK(count(deep, "multiply [] at") == 5);
    CHECK_THAT(deep, Contains("          ... (deeper than 5)\n"));
    const std::string large = graph_text(y, {.max_depth = 1'000'000, .max_entries = 7});
    CHECK(count(large, "\n") == 8);
    CHECK_THAT(large, Contains("... (cut after 7 lines)"));
    const std::string dot = graph_dot(y, {.max_entries = 7});
    CHECK_THAT(dot, Contains("... (19994 more)"));
    CHECK(count(dot, "  n6 -> n5;") == 1);
    CHECK(count(dot, "n7") == 0);  // no arrow from what is not shown
}

TEST_CASE("the text does not depend on the order of creation", "[autograd][graph]") {
    const Variable x = leaf({2}, "x");
    const Variable y = leaf({2}, "y");
    std::string texts[2];
    for (const int first : {0, 1}) {
        Variable parts[2];
        for (const int i : {first, 1 - first}) parts[i] = (i == 0 ? x : y) * 2.0;
        texts[first] = graph_text(parts[0] + parts[1]);
    }
    CHECK(texts[0] == texts[1]);
    CHECK(texts[0].find("  x [2]") < texts[0].find("  y [2]"));
}

TEST_CASE("Graphviz gets every entry and every edge", "[autograd][graph]") {
    const Variable x(tensor::ones({4, 2}));
    const Variable W = leaf({2, 3}, "W \"quoted\"");
    const Variable b = leaf({3}, "b");
    const int line = __LINE__ + 1;
    const Variable y = affine(x, W, b, CallSite::here());
    const Variable z = y * y;
    const std::string closed = graph_dot(z);
    CHECK(closed == "digraph heed {\n"
                    "  node [shape=box];\n"
                    "  n0 [label=\"multiply [4, 3] at " +
                        here(line + 1) +
                        "\"];\n"
                        "  n1 [label=\"Linear [4, 3] at " +
                        here(line) +
                        " (2 operations)\", peripheries=2];\n"
                        "  n2 [label=\"W \\\"quoted\\\" [2, 3] (requires grad)\", shape=ellipse];\n"
                        "  n3 [label=\"b [3] (requires grad)\", shape=ellipse];\n"
                        "  n1 -> n0;\n"
                        "  n1 -> n0;\n"
                        "  c0 [label=\"constant [4, 2]\", shape=plaintext];\n"
                        "  c0 -> n1;\n"
                        "  n2 -> n1;\n"
                        "  n3 -> n1;\n"
                        "}\n");
    const std::string open = graph_dot(z, {.open_scopes = 1});
    CHECK(count(open, "subgraph cluster_") == 1);
    CHECK_THAT(open, Contains("label=\"Linear at " + here(line) + "\";"));
    CHECK(count(open, " -> ") == 6);
}
