// Several threads may differentiate graphs that share leaves or nodes.
#include "heed/autograd/grad.h"
#include "heed/autograd/ops.h"
#include "heed/tensor/factories.h"
#include "tests/catch.h"

#include <thread>
#include <vector>

using namespace heed;

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
