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
    exercise::not_done("18.1");
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_18_1(beam_search), argc, argv);
}
