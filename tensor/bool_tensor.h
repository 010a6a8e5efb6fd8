// BoolTensor: a tensor of booleans, such as the result of a comparison.
// where() and masked_fill() act where it is true, as in PyTorch. Attention takes a Mask instead
// (tensor/mask.h), whose functions say in their names what true means.
#pragma once

#include "shape.h"

#include <iosfwd>
#include <memory>
#include <utility>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// Always contiguous, row-major. Copies share the values, which never change.
class BoolTensor {
  public:
    // The right operand of & and |, which carries the caller's line for errors.
    struct Operand {
        Operand(const BoolTensor& x, CallSite caller = CallSite::here())
            : tensor(x), site(caller) {}

        const BoolTensor& tensor;
        CallSite site;
    };

    BoolTensor() : shape_(Shape::of_nothing()) {}  // no entries: shape [0]
    BoolTensor(const BoolTensor&) = default;
    BoolTensor& operator=(const BoolTensor&) = default;
    // A moved-from tensor is empty.
    BoolTensor(BoolTensor&& other) noexcept
        : values_(std::move(other.values_)),
          shape_(std::exchange(other.shape_, Shape::of_nothing())) {}
    BoolTensor& operator=(BoolTensor&& other) noexcept {
        BoolTensor taken(std::move(other));
        std::swap(values_, taken.values_);
        std::swap(shape_, taken.shape_);
        return *this;
    }
    // Row-major. Error: the count does not match the shape (ShapeError).
    BoolTensor(const std::vector<bool>& values, const Shape& shape,
               CallSite site = CallSite::here());
    static BoolTensor full(const Shape& shape, bool value, CallSite site = CallSite::here());
    // From bytes, where any nonzero byte means true. Error as above.
    static BoolTensor from_bytes(std::vector<std::uint8_t> bytes, const Shape& shape,
                                 CallSite site = CallSite::here());

    const Shape& shape() const { return shape_; }
    int rank() const { return shape_.rank(); }
    std::int64_t dim(int axis, CallSite site = CallSite::here()) const {
        return shape_.dim(axis, site);
    }
    std::int64_t numel() const { return shape_.numel(); }
    const std::uint8_t* data() const { return values_ ? values_->data() : nullptr; }  // 0 or 1 each

    // Errors: a wrong number of indices (ShapeError), one out of range (out_of_range).
    bool at(const Dims& index, CallSite site = CallSite::here()) const;
    template <WholeNumber... Index>
    bool operator()(FirstIndex first, Index... rest) const {
        return at(Dims({first.number, rest...}, first.site), first.site);
    }
    bool operator()() const { return at(Dims{}); }
    bool all() const;  // also true if there are no entries
    bool any() const;
    std::int64_t count() const;  // how many are true

    BoolTensor operator!() const;
    // Elementwise, with broadcasting. Error: shapes do not broadcast (ShapeError).
    BoolTensor operator&(const Operand& other) const;
    BoolTensor operator|(const Operand& other) const;
    // The same values in another shape; one length may be -1. Error: counts differ (ShapeError).
    BoolTensor reshape(const Dims& dims, CallSite site = CallSite::here()) const;

  private:
    BoolTensor(std::shared_ptr<const std::vector<std::uint8_t>> values, const Shape& shape);

    std::shared_ptr<const std::vector<std::uint8_t>> values_;  // null: none
    Shape shape_;
};

std::ostream& operator<<(std::ostream& out, const BoolTensor& x);

}}  // namespace heed
