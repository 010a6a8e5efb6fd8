#include "beam_search.h"

#include "../../autograd/grad_mode.h"
#include "../../tensor/errors.h"
#include "../../tensor/kernels/math.h"
#include "../../tensor/ops.h"
#include "../argument_checks.h"
#include "sampling.h"

#include <algorithm>

namespace heed { inline namespace HEED_PRECISION {
namespace {
// A beam and one more token.
struct Candidate {
    std::int64_t beam;  // the beam's row
    std::int64_t token;
    double log_probability;  // of beam and token together
};

bool likelier(const Candidate& a, const Candidate& b) {
    return a.log_probability > b.log_probability;
}

// The likeliest `count` candidates, the best first, of beams with the given logits [B, vocab_size].
// Impossible tokens are left out.
std::vector<Candidate> best_candidates(const std::vector<Beam>& beams, const Tensor& logits,
                                       std::int64_t count) {
    const Tensor log_p = tensor::log_softmax(logits, -1);  // [B, vocab_size]
    const std::int64_t per_beam = std::min(count, log_p.dim(-1));
    const tensor::Sorted best = tensor::topk(log_p, per_beam, -1);  // [B, per_beam]
    std::vector<Candidate> candidates;
    for (std::int64_t b = 0; b < best.values.dim(0); ++b) {
        const double before = beams[static_cast<std::size_t>(b)].log_probability;
        for (std::int64_t i = 0; i < per_beam; ++i) {
            const double log_probability = before + static_cast<double>(best.values(b, i));
            if (!__builtin_isfinite(log_probability)) continue;
            candidates.push_back({b, best.indices(b, i), log_probability});
        }
    }
    std::stable_sort(candidates.begin(), candidates.end(), likelier);
    if (std::ssize(candidates) > count) candidates.resize(static_cast<std::size_t>(count));
    return candidates;
}

Beam continued(const Beam& beam, const Candidate& candidate,
               std::optional<std::int64_t> end_token) {
    Beam longer = beam;
    longer.tokens.push_back(candidate.token);
    longer.log_probability = candidate.log_probability;
    longer.ended = candidate.token == end_token;
    return longer;
}

// log P / ((5 + n)/6)^α
double score_of(const Beam& beam, double length_penalty) {
    const double n = static_cast<double>(beam.tokens.size());
    return beam.log_probability / kernels::math::pow((5 + n) / 6, length_penalty);
}

bool better(const Beam& a, const Beam& b) { return a.score > b.score; }

std::vector<Beam> ranked(std::vector<Beam> beams, double length_penalty) {
    for (Beam& beam : beams) beam.score = score_of(beam, length_penalty);
    std::stable_sort(beams.begin(), beams.end(), better);
    return beams;
}

void check_options(const BeamOptions& options, const CallSite& site) {
    check_sizes("beam_search", {{"num_beams", options.num_beams}}, site);
    if (!(options.length_penalty >= 0 && __builtin_isfinite(options.length_penalty))) {
        fail_argument("beam_search", site, "length_penalty is ", options.length_penalty,
                      "; it must be finite and not negative; 0 means none");
    }
}

IndexTensor one_prompt(const IndexTensor& prompt, const CallSite& site) {
    const bool one = prompt.rank() == 1 || (prompt.rank() == 2 && prompt.dim(0) == 1);
    if (!one || prompt.numel() == 0) {
        fail_shape("beam_search", site, "the prompt has shape ", prompt.shape(),
                   "; it must be [T] or [1, T], with at least one token; search for several "
                   "prompts one at a time");
    }
    return prompt.reshape({1, -1});
}

}  // namespace

Results<Beam> beam_search(StepwiseModel& model, const IndexTensor& prompt,
                          const BeamOptions& options, CallSite site) {
    check_options(options, site);
    const IndexTensor ids = one_prompt(prompt, site);  // [1, T]
    check_no_dropout("beam_search", model.network(), site);
    const std::int64_t count =
        new_tokens("beam_search", model, ids.dim(1), options.max_new_tokens, site);
    std::vector<Beam> live(1), ended;  // at first one empty continuation
    if (count == 0) return live;

    const Scope scope("beam_search", site);
    const NoGrad no_grad;
    Tensor logits = model.read(ids, site);  // [1, vocab_size]
    check_end_token("beam_search", options.end_token, logits.dim(-1), site);
    for (std::int64_t t = 0; t < count; ++t) {
        check_step("beam_search", logits, std::ssize(live), site);
        const std::int64_t places = options.num_beams - std::ssize(ended);
        std::vector<Beam> longer;
        std::vector<std::int64_t> rows, tokens;  // of beams that go on: old row, new token
        for (const Candidate& candidate : best_candidates(live, logits, places)) {
            const Beam& beam = live[static_cast<std::size_t>(candidate.beam)];
            const Beam next = continued(beam, candidate, options.end_token);
            (next.ended ? ended : longer).push_back(next);
            if (next.ended) continue;
            rows.push_back(candidate.beam);
            tokens.push_back(candidate.token);
        }
        live = longer;  // B of them
        if (live.empty() || t + 1 == count) break;
        model.keep_sequences(IndexTensor(rows), site);
        logits = model.read(IndexTensor(tokens).reshape({-1, 1}), site);  // [B, vocab_size]
    }
    ended.insert(ended.end(), live.begin(), live.end());
    return ranked(ended, options.length_penalty);
}

}}  // namespace heed
