// beam_search(): looks for the likeliest continuation as a whole, whereas greedy generation takes
// the likeliest token at each step.
#pragma once

#include "results.h"
#include "stepwise_model.h"

#include <optional>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

struct BeamOptions {
    std::int64_t num_beams = 4;
    // At most this many tokens; if not given, as many as the model has room for.
    std::optional<std::int64_t> max_new_tokens = {};
    // A continuation ends with this token.
    std::optional<std::int64_t> end_token = {};
    // α: continuations of n tokens are ranked by log P / ((5 + n)/6)^α (Wu et al. 2016, equation
    // 14). With 0, short ones are favoured, since each token makes P smaller. The best in the paper
    // is between 0.6 and 0.7.
    double length_penalty = 0;
};

struct Beam {
    std::vector<std::int64_t> tokens;  // without the prompt, with the end token if it was reached
    double log_probability = 0;        // log P(tokens | everything before), in nats
    double score = 0;                  // the same after the length penalty
    bool ended = false;                // by the end token, rather than by running out of room
};

// Continues the prompt [T] or [1, T], after whatever the model has read before. Each step extends
// the beams kept so far by one token and keeps the likeliest: num_beams of them, minus those that
// have ended, which keep their place and are not continued (Sutskever et al. 2014, section 3.2).
// Among equals the one with the better beginning comes first, then the lower id. Returns all beams,
// at most num_beams, the best score first. With one beam it is greedy generation. The model is left
// in the middle of a text: copy it before, or start over.
// Errors: num_beams is below 1, a length penalty that is negative or not finite, max_new_tokens as
// in generate() (std::invalid_argument); a prompt of another shape, or empty (ShapeError); an end
// token that is not in the vocabulary (std::out_of_range); the network would draw dropout
// (std::runtime_error); logits as in sampling_probabilities(); those of the model.
Results<Beam> beam_search(StepwiseModel& model, const IndexTensor& prompt,
                          const BeamOptions& options = {}, CallSite site = CallSite::here());

}}  // namespace heed
