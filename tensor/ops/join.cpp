// Joining copies each part into its place in the result; splitting makes views.
#include "join.h"

#include "../copy.h"
#include "../errors.h"
#include "../room.h"
#include "../views.h"

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
                   part.rank(), ", part 0 of shape ", first, " has rank ", first.rank(),
                   "; all parts must have one rank");
    }
    for (int i = 0; i < first.rank(); ++i) {
        if (i != axis && part[i] != first[i]) {
            fail_shape("concatenate", site, "part ", number, " of shape ", part,
                       " does not fit part 0 of shape ", first, ": they are joined along axis ",
                       axis, ", but axis ", i, " is ", part[i], " long in one and ", first[i],
                       " in the other; all other axes must be equal");
        }
    }
}

std::vector<Shape> shapes_of(const std::vector<Tensor>& parts) {
    std::vector<Shape> shapes;
    for (const Tensor& part : parts) shapes.push_back(part.shape());
    return shapes;
}

std::string list_text(const std::vector<std::int64_t>& numbers) {
    std::string list;
    for (std::int64_t number : numbers) {
        if (!list.empty()) list += ", ";
        list += std::to_string(number);
    }
    return "[" + list + "]";
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
            fail_shape("stack", site, "part ", i, " has shape ", parts[i], ", part 0 has shape ",
                       first, "; all parts must have one shape");
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
    if (parts < 1) {
        fail_argument("chunk", site, parts, " parts were asked for; it must be 1 or more");
    }
    if (length % parts != 0) {
        fail_argument("chunk", site, "axis ", cut, " of ", x.shape(), " has ", length,
                      " entries, which ", parts,
                      " equal parts do not divide; split() makes parts of a given ",
                      "length, the last one shorter, split_sizes() unequal ones");
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
    std::int64_t left = x.shape()[cut];
    bool fits = true;
    for (std::int64_t length : lengths) {
        if (length < 0) {
            fail_argument("split_sizes", site, "the lengths ", list_text(lengths),
                          " hold the negative ", length, "; a length is 0 or more");
        }
        fits = fits && length <= left;
        if (fits) left -= length;
    }
    if (!fits || left != 0) {
        fail_argument("split_sizes", site, "the lengths ", list_text(lengths),
                      " do not add up to the ", x.shape()[cut], " entries of axis ", cut, " of ",
                      x.shape());
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

}}}  // namespace heed::tensor
