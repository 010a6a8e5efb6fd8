#include "generation_checks.h"

#include "../../tensor/errors.h"
#include "../../tensor/ops.h"

#include <limits>

namespace heed { inline namespace HEED_PRECISION {

namespace {

// The first layer that would draw, by its name, or "".
std::string drawing_layer(const Member& tree, const std::string& prefix) {
    if (tree.module && tree.module->draws()) return prefix.empty() ? "itself" : prefix;
    for (const Member& member : tree.members) {
        const std::string name = prefix.empty() ? member.name : prefix + "." + member.name;
        const std::string found = drawing_layer(member, name);
        if (!found.empty()) return found;
    }
    return "";
}

}  // namespace

void check_sampling(const char* operation, const SamplingOptions& options, const CallSite& site) {
    const double largest = static_cast<double>(std::numeric_limits<Scalar>::max());
    if (!(options.temperature >= 0 && options.temperature <= largest)) {
        fail_argument(operation, site, "temperature is ", options.temperature,
                      "; it must be finite and not negative; 0 takes the likeliest token");
    }
    if (options.top_k < 0) {
        fail_argument(operation, site, "top_k is ", options.top_k,
                      "; it must be at least 1, or 0 for all");
    }
    if (!(options.top_p > 0 && options.top_p <= 1)) {
        fail_argument(operation, site, "top_p is ", options.top_p,
                      "; it is a probability above 0, or 1 for all tokens");
    }
}

void check_logits(const char* operation, const Tensor& logits, const CallSite& site) {
    if (logits.rank() < 1 || logits.dim(-1) < 1) {
        fail_shape(operation, site, "the logits have shape ", logits.shape(),
                   "; they must be [..., vocab_size], of one token or more");
    }
    const Tensor largest = tensor::reshape(tensor::max(logits, -1), -1);  // [rows]
    for (std::int64_t i = 0; i < largest.numel(); ++i) {
        const double number = static_cast<double>(largest(i));
        if (__builtin_isfinite(number)) continue;
        fail_argument(operation, site, "the largest of the logits in row ", i, " is ", number,
                      "; a finite number is needed: did the model learn from a loss that was "
                      "none?");
    }
}

void check_step(const char* operation, const Tensor& logits, std::int64_t B, const CallSite& site) {
    if (logits.rank() != 2 || logits.dim(0) != B) {
        fail_shape(operation, site, "the model's read() returned logits of shape ", logits.shape(),
                   " for ", B,
                   " sequences; they must be [B, vocab_size], of each one's last token");
    }
    check_logits(operation, logits, site);
}

void check_no_dropout(const char* operation, const Module& network, const CallSite& site) {
    const std::string drawing = drawing_layer(readable_member_tree(network, site), "");
    if (drawing.empty()) return;
    fail_runtime(operation, site, "the network is in training mode, and its dropout would draw (",
                 drawing, "); write `EvalMode eval(network);` before, or network.eval()");
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
