// IndexTensor: construction from lists, reading entries, and reshaping.
#include "index_tensor.h"

#include "errors.h"
#include "room.h"
#include "views.h"

#include <algorithm>

namespace heed { inline namespace HEED_PRECISION {
namespace {
std::int64_t count_of(const std::vector<std::int64_t>& numbers) {
    return static_cast<std::int64_t>(numbers.size());
}

void check_entries(std::initializer_list<IndexTensor::Entry> entries, const CallSite& site) {
    const IndexTensor::Entry& first = *entries.begin();
    int i = 0;
    for (const IndexTensor::Entry& entry : entries) {
        if (entry.is_row != first.is_row) {
            fail_shape("IndexTensor", site, "entry ", i, " is ",
                       entry.is_row ? "a row" : "a number", ", but those before it are ",
                       first.is_row ? "rows" : "numbers", "; a list holds one or the other");
        }
        if (entry.numbers.size() != first.numbers.size()) {
            fail_shape("IndexTensor", site, "row ", i, " has ", entry.numbers.size(),
                       " numbers, but those before it have ", first.numbers.size(),
                       "; all rows must have the same length");
        }
        ++i;
    }
}

std::vector<std::int64_t> joined(std::initializer_list<IndexTensor::Entry> entries) {
    std::vector<std::int64_t> numbers;
    for (const IndexTensor::Entry& entry : entries) {
        numbers.insert(numbers.end(), entry.numbers.begin(), entry.numbers.end());
    }
    return numbers;
}

Shape shape_of(std::initializer_list<IndexTensor::Entry> entries, const CallSite& site) {
    if (entries.size() == 0) return Shape{0};
    check_entries(entries, site);
    const std::int64_t rows = static_cast<std::int64_t>(entries.size());
    const IndexTensor::Entry& first = *entries.begin();
    return first.is_row ? Shape{rows, count_of(first.numbers)} : Shape{rows};
}

}  // namespace

IndexTensor::IndexTensor(std::initializer_list<Entry> entries, CallSite site)
    : IndexTensor(joined(entries), shape_of(entries, site), site) {}

IndexTensor::IndexTensor(const std::vector<std::int64_t>& numbers, CallSite site)
    : IndexTensor(numbers, Shape({count_of(numbers)}, site), site) {}

IndexTensor::IndexTensor(const std::vector<std::int64_t>& numbers, const Shape& shape,
                         CallSite site)
    : shape_(shape) {
    if (count_of(numbers) != shape.numel()) {
        fail_shape("IndexTensor", site, numbers.size(), " numbers were given, but shape ", shape,
                   " needs ", shape.numel());
    }
    numbers_ = std::make_shared<const std::vector<std::int64_t>>(numbers);
}

IndexTensor IndexTensor::arange(std::int64_t end, CallSite site) {
    check_at_least("IndexTensor::arange", "the end", end, 0, site);
    const Shape shape({end}, site);
    std::vector<std::int64_t> numbers = room_for<std::int64_t>("IndexTensor::arange", shape, site);
    for (std::int64_t i = 0; i < end; ++i) numbers.push_back(i);
    return IndexTensor(numbers, site);
}

std::int64_t IndexTensor::at(const Dims& index, CallSite site) const {
    return data()[checked_offset(index, shape_, contiguous_strides(shape_), "at", site)];
}

std::int64_t IndexTensor::item(CallSite site) const {
    if (numel() != 1) {
        fail_shape("item", site, "shape ", shape_, " holds ", numel(),
                   " numbers; item() is for an IndexTensor of exactly one");
    }
    return *data();
}

IndexTensor IndexTensor::reshape(const Dims& dims, CallSite site) const {
    IndexTensor reshaped = *this;
    reshaped.shape_ = tensor::resolved_shape(shape_, dims, "reshape", site);
    return reshaped;
}

IndexTensor IndexTensor::select(std::int64_t i, CallSite site) const {
    normalized_axis(0, rank(), "select", site);
    const Shape rest = shape_.without(0);
    const std::int64_t row =
        checked_offset({i}, Shape{shape_[0]}, Dims{std::int64_t{1}}, "select", site);
    const std::int64_t* first = data() + row * rest.numel();
    return IndexTensor(std::vector<std::int64_t>(first, first + rest.numel()), rest, site);
}

}}  // namespace heed
