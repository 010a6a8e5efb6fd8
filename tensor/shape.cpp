// Shapes, axes and the checks on them that all operations rely on.
#include "shape.h"

#include "errors.h"

#include <algorithm>
#include <limits>
#include <ostream>

namespace heed { inline namespace HEED_PRECISION {

std::string list_text(const std::int64_t* begin, const std::int64_t* end) {
    std::string out = "[";
    for (const std::int64_t* it = begin; it != end; ++it) {
        if (it != begin) out += ", ";
        out += std::to_string(*it);
    }
    return out + "]";
}

namespace {
void check_rank(std::size_t rank, const char* what, const CallSite& site) {
    if (rank > max_rank) {
        fail_shape(what, site, rank, " numbers were given; a tensor has at most ", max_rank,
                   " axes");
    }
}

void check_lengths(const Dims& dims, const CallSite& site) {
    const std::int64_t limit =
        std::numeric_limits<std::int64_t>::max() / static_cast<std::int64_t>(sizeof(Scalar));
    std::int64_t entries = 1;
    bool overflows = false;
    for (const std::int64_t length : dims) {
        if (length < 0) {
            fail_shape("shape", site, dims, " has the negative length ", length,
                       "; a length must be 0 or more");
        }
        // Zeros are skipped: the other lengths must fit too, since strides are their products.
        if (length == 0) continue;
        overflows |= __builtin_mul_overflow(entries, length, &entries) || entries > limit;
    }
    if (overflows) {
        fail_shape("shape", site, dims, " has more entries than memory can address; the limit is ",
                   limit);
    }
}

}  // namespace

Dims::Dims(std::initializer_list<Integer> numbers, CallSite site) {
    check_rank(numbers.size(), "dims", site);
    for (const Integer& number : numbers) numbers_[size_++] = number.value;
}

Dims::Dims(const std::vector<std::int64_t>& numbers, CallSite site) {
    check_rank(numbers.size(), "dims", site);
    std::copy(numbers.begin(), numbers.end(), numbers_);
    size_ = static_cast<int>(numbers.size());
}

Dims::Dims(const Shape& shape) : size_(shape.rank_) {
    std::copy(shape.dims_, shape.dims_ + max_rank, numbers_);
}

void Dims::append(std::int64_t number, CallSite site) {
    if (size_ == max_rank) check_rank(max_rank + 1, "dims", site);
    numbers_[size_++] = number;
}

Dims Dims::with(int i, std::int64_t number) const {
    Dims dims = *this;
    dims.numbers_[i] = number;
    return dims;
}

Dims Dims::without(int i) const {
    Dims dims = without_last(1);
    for (; i < dims.size_; ++i) dims.numbers_[i] = numbers_[i + 1];
    return dims;
}

Dims Dims::without_last(int count) const {
    Dims dims = *this;
    while (count-- > 0) dims.numbers_[--dims.size_] = 0;
    return dims;
}

std::string Dims::text() const { return list_text(begin(), end()); }

std::ostream& operator<<(std::ostream& out, const Dims& dims) { return out << dims.text(); }

Shape::Shape(std::initializer_list<Integer> dims, CallSite site) : Shape(Dims(dims, site), site) {}

Shape::Shape(const Dims& dims, CallSite site) : rank_(dims.size_) {
    check_lengths(dims, site);
    std::copy(dims.numbers_, dims.numbers_ + max_rank, dims_);
}

std::int64_t Shape::dim(int axis, CallSite site) const {
    const int i = normalized_axis(axis, rank_, "dim", site);
    return dims_[i];
}

Shape Shape::with(int axis, std::int64_t length, CallSite site) const {
    return Shape(Dims(*this).with(normalized_axis(axis, rank_, "with", site), length), site);
}

Shape Shape::without(int axis, CallSite site) const {
    return Shape(Dims(*this).without(normalized_axis(axis, rank_, "without", site)));
}

Shape Shape::inserted(int axis, std::int64_t length, CallSite site) const {
    if (axis < 0 || axis > rank_) {
        fail_range(
            "inserted", site,
            heed::text("a new axis of ", *this, " can be at 0 to ", rank_, ", not at ", axis));
    }
    Dims dims;
    for (int i = 0; i < axis; ++i) dims.append(dims_[i], site);
    dims.append(length, site);
    for (int i = axis; i < rank_; ++i) dims.append(dims_[i], site);
    return Shape(dims, site);
}

Shape Shape::without_last(int count) const {
    Shape shape = *this;
    while (count-- > 0) shape.dims_[--shape.rank_] = 0;
    return shape;
}

Shape Shape::followed_by(const Dims& lengths, CallSite site) const {
    Dims dims(*this);
    for (const std::int64_t length : lengths) dims.append(length, site);
    return Shape(dims, site);
}

std::string Shape::text() const { return list_text(begin(), end()); }

std::ostream& operator<<(std::ostream& out, const Shape& shape) { return out << shape.text(); }

int normalized_axis(std::int64_t axis, int rank, const char* operation, const CallSite& site) {
    if (axis < -rank || axis >= rank) {
        if (rank == 0) {
            fail_range(operation, site, "axis ", axis,
                       " was requested, but a single number (rank 0) has no axes");
        }
        fail_range(operation, site, "axis ", axis, " is out of range for rank ", rank,
                   "; axes go from ", -rank, " to ", rank - 1);
    }
    return static_cast<int>(axis < 0 ? axis + rank : axis);
}

Dims normalized_axes(const Dims& axes, int rank, const char* operation, const CallSite& site) {
    if (axes.empty())
        fail_argument(operation, site, "the list of axes is empty; name at least one");
    Dims result;
    for (std::int64_t axis : axes) {
        const std::int64_t i = normalized_axis(axis, rank, operation, site);
        if (std::find(result.begin(), result.end(), i) != result.end()) {
            fail_argument(operation, site, "axis ", i, " is given twice in ", axes);
        }
        result.append(i, site);
    }
    return result;
}

Shape broadcast_shape(const Shape& a, const Shape& b, const char* operation, const CallSite& site) {
    if (a == b) return a;
    const int rank_a = a.rank(), rank_b = b.rank();
    const int rank = std::max(rank_a, rank_b);
    Dims dims(rank_a == rank ? a : b);
    for (int i = 1; i <= rank; ++i) {  // i-th axis from the end
        const std::int64_t in_a = i <= rank_a ? a.unchecked(rank_a - i) : 1;
        const std::int64_t in_b = i <= rank_b ? b.unchecked(rank_b - i) : 1;
        if (in_a != in_b && in_a != 1 && in_b != 1) {
            fail_shape(operation, site, "shapes ", a, " and ", b,
                       " cannot be broadcast together: axis ", -i, " has length ", in_a,
                       " in one and ", in_b,
                       " in the other; aligned at the last axis, lengths must be equal or 1");
        }
        dims.set(rank - i, in_a == 1 ? in_b : in_a);
    }
    return Shape(dims, site);
}

bool broadcasts_to(const Shape& shape, const Shape& to) {
    const int rank = shape.rank(), rank_of_to = to.rank();
    if (rank > rank_of_to) return false;
    for (int i = 1; i <= rank; ++i) {  // i-th axis from the end
        const std::int64_t length = shape.unchecked(rank - i);
        if (length != 1 && length != to.unchecked(rank_of_to - i)) return false;
    }
    return true;
}

void check_equal_shapes(const char* operation, const char* what, const Shape& shape,
                        const char* other_what, const Shape& other, const CallSite& site) {
    if (shape == other) return;
    fail_shape(operation, site, what, " has shape ", shape, " and ", other_what, " ", other,
               "; they must be equal");
}

bool ends_in(const Shape& shape, const Shape& end) {
    const int before = shape.rank() - end.rank();
    return before >= 0 && std::equal(end.begin(), end.end(), shape.begin() + before);
}

std::int64_t entries_of(const Shape& shape, int first, int last) {
    std::int64_t entries = 1;
    for (int axis = first; axis < last; ++axis) entries *= shape.unchecked(axis);
    return entries;
}

Dims unravelled(std::int64_t entry, const Shape& shape) {
    Dims index(shape);
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
        index.set(axis, entry % shape[axis]);
        entry /= shape[axis];
    }
    return index;
}

}}  // namespace heed
