// Views: these functions compute only offset, shape and strides; copies are made in tensor.cpp.
#include "views.h"

#include "errors.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace heed { inline namespace HEED_PRECISION {
namespace tensor {
namespace {
Tensor window(const Tensor& x, std::int64_t offset, const Shape& shape, const Dims& strides) {
    return Tensor(x.storage(), offset, shape, strides);
}

// A run of equally spaced entries.
struct Line {
    std::int64_t length;
    std::int64_t stride;
};

// The axes of x from last to first. An axis is merged with the next inner one if its stride is the
// length times the stride of the inner one.
std::vector<Line> lines_of(const Tensor& x) {
    std::vector<Line> lines;
    for (int axis = x.rank() - 1; axis >= 0; --axis) {
        const std::int64_t length = x.shape()[axis];
        const std::int64_t stride = x.strides()[axis];
        if (length == 1) continue;
        if (!lines.empty() && stride == lines.back().length * lines.back().stride) {
            lines.back().length *= length;
        } else {
            lines.push_back({length, stride});
        }
    }
    return lines;
}

// The strides that make x look like `shape`, which has as many entries. Every line must divide
// evenly into new axes; otherwise no strides fit, and the result is empty.
std::optional<Dims> strides_as(const Tensor& x, const Shape& shape) {
    if (x.numel() == 0) return contiguous_strides(shape);
    const std::vector<Line> lines = lines_of(x);
    Dims strides(shape);
    std::size_t line = 0;
    std::int64_t taken = 1;  // entries of this line covered by the axes so far
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
        strides.set(axis, 1);
        if (shape[axis] == 1) continue;
        if (taken == lines[line].length) {
            ++line;
            taken = 1;
        }
        strides.set(axis, taken * lines[line].stride);
        taken *= shape[axis];
        if (lines[line].length % taken != 0) return std::nullopt;
    }
    return strides;
}

// A slice bound as in Python: counted from the end if negative, then clamped to the axis.
std::int64_t clamped(std::int64_t bound, std::int64_t length) {
    const std::int64_t from_start = bound < 0 ? bound + length : bound;
    return std::clamp(from_start, std::int64_t{0}, length);
}

}  // namespace

Shape resolved_shape(const Shape& from, const Dims& dims, const char* operation,
                     const CallSite& site) {
    int open = -1;
    for (int i = 0; i < dims.size(); ++i) {
        if (dims[i] < -1) {
            fail_shape(operation, site, dims, " has the length ", dims[i],
                       "; a length must be 0 or more, or -1 (once) to be inferred");
        }
        if (dims[i] == -1 && open >= 0) {
            fail_shape(operation, site, dims, " has -1 twice; only one length can be inferred");
        }
        if (dims[i] == -1) open = i;
    }
    const Shape known(open < 0 ? dims : dims.with(open, 1), site);
    if (open < 0 && known.numel() == from.numel()) return known;
    if (open < 0) {
        fail_shape(operation, site, "shape ", from, " has ", from.numel(), " entries, but ", dims,
                   " needs ", known.numel(), "; the numbers of entries must be equal");
    }
    if (known.numel() == 0) {
        fail_shape(operation, site, "the -1 in ", dims,
                   " cannot be inferred: with another length 0, ",
                   "any length gives 0 entries; write it out");
    }
    if (from.numel() % known.numel() != 0) {
        fail_shape(operation, site, "the -1 in ", dims, " cannot be inferred: shape ", from,
                   " has ", from.numel(), " entries, not a multiple of ", known.numel());
    }
    return known.with(open, from.numel() / known.numel(), site);
}

int resolved_new_axis(int axis, const Shape& shape, const char* operation, const CallSite& site) {
    const int rank = shape.rank() + 1;
    if (rank > max_rank) {
        fail_shape(operation, site, "shape ", shape,
                   " has no room for a new axis; a tensor has at most ", max_rank, " axes");
    }
    if (axis < -rank || axis >= rank) {
        fail_range(operation, site, "the new axis ", axis, " is out of range for shape ", shape,
                   "; the result has rank ", rank, ", so it can be ", -rank, " to ", rank - 1);
    }
    return axis < 0 ? axis + rank : axis;
}

Tensor view(const Tensor& x, const Dims& dims, CallSite site) {
    const Shape shape = resolved_shape(x.shape(), dims, "view", site);
    const std::optional<Dims> strides = strides_as(x, shape);
    if (!strides) {
        fail_shape("view", site, "shape ", x.shape(), " with strides ", x.strides(),
                   " cannot be viewed as ", shape,
                   " without a copy: axes that would be merged are not adjacent in ",
                   "memory; use reshape(), or contiguous() before view()");
    }
    return window(x, x.offset(), shape, *strides);
}

Tensor reshape(const Tensor& x, const Dims& dims, CallSite site) {
    const Shape shape = resolved_shape(x.shape(), dims, "reshape", site);
    const std::optional<Dims> strides = strides_as(x, shape);
    if (strides) return window(x, x.offset(), shape, *strides);
    const Tensor copy = clone(x, site);
    return window(copy, 0, shape, contiguous_strides(shape));
}

Tensor transpose(const Tensor& x, CallSite site) {
    if (x.rank() < 2) {
        fail_shape("transpose", site, "shape ", x.shape(), " has rank ", x.rank(),
                   ", so there are no last two axes to swap; unsqueeze(x, 0) makes a ",
                   "row of a vector, unsqueeze(x, -1) a column");
    }
    return transpose(x, -2, -1, site);
}

