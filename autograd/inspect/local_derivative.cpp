#include "local_derivative.h"

#include "../../tensor/errors.h"
#include "../../tensor/factories.h"
#include "../grad.h"
#include "../grad_mode.h"
#include "../ops/reduce.h"
#include "../ops/views.h"
#include "anomaly.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <numeric>

namespace heed { inline namespace HEED_PRECISION {

namespace {

// Receives the operation's gradient for one of its inputs.
class OneGradient final : public Gradients {
  public:
    OneGradient(const Node& node, int input) : node_(node), input_(input) {}

    int inputs() const override { return static_cast<int>(node_.inputs.size()); }
    bool needed(int input) const override { return input == input_; }
    using Gradients::set;
    void set(int input, const Variable& gradient) override {
        if (input == input_) found_ = gradient;
    }
    const std::optional<Variable>& found() const { return found_; }

  private:
    const Node& node_;
    int input_;
    std::optional<Variable> found_;
};

// The operation's gradient at x[entry], as a scalar. Empty if it sets none.
std::optional<Variable> given_to(const Node& by, int input, std::int64_t entry, const Variable& U) {
    OneGradient to(by, input);
    by.operation->gradients(U, to);
    if (!to.found()) return std::nullopt;
    const Shape& shape = by.inputs[static_cast<std::size_t>(input)].shape;
    const Variable gradient = sum_to(*to.found(), shape);
    return select(reshape(gradient, {-1}), 0, entry);
}

double size_of(Scalar x) { return std::fabs(static_cast<double>(x)); }

// Do the terms add up to `given`, up to rounding?
bool adds_up(const Tensor& G, const Tensor& local, Scalar given) {
    constexpr double tolerance = sizeof(Scalar) == 4 ? 1e-4 : 1e-11;
    const std::vector<Scalar> upstream = G.to_vector();
    const std::vector<Scalar> of_output = local.to_vector();
    double sum = 0;
    double sizes = size_of(given);
    for (std::size_t k = 0; k < upstream.size(); ++k) {
        if (upstream[k] == 0) continue;
        sizes += 1e-3 * size_of(upstream[k]);  // a slope of 0 may have come out as noise
        const double term = static_cast<double>(upstream[k]) * static_cast<double>(of_output[k]);
        sum += term;
        sizes += std::fabs(term);
    }
    return std::fabs(sum - static_cast<double>(given)) <= tolerance * sizes;
}

std::optional<Tensor> by_differentiating(const Node& by, int input, std::int64_t entry,
                                         const Tensor& G) {
    const GradMode recording(true);
    const Variable U(tensor::clone(G), requires_grad);
    const std::optional<Variable> given = given_to(by, input, entry, U);
    if (!given || !given->requires_grad()) return std::nullopt;
    return grad(*given, U).value();
}

}  // namespace

LocalDerivative local_derivative_by_units(const Node& by, int input, std::int64_t entry,
                                          const Tensor& G, std::int64_t most_calls) {
    const NoGrad no_grad;
    const DetectAnomaly off(false);
    const std::vector<Scalar> upstream = G.to_vector();
    std::vector<std::size_t> order(upstream.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&upstream](std::size_t a, std::size_t b) {
        return size_of(upstream[a]) > size_of(upstream[b]);
    });
    LocalDerivative local;
    if (static_cast<std::int64_t>(order.size()) > most_calls) {
        local.remark =
            text("only for the ", most_calls, " largest of ", order.size(), " upstream gradients");
        order.resize(static_cast<std::size_t>(most_calls));
    }
    Tensor found = tensor::zeros(G.shape());
    for (const std::size_t k : order) {
        Tensor unit = tensor::zeros(G.shape());
        unit.writable_data()[k] = 1;
        const std::optional<Variable> given = given_to(by, input, entry, Variable(unit));
        if (given) found.writable_data()[k] = given->item();
    }
    local.of_output = found;
    return local;
}

LocalDerivative local_derivative(const Node& by, int input, std::int64_t entry, const Tensor& G,
                                 Scalar given, std::int64_t most_calls) {
    const DetectAnomaly off(false);
    try {
        const std::optional<Tensor> local = by_differentiating(by, input, entry, G);
        if (local && adds_up(G, *local, given)) return {*local, ""};
        return local_derivative_by_units(by, input, entry, G, most_calls);
    } catch (const std::exception& error) {
        return {std::nullopt, error.what()};
    }
}

}}  // namespace heed
