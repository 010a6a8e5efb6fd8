#include "generate.h"

#include "../../autograd/grad_mode.h"
#include "../../tensor/errors.h"
#include "../../tensor/ops.h"
#include "sampling.h"

#include <algorithm>

namespace heed { inline namespace HEED_PRECISION {
namespace {
// The sequences of a batch, as generated so far.
struct Continued {
    std::vector<std::vector<std::int64_t>> sequences;
    std::vector<bool> ended;
    std::int64_t remaining;

    explicit Continued(std::int64_t B)
        : sequences(static_cast<std::size_t>(B)), ended(sequences.size(), false), remaining(B) {}

    // Appends the drawn tokens [B] of the sequences that have not ended. Returns the tokens that
    // the model reads next: for a sequence that has ended, its end token again.
    IndexTensor append(const IndexTensor& drawn, std::optional<std::int64_t> end_token) {
        std::vector<std::int64_t> tokens;
        for (std::size_t b = 0; b < sequences.size(); ++b) {
            const std::int64_t token = ended[b] ? *end_token : drawn.data()[b];
            tokens.push_back(token);
            if (ended[b]) continue;
            sequences[b].push_back(token);
            ended[b] = token == end_token;
            if (ended[b]) --remaining;
        }
        return IndexTensor(tokens);
    }
};

IndexTensor checked_prompt(const IndexTensor& prompt, const CallSite& site) {
    if (prompt.rank() < 1 || prompt.rank() > 2 || prompt.numel() == 0) {
        fail_shape(
            "generate", site, "the prompt has shape ", prompt.shape(),
            "; it must be [T] or [B, T], with at least one token, such as one that begins a text");
    }
    return prompt.reshape({-1, prompt.dim(-1)});  // [B, T]
}

// Calls on_tokens, which must leave the model as it is.
bool goes_on(const GenerateOptions& options, const IndexTensor& tokens, const StepwiseModel& model,
             const CallSite& site) {
    if (!options.on_tokens) return true;
    const std::optional<std::int64_t> room = model.room();
    const bool go_on = options.on_tokens(tokens);
    const std::optional<std::int64_t> left = model.room();
    if (!room || !left || *left == *room) return go_on;
    fail_runtime("generate", site, "on_tokens used the model that is generating: it had room for ",
                 *room, " tokens before the call and for ", *left,
                 " after it; use a copy of the model");
}

// `read` reads the prompts [B, T] and gives the logits after their last tokens. The options are a
// copy, since on_tokens may change the caller's.
template <class Read>
std::vector<std::vector<std::int64_t>>
continued(StepwiseModel& model, const Read& read, const IndexTensor& ids, Random& random,
          const GenerateOptions options, const CallSite& site) {
    const std::int64_t B = ids.dim(0);
    check_sampling("generate", options.sampling, site);
    check_no_dropout("generate", model.network(), site);
    const std::int64_t count =
        new_tokens("generate", model, ids.dim(1), options.max_new_tokens, site);
    Continued all(B);
    if (count == 0) return all.sequences;

    const Scope scope("generate", site);
    const NoGrad no_grad;
    Tensor logits = read();  // [B, vocab_size]
    check_end_token("generate", options.end_token, logits.dim(-1), site);
    for (std::int64_t t = 0; t < count; ++t) {
        check_step("generate", logits, B, site);
        const Tensor probabilities = sampling_probabilities(logits, options.sampling, site);
        const IndexTensor drawn = tensor::multinomial(probabilities, 1, random);  // [B, 1]
        const IndexTensor tokens = all.append(drawn, options.end_token);          // [B]
        if (!goes_on(options, tokens, model, site) || all.remaining == 0 || t + 1 == count) break;
        logits = model.read(tokens.reshape({B, 1}), site);  // [B, vocab_size]
    }
    return all.sequences;
}

}  // namespace

Results<std::vector<std::int64_t>> generate(StepwiseModel& model, const IndexTensor& prompt,
                                            Random& random, const GenerateOptions& options,
                                            CallSite site) {
    const IndexTensor ids = checked_prompt(prompt, site);  // [B, T]
    const auto read = [&] { return model.read(ids, site); };
    return continued(model, read, ids, random, options, site);
}

Results<std::vector<std::int64_t>> generate(StepwiseModel& model, const TokenBatch& prompts,
                                            Random& random, const GenerateOptions& options,
                                            CallSite site) {
    const IndexTensor ids = checked_prompt(prompts.ids, site);  // [B, T]
    const bool is_padded = std::any_of(prompts.lengths.begin(), prompts.lengths.end(),
                                       [&](std::int64_t length) { return length != ids.dim(1); });
    if (is_padded && prompts.side != PaddingSide::left) {
        fail_argument("generate", site,
                      "the prompts are padded on the right; the tokens that follow must be beside "
                      "the last of each: pad with PaddingSide::left");
    }
    const auto read = [&] { return model.read_padded({ids, prompts.lengths, prompts.side}, site); };
    return continued(model, read, ids, random, options, site);
}

}}  // namespace heed
