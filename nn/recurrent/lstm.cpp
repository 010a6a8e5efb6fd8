#include "lstm.h"

#include "../running.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
struct LstmUnit {
    using State = LstmState;

    static State where(const BoolTensor& texts, const State& a, const State& b) {
        return {heed::where(texts, a.h, b.h), heed::where(texts, a.c, b.c)};
    }

    static State step(const RecurrentWeights& weights, const Variable& of_input,
                      const State& state) {
        const Variable gates = of_input + weights.of_state(state.h);  // [..., 4·hidden]
        const std::vector<Variable> parts = chunk(gates, 4, -1);      // i, f, g, o
        const Variable i = sigmoid(parts[0]), f = sigmoid(parts[1]);
        const Variable g = tanh(parts[2]), o = sigmoid(parts[3]);
        const Variable c = f * state.c + i * g;
        return {o * tanh(c), c};
    }
};

}  // namespace

LstmState LstmCell::operator()(const Variable& x, const LstmState& state, CallSite site) const {
    check_weights("LstmCell", 4, weights, site);
    check_step("LstmCell", x, "h", state.h, site);
    check_step("LstmCell", x, "c", state.c, site);
    const Running layer(*this, "LstmCell", {&x, &state.h, &state.c}, site);
    const LstmState next = LstmUnit::step(weights, weights.of_input(x), state);
    return layer.gives(next, next.h);
}

LstmResult LSTM::operator()(const Variable& X, const std::vector<std::int64_t>& lengths,
                            const std::optional<LstmState>& state, CallSite site) const {
    check_call("LSTM", 4, X, lengths, site);
    if (state) check_states("LSTM", X, "h", state->h, site);
    if (state) check_states("LSTM", X, "c", state->c, site);
    const Running layer(*this, "LSTM", {&X}, site);
    const Variable zeros(
        tensor::zeros(X.shape().without_last(2).followed_by(weights[0].hidden(), site)));
    std::vector<LstmState> states;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const std::int64_t at = static_cast<std::int64_t>(i);
        states.push_back(state ? LstmState{select(state->h, 0, at), select(state->c, 0, at)}
                               : LstmState{zeros, zeros});
    }
    const RecurrentRuns<LstmUnit> runs = run_layers<LstmUnit>(*this, X, states, lengths);
    std::vector<Variable> h, c;
    for (const LstmState& last : runs.lasts) {
        h.push_back(last.h);
        c.push_back(last.c);
    }
    return layer.gives(LstmResult{runs.output, {stack(h, 0), stack(c, 0)}}, runs.output);
}

}}  // namespace heed
