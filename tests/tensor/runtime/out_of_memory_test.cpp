// Running out of memory throws an exception, after which everything works.
#include "nn/heed.h"
#include "tests/catch.h"
#include "tests/message_of.h"
#include "tests/tensor/runtime/kept_memory.h"

#include <sys/resource.h>

#include <cstdio>
#include <new>
#include <vector>

using namespace heed;

namespace {
// Limits the process to `more` bytes of address space beyond its current size, for one test.
class AddressLimit {
  public:
    explicit AddressLimit(std::int64_t more) {
        getrlimit(RLIMIT_AS, &before_);
        rlimit limit = before_;
        limit.rlim_cur = static_cast<rlim_t>(addresses() + more);
        setrlimit(RLIMIT_AS, &limit);
    }
    ~AddressLimit() { setrlimit(RLIMIT_AS, &before_); }
    AddressLimit(const AddressLimit&) = delete;
    AddressLimit& operator=(const AddressLimit&) = delete;

  private:
    static std::int64_t addresses() {
        long pages = 0;
        if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
            if (std::fscanf(file, "%ld", &pages) != 1) pages = 0;
            std::fclose(file);
        }
        return pages * 4096;
    }

    rlimit before_;
};

}  // namespace

TEST_CASE("out of memory is an exception, and everything works afterwards", "[tensor][memory]") {
    if (sanitized) return;
    const Tensor kept = tensor::full({1000}, 5);
    const MemoryUse before = memory_use();
    const std::int64_t too_many = std::int64_t{1} << 58;
    CHECK_THROWS_AS(Tensor::uninitialized({too_many}), std::bad_alloc);
    CHECK_THROWS_AS(Tensor::uninitialized({std::int64_t{1} << 45}), std::bad_alloc);
    CHECK(memory_use().in_use == before.in_use);
    CHECK((kept + tensor::ones({1000}))(999) == 6);
    CHECK(tensor::matmul(tensor::ones({70, 80}), tensor::ones({80, 90}))(3, 4) == 80);
}

TEST_CASE("memory that cannot be had is an error that names the shape and the line",
          "[tensor][memory]") {
    if (sanitized) return;
    const std::int64_t n = std::int64_t{1} << 45;
    const std::string numbers = " numbers of " + std::to_string(sizeof(Scalar));
    const std::string rest = " bytes, and there is not enough memory";
    const std::string flat = "Tensor: shape [35184372088832] needs 35184372088832" + numbers + rest;
    CHECK(message_of<OutOfMemory>([&] { tensor::zeros({n}); }) == flat);
    CHECK(message_of<OutOfMemory>([&] { tensor::ones({n}); }) == flat);
    CHECK(message_of<OutOfMemory>([&] { tensor::full({n}, 2); }) == flat);
    const Tensor wide = tensor::expand(tensor::ones({1}), {n});  // a view: no memory yet
    CHECK(message_of<OutOfMemory>([&] { wide + wide; }) == flat);
    CHECK(message_of<OutOfMemory>([&] { tensor::exp(wide); }) == flat);
    CHECK(message_of<OutOfMemory>([&] { tensor::clone(wide); }) == flat);
    CHECK(message_of<OutOfMemory>([&] { tensor::softmax(wide, 0); }) == flat);
    CHECK(message_of<OutOfMemory>([&] { tensor::zeros_like(wide); }) == flat);
    CHECK(message_of<OutOfMemory>([&] { exp(Variable(wide)); }) == flat);
    CHECK(message_of<OutOfMemory>([&] {
              tensor::matmul(tensor::zeros({n, 0}), tensor::zeros({0, 2}));
          }) == "Tensor: shape [35184372088832, 2] needs 70368744177664" + numbers + rest);
    CHECK(message_of<OutOfMemory>([&] { BoolTensor::full({n * 64}, true); }) ==
          "BoolTensor: shape [2251799813685248] needs 2251799813685248 entries of 1 byte, and "
          "there is not enough memory");
    CHECK(message_of<OutOfMemory>([&] { Mask::causal(n, 64); }) ==
          "Mask::causal: shape [35184372088832, 64] needs 2251799813685248 entries of 1 byte, and "
          "there is not enough memory");
}

TEST_CASE("out of memory in a recorded operation or its derivative leaves the graph usable",
          "[tensor][memory]") {
    if (sanitized) return;
    const Variable x(tensor::full({2, 1}, 3), requires_grad);
    const Variable y = x * x;
    const Tensor column = tensor::ones({std::int64_t{1}, 1});
    const Variable huge(tensor::expand(column, {2, std::int64_t{1} << 44}));
    CHECK_THROWS_AS(y * huge, std::bad_alloc);
    CHECK_THROWS_AS(exp(expand(y, {2, std::int64_t{1} << 44})), std::bad_alloc);
    const Variable z = expand(y * y, {2, std::int64_t{1} << 44});  // a view: no memory yet
    const BackwardOptions upstream{.retain_graph = true, .upstream = huge.value()};
    CHECK_THROWS_AS((z * z).backward(upstream), std::bad_alloc);
    sum(y).backward();
    CHECK(x.grad().to_vector() == std::vector<Scalar>{6, 6});
}

namespace {
// Takes blocks of `bytes` under a limit until the 400 MiB that are kept have been given back.
void take_until_given_back(std::int64_t bytes) {
    { const Tensor x = megabytes(400); }
    REQUIRE(memory_use().kept >= 400 * MiB);
    std::vector<Tensor> taken;
    taken.reserve(static_cast<std::size_t>(2000 * MiB / bytes));
    const AddressLimit limit(100 * MiB);
    while (memory_use().kept >= 400 * MiB) {
        taken.push_back(Tensor::uninitialized({bytes / static_cast<std::int64_t>(sizeof(Scalar))}));
    }
}

}  // namespace

// The peak is high, so that what is kept is not too much: only the system's refusal brings it back.
TEST_CASE("after the system's refusal, kept memory is given back and the system asked again",
          "[tensor][memory]") {
    if (sanitized || !memory_is_kept()) return;
    { const Tensor peak = megabytes(3000); }
    release_memory();
    CHECK_NOTHROW(take_until_given_back(64 * MiB));
    CHECK_NOTHROW(take_until_given_back(4000));
    release_memory();
    reset_memory_peak();
}

TEST_CASE("kept memory is given back when the system runs out", "[tensor][memory]") {
    if (sanitized || !memory_is_kept()) return;
    { const Tensor x = megabytes(400); }
    CHECK(memory_use().kept >= 400 * MiB);
    {
        const AddressLimit limit(200 * MiB);
        CHECK_NOTHROW(megabytes(300));
        CHECK_THROWS_AS(megabytes(4000), std::bad_alloc);
        CHECK(tensor::full({100'000}, 2)(99'999) == 2);
    }
    CHECK(memory_use().kept < 400 * MiB);
}
