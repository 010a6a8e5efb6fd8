#include "tutorials/live/playground/results.h"

#include "autograd/grad.h"
#include "nn/attention/attention.h"
#include "nn/attention/head_axes.h"
#include "tensor/factories.h"
#include "tutorials/live/playground/program.h"

namespace tutorial {
namespace {
using heed::Variable;

heed::Attention attended(const heed::Score& score, const Variable& Q, const Variable& K,
                         const Variable& V, const PlaygroundState& state,
                         const std::string& program) {
    heed::AttendOptions options{.temperature = state.temperature_value};
    if (state.allowed) options.mask = heed::Mask::allowing(*state.allowed);
    return heed::attend(score, Q, K, V, options, line_of(program, "attend("));
}

}  // namespace

// Statement by statement what program_of() writes.
Results results_of(const PlaygroundState& state, const std::string& program) {
    const Variable Q(state.Q.values, heed::requires_grad);
    const Variable K(state.K.values, heed::requires_grad);
    const Variable V(state.V.values, heed::requires_grad);
    const auto in_heads = [&](const Variable& x, const char* call) {
        return state.heads == 1 ? x : heed::split_heads(x, state.heads, line_of(program, call));
    };
    const Variable heads_Q = in_heads(Q, "split_heads(Q");
    const Variable heads_K = in_heads(K, "split_heads(K");
    const Variable heads_V = in_heads(V, "split_heads(V");

    const heed::ScaledDotScore scaled;
    const heed::DotScore plain;
    const heed::Score& score = state.is_scaled ? static_cast<const heed::Score&>(scaled) : plain;
    const Variable scores = score(heads_Q, heads_K, line_of(program, "score("));
    const heed::Attention attention = attended(score, heads_Q, heads_K, heads_V, state, program);
    const Variable output =
        state.heads == 1 ? attention.output : heed::merge_heads(attention.output);

    const heed::Tensor G = state.G ? state.G->values : heed::tensor::ones(output.shape());
    const std::vector<Variable> gradients =
        heed::grad(output, {Q, K, V}, {.upstream = G}, line_of(program, "grad(output"));
    return {scores.value(),       attention.weights.value(), output.value(),
            gradients[0].value(), gradients[1].value(),      gradients[2].value()};
}

}  // namespace tutorial
