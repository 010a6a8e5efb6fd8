// The plan and the arithmetic of einsum, for tensors and variables: T is Tensor or Variable.
// Calls of permute, matmul, sum and so on are unqualified: for a Tensor they resolve to the
// functions of this namespace, for a Variable to the recorded ones, by argument-dependent lookup.
#pragma once

#include "../ops/arithmetic.h"
#include "../ops/matmul.h"
#include "../ops/reduce.h"
#include "../views.h"
#include "pattern.h"

#include <algorithm>
#include <vector>

namespace heed { inline namespace HEED_PRECISION { namespace tensor {

using Axes = std::vector<int>;

// The plan for operands of known shapes: every axis gets a number and a length.
struct EinsumPlan {
    // An axis of length 1 that an ellipsis broadcasts. It is dropped, as broadcasting restores it.
    static constexpr int stretched = -1;

    std::vector<Axes> operands;  // the axis numbers of each operand
    Axes output;
    // For each axis number, its length and the first and last operand that has it. The output
    // counts as one more operand after the last.
    std::vector<std::int64_t> lengths;
    std::vector<int> first_use;
    std::vector<int> last_use;
};

// Errors: as for einsum.
EinsumPlan plan_einsum(const PatternView& pattern, const std::vector<Shape>& shapes);

template <class T>
class Contraction {
  public:
    Contraction(const EinsumPlan& plan, const CallSite& site) : plan_(plan), site_(site) {}

    T of(const std::vector<T>& operands) const {
        Factor result = prepared(operands[0], 0);
        for (int i = 1; i < static_cast<int>(operands.size()); ++i) {
            const Factor next = prepared(operands[static_cast<std::size_t>(i)], i);
            result = product(result, next, i);
        }
        const T ordered = reordered(result, plan_.output);
        return shaped(ordered, lengths_of(plan_.output));
    }

  private:
    // A value and its axes. The entries are in row-major order of the axes. The shape has their
    // lengths, or several of them merged, since a tensor has at most eight axes.
    struct Factor {
        T value;
        Axes axes;
    };

    // The operand with each axis once, summed over axes that occur nowhere else.
    Factor prepared(const T& operand, int i) const {
        Factor factor{operand, plan_.operands[static_cast<std::size_t>(i)]};
        factor = without_stretched(factor);
        while (first_repeated(factor.axes) < static_cast<int>(factor.axes.size())) {
            factor = diagonal(factor);
        }
        return summed_alone(factor);
    }

    Factor without_stretched(const Factor& factor) const {
        Axes axes;
        for (const int axis : factor.axes) {
            if (axis != EinsumPlan::stretched) axes.push_back(axis);
        }
        const T value = shaped(factor.value, lengths_of(axes));
        return {value, axes};
    }

    // The number of axes if none is repeated.
    static int first_repeated(const Axes& axes) {
        int i = 0;
        while (i < static_cast<int>(axes.size()) && count(axes, axes[index(i)]) == 1) ++i;
        return i;
    }

    // With both occurrences of the repeated axis moved last and merged, [..., n·n], the diagonal is
    // every (n + 1)th entry: entries off it are not read, and their gradient is exactly 0.
    Factor diagonal(const Factor& factor) const {
        const int first = first_repeated(factor.axes);
        const int axis = factor.axes[index(first)];
        int second = first + 1;
        while (factor.axes[index(second)] != axis) ++second;

        std::vector<std::int64_t> order;
        Axes rest;
        for (int i = 0; i < static_cast<int>(factor.axes.size()); ++i) {
            if (i == first || i == second) continue;
            order.push_back(i);
            rest.push_back(factor.axes[index(i)]);
        }
        order.push_back(first);
        order.push_back(second);
        const T squares = permute(factor.value, order, site_);

        const std::int64_t n = length(axis);
        std::vector<std::int64_t> merged = lengths_of(rest);
        merged.push_back(n * n);
        const T rows = reshape(squares, merged, site_);
        const T entries = slice(rows, -1, 0, to_the_end, n + 1, site_);
        rest.push_back(axis);
        return {entries, rest};
    }

    Factor summed_alone(const Factor& factor) const {
        std::vector<std::int64_t> alone;
        Axes rest;
        for (int i = 0; i < static_cast<int>(factor.axes.size()); ++i) {
            const int axis = factor.axes[index(i)];
            const bool used_once = plan_.first_use[index(axis)] == plan_.last_use[index(axis)];
            if (used_once) alone.push_back(i);
            if (!used_once) rest.push_back(axis);
        }
        if (alone.empty()) return factor;
        return {sum(factor.value, alone, KeepDim::no, site_), rest};
    }

