// Shape: how many entries a tensor has along each axis, such as [2, 3, 5].
// The lengths, at most eight, are stored inline, so that a debugger can show a shape without
// knowing the standard library.
#pragma once

#include "call_site.h"

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

inline constexpr int max_rank = 8;

class Shape;
enum class KeepDim;  // of reductions (ops/reduce.h)

template <class Number>
concept WholeNumber = std::integral<Number> && !std::same_as<Number, bool>;
template <class Number>
concept FlagOrFraction = std::same_as<Number, bool> || std::floating_point<Number>;

// An integer of any type, as the caller writes it: 3, n, words.size(). A flag, which would mean 0
// or 1, and a fraction, which would be truncated, do not compile.
struct Integer {
    template <WholeNumber Number>
    [[gnu::always_inline]] constexpr Integer(Number number)
        : value(static_cast<std::int64_t>(number)) {}
    template <FlagOrFraction Number>
    Integer(Number) = delete;

    std::int64_t value;
};

// The first index of x(i, j, k), and the axis of shape[axis]. It carries the caller's line, since
// neither a function with any number of parameters nor an operator can take it as a defaulted last
// one.
struct FirstIndex {
    template <WholeNumber Number>
    [[gnu::always_inline]] FirstIndex(Number index, CallSite caller = CallSite::here())
        : number(static_cast<std::int64_t>(index)), site(caller) {}

    std::int64_t number;
    CallSite site;
};

// 0 <= result < rank. Negative axes count from the end. Error: no such axis (out_of_range).
int normalized_axis(std::int64_t axis, int rank, const char* operation, const CallSite& site);

// A short list of integers as the caller writes it: axes, a permutation, or a shape in which one
// length may be -1. Each operation decides what they mean and checks them.
// Error: more than eight integers (ShapeError).
class Dims {
  public:
    constexpr Dims() = default;
    Dims(std::initializer_list<Integer> numbers, CallSite site = CallSite::here());
    Dims(const std::vector<std::int64_t>& numbers, CallSite site = CallSite::here());
    template <WholeNumber Number>
    constexpr Dims(Number number)  // sum(x, -1)
        : numbers_{static_cast<std::int64_t>(number)}, size_(1) {}
    template <FlagOrFraction Number>
    Dims(Number) = delete;  // neither is an axis: sum(x, -1, keepdim)
    template <std::same_as<KeepDim> Option>
    Dims(Option) {
        static_assert(always_false<Option>,
                      "heed: the axes come before keepdim: sum(x, -1, keepdim), or "
                      "sum(x, {0, 1}, keepdim) for both axes of a matrix");
    }
    Dims(const Shape& shape);

    int size() const { return size_; }
    bool empty() const { return size_ == 0; }
    // Negative places count from the end. Error: no such place (out_of_range).
    std::int64_t operator[](const FirstIndex& i) const {
        const std::int64_t from_front = i.number < 0 ? i.number + size_ : i.number;
        if (from_front >= 0 && from_front < size_) return numbers_[from_front];
        return numbers_[normalized_axis(i.number, size_, "dims", i.site)];
    }
    // For loops that every operation runs: 0 <= i < size is not checked.
    std::int64_t unchecked(int i) const { return numbers_[i]; }
    void set(int i, std::int64_t number) { numbers_[i] = number; }
    std::int64_t* data() { return numbers_; }
    const std::int64_t* begin() const { return numbers_; }
    const std::int64_t* end() const { return numbers_ + size_; }
    // Error: eight integers already (ShapeError).
    void append(std::int64_t number, CallSite site = CallSite::here());
    // Copies with one number replaced and with one removed. 0 <= i < size is not checked.
    Dims with(int i, std::int64_t number) const;
    Dims without(int i) const;
    Dims without_last(int count) const;  // 0 <= count <= size
    std::string text() const;            // "[0, -1]"

  private:
    friend class Shape;

    std::int64_t numbers_[max_rank] = {};  // 0 beyond size_, by which debuggers recognise a Dims
    int size_ = 0;
};

std::ostream& operator<<(std::ostream& out, const Dims& dims);

