#include "gru.h"

#include "../running.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
struct GruUnit {
    struct State {
        Variable h;
    };

    static State where(const BoolTensor& texts, const State& a, const State& b) {
        return {heed::where(texts, a.h, b.h)};
    }

    static State step(const RecurrentWeights& weights, const Variable& of_input,
                      const State& state) {
        const Variable& h = state.h;                                             // [..., hidden]
        const std::vector<Variable> from_x = chunk(of_input, 3, -1);             // for r, z, n
        const std::vector<Variable> from_h = chunk(weights.of_state(h), 3, -1);  // for r, z, n
        const Variable r = sigmoid(from_x[0] + from_h[0]);
        const Variable z = sigmoid(from_x[1] + from_h[1]);
        const Variable n = tanh(from_x[2] + r * from_h[2]);
        return {(1 - z) * n + z * h};
    }
};

}  // namespace

Variable GruCell::operator()(const Variable& x, const Variable& h, CallSite site) const {
    check_weights("GruCell", 3, weights, site);
    check_step("GruCell", x, "h", h, site);
    const Running layer(*this, "GruCell", {&x, &h}, site);
    const Variable next = GruUnit::step(weights, weights.of_input(x), {h}).h;  // [..., hidden]
    return layer.gives(next);
}

GruResult GRU::operator()(const Variable& X, const std::vector<std::int64_t>& lengths,
                          const std::optional<Variable>& h, CallSite site) const {
    check_call("GRU", 3, X, lengths, site);
    if (h) check_states("GRU", X, "h", *h, site);
    const Running layer(*this, "GRU", {&X}, site);
    std::vector<GruUnit::State> states;
    const Shape one = X.shape().without_last(2).followed_by(weights[0].hidden(), site);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        states.push_back(
            {h ? select(*h, 0, static_cast<std::int64_t>(i)) : Variable(tensor::zeros(one))});
    }
    const RecurrentRuns<GruUnit> runs = run_layers<GruUnit>(*this, X, states, lengths);
    std::vector<Variable> lasts;
    for (const GruUnit::State& state : runs.lasts) lasts.push_back(state.h);
    return layer.gives(GruResult{runs.output, stack(lasts, 0)}, runs.output);
}

}}  // namespace heed
