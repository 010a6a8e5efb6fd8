#include "attention_shortcut.h"

#include "../../autograd/ops.h"
#include "../../tensor/errors.h"
#include "../../tensor/kernels/attention.h"
#include "../dropout.h"
#include "attention_checks.h"
#include "attention_record.h"
#include "own_attention.h"
#include "scores.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
constexpr const char* name = "scaled_dot_product_attention";

Shape shape_of_scores(const AttentionCall& call) {
    const Shape batch = broadcast_shape(call.Q.shape().without_last(2),
                                        call.K.shape().without_last(2), name, call.site);
    return batch.followed_by({call.Q.dim(-2), call.K.dim(-2)});
}

void check_bias(const AttentionCall& call) {
    const Shape scores = shape_of_scores(call);
    if (broadcasts_to(call.changes.bias->shape(), scores)) return;
    fail_shape(name, call.site, "the bias has shape ", call.changes.bias->shape(),
               ", but the scores [..., T_q, T_k] have ", scores,
               "; the bias must broadcast to the scores");
}

bool draws(const Dropout* dropout) { return dropout && dropout->draws(); }

bool changes_nothing(const ScoreOptions& changes) {
    return !changes.bias && !changes.scale && !changes.soft_cap;
}

// Up to this many scores, in one tile of keys, tiling gains nothing, and a debugger can show scores
// and weights. With more keys, a row's bits would otherwise depend on the number of other queries.
constexpr std::int64_t few_scores = 1024;

}  // namespace

void check_operands(const AttentionCall& call) {
    check_operands(name, call.Q, call.K, call.V, call.site);
    check_d_k(name, call.Q, call.K, call.site);
    if (call.Q.dim(-1) == 0) {
        fail_shape(name, call.site, "Q has shape ", call.Q.shape(), "; d_k must be at least 1");
    }
    if (call.changes.bias) check_bias(call);
    tensor::check_score_options(name, call.changes.scale, call.changes.soft_cap, call.site);
}

const OwnAttention* own_attention_for(const AttentionCall& call) {
    if (draws(call.dropout) || !changes_nothing(call.changes)) return nullptr;
    return OwnAttention::in_use();
}

// A user-supplied function returns no scores, so those of equation 1 are recorded.
Attention attention_by(const OwnAttention& own, const AttentionCall& call) {
    const Attention found = own(call.Q, call.K, call.V, call.mask, call.site);
    if (RecordAttention::is_open()) {
        const ScaledDotScore score;
        RecordAttention::add({.name = name,
                              .Q = call.Q.value(),
                              .K = call.K.value(),
                              .V = call.V.value(),
                              .scores = score(call.Q, call.K, call.site).value(),
                              .mask = call.mask,
                              .scale = score.scale(call.K),
                              .weights = found.weights.value()},
                             call.site);
    }
    return Attention{found.output,
                     call.need_weights == NeedWeights::yes ? found.weights : Variable()};
}

// A mask that does not fit is left to the step-by-step form, which reports it.
bool can_be_fused(const AttentionCall& call) {
    if (call.need_weights == NeedWeights::yes || RecordAttention::is_open()) return false;
    if (draws(call.dropout)) return false;
    const Variable &Q = call.Q, &K = call.K, &V = call.V;
    const std::int64_t T_q = Q.dim(-2), T_k = K.dim(-2);
    if (T_k <= kernels::key_tile && T_q * T_k <= few_scores) return false;
    // Step by step, the gradient of a K or V shared by a batch is one sum; in tiles, a sum of sums.
    if (K.rank() != Q.rank() || V.rank() != Q.rank()) return false;
    const Shape scores = shape_of_scores(call);
    const bool mask_fits = !call.mask || broadcasts_to(call.mask->shape(), scores);
    return mask_fits && broadcasts_to(V.shape().without_last(2), scores.without_last(2));
}

Attention attention_in_tiles(const AttentionCall& call) {
    const Variable output =
        fused_attention(call.Q, call.K, call.V, call.mask, call.changes);  // [..., T_q, d_v]
    return Attention{output, {}};
}

}}  // namespace heed