Tensor transpose(const Tensor& x, int axis_a, int axis_b, CallSite site) {
    const int a = normalized_axis(axis_a, x.rank(), "transpose", site);
    const int b = normalized_axis(axis_b, x.rank(), "transpose", site);
    Dims lengths(x.shape()), strides = x.strides();
    std::swap(lengths.data()[a], lengths.data()[b]);
    std::swap(strides.data()[a], strides.data()[b]);
    return window(x, x.offset(), Shape(lengths), strides);
}

Tensor permute(const Tensor& x, const Dims& order, CallSite site) {
    if (order.size() != x.rank()) {
        fail_shape("permute", site, "the order ", order, " has ", order.size(), " axes, but shape ",
                   x.shape(), " has ", x.rank(), "; name each axis once");
    }
    if (x.rank() == 0) return x;
    Dims lengths, strides;
    for (std::int64_t axis : normalized_axes(order, x.rank(), "permute", site)) {
        lengths.append(x.shape()[axis]);
        strides.append(x.strides()[axis]);
    }
    return window(x, x.offset(), Shape(lengths), strides);
}

Tensor slice(const Tensor& x, int axis, std::int64_t start, std::int64_t stop, std::int64_t step,
             CallSite site) {
    const int i = normalized_axis(axis, x.rank(), "slice", site);
    check_at_least("slice", "the step", step, 1, site);
    const std::int64_t length = x.shape()[i];
    const std::int64_t stride = x.strides()[i];
    const std::int64_t first = clamped(start, length);
    const std::int64_t end = clamped(stop, length);
    if (first >= end) return window(x, x.offset(), x.shape().with(i, 0), x.strides());

    const std::int64_t count = 1 + (end - 1 - first) / step;
    const std::int64_t distance = count > 1 ? step * stride : stride;  // a huge step may overflow
    return window(x, x.offset() + first * stride, x.shape().with(i, count),
                  x.strides().with(i, distance));
}

Tensor select(const Tensor& x, int axis, std::int64_t index, CallSite site) {
    const int i = normalized_axis(axis, x.rank(), "select", site);
    const std::int64_t length = x.shape()[i];
    if (index < -length || index >= length) {
        fail_range("select", site, "index ", index, " is out of range for axis ", i, " of ",
                   x.shape(), ", which has ", length, " entries");
    }
    const std::int64_t entry = index < 0 ? index + length : index;
    return window(x, x.offset() + entry * x.strides()[i], x.shape().without(i),
                  x.strides().without(i));
}

Tensor expand(const Tensor& x, const Dims& dims, CallSite site) {
    const int added = dims.size() - x.rank();
    Dims lengths = dims;
    for (int i = 0; i < dims.size(); ++i) {
        if (dims[i] == -1 && i < added) {
            fail_shape("expand", site, "the -1 at place ", i, " of ", dims,
                       " is for a new axis of ", x.shape(),
                       ", which has no length to keep; write it out");
        }
        if (dims[i] == -1 && added >= 0) lengths.set(i, x.shape()[i - added]);
    }
    if (added < 0) {
        fail_shape("expand", site, "shape ", x.shape(), " has more axes than ", dims,
                   "; axes can be added in front, not removed");
    }
    const Shape shape(lengths, site);
    if (!broadcasts_to(x.shape(), shape)) {
        fail_shape("expand", site, "shape ", x.shape(), " cannot be expanded to ", shape,
                   ": aligned at the last axis, each length must be equal, or 1, which ",
                   "is repeated");
    }
    return window(x, x.offset(), shape, broadcast_strides(x.shape(), x.strides(), shape));
}

Tensor unsqueeze(const Tensor& x, int axis, CallSite site) {
    const int i = resolved_new_axis(axis, x.shape(), "unsqueeze", site);
    const std::int64_t stride = i < x.rank() ? x.shape()[i] * x.strides()[i] : 1;
    std::vector<std::int64_t> strides(x.strides().begin(), x.strides().end());
    strides.insert(strides.begin() + i, stride);
    return window(x, x.offset(), x.shape().inserted(i, 1, site), Dims(strides));
}

Tensor squeeze(const Tensor& x, CallSite) {
    Dims lengths, strides;
    for (int axis = 0; axis < x.rank(); ++axis) {
        if (x.shape()[axis] == 1) continue;
        lengths.append(x.shape()[axis]);
        strides.append(x.strides()[axis]);
    }
    return window(x, x.offset(), Shape(lengths), strides);
}

Tensor squeeze(const Tensor& x, int axis, CallSite site) {
    const int i = normalized_axis(axis, x.rank(), "squeeze", site);
    if (x.shape()[i] != 1) {
        fail_shape("squeeze", site, "axis ", i, " of ", x.shape(), " has ", x.shape()[i],
                   " entries; only an axis of length 1 can be dropped (select() picks one ",
                   "entry of a longer one)");
    }
    return select(x, i, 0, site);
}

Tensor flatten(const Tensor& x, int first, int last, CallSite site) {
    const int rank = std::max(x.rank(), 1);
    const int from = normalized_axis(first, rank, "flatten", site);
    const int to = normalized_axis(last, rank, "flatten", site);
    if (from > to) {
        fail_argument("flatten", site, "the first axis, ", from, ", comes after the last, ", to,
                      ", of ", x.shape());
    }
    if (x.rank() == 0) return view(x, {1}, site);
    std::vector<std::int64_t> lengths(x.shape().begin(), x.shape().begin() + from + 1);
    lengths.back() = entries_of(x.shape(), from, to + 1);
    lengths.insert(lengths.end(), x.shape().begin() + to + 1, x.shape().end());
    return reshape(x, Dims(lengths), site);
}

}  // namespace tensor

Tensor Tensor::operator[](const FirstIndex& i) const {
    return tensor::select(*this, 0, i.number, i.site);
}

}}  // namespace heed
