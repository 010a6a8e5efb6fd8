// What is sorted gets the gradient of its place; what was not taken gets 0.
#include "nn/heed.h"

#include "tests/autograd/gradients.h"
#include "tests/catch.h"
#include "tests/message_of.h"

using namespace heed;
using tensor::of;
using tensor::same_entries;

TEST_CASE("gradients go back to where sorted entries came from", "[autograd][sort]") {
    const Variable x = leaf({{3, 1, 2}, {5, 9, 4}});
    const Tensor G = of({{1, 10, 100}, {2, 20, 200}});
    const Sorted rows = sort(x, 1);
    CHECK(close(rows.values.value(), of({{1, 2, 3}, {4, 5, 9}})));
    CHECK(same_entries(rows.indices, IndexTensor({{1, 2, 0}, {2, 0, 1}})));
    CHECK(close(gradient(rows.values, x, G), of({{100, 1, 10}, {20, 200, 2}})));
    const Sorted columns = sort(x, 0, descending);
    CHECK(close(gradient(columns.values, x, G), of({{2, 20, 200}, {1, 10, 100}})));
}

TEST_CASE("gradients go to the largest or smallest few", "[autograd][sort]") {
    const Variable x = leaf({3, 1, 3, 7});
    const Sorted largest = topk(x, 2, -1);
    CHECK(close(largest.values.value(), of({7, 3})));
    CHECK(same_entries(largest.indices, IndexTensor({3, 0})));
    CHECK(close(gradient(largest.values, x, of({1, 10})), of({10, 0, 0, 1})));
    const Sorted smallest = topk(x, 3, 0, Take::smallest);
    CHECK(same_entries(smallest.indices, IndexTensor({1, 0, 2})));
    CHECK(close(gradient(smallest.values, x, of({1, 10, 100})), of({10, 1, 100, 0})));
    CHECK(close(gradient(topk(x, 0, 0).values, x, tensor::zeros({0})), of({0, 0, 0, 0})));
}

TEST_CASE("a NaN or an infinity that is not taken gets no gradient", "[autograd][sort]") {
    const Variable x = leaf({1, infinity, __builtin_nan(""), -2});
    const Sorted few = topk(x, 2, 0, Take::smallest);
    CHECK(close(few.values.value(), of({-2, 1})));
    CHECK(close(gradient(few.values, x, of({1, 10})), of({10, 0, 0, 1})));
}

TEST_CASE("sorting variables fails like sorting tensors", "[autograd][sort]") {
    const Variable x = leaf({{3, 1, 2}});
    CHECK(message_of<std::out_of_range>([&] { sort(x, 2); }) ==
          message_of<std::out_of_range>([&] { tensor::sort(x.value(), 2); }));
    CHECK(message_of<std::invalid_argument>([&] { topk(x, 4, 1); }) ==
          message_of<std::invalid_argument>([&] { tensor::topk(x.value(), 4, 1); }));
}
