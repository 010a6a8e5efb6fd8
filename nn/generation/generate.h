// generate(): continues texts one token at a time, each drawn from the model's distribution given
// the text so far.
#pragma once

#include "../../tensor/random.h"
#include "results.h"
#include "sampling.h"
#include "stepwise_model.h"

#include <functional>
#include <optional>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

struct GenerateOptions {
    // At most this many tokens; if not given, as many as the model has room for.
    std::optional<std::int64_t> max_new_tokens = {};
    SamplingOptions sampling = {};
    // A sequence ends with this token.
    std::optional<std::int64_t> end_token = {};
    // Called with the new tokens [B] of each step, as soon as they are drawn; a sequence that has
    // ended gives its end token again. Returns whether to go on. It may change these options, which
    // generate() has copied, but must not use the model: a copy of the model may read other texts.
    std::function<bool(const IndexTensor& tokens)> on_tokens = {};
};

// Continues the prompt [T], or several of equal length [B, T], after whatever the model has read
// before; or prompts of different lengths, padded on the left, which begin their texts. Returns the
// new tokens of each, with its end token if it was reached, but without the prompt.
//
//     EvalMode eval(model);
//     GptSteps steps(model);
//     generate(steps, prompt, random, {.max_new_tokens = 50, .sampling = {.temperature = 0.8}});
//
// Step t draws one number for each sequence, in order, even if it is not needed, so that no
// sequence depends on when others end. Nothing is recorded. All new tokens are read, except the
// last of each sequence. With temperature 0 the seed does not matter.
// Errors: the network would draw dropout (std::runtime_error); max_new_tokens is negative, does not
// fit, or is not given and the model has no limit (std::invalid_argument); an end token that is not
// in the vocabulary (std::out_of_range); a prompt that has another rank or is empty (ShapeError);
// prompts that are padded on the right (std::invalid_argument); on_tokens changed the model's room
// (std::runtime_error); those of sampling_probabilities() and of the model.
Results<std::vector<std::int64_t>> generate(StepwiseModel& model, const IndexTensor& prompt,
                                            Random& random, const GenerateOptions& options = {},
                                            CallSite site = CallSite::here());
Results<std::vector<std::int64_t>> generate(StepwiseModel& model, const TokenBatch& prompts,
                                            Random& random, const GenerateOptions& options = {},
                                            CallSite site = CallSite::here());

}}  // namespace heed
