#include "replay.h"

#include "../../tensor/errors.h"
#include "../../tensor/views.h"
#include "../grad_mode.h"
#include "../order.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace heed { inline namespace HEED_PRECISION {
namespace {
constexpr std::size_t none = static_cast<std::size_t>(-1);

// The size of the entry, at least the mean size of all entries, so that a 0 has a size too.
double size_of(const Tensor& x, std::int64_t entry) {
    double sum = 0;
    std::int64_t counted = 0;
    const std::vector<Scalar> numbers = x.to_vector();
    for (const Scalar number : numbers) {
        const double size = std::fabs(static_cast<double>(number));
        if (!(size < infinity)) continue;
        sum += size;
        ++counted;
    }
    const double own = std::fabs(static_cast<double>(numbers[static_cast<std::size_t>(entry)]));
    const double size = std::max(own, counted == 0 ? 0 : sum / static_cast<double>(counted));
    return size > 0 && size < infinity ? size : 1;
}

Tensor with_entry(const Tensor& x, std::int64_t entry, Scalar number) {
    Tensor changed = tensor::clone(x);
    changed.writable_data()[entry] = number;
    return changed;
}

struct Difference {
    double slope = 0;
    double rounding = 0;
};

Difference central_difference(const Replay& replay, const Tensor& x, std::int64_t entry,
                              const Tensor& upstream, double h) {
    const double middle = static_cast<double>(x.to_vector()[static_cast<std::size_t>(entry)]);
    const Scalar above = static_cast<Scalar>(middle + h);
    const Scalar below = static_cast<Scalar>(middle - h);
    const double distance = static_cast<double>(above) - static_cast<double>(below);
    const std::vector<Scalar> y_above = replay.value(with_entry(x, entry, above)).to_vector();
    const std::vector<Scalar> y_below = replay.value(with_entry(x, entry, below)).to_vector();
    const std::vector<Scalar> G = upstream.to_vector();
    constexpr double epsilon = static_cast<double>(std::numeric_limits<Scalar>::epsilon());
    double squares = 0;
    Difference found;
    for (std::size_t i = 0; i < G.size(); ++i) {
        const double g = static_cast<double>(G[i]);
        const double y = static_cast<double>(y_above[i]);
        if (std::fabs(y) < infinity) squares += g * y * (g * y);
        if (y_above[i] == y_below[i]) continue;  // also if both are infinite
        found.slope += g * (y - static_cast<double>(y_below[i]));
    }
    found.slope /= distance;
    // The outputs' rounding errors are independent, so they add up like a random walk.
    found.rounding = std::sqrt(squares) * epsilon / h;
    return found;
}

}  // namespace

Replay::Replay(Node& root, const Node& changed) : changed_(changed) {
    const TopologicalOrder order(root);
    std::vector<std::size_t> place(static_cast<std::size_t>(order.size()), none);
    for (std::int64_t position = 0; position < order.size(); ++position) {
        const Node& node = order.node(position);
        const bool is_changed = &node == &changed;
        bool depends = is_changed;
        std::vector<std::size_t> moved;
        for (std::size_t i = 0; i < node.inputs.size() && !is_changed; ++i) {
            const std::int64_t input = order.inputs(position)[i];
            moved.push_back(input < 0 ? none : place[static_cast<std::size_t>(input)]);
            depends = depends || moved.back() != none;
        }
        if (!depends) continue;
        if (!is_changed) check(node);
        place[static_cast<std::size_t>(position)] = between_.size();
        between_.push_back(&node);
        moved_.push_back(std::move(moved));
    }
    reaches_root_ = place.back() != none;
}

void Replay::check(const Node& node) const {
    if (!node.operation) {
        throw std::runtime_error(text("the graph was freed at ", node.description()));
    }
    const Kept* kept = kept_with(node);
    if (!kept || kept->inputs.size() != node.inputs.size()) {
        throw std::runtime_error(text("the inputs of ", node.description(),
                                      " were not kept; put KeepGraph keep; before the "
                                      "computation"));
    }
    for (const KeptInput& input : kept->inputs) {
        if (input.version == input.value.version()) continue;
        throw std::runtime_error(text("a value of shape ", input.value.shape(), ", an input of ",
                                      node.description(), ", has been overwritten since"));
    }
}

Tensor Replay::value(const Tensor& of_changed) const {
    const NoGrad no_grad;
    std::vector<Variable> values;
    values.reserve(between_.size());
    for (std::size_t k = 0; k < between_.size(); ++k) {
        const Node& node = *between_[k];
        if (&node == &changed_) {
            values.push_back(Variable(of_changed));
            continue;
        }
        const std::vector<KeptInput>& kept = kept_with(node)->inputs;
        std::vector<Variable> inputs;
        for (std::size_t i = 0; i < moved_[k].size(); ++i) {
            inputs.push_back(moved_[k][i] == none ? Variable(kept[i].value) : values[moved_[k][i]]);
        }
        values.push_back(Variable(node.operation->forward(inputs, node.site)));
    }
    return values.back().value();
}

MeasuredSlope measured_slope(const Replay& replay, const Tensor& x, std::int64_t entry,
                             const Tensor& upstream) {
    constexpr int thirds_of_digits = (std::numeric_limits<Scalar>::digits + 1) / 3;
    int exponent = 0;
    __builtin_frexp(size_of(x, entry), &exponent);  // size < 2^exponent
    const double h = __builtin_ldexp(1, exponent - thirds_of_digits);
    const Difference near = central_difference(replay, x, entry, upstream, h);
    const Difference far = central_difference(replay, x, entry, upstream, 2 * h);
    // The difference at h has the error h²f‴/6, the one at 2h four times that.
    const double error = near.rounding + std::fabs(far.slope - near.slope) / 3;
    return {near.slope, h, error};
}

}}  // namespace heed
