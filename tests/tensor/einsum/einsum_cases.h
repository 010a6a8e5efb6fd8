// Random contractions with their expected results by the definition: one loop over all axes. Both
// forms of a pattern are written from the same axes, so nothing here parses a pattern.
#pragma once

#include "nn/heed.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace einsum_cases {

using heed::Scalar;
using heed::Shape;
using heed::Tensor;
using Index = std::vector<std::int64_t>;

inline constexpr int num_named = 6;  // axes numbered from here on belong to the ellipsis

struct Case {
    std::string letters;
    std::string names;
    std::vector<std::vector<int>> axes;  // of each operand
    std::vector<int> output;
    Index lengths;
    std::vector<Tensor> operands;

    Shape output_shape() const {
        Index dims;
        for (int axis : output) dims.push_back(lengths[static_cast<std::size_t>(axis)]);
        return Shape(heed::Dims(dims));
    }
};

// The entry of `x` at the current values of the axes; an axis of length 1 is repeated.
inline heed::Dims index_in(const Shape& shape, const std::vector<int>& axes, const Index& now) {
    Index index;
    for (int i = 0; i < shape.rank(); ++i) {
        const std::int64_t at = now[static_cast<std::size_t>(axes[static_cast<std::size_t>(i)])];
        index.push_back(shape[i] == 1 ? 0 : at);
    }
    return heed::Dims(index);
}

// Advances to the next values of the axes, the last one fastest; false after the last.
inline bool advance(Index& now, const Index& lengths) {
    for (std::size_t axis = lengths.size(); axis-- > 0;) {
        if (++now[axis] < lengths[axis]) return true;
        now[axis] = 0;
    }
    return false;
}

inline std::int64_t place(const heed::Dims& index, const Shape& shape) {
    std::int64_t at = 0;
    for (int i = 0; i < shape.rank(); ++i) at = at * shape[i] + index[i];
    return at;
}

// Σ over all axes of the product of the factors, accumulated at the index of `target`: an operand
// (its gradient for the upstream gradient U, which takes the operand's place among the factors) or
// the output (-1).
inline Tensor by_definition(const Case& c, int target = -1, const Tensor& U = Tensor()) {
    const Shape shape =
        target < 0 ? c.output_shape() : c.operands[static_cast<std::size_t>(target)].shape();
    const std::vector<int>& target_axes =
        target < 0 ? c.output : c.axes[static_cast<std::size_t>(target)];
    std::vector<double> total(static_cast<std::size_t>(shape.numel()), 0.0);
    Index now(c.lengths.size(), 0);
    bool more = std::count(c.lengths.begin(), c.lengths.end(), 0) == 0;
    while (more) {
        double product = 1;
        for (std::size_t i = 0; i < c.operands.size(); ++i) {
            if (static_cast<int>(i) == target) continue;
            product *= c.operands[i].at(index_in(c.operands[i].shape(), c.axes[i], now));
        }
        if (target >= 0) product *= U.at(index_in(U.shape(), c.output, now));
        const heed::Dims index = index_in(shape, target_axes, now);
        total[static_cast<std::size_t>(place(index, shape))] += product;
        more = advance(now, c.lengths);
    }
    const std::vector<Scalar> numbers(total.begin(), total.end());
    return heed::tensor::from_vector(numbers, shape);
}

class Generator {
  public:
    explicit Generator(unsigned seed) : engine_(seed) {}

