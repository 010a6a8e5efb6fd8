// Joining copies each part into its place in the result; splitting makes views. Repeating expands
// a view along one axis after the other, which is copied where a view cannot have the shape that is
// wanted, and in the end.
#include "join.h"

#include "../copy.h"
#include "../errors.h"
#include "../room.h"
#include "../views.h"

#include <limits>

namespace heed { inline namespace HEED_PRECISION { namespace tensor {
namespace {
void check_some(std::size_t parts, const char* operation, const CallSite& site) {
    if (parts == 0) {
        fail_argument(operation, site, "the list of tensors is empty; give at least one");
    }
}

// The parts may differ on `axis` only.
void check_fits(const Shape& first, const Shape& part, std::size_t number, int axis,
                const CallSite& site) {
    if (part.rank() != first.rank()) {
        fail_shape("concatenate", site, "part ", number, " of shape ", part, " has rank ",
                   part.rank(), ", but part 0 of shape ", first, " has rank ", first.rank(),
                   "; all parts must have the same rank");
    }
    for (int i = 0; i < first.rank(); ++i) {
        if (i != axis && part[i] != first[i]) {
            fail_shape("concatenate", site, "part ", number, " of shape ", part,
                       " does not fit part 0 of shape ", first, ": they are joined along axis ",
                       axis, ", but axis ", i, " has length ", part[i], " in one and ", first[i],
                       " in the other; all other axes must be equal");
        }
    }
}

// A length that overflows is the largest there is, which Shape refuses.
std::int64_t times(std::int64_t length, std::int64_t count) {
    std::int64_t product = 0;
    const bool overflows = __builtin_mul_overflow(length, count, &product);
    return overflows ? std::numeric_limits<std::int64_t>::max() : product;
}

// x with `copies` of each block in a row, where a block holds the entries of one index of the axes
// before `axis`.
Tensor with_copies(const Tensor& x, int axis, std::int64_t copies, const Shape& shape,
                   const CallSite& site) {
    const std::int64_t blocks = entries_of(x.shape(), 0, axis);
    const std::int64_t entries = entries_of(x.shape(), axis, x.rank());
    const Tensor once = reshape(x, {blocks, 1, entries}, site);
    const Tensor often = expand(once, {blocks, copies, entries}, site);
    return reshape(often, shape, site);
}

// y, which may still be a view that repeats entries, or even x.
Tensor copied(const Tensor& y, const Tensor& x, const CallSite& site) {
    const bool is_copy = y.is_contiguous() && !y.shares_storage_with(x);
    return is_copy ? y : clone(y, site);
}

void check_counts(const Shape& shape, const Dims& counts, const CallSite& site) {
    if (counts.size() < shape.rank()) {
        fail_shape("repeat", site, "the counts ", counts, " are fewer than the axes of x ", shape,
                   "; there must be one for each axis, 1 where nothing is repeated");
    }
    for (const std::int64_t count : counts) {
        if (count >= 0) continue;
        fail_argument("repeat", site, "the count ", count, " of ", counts,
                      " is negative; it must be 0 or more");
    }
}

}  // namespace

Shape concatenated_shape(const std::vector<Shape>& parts, int axis, CallSite site) {
    check_some(parts.size(), "concatenate", site);
    const Shape& first = parts.front();
    const int joined = normalized_axis(axis, first.rank(), "concatenate", site);
    Shape shape = first.with(joined, 0);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        check_fits(first, parts[i], i, joined, site);
        shape = shape.with(joined, shape[joined] + parts[i][joined], site);
    }
    return shape;
}

Shape stacked_shape(const std::vector<Shape>& parts, int axis, CallSite site) {
    check_some(parts.size(), "stack", site);
    const Shape& first = parts.front();
    const int joined = resolved_new_axis(axis, first, "stack", site);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!(parts[i] == first)) {
            fail_shape("stack", site, "part ", i, " has shape ", parts[i],
                       ", but part 0 has shape ", first, "; all parts must have the same shape");
        }
    }
    return first.inserted(joined, static_cast<std::int64_t>(parts.size()), site);
}

Tensor concatenate(const std::vector<Tensor>& parts, int axis, CallSite site) {
    const Shape shape = concatenated_shape(shapes_of(parts), axis, site);
    const int joined = normalized_axis(axis, shape.rank(), "concatenate", site);
    Tensor result = Tensor::uninitialized(shape, site);
    Scalar* out = result.writable_data();
    for (const Tensor& part : parts) {
        copy_entries(part, out, result.strides());
        out += part.shape()[joined] * result.strides()[joined];
    }
    return result;
}

