// Integers and booleans are rearranged in the same way, so each function is written once for both.
// The entries of a view, and its errors, come from viewing a placeholder of the same shape.
#include "index.h"

#include "../copy.h"
#include "../errors.h"
#include "../walk.h"
#include "compare.h"
#include "join.h"

#include <algorithm>
#include <utility>

namespace heed { inline namespace HEED_PRECISION { namespace tensor {
namespace {
using Integers = std::vector<std::int64_t>;
using Bytes = std::vector<std::uint8_t>;

IndexTensor made(const Integers& numbers, const Shape& shape) {
    return IndexTensor(numbers, shape);
}
BoolTensor made(Bytes&& bytes, const Shape& shape) {
    return BoolTensor::from_bytes(std::move(bytes), shape);
}

Integers none_of(const IndexTensor&) { return {}; }
Bytes none_of(const BoolTensor&) { return {}; }

// A placeholder of the same shape to make views of; its entries are never read.
template <class Entries>
Tensor laid_out(const Entries& x, const CallSite& site) {
    return Tensor::uninitialized(x.shape(), site);
}

// The entries of x that `view`, a view of laid_out(x), shows.
template <class Entries>
Entries seen(const Entries& x, const Tensor& view) {
    auto entries = none_of(x);
    entries.reserve(static_cast<std::size_t>(view.numel()));
    for (Walk<1> walk(view.shape(), {&view.strides()}); !walk.done(); walk.next()) {
        for (std::int64_t i = 0; i < walk.row_length(); ++i) {
            entries.push_back(x.data()[view.offset() + walk.offset(0) + i * walk.row_stride(0)]);
        }
    }
    return made(std::move(entries), view.shape());
}

// The entries of the parts, which are blocks of `part.numel() / rows` for each index of the axes
// before `axis`.
template <class Entries>
Entries joined(const std::vector<Entries>& parts, int axis, const Shape& shape) {
    const std::int64_t rows = entries_of(shape, 0, axis);
    auto entries = none_of(parts.front());
    entries.reserve(static_cast<std::size_t>(shape.numel()));
    for (std::int64_t row = 0; row < rows; ++row) {
        for (const Entries& part : parts) {
            const std::int64_t block = part.numel() / rows;
            const auto* first = part.data() + row * block;
            entries.insert(entries.end(), first, first + block);
        }
    }
    return made(std::move(entries), shape);
}

template <class Entries>
Entries concatenated(const std::vector<Entries>& parts, int axis, const CallSite& site) {
    const Shape shape = concatenated_shape(shapes_of(parts), axis, site);
    return joined(parts, normalized_axis(axis, shape.rank(), "concatenate", site), shape);
}

template <class Entries>
Entries stacked(const std::vector<Entries>& parts, int axis, const CallSite& site) {
    const Shape shape = stacked_shape(shapes_of(parts), axis, site);
    return joined(parts, normalized_axis(axis, shape.rank(), "stack", site), shape);
}

// Whether x is an integer in [-2^63, 2^63).
bool is_index(Scalar x) {
    const Scalar limit = 9223372036854775808.0;
    return x >= -limit && x < limit && static_cast<Scalar>(static_cast<std::int64_t>(x)) == x;
}

}  // namespace

IndexTensor reshape(const IndexTensor& x, const Dims& dims, CallSite site) {
    return x.reshape(dims, site);
}

IndexTensor transpose(const IndexTensor& x, CallSite site) {
    return seen(x, transpose(laid_out(x, site), site));
}

IndexTensor transpose(const IndexTensor& x, int axis_a, int axis_b, CallSite site) {
    return seen(x, transpose(laid_out(x, site), axis_a, axis_b, site));
}

IndexTensor slice(const IndexTensor& x, int axis, std::int64_t start, std::int64_t stop,
                  std::int64_t step, CallSite site) {
    return seen(x, slice(laid_out(x, site), axis, start, stop, step, site));
}

IndexTensor select(const IndexTensor& x, int axis, std::int64_t index, CallSite site) {
    return seen(x, select(laid_out(x, site), axis, index, site));
}

IndexTensor flip(const IndexTensor& x, const Dims& axes, CallSite site) {
    return seen(x, flipped_view(laid_out(x, site), axes, site));
}

IndexTensor concatenate(const std::vector<IndexTensor>& parts, int axis, CallSite site) {
    return concatenated(parts, axis, site);
}

IndexTensor stack(const std::vector<IndexTensor>& parts, int axis, CallSite site) {
    return stacked(parts, axis, site);
}

BoolTensor reshape(const BoolTensor& x, const Dims& dims, CallSite site) {
    return x.reshape(dims, site);
}

BoolTensor transpose(const BoolTensor& x, CallSite site) {
    return seen(x, transpose(laid_out(x, site), site));
}

BoolTensor transpose(const BoolTensor& x, int axis_a, int axis_b, CallSite site) {
    return seen(x, transpose(laid_out(x, site), axis_a, axis_b, site));
}

BoolTensor slice(const BoolTensor& x, int axis, std::int64_t start, std::int64_t stop,
                 std::int64_t step, CallSite site) {
    return seen(x, slice(laid_out(x, site), axis, start, stop, step, site));
}

BoolTensor select(const BoolTensor& x, int axis, std::int64_t index, CallSite site) {
    return seen(x, select(laid_out(x, site), axis, index, site));
}

BoolTensor flip(const BoolTensor& x, const Dims& axes, CallSite site) {
    return seen(x, flipped_view(laid_out(x, site), axes, site));
}

BoolTensor concatenate(const std::vector<BoolTensor>& parts, int axis, CallSite site) {
    return concatenated(parts, axis, site);
}

BoolTensor stack(const std::vector<BoolTensor>& parts, int axis, CallSite site) {
    return stacked(parts, axis, site);
}

Tensor to_tensor(const IndexTensor& x, CallSite site) {
    Tensor result = Tensor::uninitialized(x.shape(), site);
    Scalar* out = result.writable_data();
    for (std::int64_t i = 0; i < x.numel(); ++i) {
        const std::int64_t number = x.data()[i];
        out[i] = static_cast<Scalar>(number);
        if (is_index(out[i]) && static_cast<std::int64_t>(out[i]) == number) continue;
        fail_argument("to_tensor", site, "the integer ", number, " at ", unravelled(i, x.shape()),
                      " has too many digits for an entry of a tensor, which would round it");
    }
    return result;
}

IndexTensor to_index(const Tensor& x, CallSite site) {
    const std::vector<Scalar> numbers = x.to_vector();
    Integers integers;
    integers.reserve(numbers.size());
    for (const Scalar number : numbers) {
        if (!is_index(number)) {
            fail_argument("to_index", site, "the entry ", number, " at ",
                          unravelled(static_cast<std::int64_t>(integers.size()), x.shape()),
                          " is not a whole number below 2^63, so it cannot be an index");
        }
        integers.push_back(static_cast<std::int64_t>(number));
    }
    return IndexTensor(integers, x.shape(), site);
}

IndexTensor to_index(const BoolTensor& x) {
    return IndexTensor(Integers(x.data(), x.data() + x.numel()), x.shape());
}

BoolTensor to_bool(const Tensor& x) { return x != 0; }

BoolTensor to_bool(const IndexTensor& x) {
    Bytes bytes;
    bytes.reserve(static_cast<std::size_t>(x.numel()));
    for (std::int64_t i = 0; i < x.numel(); ++i) bytes.push_back(x.data()[i] != 0);
    return BoolTensor::from_bytes(std::move(bytes), x.shape());
}

}}}  // namespace heed::tensor
