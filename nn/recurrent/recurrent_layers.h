// What GRU and LSTM share: their options (with PyTorch's names), the matrices of a unit, layers and
// directions, token by token, and checks. A Unit has a State, which it carries from token to token,
// with its output `h`, and the functions
//     State step(const RecurrentWeights& weights, const Variable& of_input, const State& state);
//     State where(const BoolTensor& texts, const State& a, const State& b);
#pragma once

#include "../../autograd/ops.h"
#include "../dropout.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

struct RecurrentOptions {
    std::int64_t num_layers = 1;  // each reads the output of the one before
    bool bidirectional = false;   // also from the last token to the first, side by side
    bool bias = true;
    double dropout = 0;  // probability, on the output of each layer but the last
};

// The two matrices of a unit, for its input and for its state.
struct RecurrentWeights {
    // For `gates` blocks of `hidden` rows, one below the other. All are initialized uniformly in
    // [-1/√hidden, 1/√hidden], PyTorch's default, in the order below. Error, in the layer's name: a
    // size below 1 (std::invalid_argument).
    RecurrentWeights(const char* layer, std::int64_t gates, std::int64_t in, std::int64_t hidden,
                     bool bias, Random& random, CallSite site = CallSite::here());

    // x [..., in] -> x·W_ihᵀ + b_ih, [..., gates·hidden], for all tokens at once.
    Variable of_input(const Variable& x) const;
    // h [..., hidden] -> h·W_hhᵀ + b_hh, [..., gates·hidden].
    Variable of_state(const Variable& h) const;
    // Under PyTorch's names: "weight_ih" and so on, each with the suffix.
    void visit_as(const std::string& suffix, MemberVisitor& visit);

    std::int64_t in() const { return weight_ih.dim(1); }
    std::int64_t hidden() const { return weight_hh.dim(1); }

    Parameter weight_ih;  // [gates·hidden, in]
    Parameter weight_hh;  // [gates·hidden, hidden]
    Parameter bias_ih;    // [gates·hidden]; not set without bias
    Parameter bias_hh;    // [gates·hidden]; not set without bias
};

// The check of a unit's weights, which are public, for `gates` blocks. Errors, in the layer's name:
// one is not set (std::invalid_argument); shapes that do not fit each other (ShapeError).
void check_weights(const char* layer, std::int64_t gates, const RecurrentWeights& weights,
                   const CallSite& site);

// One unit: the base of GruCell and LstmCell.
struct RecurrentCell : Module {
    void members(MemberVisitor& visit) override { weights.visit_as("", visit); }
    std::string details() const override;

    RecurrentWeights weights;

  protected:
    // Error: that of RecurrentWeights.
    RecurrentCell(const char* layer, std::int64_t gates, std::int64_t in, std::int64_t hidden,
                  bool bias, Random& random, const CallSite& site)
        : weights(layer, gates, in, hidden, bias, random, site) {}

    // x [..., in] and a state's part [..., hidden] with the same leading axes. Error: ShapeError.
    void check_step(const char* layer, const Variable& x, const char* part, const Variable& state,
                    const CallSite& site) const;
};

// Layers of units, in one direction or both: the base of GRU and LSTM.
struct RecurrentLayers : Module {
    // Under PyTorch's names: weight_ih_l0, weight_ih_l0_reverse, weight_ih_l1, ...
    void members(MemberVisitor& visit) override;
    std::string details() const override;

    std::int64_t directions() const { return directions_; }  // D

    std::vector<RecurrentWeights> weights;  // of each layer and direction: l0, l0_reverse, l1, ...
    Dropout dropout;

  protected:
    // Errors: those of GRU (nn/recurrent/gru.h), in the layer's name.
    RecurrentLayers(const char* layer, std::int64_t gates, std::int64_t in, std::int64_t hidden,
                    const RecurrentOptions& options, Random& random, const CallSite& site);

    // Errors: those of GRU's call; the weights do not fit each other.
    void check_call(const char* layer, std::int64_t gates, const Variable& X,
                    const std::vector<std::int64_t>& lengths, const CallSite& site) const;
    // A part of the initial states, [num_layers·D, ..., hidden]. Error: ShapeError.
    void check_states(const char* layer, const Variable& X, const char* part,
                      const Variable& states, const CallSite& site) const;

  private:
    void check_all_weights(const char* layer, std::int64_t gates, const CallSite& site) const;

    std::int64_t directions_;
};

// For each token, which texts have it: [B, 1]; empty without lengths.
std::vector<BoolTensor> texts_with(const std::vector<std::int64_t>& lengths, std::int64_t T);

template <class Unit>
struct RecurrentRun {
    Variable output;  // [..., T, hidden]
    typename Unit::State last;
};

template <class Unit>
struct RecurrentRuns {
    Variable output;                          // [..., T, D·hidden]
    std::vector<typename Unit::State> lasts;  // of each layer and direction
};

// One layer in one direction over X [..., T, in].
template <class Unit>
RecurrentRun<Unit> run_direction(const RecurrentWeights& weights, const Variable& X,
                                 typename Unit::State state,
                                 const std::vector<BoolTensor>& has_token, bool backwards) {
    const std::vector<Variable> of_inputs = unbind(weights.of_input(X), -2);  // [..., gates·hidden]
    const std::size_t T = of_inputs.size();
    std::vector<Variable> outputs(T);
    for (std::size_t i = 0; i < T; ++i) {
        const std::size_t t = backwards ? T - 1 - i : i;
        const typename Unit::State next = Unit::step(weights, of_inputs[t], state);
        if (has_token.empty()) {
            state = next;
            outputs[t] = state.h;
        } else {
            state = Unit::where(has_token[t], next, state);
            outputs[t] = where(has_token[t], state.h, 0);
        }
    }
    return {stack(outputs, -2), state};
}

// All layers and directions, from the states at the beginning.
template <class Unit>
RecurrentRuns<Unit> run_layers(const RecurrentLayers& layers, const Variable& X,
                               const std::vector<typename Unit::State>& states,
                               const std::vector<std::int64_t>& lengths) {
    const std::vector<BoolTensor> has_token = texts_with(lengths, X.dim(-2));
    RecurrentRuns<Unit> runs{X, {}};
    for (std::size_t i = 0; i < layers.weights.size();) {
        const Variable x = i == 0 ? runs.output : layers.dropout(runs.output);
        std::vector<Variable> outputs;
        for (std::int64_t d = 0; d < layers.directions(); ++d, ++i) {
            const RecurrentRun<Unit> run =
                run_direction<Unit>(layers.weights[i], x, states[i], has_token, d == 1);
            outputs.push_back(run.output);
            runs.lasts.push_back(run.last);
        }
        runs.output = outputs.size() == 1 ? outputs[0] : concatenate(outputs, -1);
    }
    return runs;
}

}}  // namespace heed
