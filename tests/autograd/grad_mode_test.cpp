// NoGrad: what it stops, for how long, and in which thread.
#include "nn/heed.h"

#include "autograd/node.h"
#include "tests/catch.h"

#include <stdexcept>
#include <thread>

using namespace heed;

TEST_CASE("nothing is recorded during the lifetime of NoGrad", "[autograd][grad_mode]") {
    const Variable x(tensor::of(3), requires_grad);
    Variable inside;
    {
        const NoGrad no_grad;
        inside = x * x;
        CHECK_FALSE(grad_enabled());
        CHECK_FALSE(inside.requires_grad());
        {
            const GradMode on(true);
            CHECK((x * x).requires_grad());
            {
                const NoGrad again;
                CHECK_FALSE((x * x).requires_grad());
            }
            CHECK(grad_enabled());
        }
        CHECK_FALSE((x * x).requires_grad());
    }
    CHECK(grad_enabled());
    CHECK_THROWS_WITH(inside.backward(), Contains("was made while NoGrad was alive"));
    CHECK(grad(inside * x, x).item() == 9);  // the part made inside is a constant
}

TEST_CASE("an exception ends NoGrad", "[autograd][grad_mode]") {
    try {
        const NoGrad no_grad;
        throw std::runtime_error("anything");
    } catch (const std::runtime_error&) {
        CHECK(grad_enabled());
    }
    const Variable x(tensor::of({1, 2}), requires_grad);
    CHECK_THROWS(grad(x * x, x));
    CHECK(grad_enabled());
}

TEST_CASE("a leaf made inside NoGrad is a leaf outside", "[autograd][grad_mode]") {
    Variable x;
    {
        const NoGrad no_grad;
        x = Variable(tensor::of(3), requires_grad);
    }
    CHECK(grad(x * x, x).item() == 6);
}

TEST_CASE("NoGrad holds for its own thread only", "[autograd][grad_mode][threads]") {
    const NoGrad no_grad;
    bool elsewhere = false;
    std::thread other([&elsewhere] { elsewhere = grad_enabled(); });
    other.join();
    CHECK(elsewhere);
    CHECK_FALSE(grad_enabled());
}

TEST_CASE("recording is off in a backward pass, and on with create_graph",
          "[autograd][grad_mode]") {
    Variable x(tensor::of(3), requires_grad);
    bool recording = true;
    x.register_hook([&recording](const Variable& G) {
        recording = grad_enabled();
        return G;
    });
    (x * x).backward();
    CHECK_FALSE(recording);
    (void)grad(x * x, x);
    CHECK_FALSE(recording);
    (void)grad(x * x, x, {.create_graph = true});
    CHECK(recording);
    const NoGrad no_grad;
    const GradMode on(true);
    const Variable y = x * x;
    const NoGrad off;
    CHECK(grad(y, x, {.create_graph = true}).requires_grad());
}
