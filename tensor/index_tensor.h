// IndexTensor: a tensor of integers, such as token ids or the positions of maxima.
#pragma once

#include "shape.h"

#include <concepts>
#include <initializer_list>
#include <iosfwd>
#include <memory>
#include <utility>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// Always contiguous, row-major. Copies share the integers, which never change.
class IndexTensor {
  public:
    // An element of an initializer list: a number, or a row of numbers.
    struct Entry {
        template <WholeNumber Number>
        Entry(Number number) : numbers{static_cast<std::int64_t>(number)} {}
        template <FlagOrFraction Number>
        Entry(Number) = delete;
        Entry(std::initializer_list<Integer> row) : is_row(true) {
            for (const Integer& number : row) numbers.push_back(number.value);
        }

        bool is_row = false;
        std::vector<std::int64_t> numbers;
    };

    IndexTensor() : shape_(Shape::of_nothing()) {}  // no entries: shape [0]
    IndexTensor(const IndexTensor&) = default;
    IndexTensor& operator=(const IndexTensor&) = default;
    // A moved-from tensor is empty.
    IndexTensor(IndexTensor&& other) noexcept
        : numbers_(std::move(other.numbers_)),
          shape_(std::exchange(other.shape_, Shape::of_nothing())) {}
    IndexTensor& operator=(IndexTensor&& other) noexcept {
        IndexTensor taken(std::move(other));
        std::swap(numbers_, taken.numbers_);
        std::swap(shape_, taken.shape_);
        return *this;
    }
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
    const std::int64_t* data() const { return numbers_ ? numbers_->data() : nullptr; }

    // Errors: a wrong number of indices (ShapeError), one out of range (out_of_range).
    std::int64_t at(const Dims& index, CallSite site = CallSite::here()) const;
    template <WholeNumber... Index>
    std::int64_t operator()(FirstIndex first, Index... rest) const {
        return at(Dims({first.number, rest...}, first.site), first.site);
    }
    std::int64_t operator()() const { return at(Dims{}); }
    IndexTensor operator[](const FirstIndex& i) const { return select(i.number, i.site); }
    std::int64_t item(CallSite site = CallSite::here()) const;  // ShapeError unless exactly one

    // The same entries in another shape; one length may be -1. Error: counts differ (ShapeError).
    IndexTensor reshape(const Dims& dims, CallSite site = CallSite::here()) const;
    // Entry i along axis 0, which is dropped. Errors: rank 0, i out of range (out_of_range).
    // Other axes, slices, joins and comparisons: tensor/ops/index.h and tensor/ops/compare.h.
    IndexTensor select(std::int64_t i, CallSite site = CallSite::here()) const;

  private:
    std::shared_ptr<const std::vector<std::int64_t>> numbers_;  // null: none
    Shape shape_;
};

std::ostream& operator<<(std::ostream& out, const IndexTensor& x);

}}  // namespace heed