    // a times b, which is operand i. Of the axes that both have, those needed later or in the
    // output are batch axes, the others are contracted:
    //   [batch, left, contracted] × [batch, contracted, right] -> [batch, left, right]
    Factor product(const Factor& a, const Factor& b, int i) const {
        Axes batch, left, right, contracted;
        for (const int axis : a.axes) {
            if (count(b.axes, axis) == 0) {
                left.push_back(axis);
            } else if (plan_.last_use[index(axis)] > i) {
                batch.push_back(axis);
            } else {
                contracted.push_back(axis);
            }
        }
        for (const int axis : b.axes) {
            if (count(a.axes, axis) == 0) right.push_back(axis);
        }

        const Axes axes = joined({batch, left, right});
        const T value = contracted.empty() ? outer_product(a, b, batch, left, right)
                                           : matrix_product(a, b, batch, left, contracted, right);
        const bool fits = axes.size() <= max_rank;
        const T unmerged = fits ? shaped(value, lengths_of(axes)) : value;
        return {unmerged, axes};
    }

    T matrix_product(const Factor& a, const Factor& b, const Axes& batch, const Axes& left,
                     const Axes& contracted, const Axes& right) const {
        if (batch.empty()) {
            const T A = merged(a, {left, contracted});
            const T B = merged(b, {contracted, right});
            return matmul(A, B, site_);
        }
        const T A = merged(a, {batch, left, contracted});
        const T B = merged(b, {batch, contracted, right});
        return matmul(A, B, site_);
    }

    // With nothing to sum: [batch, left, 1] ⊙ [batch, 1, right], omitting left or right if empty.
    T outer_product(const Factor& a, const Factor& b, const Axes& batch, const Axes& left,
                    const Axes& right) const {
        std::vector<Axes> groups_a{batch};
        std::vector<Axes> groups_b{batch};
        if (!left.empty()) {
            groups_a.push_back(left);
            groups_b.push_back({});
        }
        if (!right.empty()) {
            groups_a.push_back({});
            groups_b.push_back(right);
        }
        const T A = merged(a, groups_a);
        const T B = merged(b, groups_b);
        return multiply(A, B, site_);
    }

    // The value with its axes in the order of the groups, each group merged into one axis; an empty
    // group has length 1.
    T merged(const Factor& factor, const std::vector<Axes>& groups) const {
        const T ordered = reordered(factor, joined(groups));
        std::vector<std::int64_t> dims;
        for (const Axes& group : groups) dims.push_back(size(group, 0, group.size()));
        return shaped(ordered, dims);
    }

    T reordered(const Factor& factor, const Axes& order) const {
        if (factor.axes == order) return factor.value;
        if (order.size() > max_rank) return reordered_step_by_step(factor, order);
        std::vector<std::int64_t> positions;
        for (const int axis : order) {
            positions.push_back(std::find(factor.axes.begin(), factor.axes.end(), axis) -
                                factor.axes.begin());
        }
        const T unmerged = shaped(factor.value, lengths_of(factor.axes));
        return permute(unmerged, positions, site_);
    }

    // For more axes than a tensor can have: moves one axis at a time to its position, with the
    // others merged.
    //   [before, between, axis, after] -> [before, axis, between, after]
    T reordered_step_by_step(const Factor& factor, const Axes& order) const {
        T value = factor.value;
        Axes axes = factor.axes;
        for (std::size_t to = 0; to < order.size(); ++to) {
            const auto found = std::find(axes.begin(), axes.end(), order[to]);
            const std::size_t from = static_cast<std::size_t>(found - axes.begin());
            if (from == to) continue;
            const std::int64_t before = size(axes, 0, to);
            const std::int64_t between = size(axes, to, from);
            const std::int64_t after = size(axes, from + 1, axes.size());
            value = shaped(value, {before, between, length(order[to]), after});
            value = permute(value, {0, 2, 1, 3}, site_);
            std::rotate(axes.begin() + static_cast<std::ptrdiff_t>(to), found, found + 1);
        }
        return value;
    }

    T shaped(const T& x, const std::vector<std::int64_t>& dims) const {
        const Shape shape(Dims(dims, site_), site_);
        if (x.shape() == shape) return x;
        return reshape(x, shape, site_);
    }

    static std::size_t index(int i) { return static_cast<std::size_t>(i); }
    static std::ptrdiff_t count(const Axes& axes, int axis) {
        return std::count(axes.begin(), axes.end(), axis);
    }
    static Axes joined(const std::vector<Axes>& groups) {
        Axes all;
        for (const Axes& group : groups) all.insert(all.end(), group.begin(), group.end());
        return all;
    }

    std::int64_t length(int axis) const { return plan_.lengths[index(axis)]; }
    std::vector<std::int64_t> lengths_of(const Axes& axes) const {
        std::vector<std::int64_t> lengths;
        for (const int axis : axes) lengths.push_back(length(axis));
        return lengths;
    }
    // The number of entries of the axes from `begin` to `end` together.
    std::int64_t size(const Axes& axes, std::size_t begin, std::size_t end) const {
        std::int64_t product = 1;
        for (std::size_t i = begin; i < end; ++i) product *= length(axes[i]);
        return product;
    }

    const EinsumPlan& plan_;
    const CallSite& site_;
};

template <class T>
T einsum_of(const PatternView& pattern, const std::vector<T>& operands) {
    std::vector<Shape> shapes;
    for (const T& operand : operands) shapes.push_back(operand.shape());
    const EinsumPlan plan = plan_einsum(pattern, shapes);
    return Contraction<T>(plan, pattern.site).of(operands);
}

}}}  // namespace heed::tensor
