#include "repeat.h"

#include "../../tensor/ops/join.h"
#include "../record.h"
#include "reduce.h"
#include "views.h"

namespace heed { inline namespace HEED_PRECISION {

namespace {
// The number of entries of the axes first, first + 1, ..., last - 1.
std::int64_t entries_of(const Shape& shape, int first, int last) {
    std::int64_t entries = 1;
    for (int axis = first; axis < last; ++axis) entries *= shape[axis];
    return entries;
}

// y has x counts[i] times along axis i.                     G = ∂L/∂y
struct Repeat final : Operation {
    Shape of_x;
    Dims counts;

    Repeat(const Variable& x, const Dims& numbers) : of_x(x.shape()), counts(numbers) {}
    const char* name() const override { return "repeat"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::repeat(in[0], counts, site);
    }

    Variable gradient(int, const Variable& G) const override {
        return reshape(sum_of_copies(G), of_x);  // ∂L/∂x = Σ over the copies of G
    }

    // Axis by axis: along each, the copies are blocks that hold what is left of the axes behind.
    Variable sum_of_copies(const Variable& G) const {
        const int added = counts.size() - of_x.rank();
        Variable total = G;
        for (int i = 0; i < counts.size(); ++i) {
            if (counts[i] == 1) continue;
            const std::int64_t before = i < added ? 1 : entries_of(of_x, 0, i - added);
            const std::int64_t here = i < added ? 1 : of_x[i - added];
            const std::int64_t behind = entries_of(G.shape(), i + 1, G.rank());
            total = sum(reshape(total, {before, counts[i], here * behind}), 1);
        }
        return total;
    }
};
}  // namespace

Variable repeat(const Variable& x, const Dims& counts, CallSite site) {
    return record<Repeat>({&x}, site, x, counts);
}

namespace {
// y[..., k, ...] = x[..., k / copies, ...], rounded down
struct RepeatInterleave final : Operation {
    Shape of_x;
    std::int64_t copies;
    int axis;

    RepeatInterleave(const Variable& x, std::int64_t number, int along)
        : of_x(x.shape()), copies(number), axis(along) {}
    const char* name() const override { return "repeat_interleave"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::repeat_interleave(in[0], copies, axis, site);
    }

    Variable gradient(int, const Variable& G) const override {
        const int behind = (axis < 0 ? axis + of_x.rank() : axis) + 1;
        const std::int64_t entries = entries_of(of_x, 0, behind);
        const std::int64_t each = entries_of(of_x, behind, of_x.rank());
        const Variable by_entry = reshape(G, {entries, copies, each});
        return reshape(sum(by_entry, 1), of_x);  // ∂L/∂x = Σ over the copies of G
    }
};
}  // namespace

Variable repeat_interleave(const Variable& x, std::int64_t copies, int axis, CallSite site) {
    return record<RepeatInterleave>({&x}, site, x, copies, axis);
}

}}  // namespace heed
