// The comparisons that a diagnosis is made of.
#pragma once

#include "../../tensor/errors.h"
#include "diagnosis.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <optional>

namespace heed { inline namespace HEED_PRECISION {

inline bool is_finite(double x) { return x - x == 0; }

// The row-major distance between neighbours along `axis`.
inline std::int64_t step_along(const Shape& shape, int axis) {
    return entries_of(shape, axis + 1, shape.rank());
}

// Whether x is near an integer that is small enough to be evidence.
inline bool is_whole(double x) {
    return x > 0.5 && x < 1e4 && std::fabs(x - std::floor(x + 0.5)) <= 1e-5;
}

inline bool is_axis_length(double n, const Evidence& evidence) {
    for (const std::vector<Shape>* shapes : {&evidence.input_shapes, &evidence.output_shapes}) {
        for (const Shape& shape : *shapes) {
            if (std::any_of(shape.begin(), shape.end(), [n](std::int64_t length) {
                    return std::fabs(static_cast<double>(length) - n) < 1e-6 * n;
                })) {
                return true;
            }
        }
    }
    return false;
}

class GradientPattern {
  public:
    explicit GradientPattern(const Evidence& evidence) : evidence_(evidence) {}

    const Evidence& evidence() const { return evidence_; }
    const Numbers& received() const { return of_input(evidence_.received); }
    const Numbers& expected() const { return of_input(evidence_.expected); }
    const Shape& shape() const {
        return evidence_.input_shapes[static_cast<std::size_t>(evidence_.input)];
    }

    bool received_is(const Numbers& candidate) const {
        const Numbers& numbers = received();
        if (candidate.size() != numbers.size()) return false;
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            if (!close(numbers[i], candidate[i])) return false;
        }
        return true;
    }

    bool received_is_multiple(double factor) const {
        Numbers multiple = expected();
        for (double& number : multiple) number *= factor;
        return received_is(multiple);
    }

    // Is it, entry by entry, a constant times the upstream gradient times `values`, which differ?
    bool received_is_upstream_times(const Numbers& values) const {
        const Numbers& upstream = evidence_.upstream;
        if (values.size() < 3 || values.size() != upstream.size()) return false;
        if (values.size() != received().size()) return false;
        const auto [least, most] = std::minmax_element(values.begin(), values.end());
        if (*least == *most) return false;
        Numbers product;
        std::size_t largest = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            product.push_back(upstream[i] * values[i]);
            if (std::fabs(product[i]) > std::fabs(product[largest])) largest = i;
        }
        if (product[largest] == 0 || received()[largest] == 0) return false;
        const double factor = received()[largest] / product[largest];
        for (double& number : product) number *= factor;
        return received_is(product);
    }

    // The number c with received = c·expected, other than 1. Empty if there is none, or if only one
    // entry supports it and neither c² nor 1/c² is a whole number.
    std::optional<double> factor() const {
        const Numbers& right = expected();
        const Numbers& numbers = received();
        std::size_t largest = 0;
        std::size_t entries = 0;
        for (std::size_t i = 0; i < right.size(); ++i) {
            if (std::fabs(right[i]) > std::fabs(right[largest])) largest = i;
            if (std::fabs(right[i]) > 1e-3) ++entries;
        }
        if (entries == 0) return {};
        const double found = numbers[largest] / right[largest];
        if (std::fabs(found - 1) < 1e-4 || !received_is_multiple(found)) return {};
        const double squared = found * found;
        const bool telling = is_whole(squared) || is_whole(1 / squared);
        return entries > 1 || telling ? std::optional<double>(found) : std::nullopt;
    }

    std::int64_t count_not_finite(const Numbers& numbers) const {
        return std::count_if(numbers.begin(), numbers.end(),
                             [](double x) { return !is_finite(x); });
    }

    std::int64_t count_right() const {
        std::int64_t right = 0;
        for (std::size_t i = 0; i < received().size(); ++i) {
            if (close(received()[i], expected()[i])) ++right;
        }
        return right;
    }

    bool is_zero_where_wrong() const {
        for (std::size_t i = 0; i < received().size(); ++i) {
            if (!close(received()[i], expected()[i]) && !close(received()[i], 0)) return false;
        }
        return true;
    }

    // These need the Jacobian and return nothing without it.
    // for another upstream gradient
    Numbers expected_for(const Numbers& upstream) const {
        Numbers gradient;
        for (const Numbers& outputs : evidence_.jacobian) {
            double sum = 0;
            for (std::size_t o = 0; o < outputs.size(); ++o) sum += upstream[o] * outputs[o];
            gradient.push_back(sum);
        }
        return gradient;
    }

