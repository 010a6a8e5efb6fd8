// Shapes and axes, and everything that can be wrong with them; operations rely on these checks.
#include "tensor/shape.h"

#include "tensor/errors.h"

#include <algorithm>
#include <limits>
#include <ostream>

namespace heed::inline HEED_PRECISION {

namespace {

std::string list_text(const std::int64_t* begin, const std::int64_t* end) {
    std::string out = "[";
    for (const std::int64_t* it = begin; it != end; ++it) {
        if (it != begin) out += ", ";
        out += std::to_string(*it);
    }
    return out + "]";
}

void check_rank(std::size_t rank, const char* what, const Where& where) {
    if (rank > max_rank) {
        fail_shape(what,
                   text(rank, " numbers were given; a tensor has at most ", max_rank, " axes"),
                   where);
    }
}

void check_lengths(const Dims& dims, const Where& where) {
    for (std::int64_t length : dims) {
        if (length < 0) {
            fail_shape("shape",
                       text(dims, " has the negative length ", length, "; a length is 0 or more"),
                       where);
        }
    }
    const std::int64_t limit =
        std::numeric_limits<std::int64_t>::max() / static_cast<std::int64_t>(sizeof(Scalar));
    std::int64_t entries = 1;
    for (std::int64_t length : dims) {
        // Lengths of 0 are left out, so that what a slice of the shape could hold fits as well.
        if (length > 0 && entries > limit / length) {
            fail_shape("shape",
                       text(dims,
                            " has more entries than memory can be addressed; the "
                            "limit is ",
                            limit),
                       where);
        }
        if (length > 0) entries *= length;
    }
}

}  // namespace

Dims::Dims(std::initializer_list<std::int64_t> numbers, Where where) {
    check_rank(numbers.size(), "dims", where);
    std::copy(numbers.begin(), numbers.end(), numbers_);
    size_ = static_cast<int>(numbers.size());
}

Dims::Dims(const std::vector<std::int64_t>& numbers, Where where) {
    check_rank(numbers.size(), "dims", where);
    std::copy(numbers.begin(), numbers.end(), numbers_);
    size_ = static_cast<int>(numbers.size());
}

Dims::Dims(const Shape& shape) : size_(shape.rank()) {
    std::copy(shape.begin(), shape.end(), numbers_);
}

std::string Dims::text() const { return list_text(begin(), end()); }

std::ostream& operator<<(std::ostream& out, const Dims& dims) { return out << dims.text(); }

Shape::Shape(std::initializer_list<std::int64_t> dims, Where where)
    : Shape(Dims(dims, where), where) {}

Shape::Shape(const Dims& dims, Where where) : rank_(dims.size()) {
    check_lengths(dims, where);
    std::copy(dims.begin(), dims.end(), dims_);
}

std::int64_t Shape::dim(int axis, Where where) const {
    const int i = normalized_axis(axis, rank_, "dim", where);
    return dims_[i];
}

std::int64_t Shape::numel() const {
    std::int64_t entries = 1;
    for (std::int64_t length : *this) entries *= length;
    return entries;
}

bool Shape::operator==(const Shape& other) const {
    return rank_ == other.rank_ && std::equal(begin(), end(), other.begin());
}

Shape Shape::with(int axis, std::int64_t length, Where where) const {
    std::vector<std::int64_t> dims(begin(), end());
    dims[static_cast<std::size_t>(axis)] = length;
    return Shape(Dims(dims, where), where);
}

Shape Shape::without(int axis) const {
    std::vector<std::int64_t> dims(begin(), end());
    dims.erase(dims.begin() + axis);
    return Shape(Dims(dims));
}

Shape Shape::inserted(int axis, std::int64_t length, Where where) const {
    std::vector<std::int64_t> dims(begin(), end());
    dims.insert(dims.begin() + axis, length);
    return Shape(Dims(dims, where), where);
}

std::string Shape::text() const { return list_text(begin(), end()); }

std::ostream& operator<<(std::ostream& out, const Shape& shape) { return out << shape.text(); }

int normalized_axis(std::int64_t axis, int rank, const char* operation, const Where& where) {
    if (axis < -rank || axis >= rank) {
        if (rank == 0) {
            fail_range(operation,
                       text("axis ", axis,
                            " was asked for, but a single number (rank "
                            "0) has no axes"),
                       where);
        }
        fail_range(operation,
                   text("axis ", axis, " is out of range for rank ", rank, "; axes go from ", -rank,
                        " to ", rank - 1),
                   where);
    }
    return static_cast<int>(axis < 0 ? axis + rank : axis);
}

Dims normalized_axes(const Dims& axes, int rank, const char* operation, const Where& where) {
    if (axes.empty())
        fail_argument(operation, "the list of axes is empty; name at least one", where);
    std::vector<std::int64_t> result;
    for (std::int64_t axis : axes) {
        const std::int64_t i = normalized_axis(axis, rank, operation, where);
        if (std::find(result.begin(), result.end(), i) != result.end()) {
            fail_argument(operation, text("axis ", i, " is given twice in ", axes), where);
        }
        result.push_back(i);
    }
    return Dims(result, where);
}

Shape broadcast_shape(const Shape& a, const Shape& b, const char* operation, const Where& where) {
    const int rank = std::max(a.rank(), b.rank());
    std::vector<std::int64_t> dims(static_cast<std::size_t>(rank));
    for (int i = 1; i <= rank; ++i) {  // i-th axis from the end
        const std::int64_t in_a = i <= a.rank() ? a[a.rank() - i] : 1;
        const std::int64_t in_b = i <= b.rank() ? b[b.rank() - i] : 1;
        if (in_a != in_b && in_a != 1 && in_b != 1) {
            fail_shape(operation,
                       text("shapes ", a, " and ", b, " cannot be broadcast together: axis ", -i,
                            " is ", in_a, " long in one and ", in_b,
                            " in the other; aligned at the last axis, lengths must be equal or 1"),
                       where);
        }
        dims[static_cast<std::size_t>(rank - i)] = in_a == 1 ? in_b : in_a;
    }
    return Shape(Dims(dims, where), where);
}

bool broadcasts_to(const Shape& shape, const Shape& to) {
    if (shape.rank() > to.rank()) return false;
    for (int i = 1; i <= shape.rank(); ++i) {  // i-th axis from the end
        const std::int64_t length = shape[shape.rank() - i];
        if (length != 1 && length != to[to.rank() - i]) return false;
    }
    return true;
}

}  // namespace heed::inline HEED_PRECISION
