// 18.1 Beam search                                           fill · 30 minutes · about 20 lines
//
// Greedy takes the likeliest token at each step, but what begins likeliest need not end so. Beam
// search goes on with the k likeliest beginnings instead. A text's probability is a product, so its
// log P is a sum: over its tokens, log P of each after those before it.
// Sutskever et al. 2014, section 3.2; lesson 18.6. nn/generation/beam_search.h does the same, but
// throws std::invalid_argument where no token can follow a beam.
//
// log_p(prefix) gives log P of each of the V tokens as the next one. Each call is a run of the
// model: make one for each beam that is to be continued, and no other. At first there is one open
// beam, without tokens. At each step:
// - Every open beam is continued by every token. -∞ means impossible: no continuation.
// - There are k places. A beam that has ended keeps its place to the last; the likeliest
//   continuations of all open beams together take the free ones, the best first. The rest are
//   lost, and so is a beam without a continuation.
// - A continuation whose new token is `end` has ended. It keeps that token, and is not continued.
// Stop when no beam is open, or after `most` steps (1 or more). Return all beams, ended or not, the
// highest log P first, with no norm by length. There may be fewer than k (which is 1 or more).
// Equally likely continuations: that of the earlier beam comes first, then the lower id. Equally
// likely beams in the result: what ended earlier comes first, what is still open last; beams chosen
// in the same step stay in the order in which they were chosen.
#include "tutorials/exercises/judges/lesson_18.h"

#include <algorithm>
#include <cmath>

using exercise::Beam;

std::vector<Beam> beam_search(const exercise::LogP& log_p, std::int64_t k, std::int64_t end,
                              std::int64_t most) {
    // begin stub, stop in beam_search
    //     exercise::not_done("18.1");
    // begin solution
    const auto likelier = [](const Beam& a, const Beam& b) { return a.log_p > b.log_p; };
    std::vector<Beam> open(1), ended;
    for (std::int64_t step = 0; step < most && !open.empty(); ++step) {
        std::vector<Beam> longer;
        for (const Beam& beam : open) {
            const std::vector<double> next = log_p(beam.tokens);
            for (std::size_t i = 0; i < next.size(); ++i) {
                if (std::isinf(next[i])) continue;
                const auto token = static_cast<std::int64_t>(i);
                longer.push_back({beam.tokens, beam.log_p + next[i], token == end});
                longer.back().tokens.push_back(token);
            }
        }
        std::stable_sort(longer.begin(), longer.end(), likelier);
        const std::size_t places = static_cast<std::size_t>(k) - ended.size();
        if (longer.size() > places) longer.resize(places);
        open.clear();
        for (const Beam& beam : longer) (beam.ended ? ended : open).push_back(beam);
    }
    ended.insert(ended.end(), open.begin(), open.end());
    std::stable_sort(ended.begin(), ended.end(), likelier);
    return ended;
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_18_1(beam_search), argc, argv);
}