    // Whole numbers, so that every order of summation gives the same result.
    Case next() {
        Case c;
        c.lengths.resize(num_named);
        for (std::int64_t& length : c.lengths) length = below(25) == 0 ? 0 : 1 + below(3);
        const int ellipsis = below(2) == 0 ? 1 + below(2) : 0;
        Index stretch;
        for (int i = 0; i < ellipsis; ++i) stretch.push_back(1 + below(3));
        c.lengths.insert(c.lengths.end(), stretch.size(), 1);

        const int operands = 1 + below(4);
        for (int i = 0; i < operands; ++i) add_operand(c, stretch, i == 0);
        std::vector<int> named;
        for (int axis = 0; axis < num_named; ++axis) {
            const bool used = std::any_of(c.axes.begin(), c.axes.end(), [&](const auto& axes) {
                return std::count(axes.begin(), axes.end(), axis) > 0;
            });
            if (used && below(2) == 0) named.push_back(axis);
            // An axis that no operand has must not count in the loop over all axes.
            if (!used) c.lengths[static_cast<std::size_t>(axis)] = 1;
        }
        shuffle(named);
        add_term(c, named, ellipsis, ellipsis > 0, " -> ");
        c.output = last_axes_;
        return c;
    }

    Tensor whole_numbers(const Shape& shape) {
        std::vector<Scalar> numbers;
        for (std::int64_t i = 0; i < shape.numel(); ++i) {
            numbers.push_back(static_cast<Scalar>(below(7) - 3));
        }
        return heed::tensor::from_vector(numbers, shape);
    }

  private:
    int below(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }

    void shuffle(std::vector<int>& list) {
        for (std::size_t i = list.size(); i > 1; --i) {
            std::swap(list[i - 1], list[static_cast<std::size_t>(below(static_cast<int>(i)))]);
        }
    }

    void add_operand(Case& c, const Index& stretch, bool is_first) {
        std::vector<int> named;
        const int rank = below(5);
        for (int i = 0; i < rank; ++i) named.push_back(below(num_named));
        const int full = static_cast<int>(stretch.size());
        const int count = full == 0 ? 0 : is_first ? full : below(full + 1);
        add_term(c, named, count, full > 0, is_first ? "" : ", ");

        Index dims;
        for (int axis : last_axes_) {
            const std::size_t i = static_cast<std::size_t>(axis);
            if (axis < num_named) {
                dims.push_back(c.lengths[i]);
            } else {
                const std::int64_t length = below(3) == 0 ? 1 : stretch[i - num_named];
                if (length != 1) c.lengths[i] = length;
                dims.push_back(length);
            }
        }
        c.axes.push_back(last_axes_);
        c.operands.push_back(strided(Shape(heed::Dims(dims))));
    }

    // Appends a term in both forms, with the last `count` axes of the ellipsis at a random
    // position.
    void add_term(Case& c, const std::vector<int>& named, int count, bool has_ellipsis,
                  const std::string& separator) {
        static const char* const words[] = {"d_model", "T_q", "k2", "_x", "n_heads", "B_"};
        static const char* const letters[] = {"a", "Z", "k", "b", "m", "Q"};
        c.letters += separator;
        c.names += separator;
        last_axes_.clear();
        const int at = below(static_cast<int>(named.size()) + 1);
        for (int i = 0; i <= static_cast<int>(named.size()); ++i) {
            if (i == at && has_ellipsis) {
                c.letters += "...";
                c.names += below(2) == 0 ? "... " : "...";
                const int end = static_cast<int>(c.lengths.size());
                for (int axis = end - count; axis < end; ++axis) last_axes_.push_back(axis);
            }
            if (i == static_cast<int>(named.size())) break;
            const int axis = named[static_cast<std::size_t>(i)];
            c.letters += letters[axis];
            c.names += std::string(words[axis]) + ' ';
            last_axes_.push_back(axis);
        }
    }

    // Half of the tensors have their axes in reverse order in memory.
    Tensor strided(const Shape& shape) {
        if (below(2) == 0) return whole_numbers(shape);
        Index reversed_dims, reversed_order;
        for (int i = shape.rank(); i-- > 0;) {
            reversed_dims.push_back(shape[i]);
            reversed_order.push_back(i);
        }
        const Tensor reversed = whole_numbers(Shape(heed::Dims(reversed_dims)));
        return heed::tensor::permute(reversed, reversed_order);
    }

    std::mt19937 engine_;
    std::vector<int> last_axes_;
};

}  // namespace einsum_cases
