#include "batch_stream.h"

#include "../../tensor/errors.h"

namespace heed { inline namespace HEED_PRECISION {

BatchStream::BatchStream(const std::vector<std::int64_t>& examples, std::int64_t batch_size,
                         Random& random, LastBatch last, CallSite site)
    : examples_(examples), last_(last), generator_(0) {
    check_batches("BatchStream", static_cast<std::int64_t>(examples.size()), batch_size, last,
                  site);
    generator_ = Random(random.next());
    state_ = {.generator = generator_.state(),
              .num_examples = static_cast<std::int64_t>(examples.size()),
              .batch_size = batch_size};
}

std::vector<std::int64_t> BatchStream::next() {
    if (state_.epoch == 0 || state_.batch == static_cast<std::int64_t>(order_.size())) {
        state_.generator = generator_.state();
        draw_order();
        state_.batch = 0;
        ++state_.epoch;
    }
    return order_[static_cast<std::size_t>(state_.batch++)];
}

void BatchStream::draw_order() {
    order_ = shuffled_batches(examples_, state_.batch_size, generator_, last_);
}

void BatchStream::check_state(const State& state, CallSite site) const {
    if (state.num_examples != state_.num_examples || state.batch_size != state_.batch_size) {
        fail_argument("BatchStream", site, "the place is one in ", state.num_examples,
                      " examples in batches of ", state.batch_size, ", and this stream has ",
                      state_.num_examples, " in batches of ", state_.batch_size);
    }
    const std::int64_t whole = state.num_examples / state.batch_size;
    const bool has_rest = last_ == LastBatch::keep && state.num_examples % state.batch_size != 0;
    const std::int64_t batches = whole + (has_rest ? 1 : 0);
    const bool is_start = state.epoch == 0 && state.batch == 0;
    const bool is_inside = state.epoch > 0 && state.batch > 0 && state.batch <= batches;
    if (!is_start && !is_inside) {
        fail_argument("BatchStream", site, "the place is batch ", state.batch, " of epoch ",
                      state.epoch, "; an epoch has batches 1 to ", batches);
    }
    Random(0).set_state(state.generator, site);  // refuses zeros
}

void BatchStream::set_state(const State& state, CallSite site) {
    check_state(state, site);
    state_ = state;
    generator_.set_state(state.generator, site);
    order_.clear();
    if (state_.epoch > 0) draw_order();
}

}}  // namespace heed
