// BoolTensor: true or false in a shape, such as a comparison gives.
// where() and masked_fill() act where it is true, as in PyTorch. What attention may look at is a
// Mask (tensor/mask.h), which says in its name what true means.
#pragma once

#include "heed/tensor/shape.h"

#include <iosfwd>
#include <memory>
#include <vector>

namespace heed {
inline namespace HEED_PRECISION {

// Always contiguous, row-major. Copies share the values, which are never written to again.
class BoolTensor {
  public:
    // The right side of & and |, which brings the line that an error then names.
    struct Operand {
        Operand(const BoolTensor& x, CallSite caller = CallSite::here())
            : tensor(x), site(caller) {}

        const BoolTensor& tensor;
        CallSite site;
    };

    BoolTensor() : BoolTensor(std::vector<bool>{}, Shape{0}) {}
    // Row-major. Error: shape needs another count (ShapeError).
    BoolTensor(const std::vector<bool>& values, const Shape& shape,
               CallSite site = CallSite::here());
    static BoolTensor full(const Shape& shape, bool value);
    // From bytes, any but 0 meaning true: what an operation has filled. Error as above.
    static BoolTensor from_bytes(std::vector<std::uint8_t> bytes, const Shape& shape,
                                 CallSite site = CallSite::here());

    const Shape& shape() const { return shape_; }
    int rank() const { return shape_.rank(); }
    std::int64_t dim(int axis, CallSite site = CallSite::here()) const {
        return shape_.dim(axis, site);
    }
    std::int64_t numel() const { return shape_.numel(); }
    const std::uint8_t* data() const { return values_->data(); }  // 0 or 1 each

    // Errors: a wrong number of indices (ShapeError), one out of range (out_of_range).
    bool at(const Dims& index, CallSite site = CallSite::here()) const;
    template <class... Index>
    bool operator()(FirstIndex first, Index... rest) const {
        return at(Dims({first.number, static_cast<std::int64_t>(rest)...}, first.site), first.site);
    }
    bool operator()() const { return at(Dims{}); }
    bool all() const;  // true for an empty one
    bool any() const;
    std::int64_t count() const;  // how many are true
    bool operator==(const BoolTensor& other) const;

    BoolTensor operator!() const;
    // Entry by entry, broadcast. Error: shapes do not broadcast (ShapeError).
    BoolTensor operator&(const Operand& other) const;
    BoolTensor operator|(const Operand& other) const;
    // The same values in another shape; one entry may be -1. Error: counts differ (ShapeError).
    BoolTensor reshape(const Dims& dims, CallSite site = CallSite::here()) const;

  private:
    BoolTensor(std::shared_ptr<const std::vector<std::uint8_t>> values, const Shape& shape);

    std::shared_ptr<const std::vector<std::uint8_t>> values_;
    Shape shape_;
};

std::ostream& operator<<(std::ostream& out, const BoolTensor& x);

}  // namespace HEED_PRECISION
}  // namespace heed
