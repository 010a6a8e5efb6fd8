// Batches: which examples are trained on together, and in which order. An example is identified by
// its number in a data set, such as TextWindows or SequencePairs.
//
//     const Split<std::vector<std::int64_t>> split = hold_out(pairs.examples(), 0.1, random);
//     for (const std::vector<std::int64_t>& examples : shuffled_batches(split.training, 32,
//     random)) {
//         const PairBatch batch = pairs.batch(examples);
#pragma once

#include "../../tensor/index_tensor.h"
#include "../../tensor/random.h"

#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// What happens to a last batch with fewer examples than the others.
enum class LastBatch { keep, drop };

// One epoch: each example once, batch_size at a time, in the order given; for evaluation. Errors
// (std::invalid_argument): no examples, a batch_size below 1, or above the number of examples if
// the last batch is dropped, so that none would be left.
std::vector<std::vector<std::int64_t>> batches(const std::vector<std::int64_t>& examples,
                                               std::int64_t batch_size,
                                               LastBatch last = LastBatch::keep,
                                               CallSite site = CallSite::here());

// The same in random order, for training: one call for each epoch, with the same generator. With
// LastBatch::drop, other examples are left out in each epoch.
std::vector<std::vector<std::int64_t>> shuffled_batches(const std::vector<std::int64_t>& examples,
                                                        std::int64_t batch_size, Random& random,
                                                        LastBatch last = LastBatch::keep,
                                                        CallSite site = CallSite::here());

// The checks of both. Errors: those above.
void check_batches(const char* name, std::int64_t n, std::int64_t batch_size, LastBatch last,
                   const CallSite& site);

template <class Examples>
struct Split {
    Examples training;
    Examples held_out;  // never trained on: their loss shows what was learned, not memorised
};

// Holds out the share `fraction`, rounded to whole examples, at least one, and leaves at least one.
// Errors (std::invalid_argument): fewer than two examples, a fraction that is not between 0 and 1;
// a text that is not [N] (ShapeError).
// For separate examples: chosen at random; both parts are in the order given.
Split<std::vector<std::int64_t>> hold_out(const std::vector<std::int64_t>& examples,
                                          double fraction, Random& random,
                                          CallSite site = CallSite::here());
// For a text, token ids [N]: its end. Examples drawn from all over a text would have their
// neighbours, and with overlapping windows parts of themselves, in the other part.
Split<IndexTensor> hold_out(const IndexTensor& text, double fraction,
                            CallSite site = CallSite::here());

// For a data set: checks the examples of a batch.
// Errors: no examples (std::invalid_argument), one outside 0 ... size - 1 (std::out_of_range).
void check_examples(const char* data, const std::vector<std::int64_t>& examples, std::int64_t size,
                    const CallSite& site);

}}  // namespace heed
