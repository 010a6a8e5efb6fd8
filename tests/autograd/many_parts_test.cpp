// Ten times as many parts, uses or layers are about ten times the work, and not a hundred times.
#include "autograd/grad.h"
#include "nn/heed.h"
#include "tensor/kernels/kernels.h"
#include "tensor/runtime/fast_kernels.h"
#include "tests/catch.h"

#include <algorithm>
#include <ctime>
#include <functional>

using namespace heed;

namespace {
double seconds_of_processor() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The least of several, since others compute meanwhile.
double least_time(const std::function<void(std::int64_t)>& work, std::int64_t n) {
    double least = infinity;
    for (int i = 0; i < 5; ++i) {
        const double before = seconds_of_processor();
        work(n);
        least = std::min(least, seconds_of_processor() - before);
    }
    return least;
}

// n leaves of two entries.
std::vector<Variable> leaves(std::int64_t n) {
    std::vector<Variable> parts;
    for (std::int64_t i = 0; i < n; ++i) {
        parts.push_back(Variable(tensor::ones({1, 2}), requires_grad));
    }
    return parts;
}

Variable leaf_of(std::int64_t rows) { return Variable(tensor::ones({rows, 2}), requires_grad); }

// The sum of what `part` makes of x and 0, 1, ..., n - 1.
void use(const Variable& x, std::int64_t n,
         const std::function<Variable(const Variable&, std::int64_t)>& part) {
    Variable total = part(x, 0);
    for (std::int64_t i = 1; i < n; ++i) total = total + part(x, i);
    sum(total).backward();
}

struct Case {
    const char* name;
    std::function<void(std::int64_t)> work;
};

const Case cases[] = {
    {"concatenate", [](std::int64_t n) { sum(concatenate(leaves(n), 0)).backward(); }},
    {"stack", [](std::int64_t n) { sum(stack(leaves(n), 0)).backward(); }},
    {"a variable used n times",
     [](std::int64_t n) { use(leaf_of(1), n, [](const Variable& x, std::int64_t) { return x; }); }},
};

// With plain kernels the formulas run, and each makes its own tensor among zeros.
const Case in_one_pass[] = {
    {"concatenate, second derivative",
     [](std::int64_t n) {
         const std::vector<Variable> parts = leaves(n);
         const Variable y = concatenate(parts, 0);
         sum(concatenate(grad(sum(y * y), parts, {.create_graph = true}), 0)).backward();
     }},
    {"split", [](std::int64_t n) { sum(concatenate(split(leaf_of(n), 1, 0), 0)).backward(); }},
    {"chunk", [](std::int64_t n) { sum(concatenate(chunk(leaf_of(n), n, 0), 0)).backward(); }},
    {"unbind", [](std::int64_t n) { sum(stack(unbind(leaf_of(n), 0), 0)).backward(); }},
    {"select",
     [](std::int64_t n) {
         use(leaf_of(n), n, [](const Variable& x, std::int64_t i) { return select(x, 0, i); });
     }},
    {"slice",
     [](std::int64_t n) {
         use(leaf_of(n), n,
             [](const Variable& x, std::int64_t i) { return slice(x, 0, i, i + 1); });
     }},
    {"index_select",
     [](std::int64_t n) {
         use(leaf_of(n), n, [](const Variable& x, std::int64_t i) {
             return index_select(x, 0, IndexTensor({i}));
         });
     }},
};

// Of these, each is a few microseconds for each part, so that memory is in no cache for long.
double growth(const Case& one, std::int64_t n) {
    const double few = least_time(one.work, n);
    return least_time(one.work, 10 * n) / few;
}

}  // namespace

TEST_CASE("the work for many parts grows with their number", "[autograd][many]") {
    for (const Case& one : cases) {
        INFO(one.name);
        CHECK(growth(one, 3000) < 40);
    }
}

TEST_CASE("the work for many reads of one tensor grows with their number in one pass",
          "[autograd][many]") {
    const FastKernels fast;
    if (!kernels::are_fast()) return;  // HEED_KERNELS=plain
    for (const Case& one : in_one_pass) {
        INFO(one.name);
        CHECK(growth(one, 3000) < 40);
    }
}

TEST_CASE("the work of looking at many dropout layers grows with their number",
          "[autograd][many]") {
    struct Block : Module {
        std::vector<Dropout> layers;
        void members(MemberVisitor& visit) override { visit("layers", layers); }
    };
    struct Network : Module {
        std::vector<Block> blocks;
        void members(MemberVisitor& visit) override { visit("blocks", blocks); }
    };
    const auto look = [](std::int64_t n) {
        Random random(1);
        Network network;
        network.blocks.resize(static_cast<std::size_t>(n / 50));
        for (Block& block : network.blocks) {
            for (int i = 0; i < 50; ++i) block.layers.emplace_back(0.5, random);
        }
        parameters(network);
    };
    CHECK(growth({"dropout", look}, 3000) < 40);
}
