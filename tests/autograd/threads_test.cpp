// Several threads may differentiate graphs that share leaves or nodes.
#include "nn/heed.h"
#include "tests/catch.h"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace heed;

namespace {
std::string said_by_backward(const Variable& y, const BackwardOptions& options = {}) {
    try {
        y.backward(options);
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "";
}

// A loss whose backward pass stops in a hook until it is let go.
struct Halting {
    Variable x{tensor::of({1, 2}), requires_grad};
    Variable middle = x * 3.0;
    Variable loss = sum(exp(middle));
    std::atomic<bool> halted{false}, let_go{false};

    Halting() {
        middle.register_hook([this](const Variable& G) {
            halted = true;
            while (!let_go) std::this_thread::yield();
            return G;
        });
    }
};

}  // namespace

TEST_CASE("threads that share leaves lose no gradient", "[autograd][threads]") {
    const int threads = 4;
    const int passes = 50;
    Variable W(tensor::of({{1, 2}, {3, 4}}), requires_grad);
    const Variable x(tensor::of({1, 2}), requires_grad);
    std::vector<std::thread> workers;
    for (int t = 0; t < threads; ++t) {
        workers.emplace_back([&W, &x] {
            for (int i = 0; i < passes; ++i) {
                const Variable y = W * x + W;
                sum(y * y.detach()).backward();
            }
        });
    }
    for (std::thread& worker : workers) worker.join();

    // y = W·(x + 1) entry by entry; d/dW = y·(x + 1), whole numbers that float holds exactly.
    const Scalar times = threads * passes;
    CHECK(W.grad().to_vector() ==
          std::vector<Scalar>{4 * times, 18 * times, 12 * times, 36 * times});
    CHECK(x.grad().to_vector() == std::vector<Scalar>{(2 + 18) * times, (12 + 48) * times});
}

TEST_CASE("one thread at a time adds to a gradient", "[autograd][threads]") {
    // Each thread waits a little where it is about to add, for the other to come there as well.
    struct Meeting final : Observer {
        std::atomic<int> there{0};
        std::atomic<bool> met{false};

        void accumulates(BackwardPass&, Node&, const Tensor&) override {
            if (++there > 1) met = true;
            for (int i = 0; i < 50 && !met; ++i) {
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
            --there;
        }
    };
    Meeting meeting;
    const Variable x(tensor::of(3), requires_grad);
    std::vector<std::thread> workers;
    for (int t = 0; t < 2; ++t) {
        workers.emplace_back([&meeting, &x] {
            const Observing observing(meeting);
            (x * 2.0).backward();
        });
    }
    for (std::thread& worker : workers) worker.join();
    CHECK_FALSE(meeting.met);
    CHECK(x.grad().item() == 4);
}

TEST_CASE("threads may differentiate one retained graph", "[autograd][threads]") {
    const Variable x(tensor::of({1, 2, 3}), requires_grad);
    const Variable shared = exp(x) * x;
    const Tensor alone = grad(sum(shared * shared), x, {.retain_graph = true}).value();
    std::vector<Tensor> found(4);
    std::vector<std::thread> workers;
    for (Tensor& result : found) {
        workers.emplace_back([&shared, &x, &result] {
            const Variable loss = sum(shared * shared);
            result = grad(loss, x, {.retain_graph = true}).value();
        });
    }
    for (std::thread& worker : workers) worker.join();
    for (const Tensor& result : found) CHECK(result.to_vector() == alone.to_vector());
}

TEST_CASE("different threads may release the last parts of one graph", "[autograd][threads]") {
    const Variable leaf(tensor::of({1, 2}), requires_grad);
    std::weak_ptr<Node> middle;
    {
        std::vector<Variable> results;
        {
            const Variable shared = exp(leaf * 2.0);
            middle = shared.node();
            for (int i = 0; i < 4; ++i) results.push_back(shared * double(i));
        }
        std::vector<std::thread> workers;
        for (Variable& result : results) {
            workers.emplace_back([&result] { result = Variable(); });
        }
        for (std::thread& worker : workers) worker.join();
    }
    CHECK(middle.expired());
}

TEST_CASE("while a pass frees a graph, a pass of another thread over it is refused",
          "[autograd][threads]") {
    for (const bool first_retains : {false, true}) {
        for (const bool second_retains : {false, true}) {
            Halting graph;
            const Variable beside = graph.middle * 2.0;  // shares a part of the graph
            std::string of_first;
            std::thread first(
                [&] { of_first = said_by_backward(graph.loss, {.retain_graph = first_retains}); });
            while (!graph.halted) std::this_thread::yield();
            std::string of_second;
            if (first_retains && second_retains) graph.let_go = true;  // its hook halts, too
            of_second = said_by_backward(sum(beside), {.retain_graph = second_retains});
            graph.let_go = true;
            first.join();
            CHECK(of_first == "");
            if (first_retains && second_retains) {
                CHECK(of_second == "");
                continue;
            }
            CHECK_THAT(of_second, Contains("backward: another backward pass is running over this "
                                           "graph, at multiply at threads_test.cpp:"));
            CHECK_THAT(of_second, Contains("pass {.retain_graph = true} to each"));
            CHECK(said_by_backward(graph.loss).empty() == first_retains);  // nothing stays marked
        }
    }
}

TEST_CASE("of several threads that free one graph, one gets the gradients", "[autograd][threads]") {
    for (int round = 0; round < 100; ++round) {
        const Variable x(tensor::of({1, 2, 3}), requires_grad);
        Variable y = x;
        for (int i = 0; i < 20; ++i) y = y * y.detach() * 0.5 + x;
        const Variable loss = sum(y);
        const Tensor expected = grad(loss, x, {.retain_graph = true}).value();
        std::atomic<int> done{0}, refused{0};
        std::vector<std::thread> workers;
        for (int t = 0; t < 4; ++t) {
            workers.emplace_back([&] {
                const std::string said = said_by_backward(loss);
                if (said.empty()) ++done;
                const bool known = said.find("another backward pass is running") < said.size() ||
                                   said.find("was freed by an earlier backward") < said.size();
                if (known) ++refused;
            });
        }
        for (std::thread& worker : workers) worker.join();
        REQUIRE(done == 1);
        REQUIRE(refused == 3);
        REQUIRE(x.grad().to_vector() == expected.to_vector());
    }
}
