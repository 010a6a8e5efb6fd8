#include "tutorials/support/compare.h"

#include "tensor/ops.h"
#include "tutorials/support/own_attention.h"

namespace tutorial {

using heed::Tensor;
using heed::Variable;
namespace tensor = heed::tensor;

Tensor row(const Tensor& X, std::int64_t t) { return tensor::select(X, 0, t); }

Variable numbered(std::int64_t rows, std::int64_t columns) {
    const Tensor t = tensor::unsqueeze(tensor::arange(static_cast<double>(rows)), 1);  // [T, 1]
    const Tensor c = tensor::arange(static_cast<double>(columns));                     // [columns]
    return Variable(100 * t + c);
}

bool same(const Tensor& a, const Tensor& b) {
    if (tensor::same_bits(a, b)) return true;
    if (own_attention() == nullptr || a.shape() != b.shape()) return false;
    const bool is_close = tensor::all_close(a, b, own_tolerance, own_tolerance);
    if (is_close) take_close_for_same();
    return is_close;
}

bool same(const Variable& a, const Variable& b) { return same(a.value(), b.value()); }

bool same(const heed::Attention& a, const heed::Attention& b) {
    return same(a.weights, b.weights) && same(a.output, b.output);
}

std::int64_t rows_that_differ(const Tensor& A, const Tensor& B) {
    std::int64_t count = 0;
    for (std::int64_t t = 0; t < A.dim(0); ++t) count += !tensor::same_bits(row(A, t), row(B, t));
    return count;
}

double difference(const Variable& a, const Variable& b) {
    return tensor::max_difference(a.value(), b.value());
}

}  // namespace tutorial
