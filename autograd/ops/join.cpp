#include "join.h"

#include "../../tensor/ops/join.h"
#include "../record.h"
#include "reduce.h"
#include "views.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
std::vector<Tensor> values_of(const OperationInputs& parts) {
    std::vector<Tensor> values;
    for (int i = 0; i < parts.size(); ++i) values.push_back(parts[i]);
    return values;
}

// Where each part begins along the axis, and the end of the last.
std::vector<std::int64_t> beginnings(const std::vector<Variable>& parts, int axis) {
    std::vector<std::int64_t> starts = {0};
    for (const Variable& part : parts) {
        const bool has_axis = axis >= -part.rank() && axis < part.rank();  // forward() says if not
        std::int64_t next = 0;
        if (!__builtin_add_overflow(starts.back(), has_axis ? part.dim(axis) : 0, &next)) {
            starts.push_back(next);
        }
    }
    return starts;
}

// y = the parts one after the other along an axis            G = ∂L/∂y
struct Concatenate final : Operation {
    int axis;
    std::vector<std::int64_t> starts;

    Concatenate(const std::vector<Variable>& parts, int along)
        : axis(along), starts(beginnings(parts, along)) {}
    const char* name() const override { return "concatenate"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::concatenate(values_of(in), axis, site);
    }

    Variable gradient(int input, const Variable& G) const override {
        const std::size_t i = static_cast<std::size_t>(input);
        return slice(G, axis, starts[i], starts[i + 1]);  // ∂L/∂xᵢ = the slice of G where xᵢ is
    }
};
}  // namespace

Variable concatenate(const std::vector<Variable>& parts, int axis, CallSite site) {
    return record<Concatenate>(parts, site, parts, axis);
}

namespace {
// y = the parts side by side along a new axis
struct Stack final : Operation {
    int axis;

    explicit Stack(int along) : axis(along) {}
    const char* name() const override { return "stack"; }
    Tensor forward(const Inputs& in, const CallSite& site) const override {
        return tensor::stack(values_of(in), axis, site);
    }

    Variable gradient(int input, const Variable& G) const override {
        return select(G, axis, input);  // ∂L/∂xᵢ = G[..., i, ...]
    }
};
}  // namespace

Variable stack(const std::vector<Variable>& parts, int axis, CallSite site) {
    return record<Stack>(parts, site, axis);
}

namespace {
// Consecutive slices of x with the lengths of `pieces`.
std::vector<Variable> slices(const Variable& x, const std::vector<Tensor>& pieces, int axis,
                             const CallSite& site) {
    std::vector<Variable> result;
    std::int64_t start = 0;
    for (const Tensor& piece : pieces) {
        const std::int64_t stop = start + piece.dim(axis);
        result.push_back(slice(x, axis, start, stop, 1, site));
        start = stop;
    }
    return result;
}
}  // namespace

std::vector<Variable> split(const Variable& x, std::int64_t length, int axis, CallSite site) {
    const std::vector<Tensor> pieces = tensor::split(x.value(), length, axis, site);
    return slices(x, pieces, axis, site);
}

std::vector<Variable> chunk(const Variable& x, std::int64_t parts, int axis, CallSite site) {
    const std::vector<Tensor> pieces = tensor::chunk(x.value(), parts, axis, site);
    return slices(x, pieces, axis, site);
}

std::vector<Variable> split_sizes(const Variable& x, const std::vector<std::int64_t>& lengths,
                                  int axis, CallSite site) {
    const std::vector<Tensor> pieces = tensor::split_sizes(x.value(), lengths, axis, site);
    return slices(x, pieces, axis, site);
}

std::vector<Variable> unbind(const Variable& x, int axis, CallSite site) {
    const int cut = normalized_axis(axis, x.rank(), "unbind", site);
    std::vector<Variable> entries;
    for (std::int64_t i = 0; i < x.shape()[cut]; ++i) entries.push_back(select(x, cut, i, site));
    return entries;
}

namespace {
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
