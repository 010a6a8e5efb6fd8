// What the judge of exercise 14.3 knows of the source that the learner does not.
#pragma once

#include "tutorials/exercises/judges/14_3_tiny_language_model.h"

namespace exercise {

// Texts that no model is trained on.
struct HeldOut {
    heed::IndexTensor inputs, targets;  // [B, T]
    double entropy;      // mean of -log P(target | what was before) in the source, in nats
    double best_bigram;  // the least loss on these texts for a model that sees the last token only
};

HeldOut held_out(const SentenceKind& kind, std::int64_t B);

}  // namespace exercise
