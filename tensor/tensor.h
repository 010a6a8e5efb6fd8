// Tensor: numbers in a shape. It knows nothing of gradients.
// A tensor is a window on a storage: an offset, and for each axis a length and a stride (how far
// apart in memory two neighbours along it lie). So transposing or slicing copies nothing.
#pragma once

#include "heed/tensor/call_site.h"
#include "heed/tensor/shape.h"
#include "heed/tensor/storage.h"

#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <memory>
#include <vector>

namespace heed {
inline namespace HEED_PRECISION {

// Copying a Tensor copies the window, not the numbers: both see the same storage.
// Operations (tensor/*.h, namespace heed::tensor) return new tensors and never write to their
// inputs; what does write says so in its name (writable_data, overwrite).
class Tensor {
  public:
    Tensor() : shape_(Shape::of_nothing()), strides_(1) {}  // no numbers, no storage: shape [0]

    // A contiguous tensor whose numbers are not set yet: for operations, which then fill it.
    static Tensor uninitialized(const Shape& shape);
    // A window on `storage`: entry (i, j, ...) lies at offset + i·strides[0] + j·strides[1] + ...
    // Error: not one stride for each axis, or an entry outside the storage (ShapeError).
    Tensor(std::shared_ptr<Storage> storage, std::int64_t offset, const Shape& shape,
           const Dims& strides, CallSite site = CallSite::here());

    const Shape& shape() const { return shape_; }
    int rank() const { return shape_.rank(); }
    // Negative axes count from the end. Error: no such axis (out_of_range).
    std::int64_t dim(int axis, CallSite site = CallSite::here()) const {
        return shape_.dim(axis, site);
    }
    std::int64_t numel() const { return shape_.numel(); }
    const Dims& strides() const { return strides_; }
    std::int64_t offset() const { return offset_; }
    bool is_contiguous() const;  // row-major without gaps: walking data() visits it in order

    // One entry; as many indices as axes, negative ones count from the end.
    // Errors: a wrong number of indices (ShapeError), an index out of range (out_of_range).
    Scalar at(const Dims& index, CallSite site = CallSite::here()) const;
    template <class... Index>
    Scalar operator()(FirstIndex first, Index... rest) const {
        return at(Dims({first.number, static_cast<std::int64_t>(rest)...}, first.site), first.site);
    }
    Scalar operator()() const { return at(Dims{}); }
    // The number in a tensor of exactly one. Error: it has more or none (ShapeError).
    Scalar item(CallSite site = CallSite::here()) const;
    std::vector<Scalar> to_vector() const;  // the entries in row-major order, whatever the strides

    // The first entry of the window; the others lie where strides() says.
    const Scalar* data() const { return storage_ ? storage_->data() + offset_ : nullptr; }
    // The same to write to. It counts as a change of the storage, seen by every view of it.
    Scalar* writable_data();
    std::uint64_t version() const { return storage_ ? storage_->version() : 0; }
    bool shares_storage_with(const Tensor& other) const {
        return storage_ && storage_ == other.storage_;
    }
    const std::shared_ptr<Storage>& storage() const { return storage_; }  // none for Tensor()

  private:
    Tensor(std::shared_ptr<Storage> storage, const Shape& shape);  // contiguous

    std::shared_ptr<Storage> storage_;
    std::int64_t offset_ = 0;
    Shape shape_;
    Dims strides_;
};

// Aligned, four decimals, summarised when large, the shape said (tensor/print.h has options).
std::ostream& operator<<(std::ostream& out, const Tensor& x);

// Strides of a contiguous tensor of this shape: [12, 4, 1] for [2, 3, 4].
Dims contiguous_strides(const Shape& shape);

// The strides with which a tensor is read as if it had the larger shape `to`: 0 along axes that
// are broadcast. `shape` must broadcast to `to`.
Dims broadcast_strides(const Shape& shape, const Dims& strides, const Shape& to);

// Where (row-major) entry `index` of `shape` lies: the offset checked for operation `operation`.
// Errors as for Tensor::at.
std::int64_t checked_offset(const Dims& index, const Shape& shape, const Dims& strides,
                            const char* operation, const CallSite& site);

namespace tensor {

// Writes `source`, broadcast to the shape of `target`, into the storage that `target` looks at.
// Errors: source does not broadcast to target's shape (ShapeError), an axis of the target is
// expanded, so that several entries lie at one place (std::invalid_argument).
void overwrite(Tensor& target, const Tensor& source, CallSite site = CallSite::here());

}  // namespace tensor
}  // namespace HEED_PRECISION
}  // namespace heed
