#include "recurrent_layers.h"

#include "../../tensor/errors.h"
#include "../argument_checks.h"

#include <cmath>

namespace heed { inline namespace HEED_PRECISION {
namespace {
Variable affine(const Variable& x, const Parameter& weight, const Parameter& bias) {
    return bias.is_set() ? linear(x, weight, bias) : matmul(x, transpose(weight));
}

std::vector<RecurrentWeights> drawn_weights(const char* layer, std::int64_t gates, std::int64_t in,
                                            std::int64_t hidden, const RecurrentOptions& options,
                                            Random& random, const CallSite& site) {
    check_number_of(layer, "num_layers", options.num_layers, site);
    check_dropout(options.dropout, site);
    const std::int64_t directions = options.bidirectional ? 2 : 1;
    std::vector<RecurrentWeights> weights;
    for (std::int64_t i = 0; i < options.num_layers; ++i) {
        const std::int64_t layer_in = i == 0 ? in : directions * hidden;
        for (std::int64_t d = 0; d < directions; ++d) {
            weights.emplace_back(layer, gates, layer_in, hidden, options.bias, random, site);
        }
    }
    return weights;
}

}  // namespace

RecurrentWeights::RecurrentWeights(const char* layer, std::int64_t gates, std::int64_t in,
                                   std::int64_t hidden, bool bias, Random& random, CallSite site) {
    check_sizes(layer, {{"in", in}, {"hidden", hidden}}, site);
    std::int64_t rows = 0;
    if (__builtin_mul_overflow(gates, hidden, &rows)) {
        fail_argument(layer, site, "hidden is ", hidden, "; ", gates,
                      " gates of that size do not fit in 64 bits");
    }
    const double bound = 1 / std::sqrt(static_cast<double>(hidden));
    const auto drawn = [&](const Dims& shape, const char* name) {
        return Parameter(tensor::uniform(Shape(shape, site), random, -bound, bound, site), name);
    };
    weight_ih = drawn({rows, in}, "weight_ih");
    weight_hh = drawn({rows, hidden}, "weight_hh");
    if (!bias) return;
    bias_ih = drawn({rows}, "bias_ih");
    bias_hh = drawn({rows}, "bias_hh");
}

Variable RecurrentWeights::of_input(const Variable& x) const {
    return affine(x, weight_ih, bias_ih);
}

Variable RecurrentWeights::of_state(const Variable& h) const {
    return affine(h, weight_hh, bias_hh);
}

void RecurrentWeights::visit_as(const std::string& suffix, MemberVisitor& visit) {
    visit("weight_ih" + suffix, weight_ih);
    visit("weight_hh" + suffix, weight_hh);
    if (!bias_ih.is_set()) return;
    visit("bias_ih" + suffix, bias_ih);
    visit("bias_hh" + suffix, bias_hh);
}

std::string RecurrentCell::details() const { return text(weights.in(), ", ", weights.hidden()); }

void RecurrentCell::check_step(const char* layer, const Variable& x, const char* part,
                               const Variable& state, const CallSite& site) const {
    if (x.rank() < 1 || x.dim(-1) != weights.in()) {
        fail_shape(layer, site, "x has shape ", x.shape(), "; it must be [..., ", weights.in(),
                   "]");
    }
    const Shape expected = x.shape().without_last(1).followed_by(weights.hidden(), site);
    if (state.shape() == expected) return;
    fail_shape(layer, site, part, " has shape ", state.shape(), "; for this x it must be ",
               expected);
}

void check_weights(const char* layer, std::int64_t gates, const RecurrentWeights& weights,
                   const CallSite& site) {
    check_parameter(layer, "weight_hh", weights.weight_hh, 2, site);
    check_parameter(layer, "weight_ih", weights.weight_ih, 2, site);
    const std::int64_t hidden = weights.hidden(), rows = weights.weight_hh.dim(0);
    if (rows / gates != hidden || rows % gates != 0) {
        fail_shape(layer, site, "the parameter 'weight_hh' has shape ", weights.weight_hh.shape(),
                   "; it must be [", gates, "·hidden, hidden]");
    }
    check_parameter(layer, "weight_ih", weights.weight_ih, Shape{rows, weights.in()}, site);
    if (!weights.bias_ih.is_set() && !weights.bias_hh.is_set()) return;
    check_parameter(layer, "bias_ih", weights.bias_ih, Shape{rows}, site);
    check_parameter(layer, "bias_hh", weights.bias_hh, Shape{rows}, site);
}

RecurrentLayers::RecurrentLayers(const char* layer, std::int64_t gates, std::int64_t in,
                                 std::int64_t hidden, const RecurrentOptions& options,
                                 Random& random, const CallSite& site)
    : weights(drawn_weights(layer, gates, in, hidden, options, random, site)),
      dropout(options.dropout, random, site), directions_(options.bidirectional ? 2 : 1) {}

void RecurrentLayers::check_all_weights(const char* layer, std::int64_t gates,
                                        const CallSite& site) const {
    const std::int64_t count = static_cast<std::int64_t>(weights.size());
    if (count == 0 || count % directions_ != 0) {
        fail_argument(layer, site, "there are ", count, " weights; each layer has ", directions_,
                      ", one for each direction, and there must be at least one layer");
    }
    for (std::int64_t i = 0; i < count; ++i) {
        const RecurrentWeights& one = weights[static_cast<std::size_t>(i)];
        check_weights(layer, gates, one, site);
        const std::int64_t hidden = weights[0].hidden();
        const std::int64_t in = i < directions_ ? weights[0].in() : directions_ * hidden;
        if (one.in() == in && one.hidden() == hidden) continue;
        fail_shape(layer, site, "weights[", i, "] has in = ", one.in(),
                   " and hidden = ", one.hidden(), "; to match those before it, these must be ", in,
                   " and ", hidden);
    }
}

void RecurrentLayers::check_call(const char* layer, std::int64_t gates, const Variable& X,
                                 const std::vector<std::int64_t>& lengths,
                                 const CallSite& site) const {
    check_all_weights(layer, gates, site);
    const std::int64_t in = weights[0].in();
    if (X.rank() < 2 || X.dim(-1) != in || X.dim(-2) < 1) {
        fail_shape(layer, site, "X has shape ", X.shape(), "; it must be [..., T, ", in,
                   "] with at least one token");
    }
    if (lengths.empty()) return;
    const std::int64_t B = static_cast<std::int64_t>(lengths.size());
    if (X.rank() != 3 || X.dim(0) != B) {
        fail_argument(layer, site, "there are ", B, " lengths and X has shape ", X.shape(),
                      "; it must be [B, T, ", in, "], with one length for each text");
    }
    for (std::size_t b = 0; b < lengths.size(); ++b) {
        if (lengths[b] >= 1 && lengths[b] <= X.dim(1)) continue;
        fail_argument(layer, site, "the length of text ", b, " is ", lengths[b],
                      "; it must be between 1 and T = ", X.dim(1));
    }
}

void RecurrentLayers::check_states(const char* layer, const Variable& X, const char* part,
                                   const Variable& states, const CallSite& site) const {
    Shape shape({static_cast<std::int64_t>(weights.size())}, site);
    for (int axis = 0; axis < X.rank() - 2; ++axis) shape = shape.followed_by(X.dim(axis), site);
    shape = shape.followed_by(weights[0].hidden(), site);
    if (states.shape() == shape) return;
    fail_shape(layer, site, part, " has shape ", states.shape(), "; for this X it must be ", shape,
               ", a vector for each layer and direction");
}

void RecurrentLayers::members(MemberVisitor& visit) {
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const std::size_t D = static_cast<std::size_t>(directions_);
        weights[i].visit_as(text("_l", i / D, i % D == 1 ? "_reverse" : ""), visit);
    }
    visit("dropout", dropout);
}

std::string RecurrentLayers::details() const {
    if (weights.empty()) return "no weights";
    const std::int64_t num_layers = static_cast<std::int64_t>(weights.size()) / directions_;
    std::string described = text(weights[0].in(), ", ", weights[0].hidden());
    if (num_layers != 1) described += text(", num_layers=", num_layers);
    if (!weights[0].bias_ih.is_set()) described += ", bias=false";
    if (dropout.p() != 0) described += text(", dropout=", dropout.p());
    if (directions_ == 2) described += ", bidirectional=true";
    return described;
}

std::vector<BoolTensor> texts_with(const std::vector<std::int64_t>& lengths, std::int64_t T) {
    std::vector<BoolTensor> has_token;
    const Shape shape = {static_cast<std::int64_t>(lengths.size()), 1};
    for (std::int64_t t = 0; t < T && !lengths.empty(); ++t) {
        std::vector<std::uint8_t> bytes;
        for (const std::int64_t length : lengths) bytes.push_back(t < length);
        has_token.push_back(BoolTensor::from_bytes(std::move(bytes), shape));
    }
    return has_token;
}

}}  // namespace heed