Tensor stack(const std::vector<Tensor>& parts, int axis, CallSite site) {
    const Shape shape = stacked_shape(shapes_of(parts), axis, site);
    const int joined = normalized_axis(axis, shape.rank(), "stack", site);
    std::vector<Tensor> layers;
    for (const Tensor& part : parts) layers.push_back(unsqueeze(part, joined, site));
    return concatenate(layers, joined, site);
}

std::vector<Tensor> split(const Tensor& x, std::int64_t length, int axis, CallSite site) {
    const int cut = normalized_axis(axis, x.rank(), "split", site);
    if (length < 1) {
        fail_argument("split", site, "the length of a part is ", length,
                      "; it must be 1 or more (chunk() is given the number of parts)");
    }
    const std::int64_t end = x.shape()[cut];
    std::vector<Tensor> views{slice(x, cut, 0, length, 1, site)};
    for (std::int64_t start = 0; end - start > length;) {
        start += length;
        const std::int64_t stop = end - start > length ? start + length : end;
        views.push_back(slice(x, cut, start, stop, 1, site));
    }
    return views;
}

std::vector<Tensor> chunk(const Tensor& x, std::int64_t parts, int axis, CallSite site) {
    const int cut = normalized_axis(axis, x.rank(), "chunk", site);
    const std::int64_t length = x.shape()[cut];
    check_at_least("chunk", "the number of parts", parts, 1, site);
    if (length % parts != 0) {
        fail_argument("chunk", site, "axis ", cut, " of ", x.shape(), " has ", length,
                      " entries, which cannot be divided into ", parts,
                      " equal parts; split() makes parts of a given length, the last one shorter, ",
                      "split_sizes() unequal ones");
    }
    const std::int64_t each = length / parts;
    std::vector<Tensor> views = room_for<Tensor>("chunk", Shape({parts}, site), site);
    for (std::int64_t i = 0; i < parts; ++i) {
        views.push_back(slice(x, cut, i * each, (i + 1) * each, 1, site));
    }
    return views;
}

std::vector<Tensor> split_sizes(const Tensor& x, const std::vector<std::int64_t>& lengths, int axis,
                                CallSite site) {
    const int cut = normalized_axis(axis, x.rank(), "split_sizes", site);
    const auto list = [&] { return list_text(lengths.data(), lengths.data() + lengths.size()); };
    std::int64_t left = x.shape()[cut];
    bool fits = true;
    for (std::int64_t length : lengths) {
        if (length < 0) {
            fail_argument("split_sizes", site, "the lengths ", list(), " include ", length,
                          "; a length must be 0 or more");
        }
        fits = fits && length <= left;
        if (fits) left -= length;
    }
    if (!fits || left != 0) {
        fail_argument("split_sizes", site, "the lengths ", list(), " do not add up to the ",
                      x.shape()[cut], " entries of axis ", cut, " of ", x.shape());
    }

    std::vector<Tensor> views;
    std::int64_t start = 0;
    for (std::int64_t length : lengths) {
        views.push_back(slice(x, cut, start, start + length, 1, site));
        start += length;
    }
    return views;
}

std::vector<Tensor> unbind(const Tensor& x, int axis, CallSite site) {
    const int cut = normalized_axis(axis, x.rank(), "unbind", site);
    std::vector<Tensor> views;
    for (std::int64_t i = 0; i < x.shape()[cut]; ++i) views.push_back(select(x, cut, i, site));
    return views;
}

Tensor repeat(const Tensor& x, const Dims& counts, CallSite site) {
    check_counts(x.shape(), counts, site);
    const int added = counts.size() - x.rank();
    Dims lengths;
    for (int i = 0; i < counts.size(); ++i) lengths.append(i < added ? 1 : x.shape()[i - added]);
    Dims repeated = lengths;
    for (int i = 0; i < counts.size(); ++i) repeated.set(i, times(lengths[i], counts[i]));
    const Shape whole(repeated, site);

    Tensor y = reshape(x, lengths, site);
    for (int axis = counts.size() - 1; axis >= 0; --axis) {
        if (counts[axis] == 1) continue;
        y = with_copies(y, axis, counts[axis], y.shape().with(axis, whole[axis]), site);
    }
    return copied(y, x, site);
}

Tensor repeat_interleave(const Tensor& x, std::int64_t copies, int axis, CallSite site) {
    const int along = normalized_axis(axis, x.rank(), "repeat_interleave", site);
    check_at_least("repeat_interleave", "the number of copies", copies, 0, site);
    const Shape shape = x.shape().with(along, times(x.shape()[along], copies), site);
    const Tensor y = with_copies(x, along + 1, copies, shape, site);
    return copied(y, x, site);
}

}}}  // namespace heed::tensor
