// BatchStream: the batches of one epoch after another, each in a new order, from any place.
//
//     BatchStream batches(windows.examples(), 32, random);
//     for (std::int64_t step = 1; step <= steps; ++step) {
//         const TextBatch batch = windows.batch(batches.next());
#pragma once

#include "batches.h"

#include <cstdint>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

class BatchStream {
  public:
    // Draws one number from `random` to seed its own generator. Errors: those of
    // shuffled_batches().
    BatchStream(const std::vector<std::int64_t>& examples, std::int64_t batch_size, Random& random,
                LastBatch last = LastBatch::keep, CallSite site = CallSite::here());

    // The next batch; after the last of an epoch, the first of the next.
    std::vector<std::int64_t> next();
    std::int64_t epoch() const { return state_.epoch; }  // that of the last batch, from 1; 0 before

    // The place in the data: to resume, save it and set it. Errors of set_state()
    // (std::invalid_argument): another number of examples, or another batch size; a batch that an
    // epoch does not have, a generator of zeros.
    struct State {
        Random::State generator;  // before it drew the order of this epoch
        std::int64_t epoch = 0;
        std::int64_t batch = 0;  // how many of its batches have been given
        std::int64_t num_examples = 0;
        std::int64_t batch_size = 0;
    };
    const State& state() const { return state_; }
    void check_state(const State& state, CallSite site = CallSite::here()) const;
    void set_state(const State& state, CallSite site = CallSite::here());

  private:
    void draw_order();

    std::vector<std::int64_t> examples_;
    LastBatch last_;
    Random generator_;  // for the order of the next epoch
    State state_;
    std::vector<std::vector<std::int64_t>> order_;
};

}}  // namespace heed
