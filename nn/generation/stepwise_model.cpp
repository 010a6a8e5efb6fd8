#include "stepwise_model.h"

#include "../../tensor/errors.h"
#include "sampling.h"

namespace heed { inline namespace HEED_PRECISION {

Tensor StepwiseModel::read_padded(const TokenBatch&, CallSite site) {
    fail_argument("StepwiseModel", site,
                  "this model has no read_padded(); give it texts of one length");
}

void check_step(const char* operation, const Tensor& logits, std::int64_t B, const CallSite& site) {
    if (logits.rank() != 2 || logits.dim(0) != B) {
        fail_shape(operation, site, "the model's read() returned logits of shape ", logits.shape(),
                   " for ", B,
                   " sequences; they must be [B, vocab_size], for the last token of each");
    }
    check_logits(operation, logits, site);
}

void check_no_dropout(const char* operation, const Module& network, const CallSite& site) {
    for (const LayerMember& layer : layer_members(readable_member_tree(network, site))) {
        if (!layer.module->draws()) continue;
        fail_runtime(operation, site,
                     "the network is in training mode, and its dropout is active (",
                     layer.name.empty() ? "itself" : layer.name,
                     "); write `EvalMode eval(network);` before, or network.eval()");
    }
}

std::int64_t new_tokens(const char* operation, const StepwiseModel& model, std::int64_t T,
                        std::optional<std::int64_t> max_new_tokens, const CallSite& site) {
    if (max_new_tokens && *max_new_tokens < 0) {
        fail_argument(operation, site, "max_new_tokens is ", *max_new_tokens,
                      "; it cannot be negative");
    }
    const std::optional<std::int64_t> room = model.room();
    if (!room && !max_new_tokens) {
        fail_argument(operation, site, "the model has no limit; give max_new_tokens");
    }
    if (!room) return *max_new_tokens;
    if (T > *room) {
        fail_argument(operation, site, "the length of the prompt is ", T,
                      "; the model has room for ", *room, " tokens");
    }
    const std::int64_t fitting = *room - T + 1;
    if (max_new_tokens && *max_new_tokens > fitting) {
        fail_argument(operation, site, "the length of the prompt is ", T, " and max_new_tokens is ",
                      *max_new_tokens, "; the model has room for ", *room, " tokens, so for ",
                      fitting, " new ones, the last of which it need not read");
    }
    return max_new_tokens.value_or(fitting);
}

void check_end_token(const char* operation, std::optional<std::int64_t> end_token,
                     std::int64_t vocab_size, const CallSite& site) {
    if (!end_token || (*end_token >= 0 && *end_token < vocab_size)) return;
    fail_range(operation, site, "end_token is ", *end_token, "; the model's tokens are 0 to ",
               vocab_size - 1);
}

}}  // namespace heed
