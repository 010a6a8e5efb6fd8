// All operations on ±0, denormals, ±infinity and NaN: fused gradients have the bits of the
// formulas, and all kernels the same. (limits_test.cpp has what the numbers are.)
#include "nn/heed.h"
#include "tests/autograd/ops/every_operation.h"
#include "tests/catch.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <map>

using namespace heed;

namespace {
constexpr double tiny = std::numeric_limits<Scalar>::denorm_min();
constexpr double huge = std::numeric_limits<Scalar>::max();
const std::vector<double> zeros_of_both_signs = {0.0, -0.0};
const std::vector<double> zeros_and_ones = {0.0, -0.0, 1, -1};
const std::vector<double> special = {0.0,  -0.0,  tiny,     -tiny,     1,           -2,
                                     huge, -huge, infinity, -infinity, std::nan("")};

Tensor drawn(const Shape& shape, const std::vector<double>& numbers, Random& random) {
    std::vector<Scalar> entries;
    for (std::int64_t i = 0; i < shape.numel(); ++i) {
        const std::int64_t which = random.below(static_cast<std::int64_t>(numbers.size()));
        entries.push_back(static_cast<Scalar>(numbers[static_cast<std::size_t>(which)]));
    }
    return tensor::from_vector(entries, shape);
}

// Sums long enough for all the loops of the fast kernels.
const std::map<std::string, std::vector<Shapes>> longer = {
    {"sum", {{{5, 37}}}},
    {"sum, 0", {{{70, 37}}}},
    {"sum, -1", {{{3, 70}}}},
    {"sum_to [3, 1]", {{{70, 3, 37}}}},
    {"mean, 0", {{{37, 18}}}},
    {"mean, -1", {{{5, 37}}}},
    {"var, 1", {{{5, 37}}}},
    {"cumsum, 1", {{{5, 37}}}},
    {"cumprod, 1", {{{5, 37}}}},
    {"softmax, -1", {{{5, 37}}}},
    {"log_softmax, -1", {{{5, 37}}}},
    {"logsumexp, -1", {{{5, 37}}}},
    {"layer_norm", {{{70, 37}, {37}, {37}}, {{37}, {37}, {37}}, {{1, 37}, {37}, {37}}}},
    {"cross_entropy_losses", {{{3, 37}}}},
    {"matmul", {{{30, 37}, {37, 41}}, {{1, 37}, {37, 41}}, {{30, 37}, {37, 1}}}},
    {"matmul of vectors", {{{37}, {37, 41}}, {{30, 37}, {37}}}},
    {"matmul of batches", {{{2, 30, 37}, {37, 41}}, {{2, 30, 37}, {2, 37, 41}}}},
    {"linear", {{{30, 37}, {41, 37}, {41}}, {{37}, {41, 37}, {41}}, {{1, 37}, {41, 37}, {41}}}},
    {"fused_attention", {{{50, 17}, {70, 17}, {70, 18}}}},
    {"fused_attention of broadcast batches, causal", {{{2, 50, 17}, {50, 17}, {2, 50, 18}}}},
};

CheckedOperation with_longer_sums(CheckedOperation operation) {
    const auto found = longer.find(operation.name);
    if (found == longer.end()) return operation;
    for (const Shapes& shapes : found->second) operation.tries.push_back(shapes);
    return operation;
}

std::vector<CheckedOperation> all_operations() {
    std::vector<CheckedOperation> all = entrywise_operations();
    for (const CheckedOperation& more : rearranging_operations()) all.push_back(more);
    for (const CheckedOperation& more : summing_operations()) all.push_back(with_longer_sums(more));
    return all;
}

// Where a query does not see a key, its infinity or NaN is a matter of how far tiles reach
// (tensor/fused/attention.h), so attention is tried with finite numbers alone.
std::vector<std::vector<double>> suitable(const CheckedOperation& operation) {
    if (operation.name.find("attention") != std::string::npos) {
        return {zeros_of_both_signs, zeros_and_ones};
    }
    return {zeros_of_both_signs, zeros_and_ones, special};
}

// y, and the gradients of the inputs in one pass where there is one, and by the formulas.
struct Found {
    Variable y;
    std::vector<Variable> quick, written_out;
};

Found found(const CheckedOperation& operation, const Shapes& shapes,
            const std::vector<double>& numbers, Random& random) {
    In inputs;
    for (const Shape& shape : shapes) {
        inputs.push_back(Variable(drawn(shape, numbers, random), requires_grad));
    }
    Found all;
    all.y = operation.f(inputs);
    const Tensor G = drawn(all.y.shape(), numbers, random);
    all.quick = grad(all.y, inputs, {.retain_graph = true, .upstream = Variable(G)});
    all.written_out =
        grad(all.y, inputs, {.create_graph = true, .upstream = Variable(G, requires_grad)});
    return all;
}

}  // namespace

TEST_CASE("fused gradients have the bits of the formulas, signs of zeros too", "[autograd][bits]") {
    Random random(31);
    for (const CheckedOperation& operation : all_operations()) {
        for (const Shapes& shapes : operation.tries) {
            for (const std::vector<double>& numbers : suitable(operation)) {
                const Found all = found(operation, shapes, numbers, random);
                for (std::size_t i = 0; i < shapes.size(); ++i) {
                    INFO(operation.name << ", input " << i << " of shape " << shapes[i] << ": "
                                        << all.quick[i] << " and " << all.written_out[i]);
                    CHECK(tensor::same_bits(all.quick[i].value(), all.written_out[i].value()));
                }
            }
        }
    }
}

#ifndef HEED_DOUBLE
namespace {
// FNV-1a over the bits of all entries, in which all NaNs are one.
void add_bits(const Tensor& x, std::uint64_t& sum) {
    for (const Scalar entry : x.to_vector()) {
        std::uint32_t word = 0x7FC00000;
        if (entry == entry) std::memcpy(&word, &entry, sizeof(word));
        sum = (sum ^ word) * 1099511628211u;
    }
}

std::uint64_t bits_of(const CheckedOperation& operation) {
    Random random(32);
    std::uint64_t sum = 14695981039346656037u;
    for (const Shapes& shapes : operation.tries) {
        for (const std::vector<double>& numbers : suitable(operation)) {
            const Found all = found(operation, shapes, numbers, random);
            add_bits(all.y.value(), sum);
            for (const Variable& gradient : all.quick) add_bits(gradient.value(), sum);
        }
    }
    return sum;
}

}  // namespace

// A test of a new operation, or of new shapes, changes the sum; nothing else may. Which operation
// has other bits than before, the list that a failure prints shows beside that of an older commit.
TEST_CASE("operations on special numbers give the bits they always gave", "[autograd][bits]") {
    std::uint64_t sum = 0;
    std::string list;
    for (const CheckedOperation& operation : all_operations()) {
        const std::uint64_t bits = bits_of(operation);
        list += operation.name + " " + std::to_string(bits) + "\n";
        sum += bits;
    }
    INFO(list);
    CHECK(sum == 0x9d965afe9cc8bb2bu);
}
#endif