// Errors: a negative length, more than eight axes, more entries than 2^63 - 1 bytes can hold
// (each ShapeError).
class Shape {
  public:
    constexpr Shape() = default;  // rank 0: one entry and no axes
    Shape(std::initializer_list<Integer> dims, CallSite site = CallSite::here());
    explicit Shape(const Dims& dims, CallSite site = CallSite::here());
    static constexpr Shape of_nothing();  // [0]

    int rank() const { return rank_; }
    // The length of an axis; negative axes count from the end. Error: no such axis (out_of_range).
    std::int64_t operator[](const FirstIndex& axis) const {
        const std::int64_t from_front = axis.number < 0 ? axis.number + rank_ : axis.number;
        if (from_front >= 0 && from_front < rank_) return dims_[from_front];
        return dims_[normalized_axis(axis.number, rank_, "shape", axis.site)];
    }
    std::int64_t dim(int axis, CallSite site = CallSite::here()) const;
    // For loops that every operation runs: 0 <= axis < rank is not checked.
    std::int64_t unchecked(int axis) const { return dims_[axis]; }
    std::int64_t numel() const {  // the number of entries: the product of lengths, 1 for rank 0
        std::int64_t entries = 1;
        for (int axis = 0; axis < rank_; ++axis) entries *= dims_[axis];
        return entries;
    }

    const std::int64_t* begin() const { return dims_; }
    const std::int64_t* end() const { return dims_ + rank_; }
    bool operator==(const Shape& other) const {
        if (rank_ != other.rank_) return false;
        for (int axis = 0; axis < rank_; ++axis) {
            if (dims_[axis] != other.dims_[axis]) return false;
        }
        return true;
    }

    // Copies of this shape with one length replaced, with one axis removed, and with a new axis
    // before `axis`, where 0 <= axis <= rank. Errors: as for the constructors; no such axis.
    Shape with(int axis, std::int64_t length, CallSite site = CallSite::here()) const;
    Shape without(int axis, CallSite site = CallSite::here()) const;
    Shape inserted(int axis, std::int64_t length, CallSite site = CallSite::here()) const;
    // All axes but the last `count`, and new axes behind the last: a batch of matrices has the
    // shape batch.followed_by({rows, columns}), and without_last(2) is its batch.
    Shape without_last(int count) const;  // 0 <= count <= rank
    Shape followed_by(const Dims& lengths, CallSite site = CallSite::here()) const;

    std::string text() const;  // "[2, 3, 5]"

  private:
    friend class Dims;

    std::int64_t dims_[max_rank] = {};  // 0 beyond rank_, by which debuggers recognise a Shape
    int rank_ = 0;
};

constexpr Shape Shape::of_nothing() {
    Shape shape;
    shape.rank_ = 1;
    return shape;
}

std::ostream& operator<<(std::ostream& out, const Shape& shape);

// `axes` with negative axes resolved, in the order given. Errors: no such axis (out_of_range), an
// axis given twice, an empty list (std::invalid_argument).
Dims normalized_axes(const Dims& axes, int rank, const char* operation, const CallSite& site);

// The common shape of two operands under NumPy's broadcasting rule: aligned at the last axis,
// lengths must be equal or one of them 1. Error: they are not (ShapeError).
Shape broadcast_shape(const Shape& a, const Shape& b, const char* operation, const CallSite& site);
// Whether `shape` becomes `to` by repeating axes of length 1 and adding leading axes.
bool broadcasts_to(const Shape& shape, const Shape& to);

// Error: "G has shape [2, 3] and x [3]; they must be equal" (ShapeError).
void check_equal_shapes(const char* operation, const char* what, const Shape& shape,
                        const char* other_what, const Shape& other, const CallSite& site);

// Whether the last axes of `shape` are those of `end`. Every shape ends in rank 0.
bool ends_in(const Shape& shape, const Shape& end);

// How many entries the axes first, first + 1, ..., last - 1 have.
std::int64_t entries_of(const Shape& shape, int first, int last);

// "[2, 3]"
std::string list_text(const std::int64_t* begin, const std::int64_t* end);

// The index of entry number `entry` in row-major order, 0 <= entry < numel.
Dims unravelled(std::int64_t entry, const Shape& shape);

}}  // namespace heed
