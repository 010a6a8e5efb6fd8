// IndexTensor: a tensor of integers, such as token ids or the positions of maxima.
#pragma once

#include "heed/tensor/shape.h"

#include <concepts>
#include <initializer_list>
#include <iosfwd>
#include <memory>
#include <vector>

namespace heed {
inline namespace HEED_PRECISION {

// Always contiguous, row-major. Copies share the integers, which never change.
class IndexTensor {
  public:
    // An element of an initializer list: a number, or a row of numbers.
    struct Entry {
        template <std::integral Number>
        Entry(Number number) : numbers{static_cast<std::int64_t>(number)} {}
        Entry(std::initializer_list<std::int64_t> row) : is_row(true), numbers(row) {}

        bool is_row = false;
        std::vector<std::int64_t> numbers;
    };

    IndexTensor() : IndexTensor(std::vector<std::int64_t>{}) {}  // shape [0]
    // From numbers, shape [n]: IndexTensor ids({3, 1, 4}); or from rows, shape [rows, n].
    // Error: rows differ in length, or numbers and rows are mixed (ShapeError).
    IndexTensor(std::initializer_list<Entry> entries, CallSite site = CallSite::here());
    explicit IndexTensor(const std::vector<std::int64_t>& numbers,
                         CallSite site = CallSite::here());
    // Any shape, row-major. Error: the count does not match the shape (ShapeError).
    IndexTensor(const std::vector<std::int64_t>& numbers, const Shape& shape,
                CallSite site = CallSite::here());
    // 0, 1, ..., end - 1. Error: end is negative (std::invalid_argument).
    static IndexTensor arange(std::int64_t end, CallSite site = CallSite::here());

    const Shape& shape() const { return shape_; }
    int rank() const { return shape_.rank(); }
    std::int64_t dim(int axis, CallSite site = CallSite::here()) const {
        return shape_.dim(axis, site);
    }
    std::int64_t numel() const { return shape_.numel(); }
    const std::int64_t* data() const { return numbers_->data(); }

    // Errors: a wrong number of indices (ShapeError), one out of range (out_of_range).
    std::int64_t at(const Dims& index, CallSite site = CallSite::here()) const;
    template <class... Index>
    std::int64_t operator()(FirstIndex first, Index... rest) const {
        return at(Dims({first.number, static_cast<std::int64_t>(rest)...}, first.site), first.site);
    }
    std::int64_t operator()() const { return at(Dims{}); }
    std::int64_t item(CallSite site = CallSite::here()) const;  // ShapeError unless exactly one

    // The same entries in another shape; one length may be -1. Error: counts differ (ShapeError).
    IndexTensor reshape(const Dims& dims, CallSite site = CallSite::here()) const;
    // Entry i along axis 0, which is dropped. Errors: rank 0, i out of range (out_of_range).
    // Other axes, slices, joins and comparisons: tensor/ops/index.h and tensor/ops/compare_index.h.
    IndexTensor select(std::int64_t i, CallSite site = CallSite::here()) const;

  private:
    std::shared_ptr<const std::vector<std::int64_t>> numbers_;
    Shape shape_;
};

std::ostream& operator<<(std::ostream& out, const IndexTensor& x);

}  // namespace HEED_PRECISION
}  // namespace heed
