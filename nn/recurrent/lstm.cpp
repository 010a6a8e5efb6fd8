#include "lstm.h"

#include "../../tensor/errors.h"
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

LstmCell::LstmCell(std::int64_t in, std::int64_t hidden, Random& random, bool bias, CallSite site)
    : weights("LstmCell", 4, in, hidden, bias, random, site) {}

LstmState LstmCell::operator()(const Variable& x, const LstmState& state, CallSite site) const {
    check_weights("LstmCell", 4, weights, site);
    check_step("LstmCell", weights, x, "h", state.h, site);
    check_step("LstmCell", weights, x, "c", state.c, site);
    const Running layer(*this, "LstmCell", {&x, &state.h, &state.c}, site);
    const LstmState next = LstmUnit::step(weights, weights.of_input(x), state);
    return layer.gives(next, next.h);
}

void LstmCell::members(MemberVisitor& visit) { weights.visit_as("", visit); }

std::string LstmCell::details() const { return text(weights.in(), ", ", weights.hidden()); }

LSTM::LSTM(std::int64_t in, std::int64_t hidden, Random& random, const RecurrentOptions& options,
           CallSite site)
    : weights(recurrent_weights("LSTM", 4, in, hidden, options, random, site)),
      dropout(options.dropout, random, site), directions_(options.bidirectional ? 2 : 1) {}

LstmResult LSTM::operator()(const Variable& X, const std::vector<std::int64_t>& lengths,
                            const std::optional<LstmState>& state, CallSite site) const {
    check_weights("LSTM", 4, weights, directions_, site);
    check_tokens("LSTM", weights[0], X, lengths, site);
    if (state) check_states("LSTM", weights, X, "h", state->h, site);
    if (state) check_states("LSTM", weights, X, "c", state->c, site);
    const Running layer(*this, "LSTM", {&X}, site);
    const Variable zeros(
        tensor::zeros(X.shape().without_last(2).followed_by(weights[0].hidden(), site)));
    std::vector<LstmState> states;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const std::int64_t at = static_cast<std::int64_t>(i);
        states.push_back(state ? LstmState{select(state->h, 0, at), select(state->c, 0, at)}
                               : LstmState{zeros, zeros});
    }
    const RecurrentRuns<LstmUnit> runs =
        run_layers<LstmUnit>(weights, X, states, lengths, directions_, dropout);
    std::vector<Variable> h, c;
    for (const LstmState& last : runs.lasts) {
        h.push_back(last.h);
        c.push_back(last.c);
    }
    return layer.gives(LstmResult{runs.output, {stack(h, 0), stack(c, 0)}}, runs.output);
}

void LSTM::members(MemberVisitor& visit) {
    visit_weights(weights, directions_, visit);
    visit("dropout", dropout);
}

std::string LSTM::details() const { return recurrent_details(weights, directions_, dropout); }

}}  // namespace heed
