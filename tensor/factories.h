// Creating tensors: constants, ranges, from lists, and random.
#pragma once

#include "random.h"
#include "tensor.h"

namespace heed { inline namespace HEED_PRECISION {

// A number or a list of them: 3, {1, 2, 3}, {{1, 2}, {3, 4}}, nested up to eight levels deep.
class NestedList {
  public:
    NestedList(double number) : number_(number) {}
    NestedList(std::initializer_list<NestedList> entries) : is_list_(true), entries_(entries) {}

    bool is_list() const { return is_list_; }
    double number() const { return number_; }
    const std::vector<NestedList>& entries() const { return entries_; }

  private:
    double number_ = 0;
    bool is_list_ = false;
    std::vector<NestedList> entries_;
};

namespace tensor {

// The tensor of these numbers: of({{1, 2, 3}, {4, 5, 6}}) has shape [2, 3], of(7) has rank 0.
// Error: lists at one level differ in length, or numbers and lists are mixed (ShapeError).
Tensor of(const NestedList& numbers, CallSite site = CallSite::here());
// `numbers` in row-major order. Error: their count does not match the shape (ShapeError).
Tensor from_vector(const std::vector<Scalar>& numbers, const Shape& shape,
                   CallSite site = CallSite::here());

// Error of all functions that make tensors: out of memory (OutOfMemory, a std::bad_alloc).
Tensor full(const Shape& shape, double value, CallSite site = CallSite::here());
Tensor zeros(const Shape& shape, CallSite site = CallSite::here());
Tensor ones(const Shape& shape, CallSite site = CallSite::here());
Tensor zeros_like(const Tensor& x, CallSite site = CallSite::here());
Tensor ones_like(const Tensor& x, CallSite site = CallSite::here());
// Ones on the diagonal, [n, n] or [n, columns]. Error: a negative size (ShapeError).
Tensor eye(std::int64_t n, CallSite site = CallSite::here());
Tensor eye(std::int64_t n, std::int64_t columns, CallSite site = CallSite::here());
// start, start + step, ... before `end`: ceil((end - start) / step) entries, where entry i is
// start + i·step. Errors: step is 0, an argument is not finite, too many entries
// (invalid_argument).
Tensor arange(double end, CallSite site = CallSite::here());
Tensor arange(double start, double end, double step = 1, CallSite site = CallSite::here());
// `count` entries evenly spaced from start to end, both included.
// Errors: count is negative, a bound is not finite (std::invalid_argument).
Tensor linspace(double start, double end, std::int64_t count, CallSite site = CallSite::here());

// Independent draws, in row-major order: uniform in [low, high), or normal with this mean and
// standard deviation.
// Errors: low > high, a negative deviation, a parameter that is not finite (invalid_argument).
Tensor uniform(const Shape& shape, Random& random, double low = 0, double high = 1,
               CallSite site = CallSite::here());
Tensor normal(const Shape& shape, Random& random, double mean = 0, double deviation = 1,
              CallSite site = CallSite::here());

struct Sinusoids {
    Tensor sin, cos;  // [T, frequencies]: of position·frequency, in radians
};

// For the positions first, ..., first + T - 1. Angles are computed in double in both precisions, so
// that they are accurate at large positions, too. Error: the last position is beyond 64 bits
// (std::out_of_range).
Sinusoids sinusoids(std::int64_t first, std::int64_t T, const std::vector<double>& frequencies,
                    CallSite site = CallSite::here());

// base^(-i/count) for i = 0, ..., count - 1: from 1 down to nearly 1/base (Vaswani et al. 2017,
// section 3.5, with base 10000).
std::vector<double> geometric_frequencies(std::int64_t count, double base);

}  // namespace tensor
}}  // namespace heed