    // d(output entry i)/d(input entry i), if both have the same size
    Numbers diagonal() const {
        Numbers gradient;
        if (evidence_.upstream.size() != received().size()) return gradient;
        for (std::size_t i = 0; i < evidence_.jacobian.size(); ++i) {
            gradient.push_back(evidence_.upstream[i] * evidence_.jacobian[i][i]);
        }
        return gradient;
    }

    // The index along an output axis whose slice alone gives the received gradient, or -1.
    std::int64_t only_slice(int axis) const {
        const std::vector<Numbers> parts = slices(axis);
        for (std::size_t k = 0; k < parts.size(); ++k) {
            if (received_is(parts[k])) return static_cast<std::int64_t>(k);
        }
        return -1;
    }

    // The same, but each wrong entry may have its own index.
    bool only_one_slice_each(int axis) const {
        const std::vector<Numbers> parts = slices(axis);
        if (parts.empty() || parts[0].size() != received().size()) return false;
        for (std::size_t i = 0; i < received().size(); ++i) {
            const double number = received()[i];
            if (close(number, expected()[i])) continue;
            const bool found = std::any_of(parts.begin(), parts.end(), [&](const Numbers& part) {
                return close(number, part[i]) && !close(number, 0);
            });
            if (!found) return false;
        }
        return true;
    }

    // does the input broadcast to the only output, of another shape?
    bool is_broadcast() const {
        if (evidence_.output_shapes.size() != 1) return false;
        const Shape& output = evidence_.output_shapes.front();
        return !(shape() == output) && broadcasts_to(shape(), output);
    }

    bool is_broadcast_along(int output_axis) const {
        const Shape& output = evidence_.output_shapes.front();
        const int axis = output_axis - (output.rank() - shape().rank());
        return output[output_axis] > 1 && (axis < 0 || shape()[axis] == 1);
    }

  private:
    const Numbers& of_input(const std::vector<Numbers>& all) const {
        return all[static_cast<std::size_t>(evidence_.input)];
    }

    // Wider than the tolerance of the check: the candidate is only as accurate as the differences.
    bool close(double received, double candidate) const {
        return is_right(received, candidate, 10 * evidence_.absolute, 10 * evidence_.relative);
    }

    // slices[k][e]: what the output entries with index k along `axis` contribute to input entry e.
    std::vector<Numbers> slices(int axis) const {
        const Shape& output = evidence_.output_shapes.front();
        const std::size_t length = static_cast<std::size_t>(output[axis]);
        const std::size_t step = static_cast<std::size_t>(step_along(output, axis));
        const std::size_t inputs = evidence_.jacobian.size();
        std::vector<Numbers> slices(length, Numbers(inputs, 0.0));
        for (std::size_t i = 0; i < inputs; ++i) {
            const Numbers& outputs = evidence_.jacobian[i];
            for (std::size_t o = 0; o < outputs.size(); ++o) {
                slices[o / step % length][i] += evidence_.upstream[o] * outputs[o];
            }
        }
        return slices;
    }

    const Evidence& evidence_;
};

// The row-major entries of a tensor of this shape, reordered as if axes a and b were exchanged.
inline Numbers exchanged(const Numbers& numbers, const Shape& shape, int a, int b) {
    const Shape turned = shape.with(a, shape[b]).with(b, shape[a]);
    Numbers result;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const Dims index = unravelled(static_cast<std::int64_t>(i), turned);
        std::int64_t from = 0;
        for (int axis = 0; axis < shape.rank(); ++axis) {
            const int source = axis == a ? b : axis == b ? a : axis;
            from += index[axis] * step_along(shape, source);
        }
        result.push_back(numbers[static_cast<std::size_t>(from)]);
    }
    return result;
}

// "0.25 = 1/4", "1.732050808 = √3, the root of an axis length"
inline std::string factor_in_words(double factor, const Evidence& evidence) {
    const double size = std::fabs(factor);
    const char* const minus = factor < 0 ? "-" : "";
    const double n = size >= 1 ? size : 1 / size;
    const char* const over = size >= 1 ? "" : "1/";
    const std::string number = text(std::setprecision(10), factor);
    std::string words = number;
    double length = n * n;
    if (is_whole(n)) {
        if (size < 1) words += text(" = ", minus, over, n);
        if (is_axis_length(n, evidence)) length = n;
        if (length > n && is_axis_length(length, evidence)) {
            words += text(" = ", minus, over, "√", length);
        }
    } else if (is_whole(length)) {
        words += text(" = ", minus, over, "√", length);
    } else if (is_whole(1 / (n - 1))) {
        const double m = std::floor(1 / (n - 1) + 0.5);
        words += size >= 1 ? text(" = ", minus, m + 1, "/", m) : text(" = ", minus, m, "/", m + 1);
    }
    if (is_axis_length(length, evidence)) words += text(" (", length, " is the length of an axis)");
    return words;
}

}}  // namespace heed
