// Tensor: making views of a storage, reading entries, and overwriting them.
#include "tensor.h"

#include "copy.h"
#include "errors.h"
#include "views.h"
#include "walk.h"

#include <utility>

namespace heed { inline namespace HEED_PRECISION {

Dims contiguous_strides(const Shape& shape) {
    Dims strides(shape);
    std::int64_t* const numbers = strides.data();  // each a length, and then a stride
    std::int64_t step = 1;
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
        const std::int64_t length = std::exchange(numbers[axis], step);
        step *= length > 0 ? length : 1;
    }
    return strides;
}

Dims broadcast_strides(const Shape& shape, const Dims& strides, const Shape& to) {
    if (shape == to) return strides;
    Dims result(to);
    const std::int64_t* const lengths = shape.begin();
    const std::int64_t* const own_strides = strides.begin();
    std::int64_t* const numbers = result.data();  // each a length, and then a stride
    const int rank = to.rank(), added = rank - shape.rank();
    for (int axis = 0; axis < rank; ++axis) {
        const int own = axis - added;
        const bool repeated = own < 0 || (lengths[own] == 1 && numbers[axis] != 1);
        numbers[axis] = repeated ? 0 : own_strides[own];
    }
    return result;
}

std::int64_t checked_offset(const Dims& index, const Shape& shape, const Dims& strides,
                            const char* operation, const CallSite& site) {
    if (index.size() != shape.rank()) {
        fail_shape(operation, site, "index ", index, " has ", index.size(), " numbers, but shape ",
                   shape, " has ", shape.rank(), " axes; give one for each axis");
    }
    std::int64_t offset = 0;
    for (int axis = 0; axis < index.size(); ++axis) {
        const std::int64_t length = shape.unchecked(axis);
        const std::int64_t given = index.unchecked(axis);
        const std::int64_t i = given < 0 ? given + length : given;
        if (i < 0 || i >= length) {
            fail_range(operation, site, "index ", given, " is out of range for axis ", axis, " of ",
                       shape, ", which has ", length, " entries");
        }
        offset += i * strides.unchecked(axis);
    }
    return offset;
}

namespace {
void check_window(std::int64_t offset, const Shape& shape, const Dims& strides, std::int64_t size,
                  const CallSite& site) {
    const int rank = shape.rank();
    if (strides.size() != rank) {
        fail_shape("Tensor", site, "shape ", shape, " needs a stride for each axis, not ", strides);
    }
    const std::int64_t* const lengths = shape.begin();
    const std::int64_t* const steps = strides.begin();
    std::int64_t first = offset;
    std::int64_t last = offset;
    bool overflows = false;
    for (int axis = 0; axis < rank; ++axis) {
        if (lengths[axis] == 0) return;
        std::int64_t reach = 0;
        overflows |= __builtin_mul_overflow(lengths[axis] - 1, steps[axis], &reach);
        std::int64_t& end = reach < 0 ? first : last;
        overflows |= __builtin_add_overflow(end, reach, &end);
    }
    if (overflows) {
        fail_shape("Tensor", site, "shape ", shape, " with strides ", strides, " from offset ",
                   offset, " reaches beyond 2^63 numbers, in a storage of ", size);
    }
    if (first < 0 || last >= size) {
        fail_shape("Tensor", site, "shape ", shape, " with strides ", strides, " reaches from ",
                   first, " to ", last, " in a storage of ", size, " numbers");
    }
}

}  // namespace

Tensor Tensor::uninitialized(const Shape& shape, CallSite site) {
    try {
        return Tensor(Storage::make(shape.numel()), shape);
    } catch (const std::bad_alloc&) {
        fail_memory("Tensor", site, "shape ", shape, " needs ", shape.numel(), " numbers of ",
                    sizeof(Scalar), " bytes, and there is not enough memory");
    }
}

Tensor::Tensor(std::shared_ptr<Storage> storage, const Shape& shape)
    : storage_(std::move(storage)), shape_(shape), strides_(contiguous_strides(shape)) {}

Tensor::Tensor(std::shared_ptr<Storage> storage, std::int64_t offset, const Shape& shape,
               const Dims& strides, CallSite site)
    : storage_(std::move(storage)), offset_(offset), shape_(shape), strides_(strides) {
    check_window(offset, shape, strides, storage_ ? storage_->size() : 0, site);
}

bool Tensor::is_contiguous() const {
    const std::int64_t* const lengths = shape_.begin();
    const std::int64_t* const steps = strides_.begin();
    bool follow_each_other = true;
    std::int64_t step = 1;
    for (int axis = rank() - 1; axis >= 0; --axis) {
        if (lengths[axis] != 1 && steps[axis] != step) follow_each_other = false;
        step *= lengths[axis];
    }
    return follow_each_other || step == 0;  // step: the number of entries
}

Scalar Tensor::at(const Dims& index, CallSite site) const {
    const std::int64_t i = checked_offset(index, shape_, strides_, "at", site);
    return data()[i];
}

Scalar Tensor::item(CallSite site) const {
    if (numel() != 1) {
        fail_shape("item", site, "shape ", shape_, " holds ", numel(),
                   " numbers; item() is for a tensor of exactly one");
    }
    return *data();
}

std::vector<Scalar> Tensor::to_vector() const {
    std::vector<Scalar> numbers;
    numbers.reserve(static_cast<std::size_t>(numel()));
    for (Walk<1> walk(shape_, {&strides_}); !walk.done(); walk.next()) {
        const Scalar* row = data() + walk.offset(0);
        for (std::int64_t i = 0; i < walk.row_length(); ++i) {
            numbers.push_back(row[i * walk.row_stride(0)]);
        }
    }
    return numbers;
}

Scalar* Tensor::writable_data() {
    if (!storage_) return nullptr;
    storage_->bump_version();
    return storage_->data() + offset_;
}

namespace tensor {

void check_places(const char* operation, const Tensor& target, const CallSite& site) {
    for (int axis = 0; axis < target.rank(); ++axis) {
        if (target.shape()[axis] <= 1 || target.strides()[axis] != 0) continue;
        fail_argument(operation, site, "all entries along axis ", axis, " of the target ",
                      target.shape(),
                      " share one place in memory (it was expanded); write to the tensor ",
                      "it was expanded from");
    }
}

void overwrite(Tensor& target, const Tensor& source, CallSite site) {
    const Shape shape = broadcast_shape(target.shape(), source.shape(), "overwrite", site);
    if (!(shape == target.shape())) {
        fail_shape("overwrite", site, "a source of shape ", source.shape(),
                   " does not broadcast to the target's shape ", target.shape());
    }
    check_places("overwrite", target, site);
    // If both share a storage, everything is read before the first write.
    const Tensor read = target.shares_storage_with(source) ? clone(source, site) : source;
    copy_entries(expand(read, shape, site), target.writable_data(), target.strides());
}

}  // namespace tensor
}}  // namespace heed
