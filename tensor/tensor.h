// Tensor: an n-dimensional array. It knows nothing of gradients.
// A tensor is a view of a storage: an offset, and for each axis a length and a stride (the distance
// in memory between neighbours along it). So transposing or slicing copies nothing.
#pragma once

#include "call_site.h"
#include "shape.h"
#include "storage.h"

#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <memory>
#include <utility>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// Copying a Tensor copies the view, not the entries: both share one storage.
// Operations (tensor/ops, namespace heed::tensor) return new tensors and never write to their
// inputs; functions that do write say so in their names (writable_data, overwrite).
class Tensor {
  public:
    Tensor() : shape_(empty_shape), strides_(empty_strides) {}  // shape [0], no storage
    Tensor(const Tensor&) = default;
    Tensor& operator=(const Tensor&) & = default;
    // A moved-from tensor is empty, as Tensor() is.
    Tensor(Tensor&& other) noexcept
        : storage_(std::move(other.storage_)), offset_(std::exchange(other.offset_, 0)),
          shape_(std::exchange(other.shape_, empty_shape)),
          strides_(std::exchange(other.strides_, empty_strides)) {}
    Tensor& operator=(Tensor&& other) & noexcept {
        storage_ = std::move(other.storage_);
        offset_ = std::exchange(other.offset_, 0);
        shape_ = std::exchange(other.shape_, empty_shape);
        strides_ = std::exchange(other.strides_, empty_strides);
        return *this;
    }
    // x[0] = 1 does not compile: it would only assign to the view that x[0] returns.
    template <class Value>
    void operator=(const Value&) && {
        static_assert(always_false<Value>, "heed: x[i] = y writes to no tensor; write: "
                                           "Tensor row = x[i]; tensor::overwrite(row, y);");
    }
    template <class Number>
    explicit Tensor(const std::vector<Number>&) {
        static_assert(always_false<Number>,
                      "heed: for Tensor(numbers) write tensor::of({1, 2, 3}), or "
                      "tensor::from_vector(numbers, shape) with a "
                      "std::vector<Scalar>");
    }
    template <class Number>
    Tensor(const std::vector<Number>&, const Shape&) {
        static_assert(always_false<Number>, "heed: for Tensor(numbers, shape) write "
                                            "tensor::from_vector(numbers, shape) with a "
                                            "std::vector<Scalar>");
    }

    // An uninitialised contiguous tensor, for operations to fill. Error: out of memory
    // (OutOfMemory, a std::bad_alloc, which names the shape and the caller's line).
    static Tensor uninitialized(const Shape& shape, CallSite site = CallSite::here());
    // A view of `storage`: entry (i, j, ...) is at offset + i·strides[0] + j·strides[1] + ...
    // Errors: not one stride for each axis, an entry outside the storage (ShapeError).
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
    bool is_contiguous() const;  // row-major without gaps

    // One entry, with one index for each axis; negative ones count from the end.
    // Errors: a wrong number of indices (ShapeError), an index out of range (out_of_range).
    Scalar at(const Dims& index, CallSite site = CallSite::here()) const;
    template <WholeNumber... Index>
    Scalar operator()(FirstIndex first, Index... rest) const {
        return at(Dims({first.number, rest...}, first.site), first.site);
    }
    Scalar operator()() const { return at(Dims{}); }
    // x[i] is select(x, 0, i), a view: x[0] is the first row of a matrix. An entry is x(i, j).
    // Errors: rank 0, i out of range (out_of_range).
    Tensor operator[](const FirstIndex& i) const;
    // The entry of a tensor with exactly one. Error: it has more or none (ShapeError).
    Scalar item(CallSite site = CallSite::here()) const;
    std::vector<Scalar> to_vector() const;  // the entries in row-major order, whatever the strides

    // The first entry; strides() says where the others are.
    const Scalar* data() const { return storage_ ? storage_->data() + offset_ : nullptr; }
    // The same, for writing. It counts as a write to the storage, which all views of it see.
    Scalar* writable_data();
    std::uint64_t version() const { return storage_ ? storage_->version() : 0; }
    bool shares_storage_with(const Tensor& other) const {
        return storage_ && storage_ == other.storage_;
    }
    const std::shared_ptr<Storage>& storage() const { return storage_; }  // null for Tensor()

  private:
    Tensor(std::shared_ptr<Storage> storage, const Shape& shape);  // contiguous

    static constexpr Shape empty_shape = Shape::of_nothing();
    static constexpr Dims empty_strides = Dims(1);

    std::shared_ptr<Storage> storage_;
    std::int64_t offset_ = 0;
    Shape shape_;
    Dims strides_;
};

// Aligned, four decimals, summarised when large, with the shape (tensor/print.h has options).
std::ostream& operator<<(std::ostream& out, const Tensor& x);

// Strides of a contiguous tensor of this shape: [12, 4, 1] for [2, 3, 4].
Dims contiguous_strides(const Shape& shape);

// The strides that read a tensor as if it had the larger shape `to`: 0 along broadcast axes.
// `shape` must broadcast to `to`.
Dims broadcast_strides(const Shape& shape, const Dims& strides, const Shape& to);

// The offset of entry `index` of a tensor with this shape and these strides, checked.
// Errors as for Tensor::at, named after `operation`.
std::int64_t checked_offset(const Dims& index, const Shape& shape, const Dims& strides,
                            const char* operation, const CallSite& site);

namespace tensor {

// Writes `source`, broadcast to the shape of `target`, into the storage of `target`.
// Errors: source does not broadcast to target's shape (ShapeError), an axis of the target is
// expanded, so that several entries share one address (std::invalid_argument).
void overwrite(Tensor& target, const Tensor& source, CallSite site = CallSite::here());
// For functions that write to `target` themselves: throws the last of these errors.
void check_places(const char* operation, const Tensor& target, const CallSite& site);

}  // namespace tensor
}}  // namespace heed
