#include "tutorials/exercises/judges/08_3_padding_and_causal_walk.h"

#include "tutorials/exercises/judges/common_masked.h"

#include "autograd/ops.h"
#include "tensor/ops.h"
#include "tensor/ops/compare.h"

using namespace heed;
using namespace exercise::masked_walk;

namespace exercise::padding_walk {

BoolTensor allowed_by(const BoolTensor& is_padding, const Slips& slip) {
    const std::int64_t B = is_padding.dim(0), T = is_padding.dim(1);
    BoolTensor past = !causal_blocked(T, slip);
    if (slip("mask.no-causal")) past = BoolTensor::full({T, T}, true);
    Tensor words = tensor::to_tensor(!is_padding);  // [B, T]
    if (slip("mask.inverted")) words = tensor::to_tensor(is_padding);
    if (slip("mask.no-padding")) words = tensor::ones({B, T});
    if (slip("mask.first-text")) {
        words = tensor::expand(tensor::slice(words, 0, 0, 1), words.shape());
    }
    Dims keys{B, 1, 1, T};
    if (slip("mask.pad-query-axis")) keys = {B, 1, T, 1};
    const BoolTensor known = tensor::reshape(words, keys) == 1;
    const BoolTensor all = BoolTensor::full({B, 1, T, T}, true);
    const BoolTensor allowed = slip("mask.or") ? all & (past | known) : all & (past & known);
    if (slip("mask.transposed")) {
        return tensor::transpose(tensor::to_tensor(allowed), -2, -1) == 1;
    }
    return slip("mask.complement") ? !allowed : allowed;
}

namespace {

// Assigns the texts' masks to [b, h] as if the heads came first: h·B for B·h.
BoolTensor heads_first(const BoolTensor& blocked, std::int64_t h) {
    const std::int64_t B = blocked.dim(0), T_q = blocked.dim(2), T_k = blocked.dim(3);
    const Tensor numbers = tensor::reshape(tensor::to_tensor(blocked), {1, B, T_q, T_k});
    const Tensor tiled = tensor::contiguous(tensor::expand(numbers, {h, B, T_q, T_k}));
    return tensor::reshape(tiled, {B, h, T_q, T_k}) == 1;
}

BoolTensor blocked_by(const BoolTensor& allowed, const Shape& scores, const Slips& slip) {
    if (slip("mask.unused")) return BoolTensor::full(scores, false);
    const bool for_all_heads = allowed.dim(1) == 1 && allowed.dim(0) == scores[0];
    if (slip("mask.head-batch-order") && for_all_heads) return heads_first(!allowed, scores[1]);
    return (!allowed) & BoolTensor::full(scores, true);
}

// NaN for a row of only -∞.
Variable softmax_written_out(const Variable& x) {
    const Variable e = exp(x - max(x, -1, keepdim));
    return e / sum(e, -1, keepdim);
}

}  // namespace

WeightsAndOutput attended(const Variable& Q, const Variable& K, const Variable& V,
                          const BoolTensor& allowed, const Slips& slip) {
    const std::int64_t h = Q.dim(1), T_k = K.dim(2), d_k = Q.dim(3);
    const Variable scores = products(Q, K, V, slip) * scale(d_k, T_k, h * d_k, slip);
    const BoolTensor blocked = blocked_by(allowed, scores.shape(), slip);
    const Variable rest = masked(scores, blocked, slip);
    const Variable weights = slip("mask.empty-nan") ? softmax_written_out(rest)
                                                    : masked_weights(rest, blocked, d_k, slip);
    const Variable output = context(weights, K, V, slip);
    if (slip("train.detached")) return {weights.detach(), output.detach()};
    return {weights, output};
}

namespace {

std::vector<Mistake> own_mistakes() {
    return {
        {"mask.no-causal",
         "only the padding was masked",
         {"Which word may the first one of a text look at?", "Row 0 of your mask."}},
        {"mask.no-padding",
         "only the future was masked, and the padding was seen",
         {"Do the masks of the two texts differ?", "The column of a key that is padding."}},
        {"mask.or",
         "a key was allowed where either condition holds, and not only where both do",
         {"May each of the two conditions block a key alone?",
          "How your mask joins its two conditions."}},
        {"mask.inverted",
         "is_padding was read as \"may be looked at\"",
         {"What does true mean in is_padding?", "The column of a key that is padding."}},
        {"mask.complement",
         "the mask blocked what it should allow, and allowed the rest",
         {"What does Mask::allowing take, and what Mask::blocking?", "Entry [0, 0, 4, 4]."}},
        {"mask.transposed",
         "the mask was transposed, with a row for each key",
         {"Who has a row in a mask, a query or a key?", "The order of your loops over i and j."}},
        {"mask.pad-query-axis",
         "the rows of the padding were masked and not its columns",
         {"Who must not be looked at: padded keys, or padded queries?",
          "With which index do you ask is_padding: that of the row, or of the column?"}},
        {"mask.first-text",
         "all texts got the padding of the first",
         {"Do the masks of the two texts differ?", "The first index of is_padding."}},
        {"mask.head-batch-order",
         "the masks were laid out with the heads first, so that heads got those of other texts",
         {"Which text's mask does head 1 of text 0 get?",
          "Compare weights[0, 0] with weights[0, 1]: the zeros should stand in the same places."}},
        {"mask.unused",
         "the attention did not use its mask",
         {"Which weights must be 0?", "Where your attention uses its last argument."}},
        {"train.detached",
         "weights and output were computed from values, so that nothing is recorded",
         {"Do weights and output know what they were computed from?",
          "Print output: which operation made it?"}},
        {"mask.empty-nan",
         "a softmax was taken of a row of only -∞, which is 0/0",
         {"Which queries may look at nothing?", "Row 0 of the text that is padded at the front."}},
    };
}

}  // namespace

std::vector<Mistake> mistakes() {
    return joined({own_mistakes(), without(triangle_mistakes(), {"mask.absent"}), fill_mistakes(),
                   scale_mistakes(), product_mistakes(), softmax_mistakes(), context_mistakes(),
                   zero_score_mistakes(), gradient_mistakes()});
}

}  // namespace exercise::padding_walk
